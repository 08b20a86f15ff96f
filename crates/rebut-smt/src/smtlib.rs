//! SMT-LIB 2: writing and reading scripts, and talking to any solver that speaks it.
//!
//! [`print_script`] writes assertions as a script, the same ones always in the same way.
//! [`read_script`] reads a useful part of the language: declarations, definitions, `let`,
//! assertions, `push`, `pop` and `check-sat` over all operators of this crate. [`Process`] runs
//! a solver as a child and asks it.

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
