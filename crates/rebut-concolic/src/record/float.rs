//! Instructions on floats as terms over their bits.
//!
//! Comparisons, signs, minimum and maximum are exact. Of arithmetic nothing is known here.

use rebut_smt::{Pool, Term};

use super::term::truth;

/// The term of an instruction with one operand that is or gives a float.
pub(crate) fn unary(pool: &mut Pool, opcode: u32, a: Term) -> Option<Term> {
    let width = pool.width(a);
    match opcode {
        // abs
        0x8B | 0x99 => {
            let mask = pool.bits(width, (1 << (width - 1)) - 1);
            Some(pool.bv_and(a, mask))
        }
        // neg
        0x8C | 0x9A => {
            let sign = pool.bits(width, 1 << (width - 1));
            Some(pool.bv_xor(a, sign))
        }
        _ => None,
    }
}

/// The term of an instruction with two operands that are floats.
pub(crate) fn binary(pool: &mut Pool, opcode: u32, a: Term, b: Term) -> Option<Term> {
    let compare = match opcode {
        0x5B..=0x60 => opcode - 0x5B,
        0x61..=0x66 => opcode - 0x61,
        0x98 | 0xA6 => return Some(copysign(pool, a, b)),
        _ => return None,
    };
    let holds = match compare {
        0 => equal(pool, a, b),
        1 => {
            let equal = equal(pool, a, b);
            pool.not(equal)
        }
        2 => less(pool, a, b),
        3 => less(pool, b, a),
        4 => less_or_equal(pool, a, b),
        _ => less_or_equal(pool, b, a),
    };
    Some(truth(pool, holds))
}

fn copysign(pool: &mut Pool, a: Term, b: Term) -> Term {
    let width = pool.width(a);
    let sign = pool.extract(width - 1, width - 1, b);
    let rest = pool.extract(width - 2, 0, a);
    pool.concat(sign, rest)
}

/// Everything but the sign.
fn magnitude(pool: &mut Pool, a: Term) -> Term {
    pool.extract(pool.width(a) - 2, 0, a)
}

fn is_nan(pool: &mut Pool, a: Term) -> Term {
    let infinity: u128 = if pool.width(a) == 32 { 0x7F80_0000 } else { 0x7FF0_0000_0000_0000 };
    let magnitude = magnitude(pool, a);
    let infinity = pool.bits(pool.width(magnitude), infinity);
    pool.bv_ult(infinity, magnitude)
}

/// Neither is a number that is none.
fn are_numbers(pool: &mut Pool, a: Term, b: Term) -> Term {
    let either = [is_nan(pool, a), is_nan(pool, b)];
    let either = pool.any(&either);
    pool.not(either)
}

fn both_zero(pool: &mut Pool, a: Term, b: Term) -> Term {
    let (a, b) = (magnitude(pool, a), magnitude(pool, b));
    let zero = pool.bits(pool.width(a), 0);
    let (a, b) = (pool.eq(a, zero), pool.eq(b, zero));
    pool.and(a, b)
}

fn equal(pool: &mut Pool, a: Term, b: Term) -> Term {
    let numbers = are_numbers(pool, a, b);
    let zeros = both_zero(pool, a, b);
    let same = pool.eq(a, b);
    let equal = pool.or(same, zeros);
    pool.and(numbers, equal)
}

fn less(pool: &mut Pool, a: Term, b: Term) -> Term {
    let numbers = are_numbers(pool, a, b);
    let zeros = both_zero(pool, a, b);
    let differ = pool.not(zeros);
    let before = before(pool, a, b);
    pool.all(&[numbers, differ, before])
}

fn less_or_equal(pool: &mut Pool, a: Term, b: Term) -> Term {
    let numbers = are_numbers(pool, a, b);
    let zeros = both_zero(pool, a, b);
    let after = before(pool, b, a);
    let not_after = pool.not(after);
    let ordered = pool.or(zeros, not_after);
    pool.and(numbers, ordered)
}

/// The total order of floats by sign and magnitude: as signed numbers, with the negative ones
/// turned round.
fn before(pool: &mut Pool, a: Term, b: Term) -> Term {
    let (a, b) = (in_order(pool, a), in_order(pool, b));
    pool.bv_slt(a, b)
}

fn in_order(pool: &mut Pool, a: Term) -> Term {
    let width = pool.width(a);
    let sign = pool.bits(width, 1 << (width - 1));
    let mask = pool.bits(width, (1 << (width - 1)) - 1);
    let signed = pool.bv_and(a, sign);
    let is_negative = pool.eq(signed, sign);
    let turned = pool.bv_xor(a, mask);
    pool.ite(is_negative, turned, a)
}
