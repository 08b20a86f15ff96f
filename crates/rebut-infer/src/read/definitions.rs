//! The types that a crate defines, their implementations and their attributes.

use crate::read::sources::Module;
use crate::read::types;
use proc_macro2::TokenStream;
use quote::ToTokens as _;
use std::collections::BTreeSet;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Fields, Generics, Item, ItemImpl, Lit, Meta, Token};

/// A type that the crate defines.
pub(crate) struct TypeDefinition<'m> {
    pub(crate) module: &'m Module,
    pub(crate) name: String,
    pub(crate) generics: &'m Generics,
    pub(crate) attributes: &'m [Attribute],
    /// The fields, if it is a struct.
    pub(crate) fields: Option<&'m Fields>,
}

impl TypeDefinition<'_> {
    pub(crate) fn path(&self) -> String {
        self.module.path_to(&self.name)
    }

    /// Whether a path can refer to it: its own path, or the end of that.
    pub(crate) fn matches(&self, names: &[String]) -> bool {
        let own: Vec<&str> =
            self.module.path.iter().map(String::as_str).chain([self.name.as_str()]).collect();
        let names = match names {
            [first, rest @ ..] if first == "crate" => return own == rest,
            names => names,
        };
        own.len() >= names.len() && own[own.len() - names.len()..] == *names
    }
}

/// Returns all types that the crate defines.
pub(crate) fn definitions<'m>(modules: &'m [Module]) -> Vec<TypeDefinition<'m>> {
    let definitions_in = |module: &'m Module| {
        module.items.iter().filter_map(move |item| match item {
            Item::Struct(item) => Some(TypeDefinition {
                module,
                name: item.ident.to_string(),
                generics: &item.generics,
                attributes: &item.attrs,
                fields: Some(&item.fields),
            }),
            Item::Enum(item) => Some(TypeDefinition {
                module,
                name: item.ident.to_string(),
                generics: &item.generics,
                attributes: &item.attrs,
                fields: None,
            }),
            _ => None,
        })
    };
    modules.iter().flat_map(definitions_in).collect()
}

/// Returns the implementations of a type. If another type has the same name, only those in the
/// module of the definition: paths are not resolved.
pub(crate) fn impls<'m>(
    modules: &'m [Module],
    definition: &TypeDefinition<'m>,
) -> impl Iterator<Item = (&'m Module, &'m ItemImpl)> {
    let name = definition.name.clone();
    let is_only = definitions(modules).iter().filter(|other| other.name == name).count() == 1;
    let home = definition.module.path.clone();
    let impls_in = move |module: &'m Module| {
        let (name, is_near) = (name.clone(), is_only || module.path == home);
        module.items.iter().filter_map(move |item| match item {
            Item::Impl(item) if is_near => {
                let is_it = types::last_name(&item.self_ty).as_deref() == Some(&name);
                is_it.then_some((module, item))
            }
            _ => None,
        })
    };
    modules.iter().flat_map(impls_in)
}

/// Returns the names of types that have a generator.
pub(crate) fn generated_types(modules: &[Module]) -> BTreeSet<String> {
    let derived =
        definitions(modules).into_iter().filter(|one| derives(one.attributes, "Generate"));
    let mut names: BTreeSet<String> = derived.map(|one| one.name).collect();
    for item in modules.iter().flat_map(|module| &module.items) {
        if let Item::Impl(item) = item
            && trait_name(item).as_deref() == Some("Generate")
        {
            names.extend(types::last_name(&item.self_ty));
        }
    }
    names
}

/// Returns the last name of the trait that is implemented.
pub(crate) fn trait_name(item: &ItemImpl) -> Option<String> {
    item.trait_.as_ref()?.0.segments.last().map(|last| last.ident.to_string())
}

/// Whether `derive(..)` names a trait, perhaps in `cfg_attr`.
pub(crate) fn derives(attributes: &[Attribute], name: &str) -> bool {
    let names = |meta: &Meta| {
        let Meta::List(list) = meta else { return false };
        let parse = Punctuated::<syn::Path, Token![,]>::parse_terminated;
        let paths = list.parse_args_with(parse).unwrap_or_default();
        list.path.is_ident("derive")
            && paths.iter().any(|path| path.segments.last().is_some_and(|last| last.ident == name))
    };
    attributes.iter().flat_map(|attribute| metas(&attribute.meta)).any(|meta| names(&meta))
}

/// Returns an attribute, or the attributes inside a `cfg_attr`.
pub(crate) fn metas(meta: &Meta) -> Vec<Meta> {
    match meta {
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            let parse = Punctuated::<Meta, Token![,]>::parse_terminated;
            let parsed = list.parse_args_with(parse).unwrap_or_default();
            parsed.iter().skip(1).flat_map(metas).collect()
        }
        other => vec![other.clone()],
    }
}

/// Returns the conditions of `#[invariant(..)]`, without their messages.
pub(crate) fn invariants(attributes: &[Attribute]) -> Vec<TokenStream> {
    let mut conditions = Vec::new();
    for meta in attributes.iter().flat_map(|attribute| metas(&attribute.meta)) {
        let Meta::List(list) = meta else { continue };
        if list.path.segments.last().is_none_or(|last| last.ident != "invariant") {
            continue;
        }
        let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
        for expression in list.parse_args_with(parse).unwrap_or_default() {
            if !matches!(&expression, Expr::Lit(ExprLit { lit: Lit::Str(_), .. })) {
                conditions.push(expression.to_token_stream());
            }
        }
    }
    conditions
}
