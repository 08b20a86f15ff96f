//! The replacement for `regex` while the feature `regex` is off.
//!
//! The functions exist but cannot be called, and the compiler error names the missing feature. The
//! regex parser takes longer to compile than the rest of the crate, so it is optional.

use std::convert::Infallible;

use rebut_choice::Source;

use crate::Generator;

/// Stands for the missing feature `regex`. No type implements it.
#[diagnostic::on_unimplemented(
    message = "strings from regular expressions need the feature `regex` of `rebut`",
    label = "add features = [\"regex\"] to the dependency `rebut` in Cargo.toml",
    note = "`cargo add rebut --dev --features regex` adds it"
)]
pub trait RegexFeature {
    /// Proves that no value of the type exists.
    fn never(self) -> Infallible;
}

/// Requires the feature `regex`.
pub fn strings_matching<P: RegexFeature>(pattern: P) -> Matching<String> {
    match pattern.never() {}
}

/// Requires the feature `regex`.
pub fn bytes_matching<P: RegexFeature>(pattern: P) -> Matching<Vec<u8>> {
    match pattern.never() {}
}

/// Requires the feature `regex`.
///
/// # Errors
/// None: it cannot be called.
pub fn try_strings_matching<P: RegexFeature>(pattern: P) -> Result<Matching<String>, Infallible> {
    match pattern.never() {}
}

/// Requires the feature `regex`.
///
/// # Errors
/// None: it cannot be called.
pub fn try_bytes_matching<P: RegexFeature>(pattern: P) -> Result<Matching<Vec<u8>>, Infallible> {
    match pattern.never() {}
}

/// A generator that cannot be constructed. Its type lets the rest of an expression compile, so that
/// the missing feature is the only error.
#[derive(Clone, Debug)]
pub struct Matching<T> {
    never: Infallible,
    value: std::marker::PhantomData<T>,
}

impl<T: 'static> Generator for Matching<T> {
    type Value = T;

    fn draw(&self, _source: &mut Source) -> T {
        match self.never {}
    }
}
