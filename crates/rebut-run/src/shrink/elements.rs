//! Passes over the elements of sequences.
//!
//! A sequence is a span whose first choice is the number of its elements. On the tapes below, a
//! sequence is written `(length: elements)`. A shorter tape is simpler whatever its numbers are,
//! so these passes may raise numbers as long as an element goes.
//!
//! Two ideas serve all passes:
//!
//! - *The length changes with the elements.* Replay would otherwise add the missing element again
//!   at the end, as the simplest one, and nothing would be gained.
//! - *Deletions gallop.* They go from the last element to the first, because later elements depend
//!   on earlier ones more often than the other way. The step doubles as long as deletions succeed
//!   and halves when one fails. A necessary element costs one execution, and `n` unnecessary ones
//!   in a row cost about `log n`. Hypothesis calls this `find_integer` (its adaptive deletion).
//!
//! A pass names a sequence by its index in the list of all sequences, never by its tokens: every
//! success replaces the best tape, and tokens move.
//!
//! `tests.rs` has one test per pass. It shows that the pass alone makes its edit, and that all
//! other passes together end in a less simple tape. "Without the pass" below is a measurement with
//! the 13 problems of the shrinking challenge (`bench/problems`) and 12 similar ones, 50 seeds
//! each. With all passes, 22 of the 25 always end in one normal form.

use std::ops::Range;

use rebut_choice::{
    Choice, ChoiceKind, Label, Role, Sequence, SpanShape, Tape, Token, internal_assert,
};

use super::Shrinker;
use crate::canary::{self, Invariant};

/// Returns the sequence with this index on the best tape.
fn nth_sequence(shrinker: &mut Shrinker<'_>, nth: usize) -> Option<Sequence> {
    let sequence = shrinker.sequences().get(nth).cloned()?;
    shrinker.charge(sequence.elements.len());
    Some(sequence)
}

/// Returns the tape without these elements, with the length lowered to match.
fn without(tape: &Tape, sequence: &Sequence, elements: Range<usize>) -> Tape {
    let mut elements = elements;
    if canary::breaks(Invariant::ElementsExist) {
        elements.end += sequence.elements.len();
    }
    // A sequence of an older tape would delete something else, or panic like the code under test.
    internal_assert!(
        !elements.is_empty()
            && elements.end <= sequence.elements.len()
            && sequence.tokens.end <= tape.tokens().len()
            && tape.choice(sequence.length).is_some(),
        "no elements {elements:?} of {sequence:?} in `{}`",
        tape.to_text()
    );
    let count = elements.len() as i128;
    let first = sequence.elements[elements.start].start;
    let last = sequence.elements[elements.end - 1].end;
    let mut tokens = tape.tokens().to_vec();
    tokens.drain(first..last);
    if let Token::Choice(length) = &mut tokens[sequence.length] {
        length.number = (length.number - count).max(length.domain.min);
    }
    Tape::new(tokens)
}

/// Deletes elements that do not matter.
///
/// - Input: a list that fails because it contains 7.
/// - Tape: `(5: 1 2 7 3 4)` becomes `(1: 7)`.
/// - Cost: one execution for each element that stays, about `log n` for `n` others in a row.
/// - Origin: Hypothesis deletes runs of choices (`node_program`). Here an element is a whole span.
/// - Without the pass: 14 of 25 problems end in longer tapes.
pub(super) fn delete(shrinker: &mut Shrinker<'_>) {
    let mut nth = 0;
    while let Some(sequence) = nth_sequence(shrinker, nth) {
        delete_in(shrinker, sequence, nth);
        nth += 1;
    }
}

fn delete_in(shrinker: &mut Shrinker<'_>, mut sequence: Sequence, nth: usize) {
    let min = shrinker.best.choice(sequence.length).map_or(0, |c| c.domain.min.max(0)) as usize;
    let mut end = sequence.elements.len();
    let mut step = 1;
    while end > 0 && sequence.elements.len() > min && !shrinker.is_stopped() {
        let size = step.min(end).min(sequence.elements.len() - min);
        let candidate = without(&shrinker.best, &sequence, end - size..end);
        if shrinker.attempt(&candidate) {
            let Some(now) = nth_sequence(shrinker, nth) else { return };
            sequence = now;
            end = (end - size).min(sequence.elements.len());
            step *= 2;
        } else if size > 1 {
            step = size / 2;
        } else {
            end -= 1;
            step = 1;
        }
    }
}

/// Replaces an element with the elements of a sequence inside it, if all have the same recursive
/// label: the statements of a callback move to where the callback was passed.
///
/// - Input: a program that fails because it makes two calls.
/// - Tape: `(1: block (2: call call))` becomes `(2: call call)`.
/// - Cost: one execution for each sequence inside of each element.
/// - Origin: none known. It was written for generated programs (`rebut-contract`).
/// - Without the pass: nothing changes in the 25 problems. Elements of a `Vec` are in spans
///   labeled [`ELEMENT`](rebut_choice::Label::ELEMENT), which are not recursive.
pub(super) fn inline(shrinker: &mut Shrinker<'_>) {
    let mut nth = 0;
    while let Some(outer) = nth_sequence(shrinker, nth) {
        if !inline_in(shrinker, &outer) {
            nth += 1;
        }
    }
}

fn inline_in(shrinker: &mut Shrinker<'_>, outer: &Sequence) -> bool {
    let all = shrinker.sequences();
    for element in outer.elements.iter().rev() {
        shrinker.charge(all.len());
        if shrinker.is_stopped() {
            break;
        }
        let is_inside = |inner: &&Sequence| {
            inner.tokens.start > element.start
                && inner.tokens.end <= element.end
                && have_same_label(&shrinker.best, element, inner)
        };
        let inside: Vec<Sequence> = all.iter().filter(is_inside).cloned().collect();
        for inner in inside {
            let candidate = inlined(&shrinker.best, outer, element, &inner);
            if shrinker.attempt(&candidate) {
                return true;
            }
        }
    }
    false
}

/// Returns whether the elements of a sequence have the same recursive label as this element.
fn have_same_label(tape: &Tape, element: &Range<usize>, inner: &Sequence) -> bool {
    let label = |at: usize| match tape.tokens().get(at) {
        Some(Token::Open(label)) if label.shape() == SpanShape::Recursive => Some(*label),
        _ => None,
    };
    let own = label(element.start);
    own.is_some() && inner.elements.first().and_then(|first| label(first.start)) == own
}

fn inlined(tape: &Tape, outer: &Sequence, element: &Range<usize>, inner: &Sequence) -> Tape {
    let (Some(first), Some(last)) = (inner.elements.first(), inner.elements.last()) else {
        return tape.clone();
    };
    let inside = tape.tokens()[first.start..last.end].to_vec();
    let mut tokens = tape.tokens().to_vec();
    tokens.splice(element.clone(), inside);
    if let Token::Choice(length) = &mut tokens[outer.length] {
        let number = length.number - 1 + inner.elements.len() as i128;
        length.number = number.clamp(length.domain.min, length.domain.max);
    }
    Tape::new(tokens)
}

/// The longest sequence in which elements are traded. The number of pairs grows with the square
/// of the length. Arbitrary: 6 and 24 change nothing in the problems of the module comment. Longer
/// sequences keep commands that cancel each other.
const TRADE_ELEMENTS_MAX: usize = 12;
/// The maximum number of trades in one pass. Arbitrary: 80 and 320 change nothing in the problems
/// of the module comment. At the limit the pass ends.
const TRADES_MAX: u64 = 160;

/// Deletes an element together with another change, where neither works alone: it deletes another
/// element too, or raises a number by one. It runs only in the last round, when nothing else
/// helps.
///
/// - Input: commands that fail if exactly two of three additions remain after an undo.
/// - Tape: `(4: add add add undo)` becomes `(2: add add)`.
/// - Cost: at most [`TRADES_MAX`] executions.
/// - Origin: none known.
/// - Without the pass: `undone` of `rebut/tests/quality.rs` keeps a pair in 6 of 50 seeds.
pub(super) fn trade(shrinker: &mut Shrinker<'_>) {
    if shrinker.patience != u64::MAX {
        return;
    }
    let mut left = TRADES_MAX;
    let mut nth = 0;
    while let Some(sequence) = nth_sequence(shrinker, nth) {
        let size = sequence.elements.len();
        let is_small = (2..=TRADE_ELEMENTS_MAX).contains(&size);
        if is_small && has_commands(&shrinker.best, &sequence) {
            while let Some(sequence) = nth_sequence(shrinker, nth) {
                if left == 0 || !trade_in(shrinker, &sequence, &mut left) {
                    break;
                }
            }
        }
        nth += 1;
    }
}

/// Returns whether the elements are alternatives and at least one has further choices.
fn has_commands(tape: &Tape, sequence: &Sequence) -> bool {
    let choices = |element: &Range<usize>| element.clone().filter_map(|at| tape.choice(at));
    let is_one_of_several = |element: &Range<usize>| {
        choices(element).next().is_some_and(|first| first.domain.role == Role::Alternative)
    };
    sequence.elements.iter().all(is_one_of_several)
        && sequence.elements.iter().any(|element| choices(element).count() > 1)
}

fn trade_in(shrinker: &mut Shrinker<'_>, sequence: &Sequence, left: &mut u64) -> bool {
    for first in (0..sequence.elements.len()).rev() {
        let range = sequence.elements[first].clone();
        let shorter = without(&shrinker.best, sequence, first..first + 1);
        let others = shorter.sequences().into_iter().find(|one| one.length == sequence.length);
        let mut candidates: Vec<Tape> = Vec::new();
        if let Some(others) = &others {
            for second in (0..first.min(others.elements.len())).rev() {
                candidates.push(without(&shorter, others, second..second + 1));
            }
        }
        for at in sequence.tokens.clone().filter(|at| !range.contains(at)) {
            let is_value = shrinker
                .best
                .choice(at)
                .is_some_and(|one| one.domain.role == Role::Value && one.number < one.domain.max);
            if is_value {
                let at = if at < range.start { at } else { at - range.len() };
                candidates.push(raised(&shorter, at));
            }
        }
        for candidate in candidates {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            if shrinker.attempt(&candidate) {
                return true;
            }
        }
    }
    false
}

fn raised(tape: &Tape, at: usize) -> Tape {
    let mut tokens = tape.tokens().to_vec();
    if let Some(Token::Choice(choice)) = tokens.get_mut(at) {
        choice.number += 1;
    }
    Tape::new(tokens)
}

/// Appends the elements of a sequence to the one before it and deletes the emptied one, so that
/// many short lists become one.
///
/// - Input: lists that fail because they have three elements in total.
/// - Tape: `(2: (2: 0 0) (1: 0))` becomes `(1: (3: 0 0 0))`, one choice less.
/// - Cost: one execution for each pair of adjacent sequences.
/// - Origin: the problem `nestedlists` of the shrinking challenge.
/// - Without the pass: `nestedlists` never ends in its normal form, `large_union_list` in one of
///   50 seeds.
pub(super) fn merge(shrinker: &mut Shrinker<'_>) {
    let mut nth = 0;
    while let Some(outer) = nth_sequence(shrinker, nth) {
        nth += 1;
        let mut pair = 0;
        while pair + 1 < outer.elements.len() {
            let sequences = shrinker.sequences();
            let Some(now) = sequences.get(nth - 1) else { return };
            if pair + 1 >= now.elements.len() {
                break;
            }
            let candidate = merged(&shrinker.best, &sequences, now, pair);
            if !candidate.is_some_and(|candidate| shrinker.attempt(&candidate)) {
                pair += 1;
            }
        }
    }
}

#[inline(never)]
fn merged(tape: &Tape, inner: &[Sequence], outer: &Sequence, pair: usize) -> Option<Tape> {
    // They are in the order of their first tokens.
    let first_in = |range: &Range<usize>| {
        let nth = inner.partition_point(|s| s.tokens.start < range.start);
        inner.get(nth).filter(|s| s.tokens.end <= range.end)
    };
    let left = first_in(&outer.elements[pair])?;
    let right = first_in(&outer.elements[pair + 1])?;
    if right.elements.is_empty() {
        return None;
    }
    let moved = tape.tokens()[right.elements[0].start..right.elements.last()?.end].to_vec();
    let mut shortened = without(tape, outer, pair + 1..pair + 2).into_tokens();
    if let Token::Choice(length) = &mut shortened[left.length] {
        length.number += right.elements.len() as i128;
    }
    let end = left.tokens.end - 1;
    shortened.splice(end..end, moved);
    Some(Tape::new(shortened))
}

/// Deletes elements and renumbers indices that point past them. In a list whose numbers are
/// positions in it (graphs, permutations, links), or next to a generated position, a plain
/// deletion would leave them dangling.
///
/// - Input: a list of indices into itself that fails because two of them point at each other.
/// - Tape: `(3: 0 2 1)` becomes `(2: 1 0)`. A plain deletion gives `(2: 2 1)`, which is rejected.
/// - Cost: as for [`delete`]; no execution where no number can be such an index.
/// - Origin: the problem `coupling` of the shrinking challenge, which Hypothesis solves for 20 %
///   of the seeds (`bench/results/shrink.md`).
/// - Without the pass: `coupling` ends in its normal form for 33 of 50 seeds, in three times as
///   many executions.
pub(super) fn renumber(shrinker: &mut Shrinker<'_>) {
    let mut nth = 0;
    while nth < shrinker.sequences().len() {
        for scope in [Scope::Elsewhere, Scope::Elements] {
            renumber_in(shrinker, nth, scope);
        }
        nth += 1;
    }
}

/// The numbers that may be positions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Elements,
    Elsewhere,
}

fn renumber_in(shrinker: &mut Shrinker<'_>, nth: usize, scope: Scope) {
    let Some(sequence) = nth_sequence(shrinker, nth) else { return };
    // No number points past the elements above.
    let mut end = largest_index(shrinker, &sequence, scope);
    let mut step = 1;
    while let Some(sequence) = nth_sequence(shrinker, nth) {
        end = end.min(sequence.elements.len());
        if end == 0 {
            return;
        }
        let size = step.min(end);
        shrinker.charge(shrinker.tokens().len());
        let candidate = renumbered(&shrinker.best, &sequence, end - size..end, scope);
        if candidate.is_some_and(|candidate| shrinker.attempt(&candidate)) {
            end -= size;
            step *= 2;
        } else if size > 1 {
            step = size / 2;
        } else {
            end -= 1;
            step = 1;
        }
    }
}

/// Returns whether a number may be the index of an element.
fn is_index(choice: &Choice, at: usize, sequence: &Sequence, scope: Scope) -> bool {
    sequence.tokens.contains(&at) == (scope == Scope::Elements)
        && at != sequence.length
        && choice.domain.kind == ChoiceKind::Integer
        && !choice.domain.role.is_structure()
        && (1..sequence.elements.len() as i128).contains(&choice.number)
}

/// Returns the largest number that may be the index of an element; 0 if there is none.
fn largest_index(shrinker: &Shrinker<'_>, sequence: &Sequence, scope: Scope) -> usize {
    shrinker.charge(shrinker.tokens().len());
    let mut largest = 0;
    for (at, token) in shrinker.tokens().iter().enumerate() {
        if let Token::Choice(choice) = token
            && is_index(choice, at, sequence, scope)
        {
            largest = largest.max(choice.number);
        }
    }
    usize::try_from(largest).unwrap_or_default()
}

/// Returns `None` if no number points into the sequence past the removed elements: then it is a
/// plain deletion.
fn renumbered(
    tape: &Tape,
    sequence: &Sequence,
    removed: Range<usize>,
    scope: Scope,
) -> Option<Tape> {
    let by = removed.len() as i128;
    let mut lowered = tape.clone().into_tokens();
    let mut any = false;
    for (at, token) in lowered.iter_mut().enumerate() {
        if let Token::Choice(choice) = token
            && is_index(choice, at, sequence, scope)
            && choice.number >= removed.end as i128
            && choice.number - by >= choice.domain.min
        {
            choice.number -= by;
            any = true;
        }
    }
    any.then(|| without(&Tape::new(lowered), sequence, removed))
}

/// Deletes elements of a sequence whose length an earlier number determines, and lowers that
/// number too, as `flat_map` over a length needs.
///
/// - Input: a length, then as many numbers, which fail because they contain 200.
/// - Tape: `3 (3: 0 0 200)` becomes `1 (1: 200)`. Lowering the 3 alone drops the 200.
/// - Cost: as for [`delete`], times the number of equal earlier numbers.
/// - Origin: Hypothesis deletes spans after it lowered a number (`minimize_individual_choices`).
/// - Without the pass: `lengthlist` ends in its normal form for 11 of 50 seeds.
pub(super) fn delete_dependent(shrinker: &mut Shrinker<'_>) {
    let mut nth = 0;
    while let Some(sequence) = nth_sequence(shrinker, nth) {
        nth += 1;
        let mut end = sequence.elements.len();
        let mut step = 1;
        while end > 0 {
            let sequences = shrinker.sequences();
            let Some(now) = sequences.get(nth - 1) else { return };
            let size = step.min(end);
            if end > now.elements.len() {
                break;
            }
            if delete_with_number(shrinker, now, end - size..end) {
                end -= size;
                step *= 2;
            } else if size > 1 {
                step = size / 2;
            } else {
                end -= 1;
                step = 1;
            }
        }
    }
}

#[inline(never)]
fn delete_with_number(
    shrinker: &mut Shrinker<'_>,
    sequence: &Sequence,
    removed: Range<usize>,
) -> bool {
    let Some(length) = shrinker.best.choice(sequence.length).copied() else { return false };
    if length.domain.min == 0 {
        return false;
    }
    shrinker.charge(sequence.length);
    let lowered = length.number - removed.len() as i128;
    for at in 0..sequence.length {
        let Some(earlier) = shrinker.best.choice(at) else { continue };
        if earlier.domain.kind != ChoiceKind::Integer
            || earlier.number != length.number
            || lowered < earlier.domain.min
        {
            continue;
        }
        let mut tokens = without(&shrinker.best, sequence, removed.clone()).into_tokens();
        for at in [at, sequence.length] {
            if let Token::Choice(choice) = &mut tokens[at] {
                choice.number = lowered;
            }
        }
        if shrinker.attempt(&Tape::new(tokens)) {
            return true;
        }
    }
    false
}

/// Deletes answers of generated functions, and lowers an earlier number that fixes how many there
/// are. An answer is a span that the code under test asks for, so no sequence has its length.
///
/// - Input: a number of calls, and the answers, of which the last one fails.
/// - Tape: `4 (0) (0) (0) (1)` becomes `1 (1)`. Lowering the 4 alone drops the last answer.
/// - Cost: as for [`delete`], if a number is about that of the answers; none otherwise.
/// - Origin: none known.
/// - Without the pass: `calls` of `rebut/tests/quality.rs` ends in its normal form for no seed.
pub(super) fn delete_answers(shrinker: &mut Shrinker<'_>) {
    let mut end = answers(&shrinker.best).len();
    let mut step = 1;
    while end > 0 {
        let size = step.min(end);
        if delete_answers_with_number(shrinker, end - size..end) {
            end = (end - size).min(answers(&shrinker.best).len());
            step *= 2;
        } else if size > 1 {
            step = size / 2;
        } else {
            end -= 1;
            step = 1;
        }
    }
}

/// Returns the spans after or between the parameters, outside of all others.
fn answers(tape: &Tape) -> Vec<Range<usize>> {
    let mut answers = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, token) in tape.tokens().iter().enumerate() {
        match token {
            Token::Open(_) => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            Token::Close => {
                depth -= 1;
                if depth == 0 && tape.tokens()[start] != Token::Open(Label::ARGUMENT) {
                    answers.push(start..at + 1);
                }
            }
            Token::Choice(_) => {}
        }
    }
    answers
}

#[inline(never)]
fn delete_answers_with_number(shrinker: &mut Shrinker<'_>, removed: Range<usize>) -> bool {
    let answers = answers(&shrinker.best);
    let (Some(first), Some(last)) = (answers.get(removed.start), answers.get(removed.end - 1))
    else {
        return false;
    };
    let count = answers.len() as i128;
    let (tokens, by) = (first.start..last.end, removed.len() as i128);
    for at in 0..answers[0].start {
        let Some(number) = shrinker.best.choice(at).copied() else { continue };
        // A loop may also run up to the number, or to the one before it.
        let is_count = number.domain.kind == ChoiceKind::Integer
            && number.domain.role == Role::Value
            && (count - 1..=count + 1).contains(&number.number)
            && number.number - by >= number.domain.origin;
        if !is_count {
            continue;
        }
        let mut shorter = shrinker.best.tokens().to_vec();
        shorter.drain(tokens.clone());
        if let Token::Choice(choice) = &mut shorter[at] {
            choice.number -= by;
        }
        if shrinker.attempt(&Tape::new(shorter)) {
            return true;
        }
    }
    false
}
