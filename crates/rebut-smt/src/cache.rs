//! Answers of earlier queries, reused for this one.
//!
//! A group of assertions that was checked before has its answer. A group that contains a
//! contradictory group is contradictory too. A model of another query often fits, and the
//! evaluator decides whether it does (the counterexample cache of KLEE; Cadar, Dunbar and Engler
//! 2008, section 3.3).
//!
//! KLEE finds subsets and supersets of a group with a special tree (UBTree). This cache is
//! simpler: it has a list of contradictions by first member, and the latest models.

use std::collections::{HashMap, VecDeque};

use crate::pool::{Mixing, TermMap};
use crate::{Model, Pool, Term};

/// The number of latest models that [`Cache::fitting_model`] tries. Arbitrary. A model that was
/// pushed out is found again by the next layers.
const MODELS_MAX: usize = 16;

/// The number of latest contradictions with one first member. Arbitrary: a query looks at all that
/// begin with one of its assertions. One that was pushed out is found again by the next layers.
const CONTRADICTIONS_MAX: usize = 64;

/// The number of groups in the cache. Arbitrary; it bounds memory. When it is reached, the cache
/// starts empty again.
const GROUPS_MAX: usize = 100_000;

/// The cache of one solver, for the terms of one pool.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    answers: HashMap<Vec<Term>, CachedAnswer, Mixing>,
    /// Groups that cannot be true, by their first member.
    contradictions: TermMap<VecDeque<Vec<Term>>>,
    /// The latest models, newest first.
    models: VecDeque<Model>,
}

/// The decided answer to a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CachedAnswer {
    Sat(Model),
    Unsat,
}

impl Cache {
    /// Returns the answer to exactly this group.
    pub(crate) fn get(&self, group: &[Term]) -> Option<&CachedAnswer> {
        self.answers.get(group)
    }

    /// Whether the group, which must be sorted, contains a contradictory group.
    pub(crate) fn has_contradiction(&self, group: &[Term]) -> bool {
        let contains = |part: &Vec<Term>| part.iter().all(|term| group.binary_search(term).is_ok());
        let candidates = group.iter().filter_map(|term| self.contradictions.get(term));
        candidates.flatten().any(contains)
    }

    /// Returns an earlier model that satisfies the group, restricted to its variables.
    pub(crate) fn fitting_model(&self, pool: &Pool, group: &[Term]) -> Option<Model> {
        // The newest term is usually the one that earlier models do not satisfy, so it is
        // checked first.
        let newest = group.last().map_or(&[][..], std::slice::from_ref);
        let fits = |model: &&Model| model.satisfies(pool, newest) && model.satisfies(pool, group);
        let model = self.models.iter().find(fits)?;
        Some(model.restricted(pool, group))
    }

    pub(crate) fn insert(&mut self, group: &[Term], answer: CachedAnswer) {
        if self.answers.len() >= GROUPS_MAX {
            *self = Cache::default();
        }
        match &answer {
            CachedAnswer::Sat(model) => {
                self.models.push_front(model.clone());
                self.models.truncate(MODELS_MAX);
            }
            CachedAnswer::Unsat => self.add_contradiction(group),
        }
        self.answers.insert(group.to_vec(), answer);
    }

    /// Remembers that these assertions, in order, cannot all be true, unless that follows from
    /// what is known.
    pub(crate) fn add_contradiction(&mut self, core: &[Term]) {
        let Some(first) = core.first() else { return };
        if self.has_contradiction(core) {
            return;
        }
        let known = self.contradictions.entry(*first).or_default();
        known.push_front(core.to_vec());
        known.truncate(CONTRADICTIONS_MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bits, Sort, Value};

    #[test]
    fn supersets_of_a_contradiction_are_contradictory() {
        let mut pool = Pool::new();
        let [p, q, r] = ["p", "q", "r"].map(|name| pool.var(name, Sort::Bool));
        let mut cache = Cache::default();
        cache.insert(&[p, r], CachedAnswer::Unsat);
        assert_eq!(cache.get(&[p, r]), Some(&CachedAnswer::Unsat));
        assert!(cache.has_contradiction(&[p, q, r]));
        assert!(!cache.has_contradiction(&[p, q]));
        assert_eq!(cache.get(&[p, q, r]), None);
    }

    #[test]
    fn earlier_models_serve_other_groups_that_they_satisfy() {
        let mut pool = Pool::new();
        let (x, y) = (pool.var("x", Sort::BitVec(8)), pool.var("y", Sort::BitVec(8)));
        let (three, five) = (pool.bits(8, 3), pool.bits(8, 5));
        let (below_five, below_three) = (pool.bv_ult(x, five), pool.bv_ult(x, three));
        let value = |number| Value::Bits(Bits::new(8, number));
        let mut cache = Cache::default();
        let model = Model::new([(x, value(4)), (y, value(9))]);
        cache.insert(&[below_five, y], CachedAnswer::Sat(model));
        let found = cache.fitting_model(&pool, &[below_five]);
        assert_eq!(found, Some(Model::new([(x, value(4))])));
        assert_eq!(cache.fitting_model(&pool, &[below_three]), None);
    }

    #[test]
    fn only_the_latest_models_are_kept() {
        let mut pool = Pool::new();
        let x = pool.var("x", Sort::Int);
        let mut cache = Cache::default();
        for number in 0..=MODELS_MAX as i128 {
            let constant = pool.int(number);
            let group = [pool.eq(x, constant)];
            cache.insert(&group, CachedAnswer::Sat(Model::new([(x, Value::Int(number))])));
        }
        let (zero, one) = (pool.int(0), pool.int(1));
        let (is_zero, is_one) = (pool.eq(x, zero), pool.eq(x, one));
        assert_eq!(cache.fitting_model(&pool, &[is_zero]), None);
        assert!(cache.fitting_model(&pool, &[is_one]).is_some());
    }
}
