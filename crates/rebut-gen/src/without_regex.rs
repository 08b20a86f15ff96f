//! Stands where the feature `regex` is off: the functions are there, cannot be called, and the
//! compiler says what to add. Reading patterns takes longer to compile than all the rest, so
//! those who draw no text from them do not pay for it.

use std::convert::Infallible;

use rebut_choice::Source;

use crate::Generator;

/// What patterns would implement if the feature `regex` was on. Nothing does.
#[diagnostic::on_unimplemented(
    message = "text from regular expressions needs the feature `regex` of `rebut`",
    label = "add features = [\"regex\"] to the dependency `rebut` in Cargo.toml",
    note = "`cargo add rebut --dev --features regex` adds it"
)]
pub trait RegexFeature {
    /// Proof that there is none.
    fn never(self) -> Infallible;
}

/// Needs the feature `regex`.
pub fn strings_matching<P: RegexFeature>(pattern: P) -> Matching<String> {
    match pattern.never() {}
}

/// Needs the feature `regex`.
pub fn bytes_matching<P: RegexFeature>(pattern: P) -> Matching<Vec<u8>> {
    match pattern.never() {}
}

/// Needs the feature `regex`.
///
/// # Errors
/// None: it cannot be called.
pub fn try_strings_matching<P: RegexFeature>(pattern: P) -> Result<Matching<String>, Infallible> {
    match pattern.never() {}
}

/// Needs the feature `regex`.
///
/// # Errors
/// None: it cannot be called.
pub fn try_bytes_matching<P: RegexFeature>(pattern: P) -> Result<Matching<Vec<u8>>, Infallible> {
    match pattern.never() {}
}

/// A generator that cannot be made, so that nothing but the missing feature is complained about.
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
