//! Truth values and `ite`.

use crate::op::Op;
use crate::{Pool, Sort, Term};

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

    /// `and` and `or`: what decides the whole, what says nothing, and the rest in order.
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
        match &flat[..] {
            [] => self.bool(neutral),
            [only] => *only,
            _ => self.intern(op, &flat, Sort::Bool),
        }
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
