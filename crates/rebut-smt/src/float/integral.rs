//! Rounding to integers.
//!
//! The exponent determines which bits of the fraction are after the point: the mask. Rounding
//! adds a number to the magnitude that carries out of the masked bits if the result must be
//! larger, and then clears these bits. Exponent and fraction are one number, so a carry into the
//! exponent is correct. For example, `ceil(1.5)`: the mask covers all of the fraction; adding it
//! carries into the exponent, and clearing it leaves 2.0.

use super::format::FloatParts;
use super::{any_set, bit_of, is_zero};
use crate::value::mask;
use crate::{Pool, Term};

/// The direction of rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    Zero,
    Positive,
    Negative,
    /// To the nearest, ties to even.
    Nearest,
}

#[track_caller]
pub(super) fn round_to_integral(pool: &mut Pool, a: Term, rounding: Rounding) -> Term {
    let parts = FloatParts::split(pool, a);
    let format = parts.format;
    let bias = pool.bits(format.exponent, format.bias());
    let whole = pool.bits(format.exponent, format.bias() + u128::from(format.fraction));
    let is_below_one = pool.bv_ult(parts.exponent, bias);
    let is_whole = pool.bv_ule(whole, parts.exponent);
    let is_nan = parts.is_nan(pool);
    let below = below_one(pool, &parts, rounding);
    let above = above_one(pool, &parts, rounding);
    let magnitude = pool.ite(is_below_one, below, above);
    let magnitude = pool.ite(is_whole, parts.magnitude, magnitude);
    let number = pool.concat(parts.sign, magnitude);
    let nan = format.nan(pool);
    pool.ite(is_nan, nan, number)
}

/// Builds the rounded magnitude of a number below one: zero or one.
fn below_one(pool: &mut Pool, parts: &FloatParts, rounding: Rounding) -> Term {
    let format = parts.format;
    let is_away = match rounding {
        Rounding::Nearest => {
            let half = pool.bits(format.magnitude(), (format.bias() - 1) << format.fraction);
            pool.bv_ult(half, parts.magnitude)
        }
        _ => {
            let zero = parts.is_zero(pool);
            let not_zero = pool.not(zero);
            let away = goes_away(pool, parts, rounding);
            pool.and(away, not_zero)
        }
    };
    let one = pool.bits(format.magnitude(), format.power_of_two(0));
    let zero = pool.bits(format.magnitude(), 0);
    pool.ite(is_away, one, zero)
}

/// Whether a number that is not an integer is rounded away from zero.
fn goes_away(pool: &mut Pool, parts: &FloatParts, rounding: Rounding) -> Term {
    match rounding {
        Rounding::Positive => is_zero(pool, parts.sign),
        Rounding::Negative => parts.is_negative(pool),
        Rounding::Zero | Rounding::Nearest => pool.bool(false),
    }
}

/// Builds the rounded magnitude of a number that is at least one and has bits after the point.
fn above_one(pool: &mut Pool, parts: &FloatParts, rounding: Rounding) -> Term {
    let format = parts.format;
    let mask = mask_after_point(pool, parts);
    let wide = pool.resize(mask, format.magnitude());
    let sum = match rounding {
        Rounding::Zero => parts.magnitude,
        Rounding::Nearest => nearest_sum(pool, parts, mask),
        Rounding::Positive | Rounding::Negative => {
            let away = goes_away(pool, parts, rounding);
            let nothing = pool.bits(format.magnitude(), 0);
            let added = pool.ite(away, wide, nothing);
            pool.bv_add(parts.magnitude, added)
        }
    };
    let kept = pool.bv_not(wide);
    pool.bv_and(sum, kept)
}

/// Builds the mask of the fraction bits after the point, for a number that is at least one.
fn mask_after_point(pool: &mut Pool, parts: &FloatParts) -> Term {
    let format = parts.format;
    let bias = pool.bits(format.exponent, format.bias());
    let amount = pool.bv_sub(parts.exponent, bias);
    let stages = format.fraction.next_power_of_two().ilog2();
    let amount = pool.extract(stages - 1, 0, amount);
    let amount = pool.resize(amount, format.fraction);
    let ones = pool.bits(format.fraction, mask(format.fraction));
    pool.bv_lshr(ones, amount)
}

/// Adds slightly less than a half to an even number, and a half to an odd one. If no bit of the
/// fraction is before the point, the lowest bit of the exponent takes the role of the bit before
/// the point. It is set there, because the bias is odd, and so is the hidden bit.
fn nearest_sum(pool: &mut Pool, parts: &FloatParts, mask: Term) -> Term {
    let format = parts.format;
    let one = pool.bits(1, 1);
    let up_to_unit = pool.concat(mask, one);
    let below_unit = pool.zero_extend(1, mask);
    let unit = pool.bv_xor(up_to_unit, below_unit);
    let low = pool.extract(format.fraction, 0, parts.magnitude);
    let unit = pool.bv_and(low, unit);
    let is_odd = any_set(pool, unit);
    let odd = bit_of(pool, is_odd);

    // An extra low bit feeds the carry, so that one adder is enough.
    let half = pool.extract(format.fraction - 1, 1, mask);
    let half = pool.resize(half, format.magnitude());
    let half = pool.concat(half, odd);
    let magnitude = pool.concat(parts.magnitude, one);
    let sum = pool.bv_add(magnitude, half);
    pool.extract(format.magnitude(), 1, sum)
}
