//! Failures that friendly mocks are to blame for.
//!
//! A friendly mock stands for a component that never answers so that the code under test fails:
//! "when during symbolic execution a failure can be traced back to a return value of a supposedly
//! friendly mock object, such a failure is simply pruned" (Tillmann and Schulte 2006). A return
//! value is the cause if the test would not fail but for it. So a case that fails is run again
//! with all else drawn alike and other answers of friendly mocks: if it passes with one of them,
//! the failure was the answer's and the case is rejected. What is left are failures that happen
//! whatever friendly mocks say, as far as was tried.
//!
//! This is done wherever a case is run, so that shrinking does not slip from a failure that
//! counts to one that does not.

use rebut_choice::friendly::{TRIES, WHY, behavior, unanswered};
use rebut_choice::{Drive, Source};

use crate::execute::Body;
use crate::outcome::Outcome;
use crate::{Case, context, panics};

/// The outcome of the case that the source has the tape of.
#[inline(never)]
pub(crate) fn judged(outcome: Outcome, source: &Source, body: &Body<'_>) -> Outcome {
    match outcome {
        Outcome::Failed(failure) if passes_otherwise(source, body) => {
            drop(failure);
            Outcome::Rejected(WHY.into())
        }
        outcome => outcome,
    }
}

/// Whether there are other answers of friendly mocks with which the case passes.
fn passes_otherwise(source: &Source, body: &Body<'_>) -> bool {
    let Some(open) = unanswered(&source.tape()) else { return false };
    (0..TRIES).any(|nth| passes(Drive::Replay(Box::new(behavior(&open, nth))), body))
}

fn passes(drive: Drive, body: &Body<'_>) -> bool {
    let source = Source::new(drive);
    let outer = context::begin(false);
    let mut case = Case::new(source);
    let outcome = panics::outcome_of(|| body(&mut case));
    drop(case);
    context::end(outer);
    matches!(outcome, Outcome::Passed)
}
