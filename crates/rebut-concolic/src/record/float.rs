//! The terms of float instructions.
//!
//! All of them are exact except for the bits of a NaN: WebAssembly leaves these open, and terms
//! have the canonical ones. The engine is configured to canonicalize NaNs, too. The values that the
//! native program may compute instead are in `open_values`.
//!
//! The lesser and the greater of two floats are functions of the compiler's library (`fmin` and
//! `fmax` in `libm`). Their terms return what these functions return.

use rebut_smt::{Pool, Term};

use super::integer::truth;
use crate::op;

/// Returns the term of an instruction with one operand that takes or returns a float.
pub(crate) fn unary(pool: &mut Pool, opcode: u32, a: Term) -> Option<Term> {
    Some(match opcode {
        0x8B | 0x99 => pool.float_abs(a),
        0x8C | 0x9A => pool.float_neg(a),
        0x8D | 0x9B => pool.float_ceil(a),
        0x8E | 0x9C => pool.float_floor(a),
        0x8F | 0x9D => pool.float_trunc(a),
        0x90 | 0x9E => pool.float_nearest(a),
        0x91 | 0x9F => pool.float_sqrt(a),
        // Where a truncation traps there is no result, so any term will do.
        0xA8 | 0xAA => pool.float_to_signed(32, a),
        0xA9 | 0xAB => pool.float_to_unsigned(32, a),
        0xAE | 0xB0 => pool.float_to_signed(64, a),
        0xAF | 0xB1 => pool.float_to_unsigned(64, a),
        0xB2 | 0xB4 => pool.float_from_signed(32, a),
        0xB3 | 0xB5 => pool.float_from_unsigned(32, a),
        0xB6 => pool.float_demote(a),
        0xB7 | 0xB9 => pool.float_from_signed(64, a),
        0xB8 | 0xBA => pool.float_from_unsigned(64, a),
        0xBB => pool.float_promote(a),
        0x100 | 0x102 => pool.float_to_signed_saturating(32, a),
        0x101 | 0x103 => pool.float_to_unsigned_saturating(32, a),
        0x104 | 0x106 => pool.float_to_signed_saturating(64, a),
        0x105 | 0x107 => pool.float_to_unsigned_saturating(64, a),
        _ => return None,
    })
}

/// Returns the term of an instruction with two float operands.
pub(crate) fn binary(pool: &mut Pool, opcode: u32, a: Term, b: Term) -> Option<Term> {
    let holds = match opcode {
        0x5B | 0x61 => pool.float_eq(a, b),
        0x5C | 0x62 => {
            let equal = pool.float_eq(a, b);
            pool.not(equal)
        }
        0x5D | 0x63 => pool.float_lt(a, b),
        0x5E | 0x64 => pool.float_lt(b, a),
        0x5F | 0x65 => pool.float_le(a, b),
        0x60 | 0x66 => pool.float_le(b, a),
        _ => return arithmetic(pool, opcode, a, b),
    };
    Some(truth(pool, holds))
}

fn arithmetic(pool: &mut Pool, opcode: u32, a: Term, b: Term) -> Option<Term> {
    Some(match opcode {
        0x92 | 0xA0 => pool.float_add(a, b),
        0x93 | 0xA1 => pool.float_sub(a, b),
        0x94 | 0xA2 => pool.float_mul(a, b),
        0x95 | 0xA3 => pool.float_div(a, b),
        0x96 | 0xA4 => pool.float_min(a, b),
        0x97 | 0xA5 => pool.float_max(a, b),
        0x98 | 0xA6 => pool.float_copysign(a, b),
        op::LESSER_F32 | op::LESSER_F64 => {
            let (is_nan, is_less) = (pool.float_is_nan(b), pool.float_lt(a, b));
            let is_first = pool.or(is_nan, is_less);
            pool.ite(is_first, a, b)
        }
        op::GREATER_F32 | op::GREATER_F64 => {
            let (is_nan, is_less) = (pool.float_is_nan(a), pool.float_lt(a, b));
            let is_second = pool.or(is_nan, is_less);
            pool.ite(is_second, b, a)
        }
        _ => return None,
    })
}

/// Returns the condition under which a truncation to an integer traps.
pub(crate) fn traps(pool: &mut Pool, opcode: u32, a: Term) -> Term {
    match opcode {
        0xA8 | 0xAA => pool.float_to_signed_traps(32, a),
        0xA9 | 0xAB => pool.float_to_unsigned_traps(32, a),
        0xAE | 0xB0 => pool.float_to_signed_traps(64, a),
        _ => pool.float_to_unsigned_traps(64, a),
    }
}

/// Whether a truncation of these bits traps.
pub(crate) fn is_trapping(opcode: u32, bits: u64) -> bool {
    let is_narrow = matches!(opcode, 0xA8 | 0xA9 | 0xAE | 0xAF);
    let number =
        if is_narrow { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) };
    let (least, beyond) = match opcode {
        0xA8 | 0xAA => (-2f64.powi(31), 2f64.powi(31)),
        0xA9 | 0xAB => (0.0, 2f64.powi(32)),
        0xAE | 0xB0 => (-2f64.powi(63), 2f64.powi(63)),
        _ => (0.0, 2f64.powi(64)),
    };
    let whole = number.trunc();
    // Both comparisons are false for NaN.
    !(least <= whole && whole < beyond)
}
