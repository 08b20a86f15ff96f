//! The two formats, and a float taken apart.

use super::{bit_of, is_set, is_zero};
use crate::{Pool, Term};

/// How many bits the exponent and the fraction have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Format {
    pub(super) exponent: u32,
    pub(super) fraction: u32,
}

impl Format {
    pub(super) const F32: Format = Format { exponent: 8, fraction: 23 };
    pub(super) const F64: Format = Format { exponent: 11, fraction: 52 };

    /// The format of so many bits.
    ///
    /// # Panics
    /// If there is none.
    #[track_caller]
    pub(super) fn of_width(width: u32) -> Format {
        match width {
            32 => Format::F32,
            64 => Format::F64,
            _ => panic!("a float is a bit-vector of 32 or 64 bits, not of {width}"),
        }
    }

    #[track_caller]
    pub(super) fn of(pool: &Pool, a: Term) -> Format {
        Format::of_width(pool.width(a))
    }

    /// Of two operands, which must have the same.
    #[track_caller]
    pub(super) fn of_both(pool: &Pool, a: Term, b: Term) -> Format {
        let (format, other) = (Format::of(pool, a), Format::of(pool, b));
        match format == other {
            true => format,
            false => panic!("both floats have 32 bits or both have 64"),
        }
    }

    /// Of an operand that must have this one.
    #[track_caller]
    pub(super) fn must_be_that_of(self, pool: &Pool, a: Term) {
        let (wanted, width) = (self.magnitude() + 1, pool.width(a));
        if width != wanted {
            panic!("this float is a bit-vector of {wanted} bits, not of {width}");
        }
    }

    /// All bits but the sign.
    pub(super) fn magnitude(self) -> u32 {
        self.exponent + self.fraction
    }

    /// The bits of a significand: the fraction and the one before the point.
    pub(super) fn precision(self) -> u32 {
        self.fraction + 1
    }

    /// The exponent of numbers from one to two. It is odd, which some circuits rely on.
    pub(super) fn bias(self) -> u128 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent of infinities and of what is not a number.
    pub(super) fn exponent_max(self) -> u128 {
        (1 << self.exponent) - 1
    }

    /// The magnitude of an infinity; that of a NaN is greater.
    pub(super) fn infinity(self) -> u128 {
        self.exponent_max() << self.fraction
    }

    /// The magnitude of two to the power.
    pub(super) fn power_of_two(self, power: u32) -> u128 {
        (self.bias() + u128::from(power)) << self.fraction
    }

    /// The canonical NaN: positive and quiet, with no more bits set than that takes.
    pub(super) fn nan(self, pool: &mut Pool) -> Term {
        pool.bits(self.magnitude() + 1, self.infinity() | 1 << (self.fraction - 1))
    }

    /// A magnitude with a sign of one bit.
    pub(super) fn signed(self, pool: &mut Pool, sign: Term, magnitude: u128) -> Term {
        let magnitude = pool.bits(self.magnitude(), magnitude);
        pool.concat(sign, magnitude)
    }
}

/// A float as it is stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    pub(super) format: Format,
    /// One bit.
    pub(super) sign: Term,
    pub(super) exponent: Term,
    pub(super) fraction: Term,
    /// The exponent above the fraction.
    pub(super) magnitude: Term,
}

impl Parts {
    #[track_caller]
    pub(super) fn of(pool: &mut Pool, a: Term) -> Parts {
        let format = Format::of(pool, a);
        let top = format.magnitude();
        Parts {
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

    /// Whether the exponent is zero: the bit before the point is zero too, and the exponent
    /// means the same as one.
    fn is_subnormal_or_zero(&self, pool: &mut Pool) -> Term {
        is_zero(pool, self.exponent)
    }

    /// The fraction with the bit before the point.
    pub(super) fn significand(&self, pool: &mut Pool) -> Term {
        let is_small = self.is_subnormal_or_zero(pool);
        let is_normal = pool.not(is_small);
        let first = bit_of(pool, is_normal);
        pool.concat(first, self.fraction)
    }

    /// The exponent, with one for zero.
    pub(super) fn scale(&self, pool: &mut Pool) -> Term {
        let is_small = self.is_subnormal_or_zero(pool);
        let small = bit_of(pool, is_small);
        let small = pool.zero_extend(self.format.exponent - 1, small);
        pool.bv_or(self.exponent, small)
    }

    /// The number as `significand * 2^exponent`, with the topmost bit of the significand set:
    /// also of subnormals, whose exponents become negative. Of zero, infinities and NaN it says
    /// nothing.
    pub(super) fn normal(&self, pool: &mut Pool) -> Normal {
        let width = self.format.exponent + 2;
        let significand = self.significand(pool);
        let (shifted, zeros) = super::round::normalize(pool, significand);
        let fraction = pool.extract(self.format.fraction - 1, 0, shifted);
        let one = pool.bits(1, 1);
        let scale = self.scale(pool);
        let scale = pool.zero_extend(2, scale);
        let zeros = pool.resize(zeros, width);
        Normal { exponent: pool.bv_sub(scale, zeros), significand: pool.concat(one, fraction) }
    }
}

/// A finite number that is not zero, without its sign.
#[derive(Clone, Copy, Debug)]
pub(super) struct Normal {
    /// With the bias, in two's complement: two bits more than are stored.
    pub(super) exponent: Term,
    /// Its topmost bit is set.
    pub(super) significand: Term,
}
