//! `#[derive(Generate)]`: generates a value field by field.
//!
//! Each field becomes a local variable of the same name, so later fields can depend on it. An enum
//! is a choice of its variant, simplest first. Variants that do not contain the type itself come
//! before the others, which drivers need to end a recursive value. A value of a recursive type
//! is in a span named after the type, so that shrinking can replace a value with a part of it.

mod bounds;
mod code;
mod model;
mod recursion;
mod specify;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt as _;
use syn::{DeriveInput, Result};

use self::model::{DerivedType, Field, Fields, TypeShape, Variant};
use crate::draw::{Draw, generate_trait};
use crate::name_value::{Errors, local};

pub(crate) use self::code::expand_code;
pub(crate) use self::specify::expand_specify;

/// Expands `#[derive(Generate)] item`.
pub(crate) fn expand(item: TokenStream) -> Result<TokenStream> {
    let input: DeriveInput = syn::parse2(item)?;
    let model = DerivedType::new(&input)?;
    let generate = implementation(&model)?;
    let code = (!model.no_code).then(|| code::implementation(&model));
    model.facade.complete(quote!(#generate #code))
}

fn implementation(model: &DerivedType<'_>) -> Result<TokenStream> {
    let private = model.facade.private();
    let (name, source) = (model.name, local("source"));
    let drawn_types = model.drawn_fields().filter(|field| field.draw.uses_type());
    let generics = bounds::extended(
        model,
        drawn_types.map(|field| field.ty.to_token_stream()),
        &quote!(#private::Generate),
    );
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let draw = match &model.shape {
        TypeShape::Struct(fields) => record(model, &quote!(Self), fields)?,
        TypeShape::Enum(variants) => choice(model, variants)?,
    };
    let draw = filtered(model, spanned(model, draw));
    let members = members(model);
    let is_single = is_single(model);
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics #private::Generate for #name #ty_generics #where_clause {
            fn generate(#source: &mut #private::Source) -> Self {
                let _ = &#source;
                #draw
            }
            #members
            #is_single
        }
    })
}

/// Generates the fields, then builds the value.
fn record(
    model: &DerivedType<'_>,
    constructor: &TokenStream,
    fields: &Fields<'_>,
) -> Result<TokenStream> {
    let mut errors = Errors::default();
    let mut draws = Vec::new();
    for Field { variable, ty, draw, .. } in &fields.fields {
        let Some(draw) = errors.ok(draw.expression(&model.facade, ty)) else { continue };
        draws.push(quote!(let #variable: #ty = #draw;));
    }
    let value = fields.build(constructor);
    let said = said(fields);
    errors.finish(match draws.as_slice() {
        [] => value,
        draws => quote!({ #said #(#draws)* #value }),
    })
}

/// Returns the statement that records the names of the generated fields.
fn said(fields: &Fields<'_>) -> Option<TokenStream> {
    let drawn = fields.fields.iter().filter(|field| !field.draw.is_constant());
    let names: Vec<String> = drawn.map(Field::name).collect();
    let source = local("source");
    (!names.is_empty()).then(|| quote!(#source.announce_fields(&[#(#names),*]);))
}

/// Chooses the variant, then generates its fields.
fn choice(model: &DerivedType<'_>, variants: &[Variant<'_>]) -> Result<TokenStream> {
    let (private, source) = (model.facade.private(), local("source"));
    let drawn = model::drawn(variants);
    let mut errors = Errors::default();
    let mut arms = Vec::new();
    for (n, variant) in drawn.iter().enumerate() {
        let name = variant.name;
        let constructor = quote!(Self::#name);
        let Some(value) = errors.ok(record(model, &constructor, &variant.fields)) else { continue };
        let value = if variant.fields.fields.is_empty() || drawn.len() == 1 {
            value
        } else {
            within(&quote!(#private::Label::ALTERNATIVE), &value)
        };
        let pattern = if n + 1 == drawn.len() { quote!(_) } else { quote!(#n) };
        arms.push((pattern, value));
    }
    if let [(_, value)] = arms.as_slice() {
        return errors.finish(value.clone());
    }
    let names = drawn.iter().map(|variant| variant.name.unraw().to_string());
    let leaves = drawn.iter().take_while(|variant| !variant.is_recursive).count();
    let weighted = drawn.iter().any(|variant| variant.weight.is_some());
    let weights = drawn.iter().filter(|_| weighted).map(|variant| match &variant.weight {
        Some(weight) => weight.to_token_stream(),
        None => quote!(1),
    });
    let arms = arms.iter().map(|(pattern, value)| quote!(#pattern => #value));
    errors.finish(quote! {
        match #source.variant(&[#(#names),*], &[#(#weights),*], #leaves) {
            #(#arms,)*
        }
    })
}

/// Puts the code into a span, if it may take more than one choice and another value can replace
/// its value.
fn spanned(model: &DerivedType<'_>, draw: TokenStream) -> TokenStream {
    let private = model.facade.private();
    let kind = match &model.shape {
        _ if model.is_recursive() => quote!(recursive),
        TypeShape::Enum(variants) if !model::are_units(variants) => quote!(group),
        _ => return draw,
    };
    let name = model.name.to_string();
    let label = quote! {
        const { #private::Label::#kind(::core::concat!(::core::module_path!(), "::", #name)) }
    };
    within(&label, &draw)
}

/// Puts the code into a span. It uses no closure, which would be one more function to compile for
/// each variant.
fn within(label: &TokenStream, draw: &TokenStream) -> TokenStream {
    let (source, value) = (local("source"), local("value"));
    quote!({
        #source.open(#label);
        let #value = #draw;
        #source.close();
        #value
    })
}

fn filtered(model: &DerivedType<'_>, draw: TokenStream) -> TokenStream {
    let source = local("source");
    let Some(filter) = &model.filter else { return draw };
    let why = format!("the filter of `{}` was not met", model.name);
    quote!(#source.attempt(#why, |#source| ::core::option::Option::Some(#draw).filter(#filter)))
}

/// Returns the method `members`, if all variants have no fields.
fn members(model: &DerivedType<'_>) -> Option<TokenStream> {
    let TypeShape::Enum(variants) = &model.shape else { return None };
    if !model::are_units(variants) {
        return None;
    }
    let values = model::drawn(variants).into_iter().map(|variant| {
        let name = variant.name;
        variant.fields.build(&quote!(Self::#name))
    });
    let filter = model.filter.as_ref().map(|filter| {
        quote!(.into_iter().filter_map(|value| ::core::option::Option::Some(value).filter(#filter)).collect())
    });
    Some(quote! {
        fn members() -> ::core::option::Option<__std::vec::Vec<Self>> {
            ::core::option::Option::Some(__std::vec::Vec::from([#(#values),*]) #filter)
        }
    })
}

/// Returns the method `is_single`, if the value can be one choice outside of any span.
fn is_single(model: &DerivedType<'_>) -> Option<TokenStream> {
    let private = model.facade.private();
    if model.filter.is_some() || model.is_recursive() {
        return None;
    }
    let is_single = match &model.shape {
        TypeShape::Enum(variants) => {
            let is_choice = model::are_units(variants) && model::drawn(variants).len() > 1;
            is_choice.then(|| quote!(true))
        }
        TypeShape::Struct(fields) => match fields.fields.as_slice() {
            [Field { ty, draw: Draw::Type, .. }] => {
                let generate = generate_trait(&private, ty);
                Some(quote!(<#ty as #generate>::is_single()))
            }
            _ => None,
        },
    };
    is_single.map(|is_single| quote!(fn is_single() -> bool { #is_single }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::check;

    #[test]
    fn an_enum_draws_its_variant_first_and_those_without_itself_before_others() {
        check(
            expand(quote! {
                enum Tree<T> {
                    Node { left: Box<Tree<T>>, right: Box<Tree<T>> },
                    #[generate(weight = 3)]
                    Leaf(T),
                }
            }),
            r#"
            #[automatically_derived]
            impl<T> ::rebut::__private::Generate for Tree<T>
            where
                T: ::rebut::__private::Generate,
            {
                fn generate(source: &mut ::rebut::__private::Source) -> Self {
                    let _ = &source;
                    {
                        source
                            .open(const {
                                ::rebut::__private::Label::recursive(
                                    ::core::concat!(::core::module_path!(), "::", "Tree"),
                                )
                            });
                        let value = match source.variant(&["Leaf", "Node"], &[3, 1], 1usize) {
                            0usize => {
                                source.open(::rebut::__private::Label::ALTERNATIVE);
                                let value = {
                                    source.announce_fields(&["0"]);
                                    let _0: T = <T as ::rebut::__private::Generate>::generate(
                                        source,
                                    );
                                    Self::Leaf(_0)
                                };
                                source.close();
                                value
                            }
                            _ => {
                                source.open(::rebut::__private::Label::ALTERNATIVE);
                                let value = {
                                    source.announce_fields(&["left", "right"]);
                                    let left: Box<Tree<T>> = <Box<
                                        Tree<T>,
                                    > as ::rebut::__private::Generate>::generate(source);
                                    let right: Box<Tree<T>> = <Box<
                                        Tree<T>,
                                    > as ::rebut::__private::Generate>::generate(source);
                                    Self::Node { left, right }
                                };
                                source.close();
                                value
                            }
                        };
                        source.close();
                        value
                    }
                }
            }
            #[automatically_derived]
            impl<T> ::rebut::__private::ToCode for Tree<T>
            where
                T: ::rebut::__private::ToCode,
            {
                fn to_code(&self, code: &mut ::rebut::__private::Code) {
                    use ::rebut::__private::show::*;
                    let _ = &code;
                    code.note_type(
                        "Tree",
                        ::core::module_path!(),
                        ::core::option::Option::Some(0usize),
                    );
                    match self {
                        Self::Node { left: field_0, right: field_1 } => {
                            code.push("Tree::Node { left: ");
                            (&&&::rebut::__private::Shown(field_0)).write(code);
                            code.end_field();
                            code.push(", right: ");
                            (&&&::rebut::__private::Shown(field_1)).write(code);
                            code.end_field();
                            code.push(" }");
                        }
                        Self::Leaf(field_0) => {
                            code.push("Tree::Leaf(");
                            (&&&::rebut::__private::Shown(field_0)).write(code);
                            code.end_field();
                            code.push(")");
                        }
                    }
                }
            }
            "#,
        );
    }
}
