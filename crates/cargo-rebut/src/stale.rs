//! What is left of tests that are gone.
//!
//! A test that was deleted or renamed leaves its stored failures behind, which nobody tries any
//! more, and its latest verdict in earlier runs. The first are listed and removed if asked; the
//! second are not shown.

mod sources;

use self::sources::Functions;
use rebut_cli::exit::Failure;
use rebut_cli::runs::{self, Package, Workspace};
use rebut_report::{Property, Report};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The stored failures of a test that is gone.
#[derive(Debug)]
pub(crate) struct Stale {
    pub(crate) package: String,
    /// What the failures are kept under: the path of the test.
    pub(crate) test: String,
    /// Where they are.
    pub(crate) directory: PathBuf,
    /// The failures.
    pub(crate) files: Vec<PathBuf>,
}

impl Stale {
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "package": self.package,
            "test": self.test,
            "directory": self.directory,
            "failures": self.files.len(),
        })
    }

    /// Removes them. Other files stay, and so does the directory then.
    pub(crate) fn remove(&self) -> std::io::Result<()> {
        for file in &self.files {
            fs::remove_file(file)?;
        }
        let _ = fs::remove_dir(&self.directory);
        // What was good for the search of the test. It is written by every run, so that it may
        // well not be there.
        let (Some(rebut), Some(name)) =
            (self.directory.ancestors().nth(2), self.directory.file_name())
        else {
            return Ok(());
        };
        let mut front = name.to_owned();
        front.push(".front");
        let _ = fs::remove_file(rebut.join("fronts").join(front));
        Ok(())
    }
}

/// The properties of the runs that are asked for; if none are, the latest of each property that
/// is still there.
pub(crate) fn report(asked: &[String]) -> Result<Report, Failure> {
    if !asked.is_empty() {
        return runs::report(asked);
    }
    let workspace = Workspace::find(None)?;
    let mut report = runs::latest_report(&workspace)?;
    drop_gone(&mut report, &workspace);
    Ok(report)
}

/// Drops properties that are no longer in the sources of their targets.
fn drop_gone(report: &mut Report, workspace: &Workspace) {
    let mut crates = Crates::of(workspace);
    let runs = LastRuns::of(report);
    let mut gone = Vec::new();
    for property in &report.properties {
        if property.package.is_empty() || property.name.contains('@') {
            continue;
        }
        let (kind, name) = property.target.split_once(' ').unwrap_or((&property.target, ""));
        let functions = crates.functions(&property.package, kind, name);
        if functions.is_some_and(|functions| !runs.exists(functions, property)) {
            gone.push(identity(property));
        }
    }
    report.retain_properties(&|property| !gone.contains(&identity(property)));
}

fn identity(property: &Property) -> [String; 3] {
    [property.package.clone(), property.target.clone(), property.name.clone()]
}

/// The group in which each target last ran, and when.
struct LastRuns<'a> {
    report: &'a Report,
    last: HashMap<(&'a str, &'a str), (f64, &'a str)>,
}

impl<'a> LastRuns<'a> {
    fn of(report: &'a Report) -> LastRuns<'a> {
        let mut last = HashMap::new();
        for property in &report.properties {
            let key = (property.package.as_str(), property.target.as_str());
            let Some(group) = report.group(property) else { continue };
            let known = last.entry(key).or_insert((property.began(), group));
            if property.began() >= known.0 {
                *known = (property.began(), group);
            }
        }
        LastRuns { report, last }
    }

    /// Whether a property is still there. If it ran when its target last did, and nothing was
    /// changed since, it is, whatever macro has made it; else the sources decide.
    fn exists(&self, functions: &Functions, property: &Property) -> bool {
        let key = (property.package.as_str(), property.target.as_str());
        let last = self.last.get(&key).map(|(_, group)| *group);
        let is_latest = last == self.report.group(property);
        (is_latest && property.began() > functions.changed)
            || functions.may_have(inside(&property.name))
    }
}

/// A path without its crate.
fn inside(path: &str) -> &str {
    path.split_once("::").map_or(path, |(_, inside)| inside)
}

/// The stored failures of tests that are gone. `report` has the latest of each property, if there
/// were runs.
pub(crate) fn find(workspace: &Workspace, report: Option<&Report>) -> Vec<Stale> {
    let mut crates = Crates::of(workspace);
    let runs = report.map(LastRuns::of);
    let mut stale = Vec::new();
    for package in &workspace.packages {
        for stored in stored(package) {
            let Some(target) = Target::of(package, &stored.test) else { continue };
            let is_gone = match &target {
                Target::Gone => true,
                Target::Of { kind, name, path } => {
                    let functions = crates.functions(&package.name, kind, name);
                    functions.is_some_and(|functions| {
                        let is_known = runs.as_ref().is_some_and(|runs| {
                            let all = runs.report.properties.iter();
                            let mut same =
                                all.filter(|one| one.package == package.name && one.name == *path);
                            same.any(|one| runs.exists(functions, one))
                        });
                        !is_known && !functions.may_have(inside(path))
                    })
                }
            };
            if is_gone {
                stale.push(stored);
            }
        }
    }
    stale
}

/// The failures that are kept beside the manifest of a package.
fn stored(package: &Package) -> Vec<Stale> {
    let failures = package.directory.join(".rebut").join("failures");
    let mut all = Vec::new();
    for entry in fs::read_dir(failures).into_iter().flatten().flatten() {
        let directory = entry.path();
        let files = fs::read_dir(&directory).into_iter().flatten().flatten();
        let is_case = |path: &PathBuf| path.extension().is_some_and(|is| is == "case");
        let mut files: Vec<PathBuf> = files.map(|file| file.path()).filter(is_case).collect();
        files.sort();
        let Some(test) = files.first().and_then(|file| test_of(file)) else { continue };
        all.push(Stale { package: package.name.clone(), test, directory, files });
    }
    all.sort_by(|a, b| a.test.cmp(&b.test));
    all
}

/// The test in the second line of a stored failure.
fn test_of(file: &Path) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let mut lines = text.lines();
    let is_ours = lines.next()?.starts_with("rebut case ");
    let test = lines.next()?.strip_prefix("test ")?;
    is_ours.then(|| test.to_owned())
}

/// Where a stored failure comes from.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    Of {
        kind: &'static str,
        name: String,
        /// The path of the test, with the crate.
        path: String,
    },
    /// No target of the package can have such a test any more.
    Gone,
}

impl Target {
    /// The target of a test by what its failures are kept under; `None` if that is no path.
    fn of(package: &Package, key: &str) -> Option<Target> {
        // A check within a test is known by its file and line, which change.
        if key.contains('@') || !key.contains("::") {
            return None;
        }
        let (kinds, path): (&[&'static str], &str) = match key.split_once('-') {
            Some(("bin", path)) => (&["bin"], path),
            Some(("example", path)) => (&["example"], path),
            Some(("test", path)) => (&["test"], path),
            Some(("bench", path)) => (&["bench"], path),
            _ => (&["lib", "test"], key),
        };
        let krate = path.split("::").next().unwrap_or_default();
        for (kind, name, _) in &package.targets {
            let kind = simple(kind);
            let is_it = name.replace('-', "_") == krate;
            if let (Some(kind), true) = (kinds.iter().find(|known| **known == kind), is_it) {
                return Some(Target::Of { kind, name: name.clone(), path: path.to_owned() });
            }
        }
        Some(Target::Gone)
    }
}

/// The kind of a target, in which all libraries are one.
fn simple(kind: &str) -> &str {
    match kind {
        "bin" | "example" | "test" | "bench" | "custom-build" => kind,
        _ => "lib",
    }
}

/// The functions of the crates of a workspace, read when they are needed.
struct Crates<'a> {
    workspace: &'a Workspace,
    read: HashMap<PathBuf, Functions>,
}

impl<'a> Crates<'a> {
    fn of(workspace: &'a Workspace) -> Crates<'a> {
        Crates { workspace, read: HashMap::new() }
    }

    /// Those of a target; of the library, whatever its name. `None` if there is no such target.
    fn functions(&mut self, package: &str, kind: &str, name: &str) -> Option<&Functions> {
        let package = self.workspace.packages.iter().find(|known| known.name == package)?;
        let is_it = |(known, called, _): &&(String, String, PathBuf)| {
            simple(known) == kind && (kind == "lib" || called == name)
        };
        let (_, _, root) = package.targets.iter().find(is_it)?;
        Some(self.read.entry(root.clone()).or_insert_with(|| Functions::of(root)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_failures_are_of_the_target_that_their_key_names() {
        let target = |kind: &str, name: &str| (kind.to_owned(), name.to_owned(), PathBuf::new());
        let package = Package {
            name: "my-demo".to_owned(),
            directory: PathBuf::new(),
            targets: vec![
                target("lib", "my_demo"),
                target("bin", "my-demo"),
                target("test", "round-trip"),
            ],
        };
        let of = |kind, name: &str, path: &str| {
            Some(Target::Of { kind, name: name.to_owned(), path: path.to_owned() })
        };
        for (key, expected) in [
            ("my_demo::a::b", of("lib", "my_demo", "my_demo::a::b")),
            ("bin-my_demo::a", of("bin", "my-demo", "my_demo::a")),
            ("round_trip::a", of("test", "round-trip", "round_trip::a")),
            ("removed::a", Some(Target::Gone)),
            ("example-my_demo::a", Some(Target::Gone)),
            ("a_test@src/lib.rs:3", None),
            ("src/lib.rs:3", None),
        ] {
            assert_eq!(Target::of(&package, key), expected, "{key}");
        }
    }
}
