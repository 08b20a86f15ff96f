//! What earlier queries tell about this one.
//!
//! A group of assertions that was asked before has its answer. A group that contains one that
//! cannot be true cannot be true either. And a model of another query often fits, which the
//! evaluator decides (the counterexample cache of KLEE; Cadar, Dunbar and Engler 2008).

use std::collections::{HashMap, VecDeque};

use crate::pool::{Mixing, TermMap};
use crate::{Model, Pool, Term};

/// How many models are tried, the latest first.
const MODELS_MAX: usize = 16;

/// How many groups are remembered before the memory starts anew.
const GROUPS_MAX: usize = 100_000;

#[derive(Debug, Default)]
pub(crate) struct Cache {
    known: HashMap<Vec<Term>, Option<Model>, Mixing>,
    /// Groups that cannot be true, by their first member.
    contradictions: TermMap<Vec<Vec<Term>>>,
    models: VecDeque<Model>,
}

/// What the cache says of a group: a model, or that there is none.
pub(crate) type Known = Option<Model>;

impl Cache {
    /// The answer to just this group.
    pub(crate) fn exact(&self, group: &[Term]) -> Option<&Known> {
        self.known.get(group)
    }

    /// Whether a part of the group is known not to be possible.
    pub(crate) fn has_contradiction(&self, group: &[Term]) -> bool {
        let contains = |part: &Vec<Term>| part.iter().all(|term| group.binary_search(term).is_ok());
        let known = group.iter().filter_map(|term| self.contradictions.get(term));
        known.flatten().any(contains)
    }

    /// An earlier model that fits, cut down to the variables of the group.
    pub(crate) fn model(&self, pool: &Pool, group: &[Term]) -> Option<Model> {
        // The term that was made last is most often what is new in a question.
        let newest = group.last().map_or(&[][..], std::slice::from_ref);
        let fits = |model: &&Model| model.satisfies(pool, newest) && model.satisfies(pool, group);
        let model = self.models.iter().find(fits)?;
        Some(model.restricted(pool, group))
    }

    pub(crate) fn remember(&mut self, group: &[Term], known: Known) {
        if self.known.len() >= GROUPS_MAX {
            *self = Cache::default();
        }
        match &known {
            Some(model) => self.keep(model.clone()),
            None => {
                if let Some(first) = group.first() {
                    self.contradictions.entry(*first).or_default().push(group.to_vec());
                }
            }
        }
        self.known.insert(group.to_vec(), known);
    }

    fn keep(&mut self, model: Model) {
        self.models.push_front(model);
        self.models.truncate(MODELS_MAX);
    }
}
