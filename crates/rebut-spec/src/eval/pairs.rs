//! Checks every pair of a set of models without comparing every pair.
//!
//! The check looks for a pair for which all of a list of constraints fail. It starts with the
//! whole constraint as the only one in the list; a disjunction fails if all of its parts do, so
//! it adds its parts to the list. A constraint that compares *keys* (not-equal,
//! different-lengths, structural classes) fails only for equal keys, so the models are grouped
//! by key, and each group is checked against the rest of the list. A distance fails only between
//! neighbors in sorted order. Constraints that can be neither grouped nor sorted are compared
//! pair by pair.
//!
//! So 100,000 models with a `not-equal` or a distance are checked in the time that sorting them takes.

use super::{Key, differ, fault, guarded, key};
use crate::ir::{Constraint, Environment, Model, Relation, Value};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};

/// A violated assertion or constraint in a set of models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// A model does not satisfy the assertions.
    Model {
        /// The index of the model.
        index: usize,
        /// The reason.
        reason: String,
    },
    /// Two models do not satisfy the constraint.
    Pair {
        /// The index of the first model.
        left: usize,
        /// The index of the second model.
        right: usize,
    },
}

/// Checks every model and every pair of a set.
///
/// # Errors
/// The first violation.
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
    /// Finds two models of a group for which all of the constraints fail.
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
                let shared = groups.into_iter().filter(|(key, _)| *key != Key::Unique);
                shared.into_iter().find_map(|(_, members)| self.failing(&members, &rest))
            }
            Constraint::Not(_) | Constraint::Custom(_) => self.each_pair(group, constraints),
        }
    }

    /// The groups of models with equal keys that have at least two members.
    ///
    /// Hashes are sorted first; keys are compared only where hashes are equal, which is faster
    /// than a hash map of all keys.
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

    /// Finds two models, sorted by a number, that are not far from each other and for which the
    /// rest fails, too.
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

    /// Whether all of the constraints fail for two models, in one of the two orders.
    fn fails(&self, left: usize, right: usize, constraints: &[&Constraint]) -> bool {
        let (left, right) = (&self.models[left], &self.models[right]);
        constraints.iter().all(|constraint| !differ(constraint, left, right))
            || constraints.iter().all(|constraint| !differ(constraint, right, left))
    }
}

/// The order in which constraints are applied: those that divide the models into groups come
/// before those that compare pairs.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Program;

    /// Checks all sets of three models of two small numbers, and compares with each pair.
    fn agrees_with_each_pair(constraint: &str) {
        let text = format!(
            "(declare x ?(Integer 0 2)) (declare y ?(Integer 0 2))
             (generate g 3 (output x y) (constrain-solutions x {constraint}))"
        );
        let program = Program::parse("test.rebut", &text);
        assert_eq!(program.diagnostics, []);
        let environment = &program.environments[0];
        let all: Vec<Model> =
            (0..9).map(|n| Model([n / 3, n % 3].map(Value::Int).into())).collect();
        let default = environment.default_constraint();
        let is_pair = |left: &Model, right: &Model| {
            [&default, &environment.constraint].iter().all(|constraint| {
                differ(constraint, left, right) && differ(constraint, right, left)
            })
        };
        for at in 0..9 * 9 * 9 {
            let set = [at % 9, at / 9 % 9, at / 81].map(|at| all[at].clone());
            let expected =
                is_pair(&set[0], &set[1]) && is_pair(&set[0], &set[2]) && is_pair(&set[1], &set[2]);
            assert_eq!(check(environment, &set).is_ok(), expected, "{constraint} {set:?}");
        }
    }

    #[test]
    fn checking_a_set_is_checking_each_pair() {
        agrees_with_each_pair("not-equal");
        agrees_with_each_pair("(numeric-distance 2)");
        agrees_with_each_pair("(some-of (numeric-distance 2) (relation y not-equal))");
        agrees_with_each_pair("(all-of not-equal (relation y not-equal))");
        agrees_with_each_pair("(some-of (not not-equal) (relation y (numeric-distance 2)))");
        agrees_with_each_pair("(λ (a b) (< a b))");
    }
}
