//! Exact fractions of 128-bit numbers. A result that does not fit is `None`, never rounded.

use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rational {
    numerator: i128,
    denominator: i128,
}

impl Rational {
    /// Zero.
    pub const ZERO: Rational = Rational { numerator: 0, denominator: 1 };

    /// Creates the fraction `numerator / denominator`. `None` if the denominator is zero or either
    /// number is `i128::MIN`.
    pub fn new(numerator: i128, denominator: i128) -> Option<Rational> {
        if denominator == 0 || numerator == i128::MIN || denominator == i128::MIN {
            return None;
        }
        let divisor = gcd(numerator, denominator) * denominator.signum();
        Some(Rational { numerator: numerator / divisor, denominator: denominator / divisor })
    }

    /// Creates a fraction from an integer.
    pub const fn whole(number: i128) -> Rational {
        Rational { numerator: number, denominator: 1 }
    }

    /// Returns the numerator.
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// Returns the denominator, at least 1.
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// Rounds down to an integer.
    pub fn floor(self) -> i128 {
        self.numerator.div_euclid(self.denominator)
    }

    pub(crate) fn add(self, other: Rational) -> Option<Rational> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        let denominator = self.denominator.checked_mul(other.denominator)?;
        Rational::new(left.checked_add(right)?, denominator)
    }

    pub(crate) fn mul(self, other: Rational) -> Option<Rational> {
        let numerator = self.numerator.checked_mul(other.numerator)?;
        Rational::new(numerator, self.denominator.checked_mul(other.denominator)?)
    }

    pub(crate) fn div(self, other: Rational) -> Option<Rational> {
        self.mul(Rational::new(other.denominator, other.numerator)?)
    }

    pub(crate) fn compare(self, other: Rational) -> Option<Ordering> {
        let left = self.numerator.checked_mul(other.denominator)?;
        Some(left.cmp(&other.numerator.checked_mul(self.denominator)?))
    }
}

/// Writes `3` or `-1/3`.
impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            denominator => write!(f, "{}/{denominator}", self.numerator),
        }
    }
}

/// Returns the greatest common divisor, which is 0 for two zeros. Overflows for `i128::MIN`.
pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_in_lowest_terms_with_a_positive_denominator() {
        let third = Rational::new(-2, -6).expect("a fraction");
        assert_eq!((third.numerator(), third.denominator()), (1, 3));
        assert_eq!(Rational::new(1, 0), None);
        assert_eq!(Rational::new(2, -4), Rational::new(-1, 2));
    }

    #[test]
    fn floor_rounds_toward_negative_infinity() {
        assert_eq!(Rational::new(-1, 3).map(Rational::floor), Some(-1));
        assert_eq!(Rational::new(7, 2).map(Rational::floor), Some(3));
    }
}
