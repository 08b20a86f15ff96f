//! Stored failures and results of tests that no longer exist.
//!
//! A test that was deleted or renamed leaves two things behind: stored failures, which no run
//! replays any more, and a latest verdict in earlier runs. `cargo rebut list --stale` lists the
//! failures and removes them on request. The verdicts are not shown.

mod sources;

use self::sources::CrateFunctions;
use rebut_cli::exit::Failure;
use rebut_cli::runs::{self, Package, Workspace, WorkspaceLocation};
use rebut_report::{Property, Report};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The stored failures of a test that no longer exists.
#[derive(Debug)]
pub(crate) struct StaleFailures {
    pub(crate) package: String,
    /// The key of the stored failures: the path of the test.
    pub(crate) test: String,
    /// The directory of the failures.
    pub(crate) directory: PathBuf,
    /// One file for each failure.
    pub(crate) files: Vec<PathBuf>,
}

impl StaleFailures {
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "package": self.package,
            "test": self.test,
            "directory": self.directory,
            "failures": self.files.len(),
        })
    }

    /// Removes the failures. If the directory contains other files, it stays.
    pub(crate) fn remove(&self) -> std::io::Result<()> {
        for file in &self.files {
            fs::remove_file(file)?;
        }
        let _ = fs::remove_dir(&self.directory);
        // The best cases of the test's search, if it had one.
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

/// The properties of the named runs or, without names, the latest run of each property that still
/// exists.
pub(crate) fn report(location: &WorkspaceLocation, names: &[String]) -> Result<Report, Failure> {
    if !names.is_empty() {
        return location.report(names);
    }
    let workspace = location.workspace()?;
    let mut report = runs::latest_report(&workspace)?;
    drop_stale(&mut report, &workspace);
    Ok(report)
}

/// Drops properties that the sources of their targets no longer contain.
fn drop_stale(report: &mut Report, workspace: &Workspace) {
    let mut index = FunctionIndex::new(workspace);
    let runs = LastRuns::new(report);
    let mut stale = Vec::new();
    for property in &report.properties {
        // A check is named after its test or its location, not after a function.
        let is_check = property.name.contains('@') || !property.name.contains("::");
        if property.package.is_empty() || is_check {
            continue;
        }
        let (kind, name) = property.target.split_once(' ').unwrap_or((&property.target, ""));
        let functions = index.functions(&property.package, kind, name);
        if functions.is_some_and(|functions| !runs.exists(functions, property)) {
            stale.push(identity(property));
        }
    }
    report.retain_properties(&|property| !stale.contains(&identity(property)));
}

fn identity(property: &Property) -> [String; 3] {
    [property.package.clone(), property.target.clone(), property.name.clone()]
}

/// The run group in which each target last ran, and when.
struct LastRuns<'a> {
    report: &'a Report,
    last: HashMap<(&'a str, &'a str), (f64, &'a str)>,
}

impl<'a> LastRuns<'a> {
    fn new(report: &'a Report) -> LastRuns<'a> {
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

    /// Whether a property still exists. It does if it ran when its target last ran and no source
    /// has changed since, even if a macro generated it. Otherwise the sources decide.
    fn exists(&self, functions: &CrateFunctions, property: &Property) -> bool {
        let key = (property.package.as_str(), property.target.as_str());
        let last = self.last.get(&key).map(|(_, group)| *group);
        let is_latest = last == self.report.group(property);
        (is_latest && property.began() > functions.changed)
            || functions.may_contain(without_crate(&property.name))
    }
}

/// A path without its first segment.
fn without_crate(path: &str) -> &str {
    path.split_once("::").map_or(path, |(_, rest)| rest)
}

/// The stored failures of tests that no longer exist. `report` contains the latest run of each
/// property, if there were runs.
pub(crate) fn find(workspace: &Workspace, report: Option<&Report>) -> Vec<StaleFailures> {
    let mut index = FunctionIndex::new(workspace);
    let runs = report.map(LastRuns::new);
    let mut stale = Vec::new();
    for package in &workspace.packages {
        for stored in stored_failures(package) {
            let Some(target) = StoredTarget::find(package, &stored.test) else { continue };
            let is_stale = match &target {
                StoredTarget::Missing => true,
                StoredTarget::Existing { kind, name, path } => {
                    let functions = index.functions(&package.name, kind, name);
                    functions.is_some_and(|functions| {
                        let is_known = runs.as_ref().is_some_and(|runs| {
                            let all = runs.report.properties.iter();
                            let mut same =
                                all.filter(|one| one.package == package.name && one.name == *path);
                            same.any(|one| runs.exists(functions, one))
                        });
                        !is_known && !functions.may_contain(without_crate(path))
                    })
                }
            };
            if is_stale {
                stale.push(stored);
            }
        }
    }
    stale
}

/// All stored failures next to the manifest of a package, by test.
fn stored_failures(package: &Package) -> Vec<StaleFailures> {
    let failures = package.directory.join(".rebut").join("failures");
    let mut all = Vec::new();
    for entry in fs::read_dir(failures).into_iter().flatten().flatten() {
        let directory = entry.path();
        let files = fs::read_dir(&directory).into_iter().flatten().flatten();
        let is_case = |path: &PathBuf| path.extension().is_some_and(|is| is == "case");
        let mut files: Vec<PathBuf> = files.map(|file| file.path()).filter(is_case).collect();
        files.sort();
        let Some(test) = files.first().and_then(|file| test_in(file)) else { continue };
        all.push(StaleFailures { package: package.name.clone(), test, directory, files });
    }
    all.sort_by(|a, b| a.test.cmp(&b.test));
    all
}

/// Reads the test from the second line of a stored failure.
fn test_in(file: &Path) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let mut lines = text.lines();
    let is_ours = lines.next()?.starts_with("rebut case ");
    let test = lines.next()?.strip_prefix("test ")?;
    is_ours.then(|| test.to_owned())
}

/// The target that a stored failure belongs to.
#[derive(Debug, PartialEq, Eq)]
enum StoredTarget {
    Existing {
        kind: &'static str,
        name: String,
        /// The path of the test, with the crate.
        path: String,
    },
    /// The package no longer has such a target.
    Missing,
}

impl StoredTarget {
    /// The target for the key of stored failures; `None` if the key is not a path.
    fn find(package: &Package, key: &str) -> Option<StoredTarget> {
        // The key of a `check` inside a test is its file and line, which change.
        if key.contains('@') || !key.contains("::") {
            return None;
        }
        let (kinds, path) = match key.split_once('-') {
            Some(("bin", path)) => (["bin", "example", "test", "bench", "lib"], path),
            Some(("example", path)) => (["example", "bin", "test", "bench", "lib"], path),
            Some(("test", path)) => (["test", "bench", "bin", "example", "lib"], path),
            Some(("bench", path)) => (["bench", "test", "bin", "example", "lib"], path),
            _ => (["lib", "test", "bench", "bin", "example"], key),
        };
        let krate = path.split("::").next().unwrap_or_default();
        // The kind in a key is a guess from the path of the file, which the manifest can contradict.
        // A wrong answer would remove failures of tests that exist.
        for kind in kinds {
            let is_match = |(known, name, _): &&(String, String, PathBuf)| {
                target_kind(known) == kind && name.replace('-', "_") == krate
            };
            if let Some((_, name, _)) = package.targets.iter().find(is_match) {
                let (name, path) = (name.clone(), path.to_owned());
                return Some(StoredTarget::Existing { kind, name, path });
            }
        }
        Some(StoredTarget::Missing)
    }
}

/// The kind of a target, with one name for all kinds of libraries.
fn target_kind(kind: &str) -> &str {
    match kind {
        "bin" | "example" | "test" | "bench" | "custom-build" => kind,
        _ => "lib",
    }
}

/// The functions of all crates of a workspace, read on first use.
struct FunctionIndex<'a> {
    workspace: &'a Workspace,
    by_root: HashMap<PathBuf, CrateFunctions>,
}

impl<'a> FunctionIndex<'a> {
    fn new(workspace: &'a Workspace) -> FunctionIndex<'a> {
        FunctionIndex { workspace, by_root: HashMap::new() }
    }

    /// The functions of a target; a library may have any name. `None` if there is no such target.
    fn functions(&mut self, package: &str, kind: &str, name: &str) -> Option<&CrateFunctions> {
        let package = self.workspace.packages.iter().find(|known| known.name == package)?;
        let is_match = |(known, called, _): &&(String, String, PathBuf)| {
            target_kind(known) == kind && (kind == "lib" || called == name)
        };
        let (_, _, root) = package.targets.iter().find(is_match)?;
        Some(self.by_root.entry(root.clone()).or_insert_with(|| CrateFunctions::read(root)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_stored_failures_name_their_target() {
        let target = |kind: &str, name: &str| (kind.to_owned(), name.to_owned(), PathBuf::new());
        let package = Package {
            name: "my-demo".to_owned(),
            directory: PathBuf::new(),
            targets: vec![
                target("lib", "my_demo"),
                target("bin", "my-demo"),
                target("test", "round-trip"),
                target("bench", "speed"),
                target("example", "chat"),
            ],
        };
        let existing = |kind, name: &str, path: &str| {
            Some(StoredTarget::Existing { kind, name: name.to_owned(), path: path.to_owned() })
        };
        for (key, expected) in [
            ("my_demo::a::b", existing("lib", "my_demo", "my_demo::a::b")),
            ("bin-my_demo::a", existing("bin", "my-demo", "my_demo::a")),
            ("round_trip::a", existing("test", "round-trip", "round_trip::a")),
            ("removed::a", Some(StoredTarget::Missing)),
            ("example-removed::a", Some(StoredTarget::Missing)),
            ("example-my_demo::a", existing("bin", "my-demo", "my_demo::a")),
            ("bin-chat::a", existing("example", "chat", "chat::a")),
            ("chat::a", existing("example", "chat", "chat::a")),
            ("speed::a", existing("bench", "speed", "speed::a")),
            ("a_test@src/lib.rs:3", None),
            ("src/lib.rs:3", None),
        ] {
            assert_eq!(StoredTarget::find(&package, key), expected, "{key}");
        }
    }
}
