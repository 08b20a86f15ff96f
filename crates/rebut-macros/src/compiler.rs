//! Facts about the crate from the command line of the compiler.
//!
//! The compiler runs the macros in its own process, so its arguments are theirs. In another process,
//! such as that of an editor, nothing is known.

use std::path::Path;
use std::sync::OnceLock;

use syn::parse::Parser as _;
use syn::{Attribute, Expr, Lit, Meta, Token};

use crate::{lexer, written};

/// Returns the edition of the crate: the newest one if it is not known.
pub(crate) fn edition() -> u16 {
    CommandLine::read().edition()
}

/// Returns whether the crate certainly has `#![no_std]`.
pub(crate) fn is_no_std() -> bool {
    static IS_NO_STD: OnceLock<bool> = OnceLock::new();
    *IS_NO_STD.get_or_init(|| {
        let line = CommandLine::read();
        let root = line.root().and_then(|root| written::read(Path::new(root)));
        root.is_some_and(|root| line.is_no_std(&root))
    })
}

struct CommandLine {
    arguments: Vec<String>,
}

impl CommandLine {
    fn read() -> CommandLine {
        let arguments = std::env::args_os().filter_map(|argument| argument.into_string().ok());
        CommandLine { arguments: arguments.collect() }
    }

    fn has(&self, argument: &str) -> bool {
        self.arguments.iter().any(|one| one == argument)
    }

    /// Returns the values of an option: `--name value` and `--name=value`.
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let after = self.arguments.iter().skip(1).map(String::as_str).chain([""]);
        self.arguments.iter().zip(after).filter_map(move |(argument, next)| {
            let rest = argument.strip_prefix(name)?;
            if rest.is_empty() { Some(next) } else { rest.strip_prefix('=') }
        })
    }

    fn edition(&self) -> u16 {
        let given = self.values("--edition").next().and_then(|edition| edition.parse().ok());
        // Without the option, the compiler takes the oldest edition.
        given.unwrap_or(if self.has("--crate-name") { 2015 } else { NEWEST })
    }

    /// Returns the file of the crate's root.
    fn root(&self) -> Option<&str> {
        let is_root = |argument: &&String| argument.ends_with(".rs") && !argument.starts_with('-');
        self.has("--crate-name").then(|| self.arguments.iter().find(is_root))?.map(String::as_str)
    }

    fn is_no_std(&self, root: &str) -> bool {
        inner_attributes(root).iter().any(|attribute| self.sets_no_std(&attribute.meta))
    }

    fn sets_no_std(&self, meta: &Meta) -> bool {
        match meta {
            Meta::Path(path) => path.is_ident("no_std"),
            Meta::List(list) if list.path.is_ident("cfg_attr") => {
                let all = parts(list.tokens.clone());
                let Some((condition, attributes)) = all.split_first() else { return false };
                self.holds(condition) == Some(true)
                    && attributes.iter().any(|meta| self.sets_no_std(meta))
            }
            _ => false,
        }
    }

    /// Returns whether a condition of `cfg` holds; `None` if the command line does not say that.
    fn holds(&self, condition: &Meta) -> Option<bool> {
        match condition {
            Meta::Path(path) if path.is_ident("test") => Some(self.has("--test")),
            Meta::NameValue(pair) if pair.path.is_ident("feature") => {
                let Expr::Lit(value) = &pair.value else { return None };
                let Lit::Str(feature) = &value.lit else { return None };
                let set = format!("feature=\"{}\"", feature.value());
                Some(self.values("--cfg").any(|one| one == set))
            }
            Meta::List(list) => {
                let parts = parts(list.tokens.clone());
                let mut parts = parts.iter().map(|part| self.holds(part));
                let name = list.path.get_ident()?;
                if name == "not" {
                    return parts.next()?.map(|holds| !holds);
                }
                if name != "all" && name != "any" {
                    return None;
                }
                // One part of this value decides.
                let decisive = name == "any";
                let parts: Vec<Option<bool>> = parts.collect();
                match parts.contains(&Some(decisive)) {
                    true => Some(decisive),
                    false if parts.contains(&None) => None,
                    false => Some(!decisive),
                }
            }
            _ => None,
        }
    }
}

/// The edition of code whose crate is not known.
const NEWEST: u16 = 2024;

/// Returns the parts of a list, or none of them if they have another form.
fn parts(tokens: proc_macro2::TokenStream) -> Vec<Meta> {
    let list = syn::punctuated::Punctuated::<Meta, Token![,]>::parse_terminated;
    list.parse2(tokens).map(|list| list.into_iter().collect()).unwrap_or_default()
}

/// Returns the attributes at the beginning of a file.
fn inner_attributes(text: &str) -> Vec<Attribute> {
    let pieces = lexer::pieces(text);
    let mut attributes = String::new();
    let mut rest = pieces.as_slice();
    while let [hash, bang, open, ..] = rest
        && (hash.text, bang.text, open.text) == ("#", "!", "[")
    {
        let mut depth = 0;
        let length = rest.iter().position(|piece| {
            depth += i32::from(piece.text == "[") - i32::from(piece.text == "]");
            piece.text == "]" && depth == 0
        });
        let Some(last) = length else { break };
        let words: Vec<&str> = rest[..=last].iter().map(|piece| piece.text).collect();
        attributes.push_str(&words.join(" "));
        rest = &rest[last + 1..];
    }
    Attribute::parse_inner.parse_str(&attributes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(arguments: &str) -> CommandLine {
        CommandLine { arguments: arguments.split(' ').map(str::to_owned).collect() }
    }

    #[test]
    fn the_command_line_names_the_edition() {
        assert_eq!(line("rustc --crate-name a --edition=2018 src/lib.rs").edition(), 2018);
        assert_eq!(line("rustc --crate-name a --edition 2021 src/lib.rs").edition(), 2021);
        assert_eq!(line("rustc --crate-name a src/lib.rs").edition(), 2015);
        assert_eq!(line("an-editor").edition(), NEWEST);
    }

    #[test]
    fn the_root_says_whether_there_is_a_standard_library() {
        let plain = line("rustc --crate-name a src/lib.rs --cfg feature=\"a\"");
        let test = line("rustc --crate-name a src/lib.rs --test --cfg feature=\"std\"");
        assert_eq!(plain.root(), Some("src/lib.rs"));
        for always in [
            "#![no_std]",
            "//! A [crate].\n#![deny(warnings)]\n#![allow(a, b)] #![no_std]\nmod a;",
            "#![cfg_attr(all(), no_std, a)]",
        ] {
            assert!(plain.is_no_std(always) && test.is_no_std(always), "{always}");
        }
        for never in ["// #![no_std]", "mod a { #![no_std] }", "#![cfg_attr(unix, no_std)]", "#!["]
        {
            assert!(!plain.is_no_std(never) && !test.is_no_std(never), "{never}");
        }
        for depends in [
            "#![cfg_attr(not(feature = \"std\"), no_std)]",
            "#![cfg_attr(not(any(test, feature = \"b\")), no_std)]",
            "#![cfg_attr(all(feature = \"a\", not(test)), no_std)]",
        ] {
            assert!(plain.is_no_std(depends) && !test.is_no_std(depends), "{depends}");
        }
    }
}
