//! Variables that assertions couple: four methods, and what each may claim.
//!
//! [`method`] takes the first row that applies. With [`Coupled::Solver`], a solver comes first
//! wherever one can express the problem.
//!
//! | method | applies to | cost | the list is `Largest` if |
//! |---|---|---|---|
//! | search | few combinations of values | one evaluation per combination | the constraint compares keys, or no model was left out |
//! | cases | a variable with few values | one plan per value | every case's list is, and the same holds for the selection |
//! | solve | what the solver can express | one query per model | the solver finds no more, and keys decide |
//! | sample | the rest | one plan per sampled value | as for cases, if the sample is the whole domain |
//!
//! Search comes first because it is exact and its cost is known. Cases come before the solver
//! only where they pay: at the top of the plan with very few values, where models become more
//! varied; where fixing the variable leaves nothing coupled; or where no solver can help. Cases
//! within cases multiply, and a solver does better than that.
//!
//! Three problems with two variables each. The assertion `a + b = 10` for numbers from 0 to 20
//! has 441 combinations: search. The same for numbers up to a million is solved. Two strings
//! that must differ, `s ≠ t`, are beyond the embedded solver, which cannot compare two unknown
//! strings; so values of `s` are sampled, and each leaves a regular language of `t`.
//!
//! A greedy selection can be too small without being wrong: of the numbers 0, 2, 3 and 6 at a
//! distance of 3, taking 2 first leaves only 6, but 0, 3 and 6 are possible. So a selection that
//! refused a model claims nothing unless keys decide, and [`solve::improved`] then asks a solver
//! for one model more.
//!
//! The evaluator checks every model, whichever method found it. It cannot check a proof, so
//! an external solver that reports no model at all is doubted: if sampling finds a model, the
//! solver is wrong, and Rebut notes it and goes on without the solver.

use super::list::{List, ListEnd, Values, weaker};
use super::order::Permutation;
use super::plan::replan;
use super::problem::{Problem, is_keyed, key};
use super::solve::{self, SolverModels};
use super::{Coupled, Maker, Options, simplest_model};
use crate::eval;
use crate::ir::{Environment, Expr, Model, Sort, Value, VarId};
use std::collections::{BTreeSet, HashSet};

/// The number of values up to which a finite set of strings is counted for the search.
/// Arbitrary. A problem with a larger set is not searched.
const VALUES_MAX: usize = 5_000;

/// The number of values that a search may assign. A safety net: a tree with at most
/// [`SPACE_MAX`] leaves in which every inner node has two children or more has fewer than
/// 2 * [`SPACE_MAX`] nodes. At the limit a solver is asked instead.
const STEPS_MAX: usize = 500_000;

/// The number of combinations up to which a problem is searched. Arbitrary. Larger problems use
/// the other methods.
const SPACE_MAX: u128 = 200_000;

/// The number of values up to which a variable is tried value by value. Arbitrary. Variables
/// with more values are solved or sampled.
const CASES_MAX: usize = 16;

/// The same limit at the top of the plan for a problem that stays coupled and that a solver
/// could solve. Arbitrary. With more values the solver is asked.
const OUTERMOST_MAX: usize = 4;

/// The number of sampled values of a variable. Arbitrary. At the limit the list ends as
/// unproved.
const SAMPLES_MAX: usize = 300;

/// The number of variables that may be tried or sampled within each other. Arbitrary. Deeper
/// problems go to the solver, and are reported as missing one if it cannot express them.
const DEPTH_MAX: usize = 6;

/// How the values of coupled variables are found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Method {
    /// Every combination of values is evaluated.
    Search,
    /// Each of these values of a variable is fixed in turn, and the rest is planned again.
    Cases(VarId, Vec<Value>),
    /// A solver finds the models.
    Solve,
    /// As for cases, with a sample of the variable's values.
    Sample(VarId),
}

/// Chooses the method for a problem that is `depth` cases or samples deep.
pub(crate) fn method(
    environment: &Environment,
    problem: &Problem,
    options: &Options,
    depth: usize,
) -> Method {
    let external = options.solver.is_some();
    let solvable = || external || solve::embedded_can(environment, problem);
    if options.coupled != Coupled::Auto && solvable() {
        return Method::Solve;
    }
    if search_space(problem).is_some_and(|space| space <= SPACE_MAX) {
        return Method::Search;
    }
    if depth < DEPTH_MAX
        && let Some((id, values)) = few_values(problem)
        && (is_outermost(depth, &values)
            || uncouples(environment, problem, id, &values)
            || !solvable())
    {
        return Method::Cases(id, values);
    }
    if solvable() {
        return Method::Solve;
    }
    match (depth < DEPTH_MAX).then(|| loosest(environment, problem)).flatten() {
        Some(id) => Method::Sample(id),
        None => Method::Solve,
    }
}

/// Lists models of coupled variables.
pub(crate) fn list(maker: &Maker<'_>, problem: &Problem, count: usize) -> List {
    let environment = maker.environment;
    match method(environment, problem, maker.options, maker.depth) {
        Method::Search => match search(environment, problem) {
            Some(found) => {
                let list = select(environment, problem, &found, maker.options.seed, count);
                solve::improved(maker, problem, list, count)
            }
            None => solve::list(maker, problem, count).list,
        },
        Method::Cases(id, values) => cases(maker, problem, id, &values, true, count),
        Method::Solve => {
            let SolverModels { list, trouble } = solve::list(maker, problem, count);
            let solved = solve::improved(maker, problem, list, count);
            let may_draw = maker.options.coupled == Coupled::Auto && maker.depth < DEPTH_MAX;
            let id = loosest(environment, problem).filter(|_| may_draw);
            match (&solved.end, trouble, id) {
                (ListEnd::Missing(_), _, Some(id)) => {
                    longer(solved, sampled_cases(maker, problem, id, count))
                }
                (ListEnd::Largest, None, Some(id)) if claims_no_model(maker, &solved) => {
                    double_checked(maker, problem, id, solved, count)
                }
                (_, Some(reason), Some(id)) => {
                    maker.external.note(format!("{reason}; Rebut generated values instead"));
                    longer(solved, sampled_cases(maker, problem, id, count))
                }
                _ => solved,
            }
        }
        Method::Sample(id) => sampled_cases(maker, problem, id, count),
    }
}

/// Whether an external solver claims that there is no model. Where the embedded solver can
/// express the problem, the session has already asked it.
fn claims_no_model(maker: &Maker<'_>, solved: &List) -> bool {
    maker.options.solver.is_some() && solved.items.is_empty()
}

/// Returns the solver's empty list, unless sampling finds a model.
fn double_checked(
    maker: &Maker<'_>,
    problem: &Problem,
    id: VarId,
    solved: List,
    count: usize,
) -> List {
    if sampled_cases(maker, problem, id, 1).items.is_empty() {
        return solved;
    }
    let command = maker.options.solver.as_deref().unwrap_or_default();
    maker.external.note(format!(
        "`{command}` reports that no model exists, but there is one; Rebut generated values instead"
    ));
    sampled_cases(maker, problem, id, count)
}

/// Returns the longer of two lists, the first if they are equally long.
fn longer(left: List, right: List) -> List {
    if right.items.len() > left.items.len() { right } else { left }
}

/// The number of combinations of values, if all domains are finite and small enough to count.
fn search_space(problem: &Problem) -> Option<u128> {
    problem.domains.values().try_fold(1_u128, |space, domain| {
        let size = match domain {
            super::domain::Domain::Ints(set) => set.size(),
            other => other.few(VALUES_MAX)?.len() as u128,
        };
        Some(space.saturating_mul(size))
    })
}

/// The coupled variable with the fewest values, and these, if they are at most [`CASES_MAX`].
fn few_values(problem: &Problem) -> Option<(VarId, Vec<Value>)> {
    let coupled: BTreeSet<VarId> = problem.assertions.iter().flat_map(Expr::vars).collect();
    let few = coupled.iter().filter_map(|id| {
        let domain = problem.domains.get(id)?;
        let small =
            !matches!(domain, super::domain::Domain::Strings(_) | super::domain::Domain::Reals(_));
        Some((*id, domain.few(CASES_MAX).filter(|_| small)?))
    });
    few.min_by_key(|(_, values)| values.len())
}

/// Whether cases at the top of the plan are few enough to be worth it: their models are more
/// varied than those of a solver.
fn is_outermost(depth: usize, values: &[Value]) -> bool {
    depth == 0 && values.len() <= OUTERMOST_MAX
}

/// Whether fixing the variable to any of these values leaves nothing coupled.
fn uncouples(environment: &Environment, problem: &Problem, id: VarId, values: &[Value]) -> bool {
    let Some(variable) = environment.variable(id) else { return false };
    values.iter().all(|value| {
        let is = equals_value(id, &variable.sort, value);
        let left = problem.with_assertion(environment, &is, &problem.constraint);
        left.map_or(true, |left| left.assertions.iter().all(|expr| expr.vars().len() < 2))
    })
}

/// The variable that leaves the fewest coupling assertions once its value is fixed, judged by
/// one sampled value.
fn loosest(environment: &Environment, problem: &Problem) -> Option<VarId> {
    let coupled: BTreeSet<VarId> =
        problem.assertions.iter().map(Expr::vars).filter(|vars| vars.len() > 1).flatten().collect();
    let score = |id: &VarId| {
        let sort = environment.variable(*id).map(|variable| variable.sort.clone())?;
        let value = problem.domains.get(id).and_then(|domain| sample(domain, 1, 1).pop())?;
        let is = equals_value(*id, &sort, &value);
        let left = problem.with_assertion(environment, &is, &problem.constraint);
        let left = left.map_or(usize::MAX / 2, |left| {
            left.assertions.iter().filter(|expr| expr.vars().len() > 1).count()
        });
        Some((left, *id))
    };
    coupled.iter().filter_map(score).min().map(|(_, id)| id)
}

/// Returns the assertion that a variable has a value.
fn equals_value(id: VarId, sort: &Sort, value: &Value) -> Expr {
    let var = Expr::var(id, sort.clone());
    match value {
        Value::Bool(true) => var,
        Value::Bool(false) => var.not(),
        _ => var.eq(Expr::constant(value.clone(), sort.clone())),
    }
}

/// Some values of a domain, spread out.
fn sample(domain: &super::domain::Domain, count: usize, seed: u64) -> Vec<Value> {
    use super::domain::Domain;
    match domain {
        Domain::Ints(set) => set.spread(seed).take(count).map(Value::Int).collect(),
        Domain::Reals(set) => set.spread(seed).take(count).map(Value::Real).collect(),
        Domain::Strings(language) => {
            let words = language
                .spread(seed)
                .map(|words| words.take(count).map(|word| Value::from(word.as_str())).collect());
            words.unwrap_or_default()
        }
        Domain::Bool { .. } => domain.few(2).unwrap_or_default(),
    }
}

/// Tries a sample of a variable's values.
fn sampled_cases(maker: &Maker<'_>, problem: &Problem, id: VarId, count: usize) -> List {
    let Some(domain) = problem.domains.get(&id) else { return List::empty() };
    let seed = maker.options.seed ^ u64::from(id.0).wrapping_mul(0x2545_f491_4f6c_dd1d);
    let values = sample(domain, SAMPLES_MAX.min(count.max(10) * 3), seed);
    let all = domain.few(values.len()).is_some();
    cases(maker, problem, id, &values, all, count)
}

/// Fixes a variable to each value in turn and plans the rest. `all` is true if these are all
/// values of the variable.
fn cases(
    maker: &Maker<'_>,
    problem: &Problem,
    id: VarId,
    values: &[Value],
    all: bool,
    count: usize,
) -> List {
    let environment = maker.environment;
    let Some(sort) = environment.variable(id).map(|variable| variable.sort.clone()) else {
        return List::empty();
    };
    let share = count.div_ceil(values.len().max(1)).max(2);
    let mut end = ListEnd::Largest;
    let mut lists = Vec::new();
    for (at, value) in values.iter().enumerate() {
        let seed = maker.options.seed.wrapping_add((at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let options = Options { seed, ..maker.options.clone() };
        let deeper = Maker {
            environment,
            options: &options,
            external: maker.external,
            depth: maker.depth + 1,
        };
        let Ok(case) = problem.with_assertion(
            environment,
            &equals_value(id, &sort, value),
            &problem.constraint,
        ) else {
            continue;
        };
        // One case may have to supply all models if there are few; otherwise its share is enough.
        let wanted = if all && values.len() <= CASES_MAX { count } else { share };
        let list = deeper.list(&replan(environment, &case), wanted);
        end = weaker(end, list.end.clone());
        lists.push(list.items);
        let found: usize = lists.iter().map(Vec::len).sum();
        if !all && found >= count * 3 {
            break;
        }
    }
    let mut selection = Selection::new(environment, problem, count);
    let longest = lists.iter().map(Vec::len).max().unwrap_or_default();
    for row in 0..longest {
        for item in lists.iter().filter_map(|items| items.get(row)) {
            selection.offer(item);
        }
    }
    let whole = all && end == ListEnd::Largest;
    selection.finish(whole, "not all values were tried")
}

/// Returns all models, or `None` if there are too many combinations.
fn search(environment: &Environment, problem: &Problem) -> Option<Vec<Values>> {
    let mut domains: Vec<(VarId, Vec<Value>)> = Vec::new();
    for id in &problem.vars {
        domains.push((*id, problem.domains.get(id)?.few(SPACE_MAX as usize)?));
    }
    domains.sort_by_key(|(_, values)| values.len());
    // An assertion is evaluated as soon as its last variable has a value.
    let last = |vars: &BTreeSet<VarId>| domains.iter().rposition(|(id, _)| vars.contains(id));
    let mut checks: Vec<Vec<&Expr>> = vec![Vec::new(); domains.len()];
    for assertion in &problem.assertions {
        checks[last(&assertion.vars())?].push(assertion);
    }
    let model = simplest_model(environment);
    let mut search =
        ExhaustiveSearch { domains: &domains, checks: &checks, model, found: Vec::new(), steps: 0 };
    search.from(0).then_some(search.found)
}

/// A depth-first search through all combinations of values.
struct ExhaustiveSearch<'a> {
    domains: &'a [(VarId, Vec<Value>)],
    /// For each variable, the assertions whose last variable it is.
    checks: &'a [Vec<&'a Expr>],
    model: Model,
    found: Vec<Values>,
    steps: usize,
}

impl ExhaustiveSearch<'_> {
    /// Assigns all values to the variables from index `depth` on. Returns `false` at the limit
    /// of steps.
    fn from(&mut self, depth: usize) -> bool {
        let Some((id, values)) = self.domains.get(depth) else {
            let values = self.domains.iter().map(|(id, _)| (*id, self.model.0[id.index()].clone()));
            self.found.push(values.collect());
            return true;
        };
        for value in values {
            self.steps += 1;
            if self.steps > STEPS_MAX {
                return false;
            }
            self.model.0[id.index()] = value.clone();
            let holds = self.checks[depth]
                .iter()
                .all(|check| eval::truth(check, &self.model, None) == Some(true));
            if holds && !self.from(depth + 1) {
                return false;
            }
        }
        true
    }
}

/// Selects models that satisfy the constraint from all models, in a spread order.
fn select(
    environment: &Environment,
    problem: &Problem,
    found: &[Values],
    seed: u64,
    count: usize,
) -> List {
    let mut selection = Selection::new(environment, problem, count);
    for at in Permutation::new(found.len() as u128, seed) {
        selection.offer(&found[at as usize]);
    }
    selection.finish(true, "")
}

/// Takes each offered model that differs from all models taken before.
struct Selection<'a> {
    problem: &'a Problem,
    blank: Model,
    count: usize,
    /// Whether the constraint compares keys; then the models need not be compared in pairs.
    keyed: bool,
    keys: HashSet<Vec<eval::Key>>,
    taken: Vec<Model>,
    items: Vec<Values>,
    /// Whether an offered model was too similar to one taken before.
    refused: bool,
}

impl<'a> Selection<'a> {
    fn new(environment: &Environment, problem: &'a Problem, count: usize) -> Self {
        let keyed = is_keyed(&problem.constraint);
        let blank = simplest_model(environment);
        Self {
            problem,
            blank,
            count,
            keyed,
            keys: HashSet::new(),
            taken: Vec::new(),
            items: Vec::new(),
            refused: false,
        }
    }

    /// Takes a model if it differs from all taken before and more are wanted.
    fn offer(&mut self, values: &Values) {
        if self.items.len() == self.count {
            return;
        }
        let mut model = self.blank.clone();
        for (id, value) in values {
            model.0[id.index()] = value.clone();
        }
        let constraint = &self.problem.constraint;
        let fits = if self.keyed {
            let mut own = Vec::new();
            key(constraint, &model, &mut own);
            own.contains(&eval::Key::Unique) || self.keys.insert(own)
        } else {
            let differs = |other: &Model| {
                eval::differ(constraint, &model, other) && eval::differ(constraint, other, &model)
            };
            self.taken.iter().all(differs)
        };
        if fits {
            self.items.push(values.clone());
            self.taken.push(model);
        } else {
            self.refused = true;
        }
    }

    /// Ends the list. `whole` is true if every model was offered; otherwise `doubt` is the reason.
    fn finish(self, whole: bool, doubt: &str) -> List {
        let end = match self.items.len() {
            taken if taken == self.count => ListEnd::CountReached,
            _ if !whole => ListEnd::Unproved(doubt.to_owned()),
            _ if self.keyed || !self.refused => ListEnd::Largest,
            _ => ListEnd::Unproved(
                "models were chosen greedily; a different choice may allow more".into(),
            ),
        };
        List { items: self.items, end }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::plan::{self, Node};
    use crate::{Program, Verdict, generate};

    fn environment(text: &str) -> Environment {
        let mut program = Program::parse("test.rebut", text);
        assert_eq!(program.diagnostics, []);
        program.environments.remove(0)
    }

    /// The method for an environment whose plan is one coupled problem.
    fn method_for(text: &str) -> Method {
        let environment = environment(text);
        match plan::plan(&environment) {
            Node::Coupled(problem) => method(&environment, &problem, &Options::default(), 0),
            other => panic!("not coupled: {other:?}"),
        }
    }

    fn sum_is_ten(max: u32) -> String {
        format!(
            "(declare a ?(Integer 0 {max})) (declare b ?(Integer 0 {max}))
             (assert (= (+ a b) 10))
             (generate g 100 (output a b) (constrain-solutions a not-equal))"
        )
    }

    #[test]
    fn small_spaces_are_searched_completely() {
        assert_eq!(method_for(&sum_is_ten(20)), Method::Search);
        let outcome = generate(&environment(&sum_is_ten(20)), &Options::default());
        let outcome = outcome.expect("models that the evaluator accepts");
        assert_eq!((outcome.models.len(), outcome.verdict), (11, Verdict::Largest));
    }

    #[test]
    fn large_spaces_of_numbers_are_solved() {
        assert_eq!(method_for(&sum_is_ten(1_000_000)), Method::Solve);
    }

    #[test]
    fn strings_that_are_compared_are_sampled() {
        let text = "(declare s ?String) (declare t ?String) (assert (≠ s t))
             (generate g 3 (output s t) (constrain-solutions s not-equal))";
        assert!(matches!(method_for(text), Method::Sample(_)));
    }

    #[test]
    fn greedy_selections_claim_nothing_but_can_be_improved() {
        let text = "(declare a ?(Integer 0 6)) (declare b ?(Integer 0 6))
             (assert (one-of a 0 2 3 6) (<= a b))
             (generate g 10 (output a b) (constrain-solutions a (numeric-distance 3)))";
        let environment = environment(text);
        let Node::Coupled(problem) = plan::plan(&environment) else { panic!("not coupled") };
        let all = search(&environment, &problem).expect("a small space");
        let selected = |first: i128| {
            let mut selection = Selection::new(&environment, &problem, 10);
            let starts = |values: &&Values| values.contains(&(VarId(0), Value::Int(first)));
            all.iter().filter(starts).chain(&all).for_each(|values| selection.offer(values));
            selection.finish(true, "")
        };
        for (first, length) in [(0, 3), (2, 2)] {
            let list = selected(first);
            assert_eq!(list.items.len(), length, "{list:?}");
            assert!(matches!(list.end, ListEnd::Unproved(_)), "{list:?}");
        }
        let outcome = generate(&environment, &Options::default()).expect("models");
        assert_eq!((outcome.models.len(), outcome.verdict), (3, Verdict::Largest));
    }
}
