//! Fields of manifests that a registry and its readers need.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::workspace::Package;

/// Fields that a registry page shows, and the minimum Rust version, which cargo heeds when it
/// chooses a version.
const FIELDS: [&str; 8] = [
    "description",
    "license",
    "repository",
    "homepage",
    "documentation",
    "readme",
    "rust_version",
    "edition",
];

/// crates.io refuses more.
const KEYWORDS_MAX: usize = 5;
/// crates.io refuses longer ones.
const KEYWORD_LENGTH_MAX: usize = 20;

/// The categories of crates.io that fit a crate of this project. crates.io drops unknown ones
/// with a warning that is easy to miss.
const CATEGORIES: [&str; 8] = [
    "algorithms",
    "command-line-utilities",
    "development-tools::build-utils",
    "development-tools::cargo-plugins",
    "development-tools::testing",
    "mathematics",
    "text-processing",
    "wasm",
];

/// Problems of the manifests. All crates have the same version.
pub(super) fn complaints(published: &[&Package], version: &str) -> Vec<String> {
    let repositories: BTreeSet<&str> =
        published.iter().map(|package| package.text("repository")).collect();
    let mut complaints = Vec::new();
    if repositories.len() > 1 {
        complaints.push(format!("crates name different repositories: {repositories:?}"));
    }
    for package in published {
        let name = package.name();
        let package_complaints = package_complaints(package, version);
        complaints
            .extend(package_complaints.into_iter().map(|complaint| format!("{name}: {complaint}")));
    }
    complaints
}

fn package_complaints(package: &Package, version: &str) -> Vec<String> {
    let missing = FIELDS.iter().filter(|field| package.text(field).is_empty());
    let mut complaints: Vec<String> =
        missing.map(|field| format!("the manifest has no `{}`", field.replace('_', "-"))).collect();
    if package.text("version") != version {
        complaints.push(format!("version is {}, not {version}", package.text("version")));
    }
    complaints.extend(words(package));
    complaints.extend(dependencies(package, version));
    let is_command = package.binaries().iter().any(|binary| binary.starts_with("cargo-"));
    if is_command && !package.described["metadata"]["binstall"].is_object() {
        complaints.push("a command has no `[package.metadata.binstall]`".to_owned());
    }
    complaints
}

/// Keywords and categories.
fn words(package: &Package) -> Vec<String> {
    let mut complaints = Vec::new();
    let keywords = package.list("keywords");
    if keywords.is_empty() || keywords.len() > KEYWORDS_MAX {
        complaints.push(format!("{} keywords; write 1 to {KEYWORDS_MAX}", keywords.len()));
    }
    for keyword in keywords.iter().filter(|keyword| !is_keyword(keyword)) {
        complaints.push(format!(
            "crates.io refuses the keyword `{keyword}`: a letter, then letters, digits, `_`, `-` \
             or `+`, at most {KEYWORD_LENGTH_MAX} characters"
        ));
    }
    let categories = package.list("categories");
    if categories.is_empty() {
        complaints.push("the manifest has no `categories`".to_owned());
    }
    for category in categories.iter().filter(|category| !CATEGORIES.contains(category)) {
        complaints.push(format!("category `{category}` is not one of {CATEGORIES:?}"));
    }
    complaints
}

fn is_keyword(keyword: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || "_-+".contains(c);
    keyword.len() <= KEYWORD_LENGTH_MAX
        && keyword.starts_with(|c: char| c.is_ascii_alphabetic())
        && keyword.chars().all(is_inner)
}

/// Crates of the workspace move together, so each asks for the others at its own version. One
/// for tests that no registry has is named by its path alone, and left out when it is packed.
fn dependencies(package: &Package, version: &str) -> Vec<String> {
    let of_workspace = package.dependencies().iter().filter(|one| one["path"].is_string());
    let wanted = format!("^{version}");
    let is_fine = |dependency: &&Value| {
        dependency["req"] == wanted.as_str()
            || (dependency["kind"] == "dev" && dependency["req"] == "*")
    };
    of_workspace
        .filter(|dependency| !is_fine(dependency))
        .map(|dependency| {
            format!("requires {} {}, not {wanted}", dependency["name"], dependency["req"])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn good() -> Value {
        json!({
            "name": "a", "version": "1.2.3", "description": "a", "license": "MIT",
            "repository": "r", "homepage": "h", "documentation": "d", "readme": "README.md",
            "rust_version": "1.89", "edition": "2024", "publish": null,
            "keywords": ["property-testing"], "categories": ["mathematics"],
            "dependencies": [
                { "name": "b", "path": "/b", "req": "^1.2.3", "kind": null },
                { "name": "c", "path": "/c", "req": "*", "kind": "dev" },
                { "name": "serde", "path": null, "req": "^1", "kind": null },
            ],
            "targets": [{ "kind": ["bin"], "name": "cargo-a" }],
            "metadata": { "binstall": { "pkg-fmt": "tgz" } },
        })
    }

    fn check(change: impl FnOnce(&mut Value), complaint: &str) {
        let mut described = good();
        change(&mut described);
        let package = Package { described };
        assert_eq!(complaints(&[&package], "1.2.3"), [complaint]);
    }

    #[test]
    fn a_complete_manifest_is_fine() {
        let package = Package { described: good() };
        assert_eq!(complaints(&[&package], "1.2.3"), Vec::<String>::new());
    }

    #[test]
    fn every_fault_of_a_manifest_is_named() {
        check(|it| it["rust_version"] = Value::Null, "a: the manifest has no `rust-version`");
        check(|it| it["homepage"] = json!(""), "a: the manifest has no `homepage`");
        check(|it| it["version"] = json!("1.2.4"), "a: version is 1.2.4, not 1.2.3");
        check(|it| it["keywords"] = json!([]), "a: 0 keywords; write 1 to 5");
        check(|it| it["categories"] = json!([]), "a: the manifest has no `categories`");
        check(
            |it| it["keywords"] = json!(["property testing"]),
            "a: crates.io refuses the keyword `property testing`: a letter, then letters, digits, \
             `_`, `-` or `+`, at most 20 characters",
        );
        check(
            |it| it["dependencies"][0]["req"] = json!("^1.2.2"),
            "a: requires \"b\" \"^1.2.2\", not ^1.2.3",
        );
        check(
            |it| it["metadata"] = Value::Null,
            "a: a command has no `[package.metadata.binstall]`",
        );
    }

    #[test]
    fn crates_of_different_repositories_are_named() {
        let one = Package { described: good() };
        let mut other = one.clone();
        other.described["repository"] = json!("s");
        let complaints = complaints(&[&one, &other], "1.2.3");
        assert_eq!(complaints, ["crates name different repositories: {\"r\", \"s\"}"]);
    }
}
