//! A list that grows, after the `ArrayList` of .NET: an array, and how much of it is used.

/// A list of numbers.
#[derive(Clone, Debug, Default)]
#[cfg_attr(test, derive(rebut::Generate))]
pub struct ArrayList {
    items: Vec<i32>,
    #[cfg_attr(test, generate(max_value = items.len()))]
    size: usize,
}

impl ArrayList {
    /// How many numbers there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.size
    }

    /// How many numbers there is room for.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.items.len()
    }

    /// The number at an index, if there is one.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<i32> {
        self.items[..self.size].get(index).copied()
    }

    /// Whether a number is in the list.
    #[must_use]
    pub fn contains(&self, value: i32) -> bool {
        self.index_of(value).is_some()
    }

    /// Where a number is for the first time.
    #[must_use]
    pub fn index_of(&self, value: i32) -> Option<usize> {
        (0..self.size).find(|index| self.items[*index] == value)
    }

    /// Adds a number at the end; where it is now.
    pub fn add(&mut self, value: i32) -> usize {
        self.ensure_capacity(self.size + 1);
        self.items[self.size] = value;
        self.size += 1;
        self.size - 1
    }

    /// Puts a number before the one at the index, or at the end.
    ///
    /// # Panics
    /// If the index is behind the end.
    pub fn insert(&mut self, index: usize, value: i32) {
        assert!(index <= self.size, "the index is out of range");
        self.ensure_capacity(self.size + 1);
        self.items.copy_within(index..self.size, index + 1);
        self.items[index] = value;
        self.size += 1;
    }

    /// Puts another number at an index.
    ///
    /// # Panics
    /// If there is none at that index.
    pub fn set(&mut self, index: usize, value: i32) {
        assert!(index < self.size, "the index is out of range");
        self.items[index] = value;
    }

    /// Takes out the number at an index.
    ///
    /// # Panics
    /// If there is none.
    pub fn remove_at(&mut self, index: usize) {
        assert!(index < self.size, "the index is out of range");
        self.items.copy_within(index + 1..self.size, index);
        self.size -= 1;
    }

    /// Takes out a number where it is for the first time.
    pub fn remove(&mut self, value: i32) {
        if let Some(index) = self.index_of(value) {
            self.remove_at(index);
        }
    }

    /// Turns the list round.
    pub fn reverse(&mut self) {
        self.items[..self.size].reverse();
    }

    /// Gives the room back that is not used.
    pub fn trim_to_size(&mut self) {
        self.items.truncate(self.size);
    }

    /// Takes out all numbers; the room stays.
    pub fn clear(&mut self) {
        self.size = 0;
    }

    fn ensure_capacity(&mut self, least: usize) {
        if self.items.len() < least {
            let room = if self.items.is_empty() { 16 } else { self.items.len() * 2 };
            self.items.resize(room, 0);
        }
    }
}

#[cfg(test)]
include!("../inferred/array_list.rs");
