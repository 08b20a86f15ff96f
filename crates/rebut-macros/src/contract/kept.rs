//! How programs store the result of a call.
//!
//! An owned result is stored unchanged. Of a borrowed one, programs keep an owned copy if its type is
//! known: `String` for `&str`, `Option<T>` for `Option<&T>`. An iterator runs, and its first elements
//! are kept. Of anything else, such as a guard, the call is made and the result is dropped.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{PathArguments, Type, TypeParamBound};

use super::clause::borrows;
use super::generic::{item_type, may_be_unsized, owner_of};
use crate::generated::code;

/// The maximum number of elements that a program takes from an iterator, which may be endless.
/// Arbitrary.
const ITEMS_MAX: usize = 100;

/// How a program stores the result of a call.
pub(super) enum ResultStorage {
    /// There is no result, or it is dropped.
    Nothing,
    /// The call does not return.
    Never,
    /// The result borrows and has no owned copy, so it is dropped.
    Dropped,
    /// The value, of this type.
    Value(Type),
    /// A copy of the borrowed result: the type of the copy, and the code after the call that makes
    /// it in printed programs.
    Copy(Type, String),
    /// The first elements of an iterator: the type of the list, the code after the call in printed
    /// programs, and whether the elements are copies.
    Collected(Type, String, bool),
    /// The contents of an `Option` or a `Result`, if there are any.
    Contents(Type),
}

impl ResultStorage {
    /// Returns how to store a result of this type, which is neither `()` nor an object of its own.
    pub(super) fn for_type(ty: &Type) -> ResultStorage {
        if let Some(item) = item_of_iterator(ty) {
            return match borrows(&item) {
                false => {
                    let after = format!(".take({ITEMS_MAX}).collect::<Vec<_>>()");
                    ResultStorage::Collected(
                        syn::parse_quote!(__std::vec::Vec<#item>),
                        after,
                        false,
                    )
                }
                true => match copy_of(&item).zip(copy_inside(&item)) {
                    Some((kept, copy)) => {
                        let after = format!(".take({ITEMS_MAX}){copy}.collect::<Vec<_>>()");
                        let list = syn::parse_quote!(__std::vec::Vec<#kept>);
                        ResultStorage::Collected(list, after, true)
                    }
                    None => ResultStorage::Dropped,
                },
            };
        }
        if mentions_impl(&ty.to_token_stream()) {
            return ResultStorage::Dropped;
        }
        if !borrows(ty) {
            return ResultStorage::Value(ty.clone());
        }
        match (copy_of(ty), copying(ty)) {
            (Some(kept), Some(after)) => ResultStorage::Copy(kept, after),
            _ => ResultStorage::Dropped,
        }
    }

    /// Returns the code that runs an iterator, to follow the call. Empty for other results.
    pub(super) fn run(&self) -> TokenStream {
        match self {
            ResultStorage::Collected(..) => {
                code!(.take(#ITEMS_MAX).collect::<__std::vec::Vec<_>>())
            }
            _ => TokenStream::new(),
        }
    }

    /// Returns the type of the copy, if the program keeps one only if it can be cloned.
    pub(super) fn copied_type(&self) -> Option<&Type> {
        match self {
            ResultStorage::Copy(ty, _) | ResultStorage::Collected(ty, _, true) => Some(ty),
            _ => None,
        }
    }

    /// Returns the value to keep of the result `real`, after [`run`](ResultStorage::run), as an
    /// `Option`.
    pub(super) fn keep(&self, real: &TokenStream, runtime: &TokenStream) -> TokenStream {
        match self {
            // The binding ends here, and with it what the result borrows.
            ResultStorage::Never => real.clone(),
            ResultStorage::Nothing | ResultStorage::Dropped => code!({
                let _dropped = #real;
                ::core::option::Option::None::<#runtime::call_argument::Value>
            }),
            _ => match self.copied_type() {
                Some(ty) => code!({
                    use #runtime::kept_result::methods::*;
                    (&&#runtime::kept_result::Borrowed::new(#real)).kept().filter(|kept| (**kept).is::<#ty>())
                }),
                None => code!(::core::option::Option::Some(
                    __std::boxed::Box::new(#real) as #runtime::call_argument::Value
                )),
            },
        }
    }
}

fn mentions_impl(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        proc_macro2::TokenTree::Ident(ident) => ident == "impl",
        proc_macro2::TokenTree::Group(group) => mentions_impl(&group.stream()),
        _ => false,
    })
}

/// Returns the elements of `impl Iterator<Item = T>` and `Box<dyn Iterator<Item = T>>`.
fn item_of_iterator(ty: &Type) -> Option<Type> {
    let bounds = match ty {
        Type::ImplTrait(ty) => &ty.bounds,
        Type::TraitObject(ty) => &ty.bounds,
        Type::Path(path) => {
            let last = path.path.segments.last().filter(|last| last.ident == "Box")?;
            let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
            return match arguments.args.first()? {
                syn::GenericArgument::Type(inside @ Type::TraitObject(_)) => {
                    item_of_iterator(inside)
                }
                _ => None,
            };
        }
        _ => return None,
    };
    bounds.iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else { return None };
        let last = bound.path.segments.last()?;
        let names = ["Iterator", "DoubleEndedIterator", "ExactSizeIterator"];
        names.iter().any(|name| last.ident == name).then(|| item_type(&last.arguments)).flatten()
    })
}

/// Returns the type of the owned copy of a borrowed value. The trait `Keep` has the same rules.
pub(super) fn copy_of(ty: &Type) -> Option<Type> {
    match ty {
        Type::Reference(reference) => owner_of(&reference.elem).filter(|ty| !borrows(ty)),
        Type::Paren(paren) => copy_of(&paren.elem),
        Type::Group(group) => copy_of(&group.elem),
        Type::Tuple(tuple) if (2..=4).contains(&tuple.elems.len()) => {
            let kept: Option<Vec<Type>> = tuple.elems.iter().map(element_copy).collect();
            let kept = kept?;
            Some(syn::parse_quote!((#(#kept),*)))
        }
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
            let types: Vec<&Type> = arguments
                .args
                .iter()
                .filter_map(|argument| match argument {
                    syn::GenericArgument::Type(ty) => Some(ty),
                    _ => None,
                })
                .collect();
            match (last.ident.to_string().as_str(), types.as_slice()) {
                ("Option", [inside]) => {
                    let kept = copy_of(inside)?;
                    Some(syn::parse_quote!(::core::option::Option<#kept>))
                }
                ("Result", [inside, error]) if !borrows(error) => {
                    let kept = copy_of(inside)?;
                    Some(syn::parse_quote!(::core::result::Result<#kept, #error>))
                }
                ("Vec", [inside]) => {
                    let kept = copy_of(inside)?;
                    Some(syn::parse_quote!(__std::vec::Vec<#kept>))
                }
                ("Cow", [inside]) => owner_of(inside).filter(|ty| !borrows(ty)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the copy of an element of a tuple, which may be owned already.
fn element_copy(ty: &Type) -> Option<Type> {
    if borrows(ty) {
        return copy_of(ty);
    }
    const OWNED: &[&str] = &[
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
        "f32", "f64", "bool", "char", "String",
    ];
    let text = ty.to_token_stream().to_string();
    OWNED.contains(&text.as_str()).then(|| ty.clone())
}

/// Returns the code after a call that copies its borrowed result.
fn copying(ty: &Type) -> Option<String> {
    match ty {
        Type::Reference(_) => Some(".to_owned()".to_owned()),
        Type::Path(path) => match path.path.segments.last()?.ident.to_string().as_str() {
            "Cow" => Some(".into_owned()".to_owned()),
            "Option" | "Result" => copy_inside(&super::passing::contents_of(ty)?),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the code that copies the contents of an `Option`, or the elements of an iterator.
fn copy_inside(ty: &Type) -> Option<String> {
    match ty {
        Type::Reference(reference) => Some(match &*reference.elem {
            Type::Slice(_) => ".map(|one| one.to_vec())".to_owned(),
            ty if may_be_unsized(ty) => ".map(|one| one.to_owned())".to_owned(),
            Type::Path(path) if path.path.is_ident("str") => {
                ".map(|one| one.to_owned())".to_owned()
            }
            _ if reference.mutability.is_some() => ".map(|one| one.clone())".to_owned(),
            _ => ".cloned()".to_owned(),
        }),
        Type::Tuple(tuple) => {
            let names: Vec<String> = (0..tuple.elems.len()).map(|nth| format!("a{nth}")).collect();
            let copies: Vec<String> = tuple
                .elems
                .iter()
                .zip(&names)
                .map(|(ty, name)| match ty {
                    Type::Reference(reference) if reference.mutability.is_none() => {
                        Some(format!("{name}.to_owned()"))
                    }
                    Type::Reference(_) => Some(format!("(*{name}).to_owned()")),
                    ty if !borrows(ty) => Some(name.clone()),
                    _ => None,
                })
                .collect::<Option<_>>()?;
            Some(format!(".map(|({})| ({}))", names.join(", "), copies.join(", ")))
        }
        _ => None,
    }
}
