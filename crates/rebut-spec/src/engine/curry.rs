//! A constraint between two models, one of which is known: an assertion about the other.
//!
//! This is how a solver is asked for one model after the other (section 4.1 of the paper):
//! each model that was found adds what makes the next one different from it.

use super::lower::places_in_zone;
use crate::eval;
use crate::ir::{Constraint, Expr, Model, Op, Relation, Sort, Value};

/// What must hold for a model to be different from a known one. None if that cannot be said
/// as an expression.
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
            Expr::and([here_and_there(expr, known, true), here_and_there(expr, known, false)])
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
            Expr::or([guard.clone().not(), related(relation, subject, &value)?])
        }
        Constraint::Cover { .. } => return None,
    })
}

/// What must hold for two models that are both unknown to be different: an expression over
/// both. None if that cannot be said.
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
            let both = Expr::and([guard.clone(), other.clone(), apart(relation, subject)?]);
            let one = [
                Expr::and([guard.clone(), other.clone().not()]),
                Expr::and([guard.clone().not(), other]),
            ];
            Expr::or([both].into_iter().chain(one))
        }
        Constraint::Cover { .. } => return None,
    })
}

fn apart(relation: &Relation, subject: &Expr) -> Option<Expr> {
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

/// The same with the two models exchanged.
fn swapped(expr: &Expr) -> Expr {
    expr.substitute(&|op, sort| match op {
        Op::Var(id) => Some(Expr::raw(Op::Other(*id), Vec::new(), sort.clone())),
        Op::Other(id) => Some(Expr::var(*id, sort.clone())),
        _ => None,
    })
}

/// An expression over two models, with the values of one of them.
fn here_and_there(expr: &Expr, known: &Model, known_is_other: bool) -> Expr {
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

fn related(relation: &Relation, subject: &Expr, value: &Value) -> Option<Expr> {
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
            let same = places_in_zone(value.as_int()?);
            Expr::and(
                same.into_iter().map(|place| subject.clone().eq(constant(Value::Int(place))).not()),
            )
        }
    })
}
