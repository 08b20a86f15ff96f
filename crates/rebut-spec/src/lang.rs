//! The language: evaluates a program to an environment (V, A, C) for each `generate`.
//!
//! This is partial evaluation. Whatever is known is computed: lists, recursion over a tree of
//! products, regular expressions. Whatever depends on blanks stays as an expression. So
//! user-defined functions, even recursive ones, cost an engine nothing.

mod apply;
mod builtins;
mod coerce;
mod interpret;
mod item;
mod matching;
mod regexes;
mod resolve;
mod statements;
mod types;
mod world;

pub use builtins::{BUILTINS, Builtin, FORMS};
pub(crate) use interpret::Interpreter;
pub(crate) use resolve::resolve;
pub(crate) use statements::{Outline, Statement, default_outline, environment, split_statements};
pub(crate) use world::World;
