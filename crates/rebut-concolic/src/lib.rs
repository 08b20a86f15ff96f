//! Symbolic exploration.

mod explore;
mod hooks;
mod instrument;
mod machine;
mod op;
mod record;
mod slice;
mod trace;
mod tree;

pub use explore::{Budget, Exploration, Leaf, Limit, Verdict, explore};
pub use hooks::{Halt, Hooks, Operand, Shadow, Site};
pub use instrument::Unfit;
pub use machine::{Description, Machine, tests};
pub use op::Type;
pub use trace::{Failure, Input, Kind, Loss, Outcome, Step, Trace};
pub use tree::{Node, NodeId, Side, Tree};
