//! `#[rebut::contract]`: turns clauses into checks, and makes the item usable in programs.
//!
//! On an impl block, each function gets checks, and the public ones become entries in a table of
//! operations. On a trait, the macro adds implementors with generated bodies. On a function, it adds
//! a type of the same name, which selects the function in `Program<name>`.

mod alias;
mod checked;
mod clause;
mod interface;
mod model;
mod operation;
mod passing;
pub(crate) mod substitute;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Error, FnArg, ImplItem, Item, ItemFn, ItemImpl, Pat, Result, Token, Type, Visibility};

pub(crate) use self::clause::borrows;
pub(crate) use self::interface::{mentions_self, needs_sized};

use self::checked::{CheckedFunction, Subject};
use self::clause::Clauses;
use self::model::{Model, ModelCounterpart};
use self::operation::{FunctionAttributes, OperationWriter, Owner, ProgramHints};
use crate::facade::Facade;
use crate::name_value::{Errors, TypeAssignment};
use crate::{generated, written};

/// Expands `#[rebut::contract(arguments)] item`.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let options = syn::parse2::<Options>(arguments)?;
    let place = item.clone().into_iter().next().map_or_else(Span::call_site, |first| first.span());
    let mut parsed = syn::parse2::<Item>(item.clone())?;
    let aliases = alias::see_through(&mut parsed, place);
    let expanded = match parsed {
        Item::Fn(function) => free_function(&options, function),
        Item::Impl(block) => impl_block(&options, block),
        Item::Trait(item) => interface::expand(&options, item),
        _ => Err(Error::new_spanned(
            item.into_iter().next(),
            "`#[rebut::contract]` can only be applied to an impl block, a trait or a \
             function; for a struct, apply it to its `impl`",
        )),
    };
    let expanded = expanded?;
    options.facade.complete(quote!(#aliases #expanded))
}

/// The settings in the parentheses.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) facade: Facade,
    /// The types that replace the parameters of a generic impl block in programs.
    with: Vec<(Ident, Type)>,
    pub(crate) only_checks: bool,
    /// Whether implementors of the trait can be sent to other threads.
    pub(crate) send: bool,
}

impl Options {
    /// Returns the path of the runtime of contracts.
    pub(crate) fn runtime(&self) -> TokenStream {
        let private = self.facade.private();
        quote!(#private::contract)
    }
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> Result<Options> {
        let mut options = Options::default();
        while !input.is_empty() {
            if input.peek(Token![crate]) {
                input.parse::<Token![crate]>()?;
                input.parse::<Token![=]>()?;
                options.facade = Facade::at(&input.parse()?);
            } else {
                options.word(input)?;
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(options)
    }
}

impl Options {
    fn word(&mut self, input: ParseStream<'_>) -> Result<()> {
        let name = input.parse::<Ident>()?;
        match name.to_string().as_str() {
            "only_checks" => self.only_checks = true,
            "send" => self.send = true,
            "with" => {
                let inside;
                syn::parenthesized!(inside in input);
                let list = Punctuated::<TypeAssignment, Token![,]>::parse_terminated(&inside)?;
                self.with = list.into_iter().map(|one| (one.name, one.ty)).collect();
            }
            _ => {
                let message = format!(
                    "unknown setting `{name}`; expected one of `with(T = u8)`, `only_checks`, `send`, \
                     `crate = ::rebut`"
                );
                return Err(Error::new(name.span(), message));
            }
        }
        Ok(())
    }
}

fn free_function(options: &Options, mut function: ItemFn) -> Result<TokenStream> {
    let name = function.sig.ident.to_string();
    let mut errors = Errors::default();
    let clauses = errors.ok(Clauses::take(&mut function.attrs));
    let parameters = errors.ok(clause::take_callback_clauses(&mut function.sig));
    let hints = errors.ok(ProgramHints::take(&mut function.attrs)).unwrap_or_default();
    errors.ok(ModelCounterpart::take(&mut function.attrs, false));
    errors.ok(checked::check_signature(&function.sig));
    let (Some(clauses), Some(parameters)) = (clauses, parameters) else {
        return errors.finish(TokenStream::new());
    };
    errors.ok(clauses.refuse_invariants());
    errors.ok(clauses.check_borrows(&function.sig));
    let subject = Subject { path: name.clone(), party: name, invariants: &[] };
    let checked = CheckedFunction {
        options,
        subject,
        clauses: &clauses,
        parameters: &parameters,
        is_visible: true,
    };
    let block = checked.block(&function.sig, &function.block);
    *function.block = syn::parse2(block)?;
    let subject = match options.only_checks || hints.skip {
        true => TokenStream::new(),
        false => subject_of_function(options, &function, &clauses, hints),
    };
    errors.finish(quote!(#function #subject))
}

/// Returns the type of the same name, which selects the function in `Program<name>`.
fn subject_of_function(
    options: &Options,
    function: &ItemFn,
    clauses: &Clauses,
    hints: ProgramHints,
) -> TokenStream {
    let (vis, name) = (&function.vis, &function.sig.ident);
    let self_ty: Type = syn::parse_quote!(#name);
    let writer = OperationWriter {
        options,
        self_ty: &self_ty,
        type_name: &name.to_string(),
        owner: Owner::None,
    };
    let attributes = FunctionAttributes { clauses, hints, model: &ModelCounterpart::Same };
    // A function that programs cannot call still has checks, but no type.
    let subject = match writer.entry(&function.sig, &attributes) {
        Ok(Some(entry)) => operation::subject(options, &self_ty, &[entry]),
        _ => return TokenStream::new(),
    };
    let name = generated::name(name);
    quote! {
        #[doc(hidden)]
        #vis enum #name {}
        #subject
    }
}

fn impl_block(options: &Options, mut item: ItemImpl) -> Result<TokenStream> {
    if item.trait_.is_some() {
        return interface::implementation(options, item);
    }
    let mut errors = Errors::default();
    let type_name = written::type_text(&item.self_ty.to_token_stream());
    let invariants = errors.ok(Clauses::take(&mut item.attrs)).unwrap_or_default();
    let model = errors.ok(Model::take(&mut item.attrs)).flatten();
    errors.ok(invariants.only_invariants());
    let mut operations = Vec::new();
    let self_ty = item.self_ty.clone();
    for inside in &mut item.items {
        let ImplItem::Fn(function) = inside else { continue };
        let clauses = errors.ok(Clauses::take(&mut function.attrs));
        let parameters = errors.ok(clause::take_callback_clauses(&mut function.sig));
        let hints = errors.ok(ProgramHints::take(&mut function.attrs));
        let counterpart = errors.ok(ModelCounterpart::take(&mut function.attrs, model.is_some()));
        let (Some(clauses), Some(parameters), Some(hints), Some(counterpart)) =
            (clauses, parameters, hints, counterpart)
        else {
            continue;
        };
        errors.ok(clauses.refuse_invariants());
        errors.ok(clauses.check_borrows(&function.sig));
        let is_visible = !matches!(function.vis, Visibility::Inherited);
        if clauses.is_empty() && !is_visible {
            continue;
        }
        errors.ok(checked::check_signature(&function.sig));
        let subject = Subject {
            path: format!("{}::{}", short(&type_name), function.sig.ident),
            party: short(&type_name).to_owned(),
            invariants: &invariants.invariants,
        };
        let checked = CheckedFunction {
            options,
            subject,
            clauses: &clauses,
            parameters: &parameters,
            is_visible,
        };
        let block = checked.block(&function.sig, &function.block);
        function.block = syn::parse2(block)?;
        if is_visible && !hints.skip && !options.only_checks {
            let owner = Owner::Type(model.as_ref());
            let type_name = short(&type_name);
            let writer = OperationWriter { options, self_ty: &self_ty, type_name, owner };
            let attributes = FunctionAttributes { clauses: &clauses, hints, model: &counterpart };
            operations.extend(errors.ok(writer.entry(&function.sig, &attributes)).flatten());
        }
    }
    let subject = match errors.ok(check_generics(options, &item)) {
        Some(()) if !options.only_checks => operation::subject(options, &self_ty, &operations),
        _ => TokenStream::new(),
    };
    errors.finish(quote!(#item #subject))
}

/// Checks that `with(..)` has a type for every parameter of a generic block.
fn check_generics(options: &Options, item: &ItemImpl) -> Result<()> {
    for parameter in item.generics.type_params() {
        if !options.only_checks && options.with.iter().all(|(name, _)| *name != parameter.ident) {
            let message = format!(
                "a program needs a concrete type for `{0}`: write \
                 `#[rebut::contract(with({0} = u8))]`, or `#[rebut::contract(only_checks)]` \
                  to generate no programs",
                parameter.ident
            );
            return Err(Error::new_spanned(parameter, message));
        }
    }
    Ok(())
}

/// Returns the name of a type without its path and arguments.
fn short(type_name: &str) -> &str {
    let name = type_name.split('<').next().unwrap_or(type_name).trim();
    name.rsplit("::").next().unwrap_or(name)
}

/// Returns the name of a parameter, or `None` if it is a pattern.
fn name_of(input: &FnArg) -> Option<&Ident> {
    match input {
        FnArg::Typed(input) => match &*input.pat {
            Pat::Ident(pat) if pat.subpat.is_none() => Some(&pat.ident),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    }
}
