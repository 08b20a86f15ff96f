//! Parameters that differ from the value in the program by more than a reference.
//!
//! The value owns what the parameter borrows. The view is the expression that converts one to the
//! other, once with the paths of generated code, and once as a reader would write it:
//!
//! | parameter | value in the program | view |
//! |---|---|---|
//! | `Option<&str>` | `Option<String>` | `{}.as_deref()` |
//! | `Option<&mut T>` | `Option<T>` | `{}.as_mut()` |
//! | `&[&str]` | `Vec<String>` | `&{}.iter().map(\|one\| &**one).collect::<Vec<_>>()` |
//! | `Cow<'_, str>` | `String` | `std::borrow::Cow::Borrowed(&*{})` |
//! | `impl Iterator<Item = T>` | `Vec<T>` | `{}.into_iter()` |
//! | `&'static str` | `String` | `{}.leak()` |

use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{GenericArgument, PathArguments, Type};

use super::clause::borrows;
use super::generic::{may_be_unsized, owner_of};
use super::passing::PassingMode;
use super::substitute;
use crate::generated::code;

/// The end of the function that borrows a value whose owner the compiler knows.
const LEND: &str = " as __contract::owner::Referent>::lend";

/// The conversion of a value to a parameter.
pub(super) struct View {
    pub(super) value_type: Type,
    pub(super) mode: PassingMode,
    /// The conversion of the variable `value`.
    expression: String,
    /// Whether the converted value can be printed directly: `Some("a")`.
    is_shown: bool,
    /// Whether the parameter is a slice, which is printed without `vec!`.
    is_slice: bool,
}

impl View {
    fn new(
        value_type: Type,
        mode: PassingMode,
        expression: impl Into<String>,
        is_shown: bool,
    ) -> Option<View> {
        let expression = expression.into();
        Some(View { value_type, mode, expression, is_shown, is_slice: false })
    }

    /// Returns the view for a parameter of this type, if it needs one.
    pub(super) fn for_type(ty: &Type) -> Option<View> {
        match ty {
            Type::Reference(reference) => {
                let is_static =
                    reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static");
                if is_static {
                    return View::leaked(&reference.elem);
                }
                match &*reference.elem {
                    Type::Slice(slice) => View::slice_of_references(&slice.elem),
                    Type::Path(path) if reference.mutability.is_some() => {
                        let (name, inside) = named_argument(path)?;
                        (name == "IntoIter" && is_generated(path)).then_some(())?;
                        View::new(
                            syn::parse_quote!(__std::vec::Vec<#inside>),
                            PassingMode::Value,
                            "&mut value.into_iter()",
                            false,
                        )
                    }
                    _ => None,
                }
            }
            Type::Path(path) => View::of_path(path),
            _ => None,
        }
    }

    fn of_path(path: &syn::TypePath) -> Option<View> {
        let (name, inside) = named_argument(path)?;
        match (name.as_str(), &inside) {
            ("Option", Type::Reference(reference)) => {
                let element = &*reference.elem;
                let owner = owner_of(element).filter(|ty| !borrows(ty))?;
                let is_unsized =
                    owner.to_token_stream().to_string() != element.to_token_stream().to_string();
                let value_type = syn::parse_quote!(::core::option::Option<#owner>);
                match (reference.mutability.is_some(), is_unsized) {
                    (false, true) if may_be_unsized(element) => {
                        let expression = format!("value.as_ref().map({})", lend(element));
                        View::new(value_type, PassingMode::Ref, expression, true)
                    }
                    (false, true) => {
                        View::new(value_type, PassingMode::Ref, "value.as_deref()", true)
                    }
                    (false, false) => {
                        View::new(value_type, PassingMode::Ref, "value.as_ref()", false)
                    }
                    (true, true) => {
                        View::new(value_type, PassingMode::Mut, "value.as_deref_mut()", false)
                    }
                    (true, false) => {
                        View::new(value_type, PassingMode::Mut, "value.as_mut()", false)
                    }
                }
            }
            ("Cow", inside) if may_be_unsized(inside) => View::new(
                owner_of(inside)?,
                PassingMode::Ref,
                format!("__std::borrow::Cow::Borrowed({}(value))", lend(inside)),
                false,
            ),
            ("Cow", inside) => View::new(
                owner_of(inside).filter(|ty| !borrows(ty))?,
                PassingMode::Ref,
                "__std::borrow::Cow::Borrowed(&**value)",
                is_text(inside),
            ),
            ("IntoIter", inside) if is_generated(path) => View::new(
                syn::parse_quote!(__std::vec::Vec<#inside>),
                PassingMode::Value,
                "value.into_iter()",
                false,
            ),
            ("Iter", inside) if is_generated(path) => {
                let owner = owner_of(inside).filter(|ty| !borrows(ty))?;
                let is_unsized =
                    owner.to_token_stream().to_string() != inside.to_token_stream().to_string();
                let expression = match is_unsized {
                    true => format!("value.iter().map({})", lend(inside)),
                    false => "value.iter()".to_owned(),
                };
                let value_type = syn::parse_quote!(__std::vec::Vec<#owner>);
                View::new(value_type, PassingMode::Ref, expression, false)
            }
            ("Vec", Type::Reference(reference)) if reference.mutability.is_none() => {
                let owner = owner_of(&reference.elem).filter(|ty| !borrows(ty))?;
                let is_unsized = owner.to_token_stream().to_string()
                    != reference.elem.to_token_stream().to_string();
                let expression = match is_unsized {
                    true => {
                        let lend = lend(&reference.elem);
                        format!("value.iter().map({lend}).collect::<__std::vec::Vec<_>>()")
                    }
                    false => "value.iter().collect::<__std::vec::Vec<_>>()".to_owned(),
                };
                let value_type = syn::parse_quote!(__std::vec::Vec<#owner>);
                View::new(value_type, PassingMode::Ref, expression, is_text(&reference.elem))
            }
            _ => None,
        }
    }

    /// Returns the view for a reference that must live forever.
    fn leaked(element: &Type) -> Option<View> {
        let owner = owner_of(element).filter(|ty| !borrows(ty))?;
        let is_unsized =
            owner.to_token_stream().to_string() != element.to_token_stream().to_string();
        let expression = match (is_unsized, element) {
            (true, Type::Path(path)) if !path.path.is_ident("str") => return None,
            (true, _) => "value.leak()",
            (false, _) => "__std::boxed::Box::leak(__std::boxed::Box::new(value))",
        };
        View::new(owner, PassingMode::Value, expression, is_text(element))
    }

    fn slice_of_references(element: &Type) -> Option<View> {
        let Type::Reference(reference) = element else { return None };
        let owner = owner_of(&reference.elem).filter(|ty| !borrows(ty))?;
        let is_unsized =
            owner.to_token_stream().to_string() != reference.elem.to_token_stream().to_string();
        let expression = match is_unsized {
            true => {
                let lend = lend(&reference.elem);
                format!("&value.iter().map({lend}).collect::<__std::vec::Vec<_>>()")
            }
            false => "&value.iter().collect::<__std::vec::Vec<_>>()".to_owned(),
        };
        let value_type = syn::parse_quote!(__std::vec::Vec<#owner>);
        let view = View::new(value_type, PassingMode::Ref, expression, is_text(&reference.elem))?;
        Some(View { is_slice: true, ..view })
    }

    /// Returns the expression that converts the variable `name`.
    pub(super) fn converted(&self, name: &Ident) -> TokenStream {
        let tokens: TokenStream = self.expression.parse().unwrap_or_default();
        substitute::named(tokens, "value", &code!(#name))
    }

    /// Returns the description for the table.
    pub(super) fn description(&self, runtime: &TokenStream, private: &TokenStream) -> TokenStream {
        // A printed program has the value itself, where the generated code has a reference to it.
        let written = match self.expression.split_once(LEND) {
            None => self.expression.clone(),
            // The compiler knows the type where a reader writes the code.
            Some((before, after)) => {
                let start = before.rfind('<').unwrap_or(before.len());
                format!("{}std::borrow::Borrow::borrow{after}", &before[..start])
            }
        };
        let written = written
            .replace("__std::vec::", "")
            .replace("__std::boxed::", "")
            .replace("__std::", "std::")
            .replace("&**value", "&*{}")
            .replace("value", "{}");
        let value_type = &self.value_type;
        let literal = match self.is_shown {
            false => code!(::core::option::Option::None),
            true => {
                let converted =
                    || self.converted(&Ident::new("value", proc_macro2::Span::mixed_site()));
                let shown = match self.mode {
                    PassingMode::Value => code!(&**value),
                    // The list itself, without the reference to it.
                    _ if self.is_slice => converted().into_iter().skip(1).collect(),
                    _ => converted(),
                };
                let code = code!((&&&#private::Shown(&(#shown))).show());
                let code = match self.is_slice {
                    true => code!(#code.replacen("vec!", "&", 1)),
                    false => code,
                };
                code!(::core::option::Option::Some(|value| {
                    use #private::show::*;
                    match value.downcast_ref::<#value_type>() {
                        ::core::option::Option::Some(value) => #code,
                        ::core::option::Option::None => __std::string::String::new(),
                    }
                }))
            }
        };
        code! {
            ::core::option::Option::Some(#runtime::table::View { written: #written, literal: #literal })
        }
    }
}

/// Returns the function that borrows an element of this type from its owner.
fn lend(element: &Type) -> String {
    match may_be_unsized(element) {
        true => format!("<{}{LEND}", element.to_token_stream()),
        false => "|one| &**one".to_owned(),
    }
}

/// Returns whether a type is `str`, which is printed as a literal.
fn is_text(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident("str"))
}

/// Returns whether the macro itself wrote the type, for an iterator.
fn is_generated(path: &syn::TypePath) -> bool {
    path.path.segments.first().is_some_and(|first| first.ident == "__std")
}

/// Returns the name of a type and its first type argument.
fn named_argument(path: &syn::TypePath) -> Option<(String, Type)> {
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    let inside = arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    })?;
    Some((last.ident.to_string(), inside))
}
