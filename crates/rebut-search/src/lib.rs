//! Targeted search: drives any generator toward a goal.
//!
//! A property says how near a case came to something interesting ([`Objective`]); a
//! [`Strategy`] decides which case to try next. It edits the tape of a case it has seen, by a
//! [`Neighborhood`] that is built from the tape's spans and so exists for every generator,
//! however that was written (Löscher and Sagonas, *Targeted property-based testing* 2017 and
//! *Automating targeted property-based testing* 2018, built theirs from generators and had to
//! match dependent draws; on tapes there is nothing to match).
//!
//! This crate runs nothing: it proposes tapes and is told what came of them.
//!
//! # Example
//! ```
//! use rebut_choice::{Drive, Fallback, Random, Replay, Rng, Source, Tape};
//! use rebut_search::{Adaptive, Move, Strategy, Tried};
//!
//! // Find ten numbers with a large sum.
//! let draw = |source: &mut Source| (0..10).map(|_| source.integer(0, 100)).sum::<i128>();
//! let mut strategy = Adaptive::new(2000);
//! let mut rng = Rng::new(1);
//! let mut best = 0;
//! for n in 0..2000 {
//!     let random = Box::new(Random::new(n));
//!     let mut source = Source::new(match strategy.propose(&mut rng) {
//!         Move::Fresh => Drive::Random(random),
//!         Move::Neighbor(tape) => {
//!             Drive::Replay(Box::new(Replay::new(&tape, Fallback::Random(random))))
//!         }
//!     });
//!     let sum = draw(&mut source);
//!     best = best.max(sum);
//!     strategy.learn(&mut Tried { utility: Some(sum as f64), tape: &mut || source.tape() }, &mut rng);
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
pub use strategy::{Adaptive, Annealing, Climbing, Move, Strategy, Tried};
pub use temperature::{Acceptance, Temperature};
