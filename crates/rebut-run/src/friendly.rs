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

use rebut_choice::{Drive, Fallback, Random, Replay, Source, Tape, Token};
use rebut_gen::mocks::FRIENDLY;

use crate::execute::Body;
use crate::outcome::Outcome;
use crate::{Case, context, panics};

/// How many other behaviours are tried: the simplest, and random ones.
const TRIES: u64 = 16;

/// Why a case is rejected.
const WHY: &str = "it fails only because of what a friendly mock answers";

/// The outcome of the case that the source has the tape of.
#[inline(never)]
pub(crate) fn judged(outcome: Outcome, source: &Source, body: &Body<'_>) -> Outcome {
    match outcome {
        Outcome::Failed(failure) if has_friends(source) && passes_otherwise(source, body) => {
            drop(failure);
            Outcome::Rejected(WHY.into())
        }
        outcome => outcome,
    }
}

fn has_friends(source: &Source) -> bool {
    source.tape().tokens().contains(&Token::Open(FRIENDLY))
}

/// Whether there are other answers of friendly mocks with which the case passes.
fn passes_otherwise(source: &Source, body: &Body<'_>) -> bool {
    let open = unanswered(&source.tape());
    (0..TRIES).any(|nth| {
        let fallback = match nth {
            0 => Fallback::Simplest,
            seed => Fallback::Random(Box::new(Random::new(seed))),
        };
        passes(Drive::Replay(Box::new(Replay::new(&open, fallback))), body)
    })
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

/// The tape with nothing in the spans of friendly answers.
fn unanswered(tape: &Tape) -> Tape {
    let mut tokens = Vec::new();
    let mut depth = 0_usize;
    for token in tape.tokens() {
        let is_inside = depth > 0;
        match token {
            Token::Open(label) if is_inside || *label == FRIENDLY => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        if !is_inside || depth == 0 {
            tokens.push(*token);
        }
    }
    Tape::new(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn friendly_answers_are_left_open() {
        let mut source =
            Source::replay(&Tape::from_text("i1 (g1 i2 (g2 i3 ) ) i4").expect("a tape"));
        source.integer(0, 9);
        source.span(FRIENDLY, |source| {
            source.integer(0, 9);
            source.span(rebut_choice::Label::group("x"), |source| source.integer(0, 9));
        });
        source.integer(0, 9);
        let open = unanswered(&source.tape());
        assert_eq!(open.to_text(), format!("i1 (g{:x} ) i4", FRIENDLY.id()));
    }
}
