//! Draws that the path has fixed to one value.
//!
//! Once a path has compared a length with 3 and they were equal, later computations with that
//! length are as good as plain. Replacing the draw by its value keeps sizes and addresses from
//! becoming large expressions, and branches that can only go one way from becoming solver queries.

use std::collections::HashMap;

use rebut_smt::{Bounds, Pool, Term};

use crate::slice::VariableCache;

/// The number of conditions on one draw after which its bounds are no longer inferred. Each
/// inference looks at all conditions of the draw, so without a limit a loop costs quadratic time.
/// At the limit a fixed draw stays symbolic, which only costs solver queries. Arbitrary.
const LIMITS_MAX: usize = 48;

#[derive(Debug, Default)]
pub(super) struct FixedDraws {
    /// The values of the fixed draws.
    values: HashMap<Term, Term>,
    /// The conditions that constrain one draw alone.
    limits: HashMap<Term, Vec<Term>>,
    /// Cached terms, with fixed draws replaced.
    replaced: HashMap<Term, Term>,
}

impl FixedDraws {
    pub(super) fn clear(&mut self) {
        self.values.clear();
        self.limits.clear();
        self.replaced.clear();
    }

    /// Learns a condition that is true for the rest of the path.
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
            self.replaced.clear();
        }
    }

    /// Returns the term with all fixed draws replaced by their values.
    pub(super) fn apply(
        &mut self,
        pool: &mut Pool,
        variables: &mut VariableCache,
        term: Term,
    ) -> Term {
        let is_settled = |variable: &Term| self.values.contains_key(variable);
        if self.values.is_empty() || !variables.of_term(pool, term).iter().any(is_settled) {
            return term;
        }
        if let Some(replaced) = self.replaced.get(&term) {
            return *replaced;
        }
        if self.replaced.is_empty() {
            self.replaced.clone_from(&self.values);
        }
        pool.replaced(&[term], &mut self.replaced).first().copied().unwrap_or(term)
    }
}

#[cfg(test)]
mod tests {
    use rebut_smt::{Sort, Value};

    use super::*;

    #[test]
    fn a_draw_between_equal_bounds_is_fixed() {
        let mut pool = Pool::new();
        let mut variables = VariableCache::default();
        let [length, other] = ["length", "other"].map(|name| pool.var(name, Sort::BitVec(32)));
        let [two, three, seven] = [2, 3, 7].map(|number| pool.bits(32, number));
        let mut fixed_draws = FixedDraws::default();
        let above = pool.bv_ult(two, length);
        fixed_draws.learn(&mut pool, &[length], above);
        let sum = pool.bv_add(length, other);
        assert_eq!(fixed_draws.apply(&mut pool, &mut variables, sum), sum);
        let below = pool.bv_ule(length, three);
        fixed_draws.learn(&mut pool, &[length], below);
        let expected = pool.bv_add(three, other);
        assert_eq!(fixed_draws.apply(&mut pool, &mut variables, sum), expected);
        let product = pool.bv_mul(length, seven);
        let product = fixed_draws.apply(&mut pool, &mut variables, product);
        assert_eq!(pool.value(product).and_then(Value::as_bits).map(|b| b.unsigned()), Some(21));
    }
}
