//! Turns functions into operations that programs call.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{
    Attribute, Error, GenericParam, Meta, ReceiverKind, Result, ReturnType, Signature, Type,
};

use super::Options;
use super::clause::{Clauses, borrows};
use super::model::{Model, Modeled, OfFunction};
use super::passing::{Mode, Passing, inside};
use super::substitute;

/// The settings in `#[program(..)]` on a function.
#[derive(Clone, Copy, Default)]
pub(super) struct Hints {
    /// Programs do not call the function.
    pub(super) skip: bool,
    /// The function changes state although it takes `&self`.
    changes: bool,
}

impl Hints {
    pub(super) fn take(attributes: &mut Vec<Attribute>) -> Result<Hints> {
        let mut hints = Hints::default();
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
    /// None: a free function.
    Nobody,
}

/// A function that programs can call.
pub(super) struct Method<'a> {
    pub(super) options: &'a Options,
    pub(super) self_ty: &'a Type,
    pub(super) type_name: &'a str,
    pub(super) owner: Owner<'a>,
}

/// The part of a result that a program keeps.
pub(super) enum Kept {
    Nothing,
    /// The value, of this type.
    Value(Type),
    /// A copy of what is borrowed.
    Copy(Type, &'static str),
    /// The contents of an `Option` or a `Result`, if there are any.
    Inside(Type),
}

/// The attributes of a function.
pub(super) struct Said<'a> {
    pub(super) clauses: &'a Clauses,
    pub(super) hints: Hints,
    pub(super) model: &'a OfFunction,
}

impl Method<'_> {
    /// Returns the statement that registers the function, or `None` if programs cannot call it.
    pub(super) fn entry(
        &self,
        signature: &Signature,
        said: &Said<'_>,
    ) -> Result<Option<TokenStream>> {
        if !self.is_told(signature) {
            return Ok(None);
        }
        let kept = self.kept(signature)?;
        let inputs = self.inputs(signature)?;
        let modeled = self.modeled(signature, &kept, &inputs, said)?;
        let runtime = self.options.runtime();
        let registered: Vec<TokenStream> =
            inputs.iter().map(|(_, passing)| self.registered(passing)).collect();
        let is_method = signature.receiver().is_some();
        let effect = self.effect(signature, &inputs, &kept, said.hints);
        let thunk = match self.owner {
            Owner::Trait(nth) => self.dispatched(nth, &inputs),
            _ => self.thunk(signature, said.clauses, &kept, &inputs, modeled.as_ref()),
        };
        let names = names(&inputs, is_method);
        let clauses = &said.clauses.requires;
        let requires: Vec<String> = clauses
            .iter()
            .map(|clause| substitute::template(&clause.written, &names, is_method, false))
            .collect();
        let count = requires.len();
        let name = signature.ident.to_string();
        let path = self.path(&name);
        let told = clauses.iter().map(|clause| format!("`{path}` requires `{}`", clause.text));
        let (result, after) = self.result(&kept);
        let of_model = modeled.map_or_else(
            || quote!(::core::option::Option::None),
            |modeled| modeled.described(&runtime),
        );
        Ok(Some(quote! {{
            let parameters = ::std::vec![#(#registered),*];
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
                clauses: &[#(#told),*],
                model: #of_model,
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

    /// Returns whether `with(..)` has a type for every type parameter.
    fn is_told(&self, signature: &Signature) -> bool {
        let is_told = |name: &Ident| self.options.with.iter().any(|(known, _)| known == name);
        signature.generics.params.iter().all(|parameter| match parameter {
            GenericParam::Lifetime(_) => true,
            GenericParam::Type(parameter) => is_told(&parameter.ident),
            GenericParam::Const(_) => false,
        })
    }

    fn path(&self, name: &str) -> String {
        match self.owner {
            Owner::Nobody => name.to_owned(),
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
        kept: &Kept,
        inputs: &[(Ident, Passing)],
        said: &Said<'_>,
    ) -> Result<Option<Modeled<'_>>> {
        let Some(model) = self.model() else { return Ok(None) };
        let makes = match kept {
            Kept::Value(ty) | Kept::Inside(ty) => is_same(ty, &self.own().ok()),
            _ => false,
        };
        let path = self.path(&signature.ident.to_string());
        Modeled::new(model, path, signature, inputs, said.model, kept, makes).map(Some)
    }

    fn told(&self, ty: &Type) -> Result<Type> {
        syn::parse2(substitute::in_type(ty, self.self_ty, &self.options.with))
    }

    fn own(&self) -> Result<Type> {
        self.told(self.self_ty)
    }

    /// Returns the parameters and how to pass them, the receiver first.
    fn inputs(&self, signature: &Signature) -> Result<Vec<(Ident, Passing)>> {
        let mut inputs = Vec::new();
        if let Some(receiver) = signature.receiver() {
            let own = self.own()?;
            let ty: Type = match &receiver.kind {
                ReceiverKind::Reference(_, _, Some(_)) => syn::parse_quote!(&mut #own),
                ReceiverKind::Reference(_, _, None) => syn::parse_quote!(&#own),
                ReceiverKind::Typed(_, ty) => self.told(ty)?,
                _ => own,
            };
            inputs.push((this(), self.passing(&ty)));
        }
        for (n, input) in super::checked::typed(signature).enumerate() {
            let name = match &*input.pat {
                syn::Pat::Ident(pat) => pat.ident.clone(),
                _ => format_ident!("argument_{n}", span = Span::mixed_site()),
            };
            inputs.push((name, self.passing(&self.told(&input.ty)?)));
        }
        Ok(inputs)
    }

    /// Returns how to pass a value of this type. An object is passed with its model, if it has one.
    fn passing(&self, ty: &Type) -> Passing {
        let (Some(model), Ok(own)) = (self.model(), self.own()) else { return Passing::of(ty) };
        let (mode, plain) = match ty {
            Type::Reference(reference) if reference.mutability.is_some() => {
                (Mode::Mut, &*reference.elem)
            }
            Type::Reference(reference) => (Mode::Ref, &*reference.elem),
            ty => (Mode::Value, ty),
        };
        match is_same(plain, &Some(own.clone())) {
            true => Passing::with_model(&model.kind(&own, self.options), mode),
            false => Passing::of(ty),
        }
    }

    fn effect(
        &self,
        signature: &Signature,
        inputs: &[(Ident, Passing)],
        kept: &Kept,
        hints: Hints,
    ) -> TokenStream {
        let runtime = self.options.runtime();
        let takes_self = signature
            .receiver()
            .is_some_and(|receiver| matches!(receiver.kind, ReceiverKind::Value));
        let changes = hints.changes
            || takes_self
            || inputs.iter().any(|(_, passing)| passing.mode == Mode::Mut)
            || matches!(signature.output, ReturnType::Default);
        let makes = signature.receiver().is_none()
            && match kept {
                Kept::Value(ty) | Kept::Inside(ty) => is_same(ty, &self.own().ok()),
                _ => false,
            };
        match (makes, changes) {
            (true, _) => quote!(#runtime::table::Effect::Constructs),
            (_, true) => quote!(#runtime::table::Effect::Mutates),
            _ => quote!(#runtime::table::Effect::Reads),
        }
    }

    fn kept(&self, signature: &Signature) -> Result<Kept> {
        let ReturnType::Type(_, ty) = &signature.output else { return Ok(Kept::Nothing) };
        let told = self.told(ty)?;
        if told.to_token_stream().to_string() == "()" || matches!(told, Type::Never(_)) {
            return Ok(Kept::Nothing);
        }
        if let Some(inside) = inside(&told)
            && is_same(&inside, &self.own().ok())
        {
            return Ok(Kept::Inside(inside));
        }
        if !borrows(&told) && !matches!(told, Type::ImplTrait(_)) {
            return Ok(Kept::Value(told));
        }
        copied(&told).ok_or_else(|| {
            Error::new_spanned(
                ty,
                "a program cannot keep this borrowed result; return an owned value, `&T` or \
                 `Option<&T>` (which it clones), or add `#[program(skip)]` to the function",
            )
        })
    }

    /// Returns the number of the result type, and the code after the call.
    fn result(&self, kept: &Kept) -> (TokenStream, &'static str) {
        let register = |ty: &Type| {
            let kind = self.passing(ty).register_known(self.options);
            quote!(::core::option::Option::Some(#kind))
        };
        match kept {
            Kept::Nothing => (quote!(::core::option::Option::None), ""),
            Kept::Value(ty) => (register(ty), ""),
            Kept::Copy(ty, after) => (register(ty), after),
            Kept::Inside(ty) => (register(ty), ".unwrap()"),
        }
    }

    /// Returns the closure that takes the arguments, checks the preconditions and calls the function.
    fn thunk(
        &self,
        signature: &Signature,
        clauses: &Clauses,
        kept: &Kept,
        inputs: &[(Ident, Passing)],
        modeled: Option<&Modeled<'_>>,
    ) -> TokenStream {
        let runtime = self.options.runtime();
        let taken = self.taken(inputs);
        let checks = self.checks(clauses);
        let function = &signature.ident;
        let function = match (self.owner, self.own()) {
            (Owner::Type(_), Ok(own)) => quote!(<#own>::#function),
            _ => quote!(#function),
        };
        let done = match modeled {
            None => {
                let passed = inputs.iter().map(|(name, passing)| passing.passed(&quote!(#name)));
                let returned = returned(kept, &quote!(#function(#(#passed),*)), &runtime);
                quote!(#checks #returned)
            }
            Some(modeled) => modeled.done(self.options, &function, kept, inputs, &checks),
        };
        quote! {
            |held: &mut [#runtime::call_argument::CallArgument<'_>]| {
                #taken
                #done
            }
        }
    }

    /// Returns the statements that move the arguments from `held` into variables.
    fn taken(&self, inputs: &[(Ident, Passing)]) -> TokenStream {
        let runtime = self.options.runtime();
        let helds: Vec<Ident> = (0..inputs.len())
            .map(|n| format_ident!("held_{n}", span = Span::mixed_site()))
            .collect();
        let lets = inputs.iter().zip(&helds).map(|((name, passing), held)| {
            let taken = passing.taken(held);
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
            let condition = self.told_tokens(condition);
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
        let taken = receiver.taken(&held);
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
        let kept = self.kept(signature)?;
        let inputs = self.inputs(signature)?;
        let rest = inputs.get(1..).unwrap_or_default();
        let (taken, checks) = (self.taken(rest), self.checks(clauses));
        let passed = rest.iter().map(|(name, passing)| passing.passed(&quote!(#name)));
        let function = &signature.ident;
        let returned = returned(&kept, &quote!(#this.#function(#(#passed),*)), &runtime);
        Ok(quote!({ #taken #checks #returned }))
    }

    fn told_tokens(&self, tokens: TokenStream) -> TokenStream {
        let mut tokens = substitute::named(tokens, "Self", &self.self_ty.to_token_stream());
        for (name, told) in &self.options.with {
            tokens = substitute::named(tokens, &name.to_string(), &told.to_token_stream());
        }
        tokens
    }
}

/// Returns the names of the parameters without the receiver.
fn names(inputs: &[(Ident, Passing)], is_method: bool) -> Vec<String> {
    inputs.iter().skip(usize::from(is_method)).map(|(name, _)| name.to_string()).collect()
}

/// Returns the name of the function that calls methods of a trait object by number.
pub(super) fn dispatch(mode: Mode) -> Ident {
    let name = if mode == Mode::Mut { "dispatch_mut" } else { "dispatch_ref" };
    Ident::new(name, Span::mixed_site())
}

/// Returns the name of the receiver in generated calls.
pub(super) fn this() -> Ident {
    Ident::new("this", Span::mixed_site())
}

fn returned(kept: &Kept, call: &TokenStream, runtime: &TokenStream) -> TokenStream {
    let some = quote!(::core::option::Option::Some);
    match kept {
        Kept::Nothing => quote!({
            #call;
            #runtime::table::CallOutcome::Returned(::core::option::Option::None)
        }),
        Kept::Value(_) => quote!(
            #runtime::table::CallOutcome::Returned(#some(::std::boxed::Box::new(#call)))
        ),
        Kept::Copy(_, ".cloned()") => quote!(
            #runtime::table::CallOutcome::Returned(#some(::std::boxed::Box::new(
                #call.map(|inside| ::core::clone::Clone::clone(inside)))))
        ),
        Kept::Copy(..) => quote!(
            #runtime::table::CallOutcome::Returned(#some(::std::boxed::Box::new(
                ::std::borrow::ToOwned::to_owned(#call))))
        ),
        Kept::Inside(_) => quote!(
            match ::core::iter::IntoIterator::into_iter(#call).next() {
                #some(made) => #runtime::table::CallOutcome::Returned(#some(::std::boxed::Box::new(made))),
                ::core::option::Option::None => #runtime::table::CallOutcome::Skipped(usize::MAX),
            }
        ),
    }
}

pub(super) fn is_same(ty: &Type, other: &Option<Type>) -> bool {
    let text = |ty: &Type| ty.to_token_stream().to_string();
    other.as_ref().is_some_and(|other| text(ty) == text(other))
}

/// Returns the owned copy to keep of a borrowed result, if there is one.
fn copied(ty: &Type) -> Option<Kept> {
    match ty {
        Type::Reference(reference) if reference.mutability.is_none() => {
            let elem = &reference.elem;
            match &**elem {
                Type::Slice(slice) => {
                    let element = &slice.elem;
                    Some(Kept::Copy(syn::parse_quote!(::std::vec::Vec<#element>), ".to_owned()"))
                }
                Type::TraitObject(_) => None,
                ty if ty.to_token_stream().to_string() == "str" => {
                    Some(Kept::Copy(syn::parse_quote!(::std::string::String), ".to_owned()"))
                }
                ty if borrows(ty) => None,
                ty => Some(Kept::Copy(ty.clone(), ".to_owned()")),
            }
        }
        _ => {
            let Type::Path(path) = ty else { return None };
            let last = path.path.segments.last()?;
            let Some(Type::Reference(reference)) = inside(ty) else { return None };
            let elem = &reference.elem;
            let is_plain = reference.mutability.is_none()
                && last.ident == "Option"
                && !borrows(elem)
                && !matches!(**elem, Type::Slice(_) | Type::TraitObject(_))
                && elem.to_token_stream().to_string() != "str";
            is_plain
                .then(|| Kept::Copy(syn::parse_quote!(::core::option::Option<#elem>), ".cloned()"))
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
    let told = substitute::in_type(self_ty, self_ty, &options.with);
    quote! {
        const _: () = {
            impl #runtime::Contracted for #told {
                #[allow(clippy::all, unused)]
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
