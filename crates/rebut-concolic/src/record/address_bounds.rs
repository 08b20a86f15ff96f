//! The possible values of symbolic addresses.
//!
//! Paths with a common beginning compute the same addresses under the same conditions, run after
//! run. So the bounds that were inferred for an address are cached as long as its terms exist.

use std::collections::HashMap;

use rebut_smt::{Bounds, Pool, Term};

/// The largest number of cached bounds. A full cache is emptied, which only costs time. Arbitrary.
const CACHE_MAX: usize = 20_000;

#[derive(Debug, Default)]
pub(super) struct AddressBounds {
    /// Bounds by the conditions, followed by the address.
    cache: HashMap<Vec<Term>, Option<Bounds>>,
}

impl AddressBounds {
    /// Returns the bounds of an address under these conditions, if they can be inferred.
    pub(super) fn bounds(
        &mut self,
        pool: &Pool,
        mut conditions: Vec<Term>,
        address: Term,
    ) -> Option<Bounds> {
        conditions.push(address);
        if let Some(bounds) = self.cache.get(&conditions) {
            return *bounds;
        }
        if self.cache.len() >= CACHE_MAX {
            self.cache.clear();
        }
        let assertions = &conditions[..conditions.len() - 1];
        let bounds = Bounds::infer(pool, assertions, address);
        self.cache.insert(conditions, bounds);
        bounds
    }
}

#[cfg(test)]
mod tests {
    use rebut_smt::Sort;

    use super::*;

    #[test]
    fn bounds_are_cached_per_condition() {
        let mut pool = Pool::new();
        let address = pool.var("address", Sort::BitVec(32));
        let [few, fewer] = [8, 4].map(|number| pool.bits(32, number));
        let [below_few, below_fewer] = [few, fewer].map(|limit| pool.bv_ult(address, limit));
        let mut address_bounds = AddressBounds::default();
        for _ in 0..2 {
            let mut max = |conditions: &[Term]| {
                address_bounds.bounds(&pool, conditions.to_vec(), address).map(|bounds| bounds.max)
            };
            assert_eq!(max(&[below_few]), Some(7));
            assert_eq!(max(&[below_few, below_fewer]), Some(3));
        }
        assert_eq!(address_bounds.cache.len(), 2);
    }
}
