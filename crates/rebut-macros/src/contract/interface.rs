//! Contracts of traits, and implementors with generated bodies.
//!
//! Each method gets a hidden method with the checks, which runs a body between them. An
//! implementation under `#[rebut::contract]` calls it with its own body, a generated one with a
//! generated body. Default bodies move to hidden methods of their own, because Rust has no "super":
//! `<Self as Trait>::method(self)` calls the override itself. From
//!
//! ```text
//! #[rebut::contract]
//! trait Shop {
//!     #[ensures(result > 0)]
//!     fn price(&self, item: u8) -> u32;
//!     fn is_open(&self) -> bool { true }
//! }
//! ```
//!
//! the macro makes (paths are shortened):
//!
//! ```text
//! trait Shop {
//!     fn price(&self, item: u8) -> u32;
//!     fn is_open(&self) -> bool { self.__super_is_open() }
//!
//!     // The checks, around any body.
//!     fn __rebut_checked_price(
//!         &self,
//!         place: &'static Callee,
//!         item: u8,
//!         body: impl FnOnce(&Self, u8) -> u32,
//!     ) -> u32
//!     where
//!         Self: Sized,
//!     {
//!         let call = blame::enter(.., place);
//!         let result = body(self, item);
//!         // .. checks that `result > 0`
//!         result
//!     }
//!     // .. the same for `is_open`, and the moved default body:
//!     fn __super_is_open(&self) -> bool { true }
//! }
//!
//! // The implementor. A behavior has a body for each method, as a block of statements.
//! struct Generated { behavior: Behavior }
//! impl Shop for Generated {
//!     fn price(&self, item: u8) -> u32 {
//!         self.__rebut_checked_price(&Callee { .. }, item, |this, item| {
//!             // Without a body or without fuel: bodies may call each other without end.
//!             if !this.behavior.begins(0) {
//!                 return this.behavior.simplest::<u32>(0);
//!             }
//!             this.behavior.run::<u32>(0, vec![CallArgument::Owned(Box::new(item))]).unwrap_or(..)
//!         })
//!     }
//!     fn is_open(&self) -> bool { /* the same, but the default body if there is no fuel */ }
//! }
//!
//! // Calls of a method of a trait object, by its number in the table.
//! fn dispatch_ref(this: &dyn Shop, method: usize, held: &mut [CallArgument<'_>]) -> CallOutcome {
//!     match method { 0 => .., 1 => .., _ => CallOutcome::WrongTypes }
//! }
//! ```
//!
//! The hidden methods need `Self: Sized` because of the generic closure. So they do not keep the
//! trait from being dyn compatible, and a trait object runs the checks of the implementation
//! behind it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{
    Error, GenericParam, ImplItem, ItemImpl, ItemTrait, Pat, ReceiverKind, Result, ReturnType,
    Signature, TraitItem, TraitItemFn, Type, TypeParamBound,
};

use super::checked::{self, CheckedFunction, Subject};
use super::clause::{Clauses, is_borrowed};
use super::model::ModelCounterpart;
use super::operation::{self, FunctionAttributes, OperationWriter, Owner, ProgramHints};
use super::passing::{self, Passing, PassingMode, SignatureWriter};
use super::{Options, pattern, substitute};
use crate::generated::code;
use crate::name_value::{Errors, local};
use crate::written;

/// Expands `#[rebut::contract]` on a trait.
pub(super) fn expand(options: &Options, mut item: ItemTrait) -> Result<TokenStream> {
    let mut errors = Errors::default();
    let is_implementable = !options.only_checks && errors.ok(check_trait(&item)).is_some();
    let attributes = errors.ok(Clauses::take(&mut item.attrs));
    if let Some(clauses) = attributes
        && !clauses.is_empty()
    {
        errors.push(&item.ident, "a clause belongs on a method of the trait");
    }
    let name = item.ident.clone();
    let (mut hidden, mut methods) = (Vec::new(), Vec::new());
    let mut is_sound = true;
    for inside in &mut item.items {
        let TraitItem::Fn(method) = inside else { continue };
        let Some(clauses) = errors.ok(Clauses::take(&mut method.attrs)) else { continue };
        let hints = errors.ok(ProgramHints::take(&mut method.attrs)).unwrap_or_default();
        errors.ok(clauses.refuse_invariants());
        errors.ok(clauses.check_borrows(&method.sig));
        let is_checkable = can_be_checked(&method.sig);
        if !clauses.is_empty() && !is_checkable {
            let message = match needs_sized(&method.sig) {
                true => {
                    "a method with `where Self: Sized` cannot have clauses: remove the bound, or the \
                     clauses"
                }
                false => {
                    "only a method with `self`, plain names for its parameters, no parameters of \
                     type and no borrowed result can have clauses in a trait"
                }
            };
            errors.push(&method.sig.ident, message);
            is_sound = false;
            continue;
        }
        let has_default = method.default.is_some();
        if is_checkable {
            let writer = MethodWriter { options, trait_name: &name, clauses: &clauses };
            hidden.push(writer.hidden(&method.sig));
            hidden.extend(writer.default(method));
        }
        let signature = method.sig.clone();
        methods.push(TraitMethod { signature, has_default, is_checkable, clauses, hints });
    }
    // An implementor without one of the methods would be another error.
    let generated = match is_implementable && is_sound {
        true => errors.ok(implementor(options, &item, &methods)).unwrap_or_default(),
        false => quote!(),
    };
    for method in hidden {
        item.items.push(syn::parse2(method)?);
    }
    Ok(super::with_errors(quote!(#item #generated), errors))
}

/// A method of a trait, as written.
struct TraitMethod {
    signature: Signature,
    has_default: bool,
    /// Whether it has a hidden method with the checks.
    is_checkable: bool,
    clauses: Clauses,
    hints: ProgramHints,
}

/// Checks that programs can implement the trait.
fn check_trait(item: &ItemTrait) -> Result<()> {
    const INSTEAD: &str = "or write `#[rebut::contract(only_checks)]` to check the clauses only";
    let mut errors = Errors::default();
    if let Some(parameter) = item.generics.params.first() {
        let message = format!(
            "generated programs implement a trait as `dyn {}`, without parameters; remove them, {INSTEAD}",
            item.ident
        );
        errors.push(parameter, message);
    }
    for bound in &item.supertraits {
        let text = bound.to_token_stream().to_string();
        let is_marker =
            ["Debug", "Send", "Sync", "Any", "Unpin"].iter().any(|one| text.ends_with(one));
        let is_easy = matches!(bound, TypeParamBound::Lifetime(_)) || is_marker;
        if !is_easy {
            let message = format!(
                "generated programs cannot implement `{text}` along with the trait; remove it, {INSTEAD}"
            );
            errors.push(bound, message);
        }
    }
    for inside in &item.items {
        match inside {
            TraitItem::Fn(method) => {
                errors.ok(check_method(method, INSTEAD));
            }
            TraitItem::Type(ty) => errors.push(
                ty,
                format!(
                    "generated programs implement a trait as `dyn {}`, without associated types; \
                     remove this, {INSTEAD}",
                    item.ident
                ),
            ),
            other => errors.push(
                other,
                format!(
                    "generated programs implement a trait through `dyn`, which allows \
                     methods only; remove this, {INSTEAD}"
                ),
            ),
        }
    }
    errors.finish(())
}

fn check_method(method: &TraitItemFn, instead: &str) -> Result<()> {
    let signature = &method.sig;
    if needs_sized(signature) {
        return Ok(());
    }
    let complain = |tokens: &dyn ToTokens, what: &str| {
        let message = format!(
            "{what}, so the trait is not dyn compatible; add `where Self: Sized`, {instead}"
        );
        Err(Error::new_spanned(tokens.to_token_stream(), message))
    };
    if signature.receiver().is_none() {
        return complain(&signature.ident, "this function has no `self`");
    }
    let is_generic = |parameter: &&GenericParam| !matches!(parameter, GenericParam::Lifetime(_));
    if let Some(parameter) = signature.generics.params.iter().find(is_generic) {
        return complain(parameter, "this method is generic");
    }
    for input in checked::typed(signature) {
        if mentions_self_alone(&input.ty) {
            return complain(&input.ty, "this method takes `Self`");
        }
        if matches!(*input.ty, Type::ImplTrait(_)) {
            return complain(&input.ty, "this method is generic");
        }
    }
    if let ReturnType::Type(_, ty) = &signature.output
        && mentions_self_alone(ty)
    {
        return complain(ty, "this method returns `Self`");
    }
    Ok(())
}

pub(crate) fn needs_sized(signature: &Signature) -> bool {
    signature.generics.where_clause.to_token_stream().to_string().contains("Self : Sized")
}

/// Returns whether a type mentions `Self` other than before an associated type, as in `Self::Error`.
pub(crate) fn mentions_self_alone(ty: &Type) -> bool {
    let text = ty.to_token_stream().to_string().replace("Self ::", "");
    text.split(|c: char| c != '_' && !c.is_alphanumeric()).any(|word| word == "Self")
}

/// Returns whether a closure can add checks around the method.
fn can_be_checked(signature: &Signature) -> bool {
    let is_lent_self = signature
        .receiver()
        .is_some_and(|receiver| matches!(receiver.kind, ReceiverKind::Reference(..)));
    let is_generic = |parameter: &GenericParam| !matches!(parameter, GenericParam::Lifetime(_));
    is_lent_self
        && signature.asyncness.is_none()
        && !needs_sized(signature)
        && !is_borrowed(&signature.output)
        && !signature.generics.params.iter().any(is_generic)
        && checked::typed(signature)
            .all(|input| matches!(&*input.pat, Pat::Ident(pat) if pat.subpat.is_none()))
}

/// Returns the type of the receiver: `&Self` or `&mut Self`.
fn receiver(signature: &Signature, this: &TokenStream) -> TokenStream {
    let is_mut = signature
        .receiver()
        .is_some_and(|receiver| matches!(receiver.kind, ReceiverKind::Reference(_, _, Some(_))));
    if is_mut { quote!(&mut #this) } else { quote!(&#this) }
}

fn names(signature: &Signature) -> Vec<Ident> {
    let name = |input: &syn::PatType| match &*input.pat {
        Pat::Ident(pat) => pat.ident.clone(),
        _ => Ident::new("_", Span::call_site()),
    };
    checked::typed(signature).map(name).collect()
}

fn types(signature: &Signature) -> Vec<&Type> {
    checked::typed(signature).map(|input| &*input.ty).collect()
}

fn output(signature: &Signature) -> TokenStream {
    match &signature.output {
        ReturnType::Default => quote!(()),
        ReturnType::Type(_, ty) => quote!(#ty),
    }
}

pub(super) fn hidden_name(method: &Ident) -> Ident {
    format_ident!("__rebut_checked_{method}")
}

fn super_name(method: &Ident) -> Ident {
    format_ident!("__super_{method}")
}

/// Writes the hidden methods of one method.
struct MethodWriter<'a> {
    options: &'a Options,
    trait_name: &'a Ident,
    clauses: &'a Clauses,
}

impl MethodWriter<'_> {
    fn checked(&self, path: String) -> CheckedFunction<'_> {
        let party = self.trait_name.to_string();
        let subject = Subject { path, party, invariants: &[] };
        CheckedFunction {
            options: self.options,
            subject,
            clauses: self.clauses,
            parameters: &[],
            is_visible: true,
        }
    }

    /// Returns the hidden method that runs a body between the checks.
    fn hidden(&self, signature: &Signature) -> TokenStream {
        let runtime = self.options.runtime();
        let (call, place, body) = (local("call"), local("place"), local("body"));
        let hidden = hidden_name(&signature.ident);
        let (names, types, output) = (names(signature), types(signature), output(signature));
        let this = receiver(signature, &quote!(Self));
        let own = receiver_argument(signature);
        let checked = self.checked(String::new());
        let active = checked.active();
        let around = checked.around(signature, &quote!(#body(self, #(#names),*)));
        let inputs = &signature.generics.params;
        let generics = (!inputs.is_empty()).then(|| quote!(<#inputs>));
        quote! {
            #[doc(hidden)]
            fn #hidden #generics (
                #own,
                #place: &'static #runtime::blame::Callee,
                #(#names: #types,)*
                #body: impl ::core::ops::FnOnce(#this, #(#types),*) -> #output,
            ) -> #output
            where
                Self: ::core::marker::Sized,
            {
                let #call = #runtime::blame::enter(#active, #place);
                #around
            }
        }
    }

    /// Moves the default body into a hidden method, which an override can call as "super".
    fn default(&self, method: &mut TraitItemFn) -> Option<TokenStream> {
        let mut body = method.default.take()?;
        let path = format!("{}::{}", self.trait_name, method.sig.ident);
        let mut signature = method.sig.clone();
        pattern::rebind(&mut signature, self.clauses, &mut body);
        pattern::pass_on(&mut method.sig);
        let body = self.checked(path).block(&signature, &body);
        signature.ident = super_name(&method.sig.ident);
        let (name, names) = (&signature.ident, names(&signature));
        method.default = syn::parse2(quote!({ self.#name(#(#names),*) })).ok();
        method.semi_token = None;
        Some(quote! {
            #[doc(hidden)]
            #signature #body
        })
    }
}

fn receiver_argument(signature: &Signature) -> TokenStream {
    match signature.receiver().map(|receiver| &receiver.kind) {
        Some(ReceiverKind::Reference(_, _, Some(_))) => quote!(&mut self),
        _ => quote!(&self),
    }
}

/// Returns the implementor with generated bodies.
fn implementor(
    options: &Options,
    item: &ItemTrait,
    methods: &[TraitMethod],
) -> Result<TokenStream> {
    let runtime = options.runtime();
    let name = &item.ident;
    let written_name = name.to_string();
    let mut errors = Errors::default();
    let mut implemented = Vec::new();
    let mut signatures = Vec::new();
    for method in methods {
        if needs_sized(&method.signature) {
            continue;
        }
        if !method.is_checkable {
            if !method.has_default {
                errors.push(
                    &method.signature.ident,
                    "generated programs cannot implement this method: it needs `&self` or `&mut self`, \
                     plain names for its parameters and an owned result; change it, give it a \
                     default, or write `#[rebut::contract(only_checks)]`",
                );
            }
            continue;
        }
        implemented.push(implemented_method(options, name, method, signatures.len()));
        signatures.push(signature_description(options, method));
    }
    let kind: Type = syn::parse_quote!(__std::boxed::Box<dyn #name>);
    let register = Passing::for_type(&kind).register(options);
    let (operations, lending) = operations_and_lending(options, name, methods);
    let is_sendable = options.send || item.supertraits.iter().any(passing::is_sendable);
    let (behavior_type, behavior) = match is_sendable {
        true => (
            quote!(#runtime::sendable::SendableBehavior),
            code!(#runtime::sendable::SendableBehavior::new(behavior)),
        ),
        false => (quote!(#runtime::Behavior), code!(behavior)),
    };
    let is_debug = |bound: &TypeParamBound| bound.to_token_stream().to_string().ends_with("Debug");
    let derives = if item.supertraits.iter().any(is_debug) { "Debug" } else { "" };
    // Without this, a printed implementor would not check the clauses of the trait.
    let attribute = options.facade.contract_attribute();
    let sent = if is_sendable { sendable_objects(options, name) } else { quote!() };
    errors.finish(code! {
        const _: () = {
            #[derive(Debug)]
            #[doc(hidden)]
            pub struct __RebutGenerated {
                behavior: #behavior_type,
            }

            impl #name for __RebutGenerated {
                #(#implemented)*
            }

            impl #runtime::implementor::Implementable for dyn #name {
                type Implementor = __RebutGenerated;

                fn implement(behavior: #runtime::Behavior) -> __RebutGenerated {
                    __RebutGenerated { behavior: #behavior }
                }

                fn interface(
                    table: &mut #runtime::Table,
                    make: fn(#runtime::Behavior) -> #runtime::call_argument::Value,
                    around: (&'static str, &'static str),
                ) -> #runtime::type_info::Interface {
                    let mut methods = __std::vec::Vec::new();
                    #(methods.push(#signatures);)*
                    #runtime::type_info::Interface {
                        name: #written_name,
                        methods,
                        make,
                        is_send: #is_sendable,
                        derives: #derives,
                        attribute: #attribute,
                        around,
                    }
                }
            }

            impl #runtime::Contracted for dyn #name {
                fn register(table: &mut #runtime::Table) {
                    if !table.mark_registered::<Self>() {
                        let _ = #register;
                        #(#operations)*
                    }
                }
            }

            #lending
            #sent
        };
    })
}

/// Returns the implementations for `dyn Trait + Send`, `+ Sync` and both.
fn sendable_objects(options: &Options, name: &Ident) -> TokenStream {
    let runtime = options.runtime();
    let markers = [
        quote!(::core::marker::Send),
        quote!(::core::marker::Sync),
        quote!(::core::marker::Send + ::core::marker::Sync),
    ];
    let objects = markers.iter().map(|markers| {
        code! {
            impl #runtime::implementor::Implementable for dyn #name + #markers {
                type Implementor = __RebutGenerated;

                fn implement(behavior: #runtime::Behavior) -> __RebutGenerated {
                    <dyn #name as #runtime::implementor::Implementable>::implement(behavior)
                }

                fn interface(
                    table: &mut #runtime::Table,
                    make: fn(#runtime::Behavior) -> #runtime::call_argument::Value,
                    around: (&'static str, &'static str),
                ) -> #runtime::type_info::Interface {
                    <dyn #name as #runtime::implementor::Implementable>::interface(table, make, around)
                }
            }
        }
    });
    quote!(#(#objects)*)
}

/// Returns the operations that call methods of trait objects, and the code that forwards the calls
/// to a borrowed object.
fn operations_and_lending(
    options: &Options,
    name: &Ident,
    methods: &[TraitMethod],
) -> (Vec<TokenStream>, TokenStream) {
    let (runtime, this) = (options.runtime(), operation::this());
    let self_ty: Type = syn::parse_quote!(dyn #name);
    let type_name = name.to_string();
    let mut operations = Vec::new();
    // Methods with `&self` and with `&mut self`. A mutable reference can call both, a shared one only
    // the first.
    let mut arms = [Vec::new(), Vec::new()];
    for method in methods.iter().filter(|method| method.is_checkable && !method.hints.skip) {
        let nth = operations.len();
        let owner = Owner::Trait(nth);
        let writer = OperationWriter {
            options,
            self_ty: &self_ty,
            type_name: &type_name,
            owner,
            with: &options.with,
            lifetimes: &[],
            traits: &[],
        };
        let attributes = FunctionAttributes {
            clauses: &method.clauses,
            // Most objects are implementors of the program, whose clauses it has to keep itself.
            can_fail: false,
            hints: method.hints,
            model: &ModelCounterpart::Same,
        };
        let entry = writer.entry(&method.signature, &attributes);
        // Programs can still implement a method that they cannot call.
        let (Ok(entry), Ok(arm)) = (entry, writer.arm(&method.signature, &method.clauses)) else {
            continue;
        };
        operations.push(entry);
        let is_mut = receiver_argument(&method.signature).to_string().contains("mut");
        arms[usize::from(is_mut)].push(code!(#nth => #arm));
    }
    let [to_read, to_change] = arms;
    let (by_ref, by_mut) =
        (operation::dispatch(PassingMode::Ref), operation::dispatch(PassingMode::Mut));
    let lending = code! {
        fn #by_ref(
            #this: &(dyn #name + '_),
            method: usize,
            held: &mut [#runtime::call_argument::CallArgument<'_>],
        ) -> #runtime::table::CallOutcome {
            match method {
                #(#to_read)*
                _ => #runtime::table::CallOutcome::WrongTypes,
            }
        }

        fn #by_mut(
            #this: &mut (dyn #name + '_),
            method: usize,
            held: &mut [#runtime::call_argument::CallArgument<'_>],
        ) -> #runtime::table::CallOutcome {
            match method {
                #(#to_change)*
                _ => #by_ref(#this, method, held),
            }
        }

        struct __RebutLentRef<'a, 'd>(&'a (dyn #name + 'd));
        struct __RebutLentMut<'a, 'd>(&'a mut (dyn #name + 'd));

        impl #runtime::call_argument::Object for __RebutLentRef<'_, '_> {
            fn call(
                &mut self,
                method: usize,
                arguments: &mut [#runtime::call_argument::CallArgument<'_>],
            ) -> #runtime::table::CallOutcome {
                #by_ref(self.0, method, arguments)
            }
        }

        impl #runtime::call_argument::Object for __RebutLentMut<'_, '_> {
            fn call(
                &mut self,
                method: usize,
                arguments: &mut [#runtime::call_argument::CallArgument<'_>],
            ) -> #runtime::table::CallOutcome {
                #by_mut(&mut *self.0, method, arguments)
            }
        }

        impl #runtime::trait_detection::Lendable for dyn #name + '_ {
            fn lend_mut(&mut self) -> __std::boxed::Box<dyn #runtime::call_argument::Object + '_> {
                __std::boxed::Box::new(__RebutLentMut(self))
            }

            fn lend_ref(&self) -> __std::boxed::Box<dyn #runtime::call_argument::Object + '_> {
                __std::boxed::Box::new(__RebutLentRef(self))
            }
        }
    };
    (operations, lending)
}

fn implemented_method(
    options: &Options,
    trait_name: &Ident,
    method: &TraitMethod,
    nth: usize,
) -> TokenStream {
    let runtime = options.runtime();
    let signature = &method.signature;
    let (names, types, output) = (names(signature), types(signature), output(signature));
    let path = format!("{trait_name}::{}", signature.ident);
    let hidden = hidden_name(&signature.ident);
    let passings: Vec<Passing> = types.iter().map(|ty| Passing::for_type(ty)).collect();
    let handed = names
        .iter()
        .zip(&passings)
        .filter_map(|(name, passing)| passing.callback_argument(name, &runtime));
    let this = receiver(signature, &quote!(__RebutGenerated));
    // The default body has checks of its own, so it is called before the checks of this method begin.
    let (before, within) = match method.has_default {
        true => {
            let default = super_name(&signature.ident);
            (
                quote! {
                    if !self.behavior.begins(#nth) {
                        return self.#default(#(#names),*);
                    }
                },
                quote!(),
            )
        }
        false => (
            quote!(),
            quote! {
                if !this.behavior.begins(#nth) {
                    return this.behavior.simplest::<#output>(#nth);
                }
            },
        ),
    };
    quote! {
        #signature {
            #before
            self.#hidden(
                &#runtime::blame::Callee {
                    path: #path,
                    party: #runtime::blame::Party::Program,
                },
                #(#names,)*
                |this: #this, #(#names: #types),*| {
                    #within
                    let given = __std::vec::Vec::from([#(#handed),*]);
                    match this.behavior.run::<#output>(#nth, given) {
                        ::core::option::Option::Some(result) => result,
                        ::core::option::Option::None => this.behavior.simplest::<#output>(#nth),
                    }
                },
            )
        }
    }
}

fn signature_description(options: &Options, method: &TraitMethod) -> TokenStream {
    let signature = &method.signature;
    let (names, types) = (names(signature), types(signature));
    let parameters: Vec<(&Ident, &Type)> = names.iter().zip(types).collect();
    let result = match &signature.output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) if ty.to_token_stream().to_string() == "()" => None,
        ReturnType::Type(_, ty) => Some((**ty).clone()),
    };
    let (name, generics) = (&signature.ident, signature.generics.to_token_stream());
    let receiver = written::type_text(&signature.receiver().to_token_stream());
    let comma = if parameters.is_empty() { "" } else { ", " };
    let output = match &signature.output {
        ReturnType::Default => String::new(),
        ReturnType::Type(_, ty) => {
            format!(" -> {}", written::type_text(&ty.to_token_stream()))
        }
    };
    let bounds = match &signature.generics.where_clause {
        Some(bounds) => format!(" {}", written::type_text(&bounds.to_token_stream())),
        None => String::new(),
    };
    let signature = SignatureWriter {
        before: format!("fn {name}{}({receiver}{comma}", written::type_text(&generics)),
        parameters: &parameters,
        after: format!("){output}{bounds}"),
        result,
        default: method.has_default.then(|| super_name(name).to_string()),
    };
    signature.tokens(options)
}

/// Expands `#[rebut::contract] impl Trait for Type`: its methods get the checks of the trait.
pub(super) fn implementation(options: &Options, mut item: ItemImpl) -> Result<TokenStream> {
    let mut errors = Errors::default();
    let runtime = options.runtime();
    let type_name = written::type_text(&item.self_ty.to_token_stream());
    let party = super::short(&type_name).to_owned();
    for inside in &mut item.items {
        let ImplItem::Fn(method) = inside else { continue };
        if let Some(clauses) = errors.ok(Clauses::take(&mut method.attrs))
            && !clauses.is_empty()
        {
            errors.push(
                &method.sig.ident,
                "the contract of a trait applies to all of its implementations: write the clauses \
                 in the trait, under `#[rebut::contract]`",
            );
        }
        if !can_be_checked(&method.sig) {
            continue;
        }
        let patterns: Vec<Pat> =
            checked::typed(&method.sig).map(|input| (*input.pat).clone()).collect();
        pattern::pass_on(&mut method.sig);
        let signature = &method.sig;
        let (names, types) = (names(signature), types(signature));
        let this = receiver(signature, &item.self_ty.to_token_stream());
        // The body moves into a closure, which cannot have a parameter `self`. The span of the call
        // makes the name visible to macros in the body.
        let own = Ident::new("__this", Span::call_site());
        let body = substitute::own_self(method.block.to_token_stream(), &quote!(#own));
        let hidden = hidden_name(&signature.ident);
        let path = format!("{party}::{}", signature.ident);
        let block = quote!({
            self.#hidden(
                &#runtime::blame::Callee {
                    path: #path,
                    party: #runtime::blame::Party::Code(#party),
                },
                #(#names,)*
                |#own: #this, #(#patterns: #types),*| #body,
            )
        });
        method.block = syn::parse2(block)?;
    }
    Ok(super::with_errors(item.into_token_stream(), errors))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The code of a trait after expansion, without the implementor.
    fn expanded_trait(options: Options, item: TokenStream) -> Result<String> {
        let expanded = expand(&options, syn::parse2(item)?)?;
        let file = syn::parse2::<syn::File>(expanded)?;
        let item = file.items.into_iter().next();
        Ok(item.to_token_stream().to_string().replace("::rebut::__private::contract", "RT"))
    }

    /// The messages of `compile_error!` in an expansion.
    fn errors_in(expanded: TokenStream) -> Vec<String> {
        let file = syn::parse2::<syn::File>(expanded).expect("items");
        let message = |item: &syn::Item| match item {
            syn::Item::Macro(item) => item.mac.parse_body::<syn::LitStr>().ok(),
            _ => None,
        };
        file.items.iter().filter_map(message).map(|text| text.value()).collect()
    }

    /// Checks how the errors of an expansion begin.
    #[track_caller]
    fn check_errors(item: TokenStream, expected: &[&str]) {
        let item = syn::parse2(item).expect("a trait");
        let errors = errors_in(expand(&Options::default(), item).expect("an expansion"));
        let is_expected = errors.len() == expected.len()
            && errors.iter().zip(expected).all(|(found, start)| found.starts_with(start));
        assert!(is_expected, "{errors:#?}");
    }

    #[test]
    fn method_gets_a_hidden_method_that_runs_a_body_between_the_checks() {
        let only_checks = Options { only_checks: true, ..Options::default() };
        let item = quote! {
            trait Shop {
                #[ensures(result > 0)]
                fn price(&self, item: u8) -> u32;
            }
        };
        let text = expanded_trait(only_checks, item).expect("an expansion");
        let parts = [
            "fn price (& self , item : u8) -> u32 ;",
            "fn __rebut_checked_price (& self ,",
            "item : u8 , body : impl :: core :: ops :: FnOnce (& Self , u8) -> u32 ,",
            "where Self : :: core :: marker :: Sized",
            "body (self , item)",
            "break_ensures (\"result > 0\"",
        ];
        for part in parts {
            assert!(text.contains(part), "no `{part}` in {text}");
        }
    }

    #[test]
    fn default_body_moves_to_a_method_that_overrides_can_call() {
        let only_checks = Options { only_checks: true, ..Options::default() };
        let item = quote! {
            trait Shop {
                fn is_open(&self) -> bool {
                    true
                }
            }
        };
        let text = expanded_trait(only_checks, item).expect("an expansion");
        assert!(
            text.contains("fn is_open (& self) -> bool { self . __super_is_open () }"),
            "{text}"
        );
        assert!(text.contains("fn __super_is_open (& self) -> bool {"), "{text}");
    }

    #[test]
    fn implementor_has_a_body_for_each_method() {
        let item = syn::parse_quote! {
            trait Shop: Debug {
                fn price(&self, item: &str) -> u32;
                fn close(&mut self);
            }
        };
        let text = expand(&Options::default(), item).expect("an expansion").to_string();
        let parts = [
            "impl Shop for __RebutGenerated {",
            "this . behavior . run :: < u32 > (0usize , given)",
            "this . behavior . run :: < () > (1usize , given)",
            "fn dispatch_ref (this : & (dyn Shop + '_)",
            "derives : \"Debug\"",
            "is_send : false",
        ];
        for part in parts {
            assert!(text.contains(part), "no `{part}` in {text}");
        }
    }

    #[test]
    fn traits_that_programs_cannot_implement_are_refused() {
        check_errors(
            quote!(
                trait T<A>: Clone {
                    const N: u8;
                    fn new() -> Self;
                    fn generic<B>(&self, b: B);
                    fn same(&self, other: Self);
                    fn sized(&self) -> Self
                    where
                        Self: Sized;
                }
            ),
            &[
                "generated programs implement a trait as `dyn T`, without parameters",
                "generated programs cannot implement `Clone` along with the trait",
                "generated programs implement a trait through `dyn`, which allows methods only",
                "this function has no `self`, so the trait is not dyn compatible",
                "this method is generic, so the trait is not dyn compatible",
                "this method takes `Self`, so the trait is not dyn compatible",
            ],
        );
    }

    #[test]
    fn clauses_need_a_method_that_a_closure_can_replace() {
        let item = quote!(
            trait T {
                #[ensures(true)]
                fn first(&self) -> &u8;
            }
        );
        let borrowed = "only a method with `self`, plain names for its parameters";
        check_errors(item, &[borrowed]);
    }

    #[test]
    fn implementation_passes_its_body_to_the_hidden_method() {
        let item = syn::parse_quote! {
            impl Shop for Stand {
                fn price(&self, item: u8) -> u32 {
                    self.base + u32::from(item)
                }
            }
        };
        let text = implementation(&Options::default(), item).expect("an expansion").to_string();
        let parts = [
            "self . __rebut_checked_price (",
            "path : \"Stand::price\"",
            "| __this : & Stand , item : u8 | { __this . base + u32 :: from (item) }",
        ];
        for part in parts {
            assert!(text.contains(part), "no `{part}` in {text}");
        }
    }

    #[test]
    fn clauses_of_an_implementation_belong_to_the_trait() {
        let item = syn::parse_quote! {
            impl Shop for Stand {
                #[requires(item > 0)]
                fn price(&self, item: u8) -> u32 {
                    0
                }
            }
        };
        let errors = errors_in(implementation(&Options::default(), item).expect("an expansion"));
        assert!(errors[0].starts_with("the contract of a trait applies to all"), "{errors:?}");
    }
}
