//! The claim of a property about its inputs.
//!
//! To look for an input is to test the claim that there is none. Rebut therefore finds, shrinks,
//! stores and replays a matching input in the same way as a failure, and only interprets the
//! verdict differently. The same is true of a test that should panic.

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
    /// It panics for one of them, with a message that contains this text: `#[should_panic]`.
    Panics(&'static str),
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
            (Claim::Panics(_), Verdict::Passed { cases }) => {
                Verdict::NotPanicked { cases, is_complete: false }
            }
            (Claim::Panics(_), Verdict::Proved { inputs }) => {
                Verdict::NotPanicked { cases: inputs, is_complete: true }
            }
            (Claim::Panics(expected), Verdict::Failed(counterexamples)) => {
                panics(counterexamples, expected)
            }
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

/// A failure that ends the process is not a panic, and takes precedence.
fn panics(mut counterexamples: Vec<Counterexample>, expected: &str) -> Verdict {
    let is_expected = |one: &Counterexample| message_of_panic(one).contains(expected);
    let ends_process = |one: &Counterexample| {
        one.failure.kind.kills_process() || one.failure.kind == FailureKind::Hang
    };
    match counterexamples.iter().position(is_expected) {
        Some(nth) if !counterexamples.iter().any(ends_process) => {
            Verdict::Panicked(Box::new(counterexamples.swap_remove(nth)))
        }
        _ => Verdict::Failed(counterexamples),
    }
}

/// Returns the message of the panic that fails a test because of this failure.
/// `#[should_panic(expected = ..)]` searches it.
pub(crate) fn message_of_panic(counterexample: &Counterexample) -> String {
    format!("the property failed: {}", counterexample.failure.message)
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

#[cfg(test)]
mod tests {
    use rebut_choice::Tape;

    use super::*;
    use crate::outcome::Failure;
    use crate::runner::FailingCase;
    use crate::runner::unfinished;
    use crate::verdict::FoundBy;

    fn failed(kind: FailureKind, message: &str) -> Verdict {
        let failure = Failure { kind, message: message.to_owned(), location: None };
        let (tape, found_by) = (Tape::default(), FoundBy::Random(1));
        Verdict::Failed(vec![unfinished(FailingCase { failure, tape, found_by })])
    }

    #[test]
    fn a_test_that_should_panic_passes_if_it_panics_as_expected() {
        let judged = |expected, kind, message| Claim::Panics(expected).judge(failed(kind, message));
        assert!(judged("", FailureKind::Panic, "too long").is_success());
        assert!(judged("too", FailureKind::Panic, "too long").is_success());
        assert!(judged("returned", FailureKind::WrongResult, "returned false").is_success());
        assert!(!judged("short", FailureKind::Panic, "too long").is_success());
        assert!(!judged("", FailureKind::StackOverflow, "").is_success());
        assert!(!judged("", FailureKind::Hang, "").is_success());
        let passed = Claim::Panics("").judge(Verdict::Passed { cases: 9 });
        assert!(matches!(passed, Verdict::NotPanicked { cases: 9, is_complete: false }));
    }
}
