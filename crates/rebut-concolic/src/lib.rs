//! Symbolic exploration of tests that were compiled to WebAssembly.
//!
//! A test draws choices. Here every choice is a symbol. The module is instrumented so that values
//! which depend on draws carry an expression, and runs in wasmtime ([`Machine`]). Each branch that
//! depends on a draw adds a condition to the path of the run ([`Trace`]). [`explore`] negates one
//! condition at a time and asks a solver for draws that satisfy the result. It stops when every
//! path of the [`Tree`] was taken or is proved to be impossible, or when a budget is used up. The
//! result is a list of ordinary test cases: lists of choices, which are run natively before they
//! are reported.
//!
//! Invariant: a run depends on its draws alone. A run that leaves the predicted path is counted,
//! and then the exploration proves nothing.
//! Invariant: budgets are counted in work, never in time.
//! Invariant: only `machine/code_cache.rs` has unsafe code and writes files: machine code of earlier
//! commands.
//! Invariant: only `machine` uses wasmtime; `hooks` is the interface between it and `record`.
//!
//! Reading order: `explore` (the loop), `tree` (its state), `machine` (one run), `instrument` (how
//! code gets shadows), `record` (how shadows become terms).

mod condition_text;
mod coverage;
mod doubt;
mod draw_id;
mod draw_names;
mod explore;
mod hooks;
mod instrument;
mod line_table;
mod machine;
mod observe;
mod op;
#[cfg(test)]
mod oracle;
mod path_solver;
mod record;
mod scout;
mod slice;
mod trace;
mod tree;
mod type_name;

pub use condition_text::condition;
pub use coverage::{Coverage, Line, Proof, Unreached, coverage};
pub use doubt::Doubt;
pub use draw_id::DrawId;
pub use draw_names::{Draw, draws};
pub use explore::{
    Budget, Exploration, Leaf, Limit, Progress, Stop, Verdict, Watcher, explore, explore_watched,
    explore_with,
};
pub use hooks::{Halt, Hooks, Operand, Shadow, Site};
pub use instrument::{ModuleError, UnsupportedCall};
pub use line_table::{LineTable, SourceLocation, UnderTest};
pub use machine::code_cache::CodeCache;
pub use machine::replay::{Replayer, ShownValue};
pub use machine::{Description, Machine, Quality, tests};
pub use observe::{Observation, ObservedValue, WatchedSlots};
pub use op::Type;
pub use path_solver::PathSolver;
pub use scout::{Scout, Summary};
pub use slice::{Slices, VariableCache};
pub use trace::{DecisionKind, Failure, Input, Loss, Outcome, Step, Trace};
pub use tree::{Node, NodeId, Side, Tree};
pub use type_name::TypeName;
