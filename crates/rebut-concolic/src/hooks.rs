//! The interface between instrumented code and the recorder, independent of the runtime.
//!
//! A value that depends on a draw carries a *shadow*: a number that names the expression it is the
//! value of. 0 means that it depends on no draw. Instrumented code computes with values as before,
//! and calls a hook where a shadow is involved, with the opcode, the operands and their shadows.
//! The hook returns the shadow of the result.
//!
//! The instrumentation calls hooks as imports; a runtime provides them. Their names and types are
//! in [`Hook`].

use crate::op::Type;

/// The import module of the hooks.
pub(crate) const MODULE: &str = "rebut-hooks";

/// The number of an expression; 0 if the value depends on no draw.
pub type Shadow = u32;

/// A location in the code: the offset of an instruction in the original module.
pub type Site = u32;

/// A value, as raw bits, and its shadow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The expression, or 0.
    pub shadow: Shadow,
    /// The value in this run; the upper half of a 32-bit value is zero.
    pub bits: u64,
}

/// Why a hook ended the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// A quick version met a symbol. The run starts again.
    Deoptimize,
    /// A version of a function is needed that was not written. The run starts again.
    Missing,
    /// The fuel of this run is used up.
    Exhausted,
    /// The case ended: it was rejected, or needs something unsupported.
    Stopped,
}

/// Receives the events of a run of instrumented code.
///
/// `memory` is the memory of the module. `taint` is the shadow memory: one byte for eight, not zero
/// where a byte may be symbolic. Instrumented code reads it and only hooks write it.
///
/// Hooks of memory are called after the access, which did not trap. So its address is inside of the
/// memory and fits into 32 bits, also if addresses of the module have 64. Only
/// [`target`](Hooks::target) is called before.
pub trait Hooks {
    /// Returns the shadow of a numeric instruction with one symbolic operand.
    fn unary(&mut self, opcode: u32, operand: Operand) -> Shadow;

    /// Returns the shadow of a numeric instruction with two operands, at least one of them
    /// symbolic.
    fn binary(&mut self, opcode: u32, a: Operand, b: Operand) -> Shadow;

    /// Called before a division, a remainder or a truncation of a float (which has no second
    /// operand): these trap for some operands.
    fn guard(&mut self, site: Site, opcode: u32, a: Operand, b: Operand);

    /// Returns the shadow of a `select`.
    fn select(&mut self, ty: Type, condition: Operand, a: Operand, b: Operand) -> Shadow;

    /// Called before a symbolic condition decides a branch.
    fn branch(&mut self, site: Site, condition: Operand) -> Result<(), Halt>;

    /// Called before a symbolic index decides a `br_table`.
    fn switch(&mut self, site: Site, index: Operand) -> Result<(), Halt>;

    /// Called where only a plain value can be used. From here on the value is plain.
    fn concretize(&mut self, site: Site, value: Operand) -> Result<(), Halt>;

    /// Returns the shadow of a loaded value. Called if the address is symbolic, or if the memory
    /// there may be.
    fn load(
        &mut self,
        site: Site,
        opcode: u32,
        address: Operand,
        offset: u32,
        memory: &[u8],
    ) -> Result<Shadow, Halt>;

    /// Called before a store to a symbolic address, which may be outside of the memory.
    fn target(&mut self, opcode: u32, address: Operand, offset: u32, memory: &[u8]);

    /// Called after a store if the value or the address is symbolic, or if the memory there may
    /// have been.
    fn store(
        &mut self,
        site: Site,
        opcode: u32,
        address: Operand,
        offset: u32,
        value: Operand,
        taint: &mut [u8],
    ) -> Result<(), Halt>;

    /// Called after bytes were copied within the memory.
    fn copy(&mut self, to: u32, from: u32, length: u32, taint: &mut [u8]);

    /// Called after bytes were overwritten with copies of one byte.
    fn fill(&mut self, to: u32, byte: Operand, length: u32, taint: &mut [u8]);

    /// Called when a panic begins: what follows is not the code under test.
    fn panicking(&mut self);

    /// Whether any of these bytes is symbolic. Called when a quick version reads tainted memory.
    fn is_symbolic(&self, address: u32, length: u32) -> bool;
}

/// A hook, as an import of the instrumented module. The order is that of the imports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hook {
    Unary,
    Binary,
    Guard,
    Select,
    Branch,
    Switch,
    Concretize,
    Load,
    Store,
    Copy,
    Fill,
    Expose,
    Deoptimize,
    Exhausted,
    Arguments,
    Answer,
    Panicking,
    Missing,
    Unsupported,
    Hashing,
    Target,
    Character,
    Product,
}

impl Hook {
    pub(crate) const ALL: [Hook; 23] = [
        Hook::Unary,
        Hook::Binary,
        Hook::Guard,
        Hook::Select,
        Hook::Branch,
        Hook::Switch,
        Hook::Concretize,
        Hook::Load,
        Hook::Store,
        Hook::Copy,
        Hook::Fill,
        Hook::Expose,
        Hook::Deoptimize,
        Hook::Exhausted,
        Hook::Arguments,
        Hook::Answer,
        Hook::Panicking,
        Hook::Missing,
        Hook::Unsupported,
        Hook::Hashing,
        Hook::Target,
        Hook::Character,
        Hook::Product,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Hook::Unary => "unary",
            Hook::Binary => "binary",
            Hook::Guard => "guard",
            Hook::Select => "select",
            Hook::Branch => "branch",
            Hook::Switch => "switch",
            Hook::Concretize => "concretize",
            Hook::Load => "load",
            Hook::Store => "store",
            Hook::Copy => "copy",
            Hook::Fill => "fill",
            Hook::Expose => "expose",
            Hook::Deoptimize => "deoptimize",
            Hook::Exhausted => "exhausted",
            Hook::Arguments => "arguments",
            Hook::Answer => "answer",
            Hook::Panicking => "panicking",
            Hook::Missing => "missing",
            Hook::Unsupported => "unsupported",
            Hook::Hashing => "hashing",
            Hook::Target => "target",
            Hook::Character => "character",
            Hook::Product => "product",
        }
    }

    /// The parameters, as `i` for 32 bits and `l` for 64 bits, and whether there is a result
    /// (always 32 bits).
    pub(crate) fn signature(self) -> (&'static str, bool) {
        match self {
            // opcode, shadow, bits
            Hook::Unary => ("iil", true),
            // opcode, shadow, bits, shadow, bits
            Hook::Binary => ("iilil", true),
            // site, opcode, shadow, bits, shadow, bits
            Hook::Guard => ("iiilil", false),
            // type code, shadow, condition, shadow, bits, shadow, bits
            Hook::Select => ("iiiilil", true),
            // site, shadow, condition
            Hook::Branch | Hook::Switch => ("iii", false),
            // site, shadow, bits
            Hook::Concretize => ("iil", false),
            // site, opcode, address, its shadow, offset
            Hook::Load => ("iiiii", true),
            // function, pointer to its result, shadow, character
            Hook::Character => ("iiii", true),
            // pointer to the result; shadow and bits of each half
            Hook::Product => ("iilililil", true),
            // opcode, address, its shadow, offset
            Hook::Target => ("ilii", false),
            // site, opcode, address, its shadow, offset, shadow, bits
            Hook::Store => ("iiiiiil", false),
            // to, from, length
            Hook::Copy => ("iii", false),
            // to, shadow, byte, length
            Hook::Fill => ("iiii", false),
            // function, address, length
            Hook::Expose => ("iii", false),
            // function, and whether the caller is a stub (no version at all exists)
            Hook::Missing => ("ii", false),
            // function
            Hook::Deoptimize | Hook::Unsupported => ("i", false),
            Hook::Exhausted | Hook::Panicking | Hook::Hashing => ("", false),
            // shadows of the bounds and the origin of a draw
            Hook::Arguments => ("iii", false),
            Hook::Answer => ("", true),
        }
    }
}
