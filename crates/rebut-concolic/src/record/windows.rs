//! What symbolic addresses can be.
//!
//! Paths that begin alike come to the same addresses under the same conditions, run after run. So
//! what was inferred of an address once is kept, for as long as its terms are.

use std::collections::HashMap;

use rebut_smt::{Bounds, Pool, Term};

/// So many addresses are remembered before the memory starts anew.
const KNOWN_MAX: usize = 20_000;

#[derive(Debug, Default)]
pub(super) struct Windows {
    /// By the conditions, and the address behind them.
    known: HashMap<Vec<Term>, Option<Bounds>>,
}

impl Windows {
    /// What an address can be under these conditions, if that can be inferred.
    pub(super) fn bounds(
        &mut self,
        pool: &Pool,
        mut conditions: Vec<Term>,
        address: Term,
    ) -> Option<Bounds> {
        conditions.push(address);
        if let Some(known) = self.known.get(&conditions) {
            return *known;
        }
        if self.known.len() >= KNOWN_MAX {
            self.known.clear();
        }
        let assertions = &conditions[..conditions.len() - 1];
        let bounds = Bounds::infer(pool, assertions, address);
        self.known.insert(conditions, bounds);
        bounds
    }
}

#[cfg(test)]
mod tests {
    use rebut_smt::Sort;

    use super::*;

    #[test]
    fn an_address_is_bounded_anew_under_other_conditions() {
        let mut pool = Pool::new();
        let address = pool.var("address", Sort::BitVec(32));
        let [few, fewer] = [8, 4].map(|number| pool.bits(32, number));
        let [below_few, below_fewer] = [few, fewer].map(|limit| pool.bv_ult(address, limit));
        let mut windows = Windows::default();
        for _ in 0..2 {
            let mut max = |conditions: &[Term]| {
                windows.bounds(&pool, conditions.to_vec(), address).map(|bounds| bounds.max)
            };
            assert_eq!(max(&[below_few]), Some(7));
            assert_eq!(max(&[below_few, below_fewer]), Some(3));
        }
        assert_eq!(windows.known.len(), 2);
    }
}
