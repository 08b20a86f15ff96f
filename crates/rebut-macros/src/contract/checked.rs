//! Adds the checks of a contract around the body of a function.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Block, Error, FnArg, ReceiverKind, Result, ReturnType, Safety, Signature};

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
        let around = self.around(signature, &generated::block(body));
        self.begun(&around, body)
    }

    /// Returns the checks around a call, for a function whose body is elsewhere.
    pub(super) fn block_of_call(
        &self,
        signature: &Signature,
        body: &Block,
        call: &TokenStream,
    ) -> TokenStream {
        let around = self.around_expression(signature, call, true);
        self.begun(&around, body)
    }

    /// Returns a block in place of `body` that begins the call.
    fn begun(&self, around: &TokenStream, body: &Block) -> TokenStream {
        let (runtime, call) = (self.options.runtime(), local("call"));
        let (path, party) = (&self.subject.path, &self.subject.party);
        let active = self.active();
        let begin = quote! {
            let #call = #runtime::blame::enter(#active, &#runtime::blame::Callee {
                path: #path,
                party: #runtime::blame::Party::Code(#party),
            });
        };
        let mut checked = Group::new(Delimiter::Brace, quote!(#begin #around));
        checked.set_span(body.brace_token.span.join());
        checked.into_token_stream()
    }

    /// Returns the expression for whether contracts are checked in this build.
    pub(super) fn active(&self) -> TokenStream {
        let runtime = self.options.runtime();
        quote!(::core::cfg!(any(test, debug_assertions)) || #runtime::ALWAYS)
    }

    /// Returns whether code runs after the body.
    pub(super) fn has_checks_after(&self, signature: &Signature) -> bool {
        !self.clauses.ensures.is_empty() || self.invariants(signature).is_some()
    }

    /// Returns the checks around an expression, for a call that has begun.
    pub(super) fn around(&self, signature: &Signature, body: &TokenStream) -> TokenStream {
        self.around_expression(signature, body, false)
    }

    /// Returns the checks around an expression, which is a call if it cannot return from the function.
    fn around_expression(
        &self,
        signature: &Signature,
        body: &TokenStream,
        is_call: bool,
    ) -> TokenStream {
        let call = local("call");
        let before = self.before(Shown::of(signature));
        let wraps = self.parameters.iter().map(|parameter| self.wrap(parameter));
        let invariants = self.invariants(signature);
        // Nothing comes after a call that does not return.
        let returns_never = matches!(&signature.output, ReturnType::Type(_, ty)
            if matches!(**ty, syn::Type::Never(_)));
        if returns_never || self.clauses.ensures.is_empty() && invariants.is_none() {
            return quote!(#before #(#wraps)* #body);
        }
        let olds = remember(&self.clauses.olds, &self.options.runtime(), &call);
        let output = match &signature.output {
            ReturnType::Default => quote!(()),
            ReturnType::Type(_, ty) => quote!(#ty),
        };
        let (result, returned) = (Ident::new("result", Span::call_site()), local("returned"));
        // A result that borrows from a mutable reference takes the reference with it.
        let takes_mutable = signature.inputs.iter().any(is_mutable_loan);
        let moved =
            (takes_mutable && super::clause::is_borrowed(&signature.output)).then(|| quote!(move));
        let runtime = self.options.runtime();
        let returns = match &signature.output {
            ReturnType::Type(_, ty) if ty.to_token_stream().to_string().starts_with("impl ") => {
                quote!()
            }
            _ => quote!(-> #output),
        };
        let after = self.after(signature);
        let body = match is_call {
            true => body.clone(),
            false => quote!(#runtime::blame::call_once(#moved || #returns { #body })),
        };
        quote! {
            #before
            #olds
            // Only postconditions see `result`.
            let #returned = {
                let #result = {
                    #(#wraps)*
                    #body
                };
                #after
                #result
            };
            #invariants
            #returned
        }
    }

    fn before(&self, object: Option<Shown>) -> TokenStream {
        let call = local("call");
        let mut checks = self.checks(&self.clauses.requires, "break_requires", object);
        if object.is_some() && self.is_visible && !self.subject.invariants.is_empty() {
            let kept = self.checks(self.subject.invariants, "break_invariant_before", object);
            checks = quote!(#checks if #call.is_from_outside() { #kept });
        }
        if checks.is_empty() {
            return quote!(let _ = &#call;);
        }
        quote!(if #call.is_checked() { #checks })
    }

    fn after(&self, signature: &Signature) -> TokenStream {
        if self.clauses.ensures.is_empty() {
            return quote!();
        }
        let call = local("call");
        let object = Shown::of(signature).map(|shown| shown.after(signature));
        let checks = self.checks(&self.clauses.ensures, "break_ensures", object);
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
            .is_some_and(|receiver| is_mutable_loan(&FnArg::Receiver(receiver.clone())));
        if changes && super::clause::is_borrowed(&signature.output) {
            return None;
        }
        // A method with `&self` can change a `Cell`.
        let reads =
            signature.receiver().is_some_and(is_shared_loan) && !may_be_guard(&signature.output);
        let of_object = (changes || reads).then(|| {
            let object = Shown::of(signature);
            let checks = self.checks(self.subject.invariants, "break_invariant", object);
            quote!(if #call.is_from_outside() { #checks })
        });
        if changes {
            return of_object;
        }
        let ReturnType::Type(_, ty) = &signature.output else { return of_object };
        // The result may be an object, or contain one.
        if ty.to_token_stream().to_string().starts_with("impl ") {
            return of_object;
        }
        let (runtime, returned) = (self.options.runtime(), local("returned"));
        let made = local("made");
        let about: Vec<Clause> = self
            .subject
            .invariants
            .iter()
            .map(|clause| Clause {
                condition: super::substitute::named(
                    clause.condition.clone(),
                    "self",
                    &made.to_token_stream(),
                ),
                text: clause.text.clone(),
                span: clause.span,
            })
            .collect();
        let checks = self.checks(&about, "break_invariant", None);
        Some(quote! {
            #of_object
            if #call.is_checked() {
                use #runtime::made_object::methods::*;
                if let ::core::option::Option::Some(#made) =
                    #runtime::made_object::MadeObject::<Self, _>::new(&#returned).object()
                {
                    #checks
                }
            }
        })
    }

    fn checks(&self, clauses: &[Clause], method: &str, object: Option<Shown>) -> TokenStream {
        let call = local("call");
        let private = self.options.facade.private();
        let checks = clauses.iter().map(|clause| {
            let (condition, text) = (&clause.condition, &clause.text);
            // A condition about the object can use it, so the message can too.
            let is_shown =
                |shown: &Shown| shown.is_there || super::clause::names(condition, "self");
            let object = match object.filter(is_shown) {
                Some(shown) => {
                    let this = shown.place();
                    quote!(::core::option::Option::Some({
                        use #private::show::*;
                        (&&&#private::Shown(#this)).show()
                    }))
                }
                None => quote!(::core::option::Option::None),
            };
            // The location of the panic is that of this name, and it distinguishes the failure from
            // those of other clauses. A name of the macro would have the location of the attribute.
            let holds = match method {
                "break_requires" => "caller_holds",
                _ => "callee_holds",
            };
            let holds = Ident::new(holds, Span::mixed_site());
            let method = Ident::new(method, clause.span);
            quote_spanned! {clause.span=>
                if !#call.#holds(|| #condition) {
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
        // A box of a closure cannot be called as `FnOnce`, a box of a trait object can.
        let annotated = matches!(parameter.ty, syn::Type::Path(_)).then(|| {
            let ty = &parameter.ty;
            quote!(: #ty)
        });
        quote! {
            let #giver = #call.caller();
            let mut #name = #name;
            let mut #name #annotated = #wrapped;
        }
    }
}

/// How the object of a method is shown in a message.
#[derive(Clone, Copy)]
struct Shown {
    /// The receiver as the signature has it. In a `macro_rules!`, another `self` is another name.
    this: syn::Token![self],
    /// Whether it is a pointer to the object.
    is_pointer: bool,
    /// Whether the object can be used.
    is_there: bool,
}

impl Shown {
    fn of(signature: &Signature) -> Option<Shown> {
        let receiver = signature.receiver()?;
        let is_pointer =
            matches!(receiver.kind, ReceiverKind::Reference(..) | ReceiverKind::Typed(..));
        Some(Shown { this: receiver.self_token, is_pointer, is_there: true })
    }

    /// Returns how to show the object after the call. The result may have borrowed it, and the body
    /// may have used it up.
    fn after(self, signature: &Signature) -> Shown {
        let is_there = signature.receiver().is_some_and(|receiver| {
            let is_borrowed = is_mutable_loan(&FnArg::Receiver(receiver.clone()))
                && super::clause::is_borrowed(&signature.output);
            matches!(receiver.kind, ReceiverKind::Reference(..)) && !is_borrowed
        });
        Shown { is_there, ..self }
    }

    /// Returns a reference to the object.
    fn place(self) -> TokenStream {
        let this = self.this;
        if self.is_pointer { quote!(&*#this) } else { quote!(&#this) }
    }
}

/// Returns whether a parameter is a mutable reference, or a pointer to one: `self: Pin<&mut Self>`.
pub(super) fn is_mutable_loan(input: &FnArg) -> bool {
    match input {
        FnArg::Receiver(receiver) => match &receiver.kind {
            ReceiverKind::Reference(_, _, mutability) => mutability.is_some(),
            ReceiverKind::Typed(_, ty) => holds_mutable_reference(ty.to_token_stream()),
            _ => false,
        },
        FnArg::Typed(input) => holds_mutable_reference(input.ty.to_token_stream()),
    }
}

/// Returns whether a receiver is a shared reference.
fn is_shared_loan(receiver: &syn::Receiver) -> bool {
    match &receiver.kind {
        ReceiverKind::Reference(_, _, mutability) => mutability.is_none(),
        ReceiverKind::Typed(_, ty) => {
            matches!(&**ty, syn::Type::Reference(reference) if reference.mutability.is_none())
        }
        _ => false,
    }
}

/// Returns whether a result may lock or borrow a part of the object until it is dropped, so that a
/// condition would wait for it forever or panic. A shared reference does not.
fn may_be_guard(output: &ReturnType) -> bool {
    fn is_guard(tokens: TokenStream) -> bool {
        let mut trees = tokens.into_iter().peekable();
        let mut is_reference = false;
        while let Some(tree) = trees.next() {
            let was_reference = std::mem::take(&mut is_reference);
            let found = match tree {
                TokenTree::Group(group) => is_guard(group.stream()),
                TokenTree::Punct(punct) if punct.as_char() == '&' => {
                    is_reference = true;
                    false
                }
                TokenTree::Punct(punct) if punct.as_char() == '\'' => {
                    let lifetime = trees.next().map(|name| name.to_string());
                    !was_reference && lifetime.as_deref() != Some("static")
                }
                TokenTree::Ident(name) => {
                    let name = name.to_string();
                    ["impl", "dyn", "mut", "Ref", "RefMut"].contains(&name.as_str())
                        || name.ends_with("Guard")
                }
                _ => false,
            };
            if found {
                return true;
            }
        }
        false
    }
    is_guard(output.to_token_stream())
}

/// Returns whether a type has `&mut` or `&'a mut` in it.
fn holds_mutable_reference(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(name) => name == "mut",
        TokenTree::Group(group) => holds_mutable_reference(group.stream()),
        _ => false,
    })
}

/// Returns the parameters of a function without its receiver.
pub(super) fn typed(signature: &Signature) -> impl Iterator<Item = &syn::PatType> {
    signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(input) => Some(input),
        FnArg::Receiver(_) => None,
    })
}
