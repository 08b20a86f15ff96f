//! Compiles the regression tests that Rebut wrote, next to the test that failed.
//!
//! A regression test uses the names that are visible at the original test. To confirm that it fails,
//! `cargo rebut` sets `REBUT_PRINTED` to a directory of such tests, and the macro adds them in a
//! module next to the original test. Without the environment variable, nothing happens.

use rebut_protocol::variables::PRINTED;
use std::fs;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::written;

/// Returns the module with the regression tests for the test at this path, such as `name`, of a
/// function.
pub(crate) fn beside(function: &Ident, test: &str) -> TokenStream {
    let Ok(directory) = std::env::var(PRINTED) else { return TokenStream::new() };
    let Some(path) = written::file_of(function.span()) else { return TokenStream::new() };
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let line = function.span().unwrap().start().line();
    let place = |first: &str| is_place(first, test, &file, line);
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let texts = entries.filter_map(|entry| fs::read_to_string(entry.path()).ok());
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let found = texts.into_iter().find(|text| {
        text.lines().next().is_some_and(place) && is_package(text.lines().nth(1), &package)
    });
    let Some(tests) = found.and_then(|text| text.parse::<TokenStream>().ok()) else {
        return TokenStream::new();
    };
    let name = test.rsplit("::").next().unwrap_or(test);
    let module = format_ident!("__rebut_printed_{name}");
    quote! {
        #[cfg(test)]
        #[allow(warnings, clippy::all)]
        mod #module {
            use super::*;
            #tests
        }
    }
}

/// Returns whether a first line, `// krate::module::name (src/module.rs:3)`, names this test.
fn is_place(first: &str, test: &str, file: &str, line: usize) -> bool {
    let Some((path, place)) = first.strip_prefix("// ").and_then(|rest| rest.split_once(" ("))
    else {
        return false;
    };
    let Some((known, at)) = place.trim_end_matches(')').rsplit_once(':') else { return false };
    let known = known.rsplit(['/', '\\']).next().unwrap_or(known);
    (path == test || path.ends_with(&format!("::{test}")))
        && known == file
        && at == line.to_string()
}

/// Returns whether a second line, `// cargo test -p krate --lib`, names this package or none.
fn is_package(second: Option<&str>, package: &str) -> bool {
    let named = second.and_then(|line| line.strip_prefix("// cargo test -p "));
    named.is_none_or(|named| named.split(' ').next() == Some(package))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_names_the_property() {
        let first = "// krate::lists::sorts (krate/src/lists.rs:12)";
        assert!(is_place(first, "sorts", "lists.rs", 12));
        assert!(!is_place(first, "sorts", "lists.rs", 13));
        assert!(!is_place(first, "sorts", "other.rs", 12));
        assert!(!is_place(first, "lists", "lists.rs", 12));
        assert!(is_place(first, "lists::sorts", "lists.rs", 12));
        assert!(!is_place(first, "other::sorts", "lists.rs", 12));
        assert!(!is_place("", "sorts", "lists.rs", 12));
    }

    #[test]
    fn the_second_line_names_the_package() {
        assert!(is_package(Some("// cargo test -p krate --lib"), "krate"));
        assert!(!is_package(Some("// cargo test -p krate-two --lib"), "krate"));
        assert!(is_package(Some("// panic: something"), "krate"));
        assert!(is_package(None, "krate"));
    }
}
