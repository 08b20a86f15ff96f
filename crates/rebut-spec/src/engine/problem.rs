//! A part of an environment, simplified: domains, the assertions left over, and a constraint.
//!
//! A domain can be listed; an assertion that stays couples variables and has to be searched or
//! solved (`coupled.rs`). So simplification removes as many assertions as it can. The first
//! three rules repeat until none applies, then the fourth is applied once:
//!
//! 1. An assertion about one variable narrows its domain ([`Domain::allowed`]).
//! 2. `x = 5`, or a domain with one value, decides `x`: the value replaces `x` everywhere.
//! 3. `x = y` makes two variables one: `y` is decided to be the same as `x`.
//! 4. An assertion about one integer that no interval expresses (`x mod 3 = 1`) is evaluated for
//!    each value, if there are few.
//!
//! For example, let `x` and `y` be from 0 to 9, with `x + y = 12` and `x = 5`. Rule 2 decides
//! `x`. The rewritten assertion `5 + y = 12` is about one variable, so rule 1 narrows `y` to
//! 7, and rule 2 decides it. No assertion is left.
//!
//! Invariant: a decided variable occurs in no domain, no assertion and not in the constraint.
//!
//! An assertion about several variables narrows no domain: from `x < y` nothing follows for
//! `x`. The search checks such an assertion as early as it can, and a solver propagates bounds
//! itself.

use super::domain::Domain;
use super::intervals::Intervals;
use crate::eval;
use crate::ir::{Arm, Constraint, Environment, Expr, Op, Relation, Value, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// The size of the largest domain that rule 4 filters value by value. Arbitrary. The assertions
/// of a larger domain stay, and the values are tested when they are listed, searched or solved.
const FILTERED_MAX: u128 = 2000;

/// A part of an environment, simplified.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    /// The variables that are not decided.
    pub(crate) vars: BTreeSet<VarId>,
    pub(crate) domains: BTreeMap<VarId, Domain>,
    /// The assertions that no domain expresses.
    pub(crate) assertions: Vec<Expr>,
    pub(crate) constraint: Constraint,
    /// The variables that have one value, and those that equal another variable.
    pub(crate) decided: BTreeMap<VarId, Decided>,
    /// The assertions that the domains of strings were made of. An external solver gets these
    /// instead of the domain.
    pub(crate) string_assertions: BTreeMap<VarId, Vec<Expr>>,
    /// The variables whose domains became smaller and have to be checked for emptiness.
    narrowed: BTreeSet<VarId>,
}

/// Where the value of a decided variable comes from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Decided {
    Value(Value),
    SameAs(VarId),
}

/// Why there is no model at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Infeasible(pub(crate) String);

impl Problem {
    /// Simplifies the assertions about some variables.
    pub(crate) fn new(
        environment: &Environment,
        vars: BTreeSet<VarId>,
        assertions: Vec<Expr>,
        constraint: Constraint,
    ) -> Result<Self, Infeasible> {
        let domains = vars
            .iter()
            .filter_map(|id| Some((*id, Domain::for_variable(environment.variable(*id)?))))
            .collect();
        let mut problem = Self {
            narrowed: vars.clone(),
            vars,
            domains,
            assertions: Vec::new(),
            constraint,
            decided: BTreeMap::new(),
            string_assertions: BTreeMap::new(),
        };
        problem.simplify(environment, assertions)?;
        Ok(problem)
    }

    /// Adds assertions until a fixed point: as long as a variable is decided, the assertions
    /// left over are rewritten without it and added again. Then rewrites the constraint.
    fn simplify(
        &mut self,
        environment: &Environment,
        assertions: Vec<Expr>,
    ) -> Result<(), Infeasible> {
        let mut queue = assertions;
        while !queue.is_empty() {
            let mut changed = false;
            for assertion in flattened(&queue) {
                changed |= self.add_assertion(environment, assertion)?;
            }
            changed |= self.decide_singletons(environment)?;
            queue = if changed { std::mem::take(&mut self.assertions) } else { Vec::new() };
        }
        self.filter_small_domains(environment);
        self.constraint = self.rewritten_constraint();
        self.check_domains(environment)
    }

    /// Adds an assertion by the first three rules. Returns whether a variable was decided, so
    /// that other assertions may be simpler now.
    fn add_assertion(
        &mut self,
        environment: &Environment,
        assertion: Expr,
    ) -> Result<bool, Infeasible> {
        let assertion = self.rewritten(&assertion);
        if assertion.is_true() {
            return Ok(false);
        }
        if assertion.is_false() {
            return Err(Infeasible("the assertions contradict each other".into()));
        }
        if *assertion.op() == Op::And {
            let mut changed = false;
            for part in assertion.args() {
                changed |= self.add_assertion(environment, part.clone())?;
            }
            return Ok(changed);
        }
        if let (Op::Eq, [left, right]) = (assertion.op(), assertion.args()) {
            if let Some((left, right)) = left.as_var().zip(right.as_var()) {
                return Ok(self.unify(left, right));
            }
            for (var, value) in [(left, right), (right, left)] {
                if let Some((id, value)) = var.as_var().zip(value.value()) {
                    return self.fix_value(environment, id, value.clone());
                }
            }
        }
        let vars = assertion.vars();
        if let (1, Some(id)) = (vars.len(), vars.first())
            && let Some(sort) = environment.variable(*id).map(|variable| &variable.sort)
            && let Some(allowed) = Domain::allowed(&assertion, *id, sort)
            && let Some(domain) = self.domains.get_mut(id)
        {
            *domain = domain.intersection(&allowed);
            if matches!(domain, Domain::Strings(_)) {
                self.string_assertions.entry(*id).or_default().push(assertion.clone());
            }
            self.narrowed.insert(*id);
            return Ok(false);
        }
        self.assertions.push(assertion);
        Ok(false)
    }

    /// Makes two variables one. Returns whether they were two.
    fn unify(&mut self, left: VarId, right: VarId) -> bool {
        if left == right || !self.vars.contains(&left) || !self.vars.contains(&right) {
            return false;
        }
        if let Some(other) = self.domains.remove(&right)
            && let Some(domain) = self.domains.get_mut(&left)
        {
            *domain = domain.intersection(&other);
        }
        for assertion in self.string_assertions.remove(&right).unwrap_or_default() {
            let renamed = assertion.substitute(&|op, sort| {
                (*op == Op::Var(right)).then(|| Expr::var(left, sort.clone()))
            });
            self.string_assertions.entry(left).or_default().push(renamed);
        }
        self.narrowed.insert(left);
        self.vars.remove(&right);
        self.decided.insert(right, Decided::SameAs(left));
        true
    }

    /// Decides that a variable has a value. Returns whether it was undecided.
    fn fix_value(
        &mut self,
        environment: &Environment,
        id: VarId,
        value: Value,
    ) -> Result<bool, Infeasible> {
        if !self.vars.remove(&id) {
            return Ok(false);
        }
        if self.domains.remove(&id).is_some_and(|domain| !domain.contains(&value)) {
            return Err(no_value_left(environment, id));
        }
        self.decided.insert(id, Decided::Value(value));
        Ok(true)
    }

    /// Decides the variables whose domains have one value.
    fn decide_singletons(&mut self, environment: &Environment) -> Result<bool, Infeasible> {
        let single: Vec<(VarId, Value)> =
            self.domains.iter().filter_map(|(id, domain)| Some((*id, domain.single()?))).collect();
        let mut changed = false;
        for (id, value) in single {
            changed |= self.fix_value(environment, id, value)?;
        }
        Ok(changed)
    }

    /// Applies rule 4: evaluates assertions about one integer (a remainder, a square) for each
    /// value of a small domain.
    fn filter_small_domains(&mut self, environment: &Environment) {
        let mut left = Vec::new();
        for assertion in std::mem::take(&mut self.assertions) {
            let vars = assertion.vars();
            let only = vars.first().filter(|_| vars.len() == 1);
            let small = only.and_then(|id| match self.domains.get(id) {
                Some(Domain::Ints(set)) if set.size() <= FILTERED_MAX => Some((*id, set.clone())),
                _ => None,
            });
            let Some((id, set)) = small else {
                left.push(assertion);
                continue;
            };
            let mut model = super::simplest_model(environment);
            let mut kept = Intervals::none();
            for number in (0..set.size()).filter_map(|at| set.nth(at)) {
                model.0[id.index()] = Value::Int(number);
                if eval::truth(&assertion, &model, None) == Some(true) {
                    kept = kept.union(&Intervals::between(number, number));
                }
            }
            self.domains.insert(id, Domain::Ints(kept));
            self.narrowed.insert(id);
        }
        self.assertions = left;
    }

    /// Replaces decided variables, following chains of equal ones.
    fn rewritten(&self, expr: &Expr) -> Expr {
        if self.decided.is_empty() {
            return expr.clone();
        }
        let known = |id: &VarId, other: bool, sort: &crate::ir::Sort| {
            let mut at = *id;
            loop {
                match self.decided.get(&at) {
                    Some(Decided::Value(value)) => {
                        return Some(Expr::constant(value.clone(), sort.clone()));
                    }
                    Some(Decided::SameAs(next)) => at = *next,
                    None if at == *id => return None,
                    None if other => {
                        return Some(Expr::raw(Op::Other(at), Vec::new(), sort.clone()));
                    }
                    None => return Some(Expr::var(at, sort.clone())),
                }
            }
        };
        expr.substitute(&|op, sort| match op {
            Op::Var(id) => known(id, false, sort),
            Op::Other(id) => known(id, true, sort),
            _ => None,
        })
    }

    fn rewritten_constraint(&self) -> Constraint {
        simplified(&self.constraint.map(&|expr| self.rewritten(expr), &|id| id))
    }

    fn check_domains(&mut self, environment: &Environment) -> Result<(), Infeasible> {
        for id in std::mem::take(&mut self.narrowed) {
            // A language too complex to decide is not known to be empty.
            if self.domains.get(&id).is_some_and(|domain| domain.is_empty() == Ok(true)) {
                return Err(no_value_left(environment, id));
            }
        }
        Ok(())
    }

    /// The part of the problem about some of the variables, which no assertion may couple with
    /// the others.
    pub(crate) fn restricted_to(&self, vars: &BTreeSet<VarId>, constraint: Constraint) -> Self {
        let domains = self.domains.iter().filter(|(id, _)| vars.contains(id));
        let assertions = self.assertions.iter().filter(|expr| !expr.vars().is_disjoint(vars));
        Self {
            vars: vars.clone(),
            domains: domains.map(|(id, domain)| (*id, domain.clone())).collect(),
            assertions: assertions.cloned().collect(),
            constraint,
            decided: BTreeMap::new(),
            string_assertions: self.string_assertions.clone(),
            narrowed: BTreeSet::new(),
        }
    }

    /// The problem with one more assertion and another constraint.
    ///
    /// # Errors
    /// If the assertion contradicts the others in a way that simplification sees.
    pub(crate) fn with_assertion(
        &self,
        environment: &Environment,
        assertion: &Expr,
        constraint: &Constraint,
    ) -> Result<Self, Infeasible> {
        let mut next = self.clone();
        next.constraint = constraint.clone();
        let mut assertions = vec![assertion.clone()];
        assertions.append(&mut next.assertions);
        next.simplify(environment, assertions)?;
        Ok(next)
    }

    /// Divides the variables into sets that neither an assertion nor a set of `together`
    /// connects.
    pub(crate) fn components(&self, together: &[BTreeSet<VarId>]) -> Vec<BTreeSet<VarId>> {
        let mut leaders: BTreeMap<VarId, VarId> = self.vars.iter().map(|id| (*id, *id)).collect();
        let coupled = self.assertions.iter().map(Expr::vars);
        for set in coupled.chain(together.iter().cloned()) {
            let mut members = set.into_iter().filter(|id| self.vars.contains(id));
            let Some(first) = members.next() else { continue };
            for other in members {
                let (first, other) = (leader(&mut leaders, first), leader(&mut leaders, other));
                leaders.insert(other, first);
            }
        }
        let mut components: BTreeMap<VarId, BTreeSet<VarId>> = BTreeMap::new();
        for id in &self.vars {
            components.entry(leader(&mut leaders, *id)).or_default().insert(*id);
        }
        let mut components: Vec<BTreeSet<VarId>> = components.into_values().collect();
        components.sort();
        components
    }
}

/// Returns the representative of a variable's set and shortens the path to it (union-find).
fn leader(leaders: &mut BTreeMap<VarId, VarId>, id: VarId) -> VarId {
    let mut at = id;
    while let Some(next) = leaders.get(&at).copied().filter(|next| *next != at) {
        let after = leaders.get(&next).copied().unwrap_or(next);
        leaders.insert(at, after);
        at = next;
    }
    at
}

fn no_value_left(environment: &Environment, id: VarId) -> Infeasible {
    let name = environment.variable(id).map_or("a variable", |variable| &variable.name);
    Infeasible(format!("no value of `{name}` satisfies what is specified"))
}

fn flattened(assertions: &[Expr]) -> Vec<Expr> {
    let parts = assertions.iter().flat_map(|assertion| match assertion.op() {
        Op::And => assertion.args().to_vec(),
        _ => vec![assertion.clone()],
    });
    parts.collect()
}

/// Simplifies a constraint: removes the parts that are true or false for every two models.
pub(crate) fn simplified(constraint: &Constraint) -> Constraint {
    match constraint {
        Constraint::Relate { subject, guard, .. } => {
            // Whatever the relation, a constant is not different from itself: distances are
            // positive. Without a guard nothing differs, with one only its presence.
            let is_constant = subject.value().is_some();
            if guard.is_false() || (is_constant && guard.value().is_some()) {
                return Constraint::Never;
            }
            if is_constant {
                return Constraint::Relate {
                    subject: guard.clone(),
                    guard: Expr::bool(true),
                    relation: Relation::NotEqual,
                };
            }
            constraint.clone()
        }
        Constraint::Cover { guard, .. } if guard.is_false() => Constraint::Never,
        Constraint::Custom(expr) => Constraint::custom(expr.clone()),
        Constraint::All(parts) => {
            let parts: Vec<Constraint> = parts.iter().map(simplified).collect();
            if parts.contains(&Constraint::Never) {
                Constraint::Never
            } else {
                Constraint::all(parts)
            }
        }
        Constraint::Some(parts) => {
            let parts: Vec<Constraint> = parts.iter().map(simplified).collect();
            if parts.contains(&Constraint::Always) {
                Constraint::Always
            } else {
                Constraint::some(parts)
            }
        }
        Constraint::Combine { strength, parts } => {
            let mut parts: Vec<Constraint> = parts.iter().map(simplified).collect();
            parts.retain(|part| *part != Constraint::Never);
            match parts.len() {
                0 => Constraint::Never,
                1 => parts.swap_remove(0),
                _ => Constraint::Combine { strength: *strength, parts },
            }
        }
        Constraint::Not(inner) => match simplified(inner) {
            Constraint::Never => Constraint::Always,
            Constraint::Always => Constraint::Never,
            Constraint::Not(inner) => *inner,
            other => Constraint::Not(Box::new(other)),
        },
        Constraint::Choice { selector, arms } => Constraint::Choice {
            selector: *selector,
            arms: arms
                .iter()
                .map(|arm| Arm {
                    assertion: arm.assertion.clone(),
                    constraint: simplified(&arm.constraint),
                })
                .collect(),
        },
        other => other.clone(),
    }
}

/// Whether any two models with different values of a variable satisfy the constraint.
pub(crate) fn separates(constraint: &Constraint, id: VarId) -> bool {
    match constraint {
        Constraint::Always => true,
        Constraint::Relate { subject, guard, relation } => {
            let by_value =
                guard.is_true() && *relation == Relation::NotEqual && subject.as_var() == Some(id);
            by_value || guard.as_var() == Some(id)
        }
        Constraint::Cover { guard, .. } => guard.as_var() == Some(id),
        Constraint::Some(parts) => parts.iter().any(|part| separates(part, id)),
        Constraint::All(parts) => !parts.is_empty() && parts.iter().all(|part| separates(part, id)),
        _ => false,
    }
}

/// Whether the constraint compares keys: two models satisfy it if their keys differ. Then the
/// largest set of models has one model for each key. Distances are not of this kind.
pub(crate) fn is_keyed(constraint: &Constraint) -> bool {
    match constraint {
        Constraint::Relate { relation, .. } => {
            !matches!(relation, Relation::NumericDistance(_) | Relation::EditDistance(_))
        }
        Constraint::Cover { .. } => true,
        Constraint::Some(parts) => parts.iter().all(is_keyed),
        _ => false,
    }
}

/// Appends the key of a model under a constraint for which [`is_keyed`] is true.
pub(crate) fn key(constraint: &Constraint, model: &crate::ir::Model, into: &mut Vec<eval::Key>) {
    match constraint {
        Constraint::Some(parts) => parts.iter().for_each(|part| key(part, model, into)),
        other => into.push(eval::key(other, model)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Program;
    use crate::ir::{Model, Sort};
    use crate::number::Real;

    /// Every relation, with a constant that it can compare.
    fn constants() -> Vec<(Expr, Relation)> {
        vec![
            (Expr::int(7), Relation::NotEqual),
            (Expr::str("ab"), Relation::DifferentLengths),
            (Expr::int(7), Relation::NumericDistance(Real::from_int(3))),
            (Expr::str("ab"), Relation::EditDistance(1)),
            (Expr::constant(0_i128, Sort::Location), Relation::DifferentTimeZones),
        ]
    }

    /// The simplified problem of a program's only environment.
    fn problem(text: &str) -> Result<Problem, Infeasible> {
        let program = Program::parse("test.rebut", text);
        assert_eq!(program.diagnostics, []);
        let environment = &program.environments[0];
        let vars = (0_u32..).map(VarId).take(environment.variables.len()).collect();
        let assertions = environment.assertions.iter().map(|(expr, _)| expr.clone()).collect();
        Problem::new(environment, vars, assertions, environment.default_constraint())
    }

    fn two_digits(assertions: &str) -> Result<Problem, Infeasible> {
        problem(&format!(
            "(declare x ?(Integer 0 9)) (declare y ?(Integer 0 9)) (assert {assertions})
             (generate g 10 (output x y))"
        ))
    }

    #[test]
    fn deciding_one_variable_decides_the_other() {
        let problem = two_digits("(= (+ x y) 12) (= x 5)").expect("a model");
        let values = [5, 7].map(|number| Decided::Value(Value::Int(number)));
        assert_eq!(problem.decided, (0..).map(VarId).zip(values).collect());
        assert_eq!((problem.vars.len(), problem.assertions.len()), (0, 0));
        assert_eq!(problem.constraint, Constraint::Never);
    }

    #[test]
    fn equal_variables_become_one() {
        let problem = two_digits("(= x y) (>= y 4) (<= x 6)").expect("a model");
        assert_eq!(problem.decided.get(&VarId(1)), Some(&Decided::SameAs(VarId(0))));
        let values = problem.domains[&VarId(0)].few(10);
        assert_eq!(values, Some([4, 5, 6].map(Value::Int).to_vec()));
        assert_eq!(problem.constraint.vars(), BTreeSet::from([VarId(0)]));
    }

    #[test]
    fn remainders_filter_small_domains() {
        let problem = two_digits("(= (mod x 4) 1)").expect("a model");
        assert!(problem.assertions.is_empty());
        let values = problem.domains[&VarId(0)].few(10);
        assert_eq!(values, Some([1, 5, 9].map(Value::Int).to_vec()));
    }

    #[test]
    fn assertions_about_two_variables_stay() {
        let problem = two_digits("(< x y)").expect("a model");
        assert_eq!(problem.assertions.len(), 1);
        assert_eq!(problem.components(&[]), [BTreeSet::from([VarId(0), VarId(1)])]);
        assert_eq!(two_digits("(< x 3)").expect("a model").components(&[]).len(), 2);
    }

    #[test]
    fn contradictions_are_infeasible() {
        let why = two_digits("(< x 3) (= x y) (> y 3)").map(|_| ()).expect_err("no value");
        assert!(why.0.contains("`x`"), "{}", why.0);
        assert!(two_digits("(= (mod x 20) 15)").is_err());
    }

    #[test]
    fn simplifying_a_constant_subject_agrees_with_the_evaluator() {
        let present = Expr::var(VarId(0), Sort::Bool);
        let models = [Model(vec![Value::Bool(false)]), Model(vec![Value::Bool(true)])];
        for (subject, relation) in constants() {
            for guard in [Expr::bool(true), Expr::bool(false), present.clone()] {
                let constraint = Constraint::Relate {
                    subject: subject.clone(),
                    guard: guard.clone(),
                    relation: relation.clone(),
                };
                let simple = simplified(&constraint);
                assert!(!simple.vars().is_empty() || simple == Constraint::Never, "{simple:?}");
                for left in &models {
                    for right in &models {
                        assert_eq!(
                            eval::differ(&simple, left, right),
                            eval::differ(&constraint, left, right),
                            "{constraint:?} became {simple:?}"
                        );
                    }
                }
            }
        }
    }
}
