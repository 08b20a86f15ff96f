//! Finds the package that defines a type: of those that cargo would build in this directory.

use crate::read::sources;
use crate::read::subject::Subject;
use crate::read::subject_reader::{RequestedMethods, SubjectError, find};
use crate::words;
use rebut_cli::arguments::Infer;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::metadata::Metadata;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A package that may define the type.
struct Package {
    name: String,
    folder: PathBuf,
    /// The root file of its library, or of its first program if it has no library.
    root: PathBuf,
}

/// Finds the type, and the name of the package that defines it.
///
/// # Errors
/// If the packages or their sources cannot be read, or if not exactly one package has a usable
/// type of this name.
pub(crate) fn find_type(arguments: &Infer) -> Result<(String, Subject), Failure> {
    let requested = RequestedMethods {
        observers: arguments.observers.clone(),
        modifiers: arguments.modifiers.clone(),
    };
    let asked = &arguments.subject;
    let mut found: Vec<(String, Subject)> = Vec::new();
    let mut all_available = Vec::new();
    let mut first_error = None;
    for package in packages(arguments)? {
        match find(&sources::modules(&package.root)?, asked, &requested) {
            Ok(subject) => found.push((package.name, subject)),
            Err(SubjectError::UnknownType { available, .. }) => all_available.extend(available),
            Err(other) => {
                first_error.get_or_insert(other);
            }
        }
    }
    let error = match found.len() {
        0 => first_error.unwrap_or_else(|| SubjectError::UnknownType {
            asked: asked.clone(),
            available: all_available,
        }),
        1 => return Ok(found.remove(0)),
        _ => SubjectError::AmbiguousPackage {
            asked: asked.clone(),
            packages: found.into_iter().map(|(package, _)| package).collect(),
        },
    };
    Err(Failure::new(Exit::Usage, words::error(words::subject_error(&error))))
}

/// Returns the packages to search: the named one, or the nearest.
fn packages(arguments: &Infer) -> Result<Vec<Package>, Failure> {
    let metadata = Metadata::read(arguments.manifest_path.as_deref(), None)?;
    if !metadata.is_success {
        return Err(Failure::new(Exit::Metadata, words::no_workspace(&metadata.stderr)));
    }
    let all: Vec<Package> =
        metadata.json["packages"].as_array().into_iter().flatten().filter_map(package).collect();
    if let Some(name) = &arguments.package {
        let names: Vec<String> = all.iter().map(|package| package.name.clone()).collect();
        let named: Vec<Package> = all.into_iter().filter(|package| package.name == *name).collect();
        if named.is_empty() {
            return Err(Failure::new(Exit::Usage, words::unknown_package(name, &names)));
        }
        return Ok(named);
    }
    Ok(nearest(all, arguments))
}

/// Returns the package that contains the current directory, or the directory of `--manifest-path`.
/// At the root of a workspace, returns all packages.
fn nearest(all: Vec<Package>, arguments: &Infer) -> Vec<Package> {
    let manifest = arguments.manifest_path.as_deref().and_then(Path::parent).map(Path::to_owned);
    let here = match manifest {
        Some(folder) if folder.as_os_str().is_empty() => std::env::current_dir().ok(),
        Some(folder) => Some(folder),
        None => std::env::current_dir().ok(),
    };
    let Some(here) = here.and_then(|here| here.canonicalize().ok()) else { return all };
    let is_inside = |package: &Package| {
        package.folder.canonicalize().is_ok_and(|folder| here.starts_with(folder))
    };
    let depth = |package: &Package| package.folder.components().count();
    let deepest = all.iter().filter(|package| is_inside(package)).map(depth).max();
    match deepest {
        // The root of a workspace may be a package itself. Then all packages are searched, too.
        Some(deepest) => {
            let (own, others): (Vec<Package>, Vec<Package>) = all
                .into_iter()
                .partition(|package| is_inside(package) && depth(package) == deepest);
            let is_root = others
                .iter()
                .all(|other| own.iter().all(|own| other.folder.starts_with(&own.folder)));
            if is_root { own.into_iter().chain(others).collect() } else { own }
        }
        None => all,
    }
}

/// Reads a package from the output of `cargo metadata`; `None` if it has nothing to search.
fn package(package: &Value) -> Option<Package> {
    let folder = Path::new(package["manifest_path"].as_str()?).parent()?.to_owned();
    let targets = package["targets"].as_array()?;
    let target_of = |kinds: &[&str]| {
        targets.iter().find(|target| {
            let own = target["kind"].as_array().into_iter().flatten();
            own.filter_map(Value::as_str).any(|kind| kinds.contains(&kind))
        })
    };
    let library = target_of(&["lib", "rlib", "dylib", "cdylib", "staticlib"]);
    let target = library.or_else(|| target_of(&["bin"]))?;
    let root = PathBuf::from(target["src_path"].as_str()?);
    Some(Package { name: package["name"].as_str()?.to_owned(), folder, root })
}
