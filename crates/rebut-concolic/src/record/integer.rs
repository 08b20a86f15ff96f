//! The terms of integer instructions, over bit vectors.
//!
//! A boolean of WebAssembly is a number, so a comparison becomes `ite(c, 1, 0)`. The pool
//! simplifies that again where it is tested.

use rebut_smt::{Pool, Term};

use super::float;

/// Returns the term of an instruction with one operand; `None` if no exact term is known.
pub(crate) fn unary(pool: &mut Pool, opcode: u32, a: Term) -> Option<Term> {
    Some(match opcode {
        0x45 | 0x50 => {
            let zero = pool.bits(pool.width(a), 0);
            let is_zero = pool.eq(a, zero);
            truth(pool, is_zero)
        }
        0x67 | 0x79 => pool.bv_clz(a),
        0x68 | 0x7A => pool.bv_ctz(a),
        0x69 | 0x7B => pool.bv_popcount(a),
        0xA7 => pool.extract(31, 0, a),
        0xAC => pool.sign_extend(32, a),
        0xAD => pool.zero_extend(32, a),
        // Reinterpretation: a float is represented by its bits.
        0xBC..=0xBF => a,
        0xC0 => narrow(pool, a, 8, 32),
        0xC1 => narrow(pool, a, 16, 32),
        0xC2 => narrow(pool, a, 8, 64),
        0xC3 => narrow(pool, a, 16, 64),
        0xC4 => narrow(pool, a, 32, 64),
        _ => return float::unary(pool, opcode, a),
    })
}

/// Returns the term of an instruction with two operands; `None` if no exact term is known.
pub(crate) fn binary(pool: &mut Pool, opcode: u32, a: Term, b: Term) -> Option<Term> {
    if let 0x46..=0x4F | 0x51..=0x5A = opcode {
        let compare = if opcode >= 0x51 { opcode - 0x51 } else { opcode - 0x46 };
        let holds = compared(pool, compare, a, b);
        return Some(truth(pool, holds));
    }
    let arithmetic = match opcode {
        0x6A..=0x78 => opcode - 0x6A,
        0x7C..=0x8A => opcode - 0x7C,
        _ => return float::binary(pool, opcode, a, b),
    };
    Some(match arithmetic {
        0 => pool.bv_add(a, b),
        1 => pool.bv_sub(a, b),
        2 => pool.bv_mul(a, b),
        3 => pool.bv_sdiv(a, b),
        4 => pool.bv_udiv(a, b),
        5 => pool.bv_srem(a, b),
        6 => pool.bv_urem(a, b),
        7 => pool.bv_and(a, b),
        8 => pool.bv_or(a, b),
        9 => pool.bv_xor(a, b),
        10 => {
            let b = modulo(pool, b);
            pool.bv_shl(a, b)
        }
        11 => {
            let b = modulo(pool, b);
            pool.bv_ashr(a, b)
        }
        12 => {
            let b = modulo(pool, b);
            pool.bv_lshr(a, b)
        }
        13 => pool.bv_rotl(a, b),
        _ => pool.bv_rotr(a, b),
    })
}

/// Returns the condition under which a division or remainder traps.
pub(crate) fn traps(pool: &mut Pool, opcode: u32, a: Term, b: Term) -> Term {
    let width = pool.width(b);
    let zero = pool.bits(width, 0);
    let by_zero = pool.eq(b, zero);
    if !matches!(opcode, 0x6D | 0x7F) {
        return by_zero;
    }
    let (least, minus_one) = (pool.bits(width, 1 << (width - 1)), pool.bits(width, u128::MAX));
    let (is_least, is_minus_one) = (pool.eq(a, least), pool.eq(b, minus_one));
    let overflows = pool.and(is_least, is_minus_one);
    pool.or(by_zero, overflows)
}

fn compared(pool: &mut Pool, compare: u32, a: Term, b: Term) -> Term {
    match compare {
        0 => pool.eq(a, b),
        1 => pool.ne(a, b),
        2 => pool.bv_slt(a, b),
        3 => pool.bv_ult(a, b),
        4 => pool.bv_slt(b, a),
        5 => pool.bv_ult(b, a),
        6 => pool.bv_sle(a, b),
        7 => pool.bv_ule(a, b),
        8 => pool.bv_sle(b, a),
        _ => pool.bv_ule(b, a),
    }
}

/// Returns a boolean as WebAssembly represents it: 1 or 0.
pub(crate) fn truth(pool: &mut Pool, holds: Term) -> Term {
    let (one, zero) = (pool.bits(32, 1), pool.bits(32, 0));
    pool.ite(holds, one, zero)
}

/// Returns a shift distance modulo the width, as WebAssembly defines it.
fn modulo(pool: &mut Pool, places: Term) -> Term {
    let width = pool.width(places);
    let mask = pool.bits(width, u128::from(width) - 1);
    pool.bv_and(places, mask)
}

/// Returns the low bits, sign-extended.
fn narrow(pool: &mut Pool, a: Term, bits: u32, width: u32) -> Term {
    let low = pool.extract(bits - 1, 0, a);
    pool.sign_extend(width - bits, low)
}
