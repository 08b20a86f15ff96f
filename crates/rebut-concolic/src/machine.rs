//! Runs a test of an instrumented module in wasmtime, from the start, as often as needed.
//!
//! Each run gets an instance of its own, from a pool whose memory is copied only where it is
//! written. What a test draws is answered from a list of numbers, one for each draw; where the
//! list ends, by the simplest number.

mod common;
mod compiled;
pub(crate) mod link;
pub(crate) mod replay;

use std::collections::HashMap;
use std::sync::Arc;

use rebut_choice::{
    Choice, Domain, Driver, Kind, Label, Random, Replay, Request, Role, Tape, Token, friendly,
};
use wasmtime::Memory;

use common::Common;
pub use compiled::Quality;
pub(crate) use compiled::{Compiled, Ended, engine};

use crate::hooks::{Halt, Shadow, Site};
use crate::instrument::{self, Beyond, Called, Frame, Layout, Plan, Unfit};
use crate::observe::{Listener, Watch};
use crate::record::{Bound, Recorder};
use crate::scout::{Scout, Summary, Tried};
use crate::trace::{Loss, Outcome, Trace};

/// A module, ready to run one of its tests.
pub struct Machine {
    scout: Arc<Scout>,
    test: String,
    common: Arc<Common>,
    called: Called,
    compiled: Arc<Compiled>,
    /// Which functions are known to meet symbols.
    modes: Vec<u8>,
    /// Whether a run has hashed anything.
    hashes: bool,
    /// Inputs drawn at random that fail.
    failing: Vec<Tape>,
    /// What may stand in for functions.
    summaries: Vec<Summary>,
    /// How often what was learned from runs had to be forgotten.
    restarts: usize,
    /// A tape without the answers of friendly mocks, and which others to give.
    otherwise: Option<(Tape, u64)>,
    /// Where runs were that could not go on.
    stopped: HashMap<Vec<Frame>, Vec<Site>>,
    /// What of a probe is looked at.
    watch: Option<Arc<Watch>>,
}

impl std::fmt::Debug for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Machine").field("test", &self.test).finish_non_exhaustive()
    }
}

/// What a run is given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    /// Answers to the first draws.
    pub(crate) numbers: Vec<i128>,
    /// Rounds of loops that are allowed.
    pub(crate) fuel: u64,
    /// Collections of more elements are not asked for.
    pub(crate) length: usize,
    /// What the test is asked for.
    pub(crate) wish: Wish,
}

/// What a test is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Wish {
    /// To say what it is, and to do nothing.
    Describe = 0,
    /// To run.
    #[default]
    Run = 1,
    /// To run and to show what it draws.
    Show = 2,
}

/// The host's side of a run.
pub(crate) struct State {
    recorder: Recorder,
    numbers: Vec<i128>,
    /// Answers the draws after the first ones; without it they are the simplest.
    pub(crate) random: Option<Random>,
    /// Answers all draws, if it is there.
    replay: Option<Replay>,
    length: i128,
    /// How many spans are open in what stands in for the result of a function.
    summary_depth: usize,
    pub(crate) tokens: Vec<Token>,
    memory: Option<Memory>,
    shadow: Option<Memory>,
    /// Shadows of what a draw is called with.
    arguments: [Shadow; 3],
    answer: Shadow,
    halt: Option<Halt>,
    /// The function that met a symbol and was not known to.
    met: Option<u32>,
    /// A function that is missing, and whether its full version is needed.
    missing: Option<(u32, bool)>,
    /// Whether something was hashed.
    hashes: bool,
    layout: Arc<Layout>,
    /// The calls that had not returned when something was needed that does not exist.
    frames: Vec<Frame>,
    /// The marks of functions when a panic began.
    pub(crate) marks_at_panic: Option<Vec<u8>>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) description: Option<Description>,
    /// The values of the case, if it was asked to show them.
    pub(crate) shown: Vec<replay::Shown>,
    /// What a probe tells.
    listener: Listener,
    /// Whether the run ends where the test begins to say that it fails.
    ends_when_failing: bool,
}

/// What a test says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The path of the test, as it is run natively.
    pub path: String,
    /// The file it is in.
    pub file: String,
    /// The line.
    pub line: u32,
    /// Claims that such an input exists, not that all inputs pass.
    pub is_exists: bool,
    /// Claims that no such input exists.
    pub is_not_exists: bool,
    /// Its inputs come from a specification.
    pub has_specification: bool,
    /// Expects to panic.
    pub should_panic: bool,
    /// Is not run unless it is asked for.
    pub is_ignored: bool,
}

/// The names of the tests in a module: the exports that are entry points.
///
/// # Errors
/// If the module cannot be read.
pub fn tests(wasm: &[u8]) -> Result<Vec<String>, Unfit> {
    let mut names = Vec::new();
    for payload in wasmparser::Parser::new(0).parse_all(wasm) {
        if let wasmparser::Payload::ExportSection(section) = payload? {
            for export in section {
                let export = export?;
                if export.name.starts_with("rebut_test_") {
                    names.push(export.name.to_owned());
                }
            }
        }
    }
    Ok(names)
}

/// How many random inputs a test is tried on before it is explored.
const CASES: u64 = 50;

impl Machine {
    /// Makes a module ready for one of its tests, named by its export.
    ///
    /// # Errors
    /// If the module cannot be read, or needs what cannot be provided.
    pub fn new(wasm: Arc<[u8]>, test: &str, beyond: Beyond) -> Result<Machine, Unfit> {
        Machine::scouted(Arc::new(Scout::new(wasm, beyond)?), test)
    }

    /// As [`Machine::new`], for one of several tests of a module.
    ///
    /// # Errors
    /// If the module cannot be read, or needs what cannot be provided.
    pub fn scouted(scout: Arc<Scout>, test: &str) -> Result<Machine, Unfit> {
        Machine::assuming(scout, test, &[])
    }

    /// As [`Machine::scouted`], with summaries in place of the functions they are of.
    ///
    /// # Errors
    /// If the module cannot be read, or needs what cannot be provided.
    pub fn assuming(
        scout: Arc<Scout>,
        test: &str,
        summaries: &[Summary],
    ) -> Result<Machine, Unfit> {
        let mut tried = try_out(&scout, test);
        let replaced = summaries.iter().map(|summary| (summary.of, summary.stand_in));
        tried.called.replaced = replaced.collect();
        let common = Arc::new(Common::new(&scout, tried.called.clone(), Quality::Fine)?);
        let mut machine = Machine::of(scout, test, tried, common);
        machine.summaries = summaries.to_vec();
        Ok(machine)
    }

    /// As [`Machine::scouted`], for several tests of a module: their code is made once.
    ///
    /// # Errors
    /// If the module cannot be read, or needs what cannot be provided.
    pub fn several(
        scout: &Arc<Scout>,
        tests: &[&str],
        quality: Quality,
    ) -> Result<Vec<Machine>, Unfit> {
        let tried: Vec<Tried> = tests.iter().map(|test| try_out(scout, test)).collect();
        // Whether hashes are kept is a matter of the code: these cannot share that of others.
        let (apart, together): (Vec<&Tried>, Vec<&Tried>) =
            tried.iter().partition(|tried| tried.called.keeps_hashes);
        let mut all = Called::default();
        together.iter().for_each(|tried| all.extend(&tried.called));
        let common = match (apart.as_slice(), together.as_slice()) {
            ([_, ..], []) => None,
            _ => Some(Arc::new(Common::new(scout, all.clone(), quality)?)),
        };
        let make = |(test, mut tried): (&&str, Tried)| {
            let common = match common.as_ref().filter(|_| !tried.called.keeps_hashes) {
                Some(common) => {
                    tried.called = all.clone();
                    Arc::clone(common)
                }
                None => Arc::new(Common::new(scout, tried.called.clone(), quality)?),
            };
            Ok(Machine::of(Arc::clone(scout), test, tried, common))
        };
        tests.iter().zip(tried).map(make).collect()
    }

    fn of(scout: Arc<Scout>, test: &str, tried: Tried, common: Arc<Common>) -> Machine {
        let compiled = common.compiled();
        Machine {
            test: test.to_owned(),
            modes: vec![0; compiled.layout.modes().len()],
            called: tried.called,
            failing: tried.failing,
            summaries: Vec::new(),
            hashes: false,
            restarts: 0,
            otherwise: None,
            stopped: HashMap::new(),
            watch: None,
            scout,
            common,
            compiled,
        }
    }

    /// Looks at these slots of a probe alone.
    pub fn watch(&mut self, watch: Watch) {
        self.watch = Some(Arc::new(watch));
    }

    /// Makes the module anew, with what a run needs that asked for a function.
    fn extend(&mut self, order: &Order, function: u32, is_full: bool) -> Result<(), Unfit> {
        let more = self.scout.called(&self.test, order);
        self.called.full.extend(more.full);
        self.called.quick.extend(more.quick);
        if is_full { &mut self.called.full } else { &mut self.called.quick }.insert(function);
        let is_aloof = |function: &u32| self.scout.is_aloof(*function);
        if self.called.full.iter().any(is_aloof) {
            // A size is symbolic: what one of them meets, the others meet as well.
            let all: Vec<u32> = self.called.quick.iter().copied().filter(is_aloof).collect();
            self.called.full.extend(all);
        }
        if self.compiled.layout.hash_others.contains(&function) {
            self.called.keeps_hashes = true;
            self.hashes = false;
            self.restarts += 1;
        }
        self.compiled = self.common.with(&self.scout, &mut self.called)?;
        self.stopped.clear();
        Ok(())
    }

    /// An empty recorder for this module.
    pub(crate) fn recorder(&self) -> Recorder {
        self.compiled.recorder()
    }

    /// The name of a function, as the compiler wrote it.
    pub fn name(&self, function: u32) -> Option<&str> {
        self.compiled.names.get(&function).map(String::as_str)
    }

    /// Whether all keys were given the same hash, which no code may depend on.
    pub fn assumes_hashes(&self) -> bool {
        self.hashes
    }

    /// The tests whose summaries stood in for functions.
    pub fn assumed(&self) -> Vec<String> {
        let is_used = |summary: &&Summary| self.called.full.contains(&summary.stand_in);
        self.summaries.iter().filter(is_used).map(|summary| summary.test.clone()).collect()
    }

    /// Inputs drawn at random that fail, one for each place of failure.
    pub(crate) fn failing(&self) -> &[Tape] {
        &self.failing
    }

    /// How often the code turned out to be other than it was taken for, so that what earlier
    /// runs did says nothing.
    pub(crate) fn restarts(&self) -> usize {
        self.restarts
    }

    /// What the test says of itself.
    ///
    /// # Errors
    /// If it does not say anything.
    pub fn describe(&self) -> Result<Description, Unfit> {
        self.scout.describe(&self.test)
    }

    /// Runs the test once.
    pub(crate) fn run(&mut self, mut recorder: Recorder, order: &Order) -> (Recorder, Trace) {
        loop {
            recorder.begin();
            let mut state = State::new(recorder, order, &self.compiled);
            state.listener = Listener::watching(self.watch.clone());
            let otherwise = self.otherwise.as_ref();
            state.replay = otherwise.map(|(tape, nth)| friendly::behavior(tape, *nth));
            let Ended { fuel, mut state, .. } =
                self.compiled.run(&self.test, state, order, &self.modes);
            self.hashes |= state.hashes;
            if let Some(function) = state.met {
                self.modes[(function - self.compiled.layout.imports) as usize] = 1;
                recorder = state.recorder;
                continue;
            }
            let mut outcome = state.outcome.take().unwrap_or(Outcome::Passed);
            if let Some((function, is_full)) = state.missing {
                match self.extend(order, function, is_full) {
                    Ok(()) => {
                        recorder = state.recorder;
                        continue;
                    }
                    Err(error) => outcome = Outcome::Internal(error.to_string()),
                }
            }
            if matches!(outcome, Outcome::Failed(_)) && state.listener.is_spared() {
                outcome = Outcome::Rejected("an observer panics".to_owned());
            }
            let calls = self.calls(state.frames);
            let mut recorder = state.recorder;
            let trace = Trace {
                calls,
                steps: std::mem::take(&mut recorder.steps),
                inputs: std::mem::take(&mut recorder.inputs),
                losses: std::mem::take(&mut recorder.losses),
                tape: Tape::new(state.tokens),
                observations: state.listener.end(),
                outcome,
                fuel: order.fuel.saturating_sub(fuel),
            };
            return (recorder, trace);
        }
    }

    /// Whether a case that failed passes if friendly mocks answer otherwise, all else alike. What
    /// is tried is what is tried natively.
    pub(crate) fn passes_otherwise(&mut self, tape: &Tape, order: &Order) -> bool {
        let Some(open) = friendly::unanswered(tape) else { return false };
        let passes = (0..friendly::TRIES).any(|nth| {
            self.otherwise = Some((open.clone(), nth));
            self.run(self.recorder(), order).1.outcome == Outcome::Passed
        });
        self.otherwise = None;
        passes
    }

    /// Where these calls are in the module that the compiler made; not known is nowhere.
    fn calls(&mut self, frames: Vec<Frame>) -> Vec<Site> {
        if frames.is_empty() {
            return Vec::new();
        }
        if let Some(sites) = self.stopped.get(&frames) {
            return sites.clone();
        }
        let plan = Plan::Called(self.called.clone());
        let beyond = Some(self.scout.beyond);
        let sites = instrument::callers(&self.scout.wasm, &plan, beyond, &frames);
        let sites = sites.unwrap_or_default();
        self.stopped.insert(frames, sites.clone());
        sites
    }
}

/// Runs a test on random inputs.
fn try_out(scout: &Scout, test: &str) -> Tried {
    let order = Order { fuel: FUEL_OF_TRIALS, length: usize::MAX, ..Order::default() };
    let mut tried = scout.try_out(test, &order, CASES);
    // What is called from the beginning is never missing: so it is looked at here.
    tried.called.keeps_hashes = scout.uses_hasher(&tried.called);
    tried
}

/// Rounds of loops that a run on a random input may take.
const FUEL_OF_TRIALS: u64 = 1_000_000;

impl State {
    pub(crate) fn new(recorder: Recorder, order: &Order, compiled: &Compiled) -> State {
        State::of(recorder, order, Arc::clone(&compiled.layout))
    }

    fn of(recorder: Recorder, order: &Order, layout: Arc<Layout>) -> State {
        State {
            recorder,
            numbers: order.numbers.clone(),
            random: None,
            replay: None,
            length: order.length as i128,
            summary_depth: 0,
            tokens: Vec::new(),
            memory: None,
            shadow: None,
            arguments: [0; 3],
            answer: 0,
            halt: None,
            met: None,
            missing: None,
            hashes: false,
            layout,
            frames: Vec::new(),
            marks_at_panic: None,
            outcome: None,
            description: None,
            shown: Vec::new(),
            listener: Listener::default(),
            ends_when_failing: false,
        }
    }

    /// Answers a draw and records it.
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

    /// A draw whose domain fits a word; gives the number and its shadow.
    fn draw(&mut self, min: i64, max: i64, origin: i64, shape: i32) -> i64 {
        let (kind, role) = parts(shape);
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
    /// The range to look for other numbers in: that of the domain, but for long collections.
    fn bounds(&mut self, min: Bound, max: Bound, role: Role) -> [Bound; 2] {
        let most = self.length.max(min.number);
        if role == Role::Length && max.shadow == 0 && max.number > most {
            self.recorder.lose(Loss::Length(self.length as usize));
            return [min, Bound { number: most, ..max }];
        }
        [min, max]
    }
}

#[cfg(test)]
impl State {
    pub(crate) fn for_oracle(recorder: Recorder) -> State {
        State::of(recorder, &Order::default(), Arc::default())
    }

    pub(crate) fn set_memories(&mut self, memory: Option<Memory>, shadow: Option<Memory>) {
        (self.memory, self.shadow) = (memory, shadow);
    }

    pub(crate) fn recorder_mut(&mut self) -> &mut Recorder {
        &mut self.recorder
    }
}

/// Kind and role of a choice, as the guest packs them.
fn parts(shape: i32) -> (Kind, Role) {
    let kind = match shape & 0xFF {
        0 => Kind::Boolean,
        2 => Kind::Char,
        3 => Kind::Float32,
        4 => Kind::Float64,
        _ => Kind::Integer,
    };
    let role = match shape >> 8 {
        1 => Role::Alternative,
        2 => Role::Length,
        3 => Role::Presence,
        4 => Role::Index,
        5 => Role::Steps,
        _ => Role::Value,
    };
    (kind, role)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::{Budget, Verdict, explore};
    use wasm_encoder::{
        BlockType, CodeSection, ExportKind, ExportSection, Function, FunctionSection,
        MemorySection, MemoryType, Module, NameMap, NameSection, TypeSection, ValType,
    };

    /// A test that hashes in two ways, once as the standard library does it and once on its own,
    /// and fails if that is not the same.
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
    fn hashes_stay_what_they_are_if_a_test_hashes_on_its_own_from_the_beginning() {
        let scout = Arc::new(Scout::new(hashes_in_two_ways(), |_| None).expect("a module"));
        let test = "rebut_test_a_0";
        let alone = Machine::scouted(Arc::clone(&scout), test).expect("a machine");
        let several = Machine::several(&scout, &[test], Quality::Draft).expect("machines");
        for mut machine in several.into_iter().chain([alone]) {
            let explored = explore(&mut machine, &Budget::default(), &[]);
            assert_eq!(explored.verdict, Verdict::Holds, "{:?}", explored.leaves);
            assert!(!machine.assumes_hashes());
        }
    }
}
