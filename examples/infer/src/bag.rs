//! A bag of numbers that shows the order in which its hash table has them.

use std::collections::HashSet;

/// A bag.
#[derive(Clone, Debug, Default)]
pub struct Bag {
    items: HashSet<u8>,
}

impl Bag {
    /// A bag with nothing in it.
    #[must_use]
    pub fn new() -> Bag {
        Bag::default()
    }

    /// How many numbers there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.items.len()
    }

    /// One of the numbers: whichever comes first.
    #[must_use]
    pub fn any(&self) -> Option<u8> {
        self.items.iter().next().copied()
    }

    /// Puts in a number; whether it was not there.
    pub fn add(&mut self, item: u8) -> bool {
        self.items.insert(item)
    }

    /// Takes out a number; whether it was there.
    pub fn remove(&mut self, item: u8) -> bool {
        self.items.remove(&item)
    }
}

#[cfg(test)]
include!("../inferred/bag.rs");
