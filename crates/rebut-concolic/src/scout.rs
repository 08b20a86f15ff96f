//! Finds out which functions a test calls, and whether it fails on inputs drawn at random.
//!
//! All functions of a module are compiled once, as they are and without much care for the code,
//! for all tests of the module. A run of that is cheap, and tells which functions have to be
//! instrumented and compiled with care. The inputs are those that `cargo test` would draw: so
//! what fails easily is found before the first question to a solver, and the code that common
//! inputs need is there from the beginning.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use rebut_choice::{Random, Tape};

use crate::instrument::{Beyond, Called, Plan, Unfit};
use crate::machine::replay::Shown;
use crate::machine::{Compiled, Description, Ended, Order, Quality, State, Wish, engine};
use crate::trace::Outcome;

/// A module whose tests can be tried.
pub struct Scout {
    pub(crate) wasm: Arc<[u8]>,
    pub(crate) beyond: Beyond,
    compiled: Compiled,
    /// Runs are taken in turn: the pool of instances is small, and runs are short.
    turn: Mutex<()>,
}

impl std::fmt::Debug for Scout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scout").finish_non_exhaustive()
    }
}

/// A function that can stand in for another, if a test is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The name of the test, without its path.
    pub test: String,
    /// The function.
    pub(crate) of: u32,
    /// What stands in for it.
    pub(crate) stand_in: u32,
}

/// What random inputs showed.
#[derive(Debug, Default)]
pub(crate) struct Tried {
    pub(crate) called: Called,
    /// The inputs that failed, one for each place of failure.
    pub(crate) failing: Vec<Tape>,
}

impl Scout {
    /// Compiles a module; `beyond` says what functions cannot be run here.
    ///
    /// # Errors
    /// If the module cannot be read, or needs what cannot be provided.
    pub fn new(wasm: Arc<[u8]>, beyond: Beyond) -> Result<Scout, Unfit> {
        let engine = engine(Quality::Draft)?;
        let compiled = Compiled::new(&engine, &wasm, &Plan::Plain, Some(beyond))?;
        Ok(Scout { wasm, beyond, compiled, turn: Mutex::new(()) })
    }

    /// What a test says of itself.
    ///
    /// # Errors
    /// If it does not say anything.
    pub fn describe(&self, test: &str) -> Result<Description, Unfit> {
        let order = Order { wish: Wish::Describe, fuel: 1 << 20, ..Order::default() };
        let description = self.run(test, &order, None).state.description;
        description.ok_or_else(|| Unfit::new("the test does not describe itself"))
    }

    /// The values that a case of a test draws.
    #[must_use]
    pub fn show(&self, test: &str, tape: &Tape) -> Vec<Shown> {
        let numbers = tape.choices().map(|choice| choice.number).collect();
        let order = Order { numbers, fuel: FUEL_TO_SHOW, length: usize::MAX, wish: Wish::Show };
        self.run(test, &order, None).state.shown
    }

    /// What can stand in for functions of the module, once it is proved.
    #[must_use]
    pub fn summaries(&self) -> Vec<Summary> {
        let names = self.compiled.exports(SUMMARY).into_iter();
        names.filter_map(|export| self.summary(&export)).collect()
    }

    fn summary(&self, export: &str) -> Option<Summary> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let [of, stand_in] = [0, 1].map(|which| {
            let place = self.compiled.ask(export, which)?;
            self.compiled.layout.table.get(place as usize).copied().flatten()
        });
        let (name, _) = export.strip_prefix(SUMMARY)?.rsplit_once('_')?;
        Some(Summary { test: name.to_owned(), of: of?, stand_in: stand_in? })
    }

    /// The functions that a test calls with this input.
    pub(crate) fn called(&self, test: &str, order: &Order) -> Called {
        self.called_by(&self.run(test, order, None))
    }

    /// Runs a test on its simplest input and on so many drawn at random.
    pub(crate) fn try_out(&self, test: &str, order: &Order, cases: u64) -> Tried {
        let mut tried = Tried::default();
        let mut places = Vec::new();
        for case in 0..=cases {
            // Each case is a function of its number.
            let random = case.checked_sub(1).map(|case| {
                let mut random = Random::new(0);
                random.reset(SEED, case);
                random
            });
            let ended = self.run(test, order, random);
            let called = self.called_by(&ended);
            tried.called.full.extend(called.full);
            tried.called.quick.extend(called.quick);
            if let Some(Outcome::Failed(failure)) = ended.state.outcome {
                let place = (failure.file, failure.line, failure.column);
                if !places.contains(&place) {
                    places.push(place);
                    tried.failing.push(Tape::new(ended.state.tokens));
                }
            }
        }
        tried
    }

    fn run(&self, test: &str, order: &Order, random: Option<Random>) -> Ended {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = State::new(self.compiled.recorder(), order, &self.compiled);
        state.random = random;
        self.compiled.run(test, state, order, &vec![0; self.compiled.layout.modes().len()])
    }

    /// Whether a function has nothing to do with symbols, as a rule: it is made ready for them
    /// when it is asked for.
    pub(crate) fn is_aloof(&self, function: u32) -> bool {
        self.compiled.names.get(&function).is_some_and(|name| name.contains(ALLOCATOR))
    }

    /// Whether functions are called that use the hasher on their own.
    pub(crate) fn uses_hasher(&self, called: &Called) -> bool {
        let others = &self.compiled.layout.hash_others;
        others.iter().any(|other| called.full.contains(other) || called.quick.contains(other))
    }

    /// The functions that left a mark, told apart by whether that was before a panic.
    fn called_by(&self, ended: &Ended) -> Called {
        let imports = self.compiled.layout.imports;
        let marked = |marks: &[u8]| {
            let marks = (imports..).zip(marks.to_vec());
            marks.filter(|(_, mark)| *mark != 0).map(|(function, _)| function).collect()
        };
        let mut full: BTreeSet<u32> =
            marked(ended.state.marks_at_panic.as_ref().unwrap_or(&ended.marks));
        full.retain(|function| !self.is_aloof(*function));
        Called { full, quick: marked(&ended.marks), ..Called::default() }
    }
}

/// Rounds of loops of a run that shows its values: more than an exploration allows to most.
const FUEL_TO_SHOW: u64 = 100_000_000;

/// How the exports of summaries begin.
const SUMMARY: &str = "rebut_summary_";

/// Sizes are plain numbers, as a rule.
const ALLOCATOR: &str = "8dlmalloc";

/// Where random inputs begin. Any number is as good.
const SEED: u64 = 0x5eed;
