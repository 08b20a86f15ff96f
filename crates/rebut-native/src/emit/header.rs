//! Finds the code that a regression test needs in front of it in a file of its own.
//!
//! A property in a file of `tests/` needs all items of its file that are not tests. A property in
//! the library needs the imports of its modules, and the public items of these modules.

use super::RegressionTests;
use crate::words;
use proc_macro2::Span;
use rebut_cli::exit::{self, Exit};
use rebut_cli::metadata::Metadata;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned as _;
use syn::{Attribute, Item, ItemMod, UseTree, Visibility};

/// The package to which regression tests are written.
#[derive(Debug)]
pub(super) struct TestPackage {
    /// The directory of its manifest.
    pub(super) directory: PathBuf,
    /// Its name.
    pub(super) name: String,
    /// The code in front of the tests.
    pub(super) header: String,
}

/// Returns the package of a property and the header of its tests. The inner error is why its tests
/// cannot be in a file of their own.
pub(super) fn find_package(
    tests: &RegressionTests,
    directory: Option<&Path>,
) -> Result<Result<TestPackage, String>, exit::Failure> {
    let metadata = Metadata::read(None, directory)?.json;
    let root = PathBuf::from(metadata["workspace_root"].as_str().unwrap_or_default());
    let Some(found) = find_target(&metadata, tests, &root) else {
        return Ok(Err(words::no_owner(&tests.file)));
    };
    let source = match fs::read_to_string(&found.file) {
        Ok(source) => source,
        Err(error) => {
            let message = words::file_failed(&found.file, "read", error);
            return Err(exit::Failure::new(Exit::File, message));
        }
    };
    let header = match found.kind.as_str() {
        "test" => header_from_tests(&source, tests),
        "lib" | "rlib" | "proc-macro" => {
            header_from_library(&source, tests).ok_or(HeaderObstacle::NotFound)
        }
        kind => return Ok(Err(words::nothing_to_import(kind))),
    };
    Ok(match header {
        Ok(header) => Ok(TestPackage { directory: found.package, name: found.name, header }),
        Err(HeaderObstacle::NotFound) => Err(words::not_found_in(&found.file)),
        Err(HeaderObstacle::InModule) => Err(words::in_module_of(&found.file)),
    })
}

/// Returns whether cargo builds a file as an integration test: a manifest with `autotests = false`
/// lists those that it builds.
pub(super) fn is_target(path: &Path, directory: Option<&Path>) -> Result<bool, exit::Failure> {
    let metadata = Metadata::read(None, directory)?.json;
    Ok(lists_test(&metadata, path))
}

fn lists_test(metadata: &Value, path: &Path) -> bool {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let mut targets = packages.filter_map(|package| package["targets"].as_array()).flatten();
    targets.any(|target| {
        let file = target["src_path"].as_str().map(Path::new);
        target["kind"][0] == "test" && file == Some(path)
    })
}

/// Why there is no header for the tests of a property.
#[derive(Debug, PartialEq, Eq)]
enum HeaderObstacle {
    /// The property is not in its file.
    NotFound,
    /// The property is in a module of a file of tests, which no other file can import.
    InModule,
}

/// The target that contains a property.
struct PropertyTarget {
    /// The directory of the package.
    package: PathBuf,
    /// The name of the package.
    name: String,
    /// The kind of the target, as cargo names it.
    kind: String,
    /// The file of the property.
    file: PathBuf,
}

fn find_target(metadata: &Value, tests: &RegressionTests, root: &Path) -> Option<PropertyTarget> {
    let krate = tests.property.split("::").next()?;
    let file = root.join(&tests.file);
    let target_in = |package: &Value| {
        if tests.package().is_some_and(|known| package["name"] != known) {
            return None;
        }
        let directory = Path::new(package["manifest_path"].as_str()?).parent()?.to_owned();
        let is_target = |target: &&Value| {
            let name = target["name"].as_str().unwrap_or_default().replace('-', "_");
            name == krate
        };
        let target = package["targets"].as_array()?.iter().find(is_target)?;
        let kind = target["kind"][0].as_str()?.to_owned();
        let name = package["name"].as_str()?.to_owned();
        let is_inside = file.starts_with(&directory);
        is_inside.then(|| PropertyTarget { package: directory, name, kind, file: file.clone() })
    };
    metadata["packages"].as_array()?.iter().find_map(target_in)
}

/// Returns all items of a file that are not tests.
fn header_from_tests(source: &str, tests: &RegressionTests) -> Result<String, HeaderObstacle> {
    let file = syn::parse_file(source).map_err(|_ignored| HeaderObstacle::NotFound)?;
    let modules = path_to(&file.items, tests).ok_or(HeaderObstacle::NotFound)?;
    if !modules.is_empty() {
        return Err(HeaderObstacle::InModule);
    }
    let items = file.items.iter().filter(|item| !is_test(item));
    let texts = items.filter_map(|item| text_of(source, item.span()));
    Ok(texts.map(|text| format!("{text}\n")).collect())
}

fn is_test(item: &Item) -> bool {
    let Item::Fn(function) = item else { return false };
    let is_one = |attribute: &Attribute| {
        let last = attribute.path().segments.last();
        last.is_some_and(|last| last.ident == "test" || last.ident == "exists")
    };
    function.attrs.iter().any(is_one)
}

/// Returns the imports of the modules around a property, and imports of their public items.
/// Returns `None` if the property is not there.
fn header_from_library(source: &str, tests: &RegressionTests) -> Option<String> {
    let file = syn::parse_file(source).ok()?;
    let inline = path_to(&file.items, tests)?;
    let mut path: Vec<&str> = tests.property.split("::").collect();
    path.pop();
    let outer = path.len().checked_sub(inline.len())?;
    let mut header = String::new();
    let mut items = &file.items;
    let mut is_open = true;
    for depth in outer..=path.len() {
        let module = &path[..depth];
        if is_open {
            header.push_str(&format!("use {}::*;\n", module.join("::")));
        }
        for item in items {
            if let Item::Use(item) = item {
                let mut paths = Vec::new();
                flatten(&item.tree, &mut Vec::new(), &mut paths);
                let absolute = paths.iter().filter_map(|path| absolute(path, module));
                header.extend(absolute.map(|path| format!("use {path};\n")));
            }
        }
        if let Some(inside) = inline.get(depth - outer) {
            // Another crate does not see a module that exists only in tests.
            let is_public = matches!(inside.vis, Visibility::Public(_));
            is_open &= is_public && !inside.attrs.iter().any(|one| one.path().is_ident("cfg"));
            items = inside.content.as_ref().map(|(_, items)| items)?;
        }
    }
    let mut lines: Vec<&str> = header.lines().collect();
    lines.dedup();
    Some(lines.iter().map(|line| format!("{line}\n")).collect())
}

/// Returns the modules in the file that are around the property, the outermost first, or `None` if
/// the property is not there.
fn path_to<'a>(items: &'a [Item], tests: &RegressionTests) -> Option<Vec<&'a ItemMod>> {
    let name = tests.property.rsplit("::").next()?;
    items.iter().find_map(|item| match item {
        Item::Fn(function) if function.sig.ident == name => {
            let line = function.sig.ident.span().start().line;
            (line == tests.line).then(Vec::new)
        }
        Item::Mod(module) => {
            let (_, inside) = module.content.as_ref()?;
            let mut path = path_to(inside, tests)?;
            path.insert(0, module);
            Some(path)
        }
        _ => None,
    })
}

/// Returns the source code at a location.
pub(super) fn text_of(source: &str, span: Span) -> Option<String> {
    source.get(span.byte_range()).map(str::to_owned)
}

/// Adds every path that a `use` imports, with `*` and `as` as written.
fn flatten(tree: &UseTree, before: &mut Vec<String>, paths: &mut Vec<Vec<String>>) {
    let mut leaf = |last: String| {
        let mut path = before.clone();
        path.push(last);
        paths.push(path);
    };
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, paths);
            before.pop();
        }
        UseTree::Name(name) => leaf(name.ident.to_string()),
        UseTree::Rename(rename) => leaf(format!("{} as {}", rename.ident, rename.rename)),
        UseTree::Glob(_) => leaf("*".to_owned()),
        UseTree::Group(group) => {
            for tree in &group.items {
                flatten(tree, before, paths);
            }
        }
    }
}

/// Returns a path as another crate writes it, or `None` if it leads out of the crate.
fn absolute(path: &[String], module: &[&str]) -> Option<String> {
    let mut around: Vec<&str> = module.to_vec();
    let mut rest = path;
    let mut is_inside = false;
    while let Some((first, others)) = rest.split_first() {
        match first.as_str() {
            "crate" => around.truncate(1),
            "self" if !is_inside && !others.is_empty() => {}
            "super" => {
                around.pop()?;
            }
            _ => break,
        }
        is_inside = true;
        rest = others;
    }
    if !is_inside {
        return Some(path.join("::"));
    }
    let mut all: Vec<&str> = around;
    all.extend(rest.iter().map(String::as_str));
    Some(all.join("::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests(property: &str, line: usize) -> RegressionTests {
        let text = format!("// {property} (src/lib.rs:{line})\n");
        RegressionTests::parse(text).expect("regression tests")
    }

    #[test]
    fn only_targets_of_tests_are_built_as_tests() {
        let metadata = serde_json::json!({"packages": [{"targets": [
            {"kind": ["lib"], "src_path": "/a/src/lib.rs"},
            {"kind": ["test"], "src_path": "/a/tests/it.rs"},
        ]}]});
        let is_listed = |path: &str| lists_test(&metadata, Path::new(path));
        assert!(is_listed("/a/tests/it.rs"));
        assert!(!is_listed("/a/tests/other.rs") && !is_listed("/a/src/lib.rs"));
    }

    #[test]
    fn headers_import_only_public_names() {
        let source = "\
use std::rc::Rc;
use crate::{a::B, c};
pub struct Stack;

#[cfg(test)]
mod tests {
    use super::*;
    use super::super::d::E as F;

    #[rebut::test]
    fn holds(n: u8) {}
}
";
        let header = header_from_library(source, &tests("krate::stack::tests::holds", 11));
        assert_eq!(
            header.expect("a header"),
            "use krate::stack::*;\nuse std::rc::Rc;\nuse krate::a::B;\nuse krate::c;\n\
             use krate::stack::*;\nuse krate::d::E as F;\n"
        );
        assert_eq!(header_from_library(source, &tests("krate::stack::tests::holds", 12)), None);
    }

    #[test]
    fn items_of_a_test_file_are_copied() {
        let source = "use a::B;\n\nfn help() {}\n\n#[rebut::test]\nfn holds(n: u8) {}\n\n#[test]\nfn other() {}\n";
        let header = header_from_tests(source, &tests("file::holds", 6));
        assert_eq!(header.as_deref(), Ok("use a::B;\nfn help() {}\n"));
        let source = "mod inner {\n    #[rebut::test]\n    fn holds(n: u8) {}\n}\n";
        let header = header_from_tests(source, &tests("file::inner::holds", 3));
        assert_eq!(header, Err(HeaderObstacle::InModule));
        let header = header_from_tests(source, &tests("file::inner::holds", 2));
        assert_eq!(header, Err(HeaderObstacle::NotFound));
    }
}
