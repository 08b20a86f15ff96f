//! Signs and order.

use super::format::{Format, Parts};
use super::is_zero;
use crate::{Pool, Term};

#[track_caller]
pub(super) fn abs(pool: &mut Pool, a: Term) -> Term {
    let magnitude = Parts::of(pool, a).magnitude;
    pool.zero_extend(1, magnitude)
}

#[track_caller]
pub(super) fn neg(pool: &mut Pool, a: Term) -> Term {
    let parts = Parts::of(pool, a);
    let sign = pool.bv_not(parts.sign);
    pool.concat(sign, parts.magnitude)
}

#[track_caller]
pub(super) fn copysign(pool: &mut Pool, a: Term, b: Term) -> Term {
    Format::of_both(pool, a, b);
    let (a, b) = (Parts::of(pool, a), Parts::of(pool, b));
    pool.concat(b.sign, a.magnitude)
}

#[track_caller]
pub(super) fn eq(pool: &mut Pool, a: Term, b: Term) -> Term {
    let known = Compared::of(pool, a, b);
    let same = pool.eq(a, b);
    let equal = pool.or(same, known.are_zeros);
    pool.and(known.are_numbers, equal)
}

#[track_caller]
pub(super) fn lt(pool: &mut Pool, a: Term, b: Term) -> Term {
    let known = Compared::of(pool, a, b);
    let before = before(pool, a, b);
    let differ = pool.not(known.are_zeros);
    pool.all(&[known.are_numbers, differ, before])
}

#[track_caller]
pub(super) fn le(pool: &mut Pool, a: Term, b: Term) -> Term {
    let known = Compared::of(pool, a, b);
    let after = before(pool, b, a);
    let not_after = pool.not(after);
    let ordered = pool.or(known.are_zeros, not_after);
    pool.and(known.are_numbers, ordered)
}

/// The one that comes first or last in the total order, in which -0 comes before 0.
#[track_caller]
pub(super) fn extreme(pool: &mut Pool, a: Term, b: Term, is_min: bool) -> Term {
    let format = Format::of_both(pool, a, b);
    let known = Compared::of(pool, a, b);
    let is_before = before(pool, a, b);
    let (first, last) = if is_min { (a, b) } else { (b, a) };
    let number = pool.ite(is_before, first, last);
    let nan = format.nan(pool);
    pool.ite(known.are_numbers, number, nan)
}

/// What order by bits does not know.
struct Compared {
    /// Neither is NaN.
    are_numbers: Term,
    /// Both are zeros, of whatever sign.
    are_zeros: Term,
}

impl Compared {
    fn of(pool: &mut Pool, a: Term, b: Term) -> Compared {
        Format::of_both(pool, a, b);
        let (x, y) = (Parts::of(pool, a), Parts::of(pool, b));
        let either = [x.is_nan(pool), y.is_nan(pool)];
        let either = pool.any(&either);
        let zeros = [x.is_zero(pool), y.is_zero(pool)];
        Compared { are_numbers: pool.not(either), are_zeros: pool.all(&zeros) }
    }
}

/// The total order of floats by sign and magnitude: as signed numbers, with the negative ones
/// turned round.
fn before(pool: &mut Pool, a: Term, b: Term) -> Term {
    let (a, b) = (in_order(pool, a), in_order(pool, b));
    pool.bv_slt(a, b)
}

fn in_order(pool: &mut Pool, a: Term) -> Term {
    let parts = Parts::of(pool, a);
    let flipped = pool.bv_not(parts.magnitude);
    let is_positive = is_zero(pool, parts.sign);
    let magnitude = pool.ite(is_positive, parts.magnitude, flipped);
    pool.concat(parts.sign, magnitude)
}
