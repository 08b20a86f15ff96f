//! Turns a module into one whose values carry shadows.
//!
//! # Versions
//!
//! A *shadow* is a number that names the expression of a value; 0 means that the value depends on
//! no draw. Each function exists twice. The *quick* version has no shadows. It runs as long as it
//! meets no symbol; on top of its work it only looks at the taint of the memory that it loads from
//! and stores to. The *full* version keeps a shadow for each local and for each position of the
//! operand stack.
//!
//! Every call enters the quick version, which passes control to the full version if an argument is
//! symbolic or if the function is known to meet symbols. Nothing is lost by switching there. If a
//! quick version meets a symbol halfway through, the run is abandoned and starts again with that
//! function known (`Halt::Deoptimize`). The set of known functions grows in the first runs and then
//! stays the same, so code that only works on plain values stays quick (`bench/results/explore.md`:
//! 1.1 to 12 times the plain time, 2.45 in the geometric mean).
//!
//! A test crate contains its harness and much of the standard library, and compiling all of that
//! twice takes longer than exploring it. Therefore a module is written with only the functions that
//! are called. A third version finds them, the *plain* one: the function unchanged, except that it
//! sets a flag when it is called. A function that was left out and is called anyway is a stub that
//! ends the run (`Halt::Missing`); the machine then writes the module again with it.
//!
//! # Index spaces
//!
//! The types of functions do not change, so tables, indirect calls and exports keep working with
//! renumbered functions. With `I` imports, `N` functions in all, `T` types and `G` globals in the
//! original module, and `H` hooks, the instrumented module has:
//!
//! ```text
//! types      0 .. T          the original types
//!            T .. 2T         type t again, as a block: no parameters, the results of t
//!            2T .. 2T+H      the types of the hooks
//! functions  0 .. I          the original imports, with their old numbers
//!            I .. I+H        the hooks, imported from `rebut-hooks`
//!            I+H .. N+H      function f of the original at f+H: its quick or plain version,
//!                            a stub, or the constant hash (`hash`)
//!            N+H ..          the full versions, in the order of their functions
//! memories   0               the original memory; 1 the shadow memory
//! globals    0 .. G          the original globals
//!            G               fuel (i64): rounds of loops that are left
//!            G+1             whether an argument of the current call is symbolic
//!            G+2 ..          shadows of arguments, then shadows of results
//! ```
//!
//! Invariant: outside of a call or a return, the argument flag and the shadows of results are 0.
//! The caller sets the flag and all argument shadows together; the callee clears the flag when it
//! has read them. The callee sets the shadows of results; the caller clears them when it has read
//! them. So a quick version, which neither sets nor clears anything, returns plain results.
//!
//! # Shadow memory
//!
//! ```text
//! 0              1 if any byte of the memory was ever symbolic in this run
//! 8 ..           one byte for each function of the module: it is known to meet symbols
//!                (quick version), or it was called (plain version)
//! taint_base ..  one byte for each granule of 8 bytes of the memory: 1 if a byte in it may be
//!                symbolic
//! ```
//!
//! Taint is an over-approximation that instrumented code reads; only hooks write it. Which bytes
//! are symbolic exactly, and of which expression, is in `record::memory`.
//!
//! # Addresses
//!
//! The original memory has addresses of 32 or of 64 bits, and the shadow memory always of 32.
//! Instrumented code looks at taint, and calls the hooks of memory, only after the access itself
//! did not trap. The accessed bytes are then inside of the memory, below [`MEMORY_MAX`]. So an
//! address of 64 bits can be cut to 32 for that. Its term keeps its width.
//!
//! # Roads not taken
//!
//! Extra parameters and results for shadows: every call pays for them, and tables need new types.
//! One version with an `if` around every operation: three times slower on plain values.

mod callers;
pub(crate) mod coverage_module;
mod full;
mod hash;
mod intrinsic;
mod module;
mod plain;
mod quick;
mod writer;

pub(crate) use callers::{Frame, callers};
pub(crate) use intrinsic::{Intrinsic, export_name};
#[cfg(test)]
pub(crate) use module::{ANY_ARGUMENT, argument, result};
pub(crate) use module::{BodyFacts, FUEL, MEMORY_MAX, Prepared, SHADOW, instrument, prepare};

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Mutex;

use rebut_smt::Table;

use crate::doubt::Doubt;
use crate::hooks::Hook;
use crate::op::Type;

/// Shift that turns an address into the index of its granule: one taint byte covers 8 bytes, so
/// that an access of at most 8 bytes touches at most two granules and one 16-bit load reads both.
pub(crate) const GRANULE_SHIFT: u32 = 3;

/// Offset in the shadow memory of the byte that is not zero if any byte was tainted in this run.
pub(crate) const ANY_TAINT: u32 = 0;

/// Offset in the shadow memory of the flags of functions, one byte each.
pub(crate) const FUNCTION_FLAGS: u32 = 8;

/// The sources of everything that writes instrumented modules. Code that other sources wrote is not
/// used again (`machine::code_cache`).
pub(crate) const INSTRUMENTER: &[&str] = &[
    include_str!("hooks.rs"),
    include_str!("instrument.rs"),
    include_str!("instrument/full.rs"),
    include_str!("instrument/hash.rs"),
    include_str!("instrument/intrinsic.rs"),
    include_str!("instrument/module.rs"),
    include_str!("instrument/plain.rs"),
    include_str!("instrument/quick.rs"),
    include_str!("instrument/writer.rs"),
    include_str!("machine/compiled.rs"),
    include_str!("machine/imports.rs"),
    include_str!("op.rs"),
];

/// The error for a module that cannot be read, instrumented or run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleError {
    /// The reason.
    pub message: String,
}

impl std::fmt::Display for ModuleError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ModuleError {}

impl ModuleError {
    pub(crate) fn new(message: impl Into<String>) -> ModuleError {
        ModuleError { message: message.into() }
    }
}

impl<E: std::fmt::Display> From<wasm_encoder::reencode::Error<E>> for ModuleError {
    fn from(error: wasm_encoder::reencode::Error<E>) -> ModuleError {
        ModuleError::new(format!("the module cannot be read: {error}"))
    }
}

impl From<wasmparser::Error> for ModuleError {
    fn from(error: wasmparser::Error) -> ModuleError {
        ModuleError::new(format!("the module cannot be read: {error}"))
    }
}

/// The index spaces of the instrumented module, and what is known of the original functions.
/// Functions are named by their original indices unless a comment says otherwise.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// The number of functions that the module imports.
    pub(crate) imports: u32,
    /// The type index of every function, imports included.
    pub(crate) functions: Vec<u32>,
    /// The parameters and results of every function type.
    pub(crate) types: Vec<Signature>,
    /// The imports that no host function implements: calling one ends the run.
    pub(crate) unprovided: Vec<u32>,
    /// The import that draws a number, if the module draws.
    pub(crate) draw: Option<u32>,
    /// The number of globals in the original module; the added ones come after them.
    pub(crate) globals: u32,
    /// The largest number of parameters and of results of any function type.
    pub(crate) params_max: u32,
    pub(crate) results_max: u32,
    /// Offset in the shadow memory of the taint of address 0.
    pub(crate) taint_base: u32,
    /// Whether addresses of the memory have 64 bits, and not 32.
    pub(crate) is_memory64: bool,
    /// For each table, whether its indices have 64 bits, and not 32.
    pub(crate) are_tables64: Vec<bool>,
    /// The versions of each function that are written, without imports.
    pub(crate) versions: Vec<FunctionVersions>,
    /// For each function, the number of full versions that come before its own.
    pub(crate) full_ranks: Vec<u32>,
    /// The functions that hash a key; they return 0 instead.
    pub(crate) hashers: Vec<u32>,
    /// Other functions that use the hasher. If one of them is called, the hashers must keep their
    /// real results.
    pub(crate) hasher_users: Vec<u32>,
    /// The functions that need something unsupported, such as a clock or a file, and its name.
    pub(crate) unsupported: HashMap<u32, &'static str>,
    /// The functions whose results differ in the native program.
    pub(crate) doubtful: HashMap<u32, Doubt>,
    /// The functions that return the lesser or greater of two floats, and their opcodes.
    pub(crate) extremes: HashMap<u32, u32>,
    /// The functions in which panics begin.
    pub(crate) panics: Vec<u32>,
    /// The functions in the table when the module starts.
    pub(crate) table: Vec<Option<u32>>,
    /// The targets of each `br_table` by its site, the default target last.
    pub(crate) branch_tables: HashMap<u32, Vec<u32>>,
    /// The functions whose results have terms of their own.
    pub(crate) intrinsics: BTreeMap<u32, Intrinsic>,
    /// The tables of functions of a character, so far; `None` if one cannot be called for all.
    pub(crate) character_tables: Mutex<HashMap<u32, Option<Vec<Table>>>>,
}

/// The versions of a function that are written. A version that is missing and turns out to be
/// needed calls a hook, and the module is written again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FunctionVersions {
    /// A stub: the function seems not to be called.
    #[default]
    None,
    /// Only the plain version.
    Plain,
    /// Only the quick version: the function seems to be called only after a panic.
    Quick,
    /// The quick and the full version.
    QuickAndFull,
}

/// Returns what a function needs that exploration cannot provide (a clock, a file, a thread), given
/// its mangled name; `None` if the function can run.
pub type UnsupportedCall = fn(&str) -> Option<&'static str>;

/// The functions to write, and in which versions.
#[derive(Clone, Debug, Hash)]
pub(crate) enum Plan {
    /// All functions, quick and full.
    #[cfg(test)]
    All,
    /// All functions, plain.
    Plain,
    /// Only the functions that are called.
    Called(CalledFunctions),
}

/// The functions that the runs of a test call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct CalledFunctions {
    /// Called before a panic: written quick and full.
    pub(crate) full: BTreeSet<u32>,
    /// Called after a panic, when nothing is recorded anymore: written quick.
    pub(crate) quick: BTreeSet<u32>,
    /// Whether hashers keep their real results.
    pub(crate) keeps_hashes: bool,
    /// Functions, and the summaries that replace them.
    pub(crate) replaced: BTreeMap<u32, u32>,
}

impl CalledFunctions {
    /// Adds the functions that another set calls. Replacements and hashing are not merged: they
    /// belong to one machine.
    pub(crate) fn extend(&mut self, other: &CalledFunctions) {
        self.full.extend(&other.full);
        self.quick.extend(&other.quick);
    }

    /// Whether this set contains every function of another, in a version that is at least as full.
    pub(crate) fn includes(&self, other: &CalledFunctions) -> bool {
        let is_quick = |function| self.quick.contains(function) || self.full.contains(function);
        self.full.is_superset(&other.full) && other.quick.iter().all(is_quick)
    }
}

/// The parameters and results of a function type; `None` for types that carry no shadow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Signature {
    pub(crate) params: Vec<Option<Type>>,
    pub(crate) results: Vec<Option<Type>>,
}

impl Layout {
    pub(crate) fn hook(&self, hook: Hook) -> u32 {
        self.imports + hook as u32
    }

    /// The new index of an original function.
    pub(crate) fn function(&self, function: u32) -> u32 {
        if function < self.imports { function } else { function + Hook::ALL.len() as u32 }
    }

    /// Whether a call of a function has to be noted.
    pub(crate) fn notes_calls_of(&self, function: u32) -> bool {
        self.unsupported.contains_key(&function) || self.doubtful.contains_key(&function)
    }

    /// The new index of the full version of an original function.
    pub(crate) fn full(&self, function: u32) -> u32 {
        let rank = self.full_ranks[(function - self.imports) as usize];
        self.function(self.functions.len() as u32) + rank
    }

    pub(crate) fn versions(&self, function: u32) -> FunctionVersions {
        self.versions[(function - self.imports) as usize]
    }

    pub(crate) fn signature(&self, function: u32) -> &Signature {
        &self.types[self.functions[function as usize] as usize]
    }

    /// The type of a block with the results of a function.
    pub(crate) fn results_block(&self, function: u32) -> wasm_encoder::BlockType {
        let ty = self.functions[function as usize];
        match self.types[ty as usize].results[..] {
            [] => wasm_encoder::BlockType::Empty,
            // The second copy of the types: without parameters.
            _ => wasm_encoder::BlockType::FunctionType(self.types.len() as u32 + ty),
        }
    }

    /// The type of an address of the memory.
    pub(crate) fn address(&self) -> Type {
        if self.is_memory64 { Type::I64 } else { Type::I32 }
    }

    /// The type of an index into a table.
    pub(crate) fn table_index(&self, table: u32) -> Type {
        let is_table64 = self.are_tables64.get(table as usize).copied().unwrap_or(false);
        if is_table64 { Type::I64 } else { Type::I32 }
    }

    /// The global that counts down the rounds of loops that are left.
    pub(crate) fn fuel(&self) -> u32 {
        self.globals
    }

    /// The global that is not zero if an argument is symbolic.
    pub(crate) fn any_argument(&self) -> u32 {
        self.globals + 1
    }

    pub(crate) fn argument(&self, n: u32) -> u32 {
        self.globals + 2 + n
    }

    pub(crate) fn result(&self, n: u32) -> u32 {
        self.globals + 2 + self.params_max + n
    }

    /// The range of the shadow memory with the flags of all functions.
    pub(crate) fn function_flags(&self) -> std::ops::Range<usize> {
        let functions = self.functions.len() - self.imports as usize;
        FUNCTION_FLAGS as usize..FUNCTION_FLAGS as usize + functions
    }

    /// The offset of the flag of a function: it is known to meet symbols, or, for a plain version,
    /// it was called.
    pub(crate) fn function_flag(&self, function: u32) -> u32 {
        FUNCTION_FLAGS + function - self.imports
    }
}
