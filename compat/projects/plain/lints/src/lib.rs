//! Everything that Rebut expands, under strict lints.
#![deny(
    warnings,
    missing_docs,
    unused,
    unsafe_code,
    unreachable_pub,
    rust_2018_idioms,
    unused_qualifications,
    unused_braces,
    missing_debug_implementations,
    clippy::pedantic,
    clippy::nursery,
    clippy::unwrap_used,
    clippy::panic,
    clippy::as_conversions,
    clippy::indexing_slicing
)]
#![cfg_attr(feature = "forbid", forbid(unused, clippy::all, unsafe_code, missing_docs))]

/// A list.
#[derive(Clone, Debug)]
pub struct List(Vec<u8>);

#[rustfmt::skip]
#[rebut::contract]
impl List {
    /// Creates an empty list.
    #[must_use]
    pub fn new() -> Self { Self(Vec::new()) }

    /// Adds a number.
    #[ensures(self.len() == old(self.len()) + 1)]
    pub fn push(&mut self, number: u8) { self.0.push(number); }

    /// Returns the length.
    #[must_use]
    pub fn len(&self) -> usize { self.0.len() }

    /// Returns whether the list is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool { self.0.is_empty() }
}

impl Default for List {
    fn default() -> Self {
        Self::new()
    }
}

/// A clock.
#[rebut::mock]
pub trait Clock {
    /// Returns the time.
    fn now(&self) -> u64;
}

/// A shape.
#[derive(Clone, Debug, rebut::Generate)]
pub enum Shape {
    /// A point.
    Point,
    /// A circle.
    Circle(#[generate(max_value = 100)] u16),
}

#[cfg(test)]
mod tests {
    use super::{Clock, List, MockClock, Shape};

    #[rebut::test]
    fn lists_are_not_consumed(list: Vec<u8>, text: String, shape: Shape) {
        assert!(list.len() < 1_000_000 && text.len() < 1_000_000);
        assert!(!matches!(shape, Shape::Circle(radius) if radius > 100));
    }

    #[rebut::test]
    fn clocks_answer(clock: MockClock, #[from(1..10)] number: u8) {
        assert!(clock.now() == clock.now() || number < 10);
    }

    #[rebut::test]
    fn lists_keep_their_contract(program: rebut::Program<List>) {
        program.run();
    }
}
