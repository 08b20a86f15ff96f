//! Runs paths again in a module that counts what is run, or shows what was drawn.

use rebut_protocol::wasm::EntryCommand;
use std::ops::Range;
use std::sync::Arc;

use rebut_choice::Tape;
use wasmtime::{
    Config, Engine, Extern, InstanceAllocationStrategy, InstancePre, Linker, Module, OptLevel,
    PoolingAllocationConfig, Store,
};

use super::compiled::{STACK, module_error};
use super::{RunRequest, State, imports};
use crate::instrument::coverage_module::{self, Block, COUNTERS, CountingOptions, CoverageModule};
use crate::instrument::{Layout, MEMORY_MAX, ModuleError, UnsupportedCall};
use crate::record::Recorder;

/// The fuel of a run, in wasmtime's units (about one per instruction). Arbitrary; meant to be more
/// than any kept run of an exploration takes. A run that exceeds it counts as far as it got.
const FUEL: u64 = 500_000_000;

/// A value of a case, in the form shown to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownValue {
    /// The name of the parameter.
    pub name: String,
    /// Its type as written; empty if unknown.
    pub type_name: String,
    /// The value as Rust code.
    pub code: String,
}

/// A compiled module with counters that runs paths of its tests again.
pub struct Replayer {
    engine: Engine,
    module: Module,
    pre: InstancePre<State>,
    pub(crate) coverage_module: CoverageModule,
}

impl std::fmt::Debug for Replayer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Replayer")
            .field("blocks", &self.coverage_module.blocks.len())
            .finish_non_exhaustive()
    }
}

/// The blocks that were run, and the results of conditions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    bytes: Vec<u8>,
}

impl Counts {
    /// Adds the counts of another run.
    pub(crate) fn add(&mut self, other: &Counts) {
        self.bytes.resize(self.bytes.len().max(other.bytes.len()), 0);
        for (mine, theirs) in self.bytes.iter_mut().zip(&other.bytes) {
            *mine |= theirs;
        }
    }

    pub(crate) fn is_run(&self, block: usize) -> bool {
        self.bytes.get(block).is_some_and(|byte| *byte != 0)
    }

    /// Whether the condition was ever true, and whether it was ever false.
    pub(crate) fn outcomes(&self, blocks: usize, condition: usize) -> [bool; 2] {
        [0, 1].map(|side| self.is_run(blocks + 2 * condition + side))
    }
}

impl Replayer {
    /// Compiles a module with counters in the functions that `is_of_interest` accepts, given the
    /// offsets of their code.
    ///
    /// # Errors
    /// If the module cannot be read, or needs imports that cannot be provided.
    pub fn new(
        wasm: &[u8],
        is_hash_constant: bool,
        unsupported: UnsupportedCall,
        is_of_interest: &dyn Fn(Range<u32>) -> bool,
    ) -> Result<Replayer, ModuleError> {
        let options =
            CountingOptions { is_of_interest, unsupported: Some(unsupported), is_hash_constant };
        let coverage_module = coverage_module::write(wasm, &options)?;
        let engine = engine()?;
        let module = Module::new(&engine, &coverage_module.bytes).map_err(module_error)?;
        let mut linker = Linker::new(&engine);
        imports::guest(&mut linker, &module, coverage_module.is_memory64).map_err(module_error)?;
        let pre = linker.instantiate_pre(&module).map_err(module_error)?;
        Ok(Replayer { engine, module, pre, coverage_module })
    }

    pub(crate) fn blocks(&self) -> &[Block] {
        &self.coverage_module.blocks
    }

    /// Returns the values that a case of a test draws.
    #[must_use]
    pub fn show(&self, test: &str, tape: &Tape) -> Vec<ShownValue> {
        self.run(test, tape, EntryCommand::Show).0.shown
    }

    /// Returns the counts of a case of a test.
    pub(crate) fn count(&self, test: &str, tape: &Tape) -> Counts {
        Counts { bytes: self.run(test, tape, EntryCommand::Run).1 }
    }

    fn run(&self, test: &str, tape: &Tape, command: EntryCommand) -> (State, Vec<u8>) {
        let numbers = tape.choices().map(|choice| choice.number).collect();
        let request = RunRequest { numbers, length: usize::MAX, ..RunRequest::default() };
        let layout = Arc::new(Layout::default());
        let recorder = Recorder::new(Arc::clone(&layout));
        let mut state = State::of(recorder, &request, layout);
        state.ends_when_failing = command == EntryCommand::Run;
        let mut store = Store::new(&self.engine, state);
        // A failing run ends with an error again; the counts until then are valid.
        let counters = self.call(&mut store, test, command).unwrap_or_default();
        (store.into_data(), counters)
    }

    fn call(
        &self,
        store: &mut Store<State>,
        test: &str,
        command: EntryCommand,
    ) -> wasmtime::Result<Vec<u8>> {
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
        let size = self.coverage_module.size();
        let last = counters.and_then(|memory| memory.data_mut(&mut *store).get_mut(size));
        if let Some(ends_at_panic) = last {
            *ends_at_panic = u8::from(command == EntryCommand::Run);
        }
        let _ = test.typed::<u32, ()>(&*store)?.call(&mut *store, command.to_wire());
        let bytes = counters.and_then(|memory| memory.data(&*store).get(..size));
        Ok(bytes.unwrap_or_default().to_vec())
    }
}

/// Creates an engine that compiles quickly: each path runs only a few times.
fn engine() -> Result<Engine, ModuleError> {
    let mut config = Config::new();
    config.wasm_multi_memory(true);
    config.wasm_memory64(true);
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
    Engine::new(&config).map_err(module_error)
}
