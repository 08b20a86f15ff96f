//! What instrumented code tells whoever watches it, independent of the runtime it runs in.
//!
//! A value that depends on a draw carries a *shadow*: a number that names the expression it is
//! the value of. 0 means that it depends on none. Instrumented code computes with values as
//! before, and calls a hook where shadows meet: with an opcode, with the operands and with
//! their shadows. A hook answers with the shadow of the result.
//!
//! The names and the types of the hooks are the interface between the instrumentation, which
//! calls them as imports, and a runtime, which provides them.

use crate::op::Type;

/// The import module of the hooks.
pub(crate) const MODULE: &str = "rebut-hooks";

/// The name of an expression; 0 if the value depends on no draw.
pub type Shadow = u32;

/// A place in the code: the offset of an instruction in the module that was instrumented.
pub type Site = u32;

/// A value, as raw bits, and its shadow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The expression.
    pub shadow: Shadow,
    /// What it is in this run; the upper half of a narrow value is zero.
    pub bits: u64,
}

/// The end of a run, decided by a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// A function that was thought to see no symbol saw one. The run starts anew.
    Deoptimize,
    /// A function that was thought not to be called was. The run starts anew.
    Missing,
    /// The budget of this run is used up.
    Exhausted,
    /// The case ended: it was rejected, or is beyond what can be explored.
    Stopped,
}

/// Watches a run of instrumented code.
///
/// `memory` is the memory of the module; `taint` its shadow, one byte for eight, which is not
/// zero where a byte may be symbolic. Instrumented code reads it and only hooks write it.
pub trait Hooks {
    /// A numeric instruction with one operand that is symbolic.
    fn unary(&mut self, opcode: u32, operand: Operand) -> Shadow;

    /// A numeric instruction with two operands, at least one of them symbolic.
    fn binary(&mut self, opcode: u32, a: Operand, b: Operand) -> Shadow;

    /// A division, a remainder or a truncation of a float (which has no second operand) is about
    /// to be done, which traps for some operands.
    fn guard(&mut self, site: Site, opcode: u32, a: Operand, b: Operand);

    /// One of two values was selected.
    fn select(&mut self, ty: Type, condition: Operand, a: Operand, b: Operand) -> Shadow;

    /// A symbolic condition is about to decide a branch.
    fn branch(&mut self, site: Site, condition: Operand) -> Result<(), Halt>;

    /// A symbolic index is about to decide a jump through a table.
    fn switch(&mut self, site: Site, index: Operand) -> Result<(), Halt>;

    /// A symbolic value is used where only a plain one can be; from here on it is this one.
    fn concretize(&mut self, site: Site, value: Operand) -> Result<(), Halt>;

    /// A value was loaded from an address that is symbolic, or where symbols may be.
    fn load(
        &mut self,
        site: Site,
        opcode: u32,
        address: Operand,
        offset: u32,
        memory: &[u8],
    ) -> Result<Shadow, Halt>;

    /// A value was stored, and it or the address is symbolic, or symbols may have been there.
    fn store(
        &mut self,
        site: Site,
        opcode: u32,
        address: Operand,
        offset: u32,
        value: Operand,
        taint: &mut [u8],
    ) -> Result<(), Halt>;

    /// Bytes were copied within the memory.
    fn copy(&mut self, to: u32, from: u32, length: u32, taint: &mut [u8]);

    /// Bytes were overwritten with copies of one.
    fn fill(&mut self, to: u32, byte: Operand, length: u32, taint: &mut [u8]);

    /// A panic begins: what follows is not the code under test.
    fn panicking(&mut self);

    /// A function that runs without shadows read these bytes.
    fn is_symbolic(&self, address: u32, length: u32) -> bool;
}

/// A hook as an import.
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
    Beyond,
    Hashing,
}

impl Hook {
    pub(crate) const ALL: [Hook; 20] = [
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
        Hook::Beyond,
        Hook::Hashing,
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
            Hook::Beyond => "beyond",
            Hook::Hashing => "hashing",
        }
    }

    /// Parameters, as `i` for 32 bits and `l` for 64; all results are of 32 bits.
    pub(crate) fn signature(self) -> (&'static str, bool) {
        match self {
            // opcode, shadow, bits
            Hook::Unary => ("iil", true),
            // opcode, shadow, bits, shadow, bits
            Hook::Binary => ("iilil", true),
            // site, opcode, shadow, bits, shadow, bits
            Hook::Guard => ("iiilil", false),
            // width and class of the type, shadow, condition, shadow, bits, shadow, bits
            Hook::Select => ("iiiilil", true),
            // site, shadow, condition
            Hook::Branch | Hook::Switch => ("iii", false),
            // site, shadow, bits
            Hook::Concretize => ("iil", false),
            // site, opcode, address, its shadow, offset
            Hook::Load => ("iiiii", true),
            // site, opcode, address, its shadow, offset, shadow, bits
            Hook::Store => ("iiiiiil", false),
            // to, from, length
            Hook::Copy => ("iii", false),
            // to, shadow, byte, length
            Hook::Fill => ("iiii", false),
            // function, address, length
            Hook::Expose => ("iii", false),
            // function, and whether all of it is missing
            Hook::Missing => ("ii", false),
            // function
            Hook::Deoptimize | Hook::Beyond => ("i", false),
            Hook::Exhausted | Hook::Panicking | Hook::Hashing => ("", false),
            // the shadows of what a draw is called with
            Hook::Arguments => ("iii", false),
            Hook::Answer => ("", true),
        }
    }
}
