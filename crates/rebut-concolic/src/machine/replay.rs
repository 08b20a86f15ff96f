//! Runs paths once more, in a module that counts what is run and can show what was drawn.

use std::ops::Range;
use std::sync::Arc;

use rebut_choice::Tape;
use wasmtime::{
    Config, Engine, Extern, InstanceAllocationStrategy, InstancePre, Linker, Module, OptLevel,
    PoolingAllocationConfig, Store,
};

use super::compiled::{STACK, unfit};
use super::{Order, State, link};
use crate::instrument::counted::{self, Block, COUNTERS, Counted, Wanted};
use crate::instrument::{Beyond, Layout, MEMORY_MAX, Unfit};
use crate::record::Recorder;

/// Instructions of a run: more than an exploration allows to any that it keeps.
const FUEL: u64 = 500_000_000;

/// A value of a case, as it is shown to people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The parameter.
    pub name: String,
    /// Its type as written; empty if it is not known.
    pub type_name: String,
    /// The value as code.
    pub code: String,
}

/// A module, ready to run paths of its tests once more.
pub struct Replayer {
    engine: Engine,
    module: Module,
    pre: InstancePre<State>,
    pub(crate) counted: Counted,
}

impl std::fmt::Debug for Replayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Replayer")
            .field("blocks", &self.counted.blocks.len())
            .finish_non_exhaustive()
    }
}

/// Which blocks were run, and to what conditions came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    bytes: Vec<u8>,
}

impl Counts {
    /// Takes up what another run did.
    pub(crate) fn add(&mut self, other: &Counts) {
        self.bytes.resize(self.bytes.len().max(other.bytes.len()), 0);
        for (mine, theirs) in self.bytes.iter_mut().zip(&other.bytes) {
            *mine |= theirs;
        }
    }

    pub(crate) fn is_run(&self, block: usize) -> bool {
        self.bytes.get(block).is_some_and(|byte| *byte != 0)
    }

    /// Whether the condition was true, and whether it was false.
    pub(crate) fn ways(&self, blocks: usize, condition: usize) -> [bool; 2] {
        [0, 1].map(|way| self.is_run(blocks + 2 * condition + way))
    }
}

impl Replayer {
    /// Compiles a module with counters in those functions that are of interest, by where their
    /// code is.
    ///
    /// # Errors
    /// If the module cannot be read, or needs what cannot be provided.
    pub fn new(
        wasm: &[u8],
        is_hash_constant: bool,
        beyond: Beyond,
        is_of_interest: &dyn Fn(Range<u32>) -> bool,
    ) -> Result<Replayer, Unfit> {
        let wanted = Wanted { is_of_interest, beyond: Some(beyond), is_hash_constant };
        let counted = counted::count(wasm, &wanted)?;
        let engine = engine()?;
        let module = Module::new(&engine, &counted.bytes).map_err(unfit)?;
        let mut linker = Linker::new(&engine);
        link::guest(&mut linker, &module).map_err(unfit)?;
        let pre = linker.instantiate_pre(&module).map_err(unfit)?;
        Ok(Replayer { engine, module, pre, counted })
    }

    pub(crate) fn blocks(&self) -> &[Block] {
        &self.counted.blocks
    }

    /// The values that a case of a test draws.
    #[must_use]
    pub fn show(&self, test: &str, tape: &Tape) -> Vec<Shown> {
        self.run(test, tape, SHOW).0.shown
    }

    /// What a case of a test runs.
    pub(crate) fn count(&self, test: &str, tape: &Tape) -> Counts {
        Counts { bytes: self.run(test, tape, RUN).1 }
    }

    fn run(&self, test: &str, tape: &Tape, what: i32) -> (State, Vec<u8>) {
        let numbers = tape.choices().map(|choice| choice.number).collect();
        let order = Order { numbers, length: usize::MAX, ..Order::default() };
        let layout = Arc::new(Layout::default());
        let recorder = Recorder::new(Arc::clone(&layout));
        let mut state = State::of(recorder, &order, layout);
        state.ends_when_failing = what == RUN;
        let mut store = Store::new(&self.engine, state);
        // A run that fails ends with an error, as it did before; what it did until then counts.
        let counters = self.call(&mut store, test, what).unwrap_or_default();
        (store.into_data(), counters)
    }

    fn call(&self, store: &mut Store<State>, test: &str, what: i32) -> wasmtime::Result<Vec<u8>> {
        store.set_fuel(FUEL)?;
        let instance = self.pre.instantiate(&mut *store)?;
        let get = |store: &mut Store<State>, name: &str| {
            let export = self.module.get_export_index(name)?;
            instance.get_module_export(store, &export)
        };
        store.data_mut().memory = get(store, "memory").and_then(Extern::into_memory);
        let test = get(store, test).and_then(Extern::into_func);
        let test = test.ok_or_else(|| wasmtime::Error::msg("there is no such test"))?;
        let counters = get(store, COUNTERS).and_then(Extern::into_memory);
        let size = self.counted.size();
        let last = counters.and_then(|memory| memory.data_mut(&mut *store).get_mut(size));
        if let Some(ends_at_panic) = last {
            *ends_at_panic = u8::from(what == RUN);
        }
        let _ = test.typed::<i32, ()>(&*store)?.call(&mut *store, what);
        let bytes = counters.and_then(|memory| memory.data(&*store).get(..size));
        Ok(bytes.unwrap_or_default().to_vec())
    }
}

const RUN: i32 = 1;
const SHOW: i32 = 2;

/// Each path is run only a few times: what counts is how soon it can.
fn engine() -> Result<Engine, Unfit> {
    let mut config = Config::new();
    config.wasm_multi_memory(true);
    config.cranelift_opt_level(OptLevel::None);
    config.cranelift_nan_canonicalization(true);
    config.consume_fuel(true);
    config.wasm_backtrace_max_frames(None);
    config.async_stack_size(2 * STACK);
    config.max_wasm_stack(STACK);
    let mut pool = PoolingAllocationConfig::default();
    pool.total_core_instances(2);
    pool.total_memories(4);
    pool.max_memories_per_module(2);
    pool.total_tables(2);
    pool.table_elements(1 << 16);
    pool.max_memory_size(MEMORY_MAX as usize);
    config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    Engine::new(&config).map_err(unfit)
}
