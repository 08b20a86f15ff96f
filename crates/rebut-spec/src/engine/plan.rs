//! Which engine finds what: a plan is a tree of lists to make.
//!
//! Variables that no assertion couples are found apart. Of what is left, a choice of arms is
//! the sum of its arms, a variable that tells models apart by itself and has few values is
//! the sum over its values, and a single variable is listed by a class enumerator. Only what
//! is still coupled then is searched, if it is small, or solved.

use super::classes::{Class, Classes};
use super::domain::Domain;
use super::problem::{Decided, Infeasible, Problem, separates};
use crate::ir::{Arm, Constraint, Environment, Expr, Relation, Sort, Value, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// A variable that says whether others are there is tried value by value up to this many.
const GUARDS_MAX: usize = 256;

/// Another variable is tried value by value up to this many.
const CASES_MAX: usize = 4;

/// A tree of lists to make.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// There is no model.
    Empty(String),
    /// Values that are known.
    Decided(Vec<(VarId, Decided)>, Box<Node>),
    /// Nothing to decide.
    Unit,
    /// The values of one variable.
    Classes(Box<Classes>),
    /// Just one model of it.
    One(Box<Node>),
    /// The same in all models.
    Same(Box<Node>),
    /// Of one kind or another, which differ by themselves.
    Sum(Vec<(Vec<(VarId, Value)>, Node)>),
    /// Each with each.
    Product(Vec<Node>),
    /// One of each.
    Zip(Vec<Node>),
    /// All combinations of a few of them.
    Combine(usize, Vec<Node>),
    /// The first, and values that do not matter for the rest.
    With(Box<Node>, Vec<Node>),
    /// Coupled variables.
    Coupled(Box<Problem>),
}

/// Makes the plan of an environment.
pub(crate) fn plan(environment: &Environment) -> Node {
    let planner = Planner { environment };
    match problem(environment) {
        Ok(problem) => planner.whole(&problem),
        Err(Infeasible(why)) => Node::Empty(why),
    }
}

/// The plan that takes nothing apart.
pub(crate) fn together(environment: &Environment) -> Node {
    let planner = Planner { environment };
    match problem(environment) {
        Ok(problem) if problem.vars.is_empty() => planner.whole(&problem),
        Ok(problem) => {
            let decided = problem.decided.clone().into_iter().collect();
            let coupled = Node::Coupled(Box::new(planner.with_selectors(problem)));
            Node::Decided(decided, Box::new(coupled))
        }
        Err(Infeasible(why)) => Node::Empty(why),
    }
}

fn problem(environment: &Environment) -> Result<Problem, Infeasible> {
    let selectors = {
        let mut selectors = BTreeSet::new();
        environment.constraint.selectors(&mut selectors);
        selectors
    };
    let vars = (0_u32..).map(VarId).take(environment.variables.len());
    let vars: BTreeSet<VarId> = vars.filter(|id| !selectors.contains(id)).collect();
    let assertions = environment.assertions.iter().map(|(expr, _)| expr.clone()).collect();
    Problem::new(environment, vars, assertions, with_default(environment))
}

/// The plan of what is left of a problem once a variable is known.
pub(crate) fn replan(environment: &Environment, problem: &Problem) -> Node {
    Planner { environment }.whole(problem)
}

/// The constraint, and that models are not equal where it does not say so by itself.
fn with_default(environment: &Environment) -> Constraint {
    let constraint = &environment.constraint;
    // Where nothing is asked for, and where anything will do, models are not equal.
    if matches!(constraint, Constraint::Never | Constraint::Always) {
        return environment.default_constraint();
    }
    let default = match environment.default_constraint() {
        Constraint::Some(parts) => parts,
        other => vec![other],
    };
    let printed: BTreeSet<VarId> = default.iter().flat_map(Constraint::vars).collect();
    if tells_apart(constraint, &printed) {
        return constraint.clone();
    }
    // What is printed may be less than what may differ.
    if let Constraint::Some(parts) = constraint
        && default.iter().all(|part| parts.contains(part))
    {
        return Constraint::some(default);
    }
    let mut same = BTreeSet::new();
    equal_parts(constraint, &mut same);
    let can_differ = default.into_iter().filter(|part| !part.vars().is_subset(&same));
    Constraint::all([constraint.clone(), Constraint::some(can_differ)])
}

/// Are models that are different by a constraint not equal in what is printed?
fn tells_apart(constraint: &Constraint, printed: &BTreeSet<VarId>) -> bool {
    match constraint {
        Constraint::Relate { .. } => constraint.vars().is_subset(printed),
        Constraint::Cover { .. } | Constraint::Choice { .. } | Constraint::Combine { .. } => true,
        Constraint::Some(parts) => parts.iter().all(|part| tells_apart(part, printed)),
        Constraint::All(parts) => parts.iter().any(|part| tells_apart(part, printed)),
        _ => false,
    }
}

/// The variables that a constraint wants to be equal.
fn equal_parts(constraint: &Constraint, same: &mut BTreeSet<VarId>) {
    match constraint {
        Constraint::All(parts) => parts.iter().for_each(|part| equal_parts(part, same)),
        Constraint::Not(inner) if is_inequality(inner) => same.extend(inner.vars()),
        _ => {}
    }
}

/// Does it only say that values are not equal?
fn is_inequality(constraint: &Constraint) -> bool {
    match constraint {
        Constraint::Relate { relation, .. } => *relation == Relation::NotEqual,
        Constraint::Some(parts) => parts.iter().all(is_inequality),
        _ => false,
    }
}

struct Planner<'a> {
    environment: &'a Environment,
}

impl Planner<'_> {
    /// The plan of a problem. Without a constraint there is a single model: only within an
    /// arm of a choice nothing is left to differ.
    fn whole(&self, problem: &Problem) -> Node {
        let constraint = &problem.constraint;
        let atoms = atoms(constraint);
        let components = problem.components(&atoms);
        let constrained = constraint.vars();
        let touched = |component: &&BTreeSet<VarId>| !component.is_disjoint(&constrained);
        let free: Vec<Node> = components
            .iter()
            .filter(|component| !touched(component))
            .map(|component| self.free(problem, component))
            .collect();
        let touched: Vec<BTreeSet<VarId>> = components.iter().filter(touched).cloned().collect();
        let main = match constraint {
            Constraint::Never | Constraint::Always => {
                let all: Vec<Node> =
                    touched.iter().map(|component| self.free(problem, component)).collect();
                Node::One(Box::new(Node::Zip(all)))
            }
            other => self.split(problem, other, &touched),
        };
        let node = if free.is_empty() { main } else { Node::With(Box::new(main), free) };
        if problem.decided.is_empty() {
            return node;
        }
        let decided = problem.decided.iter().map(|(id, decided)| (*id, decided.clone())).collect();
        Node::Decided(decided, Box::new(node))
    }

    /// Divides a constraint into parts about different components.
    fn split(
        &self,
        problem: &Problem,
        constraint: &Constraint,
        components: &[BTreeSet<VarId>],
    ) -> Node {
        let parts = match constraint {
            Constraint::Some(parts)
            | Constraint::All(parts)
            | Constraint::Combine { parts, .. } => parts,
            _ => return self.leaf(problem, constraint, components),
        };
        let groups = grouped(parts, components);
        // That something is the same, or a relation of the file, is no list to multiply.
        let odd = |part: &Constraint| matches!(part, Constraint::Not(_) | Constraint::Custom(_));
        let only_all = matches!(constraint, Constraint::All(_));
        if groups.len() < 2 || (!only_all && parts.iter().any(odd)) {
            return self.leaf(problem, constraint, components);
        }
        let nodes: Vec<Node> = groups
            .into_iter()
            .map(|(parts, components)| {
                let joined = match constraint {
                    Constraint::All(_) => Constraint::all(parts),
                    _ => Constraint::some(parts),
                };
                self.split(problem, &joined, &components)
            })
            .collect();
        match constraint {
            Constraint::Some(_) => Node::Product(nodes),
            Constraint::All(_) => Node::Zip(nodes),
            Constraint::Combine { strength, .. } => {
                Node::Combine((*strength).min(nodes.len()), nodes)
            }
            _ => Node::Unit,
        }
    }

    /// A constraint about variables that belong together.
    fn leaf(
        &self,
        problem: &Problem,
        constraint: &Constraint,
        components: &[BTreeSet<VarId>],
    ) -> Node {
        let vars: BTreeSet<VarId> = components.iter().flatten().copied().collect();
        let part = problem.part(&vars, constraint.clone());
        match constraint {
            Constraint::Choice { selector, arms } => return self.sum(&part, *selector, arms),
            // Models of different arms differ already, so the rest is asked within arms.
            Constraint::Some(parts) => {
                let at = parts.iter().position(|part| matches!(part, Constraint::Choice { .. }));
                if let Some(Constraint::Choice { selector, arms }) = at.map(|at| &parts[at]) {
                    let rest = parts.iter().enumerate().filter(|(index, _)| Some(*index) != at);
                    let rest: Vec<Constraint> = rest.map(|(_, part)| part.clone()).collect();
                    let arms: Vec<Arm> = arms
                        .iter()
                        .map(|arm| Arm {
                            assertion: arm.assertion.clone(),
                            constraint: Constraint::some(
                                [arm.constraint.clone()].into_iter().chain(rest.iter().cloned()),
                            ),
                        })
                        .collect();
                    return self.sum(&part, *selector, &arms);
                }
            }
            // The same in all models: one value.
            Constraint::Not(inner) if is_inequality(inner) => {
                let all: Vec<Node> =
                    components.iter().map(|component| self.free(problem, component)).collect();
                return Node::Same(Box::new(Node::Zip(all)));
            }
            _ => {}
        }
        if let Some(node) = self.by_cases(&part, constraint) {
            return node;
        }
        if let (1, Some(id)) = (vars.len(), vars.first())
            && let Some(classes) = self.classes(&part, *id, constraint)
        {
            return Node::Classes(Box::new(classes));
        }
        Node::Coupled(Box::new(self.with_selectors(part)))
    }

    /// Choices within what is coupled: their selectors are variables like others.
    fn with_selectors(&self, mut problem: Problem) -> Problem {
        let mut selectors = BTreeSet::new();
        problem.constraint.selectors(&mut selectors);
        for id in selectors {
            if let Some(variable) = self.environment.variable(id) {
                problem.vars.insert(id);
                problem.domains.insert(id, Domain::of(variable));
            }
        }
        problem.assertions.extend(implied(&problem.constraint));
        problem
    }

    fn sum(&self, problem: &Problem, selector: VarId, arms: &[Arm]) -> Node {
        let nodes = arms.iter().zip(0_i128..).filter_map(|(arm, at)| {
            let arm_problem =
                problem.with(self.environment, &arm.assertion, &arm.constraint).ok()?;
            Some((vec![(selector, Value::Int(at))], self.whole(&arm_problem)))
        });
        Node::Sum(nodes.collect())
    }

    /// A variable that tells models apart by itself, and is coupled with others: value by
    /// value.
    fn by_cases(&self, problem: &Problem, constraint: &Constraint) -> Option<Node> {
        if problem.vars.len() < 2 {
            return None;
        }
        let coupled: BTreeSet<VarId> = problem.assertions.iter().flat_map(Expr::vars).collect();
        let guards = guards(constraint);
        let candidates =
            problem.vars.iter().filter(|id| coupled.contains(id) || guards.contains(id));
        let mut few: Vec<(VarId, Vec<Value>)> = candidates
            .filter(|id| separates(constraint, **id))
            .filter(|id| {
                !matches!(problem.domains.get(id), Some(Domain::Texts(_) | Domain::Reals(_)))
            })
            .filter_map(|id| {
                let most = if guards.contains(id) { GUARDS_MAX } else { CASES_MAX };
                Some((*id, problem.domains.get(id)?.few(most)?))
            })
            .collect();
        few.sort_by_key(|(id, values)| (!guards.contains(id), values.len()));
        let (id, values) = few.into_iter().next()?;
        let sort = self.environment.variable(id)?.sort.clone();
        let cases = values.into_iter().filter_map(|value| {
            let is = Expr::var(id, sort.clone()).eq(Expr::constant(value.clone(), sort.clone()));
            let is = if sort == Sort::Bool { bool_is(id, &value) } else { is };
            let case = problem.with(self.environment, &is, constraint).ok()?;
            Some((Vec::new(), self.whole(&case)))
        });
        Some(Node::Sum(cases.collect()))
    }

    fn classes(&self, problem: &Problem, id: VarId, constraint: &Constraint) -> Option<Classes> {
        let sort = self.environment.variable(id)?.sort.clone();
        let class = Class::of(constraint, id)?;
        let domain = problem.domains.get(&id)?.clone();
        Some(Classes { id, sort, domain, class, filter: problem.assertions.clone() })
    }

    /// Variables of which nothing is asked but that they satisfy the assertions.
    fn free(&self, problem: &Problem, component: &BTreeSet<VarId>) -> Node {
        let any = component.iter().filter_map(|id| {
            let sort = self.environment.variable(*id)?.sort.clone();
            Some(Constraint::Relate {
                subject: Expr::var(*id, sort),
                guard: Expr::bool(true),
                relation: Relation::NotEqual,
            })
        });
        let constraint = Constraint::some(any);
        self.leaf(problem, &constraint, std::slice::from_ref(component))
    }
}

fn bool_is(id: VarId, value: &Value) -> Expr {
    let var = Expr::var(id, Sort::Bool);
    if *value == Value::Bool(true) { var } else { var.not() }
}

/// The variables of each part of a constraint that belongs together.
fn atoms(constraint: &Constraint) -> Vec<BTreeSet<VarId>> {
    match constraint {
        Constraint::Some(parts) | Constraint::All(parts) | Constraint::Combine { parts, .. } => {
            parts.iter().flat_map(atoms).collect()
        }
        Constraint::Not(inner) => atoms(inner),
        other => vec![other.vars()],
    }
}

/// The variables that are guards of parts of a constraint.
fn guards(constraint: &Constraint) -> BTreeSet<VarId> {
    match constraint {
        Constraint::Relate { guard, .. } | Constraint::Cover { guard, .. } => guard.vars(),
        Constraint::Some(parts) | Constraint::All(parts) => parts.iter().flat_map(guards).collect(),
        _ => BTreeSet::new(),
    }
}

/// Parts that share components, together.
fn grouped(
    parts: &[Constraint],
    components: &[BTreeSet<VarId>],
) -> Vec<(Vec<Constraint>, Vec<BTreeSet<VarId>>)> {
    let numbered = components.iter().enumerate();
    let index: BTreeMap<VarId, usize> =
        numbered.flat_map(|(at, component)| component.iter().map(move |id| (*id, at))).collect();
    let mut groups: Vec<(Vec<Constraint>, BTreeSet<usize>)> = Vec::new();
    for part in parts {
        let mut own: BTreeSet<usize> =
            part.vars().iter().filter_map(|id| index.get(id).copied()).collect();
        let mut members = vec![part.clone()];
        let mut rest = Vec::new();
        for (others, indices) in groups {
            if indices.is_disjoint(&own) {
                rest.push((others, indices));
            } else {
                members.splice(0..0, others);
                own.extend(indices);
            }
        }
        rest.push((members, own));
        groups = rest;
    }
    let named = groups.into_iter().map(|(parts, indices)| {
        (parts, indices.into_iter().map(|at| components[at].clone()).collect())
    });
    named.collect()
}

/// What a constraint asserts of each model: the assertions of the chosen arms.
fn implied(constraint: &Constraint) -> Vec<Expr> {
    match constraint {
        Constraint::All(parts) | Constraint::Some(parts) | Constraint::Combine { parts, .. } => {
            parts.iter().flat_map(implied).collect()
        }
        Constraint::Not(inner) => implied(inner),
        Constraint::Cover { subject, guard, pattern, .. } => {
            vec![guard.clone().implies(subject.clone().matches(pattern.clone()))]
        }
        Constraint::Choice { selector, arms } => {
            let chosen = arms.iter().zip(0_i128..).map(|(arm, at)| {
                let is = Expr::var(*selector, Sort::Int).eq(Expr::int(at));
                is.implies(Expr::and(
                    [arm.assertion.clone()].into_iter().chain(implied(&arm.constraint)),
                ))
            });
            chosen.collect()
        }
        _ => Vec::new(),
    }
}
