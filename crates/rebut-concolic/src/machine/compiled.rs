//! A module that wasmtime has compiled, and its runs.

use std::collections::HashMap;
use std::sync::Arc;

use wasmtime::{
    Config, Enabled, Engine, Global, InstanceAllocationStrategy, InstancePre, Linker, Module,
    ModuleExport, OptLevel, PoolingAllocationConfig, RegallocAlgorithm, Store, Val,
};

use super::{Order, State, link};
use crate::instrument::{self, Beyond, Layout, Plan, Unfit};
use crate::instrument::{FUEL, MEMORY_MAX, SHADOW};
use crate::record::Recorder;
use crate::trace::{Failure, Outcome};

/// How deep calls may go, in bytes of the stack. The thread that runs needs more than this.
pub(crate) const STACK: usize = 8 << 20;

/// How many bytes of what a run wrote to are kept for the next run, in each memory and table.
const RESIDENT: usize = 1 << 20;

/// A module, ready to run.
pub(crate) struct Compiled {
    pre: InstancePre<State>,
    fuel: ModuleExport,
    memory: ModuleExport,
    shadow: ModuleExport,
    pub(crate) layout: Arc<Layout>,
    pub(crate) names: HashMap<u32, String>,
}

/// How good the code is that wasmtime makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// Made quickly: for tests with few and short paths.
    Draft,
    /// Runs quickly.
    Fine,
}

/// What is left after a run.
pub(crate) struct Ended {
    /// What it may still have done.
    pub(crate) fuel: u64,
    pub(crate) state: State,
    /// The marks of functions, as they are at the end.
    pub(crate) marks: Vec<u8>,
}

impl Compiled {
    pub(crate) fn new(
        engine: &Engine,
        wasm: &[u8],
        plan: &Plan,
        beyond: Option<Beyond>,
    ) -> Result<Compiled, Unfit> {
        let instrumented = instrument::instrument(wasm, plan, beyond)?;
        let module = Module::new(engine, &instrumented.bytes).map_err(unfit)?;
        let mut linker = Linker::new(engine);
        link::hooks(&mut linker).map_err(unfit)?;
        link::guest(&mut linker, &module).map_err(unfit)?;
        let pre = linker.instantiate_pre(&module).map_err(unfit)?;
        let export = |name: &str| {
            let missing = || Unfit::new(format!("the module exports no `{name}`"));
            module.get_export_index(name).ok_or_else(missing)
        };
        Ok(Compiled {
            fuel: export(FUEL)?,
            memory: export("memory")?,
            shadow: export(SHADOW)?,
            pre,
            layout: Arc::new(instrumented.layout),
            names: instrumented.names,
        })
    }

    /// An empty recorder for this module.
    pub(crate) fn recorder(&self) -> Recorder {
        Recorder::new(Arc::clone(&self.layout))
    }

    /// Runs a test in a new instance. The marks are those of functions: on entry which are known
    /// to meet symbols.
    pub(crate) fn run(&self, test: &str, state: State, order: &Order, modes: &[u8]) -> Ended {
        let mut store = Store::new(self.pre.module().engine(), state);
        let mut marks = modes.to_vec();
        let result = self.call(&mut store, test, order, &mut marks);
        let (fuel, error) = match result {
            Ok(fuel) => (fuel, None),
            Err(error) => (0, Some(error)),
        };
        let mut state = store.into_data();
        if let (Some(error), None) = (error, &state.outcome) {
            state.outcome = Some(ended(&state, &error));
        }
        Ended { fuel, state, marks }
    }

    /// The exports whose names begin like this.
    pub(crate) fn exports(&self, prefix: &str) -> Vec<String> {
        let names = self.pre.module().exports().map(|export| export.name().to_owned());
        names.filter(|name| name.starts_with(prefix)).collect()
    }

    /// What a function of the module says to a number.
    pub(crate) fn ask(&self, function: &str, what: i32) -> Option<u32> {
        let order = Order::default();
        let state = State::new(self.recorder(), &order, self);
        let mut store = Store::new(self.pre.module().engine(), state);
        let instance = self.pre.instantiate(&mut store).ok()?;
        let function = instance.get_typed_func::<i32, u32>(&mut store, function).ok()?;
        function.call(&mut store, what).ok()
    }

    fn call(
        &self,
        store: &mut Store<State>,
        test: &str,
        order: &Order,
        marks: &mut [u8],
    ) -> wasmtime::Result<u64> {
        let instance = self.pre.instantiate(&mut *store)?;
        let get = |store: &mut Store<State>, export: &ModuleExport| {
            instance.get_module_export(store, export)
        };
        let memory = get(store, &self.memory).and_then(wasmtime::Extern::into_memory);
        let shadow = get(store, &self.shadow).and_then(wasmtime::Extern::into_memory);
        (store.data_mut().memory, store.data_mut().shadow) = (memory, shadow);
        let range = self.layout.modes();
        if let Some(shadow) = shadow {
            shadow.data_mut(&mut *store)[range.clone()].copy_from_slice(marks);
        }
        let counter: Option<Global> = get(store, &self.fuel).and_then(|e| e.into_global());
        if let Some(counter) = counter {
            counter.set(&mut *store, Val::I64(order.fuel as i64))?;
        }
        let function = instance.get_func(&mut *store, test);
        let function =
            function.ok_or_else(|| wasmtime::Error::msg("the test is not a function"))?;
        let what = order.wish as i32;
        let result = function.typed::<i32, ()>(&*store)?.call(&mut *store, what);
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

/// What compiles and runs modules.
pub(crate) fn engine(quality: Quality) -> Result<Engine, Unfit> {
    let mut config = Config::new();
    config.wasm_multi_memory(true);
    match quality {
        Quality::Draft => {
            config.cranelift_opt_level(OptLevel::None);
            config.cranelift_regalloc_algorithm(RegallocAlgorithm::SinglePass);
        }
        Quality::Fine => drop(config.cranelift_opt_level(OptLevel::Speed)),
    }
    // Terms know one NaN.
    config.cranelift_nan_canonicalization(true);
    config.wasm_backtrace_max_frames(None);
    config.async_stack_size(2 * STACK);
    config.max_wasm_stack(STACK);
    let mut pool = PoolingAllocationConfig::default();
    pool.total_core_instances(INSTANCES);
    pool.total_memories(2 * INSTANCES);
    pool.max_memories_per_module(2);
    pool.total_tables(INSTANCES);
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

/// How many runs there are at once at most.
const INSTANCES: u32 = 4;

pub(super) fn unfit(error: wasmtime::Error) -> Unfit {
    Unfit::new(format!("the module cannot be run: {error:#}"))
}

/// Why a run ended that did not return.
fn ended(state: &State, error: &wasmtime::Error) -> Outcome {
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
