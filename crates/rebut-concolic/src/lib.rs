//! Symbolic exploration of tests that were compiled to WebAssembly.
//!
//! A test draws choices; here every choice is a symbol. The module is instrumented
//! so that values which depend on draws carry an expression, and runs in wasmtime
//! ([`Machine`]); each branch that depends on a draw is a condition on the path of the run
//! ([`Trace`]). [`explore`] turns conditions round, one at a time, and asks a solver for
//! draws that go the other way, until every path of the [`Tree`] was taken or is proved to be
//! impossible, or a budget is used up. What it finds are test cases as any other: lists of
//! choices, which are run natively before anybody hears of them.
//!
//! Invariant: a run depends on its draws alone; a run that does not go where it was predicted
//! to go is counted, and then nothing is said about all inputs.
//! Invariant: budgets are counted in work, never in time.
//! Invariant: only `machine` knows wasmtime; `hooks` is what it has in common with `record`.

mod ask;
mod coverage;
mod explore;
mod hooks;
pub mod infer;
mod instrument;
mod machine;
mod names;
mod observe;
mod op;
#[cfg(test)]
mod oracle;
mod places;
mod record;
mod scout;
mod slice;
mod source;
mod trace;
mod tree;

pub use ask::Ask;
pub use coverage::{Coverage, Line, Proof, Unreached, coverage};
pub use explore::{Budget, Exploration, Leaf, Limit, Verdict, explore, explore_with};
pub use hooks::{Halt, Hooks, Operand, Shadow, Site};
pub use instrument::{Beyond, Unfit};
pub use machine::replay::{Replayer, Shown};
pub use machine::{Description, Machine, Quality, tests};
pub use names::{Draw, draws};
pub use observe::{Observation, Seen, Watch};
pub use op::Type;
pub use places::{Place, Places, UnderTest};
pub use scout::{Scout, Summary};
pub use source::condition;
pub use trace::{Failure, Input, Kind, Loss, Outcome, Step, Trace};
pub use tree::{Node, NodeId, Side, Tree};
