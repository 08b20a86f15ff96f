//! `#[model(..)]`: a simpler implementation that must behave the same.
//!
//! On an impl block, it names the type of the model and the conditions on `self` and `model` that
//! must be true after each call. On a function, it is the code to run on the model, if that is not
//! the function of the same name. Both calls get the arguments, so these must be `Clone` or shared
//! references.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, Expr, Meta, Result, ReturnType, Signature, Token, Type};

use super::operation::{ResultStorage, this};
use super::passing::{Passing, PassingMode};
use super::{Options, substitute};
use crate::written;

/// The model of a type.
pub(super) struct Model {
    pub(super) ty: Type,
    relations: Vec<Expr>,
}

/// The call on the model that corresponds to a function.
pub(super) enum ModelCounterpart {
    /// The function of the same name.
    Same,
    /// No call.
    Skipped,
    /// The given code.
    Written(Box<Expr>),
}

impl Parse for Model {
    fn parse(input: ParseStream<'_>) -> Result<Model> {
        let ty = input.parse()?;
        let mut relations = Vec::new();
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if !input.is_empty() {
                relations.push(input.parse()?);
            }
        }
        Ok(Model { ty, relations })
    }
}

/// Removes `#[model(..)]` from a list of attributes.
fn take_attribute(attributes: &mut Vec<Attribute>) -> Result<Option<Attribute>> {
    let mut found: Option<Attribute> = None;
    let mut twice = None;
    attributes.retain(|attribute| {
        if !attribute.path().is_ident("model") {
            return true;
        }
        match found.is_some() {
            true => twice = Some(attribute.clone()),
            false => found = Some(attribute.clone()),
        }
        false
    });
    match twice {
        Some(attribute) => {
            Err(Error::new_spanned(attribute, "only one model is allowed; remove this"))
        }
        None => Ok(found),
    }
}

impl Model {
    /// Removes and parses the model of an impl block.
    pub(super) fn take(attributes: &mut Vec<Attribute>) -> Result<Option<Model>> {
        let Some(attribute) = take_attribute(attributes)? else { return Ok(None) };
        match &attribute.meta {
            Meta::List(list) => list.parse_args().map(Some),
            _ => Err(Error::new_spanned(
                attribute,
                "expected the type of the model: `#[model(std::collections::BTreeSet<u8>)]`",
            )),
        }
    }

    /// Returns the type of an object with its model.
    pub(super) fn modeled_type(&self, own: &Type, options: &Options) -> Type {
        let (runtime, ty) = (options.runtime(), self.concrete(options));
        syn::parse_quote!(#runtime::model::Modeled<#own, #ty>)
    }

    fn concrete(&self, options: &Options) -> TokenStream {
        substitute::in_type(&self.ty, &self.ty, &options.with)
    }
}

impl ModelCounterpart {
    /// Removes and parses the attribute of a function.
    pub(super) fn take(
        attributes: &mut Vec<Attribute>,
        has_model: bool,
    ) -> Result<ModelCounterpart> {
        let Some(attribute) = take_attribute(attributes)? else {
            return Ok(ModelCounterpart::Same);
        };
        if !has_model {
            return Err(Error::new_spanned(
                attribute,
                "there is no model: name its type above the `impl` block, below \
                 `#[rebut::contract]`, as in `#[model(std::collections::BTreeSet<u8>)]`",
            ));
        }
        let Meta::List(list) = &attribute.meta else {
            return Err(Error::new_spanned(
                attribute,
                "expected the model's counterpart: `#[model(model.len())]`, or `#[model(skip)]` if it \
                 does nothing",
            ));
        };
        match list.tokens.to_string().as_str() {
            "skip" => Ok(ModelCounterpart::Skipped),
            _ => {
                list.parse_args().map(|expression| ModelCounterpart::Written(Box::new(expression)))
            }
        }
    }
}

/// The call on the model, for one function.
pub(super) struct ModelCallWriter<'a> {
    model: &'a Model,
    path: String,
    signature: Signature,
    /// The call, as tokens and as a template for printed programs. `None` if there is no call.
    call: Option<(TokenStream, String)>,
    is_compared: bool,
    /// Whether the result is an object with its model.
    is_constructor: bool,
}

impl<'a> ModelCallWriter<'a> {
    pub(super) fn new(
        model: &'a Model,
        path: String,
        signature: &Signature,
        inputs: &[(Ident, Passing)],
        counterpart: &ModelCounterpart,
        storage: &ResultStorage,
        is_constructor: bool,
    ) -> Result<ModelCallWriter<'a>> {
        let is_method = signature.receiver().is_some();
        let call = match counterpart {
            ModelCounterpart::Same => {
                let (tokens, text) = same(model, signature, inputs)?;
                // If the result of the object is copied, so is the result of the model.
                let copied = if let ResultStorage::Copy(_, after) = storage { after } else { "" };
                Some((tokens, text + copied))
            }
            ModelCounterpart::Skipped if is_constructor => {
                return Err(Error::new_spanned(
                    &signature.output,
                    "the result needs a model: write how to construct it, as in \
                     `#[model(Vec::new())]`, or write `#[program(skip)]`",
                ));
            }
            ModelCounterpart::Skipped => None,
            ModelCounterpart::Written(expression) => {
                let names: Vec<String> = inputs
                    .iter()
                    .skip(usize::from(is_method))
                    .map(|(name, _)| name.to_string())
                    .collect();
                let mut tokens = expression.to_token_stream();
                let text = written::text(&tokens);
                for (name, _) in inputs.iter().filter(|(_, passing)| passing.is_modeled) {
                    let model = model_of(name).to_token_stream();
                    tokens = substitute::named(tokens, &name.to_string(), &model);
                }
                let template = substitute::template(&text, &names, is_method, true);
                let of_this = model_of(&this()).to_token_stream();
                Some((substitute::named(tokens, "model", &of_this), template))
            }
        };
        let is_unit = match &signature.output {
            ReturnType::Default => true,
            ReturnType::Type(_, ty) => ty.to_token_stream().to_string() == "()",
        };
        let is_compared = call.is_some() && !is_constructor && !is_unit;
        let signature = signature.clone();
        Ok(ModelCallWriter { model, path, signature, call, is_compared, is_constructor })
    }

    /// Returns the description for the table.
    pub(super) fn description(&self, runtime: &TokenStream) -> TokenStream {
        let call = self.call.as_ref().map_or("", |(_, text)| text.as_str());
        let is_compared = self.is_compared;
        let type_name = written::type_text(&self.model.ty.to_token_stream());
        let relations = self.model.relations.iter().map(|relation| {
            let text = written::text(&relation.to_token_stream());
            substitute::template(&text, &[], true, true)
        });
        quote! {
            ::core::option::Option::Some(#runtime::table::ModelCall {
                type_name: #type_name,
                call: #call,
                is_compared: #is_compared,
                relations: &[#(#relations),*],
            })
        }
    }

    /// Returns the code that calls both, compares the results, and returns.
    pub(super) fn call_both(
        &self,
        options: &Options,
        function: &TokenStream,
        storage: &ResultStorage,
        inputs: &[(Ident, Passing)],
        checks: &TokenStream,
    ) -> TokenStream {
        let runtime = options.runtime();
        let parted = inputs.iter().filter(|(_, passing)| passing.is_modeled).map(|(name, _)| {
            let model = model_of(name);
            quote!(let #runtime::model::Modeled { real: #name, model: #model } = #name;)
        });
        let passed = inputs.iter().map(|(name, passing)| {
            match passing.mode == PassingMode::Value && !passing.is_modeled && self.call.is_some() {
                true => quote!(::core::clone::Clone::clone(&#name)),
                false => passing.argument(&quote!(#name)),
            }
        });
        let ty = self.model.concrete(options);
        let annotated = (self.is_constructor && matches!(storage, ResultStorage::Value(_)))
            .then(|| quote!(: #ty));
        let model = self.call.as_ref().map(|(call, _)| quote!(let modeled #annotated = #call;));
        let after = match self.is_constructor {
            true => self.after_construction(options, storage),
            false => self.comparison(options, storage, inputs),
        };
        quote! {
            #(#parted)*
            #checks
            let real = #function(#(#passed),*);
            #model
            #after
        }
    }

    /// Returns the code after both calls constructed an object.
    fn after_construction(&self, options: &Options, storage: &ResultStorage) -> TokenStream {
        let runtime = options.runtime();
        let differs = self.differs(options, &quote!(&real), &quote!(&modeled));
        let both = match storage {
            ResultStorage::Contents(_) => quote! {
                let (real, modeled) = match (real.into_iter().next(), modeled.into_iter().next()) {
                    (::core::option::Option::Some(real), ::core::option::Option::Some(model)) => {
                        (real, model)
                    }
                    (::core::option::Option::None, ::core::option::Option::None) => {
                        return #runtime::table::CallOutcome::Skipped(usize::MAX);
                    }
                    (real, modeled) => {
                        let (real, modeled) = (real.is_some(), modeled.is_some());
                        #differs
                    }
                };
            },
            _ => quote!(),
        };
        let relations = self.relations(options, &quote!((&real)), &quote!((&modeled)));
        quote! {
            #both
            #relations
            #runtime::table::CallOutcome::Returned(::core::option::Option::Some(__std::boxed::Box::new(
                #runtime::model::Modeled { real, model: modeled },
            )))
        }
    }

    /// Returns the code that compares the results of both calls.
    fn comparison(
        &self,
        options: &Options,
        storage: &ResultStorage,
        inputs: &[(Ident, Passing)],
    ) -> TokenStream {
        let runtime = options.runtime();
        let compared = self.is_compared.then(|| {
            let differs = self.differs(options, &quote!(&real), &quote!(&modeled));
            quote!(if !(real == modeled) { #differs })
        });
        let returned = match storage {
            ResultStorage::Nothing => {
                quote!(::core::option::Option::None::<#runtime::call_argument::Value>)
            }
            ResultStorage::Copy(_, ".cloned()") => quote!(::core::option::Option::Some(
                __std::boxed::Box::new(real.map(|inside| ::core::clone::Clone::clone(inside)))
                    as #runtime::call_argument::Value
            )),
            ResultStorage::Copy(..) => quote!(::core::option::Option::Some(
                __std::boxed::Box::new(__std::borrow::ToOwned::to_owned(real))
                    as #runtime::call_argument::Value
            )),
            ResultStorage::Value(_) | ResultStorage::Contents(_) => {
                quote!(::core::option::Option::Some(
                    __std::boxed::Box::new(real) as #runtime::call_argument::Value
                ))
            }
        };
        let lent = inputs.first().filter(|(_, passing)| {
            self.signature.receiver().is_some()
                && passing.is_modeled
                && passing.mode != PassingMode::Value
        });
        let relations = lent.map(|(name, _)| {
            let model = model_of(name);
            self.relations(options, &quote!(#name), &quote!(#model))
        });
        quote! {
            #compared
            let returned = #returned;
            #relations
            #runtime::table::CallOutcome::Returned(returned)
        }
    }

    fn differs(&self, options: &Options, real: &TokenStream, model: &TokenStream) -> TokenStream {
        let (runtime, private, path) = (options.runtime(), options.facade.private(), &self.path);
        // The span of the function distinguishes this failure from others.
        quote_spanned! {self.signature.ident.span()=> {
            use #private::show::*;
            use #runtime::model::fail as __rebut_fail;
            __rebut_fail(&#runtime::model::differs(
                #path,
                &(&&&#private::Shown(#real)).show(),
                &(&&&#private::Shown(#model)).show(),
            ));
        }}
    }

    /// Returns the checks of the relations between the object and its model.
    fn relations(&self, options: &Options, real: &TokenStream, model: &TokenStream) -> TokenStream {
        let (runtime, private, path) = (options.runtime(), options.facade.private(), &self.path);
        let relations = self.model.relations.iter().map(|relation| {
            let tokens = relation.to_token_stream();
            let text = written::text(&tokens);
            let condition = substitute::named(tokens, "self", real);
            let condition = substitute::named(condition, "model", model);
            quote_spanned! {self.signature.ident.span()=>
                if !#runtime::blame::holds(|| #condition) {
                    use #private::show::*;
                    use #runtime::model::fail as __rebut_fail;
                    __rebut_fail(&#runtime::model::parted(
                        #path,
                        #text,
                        &(&&&#private::Shown(&*(&*#real))).show(),
                        &(&&&#private::Shown(&*(&*#model))).show(),
                    ));
                }
            }
        });
        quote!(#(#relations)*)
    }
}

/// Returns the variable with the model of the object in `name`.
fn model_of(name: &Ident) -> Ident {
    format_ident!("{name}_model", span = name.span())
}

/// Returns the call of the function with the same name.
fn same(
    model: &Model,
    signature: &Signature,
    inputs: &[(Ident, Passing)],
) -> Result<(TokenStream, String)> {
    let is_method = signature.receiver().is_some();
    for (name, passing) in inputs {
        if !passing.is_reusable() {
            return Err(Error::new_spanned(
                name,
                "this cannot be passed to the model as well: write the model's counterpart, as in \
                 `#[model(model.len())]`; or write `#[model(skip)]` if it does nothing, or \
                 `#[program(skip)]` if programs must not call the function",
            ));
        }
    }
    let passed: Vec<TokenStream> = inputs
        .iter()
        .skip(usize::from(is_method))
        .map(|(name, passing)| match passing.is_modeled {
            true => model_of(name).to_token_stream(),
            false => passing.argument(&quote!(#name)),
        })
        .collect();
    let placeholders: Vec<String> =
        (usize::from(is_method)..inputs.len()).map(|nth| format!("{{{nth}}}")).collect();
    let (function, placeholders) = (&signature.ident, placeholders.join(", "));
    Ok(match is_method {
        true => {
            let own = model_of(&this());
            (quote!(#own.#function(#(#passed),*)), format!("{{model}}.{function}({placeholders})"))
        }
        false => {
            let ty = &model.ty;
            let text = written::type_text(&ty.to_token_stream());
            (
                quote!(<#ty>::#function(#(#passed),*)),
                format!("<{text}>::{function}({placeholders})"),
            )
        }
    })
}
