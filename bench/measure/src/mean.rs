//! The mean size of generated values.

use std::cell::Cell;

/// A mean that is added to from inside a property.
#[derive(Debug, Default)]
pub struct Mean {
    total: Cell<f64>,
    count: Cell<f64>,
}

impl Mean {
    /// The mean over everything `fill` adds.
    pub fn of(fill: impl FnOnce(&Self)) -> Self {
        let mean = Self::default();
        fill(&mean);
        mean
    }

    /// Adds one size.
    pub fn add(&self, size: usize) {
        self.total.set(self.total.get() + size as f64);
        self.count.set(self.count.get() + 1.0);
    }

    /// The mean of the sizes so far.
    pub fn get(&self) -> f64 {
        self.total.get() / self.count.get()
    }
}
