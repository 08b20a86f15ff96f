//! Finds the functions that a test calls, and random inputs on which it fails.
//!
//! All functions of a module are compiled once in their plain version, without optimization, for
//! all tests of the module. A run of that is cheap. It shows which functions have to be
//! instrumented and optimized. The inputs are generated as `cargo test` does, so easy failures are
//! found before the first solver query, and the functions that common inputs need exist from the
//! start.

use rebut_protocol::wasm::{self, EntryCommand, SummaryFunction};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use rebut_choice::{Random, Tape};
use wasmparser::{Parser, Payload, TypeRef};

use crate::explore::Leaf;
use crate::instrument::{CalledFunctions, ModuleError, Plan, UnsupportedCall};
use crate::machine::code_cache::CodeCache;
use crate::machine::replay::ShownValue;
use crate::machine::{Compiled, Description, Quality, RunEnd, RunRequest, State, engine};
use crate::machine::{StaticValue, Statics};
use crate::trace::Outcome;

/// A module compiled for trial runs of its tests.
pub struct Scout {
    pub(crate) wasm: Arc<[u8]>,
    pub(crate) unsupported: UnsupportedCall,
    pub(crate) statics: Arc<Statics>,
    pub(crate) cache: Option<Arc<CodeCache>>,
    compiled: Compiled,
    /// Serializes runs: the pool of instances is small, and runs are short.
    turn: Mutex<()>,
}

impl std::fmt::Debug for Scout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scout").finish_non_exhaustive()
    }
}

/// A function that may be replaced by another once a test is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The name of the test that proves the summary, without its path.
    pub test: String,
    /// The function.
    pub(crate) of: u32,
    /// Its replacement.
    pub(crate) stand_in: u32,
}

/// The results of trial runs.
#[derive(Debug, Default)]
pub(crate) struct TrialRuns {
    pub(crate) called: CalledFunctions,
    /// Failing inputs, one for each location of a failure.
    pub(crate) failing: Vec<Tape>,
}

impl Scout {
    /// Compiles a module. `unsupported` names the functions that cannot run here.
    ///
    /// # Errors
    /// If the module cannot be read, or needs imports that cannot be provided.
    pub fn new(wasm: Arc<[u8]>, unsupported: UnsupportedCall) -> Result<Scout, ModuleError> {
        Scout::with_cache(wasm, unsupported, None)
    }

    /// Like [`Scout::new`]. All code of the module is taken from a cache if it is there, and kept
    /// in it otherwise.
    ///
    /// # Errors
    /// Those of [`Scout::new`].
    pub fn with_cache(
        wasm: Arc<[u8]>,
        unsupported: UnsupportedCall,
        cache: Option<Arc<CodeCache>>,
    ) -> Result<Scout, ModuleError> {
        let engine = engine(Quality::Draft)?;
        let compiled =
            Compiled::new(&engine, &wasm, &Plan::Plain, Some(unsupported), cache.as_deref())?;
        let statics = Arc::new(Statics::read(&wasm));
        Ok(Scout { wasm, unsupported, statics, cache, compiled, turn: Mutex::new(()) })
    }

    /// Returns a test's description of itself.
    ///
    /// # Errors
    /// If the test does not describe itself.
    pub fn describe(&self, test: &str) -> Result<Description, ModuleError> {
        let request = RunRequest {
            command: EntryCommand::Describe,
            fuel: FUEL_TO_DESCRIBE,
            ..RunRequest::default()
        };
        let description = self.run(test, &request, None).state.description;
        description.ok_or_else(|| ModuleError::new("the test does not describe itself"))
    }

    /// Returns the values that a case of a test draws.
    #[must_use]
    pub fn show(&self, test: &str, tape: &Tape) -> Vec<ShownValue> {
        let numbers = tape.choices().map(|choice| choice.number).collect();
        let request = RunRequest {
            numbers,
            fuel: FUEL_TO_SHOW,
            length: usize::MAX,
            command: EntryCommand::Show,
        };
        self.run(test, &request, None).state.shown
    }

    /// Returns the summaries of functions in the module. They may be used once their tests are
    /// proved.
    #[must_use]
    pub fn summaries(&self) -> Vec<Summary> {
        let names = self.compiled.exports(wasm::SUMMARY_PREFIX).into_iter();
        names.filter_map(|export| self.summary(&export)).collect()
    }

    fn summary(&self, export: &str) -> Option<Summary> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let [of, stand_in] = [SummaryFunction::Original, SummaryFunction::StandIn].map(|which| {
            let place = self.compiled.call_summary(export, which)?;
            self.compiled.layout.table.get(place as usize).copied().flatten()
        });
        let name = wasm::summary_of_export(export)?;
        Some(Summary { test: name.to_owned(), of: of?, stand_in: stand_in? })
    }

    /// Returns the code of the functions that these paths of a test call.
    #[must_use]
    pub fn executed_code(&self, test: &str, leaves: &[Leaf]) -> Vec<Range<u32>> {
        let mut called = BTreeSet::new();
        for leaf in leaves {
            let numbers = leaf.tape.choices().map(|choice| choice.number).collect();
            let request = RunRequest {
                numbers,
                fuel: FUEL_TO_SHOW,
                length: usize::MAX,
                command: EntryCommand::Run,
            };
            called.extend(self.called(test, &request).full);
        }
        let code = code_of_functions(&self.wasm);
        called.iter().filter_map(|function| code.get(function).cloned()).collect()
    }

    /// Returns the functions that a test calls with this input.
    pub(crate) fn called(&self, test: &str, request: &RunRequest) -> CalledFunctions {
        self.called_by(&self.run(test, request, None))
    }

    /// Runs a test on its simplest input and on `cases` random ones.
    pub(crate) fn run_trials(&self, test: &str, request: &RunRequest, cases: u64) -> TrialRuns {
        let mut trials = TrialRuns::default();
        let mut places = Vec::new();
        for case in 0..=cases {
            // Each case depends on its number alone.
            let random = case.checked_sub(1).map(random_case);
            let ended = self.run(test, request, random);
            let called = self.called_by(&ended);
            trials.called.full.extend(called.full);
            trials.called.quick.extend(called.quick);
            if let Some(Outcome::Failed(failure)) = ended.state.outcome {
                let place = (failure.file, failure.line, failure.column);
                if !places.contains(&place) {
                    places.push(place);
                    trials.failing.push(Tape::new(ended.state.tokens));
                }
            }
        }
        trials
    }

    /// Whether a static that a case changes has the same value after any sequence of cases: the one
    /// of the start until a case sets it, and the same one from then on.
    pub(crate) fn sets_once(&self, test: &str, request: &RunRequest, nth: usize) -> bool {
        let after = |cases: &[Option<u64>]| self.values_after(test, request, cases, nth);
        // A case that passes must pass again, so both the value and the result are compared.
        let Some(set) = after(&[None, None]).filter(|ends| ends[0] == ends[1]) else {
            return false;
        };
        let (set, is_passed) = &set[0];
        (0..OTHER_CASES).all(|other| {
            let (Some(then_other), Some(other_first)) =
                (after(&[None, Some(other)]), after(&[Some(other), None]))
            else {
                return false;
            };
            // The other case may not need the value.
            then_other.iter().all(|(value, _)| value == set)
                && then_other[1].1 == other_first[0].1
                && other_first[1].0 == *set
                && other_first[1].1 == *is_passed
        })
    }

    /// Returns the value of a static after each of these cases, and whether it passed: that of the request, or a random
    /// one with this number. `None` if it cannot be compared.
    fn values_after(
        &self,
        test: &str,
        request: &RunRequest,
        cases: &[Option<u64>],
        nth: usize,
    ) -> Option<Vec<(StaticValue, bool)>> {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let state = |case: &Option<u64>| {
            let numbers = if case.is_some() { Vec::new() } else { request.numbers.clone() };
            let request = RunRequest { numbers, ..request.clone() };
            let mut state = State::new(self.compiled.recorder(), &request, &self.compiled);
            state.random = case.map(random_case);
            state
        };
        let states: Vec<State> = cases.iter().map(state).collect();
        let values = self.compiled.values_after(test, states, &self.statics, nth, request.fuel);
        values.ok()?.into_iter().map(|(value, is_passed)| Some((value?, is_passed))).collect()
    }

    fn run(&self, test: &str, request: &RunRequest, random: Option<Random>) -> RunEnd {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = State::new(self.compiled.recorder(), request, &self.compiled);
        state.random = random;
        self.compiled.run(
            test,
            state,
            request,
            &vec![0; self.compiled.layout.function_flags().len()],
        )
    }

    /// Whether a function is instrumented only on demand. The functions of the allocator are: sizes
    /// are usually plain, and the allocator is large.
    pub(crate) fn is_instrumented_on_demand(&self, function: u32) -> bool {
        self.compiled.names.get(&function).is_some_and(|name| name.contains(ALLOCATOR))
    }

    /// Whether functions are called that contain the hasher but do not just hash one key.
    pub(crate) fn uses_hasher(&self, called: &CalledFunctions) -> bool {
        let others = &self.compiled.layout.hasher_users;
        others.iter().any(|other| called.full.contains(other) || called.quick.contains(other))
    }

    /// Returns the functions whose flags are set; those that were called before a panic are `full`.
    fn called_by(&self, ended: &RunEnd) -> CalledFunctions {
        let imports = self.compiled.layout.imports;
        let marked = |marks: &[u8]| {
            let marks = (imports..).zip(marks.to_vec());
            marks.filter(|(_, mark)| *mark != 0).map(|(function, _)| function).collect()
        };
        let mut full: BTreeSet<u32> =
            marked(ended.state.marks_at_panic.as_ref().unwrap_or(&ended.marks));
        full.retain(|function| !self.is_instrumented_on_demand(*function));
        CalledFunctions { full, quick: marked(&ended.marks), ..CalledFunctions::default() }
    }
}

/// The number of random cases that run before and after a case to see whether they leave the same
/// values in statics. Arbitrary; state that the first few cases do not change is rare.
const OTHER_CASES: u64 = 5;

/// Returns the answers of a random case.
fn random_case(number: u64) -> Random {
    let mut random = Random::new(0);
    random.reset(SEED, number);
    random
}

/// The fuel of a run that describes the test. Arbitrary. A test that exceeds it counts as one that
/// does not describe itself.
const FUEL_TO_DESCRIBE: u64 = 1 << 20;

/// The fuel of a run that shows its values: ten times the default of an exploration. Arbitrary. A
/// run that exceeds it shows the values that it got to.
const FUEL_TO_SHOW: u64 = 100_000_000;

/// A part of the mangled names of the allocator's functions.
const ALLOCATOR: &str = "8dlmalloc";

/// The seed of random inputs. Arbitrary; fixed so that explorations are reproducible.
const SEED: u64 = 0x5eed;

/// The offsets of the code of all functions in a module.
fn code_of_functions(wasm: &[u8]) -> HashMap<u32, Range<u32>> {
    let mut code = HashMap::new();
    let mut next = 0;
    for payload in Parser::new(0).parse_all(wasm).flatten() {
        match payload {
            Payload::ImportSection(section) => {
                let imports = section.into_imports().flatten();
                let functions = imports.filter(|one| matches!(one.ty, TypeRef::Func(_)));
                next += functions.count() as u32;
            }
            Payload::CodeSectionEntry(body) => {
                let range = body.range();
                code.insert(next, range.start as u32..range.end as u32);
                next += 1;
            }
            _ => {}
        }
    }
    code
}
