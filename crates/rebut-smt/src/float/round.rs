//! Shifts that lose nothing, and the way back from an exact result to a float.

use super::format::Format;
use super::{any_set, bit_of, is_set, is_zero};
use crate::{Pool, Term};

/// Shifts left until the topmost bit is set, and says by how much. Zero stays zero.
///
/// Sixteen places at once if the upper sixteen bits are zero, then eight, and so on: what was
/// shifted by is known bit by bit, and nothing has to be counted.
pub(super) fn normalize(pool: &mut Pool, a: Term) -> (Term, Term) {
    let mut shifted = a;
    let mut by: Option<Term> = None;
    for stage in stages(pool.width(a)).rev() {
        let places = 1 << stage;
        let is_clear = is_clear_on_top(pool, shifted, places);
        let moved = shift_left(pool, shifted, places);
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

/// As [`normalize`], but by no more places than `limit`, of which it gives what is left. A
/// result that is subnormal comes out as it is stored.
pub(super) fn normalize_within(pool: &mut Pool, a: Term, limit: Term) -> (Term, Term) {
    let width = pool.width(limit);
    let (mut shifted, mut left) = (a, limit);
    for stage in stages(pool.width(a)).rev() {
        let places = 1 << stage;
        let count = pool.bits(width, u128::from(places));
        let is_clear = is_clear_on_top(pool, shifted, places);
        let is_within = pool.bv_ule(count, left);
        let shifts = pool.and(is_clear, is_within);
        let moved = shift_left(pool, shifted, places);
        shifted = pool.ite(shifts, moved, shifted);
        let less = pool.bv_sub(left, count);
        left = pool.ite(shifts, less, left);
    }
    (shifted, left)
}

/// Shifts right by a number of places, and sets the lowest bit if any bit that was lost was
/// set: all that rounding must know of them. If all bits are lost and more, it is zero: what is
/// so far below is nowhere near a half, and to round to the nearest need not know of it.
pub(super) fn shift_right_sticky(pool: &mut Pool, a: Term, by: Term) -> Term {
    let width = pool.width(a);
    let mut shifted = a;
    let used = stages(width).end.min(pool.width(by));
    for stage in 0..used {
        let places = 1 << stage;
        let kept = pool.extract(width - 1, places, shifted);
        let kept = pool.resize(kept, width);
        let lost = pool.extract(places - 1, 0, shifted);
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

/// The upper bits of a number, so many of them, and below them one bit that says whether any
/// of the others is set.
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

/// The nearest float to a number, ties to even: any exponent, with its bias, in two's
/// complement, and a significand with two bits more than are kept, of which the topmost is set
/// and the lowest stands for all that come after.
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
    let places = pool.ite(is_subnormal, below, zero);
    let significand = shift_right_sticky(pool, significand, places);
    let exponent = pool.ite(is_subnormal, zero, exponent);
    pack(pool, format, sign, exponent, significand)
}

/// Rounds what is already at its place: the exponent is that of the result before rounding and
/// not negative, and the significand is one of [`round`], but for the topmost bit, which is
/// left out as it is in what is stored.
///
/// The exponent above the fraction is one number. To round up is to add one to it, and a carry
/// out of the fraction makes the next power of two, the first normal number, or infinity, as it
/// should.
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

/// The powers of two that shifts of so many bits are made of.
fn stages(width: u32) -> std::ops::Range<u32> {
    0..width.next_power_of_two().ilog2()
}

fn is_clear_on_top(pool: &mut Pool, a: Term, places: u32) -> Term {
    let width = pool.width(a);
    let top = pool.extract(width - 1, width - places, a);
    is_zero(pool, top)
}

fn shift_left(pool: &mut Pool, a: Term, places: u32) -> Term {
    let kept = pool.extract(pool.width(a) - 1 - places, 0, a);
    let zeros = pool.bits(places, 0);
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
