//! Exact numbers: fractions of 128-bit integers.
//!
//! With binary floating point, the evaluator would disagree with a solver about `0.1 + 0.2`.
//!
//! Invariant: every operation is checked. A result that does not fit is `None`, never a wrong
//! number.

use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub};
use std::fmt;

/// An exact fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Real(Ratio<i128>);

impl Real {
    /// Zero.
    pub const ZERO: Self = Self(Ratio::new_raw(0, 1));

    /// Converts an integer.
    #[must_use]
    pub fn from_int(number: i128) -> Self {
        Self(Ratio::from_integer(number))
    }

    /// Creates a fraction, or `None` if the denominator is zero.
    #[must_use]
    pub fn new(numerator: i128, denominator: i128) -> Option<Self> {
        let fits = denominator != 0 && denominator != i128::MIN && numerator != i128::MIN;
        fits.then(|| Self(Ratio::new(numerator, denominator)))
    }

    /// Parses `12`, `-1.5`, `.5`, `1e-3` or `1/3`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if let Some((numerator, denominator)) = text.split_once('/') {
            return Self::new(numerator.parse().ok()?, denominator.parse().ok()?);
        }
        let (mantissa, exponent) = match text.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        let plain = digits.strip_prefix(['-', '+']).unwrap_or(&digits);
        if plain.is_empty() || !plain.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let places = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
        let number = Self::from_int(digits.parse().ok()?);
        let power = Self::from_int(10_i128.checked_pow(places.unsigned_abs())?);
        if places >= 0 { number.over(power) } else { number.times(power) }
    }

    /// The sum, if it fits.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        self.0.checked_add(&other.0).map(Self)
    }

    /// The difference, if it fits.
    #[must_use]
    pub fn minus(self, other: Self) -> Option<Self> {
        self.0.checked_sub(&other.0).map(Self)
    }

    /// The product, if it fits.
    #[must_use]
    pub fn times(self, other: Self) -> Option<Self> {
        self.0.checked_mul(&other.0).map(Self)
    }

    /// The quotient, unless it is a division by zero or does not fit.
    #[must_use]
    pub fn over(self, other: Self) -> Option<Self> {
        self.0.checked_div(&other.0).map(Self)
    }

    /// The absolute value.
    #[must_use]
    pub fn abs(self) -> Self {
        if self < Self::ZERO { Self(-self.0) } else { self }
    }

    /// The greatest integer that is not greater.
    #[must_use]
    pub fn floor(self) -> i128 {
        self.0.floor().to_integer()
    }

    /// The least integer that is not less.
    #[must_use]
    pub fn ceil(self) -> i128 {
        self.0.ceil().to_integer()
    }

    /// Whether the number is an integer.
    #[must_use]
    pub fn is_integer(self) -> bool {
        self.0.is_integer()
    }

    /// The numerator and the denominator, in lowest terms.
    #[must_use]
    pub fn parts(self) -> (i128, i128) {
        (*self.0.numer(), *self.0.denom())
    }

    /// The decimal form, if it is finite.
    #[must_use]
    pub fn decimal(self) -> Option<String> {
        let (mut numerator, mut denominator) = self.parts();
        let mut places = 0_usize;
        while denominator != 1 {
            let factor = match (denominator % 2 == 0, denominator % 5 == 0) {
                (true, true) => (1, 10),
                (true, false) => (5, 2),
                (false, true) => (2, 5),
                (false, false) => return None,
            };
            numerator = numerator.checked_mul(factor.0)?;
            denominator /= factor.1;
            places += 1;
        }
        if places == 0 {
            return Some(numerator.to_string());
        }
        let sign = if numerator < 0 { "-" } else { "" };
        let digits = format!("{:0>width$}", numerator.unsigned_abs(), width = places + 1);
        let (whole, fraction) = digits.split_at(digits.len() - places);
        Some(format!("{sign}{whole}.{fraction}"))
    }
}

impl fmt::Display for Real {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.decimal() {
            Some(decimal) => f.write_str(&decimal),
            None => write!(f, "{}/{}", self.parts().0, self.parts().1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_print_in_their_shortest_form() {
        for (text, shown) in [
            ("1.50", "1.5"),
            ("-0.25", "-0.25"),
            (".5", "0.5"),
            ("1e3", "1000"),
            ("25e-4", "0.0025"),
            ("1/3", "1/3"),
            ("-4", "-4"),
        ] {
            assert_eq!(Real::parse(text).map(|real| real.to_string()).as_deref(), Some(shown));
        }
    }

    #[test]
    fn parsing_rejects_malformed_numbers() {
        for text in ["", ".", "-", "1.2.3", "x", "1e", "1/0", "--1", "1e99999"] {
            assert_eq!(Real::parse(text), None, "{text}");
        }
    }
}
