//! Terms, an embedded solver, and a pipe to any SMT-LIB 2 solver.
//!
//! The input language needs inputs that satisfy a specification; symbolic exploration needs
//! inputs that take another path. Both build terms and ask for values of their variables:
//!
//! - [`Pool`] stores terms as a hash-consed graph and rewrites them as they are built. A
//!   [`Term`] is a small handle, and its [`Sort`] is the type of its value. Named constructors
//!   (`pool.bv_add(a, b)`) panic if the sorts do not fit; [`Pool::apply`] returns an error.
//! - Floats are bit-vectors: `pool.float_add(a, b)` and its siblings build terms that compute
//!   the result of IEEE 754 from the bits, exactly.
//! - [`Solver`] takes assertions and returns an [`Answer`]: values in a [`Model`], a proof that
//!   there are none, or the [`Reason`] why it could decide neither. It decides booleans,
//!   bit-vectors of up to 128 bits and bounded integers. For reals and strings it finds most
//!   models and proves nothing. Its layers run from cheap to expensive: rewriting, slicing into
//!   groups that share no variable, caches, intervals and known bits, the order of variables,
//!   and last a bit-blaster with a CDCL solver.
//! - [`smtlib`] prints and reads scripts, and [`smtlib::Process`] runs any SMT-LIB 2 solver.
//!   Only such a solver can prove facts about strings, reals and unbounded integers.
//! - [`Model::evaluate`] is the reference evaluator. It checks every model, of every solver,
//!   before a caller gets to see it.
//!
//! No answer depends on a clock, except that an external process has a time budget. Nothing
//! prints. Bad input is an error value and never a panic. Users' test builds never contain this
//! crate.
//!
//! # Examples
//! ```
//! use rebut_smt::{Answer, Pool, Solver, Sort, Value};
//!
//! let mut pool = Pool::new();
//! let (x, y) = (pool.var("x", Sort::Int), pool.var("y", Sort::Int));
//! let (zero, ten) = (pool.int(0), pool.int(10));
//! let sum = pool.add(x, y);
//! let claims = [pool.eq(sum, ten), pool.lt(zero, x), pool.lt(x, y)];
//!
//! let mut solver = Solver::new();
//! claims.iter().for_each(|claim| solver.assert(*claim));
//! let Answer::Sat(model) = solver.check(&mut pool) else { panic!("1 + 9 = 10") };
//! assert_eq!(model.evaluate(&pool, sum), Ok(Value::Int(10)));
//! ```

mod answer;
mod blast;
mod cache;
mod evaluate;
mod float;
mod model;
mod op;
mod order;
mod pool;
mod random;
mod range;
mod rational;
mod rewrite;
mod slice;
pub mod smtlib;
mod solver;
mod sort;
mod table;
#[cfg(test)]
mod testing;
mod unbounded;
mod value;

pub use answer::{Answer, Reason};
pub use evaluate::EvaluateError;
pub use model::Model;
pub use op::{Op, SortError};
pub use pool::{Pool, Term};
pub use range::Bounds;
pub use rational::Rational;
pub use solver::{Options, Solver, Statistics};
pub use sort::Sort;
pub use table::{Table, TableRun};
pub use value::{Bits, Value};
