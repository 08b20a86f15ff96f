//! The meaning of a program: the environment (V, A, C) of the paper.
//!
//! *V* is a list of variables and the [`Shape`]s built of them, *A* a list of assertions
//! ([`Expr`]) about one model, *C* a [`Constraint`] between two models.
//!
//! Invariant: nothing here depends on how models are found.

mod constraint;
mod environment;
mod expr;
mod pattern;
mod shape;
mod show;
mod sort;

pub use constraint::{Arm, Constraint, CoverMode, Relation};
pub use environment::{Environment, Model, Variable};
pub(crate) use environment::{equal_shapes, not_equal};
pub use expr::{Expr, Op};
pub use pattern::{Pattern, PatternError, PatternView};
pub use shape::Shape;
pub(crate) use show::expr_text;
pub use sort::{Choices, Sort, Value, VarId};
