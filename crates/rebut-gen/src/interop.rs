//! Generators and random numbers of other crates, each behind a feature with the name of the crate.

#[cfg(feature = "arbitrary")]
mod arbitrary;
#[cfg(feature = "proptest")]
mod proptest;
#[cfg(feature = "quickcheck")]
mod quickcheck;
#[cfg(any(feature = "rand", feature = "rand_08", feature = "rand_010"))]
mod rand;

#[cfg(feature = "arbitrary")]
pub use arbitrary::{Arbitraries, arbitraries};
#[cfg(feature = "proptest")]
pub use proptest::{Strategies, expansion, strategies};
#[cfg(feature = "quickcheck")]
pub use quickcheck::{QuickcheckValues, quickcheck_values};
#[cfg(any(feature = "rand", feature = "rand_08", feature = "rand_010"))]
pub use rand::{ChoiceRng, Rngs, rngs};

/// The simplest value of another crate is simplified this often at most. It bounds the time for
/// values that never stop to become simpler. Arbitrary: lists of 1000 elements need fewer steps.
#[cfg(any(feature = "proptest", feature = "quickcheck"))]
const SIMPLIFICATIONS_MAX: usize = 10_000;
