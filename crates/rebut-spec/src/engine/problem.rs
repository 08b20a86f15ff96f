//! What is asked of some of the variables: domains, assertions that are left over, and a
//! constraint.
//!
//! An assertion about one variable becomes a part of its domain. A variable with one value
//! left is put into the other assertions, which may then be about one variable themselves;
//! two variables that must be equal become one. So what is left over really couples
//! variables.

use super::domain::Domain;
use super::intervals::Intervals;
use crate::eval;
use crate::ir::{Arm, Constraint, Environment, Expr, Op, Relation, Value, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// Up to so many values are asked one by one what an assertion says of them.
const ABSORBED_MAX: u128 = 2000;

/// A part of an environment, simplified.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    /// The variables that are not decided yet.
    pub(crate) vars: BTreeSet<VarId>,
    pub(crate) domains: BTreeMap<VarId, Domain>,
    /// Assertions that are in no domain.
    pub(crate) assertions: Vec<Expr>,
    pub(crate) constraint: Constraint,
    /// The variables that have one value, and those that are equal to others.
    pub(crate) decided: BTreeMap<VarId, Decided>,
    /// What the domains of texts were made of, for solvers that are told so.
    pub(crate) texts: BTreeMap<VarId, Vec<Expr>>,
    /// The variables whose domains were made smaller and may be empty now.
    narrowed: BTreeSet<VarId>,
}

/// What is known about a variable that is no longer asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Decided {
    Value(Value),
    SameAs(VarId),
}

/// Why there is no model at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Infeasible(pub(crate) String);

impl Problem {
    /// Simplifies assertions about some variables.
    pub(crate) fn new(
        environment: &Environment,
        vars: BTreeSet<VarId>,
        assertions: Vec<Expr>,
        constraint: Constraint,
    ) -> Result<Self, Infeasible> {
        let domains = vars
            .iter()
            .filter_map(|id| Some((*id, Domain::of(environment.variable(*id)?))))
            .collect();
        let mut problem = Self {
            narrowed: vars.clone(),
            vars,
            domains,
            assertions: Vec::new(),
            constraint,
            decided: BTreeMap::new(),
            texts: BTreeMap::new(),
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
                changed |= self.take(environment, assertion)?;
            }
            changed |= self.decide(environment)?;
            queue = if changed { std::mem::take(&mut self.assertions) } else { Vec::new() };
        }
        self.absorb(environment);
        self.constraint = self.rewritten_constraint();
        self.check_domains(environment)
    }

    /// Takes an assertion in. True if another one may be simpler now.
    fn take(&mut self, environment: &Environment, assertion: Expr) -> Result<bool, Infeasible> {
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
                changed |= self.take(environment, part.clone())?;
            }
            return Ok(changed);
        }
        if let (Op::Eq, [left, right]) = (assertion.op(), assertion.args()) {
            if let Some((left, right)) = left.as_var().zip(right.as_var()) {
                return Ok(self.unify(left, right));
            }
            for (var, value) in [(left, right), (right, left)] {
                if let Some((id, value)) = var.as_var().zip(value.value()) {
                    return self.settle(environment, id, value.clone());
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
            if matches!(domain, Domain::Texts(_)) {
                self.texts.entry(*id).or_default().push(assertion.clone());
            }
            self.narrowed.insert(*id);
            return Ok(false);
        }
        self.assertions.push(assertion);
        Ok(false)
    }

    /// Two variables are one.
    fn unify(&mut self, left: VarId, right: VarId) -> bool {
        if left == right || !self.vars.contains(&left) || !self.vars.contains(&right) {
            return false;
        }
        if let Some(other) = self.domains.remove(&right)
            && let Some(domain) = self.domains.get_mut(&left)
        {
            *domain = domain.intersection(&other);
        }
        for assertion in self.texts.remove(&right).unwrap_or_default() {
            let renamed = assertion.substitute(&|op, sort| {
                (*op == Op::Var(right)).then(|| Expr::var(left, sort.clone()))
            });
            self.texts.entry(left).or_default().push(renamed);
        }
        self.narrowed.insert(left);
        self.vars.remove(&right);
        self.decided.insert(right, Decided::SameAs(left));
        true
    }

    /// A variable has one value.
    fn settle(
        &mut self,
        environment: &Environment,
        id: VarId,
        value: Value,
    ) -> Result<bool, Infeasible> {
        if !self.vars.remove(&id) {
            return Ok(false);
        }
        if self.domains.remove(&id).is_some_and(|domain| !domain.contains(&value)) {
            return Err(nothing_left(environment, id));
        }
        self.decided.insert(id, Decided::Value(value));
        Ok(true)
    }

    fn decide(&mut self, environment: &Environment) -> Result<bool, Infeasible> {
        let single: Vec<(VarId, Value)> =
            self.domains.iter().filter_map(|(id, domain)| Some((*id, domain.single()?))).collect();
        let mut changed = false;
        for (id, value) in single {
            changed |= self.settle(environment, id, value)?;
        }
        Ok(changed)
    }

    /// Assertions about one variable that no set is made of (a remainder, a square): where
    /// there are few values, each of them is asked.
    fn absorb(&mut self, environment: &Environment) {
        let mut left = Vec::new();
        for assertion in std::mem::take(&mut self.assertions) {
            let vars = assertion.vars();
            let only = vars.first().filter(|_| vars.len() == 1);
            let small = only.and_then(|id| match self.domains.get(id) {
                Some(Domain::Ints(set)) if set.size() <= ABSORBED_MAX => Some((*id, set.clone())),
                _ => None,
            });
            let Some((id, set)) = small else {
                left.push(assertion);
                continue;
            };
            let mut model = super::scratch(environment);
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

    /// An expression without the variables that are decided.
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
            // A language that is too complex to tell is not known to be empty.
            if self.domains.get(&id).is_some_and(|domain| domain.is_empty() == Ok(true)) {
                return Err(nothing_left(environment, id));
            }
        }
        Ok(())
    }

    /// The part of it about some of the variables.
    pub(crate) fn part(&self, vars: &BTreeSet<VarId>, constraint: Constraint) -> Self {
        let domains = self.domains.iter().filter(|(id, _)| vars.contains(id));
        let assertions = self.assertions.iter().filter(|expr| !expr.vars().is_disjoint(vars));
        Self {
            vars: vars.clone(),
            domains: domains.map(|(id, domain)| (*id, domain.clone())).collect(),
            assertions: assertions.cloned().collect(),
            constraint,
            decided: BTreeMap::new(),
            texts: self.texts.clone(),
            narrowed: BTreeSet::new(),
        }
    }

    /// The same with a further assertion. None if it contradicts.
    pub(crate) fn with(
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

    /// Sets of variables that have nothing to do with each other.
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

/// Who stands for a variable; the way there is made shorter for the next time.
fn leader(leaders: &mut BTreeMap<VarId, VarId>, id: VarId) -> VarId {
    let mut at = id;
    while let Some(next) = leaders.get(&at).copied().filter(|next| *next != at) {
        let after = leaders.get(&next).copied().unwrap_or(next);
        leaders.insert(at, after);
        at = next;
    }
    at
}

fn nothing_left(environment: &Environment, id: VarId) -> Infeasible {
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

/// A constraint without what cannot make a difference.
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

/// Are two models different for sure if a variable differs?
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

/// The key that two models must not share, if the constraint is of that kind. A model that
/// has a key of its own (a text that belongs to several kinds) has none.
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

/// The key of a model under a keyed constraint.
pub(crate) fn key(constraint: &Constraint, model: &crate::ir::Model, into: &mut Vec<eval::Key>) {
    match constraint {
        Constraint::Some(parts) => parts.iter().for_each(|part| key(part, model, into)),
        other => into.push(eval::key(other, model)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
