//! Finds a readable input of a path: original values where possible, otherwise small numbers.
//!
//! The input of a path that exploration found is any model of the solver. An example that differs
//! from the original test in one number shows better what the path is about. So the parameters are
//! fixed one after the other, each to the first candidate with which the path is still possible.

use crate::decide::bindings::Binding;
use crate::decide::questions::PathQuestions;
use crate::explore::paths::ExploredPaths;
use crate::read::value::{ParameterType, integer_range};
use rebut_smt::{Bits, Term};

/// Look at this many paths of a kind for the most readable input. Arbitrary.
const PATHS_MAX: usize = 8;

/// An input of a path.
#[derive(Clone, Debug)]
pub(crate) struct ReadableInput {
    pub(crate) path: usize,
    /// Whether each parameter has its original value.
    pub(crate) is_own: Vec<bool>,
    /// The number of each other parameter that is one choice.
    pub(crate) numbers: Vec<Option<i128>>,
}

impl PathQuestions<'_> {
    /// Returns a readable input of one of these paths that agrees with these bindings. `None` if
    /// none is found.
    pub(crate) fn readable_input(
        &mut self,
        paths: &[usize],
        bindings: &[Option<Binding>],
    ) -> Option<ReadableInput> {
        let scalars = self.plan.explored().iter().filter(|one| one.is_scalar()).count();
        let own_count = |input: &ReadableInput| input.is_own.iter().filter(|own| **own).count();
        let mut best: Option<ReadableInput> = None;
        for path in paths.iter().take(PATHS_MAX) {
            let Some(found) = self.readable_input_of(*path, scalars, bindings) else { continue };
            if best.as_ref().is_none_or(|best| own_count(&found) > own_count(best)) {
                best = Some(found);
            }
        }
        best
    }

    /// Returns a readable input of a path. The first `scalars` draws are the parameters of one
    /// choice.
    fn readable_input_of(
        &mut self,
        path: usize,
        scalars: usize,
        bindings: &[Option<Binding>],
    ) -> Option<ReadableInput> {
        let count = self.plan.parameters.len();
        if path == self.paths.own {
            let (is_own, numbers) = (vec![true; count], vec![None; count]);
            return Some(ReadableInput { path, is_own, numbers });
        }
        let mut terms = self.paths.all[path].conditions.clone();
        let is_bound = |nth: &usize| bindings.get(*nth).is_some_and(Option::is_some);
        terms.extend((0..count).filter(is_bound).filter_map(|nth| self.binding_terms[nth]));
        let has_own_sequences = self.can_have_own_sequences(path, scalars, &terms);
        let numbers_of_sequences = if has_own_sequences {
            self.paths.own_numbers.clone()
        } else {
            self.paths.all[path].numbers.clone()
        };
        terms.extend(self.sequences_have(path, scalars, &numbers_of_sequences));
        let mut is_own = vec![has_own_sequences; count];
        let mut numbers = vec![None; count];
        let mut model = self.model(&terms)?;
        for nth in 0..count {
            let Some(variable) = self.variables[nth] else { continue };
            let (own, others) = self.candidates(nth);
            let found = [own].into_iter().chain(others).flatten().find(|number| {
                let pool = &mut self.paths.pool;
                let width = pool.width(variable);
                let value = pool.bits_of_i128(width, *number);
                let is_it = pool.eq(variable, value);
                terms.push(is_it);
                let is_known = model.satisfies(pool, &[is_it]);
                let fitting = if is_known { Some(model.clone()) } else { self.model(&terms) };
                match fitting {
                    Some(fitting) => model = fitting,
                    None => drop(terms.pop()),
                }
                model.satisfies(&self.paths.pool, &[is_it])
            });
            is_own[nth] = found.is_some() && found == own;
            numbers[nth] = found;
            if found.is_none()
                && let Ok(value) = model.evaluate(&self.paths.pool, variable)
            {
                // No candidate is possible. Take the model's number, which later ones must fit.
                let is_signed =
                    matches!(self.ty(nth), Some(ParameterType::Int { is_signed: true, .. }));
                let number = |bits: Bits| match is_signed {
                    true => bits.signed(),
                    false => bits.unsigned() as i128,
                };
                numbers[nth] = value.as_bits().map(number);
                let pool = &mut self.paths.pool;
                let value = pool.constant(value);
                terms.push(pool.eq(variable, value));
            }
        }
        Some(ReadableInput { path, is_own, numbers })
    }

    /// Returns the original number of a parameter, and other readable numbers, the best first.
    fn candidates(&self, nth: usize) -> (Option<i128>, Vec<Option<i128>>) {
        let parameter = &self.plan.parameters[nth];
        let Some(ty) = &parameter.ty else { return (None, Vec::new()) };
        let own = parameter.site.value.choices(ty).and_then(|numbers| numbers.first().copied());
        let others = match ty {
            ParameterType::Int { is_signed, bits, .. } => {
                let near = own.unwrap_or(0);
                let range = integer_range(*is_signed, *bits);
                let (next, before) = (near.saturating_add(1), near.saturating_sub(1));
                let all = [0, 1, -1, 2, next, before, 3, 5, 10, 100, *range.end()];
                all.into_iter().filter(|number| range.contains(number)).map(Some).collect()
            }
            ParameterType::Bool => vec![Some(0), Some(1)],
            _ => Vec::new(),
        };
        (own, others)
    }

    /// Whether an input of a path can have the strings and lists of the test.
    fn can_have_own_sequences(&mut self, path: usize, scalars: usize, terms: &[Term]) -> bool {
        let numbers = self.paths.own_numbers.clone();
        let mut terms = terms.to_vec();
        let fixed = self.sequences_have(path, scalars, &numbers);
        // Conditions on further draws are about longer strings.
        let variables = self.paths.pool.variables(&terms);
        let mut further = self.paths.all[path].draws.iter().skip(numbers.len()).flatten();
        if further.any(|draw| variables.contains(draw)) {
            return false;
        }
        terms.extend(fixed);
        self.model(&terms).is_some()
    }

    /// Returns the conditions that the draws of strings and lists have these numbers.
    fn sequences_have(&mut self, path: usize, scalars: usize, numbers: &[i128]) -> Vec<Term> {
        let ExploredPaths { all, pool, .. } = &mut *self.paths;
        let draws = all[path].draws.iter().zip(numbers).skip(scalars);
        let draws = draws.filter_map(|(draw, number)| Some(((*draw)?, number)));
        let has_number = |(variable, number): (Term, &i128)| {
            let value = pool.bits_of_i128(pool.width(variable), *number);
            pool.eq(variable, value)
        };
        draws.map(has_number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide::path_end::PathEnd;
    use crate::decide::testing::{HandMade, at_least, less};
    use rebut_concolic::Budget;
    use rebut_smt::Pool;

    /// Returns the readable input of a path of a test with the bytes 4 and 7: whether each value is
    /// the original one, and the numbers.
    fn input_of(
        input: [i128; 2],
        condition: fn(&mut Pool, Term, Term) -> Term,
    ) -> Option<(Vec<bool>, Vec<Option<i128>>)> {
        let text = "fn f(x: u8, y: u8) {} #[test] fn holds() { f(4, 7); }";
        let mut example = HandMade::new(text, &["u8", "u8"]);
        let widths = [8, 8];
        example.path(PathEnd::Passes, &[4, 7], &widths, |pool, draws| {
            let condition = condition(pool, draws[0], draws[1]);
            vec![pool.not(condition)]
        });
        let other = example.path(PathEnd::Assertion, &input, &widths, |pool, draws| {
            vec![condition(pool, draws[0], draws[1])]
        });
        let HandMade { plan, mut paths, ends } = example;
        let budget = Budget::default();
        let mut questions = PathQuestions::new(&plan, &mut paths, &ends, &budget);
        let own = questions.readable_input(&[0], &[]).expect("an input");
        assert_eq!(own.is_own, [true, true], "the original values take the first path");
        let input = questions.readable_input(&[other], &[])?;
        Some((input.is_own, input.numbers))
    }

    #[test]
    fn original_values_stay_where_the_path_allows_them() {
        let input = input_of([200, 100], |pool, x, y| less(pool, y, x));
        assert_eq!(input, Some((vec![true, false], vec![Some(4), Some(0)])));
    }

    #[test]
    fn small_numbers_are_preferred_and_the_largest_one_is_last() {
        let is_large: fn(&mut Pool, Term, Term) -> Term = |pool, x, _| at_least(pool, x, 8);
        let input = input_of([77, 7], is_large);
        assert_eq!(input, Some((vec![false, true], vec![Some(10), Some(7)])));
        let input = input_of([177, 7], |pool, x, _| at_least(pool, x, 101));
        assert_eq!(input, Some((vec![false, true], vec![Some(255), Some(7)])));
    }

    #[test]
    fn the_solver_chooses_if_no_candidate_is_possible() {
        let input = input_of([50, 7], |pool, x, _| {
            let number = pool.bits(8, 50);
            pool.eq(x, number)
        });
        assert_eq!(input, Some((vec![false, true], vec![Some(50), Some(7)])));
    }

    #[test]
    fn original_texts_stay_where_the_path_allows_them() {
        let text = "fn f(text: &str, count: u8) {} #[test] fn holds() { f(\"ab\", 5); }";
        let mut example = HandMade::new(text, &["&str", "u8"]);
        let has = |pool: &mut Pool, draw: Term, number: i128| {
            let number = pool.bits_of_i128(pool.width(draw), number);
            pool.eq(draw, number)
        };
        let widths = [8, 4, 21, 21, 21];
        let own = [5, 2, 97, 98];
        example.path(PathEnd::Passes, &own, &widths[..4], |pool, draws| {
            vec![has(pool, draws[0], 5), has(pool, draws[1], 2)]
        });
        let same = example.path(PathEnd::Passes, &[9, 2, 1, 1], &widths[..4], |pool, draws| {
            vec![at_least(pool, draws[0], 6), has(pool, draws[1], 2)]
        });
        let longer = example.path(PathEnd::Passes, &[5, 3, 1, 1, 1], &widths, |pool, draws| {
            vec![has(pool, draws[1], 3), has(pool, draws[4], 1)]
        });
        let HandMade { plan, mut paths, ends } = example;
        let budget = Budget::default();
        let mut questions = PathQuestions::new(&plan, &mut paths, &ends, &budget);
        let input = questions.readable_input(&[same], &[]).expect("an input");
        assert_eq!((input.is_own, input.numbers), (vec![true, false], vec![None, Some(6)]));
        let input = questions.readable_input(&[longer], &[]).expect("an input");
        assert_eq!((input.is_own, input.numbers), (vec![false, true], vec![None, Some(5)]));
        let input = questions.readable_input(&[longer, same], &[]).expect("an input");
        assert_eq!(input.path, longer, "both have one original value, and it comes first");
    }
}
