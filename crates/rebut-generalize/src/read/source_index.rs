//! An index of the sources of a package: the parameter names of functions, and the traits that
//! types implement.
//!
//! A literal that is an argument of a call gets the name of the parameter. Functions are looked up
//! by name alone, because types are not known.

use crate::read::mockable::Implementors;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use syn::{FnArg, ImplItem, Item, Pat, Signature, TraitItem};

/// Parameter names by function name, and implementors of traits.
#[derive(Clone, Debug, Default)]
pub(crate) struct SourceIndex {
    functions: HashMap<String, Vec<Vec<String>>>,
    pub(crate) implementors: Implementors,
}

impl SourceIndex {
    /// Reads all files of a library, which are in this directory. Unreadable files are skipped.
    pub(crate) fn read(sources: &Path) -> SourceIndex {
        let mut index = SourceIndex::default();
        index.read_folder(sources, sources);
        index
    }

    fn read_folder(&mut self, sources: &Path, folder: &Path) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                self.read_folder(sources, &path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap_or_default();
                self.add(&text, path.strip_prefix(sources).ok());
            }
        }
    }

    /// Adds a file. `library_path` is its path within the sources of the library; `None` for a
    /// file of tests.
    pub(crate) fn add(&mut self, text: &str, library_path: Option<&Path>) {
        if let Ok(file) = syn::parse_file(text) {
            self.add_items(&file.items);
            self.implementors.add(&file.items, text, library_path);
        }
    }

    fn add_items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Fn(function) => self.add_signature(&function.sig),
                Item::Mod(module) => {
                    module.content.iter().for_each(|(_, items)| self.add_items(items));
                }
                Item::Impl(block) => block.items.iter().for_each(|item| {
                    if let ImplItem::Fn(function) = item {
                        self.add_signature(&function.sig);
                    }
                }),
                Item::Trait(block) => block.items.iter().for_each(|item| {
                    if let TraitItem::Fn(function) = item {
                        self.add_signature(&function.sig);
                    }
                }),
                _ => {}
            }
        }
    }

    fn add_signature(&mut self, signature: &Signature) {
        let name_of = |argument: &FnArg| match argument {
            FnArg::Receiver(_) => None,
            FnArg::Typed(typed) => Some(match &*typed.pat {
                Pat::Ident(name) => name.ident.to_string().trim_start_matches('_').to_owned(),
                _ => String::new(),
            }),
        };
        let names = signature.inputs.iter().filter_map(name_of).collect();
        self.functions.entry(signature.ident.to_string()).or_default().push(names);
    }

    /// Returns the parameter name of an argument. `None` if functions with that name disagree.
    pub(crate) fn parameter_name(
        &self,
        function: &str,
        arity: usize,
        nth: usize,
    ) -> Option<String> {
        let fitting = self.functions.get(function)?.iter().filter(|names| names.len() == arity);
        let mut names = fitting.filter_map(|names| names.get(nth));
        let name = names.next().filter(|name| !name.is_empty())?;
        names.all(|other| other == name).then(|| name.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_get_the_names_of_parameters() {
        let mut index = SourceIndex::default();
        for text in [
            "struct A; impl A { fn put(&mut self, index: u8, value: u8) {} }",
            "fn put(_index: u8, _: u8) {} fn sum(a: u8) {} mod m { fn sum(b: u8) {} }",
        ] {
            index.add(text, None);
        }
        assert_eq!(index.parameter_name("put", 2, 0).as_deref(), Some("index"));
        assert_eq!(index.parameter_name("put", 3, 0), None);
        assert_eq!(index.parameter_name("sum", 1, 0), None, "two functions disagree");
        assert_eq!(index.parameter_name("other", 1, 0), None);
    }
}
