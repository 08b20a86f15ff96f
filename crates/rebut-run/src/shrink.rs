//! Shrinking: from a tape that fails to the simplest one that fails in the same way.
//!
//! Reduction is internal, as in Hypothesis (MacIver and Donaldson 2020): it edits the choices
//! and never the value, so it works through every dependent draw and every invariant of a
//! generator. Simpler is shortlex: fewer choices, then smaller ones from the left on. What is
//! compared is the tape an execution *recorded*, so an edit may be as bold as it likes.
//!
//! Passes are run round after round until none of them finds anything. What keeps this cheap
//! is that no tape is run twice, that every search probes the simple end first (the answer is
//! usually small, however large the failing number was), and that deletions gallop.
//!
//! Invariant: the best tape always fails with the origin that was asked for, and is never
//! replaced by one that is not simpler.

mod elements;
mod numbers;
mod search;
mod spans;

use rebut_choice::{Tape, Token};

use crate::outcome::{Failure, Origin, Outcome};

/// Runs a tape: how it ended and what it drew.
pub(crate) type Run<'a> = dyn FnMut(&Tape) -> (Outcome, Tape) + 'a;

/// The state of one reduction.
pub(crate) struct Shrinker<'a> {
    run: &'a mut Run<'a>,
    origin: Origin,
    best: Tape,
    failure: Failure,
    seen: Seen,
    executions: u64,
    executions_max: u64,
    /// Grows with every improvement.
    revision: u64,
    /// How many failed attempts in a row the running pass may still make.
    patience: u64,
    /// Failures of other origins met on the way.
    others: Vec<(Failure, Tape)>,
}

/// What a reduction comes to.
#[derive(Debug)]
pub(crate) struct Shrunk {
    pub(crate) tape: Tape,
    pub(crate) failure: Failure,
    pub(crate) executions: u64,
    /// Whether the budget ended it, so that a simpler example may exist.
    pub(crate) gave_up: bool,
    pub(crate) others: Vec<(Failure, Tape)>,
}

/// How many attempts in a row may fail before another pass gets its turn.
const HASTE: u64 = 8;

/// A pass: tries edits of one sort.
type Pass = fn(&mut Shrinker<'_>);

/// In the order in which they pay: first what removes much at once.
const PASSES: [Pass; 17] = [
    spans::simplify,
    elements::renumber,
    elements::delete,
    spans::hoist,
    elements::inline,
    numbers::lower_equal,
    numbers::zero_runs,
    numbers::lower_together,
    numbers::lower_each,
    elements::merge,
    spans::reorder,
    spans::graft,
    numbers::translate,
    numbers::redistribute,
    numbers::outweigh,
    elements::delete_dependent,
    elements::trade,
];

impl<'a> Shrinker<'a> {
    /// A reduction of `tape`, which fails as `failure` says.
    pub(crate) fn new(
        run: &'a mut Run<'a>,
        tape: Tape,
        failure: Failure,
        executions_max: u64,
    ) -> Shrinker<'a> {
        let mut shrinker = Shrinker {
            run,
            origin: failure.origin(),
            best: Tape::default(),
            failure,
            seen: Seen::default(),
            executions: 0,
            executions_max,
            revision: 0,
            patience: 0,
            others: Vec::new(),
        };
        shrinker.seen.insert(key(&tape));
        shrinker.best = tape;
        shrinker
    }

    /// Says that the simplest case of all was run and passed.
    pub(crate) fn mark_simplest_seen(&mut self) {
        self.seen.insert(key(&spans::simplest_tape(&self.best)));
    }

    /// Runs all passes to a fixed point. As long as there is progress, a pass that fails
    /// often in a row gives way to the others, which may make its work easy; only a round in
    /// which all had all the patience they wanted and found nothing is the last.
    pub(crate) fn shrink(mut self) -> Shrunk {
        let mut patience = HASTE;
        loop {
            let before = self.revision;
            for pass in PASSES {
                // To make candidates that cannot be run takes time too.
                if !self.is_spent() {
                    self.patience = patience;
                    pass(&mut self);
                }
            }
            if self.is_spent() || (self.revision == before && patience == u64::MAX) {
                break;
            }
            patience = if self.revision == before { u64::MAX } else { HASTE };
        }
        Shrunk {
            gave_up: self.is_spent(),
            tape: self.best,
            failure: self.failure,
            executions: self.executions,
            others: self.others,
        }
    }

    fn is_spent(&self) -> bool {
        self.executions >= self.executions_max
    }

    fn tokens(&self) -> &[Token] {
        self.best.tokens()
    }

    /// Runs an edited tape unless it was run before; true if it became the best.
    fn attempt(&mut self, candidate: &Tape) -> bool {
        self.execute(candidate).is_some_and(|simpler| simpler)
    }

    /// As [`attempt`](Self::attempt), but tells a tape that was not run (`None`).
    #[inline(never)]
    fn execute(&mut self, candidate: &Tape) -> Option<bool> {
        if self.is_spent() || self.patience == 0 || !self.seen.insert(key(candidate)) {
            return None;
        }
        self.executions += 1;
        self.patience -= 1;
        let (outcome, tape) = (self.run)(candidate);
        self.seen.insert(key(&tape));
        let Outcome::Failed(failure) = outcome else { return Some(false) };
        if failure.origin() != self.origin {
            self.remember(failure, tape);
            return Some(false);
        }
        if tape.compare(&self.best).is_ge() {
            return Some(false);
        }
        self.best = tape;
        self.failure = failure;
        self.revision += 1;
        self.patience = self.patience.max(HASTE);
        Some(true)
    }

    fn remember(&mut self, failure: Failure, tape: Tape) {
        let origin = failure.origin();
        if self.others.iter().all(|(known, _)| known.origin() != origin) {
            self.others.push((failure, tape));
        }
    }

    /// The best tape with the numbers of some tokens replaced. Places that an improvement has
    /// done away with are passed over.
    fn with_numbers(&self, changes: &[(usize, i128)]) -> Tape {
        let mut tokens = self.tokens().to_vec();
        for &(at, number) in changes {
            if let Some(Token::Choice(choice)) = tokens.get_mut(at) {
                choice.number = number;
            }
        }
        Tape::new(tokens)
    }
}

/// Which tapes were run, by their keys, in order.
#[derive(Default)]
struct Seen {
    keys: Vec<u64>,
}

impl Seen {
    /// Whether it was not there before.
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

/// What makes two tapes the same to a replay.
fn key(tape: &Tape) -> u64 {
    let mut key = 0;
    for token in tape.tokens() {
        let (kind, number) = match token {
            Token::Open(label) => (1, u128::from(label.id())),
            Token::Close => (2, 0),
            Token::Choice(choice) => (3, choice.number.cast_unsigned()),
        };
        for part in [kind, number as u64, (number >> 64) as u64] {
            key = mixed(key ^ part);
        }
    }
    key
}

/// Spreads a change of any bit over all of them: the finalizer of SplitMix64 (Steele, Lea and
/// Flood 2014).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}
