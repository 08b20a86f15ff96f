//! Computes operators with the numbers of Rust. This evaluator shares no code with the one under
//! test.

use crate::graph::{Op, Shape, Sort};

/// Cuts a number to the width of a sort.
pub(crate) fn cut(sort: Sort, number: u128) -> u128 {
    match sort {
        Sort::Bool => number & 1,
        Sort::Bits(width) => number & (u128::MAX >> (128 - width)),
    }
}

/// Reads a number of `width` bits as two's complement.
pub(crate) fn signed(width: u32, number: u128) -> i128 {
    ((number << (128 - width)) as i128) >> (128 - width)
}

pub(crate) fn apply(op: Op, sorts: &[Sort], args: &[u128]) -> u128 {
    match op {
        Op::Not => args[0] ^ 1,
        Op::And => args[0] & args[1],
        Op::Or => args[0] | args[1],
        Op::Eq => u128::from(args[0] == args[1]),
        Op::Ite => args[if args[0] == 1 { 1 } else { 2 }],
        _ => {
            let Sort::Bits(width) = sorts[0] else { panic!("{op:?} of a truth value") };
            let b = args.get(1).copied().unwrap_or(0);
            match floats(op, width, args[0], b) {
                Some(value) => value,
                None => {
                    let low = match sorts.get(1) {
                        Some(Sort::Bits(low)) => *low,
                        _ => 0,
                    };
                    bits(op, width, args[0], b, low)
                }
            }
        }
    }
}

fn bits(op: Op, width: u32, a: u128, b: u128, low_width: u32) -> u128 {
    let (x, y) = (signed(width, a), signed(width, b));
    let number = match op {
        Op::BvNot => !a,
        Op::Neg => 0u128.wrapping_sub(a),
        Op::Lookup(shape) => lookup(shape, a as u8).into(),
        Op::Popcount => a.count_ones().into(),
        Op::Clz => (a.leading_zeros() - (128 - width)).into(),
        Op::Ctz => a.trailing_zeros().min(width).into(),
        Op::Extract { high, low } => return cut(Sort::Bits(high - low + 1), a >> low),
        Op::ZeroExtend(_) => return a,
        Op::SignExtend(by) => return cut(Sort::Bits(width + by), x as u128),
        Op::Concat => return a.checked_shl(low_width).unwrap_or(0) | b,
        Op::Ult => return (a < b).into(),
        Op::Ule => return (a <= b).into(),
        Op::Slt => return (x < y).into(),
        Op::Sle => return (x <= y).into(),
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Mul => a.wrapping_mul(b),
        Op::BvAnd => a & b,
        Op::BvOr => a | b,
        Op::BvXor => a ^ b,
        Op::Udiv => a.checked_div(b).unwrap_or(u128::MAX),
        Op::Urem => a.checked_rem(b).unwrap_or(a),
        Op::Sdiv if b == 0 => (if x < 0 { 1i128 } else { -1 }) as u128,
        Op::Sdiv => x.wrapping_div(y) as u128,
        Op::Srem | Op::Smod if b == 0 => a,
        Op::Srem => x.wrapping_rem(y) as u128,
        Op::Smod => {
            let rest = x.wrapping_rem(y);
            let is_turned = rest != 0 && (rest < 0) != (y < 0);
            (if is_turned { rest + y } else { rest }) as u128
        }
        Op::Shl => {
            if b < width.into() {
                a << b
            } else {
                0
            }
        }
        Op::Lshr => {
            if b < width.into() {
                a >> b
            } else {
                0
            }
        }
        Op::Ashr => (x >> b.min((width - 1).into())) as u128,
        Op::RotL => rotated(width, a, (b % u128::from(width)) as u32),
        Op::RotR => rotated(width, a, width - (b % u128::from(width)) as u32),
        other => panic!("{other:?} is not of bits"),
    };
    cut(Sort::Bits(width), number)
}

/// Computes an entry of a table.
pub(crate) fn lookup(shape: Shape, index: u8) -> u8 {
    match shape {
        Shape::Digit => char::from(index).to_digit(36).map_or(255, |digit| digit as u8),
        Shape::Letter => index.is_ascii_alphabetic().into(),
        Shape::Linear => index ^ index << 1 ^ index >> 3 ^ 0x5a,
        Shape::Permutation => index.wrapping_mul(167).wrapping_add(13),
        Shape::Square => index.wrapping_mul(index) >> 1,
    }
}

fn rotated(width: u32, a: u128, by: u32) -> u128 {
    let by = by % width;
    if by == 0 { a } else { (a << by) | (a >> (width - by)) }
}

/// Computes an operator on floats. `None` for other operators.
fn floats(op: Op, width: u32, a: u128, b: u128) -> Option<u128> {
    Some(match op {
        Op::FromSigned(to) => from_number(to, signed(width, a), 0),
        Op::FromUnsigned(to) => from_number(to, 0, a),
        Op::Promote => of_f64(f64::from(f32::from_bits(a as u32))),
        Op::Demote => of_f32(f64::from_bits(a as u64) as f32),
        // The sign is an ordinary bit; the other bits of a NaN stay.
        Op::FloatAbs => a & !sign(width),
        Op::FloatNeg => a ^ sign(width),
        Op::FloatCopysign => (a & !sign(width)) | (b & sign(width)),
        Op::ToSigned(to) => {
            if traps(width, a, to, true) {
                0
            } else {
                whole(width, a, to, true)
            }
        }
        Op::ToUnsigned(to) => {
            if traps(width, a, to, false) {
                0
            } else {
                whole(width, a, to, false)
            }
        }
        Op::TrapsSigned(to) => traps(width, a, to, true).into(),
        Op::TrapsUnsigned(to) => traps(width, a, to, false).into(),
        // Like `as` in Rust.
        Op::SaturatingSigned(to) => whole(width, a, to, true),
        Op::SaturatingUnsigned(to) => whole(width, a, to, false),
        _ if width == 32 => single(op, f32::from_bits(a as u32), f32::from_bits(b as u32))?,
        _ if width == 64 => double(op, f64::from_bits(a as u64), f64::from_bits(b as u64))?,
        _ => return None,
    })
}

fn sign(width: u32) -> u128 {
    1 << (width - 1)
}

fn of_f32(number: f32) -> u128 {
    if number.is_nan() { 0x7fc0_0000 } else { number.to_bits().into() }
}

fn of_f64(number: f64) -> u128 {
    if number.is_nan() { 0x7ff8_0000_0000_0000 } else { number.to_bits().into() }
}

/// Converts the one of two numbers that is not zero.
fn from_number(to: u32, signed: i128, unsigned: u128) -> u128 {
    match (to, unsigned) {
        (32, 0) => of_f32(signed as f32),
        (32, _) => of_f32(unsigned as f32),
        (_, 0) => of_f64(signed as f64),
        _ => of_f64(unsigned as f64),
    }
}

/// Truncates, saturating.
fn whole(width: u32, a: u128, to: u32, is_signed: bool) -> u128 {
    let number = as_f64(width, a);
    let number = match (to, is_signed) {
        (32, true) => number as i32 as u128,
        (32, false) => (number as u32).into(),
        (_, true) => number as i64 as u128,
        _ => (number as u64).into(),
    };
    cut(Sort::Bits(to), number)
}

fn traps(width: u32, a: u128, to: u32, is_signed: bool) -> bool {
    let number = as_f64(width, a).trunc();
    let limit = 2f64.powi(if is_signed { to as i32 - 1 } else { to as i32 });
    let least = if is_signed { -limit } else { 0.0 };
    !(least <= number && number < limit)
}

fn as_f64(width: u32, a: u128) -> f64 {
    if width == 32 { f32::from_bits(a as u32).into() } else { f64::from_bits(a as u64) }
}

/// Defines the operators for both widths, which have no common trait.
macro_rules! operators {
    ($name:ident, $float:ty, $bits:ident) => {
        fn $name(op: Op, a: $float, b: $float) -> Option<u128> {
            let is_nan = a.is_nan() || b.is_nan();
            Some(match op {
                Op::FloatIsNan => a.is_nan().into(),
                Op::FloatEq => (a == b).into(),
                Op::FloatLt => (a < b).into(),
                Op::FloatLe => (a <= b).into(),
                Op::FloatAdd => $bits(a + b),
                Op::FloatSub => $bits(a - b),
                Op::FloatMul => $bits(a * b),
                Op::FloatDiv => $bits(a / b),
                Op::FloatSqrt => $bits(a.sqrt()),
                Op::FloatCeil => $bits(a.ceil()),
                Op::FloatFloor => $bits(a.floor()),
                Op::FloatTrunc => $bits(a.trunc()),
                Op::FloatNearest => $bits(a.round_ties_even()),
                Op::FloatMin | Op::FloatMax if is_nan => $bits(<$float>::NAN),
                // Zeros are equal, and the negative one is the minimum.
                Op::FloatMin if a == b => $bits(if a.is_sign_negative() { a } else { b }),
                Op::FloatMax if a == b => $bits(if a.is_sign_negative() { b } else { a }),
                Op::FloatMin => $bits(if a < b { a } else { b }),
                Op::FloatMax => $bits(if a < b { b } else { a }),
                _ => return None,
            })
        }
    };
}

operators!(single, f32, of_f32);
operators!(double, f64, of_f64);
