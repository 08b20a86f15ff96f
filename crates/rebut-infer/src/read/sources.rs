//! Reads the source files of a crate, module by module.

use crate::words;
use quote::ToTokens as _;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::status::path_on_one_line;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, Item, ItemMod, Lit, Meta};

/// A module of a crate.
#[derive(Clone)]
pub(crate) struct Module {
    /// Its path, without the name of the crate.
    pub(crate) path: Vec<String>,
    /// The file that contains it.
    pub(crate) file: PathBuf,
    /// The text of that file.
    pub(crate) text: Rc<str>,
    /// The end of the module, as a byte offset in the text.
    pub(crate) end: usize,
    pub(crate) items: Vec<Item>,
    /// Whether the crate is `no_std`, perhaps under a condition.
    pub(crate) is_no_std: bool,
}

/// Reads all modules of a crate except those of tests, starting from its root file.
///
/// # Errors
/// If a file cannot be read, or is not Rust.
pub(crate) fn modules(root: &Path) -> Result<Vec<Module>, Failure> {
    let mut modules = Vec::new();
    let folder = root.parent().unwrap_or(root).to_owned();
    read(root, &folder, Vec::new(), &mut modules)?;
    let is_no_std = modules.first().is_some_and(|root| may_be_no_std(&root.text));
    modules.iter_mut().for_each(|module| module.is_no_std = is_no_std);
    Ok(modules)
}

/// Whether a crate has the attribute `no_std`, perhaps under a condition.
fn may_be_no_std(root: &str) -> bool {
    let attributes = syn::parse_file(root).map(|file| file.attrs).unwrap_or_default();
    attributes.iter().any(|attribute| {
        let text = attribute.meta.to_token_stream().to_string();
        text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .any(|word| word == "no_std")
            && !attribute.path().is_ident("doc")
    })
}

/// Reads a file. The files of its modules are in `folder`.
fn read(
    file: &Path,
    folder: &Path,
    path: Vec<String>,
    modules: &mut Vec<Module>,
) -> Result<(), Failure> {
    let text = fs::read_to_string(file)
        .map_err(|error| Failure::new(Exit::File, words::file_failed(file, "read", error)))?;
    let parsed = syn::parse_file(&text).map_err(|error| {
        let (line, column) = (error.span().start().line, error.span().start().column + 1);
        let location = format!("{}:{line}:{column}", path_on_one_line(file));
        Failure::new(Exit::Usage, words::not_rust(&location, &error))
    })?;
    let (text, end) = (Rc::from(text.as_str()), text.len());
    let (file, items) = (file.to_owned(), parsed.items);
    let module = Module { path, file, text, end, items, is_no_std: false };
    add_module(module, folder, modules)
}

/// Adds a module and the modules in it.
fn add_module(module: Module, folder: &Path, modules: &mut Vec<Module>) -> Result<(), Failure> {
    let inner: Vec<ItemMod> = module
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Mod(inner) if !is_for_tests(&inner.attrs) => Some(inner.clone()),
            _ => None,
        })
        .collect();
    let (path, file, text) = (module.path.clone(), module.file.clone(), Rc::clone(&module.text));
    modules.push(module);
    for inner in inner {
        let name = inner.ident.to_string().trim_start_matches("r#").to_owned();
        let path: Vec<String> = path.iter().cloned().chain([name.clone()]).collect();
        match inner.content {
            Some((braces, items)) => {
                let end = braces.span.close().byte_range().start;
                let (file, text) = (file.clone(), Rc::clone(&text));
                let inner = Module { path, file, text, end, items, is_no_std: false };
                add_module(inner, &folder.join(&name), modules)?;
            }
            None => {
                if let Some((file, folder)) = module_file(&inner, &name, &file, folder) {
                    read(&file, &folder, path, modules)?;
                }
            }
        }
    }
    Ok(())
}

/// Returns the file of a module and the directory of the modules in it. `None` if the file does not
/// exist: the module may be for another platform.
fn module_file(
    module: &ItemMod,
    name: &str,
    file: &Path,
    folder: &Path,
) -> Option<(PathBuf, PathBuf)> {
    if let Some(path) = module.attrs.iter().find_map(path_attribute) {
        let file = file.parent()?.join(path);
        let folder = file.parent()?.to_owned();
        return file.is_file().then_some((file, folder));
    }
    let own = folder.join(name);
    [folder.join(format!("{name}.rs")), own.join("mod.rs")]
        .into_iter()
        .find(|file| file.is_file())
        .map(|file| (file, own))
}

/// Returns the path in `#[path = ".."]`.
fn path_attribute(attribute: &Attribute) -> Option<String> {
    match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) => Some(path.value()),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an item is compiled for tests only.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    let is = |attribute: &Attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => list.tokens.to_string() == "test",
        _ => false,
    };
    attributes.iter().any(is)
}

impl Module {
    /// Returns the text of a syntax node.
    pub(crate) fn text_of(&self, spanned: &impl Spanned) -> &str {
        self.text.get(spanned.span().byte_range()).unwrap_or_default()
    }

    /// Returns the imports of a module of tests inside this one.
    pub(crate) fn test_imports(&self) -> &'static str {
        match self.is_no_std {
            true => "use super::*;\nextern crate std;\nuse std::prelude::v1::*;\n",
            false => "use super::*;\n",
        }
    }

    /// Returns the path of an item of the module, from the root of the crate.
    pub(crate) fn path_to(&self, name: &str) -> String {
        let parts = self.path.iter().map(String::as_str).chain([name]);
        parts.collect::<Vec<_>>().join("::")
    }
}

#[cfg(test)]
impl Module {
    /// Parses a module that is not in a file.
    pub(crate) fn from_text(path: &[&str], text: &str) -> Module {
        let items = syn::parse_file(text).expect("Rust code").items;
        let path = path.iter().map(|part| (*part).to_owned()).collect();
        let (file, end, is_no_std) = (PathBuf::new(), text.len(), false);
        Module { path, file, text: Rc::from(text), end, items, is_no_std }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_without_the_standard_library_is_recognized() {
        for text in ["#![no_std]\n", "#![cfg_attr(not(feature = \"std\"), no_std)]\nmod a;\n"] {
            assert!(may_be_no_std(text), "{text}");
        }
        for text in ["", "//! For `no_std` as well.\n", "#![allow(no_std_or_other)]\n"] {
            assert!(!may_be_no_std(text), "{text}");
        }
    }

    #[test]
    fn modules_in_other_files_are_read() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
        let modules = modules(&root).unwrap_or_default();
        let paths: Vec<String> = modules.iter().map(|module| module.path.join("::")).collect();
        for there in ["", "read::sources", "write::contract"] {
            assert!(paths.iter().any(|path| path == there), "{there} is not among {paths:?}");
        }
        assert!(!paths.iter().any(|path| path.contains("tests")), "{paths:?}");
    }
}
