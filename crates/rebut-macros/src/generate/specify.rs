//! `#[derive(Specify)]`: writes the type as a specification in the input language.
//!
//! Bounds in `#[generate(..)]` become assertions. For other generators, the user must add the
//! condition: `#[specify("(divisible-by 5)")]`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt as _;
use syn::{Attribute, DeriveInput, Error, Expr, ExprRange, LitStr, RangeLimits, Result, Type};

use super::bounds;
use super::model::{self, DerivedType, Field, FieldStyle, Fields, TypeShape, Variant};
use crate::draw::{Draw, is_named};
use crate::name_value::{Errors, local};

/// Expands `#[derive(Specify)] item`.
pub(crate) fn expand_specify(item: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    let model = DerivedType::new(&input)?;
    if model.is_recursive() {
        return Err(Error::new_spanned(
            model.name,
            "a specification cannot describe recursive types; implement `rebut::Specify` \
             by hand, as deep as you want it",
        ));
    }
    let private = model.facade.private();
    let (name, blank, text) = (model.name, local("name"), local("text"));
    let declared = match &model.shape {
        TypeShape::Struct(fields) => record(&model, fields)?,
        TypeShape::Enum(variants) => names(&model, variants)?,
    };
    let types = model.drawn_fields().filter(|field| is_specified(field));
    let types = types.map(|field| field.ty.to_token_stream());
    let generics = bounds::extended(&model, types, &quote!(#private::Specify));
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    model.facade.complete(quote! {
        #[automatically_derived]
        impl #impl_generics #private::Specify for #name #ty_generics #where_clause {
            fn declare(#blank: &str, #text: &mut __std::string::String) { #declared }
        }
    })
}

/// Returns whether a field is part of the specification.
fn is_specified(field: &Field<'_>) -> bool {
    !field.draw.is_constant()
}

fn record(model: &DerivedType<'_>, fields: &Fields<'_>) -> Result<TokenStream> {
    let private = model.facade.private();
    let (blank, text) = (local("name"), local("text"));
    let drawn: Vec<&Field<'_>> = fields.fields.iter().filter(|field| is_specified(field)).collect();
    if let (FieldStyle::Tuple, [only]) = (fields.style, drawn.as_slice()) {
        return field(model, only, &quote!(#blank));
    }
    if fields.style != FieldStyle::Named || drawn.is_empty() {
        return Err(Error::new_spanned(
            model.name,
            "only structs with named fields, or with a single one, can be specified; name the \
             fields, or implement `rebut::Specify` by hand",
        ));
    }
    let mut errors = Errors::default();
    let mut declared = Vec::new();
    let mut names = Vec::new();
    for one in drawn {
        let name = one.name();
        let part = quote!(&#private::specified_part(#blank, #name));
        declared.extend(errors.ok(field(model, one, &part)));
        names.push(name);
    }
    errors.finish(quote! {
        #(#declared)*
        #private::specified_object(#blank, &[#(#names),*], #text);
    })
}

/// Returns the statements that declare the blank of a field.
fn field(model: &DerivedType<'_>, field: &Field<'_>, name: &TokenStream) -> Result<TokenStream> {
    let (private, text) = (model.facade.private(), local("text"));
    let ty = field.ty;
    let said = said(field.attributes)?;
    let mut assertions = Vec::new();
    match &field.draw {
        Draw::From(Expr::Range(range), _) if !is_named(ty, "char") => {
            assertions.extend(range_assertions(range, ty));
        }
        Draw::From(generator, _) if said.is_empty() => {
            return Err(Error::new_spanned(
                generator,
                "a specification does not know this generator; repeat the condition in the \
                 input language: `#[specify(\"(between 1 9)\")]`",
            ));
        }
        Draw::Matches(pattern) => assertions
            .push(quote!(&__std::format!("(matches {})", #private::specified_text(#pattern)))),
        Draw::Refined(bounds) => {
            for (bound, value) in bounds {
                let written = match bound.to_string().as_str() {
                    "min_value" => "(gte {})",
                    "max_value" => "(lte {})",
                    "min_size" => "(min-length {})",
                    _ => "(max-length {})",
                };
                let is_size = written.contains("length");
                let ty = if is_size { &syn::parse_quote!(usize) } else { ty };
                assertions.push(bound_assertion(written, value, ty));
            }
        }
        _ => {}
    }
    assertions.extend(said.iter().map(ToTokens::to_token_stream));
    Ok(quote! {
        <#ty as #private::Specify>::declare(#name, #text);
        #(#private::specified_assertion(#name, #assertions, #text);)*
    })
}

/// Returns the assertions for a range.
fn range_assertions(range: &ExprRange, ty: &Type) -> Vec<TokenStream> {
    let below = match range.limits {
        RangeLimits::HalfOpen(_) => "(lt {})",
        RangeLimits::Closed(_) => "(lte {})",
    };
    let start = range.start.iter().map(|start| bound_assertion("(gte {})", start, ty));
    let end = range.end.iter().map(|end| bound_assertion(below, end, ty));
    start.chain(end).collect()
}

/// Returns an assertion about a bound. The bound gets the type of the field, because the type of a
/// literal is ambiguous.
fn bound_assertion(assertion: &str, value: &Expr, ty: &Type) -> TokenStream {
    let bound = local("bound");
    quote!(&{
        let #bound: #ty = #value;
        __std::format!(#assertion, #bound)
    })
}

/// Returns the assertions in all `#[specify("..")]` attributes.
fn said(attributes: &[Attribute]) -> Result<Vec<LitStr>> {
    let mut errors = Errors::default();
    let attributes = attributes.iter().filter(|attribute| attribute.path().is_ident("specify"));
    let said = attributes.filter_map(|attribute| match attribute.parse_args::<LitStr>() {
        Ok(text) => Some(text),
        Err(_) => {
            errors.push(
                attribute,
                "expected an assertion of the input language without its first argument: \
                 `#[specify(\"(divisible-by 5)\")]`",
            );
            None
        }
    });
    let said = said.collect();
    errors.finish(said)
}

fn names(model: &DerivedType<'_>, variants: &[Variant<'_>]) -> Result<TokenStream> {
    let private = model.facade.private();
    let (blank, text) = (local("name"), local("text"));
    let mut errors = Errors::default();
    for variant in variants.iter().filter(|variant| !variant.is_skipped) {
        if !variant.fields.fields.is_empty() {
            errors.push(
                variant.name,
                "an Enum of the input language has no fields; skip this variant \
                 (`#[generate(skip)]`), or implement `rebut::Specify` by hand",
            );
        }
    }
    let drawn = model::drawn(variants);
    let names = drawn.iter().map(|variant| variant.name.unraw().to_string());
    errors.finish(quote!(#private::specified_enum(#blank, &[#(#names),*], #text);))
}
