//! `#[requires(..)]`, `#[ensures(..)]` and `#[invariant(..)]`.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Attribute, Error, Expr, FnArg, Meta, Pat, Result, ReturnType, Signature, Token, Type};

use crate::name_value::{Errors, as_text};
use crate::{generated, written};

/// One condition.
pub(super) struct Clause {
    pub(super) condition: TokenStream,
    /// The condition as written, or the message after it.
    pub(super) text: String,
    pub(super) span: Span,
}

/// The clauses of one item.
#[derive(Default)]
pub(super) struct Clauses {
    pub(super) requires: Vec<Clause>,
    pub(super) ensures: Vec<Clause>,
    pub(super) invariants: Vec<Clause>,
    /// The expressions in `old(..)`, and the variables for their values.
    pub(super) olds: Vec<(Ident, TokenStream)>,
}

impl Clauses {
    /// Removes the clauses from a list of attributes and parses them.
    pub(super) fn take(attributes: &mut Vec<Attribute>) -> Result<Clauses> {
        let mut errors = Errors::default();
        let mut clauses = Clauses::default();
        attributes.retain(|attribute| match kind_of(attribute) {
            None => true,
            Some(kind) => {
                errors.ok(clauses.add(kind, attribute));
                false
            }
        });
        errors.finish(clauses)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.requires.is_empty() && self.ensures.is_empty() && self.invariants.is_empty()
    }

    fn add(&mut self, kind: &str, attribute: &Attribute) -> Result<()> {
        for clause in parse(kind, attribute)? {
            match kind {
                "requires" => {
                    no_old(&clause)?;
                    self.requires.push(clause);
                }
                "invariant" => {
                    no_old(&clause)?;
                    self.invariants.push(clause);
                }
                _ => {
                    // The crate `contracts` calls the result `ret`.
                    let result = Ident::new("result", Span::call_site());
                    let condition = self.without_old(clause.condition)?;
                    let condition = super::substitute::variable(condition, "ret", &quote!(#result));
                    self.ensures.push(Clause { condition, ..clause });
                }
            }
        }
        Ok(())
    }

    /// Replaces each `old(..)` with a variable.
    fn without_old(&mut self, tokens: TokenStream) -> Result<TokenStream> {
        let mut out = TokenStream::new();
        let mut trees = tokens.into_iter().peekable();
        while let Some(tree) = trees.next() {
            match (tree, trees.peek()) {
                (TokenTree::Ident(name), Some(TokenTree::Group(group))) if name == "old" => {
                    let inside = group.stream();
                    if inside.is_empty() {
                        let message = "`old` takes an expression: `old(self.len())`";
                        return Err(Error::new(name.span(), message));
                    }
                    let span = generated::span(name.span());
                    let kept = format_ident!("old_{}", self.olds.len(), span = span);
                    out.extend([TokenTree::Ident(kept.clone())]);
                    self.olds.push((kept, inside));
                    trees.next();
                }
                (TokenTree::Group(group), _) => {
                    let inside = self.without_old(group.stream())?;
                    let mut replaced = proc_macro2::Group::new(group.delimiter(), inside);
                    replaced.set_span(group.span());
                    out.extend([TokenTree::Group(replaced)]);
                }
                (tree, _) => out.extend([tree]),
            }
        }
        Ok(out)
    }

    pub(super) fn refuse_invariants(&self) -> Result<()> {
        match self.invariants.first() {
            None => Ok(()),
            Some(clause) => Err(Error::new(
                clause.span,
                "an invariant belongs to a type: write it above the `impl` block, below \
                 `#[rebut::contract]`; for one function, write `#[requires]` and `#[ensures]`",
            )),
        }
    }

    pub(super) fn only_invariants(&self) -> Result<()> {
        match self.requires.first().or(self.ensures.first()) {
            None => Ok(()),
            Some(clause) => Err(Error::new(
                clause.span,
                "this attribute belongs on a function; for a condition on all functions, \
                 write `#[invariant(..)]`",
            )),
        }
    }

    /// Checks that `old` does not borrow what the function changes, and that `ensures` does not use `self` if the result borrows from `&mut self`: the receiver
    /// is still borrowed then.
    pub(super) fn check_borrows(&self, signature: &Signature) -> Result<()> {
        let borrows_mutably = signature.inputs.iter().any(|input| {
            matches!(input, FnArg::Receiver(_)) && super::checked::is_mutable_loan(input)
        });
        let mut errors = Errors::default();
        if borrows_mutably {
            for (_, value) in &self.olds {
                let is_reference = matches!(value.clone().into_iter().next(),
                    Some(TokenTree::Punct(punct)) if punct.as_char() == '&');
                if is_reference && names(value, "self") {
                    errors.add(Error::new_spanned(
                        value,
                        "`old` keeps a value, and this is a reference to what the function changes; \
                         write what you compare, as in `old(self.len())`, or `old(self.items.clone())`",
                    ));
                }
            }
        }
        if !borrows_mutably || !is_borrowed(&signature.output) {
            return errors.finish(());
        }
        for clause in self.ensures.iter().filter(|clause| names(&clause.condition, "self")) {
            errors.add(Error::new(
                clause.span,
                "the result borrows from `self`, so a condition cannot use `self`; use \
                 `result` or `old(..)`, or return an owned value",
            ));
        }
        errors.finish(())
    }
}

/// Returns whether the result contains a reference or a lifetime.
pub(super) fn is_borrowed(output: &ReturnType) -> bool {
    match output {
        ReturnType::Default => false,
        ReturnType::Type(_, ty) => borrows(ty),
    }
}

/// Returns whether a type contains a reference or a lifetime other than `'static`.
pub(crate) fn borrows(ty: &Type) -> bool {
    let text = ty.to_token_stream().to_string().replace("& 'static", "").replace("'static", "");
    text.contains('&') || text.contains('\'')
}

/// Returns whether tokens contain a name.
pub(super) fn names(tokens: &TokenStream, name: &str) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => names(&group.stream(), name),
        _ => false,
    })
}

fn no_old(clause: &Clause) -> Result<()> {
    if !calls_old(&clause.condition) {
        return Ok(());
    }
    let message = "`old(..)` is a value before the call: use it in `#[ensures]`";
    Err(Error::new(clause.span, message))
}

fn calls_old(tokens: &TokenStream) -> bool {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let here = trees.windows(2).any(|pair| match pair {
        [TokenTree::Ident(name), TokenTree::Group(_)] => name == "old",
        _ => false,
    });
    here || trees.iter().any(|tree| match tree {
        TokenTree::Group(group) => calls_old(&group.stream()),
        _ => false,
    })
}

/// Returns the kind of a clause, if the attribute is one. The `debug_` and `test_` forms of the
/// crate `contracts` mean the same here.
fn kind_of(attribute: &Attribute) -> Option<&'static str> {
    let last = attribute.path().segments.last()?.ident.to_string();
    let plain = last.strip_prefix("debug_").or(last.strip_prefix("test_")).unwrap_or(&last);
    ["requires", "ensures", "invariant"].into_iter().find(|kind| *kind == plain)
}

/// Parses the conditions of an attribute. A string after them replaces them in reports.
fn parse(kind: &str, attribute: &Attribute) -> Result<Vec<Clause>> {
    let Meta::List(list) = &attribute.meta else {
        let message = format!("expected a condition: `#[{kind}(self.len() > 0)]`");
        return Err(Error::new_spanned(attribute, message));
    };
    let conditions = list.parse_args_with(Punctuated::<Expr, Token![,]>::parse_terminated)?;
    let mut conditions: Vec<Expr> = conditions.into_iter().collect();
    let message = match conditions.last().and_then(as_text) {
        Some(text) => {
            let text = text.value();
            conditions.pop();
            Some(text)
        }
        None => None,
    };
    if conditions.is_empty() {
        let message = format!("expected a condition: `#[{kind}(self.len() > 0)]`");
        return Err(Error::new_spanned(attribute, message));
    }
    let clause = |condition: Expr| {
        let tokens = condition.to_token_stream();
        let text = message.clone().unwrap_or_else(|| written::text(&tokens));
        Clause { span: condition.span(), condition: tokens, text }
    };
    Ok(conditions.into_iter().map(clause).collect())
}

/// The contract of a callback.
pub(super) struct CallbackClauses {
    pub(super) name: Ident,
    pub(super) ty: Type,
    pub(super) clauses: Clauses,
}

/// Returns whether a function has a clause that code under test can violate in a call by a program.
pub(super) fn can_fail(
    clauses: &Clauses,
    parameters: &[CallbackClauses],
    invariants: &Clauses,
) -> bool {
    let is_checked = |parameter: &CallbackClauses| !parameter.clauses.requires.is_empty();
    !clauses.ensures.is_empty()
        || !invariants.invariants.is_empty()
        || parameters.iter().any(is_checked)
}

/// Removes the clauses from parameters and parses them. With `has_invariants`, callbacks without
/// clauses are among them: the checks then see that calls inside of a callback come from outside.
pub(super) fn take_callback_clauses(
    signature: &mut Signature,
    has_invariants: bool,
) -> Result<Vec<CallbackClauses>> {
    let mut errors = Errors::default();
    let mut all = Vec::new();
    for input in &mut signature.inputs {
        let FnArg::Typed(typed) = input else { continue };
        let Some(clauses) = errors.ok(Clauses::take(&mut typed.attrs)) else { continue };
        let ty = (*typed.ty).clone();
        let is_callback = super::passing::callable(&ty).is_some();
        if clauses.is_empty() && !(has_invariants && is_callback) {
            continue;
        }
        match super::name_of(input) {
            Some(name) if is_callback => {
                all.push(CallbackClauses { name: name.clone(), ty, clauses });
                // The checks move the callback to another variable, which is mutable.
                if let FnArg::Typed(typed) = input
                    && let Pat::Ident(pattern) = &mut *typed.pat
                {
                    pattern.mutability = None;
                }
            }
            _ if clauses.is_empty() => {}
            _ => errors.push(
                &ty,
                "only callable parameters can have a contract: `impl Fn(..)`, `Box<dyn Fn(..)>`, \
                 `&mut dyn FnMut(..)`; for a value, write `#[requires]` on the function",
            ),
        }
    }
    errors.finish(all)
}

/// Returns the statements `let old_0 = ..`, which evaluate only if the call is checked.
pub(super) fn remember(
    olds: &[(Ident, TokenStream)],
    runtime: &TokenStream,
    call: &Ident,
) -> TokenStream {
    let lets = olds.iter().map(|(name, expression)| {
        quote! {
            let #name = #call
                .is_checked()
                .then(|| #runtime::blame::untracked(|| #expression));
        }
    });
    quote!(#(#lets)*)
}
