//! Detects recursive types.
//!
//! A derive sees one type. If an expression contains statements that contain expressions, only the
//! definition of the other type shows it. So this module searches the current file for definitions.
//! It compares names, not types. A false match only makes the order of the variants worse. A missed
//! one can be marked with `#[generate(recursive)]`.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, TokenStream, TokenTree};

use crate::lexer::{self, Piece, PieceKind};
use crate::written;

/// The name of the type, and the names of all types that contain it.
pub(super) struct Recursion {
    names: HashSet<String>,
}

impl Recursion {
    /// Searches the file that contains `name`.
    pub(super) fn in_file_of(name: &Ident) -> Recursion {
        let file = written::file_of(name.span()).and_then(|path| written::read(&path));
        Recursion::within(&name.to_string(), file.as_deref().unwrap_or_default())
    }

    fn within(name: &str, file: &str) -> Recursion {
        let mut names = HashSet::from([name.to_owned(), "Self".to_owned()]);
        let definitions = definitions(&lexer::pieces(file));
        loop {
            let found: Vec<_> = definitions
                .iter()
                .filter(|(definition, mentioned)| {
                    !names.contains(**definition)
                        && mentioned.iter().any(|name| *name != "Self" && names.contains(*name))
                })
                .map(|(definition, _)| (*definition).to_owned())
                .collect();
            if found.is_empty() {
                return Recursion { names };
            }
            names.extend(found);
        }
    }

    /// Returns whether one of the names occurs in the tokens, at any depth.
    pub(super) fn concerns(&self, tokens: TokenStream) -> bool {
        tokens.into_iter().any(|tree| match tree {
            TokenTree::Ident(ident) => self.names.contains(&ident.to_string()),
            TokenTree::Group(group) => self.concerns(group.stream()),
            _ => false,
        })
    }
}

/// Returns, for each defined type, the names in the types of its fields.
fn definitions<'a>(pieces: &[Piece<'a>]) -> HashMap<&'a str, HashSet<&'a str>> {
    let mut definitions = HashMap::new();
    for (n, pair) in pieces.windows(2).enumerate() {
        let mentioned = match (pair[0].text, pair[1].kind) {
            ("struct", PieceKind::Ident) => mentioned(&pieces[n + 2..], 0),
            ("enum", PieceKind::Ident) => mentioned(&pieces[n + 2..], 1),
            ("type", PieceKind::Ident) => mentioned(&pieces[n + 2..], 0),
            _ => continue,
        };
        definitions.entry(pair[1].text).or_insert_with(HashSet::new).extend(mentioned);
    }
    definitions
}

/// Returns the names up to the end of a definition that are inside more than `depth_names` brackets,
/// without field names and attributes.
fn mentioned<'a>(pieces: &[Piece<'a>], depth_names: usize) -> HashSet<&'a str> {
    let mut names = HashSet::new();
    let mut depth = 0_usize;
    let mut attribute = None;
    for (n, piece) in pieces.iter().enumerate() {
        let before = n.checked_sub(1).map_or("", |before| pieces[before].text);
        match piece.kind {
            PieceKind::Open => {
                if before == "#" && attribute.is_none() {
                    attribute = Some(depth);
                }
                depth += 1;
            }
            PieceKind::Close => {
                if depth <= 1 && piece.text == "}" {
                    break;
                }
                depth = depth.saturating_sub(1);
                if attribute == Some(depth) {
                    attribute = None;
                }
            }
            PieceKind::Punct if piece.text == ";" && depth == 0 => break,
            PieceKind::Ident if depth > depth_names || depth_names == 0 => {
                let after = |more: usize| pieces.get(n + more).map_or("", |piece| piece.text);
                let is_field = after(1) == ":" && after(2) != ":";
                if !is_field && attribute.is_none() {
                    names.insert(piece.text);
                }
            }
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, name: &str, expected: &[&str]) {
        let mut names: Vec<_> = Recursion::within(name, file).names.into_iter().collect();
        names.retain(|found| found != "Self" && found != name);
        names.sort();
        assert_eq!(names, expected);
    }

    const LANGUAGE: &str = "
        enum Expr { Number(i64), Closure(Box<Function>), Op { left: Pair } }
        type Pair = (Box<Expr>, Box<Expr>);
        struct Function { body: Vec<Statement>, name: Name }
        #[derive(Generate)]
        enum Statement { Return(#[generate(texts::<Name>())] Expr), Empty, Name }
        struct Name(String);
        fn after(x: Expr) {}";

    #[test]
    fn follows_other_types_of_the_file() {
        check(LANGUAGE, "Expr", &["Function", "Pair", "Statement"]);
        check(LANGUAGE, "Function", &["Expr", "Pair", "Statement"]);
    }

    #[test]
    fn names_of_variants_and_fields_are_not_types() {
        check(LANGUAGE, "Name", &["Expr", "Function", "Pair", "Statement"]);
        check("enum PieceKind { Value } struct Value(PieceKind);", "Value", &[]);
        check("struct A { b: u8 } struct b(A);", "b", &[]);
    }
}
