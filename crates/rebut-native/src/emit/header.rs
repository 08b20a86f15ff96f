//! What has to stand before a printed test for it to stand in a file of its own.
//!
//! A property in a file of `tests/` brings along all items of its file that are not tests. One
//! in the library brings along what its modules import, and the public items of these modules.

use super::Printed;
use crate::words;
use proc_macro2::Span;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::runs::cargo;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use syn::spanned::Spanned as _;
use syn::{Attribute, Item, ItemMod, UseTree, Visibility};

/// Where a test can stand.
#[derive(Debug)]
pub(super) struct Home {
    /// The folder of the package.
    pub(super) package: PathBuf,
    /// The name of the package.
    pub(super) name: String,
    /// What stands before the test.
    pub(super) header: String,
}

/// The package of a property and what its test needs. The inner error is why there is no place
/// for it.
pub(super) fn home_of(
    printed: &Printed,
    folder: Option<&Path>,
) -> Result<Result<Home, String>, Failure> {
    let mut command = cargo();
    command.args(["metadata", "--no-deps", "--offline", "--format-version=1"]);
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    let output = command
        .output()
        .map_err(|error| Failure::new(Exit::MissingTool, words::cargo_not_started(error)))?;
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let root = PathBuf::from(metadata["workspace_root"].as_str().unwrap_or_default());
    let Some(found) = owner(&metadata, printed, &root) else {
        return Ok(Err(words::no_owner(&printed.file)));
    };
    let source = match fs::read_to_string(&found.file) {
        Ok(source) => source,
        Err(error) => {
            let message = words::file_failed(&found.file, "read", error);
            return Err(Failure::new(Exit::File, message));
        }
    };
    let header = match found.kind.as_str() {
        "test" => of_test(&source, printed),
        "lib" | "rlib" | "proc-macro" => of_library(&source, printed),
        kind => return Ok(Err(words::nothing_to_import(kind))),
    };
    Ok(match header {
        Some(header) => Ok(Home { package: found.package, name: found.name, header }),
        None => Err(words::not_found_in(&found.file)),
    })
}

/// Whose property it is.
struct Owner {
    package: PathBuf,
    name: String,
    kind: String,
    file: PathBuf,
}

fn owner(metadata: &Value, printed: &Printed, root: &Path) -> Option<Owner> {
    let krate = printed.property.split("::").next()?;
    let file = root.join(&printed.file);
    let packages = metadata["packages"].as_array()?;
    let of = |package: &Value| {
        if printed.package().is_some_and(|known| package["name"] != known) {
            return None;
        }
        let folder = Path::new(package["manifest_path"].as_str()?).parent()?.to_owned();
        let is_target = |target: &&Value| {
            let name = target["name"].as_str().unwrap_or_default().replace('-', "_");
            name == krate
        };
        let target = package["targets"].as_array()?.iter().find(is_target)?;
        let kind = target["kind"][0].as_str()?.to_owned();
        let name = package["name"].as_str()?.to_owned();
        file.starts_with(&folder).then(|| Owner { package: folder, name, kind, file: file.clone() })
    };
    packages.iter().find_map(of)
}

/// All items of a file that are not tests.
fn of_test(source: &str, printed: &Printed) -> Option<String> {
    let file = syn::parse_file(source).ok()?;
    let modules = path_to(&file.items, printed)?;
    if !modules.is_empty() {
        return None;
    }
    let items = file.items.iter().filter(|item| !is_test(item));
    let texts = items.filter_map(|item| text_of(source, item.span()));
    Some(texts.map(|text| format!("{text}\n")).collect())
}

fn is_test(item: &Item) -> bool {
    let Item::Fn(function) = item else { return false };
    let is_one = |attribute: &Attribute| {
        let last = attribute.path().segments.last();
        last.is_some_and(|last| last.ident == "test" || last.ident == "exists")
    };
    function.attrs.iter().any(is_one)
}

/// What the modules around a property import, and their public items.
fn of_library(source: &str, printed: &Printed) -> Option<String> {
    let file = syn::parse_file(source).ok()?;
    let inline = path_to(&file.items, printed)?;
    let mut path: Vec<&str> = printed.property.split("::").collect();
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
            // What is there only for tests is not there for those outside.
            let is_public = matches!(inside.vis, Visibility::Public(_));
            is_open &= is_public && !inside.attrs.iter().any(|one| one.path().is_ident("cfg"));
            items = inside.content.as_ref().map(|(_, items)| items)?;
        }
    }
    let mut lines: Vec<&str> = header.lines().collect();
    lines.dedup();
    Some(lines.iter().map(|line| format!("{line}\n")).collect())
}

/// The modules in the file that are around the property, the outermost first; none if the
/// property is not there.
fn path_to<'a>(items: &'a [Item], printed: &Printed) -> Option<Vec<&'a ItemMod>> {
    let name = printed.property.rsplit("::").next()?;
    items.iter().find_map(|item| match item {
        Item::Fn(function) if function.sig.ident == name => {
            let line = function.sig.ident.span().start().line;
            (line == printed.line).then(Vec::new)
        }
        Item::Mod(module) => {
            let (_, inside) = module.content.as_ref()?;
            let mut path = path_to(inside, printed)?;
            path.insert(0, module);
            Some(path)
        }
        _ => None,
    })
}

/// What stands at a place.
pub fn text_of(source: &str, span: Span) -> Option<String> {
    source.get(span.byte_range()).map(str::to_owned)
}

/// Every path that is imported, with `*` and `as` as written.
pub fn flatten(tree: &UseTree, before: &mut Vec<String>, paths: &mut Vec<Vec<String>>) {
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

/// A path as it is seen from outside of the crate.
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

    fn printed(property: &str, line: usize) -> Printed {
        Printed {
            path: PathBuf::new(),
            property: property.to_owned(),
            file: PathBuf::new(),
            line,
            text: String::new(),
            target: Vec::new(),
            names: Vec::new(),
        }
    }

    #[test]
    fn imports_are_those_that_others_see() {
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
        let header = of_library(source, &printed("krate::stack::tests::holds", 11));
        assert_eq!(
            header.expect("a header"),
            "use krate::stack::*;\nuse std::rc::Rc;\nuse krate::a::B;\nuse krate::c;\n\
             use krate::stack::*;\nuse krate::d::E as F;\n"
        );
        assert_eq!(of_library(source, &printed("krate::stack::tests::holds", 12)), None);
    }

    #[test]
    fn a_file_of_tests_brings_its_items_along() {
        let source = "use a::B;\n\nfn help() {}\n\n#[rebut::test]\nfn holds(n: u8) {}\n\n#[test]\nfn other() {}\n";
        let header = of_test(source, &printed("file::holds", 6));
        assert_eq!(header.as_deref(), Some("use a::B;\nfn help() {}\n"));
    }
}
