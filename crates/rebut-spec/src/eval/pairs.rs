//! Checks each pair of a set of models, without looking at each pair.
//!
//! A pair is wrong if the constraint fails for it. Let all of a list of constraints have to
//! fail: a constraint that compares *keys* (not-equal, different-lengths, kinds) fails only
//! within a group of equal keys, so models are grouped by it and the rest of the list is
//! looked at within groups; a distance fails only between neighbors in sorted order. What
//! can be neither grouped nor sorted is compared pair by pair. So a hundred thousand models
//! are checked in the time it takes to sort them.

use super::{Key, differ, fault, guarded, key};
use crate::ir::{Constraint, Environment, Model, Relation, Value};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};

/// What is wrong with a set of models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// A model does not satisfy the assertions.
    Model {
        /// Which.
        index: usize,
        /// Why not.
        reason: String,
    },
    /// Two models are not different as they must be.
    Pair {
        /// The first.
        left: usize,
        /// The second.
        right: usize,
    },
}

/// Checks every model and every pair of a set.
///
/// # Errors
/// The first thing that is wrong.
pub fn check(environment: &Environment, models: &[Model]) -> Result<(), Violation> {
    for (index, model) in models.iter().enumerate() {
        if let Some(reason) = fault(environment, model) {
            return Err(Violation::Model { index, reason });
        }
    }
    let all: Vec<usize> = (0..models.len()).collect();
    let set = Set { models };
    let default = environment.default_constraint();
    let mut wrong = set.failing(&all, &[&default]);
    if environment.constraint != Constraint::Never && environment.constraint != default {
        wrong = wrong.or_else(|| set.failing(&all, &[&environment.constraint]));
    }
    match wrong {
        Some((left, right)) => Err(Violation::Pair { left, right }),
        None => Ok(()),
    }
}

struct Set<'a> {
    models: &'a [Model],
}

impl Set<'_> {
    /// Two of the models for which all of the constraints fail.
    fn failing(&self, group: &[usize], constraints: &[&Constraint]) -> Option<(usize, usize)> {
        if group.len() < 2 {
            return None;
        }
        let Some(at) = (0..constraints.len()).min_by_key(|at| cost(constraints[*at])) else {
            return Some((group[0], group[1]));
        };
        let first = constraints[at];
        let rest: Vec<&Constraint> =
            constraints.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, c)| *c).collect();
        match first {
            Constraint::Always => None,
            Constraint::Never => self.failing(group, &rest),
            Constraint::Some(parts) | Constraint::Combine { parts, .. } => {
                let more: Vec<&Constraint> = rest.iter().copied().chain(parts).collect();
                self.failing(group, &more)
            }
            Constraint::All(parts) => parts.iter().find_map(|part| {
                let more: Vec<&Constraint> = rest.iter().copied().chain([part]).collect();
                self.failing(group, &more)
            }),
            Constraint::Choice { selector, arms } => {
                let groups = self.grouped(group, |model| model.get(*selector).cloned());
                groups.into_iter().find_map(|(key, members)| {
                    let arm = key
                        .as_ref()
                        .and_then(Value::as_int)
                        .and_then(|at| usize::try_from(at).ok());
                    let inner = arm.and_then(|at| arms.get(at)).map(|arm| &arm.constraint);
                    let more: Vec<&Constraint> = rest.iter().copied().chain(inner).collect();
                    self.failing(&members, &more)
                })
            }
            Constraint::Relate {
                subject,
                guard,
                relation: Relation::NumericDistance(distance),
            } => {
                let groups = self.grouped(group, |model| guarded(subject, guard, model).is_some());
                groups.into_iter().find_map(|(present, members)| {
                    if !present {
                        return self.failing(&members, &rest);
                    }
                    let value = |at: usize| guarded(subject, guard, &self.models[at]);
                    let whole = |at: &usize| value(*at)?.as_int();
                    let numbers: Option<Vec<i128>> = members.iter().map(whole).collect();
                    if let Some(numbers) = numbers {
                        let mut sorted: Vec<_> = numbers.into_iter().zip(members).collect();
                        sorted.sort_unstable();
                        let least = distance.ceil();
                        return self.near(&sorted, &rest, |low, high| {
                            high.checked_sub(*low).is_none_or(|apart| apart >= least)
                        });
                    }
                    let number = |at: usize| value(at).and_then(|value| value.as_real());
                    let mut sorted: Vec<_> =
                        members.into_iter().map(|at| (number(at), at)).collect();
                    sorted.sort_unstable();
                    self.near(&sorted, &rest, |low, high| {
                        let apart = low.zip(*high).and_then(|(low, high)| high.minus(low));
                        apart.is_some_and(|apart| apart >= *distance)
                    })
                })
            }
            Constraint::Relate { relation: Relation::EditDistance(_), .. } => {
                self.each_pair(group, constraints)
            }
            Constraint::Relate { .. } | Constraint::Cover { .. } => {
                let groups = self.grouped(group, |model| key(first, model));
                let shared = groups.into_iter().filter(|(key, _)| *key != Key::Own);
                shared.into_iter().find_map(|(_, members)| self.failing(&members, &rest))
            }
            Constraint::Not(_) | Constraint::Custom(_) => self.each_pair(group, constraints),
        }
    }

    /// The groups of models with equal keys that have at least two members.
    ///
    /// Numbers that stand for the keys are sorted; keys themselves are compared only where
    /// these are equal, which is quicker than a table of all keys.
    fn grouped<K: Eq + Hash>(
        &self,
        group: &[usize],
        key: impl Fn(&Model) -> K,
    ) -> Vec<(K, Vec<usize>)> {
        let hash =
            |at: usize| BuildHasherDefault::<DefaultHasher>::new().hash_one(key(&self.models[at]));
        let mut sorted: Vec<(u64, usize)> = group.iter().map(|at| (hash(*at), *at)).collect();
        sorted.sort_unstable();
        let mut groups: Vec<(K, Vec<usize>)> = Vec::new();
        for run in sorted.chunk_by(|left, right| left.0 == right.0).filter(|run| run.len() > 1) {
            let mut own: Vec<(K, Vec<usize>)> = Vec::new();
            for (_, at) in run {
                let found = key(&self.models[*at]);
                match own.iter_mut().find(|(known, _)| *known == found) {
                    Some((_, members)) => members.push(*at),
                    None => own.push((found, vec![*at])),
                }
            }
            groups.extend(own.into_iter().filter(|(_, members)| members.len() > 1));
        }
        groups.sort_unstable_by_key(|(_, members)| members[0]);
        groups
    }

    /// Of models that are sorted by a number: two that are not far from each other, and for
    /// which the rest fails too.
    fn near<N>(
        &self,
        sorted: &[(N, usize)],
        rest: &[&Constraint],
        is_far: impl Fn(&N, &N) -> bool,
    ) -> Option<(usize, usize)> {
        for (at, (low, left)) in sorted.iter().enumerate() {
            for (high, right) in &sorted[at + 1..] {
                if is_far(low, high) {
                    break;
                }
                if self.fails(*left, *right, rest) {
                    return Some((*left, *right));
                }
            }
        }
        None
    }

    fn each_pair(&self, group: &[usize], constraints: &[&Constraint]) -> Option<(usize, usize)> {
        for (at, left) in group.iter().enumerate() {
            for right in &group[at + 1..] {
                if self.fails(*left, *right, constraints) {
                    return Some((*left, *right));
                }
            }
        }
        None
    }

    /// Do all of the constraints fail for two models, in one of the two orders?
    fn fails(&self, left: usize, right: usize, constraints: &[&Constraint]) -> bool {
        let (left, right) = (&self.models[left], &self.models[right]);
        constraints.iter().all(|constraint| !differ(constraint, left, right))
            || constraints.iter().all(|constraint| !differ(constraint, right, left))
    }
}

/// Which constraint to look at first: those that group come before those that compare.
fn cost(constraint: &Constraint) -> u8 {
    match constraint {
        Constraint::Always => 0,
        Constraint::Never | Constraint::Some(_) | Constraint::Combine { .. } => 1,
        Constraint::Choice { .. } | Constraint::Cover { .. } => 2,
        Constraint::Relate { relation, .. } => match relation {
            Relation::NumericDistance(_) => 4,
            Relation::EditDistance(_) => 6,
            _ => 3,
        },
        Constraint::All(_) => 5,
        Constraint::Not(_) | Constraint::Custom(_) => 7,
    }
}
