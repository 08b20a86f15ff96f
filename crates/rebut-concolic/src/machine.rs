//! Runs a test of an instrumented module in wasmtime, from the start, as often as needed.
//!
//! Each run gets an instance of its own, from a pool whose memory is copied only where it is
//! written. What a test draws is answered from a list of numbers, one for each draw; where the
//! list ends, by the simplest number.

pub(crate) mod link;

use std::collections::HashMap;
use std::sync::Arc;

use rebut_choice::{
    Choice, Domain, Driver, Kind, Label, Replay, Request, Role, Tape, Token, friendly,
};
use wasmtime::{
    Config, Enabled, Engine, Global, InstanceAllocationStrategy, InstancePre, Linker, Memory,
    Module, ModuleExport, OptLevel, PoolingAllocationConfig, Store, Val,
};

use crate::hooks::{Halt, Shadow, Site};
use crate::instrument::{self, Beyond, Frame, MODES, Needs, Unfit};
use crate::instrument::{FUEL, MEMORY_MAX, SHADOW};
use crate::record::{Bound, Recorder};
use crate::trace::{Failure, Loss, Outcome, Trace};

/// How deep calls may go, in bytes of the stack. The thread that runs needs more than this.
pub(crate) const STACK: usize = 8 << 20;

/// How many bytes of what a run wrote to are kept for the next run, in each memory and table.
const RESIDENT: usize = 1 << 20;

/// A module, ready to run one of its tests.
pub struct Machine {
    wasm: Arc<[u8]>,
    root: String,
    needs: Needs,
    engine: Engine,
    pre: InstancePre<State>,
    test: ModuleExport,
    fuel: ModuleExport,
    memory: ModuleExport,
    shadow: ModuleExport,
    /// Which functions are known to meet symbols.
    modes: Vec<u8>,
    imports: u32,
    switches: Arc<HashMap<u32, Vec<u32>>>,
    taint_base: u32,
    names: HashMap<u32, String>,
    /// Whether a run has hashed anything.
    hashes: bool,
    beyond: Arc<HashMap<u32, &'static str>>,
    /// A tape without the answers of friendly mocks, and which others to give.
    otherwise: Option<(Tape, u64)>,
    /// Where runs were that could not go on.
    stopped: HashMap<Vec<Frame>, Vec<Site>>,
}

impl std::fmt::Debug for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Machine").field("imports", &self.imports).finish_non_exhaustive()
    }
}

/// What a run is given.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    /// Answers to the first draws.
    pub(crate) numbers: Vec<i128>,
    /// Rounds of loops that are allowed.
    pub(crate) fuel: u64,
    /// Collections of more elements are not asked for.
    pub(crate) length: usize,
}

/// The host's side of a run.
pub(crate) struct State {
    recorder: Recorder,
    numbers: Vec<i128>,
    /// Answers draws instead of the numbers.
    replay: Option<Replay>,
    length: i128,
    tokens: Vec<Token>,
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
    /// What functions need that does not exist here.
    beyond: Arc<HashMap<u32, &'static str>>,
    /// The calls that had not returned when something was needed that does not exist.
    frames: Vec<Frame>,
    outcome: Option<Outcome>,
    description: Option<Description>,
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

impl Machine {
    /// Instruments and compiles a module for one of its tests, named by its export.
    ///
    /// # Errors
    /// If the module cannot be read, or needs what cannot be provided.
    pub fn new(wasm: Arc<[u8]>, test: &str, beyond: Beyond) -> Result<Machine, Unfit> {
        let needs = Needs { beyond: Some(beyond), ..Needs::default() };
        Machine::with(wasm, test, engine()?, needs)
    }

    fn with(wasm: Arc<[u8]>, test: &str, engine: Engine, needs: Needs) -> Result<Machine, Unfit> {
        let instrumented = instrument::instrument(&wasm, Some(test), &needs)?;
        let module = Module::new(&engine, &instrumented.bytes).map_err(unfit)?;
        let mut linker = Linker::new(&engine);
        link::hooks(&mut linker).map_err(unfit)?;
        link::guest(&mut linker, &module).map_err(unfit)?;
        let pre = linker.instantiate_pre(&module).map_err(unfit)?;
        let export = |name: &str| {
            let missing = || Unfit::new(format!("the module exports no `{name}`"));
            module.get_export_index(name).ok_or_else(missing)
        };
        let layout = instrumented.layout;
        Ok(Machine {
            root: test.to_owned(),
            needs,
            test: export(test)?,
            fuel: export(FUEL)?,
            memory: export("memory")?,
            shadow: export(SHADOW)?,
            engine,
            pre,
            modes: vec![0; layout.functions.len() - layout.imports as usize],
            imports: layout.imports,
            switches: Arc::new(layout.switches),
            taint_base: layout.taint_base,
            names: instrumented.names,
            beyond: Arc::new(layout.beyond),
            hashes: false,
            otherwise: None,
            stopped: HashMap::new(),
            wasm,
        })
    }

    /// Makes the module anew, with a function that turned out to be needed.
    fn extend(&mut self, function: u32, is_full: bool) -> Result<(), Unfit> {
        let mut needs = self.needs.clone();
        if is_full {
            needs.full.push(function)
        } else {
            needs.quick.push(function)
        }
        let mut machine =
            Machine::with(Arc::clone(&self.wasm), &self.root, self.engine.clone(), needs)?;
        machine.modes.clone_from(&self.modes);
        machine.hashes = self.hashes;
        machine.otherwise = self.otherwise.take();
        *self = machine;
        Ok(())
    }

    /// An empty recorder for this module.
    pub(crate) fn recorder(&self) -> Recorder {
        Recorder::new(Arc::clone(&self.switches), self.taint_base)
    }

    /// The name of a function, as the compiler wrote it.
    pub fn name(&self, function: u32) -> Option<&str> {
        self.names.get(&function).map(String::as_str)
    }

    /// Whether all keys were given the same hash, which no code may depend on.
    pub fn assumes_hashes(&self) -> bool {
        self.hashes
    }

    /// What the test says of itself.
    ///
    /// # Errors
    /// If it does not say anything.
    pub fn describe(&mut self) -> Result<Description, Unfit> {
        let order = Order { numbers: Vec::new(), fuel: 1 << 20, length: 0 };
        let mut state = self.attempt(self.recorder(), &order, 0).1;
        while let Some((function, is_full)) = state.missing {
            self.extend(function, is_full)?;
            state = self.attempt(self.recorder(), &order, 0).1;
        }
        state.description.ok_or_else(|| Unfit::new("the test does not describe itself"))
    }

    /// Runs the test once.
    pub(crate) fn run(&mut self, mut recorder: Recorder, order: &Order) -> (Recorder, Trace) {
        loop {
            recorder.begin();
            let (fuel, mut state) = self.attempt(recorder, order, 1);
            self.hashes |= state.hashes;
            if let Some(function) = state.met {
                self.modes[(function - self.imports) as usize] = 1;
                recorder = state.recorder;
                continue;
            }
            let mut outcome = state.outcome.take().unwrap_or(Outcome::Passed);
            if let Some((function, is_full)) = state.missing {
                match self.extend(function, is_full) {
                    Ok(()) => {
                        recorder = state.recorder;
                        continue;
                    }
                    Err(error) => outcome = Outcome::Internal(error.to_string()),
                }
            }
            let calls = self.calls(state.frames);
            let mut recorder = state.recorder;
            let trace = Trace {
                calls,
                steps: std::mem::take(&mut recorder.steps),
                inputs: std::mem::take(&mut recorder.inputs),
                losses: std::mem::take(&mut recorder.losses),
                tape: Tape::new(state.tokens),
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
        let sites = instrument::callers(&self.wasm, &self.root, &self.needs, &frames);
        let sites = sites.unwrap_or_default();
        self.stopped.insert(frames, sites.clone());
        sites
    }

    /// One instance: what fuel is left, and the state after the run.
    fn attempt(&self, recorder: Recorder, order: &Order, what: i32) -> (u64, State) {
        let mut state = State::new(recorder, order);
        state.beyond = Arc::clone(&self.beyond);
        state.replay = self.otherwise.as_ref().map(|(tape, nth)| friendly::behaviour(tape, *nth));
        let mut store = Store::new(&self.engine, state);
        let result = self.call(&mut store, order.fuel, what);
        let (left, error) = match result {
            Ok(left) => (left, None),
            Err(error) => (0, Some(error)),
        };
        let mut state = store.into_data();
        if let (Some(error), None) = (error, &state.outcome) {
            state.outcome = Some(ended(state.halt, &error));
        }
        (left, state)
    }

    fn call(&self, store: &mut Store<State>, fuel: u64, what: i32) -> wasmtime::Result<u64> {
        let instance = self.pre.instantiate(&mut *store)?;
        let get = |store: &mut Store<State>, export: &ModuleExport| {
            instance.get_module_export(store, export)
        };
        let memory = get(store, &self.memory).and_then(wasmtime::Extern::into_memory);
        let shadow = get(store, &self.shadow).and_then(wasmtime::Extern::into_memory);
        (store.data_mut().memory, store.data_mut().shadow) = (memory, shadow);
        if let Some(shadow) = shadow {
            let bytes = shadow.data_mut(&mut *store);
            bytes[MODES as usize..MODES as usize + self.modes.len()].copy_from_slice(&self.modes);
        }
        let counter: Option<Global> = get(store, &self.fuel).and_then(|e| e.into_global());
        if let Some(counter) = counter {
            counter.set(&mut *store, Val::I64(fuel as i64))?;
        }
        let test = get(store, &self.test).and_then(wasmtime::Extern::into_func);
        let test = test.ok_or_else(|| wasmtime::Error::msg("the test is not a function"))?;
        let result = test.typed::<i32, ()>(&*store)?.call(&mut *store, what);
        let left = match counter.map(|counter| counter.get(&mut *store)) {
            Some(Val::I64(left)) => left.max(0) as u64,
            _ => 0,
        };
        result.map(|()| left)
    }
}

fn engine() -> Result<Engine, Unfit> {
    let mut config = Config::new();
    config.wasm_multi_memory(true);
    config.cranelift_opt_level(OptLevel::Speed);
    // Terms know one NaN.
    config.cranelift_nan_canonicalization(true);
    config.wasm_backtrace_max_frames(None);
    config.async_stack_size(2 * STACK);
    config.max_wasm_stack(STACK);
    let mut pool = PoolingAllocationConfig::default();
    pool.total_core_instances(4);
    pool.total_memories(8);
    pool.max_memories_per_module(2);
    pool.total_tables(4);
    pool.table_elements(1 << 16);
    pool.max_memory_size(MEMORY_MAX as usize);
    if PoolingAllocationConfig::is_pagemap_scan_available() {
        // The system knows which pages a run wrote to: these are made as they were, and stay.
        pool.pagemap_scan(Enabled::Yes);
        pool.linear_memory_keep_resident(RESIDENT).table_keep_resident(RESIDENT);
    }
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    Engine::new(&config).map_err(unfit)
}

fn unfit(error: wasmtime::Error) -> Unfit {
    Unfit::new(format!("the module cannot be run: {error:#}"))
}

/// Why a run ended that did not return.
fn ended(halt: Option<Halt>, error: &wasmtime::Error) -> Outcome {
    match halt {
        Some(Halt::Exhausted) => Outcome::Exhausted,
        Some(Halt::Deoptimize | Halt::Missing | Halt::Stopped) => {
            Outcome::Internal("a run ended early".into())
        }
        None => match error.downcast_ref::<wasmtime::Trap>() {
            Some(trap) => Outcome::Failed(Failure {
                message: trap.to_string(),
                file: String::new(),
                line: 0,
                column: 0,
            }),
            None => Outcome::Internal(format!("{error:#}")),
        },
    }
}

impl State {
    fn new(recorder: Recorder, order: &Order) -> State {
        State {
            recorder,
            numbers: order.numbers.clone(),
            replay: None,
            length: order.length as i128,
            tokens: Vec::new(),
            memory: None,
            shadow: None,
            arguments: [0; 3],
            answer: 0,
            halt: None,
            met: None,
            missing: None,
            hashes: false,
            beyond: Arc::default(),
            frames: Vec::new(),
            outcome: None,
            description: None,
        }
    }

    /// Answers a draw and records it.
    fn choose(&mut self, domain: Domain) -> i128 {
        let drawn = self.recorder.inputs.len();
        let wanted = match &mut self.replay {
            Some(replay) => replay.choose(&Request::plain(domain), &self.tokens),
            None => self.numbers.get(drawn).copied().unwrap_or(domain.origin),
        };
        let number = wanted.clamp(domain.min, domain.max.max(domain.min));
        self.tokens.push(Token::Choice(Choice { number, domain }));
        number
    }

    /// A span begins or, without a label, ends.
    fn span(&mut self, label: Option<Label>) {
        if let Some(replay) = &mut self.replay {
            match label {
                Some(label) => replay.open(label, &self.tokens),
                None => replay.close(&self.tokens),
            }
        }
        self.tokens.push(label.map_or(Token::Close, Token::Open));
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
        State::new(recorder, &Order { numbers: Vec::new(), fuel: 0, length: 0 })
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
