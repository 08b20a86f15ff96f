//! Plans: a tree of lists that assigns an engine to each variable.
//!
//! The planner divides the variables into components: two variables are in one component if an
//! assertion or an indivisible part of the constraint mentions both. Components that the
//! constraint ignores only have to satisfy the assertions. The others are planned by the form of
//! the constraint:
//!
//! - `some-of` over different components is a product, `all-of` a zip;
//! - `enumerate*` is the sum of its arms, because models of different arms differ;
//! - a variable that separates models and has few values is the sum over its values;
//! - a single variable is listed by a class enumerator;
//! - everything else is a coupled problem.
//!
//! Invariant: any two models of a node satisfy the node's part of the constraint.

use super::classes::{ClassEnumerator, Grouping};
use super::domain::Domain;
use super::problem::{Decided, Infeasible, Problem, separates};
use crate::ir::{Arm, Constraint, Environment, Expr, Relation, Sort, Value, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// The number of values up to which a guard is tried value by value. A guard decides whether other
/// values are present; the guard of a list's items is its length. Arbitrary. Guards with more
/// values stay in a coupled problem.
const GUARDS_MAX: usize = 256;

/// The same limit for a variable that is not a guard. Arbitrary.
const CASES_MAX: usize = 4;

/// A node of a plan.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// There is no model.
    Empty(String),
    /// Adds decided values to the items of the inner node.
    Decided(Vec<(VarId, Decided)>, Box<Node>),
    /// Nothing to decide.
    Unit,
    /// Different values of one variable.
    Classes(Box<ClassEnumerator>),
    /// One model of the inner node.
    One(Box<Node>),
    /// One model of the inner node, the same for all items of a zip.
    Same(Box<Node>),
    /// Items of several arms. Items of different arms differ. Each arm fixes some values, such as
    /// its selector.
    Sum(Vec<(Vec<(VarId, Value)>, Node)>),
    /// The Cartesian product.
    Product(Vec<Node>),
    /// One item of each node.
    Zip(Vec<Node>),
    /// A covering array: all combinations of items from any of the given number of nodes.
    Combine(usize, Vec<Node>),
    /// Items of the first node, extended by values that the constraint ignores.
    With(Box<Node>, Vec<Node>),
    /// Variables that an assertion couples.
    Coupled(Box<Problem>),
}

/// Plans an environment.
pub(crate) fn plan(environment: &Environment) -> Node {
    let planner = Planner { environment };
    match problem(environment) {
        Ok(problem) => planner.plan_problem(&problem),
        Err(Infeasible(why)) => Node::Empty(why),
    }
}

/// Plans an environment as one coupled problem, for [`super::Coupled::All`].
pub(crate) fn plan_as_one(environment: &Environment) -> Node {
    let planner = Planner { environment };
    match problem(environment) {
        Ok(problem) if problem.vars.is_empty() => planner.plan_problem(&problem),
        Ok(problem) => {
            let decided = problem.decided.clone().into_iter().collect();
            let coupled = Node::Coupled(Box::new(planner.with_selectors(problem)));
            Node::Decided(decided, Box::new(coupled))
        }
        Err(Infeasible(why)) => Node::Empty(why),
    }
}

/// The simplified problem of an environment, without the selectors of its choices.
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

/// Plans what is left of a problem after a variable was fixed.
pub(crate) fn replan(environment: &Environment, problem: &Problem) -> Node {
    Planner { environment }.plan_problem(problem)
}

/// The constraint, together with the demand that printed models differ if the constraint does
/// not imply it.
fn with_default(environment: &Environment) -> Constraint {
    let constraint = &environment.constraint;
    // Without a constraint, models must only differ in what is printed.
    if matches!(constraint, Constraint::Never | Constraint::Always) {
        return environment.default_constraint();
    }
    let default = match environment.default_constraint() {
        Constraint::Some(parts) => parts,
        other => vec![other],
    };
    let printed: BTreeSet<VarId> = default.iter().flat_map(Constraint::vars).collect();
    if separates_printed(constraint, &printed) {
        return constraint.clone();
    }
    // The constraint allows differences in variables that are not printed; drop those.
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

/// Whether two models that satisfy the constraint differ in what is printed.
fn separates_printed(constraint: &Constraint, printed: &BTreeSet<VarId>) -> bool {
    match constraint {
        Constraint::Relate { .. } => constraint.vars().is_subset(printed),
        Constraint::Cover { .. } | Constraint::Choice { .. } | Constraint::Combine { .. } => true,
        Constraint::Some(parts) => parts.iter().all(|part| separates_printed(part, printed)),
        Constraint::All(parts) => parts.iter().any(|part| separates_printed(part, printed)),
        _ => false,
    }
}

/// Collects the variables that must have the same value in all models.
fn equal_parts(constraint: &Constraint, same: &mut BTreeSet<VarId>) {
    match constraint {
        Constraint::All(parts) => parts.iter().for_each(|part| equal_parts(part, same)),
        Constraint::Not(inner) if is_inequality(inner) => same.extend(inner.vars()),
        _ => {}
    }
}

/// Whether a constraint consists of `not-equal` alone.
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
    /// Plans a problem. A constraint that became constant means one model: this happens only
    /// within the arm of a choice, where the arm itself is the difference.
    fn plan_problem(&self, problem: &Problem) -> Node {
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

    /// Plans a constraint by its parts about different components.
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
        // Neither a negation nor a custom relation gives a list that can be multiplied.
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

    /// Plans a constraint that cannot be divided.
    fn leaf(
        &self,
        problem: &Problem,
        constraint: &Constraint,
        components: &[BTreeSet<VarId>],
    ) -> Node {
        let vars: BTreeSet<VarId> = components.iter().flatten().copied().collect();
        let part = problem.restricted_to(&vars, constraint.clone());
        match constraint {
            Constraint::Choice { selector, arms } => return self.sum(&part, *selector, arms),
            // Models of different arms differ already, so the other parts apply within arms.
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
            // All models share one value.
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

    /// Adds the selectors of choices within a coupled problem as ordinary variables.
    fn with_selectors(&self, mut problem: Problem) -> Problem {
        let mut selectors = BTreeSet::new();
        problem.constraint.selectors(&mut selectors);
        for id in selectors {
            if let Some(variable) = self.environment.variable(id) {
                problem.vars.insert(id);
                problem.domains.insert(id, Domain::for_variable(variable));
            }
        }
        problem.assertions.extend(implied(&problem.constraint));
        problem
    }

    /// Plans a choice: one node for each arm that is not contradictory.
    fn sum(&self, problem: &Problem, selector: VarId, arms: &[Arm]) -> Node {
        let nodes = arms.iter().zip(0_i128..).filter_map(|(arm, at)| {
            let arm_problem =
                problem.with_assertion(self.environment, &arm.assertion, &arm.constraint).ok()?;
            Some((vec![(selector, Value::Int(at))], self.plan_problem(&arm_problem)))
        });
        Node::Sum(nodes.collect())
    }

    /// Plans by the values of one variable that separates models and is coupled with others.
    /// Guards come first, then variables with few values.
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
                !matches!(problem.domains.get(id), Some(Domain::Strings(_) | Domain::Reals(_)))
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
            let case = problem.with_assertion(self.environment, &is, constraint).ok()?;
            Some((Vec::new(), self.plan_problem(&case)))
        });
        Some(Node::Sum(cases.collect()))
    }

    fn classes(
        &self,
        problem: &Problem,
        id: VarId,
        constraint: &Constraint,
    ) -> Option<ClassEnumerator> {
        let sort = self.environment.variable(id)?.sort.clone();
        let grouping = Grouping::for_constraint(constraint, id)?;
        let domain = problem.domains.get(&id)?.clone();
        Some(ClassEnumerator { id, sort, domain, grouping, filter: problem.assertions.clone() })
    }

    /// Plans variables that only have to satisfy the assertions.
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

/// The sets of variables of the indivisible parts of a constraint.
fn atoms(constraint: &Constraint) -> Vec<BTreeSet<VarId>> {
    match constraint {
        Constraint::Some(parts) | Constraint::All(parts) | Constraint::Combine { parts, .. } => {
            parts.iter().flat_map(atoms).collect()
        }
        Constraint::Not(inner) => atoms(inner),
        other => vec![other.vars()],
    }
}

/// The variables in the guards of a constraint.
fn guards(constraint: &Constraint) -> BTreeSet<VarId> {
    match constraint {
        Constraint::Relate { guard, .. } | Constraint::Cover { guard, .. } => guard.vars(),
        Constraint::Some(parts) | Constraint::All(parts) => parts.iter().flat_map(guards).collect(),
        _ => BTreeSet::new(),
    }
}

/// Groups the parts of a constraint that share components.
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

/// The assertions that a constraint implies for each single model: that it satisfies its arm,
/// and matches the pattern that it covers.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Program;

    fn plan_of(text: &str) -> Node {
        let program = Program::parse("test.rebut", text);
        assert_eq!(program.diagnostics, []);
        plan(&program.environments[0])
    }

    #[test]
    fn independent_variables_are_zipped_and_ignored_ones_added() {
        let node = plan_of(
            "(declare hour ?(Integer 0 23)) (declare name ?String)
             (declare a ?Integer) (declare b ?Integer)
             (assert (< a b))
             (generate g 10 (output hour name a b)
               (constrain-solutions hour (all-of (numeric-distance 5) (relation name not-equal))))",
        );
        let Node::With(main, ignored) = node else { panic!("{node:?}") };
        let Node::Zip(factors) = *main else { panic!("{main:?}") };
        assert!(matches!(&factors[..], [Node::Classes(_), Node::Classes(_)]), "{factors:?}");
        assert!(matches!(&ignored[..], [Node::Coupled(_)]), "{ignored:?}");
    }

    #[test]
    fn one_difference_is_enough_for_a_product() {
        let node = plan_of(
            "(declare x ?Integer) (declare y ?Integer)
             (generate g 10 (output x y)
               (constrain-solutions x (some-of not-equal (relation y not-equal))))",
        );
        let Node::Product(factors) = node else { panic!("{node:?}") };
        assert!(matches!(&factors[..], [Node::Classes(_), Node::Classes(_)]), "{factors:?}");
    }
}
