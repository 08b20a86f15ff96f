//! A module that wasmtime has compiled, and its runs.

use rebut_protocol::wasm::{EntryCommand, SummaryFunction};
use std::collections::HashMap;
use std::sync::Arc;

use wasmtime::{
    Config, Enabled, Engine, Global, InstanceAllocationStrategy, InstancePre, Linker, Module,
    ModuleExport, OptLevel, PoolingAllocationConfig, RegallocAlgorithm, Store, Val,
};

use super::code_cache::{CodeCache, CodeKey};
use super::{RunRequest, State, StaticValue, Statics, imports};
use crate::instrument::{self, Layout, ModuleError, Plan, UnsupportedCall};
use crate::instrument::{FUEL, MEMORY_MAX, SHADOW};
use crate::record::Recorder;
use crate::trace::{Failure, Outcome};

/// The stack of a run, in bytes. Arbitrary. A deeper recursion traps, which is reported as a
/// failure. The thread that runs a machine needs a larger stack than this.
pub(crate) const STACK: usize = 8 << 20;

/// The number of bytes per memory and table that a slot of the instance pool keeps for the next
/// run, instead of returning them to the system. Arbitrary; only speed depends on it.
const RESIDENT: usize = 1 << 20;

/// A compiled module.
pub(crate) struct Compiled {
    pre: InstancePre<State>,
    fuel: ModuleExport,
    memory: ModuleExport,
    shadow: ModuleExport,
    pub(crate) layout: Arc<Layout>,
    pub(crate) names: HashMap<u32, String>,
}

/// How much wasmtime optimizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// Compiles quickly: for tests with few and short paths.
    Draft,
    /// Runs quickly.
    Fine,
}

/// The end of a run.
pub(crate) struct RunEnd {
    /// The fuel that is left.
    pub(crate) fuel: u64,
    pub(crate) state: State,
    /// The flags of functions at the end.
    pub(crate) marks: Vec<u8>,
}

impl Compiled {
    pub(crate) fn new(
        engine: &Engine,
        wasm: &[u8],
        plan: &Plan,
        unsupported: Option<UnsupportedCall>,
        cache: Option<&CodeCache>,
    ) -> Result<Compiled, ModuleError> {
        let prepared = instrument::prepare(wasm, plan, unsupported)?;
        let key = cache.map(|cache| (cache, CodeKey::new(engine, &prepared)));
        let (module, layout, names) =
            match key.as_ref().and_then(|(cache, key)| cache.load(engine, key)) {
                Some((module, facts)) => {
                    let (layout, names) = prepared.complete(facts);
                    (module, layout, names)
                }
                None => {
                    let (instrumented, facts) = prepared.write()?;
                    let module = Module::new(engine, &instrumented.bytes).map_err(module_error)?;
                    if let Some((cache, key)) = key {
                        cache.store(&key, &module, &facts);
                    }
                    (module, instrumented.layout, instrumented.names)
                }
            };
        let mut linker = Linker::new(engine);
        imports::hooks(&mut linker).map_err(module_error)?;
        imports::guest(&mut linker, &module, layout.is_memory64).map_err(module_error)?;
        let pre = linker.instantiate_pre(&module).map_err(module_error)?;
        let export = |name: &str| {
            let missing = || ModuleError::new(format!("the module exports no `{name}`"));
            module.get_export_index(name).ok_or_else(missing)
        };
        Ok(Compiled {
            fuel: export(FUEL)?,
            memory: export("memory")?,
            shadow: export(SHADOW)?,
            pre,
            layout: Arc::new(layout),
            names,
        })
    }

    /// Returns an empty recorder for this module.
    pub(crate) fn recorder(&self) -> Recorder {
        Recorder::new(Arc::clone(&self.layout))
    }

    /// Runs a test in a new instance. `meets_symbols` are the initial flags of functions.
    pub(crate) fn run(
        &self,
        test: &str,
        state: State,
        request: &RunRequest,
        meets_symbols: &[u8],
    ) -> RunEnd {
        let mut store = Store::new(self.pre.module().engine(), state);
        let mut marks = meets_symbols.to_vec();
        let result = self.call(&mut store, test, request, &mut marks);
        let (fuel, error) = match result {
            Ok(fuel) => (fuel, None),
            Err(error) => (0, Some(error)),
        };
        let mut state = store.into_data();
        if let (Some(error), None) = (error, &state.outcome) {
            state.outcome = Some(outcome_of_error(&state, &error));
        }
        RunEnd { fuel, state, marks }
    }

    /// Runs cases one after the other in one instance, as a native process does. Returns the value
    /// of a static after each of them, and whether the case passed.
    pub(crate) fn values_after(
        &self,
        test: &str,
        cases: Vec<State>,
        statics: &Statics,
        nth: usize,
        fuel: u64,
    ) -> wasmtime::Result<Vec<(Option<StaticValue>, bool)>> {
        let mut cases = cases.into_iter();
        let Some(first) = cases.next() else { return Ok(Vec::new()) };
        let mut store = Store::new(self.pre.module().engine(), first);
        let instance = self.pre.instantiate(&mut store)?;
        let mut get = |export| instance.get_module_export(&mut store, export);
        let memory = get(&self.memory).and_then(wasmtime::Extern::into_memory);
        let shadow = get(&self.shadow).and_then(wasmtime::Extern::into_memory);
        let counter = get(&self.fuel).and_then(wasmtime::Extern::into_global);
        let function = instance.get_typed_func::<u32, ()>(&mut store, test)?;
        let mut values = Vec::new();
        loop {
            (store.data_mut().memory, store.data_mut().shadow) = (memory, shadow);
            if let Some(counter) = counter {
                counter.set(&mut store, Val::I64(fuel as i64))?;
            }
            // A failing case ends with an error, and leaves its state too.
            let is_passed = function.call(&mut store, EntryCommand::Run.to_wire()).is_ok();
            let bytes = memory.map(|memory| memory.data(&store)).unwrap_or_default();
            values.push((statics.value(nth, bytes), is_passed));
            match cases.next() {
                Some(next) => *store.data_mut() = next,
                None => return Ok(values),
            }
        }
    }

    /// Returns the exports whose names begin with `prefix`.
    pub(crate) fn exports(&self, prefix: &str) -> Vec<String> {
        let names = self.pre.module().exports().map(|export| export.name().to_owned());
        names.filter(|name| name.starts_with(prefix)).collect()
    }

    /// Calls an exported summary and returns the function pointer.
    pub(crate) fn call_summary(&self, export: &str, which: SummaryFunction) -> Option<u32> {
        let request = RunRequest::default();
        let state = State::new(self.recorder(), &request, self);
        let mut store = Store::new(self.pre.module().engine(), state);
        let instance = self.pre.instantiate(&mut store).ok()?;
        let function = instance.get_func(&mut store, export)?;
        let mut pointer = [Val::I32(0)];
        let which = Val::I32(which.to_wire() as i32);
        function.call(&mut store, &[which], &mut pointer).ok()?;
        match pointer {
            [Val::I32(place)] => Some(place as u32),
            [Val::I64(place)] => u32::try_from(place).ok(),
            _ => None,
        }
    }

    fn call(
        &self,
        store: &mut Store<State>,
        test: &str,
        request: &RunRequest,
        marks: &mut [u8],
    ) -> wasmtime::Result<u64> {
        let instance = self.pre.instantiate(&mut *store)?;
        let get = |store: &mut Store<State>, export: &ModuleExport| {
            instance.get_module_export(store, export)
        };
        let memory = get(store, &self.memory).and_then(wasmtime::Extern::into_memory);
        let shadow = get(store, &self.shadow).and_then(wasmtime::Extern::into_memory);
        (store.data_mut().memory, store.data_mut().shadow) = (memory, shadow);
        let range = self.layout.function_flags();
        if let Some(shadow) = shadow {
            shadow.data_mut(&mut *store)[range.clone()].copy_from_slice(marks);
        }
        let counter: Option<Global> = get(store, &self.fuel).and_then(|e| e.into_global());
        if let Some(counter) = counter {
            counter.set(&mut *store, Val::I64(request.fuel as i64))?;
        }
        let function = instance.get_func(&mut *store, test);
        let function =
            function.ok_or_else(|| wasmtime::Error::msg("the test is not a function"))?;
        let command = request.command.to_wire();
        let result = function.typed::<u32, ()>(&*store)?.call(&mut *store, command);
        if let Some(memory) = memory.filter(|_| !store.data().statics.is_empty()) {
            let (bytes, state) = memory.data_and_store_mut(&mut *store);
            state.note_changed_statics(bytes);
        }
        if let Some(shadow) = shadow {
            marks.copy_from_slice(&shadow.data(&*store)[range]);
        }
        let left = match counter.map(|counter| counter.get(&mut *store)) {
            Some(Val::I64(left)) => left.max(0) as u64,
            _ => 0,
        };
        result.map(|()| left)
    }
}

/// Creates an engine, which compiles and runs modules.
pub(crate) fn engine(quality: Quality) -> Result<Engine, ModuleError> {
    let mut config = Config::new();
    config.wasm_multi_memory(true);
    config.wasm_memory64(true);
    match quality {
        Quality::Draft => {
            config.cranelift_opt_level(OptLevel::None);
            config.cranelift_regalloc_algorithm(RegallocAlgorithm::SinglePass);
        }
        Quality::Fine => drop(config.cranelift_opt_level(OptLevel::Speed)),
    }
    // Terms have only one NaN.
    config.cranelift_nan_canonicalization(true);
    config.wasm_backtrace_max_frames(None);
    config.async_stack_size(2 * STACK);
    config.max_wasm_stack(STACK);
    let mut pool = PoolingAllocationConfig::default();
    let instances = instances_max();
    pool.total_core_instances(instances);
    pool.total_memories(2 * instances);
    pool.max_memories_per_module(2);
    pool.total_tables(instances);
    pool.table_elements(1 << 16);
    pool.max_memory_size(MEMORY_MAX as usize);
    if PoolingAllocationConfig::is_pagemap_scan_available() {
        // The system knows which pages a run wrote to: these are restored and stay resident.
        pool.pagemap_scan(Enabled::Yes);
        pool.linear_memory_keep_resident(RESIDENT).table_keep_resident(RESIDENT);
    }
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    Engine::new(&config).map_err(module_error)
}

/// Returns the largest number of instances that are alive at once in one engine.
///
/// All machines of [`Machine::for_tests`](super::Machine::for_tests) share an engine, and a pool of
/// threads runs one test per processor on them. A run beyond the limit would end as an internal
/// error. At least 4, which is arbitrary, so that nested runs fit on small machines too.
fn instances_max() -> u32 {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    u32::try_from(processors).unwrap_or(1 << 10).saturating_add(2).max(4)
}

pub(super) fn module_error(error: wasmtime::Error) -> ModuleError {
    ModuleError::new(format!("the module cannot be run: {error:#}"))
}

/// Returns the outcome of a run that did not return.
fn outcome_of_error(state: &State, error: &wasmtime::Error) -> Outcome {
    use crate::hooks::Halt;
    match state.halt {
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
