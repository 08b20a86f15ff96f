//! Adds the checks of a contract around the body of a function.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Block, Error, FnArg, Result, ReturnType, Safety, Signature};

use super::Options;
use super::clause::{CallbackClauses, Clause, Clauses, remember};
use super::passing::{self, CallableType};
use crate::generated;
use crate::name_value::local;

/// The function, as reports name it.
pub(super) struct Subject<'a> {
    pub(super) path: String,
    pub(super) party: String,
    pub(super) invariants: &'a [Clause],
}

/// A function with its contract.
pub(super) struct CheckedFunction<'a> {
    pub(super) options: &'a Options,
    pub(super) subject: Subject<'a>,
    pub(super) clauses: &'a Clauses,
    pub(super) parameters: &'a [CallbackClauses],
    /// Whether the function is visible outside of the module.
    pub(super) is_visible: bool,
}

/// Checks that the function can have a contract.
pub(super) fn check_signature(signature: &Signature) -> Result<()> {
    if let Some(asyncness) = &signature.asyncness {
        return Err(Error::new_spanned(
            asyncness,
            "an async function cannot have a contract, because other code runs between its \
             call and its end; write the contract on the function that does the work",
        ));
    }
    if let Some(constness) = &signature.constness {
        return Err(Error::new_spanned(
            constness,
            "a const function cannot check a contract; remove `const`, or leave the function in \
             an impl block without `#[rebut::contract]`",
        ));
    }
    if let Safety::Unsafe(unsafety) = &signature.safety {
        return Err(Error::new_spanned(
            unsafety,
            "an unsafe function cannot have a contract; move it to an impl block without \
             `#[rebut::contract]`",
        ));
    }
    Ok(())
}

impl CheckedFunction<'_> {
    /// Returns the body with checks around it.
    pub(super) fn block(&self, signature: &Signature, body: &Block) -> TokenStream {
        let (runtime, call) = (self.options.runtime(), local("call"));
        let (path, party) = (&self.subject.path, &self.subject.party);
        let active = self.active();
        let begin = quote! {
            let #call = #runtime::blame::enter(#active, &#runtime::blame::Callee {
                path: #path,
                party: #runtime::blame::Party::Code(#party),
            });
        };
        let around = self.around(signature, &generated::block(body));
        let mut checked = Group::new(Delimiter::Brace, quote!(#begin #around));
        checked.set_span(body.brace_token.span.join());
        checked.into_token_stream()
    }

    /// Returns the expression for whether contracts are checked in this build.
    pub(super) fn active(&self) -> TokenStream {
        let runtime = self.options.runtime();
        quote!(::core::cfg!(any(test, debug_assertions)) || #runtime::ALWAYS)
    }

    /// Returns the checks around an expression, for a call that has begun.
    pub(super) fn around(&self, signature: &Signature, body: &TokenStream) -> TokenStream {
        let call = local("call");
        let has_self = signature.receiver().is_some();
        let before = self.before(has_self);
        let wraps = self.parameters.iter().map(|parameter| self.wrap(parameter));
        let invariants = self.invariants(signature);
        if self.clauses.ensures.is_empty() && invariants.is_none() {
            return quote!(#before #(#wraps)* #body);
        }
        let olds = remember(&self.clauses.olds, &self.options.runtime(), &call);
        let output = match &signature.output {
            ReturnType::Default => quote!(()),
            ReturnType::Type(_, ty) => quote!(#ty),
        };
        let result = Ident::new("result", Span::call_site());
        let moved = super::clause::is_borrowed(&signature.output).then(|| quote!(move));
        let returns = match &signature.output {
            ReturnType::Type(_, ty) if ty.to_token_stream().to_string().starts_with("impl ") => {
                quote!()
            }
            _ => quote!(-> #output),
        };
        let after = self.after(has_self);
        quote! {
            #before
            #olds
            let #result = { #(#wraps)* (#moved || #returns { #body })() };
            #after
            #invariants
            #result
        }
    }

    fn before(&self, has_self: bool) -> TokenStream {
        let call = local("call");
        let method = Ident::new("break_requires", Span::mixed_site());
        let mut checks = self.checks(&self.clauses.requires, &method, has_self);
        if has_self && self.is_visible && !self.subject.invariants.is_empty() {
            let method = Ident::new("break_invariant", Span::mixed_site());
            let kept = self.checks(self.subject.invariants, &method, true);
            checks = quote!(#checks if #call.is_from_outside() { #kept });
        }
        if checks.is_empty() {
            return quote!(let _ = &#call;);
        }
        quote!(if #call.is_checked() { #checks })
    }

    fn after(&self, has_self: bool) -> TokenStream {
        if self.clauses.ensures.is_empty() {
            return quote!();
        }
        let call = local("call");
        let method = Ident::new("break_ensures", Span::mixed_site());
        let checks = self.checks(&self.clauses.ensures, &method, has_self);
        let olds: Vec<&Ident> = self.clauses.olds.iter().map(|(name, _)| name).collect();
        match olds.is_empty() {
            true => quote!(if #call.is_checked() { #checks }),
            false => quote! {
                if let (#(::core::option::Option::Some(#olds),)*) = (#(#olds,)*) { #checks }
            },
        }
    }

    /// Returns the checks of invariants after a function that changes or constructs an object.
    fn invariants(&self, signature: &Signature) -> Option<TokenStream> {
        if self.subject.invariants.is_empty() || !self.is_visible {
            return None;
        }
        let call = local("call");
        let changes = signature
            .receiver()
            .is_some_and(|receiver| receiver.to_token_stream().to_string().contains("& mut"));
        if changes && super::clause::is_borrowed(&signature.output) {
            return None;
        }
        let method = Ident::new("break_invariant", Span::mixed_site());
        if changes {
            let checks = self.checks(self.subject.invariants, &method, true);
            return Some(quote!(if #call.is_from_outside() { #checks }));
        }
        let makes = signature.receiver().is_none()
            && matches!(&signature.output, ReturnType::Type(_, ty)
                if ty.to_token_stream().to_string() == "Self");
        makes.then(|| {
            let about: Vec<Clause> = self
                .subject
                .invariants
                .iter()
                .map(|clause| Clause {
                    condition: super::substitute::named(
                        clause.condition.clone(),
                        "self",
                        &Ident::new("result", Span::call_site()).to_token_stream(),
                    ),
                    text: clause.text.clone(),
                    written: clause.written.clone(),
                    span: clause.span,
                })
                .collect();
            let checks = self.checks(&about, &method, false);
            quote!(if #call.is_checked() { #checks })
        })
    }

    fn checks(&self, clauses: &[Clause], method: &Ident, has_self: bool) -> TokenStream {
        let (runtime, call) = (self.options.runtime(), local("call"));
        let private = self.options.facade.private();
        let object = match has_self {
            true => {
                let this = quote!(self);
                quote!(::core::option::Option::Some({
                    use #private::show::*;
                    (&&&#private::Shown(&*(&#this))).show()
                }))
            }
            false => quote!(::core::option::Option::None),
        };
        let checks = clauses.iter().map(|clause| {
            let (condition, text) = (&clause.condition, &clause.text);
            // The span of the clause distinguishes this failure from others.
            quote_spanned! {clause.span=>
                if !#runtime::blame::holds(|| #condition) {
                    #call.#method(#text, &|| #object);
                }
            }
        });
        quote!(#(#checks)*)
    }

    /// Wraps a callback with the checks of its own contract.
    fn wrap(&self, parameter: &CallbackClauses) -> TokenStream {
        let Some(callable) = passing::callable(&parameter.ty) else { return quote!() };
        let (runtime, call, giver) = (self.options.runtime(), local("call"), local("giver"));
        let active = self.active();
        let name = &parameter.name;
        let path = format!("{}::{name}", self.subject.path);
        let CallableType { inputs, output, .. } = &callable;
        let names: Vec<Ident> =
            (0..inputs.len()).map(|n| Ident::new(&format!("_{n}"), Span::call_site())).collect();
        let inner = CheckedFunction {
            options: self.options,
            subject: Subject { path: path.clone(), party: String::new(), invariants: &[] },
            clauses: &parameter.clauses,
            parameters: &[],
            is_visible: true,
        };
        let signature: Signature = syn::parse_quote!(fn f() -> #output);
        let around = inner.around(&signature, &quote!(#name(#(#names),*)));
        let closure = quote! {
            move |#(#names: #inputs),*| -> #output {
                let #call = #runtime::blame::enter_callback(#active, &[
                    #runtime::blame::Callee {
                        path: #path,
                        party: #runtime::blame::Party::Code(""),
                    },
                    #runtime::blame::Callee {
                        path: #path,
                        party: #runtime::blame::Party::Program,
                    },
                    #runtime::blame::Callee {
                        path: #path,
                        party: #runtime::blame::Party::Outside,
                    },
                ], #giver);
                #around
            }
        };
        let wrapped = callable.wrap(&parameter.ty, &closure);
        quote! {
            let #giver = #call.caller();
            let mut #name = #name;
            let mut #name = #wrapped;
        }
    }
}

/// Returns the parameters of a function without its receiver.
pub(super) fn typed(signature: &Signature) -> impl Iterator<Item = &syn::PatType> {
    signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(input) => Some(input),
        FnArg::Receiver(_) => None,
    })
}
