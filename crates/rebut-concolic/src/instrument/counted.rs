//! A module that counts which of its code is run, without shadows.
//!
//! To say which lines the paths of an exploration run, each path is run once more in such a
//! module, so that exploring itself pays nothing for it. Functions are cut into blocks: stretches
//! of code that are run from the beginning to the end or not at all. A block ends at each jump,
//! and behind each call, because not every call returns. A byte for each block and two for each
//! condition, in a memory of their own, say what was run. One byte more says whether a run ends
//! where a panic begins: what follows only words it, and is nothing that was explored.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use wasm_encoder::reencode::{self, Reencode, RoundtripReencoder};
use wasm_encoder::{BlockType, CodeSection, ExportKind, Function, MemArg, ValType};
use wasmparser::{FunctionBody, Operator, Payload};

use super::module::{Code, Parsed};
use super::{Beyond, Unfit, hash};

/// The memory of the counters, as the module exports it.
pub(crate) const COUNTERS: &str = "rebut-counters";

const PAGE: u64 = 1 << 16;

/// What the name of a function has in it in which panics begin.
const PANIC: &str = "9panicking9panic_fmt";

/// Code that is run from its beginning to its end or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// The function.
    pub(crate) function: u32,
    /// Where it is in the module.
    pub(crate) code: Range<u32>,
    /// How it is come by.
    pub(crate) ways: Vec<Way>,
}

/// How one block leads to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    /// The block before.
    pub(crate) from: usize,
    /// The instruction at its end.
    pub(crate) site: u32,
    pub(crate) kind: WayKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WayKind {
    /// There is no other.
    Only,
    /// A condition decides.
    Decided,
    /// If the call returns.
    Returned,
}

/// A module with counters.
#[derive(Debug)]
pub(crate) struct Counted {
    pub(crate) bytes: Vec<u8>,
    pub(crate) blocks: Vec<Block>,
    /// Where the conditions are. Their counters are behind those of the blocks, two for each:
    /// whether it was true, and whether it was false.
    pub(crate) conditions: Vec<u32>,
    /// Which functions each function calls by name.
    calls: HashMap<u32, Vec<u32>>,
}

impl Counted {
    /// How many bytes there are to count with; behind them is the one that ends runs at a panic.
    pub(crate) fn size(&self) -> usize {
        self.blocks.len() + 2 * self.conditions.len()
    }

    /// These functions, what they call by name, what that calls, and so on.
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

/// Which functions have counters, and how the others differ.
pub(crate) struct Wanted<'a> {
    /// Says of the code of a function whether its blocks are of interest.
    pub(crate) is_of_interest: &'a dyn Fn(Range<u32>) -> bool,
    /// Functions that need what does not exist here end the run.
    pub(crate) beyond: Option<Beyond>,
    /// All keys have the same hash.
    pub(crate) is_hash_constant: bool,
}

/// Writes a module with counters.
pub(crate) fn count(wasm: &[u8], wanted: &Wanted<'_>) -> Result<Counted, Unfit> {
    let parsed = Parsed::read(wasm)?;
    let layout = parsed.layout()?;
    if !parsed.payloads.iter().any(|payload| matches!(payload, Payload::MemorySection(_))) {
        return Err(Unfit::new("the module has no memory of its own"));
    }
    let codes = parsed.codes(&layout)?;
    let mut plan = Plan::default();
    let hashers = if wanted.is_hash_constant {
        hash::hashers(&layout, &codes, &parsed.names).0
    } else {
        Vec::new()
    };
    for code in &codes {
        let beyond = wanted.beyond.and_then(|beyond| beyond(parsed.names.get(&code.function)?));
        let range = code.range();
        let is_panic = |name: &String| name.contains(PANIC);
        plan.functions.push(if parsed.names.get(&code.function).is_some_and(is_panic) {
            Body::Panic
        } else if hashers.contains(&code.function) {
            Body::Hash
        } else if beyond.is_some() {
            Body::Beyond
        } else if (wanted.is_of_interest)(range) {
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
    Ok(Counted { bytes: module.finish(), blocks, conditions, calls })
}

fn calls(code: &Code<'_>) -> Vec<u32> {
    let calls = code.operators.iter().filter_map(|(operator, _)| match operator {
        Operator::Call { function_index } => Some(*function_index),
        _ => None,
    });
    calls.collect()
}

/// What becomes of a function.
#[derive(Debug)]
enum Body {
    Plain,
    Hash,
    Beyond,
    Panic,
    Counted { locals: u32, blocks: Range<usize> },
}

#[derive(Debug, Default)]
struct Plan {
    functions: Vec<Body>,
    blocks: Vec<Block>,
    conditions: Vec<u32>,
    /// How many functions were written.
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
            Body::Hash | Body::Beyond => Function::new([]),
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

/// Sets a byte, or one of two by the condition on the stack, which is left there.
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

/// A jump target: a `block`, `loop` or `if` that is open, or the function.
struct Frame {
    /// Where jumps to it go, if that is known already: a loop.
    header: Option<usize>,
    /// Ways to its end.
    ends: Vec<Way>,
    /// The condition of an `if`, until there is an `else`.
    condition: Option<Way>,
}

/// The blocks of a function in order, numbered from `first`.
struct Cutter {
    function: u32,
    first: usize,
    blocks: Vec<Block>,
    frames: Vec<Frame>,
    /// The block that is open; none where code cannot be run.
    current: Option<usize>,
}

fn blocks(code: &Code<'_>, first: usize) -> Result<Vec<Block>, Unfit> {
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
    fn begin(&mut self, start: u32, ways: Vec<Way>, is_entry: bool) {
        self.close(start);
        self.current = None;
        if is_entry || !ways.is_empty() {
            self.current = Some(self.first + self.blocks.len());
            self.blocks.push(Block { function: self.function, code: start..start, ways });
        }
    }

    fn close(&mut self, end: u32) {
        if let Some(current) = self.current
            && let Some(block) = self.blocks.get_mut(current - self.first)
        {
            block.code.end = end;
        }
    }

    fn way(&self, site: u32, kind: WayKind) -> Option<Way> {
        Some(Way { from: self.current?, site, kind })
    }

    /// A jump to the frame with this depth.
    fn jump(&mut self, depth: u32, way: Option<Way>) {
        let place = self.frames.len().checked_sub(1 + depth as usize);
        let Some(frame) = place.and_then(|place| self.frames.get_mut(place)) else { return };
        match frame.header {
            Some(header) => {
                if let Some(block) = self.blocks.get_mut(header - self.first) {
                    block.ways.extend(way);
                }
            }
            None => frame.ends.extend(way),
        }
    }

    fn step(&mut self, operator: &Operator<'_>, site: u32, next: u32) -> Result<(), Unfit> {
        match operator {
            Operator::Block { .. } => {
                self.frames.push(Frame { header: None, ends: Vec::new(), condition: None });
            }
            Operator::Loop { .. } => {
                let way = self.way(site, WayKind::Only);
                self.begin(next, way.into_iter().collect(), false);
                // A loop that cannot be run has no block; jumps to it cannot be run either.
                let header = self.current;
                self.frames.push(Frame { header, ends: Vec::new(), condition: None });
            }
            Operator::If { .. } => {
                let condition = self.way(site, WayKind::Decided);
                self.frames.push(Frame { header: None, ends: Vec::new(), condition });
                self.begin(next, condition.into_iter().collect(), false);
            }
            Operator::Else => {
                let way = self.way(site, WayKind::Only);
                self.jump(0, way);
                let condition = self.frames.last_mut().and_then(|frame| frame.condition.take());
                self.begin(next, condition.into_iter().collect(), false);
            }
            Operator::End => {
                let Some(frame) = self.frames.pop() else { return Ok(()) };
                let mut ways = frame.ends;
                ways.extend(frame.condition);
                if !ways.is_empty() {
                    ways.extend(self.way(site, WayKind::Only));
                    self.begin(next, ways, false);
                }
            }
            Operator::Br { relative_depth } => {
                let way = self.way(site, WayKind::Only);
                self.jump(*relative_depth, way);
                self.begin(next, Vec::new(), false);
            }
            Operator::BrIf { relative_depth } => {
                let way = self.way(site, WayKind::Decided);
                self.jump(*relative_depth, way);
                self.begin(next, way.into_iter().collect(), false);
            }
            Operator::BrTable { targets } => {
                let way = self.way(site, WayKind::Decided);
                for target in targets.targets() {
                    self.jump(target?, way);
                }
                self.jump(targets.default(), way);
                self.begin(next, Vec::new(), false);
            }
            Operator::Return | Operator::Unreachable => self.begin(next, Vec::new(), false),
            Operator::Call { .. } | Operator::CallIndirect { .. } => {
                let way = self.way(site, WayKind::Returned);
                self.begin(next, way.into_iter().collect(), false);
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

    /// A module with one function from a number to a number.
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

    fn counted(body: &[Instruction<'_>]) -> Counted {
        let wanted = Wanted { is_of_interest: &|_| true, beyond: None, is_hash_constant: false };
        count(&module("f", body), &wanted).expect("a module")
    }

    /// What it gives, which blocks are run, and which ways conditions go.
    fn run(counted: &Counted, argument: i32) -> (Option<i32>, String, String) {
        run_until(counted, argument, 0)
    }

    /// The same; ends where a panic begins if `ends` is not zero.
    fn run_until(counted: &Counted, argument: i32, ends: u8) -> (Option<i32>, String, String) {
        let mut config = Config::new();
        config.wasm_multi_memory(true);
        let engine = Engine::new(&config).expect("an engine");
        let module = wasmtime::Module::new(&engine, &counted.bytes).expect("a valid module");
        let mut store = Store::new(&engine, ());
        let instance = Instance::new(&mut store, &module, &[]).expect("an instance");
        let f = instance.get_typed_func::<i32, i32>(&mut store, "f").expect("a function");
        let memory = instance.get_memory(&mut store, COUNTERS).expect("counters");
        memory.data_mut(&mut store)[counted.size()] = ends;
        let result = f.call(&mut store, argument).ok();
        let bits = |bytes: &[u8]| bytes.iter().map(|byte| char::from(b'0' + byte)).collect();
        let (blocks, rest) = memory.data(&store).split_at(counted.blocks.len());
        (result, bits(blocks), bits(&rest[..2 * counted.conditions.len()]))
    }

    #[test]
    fn sides_of_an_if_are_blocks() {
        let counted = counted(&[
            Instruction::LocalGet(0),
            Instruction::If(BlockType::Result(ValType::I32)),
            Instruction::I32Const(7),
            Instruction::Else,
            Instruction::I32Const(8),
            Instruction::End,
            Instruction::End,
        ]);
        // Before, yes, no, after.
        assert_eq!(run(&counted, 1), (Some(7), "1101".to_owned(), "10".to_owned()));
        assert_eq!(run(&counted, 0), (Some(8), "1011".to_owned(), "01".to_owned()));
        let [_, yes, no, after] = counted.blocks.as_slice() else { panic!("{counted:?}") };
        assert_eq!(yes.ways, no.ways);
        assert_eq!(yes.ways[0].kind, WayKind::Decided);
        assert_eq!(after.ways.iter().map(|way| way.from).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn a_run_can_end_where_a_panic_begins() {
        let wanted = Wanted { is_of_interest: &|_| true, beyond: None, is_hash_constant: false };
        let body = [Instruction::LocalGet(0), Instruction::End];
        let name = "_ZN4core9panicking9panic_fmt17hE";
        let counted = count(&module(name, &body), &wanted).expect("a module");
        assert_eq!(run_until(&counted, 5, 0).0, Some(5));
        assert_eq!(run_until(&counted, 5, 1).0, None);
    }

    #[test]
    fn a_loop_is_a_block_that_comes_by_itself() {
        let counted = counted(&[
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
        assert_eq!(run(&counted, 3), (Some(0), "111".to_owned(), "11".to_owned()));
        assert_eq!(run(&counted, 1), (Some(0), "111".to_owned(), "01".to_owned()));
        let header = &counted.blocks[1];
        assert_eq!(header.ways.iter().map(|way| way.from).collect::<Vec<_>>(), [0, 1]);
    }

    #[test]
    fn what_follows_a_call_that_does_not_return_is_not_run() {
        let counted = counted(&[
            Instruction::LocalGet(0),
            Instruction::If(BlockType::Empty),
            Instruction::Unreachable,
            Instruction::End,
            Instruction::I32Const(1),
            Instruction::Call(0),
            Instruction::End,
        ]);
        // Before, the trap, after it, behind the call.
        assert_eq!(run(&counted, 0), (None, "1110".to_owned(), "11".to_owned()));
        assert_eq!(counted.blocks[3].ways[0].kind, WayKind::Returned);
        assert_eq!(counted.called_from(HashSet::from([0])), HashSet::from([0]));
    }
}
