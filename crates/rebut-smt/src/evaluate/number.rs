//! Operators on integers and fractions.

use std::cmp::Ordering;

use super::EvaluateError;
use crate::op::Op;
use crate::{Bits, Rational, Value};

pub(super) fn apply(op: Op, args: &[&Value]) -> Result<Value, EvaluateError> {
    let value = match args {
        [Value::Int(a)] => integer(op, *a),
        [Value::Real(a)] => fraction(op, *a),
        [Value::Int(a), Value::Int(b)] if op != Op::Add => integer_pair(op, *a, *b),
        [Value::Real(a), Value::Real(b)] if op != Op::Add => fraction_pair(op, *a, *b),
        [first, rest @ ..] if op == Op::Add => {
            rest.iter().try_fold((*first).clone(), |sum, next| plus(&sum, next))
        }
        _ => return Err(EvaluateError::WRONG_SORT),
    };
    value.ok_or(EvaluateError::TOO_LARGE)
}

fn integer(op: Op, a: i128) -> Option<Value> {
    match op {
        Op::ToReal if a != i128::MIN => Some(Value::Real(Rational::whole(a))),
        Op::IntToBv(width) => Some(Value::Bits(Bits::new(width, a as u128))),
        Op::Add => Some(Value::Int(a)),
        _ => None,
    }
}

fn fraction(op: Op, a: Rational) -> Option<Value> {
    match op {
        Op::ToInt => Some(Value::Int(a.floor())),
        Op::Add => Some(Value::Real(a)),
        _ => None,
    }
}

fn integer_pair(op: Op, a: i128, b: i128) -> Option<Value> {
    match op {
        Op::Mul => a.checked_mul(b).map(Value::Int),
        Op::IntDiv if b == 0 => Some(Value::Int(0)),
        Op::IntDiv => a.checked_div_euclid(b).map(Value::Int),
        Op::IntMod if b == 0 => Some(Value::Int(a)),
        Op::IntMod => Some(Value::Int(a.checked_rem_euclid(b).unwrap_or(0))),
        Op::Lt => Some(Value::Bool(a < b)),
        _ => None,
    }
}

fn fraction_pair(op: Op, a: Rational, b: Rational) -> Option<Value> {
    match op {
        Op::Mul => a.mul(b).map(Value::Real),
        Op::RealDiv if b == Rational::ZERO => Some(Value::Real(Rational::ZERO)),
        Op::RealDiv => a.div(b).map(Value::Real),
        Op::Lt => a.compare(b).map(|order| Value::Bool(order == Ordering::Less)),
        _ => None,
    }
}

fn plus(a: &Value, b: &Value) -> Option<Value> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.checked_add(*b).map(Value::Int),
        (Value::Real(a), Value::Real(b)) => a.add(*b).map(Value::Real),
        _ => None,
    }
}
