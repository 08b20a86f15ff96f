//! Targeted search: drives any generator toward a goal.
//!
//! A property reports a score for each case ([`Objective`]), and a [`Strategy`] decides which
//! case to try next. The strategy edits the tape of an earlier case through a [`Neighborhood`],
//! which is built from the spans of the tape. It therefore works for every generator. Löscher and
//! Sagonas (*Targeted property-based testing* 2017 and *Automating targeted property-based
//! testing* 2018) built their neighborhoods from generators and had to match dependent draws; on
//! tapes there is nothing to match.
//!
//! This crate runs nothing: it proposes tapes and receives the results.
//!
//! You need it to write a search, not to use one: call `rebut::maximize` or `rebut::minimize` in
//! a test instead.
//!
//! # Examples
//! ```
//! use rebut_choice::{AnyDriver, Fallback, Random, Replay, Rng, Source, Tape};
//! use rebut_search::{Adaptive, Evaluation, Move, Strategy};
//!
//! // Find ten numbers with a large sum.
//! let draw = |source: &mut Source| (0..10).map(|_| source.integer(0, 100)).sum::<i128>();
//! let mut strategy = Adaptive::new(2000);
//! let mut rng = Rng::new(1);
//! let mut best = 0;
//! for n in 0..2000 {
//!     let random = Box::new(Random::new(n));
//!     let mut source = Source::new(match strategy.propose(&mut rng) {
//!         Move::Fresh => AnyDriver::Random(random),
//!         Move::Neighbor(tape) => {
//!             AnyDriver::Replay(Box::new(Replay::new(&tape, Fallback::Random(random))))
//!         }
//!     });
//!     let sum = draw(&mut source);
//!     best = best.max(sum);
//!     let mut evaluation = Evaluation { utility: Some(sum as f64), tape: &mut || source.tape() };
//!     strategy.learn(&mut evaluation, &mut rng);
//! }
//! assert!(best > 950);
//! ```

mod front;
mod neighborhood;
mod objective;
mod strategy;
mod temperature;

pub use front::{Front, Point};
pub use neighborhood::{Neighborhood, Operator};
pub use objective::{Direction, Objective, Utility};
pub use strategy::{Adaptive, Annealing, Climbing, Evaluation, Move, Strategy};
pub use temperature::{Acceptance, Temperature};

/// Panics in the sources of this crate, so that a test can see that this is not reported as a failure
/// of the code under test.
#[doc(hidden)]
pub fn canary() -> ! {
    panic!("the canary of rebut-search")
}
