//! `cargo rebut init`: adds Rebut to a crate, with a first property for a function of it.
//!
//! What is written is written beside what is there: a dependency for tests in the manifest, and a
//! file with a property. The property is built before it is kept; if it does not compile, one
//! about another function takes its place. Whoever calls it again is told that all is there.

mod claim;
mod find;
mod pairs;
mod snippets;
mod value;

use crate::cli::{Init, Shape};
use crate::words::init as words;
use crate::words::{cargo_not_started, file_failed};
use claim::Claim;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::pretty;
use rebut_cli::output::to_stdout;
use rebut_cli::runs::cargo;
use rebut_manifest::Origin;
use rebut_native::formatted;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

pub(crate) fn run(arguments: &Init) -> Result<Exit, Failure> {
    let package = Package::find(arguments)?;
    let origin = Origin::own();
    let dependency = package.add_dependency(&origin)?;
    let property = match package.first_property() {
        Some(path) => Property::There(path),
        None => package.write_property(!arguments.no_build)?,
    };
    let mut extras = Vec::new();
    if arguments.ci.is_some() {
        extras.push(package.write_extra(".github/workflows/rebut.yml", snippets::WORKFLOW)?);
    }
    if arguments.editor.is_some() {
        extras.push(package.write_extra(".vscode/tasks.json", snippets::TASKS)?);
    }
    let done = Done { package, origin, dependency, property, extras };
    let text = match arguments.format {
        Shape::Json => pretty(&done.to_json()),
        Shape::Text => done.to_text(arguments),
    };
    to_stdout(&text)?;
    match &done.property {
        Property::Broken { .. } => Err(Failure::new(Exit::Build, words::others_do_not_build())),
        _ => Ok(Exit::Success),
    }
}

/// The package that Rebut is added to.
struct Package {
    name: String,
    manifest: PathBuf,
    folder: PathBuf,
    root: PathBuf,
    depends_on_rebut: bool,
    library: Option<Library>,
    /// The file of a program; the first one, if there are several.
    program: Option<PathBuf>,
}

/// A library that tests can call.
struct Library {
    name: String,
    file: PathBuf,
}

/// A first property.
enum Property {
    /// Somebody wrote one already.
    There(PathBuf),
    /// It was written here.
    Written { path: PathBuf, claim: Box<Claim>, is_built: bool },
    /// It was written, and something else does not compile.
    Broken { path: PathBuf, claim: Box<Claim> },
}

/// Something that is good to have.
struct Extra {
    path: PathBuf,
    is_new: bool,
}

struct Done {
    package: Package,
    origin: Origin,
    /// Whether it was added.
    dependency: bool,
    property: Property,
    extras: Vec<Extra>,
}

fn wrong(message: String) -> Failure {
    Failure::new(Exit::Usage, message)
}

fn not_written(path: &Path, error: std::io::Error) -> Failure {
    Failure::new(Exit::File, file_failed(path, "write", error))
}

impl Package {
    fn find(arguments: &Init) -> Result<Package, Failure> {
        let manifest = nearest_manifest(arguments.manifest_path.as_deref())?;
        let output = cargo()
            .args(["metadata", "--no-deps", "--offline", "--format-version=1", "--manifest-path"])
            .arg(&manifest)
            .output()
            .map_err(|error| Failure::new(Exit::MissingTool, cargo_not_started(error)))?;
        let metadata: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let Some(packages) = metadata["packages"].as_array() else {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(Failure::new(Exit::Metadata, words::no_metadata(&manifest, &said)));
        };
        let names: Vec<&str> = packages.iter().filter_map(|one| one["name"].as_str()).collect();
        let is_meant = |package: &&Value| match &arguments.package {
            Some(name) => package["name"] == name.as_str(),
            None => {
                let path = package["manifest_path"].as_str().unwrap_or_default();
                names.len() == 1 || is_same(Path::new(path), &manifest)
            }
        };
        let Some(found) = packages.iter().find(is_meant) else {
            return Err(wrong(match &arguments.package {
                Some(name) => words::no_such_package(name, &names),
                None => words::which_package(&names),
            }));
        };
        let root = metadata["workspace_root"].as_str().unwrap_or_default();
        Package::read(found, Path::new(root)).ok_or_else(|| {
            Failure::new(Exit::Metadata, words::no_metadata(&manifest, "it names no manifest"))
        })
    }

    fn read(package: &Value, root: &Path) -> Option<Package> {
        let manifest = PathBuf::from(package["manifest_path"].as_str()?);
        let has = |dependency: &Value| {
            dependency["name"] == "rebut" && dependency["kind"].as_str() != Some("build")
        };
        let target = |kinds: &[&str]| {
            package["targets"].as_array().into_iter().flatten().find(|target| {
                let kind = target["kind"][0].as_str().unwrap_or_default();
                kinds.contains(&kind)
            })
        };
        let file = |target: &Value| target["src_path"].as_str().map(PathBuf::from);
        Some(Package {
            name: package["name"].as_str()?.to_owned(),
            folder: manifest.parent()?.to_owned(),
            root: root.to_owned(),
            depends_on_rebut: package["dependencies"]
                .as_array()
                .is_some_and(|all| all.iter().any(has)),
            library: target(&["lib", "rlib"]).and_then(|target| {
                let name = target["name"].as_str()?.replace('-', "_");
                Some(Library { name, file: file(target)? })
            }),
            program: target(&["bin"]).and_then(file),
            manifest,
        })
    }

    /// A path as people read it.
    fn shown(&self, path: &Path) -> String {
        let here = std::env::current_dir().ok();
        let inside = here.as_deref().and_then(|here| path.strip_prefix(here).ok());
        let inside = inside.or_else(|| path.strip_prefix(&self.root).ok());
        inside.unwrap_or(path).display().to_string()
    }

    /// Whether the manifest had to be changed.
    fn add_dependency(&self, origin: &Origin) -> Result<bool, Failure> {
        if self.depends_on_rebut {
            return Ok(false);
        }
        let path = &self.manifest;
        let text = fs::read_to_string(path)
            .map_err(|error| Failure::new(Exit::File, file_failed(path, "read", error)))?;
        let added = origin
            .added_to(&text)
            .map_err(|problem| Failure::new(Exit::Metadata, words::no_manifest(path, problem)))?;
        fs::write(path, &added).map_err(|error| not_written(path, error))?;
        Ok(added != text)
    }

    /// A file that has a property already.
    fn first_property(&self) -> Option<PathBuf> {
        let mut files = find::rust_files(&self.folder.join("tests"));
        files.extend(find::rust_files(&self.folder.join("src")));
        files
            .into_iter()
            .find(|file| fs::read_to_string(file).is_ok_and(|text| text.contains("#[rebut::test")))
    }

    /// Writes the property that says most, of those that compile.
    fn write_property(&self, build: bool) -> Result<Property, Failure> {
        let place = Place::of(self);
        let mut claims = match (&self.library, &self.program) {
            (Some(library), _) => claim::claims(&find::library(&library.file), &library.name),
            (None, Some(program)) => claim::claims(&find::program(program), "crate"),
            (None, None) => Vec::new(),
        };
        claims.truncate(TRIED_MAX);
        claims.push(Claim::sample());
        place.prepare()?;
        for claim in claims {
            place.write(&claim)?;
            let (path, claim) = (place.path.clone(), Box::new(claim));
            if !build {
                return Ok(Property::Written { path, claim, is_built: false });
            }
            match self.build(&place)? {
                Built::Yes => return Ok(Property::Written { path, claim, is_built: true }),
                Built::OthersFail => return Ok(Property::Broken { path, claim }),
                Built::ItFails => {}
            }
        }
        // The last one needs nothing of the crate.
        Ok(Property::Broken { path: place.path.clone(), claim: Box::new(Claim::sample()) })
    }

    fn build(&self, place: &Place) -> Result<Built, Failure> {
        let mut command = cargo();
        command.args(["test", "--no-run", "--message-format=json", "-p", &self.name]);
        command.args(&place.target).arg("--manifest-path").arg(&self.manifest);
        let output = command
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| Failure::new(Exit::MissingTool, cargo_not_started(error)))?;
        if output.status.success() {
            return Ok(Built::Yes);
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let errors: Vec<Value> = messages
            .filter(|message| message["message"]["level"] == "error")
            .map(|message| message["message"].clone())
            .collect();
        let is_ours = |error: &Value| {
            let spans = error["spans"].as_array();
            spans.into_iter().flatten().any(|span| {
                let file = span["file_name"].as_str().unwrap_or_default();
                is_same(&self.root.join(file), &place.path)
            })
        };
        if errors.iter().any(is_ours) {
            return Ok(Built::ItFails);
        }
        for error in &errors {
            crate::words::say(error["rendered"].as_str().unwrap_or_default());
        }
        Ok(Built::OthersFail)
    }

    /// Writes a file for those who test by machine or in an editor, unless there is one.
    fn write_extra(&self, name: &str, text: &str) -> Result<Extra, Failure> {
        let path = self.root.join(name);
        let is_new = !path.exists();
        if is_new {
            let folder = path.parent().unwrap_or(&self.root);
            fs::create_dir_all(folder).map_err(|error| not_written(folder, error))?;
            fs::write(&path, text).map_err(|error| not_written(&path, error))?;
        }
        Ok(Extra { path, is_new })
    }
}

/// So many functions are tried before a property of none of them is written.
const TRIED_MAX: usize = 5;

/// What came of a build.
enum Built {
    Yes,
    ItFails,
    OthersFail,
}

/// Where the property goes.
struct Place {
    path: PathBuf,
    /// How cargo is told to build it.
    target: Vec<String>,
    /// The file of a program, which has to name the module.
    program: Option<PathBuf>,
}

impl Place {
    /// A file of tests; a module of a program, which nobody can import.
    fn of(package: &Package) -> Place {
        match (&package.library, &package.program) {
            (None, Some(program)) => {
                let folder = program.parent().unwrap_or(&package.folder);
                let path = free(folder);
                Place { path, target: vec!["--bins".to_owned()], program: Some(program.clone()) }
            }
            _ => {
                let path = free(&package.folder.join("tests"));
                let target = vec!["--test".to_owned(), stem(&path)];
                Place { path, target, program: None }
            }
        }
    }

    /// Makes the folder, or names the module.
    fn prepare(&self) -> Result<(), Failure> {
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder).map_err(|error| not_written(folder, error))?;
        }
        let Some(program) = &self.program else { return Ok(()) };
        let text = fs::read_to_string(program)
            .map_err(|error| Failure::new(Exit::File, file_failed(program, "read", error)))?;
        let gap = if text.ends_with('\n') { "\n" } else { "\n\n" };
        let text = format!("{text}{gap}#[cfg(test)]\nmod {};\n", stem(&self.path));
        fs::write(program, text).map_err(|error| not_written(program, error))
    }

    fn write(&self, claim: &Claim) -> Result<(), Failure> {
        let text = format!("{}{}", words::HEAD, claim.code);
        let text = formatted(&text).unwrap_or(text);
        fs::write(&self.path, text).map_err(|error| not_written(&self.path, error))
    }
}

/// A file that is not there yet.
fn free(folder: &Path) -> PathBuf {
    let names = std::iter::once("properties.rs".to_owned())
        .chain((2..).map(|nth| format!("properties_{nth}.rs")));
    let mut paths = names.map(|name| folder.join(name));
    paths.find(|path| !path.exists()).unwrap_or_else(|| folder.join("properties.rs"))
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The manifest that is named, or the one above this folder.
fn nearest_manifest(named: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(named) = named {
        let path = if named.is_dir() { named.join("Cargo.toml") } else { named.to_owned() };
        return if path.is_file() { Ok(path) } else { Err(wrong(words::no_such_manifest(named))) };
    }
    let here = std::env::current_dir()
        .map_err(|error| Failure::new(Exit::File, file_failed(Path::new("."), "read", error)))?;
    let found =
        here.ancestors().map(|folder| folder.join("Cargo.toml")).find(|path| path.is_file());
    found.ok_or_else(|| wrong(words::NO_CRATE.to_owned()))
}

fn is_same(one: &Path, other: &Path) -> bool {
    one == other || matches!((one.canonicalize(), other.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

impl Done {
    fn is_changed(&self) -> bool {
        self.dependency
            || !matches!(self.property, Property::There(_))
            || self.extras.iter().any(|extra| extra.is_new)
    }

    fn to_json(&self) -> Value {
        let path = |path: &Path| path.display().to_string();
        let property = match &self.property {
            Property::There(file) => json!({"file": path(file), "written": false}),
            Property::Written { path: file, claim, is_built } => json!({
                "file": path(file), "written": true, "built": is_built, "test": claim.name,
                "function": claim.function, "claims": claim.about,
            }),
            Property::Broken { path: file, claim } => json!({
                "file": path(file), "written": true, "built": false, "test": claim.name,
                "function": claim.function, "claims": claim.about,
            }),
        };
        let extra = |extra: &Extra| json!({"file": path(&extra.path), "written": extra.is_new});
        json!({
            "package": self.package.name,
            "manifest": path(&self.package.manifest),
            "changed": self.is_changed(),
            "dependency_added": self.dependency,
            "property": property,
            "files": self.extras.iter().map(extra).collect::<Vec<_>>(),
            "next": words::NEXT,
        })
    }

    fn to_text(&self, arguments: &Init) -> String {
        let mut lines = Vec::new();
        let manifest = self.package.shown(&self.package.manifest);
        if self.dependency {
            lines.push(words::added(&manifest));
            if let Origin::Folder(folder) = &self.origin {
                lines.push(words::only_here(folder));
            }
        }
        match &self.property {
            Property::There(path) => {
                let manifest = (!self.dependency).then_some(manifest.as_str());
                lines.push(words::there(manifest, &self.package.shown(path)));
            }
            Property::Written { path, claim, .. } | Property::Broken { path, claim } => {
                lines.push(words::wrote(&self.package.shown(path), &claim.about));
                lines.push(claim.shown());
            }
        }
        for extra in &self.extras {
            lines.push(words::extra(&self.package.shown(&extra.path), extra.is_new));
        }
        if self.is_changed() && arguments.ci.is_none() {
            lines.push(words::for_ci(snippets::STEPS));
        }
        if self.is_changed() && arguments.editor.is_none() {
            lines.push(words::for_editor(snippets::TASKS));
        }
        if !self.is_changed() {
            lines.push(words::NOTHING_CHANGED.to_owned());
        }
        lines.push(words::next());
        lines.iter().map(|line| format!("{line}\n")).collect()
    }
}
