//! The packages of this workspace, as `cargo metadata` describes them.

use serde_json::Value;

use crate::cargo;

/// A package of the workspace.
#[derive(Clone, Debug)]
pub(crate) struct Package {
    /// Its entry in the output of `cargo metadata`.
    pub(crate) described: Value,
}

impl Package {
    pub(crate) fn name(&self) -> &str {
        self.text("name")
    }

    /// A field that is a string, or the empty string.
    pub(crate) fn text(&self, field: &str) -> &str {
        self.described[field].as_str().unwrap_or_default()
    }

    /// The strings of a field that is a list.
    pub(crate) fn list(&self, field: &str) -> Vec<&str> {
        let items = self.described[field].as_array().map(Vec::as_slice).unwrap_or_default();
        items.iter().filter_map(Value::as_str).collect()
    }

    /// Whether a registry gets it: `publish = false` is an empty list of registries.
    pub(crate) fn is_published(&self) -> bool {
        self.described["publish"].as_array().is_none_or(|registries| !registries.is_empty())
    }

    /// Its dependencies, those for tests and build scripts included.
    pub(crate) fn dependencies(&self) -> &[Value] {
        self.described["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default()
    }

    /// The names of its binaries.
    pub(crate) fn binaries(&self) -> Vec<&str> {
        self.targets("bin")
    }

    /// The names of its targets of this kind, such as `test`.
    pub(crate) fn targets(&self, kind: &str) -> Vec<&str> {
        let targets = self.described["targets"].as_array().map(Vec::as_slice).unwrap_or_default();
        let is_wanted = |target: &&Value| target["kind"][0] == kind;
        targets.iter().filter(is_wanted).filter_map(|target| target["name"].as_str()).collect()
    }
}

/// All packages of the workspace.
pub(crate) fn packages() -> Result<Vec<Package>, String> {
    let mut command = cargo(&["metadata", "--no-deps", "--format-version", "1"]);
    let output = command.output().map_err(|error| format!("cannot start cargo: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("the output of `cargo metadata` is not JSON: {error}"))?;
    let packages = metadata["packages"].as_array().cloned().unwrap_or_default();
    Ok(packages.into_iter().map(|described| Package { described }).collect())
}

/// The package of this name and the packages of the workspace that it is built from.
pub(crate) fn with_dependencies(packages: &[Package], name: &str) -> Vec<String> {
    let mut names = vec![name.to_owned()];
    let mut next = 0;
    while let Some(name) = names.get(next).cloned() {
        next += 1;
        let package = packages.iter().find(|package| package.name() == name);
        let dependencies = package.map(Package::dependencies).unwrap_or_default();
        for dependency in dependencies.iter().filter(|one| one["kind"] != "dev") {
            let name = dependency["name"].as_str().unwrap_or_default();
            let is_ours = packages.iter().any(|package| package.name() == name);
            if is_ours && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn package(name: &str, dependencies: &[(&str, Option<&str>)]) -> Package {
        let dependencies: Vec<Value> =
            dependencies.iter().map(|(name, kind)| json!({ "name": name, "kind": kind })).collect();
        Package { described: json!({ "name": name, "dependencies": dependencies }) }
    }

    #[test]
    fn the_closure_leaves_out_other_crates_and_those_for_tests() {
        let packages = [
            package("a", &[("b", None), ("serde", None), ("d", Some("dev"))]),
            package("b", &[("c", Some("build"))]),
            package("c", &[]),
            package("d", &[]),
        ];
        assert_eq!(with_dependencies(&packages, "a"), ["a", "b", "c"]);
    }

    #[test]
    fn a_package_is_published_unless_its_manifest_says_no() {
        let package = |publish| Package { described: json!({ "publish": publish }) };
        assert!(package(Value::Null).is_published());
        assert!(!package(json!([])).is_published());
    }
}
