//! Where the type is looked for: in the packages that cargo means here.

use super::sources::{self, Module};
use super::subject::{self, Refusal, Subject, Wanted};
use crate::words;
use rebut_cli::arguments::Infer;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::runs::cargo;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A package that may have the type.
struct Package {
    name: String,
    folder: PathBuf,
    /// The first file of its library, or else of its first program.
    root: PathBuf,
}

/// The type, and the name of the package it is in.
pub(crate) fn find(arguments: &Infer) -> Result<(String, Subject), Failure> {
    let packages = packages(arguments)?;
    let wanted =
        Wanted { observers: arguments.observers.clone(), modifiers: arguments.modifiers.clone() };
    let usage = |why: String| Failure::new(Exit::Usage, words::error(why.trim_end()));
    let mut found = Vec::new();
    let mut modules: Vec<Module> = Vec::new();
    let mut first_refusal = None;
    for package in &packages {
        let own = sources::modules(&package.root)?;
        match subject::find(&own, &arguments.subject, &wanted) {
            Ok(subject) => found.push((package.name.clone(), subject)),
            Err(Refusal::UnknownType(_)) => modules.extend(own),
            Err(Refusal::Other(why)) => {
                first_refusal.get_or_insert(why);
            }
        }
    }
    match (found.len(), first_refusal) {
        (1, _) => found.pop().ok_or_else(|| usage(String::new())),
        (0, Some(why)) => Err(usage(why)),
        (0, None) => match subject::find(&modules, &arguments.subject, &wanted) {
            Err(refusal) => Err(usage(refusal.message())),
            Ok(_) => Err(usage(format!("no type named `{}`", arguments.subject))),
        },
        _ => {
            let names: Vec<&str> = found.iter().map(|(package, _)| package.as_str()).collect();
            Err(usage(format!(
                "the packages {} have a type `{}`; specify one with `-p`",
                names.join(" and "),
                arguments.subject
            )))
        }
    }
}

fn packages(arguments: &Infer) -> Result<Vec<Package>, Failure> {
    let mut command = cargo();
    command.args(["metadata", "--no-deps", "--format-version=1"]);
    if let Some(manifest) = &arguments.manifest_path {
        command.arg("--manifest-path").arg(manifest);
    }
    let output = command
        .output()
        .map_err(|error| Failure::new(Exit::MissingTool, words::cargo_not_started(error)))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::new(Exit::Metadata, words::no_workspace(&said)));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let all: Vec<Package> =
        metadata["packages"].as_array().into_iter().flatten().filter_map(package).collect();
    if let Some(name) = &arguments.package {
        let names: Vec<String> = all.iter().map(|package| package.name.clone()).collect();
        let named: Vec<Package> = all.into_iter().filter(|package| package.name == *name).collect();
        if named.is_empty() {
            let message =
                format!("no package named `{name}` here; available: {}", names.join(", "));
            return Err(Failure::new(Exit::Usage, words::error(message)));
        }
        return Ok(named);
    }
    Ok(nearest(all, arguments))
}

/// The package whose folder we are in; all of them if we are in that of a workspace.
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
        // The root of a workspace may be a package itself; what is meant there is all of them.
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

fn package(package: &Value) -> Option<Package> {
    let folder = Path::new(package["manifest_path"].as_str()?).parent()?.to_owned();
    let targets = package["targets"].as_array()?;
    let of_kind = |kinds: &[&str]| {
        targets.iter().find(|target| {
            let own = target["kind"].as_array().into_iter().flatten();
            own.filter_map(Value::as_str).any(|kind| kinds.contains(&kind))
        })
    };
    let library = of_kind(&["lib", "rlib", "dylib", "cdylib", "staticlib"]);
    let target = library.or_else(|| of_kind(&["bin"]))?;
    let root = PathBuf::from(target["src_path"].as_str()?);
    Some(Package { name: package["name"].as_str()?.to_owned(), folder, root })
}
