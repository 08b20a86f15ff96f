//! Floats (IEEE 754): exact arithmetic as terms over their bits.
//!
//! A float of 32 or 64 bits is a bit-vector. The terms compute what WebAssembly's instructions
//! compute: rounded to the nearest value, ties to even, with subnormals, infinities and both
//! zeros. There are no operators for floats, so rewrites, ranges, the bit-blaster and external
//! solvers need to know nothing about them.
//!
//! Where WebAssembly leaves the bits of a NaN open, the result here is the canonical NaN: positive
//! and quiet, `0x7fc00000` or `0x7ff8000000000000`. A caller that compares with a run must make
//! NaNs canonical there too, or ignore their bits. Only [`Pool::float_abs`], [`Pool::float_neg`]
//! and [`Pool::float_copysign`] keep the bits of a NaN, as WebAssembly requires.
//!
//! # How it works
//! `format.rs` splits a number into sign, exponent and significand, and normalizes it so that the
//! highest bit of the significand is set. The operations compute with a few extra bits, the last
//! of which is "sticky": it stands for all bits below. Only `round.rs` rounds results to a format.
//! Hardware works like this too, and for the same reason: few gates. Shifts are chains of shifts
//! by powers of two. Significands are multiplied and divided once, and roots are computed digit
//! by digit with one adder each.
//!
//! For example, `1.5 + 0.25` in 32 bits has the significands `1.1` and `1.0` (binary) with
//! exponents 0 and -2. The smaller one is shifted right by 2 and the sum `1.11` has exponent 0.
//! No bit was lost, so the result is 1.75 without rounding.
//!
//! # What it costs
//! Conflicts and milliseconds of the embedded solver on one core. `cargo run --release --example
//! floats` prints these and more:
//!
//! | query | 32 bits | 64 bits |
//! |---|---|---|
//! | `x + 0.1 == 0.3` | 11, 2 ms | 35, 2 ms |
//! | `x + y == 12.5, x < y, 3 < x` | 64, 2 ms | 85, 3 ms |
//! | `x + 1 < x` (none) | 735, 28 ms | 1235, 110 ms |
//! | `x * x == 2.25` | 461, 22 ms | 1843, 246 ms |
//! | `x * x == 2` (none) | 284, 18 ms | 2346, 358 ms |
//! | `x * y == 6, x < y, 1 < x` | 3016, 159 ms | 6186, 764 ms |
//! | `x / y == 3, 2 < y` | 89, 27 ms | 34, 197 ms |
//! | `x * (1 / x) != 1, x in 1..100` | 521, 134 ms | 4468, 3.2 s |
//! | `(x - 32) * 5 / 9 == 37` | 41, 7 ms | 31, 17 ms |
//! | `sqrt(x) == 1.5` | 44, 16 ms | 66, 30 ms |
//!
//! A sum or a product is the same term in either order of its operands. To prove that two
//! different circuits compute the same is expensive: for the two orders of a 32-bit sum it took
//! more than 200,000 conflicts.

mod arithmetic;
mod compare;
mod convert;
mod format;
mod integral;
mod round;
#[cfg(test)]
mod tests;

use crate::{Pool, Term};
use format::{FloatParts, Format};
use integral::Rounding;

/// Floats: bit-vectors of 32 or 64 bits in the format of IEEE 754. A NaN result is the canonical
/// NaN, unless documented otherwise.
///
/// # Examples
/// ```
/// use rebut_smt::{Answer, Pool, Solver, Sort};
///
/// let mut pool = Pool::new();
/// let x = pool.var("x", Sort::BitVec(32));
/// let (tenth, third) = (pool.f32(0.1), pool.f32(0.3));
/// let sum = pool.float_add(x, tenth);
/// let claim = pool.float_eq(sum, third);
///
/// let mut solver = Solver::new();
/// solver.assert(claim);
/// let Answer::Sat(model) = solver.check(&mut pool) else { panic!("about 0.2") };
/// let bits = model.get(x).and_then(|value| value.as_bits()).expect("a value");
/// assert_eq!(f32::from_bits(bits.unsigned() as u32) + 0.1, 0.3);
/// ```
impl Pool {
    /// Builds a constant from a 32-bit float.
    pub fn f32(&mut self, number: f32) -> Term {
        self.bits(32, u128::from(number.to_bits()))
    }

    /// Builds a constant from a 64-bit float.
    pub fn f64(&mut self, number: f64) -> Term {
        self.bits(64, u128::from(number.to_bits()))
    }

    /// Builds the sum.
    #[track_caller]
    pub fn float_add(&mut self, a: Term, b: Term) -> Term {
        // Both orders must be the same term, so the older operand comes first.
        let before = self.len();
        let term = arithmetic::add(self, a.min(b), a.max(b));
        self.count_parts_once(before, &[a, b], term)
    }

    /// Builds the difference.
    #[track_caller]
    pub fn float_sub(&mut self, a: Term, b: Term) -> Term {
        let minus = self.float_neg(b);
        self.float_add(a, minus)
    }

    /// Builds the product.
    #[track_caller]
    pub fn float_mul(&mut self, a: Term, b: Term) -> Term {
        let before = self.len();
        let term = arithmetic::mul(self, a.min(b), a.max(b));
        self.count_parts_once(before, &[a, b], term)
    }

    /// Builds the quotient.
    #[track_caller]
    pub fn float_div(&mut self, a: Term, b: Term) -> Term {
        let before = self.len();
        let term = arithmetic::div(self, a, b);
        self.count_parts_once(before, &[a, b], term)
    }

    /// Builds the square root.
    #[track_caller]
    pub fn float_sqrt(&mut self, a: Term) -> Term {
        let before = self.len();
        let term = arithmetic::sqrt(self, a);
        self.count_parts_once(before, &[a], term)
    }

    /// Builds the minimum, with -0 less than 0; NaN if either operand is.
    #[track_caller]
    pub fn float_min(&mut self, a: Term, b: Term) -> Term {
        let before = self.len();
        let term = compare::min_or_max(self, a.min(b), a.max(b), true);
        self.count_parts_once(before, &[a, b], term)
    }

    /// Builds the maximum, with -0 less than 0; NaN if either operand is.
    #[track_caller]
    pub fn float_max(&mut self, a: Term, b: Term) -> Term {
        let before = self.len();
        let term = compare::min_or_max(self, a.min(b), a.max(b), false);
        self.count_parts_once(before, &[a, b], term)
    }

    /// Rounds up to an integer.
    #[track_caller]
    pub fn float_ceil(&mut self, a: Term) -> Term {
        let before = self.len();
        let term = integral::round_to_integral(self, a, Rounding::Positive);
        self.count_parts_once(before, &[a], term)
    }

    /// Rounds down to an integer.
    #[track_caller]
    pub fn float_floor(&mut self, a: Term) -> Term {
        let before = self.len();
        let term = integral::round_to_integral(self, a, Rounding::Negative);
        self.count_parts_once(before, &[a], term)
    }

    /// Rounds toward zero to an integer.
    #[track_caller]
    pub fn float_trunc(&mut self, a: Term) -> Term {
        let before = self.len();
        let term = integral::round_to_integral(self, a, Rounding::Zero);
        self.count_parts_once(before, &[a], term)
    }

    /// Rounds to the nearest integer, ties to even.
    #[track_caller]
    pub fn float_nearest(&mut self, a: Term) -> Term {
        let before = self.len();
        let term = integral::round_to_integral(self, a, Rounding::Nearest);
        self.count_parts_once(before, &[a], term)
    }

    /// Clears the sign, also of a NaN.
    #[track_caller]
    pub fn float_abs(&mut self, a: Term) -> Term {
        let before = self.len();
        let term = compare::abs(self, a);
        self.count_parts_once(before, &[a], term)
    }

    /// Flips the sign, also of a NaN.
    #[track_caller]
    pub fn float_neg(&mut self, a: Term) -> Term {
        let before = self.len();
        let term = compare::neg(self, a);
        self.count_parts_once(before, &[a], term)
    }

    /// Builds `a` with the sign of `b`, also if `a` is a NaN.
    #[track_caller]
    pub fn float_copysign(&mut self, a: Term, b: Term) -> Term {
        let before = self.len();
        let term = compare::copysign(self, a, b);
        self.count_parts_once(before, &[a, b], term)
    }

    /// Builds the condition that a float is a NaN.
    #[track_caller]
    pub fn float_is_nan(&mut self, a: Term) -> Term {
        let before = self.len();
        let term = FloatParts::split(self, a).is_nan(self);
        self.count_parts_once(before, &[a], term)
    }

    /// Builds `a == b`: zeros of both signs are equal, and a NaN equals nothing.
    #[track_caller]
    pub fn float_eq(&mut self, a: Term, b: Term) -> Term {
        let before = self.len();
        let term = compare::eq(self, a, b);
        self.count_parts_once(before, &[a, b], term)
    }

    /// Builds `a < b`; false for NaNs.
    #[track_caller]
    pub fn float_lt(&mut self, a: Term, b: Term) -> Term {
        let before = self.len();
        let term = compare::lt(self, a, b);
        self.count_parts_once(before, &[a, b], term)
    }

    /// Builds `a <= b`; false for NaNs.
    #[track_caller]
    pub fn float_le(&mut self, a: Term, b: Term) -> Term {
        let before = self.len();
        let term = compare::le(self, a, b);
        self.count_parts_once(before, &[a, b], term)
    }

    /// Converts a signed integer to the nearest float of `width` bits.
    #[track_caller]
    pub fn float_from_signed(&mut self, width: u32, a: Term) -> Term {
        let before = self.len();
        let term = convert::from_integer(self, Format::of_width(width), a, true);
        self.count_parts_once(before, &[a], term)
    }

    /// Converts an unsigned integer to the nearest float of `width` bits.
    #[track_caller]
    pub fn float_from_unsigned(&mut self, width: u32, a: Term) -> Term {
        let before = self.len();
        let term = convert::from_integer(self, Format::of_width(width), a, false);
        self.count_parts_once(before, &[a], term)
    }

    /// Truncates to a signed integer of 32 or 64 bits. The result is arbitrary if
    /// [it does not fit](Pool::float_to_signed_traps).
    #[track_caller]
    pub fn float_to_signed(&mut self, width: u32, a: Term) -> Term {
        let before = self.len();
        let term = convert::to_integer(self, integer(width), a, true);
        self.count_parts_once(before, &[a], term)
    }

    /// Truncates to an unsigned integer of 32 or 64 bits. The result is arbitrary if
    /// [it does not fit](Pool::float_to_unsigned_traps).
    #[track_caller]
    pub fn float_to_unsigned(&mut self, width: u32, a: Term) -> Term {
        let before = self.len();
        let term = convert::to_integer(self, integer(width), a, false);
        self.count_parts_once(before, &[a], term)
    }

    /// Builds the condition that the truncated float does not fit a signed integer of `width`
    /// bits. A NaN does not fit.
    #[track_caller]
    pub fn float_to_signed_traps(&mut self, width: u32, a: Term) -> Term {
        let before = self.len();
        let term = convert::traps(self, integer(width), a, true);
        self.count_parts_once(before, &[a], term)
    }

    /// Builds the condition that the truncated float does not fit an unsigned integer of
    /// `width` bits. A NaN does not fit.
    #[track_caller]
    pub fn float_to_unsigned_traps(&mut self, width: u32, a: Term) -> Term {
        let before = self.len();
        let term = convert::traps(self, integer(width), a, false);
        self.count_parts_once(before, &[a], term)
    }

    /// Truncates to a signed integer of `width` bits, saturating; zero for NaN.
    #[track_caller]
    pub fn float_to_signed_saturating(&mut self, width: u32, a: Term) -> Term {
        let before = self.len();
        let term = convert::saturating(self, integer(width), a, true);
        self.count_parts_once(before, &[a], term)
    }

    /// Truncates to an unsigned integer of `width` bits, saturating; zero for NaN.
    #[track_caller]
    pub fn float_to_unsigned_saturating(&mut self, width: u32, a: Term) -> Term {
        let before = self.len();
        let term = convert::saturating(self, integer(width), a, false);
        self.count_parts_once(before, &[a], term)
    }

    /// Converts a 32-bit float to 64 bits.
    #[track_caller]
    pub fn float_promote(&mut self, a: Term) -> Term {
        let before = self.len();
        let term = convert::promote(self, a);
        self.count_parts_once(before, &[a], term)
    }

    /// Converts a 64-bit float to the nearest one of 32 bits.
    #[track_caller]
    pub fn float_demote(&mut self, a: Term) -> Term {
        let before = self.len();
        let term = convert::demote(self, a);
        self.count_parts_once(before, &[a], term)
    }
}

/// Checks the width of an integer to convert to.
#[track_caller]
fn integer(width: u32) -> u32 {
    match width {
        32 | 64 => width,
        _ => panic!("floats become integers of 32 or 64 bits, not of {width}"),
    }
}

/// Converts a boolean to a bit.
fn bit_of(pool: &mut Pool, condition: Term) -> Term {
    let (one, zero) = (pool.bits(1, 1), pool.bits(1, 0));
    pool.ite(condition, one, zero)
}

/// Converts a bit to a boolean.
fn is_set(pool: &mut Pool, bit: Term) -> Term {
    let one = pool.bits(1, 1);
    pool.eq(bit, one)
}

fn is_zero(pool: &mut Pool, a: Term) -> Term {
    let zero = pool.bits(pool.width(a), 0);
    pool.eq(a, zero)
}

fn any_set(pool: &mut Pool, a: Term) -> Term {
    let is_zero = is_zero(pool, a);
    pool.not(is_zero)
}
