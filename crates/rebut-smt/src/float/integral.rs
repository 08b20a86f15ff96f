//! Rounding to whole numbers.
//!
//! The bits after the point are a mask that the exponent gives, and the magnitude is one number
//! with the exponent above the fraction. So to round is to add something to it that carries out
//! of the masked bits, or not, and to clear them: a carry into the exponent is right as it is.

use super::format::Parts;
use super::{any_set, bit_of, is_zero};
use crate::value::mask;
use crate::{Pool, Term};

/// Where to round to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Toward {
    Zero,
    Positive,
    Negative,
    /// The nearest, ties to even.
    Nearest,
}

#[track_caller]
pub(super) fn integral(pool: &mut Pool, a: Term, toward: Toward) -> Term {
    let parts = Parts::of(pool, a);
    let format = parts.format;
    let bias = pool.bits(format.exponent, format.bias());
    let whole = pool.bits(format.exponent, format.bias() + u128::from(format.fraction));
    let is_below_one = pool.bv_ult(parts.exponent, bias);
    let is_whole = pool.bv_ule(whole, parts.exponent);
    let is_nan = parts.is_nan(pool);
    let below = below_one(pool, &parts, toward);
    let above = above_one(pool, &parts, toward);
    let magnitude = pool.ite(is_below_one, below, above);
    let magnitude = pool.ite(is_whole, parts.magnitude, magnitude);
    let number = pool.concat(parts.sign, magnitude);
    let nan = format.nan(pool);
    pool.ite(is_nan, nan, number)
}

/// The magnitude of what is less than one: zero or one.
fn below_one(pool: &mut Pool, parts: &Parts, toward: Toward) -> Term {
    let format = parts.format;
    let is_away = match toward {
        Toward::Nearest => {
            let half = pool.bits(format.magnitude(), (format.bias() - 1) << format.fraction);
            pool.bv_ult(half, parts.magnitude)
        }
        _ => {
            let zero = parts.is_zero(pool);
            let not_zero = pool.not(zero);
            let away = goes_away(pool, parts, toward);
            pool.and(away, not_zero)
        }
    };
    let one = pool.bits(format.magnitude(), format.power_of_two(0));
    let zero = pool.bits(format.magnitude(), 0);
    pool.ite(is_away, one, zero)
}

/// Whether what is not whole is rounded away from zero.
fn goes_away(pool: &mut Pool, parts: &Parts, toward: Toward) -> Term {
    match toward {
        Toward::Positive => is_zero(pool, parts.sign),
        Toward::Negative => parts.is_negative(pool),
        Toward::Zero | Toward::Nearest => pool.bool(false),
    }
}

/// The magnitude of what is at least one and has bits after the point.
fn above_one(pool: &mut Pool, parts: &Parts, toward: Toward) -> Term {
    let format = parts.format;
    let mask = mask_after_point(pool, parts);
    let wide = pool.resize(mask, format.magnitude());
    let sum = match toward {
        Toward::Zero => parts.magnitude,
        Toward::Nearest => nearest_sum(pool, parts, mask),
        Toward::Positive | Toward::Negative => {
            let away = goes_away(pool, parts, toward);
            let nothing = pool.bits(format.magnitude(), 0);
            let added = pool.ite(away, wide, nothing);
            pool.bv_add(parts.magnitude, added)
        }
    };
    let kept = pool.bv_not(wide);
    pool.bv_and(sum, kept)
}

/// The bits of the fraction that come after the point, if the number is at least one.
fn mask_after_point(pool: &mut Pool, parts: &Parts) -> Term {
    let format = parts.format;
    let bias = pool.bits(format.exponent, format.bias());
    let places = pool.bv_sub(parts.exponent, bias);
    let stages = format.fraction.next_power_of_two().ilog2();
    let places = pool.extract(stages - 1, 0, places);
    let places = pool.resize(places, format.fraction);
    let ones = pool.bits(format.fraction, mask(format.fraction));
    pool.bv_lshr(ones, places)
}

/// Less than a half is added to an even number, and a half to an odd one. The bit before the
/// point is the lowest of the exponent if there is no bit of the fraction before it; that is
/// set, and so is the bit that it stands for.
fn nearest_sum(pool: &mut Pool, parts: &Parts, mask: Term) -> Term {
    let format = parts.format;
    let one = pool.bits(1, 1);
    let up_to_unit = pool.concat(mask, one);
    let below_unit = pool.zero_extend(1, mask);
    let unit = pool.bv_xor(up_to_unit, below_unit);
    let low = pool.extract(format.fraction, 0, parts.magnitude);
    let unit = pool.bv_and(low, unit);
    let is_odd = any_set(pool, unit);
    let odd = bit_of(pool, is_odd);

    // One adder: a bit below is the carry.
    let half = pool.extract(format.fraction - 1, 1, mask);
    let half = pool.resize(half, format.magnitude());
    let half = pool.concat(half, odd);
    let magnitude = pool.concat(parts.magnitude, one);
    let sum = pool.bv_add(magnitude, half);
    pool.extract(format.magnitude(), 1, sum)
}
