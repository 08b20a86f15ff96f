//! Types for the parameters of generic functions.
//!
//! A program calls a function with concrete types. `with(T = u8)` names them. Where it does not, the
//! bounds say enough for most functions: a `F: FnMut(u8)` is a closure, an `impl Into<String>` is a
//! `String`, an `I: IntoIterator<Item = T>` is a `Vec<T>`. The candidate must implement all bounds,
//! so an unknown trait leaves the function out, with a reason.
//!
//! Lifetimes of an impl block become `'static`, because programs keep their objects.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{
    AngleBracketedGenericArguments, GenericArgument, GenericParam, Generics, PathArguments,
    Signature, Token, Type, TypeParamBound, WherePredicate,
};

use super::substitute;
use crate::written;

/// The bounds of one type parameter.
type Bounds = Punctuated<TypeParamBound, Token![+]>;

/// Traits that `u8` implements, and most types besides.
const PLAIN: &[&str] = &[
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Display",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Send",
    "Sized",
    "Sync",
    "ToString",
    "Unpin",
];

/// Returns the types for the type parameters of a function, or the reason why there are none.
pub(super) fn assignments(
    signature: &Signature,
    with: &[(Ident, Type)],
) -> Result<Vec<(Ident, Type)>, String> {
    let mut all = with.to_vec();
    for parameter in &signature.generics.params {
        match parameter {
            GenericParam::Lifetime(_) => {}
            GenericParam::Const(parameter) if is_known(&all, &parameter.ident) => {}
            GenericParam::Type(parameter) if is_known(&all, &parameter.ident) => {}
            GenericParam::Const(parameter) => {
                let name = &parameter.ident;
                return Err(format!("it needs a value for `{name}`: write `with({name} = 4)`"));
            }
            GenericParam::Type(parameter) => {
                let name = &parameter.ident;
                if !is_named(signature.inputs.to_token_stream(), name) {
                    return Err(format!(
                        "only the caller's type of the result says what `{name}` is"
                    ));
                }
                let ty = candidate_for(&signature.generics, name, &parameter.bounds, &all)?;
                let tokens = without_lifetimes_of(signature, ty.to_token_stream());
                let ty = syn::parse2(tokens).unwrap_or(ty);
                all.push((name.clone(), ty));
            }
        }
    }
    Ok(all)
}

fn is_known(all: &[(Ident, Type)], name: &Ident) -> bool {
    all.iter().any(|(known, _)| known == name)
}

fn is_named(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => is_named(group.stream(), name),
        _ => false,
    })
}

/// Returns a type for a parameter, from all of its bounds.
fn candidate_for(
    generics: &Generics,
    name: &Ident,
    bounds: &Bounds,
    all: &[(Ident, Type)],
) -> Result<Type, String> {
    let mut bounds = bounds.clone();
    let own = name.to_string();
    for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
        let WherePredicate::Type(predicate) = predicate else { continue };
        let bounded = predicate.bounded_ty.to_token_stream().to_string().replace(' ', "");
        if bounded == own {
            bounds.extend(predicate.bounds.iter().cloned());
            continue;
        }
        // `K: Borrow<Q>`: a reference to the key itself is always possible.
        if let Some(asked) = predicate.bounds.iter().find_map(|bound| argument_of(bound, "Borrow"))
            && asked.to_token_stream().to_string() == own
        {
            return Ok(substituted(&predicate.bounded_ty, all));
        }
    }
    candidate(&bounds, all).ok_or_else(|| {
        let bounds = written::type_text(&bounds.to_token_stream());
        format!("no type is known for `{own}: {bounds}`: write `with({own} = ..)`")
    })
}

/// Replaces each `impl Trait` in a type, or returns the reason why it cannot.
pub(super) fn without_impl(ty: &Type, with: &[(Ident, Type)]) -> Result<Type, String> {
    let tokens = replace_impl(ty.to_token_stream(), with)?;
    syn::parse2(tokens).map_err(|error| error.to_string())
}

fn replace_impl(tokens: TokenStream, with: &[(Ident, Type)]) -> Result<TokenStream, String> {
    let mut out = TokenStream::new();
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Ident(word) if word == "impl" => {
                let mut inside = TokenStream::new();
                let (mut depth, mut is_arrow) = (0_usize, false);
                // The bounds end with the argument list or the tuple around them.
                while let Some(next) = trees.peek() {
                    match next {
                        TokenTree::Punct(punct) if punct.as_char() == ',' && depth == 0 => break,
                        TokenTree::Punct(punct) if punct.as_char() == '<' => depth += 1,
                        // The arrow in `Fn() -> u8` closes nothing.
                        TokenTree::Punct(punct) if punct.as_char() == '>' && !is_arrow => {
                            match depth.checked_sub(1) {
                                Some(outer) => depth = outer,
                                None => break,
                            }
                        }
                        _ => {}
                    }
                    let next = trees.next();
                    is_arrow =
                        matches!(&next, Some(TokenTree::Punct(punct)) if punct.as_char() == '-');
                    inside.extend(next);
                }
                let text = written::type_text(&inside);
                let bounds: Bounds = syn::parse::Parser::parse2(Bounds::parse_terminated, inside)
                    .map_err(|error| error.to_string())?;
                let found = candidate(&bounds, with).ok_or_else(|| {
                    let name = short(&text);
                    format!(
                        "no type is known for `impl {text}`: write `with({name} = ..)` with a type \
                         that implements it, such as a mock"
                    )
                })?;
                out.extend(found.to_token_stream());
            }
            TokenTree::Group(group) => {
                let inside = replace_impl(group.stream(), with)?;
                let mut replaced = Group::new(group.delimiter(), inside);
                replaced.set_span(group.span());
                out.extend([TokenTree::Group(replaced)]);
            }
            tree => out.extend([tree]),
        }
    }
    Ok(out)
}

fn short(text: &str) -> &str {
    let name = text.split(['<', '+', '(']).next().unwrap_or(text).trim();
    name.rsplit("::").next().unwrap_or(name)
}

/// Returns a type that implements all bounds, if the bounds are known.
fn candidate(bounds: &Bounds, with: &[(Ident, Type)]) -> Option<Type> {
    let mut traits = Vec::new();
    for bound in bounds {
        match bound {
            TypeParamBound::Lifetime(_) => {}
            TypeParamBound::Trait(bound)
                if !bound.to_token_stream().to_string().starts_with('?') =>
            {
                let last = bound.path.segments.last()?;
                // `with(Shop = MockShop)` names a type for `impl Shop`.
                if let Some((_, ty)) = with.iter().find(|(name, ty)| {
                    *name == last.ident
                        || ty.to_token_stream().to_string()
                            == bound.path.to_token_stream().to_string()
                }) {
                    return Some(ty.clone());
                }
                traits.push((last.ident.to_string(), last.arguments.clone(), bound.clone()));
            }
            TypeParamBound::Trait(_) => {}
            _ => return None,
        }
    }
    let is_marker = |name: &str| ["Send", "Sync", "Sized", "Unpin"].contains(&name);
    let mut main = traits.iter().filter(|(name, ..)| !PLAIN.contains(&name.as_str()));
    let Some((name, arguments, bound)) = main.next() else {
        let is_text = traits.iter().any(|(name, ..)| name == "ToString" || name == "Display")
            && !traits.iter().any(|(name, ..)| name == "Copy");
        return Some(if is_text { string() } else { syn::parse_quote!(u8) });
    };
    let others: Vec<&str> =
        traits.iter().map(|(other, ..)| other.as_str()).filter(|other| *other != name).collect();
    let argument = || first_type(arguments).map(|ty| substituted(&ty, with));
    let item = || item_type(arguments).map(|ty| substituted(&ty, with));
    let is_also = |allowed: &[&str]| {
        others.iter().all(|other| PLAIN.contains(other) || allowed.contains(other))
    };
    match name.as_str() {
        "Fn" | "FnMut" | "FnOnce" => {
            if !others.iter().all(|other| is_marker(other)) {
                return None;
            }
            let markers = others.iter().filter(|other| **other == "Send" || **other == "Sync");
            let markers = markers.map(|marker| Ident::new(marker, Span::call_site()));
            let path = substitute_all(bound.to_token_stream(), with);
            Some(syn::parse_quote!(__std::boxed::Box<dyn #path #(+ ::core::marker::#markers)*>))
        }
        "Iterator" | "DoubleEndedIterator" | "ExactSizeIterator" | "FusedIterator"
            if is_also(&[
                "Iterator",
                "DoubleEndedIterator",
                "ExactSizeIterator",
                "FusedIterator",
            ]) =>
        {
            let item = traits.iter().find_map(|(_, arguments, _)| item_type(arguments))?;
            let item = substituted(&item, with);
            Some(match &item {
                Type::Reference(reference) => {
                    let (lifetime, element) = (static_lifetime(), &reference.elem);
                    syn::parse_quote!(__std::slice::Iter<#lifetime, #element>)
                }
                item => syn::parse_quote!(__std::vec::IntoIter<#item>),
            })
        }
        "IntoIterator" if is_also(&[]) => Some(match &item()? {
            Type::Reference(reference) => {
                let (lifetime, element) = (static_lifetime(), &reference.elem);
                syn::parse_quote!(__std::slice::Iter<#lifetime, #element>)
            }
            item => syn::parse_quote!(__std::vec::Vec<#item>),
        }),
        "AsRef" | "Borrow" if is_also(&["AsRef", "Into", "Borrow"]) => owner_of(&argument()?),
        "AsMut" | "BorrowMut" if is_also(&[]) => owner_of(&argument()?),
        "Into" | "TryInto" if is_also(&["AsRef", "Into"]) => Some(match argument()? {
            ty if super::clause::borrows(&ty) => return None,
            ty => ty,
        }),
        "From" if is_also(&[]) => argument(),
        "Equivalent" if is_also(&[]) => argument(),
        "RangeBounds" if is_also(&[]) => {
            let of = argument()?;
            Some(syn::parse_quote!(::core::ops::Range<#of>))
        }
        "Hasher" if is_also(&[]) => Some(syn::parse_quote!(__std::hash::DefaultHasher)),
        "BuildHasher" if is_also(&[]) => Some(syn::parse_quote!(__std::hash::RandomState)),
        _ => None,
    }
}

fn static_lifetime() -> TokenStream {
    quote!('static)
}

fn string() -> Type {
    syn::parse_quote!(__std::string::String)
}

/// Returns the type that owns a value of an unsized type.
pub(super) fn owner_of(ty: &Type) -> Option<Type> {
    Some(match ty {
        Type::Slice(slice) => {
            let element = &slice.elem;
            syn::parse_quote!(__std::vec::Vec<#element>)
        }
        Type::TraitObject(_) => return None,
        Type::Path(path) => match path.path.segments.last()?.ident.to_string().as_str() {
            "str" => string(),
            _ if may_be_unsized(ty) => {
                syn::parse_quote!(<#ty as __contract::owner::Referent>::Owner)
            }
            _ => ty.clone(),
        },
        _ => ty.clone(),
    })
}

/// Returns whether a type has the name of an unsized type of the standard library. It may also be a type
/// of the user, so the trait `Referent` decides what owns it.
pub(super) fn may_be_unsized(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let is_known = |last: &syn::PathSegment| {
        ["Path", "OsStr", "CStr"].iter().any(|name| last.ident == name) && last.arguments.is_none()
    };
    path.qself.is_none() && path.path.segments.last().is_some_and(is_known)
}

fn argument_of(bound: &TypeParamBound, name: &str) -> Option<Type> {
    let TypeParamBound::Trait(bound) = bound else { return None };
    let last = bound.path.segments.last()?;
    (last.ident == name).then(|| first_type(&last.arguments)).flatten()
}

fn first_type(arguments: &PathArguments) -> Option<Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    })
}

/// Returns the type in `<Item = T>`.
pub(super) fn item_type(arguments: &PathArguments) -> Option<Type> {
    let PathArguments::AngleBracketed(AngleBracketedGenericArguments { args, .. }) = arguments
    else {
        return None;
    };
    args.iter().find_map(|argument| match argument {
        GenericArgument::AssocType(assigned) if assigned.ident == "Item" => {
            Some(assigned.ty.clone())
        }
        _ => None,
    })
}

fn substitute_all(mut tokens: TokenStream, with: &[(Ident, Type)]) -> TokenStream {
    for (name, concrete) in with {
        tokens = substitute::named(tokens, &name.to_string(), &concrete.to_token_stream());
    }
    tokens
}

fn substituted(ty: &Type, with: &[(Ident, Type)]) -> Type {
    syn::parse2(substitute_all(ty.to_token_stream(), with)).unwrap_or_else(|_| ty.clone())
}

/// The traits of the type parameters of a block, for `A::Item`.
pub(super) fn traits_of(generics: &Generics) -> Vec<(Ident, syn::Path)> {
    let mut all = Vec::new();
    for parameter in generics.type_params() {
        let mut bounds = parameter.bounds.clone();
        for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
            if let WherePredicate::Type(predicate) = predicate
                && parameter.ident == predicate.bounded_ty.to_token_stream().to_string()
            {
                bounds.extend(predicate.bounds.iter().cloned());
            }
        }
        let of_trait = bounds.into_iter().find_map(|bound| match bound {
            TypeParamBound::Trait(bound) => {
                let name = bound.path.segments.last()?.ident.to_string();
                (!PLAIN.contains(&name.as_str())).then_some(bound.path)
            }
            _ => None,
        });
        all.extend(of_trait.map(|of_trait| (parameter.ident.clone(), of_trait)));
    }
    all
}

/// Replaces `A::Item` with `<A as Array>::Item`. Only a type parameter can do without its trait.
pub(super) fn qualified(tokens: TokenStream, traits: &[(Ident, syn::Path)]) -> TokenStream {
    let mut out = TokenStream::new();
    let mut trees = tokens.into_iter().peekable();
    let mut before = None;
    while let Some(tree) = trees.next() {
        let is_first = before != Some(':');
        before = None;
        match tree {
            TokenTree::Ident(ident) if is_first => {
                let is_path =
                    matches!(trees.peek(), Some(TokenTree::Punct(next)) if next.as_char() == ':');
                match traits.iter().find(|(name, _)| is_path && ident == *name) {
                    Some((name, of_trait)) => out.extend(quote!(<#name as #of_trait>)),
                    None => out.extend([TokenTree::Ident(ident)]),
                }
            }
            TokenTree::Group(group) => {
                let mut replaced = Group::new(group.delimiter(), qualified(group.stream(), traits));
                replaced.set_span(group.span());
                out.extend([TokenTree::Group(replaced)]);
            }
            TokenTree::Punct(punct) => {
                before = Some(punct.as_char());
                out.extend([TokenTree::Punct(punct)]);
            }
            tree => out.extend([tree]),
        }
    }
    out
}

/// Replaces `Self` with a type. `Self::N` needs angle brackets around the type.
pub(super) fn without_self(tokens: TokenStream, self_ty: &TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Ident(ident) if ident == "Self" => {
                let is_path =
                    matches!(trees.peek(), Some(TokenTree::Punct(next)) if next.as_char() == ':');
                out.extend(if is_path { quote!(<#self_ty>) } else { self_ty.clone() });
            }
            TokenTree::Group(group) => {
                let mut replaced =
                    Group::new(group.delimiter(), without_self(group.stream(), self_ty));
                replaced.set_span(group.span());
                out.extend([TokenTree::Group(replaced)]);
            }
            tree => out.extend([tree]),
        }
    }
    out
}

/// Returns whether a value of the type borrows. The parameters of a callback do not count: the
/// callback gets them with each call.
pub(super) fn keeps_a_borrow(ty: &Type) -> bool {
    fn without_callbacks(tokens: TokenStream) -> TokenStream {
        let mut out = TokenStream::new();
        let mut is_callback = false;
        for tree in tokens {
            let was_callback = is_callback;
            is_callback = matches!(&tree, TokenTree::Ident(name)
                if ["Fn", "FnMut", "FnOnce", "fn"].iter().any(|known| name == known));
            match tree {
                TokenTree::Group(_) if was_callback => {}
                TokenTree::Group(group) => {
                    let inside = without_callbacks(group.stream());
                    out.extend([TokenTree::Group(Group::new(group.delimiter(), inside))]);
                }
                tree => out.extend([tree]),
            }
        }
        out
    }
    let text = without_callbacks(ty.to_token_stream()).to_string();
    let text = text.replace("& 'static", "").replace("'static", "");
    text.contains('&') || text.contains('\'')
}

/// Replaces the lifetimes with these names, and `'_` if it is one of them, with `'static`.
pub(super) fn with_static(tokens: TokenStream, lifetimes: &[String]) -> TokenStream {
    with_lifetime(tokens, lifetimes, "static")
}

/// Replaces the lifetimes of a function with `'_`. Generated code does not declare them.
pub(super) fn without_lifetimes_of(signature: &Signature, tokens: TokenStream) -> TokenStream {
    let lifetimes = signature.generics.lifetimes();
    let names: Vec<String> = lifetimes.map(|one| one.lifetime.ident.to_string()).collect();
    with_lifetime(tokens, &names, "_")
}

fn with_lifetime(tokens: TokenStream, lifetimes: &[String], new: &str) -> TokenStream {
    let mut out = TokenStream::new();
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Punct(punct) if punct.as_char() == '\'' => match trees.next() {
                Some(TokenTree::Ident(name)) if lifetimes.iter().any(|known| name == known) => {
                    out.extend([TokenTree::Punct(punct)]);
                    out.extend([TokenTree::Ident(Ident::new(new, name.span()))]);
                }
                next => {
                    out.extend([TokenTree::Punct(punct)]);
                    out.extend(next);
                }
            },
            TokenTree::Group(group) => {
                let mut replaced =
                    Group::new(group.delimiter(), with_lifetime(group.stream(), lifetimes, new));
                replaced.set_span(group.span());
                out.extend([TokenTree::Group(replaced)]);
            }
            tree => out.extend([tree]),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the type for a function's parameter `T`, or the reason why there is none.
    #[track_caller]
    fn check(function: &str, expected: &str) {
        let signature: Signature = syn::parse_str(function).expect("a signature");
        let with = [(syn::parse_quote!(K), syn::parse_quote!(u16))];
        let found = match assignments(&signature, &with) {
            Ok(all) => all.last().map(|(_, ty)| ty.to_token_stream().to_string()),
            Err(reason) => Some(reason),
        };
        let plain = |text: &str| {
            let text = text.replace(' ', "");
            ["__std::boxed::", "__std::string::", "__std::vec::", "__std::slice::", "::core::ops::"]
                .iter()
                .fold(text, |text, path| text.replace(path, ""))
        };
        assert_eq!(plain(&found.unwrap_or_default()), plain(expected), "{function}");
    }

    #[test]
    fn bounds_name_a_type() {
        check("fn f<T: FnMut(K) -> bool>(f: T)", "Box<dyn FnMut(u16) -> bool>");
        check("fn f<T>(f: T) where T: Fn() + Send", "Box<dyn Fn() + ::core::marker::Send>");
        check("fn f<T: IntoIterator<Item = K>>(f: T)", "Vec<u16>");
        check("fn f<T: Iterator<Item = K> + ExactSizeIterator>(f: T)", "IntoIter<u16>");
        check("fn f<T: IntoIterator<Item = &'a K>>(f: T)", "Iter<'static, u16>");
        check("fn f<T: Into<String>>(f: T)", "String");
        check("fn f<T: AsRef<str>>(f: T)", "String");
        check("fn f<T: AsRef<[K]>>(f: T)", "Vec<u16>");
        check("fn f<T: RangeBounds<usize>>(f: T)", "Range<usize>");
        check("fn f<T: ?Sized>(f: &T) where K: Borrow<T>, T: Hash + Eq", "u16");
        check("fn f<T: Clone + Debug>(f: T)", "u8");
        check("fn f<T: Display>(f: T)", "String");
    }

    #[test]
    fn unknown_bounds_are_a_reason() {
        check("fn f<T: Shop>(f: T)", "no type is known for `T: Shop`: write `with(T = ..)`");
        check(
            "fn f<T: Fn() + Clone>(f: T)",
            "no type is known for `T: Fn() + Clone`: write `with(T = ..)`",
        );
        check("fn f<T: FromStr>() -> T", "only the caller's type of the result says what `T` is");
        check("fn f<const N: usize>()", "it needs a value for `N`: write `with(N = 4)`");
    }

    #[test]
    fn impl_trait_is_replaced_inside_of_types() {
        let with = [(syn::parse_quote!(Shop), syn::parse_quote!(MockShop))];
        let replaced = |text: &str| {
            let ty = syn::parse_str(text).expect("a type");
            without_impl(&ty, &with).map(|ty| ty.to_token_stream().to_string().replace(' ', ""))
        };
        let boxed = "Option<__std::boxed::Box<dynFn(u8)->bool>>";
        assert_eq!(replaced("Option<impl Fn(u8) -> bool>"), Ok(boxed.to_owned()));
        assert_eq!(replaced("&mut impl Shop"), Ok("&mutMockShop".to_owned()));
        assert!(
            replaced("(u8, impl Store)").is_err_and(|reason| reason.contains("with(Store = ..)"))
        );
    }
}
