//! Variables that assertions couple.
//!
//! In this order: if the space is small, every model is looked at; if a variable has few
//! values, each is tried, which may leave nothing coupled; else a solver is asked. Where the
//! embedded solver cannot be asked (texts that are compared with each other, products of
//! Reals) and no other was named, values of one variable are drawn and what is left over is
//! planned anew: one text that is known leaves a regular language of the other.

use super::list::{End, List, Values, worse};
use super::order::Permutation;
use super::plan::replan;
use super::problem::{Problem, is_keyed, key};
use super::solve::{self, Asked};
use super::{Coupled, Maker, Options, scratch};
use crate::eval;
use crate::ir::{Environment, Expr, Model, Sort, Value, VarId};
use std::collections::{BTreeSet, HashSet};

/// A variable with more values than this is not searched.
const VALUES_MAX: usize = 5_000;

/// So many steps are made in a search.
const STEPS_MAX: usize = 500_000;

/// Spaces up to this size are searched.
const SPACE_MAX: u128 = 200_000;

/// A variable with at most so many values is tried value by value.
const CASES_MAX: usize = 16;

/// The same, where it leaves something coupled that a solver could be asked about.
const OUTERMOST_MAX: usize = 4;

/// So many values of a variable are drawn where nothing better is known.
const DRAWN_MAX: usize = 300;

/// Drawing and trying goes at most so deep.
const DEPTH_MAX: usize = 6;

/// How coupled variables are found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Method {
    /// Each model is looked at.
    Search,
    /// Each value of a variable is tried.
    Cases(VarId, Vec<Value>),
    /// A solver is asked.
    Solve,
    /// Values of a variable are drawn.
    Draw(VarId),
}

/// Which way is best for a problem.
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
    if space(problem).is_some_and(|space| space <= SPACE_MAX) {
        return Method::Search;
    }
    if depth < DEPTH_MAX
        && let Some((id, values)) = few_values(problem)
        // Cases within cases multiply; a solver is asked rather than that.
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
        Some(id) => Method::Draw(id),
        None => Method::Solve,
    }
}

/// Makes a list of models of coupled variables.
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
            let Asked { list, trouble } = solve::list(maker, problem, count);
            let solved = solve::improved(maker, problem, list, count);
            let may_draw = maker.options.coupled == Coupled::Auto && maker.depth < DEPTH_MAX;
            let id = loosest(environment, problem).filter(|_| may_draw);
            match (&solved.end, trouble, id) {
                (End::Missing(_), _, Some(id)) => better(solved, drawn(maker, problem, id, count)),
                (End::Largest, None, Some(id)) if doubtful(maker, &solved) => {
                    doubted(maker, problem, id, solved, count)
                }
                (_, Some(reason), Some(id)) => {
                    maker.kept.note(format!("{reason}; Rebut generated values instead"));
                    better(solved, drawn(maker, problem, id, count))
                }
                _ => solved,
            }
        }
        Method::Draw(id) => drawn(maker, problem, id, count),
    }
}

/// Says an external solver that there is no model at all? The embedded one is asked about that
/// before, where it can be.
fn doubtful(maker: &Maker<'_>, solved: &List) -> bool {
    maker.options.solver.is_some() && solved.items.is_empty()
}

/// There is no model, unless one is drawn.
fn doubted(maker: &Maker<'_>, problem: &Problem, id: VarId, solved: List, count: usize) -> List {
    if drawn(maker, problem, id, 1).items.is_empty() {
        return solved;
    }
    let command = maker.options.solver.as_deref().unwrap_or_default();
    maker.kept.note(format!(
        "`{command}` reports that no model exists, but there is one; Rebut generated values instead"
    ));
    drawn(maker, problem, id, count)
}

fn better(left: List, right: List) -> List {
    if right.items.len() > left.items.len() { right } else { left }
}

/// The number of combinations of values, if it is known.
fn space(problem: &Problem) -> Option<u128> {
    problem.domains.values().try_fold(1_u128, |space, domain| {
        let size = match domain {
            super::domain::Domain::Ints(set) => set.size(),
            other => other.few(VALUES_MAX)?.len() as u128,
        };
        Some(space.saturating_mul(size))
    })
}

/// A coupled variable with few values, the fewest first.
fn few_values(problem: &Problem) -> Option<(VarId, Vec<Value>)> {
    let coupled: BTreeSet<VarId> = problem.assertions.iter().flat_map(Expr::vars).collect();
    let few = coupled.iter().filter_map(|id| {
        let domain = problem.domains.get(id)?;
        let small =
            !matches!(domain, super::domain::Domain::Texts(_) | super::domain::Domain::Reals(_));
        Some((*id, domain.few(CASES_MAX).filter(|_| small)?))
    });
    few.min_by_key(|(_, values)| values.len())
}

/// A few cases that are not within others are worth it: their models are more varied.
fn is_outermost(depth: usize, values: &[Value]) -> bool {
    depth == 0 && values.len() <= OUTERMOST_MAX
}

/// Is nothing coupled any more once this variable has one of these values?
fn uncouples(environment: &Environment, problem: &Problem, id: VarId, values: &[Value]) -> bool {
    let Some(variable) = environment.variable(id) else { return false };
    values.iter().all(|value| {
        let is = is_value(id, &variable.sort, value);
        let left = problem.with(environment, &is, &problem.constraint);
        left.map_or(true, |left| left.assertions.iter().all(|expr| expr.vars().len() < 2))
    })
}

/// The variable whose value, once it is known, leaves least coupled.
fn loosest(environment: &Environment, problem: &Problem) -> Option<VarId> {
    let coupled: BTreeSet<VarId> =
        problem.assertions.iter().map(Expr::vars).filter(|vars| vars.len() > 1).flatten().collect();
    let score = |id: &VarId| {
        let sort = environment.variable(*id).map(|variable| variable.sort.clone())?;
        let value = problem.domains.get(id).and_then(|domain| sample(domain, 1, 1).pop())?;
        let is = is_value(*id, &sort, &value);
        let left = problem.with(environment, &is, &problem.constraint);
        let left = left.map_or(usize::MAX / 2, |left| {
            left.assertions.iter().filter(|expr| expr.vars().len() > 1).count()
        });
        Some((left, *id))
    };
    coupled.iter().filter_map(score).min().map(|(_, id)| id)
}

fn is_value(id: VarId, sort: &Sort, value: &Value) -> Expr {
    let var = Expr::var(id, sort.clone());
    match value {
        Value::Bool(true) => var,
        Value::Bool(false) => var.not(),
        _ => var.eq(Expr::constant(value.clone(), sort.clone())),
    }
}

/// Some values of a domain that look different.
fn sample(domain: &super::domain::Domain, count: usize, seed: u64) -> Vec<Value> {
    use super::domain::Domain;
    match domain {
        Domain::Ints(set) => set.spread(seed).take(count).map(Value::Int).collect(),
        Domain::Reals(set) => set.spread(seed).take(count).map(Value::Real).collect(),
        Domain::Texts(language) => {
            let words = language
                .spread(seed)
                .map(|words| words.take(count).map(|word| Value::from(word.as_str())).collect());
            words.unwrap_or_default()
        }
        Domain::Bool { .. } => domain.few(2).unwrap_or_default(),
    }
}

fn drawn(maker: &Maker<'_>, problem: &Problem, id: VarId, count: usize) -> List {
    let Some(domain) = problem.domains.get(&id) else { return List::empty() };
    let seed = maker.options.seed ^ u64::from(id.0).wrapping_mul(0x2545_f491_4f6c_dd1d);
    let values = sample(domain, DRAWN_MAX.min(count.max(10) * 3), seed);
    let all = domain.few(values.len()).is_some();
    cases(maker, problem, id, &values, all, count)
}

/// Tries values of a variable one by one, and plans what is left over.
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
    let mut end = End::Largest;
    let mut lists = Vec::new();
    for (at, value) in values.iter().enumerate() {
        let seed = maker.options.seed.wrapping_add((at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let options = Options { seed, ..maker.options.clone() };
        let deeper =
            Maker { environment, options: &options, kept: maker.kept, depth: maker.depth + 1 };
        let Ok(case) = problem.with(environment, &is_value(id, &sort, value), &problem.constraint)
        else {
            continue;
        };
        // With few values each case may have to give all models; with many, its share.
        let wanted = if all && values.len() <= CASES_MAX { count } else { share };
        let list = deeper.list(&replan(environment, &case), wanted);
        end = worse(end, list.end.clone());
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
    let whole = all && end == End::Largest;
    selection.finish(whole, "not all values were tried")
}

/// All models, if the space is small enough to look at every one.
fn search(environment: &Environment, problem: &Problem) -> Option<Vec<Values>> {
    let mut domains: Vec<(VarId, Vec<Value>)> = Vec::new();
    for id in &problem.vars {
        domains.push((*id, problem.domains.get(id)?.few(SPACE_MAX as usize)?));
    }
    domains.sort_by_key(|(_, values)| values.len());
    // An assertion is looked at as soon as its last variable has a value.
    let last = |vars: &BTreeSet<VarId>| domains.iter().rposition(|(id, _)| vars.contains(id));
    let mut checks: Vec<Vec<&Expr>> = vec![Vec::new(); domains.len()];
    for assertion in &problem.assertions {
        checks[last(&assertion.vars())?].push(assertion);
    }
    let model = scratch(environment);
    let mut walk = Walk { domains: &domains, checks: &checks, model, found: Vec::new(), steps: 0 };
    walk.from(0).then_some(walk.found)
}

struct Walk<'a> {
    domains: &'a [(VarId, Vec<Value>)],
    checks: &'a [Vec<&'a Expr>],
    model: Model,
    found: Vec<Values>,
    steps: usize,
}

impl Walk<'_> {
    /// Tries all values from a variable on; false if there are too many.
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

/// Of all models, some that are different as asked.
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

/// Takes models that are different from all that were taken.
struct Selection<'a> {
    problem: &'a Problem,
    blank: Model,
    count: usize,
    keyed: bool,
    keys: HashSet<Vec<eval::Key>>,
    taken: Vec<Model>,
    items: Vec<Values>,
    refused: bool,
}

impl<'a> Selection<'a> {
    fn new(environment: &Environment, problem: &'a Problem, count: usize) -> Self {
        let keyed = is_keyed(&problem.constraint);
        let blank = scratch(environment);
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
            own.contains(&eval::Key::Own) || self.keys.insert(own)
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

    fn finish(self, whole: bool, doubt: &str) -> List {
        let end = match self.items.len() {
            taken if taken == self.count => End::Asked,
            _ if !whole => End::Unproved(doubt.to_owned()),
            _ if self.keyed || !self.refused => End::Largest,
            _ => End::Unproved(
                "models were chosen greedily; a different choice may allow more".into(),
            ),
        };
        List { items: self.items, end }
    }
}
