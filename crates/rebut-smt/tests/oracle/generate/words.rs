//! Claims of compiled code about its inputs: words, orders and domains.

use super::PathGenerator;
use crate::graph::{Id, Op, Shape};

impl PathGenerator<'_> {
    /// Returns an input in a word of 32 or 64 bits, as compiled code sees it.
    fn word(&mut self, width: u32) -> Id {
        let variables = self.variables.clone();
        let a = self.one_of(&variables);
        let given = self.graph.width(a);
        match given {
            _ if given > width => self.apply(Op::Extract { high: width - 1, low: 0 }, &[a]),
            _ => self.fitted(a, width),
        }
    }

    pub(super) fn words_claim(&mut self) -> Id {
        let width = self.one_of(&[32, 64]);
        match self.below(4) {
            0 => {
                let a = self.expression(width, 2);
                self.compared(a, None)
            }
            1 => {
                let (a, b) = (self.expression(width, 1), self.expression(width, 1));
                self.compared(a, Some(b))
            }
            2 => self.three_way_comparison(width),
            _ => self.combined_conditions(width),
        }
    }

    fn expression(&mut self, width: u32, depth: u32) -> Id {
        if depth == 0 || self.below(4) == 0 {
            return self.word(width);
        }
        let a = self.expression(width, depth - 1);
        match self.below(10) {
            9 => self.entry(a, width),
            0 | 1 => {
                let number = self.number(width);
                let b = self.constant(width, number);
                self.apply(Op::Add, &[a, b])
            }
            2 => {
                let mask = self.one_of(&[255, 1, 7, 0xFFFF, 0x80, 0xF0F0]);
                let mask = self.constant(width, mask);
                self.apply(Op::BvAnd, &[a, mask])
            }
            3 => {
                // Shift amounts are modulo the width.
                let (b, mask) =
                    (self.expression(width, 0), self.constant(width, u128::from(width) - 1));
                let b = self.apply(Op::BvAnd, &[b, mask]);
                let op = self.one_of(&[Op::Shl, Op::Lshr, Op::Ashr, Op::RotL, Op::RotR]);
                self.apply(op, &[a, b])
            }
            4 => {
                let bits = self.one_of(&[8, 16]);
                let low = self.apply(Op::Extract { high: bits - 1, low: 0 }, &[a]);
                self.apply(Op::SignExtend(width - bits), &[low])
            }
            5 => {
                let number = self.one_of(&[3, 7, 10, 31, 255]);
                let b = self.constant(width, number);
                let op = self.one_of(&[Op::Mul, Op::Urem, Op::Udiv]);
                self.apply(op, &[a, b])
            }
            6 => {
                let b = self.expression(width, 0);
                let op = self.one_of(&[Op::Sub, Op::BvXor, Op::BvOr, Op::Add]);
                self.apply(op, &[a, b])
            }
            7 => {
                let condition = self.compared(a, None);
                let b = self.expression(width, 0);
                self.apply(Op::Ite, &[condition, a, b])
            }
            _ => {
                let op = self.one_of(&[Op::Clz, Op::Ctz, Op::Popcount]);
                self.apply(op, &[a])
            }
        }
    }

    /// Looks the lowest byte up in a table, as parsers and encoders do.
    fn entry(&mut self, a: Id, width: u32) -> Id {
        let shapes =
            [Shape::Digit, Shape::Letter, Shape::Linear, Shape::Permutation, Shape::Square];
        let shape = self.one_of(&shapes);
        let mut index = self.apply(Op::Extract { high: 7, low: 0 }, &[a]);
        if self.below(2) == 0 {
            let (number, op) = (self.number(8), self.one_of(&[Op::BvXor, Op::Add]));
            let number = self.constant(8, number);
            index = self.apply(op, &[index, number]);
        }
        let mut entry = self.apply(Op::Lookup(shape), &[index]);
        if self.below(3) == 0 {
            let other = self.one_of(&shapes);
            let again = if self.below(2) == 0 { entry } else { index };
            let second = self.apply(Op::Lookup(other), &[again]);
            let op = self.one_of(&[Op::Add, Op::Sub, Op::BvXor, Op::Urem]);
            entry = self.apply(op, &[entry, second]);
        }
        self.fitted(entry, width)
    }

    /// Compares `a.cmp(&b)`, in one of the two ways in which it is compiled, with a result.
    fn three_way_comparison(&mut self, width: u32) -> Id {
        let (a, b) = (self.word(width), self.expression(width, 1));
        let less = self.one_of(&[Op::Slt, Op::Ult]);
        let is_less = self.apply(less, &[a, b]);
        let [minus, zero, one] = [u128::MAX, 0, 1].map(|number| self.constant(8, number));
        let order = if self.below(2) == 0 {
            let is_equal = self.apply(Op::Eq, &[a, b]);
            let rest = self.apply(Op::Ite, &[is_equal, zero, one]);
            self.apply(Op::Ite, &[is_less, minus, rest])
        } else {
            let is_more = self.apply(less, &[b, a]);
            let [more, less] =
                [is_more, is_less].map(|truth| self.apply(Op::Ite, &[truth, one, zero]));
            self.apply(Op::Sub, &[more, less])
        };
        let answer = self.one_of(&[minus, zero, one]);
        let is_it = self.apply(Op::Eq, &[order, answer]);
        if self.below(2) == 0 { is_it } else { self.apply(Op::Slt, &[order, answer]) }
    }

    /// Combines booleans as numbers before it compares the result.
    fn combined_conditions(&mut self, width: u32) -> Id {
        let (one, zero) = (self.constant(32, 1), self.constant(32, 0));
        let number = |generator: &mut Self| {
            let a = generator.expression(width, 1);
            let truth = generator.compared(a, None);
            generator.apply(Op::Ite, &[truth, one, zero])
        };
        let (a, b) = (number(self), number(self));
        let op = self.one_of(&[Op::BvAnd, Op::BvOr, Op::BvXor, Op::Add, Op::Sub]);
        let both = self.apply(op, &[a, b]);
        let with = self.one_of(&[zero, one]);
        self.apply(Op::Eq, &[both, with])
    }

    /// Compares inputs, extended to the same width.
    pub(super) fn order_claim(&mut self) -> Id {
        if self.rarely(8) {
            return self.bits_claim();
        }
        let variables = self.variables.clone();
        let (a, b) = (self.one_of(&variables), self.one_of(&variables));
        let common = self.graph.width(a).max(self.graph.width(b));
        let wider = match self.below(4) {
            0 => (2 * common).min(128),
            _ => common,
        };
        let a = self.fitted(a, wider);
        let b = match self.below(6) {
            0 => None,
            _ => Some(self.fitted(b, wider)),
        };
        if self.rarely(6) {
            return self.three_way_comparison_of(a, b);
        }
        self.compared(a, b)
    }

    fn three_way_comparison_of(&mut self, a: Id, b: Option<Id>) -> Id {
        let Some(b) = b else { return self.compared(a, None) };
        let (is_less, is_equal) = (self.apply(Op::Slt, &[a, b]), self.apply(Op::Eq, &[a, b]));
        let [minus, zero, one] = [u128::MAX, 0, 1].map(|number| self.constant(8, number));
        let rest = self.apply(Op::Ite, &[is_equal, zero, one]);
        let order = self.apply(Op::Ite, &[is_less, minus, rest]);
        let answer = self.one_of(&[minus, zero, one]);
        self.apply(Op::Eq, &[order, answer])
    }

    /// Compares a shifted or scaled input with a number.
    pub(super) fn domain_claim(&mut self) -> Id {
        let variables = self.variables.clone();
        let a = self.one_of(&variables);
        let width = self.graph.width(a);
        let small = self.between(1, 9) as u128;
        let (small, number) = (self.constant(width, small), self.number(width));
        let b = self.constant(width, number);
        let moved = match self.below(8) {
            0 => self.apply(Op::Sub, &[a, b]),
            1 => self.apply(Op::Add, &[a, b]),
            2 => self.apply(Op::Mul, &[a, small]),
            3 => {
                let op = self.one_of(&[Op::Udiv, Op::Urem, Op::Sdiv, Op::Srem]);
                self.apply(op, &[a, small])
            }
            4 => self.apply(Op::BvAnd, &[a, b]),
            5 => {
                let op = self.one_of(&[Op::Lshr, Op::Ashr, Op::Shl]);
                self.apply(op, &[a, small])
            }
            6 => {
                let other = self.one_of(&variables);
                let other = self.fitted(other, width);
                let op = self.one_of(&[Op::Add, Op::Sub, Op::BvXor, Op::BvOr]);
                self.apply(op, &[a, other])
            }
            _ => self.fitted(a, width + 7),
        };
        self.compared(moved, None)
    }
}
