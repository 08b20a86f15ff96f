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
#[cfg(any(feature = "rand", feature = "rand_08", feature = "rand_010"))]
pub use rand::{ChoiceRng, Rngs, rngs};
