//! Differential tests on random modules: an instrumented module computes what the plain one does,
//! and the terms of a run evaluate to the values of the run.
//!
//! The modules come from wasm-smith, or consist of random instructions. Their memories and tables
//! have addresses of 32 or of 64 bits. Each exported function is called in the plain module, in the
//! quick version, and in the full version with symbolic arguments. Results, traps and memory must
//! be equal. Every condition of the path must be true of the arguments, and the expressions of
//! results and of bytes in the memory must evaluate to the actual values.

use std::sync::Arc;

use rebut_smt::{Bits, Model, Sort, Term, Value};
use wasmtime::{
    Config, Engine, Extern, Global, Instance, Linker, Memory, Module, Store, Val, ValType,
};

use crate::instrument::coverage_module::{self, CountingOptions};
use crate::instrument::{self, ANY_ARGUMENT, FUEL, Plan, SHADOW, argument, instrument, result};
use crate::machine::{State, imports};
use crate::op::{self, Type};
use crate::record::Recorder;

/// The fuel of one call. More than any module takes: wasm-smith makes each of them terminate.
const ROUNDS: i64 = 100_000;

fn engine() -> Engine {
    let mut config = Config::new();
    config.wasm_multi_memory(true);
    config.wasm_memory64(true);
    config.cranelift_nan_canonicalization(true);
    config.wasm_backtrace_max_frames(None);
    Engine::new(&config).expect("a plain configuration")
}

/// Returns a random module without imports that terminates. Most functions of modules that may trap
/// do so soon.
fn random_module(bytes: &[u8], may_not_trap: bool) -> Option<Vec<u8>> {
    let config = wasm_smith::Config {
        min_funcs: 3,
        max_funcs: 8,
        min_types: 4,
        max_imports: 0,
        min_memories: 1,
        max_memories: 1,
        max_tables: 1,
        max_instructions: 200,
        export_everything: true,
        disallow_traps: may_not_trap,
        memory_max_size_required: true,
        max_memory32_bytes: 1 << 17,
        max_memory64_bytes: 1 << 17,
        canonicalize_nans: true,
        bulk_memory_enabled: true,
        multi_value_enabled: true,
        sign_extension_ops_enabled: true,
        saturating_float_to_int_enabled: true,
        allow_start_export: false,
        simd_enabled: false,
        relaxed_simd_enabled: false,
        reference_types_enabled: false,
        tail_call_enabled: false,
        exceptions_enabled: false,
        gc_enabled: false,
        threads_enabled: false,
        memory64_enabled: true,
        custom_page_sizes_enabled: false,
        wide_arithmetic_enabled: false,
        extended_const_enabled: false,
        shared_everything_threads_enabled: false,
        ..wasm_smith::Config::default()
    };
    let mut source = arbitrary::Unstructured::new(bytes);
    let mut module = wasm_smith::Module::new(config, &mut source).ok()?;
    module.ensure_termination(1_000).ok()?;
    Some(module.to_bytes())
}

/// The effect of a call: its results as bits, `None` if it trapped; and the memory after it.
#[derive(Debug, PartialEq, Eq)]
struct Effect {
    results: Option<Vec<u64>>,
    memory: Vec<u8>,
}

fn bits(value: &Val) -> u64 {
    match value {
        Val::I32(number) => u64::from(*number as u32),
        Val::I64(number) => *number as u64,
        Val::F32(bits) => u64::from(*bits),
        Val::F64(bits) => *bits,
        _ => 0,
    }
}

fn of_type(ty: &ValType, number: u64) -> Option<Val> {
    Some(match ty {
        ValType::I32 => Val::I32(number as i32),
        ValType::I64 => Val::I64(number as i64),
        ValType::F32 => Val::F32(number as u32),
        ValType::F64 => Val::F64(number),
        _ => return None,
    })
}

/// Returns the functions that take and return only numbers.
fn callable(module: &Module) -> Vec<(String, Vec<ValType>, usize)> {
    let exports = module.exports().filter_map(|export| {
        let ty = export.ty();
        let ty = ty.func()?;
        let params: Vec<ValType> = ty.params().collect();
        let are_numbers = params
            .iter()
            .chain(&ty.results().collect::<Vec<_>>())
            .all(|ty| matches!(ty, ValType::I32 | ValType::I64 | ValType::F32 | ValType::F64));
        are_numbers.then(|| (export.name().to_owned(), params, ty.results().len()))
    });
    exports.collect()
}

fn effect<T>(
    store: &mut Store<T>,
    instance: Instance,
    name: &str,
    args: &[Val],
    results: usize,
) -> Effect {
    let function = instance.get_func(&mut *store, name).expect("it is exported");
    let mut out = vec![Val::I32(0); results];
    let returned = function.call(&mut *store, args, &mut out);
    let exports: Vec<Extern> = instance.exports(&mut *store).map(|e| e.into_extern()).collect();
    let memory = exports.into_iter().find_map(Extern::into_memory);
    let memory = memory.map(|memory| memory.data(&*store).to_vec()).unwrap_or_default();
    Effect { results: returned.ok().map(|()| out.iter().map(bits).collect()), memory }
}

struct Shadowed {
    store: Store<State>,
    instance: Instance,
}

impl Shadowed {
    fn new(
        engine: &Engine,
        module: &Module,
        layout: &Arc<instrument::Layout>,
        mode: u8,
    ) -> Shadowed {
        let recorder = Recorder::new(Arc::clone(layout));
        let mut store = Store::new(engine, State::for_oracle(recorder));
        let mut linker = Linker::new(engine);
        imports::hooks(&mut linker).expect("hooks have their types");
        let instance = linker.instantiate(&mut store, module).expect("all imports are hooks");
        let exports: Vec<(String, Extern)> = instance
            .exports(&mut store)
            .map(|export| (export.name().to_owned(), export.into_extern()))
            .collect();
        let memory: Option<Memory> = exports
            .iter()
            .filter(|(name, _)| name != SHADOW)
            .find_map(|(_, export)| export.clone().into_memory());
        let shadow = instance.get_memory(&mut store, SHADOW);
        store.data_mut().set_memories(memory, shadow);
        if let Some(shadow) = shadow {
            shadow.data_mut(&mut store)[layout.function_flags()].fill(mode);
        }
        Shadowed { store, instance }
    }

    fn global(&mut self, name: &str) -> Global {
        self.instance.get_global(&mut self.store, name).expect("ours are exported")
    }

    fn set(&mut self, name: &str, value: Val) {
        let global = self.global(name);
        global.set(&mut self.store, value).expect("it is of this type");
    }

    /// Makes each argument a symbol. Returns the variables and their values.
    fn symbols(&mut self, args: &[Val]) -> Vec<(Term, Value)> {
        let mut values = Vec::new();
        for (n, arg) in (0..).zip(args) {
            let width = match arg {
                Val::I32(_) | Val::F32(_) => 32,
                _ => 64,
            };
            let pool = &mut self.store.data_mut().recorder_mut().pool;
            let variable = pool.var(&format!("p{n}"), Sort::BitVec(width));
            values.push((variable, Value::Bits(Bits::new(width, u128::from(bits(arg))))));
            self.set(&argument(n), Val::I32(variable.index() as i32 + 1));
        }
        self.set(ANY_ARGUMENT, Val::I32(1));
        values
    }

    /// Checks that the terms of this run evaluate to what the run did.
    fn check(&mut self, values: Vec<(Term, Value)>, effect: &Effect, compared: &mut Compared) {
        let model = Model::new(values);
        let shadows: Vec<u32> = match &effect.results {
            Some(results) => (0..results.len() as u32)
                .map(|n| match self.global(&result(n)).get(&mut self.store) {
                    Val::I32(shadow) => shadow as u32,
                    _ => 0,
                })
                .collect(),
            None => Vec::new(),
        };
        let recorder = self.store.data_mut().recorder_mut();
        compared.conditions += recorder.steps.len();
        for step in &recorder.steps {
            let value = model.evaluate(&recorder.pool, step.condition);
            assert_eq!(value, Ok(Value::Bool(true)), "at {}", step.site);
        }
        for (address, term) in recorder.symbolic_bytes() {
            let value = model.evaluate(&recorder.pool, term);
            let value = value.ok().and_then(|value| value.as_bits()).map(Bits::unsigned);
            let byte = effect.memory.get(address as usize).copied().map(u128::from);
            assert_eq!(value, byte, "the byte at {address}");
            compared.bytes += 1;
        }
        for (shadow, number) in shadows.into_iter().zip(effect.results.iter().flatten()) {
            let Some(place) = (shadow as usize).checked_sub(1) else { continue };
            let term = recorder.pool.at(place).expect("a shadow names a term");
            let term = recorder.closed(term);
            compared.results += 1;
            let value = model.evaluate(&recorder.pool, term);
            let value = value.ok().and_then(|value| value.as_bits()).map(Bits::unsigned);
            assert_eq!(value, Some(u128::from(*number)), "the term of a result");
        }
    }
}

/// The number of things that were compared.
#[derive(Debug, Default)]
struct Compared {
    /// Functions of modules whose addresses have 64 bits.
    functions64: usize,
    functions: usize,
    conditions: usize,
    results: usize,
    bytes: usize,
}

/// Compares all functions of a module.
fn compare(wasm: &[u8], numbers: &[u64], compared: &mut Compared) {
    let engine = engine();
    let plain = Module::new(&engine, wasm).expect("wasm-smith makes valid modules");
    let instrumented = instrument(wasm, &Plan::All, None).expect("it can be instrumented");
    let shadowed = Module::new(&engine, &instrumented.bytes).expect("the result is valid");
    let layout = Arc::new(instrumented.layout);
    for (name, params, results) in &callable(&plain) {
        let numbers = numbers.iter().copied().chain(std::iter::repeat(7));
        let args: Vec<Val> =
            params.iter().zip(numbers).filter_map(|(ty, number)| of_type(ty, number)).collect();
        let mut store = Store::new(&engine, ());
        let Ok(instance) = Instance::new(&mut store, &plain, &[]) else { return };
        let expected = effect(&mut store, instance, name, &args, *results);

        let mut quick = Shadowed::new(&engine, &shadowed, &layout, 0);
        quick.set(FUEL, Val::I64(ROUNDS));
        let actual = effect(&mut quick.store, quick.instance, name, &args, *results);
        assert_eq!(actual, expected, "the quick version of {name}");

        let mut full = Shadowed::new(&engine, &shadowed, &layout, 1);
        full.set(FUEL, Val::I64(ROUNDS));
        let symbols = full.symbols(&args);
        let actual = effect(&mut full.store, full.instance, name, &args, *results);
        assert_eq!(actual, expected, "the full version of {name}");
        compared.functions += 1;
        compared.functions64 += usize::from(layout.is_memory64);
        full.check(symbols, &actual, compared);
    }
}

/// Returns noise for wasm-smith: it makes little of bytes that are mostly alike.
pub(crate) fn noise(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let word = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.wrapping_mul(0x2545_F491_4F6C_DD1D).to_le_bytes()
    };
    (0..600).flat_map(word).collect()
}

#[rebut::test(cases = 100)]
fn instrumented_modules_compute_what_plain_ones_do(seed: u64, numbers: [u64; 4]) {
    if let Some(wasm) = random_module(&noise(seed), !seed.is_multiple_of(8)) {
        compare(&wasm, &numbers, &mut Compared::default());
    }
}

/// Compares all functions of a module with those of its coverage module. Returns their number.
fn compare_counted(wasm: &[u8], numbers: &[u64]) -> usize {
    let engine = engine();
    let options =
        CountingOptions { is_of_interest: &|_| true, unsupported: None, is_hash_constant: false };
    // A module without a memory is not that of a test.
    let Ok(counted) = coverage_module::write(wasm, &options) else { return 0 };
    let plain = Module::new(&engine, wasm).expect("wasm-smith makes valid modules");
    let counted = Module::new(&engine, &counted.bytes).expect("the result is valid");
    let all = callable(&plain);
    for (name, params, results) in &all {
        let numbers = numbers.iter().copied().chain(std::iter::repeat(7));
        let args: Vec<Val> =
            params.iter().zip(numbers).filter_map(|(ty, number)| of_type(ty, number)).collect();
        let [expected, actual] = [&plain, &counted].map(|module| {
            let mut store = Store::new(&engine, ());
            let instance = Instance::new(&mut store, module, &[]).ok()?;
            effect(&mut store, instance, name, &args, *results).results
        });
        assert_eq!(actual, expected, "{name} with counters");
    }
    all.len()
}

#[test]
fn coverage_modules_compute_what_plain_ones_do() {
    let modules = (0..20).filter_map(|seed| random_module(&noise(seed), seed % 8 != 0));
    let functions: usize =
        modules.map(|wasm| compare_counted(&wasm, &[3, 1 << 40, 0, u64::MAX])).sum();
    assert!(functions > 20, "{functions}");
}

/// Returns a module with a function that processes its four parameters, one of each type, as the
/// bytes say: every numeric instruction that does not trap on half of all values, loads, stores,
/// copies and branches.
fn busy_module(bytes: &[u8], memory64: bool) -> Vec<u8> {
    use wasm_encoder::{
        BlockType, CodeSection, ExportKind, ExportSection, Function, FunctionSection, MemArg,
        MemorySection, MemoryType, Module, TypeSection, ValType,
    };
    const TYPES: [ValType; 4] = [ValType::I32, ValType::I64, ValType::F32, ValType::F64];
    let mut types = TypeSection::new();
    types.ty().function(TYPES, TYPES);
    let mut functions = FunctionSection::new();
    functions.function(0);
    let mut memories = MemorySection::new();
    let one =
        MemoryType { minimum: 1, maximum: Some(1), memory64, shared: false, page_size_log2: None };
    memories.memory(one);
    let mut exports = ExportSection::new();
    exports.export("busy", ExportKind::Func, 0).export("memory", ExportKind::Memory, 0);
    // Four more locals, so that there are two of each type.
    let mut function = Function::new(TYPES.map(|ty| (1, ty)));
    let opcodes: Vec<u32> = (0x45..=0xC4)
        .chain(0x100..=0x107)
        .filter(|opcode| !matches!(opcode, 0xA8..=0xAB | 0xAE..=0xB1))
        .collect();
    let place = |ty: Type| match ty {
        Type::I32 => 0,
        Type::I64 => 1,
        Type::F32 => 2,
        Type::F64 => 3,
    };
    for local in 0..4 {
        function.instructions().local_get(local).local_set(local + 4);
    }
    for step in bytes.chunks_exact(3) {
        let [what, which, detail] = [step[0], step[1], step[2]];
        let second = u32::from(detail & 1) * 4;
        let mut code = Vec::new();
        let mut out = wasm_encoder::InstructionSink::new(&mut code);
        let address = |out: &mut wasm_encoder::InstructionSink<'_>, number: u8| {
            if memory64 {
                out.i64_const(i64::from(number));
            } else {
                out.i32_const(i32::from(number));
            }
        };
        match what % 10 {
            0 => {
                let at = MemArg { offset: u64::from(detail % 40), align: 0, memory_index: 0 };
                address(&mut out, 8);
                out.local_get(1 + second).i64_store(at);
            }
            1 => {
                let at = MemArg { offset: u64::from(detail % 40), align: 0, memory_index: 0 };
                address(&mut out, 8);
                out.i32_load(at).local_set(second);
            }
            2 => {
                out.local_get(0).i32_const(3).i32_and().if_(BlockType::Empty);
                out.i64_const(i64::from(which)).local_set(5).end();
            }
            3 => {
                let at = MemArg { offset: u64::from(which % 16), align: 0, memory_index: 0 };
                if memory64 {
                    out.local_get(1).i64_const(15).i64_and();
                } else {
                    out.local_get(0).i32_const(15).i32_and();
                }
                out.i32_load8_s(at).local_set(4);
            }
            4 => {
                [which % 60, 8, detail % 40].into_iter().for_each(|n| address(&mut out, n));
                out.memory_copy(0, 0);
            }
            5 => {
                address(&mut out, which % 60);
                out.local_get(second);
                address(&mut out, detail % 20);
                out.memory_fill(0);
            }
            _ => {
                let opcode = opcodes[usize::from(which) % opcodes.len()];
                let types = op::op_types(opcode).expect("it is numeric");
                let operand = place(types.operand);
                out.local_get(operand);
                if types.is_binary {
                    out.local_get(operand + 4);
                }
                match opcode.checked_sub(op::PREFIXED) {
                    Some(prefixed) => code.extend([0xFC, prefixed as u8]),
                    None => code.push(opcode as u8),
                }
                let result = place(types.result) + second;
                wasm_encoder::InstructionSink::new(&mut code).local_set(result);
            }
        }
        function.raw(code);
    }
    let mut out = function.instructions();
    (0..4).for_each(|local| {
        out.local_get(local);
    });
    out.end();
    let mut code = CodeSection::new();
    code.function(&function);
    let mut module = Module::new();
    module.section(&types).section(&functions).section(&memories).section(&exports);
    module.section(&code);
    module.finish()
}

#[rebut::test(cases = 400)]
fn every_instruction_has_the_term_of_what_it_computes(
    #[from(rebut::prelude::vecs(rebut::any::<u8>()).min_size(3).max_size(60))] bytes: Vec<u8>,
    numbers: [u64; 4],
) {
    for memory64 in [false, true] {
        compare(&busy_module(&bytes, memory64), &numbers, &mut Compared::default());
    }
}

#[test]
fn random_modules_have_paths_and_busy_ones_have_symbols() {
    let mut all = Compared::default();
    for seed in 0..30 {
        let Some(wasm) = random_module(&noise(seed), true) else { continue };
        compare(&wasm, &[3, 1 << 40, 0, u64::MAX], &mut all);
    }
    assert!(all.functions > 50 && all.conditions > 20, "{all:?}");
    assert!((20..all.functions - 20).contains(&all.functions64), "{all:?}");
    for memory64 in [false, true] {
        let mut all = Compared::default();
        for seed in 0..30 {
            let busy = busy_module(&noise(seed)[..60], memory64);
            compare(&busy, &[3, 1 << 40, 0, u64::MAX], &mut all);
        }
        assert!(all.results > 50 && all.bytes > 50 && all.conditions > 20, "{all:?}");
    }
}

/// Returns a module with a function that consists of one numeric instruction with one operand.
fn single_module(opcode: u32) -> Vec<u8> {
    use wasm_encoder::ValType;
    let types = op::op_types(opcode).expect("it is numeric");
    let [operand, result] = [types.operand, types.result].map(|ty| match ty {
        Type::I32 => ValType::I32,
        Type::I64 => ValType::I64,
        Type::F32 => ValType::F32,
        Type::F64 => ValType::F64,
    });
    module_of(operand, result, &[opcode as u8])
}

/// Returns a module with a memory and a function that consists of one instruction with one operand.
/// Addresses have 64 bits if the operand is an `i64`.
fn module_of(
    operand: wasm_encoder::ValType,
    result: wasm_encoder::ValType,
    code: &[u8],
) -> Vec<u8> {
    use wasm_encoder::{
        CodeSection, ExportKind, ExportSection, Function, FunctionSection, MemorySection,
        MemoryType, Module, TypeSection,
    };
    let mut types = TypeSection::new();
    types.ty().function([operand], [result]);
    let mut functions = FunctionSection::new();
    functions.function(0);
    let mut memories = MemorySection::new();
    memories.memory(MemoryType {
        minimum: 1,
        maximum: Some(1),
        memory64: operand == wasm_encoder::ValType::I64,
        shared: false,
        page_size_log2: None,
    });
    let mut exports = ExportSection::new();
    exports.export("single", ExportKind::Func, 0).export("memory", ExportKind::Memory, 0);
    let mut function = Function::new([]);
    function.instructions().local_get(0);
    function.raw(code.iter().copied());
    function.instructions().end();
    let mut code = CodeSection::new();
    code.function(&function);
    let mut module = Module::new();
    module.section(&types).section(&functions).section(&memories).section(&exports);
    module.section(&code);
    module.finish()
}

/// The taint of such an address would be beyond the shadow memory, whose addresses have 32 bits.
#[test]
fn accesses_at_offsets_beyond_32_bits_trap() {
    use wasm_encoder::{Instruction, MemArg, ValType};
    for offset in [1 << 28, 1 << 35, 1 << 40, u64::MAX] {
        let mut code = Vec::new();
        let at = MemArg { offset, align: 0, memory_index: 0 };
        wasm_encoder::Encode::encode(&Instruction::I32Load(at), &mut code);
        let wasm = module_of(ValType::I64, ValType::I32, &code);
        for number in [0, 1, u64::MAX] {
            let mut compared = Compared::default();
            compare(&wasm, &[number], &mut compared);
            assert_eq!((compared.functions64, compared.results), (1, 0), "{offset} + {number}");
        }
    }
}

/// Trapping is a decision of the path, on either side of each bound.
#[test]
fn trapping_truncations_are_decisions() {
    let special = [-0.0, -0.9, -1.0, 3.7, f64::NAN, f64::INFINITY];
    for opcode in (0xA8..=0xAB).chain(0xAE..=0xB1) {
        let wasm = single_module(opcode);
        let bound = 2f64.powi(match opcode {
            0xA8 | 0xAA => 31,
            0xA9 | 0xAB => 32,
            0xAE | 0xB0 => 63,
            _ => 64,
        });
        let narrow = f64::from((bound as f32).next_down());
        let around = [bound, bound.next_down(), narrow, -bound, -bound - 1.0];
        for number in special.into_iter().chain(around) {
            let bits = match op::op_types(opcode).map(|types| types.operand) {
                Some(Type::F32) => u64::from((number as f32).to_bits()),
                _ => number.to_bits(),
            };
            let mut compared = Compared::default();
            compare(&wasm, &[bits], &mut compared);
            assert_eq!(compared.conditions, 1, "{opcode:#x} of {number}");
        }
    }
}
