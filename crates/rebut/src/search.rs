//! Objectives, neighborhoods and strategies of targeted search.
//!
//! **This module is unstable:** every version may change it.
//!
//! You need it to write a search strategy, or steps of your own with
//! [`Generator::neighbors`](crate::Generator::neighbors). To use a search, call
//! [`maximize`](crate::maximize) or [`minimize`](crate::minimize) in a test; these are stable.
//!
//! # Examples
//! ```test_harness
//! use rebut::search::Adaptive;
//!
//! #[rebut::test(search = Adaptive::new)]
//! fn halving_ends_within_32_steps(start: u32) {
//!     let steps = std::iter::successors(Some(start), |n| (n / 2 > 0).then_some(n / 2)).count();
//!     rebut::maximize(steps);
//!     assert!(steps <= 32);
//! }
//! ```

pub use rebut_run::{GeneratorNeighborhood, WithTape, neighborhood};
pub use rebut_search::{
    Acceptance, Adaptive, Annealing, Climbing, Direction, Evaluation, Front, Move, Neighborhood,
    Objective, Operator, Point, Strategy, Temperature, Utility,
};
