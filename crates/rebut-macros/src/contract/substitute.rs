//! Replaces names in tokens and in code.

use std::collections::VecDeque;

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use syn::Type;

use super::scope::{self, NameUse};
use crate::lexer::{self, PieceKind};
use crate::written;

/// Replaces the name `from` with `by` everywhere in the tokens, also in macro calls.
pub(crate) fn named(tokens: TokenStream, from: &str, by: &TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    for tree in tokens {
        match tree {
            TokenTree::Ident(ident) if ident == from => out.extend(by.clone()),
            TokenTree::Group(group) => {
                let inside = named(group.stream(), from, by);
                let mut replaced = Group::new(group.delimiter(), inside);
                replaced.set_span(group.span());
                out.extend([TokenTree::Group(replaced)]);
            }
            tree => out.extend([tree]),
        }
    }
    out
}

/// Replaces `self` in the body of a method. An item in the body has a `self` of its own.
pub(super) fn own_self(tokens: TokenStream, by: &TokenStream) -> TokenStream {
    let mut out = TokenStream::new();
    let mut is_item = false;
    let mut is_start = true;
    for tree in tokens {
        let (was_item, was_start) = (is_item, is_start);
        is_start = match &tree {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(_) => true,
            _ => false,
        };
        match tree {
            TokenTree::Ident(ident) if was_start && (ident == "impl" || ident == "trait") => {
                is_item = true;
                out.extend([TokenTree::Ident(ident)]);
            }
            TokenTree::Ident(ident) if ident == "self" && !was_item => out.extend(by.clone()),
            TokenTree::Group(group) if !was_item => {
                let inside = own_self(group.stream(), by);
                let mut replaced = Group::new(group.delimiter(), inside);
                replaced.set_span(group.span());
                out.extend([TokenTree::Group(replaced)]);
            }
            tree => {
                let is_body = matches!(&tree, TokenTree::Group(group)
                    if group.delimiter() == proc_macro2::Delimiter::Brace);
                is_item = was_item && !is_body;
                out.extend([tree]);
            }
        }
    }
    out
}

/// Replaces `Self` and the parameters of a generic block in a type.
pub(super) fn in_type(ty: &Type, self_ty: &Type, with: &[(Ident, Type)]) -> TokenStream {
    let mut tokens = named(ty.to_token_stream(), "Self", &self_ty.to_token_stream());
    for (name, concrete) in with {
        tokens = named(tokens, &name.to_string(), &concrete.to_token_stream());
    }
    tokens
}

/// Replaces the uses of a variable. Fields, paths and other variables of its name stay.
pub(super) fn variable(tokens: TokenStream, from: &str, by: &TokenStream) -> TokenStream {
    scope::replaced(tokens, &mut |ident, name_use| match name_use {
        _ if ident != from => None,
        NameUse::Variable => Some(by.clone()),
        NameUse::Shorthand => Some(quote!(#ident: #by)),
        NameUse::Other => None,
    })
}

/// Code of the user with gaps for the arguments, for printed programs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Template {
    pieces: Vec<Piece>,
}

#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Code(String),
    Argument(usize),
    Model,
}

impl Template {
    /// Returns the template of an expression in which the names are the arguments. The name `self`
    /// is the argument 0 of a method.
    pub(super) fn of(tokens: &TokenStream, names: &[String], has_model: bool) -> Template {
        let text = written::text(tokens);
        let place = |name: &str| names.iter().position(|known| known == name);
        let mut uses = VecDeque::new();
        scope::replaced(tokens.clone(), &mut |ident, name_use| {
            let name = ident.to_string();
            if place(&name).is_some() || (has_model && name == "model") {
                uses.push_back(name_use);
            }
            None
        });
        let mut template = Template::default();
        let mut end = 0;
        for piece in lexer::pieces(&text) {
            let place = place(piece.text);
            let is_model = has_model && piece.text == "model";
            if piece.kind != PieceKind::Ident || (place.is_none() && !is_model) {
                continue;
            }
            let name_use = uses.pop_front().unwrap_or(NameUse::Other);
            if name_use == NameUse::Other {
                continue;
            }
            let start = piece.text.as_ptr().addr() - text.as_ptr().addr();
            template.code(&text[end..start]);
            if name_use == NameUse::Shorthand {
                template.code(&format!("{}: ", piece.text));
            }
            match place {
                Some(place) => template.argument(place),
                None => template.model(),
            }
            end = start + piece.text.len();
        }
        template.code(&text[end..]);
        template
    }

    pub(super) fn code(&mut self, code: &str) {
        match self.pieces.last_mut() {
            _ if code.is_empty() => {}
            Some(Piece::Code(last)) => last.push_str(code),
            _ => self.pieces.push(Piece::Code(code.to_owned())),
        }
    }

    pub(super) fn argument(&mut self, nth: usize) {
        self.pieces.push(Piece::Argument(nth));
    }

    /// Adds another template.
    pub(super) fn append(&mut self, other: Template) {
        for piece in other.pieces {
            match piece {
                Piece::Code(code) => self.code(&code),
                piece => self.pieces.push(piece),
            }
        }
    }

    pub(super) fn model(&mut self) {
        self.pieces.push(Piece::Model);
    }

    /// Returns the expression for the template in generated code.
    pub(super) fn tokens(&self, runtime: &TokenStream) -> TokenStream {
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Code(code) => quote!(#runtime::template::Piece::Code(#code)),
            Piece::Argument(nth) => quote!(#runtime::template::Piece::Argument(#nth)),
            Piece::Model => quote!(#runtime::template::Piece::Model),
        });
        quote!(&[#(#pieces),*])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: &str, names: &[&str], has_model: bool, expected: &str) {
        let tokens: TokenStream = code.parse().expect("tokens");
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let template = Template::of(&tokens, &names, has_model);
        let show = |piece: &Piece| match piece {
            Piece::Code(code) => code.clone(),
            Piece::Argument(nth) => format!("«{nth}»"),
            Piece::Model => "«model»".to_owned(),
        };
        let shown: String = template.pieces.iter().map(show).collect();
        assert_eq!(shown.replace(' ', ""), expected.replace(' ', ""));
    }

    #[test]
    fn clauses_become_templates() {
        let names = ["self", "n", "item"];
        check(
            "self.capacity() >= n && self.n != item",
            &names,
            false,
            "«0».capacity() >= «1» && «0».n != «2»",
        );
        check("n > 0 && s != \"n\"", &["n"], false, "«0» > 0 && s != \"n\"");
        check("model.add(item, self.model)", &names, true, "«model».add(«2», «0».model)");
        check("u32::from(from)", &["from"], true, "u32::from(«0»)");
        check("Item { item, n: 1 }", &names, false, "Item { item: «2», n: 1 }");
    }

    #[test]
    fn items_in_a_body_keep_their_self() {
        let tokens = quote!({
            self.a();
            impl T for S {
                fn f(&self) -> u8 {
                    self.0
                }
            }
            g(S, self)
        });
        let expected = quote!({
            this.a();
            impl T for S {
                fn f(&self) -> u8 {
                    self.0
                }
            }
            g(S, this)
        });
        assert_eq!(own_self(tokens, &quote!(this)).to_string(), expected.to_string());
    }

    #[test]
    fn names_are_replaced_in_macros_too() {
        let tokens = quote!(matches!(self.x, Some(y) if y == self.z));
        let replaced = named(tokens, "self", &quote!(this));
        assert_eq!(
            replaced.to_string(),
            quote!(matches!(this.x, Some(y) if y == this.z)).to_string()
        );
    }
}
