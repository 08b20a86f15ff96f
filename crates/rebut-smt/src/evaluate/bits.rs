//! Operators on bit-vectors, as defined by SMT-LIB's theory `FixedSizeBitVectors`.

use super::EvaluateError;
use crate::Value;
use crate::op::Op;
use crate::value::{Bits, mask};

pub(super) fn apply(op: Op, args: &[&Value]) -> Result<Value, EvaluateError> {
    match args {
        [Value::Bits(a)] => unary(op, *a),
        [Value::Bits(a), Value::Bits(b)] => binary(op, *a, *b),
        [Value::Bits(index), Value::Table(table)] if op == Op::Select => {
            let value = table.at(index.unsigned());
            Ok(Value::Bits(Bits::new(table.value_width(), value)))
        }
        _ => Err(EvaluateError::WRONG_SORT),
    }
}

fn unary(op: Op, a: Bits) -> Result<Value, EvaluateError> {
    let width = a.width();
    let bits = match op {
        Op::BvNot => Bits::new(width, !a.unsigned()),
        Op::BvNeg => Bits::new(width, a.unsigned().wrapping_neg()),
        Op::Extract { high, low } => Bits::new(high - low + 1, a.unsigned() >> low),
        Op::SignExtend(by) => Bits::new(width + by, a.signed() as u128),
        Op::BvToInt => {
            let number = i128::try_from(a.unsigned());
            return number.ok().map(Value::Int).ok_or(EvaluateError::TOO_LARGE);
        }
        _ => return Err(EvaluateError::WRONG_SORT),
    };
    Ok(Value::Bits(bits))
}

fn binary(op: Op, a: Bits, b: Bits) -> Result<Value, EvaluateError> {
    let (x, y) = (a.unsigned(), b.unsigned());
    let number = match op {
        Op::BvUlt => return Ok(Value::Bool(x < y)),
        Op::BvSlt => return Ok(Value::Bool(a.signed() < b.signed())),
        Op::Concat => {
            // The shift is less than 128, because both parts have at least one bit.
            let joined = x << b.width() | y;
            return Ok(Value::Bits(Bits::new(a.width() + b.width(), joined)));
        }
        Op::BvAnd => x & y,
        Op::BvOr => x | y,
        Op::BvXor => x ^ y,
        Op::BvAdd => x.wrapping_add(y),
        Op::BvSub => x.wrapping_sub(y),
        Op::BvMul => x.wrapping_mul(y),
        Op::BvUdiv => x.checked_div(y).unwrap_or(u128::MAX),
        Op::BvUrem => x.checked_rem(y).unwrap_or(x),
        Op::BvSdiv | Op::BvSrem | Op::BvSmod => signed_division(op, a, b),
        Op::BvShl | Op::BvLshr | Op::BvAshr => shift(op, a, y),
        _ => return Err(EvaluateError::WRONG_SORT),
    };
    Ok(Value::Bits(Bits::new(a.width(), number)))
}

fn signed_division(op: Op, a: Bits, b: Bits) -> u128 {
    let (x, y) = (a.signed(), b.signed());
    let number = match op {
        Op::BvSdiv if y == 0 => {
            if x < 0 {
                1
            } else {
                -1
            }
        }
        Op::BvSdiv => x.wrapping_div(y),
        _ if y == 0 => x,
        Op::BvSrem => x.wrapping_rem(y),
        _ => {
            let remainder = x.wrapping_rem(y);
            let crosses = remainder != 0 && (remainder < 0) != (y < 0);
            if crosses { remainder + y } else { remainder }
        }
    };
    number as u128
}

fn shift(op: Op, a: Bits, by: u128) -> u128 {
    let sign = if a.signed() < 0 { mask(a.width()) } else { 0 };
    match (op, u32::try_from(by).ok().filter(|by| *by < a.width())) {
        (Op::BvShl, Some(by)) => a.unsigned() << by,
        (Op::BvLshr, Some(by)) => a.unsigned() >> by,
        (Op::BvAshr, Some(by)) => (a.signed() >> by) as u128,
        (Op::BvAshr, None) => sign,
        _ => 0,
    }
}
