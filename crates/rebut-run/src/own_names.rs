//! Finds names of the prelude that a crate defines or imports for something else.
//!
//! Printed code uses such names: `vec![1]`, `Box::new(2)`, `Some(3)`. A macro cannot find out what
//! they mean at a test. So this reads the sources of the crate after a failure, and looks for
//! definitions and imports of these names. It does not find out whether they reach the module of the
//! test: printed code is also right with the full path. Without the sources it finds nothing.

use std::fs;
use std::path::{Path, PathBuf};

use crate::folder;
use crate::property::Test;
use crate::strings;
use crate::tokens::{Token, TokenKind, significant};

/// The names that printed code uses, and their paths.
pub(crate) const PATHS: &[(&str, &str)] = &[
    ("vec", "std::vec"),
    ("Box", "std::boxed::Box"),
    ("String", "std::string::String"),
    ("Vec", "std::vec::Vec"),
    ("Some", "std::option::Option::Some"),
    ("None", "std::option::Option::None"),
    ("Ok", "std::result::Result::Ok"),
    ("Err", "std::result::Result::Err"),
];

/// The maximum number of bytes to read. Arbitrary: a second of a debug build reads more.
const BYTES_MAX: u64 = 1 << 20;
/// The maximum number of files to read. Arbitrary: more than most crates have.
const FILES_MAX: usize = 256;

/// Returns the names that may mean something else at a test.
#[inline(never)]
pub(crate) fn own_names(test: &Test) -> Vec<&'static str> {
    let mut names = DefinedNames::default();
    let mut bytes_left = BYTES_MAX;
    let root = folder::workspace_root(test.target.manifest_dir, test.file);
    let file = root.unwrap_or_default().join(test.file);
    let own = folder::read(&file, bytes_left).unwrap_or_default();
    names.read(&own);
    let sees_crate = !test.target.is_integration_test
        || ["::*", "macro_use"].iter().any(|part| strings::find(&own, part).is_some());
    if sees_crate {
        let source = folder::current_manifest_dir(test.target.manifest_dir).join("src");
        for path in files_below(&source) {
            let text = folder::read(&path, bytes_left).unwrap_or_default();
            bytes_left -= text.len() as u64;
            names.read(&text);
        }
    }
    names.all()
}

fn files_below(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
        if files.len() > FILES_MAX {
            break;
        }
    }
    files
}

#[derive(Debug, Default)]
struct DefinedNames {
    found: Vec<&'static str>,
    /// Enums and their variants with such names.
    variants: Vec<(String, &'static str)>,
    /// The enums whose variants are all imported.
    opened: Vec<String>,
}

impl DefinedNames {
    /// Reads one file.
    fn read(&mut self, text: &str) {
        let tokens = significant(text);
        let mut at = 0;
        while at < tokens.len() {
            let next = tokens.get(at + 1);
            match tokens[at].text {
                "macro_rules" if next.is_some_and(|next| next.is("!")) => {
                    self.add(tokens.get(at + 2));
                }
                "struct" | "union" | "type" | "trait" | "fn" | "const" | "static" => self.add(next),
                "enum" => {
                    self.add(next);
                    self.read_variants(&tokens[at + 1..]);
                }
                "use" => at += self.read_import(&tokens[at + 1..]),
                _ => {}
            }
            at += 1;
        }
    }

    fn add(&mut self, token: Option<&Token<'_>>) {
        self.found.extend(token.and_then(known));
    }

    /// Reads the variants of an enum, whose name is the first token.
    fn read_variants(&mut self, tokens: &[Token<'_>]) {
        let Some(name) = tokens.first().map(|name| name.text.to_owned()) else { return };
        let mut depth = 0;
        let mut is_begin = false;
        for token in tokens {
            match token.text {
                "{" | "(" | "[" => {
                    depth += 1;
                    is_begin = depth == 1;
                }
                "}" | ")" | "]" => {
                    depth -= 1;
                    // An attribute may come before a variant.
                    is_begin |= depth == 1 && token.is("]");
                    if depth == 0 {
                        return;
                    }
                }
                "," => is_begin = depth == 1,
                ";" if depth == 0 => return,
                "#" => {}
                _ if depth == 1 => {
                    if is_begin {
                        self.variants.extend(known(token).map(|known| (name.clone(), known)));
                    }
                    is_begin = false;
                }
                _ => {}
            }
        }
    }

    /// Reads an import after `use`. Returns its length.
    fn read_import(&mut self, tokens: &[Token<'_>]) -> usize {
        let end = tokens.iter().position(|token| token.is(";")).unwrap_or(0);
        let import = &tokens[..end];
        let root = import.iter().find(|token| token.kind == TokenKind::Word);
        if root.is_some_and(|root| matches!(root.text, "std" | "core" | "alloc")) {
            // `as` may still give a name of the prelude to something else.
            for pair in import.windows(2).filter(|pair| pair[0].is_word("as")) {
                self.add(Some(&pair[1]));
            }
            return end;
        }
        for (nth, token) in import.iter().enumerate() {
            let next = import.get(nth + 1).map_or(";", |next| next.text);
            match token.text {
                "*" => {
                    let of = import[..nth].iter().rev().find(|one| one.kind == TokenKind::Word);
                    self.opened.extend(of.map(|of| of.text.to_owned()));
                }
                _ if matches!(next, "," | "}" | ";") => self.add(Some(token)),
                _ => {}
            }
        }
        end
    }

    fn all(mut self) -> Vec<&'static str> {
        for (of, variant) in &self.variants {
            if self.opened.contains(of) {
                self.found.push(variant);
            }
        }
        self.found
    }
}

fn known(token: &Token<'_>) -> Option<&'static str> {
    PATHS.iter().map(|(name, _)| *name).find(|name| token.is_word(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&'static str> {
        let mut names = DefinedNames::default();
        names.read(text);
        names.all()
    }

    #[test]
    fn definitions_and_imports_are_found() {
        for (text, name) in [
            ("macro_rules! vec { () => {} }", "vec"),
            ("pub struct Box(u8);", "Box"),
            ("type String = &'static str;", "String"),
            ("use bumpalo::{boxed::Box, other};", "Box"),
            ("use crate::list as Vec;", "Vec"),
            ("use std::collections::VecDeque as Vec;", "Vec"),
            ("pub use anyhow::Ok;", "Ok"),
            ("enum Opt<T> { #[cfg(a)] Some(T), Nothing } use self::Opt::*;", "Some"),
            ("use Opt::{Nothing, None};", "None"),
        ] {
            assert_eq!(names(text), [name], "{text}");
        }
    }

    #[test]
    fn other_uses_of_the_names_are_not() {
        let none: [&str; 0] = [];
        for text in [
            "use std::boxed::Box; use alloc::{vec, string::String}; use core::option::Option::*;",
            "fn f() -> Vec<u8> { vec![1] } // struct Box;",
            "enum Opt { Some(u8), Other(Box<str>, String) } use super::*;",
            "match n { Some(n) => Ok(n), None => Err(\"enum A { Ok }\") }",
            "impl Trait for Box<T> {} use",
        ] {
            assert_eq!(names(text), none, "{text}");
        }
    }
}
