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

    /// Whether an input of a path can have the texts and lists of the test.
    fn can_have_own_sequences(&mut self, path: usize, scalars: usize, terms: &[Term]) -> bool {
        let numbers = self.paths.own_numbers.clone();
        let mut terms = terms.to_vec();
        let fixed = self.sequences_have(path, scalars, &numbers);
        // Conditions on further draws are about longer texts.
        let variables = self.paths.pool.variables(&terms);
        let mut further = self.paths.all[path].draws.iter().skip(numbers.len()).flatten();
        if further.any(|draw| variables.contains(draw)) {
            return false;
        }
        terms.extend(fixed);
        self.model(&terms).is_some()
    }

    /// Returns the conditions that the draws of texts and lists have these numbers.
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
