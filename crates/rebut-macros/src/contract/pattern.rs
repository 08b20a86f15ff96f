//! Parameters that are patterns or `mut`.
//!
//! A clause names the variables of a pattern, so code that checks it must take the argument apart and
//! put it together again for the call. A `mut` variable is the argument only until the body changes it,
//! so the body gets a variable of its own.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote};
use syn::{Block, FnArg, Pat, PatIdent, Signature};

use super::clause::{Clauses, names};
use crate::name_value::local;

/// Calls `act` for each variable of a pattern that can be put together again.
fn each_variable(pat: &mut Pat, act: &mut dyn FnMut(&mut PatIdent)) {
    match pat {
        Pat::Ident(ident) => act(ident),
        Pat::Paren(paren) => each_variable(&mut paren.pat, act),
        Pat::Reference(reference) => each_variable(&mut reference.pat, act),
        Pat::Tuple(tuple) => tuple.elems.iter_mut().for_each(|pat| each_variable(pat, act)),
        Pat::Slice(slice) => slice.elems.iter_mut().for_each(|pat| each_variable(pat, act)),
        Pat::TupleStruct(tuple) => tuple.elems.iter_mut().for_each(|pat| each_variable(pat, act)),
        Pat::Struct(fields) => {
            fields.fields.iter_mut().for_each(|field| each_variable(&mut field.pat, act));
        }
        _ => {}
    }
}

/// A pattern in place of the name of a parameter.
pub(super) struct TakenApart {
    /// The pattern, without `mut`.
    pub(super) pattern: Pat,
    /// The expression with the value of the argument, if the variables have all of it.
    pub(super) whole: Option<TokenStream>,
    variables: Vec<Ident>,
}

impl TakenApart {
    /// Returns the pattern of a parameter, unless it is a name.
    pub(super) fn of(pat: &Pat) -> Option<TakenApart> {
        if matches!(pat, Pat::Ident(_)) {
            return None;
        }
        let mut pattern = pat.clone();
        let mut variables = Vec::new();
        each_variable(&mut pattern, &mut |ident| {
            variables.push(ident.ident.clone());
            ident.mutability = ident.mutability.filter(|_| ident.by_ref.is_some());
        });
        let whole = together(&pattern);
        Some(TakenApart { pattern, whole, variables })
    }

    pub(super) fn variables(&self) -> &[Ident] {
        &self.variables
    }

    /// Returns whether a condition uses a variable of the pattern.
    pub(super) fn is_named_in(&self, condition: &TokenStream) -> bool {
        self.variables.iter().any(|variable| names(condition, &variable.to_string()))
    }
}

/// Returns the expression that is equal to the value that the pattern took apart.
fn together(pat: &Pat) -> Option<TokenStream> {
    let all = |pats: &mut dyn Iterator<Item = &Pat>| pats.map(together).collect::<Option<Vec<_>>>();
    match pat {
        Pat::Ident(PatIdent { by_ref: None, subpat: None, ident, .. }) => {
            Some(ident.to_token_stream())
        }
        Pat::Paren(paren) => together(&paren.pat),
        Pat::Tuple(tuple) => {
            let elements = all(&mut tuple.elems.iter())?;
            Some(quote!((#(#elements,)*)))
        }
        Pat::TupleStruct(tuple) if tuple.qself.is_none() => {
            let (path, elements) = (&tuple.path, all(&mut tuple.elems.iter())?);
            Some(quote!(#path(#(#elements),*)))
        }
        Pat::Struct(fields) if fields.qself.is_none() && fields.rest.is_none() => {
            let (path, members) = (&fields.path, fields.fields.iter().map(|field| &field.member));
            let values = all(&mut fields.fields.iter().map(|field| &*field.pat))?;
            Some(quote!(#path { #(#members: #values),* }))
        }
        _ => None,
    }
}

/// Gives the body of a function its own variables for the `mut` parameters that a postcondition uses.
/// The condition then sees the argument.
pub(super) fn rebind(signature: &mut Signature, clauses: &Clauses, body: &mut Block) {
    let mut statements = Vec::new();
    for input in &mut signature.inputs {
        let FnArg::Typed(input) = input else { continue };
        each_variable(&mut input.pat, &mut |variable| {
            let name = variable.ident.to_string();
            let is_used = clauses.ensures.iter().any(|clause| names(&clause.condition, &name));
            if let (None, Some(mutability), true) = (&variable.by_ref, variable.mutability, is_used)
            {
                let ident = &variable.ident;
                statements.push(syn::parse_quote!(let #mutability #ident = #ident;));
                variable.mutability = None;
            }
        });
    }
    body.stmts.splice(0..0, statements);
}

/// Prepares the parameters of a function whose body is elsewhere, to pass them on: each has a name, and
/// only the body changes them.
pub(super) fn pass_on(signature: &mut Signature) {
    for (nth, input) in signature.inputs.iter_mut().enumerate() {
        let FnArg::Typed(input) = input else { continue };
        if matches!(*input.pat, Pat::Wild(_)) {
            let name = unnamed(nth);
            *input.pat = syn::parse_quote!(#name);
        }
        each_variable(&mut input.pat, &mut |variable| {
            variable.mutability = variable.mutability.filter(|_| variable.by_ref.is_some());
        });
    }
}

/// Returns the name of a parameter that is `_`.
pub(super) fn unnamed(nth: usize) -> Ident {
    local(&format!("argument_{nth}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_put_together_again() {
        let check = |pattern: &str, expected: Option<&str>| {
            let function = format!("fn f({pattern}: T) {{}}");
            let function = syn::parse_str::<syn::ItemFn>(&function).expect("a function");
            let Some(FnArg::Typed(input)) = function.sig.inputs.first() else {
                panic!("no parameter")
            };
            let apart = TakenApart::of(&input.pat).expect("a pattern");
            let whole = apart.whole.map(|whole| whole.to_string().replace(' ', ""));
            assert_eq!(whole.as_deref(), expected, "{pattern}");
        };
        check("(a, mut b)", Some("(a,b,)"));
        check("Point { x, y: (y,) }", Some("Point{x:x,y:(y,)}"));
        check("Meters(n)", Some("Meters(n)"));
        check("(a, _)", None);
        check("Point { x, .. }", None);
        check("[a, b]", None);
    }
}
