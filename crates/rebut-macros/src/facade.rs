//! The path of the crate `rebut` in generated code.
//!
//! `crate = path` sets it. Otherwise it is the name that the manifest of the package gives to
//! `rebut`. A package that has `rebut` only through another crate has no such name: there, the
//! path before the name of the macro is the path of the crate.

mod manifest;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::{Error, Path, Result};

use self::manifest::Dependency;

/// The placeholder for the standard library in generated code. `::std` does not exist in a
/// `#![no_std]` crate, so generated code reaches it through `rebut`.
const STD: &str = "__std";
/// The placeholder for the runtime of contracts.
const CONTRACT: &str = "__contract";

/// The path of the crate `rebut`.
#[derive(Clone)]
pub(crate) struct Facade {
    path: TokenStream,
    /// Why the path is not known.
    problem: Option<String>,
}

impl Default for Facade {
    fn default() -> Facade {
        match manifest::dependency() {
            Dependency::Unknown => Facade::named("rebut"),
            Dependency::Named(name) => Facade::named(&name),
            Dependency::Missing(manifest) => match path_of_macro() {
                Some(path) => Facade::at(&path),
                None => Facade { problem: Some(missing(&manifest)), ..Facade::named("rebut") },
            },
        }
    }
}

impl Facade {
    pub(crate) fn at(path: &Path) -> Facade {
        Facade { path: quote!(#path), problem: None }
    }

    /// Returns the path that `crate = path` among the arguments of an attribute sets.
    pub(crate) fn in_arguments(arguments: &TokenStream) -> Facade {
        let is_comma = |tree: &TokenTree| tree.to_string() == ",";
        let trees: Vec<TokenTree> = arguments.clone().into_iter().collect();
        let path = trees.split(is_comma).find_map(|setting| match setting {
            [TokenTree::Ident(name), TokenTree::Punct(_), path @ ..] if name == "crate" => {
                syn::parse2(path.iter().cloned().collect()).ok()
            }
            _ => None,
        });
        path.map_or_else(Facade::default, |path| Facade::at(&path))
    }

    fn named(name: &str) -> Facade {
        let name = Ident::new(name, Span::call_site());
        Facade { path: quote!(::#name), problem: None }
    }

    /// Returns the path of the crate.
    pub(crate) fn path(&self) -> &TokenStream {
        &self.path
    }

    /// Returns the path of the module with the items that generated code names.
    pub(crate) fn private(&self) -> TokenStream {
        let path = &self.path;
        quote!(#path::__private)
    }

    /// Returns `#[rebut::contract]` without its brackets, as code of the user.
    pub(crate) fn contract_attribute(&self) -> String {
        let path = self.path.to_string().replace(' ', "");
        let plain = path.strip_prefix("::").unwrap_or(&path);
        match plain.contains("::") || plain.starts_with("crate") {
            true => format!("{plain}::contract(crate = {path})"),
            false => format!("{plain}::contract"),
        }
    }

    /// Completes generated code: replaces the placeholders.
    pub(crate) fn complete(&self, code: TokenStream) -> Result<TokenStream> {
        match &self.problem {
            Some(problem) => Err(Error::new(Span::call_site(), problem)),
            None => {
                let private = self.private();
                let known = [(STD, quote!(#private::std)), (CONTRACT, quote!(#private::contract))];
                Ok(replaced(code, &known).0)
            }
        }
    }
}

/// Replaces the placeholders. Also returns whether there was one: other groups keep the spans of
/// their delimiters.
fn replaced(code: TokenStream, known: &[(&str, TokenStream)]) -> (TokenStream, bool) {
    let mut is_changed = false;
    let mut changed = TokenStream::new();
    for tree in code.clone() {
        match tree {
            TokenTree::Ident(name) => {
                match known.iter().find(|(placeholder, _)| name == placeholder) {
                    Some((_, path)) => {
                        is_changed = true;
                        changed.extend(path.clone());
                    }
                    None => changed.extend([TokenTree::Ident(name)]),
                }
            }
            TokenTree::Group(group) => match replaced(group.stream(), known) {
                (_, false) => changed.extend([TokenTree::Group(group)]),
                (inside, true) => {
                    is_changed = true;
                    let mut with = Group::new(group.delimiter(), inside);
                    with.set_span(group.span());
                    changed.extend([TokenTree::Group(with)]);
                }
            },
            tree => changed.extend([tree]),
        }
    }
    if is_changed { (changed, true) } else { (code, false) }
}

/// Returns the path before the name of the macro, as in `#[other::rebut::test]`.
fn path_of_macro() -> Option<Path> {
    if !proc_macro::is_available() {
        return None;
    }
    parent(&Span::call_site().source_text()?)
}

/// Returns the path before the name of the macro in an attribute or a derive.
fn parent(call: &str) -> Option<Path> {
    let call = call.trim_start_matches(['#', '!', '[', ' ', '\n']);
    let is_path = |letter: char| letter.is_alphanumeric() || "_:#".contains(letter);
    let end = call.find(|letter| !is_path(letter)).unwrap_or(call.len());
    let (path, _) = call[..end].rsplit_once("::")?;
    syn::parse_str(path).ok()
}

fn missing(manifest: &str) -> String {
    format!(
        "{manifest} has no dependency `rebut`; add it, or write where another crate re-exports it: \
         `crate = other::rebut` in the parentheses of the attribute, `#[generate(crate = \
         other::rebut)]` for a derive"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_the_macro_leads_to_the_crate() {
        let parent = |call| super::parent(call).map(|path| quote!(#path).to_string());
        assert_eq!(parent("#[other::rebut::test(cases = 3)]").as_deref(), Some("other :: rebut"));
        assert_eq!(parent("#[ ::other::contract]").as_deref(), Some(":: other"));
        assert_eq!(parent("rebut::Generate").as_deref(), Some("rebut"));
        assert_eq!(parent("#[test(search = a::b)]"), None);
        assert_eq!(parent("$crate::rebut::test"), None);
    }

    #[test]
    fn generated_code_reaches_the_standard_library_through_the_crate() {
        let facade = Facade::at(&syn::parse_quote!(other));
        let code = facade.complete(quote!(__std::vec![a, (std::b, __std::c)])).expect("code");
        let expected = quote!(other::__private::std::vec![a, (std::b, other::__private::std::c)]);
        assert_eq!(code.to_string(), expected.to_string());
    }
}
