//! Draws for which the path leaves only one value.
//!
//! Once a path has asked whether a length is 3 and it was, nothing more is to be found out about
//! that length: what is computed from it later is as good as plain. Putting the value in keeps
//! sizes and places of memory from becoming large expressions, and branches that can go one way
//! only from becoming questions.

use std::collections::HashMap;

use rebut_smt::{Bounds, Pool, Term};

use crate::slice::Variables;

/// A draw with more conditions than this is not looked at after each of them.
const LIMITS_MAX: usize = 48;

#[derive(Debug, Default)]
pub(super) struct Settled {
    /// The draws with their values.
    values: HashMap<Term, Term>,
    /// The conditions that are on one draw alone.
    limits: HashMap<Term, Vec<Term>>,
    /// Terms with the values put in.
    known: HashMap<Term, Term>,
}

impl Settled {
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.limits.clear();
        self.known.clear();
    }

    /// A condition that holds from here on.
    pub(super) fn learn(&mut self, pool: &mut Pool, variables: &[Term], condition: Term) {
        let &[variable] = variables else { return };
        let limits = self.limits.entry(variable).or_default();
        limits.push(condition);
        if limits.len() > LIMITS_MAX || self.values.contains_key(&variable) {
            return;
        }
        let Some(bounds) = Bounds::infer(pool, limits, variable) else { return };
        if bounds.min == bounds.max {
            let value = pool.bits(pool.width(variable), bounds.min);
            self.values.insert(variable, value);
            self.known.clear();
        }
    }

    /// A term with all values put in that are settled.
    pub(super) fn apply(&mut self, pool: &mut Pool, variables: &mut Variables, term: Term) -> Term {
        let is_settled = |variable: &Term| self.values.contains_key(variable);
        if self.values.is_empty() || !variables.of(pool, term).iter().any(is_settled) {
            return term;
        }
        if let Some(known) = self.known.get(&term) {
            return *known;
        }
        if self.known.is_empty() {
            self.known.clone_from(&self.values);
        }
        pool.replaced(&[term], &mut self.known).first().copied().unwrap_or(term)
    }
}

#[cfg(test)]
mod tests {
    use rebut_smt::{Sort, Value};

    use super::*;

    #[test]
    fn a_draw_between_two_bounds_that_meet_is_settled() {
        let mut pool = Pool::new();
        let mut variables = Variables::default();
        let [length, other] = ["length", "other"].map(|name| pool.var(name, Sort::BitVec(32)));
        let [two, three, seven] = [2, 3, 7].map(|number| pool.bits(32, number));
        let mut settled = Settled::default();
        let above = pool.bv_ult(two, length);
        settled.learn(&mut pool, &[length], above);
        let sum = pool.bv_add(length, other);
        assert_eq!(settled.apply(&mut pool, &mut variables, sum), sum);
        let below = pool.bv_ule(length, three);
        settled.learn(&mut pool, &[length], below);
        let expected = pool.bv_add(three, other);
        assert_eq!(settled.apply(&mut pool, &mut variables, sum), expected);
        let product = pool.bv_mul(length, seven);
        let product = settled.apply(&mut pool, &mut variables, product);
        assert_eq!(pool.value(product).and_then(Value::as_bits).map(|b| b.unsigned()), Some(21));
    }
}
