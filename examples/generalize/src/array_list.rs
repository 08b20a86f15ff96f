//! The `ArrayList` of .NET, as far as Tillmann and Schulte (2005) show it in "Unit Tests
//! Reloaded", with its test: of the generalized test two paths pass and three fail.

/// A list that grows.
#[derive(Debug, Default)]
pub struct ArrayList<T> {
    items: Vec<T>,
    capacity: i32,
}

impl<T> ArrayList<T> {
    /// An empty list that has room for so many items before it has to grow.
    ///
    /// # Panics
    /// If the capacity is negative.
    #[must_use]
    pub fn new(capacity: i32) -> Self {
        assert!(capacity >= 0, "the capacity must not be negative: {capacity}");
        ArrayList { items: Vec::new(), capacity }
    }

    /// How many items there are.
    #[must_use]
    pub fn count(&self) -> i32 {
        self.items.len() as i32
    }

    /// Adds an item at the end.
    pub fn add(&mut self, value: T) {
        if self.count() == self.capacity {
            self.ensure_capacity(self.count() + 1);
        }
        self.items.push(value);
    }

    fn ensure_capacity(&mut self, min: i32) {
        let grown = if self.capacity == 0 { 16 } else { self.capacity * 2 };
        self.capacity = grown.max(min);
    }

    /// The item at an index.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn get(&self, index: i32) -> &T {
        assert!(index >= 0, "the index must not be negative: {index}");
        assert!(index < self.count(), "the index is behind the end: {index}");
        &self.items[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // What is added is there.
    #[test]
    fn add() {
        let mut list = ArrayList::new(1);
        let item = 7;
        list.add(item);
        assert!(*list.get(0) == item); // at its place
    }
}
