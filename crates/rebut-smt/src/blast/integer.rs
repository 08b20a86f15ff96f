//! Bounded integers, as words that are wide enough for every value.
//!
//! Bounds are computed bottom-up by interval arithmetic. A sum of two numbers in 0..=5 is in
//! 0..=10, so its word has 5 bits: four, and the sign.

use super::words::{Word, resize_signed};
use super::{Blaster, Lit};
use crate::answer::{Reason, ReasonKind};
use crate::op::Op;
use crate::range::Interval;
use crate::{Term, Value};

/// The width of the widest word of an integer. Arbitrary below 128: the evaluator computes with
/// `i128`, which wider numbers soon exceed. A wider term makes the query unknown
/// ([`ReasonKind::TooLarge`]).
pub(super) const WIDTH_MAX: u32 = 120;

impl Blaster<'_> {
    pub(super) fn integer(&mut self, term: Term) -> Result<Word, Reason> {
        if let (Op::ToInt, [real]) = (self.pool.op(term), self.pool.args(term)) {
            let (word, interval) = self.floor(*real)?;
            self.intervals.insert(term, interval);
            return Ok(resize_signed(&word, interval.width() as usize));
        }
        if let Some((word, interval)) = self.string_number(term) {
            self.intervals.insert(term, interval);
            return Ok(resize_signed(&word, interval.width() as usize));
        }
        let interval = self.interval(term)?;
        let width = interval.width();
        if width > WIDTH_MAX {
            return Err(Reason::about(ReasonKind::TooLarge, term));
        }
        self.intervals.insert(term, interval);
        let word = self.integer_word(term, interval, width as usize)?;
        Ok(resize_signed(&word, width as usize))
    }

    pub(super) fn bounds_of(&self, term: Term) -> Interval {
        self.intervals.get(&term).copied().unwrap_or(Interval::ALL)
    }

    fn interval(&self, term: Term) -> Result<Interval, Reason> {
        let of = |term: &Term| self.bounds_of(*term);
        Ok(match (self.pool.op(term), self.pool.args(term)) {
            (Op::Const(_), _) => match self.pool.value(term) {
                Some(Value::Int(number)) => Interval::only(*number),
                _ => Interval::ALL,
            },
            (Op::Var(_), _) => match self.bounds.get(&term) {
                Some(bounds) if bounds.is_bounded() => *bounds,
                _ => return Err(Reason::about(ReasonKind::Unbounded, term)),
            },
            (Op::Ite, [_, a, b]) => of(a).join(of(b)),
            (Op::Add, args) => args.iter().map(of).fold(Interval::only(0), Interval::add),
            (Op::Mul, [a, b]) => of(a).mul(of(b)),
            (Op::IntDiv, [a, b]) => of(a).div(of(b)),
            (Op::IntMod, [a, b]) => of(a).modulo(of(b)),
            (Op::BvToInt, [a]) => {
                Interval { min: 0, max: crate::value::mask(self.pool.width(*a)) as i128 }
            }
            _ => return Err(Reason::about(ReasonKind::Unsupported(self.foreign_sort(term)), term)),
        })
    }

    /// Returns the sort to report for an operator that is not supported.
    fn foreign_sort(&self, term: Term) -> crate::Sort {
        self.pool.args(term).first().map_or(crate::Sort::Int, |arg| self.pool.sort(*arg))
    }

    fn integer_word(
        &mut self,
        term: Term,
        interval: Interval,
        width: usize,
    ) -> Result<Word, Reason> {
        let sized = |blaster: &Self, term: &Term| resize_signed(&blaster.word(*term), width);
        Ok(match (self.pool.op(term), self.pool.args(term)) {
            (Op::Const(_), _) => super::Gates::constant(width, interval.min as u128),
            (Op::Var(_), _) => self.bounded_input(interval, width),
            (Op::Ite, [condition, a, b]) => {
                let (condition, a, b) = (self.lit(*condition), sized(self, a), sized(self, b));
                self.gates.choose_word(condition, &a, &b)
            }
            (Op::Add, args) => {
                let mut sum = vec![Lit::FALSE; width];
                for arg in args {
                    let arg = sized(self, arg);
                    sum = self.gates.add(&sum, &arg, Lit::FALSE);
                }
                sum
            }
            (Op::Mul, [a, b]) => {
                let (a, b) = (sized(self, a), sized(self, b));
                self.gates.mul(&a, &b)
            }
            (Op::IntDiv, [a, b]) => self.int_divide(*a, *b).0,
            (Op::IntMod, [a, b]) => self.int_divide(*a, *b).1,
            (_, [a]) => [self.word(*a), vec![Lit::FALSE]].concat(),
            _ => return Err(Reason::about(ReasonKind::Unsupported(crate::Sort::Int), term)),
        })
    }

    pub(super) fn bounded_input(&mut self, interval: Interval, width: usize) -> Word {
        let word = self.inputs(width);
        let min = super::Gates::constant(width, interval.min as u128);
        let max = super::Gates::constant(width, interval.max as u128);
        let below = self.gates.slt(&word, &min);
        let above = self.gates.slt(&max, &word);
        self.gates.sat.clause(&[!below]);
        self.gates.sat.clause(&[!above]);
        word
    }

    /// Returns the Euclidean quotient and remainder; zero and the dividend for a zero divisor.
    fn int_divide(&mut self, a: Term, b: Term) -> (Word, Word) {
        let (interval, divisor) = (self.bounds_of(a), self.pool.value(b).cloned());
        if let Some(Value::Int(divisor)) = divisor
            && divisor > 0
            && interval.is_bounded()
            && interval.width() + Interval::only(divisor).width() + 2 < WIDTH_MAX
        {
            return self.divide_by(a, divisor);
        }
        let (a, b) = (self.word(a), self.word(b));
        self.divide_words(&a, &b)
    }

    /// Divides by a positive constant. The quotient and the remainder are fresh inputs with
    /// `quotient * divisor + remainder == dividend`. That takes a few adders; a divider takes one
    /// per bit.
    fn divide_by(&mut self, a: Term, divisor: i128) -> (Word, Word) {
        let interval = self.bounds_of(a);
        let whole = interval.div(Interval::only(divisor));
        let rests = Interval { min: 0, max: divisor - 1 };
        let width = (interval.width() + Interval::only(divisor).width() + 2) as usize;
        let quotient = self.bounded_input(whole, whole.width() as usize);
        let rest = self.bounded_input(rests, rests.width() as usize);
        let dividend = resize_signed(&self.word(a), width);
        let (wide, more) = (resize_signed(&quotient, width), resize_signed(&rest, width));
        let by = super::Gates::constant(width, divisor as u128);
        let product = self.gates.mul(&wide, &by);
        let sum = self.gates.add(&product, &more, Lit::FALSE);
        let is_same = self.gates.eq(&sum, &dividend);
        self.gates.sat.clause(&[is_same]);
        (quotient, rest)
    }

    pub(super) fn divide_words(&mut self, a: &[Lit], b: &[Lit]) -> (Word, Word) {
        // One bit more, so that the magnitude of the least number fits, and a quotient that is
        // rounded away from zero.
        let width = a.len().max(b.len()) + 1;
        let (a, b) = (resize_signed(a, width), resize_signed(b, width));
        let gates = &mut self.gates;
        let (x, a_sign) = gates.magnitude(&a);
        let (y, b_sign) = gates.magnitude(&b);
        let (quotient, rest) = gates.divide(&x, &y);
        let has_rest = gates.any(&rest);
        let moves = gates.and(a_sign, has_rest);
        let zero = vec![Lit::FALSE; width];
        let further = gates.add(&quotient, &zero, moves);
        let negative = gates.xor(a_sign, b_sign);
        let quotient = gates.negate_if(negative, &further);
        let missing = gates.sub(&y, &rest);
        let rest = gates.choose_word(moves, &missing, &rest);
        let by_zero = !gates.any(&b);
        (gates.choose_word(by_zero, &zero, &quotient), gates.choose_word(by_zero, &a, &rest))
    }
}
