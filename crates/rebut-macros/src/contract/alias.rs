//! Type aliases of callbacks.
//!
//! The macro recognizes a callback by its type: `Box<dyn FnMut(u8)>`. For a type such as `OnEvict`,
//! it searches the file for `type OnEvict = ..;` in the same module, and replaces the alias with its
//! definition. An alias from another file needs `with(OnEvict = Box<dyn FnMut(u8)>)`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::{FnArg, ImplItem, Item, ReturnType, Signature, TraitItem, Type};

use super::substitute;
use crate::lexer::{self, Piece, PieceKind};
use crate::written;

/// Replaces aliases of callbacks in the signatures of an item. Returns code that uses the aliases,
/// so that the compiler does not warn about them.
pub(super) fn see_through(item: &mut Item, span: Span) -> TokenStream {
    let Some((text, at)) = written::position(span) else { return TokenStream::new() };
    let mut aliases = around(&text, at);
    let tokens = item.to_token_stream();
    aliases.retain(|(name, _)| mentions(&tokens, name));
    let names = aliases.iter().map(|(name, _)| name);
    let used = quote! {
        #(const _: fn() = || { let _: ::core::option::Option<#names> = ::core::option::Option::None; };)*
    };
    match item {
        Item::Fn(function) => in_signature(&mut function.sig, &aliases),
        Item::Impl(block) => {
            for inside in &mut block.items {
                if let ImplItem::Fn(function) = inside {
                    in_signature(&mut function.sig, &aliases);
                }
            }
        }
        Item::Trait(item) => {
            for inside in &mut item.items {
                if let TraitItem::Fn(method) = inside {
                    in_signature(&mut method.sig, &aliases);
                }
            }
        }
        _ => {}
    }
    used
}

fn in_signature(signature: &mut Signature, aliases: &[(Ident, TokenStream)]) {
    for input in &mut signature.inputs {
        if let FnArg::Typed(input) = input {
            in_type(&mut input.ty, aliases);
        }
    }
    if let ReturnType::Type(_, ty) = &mut signature.output {
        in_type(ty, aliases);
    }
}

fn in_type(ty: &mut Type, aliases: &[(Ident, TokenStream)]) {
    for (name, concrete) in aliases {
        let before = ty.to_token_stream();
        if !mentions(&before, name) {
            continue;
        }
        let after = substitute::named(before, &name.to_string(), concrete);
        if let Ok(after) = syn::parse2(after) {
            *ty = after;
        }
    }
}

pub(super) fn mentions(tokens: &TokenStream, name: &Ident) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        proc_macro2::TokenTree::Ident(ident) => ident == *name,
        proc_macro2::TokenTree::Group(group) => mentions(&group.stream(), name),
        _ => false,
    })
}

/// Returns the aliases of trait objects without parameters, in the block that contains `at`.
fn around(text: &str, at: usize) -> Vec<(Ident, TokenStream)> {
    let pieces = lexer::pieces(text);
    let offset = |piece: &Piece<'_>| piece.text.as_ptr().addr() - text.as_ptr().addr();
    // The open blocks, each identified by its start.
    let mut blocks = vec![0];
    let mut here = 0;
    let mut found = Vec::new();
    for (nth, piece) in pieces.iter().enumerate() {
        let start = offset(piece);
        if start <= at {
            here = blocks.last().copied().unwrap_or(0);
        }
        match (piece.kind, piece.text) {
            (PieceKind::Open, "{") => blocks.push(start + 1),
            (PieceKind::Close, "}") if blocks.len() > 1 => drop(blocks.pop()),
            (PieceKind::Ident, "type") => {
                if let Some(alias) = alias(&pieces[nth + 1..], text) {
                    found.push((blocks.last().copied().unwrap_or(0), alias));
                }
            }
            _ => {}
        }
    }
    found.retain(|(block, _)| *block == here);
    found.into_iter().map(|(_, alias)| alias).collect()
}

/// Parses `Name = Box<dyn Fn()>;`.
fn alias(pieces: &[Piece<'_>], text: &str) -> Option<(Ident, TokenStream)> {
    let [name, equals, rest @ ..] = pieces else { return None };
    if name.kind != PieceKind::Ident || equals.text != "=" {
        return None;
    }
    let end = rest.iter().position(|piece| piece.text == ";")?;
    let ty = &rest[..end];
    if !ty.iter().any(|piece| piece.text == "dyn") {
        return None;
    }
    let (first, last) = (ty.first()?, ty.last()?);
    let start = first.text.as_ptr().addr() - text.as_ptr().addr();
    let stop = last.text.as_ptr().addr() - text.as_ptr().addr() + last.text.len();
    let tokens = text.get(start..stop)?.parse().ok()?;
    let name = syn::parse_str::<Ident>(name.text).ok()?;
    Some((name, tokens))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_of_the_same_block_are_seen() {
        let text = "type A = Box<dyn Fn(u8)>; type B = u8; mod m { type C = Rc<dyn T>; HERE } \
                    type D<T> = Box<dyn Fn(T)>;";
        let names = |at: usize| {
            let found = around(text, at);
            found.iter().map(|(name, ty)| format!("{name} {ty}")).collect::<Vec<_>>()
        };
        assert_eq!(names(0), ["A Box < dyn Fn (u8) >"]);
        assert_eq!(names(text.find("HERE").expect("a place")), ["C Rc < dyn T >"]);
    }
}
