//! What the sources of a package say of what a test names: what the parameters of functions are
//! called, so that values promoted from their arguments can be called the same, and which traits
//! types implement.

use super::objects::Implementors;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use syn::{FnArg, ImplItem, Item, Pat, Signature, TraitItem};

/// The names of parameters, by the name of the function; and the implementors of traits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    functions: HashMap<String, Vec<Vec<String>>>,
    pub(super) implementors: Implementors,
}

impl Names {
    /// Of all files of a library, which are in this folder. What cannot be read has no names.
    pub(super) fn read(sources: &Path) -> Names {
        let mut names = Names::default();
        names.read_folder(sources, sources);
        names
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

    /// Adds what a file has; `place` is its path among the sources of a library, if it is there.
    pub(super) fn add(&mut self, text: &str, place: Option<&Path>) {
        if let Ok(file) = syn::parse_file(text) {
            self.add_items(&file.items);
            self.implementors.add(&file.items, text, place);
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

    /// What an argument of a call is called; none if functions of that name differ.
    pub(super) fn parameter(&self, function: &str, arity: usize, nth: usize) -> Option<String> {
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
    fn arguments_are_called_as_parameters_are() {
        let mut names = Names::default();
        for text in [
            "struct A; impl A { fn put(&mut self, index: u8, value: u8) {} }",
            "fn put(_index: u8, _: u8) {} fn sum(a: u8) {} mod m { fn sum(b: u8) {} }",
        ] {
            names.add(text, None);
        }
        assert_eq!(names.parameter("put", 2, 0).as_deref(), Some("index"));
        assert_eq!(names.parameter("put", 3, 0), None);
        assert_eq!(names.parameter("sum", 1, 0), None, "they differ");
        assert_eq!(names.parameter("other", 1, 0), None);
    }
}
