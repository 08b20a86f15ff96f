//! Signs and order.
//!
//! The bits of floats, read as signed numbers with the magnitudes of negative ones flipped, have
//! the order of the numbers. Only NaNs and the two zeros need extra care.

use super::format::{FloatParts, Format};
use super::is_zero;
use crate::{Pool, Term};

#[track_caller]
pub(super) fn abs(pool: &mut Pool, a: Term) -> Term {
    let magnitude = FloatParts::split(pool, a).magnitude;
    pool.zero_extend(1, magnitude)
}

#[track_caller]
pub(super) fn neg(pool: &mut Pool, a: Term) -> Term {
    let parts = FloatParts::split(pool, a);
    let sign = pool.bv_not(parts.sign);
    pool.concat(sign, parts.magnitude)
}

#[track_caller]
pub(super) fn copysign(pool: &mut Pool, a: Term, b: Term) -> Term {
    Format::of_both(pool, a, b);
    let (a, b) = (FloatParts::split(pool, a), FloatParts::split(pool, b));
    pool.concat(b.sign, a.magnitude)
}

#[track_caller]
pub(super) fn eq(pool: &mut Pool, a: Term, b: Term) -> Term {
    let operands = Operands::new(pool, a, b);
    let same = pool.eq(a, b);
    let equal = pool.or(same, operands.are_zeros);
    pool.and(operands.are_numbers, equal)
}

#[track_caller]
pub(super) fn lt(pool: &mut Pool, a: Term, b: Term) -> Term {
    let operands = Operands::new(pool, a, b);
    let before = before(pool, a, b);
    let differ = pool.not(operands.are_zeros);
    pool.all(&[operands.are_numbers, differ, before])
}

#[track_caller]
pub(super) fn le(pool: &mut Pool, a: Term, b: Term) -> Term {
    let operands = Operands::new(pool, a, b);
    let after = before(pool, b, a);
    let not_after = pool.not(after);
    let ordered = pool.or(operands.are_zeros, not_after);
    pool.and(operands.are_numbers, ordered)
}

/// Builds the minimum or the maximum in the total order, in which -0 comes before 0.
#[track_caller]
pub(super) fn min_or_max(pool: &mut Pool, a: Term, b: Term, is_min: bool) -> Term {
    let format = Format::of_both(pool, a, b);
    let operands = Operands::new(pool, a, b);
    let is_before = before(pool, a, b);
    let (first, last) = if is_min { (a, b) } else { (b, a) };
    let number = pool.ite(is_before, first, last);
    let nan = format.nan(pool);
    pool.ite(operands.are_numbers, number, nan)
}

/// The special cases that the order of bits does not cover.
struct Operands {
    /// Neither is NaN.
    are_numbers: Term,
    /// Both are zeros, of either sign.
    are_zeros: Term,
}

impl Operands {
    fn new(pool: &mut Pool, a: Term, b: Term) -> Operands {
        Format::of_both(pool, a, b);
        let (x, y) = (FloatParts::split(pool, a), FloatParts::split(pool, b));
        let either = [x.is_nan(pool), y.is_nan(pool)];
        let either = pool.any(&either);
        let zeros = [x.is_zero(pool), y.is_zero(pool)];
        Operands { are_numbers: pool.not(either), are_zeros: pool.all(&zeros) }
    }
}

/// Whether `a` comes before `b` in the total order by sign and magnitude.
fn before(pool: &mut Pool, a: Term, b: Term) -> Term {
    let (a, b) = (in_order(pool, a), in_order(pool, b));
    pool.bv_slt(a, b)
}

fn in_order(pool: &mut Pool, a: Term) -> Term {
    let parts = FloatParts::split(pool, a);
    let flipped = pool.bv_not(parts.magnitude);
    let is_positive = is_zero(pool, parts.sign);
    let magnitude = pool.ite(is_positive, parts.magnitude, flipped);
    pool.concat(parts.sign, magnitude)
}
