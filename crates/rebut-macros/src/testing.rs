//! Helpers to compare expansions.

use proc_macro2::TokenStream;
use syn::Result;

/// Compares a formatted expansion, or its errors, with the expected code. Indentation is ignored.
#[track_caller]
pub(crate) fn check(expanded: Result<TokenStream>, expected: &str) {
    let found = match expanded {
        Ok(tokens) => prettyplease::unparse(&syn::parse2(tokens).expect("items")),
        Err(error) => error.into_iter().map(|error| format!("error: {error}\n")).collect(),
    };
    let unindent = |text: &str| {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join("\n")
    };
    assert!(unindent(&found) == unindent(expected), "found:\n{found}");
}
