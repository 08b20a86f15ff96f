//! Finds out which values of a test are one value.
//!
//! `let key = slab.insert(10); assert_eq!(slab[key], 10);` has two literals and one value. The
//! path of the test's own values says so: with a parameter for each of them, it has a condition
//! that both are equal. So a test is run once with all its values apart, and those that its path
//! needs to be equal become one parameter, which is how a person would write it.

use super::paths::Paths;
use super::plan::{Parameter, Plan};
use super::value::Type;
use rebut_smt::{Answer, Solver, Term};

/// Which equal values become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Links {
    /// Those that the path of the test's own values needs to be equal.
    Needed,
    /// All that are written alike.
    Alike,
}

/// Joins parameters; whether any were.
pub(super) fn link(plan: &mut Plan, paths: &mut Paths, solver: Solver, links: Links) -> bool {
    let mut own = Own::new(plan, paths, solver);
    let count = plan.parameters.len();
    let mut first: Vec<usize> = (0..count).collect();
    for nth in 0..count {
        let known = (0..nth).filter(|known| first[*known] == *known);
        let fitting = known.filter(|known| is_alike(plan, *known, nth));
        let same = match links {
            Links::Needed => fitting.into_iter().find(|known| own.are_one(plan, *known, nth)),
            Links::Alike => fitting.into_iter().next(),
        };
        first[nth] = same.unwrap_or(nth);
    }
    let is_any = (0..count).any(|nth| first[nth] != nth);
    let mut joined: Vec<Option<Parameter>> = Vec::new();
    for (nth, parameter) in std::mem::take(&mut plan.parameters).into_iter().enumerate() {
        match joined.get_mut(first[nth]).and_then(Option::as_mut) {
            Some(known) => {
                known.join(parameter);
                joined.push(None);
            }
            None => joined.push(Some(parameter)),
        }
    }
    plan.parameters = joined.into_iter().flatten().collect();
    plan.parameters.sort_by_key(|parameter| parameter.site.part.start);
    plan.rename();
    is_any
}

/// Whether two parameters have the same value and can be one: a list that is given away cannot.
fn is_alike(plan: &Plan, a: usize, b: usize) -> bool {
    let (one, other) = (&plan.parameters[a], &plan.parameters[b]);
    one.of == other.of
        && one.site.value == other.site.value
        && !matches!(one.of, None | Some(Type::Vec(_)))
}

/// The path of the test's own values.
struct Own<'p> {
    paths: &'p mut Paths,
    solver: Solver,
    conditions: Vec<Term>,
    /// The draws of each parameter.
    draws: Vec<Vec<Option<Term>>>,
}

impl Own<'_> {
    fn new<'p>(plan: &Plan, paths: &'p mut Paths, solver: Solver) -> Own<'p> {
        let conditions = paths.all[paths.own].conditions.clone();
        let known = paths.pool.variables(&conditions);
        let mut next = 0;
        let mut by_name = Vec::new();
        for parameter in plan.explored() {
            let of = parameter.of.as_ref();
            let numbers = of.and_then(|of| parameter.site.value.numbers(of)).unwrap_or_default();
            let draw = |nth: usize| {
                let name = format!("d{nth}");
                known.iter().copied().find(|term| paths.pool.name(*term) == Some(&name))
            };
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
        Own { paths, solver, conditions, draws }
    }

    fn is_implied(&mut self, term: Term) -> bool {
        let opposite = self.paths.pool.not(term);
        let mut question = self.conditions.clone();
        question.push(opposite);
        self.solver.check_assuming(&mut self.paths.pool, &question) == Answer::Unsat
    }

    /// Whether two parameters are equal wherever the test takes this path, and not because each
    /// has the value of the test there.
    fn are_one(&mut self, plan: &Plan, a: usize, b: usize) -> bool {
        let of = plan.parameters[a].of.as_ref();
        let Some(numbers) = of.and_then(|of| plan.parameters[a].site.value.numbers(of)) else {
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
            // How long a text is, a path always says.
            let is_length = place == 0 && plan.parameters[a].is_sequence();
            if is_fixed && !is_length {
                let pool = &mut self.paths.pool;
                let value = pool.bits(width, *number as u128 & (u128::MAX >> (128 - width)));
                let is_own = pool.eq(one, value);
                is_fixed = self.is_implied(is_own);
            }
        }
        !is_fixed
    }
}
