//! Rounding: from an exact result to the nearest float. Also the shifts that this needs.
//!
//! A significand has two bits more than the format keeps. The first of them is the half; the last
//! is sticky and stands for all lower bits. The result rounds up if the half is set and either
//! the sticky bit is set (more than half) or the last kept bit is (a tie, to even). For example,
//! with two kept bits, `10|1 0` is a tie and stays `10`; `11|1 0` is a tie and becomes `100`;
//! `10|1 1` is more than half and becomes `11`.

use super::format::Format;
use super::{any_set, bit_of, is_set, is_zero};
use crate::{Pool, Term};

/// Shifts left until the highest bit is set, and returns the amount as well. Zero stays zero.
///
/// It shifts by sixteen if the upper sixteen bits are zero, then by eight, and so on. Each step
/// yields one bit of the amount, so no circuit has to count zeros.
pub(super) fn normalize(pool: &mut Pool, a: Term) -> (Term, Term) {
    let mut shifted = a;
    let mut by: Option<Term> = None;
    for stage in stages(pool.width(a)).rev() {
        let amount = 1 << stage;
        let is_clear = is_clear_on_top(pool, shifted, amount);
        let moved = shift_left(pool, shifted, amount);
        shifted = pool.ite(is_clear, moved, shifted);
        let bit = bit_of(pool, is_clear);
        by = Some(match by {
            Some(high) => pool.concat(high, bit),
            None => bit,
        });
    }
    let none = pool.bits(1, 0);
    (shifted, by.unwrap_or(none))
}

/// Like [`normalize`], but shifts by at most `limit`, and returns what is left of the limit. A
/// subnormal result has the form in which it is stored.
pub(super) fn normalize_within(pool: &mut Pool, a: Term, limit: Term) -> (Term, Term) {
    let width = pool.width(limit);
    let (mut shifted, mut left) = (a, limit);
    for stage in stages(pool.width(a)).rev() {
        let amount = 1 << stage;
        let count = pool.bits(width, u128::from(amount));
        let is_clear = is_clear_on_top(pool, shifted, amount);
        let is_within = pool.bv_ule(count, left);
        let shifts = pool.and(is_clear, is_within);
        let moved = shift_left(pool, shifted, amount);
        shifted = pool.ite(shifts, moved, shifted);
        let less = pool.bv_sub(left, count);
        left = pool.ite(shifts, less, left);
    }
    (shifted, left)
}

/// Shifts right, and sets the lowest bit if any lost bit was set, which is all that rounding needs
/// to know about them. If the shift is beyond the width, the result is zero: such a small number
/// is far below a half, so rounding to the nearest ignores it.
pub(super) fn shift_right_sticky(pool: &mut Pool, a: Term, by: Term) -> Term {
    let width = pool.width(a);
    let mut shifted = a;
    let used = stages(width).end.min(pool.width(by));
    for stage in 0..used {
        let amount = 1 << stage;
        let kept = pool.extract(width - 1, amount, shifted);
        let kept = pool.resize(kept, width);
        let lost = pool.extract(amount - 1, 0, shifted);
        let moved = or_sticky(pool, kept, lost);
        let bit = pool.extract(stage, stage, by);
        let shifts = is_set(pool, bit);
        shifted = pool.ite(shifts, moved, shifted);
    }
    if used == pool.width(by) {
        return shifted;
    }
    let beyond = pool.extract(pool.width(by) - 1, used, by);
    let is_beyond = any_set(pool, beyond);
    let nothing = pool.bits(width, 0);
    pool.ite(is_beyond, nothing, shifted)
}

/// Keeps the `upper` highest bits of a number and adds a sticky bit for the others.
pub(super) fn upper_and_sticky(pool: &mut Pool, a: Term, upper: u32) -> Term {
    let width = pool.width(a);
    if width <= upper {
        let zeros = pool.bits(upper + 1 - width, 0);
        return pool.concat(a, zeros);
    }
    let kept = pool.extract(width - 1, width - upper, a);
    let lost = pool.extract(width - upper - 1, 0, a);
    let lost = any_set(pool, lost);
    let sticky = bit_of(pool, lost);
    pool.concat(kept, sticky)
}

/// Rounds a number to the nearest float, ties to even. The exponent is any number with the bias,
/// in two's complement. The significand has two extra bits, a set highest bit and a sticky
/// lowest one.
pub(super) fn round(
    pool: &mut Pool,
    format: Format,
    sign: Term,
    exponent: Term,
    significand: Term,
) -> Term {
    let width = pool.width(exponent);
    let (one, zero) = (pool.bits(width, 1), pool.bits(width, 0));
    let is_subnormal = pool.bv_slt(exponent, one);
    let below = pool.bv_sub(one, exponent);
    let amount = pool.ite(is_subnormal, below, zero);
    let significand = shift_right_sticky(pool, significand, amount);
    let exponent = pool.ite(is_subnormal, zero, exponent);
    pack(pool, format, sign, exponent, significand)
}

/// Rounds a significand that is already shifted for its exponent. The exponent is the stored one
/// before rounding, not negative. The significand is as in [`round`], but its highest bit is
/// ignored, because it is not stored.
///
/// Exponent and fraction form one number, and rounding up adds one to it. A carry out of the
/// fraction correctly yields the next power of two, the first normal number, or infinity.
pub(super) fn pack(
    pool: &mut Pool,
    format: Format,
    sign: Term,
    exponent: Term,
    significand: Term,
) -> Term {
    let width = pool.width(exponent);
    let stored = pool.resize(exponent, format.exponent);
    let fraction = pool.extract(format.fraction + 1, 2, significand);
    let down = pool.concat(stored, fraction);
    let tie = pool.extract(1, 1, significand);
    let sticky = pool.extract(0, 0, significand);
    let odd = pool.extract(2, 2, significand);
    let more = pool.bv_or(sticky, odd);
    let up = pool.bv_and(tie, more);
    let up = pool.resize(up, format.magnitude());
    let rounded = pool.bv_add(down, up);
    let limit = pool.bits(width, format.exponent_max());
    let overflows = pool.bv_ule(limit, exponent);
    let infinity = pool.bits(format.magnitude(), format.infinity());
    let magnitude = pool.ite(overflows, infinity, rounded);
    pool.concat(sign, magnitude)
}

/// The exponents of the powers of two that a shift within `width` bits consists of.
fn stages(width: u32) -> std::ops::Range<u32> {
    0..width.next_power_of_two().ilog2()
}

fn is_clear_on_top(pool: &mut Pool, a: Term, amount: u32) -> Term {
    let width = pool.width(a);
    let top = pool.extract(width - 1, width - amount, a);
    is_zero(pool, top)
}

fn shift_left(pool: &mut Pool, a: Term, amount: u32) -> Term {
    let kept = pool.extract(pool.width(a) - 1 - amount, 0, a);
    let zeros = pool.bits(amount, 0);
    pool.concat(kept, zeros)
}

/// Sets the lowest bit if any bit of `lost` is set.
fn or_sticky(pool: &mut Pool, a: Term, lost: Term) -> Term {
    let lost = any_set(pool, lost);
    let sticky = bit_of(pool, lost);
    let lowest = pool.extract(0, 0, a);
    let lowest = pool.bv_or(lowest, sticky);
    let rest = pool.extract(pool.width(a) - 1, 1, a);
    pool.concat(rest, lowest)
}
