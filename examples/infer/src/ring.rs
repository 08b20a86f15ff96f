//! The last few numbers: a type whose states are reached from a constructor that may panic.

/// Keeps the newest numbers, as many as there is room for.
#[derive(Clone, Debug)]
pub struct Ring {
    items: Vec<u32>,
    capacity: usize,
}

impl Ring {
    /// An empty ring for so many numbers.
    ///
    /// # Panics
    ///
    /// If there is no room at all.
    #[must_use]
    pub fn new(capacity: usize) -> Ring {
        assert!(capacity > 0, "a ring has room for a number");
        Ring { items: Vec::new(), capacity }
    }

    /// Adds a number; if there is no room, the oldest has to go.
    pub fn push(&mut self, item: u32) -> Option<u32> {
        let oldest = self.is_full().then(|| self.items.remove(0));
        self.items.push(item);
        oldest
    }

    /// Takes all numbers away.
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// How many numbers it can keep.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// The numbers, the oldest first.
    #[must_use]
    pub fn items(&self) -> &[u32] {
        &self.items
    }

    /// Whether the next number needs the place of another.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.items.len() == self.capacity
    }
}

#[cfg(test)]
include!("../inferred/ring.rs");
