//! Sets.
use super::{Nfa, TooComplex};
use std::sync::Arc;

/// How many strings a language has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Exactly so many.
    Exactly(u128),
    /// Finitely many, but more than can be counted in 128 bits.
    Huge,
    /// Infinitely many.
    Infinite,
}

impl Count {
    /// The number, if it is one.
    #[must_use]
    pub fn exactly(self) -> Option<u128> {
        match self {
            Count::Exactly(count) => Some(count),
            Count::Huge | Count::Infinite => None,
        }
    }
}

pub(crate) struct Sets;
impl Sets {
    pub(crate) fn new(_: Arc<Nfa>, _: usize) -> Sets {
        Sets
    }
    pub(crate) fn count(&self) -> Result<Count, TooComplex> {
        unimplemented!()
    }
    pub(crate) fn count_of_length(&self, _: usize) -> Result<Count, TooComplex> {
        unimplemented!()
    }
    pub(crate) fn minimal(&self) -> Result<Nfa, TooComplex> {
        unimplemented!()
    }
}
