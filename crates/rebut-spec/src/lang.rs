//! The language: from what was read to an environment (V, A, C) for each `generate`.
//!
//! A program is evaluated once. What is known is computed at once (lists, recursion over a
//! tree of products, regular expressions); what depends on blanks is left over as an
//! expression. So user-defined functions, even recursive ones, cost an engine nothing.

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
pub(crate) use statements::{Outline, Statement, environment, everything, sort_statements};
pub(crate) use world::World;
