//! The two formats of floats, and a float split into its fields.
//!
//! The fields of 1.5 in 32 bits are: sign 0, exponent 127 (0 plus the bias), and a fraction whose
//! highest bit is set. Exponent and fraction together are the magnitude, `0x3fc00000`. Magnitudes
//! have the order of the numbers: infinity is above all numbers, and NaNs are above infinity.

use super::{bit_of, is_set, is_zero};
use crate::{Pool, Term};

/// The number of bits of the exponent and the fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    pub(super) exponent: u32,
    pub(super) fraction: u32,
}

impl Format {
    pub(super) const F32: Format = Format { exponent: 8, fraction: 23 };
    pub(super) const F64: Format = Format { exponent: 11, fraction: 52 };

    /// Returns the format of a width.
    ///
    /// # Panics
    /// If the width is not 32 or 64.
    #[track_caller]
    pub(super) fn of_width(width: u32) -> Format {
        match width {
            32 => Format::F32,
            64 => Format::F64,
            _ => panic!("a float is a bit-vector of 32 or 64 bits, not of {width}"),
        }
    }

    #[track_caller]
    pub(super) fn of_term(pool: &Pool, a: Term) -> Format {
        Format::of_width(pool.width(a))
    }

    /// Returns the format of two operands. Panics if they differ.
    #[track_caller]
    pub(super) fn of_both(pool: &Pool, a: Term, b: Term) -> Format {
        let (format, other) = (Format::of_term(pool, a), Format::of_term(pool, b));
        match format == other {
            true => format,
            false => panic!("both floats have 32 bits or both have 64"),
        }
    }

    /// Panics if an operand has another format.
    #[track_caller]
    pub(super) fn check_operand(self, pool: &Pool, a: Term) {
        let (wanted, width) = (self.magnitude() + 1, pool.width(a));
        if width != wanted {
            panic!("this float is a bit-vector of {wanted} bits, not of {width}");
        }
    }

    /// The number of bits without the sign.
    pub(super) fn magnitude(self) -> u32 {
        self.exponent + self.fraction
    }

    /// The number of bits of a significand: the fraction, and the bit before the point.
    pub(super) fn precision(self) -> u32 {
        self.fraction + 1
    }

    /// The stored exponent of numbers from one to two. It is odd, and some circuits rely on that.
    pub(super) fn bias(self) -> u128 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The stored exponent of infinities and NaNs.
    pub(super) fn exponent_max(self) -> u128 {
        (1 << self.exponent) - 1
    }

    /// The magnitude of an infinity. That of a NaN is greater.
    pub(super) fn infinity(self) -> u128 {
        self.exponent_max() << self.fraction
    }

    /// The magnitude of two to the given power.
    pub(super) fn power_of_two(self, power: u32) -> u128 {
        (self.bias() + u128::from(power)) << self.fraction
    }

    /// Builds the canonical NaN: positive and quiet, with no other bits set.
    pub(super) fn nan(self, pool: &mut Pool) -> Term {
        pool.bits(self.magnitude() + 1, self.infinity() | 1 << (self.fraction - 1))
    }

    /// Builds a float from a sign bit and a constant magnitude.
    pub(super) fn signed(self, pool: &mut Pool, sign: Term, magnitude: u128) -> Term {
        let magnitude = pool.bits(self.magnitude(), magnitude);
        pool.concat(sign, magnitude)
    }
}

/// The stored fields of a float.
#[derive(Clone, Copy, Debug)]
pub(super) struct FloatParts {
    pub(super) format: Format,
    /// One bit.
    pub(super) sign: Term,
    pub(super) exponent: Term,
    pub(super) fraction: Term,
    /// The exponent and the fraction as one number.
    pub(super) magnitude: Term,
}

impl FloatParts {
    /// Splits a term into the fields of a float.
    #[track_caller]
    pub(super) fn split(pool: &mut Pool, a: Term) -> FloatParts {
        let format = Format::of_term(pool, a);
        let top = format.magnitude();
        FloatParts {
            format,
            sign: pool.extract(top, top, a),
            exponent: pool.extract(top - 1, format.fraction, a),
            fraction: pool.extract(format.fraction - 1, 0, a),
            magnitude: pool.extract(top - 1, 0, a),
        }
    }

    pub(super) fn is_negative(&self, pool: &mut Pool) -> Term {
        is_set(pool, self.sign)
    }

    pub(super) fn is_zero(&self, pool: &mut Pool) -> Term {
        is_zero(pool, self.magnitude)
    }

    pub(super) fn is_infinite(&self, pool: &mut Pool) -> Term {
        let infinity = pool.bits(self.format.magnitude(), self.format.infinity());
        pool.eq(self.magnitude, infinity)
    }

    pub(super) fn is_nan(&self, pool: &mut Pool) -> Term {
        let infinity = pool.bits(self.format.magnitude(), self.format.infinity());
        pool.bv_ult(infinity, self.magnitude)
    }

    /// Whether the stored exponent is zero. Then the bit before the point is zero too, and the
    /// exponent counts as one.
    fn is_subnormal_or_zero(&self, pool: &mut Pool) -> Term {
        is_zero(pool, self.exponent)
    }

    /// Builds the fraction with the bit before the point.
    pub(super) fn significand(&self, pool: &mut Pool) -> Term {
        let is_small = self.is_subnormal_or_zero(pool);
        let is_normal = pool.not(is_small);
        let first = bit_of(pool, is_normal);
        pool.concat(first, self.fraction)
    }

    /// Builds the exponent that counts: the stored one, or one for zero.
    pub(super) fn scale(&self, pool: &mut Pool) -> Term {
        let is_small = self.is_subnormal_or_zero(pool);
        let small = bit_of(pool, is_small);
        let small = pool.zero_extend(self.format.exponent - 1, small);
        pool.bv_or(self.exponent, small)
    }

    /// Builds the number as `significand * 2^exponent`, with the highest bit of the significand
    /// set. The exponents of subnormals become negative. For zeros, infinities and NaNs the result
    /// is arbitrary.
    pub(super) fn normalized(&self, pool: &mut Pool) -> Normalized {
        let width = self.format.exponent + 2;
        let significand = self.significand(pool);
        let (shifted, zeros) = super::round::normalize(pool, significand);
        let fraction = pool.extract(self.format.fraction - 1, 0, shifted);
        let one = pool.bits(1, 1);
        let scale = self.scale(pool);
        let scale = pool.zero_extend(2, scale);
        let zeros = pool.resize(zeros, width);
        Normalized { exponent: pool.bv_sub(scale, zeros), significand: pool.concat(one, fraction) }
    }
}

/// A finite nonzero number, without its sign.
#[derive(Clone, Copy, Debug)]
pub(super) struct Normalized {
    /// With the bias, in two's complement, two bits wider than the stored one.
    pub(super) exponent: Term,
    /// The highest bit is set.
    pub(super) significand: Term,
}
