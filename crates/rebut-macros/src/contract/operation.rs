//! Turns functions into operations that programs call.
//!
//! A program knows a function only through its entry in the table of operations: the types of its
//! parameters by their numbers, and one function pointer. So the code that generates, runs and
//! prints programs is compiled once, whatever the types are. Below
//!
//! ```text
//! #[rebut::contract]
//! impl Stack {
//!     #[requires(n > 0)]
//!     pub fn push(&mut self, n: u8) -> bool { .. }
//! }
//! ```
//!
//! this module adds the entry (paths are shortened):
//!
//! ```text
//! let parameters = vec![/* Stack by `&mut`, u8 by value */];
//! let result = Some(/* the number of bool */);
//! table.add_operation(Operation {
//!     path: "Stack::push",
//!     is_method: true,
//!     effect: Effect::Mutates,
//!     requires: &["{1} > 0"],
//!     call: |held: &mut [CallArgument<'_>]| {
//!         let [held_0, held_1] = held else { return CallOutcome::WrongTypes };
//!         let Some(this) = held_0.by_mut::<Stack>() else { return CallOutcome::WrongTypes };
//!         let Some(n) = held_1.take::<u8>() else { return CallOutcome::WrongTypes };
//!         if !blame::holds(|| n > 0) {
//!             return CallOutcome::Skipped(0);
//!         }
//!         CallOutcome::Returned(Some(Box::new(<Stack>::push(this, n))))
//!     },
//!     ..
//! });
//! ```
//!
//! The preconditions are checked here too, although the function itself checks them: a program that
//! violates one is not a counterexample, and must skip the statement before the call begins.
//!
//! A method of a trait has an entry in the table of the trait. Its closure does not name the type of
//! the receiver. It passes the number of the method to `dispatch_ref` or `dispatch_mut`, which the
//! module `interface` writes.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{
    Attribute, Error, GenericParam, Meta, ReceiverKind, Result, ReturnType, Signature, Type,
};

use super::Options;
use super::clause::{Clauses, borrows};
use super::model::{Model, ModelCallWriter, ModelCounterpart};
use super::passing::{Passing, PassingMode, contents_of};
use super::substitute;

/// The settings in `#[program(..)]` on a function.
#[derive(Clone, Copy, Default)]
pub(super) struct ProgramHints {
    /// Programs do not call the function.
    pub(super) skip: bool,
    /// The function changes state although it takes `&self`.
    changes: bool,
}

impl ProgramHints {
    pub(super) fn take(attributes: &mut Vec<Attribute>) -> Result<ProgramHints> {
        let mut hints = ProgramHints::default();
        let mut error = None;
        attributes.retain(|attribute| {
            if !attribute.path().is_ident("program") {
                return true;
            }
            let word = match &attribute.meta {
                Meta::List(list) => list.tokens.to_string(),
                _ => String::new(),
            };
            match word.as_str() {
                "skip" => hints.skip = true,
                "changes" => hints.changes = true,
                _ => {
                    error = Some(Error::new_spanned(
                        attribute,
                        "write `#[program(skip)]` if programs must not call this, or \
                         `#[program(changes)]` if it changes state through `&self`",
                    ));
                }
            }
            false
        });
        error.map_or(Ok(hints), Err)
    }
}

/// The owner of a function.
#[derive(Clone, Copy)]
pub(super) enum Owner<'a> {
    /// A type, through an impl block, with its model if there is one.
    Type(Option<&'a Model>),
    /// A trait, with the number of the method among those that programs call.
    Trait(usize),
    /// A free function has no owner.
    None,
}

/// Writes the entry of a function that programs can call.
pub(super) struct OperationWriter<'a> {
    pub(super) options: &'a Options,
    pub(super) self_ty: &'a Type,
    pub(super) type_name: &'a str,
    pub(super) owner: Owner<'a>,
}

/// How a program stores the result of a call.
pub(super) enum ResultStorage {
    /// There is no result.
    Nothing,
    /// The value, of this type.
    Value(Type),
    /// A copy of the borrowed result: the type of the copy, and the method that printed programs
    /// call to make it.
    Copy(Type, &'static str),
    /// The contents of an `Option` or a `Result`, if there are any.
    Contents(Type),
}

/// The parsed attributes of a function.
pub(super) struct FunctionAttributes<'a> {
    pub(super) clauses: &'a Clauses,
    pub(super) hints: ProgramHints,
    pub(super) model: &'a ModelCounterpart,
}

impl OperationWriter<'_> {
    /// Returns the statement that registers the function, or `None` if programs cannot call it.
    pub(super) fn entry(
        &self,
        signature: &Signature,
        attributes: &FunctionAttributes<'_>,
    ) -> Result<Option<TokenStream>> {
        if !self.has_concrete_types(signature) {
            return Ok(None);
        }
        let storage = self.storage(signature)?;
        let inputs = self.inputs(signature)?;
        let modeled = self.modeled(signature, &storage, &inputs, attributes)?;
        let runtime = self.options.runtime();
        let registered: Vec<TokenStream> =
            inputs.iter().map(|(_, passing)| self.registered(passing)).collect();
        let is_method = signature.receiver().is_some();
        let effect = self.effect(signature, &inputs, &storage, attributes.hints);
        let thunk = match self.owner {
            Owner::Trait(nth) => self.dispatched(nth, &inputs),
            _ => self.thunk(signature, attributes.clauses, &storage, &inputs, modeled.as_ref()),
        };
        let names = names(&inputs, is_method);
        let clauses = &attributes.clauses.requires;
        let requires: Vec<String> = clauses
            .iter()
            .map(|clause| substitute::template(&clause.written, &names, is_method, false))
            .collect();
        let count = requires.len();
        let name = signature.ident.to_string();
        let path = self.path(&name);
        let descriptions =
            clauses.iter().map(|clause| format!("`{path}` requires `{}`", clause.text));
        let (result, after) = self.result(&storage);
        let model = modeled.map_or_else(
            || quote!(::core::option::Option::None),
            |modeled| modeled.description(&runtime),
        );
        Ok(Some(quote! {{
            let parameters = __std::vec::Vec::from([#(#registered),*]);
            let result = #result;
            table.add_operation(#runtime::table::Operation {
                path: #path,
                name: #name,
                is_method: #is_method,
                effect: #effect,
                parameters,
                result,
                after: #after,
                requires: &[#(#requires),*],
                clauses: &[#(#descriptions),*],
                model: #model,
                call: #thunk,
                counts: #runtime::table::CallCounts::new(#count),
            });
        }}))
    }

    fn registered(&self, passing: &Passing) -> TokenStream {
        let kind = match self.owner {
            // A method of a trait may take a value that programs cannot construct. Then they do not
            // call it.
            Owner::Trait(_) => passing.register_known(self.options),
            _ => passing.register(self.options),
        };
        passing.parameter(self.options, &kind, passing.mode)
    }

    /// Returns whether `with(..)` has a type for every type parameter. A const parameter never has
    /// one.
    fn has_concrete_types(&self, signature: &Signature) -> bool {
        let has_concrete_types =
            |name: &Ident| self.options.with.iter().any(|(known, _)| known == name);
        signature.generics.params.iter().all(|parameter| match parameter {
            GenericParam::Lifetime(_) => true,
            GenericParam::Type(parameter) => has_concrete_types(&parameter.ident),
            GenericParam::Const(_) => false,
        })
    }

    fn path(&self, name: &str) -> String {
        match self.owner {
            Owner::None => name.to_owned(),
            _ => format!("{}::{name}", self.type_name),
        }
    }

    fn model(&self) -> Option<&Model> {
        match self.owner {
            Owner::Type(model) => model,
            _ => None,
        }
    }

    /// Returns the corresponding call on the model.
    fn modeled(
        &self,
        signature: &Signature,
        storage: &ResultStorage,
        inputs: &[(Ident, Passing)],
        attributes: &FunctionAttributes<'_>,
    ) -> Result<Option<ModelCallWriter<'_>>> {
        let Some(model) = self.model() else { return Ok(None) };
        let is_constructor = match storage {
            ResultStorage::Value(ty) | ResultStorage::Contents(ty) => {
                is_same_type(ty, &self.concrete_self().ok())
            }
            _ => false,
        };
        let path = self.path(&signature.ident.to_string());
        ModelCallWriter::new(
            model,
            path,
            signature,
            inputs,
            attributes.model,
            storage,
            is_constructor,
        )
        .map(Some)
    }

    fn concrete(&self, ty: &Type) -> Result<Type> {
        syn::parse2(substitute::in_type(ty, self.self_ty, &self.options.with))
    }

    fn concrete_self(&self) -> Result<Type> {
        self.concrete(self.self_ty)
    }

    /// Returns the parameters and how to pass them, the receiver first.
    fn inputs(&self, signature: &Signature) -> Result<Vec<(Ident, Passing)>> {
        let mut inputs = Vec::new();
        if let Some(receiver) = signature.receiver() {
            let own = self.concrete_self()?;
            let ty: Type = match &receiver.kind {
                ReceiverKind::Reference(_, _, Some(_)) => syn::parse_quote!(&mut #own),
                ReceiverKind::Reference(_, _, None) => syn::parse_quote!(&#own),
                ReceiverKind::Typed(_, ty) => self.concrete(ty)?,
                _ => own,
            };
            inputs.push((this(), self.passing(&ty)));
        }
        for (n, input) in super::checked::typed(signature).enumerate() {
            let name = match &*input.pat {
                syn::Pat::Ident(pat) => pat.ident.clone(),
                _ => format_ident!("argument_{n}", span = Span::mixed_site()),
            };
            inputs.push((name, self.passing(&self.concrete(&input.ty)?)));
        }
        Ok(inputs)
    }

    /// Returns how to pass a value of this type. An object is passed with its model, if it has one.
    fn passing(&self, ty: &Type) -> Passing {
        let (Some(model), Ok(own)) = (self.model(), self.concrete_self()) else {
            return Passing::for_type(ty);
        };
        let (mode, plain) = match ty {
            Type::Reference(reference) if reference.mutability.is_some() => {
                (PassingMode::Mut, &*reference.elem)
            }
            Type::Reference(reference) => (PassingMode::Ref, &*reference.elem),
            ty => (PassingMode::Value, ty),
        };
        match is_same_type(plain, &Some(own.clone())) {
            true => Passing::with_model(&model.modeled_type(&own, self.options), mode),
            false => Passing::for_type(ty),
        }
    }

    fn effect(
        &self,
        signature: &Signature,
        inputs: &[(Ident, Passing)],
        storage: &ResultStorage,
        hints: ProgramHints,
    ) -> TokenStream {
        let runtime = self.options.runtime();
        let takes_self = signature
            .receiver()
            .is_some_and(|receiver| matches!(receiver.kind, ReceiverKind::Value));
        let changes = hints.changes
            || takes_self
            || inputs.iter().any(|(_, passing)| passing.mode == PassingMode::Mut)
            // A function without a result is called for its effect.
            || matches!(signature.output, ReturnType::Default);
        let is_constructor = signature.receiver().is_none()
            && match storage {
                ResultStorage::Value(ty) | ResultStorage::Contents(ty) => {
                    is_same_type(ty, &self.concrete_self().ok())
                }
                _ => false,
            };
        match (is_constructor, changes) {
            (true, _) => quote!(#runtime::table::Effect::Constructs),
            (_, true) => quote!(#runtime::table::Effect::Mutates),
            _ => quote!(#runtime::table::Effect::Reads),
        }
    }

    fn storage(&self, signature: &Signature) -> Result<ResultStorage> {
        let ReturnType::Type(_, ty) = &signature.output else { return Ok(ResultStorage::Nothing) };
        let concrete = self.concrete(ty)?;
        if concrete.to_token_stream().to_string() == "()" || matches!(concrete, Type::Never(_)) {
            return Ok(ResultStorage::Nothing);
        }
        // A fallible constructor: programs need the object, and skip the statement if there is none.
        if let Some(inside) = contents_of(&concrete)
            && is_same_type(&inside, &self.concrete_self().ok())
        {
            return Ok(ResultStorage::Contents(inside));
        }
        if !borrows(&concrete) && !matches!(concrete, Type::ImplTrait(_)) {
            return Ok(ResultStorage::Value(concrete));
        }
        copied(&concrete).ok_or_else(|| {
            Error::new_spanned(
                ty,
                "a program cannot keep this borrowed result; return an owned value, `&T` or \
                 `Option<&T>` (which it clones), or add `#[program(skip)]` to the function",
            )
        })
    }

    /// Returns the number of the result type, and the code after the call.
    fn result(&self, storage: &ResultStorage) -> (TokenStream, &'static str) {
        let register = |ty: &Type| {
            let kind = self.passing(ty).register_known(self.options);
            quote!(::core::option::Option::Some(#kind))
        };
        match storage {
            ResultStorage::Nothing => (quote!(::core::option::Option::None), ""),
            ResultStorage::Value(ty) => (register(ty), ""),
            ResultStorage::Copy(ty, after) => (register(ty), after),
            ResultStorage::Contents(ty) => (register(ty), ".unwrap()"),
        }
    }

    /// Returns the closure that takes the arguments, checks the preconditions and calls the function.
    fn thunk(
        &self,
        signature: &Signature,
        clauses: &Clauses,
        storage: &ResultStorage,
        inputs: &[(Ident, Passing)],
        modeled: Option<&ModelCallWriter<'_>>,
    ) -> TokenStream {
        let runtime = self.options.runtime();
        let taken = self.take_arguments(inputs);
        let checks = self.checks(clauses);
        let function = &signature.ident;
        let function = match (self.owner, self.concrete_self()) {
            (Owner::Type(_), Ok(own)) => quote!(<#own>::#function),
            _ => quote!(#function),
        };
        let call = match modeled {
            None => {
                let passed = inputs.iter().map(|(name, passing)| passing.argument(&quote!(#name)));
                let returned = store_result(storage, &quote!(#function(#(#passed),*)), &runtime);
                quote!(#checks #returned)
            }
            Some(modeled) => modeled.call_both(self.options, &function, storage, inputs, &checks),
        };
        quote! {
            |held: &mut [#runtime::call_argument::CallArgument<'_>]| {
                #taken
                #call
            }
        }
    }

    /// Returns the statements that move the arguments from `held` into variables.
    fn take_arguments(&self, inputs: &[(Ident, Passing)]) -> TokenStream {
        let runtime = self.options.runtime();
        let helds: Vec<Ident> = (0..inputs.len())
            .map(|n| format_ident!("held_{n}", span = Span::mixed_site()))
            .collect();
        let lets = inputs.iter().zip(&helds).map(|((name, passing), held)| {
            let taken = passing.take_argument(held);
            quote! {
                let ::core::option::Option::Some(#name) = #taken else {
                    return #runtime::table::CallOutcome::WrongTypes;
                };
            }
        });
        quote! {
            let [#(#helds),*] = held else { return #runtime::table::CallOutcome::WrongTypes };
            #(#lets)*
        }
    }

    /// Returns the statements that skip the call if a precondition is false.
    fn checks(&self, clauses: &Clauses) -> TokenStream {
        let (runtime, this) = (self.options.runtime(), this());
        let checks = clauses.requires.iter().enumerate().map(|(n, clause)| {
            let condition = substitute::named(clause.condition.clone(), "self", &quote!(#this));
            let condition = self.concrete_tokens(condition);
            quote! {
                if !#runtime::blame::holds(|| #condition) {
                    return #runtime::table::CallOutcome::Skipped(#n);
                }
            }
        });
        quote!(#(#checks)*)
    }

    /// Returns the closure that calls a method of a trait object, borrowed or owned.
    fn dispatched(&self, nth: usize, inputs: &[(Ident, Passing)]) -> TokenStream {
        let (runtime, this) = (self.options.runtime(), this());
        let Some((_, receiver)) = inputs.first() else { return quote!() };
        let held = Ident::new("receiver", Span::mixed_site());
        let taken = receiver.take_argument(&held);
        let dispatch = dispatch(receiver.mode);
        quote! {
            |held: &mut [#runtime::call_argument::CallArgument<'_>]| {
                let [#held, rest @ ..] = held else { return #runtime::table::CallOutcome::WrongTypes };
                if let #runtime::call_argument::CallArgument::Object(object) = #held {
                    return object.call(#nth, rest);
                }
                let ::core::option::Option::Some(#this) = #taken else {
                    return #runtime::table::CallOutcome::WrongTypes;
                };
                #dispatch(#this, #nth, rest)
            }
        }
    }

    /// Returns the match arm that calls the method on the trait object `this`.
    pub(super) fn arm(&self, signature: &Signature, clauses: &Clauses) -> Result<TokenStream> {
        let (runtime, this) = (self.options.runtime(), this());
        let storage = self.storage(signature)?;
        let inputs = self.inputs(signature)?;
        let rest = inputs.get(1..).unwrap_or_default();
        let (taken, checks) = (self.take_arguments(rest), self.checks(clauses));
        let passed = rest.iter().map(|(name, passing)| passing.argument(&quote!(#name)));
        let function = &signature.ident;
        let returned = store_result(&storage, &quote!(#this.#function(#(#passed),*)), &runtime);
        Ok(quote!({ #taken #checks #returned }))
    }

    fn concrete_tokens(&self, tokens: TokenStream) -> TokenStream {
        let mut tokens = substitute::named(tokens, "Self", &self.self_ty.to_token_stream());
        for (name, concrete) in &self.options.with {
            tokens = substitute::named(tokens, &name.to_string(), &concrete.to_token_stream());
        }
        tokens
    }
}

/// Returns the names of the parameters without the receiver.
fn names(inputs: &[(Ident, Passing)], is_method: bool) -> Vec<String> {
    inputs.iter().skip(usize::from(is_method)).map(|(name, _)| name.to_string()).collect()
}

/// Returns the name of the function that calls methods of a trait object by number.
pub(super) fn dispatch(mode: PassingMode) -> Ident {
    let name = if mode == PassingMode::Mut { "dispatch_mut" } else { "dispatch_ref" };
    Ident::new(name, Span::mixed_site())
}

/// Returns the name of the receiver in generated calls.
pub(super) fn this() -> Ident {
    Ident::new("this", Span::mixed_site())
}

fn store_result(storage: &ResultStorage, call: &TokenStream, runtime: &TokenStream) -> TokenStream {
    let some = quote!(::core::option::Option::Some);
    match storage {
        ResultStorage::Nothing => quote!({
            #call;
            #runtime::table::CallOutcome::Returned(::core::option::Option::None)
        }),
        ResultStorage::Value(_) => quote!(
            #runtime::table::CallOutcome::Returned(#some(__std::boxed::Box::new(#call)))
        ),
        ResultStorage::Copy(_, ".cloned()") => quote!(
            #runtime::table::CallOutcome::Returned(#some(__std::boxed::Box::new(
                #call.map(|inside| ::core::clone::Clone::clone(inside)))))
        ),
        ResultStorage::Copy(..) => quote!(
            #runtime::table::CallOutcome::Returned(#some(__std::boxed::Box::new(
                __std::borrow::ToOwned::to_owned(#call))))
        ),
        ResultStorage::Contents(_) => quote!(
            match ::core::iter::IntoIterator::into_iter(#call).next() {
                #some(made) => #runtime::table::CallOutcome::Returned(#some(__std::boxed::Box::new(made))),
                // No precondition has this number, so none is counted as violated.
                ::core::option::Option::None => #runtime::table::CallOutcome::Skipped(usize::MAX),
            }
        ),
    }
}

pub(super) fn is_same_type(ty: &Type, other: &Option<Type>) -> bool {
    let text = |ty: &Type| ty.to_token_stream().to_string();
    other.as_ref().is_some_and(|other| text(ty) == text(other))
}

/// Returns the owned copy to keep of a borrowed result, if there is one.
fn copied(ty: &Type) -> Option<ResultStorage> {
    match ty {
        Type::Reference(reference) if reference.mutability.is_none() => {
            let elem = &reference.elem;
            match &**elem {
                Type::Slice(slice) => {
                    let element = &slice.elem;
                    Some(ResultStorage::Copy(
                        syn::parse_quote!(__std::vec::Vec<#element>),
                        ".to_owned()",
                    ))
                }
                Type::TraitObject(_) => None,
                ty if ty.to_token_stream().to_string() == "str" => Some(ResultStorage::Copy(
                    syn::parse_quote!(__std::string::String),
                    ".to_owned()",
                )),
                ty if borrows(ty) => None,
                ty => Some(ResultStorage::Copy(ty.clone(), ".to_owned()")),
            }
        }
        _ => {
            let Type::Path(path) = ty else { return None };
            let last = path.path.segments.last()?;
            let Some(Type::Reference(reference)) = contents_of(ty) else { return None };
            let elem = &reference.elem;
            let is_plain = reference.mutability.is_none()
                && last.ident == "Option"
                && !borrows(elem)
                && !matches!(**elem, Type::Slice(_) | Type::TraitObject(_))
                && elem.to_token_stream().to_string() != "str";
            is_plain.then(|| {
                ResultStorage::Copy(syn::parse_quote!(::core::option::Option<#elem>), ".cloned()")
            })
        }
    }
}

/// Returns the implementation of `Contracted` for a type.
pub(super) fn subject(
    options: &Options,
    self_ty: &Type,
    operations: &[TokenStream],
) -> TokenStream {
    let runtime = options.runtime();
    let concrete = substitute::in_type(self_ty, self_ty, &options.with);
    quote! {
        const _: () = {
            impl #runtime::Contracted for #concrete {
                fn register(table: &mut #runtime::Table) {
                    if table.mark_registered::<Self>() {
                        return;
                    }
                    #(#operations)*
                }
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature(text: &str) -> Signature {
        syn::parse_str(text).expect("a signature")
    }

    /// Calls a function with the writer for methods of the type `Own`.
    fn with_writer<T>(act: impl FnOnce(&OperationWriter<'_>) -> T) -> T {
        let (options, self_ty) = (Options::default(), syn::parse_quote!(Own));
        let owner = Owner::Type(None);
        act(&OperationWriter { options: &options, self_ty: &self_ty, type_name: "Own", owner })
    }

    /// Code without whitespace.
    fn compact(text: &str) -> String {
        text.split_whitespace().collect()
    }

    /// Checks how programs store the result of a function.
    #[track_caller]
    fn check_storage(output: &str, expected: &str) {
        let signature = signature(&format!("fn f(&self) {output}"));
        let found = with_writer(|writer| match writer.storage(&signature) {
            Ok(ResultStorage::Nothing) => "nothing".to_owned(),
            Ok(ResultStorage::Value(ty)) => format!("value {}", ty.to_token_stream()),
            Ok(ResultStorage::Copy(ty, method)) => {
                format!("copy {} by {method}", ty.to_token_stream())
            }
            Ok(ResultStorage::Contents(ty)) => format!("contents {}", ty.to_token_stream()),
            Err(_) => "an error".to_owned(),
        });
        let plain = |text: &str| {
            ["__std::string::", "__std::vec::", "::core::option::"]
                .iter()
                .fold(text.replace(' ', ""), |text, path| text.replace(path, ""))
        };
        assert_eq!(plain(&found), plain(expected), "{output}");
    }

    #[test]
    fn owned_results_are_stored_as_they_are() {
        check_storage("-> u8", "value u8");
        check_storage("-> Self", "value Own");
        check_storage("-> Option<u8>", "value Option<u8>");
        check_storage("-> &'static str", "value &'static str");
        check_storage("", "nothing");
        check_storage("-> ()", "nothing");
        check_storage("-> !", "nothing");
    }

    #[test]
    fn fallible_constructors_store_the_object() {
        check_storage("-> Option<Self>", "contents Own");
        check_storage("-> Result<Own, String>", "contents Own");
    }

    #[test]
    fn borrowed_results_are_copied() {
        check_storage("-> &u8", "copy u8 by .to_owned()");
        check_storage("-> &str", "copy String by .to_owned()");
        check_storage("-> &[u8]", "copy Vec<u8> by .to_owned()");
        check_storage("-> Option<&u8>", "copy Option<u8> by .cloned()");
    }

    #[test]
    fn results_without_a_copy_are_errors() {
        check_storage("-> &mut u8", "an error");
        check_storage("-> &dyn T", "an error");
        check_storage("-> Option<&str>", "an error");
        check_storage("-> impl Iterator<Item = u8>", "an error");
        check_storage("-> Iter<'_, u8>", "an error");
    }

    /// Checks the effect of a function on objects of the type `Own`.
    #[track_caller]
    fn check_effect(text: &str, expected: &str) {
        let signature = signature(text);
        let found = with_writer(|writer| {
            let storage = writer.storage(&signature).expect("a storage");
            let inputs = writer.inputs(&signature).expect("parameters");
            writer.effect(&signature, &inputs, &storage, ProgramHints::default()).to_string()
        });
        assert!(found.ends_with(&format!("Effect :: {expected}")), "{text}: {found}");
    }

    #[test]
    fn effect_follows_from_the_signature() {
        check_effect("fn new() -> Self", "Constructs");
        check_effect("fn parse(text: &str) -> Option<Self>", "Constructs");
        check_effect("fn push(&mut self, n: u8) -> bool", "Mutates");
        check_effect("fn into_inner(self) -> u8", "Mutates");
        check_effect("fn swap(&self, other: &mut u8) -> u8", "Mutates");
        check_effect("fn clear(&self)", "Mutates");
        check_effect("fn len(&self) -> usize", "Reads");
        // Not a constructor: it has a receiver.
        check_effect("fn doubled(&self) -> Self", "Reads");
    }

    #[test]
    fn hint_overrides_a_shared_receiver() {
        let signature = signature("fn increment(&self) -> u8");
        let hints = ProgramHints { skip: false, changes: true };
        let effect = with_writer(|writer| {
            let storage = writer.storage(&signature).expect("a storage");
            let inputs = writer.inputs(&signature).expect("parameters");
            writer.effect(&signature, &inputs, &storage, hints).to_string()
        });
        assert!(effect.ends_with("Effect :: Mutates"), "{effect}");
    }

    #[test]
    fn closure_takes_arguments_checks_preconditions_and_stores_the_result() {
        let signature = signature("fn push(&mut self, n: u8) -> bool");
        let mut attributes = vec![syn::parse_quote!(#[requires(n > 0 && self.is_open())])];
        let clauses = Clauses::take(&mut attributes).expect("clauses");
        let found = with_writer(|writer| {
            let storage = writer.storage(&signature).expect("a storage");
            let inputs = writer.inputs(&signature).expect("parameters");
            writer.thunk(&signature, &clauses, &storage, &inputs, None).to_string()
        });
        let expected = "|held: &mut [RT::call_argument::CallArgument<'_>]| {
            let [held_0, held_1] = held else { return RT::table::CallOutcome::WrongTypes };
            let ::core::option::Option::Some(this) = held_0.by_mut::<Own>() else {
                return RT::table::CallOutcome::WrongTypes;
            };
            let ::core::option::Option::Some(n) = held_1.take::<u8>() else {
                return RT::table::CallOutcome::WrongTypes;
            };
            if !RT::blame::holds(|| n > 0 && this.is_open()) {
                return RT::table::CallOutcome::Skipped(0usize);
            }
            RT::table::CallOutcome::Returned(::core::option::Option::Some(
                __std::boxed::Box::new(<Own>::push(this, n))))
        }";
        let expected = expected.replace("RT", "::rebut::__private::contract");
        assert_eq!(compact(&found), compact(&expected));
    }

    #[test]
    fn generic_functions_need_a_type_for_each_parameter() {
        let signature = signature("fn f<T>(value: T) -> T");
        let (clauses, hints) = (Clauses::default(), ProgramHints::default());
        let attributes =
            FunctionAttributes { clauses: &clauses, hints, model: &ModelCounterpart::Same };
        let entry = with_writer(|writer| writer.entry(&signature, &attributes)).expect("no error");
        assert!(entry.is_none());
        let options: Options = syn::parse_quote!(with(T = u8));
        let self_ty = syn::parse_quote!(Own);
        let owner = Owner::Type(None);
        let writer =
            OperationWriter { options: &options, self_ty: &self_ty, type_name: "Own", owner };
        let entry = writer.entry(&signature, &attributes).expect("no error").expect("an entry");
        assert!(entry.to_string().contains("held_0 . take :: < u8 > ()"), "{entry}");
    }
}
