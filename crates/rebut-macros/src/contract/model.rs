//! `#[model(..)]`: a simpler implementation that must behave the same.
//!
//! On an impl block, it names the type of the model and the conditions on `self` and `model` that
//! must be true after each call. On a function, it is the code to run on the model, if that is not
//! the function of the same name. Both calls get arguments of their own, so neither sees what the
//! other did to them.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, Expr, Meta, Result, ReturnType, Signature, Token, Type};

use super::Options;
use super::kept::ResultStorage;
use super::operation::{argument_names, this};
use super::passing::{Passing, PassingMode};
use super::pattern::TakenApart;
use super::substitute::{self, Template};
use super::{alias, checked};
use crate::generated::{self, code};
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
    call: Option<(TokenStream, Template)>,
    /// The arguments of which the call gets copies, by their numbers.
    pub(super) copied: Vec<usize>,
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
        if let (ResultStorage::Dropped, false) =
            (storage, matches!(counterpart, ModelCounterpart::Skipped))
        {
            return Err(Error::new_spanned(
                &signature.output,
                "a program cannot compare this result with that of the model; return an owned \
                 value, a reference, an `Option` of one or an iterator, or write `#[model(skip)]`",
            ));
        }
        let call = match counterpart {
            ModelCounterpart::Same => {
                let (tokens, mut template) = same(model, signature, inputs)?;
                // If the result of the object is collected, so is the result of the model.
                if let ResultStorage::Collected(_, after, _) = storage {
                    template.code(after);
                }
                let run = storage.run();
                Some((code!(#tokens #run), template))
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
                let names = argument_names(inputs, is_method);
                let mut tokens = expression.to_token_stream();
                let template = Template::of(&tokens, &names, true);
                let parameters = inputs.iter().skip(usize::from(is_method));
                for (name, _) in parameters.filter(|(_, passing)| passing.is_modeled) {
                    let model = model_of(name).to_token_stream();
                    tokens = substitute::variable(tokens, &name.to_string(), &model);
                }
                let of_this = model_of(&this()).to_token_stream();
                tokens = substitute::variable(tokens, "model", &of_this);
                Some(with_patterns(signature, inputs, tokens, template))
            }
        };
        let is_unit = match &signature.output {
            ReturnType::Default => true,
            ReturnType::Type(_, ty) => ty.to_token_stream().to_string() == "()",
        };
        let is_compared = call.is_some() && !is_constructor && !is_unit;
        let signature = signature.clone();
        let is_copied = |(name, passing): &(Ident, Passing)| {
            !passing.is_modeled
                && call.as_ref().is_some_and(|(call, _)| alias::mentions(call, name))
        };
        let copied = (0..inputs.len()).filter(|nth| is_copied(&inputs[*nth])).collect();
        Ok(ModelCallWriter { model, path, signature, call, copied, is_compared, is_constructor })
    }

    /// Returns the description for the table.
    pub(super) fn description(&self, runtime: &TokenStream) -> TokenStream {
        let call = match &self.call {
            Some((_, template)) => template.tokens(runtime),
            None => code!(&[]),
        };
        let (is_compared, copied) = (self.is_compared, &self.copied);
        let type_name = written::type_text(&self.model.ty.to_token_stream());
        let relations = self.model.relations.iter().map(|relation| {
            let own = ["self".to_owned()];
            Template::of(&relation.to_token_stream(), &own, true).tokens(runtime)
        });
        code! {
            ::core::option::Option::Some(#runtime::table::ModelCall {
                type_name: #type_name,
                call: #call,
                copied: &[#(#copied),*],
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
            code!(let #runtime::model::Modeled { real: #name, model: #model } = #name;)
        });
        let passed = inputs.iter().map(|(name, passing)| passing.argument(&code!(#name)));
        let copies = self.copied.iter().map(|nth| {
            let (name, copy) = (&inputs[*nth].0, copy_of(&inputs[*nth].0));
            code!(let #name = #copy;)
        });
        let (ty, run) = (self.model.concrete(options), storage.run());
        let annotated = (self.is_constructor && matches!(storage, ResultStorage::Value(_)))
            .then(|| code!(: #ty));
        let model = self.call.as_ref().map(|(call, _)| code!(let modeled #annotated = #call;));
        let after = match self.is_constructor {
            true => self.after_construction(options, storage),
            false => self.comparison(options, storage, inputs),
        };
        code! {
            #(#parted)*
            #checks
            let real = #function(#(#passed),*)#run;
            #(#copies)*
            #model
            #after
        }
    }

    /// Returns the code after both calls constructed an object.
    fn after_construction(&self, options: &Options, storage: &ResultStorage) -> TokenStream {
        let runtime = options.runtime();
        let differs = self.differs(options, &code!(&real), &code!(&modeled));
        let both = match storage {
            ResultStorage::Contents(_) => code! {
                let (real, modeled) = match (real.into_iter().next(), modeled.into_iter().next()) {
                    (::core::option::Option::Some(real), ::core::option::Option::Some(model)) => {
                        (real, model)
                    }
                    (::core::option::Option::None, ::core::option::Option::None) => {
                        return #runtime::table::CallOutcome::ReturnedNothing;
                    }
                    (real, modeled) => {
                        let (real, modeled) = (real.is_some(), modeled.is_some());
                        #differs
                    }
                };
            },
            _ => code!(),
        };
        let relations = self.relations(options, &code!((&real)), &code!((&modeled)));
        code! {
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
            let differs = self.differs(options, &code!(&real), &code!(&modeled));
            code!(if !(real == modeled) { #differs })
        });
        let returned = storage.keep(&code!(real), &runtime);
        let lent = inputs.first().filter(|(_, passing)| {
            self.signature.receiver().is_some()
                && passing.is_modeled
                && passing.mode != PassingMode::Value
        });
        let relations = lent.map(|(name, _)| {
            let model = model_of(name);
            self.relations(options, &code!(#name), &code!(#model))
        });
        code! {
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
            let condition = substitute::variable(condition, "model", model);
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
        code!(#(#relations)*)
    }
}

/// Returns the variable with the copy of the argument `name` for the model.
pub(super) fn copy_of(name: &Ident) -> Ident {
    format_ident!("{name}_copy", span = Span::mixed_site())
}

/// Declares the variables of the parameters that are patterns, for a call that uses them.
fn with_patterns(
    signature: &Signature,
    inputs: &[(Ident, Passing)],
    mut tokens: TokenStream,
    mut template: Template,
) -> (TokenStream, Template) {
    let first = usize::from(signature.receiver().is_some());
    for (nth, input) in checked::typed(signature).enumerate() {
        let pattern = TakenApart::of(&input.pat).filter(|pattern| pattern.is_named_in(&tokens));
        let (Some(pattern), Some((name, _))) = (pattern, inputs.get(first + nth)) else { continue };
        let variables = pattern.variables();
        let pattern = &pattern.pattern;
        tokens = code!({
            let #pattern = #name;
            let _ = (#(&#variables,)*);
            #tokens
        });
        let mut around = Template::default();
        let written = written::type_text(&pattern.to_token_stream());
        around.code(&format!("{{ let {written} = "));
        around.argument(first + nth);
        around.code("; ");
        around.append(template);
        around.code(" }");
        template = around;
    }
    (tokens, template)
}

/// Returns the variable with the model of the object in `name`.
fn model_of(name: &Ident) -> Ident {
    format_ident!("{name}_model", span = generated::span(name.span()))
}

/// Returns the call of the function with the same name.
fn same(
    model: &Model,
    signature: &Signature,
    inputs: &[(Ident, Passing)],
) -> Result<(TokenStream, Template)> {
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
            false => passing.argument(&code!(#name)),
        })
        .collect();
    let function = &signature.ident;
    let mut template = Template::default();
    let tokens = match is_method {
        true => {
            let own = model_of(&this());
            template.model();
            template.code(".");
            code!(#own.#function(#(#passed),*))
        }
        false => {
            let ty = &model.ty;
            template.code(&format!("<{}>::", written::type_text(&ty.to_token_stream())));
            code!(<#ty>::#function(#(#passed),*))
        }
    };
    template.code(&format!("{function}("));
    let first = usize::from(is_method);
    for nth in first..inputs.len() {
        template.code(if nth > first { ", " } else { "" });
        template.argument(nth);
    }
    template.code(")");
    Ok((tokens, template))
}
