//! Rejects failures that a friendly mock causes.
//!
//! A friendly mock replaces a component whose answers never make the code under test fail: "when
//! during symbolic execution a failure can be traced back to a return value of a supposedly
//! friendly mock object, such a failure is simply pruned" (Tillmann and Schulte 2006). A return
//! value is the cause if the test passes without it. Rebut therefore reruns a failing case with
//! other answers of the friendly mocks and the same remaining choices. If it passes with one of
//! them, the answer caused the failure and Rebut rejects the case. The remaining failures occur
//! with all answers that were tried.
//!
//! This happens in every run of a case, so that shrinking does not slip from a failure that
//! counts to one that does not.

use rebut_choice::friendly_mocks::{BEHAVIORS_MAX, REJECTION_REASON, behavior, without_answers};
use rebut_choice::{AnyDriver, Source};

use crate::execute::Body;
use crate::outcome::Outcome;
use crate::{Case, case_log, panics};

/// Returns the final outcome of the case whose tape is in the source.
#[inline(never)]
pub(crate) fn prune(outcome: Outcome, source: &Source, body: &Body<'_>) -> Outcome {
    match outcome {
        Outcome::Failed(failure) if passes_with_other_answers(source, body) => {
            drop(failure);
            Outcome::Rejected(REJECTION_REASON.into())
        }
        outcome => outcome,
    }
}

/// Returns whether the case passes with other answers of the friendly mocks.
fn passes_with_other_answers(source: &Source, body: &Body<'_>) -> bool {
    let Some(open) = without_answers(&source.tape()) else { return false };
    (0..BEHAVIORS_MAX).any(|nth| passes(AnyDriver::Replay(Box::new(behavior(&open, nth))), body))
}

fn passes(drive: AnyDriver, body: &Body<'_>) -> bool {
    let source = Source::new(drive);
    let outer = case_log::begin(false);
    let mut case = Case::new(source);
    let outcome = panics::outcome_of(|| body(&mut case));
    drop(case);
    case_log::end(outer);
    matches!(outcome, Outcome::Passed)
}
