//! A set of small numbers as bits, with a model: the set of the standard library does the same
//! in lock step, and both have to answer alike. The bits from 64 on are cleared in the wrong
//! word.

/// Numbers below 256.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitSet {
    words: [u64; 4],
}

#[rebut::contract]
#[model(std::collections::BTreeSet<u8>, self.len() == model.len())]
impl BitSet {
    /// An empty set.
    pub fn new() -> BitSet {
        BitSet::default()
    }

    /// Adds a number; whether it was not there.
    pub fn insert(&mut self, number: u8) -> bool {
        let is_new = !self.contains(&number);
        self.words[usize::from(number / 64)] |= 1 << (number % 64);
        is_new
    }

    /// Takes a number out; whether it was there.
    pub fn remove(&mut self, number: &u8) -> bool {
        let was_there = self.contains(number);
        self.words[0] &= !(1 << (number % 64));
        was_there
    }

    /// Whether a number is there.
    pub fn contains(&self, number: &u8) -> bool {
        self.words[usize::from(number / 64)] & (1 << (number % 64)) != 0
    }

    /// Adds all numbers of another set. The model has no function of this name.
    #[model(model.extend(other))]
    pub fn add_all(&mut self, other: &BitSet) {
        for (word, other) in self.words.iter_mut().zip(other.words) {
            *word |= other;
        }
    }

    /// How many numbers there are.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.words == [0; 4]
    }
}
