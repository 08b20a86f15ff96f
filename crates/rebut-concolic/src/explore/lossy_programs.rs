//! Explorations of random programs whose expressions are cut.
//!
//! A program depends on nothing but its draws, so no run of it diverges. With a small limit on the
//! size of terms, most of these programs have values that lost their expression, and branches that
//! depend on such values.

use std::sync::Arc;

use wasm_encoder::{
    BlockType, CodeSection, EntityType, ExportKind, ExportSection, Function, FunctionSection,
    ImportSection, InstructionSink, MemArg, MemorySection, MemoryType, Module, TypeSection,
    ValType,
};

use super::{Budget, Exploration, Limit, MISSED, explore};
use crate::oracle::noise;
use crate::trace::Loss;
use crate::{Machine, Side};

/// The number of draws of a program, each a byte in a local.
const DRAWS: u32 = 3;
/// The number of locals that programs compute with. One more counts the rounds of loops.
const LOCALS: u32 = 5;

/// Writes a random program, one statement for a few bytes of the source.
struct ProgramWriter<'a> {
    source: &'a [u8],
    code: InstructionSink<'a>,
}

impl ProgramWriter<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.source.split_first() else { return 0 };
        self.source = rest;
        *first
    }

    fn local(&mut self) -> u32 {
        1 + u32::from(self.byte()) % LOCALS
    }

    fn statements(&mut self, depth: u32) {
        let count = 1 + self.byte() % 4;
        for _ in 0..count {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.byte() % 6 {
            0 | 1 => self.arithmetic(),
            2 => self.through_memory(),
            3 | 4 if depth > 0 => {
                self.condition();
                self.code.if_(BlockType::Empty);
                self.statements(depth - 1);
                self.code.else_();
                self.statements(depth - 1);
                self.code.end();
            }
            5 if depth > 0 => self.loop_(depth),
            _ => self.arithmetic(),
        }
    }

    /// `to = a op b`
    fn arithmetic(&mut self) {
        let (to, a, b) = (self.local(), self.local(), self.local());
        let op = self.byte() % 6;
        self.code.local_get(a).local_get(b);
        match op {
            0 => self.code.i64_add(),
            1 => self.code.i64_mul(),
            2 => self.code.i64_xor(),
            3 => self.code.i64_sub(),
            4 => self.code.i64_and(),
            _ => self.code.i64_rotl(),
        };
        self.code.local_set(to);
    }

    /// Stores a number and loads another that overlaps it.
    fn through_memory(&mut self) {
        let (from, to) = (self.local(), self.local());
        let at = |offset| MemArg { offset, align: 0, memory_index: 0 };
        let (store, load) = (u64::from(self.byte() % 8), u64::from(self.byte() % 8));
        self.code.i32_const(0).local_get(from).i64_store(at(store));
        self.code.i32_const(0).i64_load(at(load)).local_set(to);
    }

    fn condition(&mut self) {
        let (a, b) = (self.local(), self.local());
        let op = self.byte() % 3;
        self.code.local_get(a).local_get(b);
        match op {
            0 => self.code.i64_lt_u(),
            1 => self.code.i64_lt_s(),
            _ => self.code.i64_eq(),
        };
    }

    /// A loop of at most four rounds, as many as the last bits of a local say.
    fn loop_(&mut self, depth: u32) {
        let rounds = self.local();
        let counter = 1 + LOCALS + depth;
        self.code.local_get(rounds).i64_const(3).i64_and().local_set(counter);
        self.code.loop_(BlockType::Empty);
        self.statements(depth - 1);
        self.code.local_get(counter).i64_const(1).i64_sub().local_tee(counter);
        self.code.i64_const(0).i64_gt_s().br_if(0).end();
    }
}

/// Returns a random program that draws bytes, computes and ends, on some paths with a failure.
fn program(source: &[u8]) -> Machine {
    const DEPTH: u32 = 3;
    let mut types = TypeSection::new();
    types.ty().function([ValType::I64, ValType::I64, ValType::I64, ValType::I32], [ValType::I64]);
    types.ty().function([ValType::I32], []);
    let mut imports = ImportSection::new();
    imports.import("rebut", "draw", EntityType::Function(0));
    let mut functions = FunctionSection::new();
    functions.function(1);
    let mut memories = MemorySection::new();
    let (minimum, maximum, page_size_log2) = (1, None, None);
    let (memory64, shared) = (false, false);
    memories.memory(MemoryType { minimum, maximum, memory64, shared, page_size_log2 });
    let mut exports = ExportSection::new();
    exports.export("rebut_test_it", ExportKind::Func, 1);
    exports.export("memory", ExportKind::Memory, 0);
    let mut body = Function::new([(LOCALS + 1 + DEPTH, ValType::I64)]);
    let mut writer = ProgramWriter { source, code: body.instructions() };
    for draw in 0..DRAWS {
        let code = &mut writer.code;
        code.i64_const(0).i64_const(255).i64_const(0).i32_const(1).call(0).local_set(1 + draw);
    }
    writer.statements(DEPTH);
    writer.statements(DEPTH);
    writer.condition();
    writer.code.if_(BlockType::Empty).unreachable().end().end();
    let mut codes = CodeSection::new();
    codes.function(&body);
    let mut module = Module::new();
    module.section(&types).section(&imports).section(&functions).section(&memories);
    module.section(&exports).section(&codes);
    let wasm: Arc<[u8]> = module.finish().into();
    Machine::new(wasm, "rebut_test_it", |_| None).expect("the module is one")
}

fn explored(source: &[u8], term_size: u32) -> Exploration {
    let budget = Budget { runs: 150, conflicts: 500, term_size, ..Budget::default() };
    explore(&mut program(source), &budget, &[])
}

#[rebut::test(cases = 60)]
fn programs_that_depend_on_their_draws_alone_do_not_diverge(
    #[from(rebut::prelude::vecs(rebut::any::<u8>()).min_size(20).max_size(120))] source: Vec<u8>,
    #[from(rebut::prelude::integers().min_value(2).max_value(60))] term_size: u32,
) {
    let explored = explored(&source, term_size);
    assert_eq!(explored.divergences, 0, "{:?}", explored.limits);
}

/// The property above means something only if expressions are cut and runs miss their target.
#[test]
fn random_programs_lose_expressions_and_miss_targets() {
    let (mut lossy, mut missed) = (0, 0);
    for seed in 0..20 {
        let explored = explored(&noise(seed)[..100], 12);
        lossy += usize::from(explored.limits.contains(&Limit::Lossy(Loss::TooLarge)));
        let sides = explored.tree.nodes().iter().map(|node| node.side(false));
        missed += sides.filter(|side| **side == Side::Unknown(MISSED.to_owned())).count();
    }
    assert!(lossy > 5 && missed > 0, "{lossy} lossy, {missed} missed");
}
