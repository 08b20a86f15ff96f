//! Turns a module into one whose values carry shadows.
//!
//! Each function is there twice. The *quick* version has no shadows: it runs as long as it
//! meets no symbol, and all it does on top of its work is to look at the shadow of the memory
//! it loads from and stores to. The *full* version keeps a shadow for each local and for each
//! place of the operand stack. A function starts in the quick version and goes over to the full
//! one if an argument is symbolic, which costs nothing, or if it is known to meet symbols. If a
//! quick version meets one in its middle, the run is given up and starts anew with that function
//! known; the set of known functions grows quickly and then stays as it is. So code that only
//! ever works on plain values runs almost at its speed.
//!
//! Types of functions do not change, so tables, indirect calls and exports stay as they are.
//! Shadows of arguments and results travel in globals, which are zero at all other times.
//!
//! The shadow of the memory is a second memory: one byte for each eight, not zero if a symbol
//! may be there. Its first bytes say whether there is any symbol at all, and which functions
//! are known to meet some.
//!
//! A test crate has its harness and much of the standard library in it, and compiling all of it
//! twice takes longer than exploring it. So a module is made with the functions alone that are
//! called. Which these are is found out with a third version, the *plain* one: the function as
//! it is, and a mark that it was called. Whatever is called and was left out asks to be put in.
//!
//! The roads not taken: extra parameters and results for shadows (every call pays for them,
//! and tables need new types), and one version with an `if` around every operation (three
//! times slower on plain values).

mod callers;
pub(crate) mod counted;
mod full;
mod hash;
mod module;
mod plain;
mod quick;
mod writer;

pub(crate) use callers::{Frame, callers};
#[cfg(test)]
pub(crate) use module::{ANY_ARGUMENT, argument, result};
pub(crate) use module::{FUEL, MEMORY_MAX, SHADOW, instrument};

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::hooks::Hook;
use crate::op::Type;

/// How far to shift an address for the place of its taint byte.
pub(crate) const GRANULE_SHIFT: u32 = 3;

/// Where the shadow of the memory has the byte that is not zero if there is any symbol.
pub(crate) const ANY_TAINT: u32 = 0;

/// Where it has the bytes of the functions that are known to meet symbols.
pub(crate) const MODES: u32 = 8;

/// A module cannot be instrumented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// Why.
    pub message: String,
}

impl std::fmt::Display for Unfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Unfit {}

impl Unfit {
    pub(crate) fn new(message: impl Into<String>) -> Unfit {
        Unfit { message: message.into() }
    }
}

impl<E: std::fmt::Display> From<wasm_encoder::reencode::Error<E>> for Unfit {
    fn from(error: wasm_encoder::reencode::Error<E>) -> Unfit {
        Unfit::new(format!("the module cannot be read: {error}"))
    }
}

impl From<wasmparser::Error> for Unfit {
    fn from(error: wasmparser::Error) -> Unfit {
        Unfit::new(format!("the module cannot be read: {error}"))
    }
}

/// Where things are in the instrumented module.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    /// How many functions the module imports.
    pub(crate) imports: u32,
    /// The type of every function.
    pub(crate) functions: Vec<u32>,
    /// Parameters and results of every type of a function.
    pub(crate) types: Vec<Signature>,
    /// The imports that nobody provides: who calls one ends the run.
    pub(crate) foreign: Vec<u32>,
    /// The import that draws, if the module draws.
    pub(crate) draw: Option<u32>,
    /// How many globals the module has; ours come after them.
    pub(crate) globals: u32,
    /// The most parameters and the most results of any function.
    pub(crate) params_max: u32,
    pub(crate) results_max: u32,
    /// Where the taint of address 0 is.
    pub(crate) taint_base: u32,
    /// Which versions of each function there are.
    pub(crate) kept: Vec<Kept>,
    /// For each function with a full version, where that is among those.
    pub(crate) ranks: Vec<u32>,
    /// The functions that hash a key and give 0 instead.
    pub(crate) hashers: Vec<u32>,
    /// The functions that use the hasher otherwise; if one of them is called, hashes have to
    /// stay what they are.
    pub(crate) hash_others: Vec<u32>,
    /// The functions that need what does not exist here, and what that is.
    pub(crate) beyond: HashMap<u32, &'static str>,
    /// The functions in which panics begin.
    pub(crate) panics: Vec<u32>,
    /// The functions in the table, as it is at the start.
    pub(crate) table: Vec<Option<u32>>,
    /// The targets of jumps through tables, by their site.
    pub(crate) switches: HashMap<u32, Vec<u32>>,
}

/// Which versions of a function are written. What is missing and turns out to be needed is
/// asked for by a hook, and the module is made anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kept {
    /// None: it seems not to be called.
    #[default]
    Not,
    /// The plain one alone.
    Plain,
    /// The quick one: it seems to be called only after a panic.
    Quick,
    /// Both.
    Full,
}

/// Says of a function, by the name it has in the module, what it needs that does not exist
/// here: a clock, a file, a thread.
pub type Beyond = fn(&str) -> Option<&'static str>;

/// Which functions to write, and how.
#[derive(Clone, Debug)]
pub(crate) enum Plan {
    /// All, quick and full.
    #[cfg(test)]
    All,
    /// All, plain.
    Plain,
    /// Those that are called.
    Called(Called),
}

/// The functions that are called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Called {
    /// Before a panic: quick and full.
    pub(crate) full: BTreeSet<u32>,
    /// After one, when nothing is recorded any more: quick.
    pub(crate) quick: BTreeSet<u32>,
    /// Whether hashes stay what they are.
    pub(crate) keeps_hashes: bool,
    /// Functions with those that stand in for them.
    pub(crate) replaced: BTreeMap<u32, u32>,
}

impl Called {
    /// Takes up what another calls. What is replaced and whether hashes stay is its own matter.
    pub(crate) fn extend(&mut self, other: &Called) {
        self.full.extend(&other.full);
        self.quick.extend(&other.quick);
    }

    /// Whether all that another calls is called.
    pub(crate) fn includes(&self, other: &Called) -> bool {
        let is_quick = |function| self.quick.contains(function) || self.full.contains(function);
        self.full.is_superset(&other.full) && other.quick.iter().all(is_quick)
    }
}

/// Parameters and results. None for types that carry no shadow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Signature {
    pub(crate) params: Vec<Option<Type>>,
    pub(crate) results: Vec<Option<Type>>,
}

impl Layout {
    pub(crate) fn hook(&self, hook: Hook) -> u32 {
        self.imports + hook as u32
    }

    /// Where a function of the module is now.
    pub(crate) fn function(&self, function: u32) -> u32 {
        if function < self.imports { function } else { function + Hook::ALL.len() as u32 }
    }

    /// Where the full version of a function is.
    pub(crate) fn full(&self, function: u32) -> u32 {
        let rank = self.ranks[(function - self.imports) as usize];
        self.function(self.functions.len() as u32) + rank
    }

    pub(crate) fn kept(&self, function: u32) -> Kept {
        self.kept[(function - self.imports) as usize]
    }

    pub(crate) fn signature(&self, function: u32) -> &Signature {
        &self.types[self.functions[function as usize] as usize]
    }

    /// The type of a block that gives what a function gives.
    pub(crate) fn results_block(&self, function: u32) -> wasm_encoder::BlockType {
        let ty = self.functions[function as usize];
        match self.types[ty as usize].results[..] {
            [] => wasm_encoder::BlockType::Empty,
            // Behind the types of the module come such types for each of them.
            _ => wasm_encoder::BlockType::FunctionType(self.types.len() as u32 + ty),
        }
    }

    /// The global that counts down what a run may still do.
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

    /// Where the shadow memory has a byte for each function: that it is known to meet symbols, or
    /// for a plain version that it was called.
    pub(crate) fn modes(&self) -> std::ops::Range<usize> {
        let functions = self.functions.len() - self.imports as usize;
        MODES as usize..MODES as usize + functions
    }

    /// The byte that says whether a function is known to meet symbols.
    pub(crate) fn mode(&self, function: u32) -> u32 {
        MODES + function - self.imports
    }
}
