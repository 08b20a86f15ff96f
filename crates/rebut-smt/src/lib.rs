//! Terms, an embedded solver, and any SMT-LIB 2 solver over a pipe.
//!
//! The input language asks which inputs satisfy a specification; symbolic exploration asks
//! which inputs take another path. Both build terms and want values:
//!
//! - [`Pool`] holds terms as a hash-consed graph and rewrites them as they are built; a
//!   [`Term`] is a small handle, and [`Sort`] says what kind of value it has. Constructors with
//!   names (`pool.bv_add(a, b)`) panic if sorts do not fit; [`Pool::apply`] returns an error.
//! - Floats are bit-vectors of their bits: `pool.float_add(a, b)` and the like build terms that
//!   compute on them exactly what IEEE 754 says.
//! - [`Solver`] takes assertions and gives an [`Answer`]: values in a [`Model`], proof that
//!   there are none, or the [`Reason`] why neither is known. It knows truth values,
//!   bit-vectors up to 128 bits and whole numbers; of reals and texts it finds many, and proves
//!   nothing. Each layer is cheaper than the next: rewriting, slicing into groups that share no
//!   variable, caches, intervals and known bits, and in the end a bit-blaster with a CDCL
//!   solver.
//! - [`smtlib`] writes and reads scripts, and [`smtlib::Process`] runs any solver that speaks
//!   SMT-LIB 2. It is the way to proofs about texts, reals and numbers that nothing
//!   bounds.
//! - [`Model::evaluate`] is the reference evaluator. Every model, whoever found it, was
//!   confirmed by it before it is handed out.
//!
//! Nothing here reads a clock to decide an answer, except the time budget of an external
//! process; nothing prints; bad input is an error value and never a panic. Users' test builds
//! never see this crate.
//!
//! # Example
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
mod pool;
mod random;
mod range;
mod rational;
mod rewrite;
mod slice;
pub mod smtlib;
mod solver;
mod sort;
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
pub use value::{Bits, Value};
