//! Finds the parts of a minimal input that can be anything.
//!
//! A part is a span of the tape, a single choice, or all elements of a sequence without its
//! length. Rebut generates each part again, many times, and keeps everything else. If the property
//! fails in the same way every time, the part is free, and the report marks it. Rebut starts with
//! whole parameters and goes down to the parts of those that are not free. The first sample that
//! passes decides that a part is not free, so parts that matter cost little. The explain phase of
//! Hypothesis inspired this.
//!
//! Two conditions keep a mark true. The other parts stay unchanged: the tape before and after
//! the part is recorded again with each sample, and compared. And the marked code depends on
//! nothing but the part: `regions` finds the code that changes with a part, and a choice outside
//! of the part must not change that code too. (If a number is printed as the sum of two choices,
//! none of them has code of its own.)
//!
//! A value that the property rejects counts against a mark, as one that passes does: a part that an
//! assumption restricts cannot be anything.
//!
//! At last, all free parts are generated again together: half of the samples combine samples of the
//! single parts, and half are new. If such a sample does not fail, one part of a minimal conflict
//! loses its mark, and the remaining ones are tried again.
//!
//! # How many samples
//!
//! A mark is a claim about all values, and samples are a sample. With 700 samples, a part of which one
//! percent of the values pass is marked with a chance of 0.99^700, or 0.1 %. For special values,
//! which a sample misses, Rebut tries bounds, numbers and spans that occur elsewhere on the tape,
//! the simplest value, all numbers of a small domain, and a character of each class. The random
//! driver tries the constants of the code under test.
//!
//! Budgets are counted in executions, so that two runs with one seed print the same report. Time
//! is limited too, for slow properties, but not by the load of the machine. In both cases, a note says that marks may be missing.

mod part;
mod regions;

use std::ops::Range;
use std::time::Duration;

use rebut_choice::{Choice, ChoiceKind, Label, Rng, Role, SpanShape, Tape, Token, text};
use rebut_choice::{internal_assert, internal_error};

use crate::canary::{self, Invariant};
use crate::case_log::ShownValue;
use crate::execute::{Execution, Executor, Input};
use crate::isolate::TimeLimit;
use crate::outcome::{FailureKey, Outcome};
use crate::sorted_indices::{distinct, sorted_indices};
use crate::verdict::{Counterexample, FreePart};
use part::{Redrawn, TapePart};
use regions::{Parsed, contains};

/// The number of samples of a free part; see the module documentation.
const DRAWS: usize = 700;
/// Of these, the first ones also print the values, to find the code of the part. By calculation, a
/// difference that half of the samples show is missed with a chance of 0.5^24.
const SHOWN_DRAWS: usize = 24;
/// Samples that say nothing do not count. This many executions may be spent on one part.
const TRIES_MAX: usize = 4 * DRAWS;
/// The rest of a value depends on a part if this many more samples change other parts than do not. A
/// few samples do: those of a key that another element has, which is then generated again. Arbitrary.
const OTHERS_MAX: usize = 32;
/// All numbers of a domain of at most this size are tried. More than the random samples, so that no
/// value is missed where it costs about the same.
const DOMAIN_MAX: u128 = 1024;
/// In a span with at most this many numbers, special numbers are tried for each. Arbitrary: they must
/// remain few, compared to the random samples.
const NUMBERS_MAX: usize = 4;
/// The maximum number of values from elsewhere on the tape. Arbitrary.
const NEAR_MAX: usize = 24;
/// The number of samples that show where a choice of another part is printed. Arbitrary: one sample
/// may happen to have the same number.
const POSITION_DRAWS: u64 = 3;
/// The number of samples that are kept of each part, to combine them with those of other parts.
/// Arbitrary: 700 combinations of two parts use each of them about five times.
const SAMPLES_MAX: usize = 128;
/// The maximum number of executions for all parts of an input: about 50 free parts. At ten
/// microseconds each, they take less than half a second. A product decision.
const EXECUTIONS_MAX: usize = 40_000;
/// The maximum time, in addition to the time that shrinking took. A product decision: someone is
/// waiting for the report.
const TIME_MAX: Duration = Duration::from_secs(3);

/// The marks of a counterexample.
#[derive(Debug, Default)]
pub(crate) struct Explanation {
    pub(crate) free: Vec<FreePart>,
    /// Why parts may be free that have no mark.
    pub(crate) incomplete: Option<String>,
}

/// Returns the parts of the values that can be anything.
#[inline(never)]
pub(crate) fn free_parts(
    counterexample: &Counterexample,
    executor: &mut dyn Executor,
    shrink_time: Duration,
) -> Explanation {
    if counterexample.failure.kind.kills_process() {
        return Explanation::default();
    }
    let values = counterexample.values.iter().map(|value| Parsed::new(&value.code)).collect();
    let mut explainer = Explainer {
        counterexample,
        executor,
        failure_key: counterexample.failure.key(),
        values,
        positions: Vec::new(),
        candidates: Vec::new(),
        executions: 0,
        time: TimeLimit::new(TIME_MAX + shrink_time),
        stopped: None,
    };
    explainer.find_candidates();
    let candidates = explainer.free_together();
    let mut free = Vec::new();
    for candidate in &candidates {
        free.push(candidate.mark.clone());
    }
    let mut free = united(&free);
    // Marks under all characters of a string would look as if the string could be of any length.
    free.retain(|part| {
        let value = explainer.values[part.value].as_ref();
        value.and_then(|value| value.text_around(&part.bytes)) != Some(part.bytes.clone())
    });
    if canary::breaks(Invariant::MarksInsideValue) {
        free.iter_mut().for_each(|part| part.bytes.end += 100);
    }
    for FreePart { value, bytes } in &free {
        // The report slices the code of the value there.
        let code = &counterexample.values[*value].code;
        internal_assert!(
            code.get(bytes.clone()).is_some(),
            "the mark {bytes:?} is outside of the value `{code}`"
        );
    }
    Explanation { free, incomplete: explainer.stopped }
}

/// Returns whether other values were generated in place of some that the generator accepts one by
/// one. Values that follow the written ones, as those of a longer list, replace nothing.
fn is_replaced(written: &[Token], recorded: &[Token]) -> bool {
    let pairs = || part::choices(written).zip(part::choices(recorded));
    pairs().all(|(old, new)| old.domain == new.domain)
        && pairs().any(|(old, new)| old.number != new.number)
}

/// A part that seems to be free.
struct Candidate {
    part: TapePart,
    mark: FreePart,
    /// Other tokens for the part. The property fails with each of them.
    samples: Vec<Vec<Token>>,
}

/// The positions of a choice in the printed values.
struct ChoicePositions {
    at: usize,
    positions: Vec<(usize, Range<usize>)>,
}

/// The effect of a sample.
enum DrawEffect {
    /// The property failed in the same way. The part has these tokens.
    Failed(Vec<Token>),
    /// The sample grew too large.
    TooLarge,
    /// Other parts of the tape changed too, so the sample says nothing about the part.
    Other,
    /// The property passed, rejected the sample, or failed in another way.
    Decided,
}

/// Whether a part is free.
enum Decision {
    Free(Candidate),
    NotFree,
    /// The values do not show the part.
    Hidden,
}

struct Explainer<'a> {
    counterexample: &'a Counterexample,
    executor: &'a mut dyn Executor,
    failure_key: FailureKey,
    /// The code of the values; `None` where it cannot be compared.
    values: Vec<Option<Parsed>>,
    /// The positions of the choices, once they are needed.
    positions: Vec<ChoicePositions>,
    candidates: Vec<Candidate>,
    executions: usize,
    time: TimeLimit,
    stopped: Option<String>,
}

impl Explainer<'_> {
    fn tape(&self) -> &Tape {
        &self.counterexample.tape
    }

    /// Runs an input, unless the budget is spent.
    fn execute(&mut self, input: &Input, reporting: bool) -> Option<Execution> {
        if self.stopped.is_some() {
            return None;
        }
        if self.executions >= EXECUTIONS_MAX {
            self.stopped = Some(format!("stopped after {EXECUTIONS_MAX} runs"));
            return None;
        }
        if self.time.is_over() {
            self.stopped = Some(format!("stopped after {} runs, which are slow", self.executions));
            return None;
        }
        self.executions += 1;
        Some(self.executor.execute(input, reporting))
    }

    fn find_candidates(&mut self) {
        let count = self.tape().tokens().len();
        self.visit_children(0..count, None);
    }

    /// Visits the parts in a range of tokens. `tested` is the number of choices of an enclosing
    /// span that is not free.
    fn visit_children(&mut self, range: Range<usize>, tested: Option<usize>) {
        let mut at = range.start;
        while at < range.end && self.stopped.is_none() {
            let end = part::end_of(self.tape().tokens(), at);
            match self.tape().tokens()[at] {
                Token::Open(label) => self.visit_span(at..end, label, tested),
                Token::Choice(choice) if tested != Some(1) => self.visit_choice(at, &choice),
                _ => {}
            }
            at = end;
        }
    }

    fn visit_span(&mut self, range: Range<usize>, label: Label, tested: Option<usize>) {
        let tokens = &self.tape().tokens()[range.clone()];
        let choices = part::choices(tokens).count();
        if choices == 0 || label == Label::SECRET {
            return;
        }
        let inside = range.start + 1..range.end - 1;
        // A span around a span with the same choices is the same part.
        if tested != Some(choices) {
            match self.decide(TapePart::span(range.clone())) {
                Decision::Free(candidate) => return self.candidates.push(candidate),
                Decision::Hidden => return,
                Decision::NotFree => {}
            }
        }
        if label.shape() == SpanShape::Sequence && inside.len() > 2 {
            let part = TapePart::elements(self.tape(), range);
            if let Decision::Free(candidate) = self.decide(part) {
                return self.candidates.push(candidate);
            }
        }
        self.visit_children(inside, Some(choices));
    }

    fn visit_choice(&mut self, at: usize, choice: &Choice) {
        // The rest of the value depends on these.
        if matches!(choice.domain.role, Role::Length | Role::Presence)
            || choice.domain.role.is_walk()
        {
            return;
        }
        if let Decision::Free(candidate) = self.decide(TapePart::choice(at)) {
            self.candidates.push(candidate);
        }
    }

    /// Generates a part again until a sample passes, or often enough.
    #[inline(never)]
    fn decide(&mut self, part: TapePart) -> Decision {
        let mut inputs = self.special_inputs(&part);
        let is_complete = self.domain_size(&part) <= DOMAIN_MAX;
        let wanted = if is_complete { inputs.len() } else { DRAWS };
        let emptied = part.emptied(self.tape());
        inputs.reverse();
        let (mut samples, mut shown, mut mark) = (Vec::new(), Vec::new(), None);
        let (mut accepted, mut others) = (0, 0);
        for nth in 0..TRIES_MAX {
            let copied = inputs.last().and_then(|input| part.written(self.tape(), input));
            let input = match inputs.pop() {
                // A generator generates again whatever it does not accept.
                Some(tape) if copied.is_some() => Input::Edited(tape, nth as u64),
                Some(tape) => Input::Tape(tape),
                None if is_complete => break,
                None => Input::Edited(emptied.clone(), nth as u64),
            };
            let is_shown = accepted < SHOWN_DRAWS;
            let Some(execution) = self.execute(&input, is_shown) else { return Decision::NotFree };
            match self.effect(&part, &execution) {
                DrawEffect::Decided => return Decision::NotFree,
                DrawEffect::TooLarge => continue,
                // The element of a set or the key of a map got the value of another one, and was
                // generated again. Someone who edits the code can write it twice, and gets a smaller
                // set.
                DrawEffect::Other if copied.is_some() => return Decision::NotFree,
                DrawEffect::Failed(sample)
                    if copied.as_ref().is_some_and(|written| is_replaced(written, &sample)) =>
                {
                    return Decision::NotFree;
                }
                DrawEffect::Other => {
                    others += 1;
                    if others > accepted + OTHERS_MAX {
                        return Decision::NotFree;
                    }
                    continue;
                }
                DrawEffect::Failed(sample) => {
                    accepted += 1;
                    if samples.len() < SAMPLES_MAX {
                        samples.push(sample);
                    } else if let Some(old) = samples.get_mut(accepted % (2 * SAMPLES_MAX)) {
                        *old = sample;
                    }
                }
            }
            if is_shown {
                shown.push(execution.log.map(|log| log.values).unwrap_or_default());
            }
            if shown.len() == SHOWN_DRAWS && mark.is_none() {
                match self.mark(&part, &shown) {
                    Ok(found) => mark = Some(found),
                    Err(decision) => return decision,
                }
            }
            if accepted >= wanted {
                break;
            }
        }
        // Of a complete domain, all numbers were tried.
        let is_enough = if is_complete { accepted > 0 } else { accepted >= wanted };
        if !is_enough {
            return Decision::NotFree;
        }
        match mark.map_or_else(|| self.mark(&part, &shown), Ok) {
            Ok(mark) => Decision::Free(Candidate { part, mark, samples }),
            Err(decision) => decision,
        }
    }

    /// Returns the number of values of a part that is one number.
    fn domain_size(&self, part: &TapePart) -> u128 {
        match part.only_number(self.tape()) {
            Some((_, choice)) => choice.domain.size(),
            None => u128::MAX,
        }
    }

    /// Compares a run with the minimal case.
    fn effect(&self, part: &TapePart, execution: &Execution) -> DrawEffect {
        let Some(is_same) = self.same_failure(&execution.outcome) else {
            return DrawEffect::TooLarge;
        };
        match (part.redrawn(self.tape(), &execution.tape), is_same) {
            (Redrawn::Kept(sample), true) => DrawEffect::Failed(sample),
            // A key that another element has makes that element change.
            (Redrawn::SameParameter, _) => DrawEffect::Other,
            (Redrawn::OtherParameters, false) => DrawEffect::Other,
            // Choices during the run, such as the answers of a function, depend on the part. So
            // the rest of the printed values would not stay unchanged.
            (Redrawn::OtherParameters | Redrawn::OtherEnd, true) => DrawEffect::Decided,
            (Redrawn::Kept(_) | Redrawn::OtherEnd, false) => DrawEffect::Decided,
        }
    }

    /// Returns tapes with values that random samples may miss.
    fn special_inputs(&self, part: &TapePart) -> Vec<Tape> {
        let tape = self.tape();
        let mut inputs = Vec::new();
        if let Some((at, choice)) = part.only_number(tape) {
            let mut numbers = other_numbers(choice, tape);
            if canary::breaks(Invariant::NumbersInDomain) {
                numbers.push(choice.domain.max + 1);
            }
            for number in numbers {
                inputs.push(with_number(tape, at, number));
            }
        } else {
            // The simplest value, and the values of other parts of the same kind.
            inputs.push(part.emptied(tape));
            inputs.extend(part.copies(tape, NEAR_MAX));
            let numbers = part.numbers(tape);
            for (at, choice) in numbers.iter().filter(|_| numbers.len() <= NUMBERS_MAX) {
                for number in special_numbers(choice, tape) {
                    inputs.push(with_number(tape, *at, number));
                }
            }
        }
        inputs
    }

    /// Returns the code to mark for a part, given the values of several samples.
    fn mark(&mut self, part: &TapePart, shown: &[Vec<ShownValue>]) -> Result<FreePart, Decision> {
        let Some(value) = self.changed_value(shown)? else { return Err(Decision::Hidden) };
        let Some(old) = self.values[value].clone() else { return Err(Decision::NotFree) };
        let (mut positions, mut coarse) = (Vec::new(), Vec::new());
        for values in shown {
            let here = old.positions(&values[value].code, false);
            if part.is_choice() && here.len() > 1 && !part.is_whole_argument(self.tape()) {
                return Err(Decision::NotFree);
            }
            positions.extend(here);
            coarse.extend(old.positions(&values[value].code, true));
        }
        let Some(mut region) = old.region(&positions) else { return Err(Decision::Hidden) };
        let text = old.text_around(&region);
        if part.is_elements() {
            region = match (old.repeated_element(&region), text) {
                (Some(element), _) => element,
                (None, Some(text)) => text,
                // Each element is tried alone.
                (None, None) => return Err(Decision::NotFree),
            };
        } else if text.as_ref() == Some(&region) {
            region = old.region(&coarse).unwrap_or(region);
        }
        let role = self.tape().choice(part.start()).map(|choice| choice.domain.role);
        if part.is_choice() && role == Some(Role::Alternative) {
            // Other alternatives may have other contents, which were not tried.
            let has_other_brackets =
                |values: &Vec<ShownValue>| brackets(&values[value].code) != brackets(&old.code);
            if old.has_brackets(&region) || shown.iter().any(has_other_brackets) {
                return Err(Decision::NotFree);
            }
        }
        if region.is_empty() || self.depends_on_others(part, value, &region) {
            return Err(Decision::NotFree);
        }
        Ok(FreePart { value, bytes: region })
    }

    /// Returns the index of the only value that differs.
    fn changed_value(&self, shown: &[Vec<ShownValue>]) -> Result<Option<usize>, Decision> {
        let old = &self.counterexample.values;
        let mut changed = None;
        for values in shown {
            if values.len() != old.len() {
                return Err(Decision::NotFree);
            }
            for (nth, value) in values.iter().enumerate() {
                if value.code == old[nth].code {
                    continue;
                }
                if changed.is_some_and(|known| known != nth) {
                    return Err(Decision::NotFree);
                }
                changed = Some(nth);
            }
        }
        Ok(changed)
    }

    /// Returns whether a choice outside of the part changes the code in this region.
    fn depends_on_others(&mut self, part: &TapePart, value: usize, region: &Range<usize>) -> bool {
        self.find_positions();
        // Without all positions, nothing is known.
        self.stopped.is_some()
            || self.positions.iter().any(|choice| {
                let is_inside =
                    |(nth, place): &(usize, Range<usize>)| *nth == value && contains(region, place);
                !part.has(choice.at) && choice.positions.iter().any(is_inside)
            })
    }

    /// Finds where each choice shows in the values.
    fn find_positions(&mut self) {
        if !self.positions.is_empty() {
            return;
        }
        let tape = self.tape().clone();
        for (at, token) in tape.tokens().iter().enumerate() {
            let Token::Choice(choice) = token else { continue };
            if choice.domain.role.is_walk() {
                continue;
            }
            let is_length = choice.domain.role == Role::Length;
            let emptied = TapePart::choice(at).emptied(&tape);
            let mut positions = Vec::new();
            for draw in 0..POSITION_DRAWS {
                let input = Input::Edited(emptied.clone(), draw);
                let Some(execution) = self.execute(&input, true) else { return };
                let values = execution.log.map(|log| log.values).unwrap_or_default();
                for (nth, (old, new)) in self.values.iter().zip(&values).enumerate() {
                    let Some(old) = old else { continue };
                    for place in old.positions(&new.code, is_length) {
                        positions.push((nth, place));
                    }
                }
            }
            self.positions.push(ChoicePositions { at, positions });
        }
    }

    /// Generates all candidates together. As long as a sample passes, removes one part of a minimal
    /// conflict.
    fn free_together(&mut self) -> Vec<Candidate> {
        let mut candidates = std::mem::take(&mut self.candidates);
        // The joint samples have a budget of their own: without them, no mark is known to be true.
        let stopped = self.stopped.take();
        let spent = std::mem::take(&mut self.executions);
        if self.time.is_over() {
            self.time = TimeLimit::new(TIME_MAX / 2);
        }
        let mut rng = Rng::new(2);
        while candidates.len() > 1 {
            match self.draw_together(&candidates, &mut rng) {
                Joint::Fails => break,
                Joint::Conflict(nth) => drop(candidates.remove(nth)),
                Joint::Stopped => candidates.clear(),
            }
        }
        self.executions += spent;
        if stopped.is_some() {
            self.stopped = stopped;
        }
        candidates
    }

    fn draw_together(&mut self, candidates: &[Candidate], rng: &mut Rng) -> Joint {
        let parts: Vec<&TapePart> = candidates.iter().map(|candidate| &candidate.part).collect();
        let mut emptied = self.tape().clone();
        // From the end, so that the ranges of the other parts remain valid.
        for part in parts.iter().rev() {
            emptied = part.emptied(&emptied);
        }
        let mut accepted = 0;
        for nth in 0..TRIES_MAX {
            if nth % 2 == 0 {
                let input = Input::Edited(emptied.clone(), nth as u64);
                let Some(execution) = self.execute(&input, false) else { return Joint::Stopped };
                let drawn = part::redrawn_together(&parts, self.tape(), &execution.tape);
                match (self.same_failure(&execution.outcome), drawn) {
                    (Some(true), Some(_)) => accepted += 1,
                    (Some(false), Some(drawn)) => {
                        let drawn = drawn.iter().map(|tokens| Some(tokens.as_slice())).collect();
                        return self.conflict(candidates, drawn);
                    }
                    _ => {}
                }
            } else {
                let mut drawn: Vec<Option<&[Token]>> = Vec::new();
                for candidate in candidates {
                    drawn.push(rng.pick(&candidate.samples).map(Vec::as_slice));
                }
                match self.fails_with(candidates, &drawn) {
                    None => return Joint::Stopped,
                    Some(DrawEffect::Failed(_)) => accepted += 1,
                    Some(DrawEffect::TooLarge | DrawEffect::Other) => {}
                    Some(DrawEffect::Decided) => return self.conflict(candidates, drawn),
                }
            }
            if accepted >= DRAWS {
                return Joint::Fails;
            }
        }
        // Nearly all combinations are too large.
        Joint::Conflict(candidates.len() - 1)
    }

    /// Takes back the samples of single parts as long as the property still does not fail. Returns
    /// the last part of those that remain.
    fn conflict(&mut self, candidates: &[Candidate], mut drawn: Vec<Option<&[Token]>>) -> Joint {
        for nth in 0..candidates.len() {
            let Some(taken) = drawn[nth].take() else { continue };
            match self.fails_with(candidates, &drawn) {
                None => return Joint::Stopped,
                Some(DrawEffect::Decided) => {}
                Some(_) => drawn[nth] = Some(taken),
            }
        }
        let last = drawn.iter().rposition(Option::is_some);
        Joint::Conflict(last.unwrap_or(candidates.len() - 1))
    }

    /// Runs the case with these tokens in place of the parts.
    fn fails_with(
        &mut self,
        candidates: &[Candidate],
        drawn: &[Option<&[Token]>],
    ) -> Option<DrawEffect> {
        let mut tape = self.tape().clone();
        // From the end, so that the ranges of the other parts remain valid.
        for (candidate, tokens) in candidates.iter().zip(drawn).rev() {
            if let Some(tokens) = tokens {
                tape = tape.spliced(candidate.part.range(), tokens);
            }
        }
        let execution = self.execute(&Input::Tape(tape), false)?;
        Some(match self.same_failure(&execution.outcome) {
            None => DrawEffect::TooLarge,
            Some(true) => DrawEffect::Failed(Vec::new()),
            Some(false) => DrawEffect::Decided,
        })
    }

    /// Returns whether a case failed in the same way; `None` if it grew too large. A rejected case
    /// did not fail: a part is not free if an assumption restricts it.
    fn same_failure(&self, outcome: &Outcome) -> Option<bool> {
        match outcome {
            Outcome::TooLarge => None,
            Outcome::Failed(failure) => Some(failure.key() == self.failure_key),
            _ => Some(false),
        }
    }
}

/// The result of generating all candidates together.
enum Joint {
    /// The property fails in the same way.
    Fails,
    /// The candidate with this index is not free together with the others.
    Conflict(usize),
    /// The budget is spent.
    Stopped,
}

/// Returns the number of opening brackets.
fn brackets(code: &str) -> usize {
    code.bytes().filter(|byte| matches!(byte, b'(' | b'[' | b'{')).count()
}

/// Returns other numbers to try: all numbers of a small domain, otherwise the special ones.
#[inline(never)]
fn other_numbers(choice: &Choice, tape: &Tape) -> Vec<i128> {
    let domain = choice.domain;
    let mut others: Vec<i128> = Vec::new();
    if domain.size() <= DOMAIN_MAX {
        for n in 0..domain.size() {
            others.push(domain.nth(n));
        }
        others.retain(|&number| number != choice.number);
        return others;
    }
    special_numbers(choice, tape)
}

/// Returns the bounds of the domain, numbers equal or next to those of the other choices, and
/// characters of each class. Many properties fail only if two parts are equal or adjacent.
#[inline(never)]
fn special_numbers(choice: &Choice, tape: &Tape) -> Vec<i128> {
    let domain = choice.domain;
    let mut others: Vec<i128> = Vec::new();
    for other in tape.choices().filter(|other| other.domain.kind == domain.kind) {
        for step in [-1, 0, 1] {
            others.push(other.number.saturating_add(step));
        }
    }
    others.retain(|&number| domain.contains(number));
    let mut others = distinct(&others);
    others.truncate(NEAR_MAX);
    others.extend_from_slice(&[domain.min, domain.max, domain.origin]);
    if domain.kind == ChoiceKind::Char {
        others.extend(CLASSES.chars().map(text::number_of));
        others.retain(|&number| domain.contains(number));
    }
    others.retain(|&number| number != choice.number);
    distinct(&others)
}

/// A character of each class. The predicates of `char`, its conversions to upper and lower case, and
/// its length in UTF-8 make 38 classes. Code often treats a class in its own way.
const CLASSES: &str =
    "!¡\u{818}\u{1000c}\0\u{80} \u{a0}\u{1680}\t\u{85}0²०𐄇ƻࠀ𐀀ǅᾈᛮ𐅀ϒℂ𝐀AÀႠ𐐀Ⅰªჼ𐞀aµა𐐨ⅰ";

fn with_number(tape: &Tape, at: usize, number: i128) -> Tape {
    let mut tokens = tape.tokens().to_vec();
    // Replay would move a number of another domain into this one. The choice would then look free
    // although the same value was tried again.
    match tokens.get_mut(at) {
        Some(Token::Choice(choice)) if choice.domain.contains(number) => choice.number = number,
        other => internal_error!("{number} is not in the domain of token {at}, {other:?}"),
    }
    Tape::new(tokens)
}

/// Joins overlapping and adjacent marks. Adjacent ones are characters of a string.
fn united(parts: &[FreePart]) -> Vec<FreePart> {
    let key = |n: usize| (parts[n].value, parts[n].bytes.start, parts[n].bytes.end);
    let mut result: Vec<FreePart> = Vec::new();
    for n in sorted_indices(parts.len(), &|a, b| key(a).cmp(&key(b))) {
        let part = &parts[n];
        match result.last_mut() {
            Some(last) if last.value == part.value && part.bytes.start <= last.bytes.end => {
                last.bytes.end = last.bytes.end.max(part.bytes.end);
            }
            _ => result.push(part.clone()),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn there_is_a_character_of_each_class() {
        let class = |c: char| {
            let is_only = |other: Option<char>| other == Some(c);
            (
                (c.is_alphabetic(), c.is_lowercase(), c.is_uppercase(), c.is_numeric()),
                (c.is_whitespace(), c.is_control(), c.len_utf8()),
                (is_only(c.to_uppercase().next()), is_only(c.to_lowercase().next())),
            )
        };
        let known: BTreeSet<_> = CLASSES.chars().map(class).collect();
        let missing: Vec<char> =
            ('\0'..=char::MAX).filter(|&c| !known.contains(&class(c))).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
