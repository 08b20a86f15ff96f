//! Writes the body of one function: its instructions, and the locals that they turn out to need.

use wasm_encoder::{BlockType, InstructionSink, MemArg, ValType};

use super::{Layout, MEMORY_MAX};
use crate::hooks::Hook;
use crate::op::Type;

/// The index of the shadow memory.
pub(super) const SHADOW_MEMORY: u32 = 1;

/// The body of one function that is being written.
#[derive(Debug)]
pub(super) struct Writer<'m> {
    pub(super) layout: &'m Layout,
    code: Vec<u8>,
    /// The locals of the original function, parameters included.
    original: u32,
    added: Vec<ValType>,
    temporaries: Vec<(ValType, u32, u32)>,
}

impl<'m> Writer<'m> {
    pub(super) fn new(layout: &'m Layout, original: u32) -> Writer<'m> {
        Writer { layout, code: Vec::new(), original, added: Vec::new(), temporaries: Vec::new() }
    }

    pub(super) fn out(&mut self) -> InstructionSink<'_> {
        InstructionSink::new(&mut self.code)
    }

    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.code.extend_from_slice(bytes);
    }

    /// Adds a local.
    pub(super) fn local(&mut self, ty: ValType) -> u32 {
        self.added.push(ty);
        self.original + self.added.len() as u32 - 1
    }

    /// The `n`th scratch local of a type. Scratch locals are shared by all instructions of the
    /// function, so none holds a value across an instruction.
    pub(super) fn temporary(&mut self, ty: Type, n: u32) -> u32 {
        let ty = val_type(ty);
        let known = self.temporaries.iter().find(|known| known.0 == ty && known.1 == n);
        if let Some(&(_, _, local)) = known {
            return local;
        }
        let local = self.local(ty);
        self.temporaries.push((ty, n, local));
        local
    }

    pub(super) fn call(&mut self, hook: Hook) {
        let function = self.layout.hook(hook);
        self.out().call(function);
    }

    /// Pushes the value of a local as 64 raw bits.
    pub(super) fn bits(&mut self, ty: Type, local: u32) {
        let mut out = self.out();
        out.local_get(local);
        match ty {
            Type::I32 => out.i64_extend_i32_u(),
            Type::I64 => &mut out,
            Type::F32 => out.i32_reinterpret_f32().i64_extend_i32_u(),
            Type::F64 => out.i64_reinterpret_f64(),
        };
    }

    /// Pushes an address that was accessed, from a local, as 32 bits.
    pub(super) fn accessed(&mut self, address: u32) {
        let ty = self.layout.address();
        self.number(ty, address);
    }

    /// Pushes an integer that fits into 32 bits, from a local.
    pub(super) fn number(&mut self, ty: Type, local: u32) {
        let mut out = self.out();
        out.local_get(local);
        if ty == Type::I64 {
            out.i32_wrap_i64();
        }
    }

    /// Pushes a number that is not zero if a byte of an access of at most 8 bytes may be symbolic.
    pub(super) fn taint(&mut self, address: u32, offset: u64) {
        let base = u64::from(self.layout.taint_base);
        // A larger offset traps before this code is reached.
        let offset = offset.min(MEMORY_MAX);
        self.accessed(address);
        let mut out = self.out();
        // An offset that is a multiple of the granule can be added after the shift, for free.
        let within = offset % (1 << super::GRANULE_SHIFT);
        if within != 0 {
            out.i32_const(offset as i32).i32_add();
        }
        let rest = if within == 0 { offset >> super::GRANULE_SHIFT } else { 0 };
        out.i32_const(super::GRANULE_SHIFT as i32).i32_shr_u();
        // Two granules: an access can cross a boundary.
        out.i32_load16_u(MemArg { offset: base + rest, align: 0, memory_index: SHADOW_MEMORY });
    }

    /// Pushes the byte of the shadow memory at a fixed offset.
    pub(super) fn flag(&mut self, at: u32) {
        let place = MemArg { offset: u64::from(at), align: 0, memory_index: SHADOW_MEMORY };
        self.out().i32_const(0).i32_load8_u(place);
    }

    /// Sets the byte of the shadow memory at a fixed offset to 1.
    pub(super) fn mark(&mut self, at: u32) {
        let place = MemArg { offset: u64::from(at), align: 0, memory_index: SHADOW_MEMORY };
        self.out().i32_const(0).i32_const(1).i32_store8(place);
    }

    /// Uses up one unit of fuel, and ends the run if it was the last.
    pub(super) fn count(&mut self) {
        let fuel = self.layout.fuel();
        self.out().global_get(fuel).i64_const(1).i64_sub().global_set(fuel);
        self.out().global_get(fuel).i64_eqz().if_(BlockType::Empty);
        self.call(Hook::Exhausted);
        self.out().end();
    }

    /// Returns the added locals and the instructions.
    pub(super) fn finish(self) -> (Vec<ValType>, Vec<u8>) {
        (self.added, self.code)
    }
}

pub(super) fn val_type(ty: Type) -> ValType {
    match ty {
        Type::I32 => ValType::I32,
        Type::I64 => ValType::I64,
        Type::F32 => ValType::F32,
        Type::F64 => ValType::F64,
    }
}
