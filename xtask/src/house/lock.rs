//! Which packages a package is built from, by the manifests of the workspace and `Cargo.lock`.
//!
//! `cargo tree` would be more exact: it knows features and systems. But it downloads packages of
//! other systems. The lock file has the dependencies of all systems and of all features in use, so
//! its answer can only be too large.

use std::collections::{BTreeMap, VecDeque};

use super::House;

/// The packages of `Cargo.lock`, by name and version.
#[derive(Debug, Default)]
pub(super) struct Lock<'a> {
    packages: BTreeMap<PackageId<'a>, Vec<PackageId<'a>>>,
}

/// A name and a version.
type PackageId<'a> = (&'a str, &'a str);

impl<'a> Lock<'a> {
    pub(super) fn parse(text: &'a str) -> Lock<'a> {
        let mut written: Vec<(PackageId<'a>, Vec<&'a str>)> = Vec::new();
        for line in text.lines() {
            let value =
                |key: &str| line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"');
            if line == "[[package]]" {
                written.push((("", ""), Vec::new()));
            } else if let Some(((name, version), dependencies)) = written.last_mut() {
                if let Some(value) = value("name") {
                    *name = value;
                } else if let Some(value) = value("version") {
                    *version = value;
                } else if let Some(dependency) = line.trim().strip_prefix('"') {
                    dependencies.push(dependency.trim_end_matches("\","));
                }
            }
        }
        let versions: BTreeMap<&str, &str> = written.iter().map(|(id, _)| *id).collect();
        // The version is left out where there is only one.
        let resolve = |dependency: &'a str| {
            let mut words = dependency.split(' ');
            let name = words.next().unwrap_or_default();
            let version = words.next().or_else(|| versions.get(name).copied());
            (name, version.unwrap_or_default())
        };
        let resolved = written.into_iter().map(|(id, dependencies)| {
            (id, dependencies.into_iter().map(resolve).collect::<Vec<_>>())
        });
        Lock { packages: resolved.collect() }
    }

    fn dependencies(&self, id: PackageId<'a>) -> &[PackageId<'a>] {
        self.packages.get(&id).map_or(&[], Vec::as_slice)
    }
}

/// Which dependencies of the workspace's own packages are followed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Features {
    /// Those that no feature has to enable.
    Default,
    All,
}

/// The packages that a build of `root` compiles, each with a shortest way to it: `a -> b -> c`.
pub(super) fn build_of(
    house: &House<'_>,
    root: &str,
    features: Features,
) -> BTreeMap<String, String> {
    let lock = Lock::parse(house.text("Cargo.lock"));
    let mut ways = BTreeMap::new();
    let mut open: VecDeque<(PackageId<'_>, String)> = VecDeque::new();
    let ids = lock.packages.keys().filter(|(name, _)| *name == root);
    open.extend(ids.map(|&id| (id, root.to_owned())));
    let mut seen: Vec<PackageId<'_>> = Vec::new();
    while let Some((id, way)) = open.pop_front() {
        if seen.contains(&id) {
            continue;
        }
        seen.push(id);
        for &next in lock.dependencies(id) {
            if is_built(house, id.0, next.0, features) {
                open.push_back((next, format!("{way} -> {}", next.0)));
            }
        }
        ways.entry(id.0.to_owned()).or_insert(way);
    }
    ways
}

/// Whether a build follows this dependency. The lock file of a workspace also has those of tests.
fn is_built(house: &House<'_>, from: &str, to: &str, features: Features) -> bool {
    let Some(package) = house.package(from) else { return true };
    package.dependencies().iter().any(|dependency| {
        dependency["name"] == to
            && dependency["kind"] != "dev"
            && (features == Features::All || dependency["optional"] != true)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::files;
    use super::{Features, build_of};

    const LOCK: &str = r#"version = 4

[[package]]
name = "a"
version = "0.1.0"
dependencies = [
 "b 2.0.0",
 "c",
 "d",
 "e",
]

[[package]]
name = "b"
version = "1.0.0"

[[package]]
name = "b"
version = "2.0.0"
source = "registry"
dependencies = [
 "f",
]

[[package]]
name = "c"
version = "1.0.0"

[[package]]
name = "d"
version = "1.0.0"

[[package]]
name = "e"
version = "1.0.0"

[[package]]
name = "f"
version = "1.0.0"
"#;

    #[test]
    fn build_follows_versions_and_leaves_out_tests_and_features() {
        let inputs = files(&[("Cargo.lock", LOCK)])
            .with_package("a", &["b", "c"])
            .with_dependency("a", json!({ "name": "d", "kind": "dev" }))
            .with_dependency("a", json!({ "name": "e", "kind": null, "optional": true }));
        let house = inputs.house();
        let names = |features| build_of(&house, "a", features).into_keys().collect::<Vec<_>>();
        assert_eq!(names(Features::Default), ["a", "b", "c", "f"]);
        assert_eq!(names(Features::All), ["a", "b", "c", "e", "f"]);
        assert_eq!(build_of(&house, "a", Features::Default)["f"], "a -> b -> f");
    }
}
