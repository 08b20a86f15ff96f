//! The package that Rebut is added to: its metadata, and the file for its tests.

use super::trial::{is_left_behind, is_same_file};
use crate::cli::Init;
use crate::words::file_failed;
use crate::words::init as words;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::metadata::Metadata;
use rebut_cli::status::path_on_one_line;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A package of the user's workspace.
#[derive(Debug)]
pub(super) struct Package {
    pub(super) name: String,
    /// The package ID specification for cargo, `name@version`.
    pub(super) spec: String,
    pub(super) manifest: PathBuf,
    pub(super) folder: PathBuf,
    /// The directory of its workspace.
    pub(super) root: PathBuf,
    /// The target directory.
    pub(super) target: PathBuf,
    pub(super) rust_version: Option<String>,
    /// In this edition, paths in imports start at the root, and other crates must be declared.
    pub(super) is_edition_2015: bool,
    pub(super) features: BTreeSet<String>,
    /// Its dependency on Rebut, if it has one.
    pub(super) rebut: Option<RebutDependency>,
    pub(super) library: Option<Library>,
    /// The root file of a program. If there are several, the one with the name of the package.
    pub(super) program: Option<PathBuf>,
    /// The name of the test module in a program.
    module: Option<String>,
}

/// An existing dependency on Rebut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RebutDependency {
    pub(super) has_regex: bool,
}

/// A library that tests can call.
#[derive(Debug)]
pub(super) struct Library {
    pub(super) name: String,
    pub(super) file: PathBuf,
}

fn usage_error(message: String) -> Failure {
    Failure::new(Exit::Usage, message)
}

/// The error of cargo about a package inside a workspace that does not list it as a member; `None`
/// for all other packages.
pub(super) fn stray_package_error(manifest: &Path) -> Result<Option<String>, Failure> {
    let metadata = Metadata::read(Some(manifest), None)?;
    let is_stray = metadata.stderr.contains("believes it's in a workspace when it's not");
    Ok((!metadata.is_success && is_stray).then_some(metadata.stderr))
}

/// The metadata of a workspace.
struct Workspace {
    packages: Vec<Value>,
    root: PathBuf,
    target: PathBuf,
    default_members: Vec<String>,
}

impl Workspace {
    fn read(manifest: &Path) -> Result<Workspace, Failure> {
        let Metadata { json: read, stderr, .. } = Metadata::read(Some(manifest), None)?;
        let Some(packages) = read["packages"].as_array() else {
            return Err(Failure::new(Exit::Metadata, words::no_metadata(manifest, &stderr)));
        };
        let text = |key: &str| PathBuf::from(read[key].as_str().unwrap_or_default());
        let members = read["workspace_default_members"].as_array();
        let members = members.into_iter().flatten().filter_map(Value::as_str);
        Ok(Workspace {
            packages: packages.clone(),
            root: text("workspace_root"),
            target: text("target_directory"),
            default_members: members.map(str::to_owned).collect(),
        })
    }

    fn names(&self) -> Vec<&str> {
        self.packages.iter().filter_map(|one| one["name"].as_str()).collect()
    }

    /// Selects a package: the one with this name, the one of the current directory, or the only one
    /// that qualifies.
    fn select(&self, name: Option<&str>, manifest: &Path) -> Result<&Value, Failure> {
        if let Some(name) = name {
            let found = self.packages.iter().find(|package| package["name"] == name);
            return found.ok_or_else(|| usage_error(words::no_such_package(name, &self.names())));
        }
        let is_here = |package: &&Value| {
            let path = package["manifest_path"].as_str().unwrap_or_default();
            is_same_file(Path::new(path), manifest)
        };
        if let Some(here) = self.packages.iter().find(is_here) {
            return Ok(here);
        }
        let qualifies = |package: &&Value| !is_proc_macro(package) && has_code(package);
        let is_default = |package: &&Value| {
            let id = package["id"].as_str().unwrap_or_default();
            self.default_members.len() == 1 && self.default_members[0] == id
        };
        let defaults: Vec<&Value> = self.packages.iter().filter(is_default).collect();
        let possible: Vec<&Value> = self.packages.iter().filter(qualifies).collect();
        match (defaults.as_slice(), possible.as_slice()) {
            ([only], _) | (_, [only]) => Ok(only),
            _ if self.packages.is_empty() => Err(usage_error(words::EMPTY_WORKSPACE.to_owned())),
            _ => Err(usage_error(words::which_package(&self.names()))),
        }
    }
}

fn targets(package: &Value) -> impl Iterator<Item = &Value> {
    package["targets"].as_array().into_iter().flatten()
}

fn has_kind(target: &Value, kinds: &[&str]) -> bool {
    let all = target["kind"].as_array().into_iter().flatten().filter_map(Value::as_str);
    all.into_iter().any(|kind| kinds.contains(&kind))
}

fn is_proc_macro(package: &Value) -> bool {
    targets(package).any(|target| has_kind(target, &["proc-macro"]))
}

fn has_code(package: &Value) -> bool {
    targets(package).any(|target| has_kind(target, &["lib", "rlib", "dylib", "bin"]))
}

impl Package {
    /// Finds the package that the command line selects.
    pub(super) fn find(arguments: &Init, manifest: &Path) -> Result<Package, Failure> {
        let workspace = Workspace::read(manifest)?;
        let found = workspace.select(arguments.package.as_deref(), manifest)?;
        let name = found["name"].as_str().unwrap_or_default();
        if is_proc_macro(found) {
            return Err(usage_error(words::proc_macro(name)));
        }
        let package = Package::read(found, &workspace).ok_or_else(|| {
            Failure::new(Exit::Metadata, words::no_metadata(manifest, "it names no manifest"))
        })?;
        if package.library.is_none() && package.program.is_none() {
            return Err(usage_error(words::nothing_to_import(name)));
        }
        if is_in_registry(&package.folder) {
            return Err(usage_error(words::in_registry(&package.folder)));
        }
        Ok(package)
    }

    fn read(package: &Value, workspace: &Workspace) -> Option<Package> {
        let manifest = PathBuf::from(package["manifest_path"].as_str()?);
        let name = package["name"].as_str()?.to_owned();
        let version = package["version"].as_str()?;
        let file = |target: &Value| target["src_path"].as_str().map(PathBuf::from);
        let library = targets(package).find(|target| has_kind(target, &["lib", "rlib", "dylib"]));
        let is_tested =
            |target: &&Value| has_kind(target, &["bin"]) && target["test"].as_bool() != Some(false);
        let programs: Vec<&Value> = targets(package).filter(is_tested).collect();
        let program = programs.iter().find(|target| target["name"] == name.as_str());
        let folder = manifest.parent()?.to_owned();
        let mut read = Package {
            spec: format!("{name}@{version}"),
            folder,
            root: workspace.root.clone(),
            target: workspace.target.clone(),
            rust_version: package["rust_version"].as_str().map(str::to_owned),
            is_edition_2015: package["edition"] == "2015",
            features: default_features(&package["features"]),
            rebut: rebut_dependency(package),
            library: library.and_then(|target| {
                let name = target["name"].as_str()?.replace('-', "_");
                Some(Library { name, file: file(target)? })
            }),
            program: program.or(programs.first()).and_then(|target| file(target)),
            module: None,
            name,
            manifest,
        };
        let file = PropertyFile::new(&read);
        read.module = file.program.as_ref().map(|_| stem(&file.path));
        Some(read)
    }

    /// The module of a program that contains the tests.
    pub(super) fn module_of_program(&self) -> Option<&str> {
        self.module.as_deref()
    }

    /// A path relative to the current directory or the workspace, for messages.
    pub(super) fn shown(&self, path: &Path) -> String {
        let here = std::env::current_dir().ok();
        let inside = here.as_deref().and_then(|here| path.strip_prefix(here).ok());
        let inside = inside.or_else(|| path.strip_prefix(&self.root).ok());
        path_on_one_line(inside.unwrap_or(path))
    }

    /// The first file with a property, if the package has any.
    pub(super) fn first_property(&self) -> Option<PathBuf> {
        let mut files = rust_files(&self.folder.join("tests"));
        files.extend(rust_files(&self.folder.join("src")));
        files.into_iter().find(|file| {
            fs::read_to_string(file).is_ok_and(|text| text.contains("#[rebut::test"))
                && !is_left_behind(file)
        })
    }

    /// Whether cargo builds a test target from a file.
    pub(super) fn has_target(&self, path: &Path) -> Result<bool, Failure> {
        let workspace = Workspace::read(&self.manifest)?;
        let is_own = |package: &&Value| package["name"] == self.name.as_str();
        let package = workspace.packages.iter().find(is_own);
        let all = package.into_iter().flat_map(targets);
        let is_here = |target: &Value| {
            let source = target["src_path"].as_str().unwrap_or_default();
            has_kind(target, &["test"]) && is_same_file(Path::new(source), path)
        };
        Ok(all.into_iter().any(is_here))
    }

    /// The version of the compiler that builds the package, from `rustc --version`.
    pub(super) fn compiler(&self) -> Option<String> {
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let output =
            Command::new(rustc).arg("--version").current_dir(&self.folder).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.split_whitespace().nth(1).map(str::to_owned)
    }
}

/// Whether a version of Rust is older than another one.
pub(super) fn is_older(version: &str, than: &str) -> bool {
    let parts = |version: &str| -> Vec<u64> {
        let numbers = version.split('-').next().unwrap_or_default();
        numbers.split('.').map(|part| part.parse().unwrap_or(0)).chain([0, 0]).take(3).collect()
    };
    parts(version) < parts(than)
}

fn rebut_dependency(package: &Value) -> Option<RebutDependency> {
    let all = package["dependencies"].as_array()?;
    let is_rebut = |one: &&Value| {
        one["name"] == "rebut" && one["kind"].as_str() != Some("build") && one["rename"].is_null()
    };
    let found: Vec<&Value> = all.iter().filter(is_rebut).collect();
    if found.is_empty() {
        return None;
    }
    let has_regex = found
        .iter()
        .flat_map(|one| one["features"].as_array().into_iter().flatten())
        .any(|feature| feature == "regex");
    Some(RebutDependency { has_regex })
}

/// The features that are enabled by default.
fn default_features(features: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut left = vec!["default".to_owned()];
    while let Some(name) = left.pop() {
        if !found.insert(name.clone()) {
            continue;
        }
        for other in features[&name].as_array().into_iter().flatten().filter_map(Value::as_str) {
            // `dep:name` is not a feature, and `name/feature` belongs to another package.
            let is_plain = !other.contains(':') && !other.contains('/');
            left.extend(is_plain.then(|| other.to_owned()));
        }
    }
    found
}

/// Whether a directory is cargo's own copy of a published crate.
fn is_in_registry(folder: &Path) -> bool {
    let names: Vec<String> =
        folder.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    names.windows(2).any(|pair| pair == ["registry", "src"]) && folder.join(".cargo-ok").is_file()
}

/// All files with Rust code below a directory, in order.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && !path.is_symlink() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The manifest from the arguments, or else the nearest one in or above the current directory.
pub(super) fn nearest_manifest(named: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(named) = named {
        let path = if named.is_dir() { named.join("Cargo.toml") } else { named.to_owned() };
        return if path.is_file() {
            Ok(path)
        } else {
            Err(usage_error(words::no_such_manifest(named)))
        };
    }
    let here = std::env::current_dir()
        .map_err(|error| Failure::new(Exit::File, file_failed(Path::new("."), "read", error)))?;
    let found =
        here.ancestors().map(|folder| folder.join("Cargo.toml")).find(|path| path.is_file());
    found.ok_or_else(|| usage_error(words::NO_CRATE.to_owned()))
}

/// The file for the tests of `init`.
#[derive(Clone, Debug)]
pub(super) struct PropertyFile {
    pub(super) path: PathBuf,
    /// The arguments of cargo that select its target.
    pub(super) target: Vec<String>,
    /// The root file of the program that must declare it as a module.
    pub(super) program: Option<PathBuf>,
}

impl PropertyFile {
    /// Selects a new file: in `tests/`, or for a package without a library a module of the program,
    /// because tests cannot import a program.
    pub(super) fn new(package: &Package) -> PropertyFile {
        match (&package.library, &package.program) {
            (None, Some(program)) => {
                let folder = program.parent().unwrap_or(&package.folder);
                let path = new_file_in(folder);
                PropertyFile {
                    path,
                    target: vec!["--bins".to_owned()],
                    program: Some(program.clone()),
                }
            }
            _ => {
                let path = new_file_in(&package.folder.join("tests"));
                let target = vec!["--test".to_owned(), stem(&path)];
                PropertyFile { path, target, program: None }
            }
        }
    }

    /// The name of the test target or module.
    pub(super) fn name(&self) -> String {
        stem(&self.path)
    }

    pub(super) fn write(&self, text: &str) -> Result<(), Failure> {
        let failed = |error| Failure::new(Exit::File, words::not_written(&self.path, error));
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        fs::write(&self.path, text).map_err(failed)
    }
}

/// The path of a file that does not exist yet.
fn new_file_in(folder: &Path) -> PathBuf {
    let names = std::iter::once("properties.rs".to_owned())
        .chain((2..).map(|nth| format!("properties_{nth}.rs")));
    let mut paths = names.map(|name| folder.join(name));
    let is_free = |path: &PathBuf| {
        // A directory with this name would be a module or test target too.
        (!path.exists() || is_left_behind(path)) && !path.with_extension("").is_dir()
    };
    paths.find(is_free).unwrap_or_else(|| folder.join("properties.rs"))
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn default_features_enable_others() {
        let features = json!({"default": ["std", "dep:x", "y/z"], "std": ["alloc"], "alloc": [],
                              "extra": []});
        let found = default_features(&features);
        assert_eq!(
            found.iter().map(String::as_str).collect::<Vec<_>>(),
            ["alloc", "default", "std"]
        );
    }

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(is_older("1.60", "1.89") && is_older("1.88.0-nightly", "1.89"));
        assert!(!is_older("1.89.0", "1.89") && !is_older("1.100.0", "1.89"));
    }

    #[test]
    fn a_registry_folder_has_cargos_mark() {
        assert!(!is_in_registry(Path::new("/home/me/registry/src/demo")), "there is no mark");
    }
}
