//! `cargo rebut init`: adds Rebut to a package, and writes a first test about its code.
//!
//! The dependency goes into the manifest, and the test into a new file. The test is selected by
//! trial: the sources list functions and types ([`api`]), names and types suggest claims
//! ([`laws`]), and a trial builds and runs tests of these claims ([`trial`]). A test that does not
//! compile, rejects most inputs or shows that a guess is wrong is dropped. If an error occurs,
//! `init` restores all files.

mod api;
mod changes;
mod crate_under_test;
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
use crate_under_test::CrateUnderTest;
use package::{Package, PropertyFile, is_older, nearest_manifest, stray_package_error};
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::{pretty, to_stdout};
use rebut_cli::status::path_on_one_line;
use rebut_cli::words::say;
use rebut_manifest::{RUST_VERSION, RebutSource, with_test, with_workspace};
use rebut_native::formatted;
use select::{SelectedTest, Selection, Selector, file_text};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use trial::TestEnd;

pub(crate) fn run(arguments: &Init) -> Result<Exit, Failure> {
    let mut changes = Changes::default();
    let setup = set_up(arguments, &mut changes);
    if setup.is_err() {
        changes.revert_all();
    }
    let setup = setup?;
    for line in setup.lines() {
        say(&line);
    }
    if arguments.format == Shape::Json {
        to_stdout(&pretty(&setup.to_json()))?;
    }
    Ok(Exit::Success)
}

/// Performs all steps, and records the changes of files in `changes`.
fn set_up(arguments: &Init, changes: &mut Changes) -> Result<Setup, Failure> {
    let manifest = nearest_manifest(arguments.manifest_path.as_deref())?;
    make_stray_package_a_workspace(&manifest, changes)?;
    let package = Package::find(arguments, &manifest)?;
    if let Some(compiler) = package.compiler().filter(|has| is_older(has, RUST_VERSION)) {
        return Err(Failure::new(Exit::MissingTool, words::old_compiler(&compiler, RUST_VERSION)));
    }
    let source = RebutSource::of_this_program();
    let mut setup = Setup::new(package, source);
    let path = setup.package.first_property();
    setup.add_dependency(changes)?;
    match path {
        Some(path) => setup.tests = PropertyTests::Existing(path),
        None => setup.write_tests(!arguments.no_build, changes)?,
    }
    if arguments.ci.is_some() {
        let text = snippets::workflow(&setup.source);
        setup.write_extra(".github/workflows/rebut.yml", &text, changes)?;
    }
    if arguments.editor.is_some() {
        setup.write_extra(".vscode/tasks.json", snippets::TASKS, changes)?;
    }
    Ok(setup)
}

/// Turns a package into a workspace of its own if it is inside a workspace without being a member.
/// Cargo refuses to build it otherwise.
fn make_stray_package_a_workspace(manifest: &Path, changes: &mut Changes) -> Result<(), Failure> {
    let Some(error) = stray_package_error(manifest)? else { return Ok(()) };
    let text = read(manifest)?;
    let Some(text) = with_workspace(&text) else {
        return Err(Failure::new(Exit::Metadata, words::not_a_member(manifest, &error)));
    };
    changes.write(manifest, &text)?;
    say(&words::adding_workspace(&path_on_one_line(manifest)));
    Ok(())
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path)
        .map_err(|error| Failure::new(Exit::File, file_failed(path, "read", error)))
}

/// The tests of a package.
enum PropertyTests {
    /// The package already had properties, in this file.
    Existing(PathBuf),
    Written(PathBuf, Selection),
    /// No candidate was good enough, with the reason.
    None(String),
}

/// A configuration file for a CI service or an editor.
struct ExtraFile {
    path: PathBuf,
    is_new: bool,
}

/// The result of `init`.
struct Setup {
    package: Package,
    source: RebutSource,
    /// Whether the dependency was added.
    is_added: bool,
    tests: PropertyTests,
    extras: Vec<ExtraFile>,
}

impl Setup {
    fn new(package: Package, source: RebutSource) -> Setup {
        let tests = PropertyTests::None(String::new());
        Setup { package, source, is_added: false, tests, extras: Vec::new() }
    }

    fn add_dependency(&mut self, changes: &mut Changes) -> Result<(), Failure> {
        if self.package.rebut.is_some() {
            return Ok(());
        }
        let path = &self.package.manifest;
        let text = read(path)?;
        let added = self
            .source
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
        let property_file = PropertyFile::new(&self.package);
        self.create_property_file(&property_file, changes)?;
        let database = self.package.folder.join(".rebut");
        changes.remember_folder(&database);
        let selection = match build {
            true => {
                let mut selector = Selector::new(&self.package, &property_file, changes);
                let mut selection = selector.select()?;
                selector.write(&mut selection)?;
                selection
            }
            false => {
                let tests: Vec<SelectedTest> =
                    CrateUnderTest::read(&self.package).untried_test().into_iter().collect();
                let text = file_text(&self.package, &tests);
                if trial::needs_regex(&text) {
                    return Err(Failure::new(Exit::Internal, words::no_candidate_to_blame()));
                }
                if !tests.is_empty() {
                    changes.write(&property_file.path, &formatted(&text).unwrap_or(text))?;
                }
                Selection { tests, ..Selection::default() }
            }
        };
        changes.remove_folder(&database);
        if selection.tests.is_empty() {
            self.remove_property_file(&property_file, changes)?;
            let why = match selection.tried {
                0 => words::NOTHING_TO_CALL.to_owned(),
                tried => words::tried(
                    tried,
                    selection.not_built,
                    selection.rejected,
                    selection.wrong_guesses.len(),
                ),
            };
            self.tests = PropertyTests::None(why);
            return Ok(());
        }
        self.tests = PropertyTests::Written(property_file.path, selection);
        Ok(())
    }

    /// Creates the file of tests, and adds it to the program or the manifest if necessary.
    fn create_property_file(
        &self,
        property_file: &PropertyFile,
        changes: &mut Changes,
    ) -> Result<(), Failure> {
        changes.write(&property_file.path, &format!("{}\n", trial::MARK))?;
        if let Some(program) = &property_file.program {
            let text = read(program)?;
            let gap = if text.ends_with('\n') { "\n" } else { "\n\n" };
            let text = format!("{text}{gap}#[cfg(test)]\nmod {};\n", property_file.name());
            return changes.write(program, &text);
        }
        if self.package.has_target(&property_file.path)? {
            return Ok(());
        }
        let manifest = &self.package.manifest;
        let path = format!("tests/{}.rs", property_file.name());
        let text = with_test(&read(manifest)?, &property_file.name(), &path).ok_or_else(|| {
            Failure::new(Exit::Metadata, words::no_manifest(manifest, "`test` is not a list"))
        })?;
        changes.write(manifest, &text)
    }

    /// Removes the file of tests again. The dependency stays.
    fn remove_property_file(
        &self,
        property_file: &PropertyFile,
        changes: &mut Changes,
    ) -> Result<(), Failure> {
        changes.revert(&property_file.path);
        if let Some(program) = &property_file.program {
            changes.revert(program);
        }
        let manifest = &self.package.manifest;
        if self.is_added {
            changes.revert(manifest);
            let added = self.source.added_to(&read(manifest)?).map_err(|problem| {
                Failure::new(Exit::Metadata, words::no_manifest(manifest, problem))
            })?;
            changes.write(manifest, &added)?;
        }
        Ok(())
    }

    /// Writes a file for a CI service or an editor, unless it exists.
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
        self.extras.push(ExtraFile { path, is_new });
        Ok(())
    }

    fn is_changed(&self) -> bool {
        self.is_added
            || matches!(self.tests, PropertyTests::Written(..))
            || self.extras.iter().any(|extra| extra.is_new)
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let manifest = self.package.shown(&self.package.manifest);
        match &self.tests {
            PropertyTests::Existing(path) => {
                let manifest = (!self.is_added).then_some(manifest.as_str());
                lines.push(words::existing(manifest, &self.package.shown(path)));
            }
            PropertyTests::Written(path, selection) => {
                let abouts: Vec<&str> =
                    selection.tests.iter().map(|test| test.claim.about.as_str()).collect();
                lines.push(words::created(&self.package.shown(path), &abouts));
                lines.extend(selection.tests.iter().filter_map(failure_message));
            }
            PropertyTests::None(why) => lines.push(words::no_test(why)),
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
            if let RebutSource::Directory(_) = &self.source {
                lines.push(words::local_path(self.source.git().as_deref()));
            }
        }
        if let PropertyTests::Written(_, selection) = &self.tests {
            let wrong: Vec<&str> = selection.wrong_guesses.iter().map(String::as_str).collect();
            if !wrong.is_empty() {
                lines.push(words::wrong_guesses(&wrong));
            }
            lines.push(words::next());
        }
        lines
    }

    fn to_json(&self) -> Value {
        let path = |path: &Path| path.to_string_lossy().into_owned();
        let (file, tests, why) = match &self.tests {
            PropertyTests::Existing(file) => (Some(path(file)), Vec::new(), None),
            PropertyTests::Written(file, selection) => {
                (Some(path(file)), selection.tests.iter().map(test_json).collect(), None)
            }
            PropertyTests::None(why) => (None, Vec::new(), Some(why)),
        };
        let extra = |extra: &ExtraFile| json!({"file": path(&extra.path), "written": extra.is_new});
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

/// The message about a test that fails.
fn failure_message(test: &SelectedTest) -> Option<String> {
    match &test.result.as_ref()?.end {
        TestEnd::Failed { message, inputs, .. } => {
            Some(words::fails(&test.claim.name, message, inputs))
        }
        _ => None,
    }
}

fn test_json(test: &SelectedTest) -> Value {
    let claim = &test.claim;
    let result = test.result.as_ref().map(|result| match result.end {
        TestEnd::Passed => "passed",
        _ => "failed",
    });
    json!({
        "test": claim.name,
        "subject": claim.subject,
        "claims": claim.about,
        "result": result.unwrap_or("not run"),
        "cases": test.result.as_ref().map(|result| result.cases),
        "rejected": test.result.as_ref().map(|result| result.rejected),
    })
}
