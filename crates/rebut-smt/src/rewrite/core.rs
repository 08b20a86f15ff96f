//! Booleans and `ite`.

use crate::op::Op;
use crate::{Pool, Sort, Term};

/// The number of terms of an `and` or `or` in which pairs of comparisons are searched. Arbitrary:
/// the search is quadratic. Pairs in larger ones are not merged.
const PAIRS_MAX: usize = 8;

impl Pool {
    pub(super) fn rewrite_core(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        match (op, args) {
            (Op::Not, [a]) => self.rewrite_not(*a),
            (Op::Ite, [condition, then, otherwise]) => {
                self.rewrite_ite(*condition, *then, *otherwise, sort)
            }
            (Op::Distinct, args) => self.rewrite_distinct(args),
            _ => self.rewrite_junction(op, args),
        }
    }

    fn rewrite_not(&mut self, a: Term) -> Term {
        match self.parts(a, Op::Not) {
            Some([inner]) => inner,
            None => self.intern(Op::Not, &[a], Sort::Bool),
        }
    }

    /// Builds `and` or `or`: an absorbing constant decides it, neutral ones are dropped, and the
    /// rest is sorted.
    fn rewrite_junction(&mut self, op: Op, args: &[Term]) -> Term {
        let neutral = op == Op::And;
        let mut flat = Vec::with_capacity(args.len());
        for arg in args {
            if self.op(*arg) == op {
                flat.extend_from_slice(self.args(*arg));
            } else if self.value(*arg) == Some(&(!neutral).into()) {
                return self.bool(!neutral);
            } else if self.value(*arg).is_none() {
                flat.push(*arg);
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let opposes = |term: &Term| match self.parts(*term, Op::Not) {
            Some([inner]) => flat.binary_search(&inner).is_ok(),
            None => false,
        };
        if flat.iter().any(opposes) {
            return self.bool(!neutral);
        }
        if flat.len() <= PAIRS_MAX
            && let Some(simpler) = self.merge_opposite_comparisons(op, &flat)
        {
            return simpler;
        }
        match &flat[..] {
            [] => self.bool(neutral),
            [only] => *only,
            _ => self.intern(op, &flat, Sort::Bool),
        }
    }

    /// Merges `a < b` with `b < a`, each possibly negated. One of them implies the other, or both
    /// together decide whether `a` equals `b`: `!(a < b) && !(b < a)` is `a == b`. Code that
    /// compares three ways, such as `Ord::cmp`, contains such pairs.
    fn merge_opposite_comparisons(&mut self, op: Op, flat: &[Term]) -> Option<Term> {
        let is_and = op == Op::And;
        for (n, first) in flat.iter().enumerate() {
            let Some((strict, a, b, holds)) = self.comparison(*first) else { continue };
            for (m, second) in flat.iter().enumerate().skip(n + 1) {
                let Some((other, c, d, also)) = self.comparison(*second) else { continue };
                if (strict, a, b) != (other, d, c) {
                    continue;
                }
                let together = match (holds, also) {
                    (true, true) if is_and => self.bool(false),
                    (false, false) if !is_and => self.bool(true),
                    (true, true) => self.ne(a, b),
                    (false, false) => self.eq(a, b),
                    // `a < b` implies `!(b < a)`.
                    (true, false) => {
                        if is_and {
                            *first
                        } else {
                            *second
                        }
                    }
                    (false, true) => {
                        if is_and {
                            *second
                        } else {
                            *first
                        }
                    }
                };
                let mut rest = flat.to_vec();
                rest.remove(m);
                rest[n] = together;
                return Some(self.rewrite_junction(op, &rest));
            }
        }
        None
    }

    /// Returns the operator and the sides of a comparison, and whether it is not negated.
    fn comparison(&self, term: Term) -> Option<(Op, Term, Term, bool)> {
        let (inner, holds) = match self.parts(term, Op::Not) {
            Some([inner]) => (inner, false),
            None => (term, true),
        };
        match (self.op(inner), self.args(inner)) {
            (op @ (Op::BvUlt | Op::BvSlt), [a, b]) => Some((op, *a, *b, holds)),
            _ => None,
        }
    }

    /// Rewrites `ite(x < y, k, l) - ite(y < x, m, n)` with constants into one choice of three.
    /// Compilers write `Ord::cmp` that way.
    pub(super) fn three_way(&mut self, a: Term, b: Term) -> Option<Term> {
        let [less, first, second] = self.parts(a, Op::Ite)?;
        let [more, third, fourth] = self.parts(b, Op::Ite)?;
        let (op, x, y, _) = self.comparison(less).filter(|comparison| comparison.3)?;
        if self.comparison(more)? != (op, y, x, true) {
            return None;
        }
        let [first, second, third, fourth] =
            [first, second, third, fourth].map(|term| self.bits_of(term));
        let (first, second, third, fourth) = (first?, second?, third?, fourth?);
        let width = self.width(a);
        let is_less = self.bits(width, first.wrapping_sub(fourth));
        let is_more = self.bits(width, second.wrapping_sub(third));
        let is_same = self.bits(width, second.wrapping_sub(fourth));
        let rest = self.ite(more, is_more, is_same);
        Some(self.ite(less, is_less, rest))
    }

    fn rewrite_distinct(&mut self, args: &[Term]) -> Term {
        let mut sorted = args.to_vec();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return self.bool(false);
        }
        match &sorted[..] {
            [] | [_] => self.bool(true),
            [a, b] => self.ne(*a, *b),
            _ => self.intern(Op::Distinct, &sorted, Sort::Bool),
        }
    }

    fn rewrite_ite(&mut self, condition: Term, then: Term, otherwise: Term, sort: Sort) -> Term {
        if self.is_true(condition) || then == otherwise {
            return then;
        }
        if self.is_false(condition) {
            return otherwise;
        }
        if let Some([inner]) = self.parts(condition, Op::Not) {
            return self.rewrite_ite(inner, otherwise, then, sort);
        }
        if sort == Sort::Bool
            && let Some(simpler) = self.rewrite_bool_ite(condition, then, otherwise)
        {
            return simpler;
        }
        if let Some([inner, first, _]) = self.parts(then, Op::Ite)
            && inner == condition
        {
            return self.rewrite_ite(condition, first, otherwise, sort);
        }
        if let Some([inner, _, second]) = self.parts(otherwise, Op::Ite)
            && inner == condition
        {
            return self.rewrite_ite(condition, then, second, sort);
        }
        if let Some([inner, first, second]) = self.parts(then, Op::Ite)
            && second == otherwise
        {
            let both = self.and(condition, inner);
            return self.rewrite_ite(both, first, otherwise, sort);
        }
        if let Some([inner, first, second]) = self.parts(otherwise, Op::Ite)
            && first == then
        {
            let either = self.or(condition, inner);
            return self.rewrite_ite(either, then, second, sort);
        }
        self.intern(Op::Ite, &[condition, then, otherwise], sort)
    }

    fn rewrite_bool_ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
        let opposite = self.not(condition);
        if self.is_true(then) || then == condition {
            return Some(self.or(condition, otherwise));
        }
        if self.is_false(otherwise) || otherwise == condition {
            return Some(self.and(condition, then));
        }
        if self.is_false(then) || then == opposite {
            return Some(self.and(opposite, otherwise));
        }
        if self.is_true(otherwise) || otherwise == opposite {
            return Some(self.or(opposite, then));
        }
        let flipped = self.not(then);
        (flipped == otherwise).then(|| self.eq(condition, then))
    }
}
