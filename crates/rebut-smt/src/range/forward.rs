//! Computes the domain of a term from the domains of its arguments.
//!
//! Operators without a rule get the domain of all values, which is always right.

use super::{BitRange, Domain, Empty, Interval, Ranges};
use crate::op::Op;
use crate::value::mask;
use crate::{Bits, Sort, Term, Value};

impl Ranges<'_> {
    pub(super) fn forward(&self, term: Term) -> Domain {
        let sort = self.pool.sort(term);
        match self.pool.op(term) {
            Op::Const(_) => self.pool.value(term).map_or(Domain::Any, Domain::only),
            Op::Var(_) => Domain::all(sort),
            Op::Ite => self.forward_ite(self.pool.args(term)),
            op => match sort {
                Sort::Bool => Domain::Bool(self.forward_bool(op, self.pool.args(term))),
                Sort::BitVec(width) => {
                    let range = self.forward_bits(op, self.pool.args(term), width);
                    // The rules are sound, so an empty result means that the arguments contradict
                    // each other. `narrow` notices that where it happens.
                    Domain::Bits(range.unwrap_or_else(|Empty| BitRange::all(width)))
                }
                Sort::Int => Domain::Int(self.forward_int(op, self.pool.args(term))),
                _ => Domain::Any,
            },
        }
    }

    fn forward_ite(&self, args: &[Term]) -> Domain {
        let [condition, then, otherwise] = args else { return Domain::Any };
        match self.known_bool(*condition) {
            Some(true) => self.domain(*then),
            Some(false) => self.domain(*otherwise),
            None => self.domain(*then).join(self.domain(*otherwise)),
        }
    }

    fn forward_bool(&self, op: Op, args: &[Term]) -> Option<bool> {
        let mut values = args.iter().map(|arg| self.known_bool(*arg));
        match (op, args) {
            (Op::Not, [a]) => self.known_bool(*a).map(|value| !value),
            (Op::And, _) if values.clone().any(|value| value == Some(false)) => Some(false),
            (Op::And, _) => values.all(|value| value == Some(true)).then_some(true),
            (Op::Or, _) if values.clone().any(|value| value == Some(true)) => Some(true),
            (Op::Or, _) => values.all(|value| value == Some(false)).then_some(false),
            (Op::Eq, [a, b]) => self.forward_eq(*a, *b),
            (Op::BvUlt, [a, b]) => {
                let (a, b) = (self.bits(*a), self.bits(*b));
                less(a.max < b.min, a.min >= b.max)
            }
            (Op::BvSlt, [a, b]) => {
                let (a, b) = (self.bits(*a), self.bits(*b));
                less(a.signed_max < b.signed_min, a.signed_min >= b.signed_max)
            }
            (Op::Lt, [a, b]) if self.pool.sort(*a) == Sort::Int => {
                let (a, b) = (self.int(*a), self.int(*b));
                let is_less = a.max < b.min && a.max != i128::MAX && b.min != i128::MIN;
                let is_not_less = a.min >= b.max && a.min != i128::MIN && b.max != i128::MAX;
                less(is_less, is_not_less)
            }
            _ => None,
        }
    }

    fn forward_eq(&self, a: Term, b: Term) -> Option<bool> {
        let (a, b) = (self.domain(a), self.domain(b));
        if a.meet(b).is_err() {
            return Some(false);
        }
        match (a.value(), b.value()) {
            (Some(a), Some(b)) => Some(a == b),
            _ => None,
        }
    }

    fn forward_bits(&self, op: Op, args: &[Term], width: u32) -> Result<BitRange, Empty> {
        match (op, args) {
            (Op::BvNot, [a]) => {
                let a = self.bits(*a);
                let flipped = BitRange::known(width, a.zeros, a.ones)?;
                flipped.meet(BitRange::between(width, mask(width) - a.max, mask(width) - a.min)?)
            }
            (Op::Extract { high, low }, [a]) => self.forward_extract(high, low, *a),
            (Op::SignExtend(_), [a]) => {
                let a = self.bits(*a);
                BitRange::between_signed(width, a.signed_min, a.signed_max)
            }
            (Op::Concat, [a, b]) => {
                let (a, b) = (self.bits(*a), self.bits(*b));
                let known = BitRange::known(
                    width,
                    a.ones << b.width | b.ones,
                    a.zeros << b.width | b.zeros,
                )?;
                let (min, max) = (a.min << b.width | b.min, a.max << b.width | b.max);
                known.meet(BitRange::between(width, min, max)?)
            }
            (Op::Select, [index, table]) => self.forward_select(*index, *table, width),
            (_, [a, b]) if self.pool.width(*a) == width && self.pool.width(*b) == width => {
                binary(op, self.bits(*a), self.bits(*b), width)
            }
            _ => Ok(BitRange::all(width)),
        }
    }

    /// The values of all indices that are possible.
    fn forward_select(&self, index: Term, table: Term, width: u32) -> Result<BitRange, Empty> {
        let Some(Value::Table(table)) = self.pool.value(table) else {
            return Ok(BitRange::all(width));
        };
        let index = self.bits(index);
        let runs = table.runs_between(index.min as u32, index.max as u32);
        let values = runs.map(|run| BitRange::only(Bits::new(width, run.value)));
        values.reduce(BitRange::join).ok_or(Empty)
    }

    fn forward_extract(&self, high: u32, low: u32, a: Term) -> Result<BitRange, Empty> {
        let a = self.bits(a);
        let width = high - low + 1;
        let known = BitRange::known(width, a.ones >> low, a.zeros >> low)?;
        if a.max >> low > mask(width) {
            return Ok(known);
        }
        known.meet(BitRange::between(width, a.min >> low, a.max >> low)?)
    }

    fn forward_int(&self, op: Op, args: &[Term]) -> Interval {
        match (op, args) {
            (Op::Add, _) => {
                args.iter().map(|arg| self.int(*arg)).fold(Interval::only(0), Interval::add)
            }
            (Op::Mul, [a, b]) => self.int(*a).mul(self.int(*b)),
            (Op::IntDiv, [a, b]) => self.int(*a).div(self.int(*b)),
            (Op::IntMod, [a, b]) => self.int(*a).modulo(self.int(*b)),
            (Op::BvToInt, [a]) => {
                let a = self.bits(*a);
                Interval { min: a.min as i128, max: a.max as i128 }
            }
            (Op::StrLen, _) => Interval { min: 0, max: i128::MAX },
            (Op::StrToCode | Op::StrIndexOf | Op::StrToInt, _) => {
                Interval { min: -1, max: i128::MAX }
            }
            _ => Interval::ALL,
        }
    }
}

fn less(is_less: bool, is_not_less: bool) -> Option<bool> {
    match (is_less, is_not_less) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

fn binary(op: Op, a: BitRange, b: BitRange, width: u32) -> Result<BitRange, Empty> {
    if let (Some(a), Some(b)) = (a.value(), b.value()) {
        let values = [&a.into(), &b.into()];
        if let Some(crate::Value::Bits(bits)) =
            crate::evaluate::fold(op, Sort::BitVec(width), &values)
        {
            return Ok(BitRange::only(bits));
        }
    }
    match op {
        Op::BvAnd => {
            let known = BitRange::known(width, a.ones & b.ones, a.zeros | b.zeros)?;
            known.meet(BitRange::between(width, 0, a.max.min(b.max))?)
        }
        Op::BvOr => {
            let known = BitRange::known(width, a.ones | b.ones, a.zeros & b.zeros)?;
            known.meet(BitRange::between(width, a.min.max(b.min), mask(width))?)
        }
        Op::BvXor => {
            let ones = a.ones & b.zeros | a.zeros & b.ones;
            BitRange::known(width, ones, a.ones & b.ones | a.zeros & b.zeros)
        }
        Op::BvAdd => sum(a, b, width),
        Op::BvSub if a.min >= b.max => BitRange::between(width, a.min - b.max, a.max - b.min),
        Op::BvMul => match a.max.checked_mul(b.max).filter(|max| *max <= mask(width)) {
            Some(max) => BitRange::between(width, a.min * b.min, max),
            None => Ok(BitRange::all(width)),
        },
        Op::BvUdiv if b.min > 0 => BitRange::between(width, a.min / b.max, a.max / b.min),
        Op::BvUrem if b.min > 0 => BitRange::between(width, 0, a.max.min(b.max - 1)),
        Op::BvUrem => BitRange::between(width, 0, a.max),
        Op::BvLshr => BitRange::between(width, 0, a.max),
        _ => Ok(BitRange::all(width)),
    }
}

fn sum(a: BitRange, b: BitRange, width: u32) -> Result<BitRange, Empty> {
    // The sum's low bits are known up to the first bit that is unknown in an operand.
    let known = (a.ones | a.zeros) & (b.ones | b.zeros);
    let low = known.trailing_ones().min(width);
    let total = Bits::new(width, a.ones.wrapping_add(b.ones)).unsigned();
    let range = BitRange::known(width, total & mask(low), !total & mask(low))?;
    let (min, min_wraps) = wrapping_sum(a.min, b.min, width);
    let (max, max_wraps) = wrapping_sum(a.max, b.max, width);
    if min_wraps != max_wraps {
        return Ok(range);
    }
    range.meet(BitRange::between(width, min, max)?)
}

fn wrapping_sum(a: u128, b: u128, width: u32) -> (u128, bool) {
    let (sum, wraps) = a.overflowing_add(b);
    (sum & mask(width), wraps || sum > mask(width))
}
