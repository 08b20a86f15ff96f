//! What a search is after.

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// More is better.
    Maximize,
    /// Less is better.
    Minimize,
}

/// A quantity that a property wants driven up or down.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Objective {
    /// Its name; empty for the one that has none.
    pub label: String,
    /// Which way is better.
    pub direction: Direction,
}

impl Objective {
    /// A value of the objective as a number of which more is better.
    #[must_use]
    pub fn utility(&self, value: f64) -> f64 {
        match self.direction {
            Direction::Maximize => value,
            Direction::Minimize => -value,
        }
    }

    /// The value of a [utility](Self::utility).
    #[must_use]
    pub fn value(&self, utility: f64) -> f64 {
        match self.direction {
            Direction::Maximize => utility,
            Direction::Minimize => -utility,
        }
    }
}

/// Numbers that can be an objective's value.
#[diagnostic::on_unimplemented(
    message = "a search cannot make a `{Self}` large or small",
    label = "expected a number or a `Duration`",
    note = "give it a number that says how near the case came: a length, a count, a distance"
)]
pub trait Utility {
    /// As a float; precision beyond 53 bits does not matter to a search.
    fn to_f64(self) -> f64;
}

macro_rules! utilities {
    ($($number:ty)*) => {$(
        impl Utility for $number {
            fn to_f64(self) -> f64 {
                self as f64
            }
        }
    )*};
}
utilities!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);

impl Utility for std::time::Duration {
    fn to_f64(self) -> f64 {
        self.as_secs_f64()
    }
}
