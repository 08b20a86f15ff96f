//! Merges literals that are one value.
//!
//! `let key = slab.insert(10); assert_eq!(slab[key], 10);` has two literals, but one value. With a
//! parameter for each literal, the path of the original values has the condition that both are
//! equal. So a test runs once with a parameter for each literal. Parameters that its path requires
//! to be equal become one parameter, as a person would write it.

use crate::explore::paths::ExploredPaths;
use crate::plan::{Parameter, Plan};
use crate::read::value::ParameterType;
use rebut_concolic::DrawId;
use rebut_smt::{Answer, Solver, Term};

/// Which equal values become one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MergeRule {
    /// Values that the path of the original values requires to be equal.
    RequiredByPath,
    /// All values that are written alike.
    SameValue,
}

/// Merges parameters.
pub(crate) fn merge_parameters(
    plan: &mut Plan,
    paths: &mut ExploredPaths,
    solver: Solver,
    rule: MergeRule,
) {
    let mut own = OwnPath::new(plan, paths, solver);
    let count = plan.parameters.len();
    let mut first: Vec<usize> = (0..count).collect();
    for nth in 0..count {
        let known = (0..nth).filter(|known| first[*known] == *known);
        let fitting = known.filter(|known| can_merge(plan, *known, nth));
        let same = match rule {
            MergeRule::RequiredByPath => {
                fitting.into_iter().find(|known| own.are_one(plan, *known, nth))
            }
            MergeRule::SameValue => fitting.into_iter().next(),
        };
        first[nth] = same.unwrap_or(nth);
    }
    let mut merged: Vec<Option<Parameter>> = Vec::new();
    for (nth, parameter) in std::mem::take(&mut plan.parameters).into_iter().enumerate() {
        match merged.get_mut(first[nth]).and_then(Option::as_mut) {
            Some(known) => {
                known.merge(parameter);
                merged.push(None);
            }
            None => merged.push(Some(parameter)),
        }
    }
    plan.parameters = merged.into_iter().flatten().collect();
    plan.parameters.sort_by_key(|parameter| parameter.site.range.start);
    plan.rename();
}

/// Whether two parameters have the same value and can be one. A `Vec` cannot, because the first
/// use moves it.
fn can_merge(plan: &Plan, a: usize, b: usize) -> bool {
    let (one, other) = (&plan.parameters[a], &plan.parameters[b]);
    one.ty == other.ty
        && one.site.value == other.site.value
        && !matches!(one.ty, None | Some(ParameterType::Vec(_)))
}

/// The path of the original values.
struct OwnPath<'p> {
    paths: &'p mut ExploredPaths,
    solver: Solver,
    conditions: Vec<Term>,
    /// The draws of each parameter.
    draws: Vec<Vec<Option<Term>>>,
}

impl OwnPath<'_> {
    fn new<'p>(plan: &Plan, paths: &'p mut ExploredPaths, solver: Solver) -> OwnPath<'p> {
        let own = &paths.all[paths.own];
        let conditions = own.conditions.clone();
        let mut next = 0;
        let mut by_name = Vec::new();
        for parameter in plan.explored() {
            let ty = parameter.ty.as_ref();
            let numbers = ty.and_then(|ty| parameter.site.value.choices(ty)).unwrap_or_default();
            let draw = |nth: usize| own.draw(DrawId::new(nth));
            let draws: Vec<Option<Term>> = (next..next + numbers.len()).map(draw).collect();
            next += numbers.len();
            by_name.push((parameter.name().to_owned(), draws));
        }
        let draws_of = |parameter: &Parameter| {
            let mut all = by_name.iter();
            let found = all.find(|(name, _)| name == parameter.name());
            found.map(|(_, draws)| draws.clone()).unwrap_or_default()
        };
        let draws = plan.parameters.iter().map(draws_of).collect();
        OwnPath { paths, solver, conditions, draws }
    }

    fn is_implied(&mut self, term: Term) -> bool {
        let opposite = self.paths.pool.not(term);
        let mut question = self.conditions.clone();
        question.push(opposite);
        self.solver.check_assuming(&mut self.paths.pool, &question) == Answer::Unsat
    }

    /// Whether two parameters are equal for all inputs of this path, although the path does not fix
    /// their value.
    fn are_one(&mut self, plan: &Plan, a: usize, b: usize) -> bool {
        let ty = plan.parameters[a].ty.as_ref();
        let Some(numbers) = ty.and_then(|ty| plan.parameters[a].site.value.choices(ty)) else {
            return false;
        };
        let mut is_fixed = true;
        for (place, number) in numbers.iter().enumerate() {
            let [Some(one), Some(other)] = [a, b].map(|nth| self.draws[nth][place]) else {
                return false;
            };
            let pool = &mut self.paths.pool;
            let width = pool.width(one);
            if pool.width(other) != width {
                return false;
            }
            let is_same = pool.eq(one, other);
            if !self.is_implied(is_same) {
                return false;
            }
            // A path always fixes the length of a string.
            let is_length = place == 0 && plan.parameters[a].is_sequence();
            if is_fixed && !is_length {
                let pool = &mut self.paths.pool;
                let value = pool.bits_of_i128(width, *number);
                let is_own = pool.eq(one, value);
                is_fixed = self.is_implied(is_own);
            }
        }
        !is_fixed
    }
}
