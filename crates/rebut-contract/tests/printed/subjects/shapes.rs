//! Constructors that may fail, and nested modules.

use crate::fault::tick;

pub mod inner {
    use super::tick;

    #[derive(Clone, Debug, PartialEq)]
    pub struct Even(u8);

    #[rebut::contract]
    impl Even {
        pub fn new(n: u8) -> Option<Self> {
            tick("new");
            n.is_multiple_of(2).then_some(Even(n))
        }

        pub fn parse(text: &str) -> Result<Even, std::num::ParseIntError> {
            tick("parse");
            text.parse().map(Even)
        }

        #[ensures(result.0 != 12)]
        pub fn sum(&self, other: &Even) -> Even {
            tick("sum");
            Even(self.0.wrapping_add(other.0))
        }

        pub fn halves(self) -> (u8, u8) {
            tick("halves");
            (self.0 / 2, self.0 / 2)
        }

        pub fn swap(&mut self, other: &mut Even) {
            tick("swap");
            std::mem::swap(self, other);
        }
    }
}

pub use inner::Even;
