//! Turns a constraint between two models into an expression.
//!
//! With one model known, the constraint is an assertion about the other ([`differs_from`]). This
//! is how a solver finds one model after the other (the generation loop, Figure 7 of the paper):
//! each model adds the assertion that the next one differs from it. With both models unknown
//! ([`differ`]), the expression mentions the variables of both.

use super::lower::locations_in_zone;
use crate::eval;
use crate::ir::{Constraint, Expr, Model, Op, Relation, Sort, Value};

/// Returns the assertion that a model differs from a known one, or `None` if no expression
/// states this: a structural class of a regular expression is not a term.
pub(crate) fn differs_from(constraint: &Constraint, known: &Model) -> Option<Expr> {
    Some(match constraint {
        Constraint::Always => Expr::bool(true),
        Constraint::Never => Expr::bool(false),
        Constraint::All(parts) => {
            let parts: Option<Vec<Expr>> =
                parts.iter().map(|part| differs_from(part, known)).collect();
            Expr::and(parts?)
        }
        Constraint::Some(parts) | Constraint::Combine { parts, .. } => {
            let parts: Option<Vec<Expr>> =
                parts.iter().map(|part| differs_from(part, known)).collect();
            Expr::or(parts?)
        }
        Constraint::Not(part) => differs_from(part, known)?.not(),
        Constraint::Custom(expr) => {
            Expr::and([with_values_of(expr, known, true), with_values_of(expr, known, false)])
        }
        Constraint::Choice { selector, arms } => {
            let taken = known.get(*selector)?.as_int()?;
            let arm = arms.get(usize::try_from(taken).ok()?)?;
            let same = Expr::var(*selector, Sort::Int).eq(Expr::int(taken));
            Expr::or([same.not(), differs_from(&arm.constraint, known)?])
        }
        Constraint::Relate { subject, guard, relation } => {
            if eval::truth(guard, known, None) != Some(true) {
                return Some(guard.clone());
            }
            let value = eval::value(subject, known, None)?;
            Expr::or([guard.clone().not(), related_to_value(relation, subject, &value)?])
        }
        Constraint::Cover { .. } => return None,
    })
}

/// Returns the expression over two unknown models that they differ, or `None` if there is
/// none.
pub(crate) fn differ(constraint: &Constraint) -> Option<Expr> {
    Some(match constraint {
        Constraint::Always => Expr::bool(true),
        Constraint::Never => Expr::bool(false),
        Constraint::All(parts) => {
            let parts: Option<Vec<Expr>> = parts.iter().map(differ).collect();
            Expr::and(parts?)
        }
        Constraint::Some(parts) | Constraint::Combine { parts, .. } => {
            let parts: Option<Vec<Expr>> = parts.iter().map(differ).collect();
            Expr::or(parts?)
        }
        Constraint::Not(part) => differ(part)?.not(),
        Constraint::Custom(expr) => Expr::and([expr.clone(), swapped(expr)]),
        Constraint::Choice { selector, arms } => {
            let own = Expr::var(*selector, Sort::Int);
            let mut parts = vec![own.clone().eq(own.of_other()).not()];
            for (arm, at) in arms.iter().zip(0_i128..) {
                parts.push(Expr::and([own.clone().eq(Expr::int(at)), differ(&arm.constraint)?]));
            }
            Expr::or(parts)
        }
        Constraint::Relate { subject, guard, relation } => {
            let other = guard.of_other();
            let both = Expr::and([guard.clone(), other.clone(), apart_in_both(relation, subject)?]);
            let one = [
                Expr::and([guard.clone(), other.clone().not()]),
                Expr::and([guard.clone().not(), other]),
            ];
            Expr::or([both].into_iter().chain(one))
        }
        Constraint::Cover { .. } => return None,
    })
}

/// The expression that a subject's values in two unknown models are related. Only for relations
/// that a solver can express.
fn apart_in_both(relation: &Relation, subject: &Expr) -> Option<Expr> {
    let (own, other) = (subject.clone(), subject.of_other());
    Some(match relation {
        Relation::NotEqual => own.eq(other).not(),
        Relation::NumericDistance(distance) => {
            let whole = *subject.sort() != Sort::Real;
            let step = if whole {
                Expr::int(distance.ceil())
            } else {
                Expr::constant(*distance, Sort::Real)
            };
            let beyond = |low: &Expr, high: Expr| {
                let sort = low.sort().clone();
                Expr::apply(Op::Add, vec![low.clone(), step.clone()], sort).le(high)
            };
            Expr::or([beyond(&own, other.clone()), beyond(&other, own.clone())])
        }
        _ => return None,
    })
}

/// Exchanges the two models of an expression.
fn swapped(expr: &Expr) -> Expr {
    expr.substitute(&|op, sort| match op {
        Op::Var(id) => Some(Expr::raw(Op::Other(*id), Vec::new(), sort.clone())),
        Op::Other(id) => Some(Expr::var(*id, sort.clone())),
        _ => None,
    })
}

/// Replaces the variables of one of the two models by its values.
fn with_values_of(expr: &Expr, known: &Model, known_is_other: bool) -> Expr {
    expr.substitute(&|op, sort| {
        let constant =
            |id| known.get(id).map(|value: &Value| Expr::constant(value.clone(), sort.clone()));
        match op {
            Op::Other(id) if known_is_other => constant(*id),
            Op::Other(id) => Some(Expr::var(*id, sort.clone())),
            Op::Var(id) if !known_is_other => constant(*id),
            _ => None,
        }
    })
}

/// The assertion that a subject is related to a known value.
fn related_to_value(relation: &Relation, subject: &Expr, value: &Value) -> Option<Expr> {
    let sort = subject.sort().clone();
    let constant = |value: Value| Expr::constant(value, sort.clone());
    Some(match relation {
        Relation::NotEqual => subject.clone().eq(constant(value.clone())).not(),
        Relation::DifferentLengths => {
            let length = Expr::apply(Op::Length, vec![subject.clone()], Sort::Int);
            length.eq(Expr::int(value.as_str()?.chars().count() as i128)).not()
        }
        Relation::NumericDistance(distance) => {
            let number = value.as_real()?;
            let (low, high) = (number.minus(*distance)?, number.plus(*distance)?);
            let (low, high) = if sort == Sort::Real {
                (Value::Real(low), Value::Real(high))
            } else {
                (Value::Int(low.floor()), Value::Int(high.ceil()))
            };
            Expr::or([subject.clone().le(constant(low)), constant(high).le(subject.clone())])
        }
        Relation::EditDistance(distance) => {
            let edits = Expr::apply(
                Op::EditDistance,
                vec![subject.clone(), constant(value.clone())],
                Sort::Int,
            );
            Expr::int(i128::from(*distance)).le(edits)
        }
        Relation::DifferentTimeZones => {
            let same = locations_in_zone(value.as_int()?);
            Expr::and(
                same.into_iter().map(|place| subject.clone().eq(constant(Value::Int(place))).not()),
            )
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::VarId;
    use crate::number::Real;

    /// Constraints on an integer `x` that is absent unless `present` is true.
    fn constraints() -> Vec<Constraint> {
        let x = Expr::var(VarId(0), Sort::Int);
        let present = Expr::var(VarId(1), Sort::Bool);
        let relate = |relation: Relation| Constraint::Relate {
            subject: x.clone(),
            guard: present.clone(),
            relation,
        };
        let far = relate(Relation::NumericDistance(Real::from_int(3)));
        vec![
            relate(Relation::NotEqual),
            far.clone(),
            Constraint::Not(Box::new(far)),
            Constraint::Custom(x.clone().lt(x.of_other())),
        ]
    }

    #[test]
    fn expressions_agree_with_the_evaluator() {
        let model =
            |number: i128, present: bool| Model(vec![Value::Int(number), Value::Bool(present)]);
        let models: Vec<Model> =
            (0..5).flat_map(|number| [model(number, false), model(number, true)]).collect();
        for constraint in constraints() {
            let pair = differ(&constraint).expect("an expression");
            for known in &models {
                let assertion = differs_from(&constraint, known).expect("an expression");
                for other in &models {
                    let expected = eval::differ(&constraint, known, other)
                        && eval::differ(&constraint, other, known);
                    let truths = [
                        eval::truth(&assertion, other, None),
                        eval::truth(&pair, known, Some(other)),
                    ];
                    assert_eq!(truths, [Some(expected); 2], "{constraint:?} {known:?} {other:?}");
                }
            }
        }
    }
}
