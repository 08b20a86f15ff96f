//! Parameters that have the name of a function.
//!
//! Generated values are local variables with the names of the parameters, so that later generators
//! can use them. A variable hides a function of the same name: the property itself in `fn list(list:
//! Vec<u8>)`, or a function that a later generator or an example calls. Such a variable gets
//! another hygiene, which only the uses of the variable share. A name before parentheses is a
//! function, unless the parameter can be called.

use std::collections::HashSet;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Expr, Result};

use super::Example;
use super::parameter::Parameter;
use super::rows::Row;

/// Separates the variables of the parameters from the functions with the same names.
pub(super) fn separate(
    function: &Ident,
    parameters: &mut [Parameter],
    examples: &mut [Example],
    rows: &mut [Row],
) -> Result<()> {
    let mut called = HashSet::from([function.to_string()]);
    let of_rows = rows.iter().flat_map(|row| row.values.iter().flatten());
    let values = examples.iter().flat_map(|example| &example.values).chain(of_rows);
    for expression in parameters.iter().flat_map(Parameter::expressions).chain(values) {
        find_calls(expression.to_token_stream(), &mut called);
    }
    let mut hiding: Vec<Ident> = Vec::new();
    let mut generated = 0;
    for (n, parameter) in parameters.iter_mut().enumerate() {
        // Only later expressions can name a variable.
        if !hiding.is_empty() {
            parameter.change_expressions(&|expression| renamed(expression, &hiding))?;
            let of_rows = rows.iter_mut().filter_map(|row| row.values[n].as_mut());
            let of_examples = examples
                .iter_mut()
                .filter(|_| !parameter.is_fixed())
                .filter_map(|example| example.values.get_mut(generated));
            for value in of_rows.chain(of_examples) {
                *value = renamed(value, &hiding)?;
            }
        }
        generated += usize::from(!parameter.is_fixed());
        let variable = parameter.variable();
        if called.contains(&variable.to_string()) && !parameter.is_callable() {
            hiding.push(variable.clone());
            parameter.separate_variable();
        }
    }
    Ok(())
}

/// Returns the name of the variable that stands for `name`.
pub(super) fn separated(name: &Ident) -> Ident {
    Ident::new(&name.to_string(), name.span().resolved_at(Span::mixed_site()))
}

/// Adds the names that come before parentheses.
fn find_calls(tokens: TokenStream, called: &mut HashSet<String>) {
    let mut last: Option<Ident> = None;
    let mut before = Before::Other;
    for tree in tokens {
        if let (Some(name), TokenTree::Group(group)) = (&last, &tree)
            && group.delimiter() == proc_macro2::Delimiter::Parenthesis
        {
            called.insert(name.to_string());
        }
        last = match (&tree, before) {
            (TokenTree::Ident(name), Before::Other) => Some(name.clone()),
            _ => None,
        };
        before = Before::of(&tree);
        if let TokenTree::Group(group) = tree {
            find_calls(group.stream(), called);
        }
    }
}

/// The token before a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A dot or a colon: the name is a method, a field or the end of a path.
    Selector,
    Other,
}

impl Before {
    fn of(tree: &TokenTree) -> Before {
        match tree {
            TokenTree::Punct(punct) if matches!(punct.as_char(), '.' | ':') => Before::Selector,
            _ => Before::Other,
        }
    }
}

fn renamed(expression: &Expr, hiding: &[Ident]) -> Result<Expr> {
    syn::parse2(rename(expression.to_token_stream(), hiding))
}

/// Gives the hygiene of the variables to all names that are not called.
fn rename(tokens: TokenStream, hiding: &[Ident]) -> TokenStream {
    let mut trees = tokens.into_iter().peekable();
    let mut renamed = TokenStream::new();
    while let Some(tree) = trees.next() {
        let is_called = matches!(trees.peek(), Some(TokenTree::Group(group))
            if group.delimiter() == proc_macro2::Delimiter::Parenthesis);
        let tree = match tree {
            TokenTree::Ident(name) if !is_called && hiding.contains(&name) => {
                TokenTree::Ident(separated(&name))
            }
            // A format string can name a variable.
            TokenTree::Literal(mut literal) if names_one(&literal.to_string(), hiding) => {
                literal.set_span(literal.span().resolved_at(Span::mixed_site()));
                TokenTree::Literal(literal)
            }
            TokenTree::Group(group) => {
                let mut changed = Group::new(group.delimiter(), rename(group.stream(), hiding));
                changed.set_span(group.span());
                TokenTree::Group(changed)
            }
            tree => tree,
        };
        renamed.extend([tree]);
    }
    renamed
}

fn names_one(literal: &str, names: &[Ident]) -> bool {
    names.iter().any(|name| {
        literal.contains(&format!("{{{name}}}")) || literal.contains(&format!("{{{name}:"))
    })
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::*;

    #[test]
    fn only_plain_names_before_parentheses_are_called() {
        let mut called = HashSet::new();
        find_calls(quote!(a(b, c.d(1)) + e::f(2) + [g(h)] + "i"(3) + j!(k)), &mut called);
        let mut called: Vec<_> = called.into_iter().collect();
        called.sort();
        assert_eq!(called, ["a", "g"]);
    }
}
