//! The quick version of a function: no shadows, and a check wherever a symbol can enter.
//!
//! Symbols enter through arguments (checked once, at the start), through draws, through results of
//! calls, and through loads. A load first looks at the taint of its granules. Taint can be stale,
//! so the hook `expose` checks the bytes themselves before it gives up on the quick version. Stores
//! write plain values: where taint is set, the hook `fill` clears the symbolic bytes below them.

use wasm_encoder::BlockType;
use wasmparser::Operator;

use super::module::{Code, Mapper};
use super::writer::{Writer, val_type};
use super::{ANY_TAINT, FunctionVersions, Layout, ModuleError};
use crate::hooks::Hook;
use crate::op::{self, Access, Type};

/// Writes the quick version of a function.
pub(super) fn write<'m>(layout: &'m Layout, code: &Code<'_>) -> Result<Writer<'m>, ModuleError> {
    let mut quick =
        QuickWriter { writer: Writer::new(layout, code.locals), function: code.function };
    quick.begin(code);
    let mut mapper = Mapper { layout };
    let mut dead = DeadCode::default();
    for (operator, _) in &code.operators {
        if dead.skips(operator) {
            continue;
        }
        let bytes = mapper.encode(operator)?;
        quick.instruction(operator, &bytes)?;
    }
    Ok(quick.writer)
}

/// Skips unreachable code: nothing is known of its operand stack.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct DeadCode {
    /// The number of open blocks since reachable code ended; 0 in reachable code.
    depth: u32,
}

impl DeadCode {
    /// Whether to skip this instruction.
    pub(super) fn skips(&mut self, operator: &Operator<'_>) -> bool {
        if self.depth == 0 {
            if let Operator::Br { .. }
            | Operator::BrTable { .. }
            | Operator::Return
            | Operator::Unreachable = operator
            {
                self.depth = 1;
            }
            return false;
        }
        match operator {
            Operator::Block { .. } | Operator::Loop { .. } | Operator::If { .. } => {
                self.depth += 1;
            }
            Operator::Else if self.depth == 1 => self.depth = 0,
            Operator::End => self.depth -= 1,
            _ => {}
        }
        self.depth > 0
    }
}

#[derive(Debug)]
struct QuickWriter<'m> {
    writer: Writer<'m>,
    function: u32,
}

impl QuickWriter<'_> {
    /// Writes the entry: passes control to the full version if that is needed.
    fn begin(&mut self, code: &Code<'_>) {
        let layout = self.writer.layout;
        let params = layout.signature(self.function).params.len() as u32;
        if layout.notes_calls_of(self.function) {
            self.writer.out().i32_const(self.function as i32);
            self.writer.call(Hook::Unsupported);
        }
        if layout.panics.contains(&self.function) {
            self.writer.call(Hook::Panicking);
        }
        if params == 0 && !code.can_meet_symbol {
            return;
        }
        match (params, code.can_meet_symbol) {
            (0, _) => self.writer.flag(layout.function_flag(self.function)),
            (_, false) => drop(self.writer.out().global_get(layout.any_argument())),
            (_, true) => {
                self.writer.flag(layout.function_flag(self.function));
                self.writer.out().global_get(layout.any_argument()).i32_or();
            }
        }
        let mut out = self.writer.out();
        out.if_(BlockType::Empty);
        if layout.versions(self.function) == FunctionVersions::QuickAndFull {
            for n in 0..params {
                out.local_get(n);
            }
            out.call(layout.full(self.function)).return_().end();
        } else {
            out.i32_const(self.function as i32).i32_const(0);
            out.call(layout.hook(Hook::Missing)).end();
        }
    }

    fn instruction(&mut self, operator: &Operator<'_>, bytes: &[u8]) -> Result<(), ModuleError> {
        match operator {
            Operator::Loop { .. } => {
                self.writer.raw(bytes);
                self.writer.count();
            }
            Operator::Call { function_index }
                if Some(*function_index) == self.writer.layout.draw =>
            {
                // The drawn number is a symbol.
                self.deoptimize();
                self.writer.raw(bytes);
            }
            Operator::Call { function_index } => {
                self.writer.raw(bytes);
                if *function_index >= self.writer.layout.imports {
                    let results = self.writer.layout.signature(*function_index).results.len();
                    self.check_results(results as u32);
                }
            }
            Operator::CallIndirect { type_index, .. } => {
                self.writer.raw(bytes);
                let results = self.writer.layout.types[*type_index as usize].results.len();
                self.check_results(results as u32);
            }
            Operator::MemoryCopy { .. }
            | Operator::MemoryFill { .. }
            | Operator::MemoryInit { .. } => self.bulk(operator, bytes),
            _ => match access(operator, bytes) {
                Some((access, offset, true)) => self.load(access, offset, bytes),
                Some((access, offset, false)) => self.store(access, offset, bytes),
                None => self.writer.raw(bytes),
            },
        }
        Ok(())
    }

    fn deoptimize(&mut self) {
        self.writer.out().i32_const(self.function as i32);
        self.writer.call(Hook::Deoptimize);
    }

    /// Deoptimizes if a result of a call is symbolic.
    fn check_results(&mut self, results: u32) {
        if results == 0 {
            return;
        }
        for n in 0..results {
            let result = self.writer.layout.result(n);
            self.writer.out().global_get(result);
            if n > 0 {
                self.writer.out().i32_or();
            }
        }
        self.writer.out().if_(BlockType::Empty);
        self.deoptimize();
        self.writer.out().end();
    }

    fn load(&mut self, access: Access, offset: u64, bytes: &[u8]) {
        let address = self.writer.temporary(self.writer.layout.address(), 0);
        self.writer.out().local_tee(address);
        self.writer.raw(bytes);
        self.writer.taint(address, offset);
        self.writer.out().if_(BlockType::Empty).i32_const(self.function as i32);
        self.writer.accessed(address);
        self.writer.out().i32_const(offset as i32).i32_add().i32_const(access.bytes as i32);
        self.writer.call(Hook::Expose);
        self.writer.out().end();
    }

    fn store(&mut self, access: Access, offset: u64, bytes: &[u8]) {
        let address = self.writer.temporary(self.writer.layout.address(), 0);
        let value = self.writer.temporary(access.ty, 1);
        self.writer.out().local_set(value).local_tee(address).local_get(value);
        self.writer.raw(bytes);
        self.writer.taint(address, offset);
        self.writer.out().if_(BlockType::Empty);
        self.writer.accessed(address);
        self.writer.out().i32_const(offset as i32).i32_add();
        self.writer.out().i32_const(0).i32_const(0).i32_const(access.bytes as i32);
        self.writer.call(Hook::Fill);
        self.writer.out().end();
    }

    /// Writes an instruction that changes a range of the memory.
    fn bulk(&mut self, operator: &Operator<'_>, bytes: &[u8]) {
        let BulkTypes { to, from, length } = bulk_types(operator, self.writer.layout.address());
        let [to_local, from_local, length_local] =
            [(to, 0), (from, 1), (length, 2)].map(|(ty, n)| self.writer.temporary(ty, n));
        self.writer.out().local_set(length_local).local_set(from_local).local_tee(to_local);
        self.writer.out().local_get(from_local).local_get(length_local);
        self.writer.raw(bytes);
        self.writer.flag(ANY_TAINT);
        self.writer.out().if_(BlockType::Empty);
        self.writer.number(to, to_local);
        let hook = if let Operator::MemoryCopy { .. } = operator {
            self.writer.number(from, from_local);
            Hook::Copy
        } else {
            self.writer.out().i32_const(0).i32_const(0);
            Hook::Fill
        };
        self.writer.number(length, length_local);
        self.writer.call(hook);
        self.writer.out().end();
    }
}

/// The types of the operands of an instruction that changes a range of the memory.
pub(super) struct BulkTypes {
    pub(super) to: Type,
    /// The source of a copy, the byte of a fill, the offset in a data segment.
    pub(super) from: Type,
    pub(super) length: Type,
}

pub(super) fn bulk_types(operator: &Operator<'_>, address: Type) -> BulkTypes {
    match operator {
        Operator::MemoryCopy { .. } => BulkTypes { to: address, from: address, length: address },
        Operator::MemoryFill { .. } => BulkTypes { to: address, from: Type::I32, length: address },
        // A data segment is not a memory: its offsets always have 32 bits.
        _ => BulkTypes { to: address, from: Type::I32, length: Type::I32 },
    }
}

/// The access and the offset of a load (`true`) or a store (`false`).
pub(super) fn access(operator: &Operator<'_>, bytes: &[u8]) -> Option<(Access, u64, bool)> {
    let opcode = u32::from(*bytes.first()?);
    let access = op::load(opcode).map(|access| (access, true));
    let (access, is_load) = access.or_else(|| op::store(opcode).map(|access| (access, false)))?;
    let offset = offset(operator)?;
    debug_assert!(val_type(access.ty) != wasm_encoder::ValType::V128, "only numbers are accessed");
    Some((access, offset, is_load))
}

macro_rules! offsets {
    ($operator:expr, $($name:ident)*) => {
        match $operator {
            $(Operator::$name { memarg } => Some(memarg.offset),)*
            _ => None,
        }
    };
}

fn offset(operator: &Operator<'_>) -> Option<u64> {
    offsets!(operator,
        I32Load I64Load F32Load F64Load I32Load8S I32Load8U I32Load16S I32Load16U I64Load8S
        I64Load8U I64Load16S I64Load16U I64Load32S I64Load32U I32Store I64Store F32Store F64Store
        I32Store8 I32Store16 I64Store8 I64Store16 I64Store32)
}
