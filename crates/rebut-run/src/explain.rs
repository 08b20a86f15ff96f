//! Finds out which parts of a minimal input matter.
//!
//! For each choice, Rebut tries other numbers of its domain and keeps everything else. If the
//! property fails in the same way every time, the choice can be anything, and the report marks
//! the part of the shown value that changes with it. The explain phase of Hypothesis inspired
//! this. Here Rebut finds the part by showing the value again with another number and comparing
//! the code, which works for every type and needs no map from choices to code.

use std::ops::Range;

use rebut_choice::Driver as _;
use rebut_choice::{Choice, Domain, Random, Request, Rng, Role, Tape, Token};
use rebut_choice::{internal_assert, internal_error};

use crate::canary::{self, Invariant};
use crate::case_log::ShownValue;
use crate::execute::{Executor, Input};
use crate::outcome::Outcome;
use crate::sorted_indices::{distinct, sorted_indices};
use crate::strings;
use crate::verdict::{Counterexample, FreePart};

/// The number of random numbers to try before a choice is called free. By calculation, a choice of
/// which a quarter of the numbers pass is called free with a chance of 0.75^12, or 3 %. The bounds
/// and near numbers, which are tried too, lower it. A smaller domain is tried completely.
const TRIES: usize = 12;
/// The maximum number of numbers to try near those of other choices: three for each of eight
/// choices. Arbitrary. Of more, the smallest numbers are tried.
const NEAR_MAX: usize = 24;
/// The maximum number of choices of an explained input. A choice costs tens of executions, and
/// marks in a long input help little. Arbitrary. Longer inputs have no marks.
const CHOICES_MAX: usize = 64;

/// Returns the parts of the values that can be anything.
#[inline(never)]
pub(crate) fn free_parts(
    counterexample: &Counterexample,
    executor: &mut dyn Executor,
) -> Vec<FreePart> {
    let choices = counterexample.tape.choices().filter(|choice| !choice.domain.role.is_walk());
    if choices.count() > CHOICES_MAX || counterexample.failure.kind.kills_process() {
        return Vec::new();
    }
    let failure_key = counterexample.failure.key();
    let mut random = Random::new(1);
    let mut free: Vec<(usize, Domain)> = Vec::new();
    let mut parts = Vec::new();
    for (at, token) in counterexample.tape.tokens().iter().enumerate() {
        let Token::Choice(choice) = token else { continue };
        if choice.domain.role.is_structure() {
            continue;
        }
        let mut run = |number: i128, reporting: bool| {
            let input = Input::Tape(with_numbers(&counterexample.tape, &[(at, number)]));
            let execution = executor.execute(&input, reporting);
            let same = matches!(&execution.outcome, Outcome::Failed(f) if f.key() == failure_key);
            (same, execution.log)
        };
        let mut others = other_numbers(choice, &counterexample.tape, &mut random);
        if canary::breaks(Invariant::NumbersInDomain) {
            others.push(choice.domain.max + 1);
        }
        if others.is_empty() || !others.iter().all(|&number| run(number, false).0) {
            continue;
        }
        free.push((at, choice.domain));
        for &number in &others {
            if let (true, Some(log)) = run(number, true) {
                parts.extend(changed_part(&counterexample.values, &log.values));
            }
        }
    }
    if !are_free_together(counterexample, &free, executor) {
        return Vec::new();
    }
    let mut united = united(&parts);
    if canary::breaks(Invariant::MarksInsideValue) {
        united.iter_mut().for_each(|part| part.bytes.end += 100);
    }
    for FreePart { value, bytes } in &united {
        // The report slices the code of the value there.
        let code = &counterexample.values[*value].code;
        internal_assert!(
            code.get(bytes.clone()).is_some(),
            "the mark {bytes:?} is outside of the value `{code}`"
        );
    }
    united
}

/// Returns other numbers to try: all numbers of a small domain; otherwise its bounds, random
/// numbers, and numbers equal or next to those of the other choices. Many properties fail only if
/// two parts are equal or adjacent.
#[inline(never)]
fn other_numbers(choice: &Choice, tape: &Tape, random: &mut Random) -> Vec<i128> {
    let domain = choice.domain;
    let mut others: Vec<i128> = Vec::new();
    if domain.size() <= TRIES as u128 {
        for n in 0..domain.size() {
            others.push(domain.nth(n));
        }
        others.retain(|&number| number != choice.number);
        return others;
    }
    others.extend_from_slice(&[domain.min, domain.max]);
    for _ in 0..TRIES {
        others.push(random.choose(&Request::plain(domain), &[]));
    }
    let mut near = Vec::new();
    for other in tape.choices().filter(|other| other.domain.kind == domain.kind) {
        for step in [-1, 0, 1] {
            near.push(other.number.saturating_add(step));
        }
    }
    near.retain(|&number| domain.contains(number));
    let mut near = distinct(&near);
    near.truncate(NEAR_MAX);
    others.append(&mut near);
    others.retain(|&number| number != choice.number);
    distinct(&others)
}

/// Changes all free choices at once, several times. Only choices that are free together are
/// reported.
fn are_free_together(
    counterexample: &Counterexample,
    free: &[(usize, Domain)],
    executor: &mut dyn Executor,
) -> bool {
    let mut rng = Rng::new(2);
    let failure_key = counterexample.failure.key();
    if free.len() < 2 {
        return true;
    }
    for _ in 0..TRIES {
        let mut numbers = Vec::new();
        for (at, domain) in free {
            numbers.push((*at, rng.between(domain.min, domain.max)));
        }
        let execution =
            executor.execute(&Input::Tape(with_numbers(&counterexample.tape, &numbers)), false);
        if !matches!(&execution.outcome, Outcome::Failed(f) if f.key() == failure_key) {
            return false;
        }
    }
    true
}

fn with_numbers(tape: &Tape, numbers: &[(usize, i128)]) -> Tape {
    let mut tokens = tape.tokens().to_vec();
    for &(at, number) in numbers {
        // Replay would move a number of another domain into this one. The choice would then look
        // free although the same value was tried again.
        match tokens.get_mut(at) {
            Some(Token::Choice(choice)) if choice.domain.contains(number) => choice.number = number,
            other => internal_error!("{number} is not in the domain of token {at}, {other:?}"),
        }
        // The trail after a seed simplifies the value of that seed. Values of other seeds would
        // become too similar to it.
        if let Some(Token::Choice(step)) = tokens.get_mut(at + 2)
            && step.domain.role == Role::Trail
        {
            step.number = step.domain.origin;
        }
    }
    Tape::new(tokens)
}

/// Returns the only word of the values that differs. Returns `None` if the choice shows in
/// several positions, in a string (whose letters cannot be marked), in the table of a function,
/// or in the number of repetitions of an element.
fn changed_part(before: &[ShownValue], after: &[ShownValue]) -> Option<FreePart> {
    let both = before.len().min(after.len());
    let value = (0..both).find(|&n| before[n].code != after[n].code)?;
    let (old, new) = (&before[value], &after[value]);
    let shows_elsewhere = (value + 1..both).any(|n| before[n].code != after[n].code);
    if shows_elsewhere || strings::find(&old.code, "=>").is_some() {
        return None;
    }
    let bytes = difference(&old.code, &new.code);
    let marked = &old.code.as_bytes()[bytes.clone()];
    let quotes = old.code.as_bytes()[..bytes.start].iter().filter(|&&b| b == b'"' || b == b'\'');
    let is_word = !marked.is_empty() && marked.iter().all(|&b| is_in_word(b));
    (is_word && quotes.count() % 2 == 0).then_some(FreePart { value, bytes })
}

/// Returns whether a byte can be part of a number or a name.
fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

/// Returns the part of `old` that differs from `new`, extended to whole words so that `-1` and
/// `17` do not share a digit.
fn difference(old: &str, new: &str) -> Range<usize> {
    let (a, b) = (old.as_bytes(), new.as_bytes());
    let shorter = a.len().min(b.len());
    let mut start = 0;
    while start < shorter && a[start] == b[start] {
        start += 1;
    }
    let mut common = 0;
    while common < shorter - start && a[a.len() - 1 - common] == b[b.len() - 1 - common] {
        common += 1;
    }
    let mut end = a.len() - common;
    while start > 0 && is_in_word(a[start - 1]) {
        start -= 1;
    }
    while end < a.len() && is_in_word(a[end]) {
        end += 1;
    }
    start..end
}

/// Joins overlapping parts.
fn united(parts: &[FreePart]) -> Vec<FreePart> {
    let key = |n: usize| (parts[n].value, parts[n].bytes.start, parts[n].bytes.end);
    let mut result: Vec<FreePart> = Vec::new();
    for n in sorted_indices(parts.len(), &|a, b| key(a).cmp(&key(b))) {
        let part = &parts[n];
        match result.last_mut() {
            Some(last) if last.value == part.value && part.bytes.start < last.bytes.end => {
                last.bytes.end = last.bytes.end.max(part.bytes.end);
            }
            _ => result.push(part.clone()),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(codes: [&str; 2]) -> Vec<ShownValue> {
        let value = |code: &str| ShownValue {
            name: "v".into(),
            type_name: String::new(),
            code: code.into(),
        };
        codes.map(value).into()
    }

    #[test]
    fn only_single_words_are_marked() {
        let part = |old: [&str; 2], new: [&str; 2]| {
            changed_part(&shown(old), &shown(new)).map(|part| (part.value, part.bytes))
        };
        assert_eq!(part(["1", "vec![0, 2]"], ["1", "vec![7, 2]"]), Some((1, 5..6)));
        assert_eq!(part(["1", "2"], ["3", "4"]), None, "in two values");
        assert_eq!(part(["(0, vec![0, 0])", "1"], ["(5, vec![5, 5])", "1"]), None);
        assert_eq!(part(["\"aA\"", "1"], ["\"bA\"", "1"]), None, "a letter of a text");
        assert_eq!(part(["vec![0; 5]", "1"], ["vec![0, 7, 0, 0, 0]", "1"]), None);
        assert_eq!(part(["|x| match x { 1 => 2, _ => 0 }", "1"], ["|x| 0", "1"]), None);
    }

    #[test]
    fn differences_are_whole_words() {
        assert_eq!(difference("vec![0, 1]", "vec![17, 1]"), 5..6);
        assert_eq!(difference("vec![10, 1]", "vec![17, 1]"), 5..7);
        assert_eq!(difference("-1", "17"), 0..2);
        assert_eq!(difference("Some(0)", "Some(0)"), 7..7);
    }
}
