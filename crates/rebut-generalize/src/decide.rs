//! Decides what a test becomes: which parameters it gets, and under which condition it passes.
//!
//! # Regions
//!
//! Exploration returns paths. A path is a conjunction of conditions on draws. The inputs that
//! satisfy it are its *region*, and the regions of different paths are disjoint. `native_runs`
//! sorts the paths by how they end ([`path_end::PathEnd`]). The task of this module is to describe
//! the union of all passing regions in a line of Rust that a person would write. A formula for the
//! union is known from the start: the disjunction of all paths. It is only too long to read.
//!
//! # Bind, express, separate
//!
//! 1. **Bind** (`bindings`). If every passing region implies that a parameter has its original
//!    value, the parameter stays that value.
//! 2. **Express** (`bindings`). If every passing region implies that an expected result is equal
//!    to an expression of inputs, such as `a + b` or `list.len()`, the expression replaces it. Then
//!    each region is restricted to the inputs that agree with the bindings. Some become empty.
//! 3. **Separate** (`separate`). The inputs that are left must be distinguished: those of passing
//!    regions (inside) from the others (outside). The building blocks are *atoms*: comparisons and
//!    other small conditions (`atoms`), each as Rust code and as a term. A condition is accepted if
//!    every region inside implies it, and no input of a region outside satisfies it.
//!
//! `separate` tries three forms, the most readable and cheapest first:
//!
//! - **Greedy cover**: a conjunction of atoms that hold inside. The atom that excludes most open
//!   regions is taken first, and of equal ones the most readable. This is the greedy algorithm for
//!   set cover. It needs one query per atom and region, and stored inputs answer most of these.
//! - **Deletion**: sometimes no atom alone excludes a region, but several together do. Then all valid
//!   atoms are tried at once, and removed one by one as long as the rest excludes the region, the
//!   least readable first. This is deletion-based minimization of an unsatisfiable core. Each query
//!   is large, so it comes second.
//! - **Split**: an atom divides the regions inside into two cases, and each case gets a conjunction
//!   of its own. This repeats the work above for every atom, and its result is hard to read, so it
//!   comes last.
//!
//! Before a split, the roles of inside and outside are exchanged. The negation of a conjunction is
//! a disjunction.
//!
//! # What is claimed
//!
//! The solver decides each implication, so an accepted condition is right for all explored paths.
//! It is *proved* if in addition there are no other paths: exploration was complete, all regions
//! were compared, all paths end natively as in WebAssembly, and no free parameter was explored only
//! up to a length or a bound (`PathQuestions::is_exhaustive`). Either way the written test is built
//! and run before it is shown.
//!
//! # The cost of a query
//!
//! A query is whether a region and a term have a common input. An input that is already known
//! answers "yes" for free, and so does a remembered refutation for "no". Only other queries reach
//! the solver, each with a budget of conflicts, and at most [`questions::QUERIES_MAX`] for each
//! attempt to write a test. Beyond that, every answer is "unknown": a condition may be missed, but
//! none is accepted wrongly. Answers are kept for later attempts, which then cost less.
//!
//! # An example
//!
//! ```text
//! fn change(price: u32, paid: u32) -> u32 { assert!(price <= paid, "not enough"); paid - price }
//! #[test] fn gives_change() { assert_eq!(change(3, 10), 7); }
//! ```
//!
//! The literals become the inputs `price` and `paid` and the expected result `expected`. There are
//! three paths:
//!
//! - A, passes: `price <= paid` and `paid - price == expected`
//! - B, fails the assertion: `price <= paid` and `paid - price != expected`
//! - C, rejects its input: `price > paid`
//!
//! Nothing is bound to its original value, because A also has other values of each parameter. A
//! implies `expected == paid - price`, so this expression replaces the expected result. Restricted
//! to it, B is empty. A is inside, and C is outside. The atom `price <= paid` holds on A and excludes
//! C, so one round of the greedy cover is enough. Exploration was complete, and the result is
//! proved:
//!
//! ```text
//! #[rebut::test]
//! #[example(3, 10)]
//! fn gives_change(price: u32, paid: u32) {
//!     rebut::assume!(price <= paid);
//!     assert_eq!(change(price, paid), paid - price);
//! }
//! ```
//!
//! `separate` has this example as a test.

pub(crate) mod atoms;
pub(crate) mod bindings;
pub(crate) mod drafts;
pub(crate) mod mocks;
pub(crate) mod native_runs;
pub(crate) mod path_end;
pub(crate) mod questions;
pub(crate) mod readable_input;
pub(crate) mod separate;
#[cfg(test)]
mod testing;
