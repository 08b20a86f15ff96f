//! Names of the standard prelude in printed code.
//!
//! In a crate with `#![no_std]`, `vec![]`, `Box` and `"a".to_string()` mean nothing until something
//! imports them. [`is_string`] finds out where that is true: if `ToString` is not in scope, method
//! lookup goes on to [`MissingToString`]. A module may import `ToString` alone, so the macro also
//! reads whether the crate has that attribute. A crate may also use these names for items of its
//! own.
//!
//! ```
//! mod with_prelude {
//!     use rebut_run::prelude::{MissingToString as _, is_string};
//!     pub fn is_there() -> bool {
//!         is_string(&"".to_string())
//!     }
//! }
//! assert!(with_prelude::is_there());
//! ```

use std::any::TypeId;

use crate::own_names::{self, own_names};
use crate::property::Test;
use crate::strings;
use crate::tokens::{TokenKind, tokens};

/// Has a method with the name of a method of the prelude, which comes later in method lookup.
pub trait MissingToString {
    /// Returns anything but a string.
    fn to_string(&self);
}

impl MissingToString for &'static str {
    fn to_string(&self) {}
}

/// Returns whether the value is a `String`.
pub fn is_string<T: 'static>(_: &T) -> bool {
    TypeId::of::<T>() == TypeId::of::<String>()
}

/// The names that printed code can use at a test.
#[derive(Clone, Debug)]
pub(crate) struct NamesAtTest {
    /// `None` for a property that no macro describes.
    test: Option<Test>,
}

impl NamesAtTest {
    pub(crate) fn new(test: Option<&Test>) -> NamesAtTest {
        NamesAtTest { test: test.copied() }
    }

    /// Returns the statements that import what the code of a test needs, each on a line with an
    /// indentation of four spaces.
    pub(crate) fn imports(&self, code: &str) -> String {
        match self.has_prelude() {
            true => String::new(),
            false => imports(code),
        }
    }

    /// Returns the code of an `#[example]` in a form that compiles at the test; `None` if there is
    /// none.
    pub(crate) fn example(&self, code: &str) -> Option<String> {
        let code = self.written(code);
        (self.has_prelude() || is_example(&code)).then_some(code)
    }

    /// Returns code of values in a form that compiles in a function next to the test.
    #[inline(never)]
    pub(crate) fn translated(&self, code: &str) -> String {
        let Some(test) = &self.test else { return code.to_owned() };
        if test.edition < PATHS_OF_BLOCKS && !(test.has_prelude)() {
            let all: Vec<&str> = own_names::PATHS.iter().map(|(name, _)| *name).collect();
            return written_for(&with_string_paths(code), test.edition, &all);
        }
        self.written(code)
    }

    /// Returns code in a form that compiles in the crate of the test.
    fn written(&self, code: &str) -> String {
        let Some(test) = &self.test else { return code.to_owned() };
        let mut others = Vec::new();
        // Reading the sources takes a while.
        if own_names::PATHS.iter().any(|(name, _)| uses(code, name)) {
            others = own_names(test);
        }
        written_for(code, test.edition, &others)
    }

    fn has_prelude(&self) -> bool {
        self.test.is_none_or(|test| (test.has_prelude)())
    }
}

/// The first edition with literals such as `c"a"`.
const C_STRINGS: u16 = 2021;

/// The first edition in which `use` finds what a block declares, such as `extern crate std`. Before it,
/// only expressions do.
const PATHS_OF_BLOCKS: u16 = 2018;

/// Replaces methods of string literals, which need a trait, by a function with a path.
fn with_string_paths(code: &str) -> String {
    let mut text = String::new();
    let mut rest = code;
    for token in tokens(code) {
        let at = code.len() - rest.len();
        // It is part of a call that has been replaced.
        if token.at < at {
            continue;
        }
        rest = &code[token.at + token.text.len()..];
        let method = [".to_string()", ".to_owned()"].into_iter().find(|one| rest.starts_with(one));
        match method.filter(|_| token.kind == TokenKind::Text && token.text.starts_with('"')) {
            Some(method) => {
                text.push_str(&format!("std::string::String::from({})", token.text));
                rest = &rest[method.len()..];
            }
            None => text.push_str(token.text),
        }
    }
    text
}

/// Returns code in a form that compiles in an edition, and where some names of the prelude mean
/// something else.
fn written_for(code: &str, edition: u16, others: &[&str]) -> String {
    let mut text = String::new();
    let mut is_after_path = false;
    for token in tokens(code) {
        let rest = &code[token.at + token.text.len()..];
        let path = own_names::PATHS.iter().find(|(name, _)| {
            let is_own = others.contains(name) && token.is_word(name);
            is_own && !is_after_path && is_of_prelude(name, rest)
        });
        let c_string = token.text.strip_prefix("c\"").filter(|_| token.kind == TokenKind::Text);
        match (path, c_string) {
            (Some((_, path)), _) => text.push_str(path),
            (None, Some(inside)) if edition < C_STRINGS => {
                let inside = inside.strip_suffix('"').unwrap_or(inside);
                let bytes = format!("b\"{inside}\\0\"");
                text.push_str(&format!("std::ffi::CStr::from_bytes_with_nul({bytes}).unwrap()"));
            }
            _ => text.push_str(token.text),
        }
        is_after_path = token.is(":") || token.is(".");
    }
    text
}

/// Returns whether a name that comes before `rest` in printed code is that of the prelude. A type
/// with such a name may be printed too, as `Box(1)` or `Vec { list: 2 }`.
fn is_of_prelude(name: &str, rest: &str) -> bool {
    match name {
        "vec" => rest.starts_with("!["),
        "Box" | "String" | "Vec" => {
            ["::new(", "::from(", "::<"].iter().any(|call| rest.starts_with(call))
        }
        _ => true,
    }
}

/// The names that printed code takes from the prelude, and what to import.
const NAMES: &[(&str, &str)] = &[
    ("Box::", "std::boxed::Box"),
    ("String::", "std::string::String"),
    ("Vec::", "std::vec::Vec"),
    ("vec![", "std::vec"),
    ("format!(", "std::format"),
    (".to_owned()", "std::borrow::ToOwned"),
    (".to_string()", "std::string::ToString"),
];

/// The names that the values of an `#[example]` can use everywhere. The macro imports them.
const NAMES_OF_EXAMPLES: &[&str] = &["vec![", ".to_owned()", ".to_string()"];

fn imports(code: &str) -> String {
    let mut text = String::new();
    for (name, path) in NAMES {
        if uses(code, name) {
            text.push_str(&format!("    use {path};\n"));
        }
    }
    match text.is_empty() && !uses(code, "std::") {
        true => text,
        false => format!("    extern crate std;\n{text}"),
    }
}

/// Returns whether the code compiles as a value of an `#[example]` without the prelude.
fn is_example(code: &str) -> bool {
    let mut others = NAMES.iter().filter(|(name, _)| !NAMES_OF_EXAMPLES.contains(name));
    !uses(code, "std::") && !others.any(|(name, _)| uses(code, name))
}

/// Returns whether the code contains the name, and not only as the end of another one.
fn uses(code: &str, name: &str) -> bool {
    let is_part = |c: char| c == '_' || c == ':' || c.is_alphanumeric();
    let pieces = strings::split(code, name);
    let before = &pieces[..pieces.len().saturating_sub(1)];
    before.iter().any(|piece| name.starts_with('.') || !piece.ends_with(is_part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_missing_names_are_imported() {
        assert_eq!(imports("Some(3)"), "");
        assert_eq!(
            imports("(vec![MyBox::new()], \"\".to_string())"),
            "    extern crate std;\n    use std::vec;\n    use std::string::ToString;\n"
        );
        assert_eq!(imports("std::time::Duration::ZERO"), "    extern crate std;\n");
        assert_eq!(imports("my::vec::Vec::new()"), "");
    }

    #[test]
    fn old_editions_have_no_c_strings() {
        let code = "(c\"a\\xff\\\"\", vec![c\"\".to_owned()], \"c\\\"\")";
        assert_eq!(written_for(code, 2021, &[]), code);
        assert_eq!(
            written_for(code, 2018, &[]),
            "(std::ffi::CStr::from_bytes_with_nul(b\"a\\xff\\\"\\0\").unwrap(), \
             vec![std::ffi::CStr::from_bytes_with_nul(b\"\\0\").unwrap().to_owned()], \"c\\\"\")"
        );
    }

    #[test]
    fn strings_of_the_first_edition_need_no_trait() {
        let code = "(\"a\\\"\".to_string(), vec![\"\".to_owned(), x.to_owned()], \"c\")";
        let expected = "(std::string::String::from(\"a\\\"\"), \
                        vec![std::string::String::from(\"\"), x.to_owned()], \"c\")";
        assert_eq!(with_string_paths(code), expected);
    }

    #[test]
    fn names_with_another_meaning_get_their_path() {
        let code = "vec![Some(Box::new(1)), Opt::Some(\"Some\"), Box(2), std::vec::Vec::new()]";
        assert_eq!(written_for(code, 2024, &[]), code);
        assert_eq!(
            written_for(code, 2024, &["vec", "Some", "Box", "Vec"]),
            "std::vec![std::option::Option::Some(std::boxed::Box::new(1)), Opt::Some(\"Some\"), \
             Box(2), std::vec::Vec::new()]"
        );
    }

    #[test]
    fn an_example_may_use_methods_and_lists() {
        assert!(is_example("vec![\"\".to_string()]"));
        assert!(!is_example("vec![Box::new(1)]"));
        assert!(!is_example("std::time::Duration::ZERO"));
    }
}
