//! Finds the functions of a crate in its sources.
//!
//! Test binaries and earlier runs do not answer this: a test may be missing there because a feature
//! was off, or because the user ran another test. The sources contain it anyway. The expansion of a
//! macro is unknown here, so every name in a macro call counts as a possible function.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use proc_macro2::{TokenStream, TokenTree};
use syn::ext::IdentExt as _;
use syn::{Attribute, Expr, ExprLit, Item, ItemMacro, ItemMod, Lit, Meta};

/// The functions of a crate.
#[derive(Debug, Default)]
pub(super) struct CrateFunctions {
    /// Their paths, without the crate.
    paths: BTreeSet<String>,
    /// Every name in macro calls at item level.
    in_macros: BTreeSet<String>,
    /// Whether a part of the crate could not be read.
    has_gaps: bool,
    /// The latest modification of a file, in seconds since 1970.
    pub(super) changed: f64,
}

impl CrateFunctions {
    /// Reads the crate with this root file.
    pub(super) fn read(root: &Path) -> CrateFunctions {
        let mut functions = CrateFunctions::default();
        functions.add_file(root, root.parent().unwrap_or(Path::new("")), "", DEPTH_MAX);
        functions
    }

    /// Whether there may be a function with this path, relative to the crate.
    pub(super) fn may_contain(&self, path: &str) -> bool {
        let path = path.replace("r#", "");
        let name = path.rsplit("::").next().unwrap_or_default();
        self.has_gaps || self.paths.contains(&path) || self.in_macros.contains(name)
    }

    /// Adds the file of a module whose submodules are in `directory`.
    fn add_file(&mut self, file: &Path, directory: &Path, module: &str, depth: usize) {
        let changed = fs::metadata(file).and_then(|metadata| metadata.modified());
        if let Some(changed) = changed.ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok()) {
            self.changed = self.changed.max(changed.as_secs_f64());
        }
        let text = fs::read_to_string(file).ok();
        let parsed = text.and_then(|text| syn::parse_file(&text).ok());
        match parsed {
            Some(parsed) if depth > 0 => {
                self.add_items(&parsed.items, file, directory, module, depth);
            }
            _ => self.has_gaps = true,
        }
    }

    fn add_items(
        &mut self,
        items: &[Item],
        file: &Path,
        directory: &Path,
        module: &str,
        depth: usize,
    ) {
        for item in items {
            match item {
                Item::Fn(function) => {
                    self.paths.insert(joined(module, &function.sig.ident.unraw().to_string()));
                }
                Item::Mod(inner) => self.add_module(inner, file, directory, module, depth),
                Item::Macro(item) => self.add_macro(item),
                _ => {}
            }
        }
    }

    fn add_module(
        &mut self,
        inner: &ItemMod,
        file: &Path,
        directory: &Path,
        module: &str,
        depth: usize,
    ) {
        let name = inner.ident.unraw().to_string();
        let module = joined(module, &name);
        let inside = directory.join(&name);
        if let Some((_, items)) = &inner.content {
            return self.add_items(items, file, &inside, &module, depth);
        }
        let parent = file.parent().unwrap_or(Path::new(""));
        match path_attribute(&inner.attrs) {
            Ok(Some(path)) => {
                let file = parent.join(path);
                let directory = file.parent().unwrap_or(Path::new("")).to_owned();
                self.add_file(&file, &directory, &module, depth - 1);
            }
            Ok(None) => {
                let files = [directory.join(format!("{name}.rs")), inside.join("mod.rs")];
                match files.iter().find(|file| file.is_file()) {
                    Some(file) => self.add_file(file, &inside, &module, depth - 1),
                    None => self.has_gaps = true,
                }
            }
            Err(ConditionalPath) => self.has_gaps = true,
        }
    }

    fn add_macro(&mut self, item: &ItemMacro) {
        let name = item.mac.path.segments.last().map(|last| last.ident.to_string());
        let before = self.in_macros.len();
        collect_names(item.mac.tokens.clone(), &mut self.in_macros);
        // `include!` adds another file, and a macro with `mod` may too.
        let is_include = name.is_some_and(|name| name == "include");
        self.has_gaps |=
            is_include || (self.in_macros.len() > before && self.in_macros.contains("mod"));
    }
}

/// The maximum depth of modules. Arbitrary: it only ends a cycle of `#[path]` attributes. A deeper
/// module counts as a gap.
const DEPTH_MAX: usize = 64;

fn joined(module: &str, name: &str) -> String {
    if module.is_empty() { name.to_owned() } else { format!("{module}::{name}") }
}

/// The path depends on a `cfg` condition.
struct ConditionalPath;

/// The file of a `#[path = ".."]` attribute.
fn path_attribute(attributes: &[Attribute]) -> Result<Option<PathBuf>, ConditionalPath> {
    for attribute in attributes {
        match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("path") => {
                let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value else {
                    return Err(ConditionalPath);
                };
                return Ok(Some(PathBuf::from(text.value())));
            }
            Meta::List(list) if list.path.is_ident("cfg_attr") => {
                let mut all = BTreeSet::new();
                collect_names(list.tokens.clone(), &mut all);
                if all.contains("path") {
                    return Err(ConditionalPath);
                }
            }
            _ => {}
        }
    }
    Ok(None)
}

/// Adds all identifiers in a token stream.
fn collect_names(tokens: TokenStream, all: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                all.insert(ident.unraw().to_string());
            }
            TokenTree::Group(group) => collect_names(group.stream(), all),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn functions(name: &str, files: &[(&str, &str)]) -> CrateFunctions {
        let home = std::env::temp_dir().join(format!("rebut-stale-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&home);
        for (name, text) in files {
            let path = home.join(name);
            fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
            fs::write(path, text).expect("a file");
        }
        let functions = CrateFunctions::read(&home.join("src/lib.rs"));
        let _ = fs::remove_dir_all(home);
        functions
    }

    #[test]
    fn functions_are_found_in_all_kinds_of_modules() {
        let found = functions(
            "modules",
            &[
                (
                    "src/lib.rs",
                    "mod a; mod b; #[cfg(windows)] mod c; mod d { mod e; fn inner() {} } \
                     #[path = \"other.rs\"] mod f; fn root() {}",
                ),
                ("src/a.rs", "mod tests { fn in_a() {} } mod deep;"),
                ("src/a/deep.rs", "fn in_deep() {}"),
                ("src/b/mod.rs", "fn in_b() {}"),
                ("src/c.rs", "#[cfg(feature = \"x\")] fn switched_off() {}"),
                ("src/d/e.rs", "fn r#match() {}"),
                ("src/other.rs", "fn in_other() {}"),
            ],
        );
        for path in [
            "root",
            "a::tests::in_a",
            "a::deep::in_deep",
            "b::in_b",
            "c::switched_off",
            "d::inner",
            "d::e::r#match",
            "f::in_other",
        ] {
            assert!(found.may_contain(path), "{path}: {found:?}");
        }
        for path in ["in_a", "a::in_a", "gone", "b::gone::in_b"] {
            assert!(!found.may_contain(path), "{path}");
        }
    }

    #[test]
    fn macros_and_missing_files_may_contain_any_function() {
        let macros = functions("macros", &[("src/lib.rs", "properties! { adds, sorts(u8) }")]);
        assert!(macros.may_contain("tests::adds"));
        assert!(!macros.may_contain("tests::gone"));
        for (name, text) in [
            ("missing", "mod missing;"),
            ("include", "include!(\"a.rs\");"),
            ("cfg_if", "cfg_if! { if #[cfg(unix)] { mod a; } }"),
            ("cfg_attr", "#[cfg_attr(unix, path = \"unix.rs\")] mod a;"),
            ("broken", "fn {"),
        ] {
            assert!(functions(name, &[("src/lib.rs", text)]).may_contain("gone"), "{text}");
        }
    }
}
