//! The evaluator: checks that models satisfy the assertions, and pairs the constraint.
//!
//! It defines what a program means, and every model passes through it before it is printed. It
//! computes with exact numbers and with the matcher of the `regex` crate, while the engines use
//! intervals, automata and solvers. So a bug would have to be made twice to stay hidden.
//!
//! Invariant: it uses no code of the engines.

mod pairs;

pub use pairs::{Violation, check};

use crate::ir::{Constraint, Environment, Expr, Model, Op, Relation, Sort, Value};
use crate::number::Real;
use crate::zones;

/// Evaluates an expression in a model. Returns `None` for a division by zero, for a number
/// beyond 128 bits, and for a variable of the other model if there is none.
#[must_use]
pub fn value(expr: &Expr, model: &Model, other: Option<&Model>) -> Option<Value> {
    match expr.op() {
        Op::Const(value) => Some(value.clone()),
        Op::Var(id) => model.get(*id).cloned(),
        Op::Other(id) => other?.get(*id).cloned(),
        Op::And => fold_bool(expr, model, other, false),
        Op::Or => fold_bool(expr, model, other, true),
        Op::Ite => {
            let [condition, then, otherwise] = expr.args() else { return None };
            let branch = if truth(condition, model, other)? { then } else { otherwise };
            value(branch, model, other)
        }
        op => {
            let of = |arg: &Expr| value(arg, model, other);
            match expr.args() {
                [only] => apply(op, &[of(only)?], expr.sort()),
                [left, right] => apply(op, &[of(left)?, of(right)?], expr.sort()),
                args => {
                    let args: Option<Vec<Value>> = args.iter().map(of).collect();
                    apply(op, &args?, expr.sort())
                }
            }
        }
    }
}

/// Evaluates an assertion in a model. Returns `None` if it has no value.
#[must_use]
pub fn truth(expr: &Expr, model: &Model, other: Option<&Model>) -> Option<bool> {
    value(expr, model, other)?.as_bool()
}

/// Evaluates an expression without variables.
pub(crate) fn constant(expr: &Expr) -> Option<Value> {
    value(expr, &Model(Vec::new()), None)
}

/// Evaluates a conjunction or a disjunction. An argument equal to `ends` decides it, even if
/// another argument has no value.
fn fold_bool(expr: &Expr, model: &Model, other: Option<&Model>, ends: bool) -> Option<Value> {
    let mut known = true;
    for arg in expr.args() {
        match truth(arg, model, other) {
            Some(value) if value == ends => return Some(Value::Bool(ends)),
            Some(_) => {}
            None => known = false,
        }
    }
    known.then_some(Value::Bool(!ends))
}

/// Applies an operation to values.
fn apply(op: &Op, args: &[Value], sort: &Sort) -> Option<Value> {
    match (op, args) {
        (Op::Not, [a]) => Some(Value::Bool(!a.as_bool()?)),
        (Op::Eq, [a, b]) => Some(Value::Bool(a == b)),
        (Op::Lt, [Value::Int(a), Value::Int(b)]) => Some(Value::Bool(a < b)),
        (Op::Le, [Value::Int(a), Value::Int(b)]) => Some(Value::Bool(a <= b)),
        (Op::Lt, [a, b]) => Some(Value::Bool(a.as_real()? < b.as_real()?)),
        (Op::Le, [a, b]) => Some(Value::Bool(a.as_real()? <= b.as_real()?)),
        (Op::ToReal, [a]) => Some(Value::Real(a.as_real()?)),
        (Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Abs, _) => {
            if *sort == Sort::Real {
                real_arithmetic(op, args)
            } else {
                int_arithmetic(op, args)
            }
        }
        (Op::Length, [a]) => Some(Value::Int(a.as_str()?.chars().count() as i128)),
        (Op::Concat, _) => {
            let texts: Option<Vec<&str>> = args.iter().map(Value::as_str).collect();
            Some(Value::from(texts?.concat().as_str()))
        }
        (Op::Prefix, [a, b]) => Some(Value::Bool(b.as_str()?.starts_with(a.as_str()?))),
        (Op::Suffix, [a, b]) => Some(Value::Bool(b.as_str()?.ends_with(a.as_str()?))),
        (Op::Contains, [a, b]) => Some(Value::Bool(a.as_str()?.contains(b.as_str()?))),
        (Op::Matches(pattern), [a]) => Some(Value::Bool(pattern.is_match(a.as_str()?))),
        (Op::EditDistance, [a, b]) => {
            Some(Value::Int(edit_distance(a.as_str()?, b.as_str()?) as i128))
        }
        (Op::Zone, [a]) => zones::class(a.as_int()?).map(Value::Int),
        _ => None,
    }
}

fn int_arithmetic(op: &Op, args: &[Value]) -> Option<Value> {
    let numbers: Option<Vec<i128>> = args.iter().map(Value::as_int).collect();
    let number = match (op, numbers?.as_slice()) {
        (Op::Add, all) => all.iter().try_fold(0_i128, |sum, n| sum.checked_add(*n))?,
        (Op::Mul, all) => all.iter().try_fold(1_i128, |product, n| product.checked_mul(*n))?,
        (Op::Sub, [a, b]) => a.checked_sub(*b)?,
        (Op::Div, [a, b]) => a.checked_div_euclid(*b)?,
        (Op::Mod, [a, b]) => a.checked_rem_euclid(*b)?,
        (Op::Abs, [a]) => a.checked_abs()?,
        _ => return None,
    };
    Some(Value::Int(number))
}

fn real_arithmetic(op: &Op, args: &[Value]) -> Option<Value> {
    let numbers: Option<Vec<Real>> = args.iter().map(Value::as_real).collect();
    let number = match (op, numbers?.as_slice()) {
        (Op::Add, all) => all.iter().try_fold(Real::ZERO, |sum, n| sum.plus(*n))?,
        (Op::Mul, all) => all.iter().try_fold(Real::from_int(1), |product, n| product.times(*n))?,
        (Op::Sub, [a, b]) => a.minus(*b)?,
        (Op::Div, [a, b]) => a.over(*b)?,
        (Op::Abs, [a]) => a.abs(),
        _ => return None,
    };
    Some(Value::Real(number))
}

/// Returns why a model is not a model of the environment, or `None` if it is one.
#[must_use]
pub fn fault(environment: &Environment, model: &Model) -> Option<String> {
    if model.0.len() != environment.variables.len() {
        return Some("the model does not give each variable a value".to_owned());
    }
    for (variable, value) in environment.variables.iter().zip(&model.0) {
        let sort_fits = match (&variable.sort, value) {
            (Sort::Bool, Value::Bool(_))
            | (Sort::Real, Value::Real(_))
            | (Sort::Str, Value::Str(_)) => true,
            (sort, Value::Int(_)) => sort.is_int_like(),
            _ => false,
        };
        let within = match (variable.bounds, value) {
            (Some((min, max)), Value::Int(number)) => (min..=max).contains(number),
            _ => true,
        };
        if !sort_fits || !within {
            return Some(format!("`{}` cannot be {value:?}", variable.name));
        }
    }
    for (at, (assertion, _)) in environment.assertions.iter().enumerate() {
        if truth(assertion, model, None) != Some(true) {
            return Some(format!("assertion {} is false", at + 1));
        }
    }
    constraint_fault(&environment.constraint, model)
}

/// Returns what a constraint demands of a single model that does not hold: that it satisfies
/// its arm, and matches the pattern that it covers.
fn constraint_fault(constraint: &Constraint, model: &Model) -> Option<String> {
    match constraint {
        Constraint::Always
        | Constraint::Never
        | Constraint::Relate { .. }
        | Constraint::Custom(_) => None,
        Constraint::All(parts) | Constraint::Some(parts) | Constraint::Combine { parts, .. } => {
            parts.iter().find_map(|part| constraint_fault(part, model))
        }
        Constraint::Not(part) => constraint_fault(part, model),
        Constraint::Choice { selector, arms } => {
            let chosen = model.get(*selector).and_then(Value::as_int);
            let arm = chosen.and_then(|at| usize::try_from(at).ok()).and_then(|at| arms.get(at));
            let Some(arm) = arm else { return Some("no such arm of `enumerate*`".to_owned()) };
            if truth(&arm.assertion, model, None) != Some(true) {
                return Some("the chosen assertion of `enumerate*` is false".to_owned());
            }
            constraint_fault(&arm.constraint, model)
        }
        Constraint::Cover { subject, guard, pattern, .. } => {
            let text = guarded(subject, guard, model)?;
            let text = text.as_str()?;
            (!pattern.is_match(text)).then(|| format!("{text:?} does not match {pattern}"))
        }
    }
}

/// Whether two models satisfy the constraint, in this order.
#[must_use]
pub fn differ(constraint: &Constraint, left: &Model, right: &Model) -> bool {
    match constraint {
        Constraint::Always => true,
        Constraint::Never => false,
        Constraint::All(parts) => parts.iter().all(|part| differ(part, left, right)),
        Constraint::Some(parts) => parts.iter().any(|part| differ(part, left, right)),
        Constraint::Not(part) => !differ(part, left, right),
        Constraint::Custom(expr) => truth(expr, left, Some(right)) == Some(true),
        Constraint::Relate { subject, guard, relation } => {
            match (guarded(subject, guard, left), guarded(subject, guard, right)) {
                (Some(left), Some(right)) => related(relation, &left, &right),
                (None, None) => false,
                _ => true,
            }
        }
        Constraint::Choice { selector, arms } => {
            let (Some(here), Some(there)) = (left.get(*selector), right.get(*selector)) else {
                return false;
            };
            let arm =
                here.as_int().and_then(|at| usize::try_from(at).ok()).and_then(|at| arms.get(at));
            here != there || arm.is_some_and(|arm| differ(&arm.constraint, left, right))
        }
        Constraint::Cover { .. } => key(constraint, left).differs_from(&key(constraint, right)),
        // A covering array demands something of the set of models. Two of them must only differ
        // in one part.
        Constraint::Combine { parts, .. } => parts.iter().any(|part| differ(part, left, right)),
    }
}

/// The key of a model under a constraint that compares keys. Two models differ if their keys
/// do.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Key {
    /// The value is absent.
    Absent,
    /// The value, its length or its time zone.
    Value(Value),
    /// The structural class of a string.
    Structure(rebut_text::StructuralClass),
    /// A key that differs from all keys, itself included: the string belongs to several classes,
    /// so it can be taken for a member of another one.
    Unique,
}

impl Key {
    fn differs_from(&self, other: &Self) -> bool {
        self != other || *self == Self::Unique
    }
}

/// Returns the key of a model under a constraint that compares keys.
pub(crate) fn key(constraint: &Constraint, model: &Model) -> Key {
    match constraint {
        Constraint::Relate { subject, guard, relation } => match guarded(subject, guard, model) {
            Some(value) => Key::Value(match relation {
                Relation::DifferentLengths => {
                    Value::Int(length(&value).map_or(-1, |length| length as i128))
                }
                Relation::DifferentTimeZones => Value::Int(zone(&value).unwrap_or(-1)),
                _ => value,
            }),
            None => Key::Absent,
        },
        Constraint::Cover { subject, guard, pattern, mode } => {
            let Some(text) = guarded(subject, guard, model) else { return Key::Absent };
            match text.as_str().and_then(|text| pattern.class_of(text, *mode)) {
                Some(kind) if kind.is_ambiguous() => Key::Unique,
                Some(kind) => Key::Structure(kind),
                None => Key::Absent,
            }
        }
        _ => Key::Absent,
    }
}

/// Returns the value of a subject, or `None` if it is absent.
fn guarded(subject: &Expr, guard: &Expr, model: &Model) -> Option<Value> {
    if truth(guard, model, None) == Some(true) { value(subject, model, None) } else { None }
}

/// Whether two values are related.
fn related(relation: &Relation, left: &Value, right: &Value) -> bool {
    match relation {
        Relation::NotEqual => left != right,
        Relation::DifferentLengths => length(left) != length(right),
        Relation::DifferentTimeZones => zone(left) != zone(right),
        Relation::NumericDistance(distance) => {
            let apart = left.as_real().zip(right.as_real()).and_then(|(a, b)| a.minus(b));
            apart.is_some_and(|apart| apart.abs() >= *distance)
        }
        Relation::EditDistance(distance) => match (left.as_str(), right.as_str()) {
            (Some(left), Some(right)) => edit_distance(left, right) >= *distance as usize,
            _ => false,
        },
    }
}

fn length(value: &Value) -> Option<usize> {
    value.as_str().map(|text| text.chars().count())
}

fn zone(value: &Value) -> Option<i128> {
    zones::class(value.as_int()?)
}

/// Returns the edit distance of two strings, by the recursive definition of Levenshtein (1965).
///
/// The engine uses `rebut_text::edit_distance`. This is a second implementation because the
/// evaluator shares no code with the engines.
fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    // Distances of the characters of `left` so far from each prefix of `right`.
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, r) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(l != *r);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edit_distances_match_those_of_the_engine() {
        assert_eq!(edit_distance("kitten", "sitting"), 3);
        assert_eq!(edit_distance("", "abc"), 3);
        let words = ["", "a", "ab", "ba", "abc", "äöü", "äü", "kitten", "sitting", "sit"];
        for left in words {
            for right in words {
                let expected = rebut_text::edit_distance(left, right);
                assert_eq!(edit_distance(left, right), expected, "{left} {right}");
            }
        }
    }
}
