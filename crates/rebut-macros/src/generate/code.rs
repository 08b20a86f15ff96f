//! `#[derive(ToCode)]`: prints a value as the expression that constructs it.

use std::cmp::Reverse;

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{DeriveInput, Result, Visibility};

use super::bounds;
use super::model::{DerivedType, FieldStyle, Fields, TypeShape};
use crate::name_value::local;

/// Expands `#[derive(ToCode)] item`.
pub(crate) fn expand_code(item: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    let model = DerivedType::new(&input)?;
    model.facade.complete(implementation(&model))
}

pub(super) fn implementation(model: &DerivedType<'_>) -> TokenStream {
    let private = model.facade.private();
    let (name, code) = (model.name, local("code"));
    let types = model.all_fields(|_| true).map(|field| field.ty.to_token_stream());
    let generics = bounds::extended(model, types, &quote!(#private::ToCode));
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let written = name.to_string();
    let has_fields = model.all_fields(|_| true).next().is_some();
    let traits = has_fields.then(|| quote!(use #private::show::*;));
    let mut hidden: Option<Reverse<usize>> = None;
    let arms: Vec<_> = match &model.shape {
        TypeShape::Struct(fields) => {
            hidden = fields.fields.iter().filter_map(|field| hidden_from(field.visibility)).max();
            vec![arm(model, &quote!(Self), &written, fields)]
        }
        TypeShape::Enum(variants) => variants
            .iter()
            .map(|variant| {
                let name = variant.name;
                let written = format!("{written}::{}", name);
                arm(model, &quote!(Self::#name), &written, &variant.fields)
            })
            .collect(),
    };
    let note = hidden.map(|Reverse(levels)| {
        quote!(#code.note_private_fields(#written, ::core::module_path!(), #levels);)
    });
    let visible = match hidden_from(model.visibility) {
        None => quote!(::core::option::Option::None),
        Some(Reverse(levels)) => quote!(::core::option::Option::Some(#levels)),
    };
    quote! {
        #[automatically_derived]
        impl #impl_generics #private::ToCode for #name #ty_generics #where_clause {
            fn to_code(&self, #code: &mut #private::Code) {
                #traits
                let _ = &#code;
                #code.note_type(#written, ::core::module_path!(), #visible);
                #note
                match self { #(#arms)* }
            }
        }
    }
}

/// Returns where a field can be named that is not public: the number of parts of the module's path,
/// from its end, that are not needed. `usize::MAX` stands for all but the crate.
fn hidden_from(visibility: &Visibility) -> Option<Reverse<usize>> {
    match visibility {
        Visibility::Public(_) => None,
        Visibility::Inherited => Some(Reverse(0)),
        Visibility::Restricted(restricted) if restricted.path.is_ident("self") => Some(Reverse(0)),
        Visibility::Restricted(restricted) if restricted.path.is_ident("super") => Some(Reverse(1)),
        // A path to an outer module is in this crate too.
        Visibility::Restricted(_) => Some(Reverse(usize::MAX)),
    }
}

/// Matches one constructor and writes it.
fn arm(
    model: &DerivedType<'_>,
    constructor: &TokenStream,
    written: &str,
    fields: &Fields<'_>,
) -> TokenStream {
    let (private, code) = (model.facade.private(), local("code"));
    let (open, close) = match fields.style {
        FieldStyle::Unit => ("", ""),
        FieldStyle::Named if fields.fields.is_empty() => (" {}", ""),
        FieldStyle::Named => (" { ", " }"),
        FieldStyle::Tuple => ("(", ")"),
    };
    let mut text = format!("{written}{open}");
    let (mut patterns, mut writes) = (Vec::new(), Vec::new());
    for (n, field) in fields.fields.iter().enumerate() {
        let variable = format_ident!("field_{n}", span = code.span());
        let name = &field.variable;
        if n > 0 {
            text.push_str(", ");
        }
        if fields.style == FieldStyle::Named {
            text.push_str(&format!("{name}: "));
            patterns.push(quote!(#name: #variable));
        } else {
            patterns.push(quote!(#variable));
        }
        writes.push(quote! {
            #code.push(#text);
            (&&&#private::Shown(#variable)).write(#code);
            #code.end_field();
        });
        text.clear();
    }
    text.push_str(close);
    let last = (!text.is_empty()).then(|| quote!(#code.push(#text);));
    let pattern = match fields.style {
        FieldStyle::Named => quote!(#constructor { #(#patterns),* }),
        FieldStyle::Tuple => quote!(#constructor(#(#patterns),*)),
        FieldStyle::Unit => constructor.clone(),
    };
    quote!(#pattern => { #(#writes)* #last })
}
