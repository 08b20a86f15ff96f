//! A module that counts which of its code is run, without shadows.
//!
//! To report which lines the paths of an exploration cover, each path is run once more in such a
//! module, so that exploration itself pays nothing for coverage. Functions are cut into blocks:
//! stretches of code that run from beginning to end or not at all. A block ends at each jump, and
//! after each call, because not every call returns. A separate memory has one byte for each block
//! and two for each condition, which are set when the code runs. One more byte, set by the host,
//! ends a run where a panic begins: what follows only formats the message, and was not explored.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use wasm_encoder::reencode::{self, Reencode, RoundtripReencoder};
use wasm_encoder::{BlockType, CodeSection, ExportKind, Function, MemArg, ValType};
use wasmparser::{FunctionBody, Operator, Payload};

use super::module::{Code, Parsed};
use super::{ModuleError, UnsupportedCall, hash};

/// The name under which the memory of the counters is exported.
pub(crate) const COUNTERS: &str = "rebut-counters";

/// The size of a page of WebAssembly, in bytes.
const PAGE: u64 = 1 << 16;

/// The part of a mangled name that marks the function in which panics begin.
const PANIC: &str = "9panicking9panic_fmt";

/// Code that runs from its beginning to its end or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// The function.
    pub(crate) function: u32,
    /// Its offsets in the original module.
    pub(crate) code: Range<u32>,
    /// The edges that lead to it; empty for the entry of a function.
    pub(crate) incoming: Vec<BlockEdge>,
}

/// An edge from one block to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockEdge {
    /// The block that it leaves.
    pub(crate) from: usize,
    /// The instruction at the end of that block.
    pub(crate) site: u32,
    pub(crate) kind: EdgeKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EdgeKind {
    /// The only way to leave the block.
    Only,
    /// One of several, picked by a condition.
    Decided,
    /// Taken if a call returns.
    Returned,
}

/// A module with counters.
#[derive(Debug)]
pub(crate) struct CoverageModule {
    pub(crate) bytes: Vec<u8>,
    pub(crate) blocks: Vec<Block>,
    /// The sites of conditions. Their counters come after those of the blocks, two each: the
    /// condition was true, and it was false.
    pub(crate) conditions: Vec<u32>,
    /// Whether addresses of its memory have 64 bits.
    pub(crate) is_memory64: bool,
    /// The functions that each function calls directly.
    calls: HashMap<u32, Vec<u32>>,
}

impl CoverageModule {
    /// The number of counters. The byte after them ends runs at a panic.
    pub(crate) fn size(&self) -> usize {
        self.blocks.len() + 2 * self.conditions.len()
    }

    /// The transitive closure of these functions under direct calls.
    pub(crate) fn called_from(&self, functions: HashSet<u32>) -> HashSet<u32> {
        let mut waiting: Vec<u32> = functions.iter().copied().collect();
        let mut called = functions;
        while let Some(function) = waiting.pop() {
            for callee in self.calls.get(&function).into_iter().flatten() {
                if called.insert(*callee) {
                    waiting.push(*callee);
                }
            }
        }
        called
    }
}

/// Which blocks to count, and how functions without counters differ from the original.
pub(crate) struct CountingOptions<'a> {
    /// Whether the blocks of a function get counters, given the offsets of its code.
    pub(crate) is_of_interest: &'a dyn Fn(Range<u32>) -> bool,
    /// The functions that end the run because they need something unsupported.
    pub(crate) unsupported: Option<UnsupportedCall>,
    /// Whether hashers return 0, as in the exploration.
    pub(crate) is_hash_constant: bool,
}

/// Writes a module with counters.
pub(crate) fn write(
    wasm: &[u8],
    options: &CountingOptions<'_>,
) -> Result<CoverageModule, ModuleError> {
    let parsed = Parsed::read(wasm)?;
    let layout = parsed.layout()?;
    if !parsed.payloads.iter().any(|payload| matches!(payload, Payload::MemorySection(_))) {
        return Err(ModuleError::new("the module has no memory of its own"));
    }
    let codes = parsed.codes(&layout)?;
    let mut plan = Plan::default();
    let hashers = if options.is_hash_constant {
        hash::hashers(&layout, &codes, &parsed.names).0
    } else {
        Vec::new()
    };
    for code in &codes {
        let unsupported = options
            .unsupported
            .and_then(|unsupported| unsupported(parsed.names.get(&code.function)?));
        let range = code.range();
        let is_panic = |name: &String| name.contains(PANIC);
        plan.functions.push(if parsed.names.get(&code.function).is_some_and(is_panic) {
            Body::Panic
        } else if hashers.contains(&code.function) {
            Body::Hash
        } else if unsupported.is_some() {
            Body::Unsupported
        } else if (options.is_of_interest)(range) {
            let first = plan.blocks.len();
            plan.blocks.extend(blocks(code, first)?);
            Body::Counted { locals: code.locals, blocks: first..plan.blocks.len() }
        } else {
            Body::Plain
        });
    }
    for code in codes.iter().zip(&plan.functions) {
        if let (code, Body::Counted { .. }) = code {
            let decides = |operator: &Operator<'_>| {
                matches!(operator, Operator::If { .. } | Operator::BrIf { .. })
            };
            let sites = code.operators.iter().filter(|(operator, _)| decides(operator));
            plan.conditions.extend(sites.map(|(_, offset)| *offset as u32));
        }
    }
    let mut module = wasm_encoder::Module::new();
    plan.parse_core_module(&mut module, wasmparser::Parser::new(0), wasm)?;
    let calls = codes.iter().map(|code| (code.function, calls(code))).collect();
    let Plan { blocks, conditions, .. } = plan;
    let is_memory64 = layout.is_memory64;
    Ok(CoverageModule { bytes: module.finish(), blocks, conditions, is_memory64, calls })
}

fn calls(code: &Code<'_>) -> Vec<u32> {
    let calls = code.operators.iter().filter_map(|(operator, _)| match operator {
        Operator::Call { function_index } => Some(*function_index),
        _ => None,
    });
    calls.collect()
}

/// How a function is written.
#[derive(Debug)]
enum Body {
    Plain,
    Hash,
    Unsupported,
    Panic,
    Counted { locals: u32, blocks: Range<usize> },
}

#[derive(Debug, Default)]
struct Plan {
    functions: Vec<Body>,
    blocks: Vec<Block>,
    conditions: Vec<u32>,
    /// The number of functions written so far.
    written: usize,
}

type Reencoding<T> = Result<T, reencode::Error<std::convert::Infallible>>;

impl Reencode for Plan {
    type Error = std::convert::Infallible;

    fn parse_custom_section(
        &mut self,
        _module: &mut wasm_encoder::Module,
        _section: wasmparser::CustomSectionReader<'_>,
    ) -> Reencoding<()> {
        Ok(())
    }

    fn parse_memory_section(
        &mut self,
        memories: &mut wasm_encoder::MemorySection,
        section: wasmparser::MemorySectionReader<'_>,
    ) -> Reencoding<()> {
        reencode::utils::parse_memory_section(self, memories, section)?;
        let pages = (self.size() as u64 + 1).div_ceil(PAGE);
        memories.memory(super::module::plain_memory(pages, pages));
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut wasm_encoder::ExportSection,
        section: wasmparser::ExportSectionReader<'_>,
    ) -> Reencoding<()> {
        reencode::utils::parse_export_section(self, exports, section)?;
        exports.export(COUNTERS, ExportKind::Memory, 1);
        Ok(())
    }

    fn parse_function_body(
        &mut self,
        section: &mut CodeSection,
        body: FunctionBody<'_>,
    ) -> Reencoding<()> {
        let nth = self.written;
        self.written += 1;
        let plain = Body::Plain;
        let mut function = match self.functions.get(nth).unwrap_or(&plain) {
            Body::Plain => return reencode::utils::parse_function_body(self, section, body),
            Body::Hash | Body::Unsupported => Function::new([]),
            Body::Panic | Body::Counted { .. } => {
                let mut locals = Vec::new();
                for local in body.get_locals_reader()? {
                    let (count, ty) = local?;
                    locals.push((count, RoundtripReencoder.val_type(ty)?));
                }
                locals.push((1, ValType::I32));
                Function::new(locals)
            }
        };
        match self.functions.get(nth) {
            Some(Body::Hash) => {
                function.instructions().i64_const(0).end();
            }
            Some(Body::Counted { locals, blocks }) => {
                self.write(&mut function, &body, *locals, blocks.clone())?;
            }
            Some(Body::Panic) => {
                let place = MemArg { offset: self.size() as u64, align: 0, memory_index: 1 };
                let mut out = function.instructions();
                out.i32_const(0).i32_load8_u(place).if_(BlockType::Empty).unreachable().end();
                self.write(&mut function, &body, 0, 0..0)?;
            }
            _ => {
                function.instructions().unreachable().end();
            }
        }
        section.function(&function);
        Ok(())
    }
}

impl Plan {
    fn size(&self) -> usize {
        self.blocks.len() + 2 * self.conditions.len()
    }

    fn write(
        &self,
        function: &mut Function,
        body: &FunctionBody<'_>,
        spare: u32,
        blocks: Range<usize>,
    ) -> Reencoding<()> {
        let mut next = blocks.start;
        for operator in body.get_operators_reader()?.into_iter_with_offsets() {
            let (operator, offset) = operator?;
            while next < blocks.end && self.blocks[next].code.start == offset as u32 {
                mark(function, next, None);
                next += 1;
            }
            if matches!(operator, Operator::If { .. } | Operator::BrIf { .. })
                && let Ok(nth) = self.conditions.binary_search(&(offset as u32))
            {
                mark(function, self.blocks.len() + 2 * nth, Some(spare));
            }
            function.instruction(&RoundtripReencoder.instruction(operator)?);
        }
        Ok(())
    }
}

/// Sets a counter, or one of two by the condition on the stack, which stays there.
fn mark(function: &mut Function, counter: usize, condition: Option<u32>) {
    let place = MemArg { offset: counter as u64, align: 0, memory_index: 1 };
    let mut out = function.instructions();
    match condition {
        Some(spare) => out.local_tee(spare).i32_eqz(),
        None => out.i32_const(0),
    };
    out.i32_const(1).i32_store8(place);
    if let Some(spare) = condition {
        out.local_get(spare);
    }
}

/// A jump target: an open `block`, `loop` or `if`, or the function itself.
struct Frame {
    /// The block that jumps to it enter, if it is a loop.
    header: Option<usize>,
    /// The edges to its end.
    ends: Vec<BlockEdge>,
    /// The edge of the condition of an `if`, until there is an `else`.
    condition: Option<BlockEdge>,
}

/// Cuts a function into blocks, numbered from `first`.
struct Cutter {
    function: u32,
    first: usize,
    blocks: Vec<Block>,
    frames: Vec<Frame>,
    /// The open block; `None` in unreachable code.
    current: Option<usize>,
}

fn blocks(code: &Code<'_>, first: usize) -> Result<Vec<Block>, ModuleError> {
    let mut cutter = Cutter {
        function: code.function,
        first,
        blocks: Vec::new(),
        frames: Vec::new(),
        current: None,
    };
    cutter.frames.push(Frame { header: None, ends: Vec::new(), condition: None });
    if let Some((_, offset)) = code.operators.first() {
        cutter.begin(*offset as u32, Vec::new(), true);
    }
    let nexts = code.operators.iter().skip(1).map(|(_, offset)| *offset as u32);
    for ((operator, offset), next) in code.operators.iter().zip(nexts) {
        cutter.step(operator, *offset as u32, next)?;
    }
    cutter.close(code.range().end);
    Ok(cutter.blocks)
}

impl Cutter {
    fn begin(&mut self, start: u32, incoming: Vec<BlockEdge>, is_entry: bool) {
        self.close(start);
        self.current = None;
        if is_entry || !incoming.is_empty() {
            self.current = Some(self.first + self.blocks.len());
            self.blocks.push(Block { function: self.function, code: start..start, incoming });
        }
    }

    fn close(&mut self, end: u32) {
        if let Some(current) = self.current
            && let Some(block) = self.blocks.get_mut(current - self.first)
        {
            block.code.end = end;
        }
    }

    fn edge(&self, site: u32, kind: EdgeKind) -> Option<BlockEdge> {
        Some(BlockEdge { from: self.current?, site, kind })
    }

    /// Adds an edge to the frame at a depth.
    fn jump(&mut self, depth: u32, edge: Option<BlockEdge>) {
        let place = self.frames.len().checked_sub(1 + depth as usize);
        let Some(frame) = place.and_then(|place| self.frames.get_mut(place)) else { return };
        match frame.header {
            Some(header) => {
                if let Some(block) = self.blocks.get_mut(header - self.first) {
                    block.incoming.extend(edge);
                }
            }
            None => frame.ends.extend(edge),
        }
    }

    fn step(&mut self, operator: &Operator<'_>, site: u32, next: u32) -> Result<(), ModuleError> {
        match operator {
            Operator::Block { .. } => {
                self.frames.push(Frame { header: None, ends: Vec::new(), condition: None });
            }
            Operator::Loop { .. } => {
                let edge = self.edge(site, EdgeKind::Only);
                self.begin(next, edge.into_iter().collect(), false);
                // An unreachable loop has no block; jumps to it are unreachable too.
                let header = self.current;
                self.frames.push(Frame { header, ends: Vec::new(), condition: None });
            }
            Operator::If { .. } => {
                let condition = self.edge(site, EdgeKind::Decided);
                self.frames.push(Frame { header: None, ends: Vec::new(), condition });
                self.begin(next, condition.into_iter().collect(), false);
            }
            Operator::Else => {
                let edge = self.edge(site, EdgeKind::Only);
                self.jump(0, edge);
                let condition = self.frames.last_mut().and_then(|frame| frame.condition.take());
                self.begin(next, condition.into_iter().collect(), false);
            }
            Operator::End => {
                let Some(frame) = self.frames.pop() else { return Ok(()) };
                let mut incoming = frame.ends;
                incoming.extend(frame.condition);
                if !incoming.is_empty() {
                    incoming.extend(self.edge(site, EdgeKind::Only));
                    self.begin(next, incoming, false);
                }
            }
            Operator::Br { relative_depth } => {
                let edge = self.edge(site, EdgeKind::Only);
                self.jump(*relative_depth, edge);
                self.begin(next, Vec::new(), false);
            }
            Operator::BrIf { relative_depth } => {
                let edge = self.edge(site, EdgeKind::Decided);
                self.jump(*relative_depth, edge);
                self.begin(next, edge.into_iter().collect(), false);
            }
            Operator::BrTable { targets } => {
                let edge = self.edge(site, EdgeKind::Decided);
                for target in targets.targets() {
                    self.jump(target?, edge);
                }
                self.jump(targets.default(), edge);
                self.begin(next, Vec::new(), false);
            }
            Operator::Return | Operator::Unreachable => self.begin(next, Vec::new(), false),
            Operator::Call { .. } | Operator::CallIndirect { .. } => {
                let edge = self.edge(site, EdgeKind::Returned);
                self.begin(next, edge.into_iter().collect(), false);
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{
        ExportSection, FunctionSection, Instruction, MemorySection, Module, NameMap, NameSection,
        TypeSection,
    };
    use wasmtime::{Config, Engine, Instance, Store};

    use super::*;

    /// A module with one function from `i32` to `i32`.
    fn module(name: &str, body: &[Instruction<'_>]) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([ValType::I32], [ValType::I32]);
        let mut functions = FunctionSection::new();
        functions.function(0);
        let mut memories = MemorySection::new();
        memories.memory(super::super::module::plain_memory(1, 1));
        let mut exports = ExportSection::new();
        exports.export("f", ExportKind::Func, 0);
        let mut code = CodeSection::new();
        let mut function = Function::new([]);
        for instruction in body {
            function.instruction(instruction);
        }
        code.function(&function);
        let mut module = Module::new();
        module.section(&types).section(&functions).section(&memories).section(&exports);
        module.section(&code);
        let (mut map, mut names) = (NameMap::new(), NameSection::new());
        map.append(0, name);
        names.functions(&map);
        module.section(&names);
        module.finish()
    }

    fn coverage(body: &[Instruction<'_>]) -> CoverageModule {
        let options = CountingOptions {
            is_of_interest: &|_| true,
            unsupported: None,
            is_hash_constant: false,
        };
        write(&module("f", body), &options).expect("a module")
    }

    /// Returns the result, the blocks that ran, and the sides that conditions took.
    fn run(coverage: &CoverageModule, argument: i32) -> (Option<i32>, String, String) {
        run_until(coverage, argument, 0)
    }

    /// Like [`run`]; ends where a panic begins if `ends` is not zero.
    fn run_until(
        coverage: &CoverageModule,
        argument: i32,
        ends: u8,
    ) -> (Option<i32>, String, String) {
        let mut config = Config::new();
        config.wasm_multi_memory(true);
        let engine = Engine::new(&config).expect("an engine");
        let module = wasmtime::Module::new(&engine, &coverage.bytes).expect("a valid module");
        let mut store = Store::new(&engine, ());
        let instance = Instance::new(&mut store, &module, &[]).expect("an instance");
        let f = instance.get_typed_func::<i32, i32>(&mut store, "f").expect("a function");
        let memory = instance.get_memory(&mut store, COUNTERS).expect("counters");
        memory.data_mut(&mut store)[coverage.size()] = ends;
        let result = f.call(&mut store, argument).ok();
        let bits = |bytes: &[u8]| bytes.iter().map(|byte| char::from(b'0' + byte)).collect();
        let (blocks, rest) = memory.data(&store).split_at(coverage.blocks.len());
        (result, bits(blocks), bits(&rest[..2 * coverage.conditions.len()]))
    }

    #[test]
    fn sides_of_an_if_are_blocks() {
        let coverage = coverage(&[
            Instruction::LocalGet(0),
            Instruction::If(BlockType::Result(ValType::I32)),
            Instruction::I32Const(7),
            Instruction::Else,
            Instruction::I32Const(8),
            Instruction::End,
            Instruction::End,
        ]);
        // The blocks are: before, then, else, after.
        assert_eq!(run(&coverage, 1), (Some(7), "1101".to_owned(), "10".to_owned()));
        assert_eq!(run(&coverage, 0), (Some(8), "1011".to_owned(), "01".to_owned()));
        let [_, yes, no, after] = coverage.blocks.as_slice() else { panic!("{coverage:?}") };
        assert_eq!(yes.incoming, no.incoming);
        assert_eq!(yes.incoming[0].kind, EdgeKind::Decided);
        assert_eq!(after.incoming.iter().map(|edge| edge.from).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn a_run_can_end_where_a_panic_begins() {
        let options = CountingOptions {
            is_of_interest: &|_| true,
            unsupported: None,
            is_hash_constant: false,
        };
        let body = [Instruction::LocalGet(0), Instruction::End];
        let name = "_ZN4core9panicking9panic_fmt17hE";
        let coverage = write(&module(name, &body), &options).expect("a module");
        assert_eq!(run_until(&coverage, 5, 0).0, Some(5));
        assert_eq!(run_until(&coverage, 5, 1).0, None);
    }

    #[test]
    fn a_loop_has_an_edge_to_itself() {
        let coverage = coverage(&[
            Instruction::Loop(BlockType::Empty),
            Instruction::LocalGet(0),
            Instruction::I32Const(1),
            Instruction::I32Sub,
            Instruction::LocalTee(0),
            Instruction::BrIf(0),
            Instruction::End,
            Instruction::LocalGet(0),
            Instruction::End,
        ]);
        assert_eq!(run(&coverage, 3), (Some(0), "111".to_owned(), "11".to_owned()));
        assert_eq!(run(&coverage, 1), (Some(0), "111".to_owned(), "01".to_owned()));
        let header = &coverage.blocks[1];
        assert_eq!(header.incoming.iter().map(|edge| edge.from).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn code_after_a_call_that_does_not_return_is_not_run() {
        let coverage = coverage(&[
            Instruction::LocalGet(0),
            Instruction::If(BlockType::Empty),
            Instruction::Unreachable,
            Instruction::End,
            Instruction::I32Const(1),
            Instruction::Call(0),
            Instruction::End,
        ]);
        // The blocks are: before, the trap, after it, after the call.
        assert_eq!(run(&coverage, 0), (None, "1110".to_owned(), "11".to_owned()));
        assert_eq!(coverage.blocks[3].incoming[0].kind, EdgeKind::Returned);
        assert_eq!(coverage.called_from(HashSet::from([0])), HashSet::from([0]));
    }
}
