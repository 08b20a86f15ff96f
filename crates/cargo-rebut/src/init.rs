//! `cargo rebut init`: adds Rebut to a package, and writes a first test about its code.
//!
//! The dependency goes into the manifest, and the test into a file beside what is there. Which
//! test that is, is found out rather than guessed: the source says which functions and types
//! there are ([`api`]), names and types suggest claims ([`laws`]), and a trial builds and runs
//! them ([`trial`]). What does not compile, rejects most inputs or does not hold is dropped. If
//! something goes wrong, everything is put back.

mod api;
mod changes;
mod draft;
mod facts;
mod laws;
mod names;
mod package;
mod select;
mod snippets;
mod source;
mod texts;
mod trial;
mod ty;

use crate::cli::{Init, Shape};
use crate::words::file_failed;
use crate::words::init as words;
use changes::Changes;
use package::{Package, Place, is_older, nearest_manifest, stray};
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::{pretty, to_stdout};
use rebut_cli::words::say;
use rebut_manifest::{Origin, RUST_VERSION, with_test, with_workspace};
use rebut_native::formatted;
use select::{Kept, Selection, Selector, Subject, file_text};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use trial::Outcome;

pub(crate) fn run(arguments: &Init) -> Result<Exit, Failure> {
    let mut changes = Changes::default();
    let done = set_up(arguments, &mut changes);
    if done.is_err() {
        changes.revert_all();
    }
    let done = done?;
    for line in done.lines() {
        say(&line);
    }
    if arguments.format == Shape::Json {
        to_stdout(&pretty(&done.to_json()))?;
    }
    Ok(Exit::Success)
}

/// Everything that is done, with the changes that it takes.
fn set_up(arguments: &Init, changes: &mut Changes) -> Result<Done, Failure> {
    let manifest = nearest_manifest(arguments.manifest_path.as_deref())?;
    settle(&manifest, changes)?;
    let package = Package::find(arguments, &manifest)?;
    if let Some(compiler) = package.compiler().filter(|has| is_older(has, RUST_VERSION)) {
        return Err(Failure::new(Exit::MissingTool, words::old_compiler(&compiler, RUST_VERSION)));
    }
    let origin = Origin::own();
    let mut done = Done::new(package, origin);
    let path = done.package.first_property();
    done.add_dependency(changes)?;
    match path {
        Some(path) => done.tests = Tests::There(path),
        None => done.write_tests(!arguments.no_build, changes)?,
    }
    if arguments.ci.is_some() {
        let text = snippets::workflow(&done.origin);
        done.write_extra(".github/workflows/rebut.yml", &text, changes)?;
    }
    if arguments.editor.is_some() {
        done.write_extra(".vscode/tasks.json", snippets::TASKS, changes)?;
    }
    Ok(done)
}

/// Makes a package that lies in a workspace without being a member a workspace of its own: cargo
/// refuses to build it otherwise.
fn settle(manifest: &Path, changes: &mut Changes) -> Result<(), Failure> {
    let Some(said) = stray(manifest)? else { return Ok(()) };
    let text = read(manifest)?;
    let Some(text) = with_workspace(&text) else {
        return Err(Failure::new(Exit::Metadata, words::not_a_member(manifest, &said)));
    };
    changes.write(manifest, &text)?;
    say(&words::adding_workspace(&manifest.display().to_string()));
    Ok(())
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path)
        .map_err(|error| Failure::new(Exit::File, file_failed(path, "read", error)))
}

/// The tests of a package.
enum Tests {
    /// Somebody wrote some already.
    There(PathBuf),
    Written(PathBuf, Selection),
    /// None says anything, and why.
    None(String),
}

/// A file for a service or an editor.
struct Extra {
    path: PathBuf,
    is_new: bool,
}

/// What was done.
struct Done {
    package: Package,
    origin: Origin,
    /// Whether the dependency was added.
    is_added: bool,
    tests: Tests,
    extras: Vec<Extra>,
}

impl Done {
    fn new(package: Package, origin: Origin) -> Done {
        let tests = Tests::None(String::new());
        Done { package, origin, is_added: false, tests, extras: Vec::new() }
    }

    fn add_dependency(&mut self, changes: &mut Changes) -> Result<(), Failure> {
        if self.package.rebut.is_some() {
            return Ok(());
        }
        let path = &self.package.manifest;
        let text = read(path)?;
        let added = self
            .origin
            .added_to(&text)
            .map_err(|problem| Failure::new(Exit::Metadata, words::no_manifest(path, problem)))?;
        changes.remember(&self.package.root.join("Cargo.lock"));
        changes.write(path, &added)?;
        self.is_added = added != text;
        if self.is_added {
            say(&words::adding(&self.package.shown(path)));
        }
        Ok(())
    }

    fn write_tests(&mut self, build: bool, changes: &mut Changes) -> Result<(), Failure> {
        let place = Place::of(&self.package);
        self.prepare(&place, changes)?;
        let database = self.package.folder.join(".rebut");
        changes.remember_folder(&database);
        let selection = match build {
            true => {
                let mut selector = Selector::new(&self.package, &place, changes);
                let mut selection = selector.select()?;
                selector.write(&mut selection)?;
                selection
            }
            false => {
                let kept: Vec<Kept> = Subject::read(&self.package).unbuilt().into_iter().collect();
                let text = file_text(&self.package, &kept);
                if trial::needs_regex(&text) {
                    return Err(Failure::new(Exit::Internal, words::no_candidate_to_blame()));
                }
                if !kept.is_empty() {
                    changes.write(&place.path, &formatted(&text).unwrap_or(text))?;
                }
                Selection { kept, ..Selection::default() }
            }
        };
        changes.remove_folder(&database);
        if selection.kept.is_empty() {
            self.unprepare(&place, changes)?;
            let why = match selection.tried {
                0 => words::NOTHING_TO_CALL.to_owned(),
                tried => words::tried(
                    tried,
                    selection.not_built,
                    selection.rejected,
                    selection.wrong.len(),
                ),
            };
            self.tests = Tests::None(why);
            return Ok(());
        }
        self.tests = Tests::Written(place.path, selection);
        Ok(())
    }

    /// Has cargo build the file of tests, before there is anything in it.
    fn prepare(&self, place: &Place, changes: &mut Changes) -> Result<(), Failure> {
        changes.write(&place.path, &format!("{}\n", trial::MARK))?;
        if let Some(program) = &place.program {
            let text = read(program)?;
            let gap = if text.ends_with('\n') { "\n" } else { "\n\n" };
            let text = format!("{text}{gap}#[cfg(test)]\nmod {};\n", place.name());
            return changes.write(program, &text);
        }
        if self.package.has_target(&place.path)? {
            return Ok(());
        }
        let manifest = &self.package.manifest;
        let path = format!("tests/{}.rs", place.name());
        let text = with_test(&read(manifest)?, &place.name(), &path).ok_or_else(|| {
            Failure::new(Exit::Metadata, words::no_manifest(manifest, "`test` is not a list"))
        })?;
        changes.write(manifest, &text)
    }

    /// Takes the file of tests back; the dependency stays.
    fn unprepare(&self, place: &Place, changes: &mut Changes) -> Result<(), Failure> {
        changes.revert(&place.path);
        if let Some(program) = &place.program {
            changes.revert(program);
        }
        let manifest = &self.package.manifest;
        if self.is_added {
            changes.revert(manifest);
            let added = self.origin.added_to(&read(manifest)?).map_err(|problem| {
                Failure::new(Exit::Metadata, words::no_manifest(manifest, problem))
            })?;
            changes.write(manifest, &added)?;
        }
        Ok(())
    }

    /// Writes a file for a service or an editor, unless there is one.
    fn write_extra(
        &mut self,
        name: &str,
        text: &str,
        changes: &mut Changes,
    ) -> Result<(), Failure> {
        let path = self.package.root.join(name);
        let is_new = !path.exists();
        if is_new {
            changes.write(&path, text)?;
        }
        self.extras.push(Extra { path, is_new });
        Ok(())
    }

    fn is_changed(&self) -> bool {
        self.is_added
            || matches!(self.tests, Tests::Written(..))
            || self.extras.iter().any(|extra| extra.is_new)
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let manifest = self.package.shown(&self.package.manifest);
        match &self.tests {
            Tests::There(path) => {
                let manifest = (!self.is_added).then_some(manifest.as_str());
                lines.push(words::there(manifest, &self.package.shown(path)));
            }
            Tests::Written(path, selection) => {
                let abouts: Vec<&str> =
                    selection.kept.iter().map(|kept| kept.claim.about.as_str()).collect();
                lines.push(words::created(&self.package.shown(path), &abouts));
                lines.extend(selection.kept.iter().filter_map(failure));
            }
            Tests::None(why) => lines.push(words::no_test(why)),
        }
        for extra in &self.extras {
            lines.push(words::extra(&self.package.shown(&extra.path), extra.is_new));
        }
        if self.is_added {
            if let Some(has) =
                self.package.rust_version.as_deref().filter(|has| is_older(has, RUST_VERSION))
            {
                lines.push(words::older_package(has, RUST_VERSION));
            }
            if let Origin::Directory(_) = &self.origin {
                lines.push(words::local_path(self.origin.git().as_deref()));
            }
        }
        if let Tests::Written(_, selection) = &self.tests {
            let wrong: Vec<&str> = selection.wrong.iter().map(String::as_str).collect();
            if !wrong.is_empty() {
                lines.push(words::wrong_guesses(&wrong));
            }
            lines.push(words::next());
        }
        lines
    }

    fn to_json(&self) -> Value {
        let path = |path: &Path| path.display().to_string();
        let (file, tests, why) = match &self.tests {
            Tests::There(file) => (Some(path(file)), Vec::new(), None),
            Tests::Written(file, selection) => {
                (Some(path(file)), selection.kept.iter().map(test_json).collect(), None)
            }
            Tests::None(why) => (None, Vec::new(), Some(why)),
        };
        let extra = |extra: &Extra| json!({"file": path(&extra.path), "written": extra.is_new});
        json!({
            "package": self.package.name,
            "manifest": path(&self.package.manifest),
            "changed": self.is_changed(),
            "dependency_added": self.is_added,
            "file": file,
            "tests": tests,
            "why_none": why,
            "files": self.extras.iter().map(extra).collect::<Vec<_>>(),
            "next": words::NEXT,
        })
    }
}

/// What a test found, if it fails.
fn failure(kept: &Kept) -> Option<String> {
    match &kept.measured.as_ref()?.outcome {
        Outcome::Failed { message, inputs, .. } => {
            Some(words::fails(&kept.claim.name, message, inputs))
        }
        _ => None,
    }
}

fn test_json(kept: &Kept) -> Value {
    let claim = &kept.claim;
    let result = kept.measured.as_ref().map(|measured| match measured.outcome {
        Outcome::Passed => "passed",
        _ => "failed",
    });
    json!({
        "test": claim.name,
        "subject": claim.subject,
        "claims": claim.about,
        "result": result.unwrap_or("not run"),
        "cases": kept.measured.as_ref().map(|measured| measured.cases),
        "rejected": kept.measured.as_ref().map(|measured| measured.rejected),
    })
}
