//! Narrows the domains of arguments by the domain of their term.
//!
//! Operators without a rule narrow nothing.

use super::{BitRange, Domain, Empty, Interval, Ranges};
use crate::op::Op;
use crate::value::{Bits, mask};
use crate::{Sort, TableRun, Term, Value};

impl Ranges<'_> {
    pub(super) fn backward(&mut self, term: Term) -> Result<(), Empty> {
        let op = self.pool.op(term);
        let args: &[Term] = self.pool.args(term);
        match (op, args) {
            (Op::Const(_) | Op::Var(_), _) => Ok(()),
            (Op::Ite, [condition, then, otherwise]) => {
                self.backward_ite(term, *condition, *then, *otherwise)
            }
            _ => match self.domain(term) {
                Domain::Bool(Some(value)) => self.backward_bool(op, args, value),
                Domain::Bits(range) => self.backward_bits(op, args, range),
                Domain::Int(interval) => self.backward_int(op, args, interval),
                _ => Ok(()),
            },
        }
    }

    fn backward_ite(
        &mut self,
        term: Term,
        condition: Term,
        then: Term,
        otherwise: Term,
    ) -> Result<(), Empty> {
        let domain = self.domain(term);
        if self.domain(then).meet(domain).is_err() {
            self.narrow(condition, Domain::Bool(Some(false)))?;
        }
        if self.domain(otherwise).meet(domain).is_err() {
            self.narrow(condition, Domain::Bool(Some(true)))?;
        }
        match self.known_bool(condition) {
            Some(true) => self.narrow(then, domain),
            Some(false) => self.narrow(otherwise, domain),
            None => Ok(()),
        }
    }

    fn backward_bool(&mut self, op: Op, args: &[Term], value: bool) -> Result<(), Empty> {
        match (op, args) {
            (Op::Not, [a]) => self.narrow(*a, Domain::Bool(Some(!value))),
            (Op::And | Op::Or, args) if (op == Op::And) == value => {
                args.iter().try_for_each(|arg| self.narrow(*arg, Domain::Bool(Some(value))))
            }
            (Op::And | Op::Or, args) => self.last_open(args, value),
            (Op::Eq, [a, b]) if value => self.same(*a, *b),
            (Op::Eq, [a, b]) => self.different(*a, *b),
            (Op::BvUlt, [a, b]) if value => self.unsigned_order(*a, *b, 1),
            (Op::BvUlt, [a, b]) => self.unsigned_order(*b, *a, 0),
            (Op::BvSlt, [a, b]) if value => self.signed_order(*a, *b, 1),
            (Op::BvSlt, [a, b]) => self.signed_order(*b, *a, 0),
            (Op::Lt, [a, b]) if self.pool.sort(*a) == Sort::Int => match value {
                true => self.int_order(*a, *b, 1),
                false => self.int_order(*b, *a, 0),
            },
            _ => Ok(()),
        }
    }

    /// If all arguments but one have the other value, the last one must have this value.
    fn last_open(&mut self, args: &[Term], value: bool) -> Result<(), Empty> {
        let mut open = args.iter().filter(|arg| self.known_bool(**arg) != Some(!value));
        match (open.next().copied(), open.next()) {
            (None, _) => Err(Empty),
            (Some(last), None) => self.narrow(last, Domain::Bool(Some(value))),
            _ => Ok(()),
        }
    }

    fn same(&mut self, a: Term, b: Term) -> Result<(), Empty> {
        self.narrow(a, self.domain(b))?;
        self.narrow(b, self.domain(a))
    }

    /// If one term has a single value, removes it from the other, if it is at an end there.
    fn different(&mut self, a: Term, b: Term) -> Result<(), Empty> {
        for (one, other) in [(a, b), (b, a)] {
            match (self.domain(one), self.domain(other)) {
                (Domain::Bool(Some(value)), Domain::Bool(_)) => {
                    self.narrow(other, Domain::Bool(Some(!value)))?;
                }
                (Domain::Bits(range), Domain::Bits(from)) => {
                    let Some(value) = range.value() else { continue };
                    let number = value.unsigned();
                    let without = match number {
                        _ if from.min == number && from.max == number => return Err(Empty),
                        _ if from.min == number => {
                            BitRange::between(from.width, number + 1, from.max)?
                        }
                        _ if from.max == number => {
                            BitRange::between(from.width, from.min, number - 1)?
                        }
                        _ => continue,
                    };
                    self.narrow(other, Domain::Bits(without))?;
                }
                (Domain::Int(only), Domain::Int(from)) if only.min == only.max => {
                    let mut without = from;
                    match only.min {
                        i128::MIN | i128::MAX => continue,
                        _ if from.min == only.min && from.max == only.min => return Err(Empty),
                        number if from.min == number => without.min += 1,
                        number if from.max == number => without.max -= 1,
                        _ => continue,
                    }
                    self.narrow(other, Domain::Int(without))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// `a + gap <= b`, unsigned.
    fn unsigned_order(&mut self, a: Term, b: Term, gap: u128) -> Result<(), Empty> {
        let (x, y) = (self.bits(a), self.bits(b));
        let max = y.max.checked_sub(gap).ok_or(Empty)?;
        let min = x.min.checked_add(gap).filter(|min| *min <= mask(x.width)).ok_or(Empty)?;
        self.narrow(a, Domain::Bits(BitRange::between(x.width, 0, max)?))?;
        self.narrow(b, Domain::Bits(BitRange::between(x.width, min, mask(x.width))?))
    }

    /// `a + gap <= b`, signed.
    fn signed_order(&mut self, a: Term, b: Term, gap: i128) -> Result<(), Empty> {
        let (x, y) = (self.bits(a), self.bits(b));
        let all = BitRange::all(x.width);
        let max = y.signed_max.checked_sub(gap).ok_or(Empty)?;
        let min = x.signed_min.checked_add(gap).ok_or(Empty)?;
        let below = BitRange::between_signed(x.width, all.signed_min, max)?;
        let above = BitRange::between_signed(x.width, min, all.signed_max)?;
        self.narrow(a, Domain::Bits(below))?;
        self.narrow(b, Domain::Bits(above))
    }

    /// `a + gap <= b`, for integers.
    fn int_order(&mut self, a: Term, b: Term, gap: i128) -> Result<(), Empty> {
        let (x, y) = (self.int(a), self.int(b));
        let gap = Interval::only(gap);
        let max = y.add(gap.neg()).max;
        let min = x.add(gap).min;
        self.narrow(a, Domain::Int(Interval { min: i128::MIN, max }))?;
        self.narrow(b, Domain::Int(Interval { min, max: i128::MAX }))
    }

    fn backward_bits(&mut self, op: Op, args: &[Term], range: BitRange) -> Result<(), Empty> {
        let width = range.width;
        match (op, args) {
            (Op::BvNot, [a]) => {
                let flipped = BitRange::known(width, range.zeros, range.ones)?;
                let (min, max) = (mask(width) - range.max, mask(width) - range.min);
                let bounds = BitRange::between(width, min, max)?;
                self.narrow(*a, Domain::Bits(flipped.meet(bounds)?))
            }
            (Op::Concat, [a, b]) => self.backward_concat(*a, *b, range),
            (Op::Select, [index, table]) => self.backward_select(*index, *table, range),
            (Op::Extract { low, .. }, [a]) => {
                let wide = self.pool.width(*a);
                let known = BitRange::known(wide, range.ones << low, range.zeros << low)?;
                self.narrow(*a, Domain::Bits(known))
            }
            (Op::SignExtend(_), [a]) => {
                let narrow = self.pool.width(*a);
                let bounds = BitRange::between_signed(narrow, range.signed_min, range.signed_max)?;
                let known = BitRange::known(narrow, range.ones, range.zeros)?;
                self.narrow(*a, Domain::Bits(known.meet(bounds)?))
            }
            (Op::BvAdd, [a, b]) => {
                self.backward_add(*a, *b, range)?;
                self.backward_add(*b, *a, range)
            }
            (Op::BvAnd, [a, b]) => {
                let known = BitRange::known(width, range.ones, 0)?;
                let at_least = BitRange::between(width, range.min, mask(width))?;
                let both = known.meet(at_least)?;
                self.narrow(*a, Domain::Bits(both))?;
                self.narrow(*b, Domain::Bits(both))
            }
            (Op::BvOr, [a, b]) => {
                let known = BitRange::known(width, 0, range.zeros)?;
                let at_most = BitRange::between(width, 0, range.max)?;
                let both = known.meet(at_most)?;
                self.narrow(*a, Domain::Bits(both))?;
                self.narrow(*b, Domain::Bits(both))
            }
            (Op::BvXor, [a, b]) => self.backward_xor(*a, *b, range),
            _ => Ok(()),
        }
    }

    fn backward_concat(&mut self, a: Term, b: Term, range: BitRange) -> Result<(), Empty> {
        let (high, low) = (self.pool.width(a), self.pool.width(b));
        let upper = BitRange::known(high, range.ones >> low, range.zeros >> low)?;
        let bounds = BitRange::between(high, range.min >> low, range.max >> low)?;
        self.narrow(a, Domain::Bits(upper.meet(bounds)?))?;
        self.narrow(b, Domain::Bits(BitRange::known(low, range.ones, range.zeros)?))?;
        self.narrow_low(a, b, range)
    }

    /// The index is between the first and the last one whose value is possible.
    fn backward_select(&mut self, index: Term, table: Term, range: BitRange) -> Result<(), Empty> {
        let Some(Value::Table(table)) = self.pool.value(table) else { return Ok(()) };
        let known = self.bits(index);
        let fits = |run: &TableRun| range.contains(Bits::new(range.width, run.value));
        let mut runs = table.runs_between(known.min as u32, known.max as u32).filter(fits);
        let first = runs.next().ok_or(Empty)?;
        let last = runs.next_back().unwrap_or(first).last;
        let bounds = BitRange::between(known.width, first.first.into(), last.into())?;
        self.narrow(index, Domain::Bits(bounds))
    }

    fn backward_xor(&mut self, a: Term, b: Term, range: BitRange) -> Result<(), Empty> {
        for (one, other) in [(a, b), (b, a)] {
            let known = self.bits(one);
            let ones = range.ones & known.zeros | range.zeros & known.ones;
            let zeros = range.ones & known.ones | range.zeros & known.zeros;
            self.narrow(other, Domain::Bits(BitRange::known(range.width, ones, zeros)?))?;
        }
        Ok(())
    }

    /// If the upper part is fixed, bounds of the whole are bounds of the lower part.
    fn narrow_low(&mut self, a: Term, b: Term, range: BitRange) -> Result<(), Empty> {
        let Some(upper) = self.bits(a).value() else { return Ok(()) };
        let low = self.pool.width(b);
        let base = upper.unsigned() << low;
        let min = range.min.saturating_sub(base);
        let max = range.max.checked_sub(base).ok_or(Empty)?.min(mask(low));
        self.narrow(b, Domain::Bits(BitRange::between(low, min, max)?))
    }

    /// For `a + k` with a constant `k`: `a` is in the range moved by `-k`, if that does not wrap.
    fn backward_add(&mut self, a: Term, k: Term, range: BitRange) -> Result<(), Empty> {
        let Some(k) = self.bits(k).value() else { return Ok(()) };
        let moved = |number: u128| Bits::new(range.width, number.wrapping_sub(k.unsigned()));
        let (min, max) = (moved(range.min).unsigned(), moved(range.max).unsigned());
        if min <= max {
            let bounds = BitRange::between(range.width, min, max)?;
            return self.narrow(a, Domain::Bits(bounds));
        }
        // The unsigned range wraps; the signed one may not.
        let (min, max) = (moved(range.min).signed(), moved(range.max).signed());
        if min <= max {
            let bounds = BitRange::between_signed(range.width, min, max)?;
            return self.narrow(a, Domain::Bits(bounds));
        }
        Ok(())
    }

    fn backward_int(&mut self, op: Op, args: &[Term], interval: Interval) -> Result<(), Empty> {
        match (op, args) {
            (Op::Add, args) => self.backward_sum(args, interval),
            (Op::Mul, [a, b]) => {
                let factor = self.int(*a);
                if factor.min != factor.max || factor.min == 0 || !factor.is_bounded() {
                    return Ok(());
                }
                self.narrow(*b, Domain::Int(divided(interval, factor.min)))
            }
            (Op::BvToInt, [a]) => {
                let width = self.pool.width(*a);
                let max = interval.max.min(mask(width) as i128);
                let min = interval.min.max(0);
                if min > max {
                    return Err(Empty);
                }
                let bounds = BitRange::between(width, min as u128, max as u128)?;
                self.narrow(*a, Domain::Bits(bounds))
            }
            _ => Ok(()),
        }
    }

    /// Each summand is the sum minus the others.
    fn backward_sum(&mut self, args: &[Term], interval: Interval) -> Result<(), Empty> {
        for (n, arg) in args.iter().enumerate() {
            let others = args
                .iter()
                .enumerate()
                .filter(|(m, _)| *m != n)
                .map(|(_, other)| self.int(*other))
                .fold(Interval::only(0), Interval::add);
            self.narrow(*arg, Domain::Int(interval.add(others.neg())))?;
        }
        Ok(())
    }
}

/// The numbers whose product with the factor is in the interval.
fn divided(interval: Interval, factor: i128) -> Interval {
    let interval = if factor < 0 { interval.neg() } else { interval };
    let factor = factor.unsigned_abs() as i128;
    Interval {
        min: match interval.min {
            i128::MIN => i128::MIN,
            min => min.div_euclid(factor) + i128::from(min.rem_euclid(factor) != 0),
        },
        max: match interval.max {
            i128::MAX => i128::MAX,
            max => max.div_euclid(factor),
        },
    }
}
