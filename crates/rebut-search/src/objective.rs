//! The objectives of a search.

/// Whether a search prefers larger or smaller values.
///
/// # Examples
/// ```
/// use rebut_search::{Direction, Objective};
/// let speed = Objective { label: "speed".to_owned(), direction: Direction::Maximize };
/// assert!(speed.utility(2.0) > speed.utility(1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Larger values are better.
    Maximize,
    /// Smaller values are better.
    Minimize,
}

/// A quantity that a property maximizes or minimizes.
///
/// # Examples
/// ```
/// use rebut_search::{Direction, Objective};
/// let distance = Objective { label: "distance".to_owned(), direction: Direction::Minimize };
/// assert!(distance.utility(1.0) > distance.utility(2.0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Objective {
    /// The name; empty if it has none.
    pub label: String,
    /// The direction of improvement.
    pub direction: Direction,
}

impl Objective {
    /// Converts a value of the objective to a utility. A larger utility is always better.
    ///
    /// # Examples
    /// ```
    /// use rebut_search::{Direction, Objective};
    /// let distance = Objective { label: String::new(), direction: Direction::Minimize };
    /// assert_eq!(distance.utility(3.0), -3.0);
    /// ```
    #[must_use]
    pub fn utility(&self, value: f64) -> f64 {
        match self.direction {
            Direction::Maximize => value,
            Direction::Minimize => -value,
        }
    }

    /// Converts a [utility](Self::utility) back to a value.
    ///
    /// # Examples
    /// ```
    /// use rebut_search::{Direction, Objective};
    /// let distance = Objective { label: String::new(), direction: Direction::Minimize };
    /// assert_eq!(distance.value(distance.utility(3.0)), 3.0);
    /// ```
    #[must_use]
    pub fn value(&self, utility: f64) -> f64 {
        match self.direction {
            Direction::Maximize => utility,
            Direction::Minimize => -utility,
        }
    }
}

/// A type whose values can be a score: all number types and [`Duration`](std::time::Duration).
///
/// # Examples
/// ```
/// use std::time::Duration;
///
/// use rebut_search::Utility;
/// assert_eq!(3_u8.to_f64(), 3.0);
/// assert_eq!(Duration::from_millis(500).to_f64(), 0.5);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a score",
    label = "expected a number or a `Duration`",
    note = "pass a number that measures how close the case comes, such as a length, a count or a distance"
)]
pub trait Utility {
    /// Converts the score to a float. A search does not need more than 53 bits of precision.
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
