//! Laws of arithmetic. They are always true, so their negation needs a proof. One operator in
//! eight is replaced by a similar one, and then often only a few numbers violate the law.

use super::PathGenerator;
use crate::graph::{Id, Op};

impl PathGenerator<'_> {
    /// Applies an operator, or sometimes a similar one.
    fn or_similar(&mut self, op: Op, args: &[Id]) -> Id {
        let others: &[Op] = match op {
            Op::Add | Op::Sub | Op::BvAnd | Op::BvOr | Op::BvXor => {
                &[Op::Add, Op::Sub, Op::BvOr, Op::BvXor, Op::BvAnd]
            }
            Op::Ult | Op::Ule | Op::Slt | Op::Sle => &[Op::Ult, Op::Ule, Op::Slt, Op::Sle],
            Op::Shl | Op::Lshr | Op::Ashr | Op::RotL | Op::RotR => {
                &[Op::Lshr, Op::Ashr, Op::Shl, Op::RotL, Op::RotR]
            }
            Op::Udiv | Op::Sdiv => &[Op::Udiv, Op::Sdiv],
            Op::Urem | Op::Srem | Op::Smod => &[Op::Urem, Op::Srem, Op::Smod],
            _ => &[],
        };
        let op = if !others.is_empty() && self.rarely(8) { self.one_of(others) } else { op };
        self.apply(op, args)
    }

    fn equal(&mut self, a: Id, b: Id) -> Id {
        self.apply(Op::Eq, &[a, b])
    }

    fn implies(&mut self, a: Id, b: Id) -> Id {
        let not = self.not(a);
        self.apply(Op::Or, &[not, b])
    }

    pub(super) fn law(&mut self) -> Id {
        let variables = self.variables.clone();
        let (a, b) = (self.one_of(&variables), self.one_of(&variables));
        let width = self.graph.width(a);
        let b = self.fitted(b, width);
        let [zero, one, all] = [0, 1, u128::from(width)].map(|number| self.constant(width, number));
        let least = self.constant(width, 1 << (width - 1));
        match self.below(if width > 8 { 13 } else { 19 }) {
            0 => {
                let sum = self.or_similar(Op::Add, &[a, b]);
                let back = self.or_similar(Op::Sub, &[sum, b]);
                self.equal(back, a)
            }
            1 => {
                let negative = self.apply(Op::Neg, &[a]);
                let (before, flipped) =
                    (self.or_similar(Op::Sub, &[negative, one]), self.apply(Op::BvNot, &[a]));
                self.equal(before, flipped)
            }
            2 => {
                let mixed = self.or_similar(Op::BvXor, &[a, b]);
                let back = self.or_similar(Op::BvXor, &[mixed, b]);
                self.equal(back, a)
            }
            3 => {
                let (both, any) =
                    (self.or_similar(Op::BvAnd, &[a, b]), self.or_similar(Op::BvOr, &[a, b]));
                let (sum, other) =
                    (self.apply(Op::Add, &[both, any]), self.apply(Op::Add, &[a, b]));
                self.equal(sum, other)
            }
            4 => {
                let (less, at_most) =
                    (self.or_similar(Op::Ult, &[a, b]), self.or_similar(Op::Ule, &[b, a]));
                let not = self.not(at_most);
                self.equal(less, not)
            }
            5 => {
                let [x, y] = [a, b].map(|side| self.apply(Op::BvXor, &[side, least]));
                let (signed, moved) =
                    (self.or_similar(Op::Slt, &[a, b]), self.or_similar(Op::Ult, &[x, y]));
                self.equal(signed, moved)
            }
            6 => {
                let less = self.or_similar(Op::Slt, &[a, b]);
                let minimum = self.apply(Op::Ite, &[less, a, b]);
                self.or_similar(Op::Sle, &[minimum, b])
            }
            7 => {
                let by = self.between(1, 20) as u32;
                let [x, y] = [a, b].map(|side| self.apply(Op::SignExtend(by), &[side]));
                let (wide, narrow) =
                    (self.or_similar(Op::Slt, &[x, y]), self.or_similar(Op::Slt, &[a, b]));
                self.equal(wide, narrow)
            }
            8 if width > 1 => {
                let cut = self.between(1, width as usize - 1) as u32;
                let high = self.apply(Op::Extract { high: width - 1, low: cut }, &[a]);
                let low = self.apply(Op::Extract { high: cut - 1, low: 0 }, &[a]);
                let joined = self.apply(Op::Concat, &[high, low]);
                self.equal(joined, a)
            }
            9 => {
                let turned = self.or_similar(Op::RotL, &[a, one]);
                let back = self.or_similar(Op::RotR, &[turned, one]);
                self.equal(back, a)
            }
            10 => {
                let count = self.one_of(&[Op::Popcount, Op::Clz, Op::Ctz]);
                let count = self.apply(count, &[a]);
                self.or_similar(Op::Ule, &[count, all])
            }
            11 => {
                // An unsigned sum is less than a summand only if it wrapped around.
                let sum = self.or_similar(Op::Add, &[a, b]);
                let (wrapped, too_large) =
                    (self.or_similar(Op::Ult, &[sum, a]), self.apply(Op::BvNot, &[a]));
                let beyond = self.or_similar(Op::Ult, &[too_large, b]);
                self.equal(wrapped, beyond)
            }
            12 => {
                let [x, y] = [a, b].map(|side| self.apply(Op::ZeroExtend(1), &[side]));
                let (sum, places) = (self.apply(Op::Add, &[x, y]), self.constant(width + 1, 1));
                let half = self.or_similar(Op::Lshr, &[sum, places]);
                let half = self.apply(Op::Extract { high: width - 1, low: 0 }, &[half]);
                let (both, one_only) =
                    (self.apply(Op::BvAnd, &[a, b]), self.apply(Op::BvXor, &[a, b]));
                let rest = self.or_similar(Op::Lshr, &[one_only, one]);
                let other = self.or_similar(Op::Add, &[both, rest]);
                self.equal(half, other)
            }
            13 => {
                let (quotient, rest) =
                    (self.or_similar(Op::Udiv, &[a, b]), self.or_similar(Op::Urem, &[a, b]));
                let product = self.apply(Op::Mul, &[quotient, b]);
                let sum = self.or_similar(Op::Add, &[product, rest]);
                self.equal(sum, a)
            }
            14 => {
                let (quotient, rest) =
                    (self.or_similar(Op::Sdiv, &[a, b]), self.or_similar(Op::Srem, &[a, b]));
                let product = self.apply(Op::Mul, &[quotient, b]);
                let sum = self.or_similar(Op::Add, &[product, rest]);
                self.equal(sum, a)
            }
            15 => {
                let is_zero = self.equal(b, zero);
                let rest = self.or_similar(Op::Urem, &[a, b]);
                let less = self.or_similar(Op::Ult, &[rest, b]);
                self.apply(Op::Or, &[is_zero, less])
            }
            16 => {
                // A nonzero remainder has the sign of the divisor.
                let rest = self.or_similar(Op::Smod, &[a, b]);
                let (is_negative, other) =
                    (self.apply(Op::Slt, &[rest, zero]), self.or_similar(Op::Slt, &[b, zero]));
                let (is_none, by_none) = (self.equal(rest, zero), self.equal(b, zero));
                let alike = self.equal(is_negative, other);
                let none = self.apply(Op::Or, &[is_none, by_none]);
                self.apply(Op::Or, &[none, alike])
            }
            17 => {
                let (is_zero, most) = (self.equal(b, zero), self.apply(Op::BvNot, &[zero]));
                let quotient = self.or_similar(Op::Udiv, &[a, b]);
                let is_most = self.equal(quotient, most);
                self.implies(is_zero, is_most)
            }
            _ => {
                let turned = self.or_similar(Op::RotL, &[a, b]);
                let back = self.or_similar(Op::RotR, &[turned, b]);
                let (is_same, is_less) = (self.equal(back, a), self.or_similar(Op::Ult, &[a, b]));
                self.implies(is_less, is_same)
            }
        }
    }
}
