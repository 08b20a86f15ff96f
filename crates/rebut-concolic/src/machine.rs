//! Runs a test of an instrumented module in wasmtime, from the start, as often as needed.
//!
//! Each run gets a new instance from a pool whose memory is copied only where it is written. The
//! draws of a test are answered from a list of numbers; after its end, with the simplest number of
//! each domain.
//!
//! [`Machine::run`] repeats a run until it needs no correction. Two things can be wrong with the
//! module: a quick version meets a symbol (`deoptimized`: the function is marked and the run starts
//! again), or a version of a function was not written (`missing`: the module is instrumented and
//! compiled again).

pub(crate) mod code_cache;
mod compiled;
pub(crate) mod imports;
mod intrinsics;
pub(crate) mod replay;
mod shared_code;
mod statics;

use rebut_protocol::wasm::{self, EntryCommand};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use rebut_choice::{
    Choice, ChoiceKind, Domain, Driver, Label, Random, Replay, Request, Role, Tape, Token,
    friendly_mocks,
};
use wasmtime::Memory;

pub use compiled::Quality;
pub(crate) use compiled::{Compiled, RunEnd, engine};
use shared_code::SharedCode;
pub(crate) use statics::{StaticValue, Statics};

use crate::doubt::Doubt;
use crate::hooks::{Halt, Shadow, Site};
use crate::instrument::{self, CalledFunctions, Frame, Layout, ModuleError, Plan, UnsupportedCall};
use crate::observe::{Listener, WatchedSlots};
use crate::record::{Bound, Recorder};
use crate::scout::{Scout, Summary, TrialRuns};
use crate::trace::{Loss, Outcome, Trace};

/// A compiled module, ready to run one of its tests.
pub struct Machine {
    scout: Arc<Scout>,
    test: String,
    shared_code: Arc<SharedCode>,
    called: CalledFunctions,
    compiled: Arc<Compiled>,
    /// For each function of the module, 1 if it is known to meet symbols.
    meets_symbols: Vec<u8>,
    /// Whether a run has hashed a key.
    hashes: bool,
    /// Random inputs that fail.
    failing: Vec<Tape>,
    /// Summaries that replace functions.
    summaries: Vec<Summary>,
    /// The number of times that earlier runs became invalid because hashers got their real results
    /// back.
    restarts: usize,
    /// Set while a failure is retried: the tape without the answers of friendly mocks, and the
    /// number of the retry.
    friendly_retry: Option<(Tape, u64)>,
    /// Sites by call stack, for runs that needed something unsupported.
    unsupported_sites: HashMap<Vec<Frame>, Vec<Site>>,
    /// The slots of a probe that are observed; all if `None`.
    watch: Option<Arc<WatchedSlots>>,
    /// For each static that a run has changed, whether it is set once.
    changed_statics: HashMap<usize, bool>,
}

impl std::fmt::Debug for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Machine").field("test", &self.test).finish_non_exhaustive()
    }
}

/// The input and the limits of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunRequest {
    /// The answers to the first draws.
    pub(crate) numbers: Vec<i128>,
    /// The number of loop rounds that the run may take.
    pub(crate) fuel: u64,
    /// The longest collection that exploration looks for; drawn numbers themselves are not limited.
    pub(crate) length: usize,
    /// The command to the entry point of the test.
    pub(crate) command: EntryCommand,
}

/// The host's state of a run.
pub(crate) struct State {
    recorder: Recorder,
    numbers: Vec<i128>,
    /// Answers the draws after `numbers`; `None` answers with the simplest number.
    pub(crate) random: Option<Random>,
    /// Answers all draws, if set.
    replay: Option<Replay>,
    length: i128,
    /// The number of open spans inside of a summary. Draws in there stand for the result of a
    /// function, so they are not part of the tape.
    summary_depth: usize,
    pub(crate) tokens: Vec<Token>,
    memory: Option<Memory>,
    shadow: Option<Memory>,
    /// The shadows of the arguments of the current draw.
    arguments: [Shadow; 3],
    answer: Shadow,
    halt: Option<Halt>,
    /// The function whose quick version met a symbol.
    deoptimized: Option<u32>,
    /// A function that must be written, and whether its full version is needed.
    missing: Option<(u32, bool)>,
    /// Whether a key was hashed.
    hashes: bool,
    layout: Arc<Layout>,
    /// The active calls when the run needed something unsupported.
    frames: Vec<Frame>,
    /// The statics to compare after the run.
    statics: Arc<Statics>,
    /// The statics that the run changed, and whether their values depend on draws.
    changed_statics: Vec<(usize, bool)>,
    /// The flags of functions when a panic began.
    pub(crate) marks_at_panic: Option<Vec<u8>>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) description: Option<Description>,
    /// The values of the case, if the command was to show them.
    pub(crate) shown: Vec<replay::ShownValue>,
    /// Collects the observations of a probe.
    listener: Listener,
    /// Whether the run ends where the test begins to report its failure.
    ends_when_failing: bool,
}

/// A test's description of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The path of the test, as in a native run.
    pub path: String,
    /// The file that contains it.
    pub file: String,
    /// The line of its attribute.
    pub line: u32,
    /// Whether the test claims that a matching input exists (`exists`).
    pub is_exists: bool,
    /// Whether the test claims that no matching input exists (`not_exists`).
    pub is_not_exists: bool,
    /// Whether its inputs come from a specification.
    pub has_specification: bool,
    /// Whether it has `#[should_panic]`.
    pub should_panic: bool,
    /// Whether it has `#[ignore]`.
    pub is_ignored: bool,
}

/// Returns the tests of a module, by the names of their exported entry points.
///
/// # Errors
/// If the module cannot be read.
pub fn tests(module: &[u8]) -> Result<Vec<String>, ModuleError> {
    let mut names = Vec::new();
    for payload in wasmparser::Parser::new(0).parse_all(module) {
        if let wasmparser::Payload::ExportSection(section) = payload? {
            for export in section {
                let export = export?;
                if export.name.starts_with(wasm::TEST_PREFIX) {
                    names.push(export.name.to_owned());
                }
            }
        }
    }
    Ok(names)
}

/// The number of random inputs that a test runs on before it is explored. Arbitrary. With fewer,
/// more functions are missing later, and each of them compiles the module again; easy failures are
/// then found by exploration instead.
const CASES: u64 = 50;

impl Machine {
    /// Prepares a module to run one of its tests, named by its export.
    ///
    /// # Errors
    /// If the module cannot be read, or needs imports that cannot be provided.
    pub fn new(
        wasm: Arc<[u8]>,
        test: &str,
        unsupported: UnsupportedCall,
    ) -> Result<Machine, ModuleError> {
        Machine::with_scout(Arc::new(Scout::new(wasm, unsupported)?), test)
    }

    /// Like [`Machine::new`], for a module that was scouted already.
    ///
    /// # Errors
    /// If the module cannot be read, or needs imports that cannot be provided.
    pub fn with_scout(scout: Arc<Scout>, test: &str) -> Result<Machine, ModuleError> {
        Machine::with_summaries(scout, test, &[])
    }

    /// Like [`Machine::with_scout`], with functions replaced by their summaries.
    ///
    /// # Errors
    /// If the module cannot be read, or needs imports that cannot be provided.
    pub fn with_summaries(
        scout: Arc<Scout>,
        test: &str,
        summaries: &[Summary],
    ) -> Result<Machine, ModuleError> {
        let mut trials = run_trials(&scout, test);
        let replaced = summaries.iter().map(|summary| (summary.of, summary.stand_in));
        trials.called.replaced = replaced.collect();
        let shared_code = Arc::new(SharedCode::new(&scout, trials.called.clone(), Quality::Fine)?);
        let mut machine = Machine::of(scout, test, trials, shared_code);
        machine.summaries = summaries.to_vec();
        Ok(machine)
    }

    /// Like [`Machine::with_scout`], for several tests of a module, which share their compiled
    /// code.
    ///
    /// # Errors
    /// If the module cannot be read, or needs imports that cannot be provided.
    pub fn for_tests(
        scout: &Arc<Scout>,
        tests: &[&str],
        quality: Quality,
    ) -> Result<Vec<Machine>, ModuleError> {
        let trials: Vec<TrialRuns> = tests.iter().map(|test| run_trials(scout, test)).collect();
        // Real hashes need code of their own, so these machines share nothing.
        let (apart, together): (Vec<&TrialRuns>, Vec<&TrialRuns>) =
            trials.iter().partition(|trials| trials.called.keeps_hashes);
        let mut all = CalledFunctions::default();
        together.iter().for_each(|trials| all.extend(&trials.called));
        let shared_code = match (apart.as_slice(), together.as_slice()) {
            ([_, ..], []) => None,
            _ => Some(Arc::new(SharedCode::new(scout, all.clone(), quality)?)),
        };
        let make = |(test, mut trials): (&&str, TrialRuns)| {
            let shared_code = match shared_code.as_ref().filter(|_| !trials.called.keeps_hashes) {
                Some(shared_code) => {
                    trials.called = all.clone();
                    Arc::clone(shared_code)
                }
                None => Arc::new(SharedCode::new(scout, trials.called.clone(), quality)?),
            };
            Ok(Machine::of(Arc::clone(scout), test, trials, shared_code))
        };
        tests.iter().zip(trials).map(make).collect()
    }

    fn of(
        scout: Arc<Scout>,
        test: &str,
        trials: TrialRuns,
        shared_code: Arc<SharedCode>,
    ) -> Machine {
        let compiled = shared_code.compiled();
        Machine {
            test: test.to_owned(),
            meets_symbols: vec![0; compiled.layout.function_flags().len()],
            called: trials.called,
            failing: trials.failing,
            summaries: Vec::new(),
            hashes: false,
            restarts: 0,
            friendly_retry: None,
            unsupported_sites: HashMap::new(),
            watch: None,
            changed_statics: HashMap::new(),
            scout,
            shared_code,
            compiled,
        }
    }

    /// Limits the observations of a probe to these slots.
    pub fn watch(&mut self, watch: WatchedSlots) {
        self.watch = Some(Arc::new(watch));
    }

    /// Writes and compiles the module again, with the missing function and with all others that the
    /// same input calls.
    fn extend(
        &mut self,
        request: &RunRequest,
        function: u32,
        is_full: bool,
    ) -> Result<(), ModuleError> {
        let more = self.scout.called(&self.test, request);
        self.called.full.extend(more.full);
        self.called.quick.extend(more.quick);
        if is_full { &mut self.called.full } else { &mut self.called.quick }.insert(function);
        let is_instrumented_on_demand =
            |function: &u32| self.scout.is_instrumented_on_demand(*function);
        if self.called.full.iter().any(is_instrumented_on_demand) {
            // A symbolic size reached the allocator. If one of its functions meets it, the others
            // will meet it too.
            let all: Vec<u32> =
                self.called.quick.iter().copied().filter(is_instrumented_on_demand).collect();
            self.called.full.extend(all);
        }
        if self.compiled.layout.hasher_users.contains(&function) {
            self.called.keeps_hashes = true;
            self.hashes = false;
            self.restarts += 1;
        }
        self.compiled = self.shared_code.with(&self.scout, &mut self.called)?;
        self.unsupported_sites.clear();
        Ok(())
    }

    /// Returns an empty recorder for this module.
    pub(crate) fn recorder(&self) -> Recorder {
        self.compiled.recorder()
    }

    /// Returns the mangled name of a function.
    pub fn name(&self, function: u32) -> Option<&str> {
        self.compiled.names.get(&function).map(String::as_str)
    }

    /// Whether keys were hashed to 0: the result assumes that no code depends on hash values.
    pub fn assumes_hashes(&self) -> bool {
        self.hashes
    }

    /// Returns the tests whose summaries replaced functions.
    pub fn assumed(&self) -> Vec<String> {
        let is_used = |summary: &&Summary| self.called.full.contains(&summary.stand_in);
        self.summaries.iter().filter(is_used).map(|summary| summary.test.clone()).collect()
    }

    /// Returns random inputs that fail, one for each location of a failure.
    pub(crate) fn failing(&self) -> &[Tape] {
        &self.failing
    }

    /// Returns the number of times that the code changed so much that earlier runs became invalid.
    pub(crate) fn restarts(&self) -> usize {
        self.restarts
    }

    /// Returns the test's description of itself.
    ///
    /// # Errors
    /// If the test does not describe itself.
    pub fn describe(&self) -> Result<Description, ModuleError> {
        self.scout.describe(&self.test)
    }

    /// Runs the test once, and again as long as the module has to be corrected.
    pub(crate) fn run(
        &mut self,
        mut recorder: Recorder,
        request: &RunRequest,
    ) -> (Recorder, Trace) {
        loop {
            recorder.begin();
            let mut state = State::new(recorder, request, &self.compiled);
            state.listener = Listener::watching(self.watch.clone());
            state.statics = Arc::clone(&self.scout.statics);
            let friendly_retry = self.friendly_retry.as_ref();
            state.replay = friendly_retry.map(|(tape, nth)| friendly_mocks::behavior(tape, *nth));
            let RunEnd { fuel, mut state, .. } =
                self.compiled.run(&self.test, state, request, &self.meets_symbols);
            self.hashes |= state.hashes;
            if let Some(function) = state.deoptimized {
                self.meets_symbols[(function - self.compiled.layout.imports) as usize] = 1;
                recorder = state.recorder;
                continue;
            }
            let mut outcome = state.outcome.take().unwrap_or(Outcome::Passed);
            if let Some((function, is_full)) = state.missing {
                match self.extend(request, function, is_full) {
                    Ok(()) => {
                        recorder = state.recorder;
                        continue;
                    }
                    Err(error) => outcome = Outcome::Internal(error.to_string()),
                }
            }
            if matches!(outcome, Outcome::Failed(_)) && state.listener.is_in_slot_that_may_panic() {
                outcome = Outcome::Rejected("an observer panics".to_owned());
            }
            let calls = self.calls(state.frames);
            let mut recorder = state.recorder;
            recorder.doubts.extend(self.doubts_of_state(request, &state.changed_statics));
            let trace = Trace {
                calls,
                steps: std::mem::take(&mut recorder.steps),
                inputs: std::mem::take(&mut recorder.inputs),
                exact_steps: recorder.exact_steps(),
                losses: std::mem::take(&mut recorder.losses),
                doubts: std::mem::take(&mut recorder.doubts),
                open_conditions: std::mem::take(&mut recorder.open_conditions),
                tape: Tape::new(state.tokens),
                observations: state.listener.end(),
                outcome,
                fuel: request.fuel.saturating_sub(fuel),
            };
            return (recorder, trace);
        }
    }

    /// Returns a doubt for each static that a run changed, unless it is set once.
    fn doubts_of_state(&mut self, request: &RunRequest, changed: &[(usize, bool)]) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        for (nth, depends_on_draws) in changed {
            let scout = &self.scout;
            let is_set_once = self.changed_statics.entry(*nth);
            let is_set_once =
                is_set_once.or_insert_with(|| scout.sets_once(&self.test, request, *nth));
            if *depends_on_draws || !*is_set_once {
                doubts.push(Doubt::State(self.scout.statics.name(*nth).to_owned()));
            }
        }
        doubts
    }

    /// Whether a failing case passes with other answers of friendly mocks and the same values
    /// otherwise. Tries the same answers as a native run.
    pub(crate) fn passes_with_other_answers(&mut self, tape: &Tape, request: &RunRequest) -> bool {
        let Some(open) = friendly_mocks::without_answers(tape) else { return false };
        let passes = (0..friendly_mocks::BEHAVIORS_MAX).any(|nth| {
            self.friendly_retry = Some((open.clone(), nth));
            self.run(self.recorder(), request).1.outcome == Outcome::Passed
        });
        self.friendly_retry = None;
        passes
    }

    /// Translates a call stack to sites of the original module; empty if that fails.
    fn calls(&mut self, frames: Vec<Frame>) -> Vec<Site> {
        if frames.is_empty() {
            return Vec::new();
        }
        if let Some(sites) = self.unsupported_sites.get(&frames) {
            return sites.clone();
        }
        let plan = Plan::Called(self.called.clone());
        let unsupported = Some(self.scout.unsupported);
        let sites = instrument::callers(&self.scout.wasm, &plan, unsupported, &frames);
        let sites = sites.unwrap_or_default();
        self.unsupported_sites.insert(frames, sites.clone());
        sites
    }
}

/// Runs a test on random inputs.
fn run_trials(scout: &Scout, test: &str) -> TrialRuns {
    let request = RunRequest { fuel: FUEL_OF_TRIALS, length: usize::MAX, ..RunRequest::default() };
    let mut trials = scout.run_trials(test, &request, CASES);
    // Functions that the trials call are never missing later, so users of the hasher among them
    // must be found here.
    trials.called.keeps_hashes = scout.uses_hasher(&trials.called);
    trials
}

/// The number of loop rounds that a trial run may take: a tenth of what exploration allows to a
/// run. Arbitrary. A longer run ends early, and the functions that it calls after that are added
/// when a run needs them.
const FUEL_OF_TRIALS: u64 = 1_000_000;

impl State {
    pub(crate) fn new(recorder: Recorder, request: &RunRequest, compiled: &Compiled) -> State {
        State::of(recorder, request, Arc::clone(&compiled.layout))
    }

    fn of(recorder: Recorder, request: &RunRequest, layout: Arc<Layout>) -> State {
        State {
            recorder,
            numbers: request.numbers.clone(),
            random: None,
            replay: None,
            length: request.length as i128,
            summary_depth: 0,
            tokens: Vec::new(),
            memory: None,
            shadow: None,
            arguments: [0; 3],
            answer: 0,
            halt: None,
            deoptimized: None,
            missing: None,
            hashes: false,
            layout,
            frames: Vec::new(),
            statics: Arc::default(),
            changed_statics: Vec::new(),
            marks_at_panic: None,
            outcome: None,
            description: None,
            shown: Vec::new(),
            listener: Listener::default(),
            ends_when_failing: false,
        }
    }

    /// Notes the statics that the run changed.
    fn note_changed_statics(&mut self, memory: &[u8]) {
        let has_symbol =
            |range: Range<usize>| self.recorder.has_symbol(range.start as u32, range.len() as u32);
        for nth in self.statics.changed(memory, &has_symbol) {
            let parts = self.statics.parts(nth, memory);
            let depends_on_draws = parts.is_none_or(|parts| {
                let mut parts = parts.into_iter();
                parts.any(has_symbol)
            });
            self.changed_statics.push((nth, depends_on_draws));
        }
    }

    /// Answers a draw and adds it to the tape.
    fn choose(&mut self, domain: Domain) -> i128 {
        let drawn = self.recorder.inputs.len();
        let request = Request::plain(domain);
        let wanted = match (self.numbers.get(drawn), &mut self.random) {
            _ if self.replay.is_some() && self.summary_depth == 0 => self.replayed(&request),
            (Some(number), _) => *number,
            (None, Some(random)) => random.choose(&request, &self.tokens),
            (None, None) => domain.origin,
        };
        let number = wanted.clamp(domain.min, domain.max.max(domain.min));
        if self.summary_depth == 0 {
            self.tokens.push(Token::Choice(Choice { number, domain }));
        }
        number
    }

    fn replayed(&mut self, request: &Request<'_>) -> i128 {
        let answer = self.replay.as_mut().map(|replay| replay.choose(request, &self.tokens));
        answer.unwrap_or(request.domain.origin)
    }

    fn open(&mut self, label: Label) {
        if label == Label::SUMMARY || self.summary_depth > 0 {
            self.summary_depth += 1;
            return;
        }
        if let Some(replay) = &mut self.replay {
            replay.open(label, &self.tokens);
        }
        if let Some(random) = &mut self.random {
            random.open(label, &self.tokens);
        }
        self.tokens.push(Token::Open(label));
    }

    fn close(&mut self) {
        if self.summary_depth > 0 {
            self.summary_depth -= 1;
            return;
        }
        self.tokens.push(Token::Close);
        if let Some(replay) = &mut self.replay {
            replay.close(&self.tokens);
        }
        if let Some(random) = &mut self.random {
            random.close(&self.tokens);
        }
    }

    /// Answers a draw whose domain fits into 64 bits. Leaves the shadow in `answer`.
    fn draw(&mut self, [min, max, origin]: [i64; 3], kind: ChoiceKind, role: Role) -> i64 {
        let (min, max, origin) = (i128::from(min), i128::from(max), i128::from(origin));
        let number = self.choose(Domain { min, max, origin, kind, role });
        let [least, greatest, _] = self.arguments;
        let bounds = self.bounds(
            Bound { shadow: least, number: min },
            Bound { shadow: greatest, number: max },
            role,
        );
        self.answer = self.recorder.draw(number, bounds, 64);
        number as i64
    }
}

impl State {
    /// Returns the range in which exploration looks for other numbers: the domain, except that
    /// lengths are limited.
    fn bounds(&mut self, min: Bound, max: Bound, role: Role) -> [Bound; 2] {
        let most = self.length.max(min.number);
        if role == Role::Length && max.shadow == 0 && max.number > most {
            self.recorder.record_loss(Loss::Length(self.length as usize));
            return [min, Bound { number: most, ..max }];
        }
        [min, max]
    }
}

#[cfg(test)]
impl State {
    pub(crate) fn for_oracle(recorder: Recorder) -> State {
        State::of(recorder, &RunRequest::default(), Arc::default())
    }

    pub(crate) fn set_memories(&mut self, memory: Option<Memory>, shadow: Option<Memory>) {
        (self.memory, self.shadow) = (memory, shadow);
    }

    pub(crate) fn recorder_mut(&mut self) -> &mut Recorder {
        &mut self.recorder
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::{Budget, Verdict, explore};
    use wasm_encoder::{
        BlockType, CodeSection, ExportKind, ExportSection, Function, FunctionSection,
        MemorySection, MemoryType, Module, NameMap, NameSection, TypeSection, ValType,
    };

    /// A test that hashes a key with the standard library's function and with a copy of the hasher,
    /// and fails if the results differ.
    fn hashes_in_two_ways() -> Arc<[u8]> {
        let mut types = TypeSection::new();
        types.ty().function([ValType::I32], []);
        types.ty().function([], [ValType::I64]);
        let mut functions = FunctionSection::new();
        functions.function(0).function(1).function(1);
        let mut memories = MemorySection::new();
        let (minimum, maximum, page_size_log2) = (1, None, None);
        let (memory64, shared) = (false, false);
        memories.memory(MemoryType { minimum, maximum, memory64, shared, page_size_log2 });
        let mut exports = ExportSection::new();
        exports.export("rebut_test_a_0", ExportKind::Func, 0);
        exports.export("memory", ExportKind::Memory, 0);
        let mut bodies = [(); 3].map(|()| Function::new([]));
        let [test, one, other] = &mut bodies;
        let mut code = test.instructions();
        code.call(1).call(2).i64_ne().if_(BlockType::Empty).unreachable().end().end();
        for hash in [one, other] {
            hash.instructions().i64_const(0x736f_6d65_7073_6575).end();
        }
        let mut codes = CodeSection::new();
        for body in &bodies {
            codes.function(body);
        }
        let mut called = NameMap::new();
        called.append(1, "_ZN4core4hash11BuildHasher8hash_one17h0E");
        called.append(2, "_ZN4mine4hash17h0E");
        let mut names = NameSection::new();
        names.functions(&called);
        let mut module = Module::new();
        module.section(&types).section(&functions).section(&memories).section(&exports);
        module.section(&codes).section(&names);
        module.finish().into()
    }

    #[test]
    fn hashers_keep_real_results_if_a_test_hashes_on_its_own() {
        let scout = Arc::new(Scout::new(hashes_in_two_ways(), |_| None).expect("a module"));
        let test = "rebut_test_a_0";
        let alone = Machine::with_scout(Arc::clone(&scout), test).expect("a machine");
        let several = Machine::for_tests(&scout, &[test], Quality::Draft).expect("machines");
        for mut machine in several.into_iter().chain([alone]) {
            let explored = explore(&mut machine, &Budget::default(), &[]);
            assert_eq!(explored.verdict, Verdict::Holds, "{:?}", explored.leaves);
            assert!(!machine.assumes_hashes());
        }
    }
}
