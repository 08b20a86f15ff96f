//! Equations and comparisons.
//!
//! Each rule moves an operator from one side to the constant on the other: `x + 3 == 5` becomes
//! `x == 2`, and `7 * x == 12345` is multiplied by the inverse of 7 modulo two to the width.

use crate::op::Op;
use crate::value::{Bits, mask};
use crate::{Pool, Sort, Term, Value};

/// The depth of nested `ite`s with constants that a comparison is pushed into. Arbitrary: each
/// level adds a comparison. A deeper nest is compared as a whole.
const NEST_MAX: u32 = 12;

impl Pool {
    pub(super) fn rewrite_comparison(&mut self, op: Op, a: Term, b: Term) -> Term {
        if a == b {
            return self.bool(op == Op::Eq);
        }
        if self.is_deep(a) || self.is_deep(b) {
            return self.intern(op, &[a, b], Sort::Bool);
        }
        if let Some(simpler) = self.push_into_nest(op, a, b) {
            return simpler;
        }
        match op {
            Op::Eq => self.rewrite_eq(a, b),
            Op::BvUlt => self.rewrite_ult(a, b),
            _ => self.rewrite_slt(a, b),
        }
    }

    /// Pushes a comparison of a constant with nested `ite`s of constants into the `ite`s, so that
    /// the leaves become booleans. Wasm writes `ne(ite(c, 1, 0), 0)` for `c`.
    pub(super) fn push_into_nest(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let nests = |pool: &Pool, term| pool.op(term) == Op::Ite && pool.is_nest(term, NEST_MAX);
        if self.value(b).is_some() && nests(self, a) {
            let [condition, then, otherwise] = self.parts(a, Op::Ite)?;
            let then = self.apply(op, &[then, b]).ok()?;
            let otherwise = self.apply(op, &[otherwise, b]).ok()?;
            return Some(self.ite(condition, then, otherwise));
        }
        if self.value(a).is_some() && nests(self, b) {
            let [condition, then, otherwise] = self.parts(b, Op::Ite)?;
            let then = self.apply(op, &[a, then]).ok()?;
            let otherwise = self.apply(op, &[a, otherwise]).ok()?;
            return Some(self.ite(condition, then, otherwise));
        }
        None
    }

    /// Whether a term is a constant or nested `ite`s with a constant on each level.
    fn is_nest(&self, term: Term, depth: u32) -> bool {
        if self.value(term).is_some() {
            return true;
        }
        match self.parts(term, Op::Ite) {
            Some([_, then, otherwise]) if depth > 0 => {
                (self.value(then).is_some() && self.is_nest(otherwise, depth - 1))
                    || (self.value(otherwise).is_some() && self.is_nest(then, depth - 1))
            }
            _ => false,
        }
    }

    fn rewrite_eq(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = match (self.value(a), self.value(b)) {
            (Some(_), None) => (b, a),
            (None, None) if a > b => (b, a),
            _ => (a, b),
        };
        let simpler = match self.sort(a) {
            Sort::Bool => self.eq_of_bools(a, b),
            Sort::BitVec(width) => self.eq_of_bits(a, b, width),
            Sort::Int | Sort::Real => self.eq_of_numbers(a, b),
            _ => None,
        };
        simpler
            .or_else(|| self.eq_of_choice(a, b))
            .unwrap_or_else(|| self.intern(Op::Eq, &[a, b], Sort::Bool))
    }

    fn eq_of_bools(&mut self, a: Term, b: Term) -> Option<Term> {
        match (self.value(b), self.parts(a, Op::Not), self.parts(b, Op::Not)) {
            (Some(Value::Bool(true)), ..) => Some(a),
            (Some(_), ..) => Some(self.not(a)),
            (_, Some([x]), Some([y])) => Some(self.eq(x, y)),
            (_, Some([x]), None) if x == b => Some(self.bool(false)),
            (_, None, Some([y])) if y == a => Some(self.bool(false)),
            (_, Some([x]), None) => {
                let same = self.eq(x, b);
                Some(self.not(same))
            }
            (_, None, Some([y])) => {
                let same = self.eq(a, y);
                Some(self.not(same))
            }
            _ => None,
        }
    }

    /// Simplifies the comparison of a constant with an `ite` that has a constant branch.
    fn eq_of_choice(&mut self, a: Term, b: Term) -> Option<Term> {
        self.value(b)?;
        let [condition, then, otherwise] = self.parts(a, Op::Ite)?;
        let (condition, constant, other) = match (self.value(then), self.value(otherwise)) {
            (Some(_), _) => (condition, then, otherwise),
            (_, Some(_)) => (self.not(condition), otherwise, then),
            _ => return None,
        };
        let same = self.eq(other, b);
        if constant == b {
            return Some(self.or(condition, same));
        }
        let not_taken = self.not(condition);
        Some(self.and(not_taken, same))
    }

    fn eq_of_bits(&mut self, a: Term, b: Term, width: u32) -> Option<Term> {
        if let Some(split) = self.eq_of_pieces(a, b) {
            return Some(split);
        }
        if let Some(number) = self.bits_of(b) {
            return self.eq_with_constant(a, number, width);
        }
        match (self.op(a), self.op(b)) {
            (Op::BvAdd, Op::BvAdd) | (Op::BvXor, Op::BvXor) | (Op::BvSub, Op::BvSub) => {
                let [x, y]: [Term; 2] = self.args(a).try_into().ok()?;
                let [z, w]: [Term; 2] = self.args(b).try_into().ok()?;
                if y == w {
                    Some(self.eq(x, z))
                } else if x == z {
                    Some(self.eq(y, w))
                } else {
                    None
                }
            }
            (Op::BvNot, Op::BvNot) | (Op::BvNeg, Op::BvNeg) => {
                Some(self.eq(self.args(a)[0], self.args(b)[0]))
            }
            (Op::SignExtend(n), Op::SignExtend(m)) if n == m => {
                Some(self.eq(self.args(a)[0], self.args(b)[0]))
            }
            _ => None,
        }
    }

    fn eq_with_constant(&mut self, a: Term, number: u128, width: u32) -> Option<Term> {
        let constant = |pool: &mut Pool, number: u128| pool.bits(width, number);
        let args = self.args(a);
        let (first, second) = (*args.first()?, args.get(1).copied());
        let known = second.and_then(|term| self.bits_of(term));
        let wanted = match (self.op(a), known) {
            (Op::BvAdd, Some(added)) => constant(self, number.wrapping_sub(added)),
            (Op::BvXor, Some(flipped)) => constant(self, number ^ flipped),
            (Op::BvMul, Some(factor)) if factor & 1 == 1 => {
                constant(self, number.wrapping_mul(inverse(factor)))
            }
            (Op::BvNot, _) => constant(self, !number),
            (Op::BvNeg, _) => constant(self, number.wrapping_neg()),
            (Op::BvSub, _) if number == 0 => second?,
            (Op::BvXor, None) if number == 0 => second?,
            (Op::SignExtend(by), _) => {
                let narrow = Bits::new(width - by, number);
                if Bits::new(width, narrow.signed() as u128).unsigned() != number {
                    return Some(self.bool(false));
                }
                self.bits(width - by, number)
            }
            _ => return None,
        };
        Some(self.eq(first, wanted))
    }

    fn rewrite_ult(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let max = mask(width);
        match (self.bits_of(a), self.bits_of(b)) {
            (_, Some(0)) => return self.bool(false),
            (_, Some(1)) => {
                let zero = self.bits(width, 0);
                return self.eq(a, zero);
            }
            (_, Some(bound)) if self.greatest(a) < bound => return self.bool(true),
            (Some(bound), _) if self.greatest(b) <= bound => return self.bool(false),
            (_, Some(bound)) if bound == max => return self.ne(a, b),
            (Some(0), _) => return self.ne(b, a),
            (Some(bound), _) if bound == max => return self.bool(false),
            (Some(bound), _) if bound == max - 1 => {
                let max = self.bits(width, max);
                return self.eq(b, max);
            }
            _ => {}
        }
        if self.is_multiple_below(b, a) {
            return self.bool(false);
        }
        self.ult_of_pieces(a, b).unwrap_or_else(|| self.intern(Op::BvUlt, &[a, b], Sort::Bool))
    }

    /// Compares the highest pieces first: if they are equal, only the lower pieces count.
    fn ult_of_pieces(&mut self, a: Term, b: Term) -> Option<Term> {
        let (a_top, b_top) = (self.top(a)?, self.top(b)?);
        let top = self.width(a_top).min(self.width(b_top));
        let width = self.width(a);
        if top == width {
            return None;
        }
        let a_high = self.extract(width - 1, width - top, a);
        let b_high = self.extract(width - 1, width - top, b);
        let a_low = self.extract(width - top - 1, 0, a);
        let b_low = self.extract(width - top - 1, 0, b);
        if a_high == b_high {
            return Some(self.bv_ult(a_low, b_low));
        }
        match (self.bits_of(a_high), self.bits_of(b_high)) {
            (Some(a_high), Some(b_high)) => Some(self.bool(a_high < b_high)),
            _ => None,
        }
    }

    /// Returns the highest piece of a `concat`, or a constant as a whole.
    fn top(&self, term: Term) -> Option<Term> {
        match self.op(term) {
            Op::Concat => Some(self.args(term)[0]),
            Op::Const(_) => Some(term),
            _ => None,
        }
    }

    fn rewrite_slt(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let least = 1u128 << (width - 1);
        match (self.bits_of(a), self.bits_of(b)) {
            (_, Some(bound)) if bound == least => return self.bool(false),
            (Some(bound), _) if bound == least - 1 => return self.bool(false),
            (_, Some(bound)) if bound == least - 1 => return self.ne(a, b),
            (Some(bound), _) if bound == least => return self.ne(b, a),
            _ => {}
        }
        match (self.sign(a), self.sign(b)) {
            (Some(a_sign), Some(b_sign)) if a_sign == b_sign => return self.bv_ult(a, b),
            (Some(a_sign), Some(_)) => return self.bool(a_sign),
            _ => {}
        }
        self.slt_of_extended(a, b).unwrap_or_else(|| self.intern(Op::BvSlt, &[a, b], Sort::Bool))
    }

    /// Returns the highest bit, if its piece is constant.
    fn sign(&self, term: Term) -> Option<bool> {
        let top = self.top(term)?;
        let bits = self.value(top)?.as_bits()?;
        Some(bits.signed() < 0)
    }

    fn slt_of_extended(&mut self, a: Term, b: Term) -> Option<Term> {
        match (self.op(a), self.op(b)) {
            (Op::SignExtend(n), Op::SignExtend(m)) if n == m => {
                Some(self.bv_slt(self.args(a)[0], self.args(b)[0]))
            }
            (Op::SignExtend(by), Op::Const(_)) => {
                let bound = self.value(b)?.as_bits()?;
                let narrow = Bits::new(bound.width() - by, bound.unsigned());
                if narrow.signed() != bound.signed() {
                    return Some(self.bool(bound.signed() > 0));
                }
                let narrow = self.constant(Value::Bits(narrow));
                Some(self.bv_slt(self.args(a)[0], narrow))
            }
            (Op::Const(_), Op::SignExtend(by)) => {
                let bound = self.value(a)?.as_bits()?;
                let narrow = Bits::new(bound.width() - by, bound.unsigned());
                if narrow.signed() != bound.signed() {
                    return Some(self.bool(bound.signed() < 0));
                }
                let narrow = self.constant(Value::Bits(narrow));
                Some(self.bv_slt(narrow, self.args(b)[0]))
            }
            _ => None,
        }
    }
}

/// Returns the inverse of an odd number modulo any power of two up to 2^128, by Newton's
/// iteration: each step doubles the number of correct bits.
fn inverse(odd: u128) -> u128 {
    (0..7)
        .fold(odd, |inverse, _| inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse))))
}
