//! Shrinking: from a failing tape to the simplest one that fails in the same way.
//!
//! The reduction is internal, as in Hypothesis (MacIver and Donaldson 2020): it edits the choices
//! and never the value, so it works with every dependent choice and every invariant of a
//! generator. Simplicity is shortlex: fewer choices, then smaller ones from the left. Values that
//! other crates generate are the exception: they shrink as those crates do it (`trails.rs`). The
//! shrinker compares the tape that an execution *recorded*, so an edit may be arbitrarily bold.
//!
//! The passes run round after round until none of them finds anything. This is cheap because no
//! tape runs twice, because every search probes the simple end first (the answer is usually
//! small, however large the failing number was), and because deletions gallop.
//!
//! Invariant: the best tape always fails with the requested key, and only a simpler tape ever
//! replaces it.

mod elements;
mod numbers;
mod search;
mod spans;
#[cfg(test)]
mod tests;
mod trails;

use std::cell::Cell;
use std::rc::Rc;

use rebut_choice::{Sequence, Span, Tape, Token, internal_assert, mix};

use crate::canary::{self, Invariant};
use crate::outcome::{Failure, FailureKey, Outcome};

/// Runs a tape. Returns the outcome and the recorded tape.
pub(crate) type Run<'a> = dyn FnMut(&Tape) -> (Outcome, Tape) + 'a;

/// The state of one reduction.
pub(crate) struct Shrinker<'a> {
    run: &'a mut Run<'a>,
    failure_key: FailureKey,
    best: Tape,
    failure: Failure,
    tried: TriedTapes,
    /// The tapes with a step that does not exist, after the end of a trail.
    dead_ends: TriedTapes,
    executions: u64,
    executions_max: u64,
    /// Returns whether the time is up. The clock is outside, so that tests need none.
    is_late: Box<dyn Fn() -> bool>,
    /// Whether the time was up after an execution.
    timed_out: bool,
    /// The number of tokens that passes have looked at or copied.
    work: Cell<u64>,
    /// The spans and sequences of the best tape with this revision.
    spans: Option<(u64, Rc<Vec<Span>>)>,
    sequences: Option<(u64, Rc<Vec<Sequence>>)>,
    /// Incremented with every improvement.
    revision: u64,
    /// The number of attempts in a row that may still fail in the current pass.
    patience: u64,
    /// Numbers that are probably thresholds; see `numbers::sift`.
    thresholds: Vec<i128>,
    /// Failures with other keys, found while shrinking.
    others: Vec<(Failure, Tape)>,
}

/// The result of a reduction.
#[derive(Debug)]
pub(crate) struct Shrunk {
    pub(crate) tape: Tape,
    pub(crate) failure: Failure,
    pub(crate) executions: u64,
    /// Whether the budget ended the reduction, so that a simpler input may exist.
    pub(crate) gave_up: bool,
    /// Whether it ended because it took too long.
    pub(crate) timed_out: bool,
    pub(crate) others: Vec<(Failure, Tape)>,
}

/// After this many failed attempts in a row, another pass gets its turn, as long as there is
/// progress. With 4, the problems of `elements.rs` take 8 % more executions; with 16, 1 % more. The
/// results hardly change, because the last round has unlimited patience. Hypothesis has 20
/// (`max_failures`).
const SHORT_PATIENCE: u64 = 8;

/// An execution may cost this much work of passes on average. Arbitrary: tapes of a thousand tokens
/// never reach it, and a tape of a million tokens costs some seconds.
const WORK_PER_EXECUTION: u64 = 1 << 12;

/// A pass, which tries edits of one kind.
type Pass = fn(&mut Shrinker<'_>);

/// All passes. Those that remove much at once come first, because every choice that is left costs
/// the later passes executions. `delete_dependent` and `trade` try many combinations and come last.
/// `tests.rs` shows for each pass of `elements.rs`, `numbers.rs` and `trails.rs` that the others cannot replace
/// it, and the comments there say how much is lost without it.
const PASSES: [Pass; 22] = [
    spans::simplify,
    elements::renumber,
    elements::delete,
    spans::hoist,
    elements::inline,
    numbers::lower_equal,
    numbers::zero_runs,
    trails::follow,
    numbers::lower_together,
    numbers::lower_each,
    elements::merge,
    spans::reorder,
    spans::graft,
    numbers::translate,
    numbers::redistribute,
    numbers::outweigh,
    numbers::sift,
    numbers::lower_equal_subsets,
    trails::retrace,
    elements::delete_dependent,
    elements::delete_answers,
    elements::trade,
];

impl<'a> Shrinker<'a> {
    /// Creates a reduction of `tape`, which fails with `failure`.
    pub(crate) fn new(
        run: &'a mut Run<'a>,
        tape: Tape,
        failure: Failure,
        executions_max: u64,
    ) -> Shrinker<'a> {
        let mut shrinker = Shrinker {
            run,
            failure_key: failure.key(),
            best: Tape::default(),
            failure,
            tried: TriedTapes::default(),
            dead_ends: TriedTapes::default(),
            executions: 0,
            executions_max,
            is_late: Box::new(|| false),
            timed_out: false,
            work: Cell::new(0),
            spans: None,
            sequences: None,
            revision: 0,
            patience: 0,
            thresholds: Vec::new(),
            others: Vec::new(),
        };
        shrinker.tried.insert(key(&tape));
        shrinker.best = tape;
        shrinker
    }

    /// Ends the reduction after the first execution for which `is_late` returns true.
    pub(crate) fn stop_when(&mut self, is_late: impl Fn() -> bool + 'static) {
        self.is_late = Box::new(is_late);
    }

    /// Records that the simplest case was run and passed.
    pub(crate) fn mark_simplest_tried(&mut self) {
        self.tried.insert(key(&spans::simplest_tape(&self.best)));
    }

    /// Records that an earlier reduction ended at the tape. Its numbers are as small as that
    /// reduction could make them, so another one ends there too.
    pub(crate) fn mark_reduced(&mut self) {
        self.thresholds.extend(self.best.choices().map(|choice| choice.number));
    }

    /// Runs all passes to a fixed point. As long as there is progress, a pass that fails often in
    /// a row yields to the others, which may make its work easy. The last round is one in which
    /// every pass had unlimited patience and found nothing.
    pub(crate) fn shrink(self) -> Shrunk {
        self.shrink_with(&PASSES)
    }

    fn shrink_with(mut self, passes: &[Pass]) -> Shrunk {
        let first = self.best.clone();
        let mut patience = SHORT_PATIENCE;
        loop {
            let before = self.revision;
            for pass in passes {
                // Creating candidates that cannot run takes time too.
                if !self.is_spent() {
                    self.patience = patience;
                    pass(&mut self);
                }
            }
            if self.is_spent() || (self.revision == before && patience == u64::MAX) {
                break;
            }
            patience = if self.revision == before { u64::MAX } else { SHORT_PATIENCE };
        }
        if canary::breaks(Invariant::ShrunkTapeIsSimpler) {
            self.best = Tape::new([self.tokens(), first.tokens()].concat());
        }
        internal_assert!(
            self.best.compare(&first).is_le() && self.failure.key() == self.failure_key,
            "shrinking made `{}` less simple or another failure: `{}`",
            first.to_text(),
            self.best.to_text()
        );
        Shrunk {
            gave_up: self.is_spent(),
            timed_out: self.timed_out,
            tape: self.best,
            failure: self.failure,
            executions: self.executions,
            others: self.others,
        }
    }

    fn is_spent(&self) -> bool {
        self.timed_out
            || self.executions >= self.executions_max
            || self.work.get() / WORK_PER_EXECUTION >= self.executions_max
    }

    /// Returns whether no attempt of this pass can run anymore. Passes then get nothing to work on,
    /// because creating candidates takes time too.
    fn is_stopped(&self) -> bool {
        self.patience == 0 || self.is_spent()
    }

    /// Counts tokens that a pass looks at or copies.
    fn charge(&self, tokens: usize) {
        self.work.set(self.work.get().saturating_add(tokens as u64));
    }

    /// Returns the spans of the best tape, or no spans if the pass must stop.
    fn spans(&mut self) -> Rc<Vec<Span>> {
        if self.is_stopped() {
            return Rc::default();
        }
        if let Some((revision, spans)) = &self.spans
            && *revision == self.revision
        {
            return Rc::clone(spans);
        }
        self.charge(self.tokens().len());
        let spans = Rc::new(self.best.spans());
        self.spans = Some((self.revision, Rc::clone(&spans)));
        spans
    }

    /// Returns the sequences of the best tape, or no sequences if the pass must stop.
    fn sequences(&mut self) -> Rc<Vec<Sequence>> {
        if self.is_stopped() {
            return Rc::default();
        }
        if let Some((revision, sequences)) = &self.sequences
            && *revision == self.revision
        {
            return Rc::clone(sequences);
        }
        self.charge(self.tokens().len());
        let sequences = Rc::new(self.best.sequences());
        self.sequences = Some((self.revision, Rc::clone(&sequences)));
        sequences
    }

    fn tokens(&self) -> &[Token] {
        self.best.tokens()
    }

    /// Runs an edited tape unless it was run before. Returns whether it became the best.
    fn attempt(&mut self, candidate: &Tape) -> bool {
        self.execute(candidate).is_some_and(|(simpler, _)| simpler)
    }

    /// Like [`attempt`](Self::attempt), but also returns the recorded tape, and `None` for a tape
    /// that was not run.
    #[inline(never)]
    fn execute(&mut self, candidate: &Tape) -> Option<(bool, Tape)> {
        self.charge(candidate.tokens().len());
        if self.is_stopped() || !self.tried.insert(key(candidate)) {
            return None;
        }
        self.executions += 1;
        self.patience -= 1;
        let (outcome, tape) = (self.run)(candidate);
        self.timed_out = (self.is_late)();
        self.tried.insert(key(&tape));
        let Outcome::Failed(failure) = outcome else { return Some((false, tape)) };
        if failure.key() != self.failure_key {
            self.add_other(failure, tape.clone());
            return Some((false, tape));
        }
        if tape.compare(&self.best).is_ge() {
            return Some((false, tape));
        }
        self.best = tape.clone();
        self.failure = failure;
        self.revision += 1;
        self.patience = self.patience.max(SHORT_PATIENCE);
        Some((true, tape))
    }

    fn add_other(&mut self, failure: Failure, tape: Tape) {
        let failure_key = failure.key();
        if self.others.iter().all(|(known, _)| known.key() != failure_key) {
            self.others.push((failure, tape));
        }
    }

    /// Returns the best tape with the numbers of some tokens replaced. Skips tokens that an
    /// improvement has removed. Returns an empty tape if the pass must stop.
    fn with_numbers(&self, changes: &[(usize, i128)]) -> Tape {
        if self.is_stopped() {
            return Tape::default();
        }
        let mut tokens = self.tokens().to_vec();
        for &(at, number) in changes {
            if let Some(Token::Choice(choice)) = tokens.get_mut(at) {
                choice.number = number;
            }
        }
        Tape::new(tokens)
    }
}

/// The sorted keys of the tapes that were run.
#[derive(Default)]
struct TriedTapes {
    keys: Vec<u64>,
}

impl TriedTapes {
    fn contains(&self, key: u64) -> bool {
        self.keys.binary_search(&key).is_ok()
    }

    /// Adds a key. Returns whether it is new.
    fn insert(&mut self, key: u64) -> bool {
        match self.keys.binary_search(&key) {
            Ok(_) => false,
            Err(at) => {
                self.keys.insert(at, key);
                true
            }
        }
    }
}

/// Returns a key that is the same for tapes that replay in the same way.
fn key(tape: &Tape) -> u64 {
    let mut key = 0;
    for token in tape.tokens() {
        let (kind, number) = match token {
            Token::Open(label) => (1, u128::from(label.id())),
            Token::Close => (2, 0),
            Token::Choice(choice) => (3, choice.number.cast_unsigned()),
        };
        for part in [kind, number as u64, (number >> 64) as u64] {
            key = mix(key ^ part);
        }
    }
    key
}
