//! Attributes of Rebut that depend on `cfg`, inside an item that an attribute macro expands.
//!
//! The compiler evaluates `cfg` and `cfg_attr` on the item itself before it calls the macro, but
//! not those inside of it: on a parameter of a test, on a method of a trait. A macro cannot
//! evaluate them either. A derive can: the compiler removes from its input whatever is not
//! configured. So if such an attribute matters, the macro expands to an enum with one variant per
//! condition and a derive, [`expand`]. The derive sees which conditions are true, removes the
//! attributes, and expands the item as the macro would have done.

use std::cell::RefCell;
use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens as _, format_ident, quote};
use syn::parse::{ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Data, DeriveInput, Error, FnArg, ImplItem, Item, Meta, Result, Signature, Token,
    TraitItem,
};

use crate::facade::Facade;
use crate::test::{Claim, next_number};
use crate::{contract, mock};

/// The macro that expands the item.
#[derive(Clone, Copy)]
pub(crate) enum Macro {
    Test(Claim),
    Contract,
    Mock,
}

/// The attributes that a macro reads inside of an item.
const ATTRIBUTES: &[&str] = &[
    "assume",
    "blank",
    "case",
    "drawn",
    "ensures",
    "example",
    "from",
    "generate",
    "invariant",
    "model",
    "program",
    "pure",
    "requires",
    "test_case",
    "values",
];

impl Macro {
    const ALL: &[(&str, Macro)] = &[
        ("test", Macro::Test(Claim::ForAll)),
        ("exists", Macro::Test(Claim::Exists)),
        ("not_exists", Macro::Test(Claim::NotExists)),
        ("contract", Macro::Contract),
        ("mock", Macro::Mock),
    ];

    /// Expands an item without conditions.
    fn expand(self, arguments: TokenStream, item: TokenStream) -> Result<TokenStream> {
        match self {
            Macro::Test(claim) => crate::test::expand(claim, arguments, item),
            Macro::Contract => contract::expand(arguments, item),
            Macro::Mock => mock::expand(arguments, item),
        }
    }
}

/// Expands an attribute macro. `name` is the macro.
pub(crate) fn expand_attribute(
    name: &str,
    arguments: TokenStream,
    item: TokenStream,
) -> Result<TokenStream> {
    let of = named(name)?;
    let conditions = match mentions_cfg(&item) {
        true => conditions(&item),
        false => Vec::new(),
    };
    if conditions.is_empty() {
        return of.expand(arguments, item);
    }
    let facade = Facade::in_arguments(&arguments);
    let private = facade.private();
    let name = Ident::new(name, Span::call_site());
    // Lints ignore unused items whose names begin with an underscore.
    let conditional = format_ident!("_Rebut{}", next_number());
    let variants = conditions.iter().enumerate().map(|(n, condition)| {
        let variant = format_ident!("_Condition{n}");
        quote!(#[cfg(#condition)] #variant)
    });
    let only_in_tests = matches!(of, Macro::Test(_)).then(|| quote!(#[cfg(test)]));
    facade.complete(quote! {
        #only_in_tests
        #[derive(#private::Configured)]
        #[rebut_configured(#name, (#arguments), (#item))]
        enum #conditional { #(#variants),* }
    })
}

/// Expands the derive `Configured`.
pub(crate) fn expand(item: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    let (Some(attribute), Data::Enum(variants)) = (input.attrs.first(), &input.data) else {
        return Err(Error::new(Span::call_site(), "this derive is part of other macros"));
    };
    let list = attribute.meta.require_list()?;
    let parts = list.tokens.clone().into_iter().collect::<Vec<_>>();
    let [TokenTree::Ident(name), _, TokenTree::Group(arguments), _, TokenTree::Group(item)] =
        parts.as_slice()
    else {
        return Err(Error::new_spanned(list, "this derive is part of other macros"));
    };
    let of = named(&name.to_string())?;
    let there: HashSet<String> =
        variants.variants.iter().map(|variant| variant.ident.to_string()).collect();
    let is_true = |n: usize| there.contains(&format!("_Condition{n}"));
    let known = conditions(&item.stream());
    let holds = |condition: &TokenStream| {
        let written = condition.to_string();
        known.iter().position(|known| known.to_string() == written).is_some_and(is_true)
    };
    let mut item: Item = syn::parse2(item.stream())?;
    configure(&mut item, &holds);
    of.expand(arguments.stream(), item.into_token_stream())
}

fn named(name: &str) -> Result<Macro> {
    let found = Macro::ALL.iter().find(|(known, _)| *known == name);
    found
        .map(|(_, of)| *of)
        .ok_or_else(|| Error::new(Span::call_site(), format!("there is no macro `{name}`")))
}

fn mentions_cfg(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Ident(name) => name == "cfg" || name == "cfg_attr",
        TokenTree::Group(group) => mentions_cfg(&group.stream()),
        _ => false,
    })
}

/// Returns the conditions on which the expansion of an item depends, each once.
fn conditions(item: &TokenStream) -> Vec<TokenStream> {
    // The macro reports an item that it cannot parse.
    let Ok(mut item) = syn::parse2::<Item>(item.clone()) else { return Vec::new() };
    let found = RefCell::new(Vec::<TokenStream>::new());
    // With all conditions true, those in a `cfg_attr` of a `cfg_attr` are found too.
    configure(&mut item, &|condition| {
        let mut found = found.borrow_mut();
        if found.iter().all(|known| known.to_string() != condition.to_string()) {
            found.push(condition.clone());
        }
        true
    });
    found.into_inner()
}

/// Removes the attributes whose conditions are known, and whatever they exclude.
fn configure(item: &mut Item, holds: &dyn Fn(&TokenStream) -> bool) {
    // The compiler has evaluated `cfg` on the item itself.
    match item {
        Item::Fn(function) => {
            expand_cfg_attr(&mut function.attrs, holds);
            inputs(&mut function.sig, holds);
        }
        Item::Impl(block) => {
            expand_cfg_attr(&mut block.attrs, holds);
            block.items.retain_mut(|member| match member {
                ImplItem::Fn(function) => {
                    inputs(&mut function.sig, holds);
                    is_there(&mut function.attrs, holds)
                }
                ImplItem::Const(constant) => is_there(&mut constant.attrs, holds),
                ImplItem::Type(ty) => is_there(&mut ty.attrs, holds),
                _ => true,
            });
        }
        Item::Trait(item) => {
            expand_cfg_attr(&mut item.attrs, holds);
            item.items.retain_mut(|member| match member {
                TraitItem::Fn(function) => {
                    inputs(&mut function.sig, holds);
                    is_there(&mut function.attrs, holds)
                }
                TraitItem::Const(constant) => is_there(&mut constant.attrs, holds),
                TraitItem::Type(ty) => is_there(&mut ty.attrs, holds),
                _ => true,
            });
        }
        _ => {}
    }
}

/// Configures the parameters of a function.
fn inputs(signature: &mut Signature, holds: &dyn Fn(&TokenStream) -> bool) {
    let inputs = std::mem::take(&mut signature.inputs).into_pairs();
    let kept = inputs.filter_map(|mut pair| {
        let attributes = match pair.value_mut() {
            FnArg::Typed(input) => &mut input.attrs,
            FnArg::Receiver(receiver) => &mut receiver.attrs,
        };
        is_there(attributes, holds).then_some(pair)
    });
    signature.inputs = kept.collect();
}

/// Evaluates the conditions of a member or a parameter. Returns whether it exists.
fn is_there(attributes: &mut Vec<Attribute>, holds: &dyn Fn(&TokenStream) -> bool) -> bool {
    expand_cfg_attr(attributes, holds);
    let mut is_there = true;
    attributes.retain(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg") => {
            is_there &= holds(&list.tokens);
            false
        }
        _ => true,
    });
    is_there
}

/// Replaces each `cfg_attr` with an attribute of Rebut by its attributes, or by nothing.
fn expand_cfg_attr(attributes: &mut Vec<Attribute>, holds: &dyn Fn(&TokenStream) -> bool) {
    let mut expanded = Vec::new();
    for attribute in attributes.drain(..) {
        match conditional(&attribute.meta).filter(|(_, metas)| metas.iter().any(is_ours)) {
            None => expanded.push(attribute),
            Some((condition, metas)) if holds(&condition) => {
                let with = |meta| Attribute { meta, ..attribute.clone() };
                let mut inner: Vec<Attribute> = metas.into_iter().map(with).collect();
                expand_cfg_attr(&mut inner, holds);
                expanded.extend(inner);
            }
            Some(_) => {}
        }
    }
    *attributes = expanded;
}

/// Returns the condition and the attributes of a `cfg_attr`.
fn conditional(meta: &Meta) -> Option<(TokenStream, Vec<Meta>)> {
    let list = meta.require_list().ok().filter(|list| list.path.is_ident("cfg_attr"))?;
    let parser = |input: ParseStream<'_>| {
        let mut condition = TokenStream::new();
        while !input.peek(Token![,]) {
            condition.extend([input.parse::<TokenTree>()?]);
        }
        input.parse::<Token![,]>()?;
        Ok((condition, Punctuated::<Meta, Token![,]>::parse_terminated(input)?))
    };
    let (condition, metas) = parser.parse2(list.tokens.clone()).ok()?;
    Some((condition, metas.into_iter().collect()))
}

/// Returns whether an attribute matters to the macros.
fn is_ours(meta: &Meta) -> bool {
    let first = meta.path().segments.first().map(|segment| segment.ident.to_string());
    first.is_some_and(|name| name == "cfg" || ATTRIBUTES.contains(&name.as_str()))
        || conditional(meta).is_some_and(|(_, metas)| metas.iter().any(is_ours))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_found_where_the_macros_read_attributes() {
        let item = quote! {
            #[cfg_attr(a, doc = "other")]
            #[cfg_attr(b, example(1))]
            fn f(#[cfg(all(c, d))] x: u8, #[cfg_attr(e, cfg_attr(g, from(1..9)))] y: u8) {
                #[cfg(h)]
                let z = 1;
            }
        };
        let found: Vec<String> = conditions(&item).iter().map(ToString::to_string).collect();
        assert_eq!(found, ["b", "all (c , d)", "e", "g"]);
    }

    #[test]
    fn false_conditions_remove_parameters_methods_and_attributes() {
        let configured = |item: TokenStream| {
            let mut item: Item = syn::parse2(item).expect("an item");
            configure(&mut item, &|condition| condition.to_string() == "yes");
            item.into_token_stream().to_string()
        };
        let item = quote! {
            #[cfg_attr(yes, example(1), ignore)]
            fn f(#[cfg(yes)] x: u8, #[cfg(no)] y: u8, #[cfg_attr(no, from(1..9))] z: u8) {}
        };
        let expected = quote!(
            #[example(1)]
            #[ignore]
            fn f(x: u8, z: u8) {}
        );
        assert_eq!(configured(item), expected.to_string());
        let item = quote! {
            impl A {
                #[cfg(no)] fn a() {}
                #[cfg_attr(yes, ensures(true))] #[cfg_attr(no, inline)] fn b(#[cfg(yes)] &self) {}
            }
        };
        let expected = quote! {
            impl A { #[ensures(true)] #[cfg_attr(no, inline)] fn b(&self) {} }
        };
        assert_eq!(configured(item), expected.to_string());
    }
}
