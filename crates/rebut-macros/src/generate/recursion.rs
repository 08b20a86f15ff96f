//! Which types contain themselves, as far as it can be seen.
//!
//! A derive sees one type. That an expression contains statements which contain expressions
//! can only be seen in the other type's definition, so the file at hand is searched for it.
//! Names stand for types here: what is found wrongly costs a worse order of variants, what is
//! missed can be marked with `#[generate(recursive)]`.

use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, TokenStream, TokenTree};

use crate::lexer::{self, Kind, Piece};
use crate::written;

/// The names of the types that contain the type itself, and its own.
pub(super) struct Recursion {
    names: HashSet<String>,
}

impl Recursion {
    /// Looks around `name`.
    pub(super) fn of(name: &Ident) -> Recursion {
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

    /// Whether one of the names occurs in `tokens`, however deep.
    pub(super) fn concerns(&self, tokens: TokenStream) -> bool {
        tokens.into_iter().any(|tree| match tree {
            TokenTree::Ident(ident) => self.names.contains(&ident.to_string()),
            TokenTree::Group(group) => self.concerns(group.stream()),
            _ => false,
        })
    }
}

/// For each type that is defined, the names in the types of its fields.
fn definitions<'a>(pieces: &[Piece<'a>]) -> HashMap<&'a str, HashSet<&'a str>> {
    let mut definitions = HashMap::new();
    for (n, pair) in pieces.windows(2).enumerate() {
        let mentioned = match (pair[0].text, pair[1].kind) {
            ("struct", Kind::Ident) => mentioned(&pieces[n + 2..], 0),
            ("enum", Kind::Ident) => mentioned(&pieces[n + 2..], 1),
            ("type", Kind::Ident) => mentioned(&pieces[n + 2..], 0),
            _ => continue,
        };
        definitions.entry(pair[1].text).or_insert_with(HashSet::new).extend(mentioned);
    }
    definitions
}

/// The names up to the end of a definition, deeper than `depth_names` brackets, but not those
/// before a colon and not those in attributes.
fn mentioned<'a>(pieces: &[Piece<'a>], depth_names: usize) -> HashSet<&'a str> {
    let mut names = HashSet::new();
    let mut depth = 0_usize;
    let mut attribute = None;
    for (n, piece) in pieces.iter().enumerate() {
        let before = n.checked_sub(1).map_or("", |before| pieces[before].text);
        match piece.kind {
            Kind::Open => {
                if before == "#" && attribute.is_none() {
                    attribute = Some(depth);
                }
                depth += 1;
            }
            Kind::Close => {
                if depth <= 1 && piece.text == "}" {
                    break;
                }
                depth = depth.saturating_sub(1);
                if attribute == Some(depth) {
                    attribute = None;
                }
            }
            Kind::Punct if piece.text == ";" && depth == 0 => break,
            Kind::Ident if depth > depth_names || depth_names == 0 => {
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
        check("enum Kind { Value } struct Value(Kind);", "Value", &[]);
        check("struct A { b: u8 } struct b(A);", "b", &[]);
    }
}
