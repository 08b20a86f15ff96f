//! The claim of a property about its inputs.
//!
//! To look for an input is to test the claim that there is none. Rebut therefore finds, shrinks,
//! stores and replays a matching input in the same way as a failure, and only interprets the
//! verdict differently.

use std::fmt;

use crate::case_log;
use crate::outcome::FailureKind;
use crate::verdict::{Counterexample, Verdict};
use crate::wasm_guest;

/// The claim of a property about its inputs.
///
/// # Examples
/// ```
/// use rebut::report::Claim;
/// use rebut::{Check, integers};
///
/// let report = Check::new("a large byte").exists(|case| case.draw(integers::<u8>()) > 200);
/// assert_eq!(report.claim, Claim::Exists);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim {
    /// It passes for all of them: `#[rebut::test]`.
    #[default]
    ForAll,
    /// It returns true for one of them: `#[rebut::exists]`.
    Exists,
    /// It returns true for none of them: `#[rebut::not_exists]`.
    NotExists,
}

impl Claim {
    /// Converts the verdict of a run that treated matching inputs as failures.
    pub(crate) fn judge(self, verdict: Verdict) -> Verdict {
        match (self, verdict) {
            (Claim::Exists, Verdict::Passed { cases }) => {
                Verdict::NotFound { cases, is_complete: false }
            }
            (Claim::Exists, Verdict::Proved { inputs }) => {
                Verdict::NotFound { cases: inputs, is_complete: true }
            }
            (Claim::Exists, Verdict::Failed(counterexamples)) => exists(counterexamples),
            (_, verdict) => verdict,
        }
    }
}

/// Any failure other than a match takes precedence over matches.
fn exists(mut counterexamples: Vec<Counterexample>) -> Verdict {
    let is_found = |one: &Counterexample| one.failure.kind == FailureKind::Witness;
    match counterexamples.iter().position(is_found) {
        Some(nth) if counterexamples.len() == 1 => {
            Verdict::Exists(Box::new(counterexamples.remove(nth)))
        }
        _ => {
            counterexamples.retain(|one| !is_found(one));
            Verdict::Failed(counterexamples)
        }
    }
}

/// A type that the body of `exists` and `not_exists` may return: whether the input matches.
///
/// # Examples
/// ```
/// use rebut::Check;
///
/// // A `Result` works too. An error fails the property.
/// let report = Check::new("a leap year").seed(1).exists(|case| {
///     let year = case.draw(1..=9999_u32);
///     Ok::<bool, String>(year % 4 == 0 && year % 100 != 0)
/// });
/// assert!(report.verdict.is_success());
/// ```
#[diagnostic::on_unimplemented(
    message = "`exists` and `not_exists` cannot return `{Self}`",
    label = "return `bool`, or a `Result<bool, _>` whose error is `Debug`",
    note = "`true` means that the input matches"
)]
pub trait WitnessResult {
    /// Returns a message if the input matches or the result is an error.
    fn into_witness(self) -> Option<String>;
}

impl WitnessResult for bool {
    fn into_witness(self) -> Option<String> {
        self.then(|| {
            case_log::mark_witness();
            "returned true".to_owned()
        })
    }
}

impl<E: fmt::Debug> WitnessResult for Result<bool, E> {
    fn into_witness(self) -> Option<String> {
        match self {
            Ok(is_witness) => is_witness.into_witness(),
            Err(error) => Some(wasm_guest::error_message(&error)),
        }
    }
}
