//! What a property claims about its inputs.
//!
//! To look for an input is to try to refute that there is none. So what is sought is found,
//! shrunk, stored and replayed as a failure is, and only the verdict is read the other way
//! round.

use std::fmt;

use crate::context;
use crate::explore;
use crate::outcome::FailureKind;
use crate::verdict::{Counterexample, Verdict};

/// What a property claims about its inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Claim {
    /// It holds for all of them: `#[rebut::test]`.
    #[default]
    ForAll,
    /// It returns true for one of them: `#[rebut::exists]`.
    Exists,
    /// It returns true for none of them: `#[rebut::not_exists]`.
    NotExists,
}

impl Claim {
    /// The verdict of a run that tried to refute that there is such an input.
    pub(crate) fn judge(self, verdict: Verdict) -> Verdict {
        match (self, verdict) {
            (Claim::Exists, Verdict::Passed { cases }) => {
                Verdict::NotFound { cases, is_complete: false }
            }
            (Claim::Exists, Verdict::Proved { inputs }) => {
                Verdict::NotFound { cases: inputs, is_complete: true }
            }
            (Claim::Exists, Verdict::Fails(told)) => exists(told),
            (_, verdict) => verdict,
        }
    }
}

/// What fails otherwise than by being found is a failure, whatever else was found.
fn exists(mut told: Vec<Counterexample>) -> Verdict {
    let is_found = |told: &Counterexample| told.failure.kind == FailureKind::Witness;
    match told.iter().position(is_found) {
        Some(nth) if told.len() == 1 => Verdict::Exists(Box::new(told.remove(nth))),
        _ => {
            told.retain(|told| !is_found(told));
            Verdict::Fails(told)
        }
    }
}

/// What the body of `exists` and `not_exists` may return: whether the input is one of those
/// that are sought.
#[diagnostic::on_unimplemented(
    message = "`exists` and `not_exists` cannot return `{Self}`",
    label = "return `bool`, or a `Result<bool, _>` whose error is `Debug`",
    note = "true says that the input is one of those that are sought"
)]
pub trait Sought {
    /// As of [`Answer::into_failure`](crate::Answer::into_failure), for who tries to refute that
    /// there is such an input.
    fn into_witness(self) -> Option<String>;
}

impl Sought for bool {
    fn into_witness(self) -> Option<String> {
        self.then(|| {
            context::witness();
            "returned true".to_owned()
        })
    }
}

impl<E: fmt::Debug> Sought for Result<bool, E> {
    fn into_witness(self) -> Option<String> {
        match self {
            Ok(is_sought) => is_sought.into_witness(),
            Err(error) => Some(explore::worded(&error)),
        }
    }
}
