//! `#[rebut::contract]`: turns clauses into checks, and makes the item usable in programs.
//!
//! On an impl block, each function gets checks, and the public ones become entries in a table of
//! operations. On a trait, the macro adds implementors with generated bodies. On a function, it adds
//! a type of the same name, which selects the function in `Program<name>`. With `of = Type`, a trait is
//! a list of signatures of that type.

mod alias;
mod checked;
mod clause;
mod foreign;
mod generic;
mod interface;
mod kept;
mod model;
mod operation;
mod passing;
mod pattern;
mod scope;
pub(crate) mod substitute;
mod tracked;
mod view;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Error, FnArg, GenericParam, ImplItem, Item, ItemFn, ItemImpl, Pat, Result, Token,
    Type, Visibility,
};

pub(crate) use self::clause::borrows;
pub(crate) use self::interface::{mentions_self_alone, needs_sized};

use self::checked::{CheckedFunction, Subject};
use self::clause::Clauses;
use self::model::{Model, ModelCounterpart};
use self::operation::{FunctionAttributes, OperationWriter, Owner, ProgramHints};
use self::tracked::TrackedBody;
use crate::facade::Facade;
use crate::name_value::{Errors, TypeAssignment};
use crate::{compile_errors, generated, written};

/// Expands `#[rebut::contract(arguments)] item`.
pub(crate) fn expand(arguments: TokenStream, item: TokenStream) -> Result<TokenStream> {
    let options = syn::parse2::<Options>(arguments)?;
    let place = item.clone().into_iter().next().map_or_else(Span::call_site, |first| first.span());
    let mut parsed = syn::parse2::<Item>(item.clone())?;
    let aliases = alias::see_through(&mut parsed, place);
    let expanded = match (parsed, &options.of) {
        (Item::Trait(item), Some(of)) => foreign::expand(&options, of, item),
        (_, Some(of)) => Err(Error::new_spanned(
            of,
            "`of` belongs to a list of signatures: \
             `#[rebut::contract(of = other::Type)] trait Calls { fn len(&self) -> usize; }`",
        )),
        (parsed, None) => match parsed {
            Item::Fn(function) => free_function(&options, function),
            Item::Impl(block) => impl_block(&options, block),
            Item::Trait(item) => interface::expand(&options, item),
            _ => Err(Error::new_spanned(
                item.into_iter().next(),
                "`#[rebut::contract]` can only be applied to an impl block, a trait or a \
             function; for a struct, apply it to its `impl`",
            )),
        },
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
    /// The type of another crate that the item lists functions of.
    of: Option<Type>,
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
            "of" => {
                input.parse::<Token![=]>()?;
                self.of = Some(input.parse()?);
            }
            "with" => {
                let inside;
                syn::parenthesized!(inside in input);
                let list = Punctuated::<TypeAssignment, Token![,]>::parse_terminated(&inside)?;
                self.with = list.into_iter().map(|one| (one.name, one.ty)).collect();
            }
            _ => {
                let message = format!(
                    "unknown setting `{name}`; expected one of `with(T = u8)`, `of = other::Type`, \
                     `only_checks`, `send`, `crate = ::rebut`"
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
    let parameters = errors.ok(clause::take_callback_clauses(&mut function.sig, false));
    let hints = errors.ok(ProgramHints::take(&mut function.attrs)).unwrap_or_default();
    errors.ok(ModelCounterpart::take(&mut function.attrs, false));
    errors.ok(checked::check_signature(&function.sig));
    let (Some(clauses), Some(parameters)) = (clauses, parameters) else {
        return Ok(with_errors(function.into_token_stream(), errors));
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
    pattern::rebind(&mut function.sig, &clauses, &mut function.block);
    let tracked = TrackedBody::of(&function.attrs, &function.sig, &TokenStream::new())
        .filter(|_| checked.has_checks_after(&function.sig));
    let block = match tracked {
        None => checked.block(&function.sig, &function.block),
        Some(tracked) => {
            pattern::pass_on(&mut function.sig);
            let (item, call) = (tracked.item(&function.block), &tracked.call);
            checked.block_of_call(&function.sig, &function.block, &quote!({ #item #call }))
        }
    };
    *function.block = syn::parse2(block)?;
    let subject = match options.only_checks || hints.skip {
        true => TokenStream::new(),
        false => {
            let can_fail = clause::can_fail(&clauses, &parameters, &Clauses::default());
            subject_of_function(options, &function, &clauses, can_fail, hints)
        }
    };
    Ok(with_errors(quote!(#function #subject), errors))
}

/// Returns the item followed by the errors. Without the item, each use of it would be an error too.
fn with_errors(item: TokenStream, errors: Errors) -> TokenStream {
    match errors.finish(()) {
        Ok(()) => item,
        Err(error) => {
            let error = compile_errors::of(&error);
            quote!(#item #error)
        }
    }
}

/// Returns the type of the same name, which selects the function in `Program<name>`.
fn subject_of_function(
    options: &Options,
    function: &ItemFn,
    clauses: &Clauses,
    can_fail: bool,
    hints: ProgramHints,
) -> TokenStream {
    let (vis, name) = (&function.vis, &function.sig.ident);
    let self_ty: Type = syn::parse_quote!(#name);
    let writer = OperationWriter {
        options,
        self_ty: &self_ty,
        type_name: &name.to_string(),
        owner: Owner::None,
        with: &options.with,
        lifetimes: &[],
        traits: &[],
    };
    let attributes =
        FunctionAttributes { clauses, can_fail, hints, model: &ModelCounterpart::Same };
    let Ok(entry) = writer.entry(&function.sig, &attributes) else { return TokenStream::new() };
    let subject = operation::subject(options, &self_ty, &[], &[entry]);
    let name = generated::name(name);
    quote! {
        #[doc(hidden)]
        #vis enum #name {}
        #subject
    }
}

fn impl_block(options: &Options, mut item: ItemImpl) -> Result<TokenStream> {
    let of_trait = item.trait_.as_ref().map(|(path, _)| path);
    if of_trait.is_some_and(|path| !is_of_standard_library(path)) {
        return interface::implementation(options, item);
    }
    let is_of_trait = of_trait.is_some();
    let mut errors = Errors::default();
    let type_name = written::type_text(&item.self_ty.to_token_stream());
    let invariants = errors.ok(Clauses::take(&mut item.attrs)).unwrap_or_default();
    let model = errors.ok(Model::take(&mut item.attrs)).flatten();
    errors.ok(invariants.only_invariants());
    let (mut operations, mut bodies) = (Vec::new(), Vec::new());
    let self_ty = generic::with_static(item.self_ty.to_token_stream(), &["_".to_owned()]);
    let self_ty: Type = syn::parse2(self_ty)?;
    let traits = generic::traits_of(&item.generics);
    let lifetimes: Vec<String> =
        item.generics.lifetimes().map(|parameter| parameter.lifetime.ident.to_string()).collect();
    for inside in &mut item.items {
        let ImplItem::Fn(function) = inside else { continue };
        let clauses = errors.ok(Clauses::take(&mut function.attrs));
        let has_invariants = !invariants.invariants.is_empty();
        let parameters =
            errors.ok(clause::take_callback_clauses(&mut function.sig, has_invariants));
        let hints = errors.ok(ProgramHints::take(&mut function.attrs));
        let counterpart = errors.ok(ModelCounterpart::take(&mut function.attrs, model.is_some()));
        let (Some(clauses), Some(parameters), Some(hints), Some(counterpart)) =
            (clauses, parameters, hints, counterpart)
        else {
            continue;
        };
        errors.ok(clauses.refuse_invariants());
        // The checks would not compile.
        if errors.ok(clauses.check_borrows(&function.sig)).is_none() {
            continue;
        }
        let is_visible = is_of_trait || !matches!(function.vis, Visibility::Inherited);
        if clauses.is_empty() && !is_visible {
            continue;
        }
        let can_check = checked::check_signature(&function.sig);
        // A function without clauses needs no checks, so it may be `const`, `unsafe` or `async`.
        if clauses.is_empty() && parameters.is_empty() && can_check.is_err() {
        } else if errors.ok(can_check).is_some() {
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
            pattern::rebind(&mut function.sig, &clauses, &mut function.block);
            let tracked = TrackedBody::of(&function.attrs, &function.sig, &quote!(Self::))
                .filter(|_| !is_of_trait && checked.has_checks_after(&function.sig));
            let block = match tracked {
                None => checked.block(&function.sig, &function.block),
                Some(tracked) => {
                    pattern::pass_on(&mut function.sig);
                    bodies.push(syn::parse2(tracked.item(&function.block))?);
                    checked.block_of_call(&function.sig, &function.block, &tracked.call)
                }
            };
            function.block = syn::parse2(block)?;
        }
        if is_visible && !is_of_trait && !hints.skip && !options.only_checks {
            let writer = OperationWriter {
                options,
                self_ty: &self_ty,
                type_name: short(&type_name),
                owner: Owner::Type(model.as_ref()),
                with: &options.with,
                lifetimes: &lifetimes,
                traits: &traits,
            };
            let can_fail = clause::can_fail(&clauses, &parameters, &invariants);
            let attributes =
                FunctionAttributes { clauses: &clauses, can_fail, hints, model: &counterpart };
            if let Some(entry) = errors.ok(writer.entry(&function.sig, &attributes)) {
                let is_condition = |attribute: &&Attribute| attribute.path().is_ident("cfg");
                let conditions = function.attrs.iter().filter(is_condition);
                operations.push(quote!(#(#conditions)* { #entry }));
            }
        }
    }
    item.items.extend(bodies);
    let subject = match errors.ok(check_generics(options, &item)) {
        Some(()) if !options.only_checks && !is_of_trait => {
            operation::subject(options, &self_ty, &lifetimes, &operations)
        }
        _ => TokenStream::new(),
    };
    Ok(with_errors(quote!(#item #subject), errors))
}

/// Returns whether a trait is one of the standard library, which has no contract of its own. Its
/// methods then have clauses like those of an inherent block.
fn is_of_standard_library(path: &syn::Path) -> bool {
    const TRAITS: &[&str] = &[
        "Add",
        "AddAssign",
        "AsMut",
        "AsRef",
        "BitAnd",
        "BitAndAssign",
        "BitOr",
        "BitOrAssign",
        "BitXor",
        "BitXorAssign",
        "Borrow",
        "BorrowMut",
        "BufRead",
        "Clone",
        "Debug",
        "Default",
        "Deref",
        "DerefMut",
        "Display",
        "Div",
        "DivAssign",
        "DoubleEndedIterator",
        "Drop",
        "Eq",
        "Error",
        "ExactSizeIterator",
        "Extend",
        "From",
        "FromIterator",
        "FromStr",
        "Future",
        "Hash",
        "Hasher",
        "Index",
        "IndexMut",
        "Into",
        "IntoIterator",
        "Iterator",
        "Mul",
        "MulAssign",
        "Neg",
        "Not",
        "Ord",
        "PartialEq",
        "PartialOrd",
        "Product",
        "RangeBounds",
        "Read",
        "Rem",
        "RemAssign",
        "Seek",
        "Shl",
        "ShlAssign",
        "Shr",
        "ShrAssign",
        "Sub",
        "SubAssign",
        "Sum",
        "ToOwned",
        "ToString",
        "TryFrom",
        "TryInto",
        "Write",
    ];
    let is_theirs = |segment: &syn::PathSegment| {
        ["std", "core", "alloc"].iter().any(|name| segment.ident == name)
    };
    let mut segments = path.segments.iter();
    let is_path = segments.next().is_some_and(is_theirs);
    let last = path.segments.last();
    is_path
        || path.segments.len() == 1
            && last.is_some_and(|last| TRAITS.iter().any(|name| last.ident == name))
}

/// Checks that `with(..)` has a type for every parameter of a generic block, and nothing else.
fn check_generics(options: &Options, item: &ItemImpl) -> Result<()> {
    let tokens = item.to_token_stream();
    if let Some((name, _)) = options.with.iter().find(|(name, _)| !alias::mentions(&tokens, name)) {
        let known = item.generics.params.iter().filter_map(|parameter| match parameter {
            GenericParam::Lifetime(_) => None,
            GenericParam::Type(parameter) => Some(format!("`{}`", parameter.ident)),
            GenericParam::Const(parameter) => Some(format!("`{}`", parameter.ident)),
        });
        let known: Vec<String> = known.collect();
        let advice = match known.is_empty() {
            true => "remove it".to_owned(),
            false => format!("the block has {}", known.join(", ")),
        };
        return Err(Error::new_spanned(name, format!("nothing here is called `{name}`; {advice}")));
    }
    for parameter in &item.generics.params {
        let (name, what, example) = match parameter {
            GenericParam::Lifetime(_) => continue,
            GenericParam::Type(parameter) => (&parameter.ident, "concrete type", "u8"),
            GenericParam::Const(parameter) => (&parameter.ident, "value", "4"),
        };
        let is_known = options.with.iter().any(|(known, _)| known == name);
        if !options.only_checks && item.trait_.is_none() && !is_known {
            let message = format!(
                "a program needs a {what} for `{name}`: write \
                 `#[rebut::contract(with({name} = {example}))]`, or \
                 `#[rebut::contract(only_checks)]` to generate no programs"
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proc_macro2::{Delimiter, TokenTree};

    use super::*;

    /// Collects the names that may be variables: neither paths, fields, functions nor macros.
    fn variables(tokens: TokenStream, is_fields: bool, names: &mut BTreeSet<String>) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        for (at, tree) in trees.iter().enumerate() {
            let text = |at: Option<usize>| match at.and_then(|at| trees.get(at)) {
                Some(TokenTree::Group(group)) => match group.delimiter() {
                    Delimiter::Parenthesis => "(".to_owned(),
                    _ => "{".to_owned(),
                },
                tree => tree.map(ToString::to_string).unwrap_or_default(),
            };
            let (before, next) = (text(at.checked_sub(1)), text(Some(at + 1)));
            let is_path = |word: &str, at| word == ":" && text(at) == ":";
            match tree {
                TokenTree::Group(group) => {
                    let is_struct = before.starts_with(char::is_uppercase);
                    let is_fields = group.delimiter() == Delimiter::Brace && is_struct;
                    variables(group.stream(), is_fields, names);
                }
                TokenTree::Ident(ident) => {
                    let name = ident.to_string();
                    let is_item = ["fn", ".", "'", "derive"].contains(&before.as_str())
                        || is_path(&before, at.checked_sub(2))
                        || is_path(&next, Some(at + 2))
                        || ["(", "!"].contains(&next.as_str())
                        || is_fields && next == ":";
                    let is_keyword = syn::parse_str::<Ident>(&name).is_err();
                    if name.starts_with(char::is_lowercase) && !is_item && !is_keyword {
                        names.insert(name);
                    }
                }
                _ => {}
            }
        }
    }

    #[test]
    fn variables_of_generated_code_have_a_function_in_the_test_of_their_scope() {
        let items = [
            quote! {
                #[invariant(true)]
                #[model(User, true)]
                impl User {
                    pub fn make() -> Option<User> { None }
                    #[requires(true)]
                    #[ensures(old(true))]
                    #[model(model.change(1))]
                    pub fn change(&mut self, user: u8, #[requires(true)] f: &dyn Fn(&str) -> u8) -> Option<&u8> {}
                    pub fn list(self, (one, two): (u8, u8), view: Option<&str>) -> impl Iterator<Item = &str> {}
                }
            },
            quote! {
                pub trait User: Send {
                    #[ensures(true)]
                    fn change(&mut self, user: &str, other: &dyn User, view: Option<&str>) -> u8;
                    fn read(&self) -> u8 { 0 }
                }
            },
            quote! {
                #[requires(true)]
                fn change(user: u8) -> u8 { 0 }
            },
        ];
        let mut names = BTreeSet::new();
        for item in items {
            variables(expand(TokenStream::new(), item).expect("code"), false, &mut names);
        }
        let of_the_user = ["change", "f", "make", "one", "other", "two", "user", "view"];
        let of_rust = ["debug_assertions", "hidden", "model", "str", "test", "u8", "usize"];
        names.retain(|name| {
            !of_the_user.contains(&name.as_str()) && !of_rust.contains(&name.as_str())
        });
        // The test calls a function of each name in every kind of clause.
        let test = concat!(env!("CARGO_MANIFEST_DIR"), "/../rebut/tests/contracts/scopes.rs");
        let test = std::fs::read_to_string(test).expect("the test");
        let words: BTreeSet<&str> =
            test.split(|c: char| c != '_' && !c.is_alphanumeric()).collect();
        names.retain(|name| !words.contains(name.as_str()));
        assert!(names.is_empty(), "add to tests/contracts/scopes.rs: {names:?}");
    }
}
