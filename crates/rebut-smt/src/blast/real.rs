//! Reals, as integers of a fixed unit.
//!
//! The value of a real term is its word divided by its scale, a constant. Variables have the
//! scale of the query (`unbounded::denominator`), constants have their denominator, products
//! multiply scales, and sums and comparisons use a common multiple. For example, with a scale of
//! 60, `x < 1/7` compares `7 * word < 60` in units of 1/420.
//!
//! Only multiples of the unit are tried. That finds a solution in most cases and never proves
//! that there is none.

use super::words::{Word, resize_signed};
use super::{Blaster, Gates};
use crate::answer::{Reason, ReasonKind};
use crate::op::Op;
use crate::range::Interval;
use crate::rational::gcd;
use crate::{Rational, Sort, Term, Value};

/// A number in units of `1 / scale`.
#[derive(Clone, Debug)]
pub(super) struct ScaledReal {
    word: Word,
    interval: Interval,
    scale: i128,
}

impl Blaster<'_> {
    pub(super) fn real(&mut self, term: Term) -> Result<Word, Reason> {
        let ScaledReal { word, interval, scale } = self.real_number(term)?;
        self.intervals.insert(term, interval);
        self.scales.insert(term, scale);
        self.fitting(&word, interval, term)
    }

    fn fitting(&self, word: &[super::Lit], interval: Interval, term: Term) -> Result<Word, Reason> {
        match interval.width() {
            width if width > super::integer::WIDTH_MAX => {
                Err(Reason::about(ReasonKind::TooLarge, term))
            }
            width => Ok(resize_signed(word, width as usize)),
        }
    }

    fn real_number(&mut self, term: Term) -> Result<ScaledReal, Reason> {
        match (self.pool.op(term), self.pool.args(term)) {
            (Op::Const(_), _) => {
                let number = self.pool.number(term).unwrap_or(Rational::ZERO);
                let interval = Interval::only(number.numerator());
                let width = interval.width() as usize;
                let word = Gates::constant(width, number.numerator() as u128);
                Ok(ScaledReal { word, interval, scale: number.denominator() })
            }
            (Op::Var(_), _) => match self.bounds.get(&term) {
                Some(interval) if interval.is_bounded() => {
                    let word = self.bounded_input(*interval, interval.width() as usize);
                    Ok(ScaledReal { word, interval: *interval, scale: self.denominator })
                }
                _ => Err(Reason::about(ReasonKind::Unbounded, term)),
            },
            (Op::ToReal, [a]) => Ok(self.scaled(*a)),
            (Op::Add, args) => {
                let scale = self.common_scale(args, term)?;
                let mut sum = self.in_units(args[0], scale, term)?;
                for arg in &args[1..] {
                    let next = self.in_units(*arg, scale, term)?;
                    sum = self.sum(&sum, &next, term)?;
                }
                Ok(sum)
            }
            (Op::Mul, [a, b]) => self.product(*a, *b, term),
            (Op::Ite, [condition, a, b]) => {
                let scale = self.common_scale(&[*a, *b], term)?;
                let (a, b) = (self.in_units(*a, scale, term)?, self.in_units(*b, scale, term)?);
                let interval = a.interval.join(b.interval);
                let width = interval.width() as usize;
                let condition = self.lit(*condition);
                let (a, b) = (resize_signed(&a.word, width), resize_signed(&b.word, width));
                Ok(ScaledReal { word: self.gates.choose_word(condition, &a, &b), interval, scale })
            }
            _ => Err(Reason::about(ReasonKind::Unsupported(Sort::Real), term)),
        }
    }

    /// Returns a term that was blasted before. An `Int` has the scale 1.
    fn scaled(&self, term: Term) -> ScaledReal {
        ScaledReal {
            word: self.word(term),
            interval: self.bounds_of(term),
            scale: self.scales.get(&term).copied().unwrap_or(1),
        }
    }

    fn common_scale(&self, terms: &[Term], within: Term) -> Result<i128, Reason> {
        let multiple = |scale: i128, term: &Term| {
            let other = self.scaled(*term).scale;
            (scale / gcd(scale, other)).checked_mul(other)
        };
        let common = terms.iter().try_fold(1, multiple);
        common.ok_or_else(|| Reason::about(ReasonKind::TooLarge, within))
    }

    /// Converts a term to units of `1 / scale`, a multiple of its own scale.
    fn in_units(&mut self, term: Term, scale: i128, within: Term) -> Result<ScaledReal, Reason> {
        let ScaledReal { word, interval, scale: own } = self.scaled(term);
        let factor = Interval::only(scale / own);
        let interval = interval.mul(factor);
        let word = self.fitting(&word, interval, within)?;
        let factor = Gates::constant(word.len(), factor.min as u128);
        Ok(ScaledReal { word: self.gates.mul(&word, &factor), interval, scale })
    }

    fn sum(&mut self, a: &ScaledReal, b: &ScaledReal, within: Term) -> Result<ScaledReal, Reason> {
        let interval = a.interval.add(b.interval);
        let x = self.fitting(&a.word, interval, within)?;
        let y = self.fitting(&b.word, interval, within)?;
        let word = self.gates.add(&x, &y, super::Lit::FALSE);
        Ok(ScaledReal { word, interval, scale: a.scale })
    }

    fn product(&mut self, a: Term, b: Term, within: Term) -> Result<ScaledReal, Reason> {
        let (a, b) = (self.scaled(a), self.scaled(b));
        let interval = a.interval.mul(b.interval);
        let x = self.fitting(&a.word, interval, within)?;
        let y = self.fitting(&b.word, interval, within)?;
        let scale = a.scale.checked_mul(b.scale);
        let scale = scale.ok_or_else(|| Reason::about(ReasonKind::TooLarge, within))?;
        Ok(ScaledReal { word: self.gates.mul(&x, &y), interval, scale })
    }

    /// Returns the words of two reals in the same unit and width.
    pub(super) fn real_pair(&mut self, a: Term, b: Term) -> Result<(Word, Word), Reason> {
        let scale = self.common_scale(&[a, b], a)?;
        let (x, y) = (self.in_units(a, scale, a)?, self.in_units(b, scale, b)?);
        let width = x.word.len().max(y.word.len());
        Ok((resize_signed(&x.word, width), resize_signed(&y.word, width)))
    }

    /// Rounds a real down: divides its word by its scale.
    pub(super) fn floor(&mut self, a: Term) -> Result<(Word, Interval), Reason> {
        let ScaledReal { word, interval, scale } = self.scaled(a);
        let floor = |number: i128| number.div_euclid(scale);
        let width = Interval::only(scale).width() as usize;
        let divisor = Gates::constant(width, scale as u128);
        let (quotient, _) = self.divide_words(&word, &divisor);
        Ok((quotient, Interval { min: floor(interval.min), max: floor(interval.max) }))
    }

    pub(super) fn real_value(&self, term: Term, number: i128) -> Value {
        let scale = self.scales.get(&term).copied().unwrap_or(1);
        Value::Real(Rational::new(number, scale).unwrap_or(Rational::ZERO))
    }
}
