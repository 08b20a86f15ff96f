//! Finds a condition that separates some regions from others.
//!
//! The module comment of `decide` explains the three forms and their order.

use crate::decide::atoms::Atom;
use crate::decide::path_end::PathEnd;
use crate::decide::questions::{PathQuestions, REGIONS_MAX, Region};
use crate::plan::Parameter;
use crate::read::value::ParameterType;
use rebut_smt::Term;
use std::cmp::Reverse;

/// The largest number of atoms in a condition. A longer one counts as unreadable, and is not
/// written. Arbitrary.
const ATOMS_MAX: usize = 4;
/// The number of atoms that are tried to split a condition into two cases, the most readable first.
/// Arbitrary.
const SPLITS_MAX: usize = 40;

/// A condition under which the test ends in a given way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Assumption {
    /// The condition as Rust code; `None` if it is always true.
    pub(crate) text: Option<String>,
    /// Whether it is proved for all inputs, and not only for the explored paths.
    pub(crate) is_proved: bool,
}

impl PathQuestions<'_> {
    /// Returns the condition on the free parameters under which the test passes. `None` if there is
    /// no simple one.
    pub(crate) fn assumption_to_pass(&mut self) -> Option<Assumption> {
        let passing = self.paths_that(|end| end == PathEnd::Passes);
        let others = self.paths_that(|end| {
            matches!(end, PathEnd::Assertion | PathEnd::Refuses | PathEnd::Mistake)
        });
        let own = self.paths.own;
        let passing = [own].into_iter().chain(passing.into_iter().filter(|path| *path != own));
        let inside: Vec<Region> =
            passing.take(REGIONS_MAX).filter_map(|path| self.restricted(path, |_| true)).collect();
        let others = others.iter().take(REGIONS_MAX);
        let outside: Vec<Region> =
            others.filter_map(|path| self.restricted(*path, |_| true)).collect();
        if inside.is_empty() {
            return None;
        }
        self.separate(&inside, &outside, &self.free_parameters())
    }

    /// Returns those of the given paths that end alike whatever result is expected, and the
    /// condition on the inputs under which they are taken.
    pub(crate) fn assumption_to_take(
        &mut self,
        paths: &[usize],
    ) -> (Vec<usize>, Option<Assumption>) {
        let inputs = self.input_parameters();
        let is_expected = |nth: usize| !inputs.contains(&nth);
        let mut taken = Vec::new();
        let mut inside = Vec::new();
        for path in paths.iter().take(REGIONS_MAX) {
            if let Some(region) = self.restricted(*path, is_expected) {
                taken.push(*path);
                inside.push(region);
            }
        }
        let others = self.paths_that(|end| end != PathEnd::Unknown);
        let others = others.into_iter().filter(|path| !paths.contains(path));
        let others: Vec<usize> = others.take(REGIONS_MAX).collect();
        let outside: Vec<Region> =
            others.iter().filter_map(|path| self.restricted(*path, is_expected)).collect();
        if taken.is_empty() {
            return (taken, None);
        }
        let assumption = self.separate(&inside, &outside, &inputs);
        (taken, assumption)
    }

    /// Returns a condition on these parameters that is true inside and false outside.
    fn separate(
        &mut self,
        inside: &[Region],
        outside: &[Region],
        free: &[usize],
    ) -> Option<Assumption> {
        let is_proved = self.is_exhaustive(free);
        if outside.is_empty() {
            return Some(Assumption { text: None, is_proved });
        }
        let atoms: Vec<Atom> = self
            .atoms(free)
            .into_iter()
            .flat_map(|atom| {
                let opposite = Atom {
                    text: atom.negated.clone(),
                    negated: atom.text.clone(),
                    term: self.paths.pool.not(atom.term),
                    cost: atom.cost,
                };
                [atom, opposite]
            })
            .collect();
        let text = self
            .conjunction(inside, outside, &atoms)
            .map(|atoms| joined(&atoms))
            .or_else(|| {
                let atoms = self.conjunction(outside, inside, &atoms)?;
                let negated: Vec<String> = atoms.iter().map(|atom| atom.negated.clone()).collect();
                Some(negated.join(" || "))
            })
            .or_else(|| self.split(inside, outside, &atoms))?;
        Some(Assumption { text: Some(text), is_proved })
    }

    /// Whether the explored paths cover all inputs. Strings and lists are explored up to a length,
    /// strings with some characters only, and `u128` up to half of its numbers.
    fn is_exhaustive(&self, free: &[usize]) -> bool {
        let has_unknown = self.ends.contains(&PathEnd::Unknown);
        let are_all_compared = self.paths.all.len() <= REGIONS_MAX;
        let is_half_explored = |parameter: &Parameter| {
            parameter.ty.as_ref().is_some_and(ParameterType::is_half_explored)
        };
        let has_bounds = free.iter().any(|nth| match &self.plan.parameters[*nth] {
            mock if mock.is_mock() => self.paths.has_bounded_answers,
            other => !other.is_scalar() || is_half_explored(other),
        });
        self.paths.is_complete && are_all_compared && !has_unknown && !has_bounds
    }

    /// Returns a few atoms that are all true inside, and of which one is false in each region
    /// outside: a greedy cover, then deletion for the rest.
    fn conjunction(
        &mut self,
        inside: &[Region],
        outside: &[Region],
        atoms: &[Atom],
    ) -> Option<Vec<Atom>> {
        let mut open: Vec<&Region> = outside.iter().collect();
        let mut chosen: Vec<Atom> = Vec::new();
        let valid: Vec<&Atom> = atoms
            .iter()
            .filter(|atom| inside.iter().all(|region| self.is_implied(region, atom.term)))
            .collect();
        while !open.is_empty() {
            if chosen.len() >= ATOMS_MAX {
                return None;
            }
            let mut best: Option<(usize, &Atom, Vec<bool>)> = None;
            for atom in &valid {
                let refuted: Vec<bool> =
                    open.iter().map(|region| self.is_refuted(region, atom.term)).collect();
                let count = refuted.iter().filter(|refuted| **refuted).count();
                let is_better = best.as_ref().is_none_or(|(most, known, _)| {
                    (count, Reverse(atom.cost)) > (*most, Reverse(known.cost))
                });
                if count > 0 && is_better {
                    best = Some((count, atom, refuted));
                }
            }
            let Some((_, atom, refuted)) = best else {
                let open: Vec<Region> = open.into_iter().cloned().collect();
                chosen.extend(self.minimized(&open, &valid, ATOMS_MAX - chosen.len())?);
                break;
            };
            chosen.push(atom.clone());
            let mut refuted = refuted.into_iter();
            open.retain(|_| refuted.next() == Some(false));
        }
        chosen.sort_by_key(|atom| self.first_parameter(&atom.text));
        Some(chosen)
    }

    /// Finds at most `most` atoms that together exclude every open region when no single atom does.
    /// Starts with all of them and deletes.
    fn minimized(&mut self, open: &[Region], valid: &[&Atom], most: usize) -> Option<Vec<Atom>> {
        let is_refuted = |questions: &mut Self, atoms: &[&Atom]| {
            let terms: Vec<Term> = atoms.iter().map(|atom| atom.term).collect();
            let all = questions.paths.pool.all(&terms);
            open.iter().all(|region| questions.is_refuted(region, all))
        };
        let mut kept = valid.to_vec();
        if !is_refuted(self, &kept) {
            return None;
        }
        // The least readable atoms are last, and are deleted first.
        for nth in (0..valid.len()).rev() {
            let fewer = [&kept[..nth], &kept[nth + 1..]].concat();
            if is_refuted(self, &fewer) {
                kept = fewer;
            }
        }
        (kept.len() <= most).then(|| kept.into_iter().cloned().collect())
    }

    /// Returns the index of the first parameter that a condition names.
    fn first_parameter(&self, text: &str) -> usize {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let words: Vec<&str> = text.split(|c| !is_word(c)).collect();
        let mut parameters = self.plan.parameters.iter();
        parameters.position(|parameter| words.contains(&parameter.name())).unwrap_or(usize::MAX)
    }

    /// Returns a condition with two cases, each with a conjunction of its own.
    fn split(&mut self, inside: &[Region], outside: &[Region], atoms: &[Atom]) -> Option<String> {
        for atom in atoms.iter().take(SPLITS_MAX) {
            let opposite = self.paths.pool.not(atom.term);
            let (mut yes, mut no) = (Vec::new(), Vec::new());
            for region in inside {
                if self.is_implied(region, atom.term) {
                    yes.push(region.clone());
                } else if self.is_implied(region, opposite) {
                    no.push(region.clone());
                }
            }
            if yes.is_empty() || no.is_empty() || yes.len() + no.len() < inside.len() {
                continue;
            }
            let [outside_yes, outside_no] =
                [atom.term, opposite].map(|term| self.narrowed_regions(outside, term));
            let Some(first) = self.conjunction(&yes, &outside_yes, atoms) else { continue };
            let Some(second) = self.conjunction(&no, &outside_no, atoms) else { continue };
            if first.len() + second.len() > ATOMS_MAX {
                continue;
            }
            let (one, other) = (joined(&first), joined(&second));
            return Some(match (first.is_empty(), second.is_empty()) {
                (true, true) => continue,
                (true, false) => format!("{} || ({other})", atom.text),
                (false, true) => format!("{} || ({one})", atom.negated),
                (false, false) => {
                    format!("({} && {one}) || ({} && {other})", atom.text, atom.negated)
                }
            });
        }
        None
    }

    /// Returns the parts of regions where a term is true, without empty ones.
    fn narrowed_regions(&mut self, regions: &[Region], term: Term) -> Vec<Region> {
        let mut narrowed = Vec::new();
        for region in regions {
            if !self.is_refuted(region, term) {
                narrowed.push(self.narrowed(region, term));
            }
        }
        narrowed
    }
}

fn joined(atoms: &[Atom]) -> String {
    let texts: Vec<&str> = atoms.iter().map(|atom| atom.text.as_str()).collect();
    texts.join(" && ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::bindings::Binding;
    use crate::decide::testing::{HandMade, at_least, less};
    use rebut_concolic::Budget;
    use rebut_smt::Pool;

    const CHANGE: &str = "
        fn change(price: u32, paid: u32) -> u32 { assert!(price <= paid); paid - price }
        #[test] fn gives_change() { assert_eq!(change(3, 10), 7); }
    ";

    /// The example of the module comment of `decide`.
    fn change() -> HandMade {
        let mut example = HandMade::new(CHANGE, &["u32", "u32", "u32"]);
        let ends = [
            (PathEnd::Passes, [3, 10, 7]),
            (PathEnd::Assertion, [3, 10, 0]),
            (PathEnd::Refuses, [3, 0, 7]),
        ];
        for (end, numbers) in ends {
            example.path(end, &numbers, &[32; 3], |pool, draws| {
                let [price, paid, expected] = [draws[0], draws[1], draws[2]];
                let is_short = less(pool, paid, price);
                if end == PathEnd::Refuses {
                    return vec![is_short];
                }
                let difference = pool.bv_sub(paid, price);
                let is_expected = pool.eq(difference, expected);
                let is_unexpected = pool.not(is_expected);
                let passes = end == PathEnd::Passes;
                vec![pool.not(is_short), if passes { is_expected } else { is_unexpected }]
            });
        }
        example
    }

    /// Builds a condition on two bytes.
    type Condition = fn(&mut Pool, Term, Term) -> Term;

    /// Returns the condition under which a test of two bytes passes. Each path has an end, an input
    /// and a condition.
    fn assumption(paths: Vec<(PathEnd, [i128; 2], Condition)>) -> Option<Assumption> {
        let text = "fn f(x: u8, y: u8) {} #[test] fn holds() { f(4, 7); }";
        let mut example = HandMade::new(text, &["u8", "u8"]);
        for (end, numbers, condition) in paths {
            example.path(end, &numbers, &[8, 8], |pool, draws| {
                vec![condition(pool, draws[0], draws[1])]
            });
        }
        let HandMade { plan, mut paths, ends } = example;
        let budget = Budget::default();
        PathQuestions::new(&plan, &mut paths, &ends, &budget).assumption_to_pass()
    }

    fn proved(text: &str) -> Option<Assumption> {
        Some(Assumption { text: Some(text.to_owned()), is_proved: true })
    }

    #[test]
    fn the_example_of_the_module_comment_is_separated() {
        let HandMade { plan, mut paths, ends } = change();
        let budget = Budget::default();
        let mut questions = PathQuestions::new(&plan, &mut paths, &ends, &budget);
        questions.bind();
        let expected = Binding::Expression("paid - price".to_owned());
        assert_eq!(questions.bindings, [None, None, Some(expected)]);
        assert_eq!(questions.assumption_to_pass(), proved("price <= paid"));
        let rejected = (vec![2], proved("price > paid"));
        assert_eq!(questions.assumption_to_take(&[2]), rejected);
    }

    #[test]
    fn nothing_is_proved_if_paths_are_missing() {
        let HandMade { plan, mut paths, ends } = change();
        paths.is_complete = false;
        let budget = Budget::default();
        let mut questions = PathQuestions::new(&plan, &mut paths, &ends, &budget);
        questions.bind();
        let assumption = questions.assumption_to_pass().expect("a condition");
        assert_eq!(assumption.text.as_deref(), Some("price <= paid"));
        assert!(!assumption.is_proved);
    }

    #[test]
    fn no_condition_is_needed_if_all_paths_pass() {
        let always = assumption(vec![
            (PathEnd::Passes, [4, 7], |pool, x, _| at_least(pool, x, 2)),
            (PathEnd::Passes, [0, 7], |pool, x, _| {
                let is_large = at_least(pool, x, 2);
                pool.not(is_large)
            }),
        ]);
        assert_eq!(always, Some(Assumption { text: None, is_proved: true }));
    }

    #[test]
    fn atoms_refute_a_region_together_if_none_does_alone() {
        let both = assumption(vec![
            (PathEnd::Passes, [4, 7], |pool, x, y| {
                let (x, y) = (at_least(pool, x, 2), at_least(pool, y, 2));
                pool.and(x, y)
            }),
            (PathEnd::Assertion, [0, 7], |pool, x, y| {
                let (x, y) = (at_least(pool, x, 2), at_least(pool, y, 2));
                let both = pool.and(x, y);
                pool.not(both)
            }),
        ]);
        assert_eq!(both, proved("x >= 2 && y >= 2"));
    }

    #[test]
    fn the_negation_of_a_conjunction_is_a_disjunction() {
        let either = assumption(vec![
            (PathEnd::Passes, [4, 7], |pool, x, y| {
                let (x, y) = (at_least(pool, x, 9), at_least(pool, y, 9));
                let both = pool.and(x, y);
                pool.not(both)
            }),
            (PathEnd::Assertion, [9, 9], |pool, x, y| {
                let (x, y) = (at_least(pool, x, 9), at_least(pool, y, 9));
                pool.and(x, y)
            }),
        ]);
        assert_eq!(either, proved("x < 9 || y < 9"));
    }

    #[test]
    fn a_condition_is_split_into_two_cases() {
        fn both(pool: &mut Pool, x: Term, y: Term, signs: [bool; 2]) -> Term {
            let sides = [(x, signs[0]), (y, signs[1])].map(|(number, is_large)| {
                let at_least = at_least(pool, number, 2);
                if is_large { at_least } else { pool.not(at_least) }
            });
            pool.and(sides[0], sides[1])
        }
        let cases = assumption(vec![
            (PathEnd::Passes, [4, 7], |pool, x, y| both(pool, x, y, [true, true])),
            (PathEnd::Passes, [0, 0], |pool, x, y| both(pool, x, y, [false, false])),
            (PathEnd::Assertion, [0, 7], |pool, x, y| both(pool, x, y, [false, true])),
            (PathEnd::Assertion, [4, 0], |pool, x, y| both(pool, x, y, [true, false])),
        ]);
        assert_eq!(cases, proved("(x >= 2 && y >= 2) || (x < 2 && y < 2)"));
    }

    #[test]
    fn regions_that_no_atom_describes_are_not_separated() {
        fn is_odd(pool: &mut Pool, x: Term, y: Term) -> Term {
            let product = pool.bv_mul(x, y);
            let one = pool.bits(8, 1);
            let last = pool.bv_and(product, one);
            pool.eq(last, one)
        }
        let none = assumption(vec![
            (PathEnd::Passes, [4, 7], |pool, x, y| {
                let is_odd = is_odd(pool, x, y);
                pool.not(is_odd)
            }),
            (PathEnd::Assertion, [5, 7], is_odd),
        ]);
        assert_eq!(none, None);
    }
}
