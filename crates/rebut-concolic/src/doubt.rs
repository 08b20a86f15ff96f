//! The differences between the explored module and the native program that a run has met.
//!
//! WebAssembly computes like a native x86-64 build, except where the language or the target leaves
//! something open: the bits of a NaN, the sign of the minimum of two zeros, the last bits of a
//! mathematical function, and all that a program can ask about its target. A module also starts
//! again for each case, while a native process keeps its statics. Wherever a run meets such a
//! difference, it records a [`Doubt`]. The run itself stays right; but an exploration with a doubt
//! does not prove anything about the native program.
//!
//! A doubt is recorded where the difference can reach the result of the test, and not where it
//! merely exists: a property that adds floats keeps its proof, unless it looks at the bits of a
//! NaN.

mod functions;

pub(crate) use functions::{doubt_of_call, plain_name};

/// A difference between the explored module and the native program that a run has met.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Doubt {
    /// The module has a `usize` of 32 bits, and the native program one of 64.
    Width,
    /// The sign or the payload of a NaN that an operation returned was looked at.
    NanBits,
    /// The sign of the minimum or maximum of a positive and a negative zero was looked at.
    ZeroSign,
    /// This function of the mathematical library was called; its last bits may differ.
    Math(String),
    /// A run changed this static or thread-local value, which the next case of a native process
    /// finds changed. The name is empty if it is unknown.
    State(String),
    /// The code asks for something that describes its target or its machine, named here.
    Target(String),
    /// Something is compiled for one of the two targets only: this function or condition.
    Conditional(String),
}
