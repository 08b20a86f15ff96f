//! Failures that Rebut itself finds while a property runs.

/// Fails the running case with a message, as a panic of the code under test does.
///
/// All other panics in the sources of Rebut are bugs in Rebut. A failure that code of Rebut detects,
/// and whose location would be meaningless, is therefore raised here. One with a location panics in
/// a function with `#[track_caller]` instead.
#[doc(hidden)]
#[cold]
pub fn fail_case(message: &str) -> ! {
    panic!("{message}")
}
