//! Replaces names in tokens and in code.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::Type;

/// Replaces the name `from` with `by` everywhere in the tokens, also in macro calls.
pub(crate) fn named(tokens: TokenStream, from: &str, by: &TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    for tree in tokens {
        match tree {
            TokenTree::Ident(ident) if ident == from => out.extend(by.clone()),
            TokenTree::Group(group) => {
                let inside = named(group.stream(), from, by);
                let mut replaced = Group::new(group.delimiter(), inside);
                replaced.set_span(group.span());
                out.extend([TokenTree::Group(replaced)]);
            }
            tree => out.extend([tree]),
        }
    }
    out
}

/// Replaces `Self` and the parameters of a generic block in a type.
pub(super) fn in_type(ty: &Type, self_ty: &Type, with: &[(Ident, Type)]) -> TokenStream {
    let mut tokens = named(ty.to_token_stream(), "Self", &self_ty.to_token_stream());
    for (name, concrete) in with {
        tokens = named(tokens, &name.to_string(), &concrete.to_token_stream());
    }
    tokens
}

/// Returns code with `{0}` for `self`, `{1}`, `{2}` for parameters and `{model}` for `model`. A
/// printed program replaces them.
pub(super) fn template(text: &str, names: &[String], is_method: bool, has_model: bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let is_part = |c: char| c == '_' || c.is_alphanumeric();
        if first == '"' {
            let end = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            before = '"';
            continue;
        }
        if !is_part(first) {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            before = first;
            continue;
        }
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        let nth = match word {
            "model" if has_model && before != '.' => {
                out.push_str("{model}");
                before = 'a';
                rest = behind;
                continue;
            }
            "self" if is_method => Some(0),
            _ if before == '.' => None,
            _ => names.iter().position(|name| name == word).map(|n| n + usize::from(is_method)),
        };
        match nth {
            Some(nth) => out.push_str(&format!("{{{nth}}}")),
            None => out.push_str(word),
        }
        before = 'a';
        rest = behind;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_become_templates() {
        let names = ["n".to_owned(), "item".to_owned()];
        assert_eq!(
            template("self.capacity() >= n && self.n != item", &names, true, false),
            "{0}.capacity() >= {1} && {0}.n != {2}"
        );
        assert_eq!(template("n > 0 && s != \"n\"", &names, false, false), "{0} > 0 && s != \"n\"");
        assert_eq!(
            template("model.add(item, self.model)", &names, true, true),
            "{model}.add({2}, {0}.model)"
        );
    }

    #[test]
    fn names_are_replaced_in_macros_too() {
        let tokens = quote::quote!(matches!(self.x, Some(y) if y == self.z));
        let replaced = named(tokens, "self", &quote::quote!(this));
        assert_eq!(
            replaced.to_string(),
            quote::quote!(matches!(this.x, Some(y) if y == this.z)).to_string()
        );
    }
}
