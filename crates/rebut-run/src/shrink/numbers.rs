//! Passes over the numbers.
//!
//! Every choice is a number with a simplest one, the origin of its domain. These passes bring
//! numbers nearer to their origins and never change how many there are, except through a choice
//! that other choices depend on. One number alone is the easy case ([`lower_each`]). The other
//! passes are for numbers that must change together: equal ones, pairs with a fixed difference or
//! sum, all at once.
//!
//! Each search goes through [`find_smallest`], which probes the simple end first and costs four
//! executions if nothing can be lowered. Pairs are limited to numbers near each other on the tape
//! ([`REACH`]), because a tape of `n` numbers has `n * n` pairs.
//!
//! "Without the pass" below refers to the measurement in `elements.rs`.

use std::ops::Range;

use rebut_choice::{Choice, ChoiceKind, Domain, Role, Token, float, text};

use super::Shrinker;
use super::search::find_smallest;

/// The index of a choice on the tape, and the choice.
type TapeChoice = (usize, Choice);

/// Returns the choices that are not the simplest, in order, without lengths and steps, which the
/// passes over elements and trails handle.
fn reducible_choices(shrinker: &Shrinker<'_>) -> Vec<TapeChoice> {
    choices(shrinker, &|choice| {
        !choice.is_simplest() && choice.domain.role != Role::Length && !choice.domain.role.is_walk()
    })
}

/// Returns the choices for which `predicate` is true, in order.
fn choices(shrinker: &Shrinker<'_>, predicate: &dyn Fn(&Choice) -> bool) -> Vec<TapeChoice> {
    let mut found = Vec::new();
    shrinker.charge(shrinker.tokens().len());
    if shrinker.is_stopped() {
        return found;
    }
    for (at, token) in shrinker.tokens().iter().enumerate() {
        if let Token::Choice(choice) = token
            && predicate(choice)
        {
            found.push((at, *choice));
        }
    }
    found
}

/// Returns whether the choice is a whole number and not structure.
fn is_number(choice: &Choice) -> bool {
    choice.domain.kind == ChoiceKind::Integer && !choice.domain.role.is_structure()
}

/// Returns the choice at a token, if it is one and not the simplest.
fn reducible_at(shrinker: &Shrinker<'_>, at: usize) -> Option<Choice> {
    match shrinker.tokens().get(at) {
        Some(Token::Choice(choice)) if !choice.is_simplest() => Some(*choice),
        _ => None,
    }
}

/// Sets runs of choices to their simplest numbers, with runs that double as long as that
/// succeeds.
///
/// - Input: 32 numbers of which only the last matters.
/// - Tape: `77 77 .. 77 200` becomes `0 0 .. 0 200`.
/// - Cost: one execution for each number that matters, about `log n` for `n` others in a row.
/// - Origin: the adaptive search of Hypothesis (`find_integer`), over adjacent choices.
/// - Without the pass: the same results, in a tenth more executions for `binheap` and
///   `nestedlists`.
pub(super) fn zero_runs(shrinker: &mut Shrinker<'_>) {
    let mut nth = 0;
    let mut step = 1;
    loop {
        let reducible = reducible_choices(shrinker);
        if nth >= reducible.len() {
            break;
        }
        let run = &reducible[nth..reducible.len().min(nth + step)];
        let mut changes = Vec::new();
        for (at, choice) in run {
            changes.push((*at, choice.domain.origin));
        }
        let candidate = shrinker.with_numbers(&changes);
        if shrinker.attempt(&candidate) {
            step *= 2;
        } else if run.len() > 1 {
            step = run.len() / 2;
        } else {
            nth += 1;
            step = 1;
        }
    }
}

/// Lowers each choice on its own, as fits its kind: a number toward its origin, a character to a
/// more readable one, a float to a whole number, an alternative to an earlier one.
///
/// - Input: a number that fails from 100 on.
/// - Tape: `231` becomes `100`.
/// - Cost: four executions for a number at its minimum, about `2 log n` to find the minimum `n`.
/// - Origin: Hypothesis' `minimize_individual_choices`.
/// - Without the pass: 14 of 25 problems miss their normal form.
pub(super) fn lower_each(shrinker: &mut Shrinker<'_>) {
    let mut from = 0;
    while let Some(&(at, choice)) = reducible_choices(shrinker).iter().find(|(at, _)| *at >= from) {
        from = at + 1;
        lower(shrinker, &[at], choice);
    }
}

/// Lowers all choices with the same number together, so that equal values stay equal.
///
/// - Input: two equal numbers that fail from 100 on.
/// - Tape: `231 231` becomes `100 100`.
/// - Cost: that of [`lower_each`], once for each number that occurs twice.
/// - Origin: Hypothesis' `minimize_duplicated_choices`.
/// - Without the pass: `difference_zero` never ends in its normal form, `deletion` in 34 of 50
///   seeds.
pub(super) fn lower_equal(shrinker: &mut Shrinker<'_>) {
    let mut tried: Vec<(ChoiceKind, i128)> = Vec::new();
    loop {
        let reducible = reducible_choices(shrinker);
        let untried = reducible.iter().find_map(|(_, choice)| {
            let id = equality_key(choice);
            shrinker.charge(reducible.len());
            let group = if shrinker.is_stopped() { Vec::new() } else { equal_to(&reducible, &id) };
            (group.len() > 1 && !tried.contains(&id)).then_some((group, *choice))
        });
        let Some((group, choice)) = untried else { break };
        tried.push(equality_key(&choice));
        lower(shrinker, &group, choice);
    }
}

/// Lowers some of the choices with the same number together, and keeps the others. It runs only in
/// the last round, when nothing else helps.
///
/// - Input: three numbers that fail if the first two are equal and the third is at least 100.
/// - Tape: `100 100 100` becomes `0 0 100`.
/// - Cost: four executions for each pair, and for each choice that is left out.
/// - Origin: none known.
/// - Without the pass: `equal_neighbors` of `rebut/tests/quality.rs` ends in `[100, 100, 100]` for
///   half of the seeds.
pub(super) fn lower_equal_subsets(shrinker: &mut Shrinker<'_>) {
    // Arbitrary: a group of five has 10 pairs. Larger groups stay equal.
    const GROUP_MAX: usize = 5;
    if shrinker.patience != u64::MAX {
        return;
    }
    let mut tried: Vec<(ChoiceKind, i128)> = Vec::new();
    loop {
        let is_value =
            |choice: &Choice| !choice.is_simplest() && !choice.domain.role.is_structure();
        let reducible = choices(shrinker, &is_value);
        let untried = reducible.iter().find_map(|(_, choice)| {
            let id = equality_key(choice);
            shrinker.charge(reducible.len());
            let group = if shrinker.is_stopped() { Vec::new() } else { equal_to(&reducible, &id) };
            let is_small = (3..=GROUP_MAX).contains(&group.len());
            (is_small && !tried.contains(&id)).then_some((group, *choice))
        });
        let Some((group, choice)) = untried else { break };
        let revision = shrinker.revision;
        for subset in subsets(&group) {
            lower(shrinker, &subset, choice);
            if shrinker.revision != revision {
                break;
            }
        }
        // The choices of a group that got smaller may be a new group.
        if shrinker.revision == revision {
            tried.push(equality_key(&choice));
        }
    }
}

/// Returns the groups with one token less, and the pairs.
fn subsets(group: &[usize]) -> Vec<Vec<usize>> {
    let mut subsets = Vec::new();
    for kept in group {
        subsets.push(group.iter().copied().filter(|at| at != kept).collect());
    }
    if group.len() > 3 {
        for (nth, first) in group.iter().enumerate() {
            for second in &group[nth + 1..] {
                subsets.push(vec![*first, *second]);
            }
        }
    }
    subsets
}

/// Returns the key of choices that count as equal.
fn equality_key(choice: &Choice) -> (ChoiceKind, i128) {
    (choice.domain.kind, choice.number)
}

fn equal_to(reducible: &[TapeChoice], id: &(ChoiceKind, i128)) -> Vec<usize> {
    let mut equal = Vec::new();
    for (at, choice) in reducible {
        if equality_key(choice) == *id {
            equal.push(*at);
        }
    }
    equal
}

/// Finds the simplest number that works for all of these tokens.
fn lower(shrinker: &mut Shrinker<'_>, at: &[usize], choice: Choice) {
    let domain = choice.domain;
    let mut set = |number: i128| {
        if !domain.contains(number) || number == choice.number {
            return false;
        }
        let mut changes = Vec::new();
        for &at in at {
            changes.push((at, number));
        }
        let candidate = shrinker.with_numbers(&changes);
        shrinker.attempt(&candidate)
    };
    match (domain.role, domain.kind) {
        (Role::Alternative | Role::Presence, _) | (_, ChoiceKind::Boolean) => {
            // Alternatives have no order but their position, so try each simpler one, up to a
            // limit for generators of hundreds of constants. Arbitrary: 8 and 32 change nothing
            // in the problems of `elements.rs`. Later alternatives stay.
            const SIMPLER_MAX: usize = 16;
            let mut simpler = (domain.min..choice.number).take(SIMPLER_MAX);
            if !simpler.any(&mut set)
                && at.len() == 1
                && !lower_with_payload(shrinker, at[0], choice)
            {
                lower_with_raised_payload(shrinker, at[0], choice);
            }
        }
        (_, ChoiceKind::Integer) => {
            let mut probes = 0;
            lower_integer(&domain, choice.number, &mut |number| {
                probes += 1;
                set(number)
            });
            if probes >= THRESHOLD_PROBES {
                expect_threshold(shrinker, at[0]);
            }
        }
        (_, ChoiceKind::Opaque) => {
            set(domain.origin);
        }
        (_, ChoiceKind::Char) => {
            let rank = domain.rank(choice.number);
            find_smallest(rank, &mut |rank| set(text::number_of_rank(rank as u32)));
        }
        (_, ChoiceKind::Float32 | ChoiceKind::Float64) => {
            let narrow = domain.kind == ChoiceKind::Float32;
            let value = if narrow {
                f64::from(float::f32_of(choice.number))
            } else {
                float::f64_of(choice.number)
            };
            lower_float(value, &mut |float| {
                set(if narrow {
                    float::number_of_f32(float as f32)
                } else {
                    float::number_of_f64(float)
                })
            });
        }
    }
}

/// If a search took this many probes, the result is probably a threshold: the search does not find
/// it otherwise. A number that cannot be lowered takes four or five.
const THRESHOLD_PROBES: usize = 8;

/// Records that the number at a token is probably as small as it can be, for [`sift`].
fn expect_threshold(shrinker: &mut Shrinker<'_>, at: usize) {
    if let Some(Token::Choice(choice)) = shrinker.tokens().get(at) {
        let number = choice.number;
        shrinker.thresholds.push(number);
    }
}

/// Try at most this many alternatives with other values. Arbitrary: 4 and 16 change nothing in the
/// problems of `elements.rs`. At the limit the alternative stays.
const PAYLOAD_ALTERNATIVES_MAX: i128 = 8;

/// Returns the simpler alternatives to try with other values.
fn simpler_alternatives(choice: &Choice) -> Range<i128> {
    let min = choice.domain.min;
    min..choice.number.min(min + PAYLOAD_ALTERNATIVES_MAX)
}

/// Takes a simpler alternative and the simplest values for everything after it in the same span:
/// the old values may mean something else to the new alternative. Hypothesis takes random values
/// there instead (`reduce_each_alternative`). Returns whether one of them works.
fn lower_with_payload(shrinker: &mut Shrinker<'_>, at: usize, choice: Choice) -> bool {
    let mut changes = Vec::new();
    for index in at + 1..end_of_parent(shrinker.tokens(), at) {
        if let Some(Token::Choice(c)) = shrinker.tokens().get(index)
            && !c.domain.role.is_structure()
            && !c.is_simplest()
        {
            changes.push((index, c.domain.origin));
        }
    }
    if changes.is_empty() {
        return false;
    }
    changes.push((at, 0));
    simpler_alternatives(&choice).any(|simpler| {
        if let Some(last) = changes.last_mut() {
            last.1 = simpler;
        }
        let candidate = shrinker.with_numbers(&changes);
        shrinker.attempt(&candidate)
    })
}

/// Takes a simpler alternative whose first choice is 1 and whose other choices are the simplest. It
/// runs only in the last round, when nothing else helps. So of two values that must differ, the
/// second one needs no other alternative.
fn lower_with_raised_payload(shrinker: &mut Shrinker<'_>, at: usize, choice: Choice) {
    if shrinker.patience != u64::MAX || choice.domain.role != Role::Alternative {
        return;
    }
    let payload = match shrinker.tokens().get(at + 1) {
        Some(Token::Open(_)) => at + 2..end_of_parent(shrinker.tokens(), at + 1),
        _ => return,
    };
    let raised = Choice { number: 1, domain: Domain::integers(0, 1) };
    for simpler in simpler_alternatives(&choice) {
        if shrinker.is_stopped() {
            return;
        }
        let candidate = shrinker.with_numbers(&[(at, simpler)]);
        let candidate = candidate.spliced(payload.clone(), &[Token::Choice(raised)]);
        if shrinker.attempt(&candidate) {
            return;
        }
    }
}

/// Returns the index of the token that closes the span around a token, or the span that it opens.
fn end_of_parent(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(at + 1) {
        match token {
            Token::Open(_) => depth += 1,
            Token::Close if depth == 0 => return index,
            Token::Close => depth -= 1,
            Token::Choice(_) => {}
        }
    }
    tokens.len()
}

/// Lowers the distance from the origin, on the side above it first.
fn lower_integer(domain: &Domain, number: i128, set: &mut dyn FnMut(i128) -> bool) {
    let distance = number.wrapping_sub(domain.origin).unsigned_abs();
    let above = |distance: u128| domain.origin.wrapping_add(distance as i128);
    let below = |distance: u128| domain.origin.wrapping_sub(distance as i128);
    let is_below = number < domain.origin;
    if is_below && domain.contains(above(distance)) && set(above(distance)) {
        find_smallest(distance, &mut |d| set(above(d)));
    } else if is_below {
        let smallest = find_smallest(distance, &mut |d| set(below(d)));
        // Near the origin the sign may not matter.
        if smallest < distance && smallest > 0 {
            set(above(smallest));
        }
    } else {
        let smallest = find_smallest(distance, &mut |d| set(above(d)));
        // A number on the other side that is nearer by one is even simpler.
        if smallest > 1 {
            set(below(smallest - 1));
        }
    }
}

/// Tries whole numbers, then fewer binary digits after the point.
fn lower_float(value: f64, set: &mut dyn FnMut(f64) -> bool) {
    let mut value = value;
    if value.is_nan() {
        let _ = [0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY].iter().any(|&simpler| set(simpler));
        return;
    }
    if value.is_sign_negative() && set(-value) {
        value = -value;
    }
    if value.is_infinite() {
        let _ = set(f64::MAX) || set(f64::MIN);
        return;
    }
    if value.fract() != 0.0 {
        let mut simpler = vec![value.trunc(), value.round(), value.floor(), value.ceil()];
        for digits in 0..10 {
            let scale = f64::from(1u32 << digits);
            simpler.push((value * scale).trunc() / scale);
        }
        match simpler.iter().find(|&&simpler| set(simpler)) {
            Some(&simpler) => value = simpler,
            None => return,
        }
    }
    if value.fract() == 0.0 && value.abs() < 9e18 {
        let sign = 1f64.copysign(value);
        find_smallest(value.abs() as u128, &mut |n| set(sign * n as f64));
    } else if value.fract() == 0.0 {
        // For very large numbers, only halving helps.
        while set(value / 2.0) {
            value /= 2.0;
        }
    }
}

/// Tries numbers that have something in common with a large one, as needed if the failure depends
/// on a remainder, on bits or on digits. [`find_smallest`] stops at such a number, because those
/// just below it pass. It runs only in the last round, when nothing else helps.
///
/// - Input: a number that fails if its fifth bit is set.
/// - Tape: `3387481808` becomes `16`.
/// - Cost: about 60 executions for a number that stays, and 10 if a search for a threshold ended
///   there or another number was moved to it.
/// - Origin: none known. Hypothesis shifts numbers, masks them and subtracts multiples too
///   (`Integer` in `shrinking/integer.py`).
/// - Without the pass: `irregular_numbers` of `rebut/tests/quality.rs` end far above their minimum.
pub(super) fn sift(shrinker: &mut Shrinker<'_>) {
    // As many numbers as `outweigh` looks at pairs. Arbitrary: longer lists rarely depend on the
    // remainder of one of their numbers.
    const NUMBERS_MAX: usize = 12;
    if shrinker.patience != u64::MAX {
        return;
    }
    let is_large = |choice: &Choice| is_number(choice) && distance(choice) >= SMALL;
    if choices(shrinker, &is_large).len() > NUMBERS_MAX {
        return;
    }
    let mut from = 0;
    while let Some(&(at, choice)) = choices(shrinker, &is_large).iter().find(|(at, _)| *at >= from)
    {
        from = at + 1;
        sift_number(shrinker, at, &choice);
    }
}

fn sift_number(shrinker: &mut Shrinker<'_>, at: usize, choice: &Choice) {
    let domain = choice.domain;
    let is_threshold = shrinker.thresholds.contains(&choice.number);
    let is_below = choice.number < domain.origin;
    let mut best = distance(choice);
    let mut set = |distance: u128| {
        let by = distance as i128;
        let number =
            if is_below { domain.origin.wrapping_sub(by) } else { domain.origin.wrapping_add(by) };
        let candidate = shrinker.with_numbers(&[(at, number)]);
        domain.contains(number) && shrinker.attempt(&candidate)
    };
    let mut relatives = if is_threshold { near_relatives(best) } else { relatives(best) };
    let mut nth = 0;
    while let Some(&(relative, step)) = relatives.get(nth) {
        nth += 1;
        if !set(relative) {
            continue;
        }
        best = relative;
        // Where a multiple of a number was subtracted, further ones may be.
        if let Some(step) = step {
            let (times, rest) = (best / step, best % step);
            best = rest + step * find_smallest(times, &mut |times| set(rest + step * times));
        }
        relatives = self::relatives(best);
        nth = 0;
    }
}

/// A smaller number, and the number of which a multiple was subtracted, if any.
type Relative = (u128, Option<u128>);

/// Returns numbers below a large one that have a remainder or the last digits in common with it.
/// Enough to find out whether a number is a threshold, in ten executions.
fn near_relatives(number: u128) -> Vec<Relative> {
    if number < SMALL {
        return Vec::new();
    }
    let mut relatives: Vec<Relative> = (3..=8).map(|step| (number - step, Some(step))).collect();
    relatives.extend([(number / 2, None), (number / 10, None)]);
    relatives.push((number % 10u128.pow(number.ilog10()), None));
    relatives.push((number % (1 << number.ilog2()), None));
    relatives
}

/// Returns numbers below a large one that have digits, bits or a remainder in common with it, about
/// 60 of them.
fn relatives(number: u128) -> Vec<Relative> {
    if number < SMALL {
        return Vec::new();
    }
    let (bits, digits) = (number.ilog2(), number.ilog10());
    let mut relatives = Vec::new();
    // The last digits and bits, and the first ones, of at most eight lengths.
    for n in (1..=digits).step_by(digits.div_ceil(8).max(1) as usize) {
        relatives.push((number % 10u128.pow(n), None));
        relatives.push((number / 10u128.pow(digits + 1 - n), None));
    }
    for n in (1..=bits).step_by(bits.div_ceil(8) as usize) {
        relatives.push((number % (1 << n), None));
        relatives.push((number >> (bits + 1 - n), None));
    }
    relatives.extend(near_relatives(number));
    relatives.extend((9..=16).map(|step| (number - step, Some(step))));
    // Some digits and bits less, the first ones if there are many.
    for n in (0..=digits).rev().take(4) {
        let power = 10u128.pow(n);
        relatives.push((number - number / power % 10 * power, None));
    }
    for n in (0..bits).rev().take(8) {
        relatives.push((number & !(1 << n), None));
    }
    relatives.retain(|&(relative, _)| relative < number);
    relatives
}

/// Returns how far the number is from the simplest one.
fn distance(choice: &Choice) -> u128 {
    choice.number.wrapping_sub(choice.domain.origin).unsigned_abs()
}

/// Two numbers are tried together if at most this many numbers lie between them, plus one.
/// Arbitrary: 1 and 6 change the total of executions by at most 2 % in the problems of
/// `elements.rs`, and no result. Numbers farther apart are lowered on their own.
const REACH: usize = 3;

/// Returns pairs of whole numbers near each other on the tape.
fn pairs(shrinker: &Shrinker<'_>, both: bool) -> Vec<(usize, usize)> {
    let numbers = choices(shrinker, &is_number);
    let mut pairs = Vec::new();
    for (n, (first, choice)) in numbers.iter().enumerate() {
        for (second, other) in numbers.iter().skip(n + 1).take(REACH) {
            let other_counts = !both || !other.is_simplest();
            if other_counts && !choice.is_simplest() {
                pairs.push((*first, *second));
            }
        }
    }
    pairs
}

/// Lowers two numbers by the same amount, which keeps their difference.
///
/// - Input: two numbers that fail if the second is three more than the first, from 100 on.
/// - Tape: `5000000 5000003` becomes `100 103`.
/// - Cost: that of [`find_smallest`] for each pair within [`REACH`].
/// - Origin: Hypothesis' `lower_integers_together`.
/// - Without the pass: `difference_one` takes 12,600 executions instead of 30, because two numbers
///   with a small difference can only pass each other in small steps.
pub(super) fn lower_together(shrinker: &mut Shrinker<'_>) {
    for (first, second) in pairs(shrinker, true) {
        let (Some(a), Some(b)) = (reducible_at(shrinker, first), reducible_at(shrinker, second))
        else {
            continue;
        };
        if (a.number > a.domain.origin) != (b.number > b.domain.origin) || a.number == b.number {
            continue;
        }
        let sign = if a.number > a.domain.origin { 1 } else { -1 };
        let distance = |c: Choice| c.number.wrapping_sub(c.domain.origin).unsigned_abs();
        let smaller = distance(a).min(distance(b));
        find_smallest(smaller, &mut |left| {
            let by = (smaller - left) as i128 * sign;
            let changes = [(first, a.number - by), (second, b.number - by)];
            let candidate = shrinker.with_numbers(&changes);
            shrinker.attempt(&candidate)
        });
    }
}

/// Lowers a number and raises a later one by the same amount, which keeps their sum.
///
/// - Input: two bytes that fail if their sum is 300.
/// - Tape: `200 100` becomes `45 255`.
/// - Cost: that of [`find_smallest`] for each pair within [`REACH`], and one for [`wrap`].
/// - Origin: Hypothesis' `redistribute_numeric_pairs`.
/// - Without the pass: sums take two thirds more executions, and a bounded balance does not end in
///   its normal form for 8 of 50 seeds.
pub(super) fn redistribute(shrinker: &mut Shrinker<'_>) {
    for (first, second) in pairs(shrinker, false) {
        let (Some(a), Some(Token::Choice(b))) =
            (reducible_at(shrinker, first), shrinker.tokens().get(second).copied())
        else {
            continue;
        };
        let distance = a.number.wrapping_sub(a.domain.origin).unsigned_abs();
        let sign = if a.number > a.domain.origin { 1 } else { -1 };
        let room = if sign > 0 {
            b.domain.max.wrapping_sub(b.number)
        } else {
            b.number.wrapping_sub(b.domain.min)
        };
        if b.domain == a.domain && wrap(shrinker, first, a, second, b) {
            expect_threshold(shrinker, second);
            continue;
        }
        let movable = distance.min(room as u128);
        find_smallest(movable, &mut |left| {
            let by = (movable - left) as i128 * sign;
            let changes = [(first, a.number - by), (second, b.number.wrapping_add(by))];
            let candidate = shrinker.with_numbers(&changes);
            shrinker.attempt(&candidate)
        });
        if shrinker.tokens().get(second) != Some(&Token::Choice(b)) {
            expect_threshold(shrinker, second);
        }
    }
}

/// Numbers nearer to their origin than this are simple enough not to be exchanged. Arbitrary: 8
/// and 32 change nothing in the problems of `elements.rs`.
const SMALL: u128 = 16;

/// Lowers a number and sets a later one to its bound. This helps if both count with different
/// weights, so that neither the sum nor the difference stays the same. It runs only if there are
/// few pairs: in a long list, rarely just two numbers matter.
///
/// - Input: hours and minutes that fail if they are more than 20,000 minutes.
/// - Tape: `400 0` becomes `167 9999`.
/// - Cost: one execution for each pair, and that of [`find_smallest`] if it succeeds.
/// - Origin: none known; `weights` of `rebut/tests/quality.rs`.
/// - Without the pass: `weights` never ends in its normal form.
pub(super) fn outweigh(shrinker: &mut Shrinker<'_>) {
    // Four numbers with all their partners. Arbitrary: 6 and 24 change nothing in the problems of
    // `elements.rs`.
    const FEW: usize = 4 * REACH;
    let pairs = pairs(shrinker, false);
    if pairs.len() > FEW {
        return;
    }
    for (first, second) in pairs {
        let (Some(a), Some(Token::Choice(b))) =
            (reducible_at(shrinker, first), shrinker.tokens().get(second).copied())
        else {
            continue;
        };
        let distance = a.number.wrapping_sub(a.domain.origin).unsigned_abs();
        let end = if b.number < b.domain.origin { b.domain.min } else { b.domain.max };
        if distance < SMALL || b.number == end {
            continue;
        }
        let sign = if a.number > a.domain.origin { 1 } else { -1 };
        let mut set = |left: u128| {
            let changes = [(first, a.domain.origin + left as i128 * sign), (second, end)];
            let candidate = shrinker.with_numbers(&changes);
            shrinker.attempt(&candidate)
        };
        if set(distance - 1) {
            find_smallest(distance - 1, &mut set);
        }
    }
}

/// Adds a number to another one as machine arithmetic does, with wrap-around at the ends of the
/// domain. Two numbers that overflow together become one.
fn wrap(shrinker: &mut Shrinker<'_>, first: usize, a: Choice, second: usize, b: Choice) -> bool {
    let domain = a.domain;
    let moved = b.number.wrapping_add(a.number.wrapping_sub(domain.origin));
    if domain.contains(moved) || domain.size() > 1 << 64 {
        return false;
    }
    let size = domain.size() as i128;
    let wrapped = domain.min + (moved - domain.min).rem_euclid(size);
    let candidate = shrinker.with_numbers(&[(first, domain.origin), (second, wrapped)]);
    shrinker.attempt(&candidate)
}

/// Moves all numbers by the same amount, so that the first of them becomes the simplest: often only
/// their order matters.
///
/// - Input: three numbers that fail if they are in descending order.
/// - Tape: `30 20 10` becomes `0 -10 -20`.
/// - Cost: one execution.
/// - Origin: none known.
/// - Without the pass: a list with three numbers in descending order ends in its normal form for 17
///   of 50 seeds.
pub(super) fn translate(shrinker: &mut Shrinker<'_>) {
    let numbers = choices(shrinker, &|choice| is_number(choice) && !choice.is_simplest());
    let Some(&(_, pivot)) = numbers.first() else { return };
    let by = pivot.number.wrapping_sub(pivot.domain.origin);
    let mut changes = Vec::new();
    for (at, choice) in choices(shrinker, &|choice| {
        choice.domain.kind == ChoiceKind::Integer && choice.domain.role == pivot.domain.role
    }) {
        changes.push((at, choice.number.wrapping_sub(by)));
    }
    if changes.len() > 1 {
        let candidate = shrinker.with_numbers(&changes);
        shrinker.attempt(&candidate);
    }
}
