//! SMT-LIB 2: prints and reads scripts, and queries any solver that supports the language.
//!
//! [`print_script`] writes assertions as a script. Its output is deterministic. [`read_script`]
//! reads a useful part of the language: declarations, definitions, `let`, assertions, `push`,
//! `pop` and `check-sat`, with all operators of this crate. [`Process`] runs a solver as a child
//! process.

mod print;
mod process;
mod read;
mod sexpr;
#[cfg(test)]
mod tests;
mod value;

pub use print::{print_script, print_term, print_value};
pub use process::Process;
pub use read::{Query, ReadError, Script, Status, read_script};
