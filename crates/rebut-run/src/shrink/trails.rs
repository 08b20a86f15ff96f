//! Passes over trails: the steps by which another crate simplifies a value that it generated.
//!
//! Proptest and QuickCheck shrink values, not choices. A strategy of proptest creates a tree with a
//! current value. `simplify` moves it to a simpler value, and `complicate` moves it back in part, if
//! the test passes. A type of QuickCheck lists simpler values. Both are a walk: at each point, the
//! crate proposes the next steps in a fixed order, and takes the first one that still fails. The
//! tape records the walk as a trail after the seed of the value, so that it is replayed and stored
//! like any other choice ([`Source::trail`](rebut_choice::Source::trail)).
//!
//! [`follow`] walks exactly as the crates do. The other passes see a seed as a number that is
//! either 0, for the simplest value, or not.

use rebut_choice::{Choice, ChoiceKind, Label, Tape, Token};

use super::{Shrinker, key};

/// Appends steps to each trail, as long as the test fails in the same way.
///
/// - Input: a strategy for numbers, which fails from 100 on, with the seed of 231.
/// - Tape: `seed (0)` becomes `seed (2 1 2 .. 0)`: each step is a move down, and moves back up.
/// - Cost: one execution for each call of `simplify` and `complicate` in proptest, and for each
///   value that QuickCheck would try.
/// - Origin: the loops of proptest (`TestRunner::shrink`) and QuickCheck (`shrink_failure`).
/// - Without the pass: values of these crates do not shrink, except to the simplest one.
pub(super) fn follow(shrinker: &mut Shrinker<'_>) {
    let mut nth = 0;
    while let Some(trail) = nth_trail(shrinker, nth) {
        if trail.is_simplest || !extend(shrinker, trail.end) {
            nth += 1;
        }
    }
}

/// Inserts the first possible step at the end of a trail.
fn extend(shrinker: &mut Shrinker<'_>, end: usize) -> bool {
    for step in 1..=i128::from(u32::MAX) {
        if shrinker.is_spent() || shrinker.patience == 0 {
            break;
        }
        let Some(candidate) = with_step(&shrinker.best, end, step) else { break };
        if shrinker.dead_ends.contains(key(&candidate)) {
            break;
        }
        match shrinker.execute(&candidate) {
            Some((true, _)) => return true,
            Some((false, tape)) if tape.choice(end).is_none_or(Choice::is_simplest) => {
                shrinker.dead_ends.insert(key(&candidate));
                break;
            }
            _ => {}
        }
    }
    false
}

/// Goes back to a step that took back a part of what it simplified, and takes back less. It
/// succeeds where another part of the value or of the input has become simpler since. Some steps
/// after it are dropped, and [`follow`] looks for other ones.
///
/// - Input: two strategies for numbers, which fail if the first number is not smaller.
/// - Values: `900 700`, then `700 700` and `700 0` by [`follow`], then `0 0`.
/// - Cost: about `2 log n` executions for each such step of a trail with `n` steps, and those of
///   [`follow`] after a success.
/// - Origin: none known. Proptest and QuickCheck never go back.
/// - Without the pass: the first of two values that depend on each other stays large.
pub(super) fn retrace(shrinker: &mut Shrinker<'_>) {
    let mut nth = 0;
    while let Some(trail) = nth_trail(shrinker, nth) {
        let is_changed = (trail.start..trail.end).any(|at| lower_step(shrinker, at, trail.end));
        if !is_changed {
            nth += 1;
        }
    }
}

/// Takes an earlier step at this point of the trail that ends at `end`.
fn lower_step(shrinker: &mut Shrinker<'_>, at: usize, end: usize) -> bool {
    let Some(step) = shrinker.best.choice(at).map(|choice| choice.number) else { return false };
    for earlier in [1, step - 1] {
        if earlier < 1 || earlier >= step || shrinker.is_stopped() {
            continue;
        }
        // The steps after it simplify the same part of the value, and then others. How many of
        // them the new step replaces is unknown.
        let lowered = shrinker.with_numbers(&[(at, earlier)]);
        let mut replaced = 0;
        loop {
            let rest = (at + 1 + replaced).min(end);
            shrinker.charge(lowered.tokens().len());
            if shrinker.attempt(&lowered.spliced(at + 1..rest, &[])) {
                return true;
            }
            if rest == end {
                break;
            }
            replaced = (replaced * 2).max(1);
        }
    }
    false
}

/// A trail on a tape.
struct Trail {
    /// The index of its first choice.
    start: usize,
    /// The index of the choice that ends it.
    end: usize,
    /// Whether it belongs to the simplest value, so that there is no step to take.
    is_simplest: bool,
}

/// Returns the trail with this index.
fn nth_trail(shrinker: &mut Shrinker<'_>, nth: usize) -> Option<Trail> {
    let spans = shrinker.spans();
    shrinker.charge(spans.len());
    let tape = &shrinker.best;
    let span = spans.iter().filter(|span| span.label == Label::TRAIL).nth(nth)?;
    let is_simplest = span
        .tokens
        .start
        .checked_sub(1)
        .and_then(|at| tape.choice(at))
        .is_some_and(|seed| seed.domain.kind == ChoiceKind::Opaque && seed.is_simplest());
    Some(Trail { start: span.tokens.start + 1, end: span.tokens.end - 2, is_simplest })
}

/// Returns the tape with a step inserted before the choice that ends a trail.
fn with_step(tape: &Tape, end: usize, number: i128) -> Option<Tape> {
    let last = *tape.choice(end)?;
    let step = Choice { number, ..last };
    Some(tape.spliced(end..end, &[Token::Choice(step)]))
}
