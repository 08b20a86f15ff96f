//! The bounds of a derived implementation.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::{Generics, Ident, parse_quote};

use super::model::DerivedType;

/// Returns the generics of the type, with the bound `wanted` on every type parameter in `types`.
pub(super) fn extended(
    model: &DerivedType<'_>,
    types: impl Iterator<Item = TokenStream>,
    wanted: &TokenStream,
) -> Generics {
    let mut generics = model.generics.clone();
    let parameters: Vec<Ident> = generics.type_params().map(|p| p.ident.clone()).collect();
    if let Some(bound) = &model.bound {
        generics.make_where_clause().predicates.extend(bound.iter().cloned());
        return generics;
    }
    let mut found = Vec::new();
    for ty in types {
        mentioned(ty, &parameters, &mut found);
    }
    let mut seen: Vec<String> = Vec::new();
    for ty in found {
        let text = ty.to_string();
        if !seen.contains(&text) {
            seen.push(text);
            generics.make_where_clause().predicates.push(parse_quote!(#ty: #wanted));
        }
    }
    generics
}

/// Adds every `T` and `T::Associated` in the tokens, except in a `PhantomData`.
fn mentioned(tokens: TokenStream, parameters: &[Ident], found: &mut Vec<TokenStream>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut n = 0;
    while let Some(tree) = trees.get(n) {
        n += 1;
        match tree {
            TokenTree::Group(group) => mentioned(group.stream(), parameters, found),
            TokenTree::Ident(ident) if ident == "PhantomData" => n = after_arguments(&trees, n),
            TokenTree::Ident(ident) if parameters.contains(ident) && !is_segment(&trees, n - 1) => {
                match (is_punct(&trees, n, ':'), is_punct(&trees, n + 1, ':'), trees.get(n + 2)) {
                    (true, true, Some(TokenTree::Ident(associated))) => {
                        found.push(quote!(#ident::#associated));
                        n += 3;
                    }
                    _ => found.push(quote!(#ident)),
                }
            }
            _ => {}
        }
    }
}

fn is_punct(trees: &[TokenTree], n: usize, wanted: char) -> bool {
    matches!(trees.get(n), Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

/// Returns whether the token is a segment of a path after the first.
fn is_segment(trees: &[TokenTree], n: usize) -> bool {
    n >= 2 && is_punct(trees, n - 1, ':') && is_punct(trees, n - 2, ':')
}

/// Returns the index after `<..>`, if that begins at `n`.
fn after_arguments(trees: &[TokenTree], mut n: usize) -> usize {
    let mut depth = 0;
    loop {
        if is_punct(trees, n, '<') {
            depth += 1;
        } else if is_punct(trees, n, '>') && !is_punct(trees, n.wrapping_sub(1), '-') {
            depth -= 1;
        }
        if depth <= 0 || n >= trees.len() {
            return n;
        }
        n += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ty: TokenStream, expected: &[&str]) {
        let mut found = Vec::new();
        mentioned(ty, &[parse_quote!(T), parse_quote!(U)], &mut found);
        let found: Vec<_> = found.iter().map(ToString::to_string).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn finds_parameters_and_their_associated_types() {
        check(quote!(Vec<(T, Option<U>)>), &["T", "U"]);
        check(quote!(Option<T::Item>), &["T :: Item"]);
        check(quote!(other::T), &[]);
    }

    #[test]
    fn a_marker_needs_no_bound() {
        check(quote!((PhantomData<fn(T) -> T>, U)), &["U"]);
    }
}
