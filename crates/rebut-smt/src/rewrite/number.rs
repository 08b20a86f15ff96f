//! Numbers as linear forms: a constant, and terms with coefficients.
//!
//! A comparison becomes a comparison of the difference with zero, divided by the common factor,
//! and then two sides without minus signs. For example, `2m + n + 3 < n + 8` has the difference
//! `2m - 5`; divided by 2 and rounded for integers, it is `m < 3`.
//!
//! If an intermediate number needs more than 128 bits, the term is built without rewriting.

use crate::op::Op;
use crate::rational::gcd;
use crate::{Pool, Rational, Sort, Term, Value};

/// `constant + sum of coefficient * term`, with sorted terms and without zero coefficients.
#[derive(Clone, Debug)]
pub(crate) struct Linear {
    pub(crate) constant: Rational,
    pub(crate) terms: Vec<(Term, Rational)>,
}

impl Linear {
    fn constant(constant: Rational) -> Linear {
        Linear { constant, terms: Vec::new() }
    }

    pub(crate) fn add(mut self, other: Linear, factor: Rational) -> Option<Linear> {
        self.constant = self.constant.add(other.constant.mul(factor)?)?;
        for (term, coefficient) in other.terms {
            let coefficient = coefficient.mul(factor)?;
            match self.terms.binary_search_by_key(&term, |(term, _)| *term) {
                Ok(index) => {
                    self.terms[index].1 = self.terms[index].1.add(coefficient)?;
                    if self.terms[index].1 == Rational::ZERO {
                        self.terms.remove(index);
                    }
                }
                Err(index) if coefficient != Rational::ZERO => {
                    self.terms.insert(index, (term, coefficient));
                }
                Err(_) => {}
            }
        }
        Some(self)
    }

    fn scaled(self, factor: Rational) -> Option<Linear> {
        Linear::constant(Rational::ZERO).add(self, factor)
    }

    /// Divides by a positive number such that the coefficients are integers without a common
    /// factor.
    fn primitive(self) -> Option<Linear> {
        let mut common = 0;
        let mut multiple: i128 = 1;
        for (_, coefficient) in &self.terms {
            let denominator = coefficient.denominator();
            multiple = (multiple / gcd(multiple, denominator)).checked_mul(denominator)?;
        }
        for (_, coefficient) in &self.terms {
            let whole =
                coefficient.numerator().checked_mul(multiple / coefficient.denominator())?;
            common = gcd(common, whole);
        }
        if common == 0 {
            return Some(self);
        }
        let factor = Rational::new(multiple, common)?;
        self.scaled(factor)
    }
}

const ONE: Rational = Rational::whole(1);
const MINUS_ONE: Rational = Rational::whole(-1);

impl Pool {
    pub(super) fn rewrite_number(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        let simpler = match (op, args) {
            (Op::Add, args) => self.rewrite_sum(args, sort),
            (Op::Mul, [a, b]) => self.rewrite_product(*a, *b, sort),
            (Op::Lt, [a, b]) => self.rewrite_lt(*a, *b),
            (Op::IntDiv | Op::IntMod, [a, b]) => self.rewrite_int_division(op, *a, *b),
            (Op::RealDiv, [a, b]) => self.rewrite_real_division(*a, *b),
            (Op::ToInt, [a]) => self.parts(*a, Op::ToReal).map(|[inner]| inner),
            _ => None,
        };
        simpler.unwrap_or_else(|| self.intern(op, args, sort))
    }

    /// Returns the linear form of a number. A product of variables counts as one term.
    pub(crate) fn linear(&self, term: Term) -> Option<Linear> {
        if let Some(number) = self.number(term) {
            return Some(Linear::constant(number));
        }
        let alone = Linear { constant: Rational::ZERO, terms: vec![(term, ONE)] };
        match (self.op(term), self.args(term)) {
            (Op::Add, args) => {
                let zero = Linear::constant(Rational::ZERO);
                args.iter().try_fold(zero, |sum, arg| sum.add(self.linear_summand(*arg)?, ONE))
            }
            (Op::Mul, _) => self.linear_summand(term),
            _ => Some(alone),
        }
    }

    /// Returns the linear form of a summand: a constant, a term, or a constant times a term. Sums
    /// are flat, so a summand is nothing else.
    fn linear_summand(&self, term: Term) -> Option<Linear> {
        if let Some(number) = self.number(term) {
            return Some(Linear::constant(number));
        }
        if let Some([a, b]) = self.parts(term, Op::Mul)
            && let Some(factor) = self.number(a)
        {
            return Some(Linear { constant: Rational::ZERO, terms: vec![(b, factor)] });
        }
        Some(Linear { constant: Rational::ZERO, terms: vec![(term, ONE)] })
    }

    /// Returns the number of a constant `Int` or `Real`.
    pub(crate) fn number(&self, term: Term) -> Option<Rational> {
        match self.value(term)? {
            Value::Int(number) if *number != i128::MIN => Some(Rational::whole(*number)),
            Value::Real(number) => Some(*number),
            _ => None,
        }
    }

    fn number_term(&mut self, number: Rational, sort: Sort) -> Term {
        match sort {
            Sort::Real => self.real(number),
            _ => self.int(number.floor()),
        }
    }

    fn linear_term(&mut self, linear: &Linear, sort: Sort) -> Term {
        let mut parts = Vec::new();
        for (term, coefficient) in &linear.terms {
            parts.push(match *coefficient {
                ONE => *term,
                coefficient => {
                    let factor = self.number_term(coefficient, sort);
                    self.intern(Op::Mul, &[factor, *term], sort)
                }
            });
        }
        if linear.constant != Rational::ZERO || parts.is_empty() {
            parts.push(self.number_term(linear.constant, sort));
        }
        match &parts[..] {
            [only] => *only,
            _ => self.intern(Op::Add, &parts, sort),
        }
    }

    fn rewrite_sum(&mut self, args: &[Term], sort: Sort) -> Option<Term> {
        let zero = Linear::constant(Rational::ZERO);
        let sum = args.iter().try_fold(zero, |sum, arg| sum.add(self.linear(*arg)?, ONE))?;
        Some(self.linear_term(&sum, sort))
    }

    fn rewrite_product(&mut self, a: Term, b: Term, sort: Sort) -> Option<Term> {
        let (a, b) = match (self.number(a), self.number(b)) {
            (None, Some(_)) => (b, a),
            (None, None) if a > b => (b, a),
            _ => (a, b),
        };
        match self.number(a) {
            Some(factor) => {
                let product = self.linear(b)?.scaled(factor)?;
                Some(self.linear_term(&product, sort))
            }
            None => Some(self.intern(Op::Mul, &[a, b], sort)),
        }
    }

    fn rewrite_lt(&mut self, a: Term, b: Term) -> Option<Term> {
        if self.is_deep(a) || self.is_deep(b) {
            return None;
        }
        if let Some(simpler) = self.push_into_nest(Op::Lt, a, b) {
            return Some(simpler);
        }
        if let (Some([a]), Some([b])) = (self.parts(a, Op::ToReal), self.parts(b, Op::ToReal)) {
            return Some(self.lt(a, b));
        }
        let sort = self.sort(a);
        let difference = self.linear(a)?.add(self.linear(b)?, MINUS_ONE)?;
        if difference.terms.is_empty() {
            return Some(self.bool(difference.constant.numerator() < 0));
        }
        let mut difference = difference.primitive()?;
        if sort == Sort::Int {
            // The sum is an integer, so it is less than -c iff it is less than -c rounded up.
            difference.constant = Rational::whole(difference.constant.floor());
        }
        let (left, right) = self.two_sides(&difference, sort)?;
        Some(self.intern(Op::Lt, &[left, right], Sort::Bool))
    }

    pub(super) fn eq_of_numbers(&mut self, a: Term, b: Term) -> Option<Term> {
        let sort = self.sort(a);
        let difference = self.linear(a)?.add(self.linear(b)?, MINUS_ONE)?;
        if difference.terms.is_empty() {
            return Some(self.bool(difference.constant == Rational::ZERO));
        }
        let difference = difference.primitive()?;
        if sort == Sort::Int && difference.constant.denominator() != 1 {
            return Some(self.bool(false));
        }
        let (left, right) = self.two_sides(&difference, sort)?;
        let (left, right) = match (self.value(left), self.value(right)) {
            (Some(_), None) => (right, left),
            (None, None) if left > right => (right, left),
            _ => (left, right),
        };
        if self.op(left) == Op::Ite && (left, right) != (a, b) {
            return Some(self.eq(left, right));
        }
        (self.op(left) != Op::Ite).then(|| self.intern(Op::Eq, &[left, right], Sort::Bool))
    }

    /// Splits a difference into `left` and `right` without negative coefficients. The constant
    /// goes to the side without terms if there is one, else to the side where it is positive.
    fn two_sides(&mut self, difference: &Linear, sort: Sort) -> Option<(Term, Term)> {
        let is_negative = |number: Rational| number.numerator() < 0;
        let (minus, plus): (Vec<_>, Vec<_>) =
            difference.terms.iter().partition(|(_, coefficient)| is_negative(*coefficient));
        let (mut left, mut right) =
            (Linear::constant(Rational::ZERO), Linear::constant(Rational::ZERO));
        left.terms = plus;
        for (term, coefficient) in minus {
            right.terms.push((term, coefficient.mul(MINUS_ONE)?));
        }
        let on_the_left = match (left.terms.is_empty(), right.terms.is_empty()) {
            (true, _) => true,
            (_, true) => false,
            _ => !is_negative(difference.constant),
        };
        if on_the_left {
            left.constant = difference.constant;
        } else {
            right.constant = difference.constant.mul(MINUS_ONE)?;
        }
        Some((self.linear_term(&left, sort), self.linear_term(&right, sort)))
    }

    fn rewrite_int_division(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        match (op, self.value(b)?) {
            (Op::IntDiv, Value::Int(0)) => Some(self.int(0)),
            (Op::IntDiv, Value::Int(1)) | (Op::IntMod, Value::Int(0)) => Some(a),
            (Op::IntMod, Value::Int(1 | -1)) => Some(self.int(0)),
            _ => None,
        }
    }

    fn rewrite_real_division(&mut self, a: Term, b: Term) -> Option<Term> {
        let divisor = self.number(b)?;
        if divisor == Rational::ZERO {
            return Some(self.real(Rational::ZERO));
        }
        let factor = self.real(ONE.div(divisor)?);
        Some(self.mul(factor, a))
    }
}
