//! The reference evaluator: what a term is, given values of its variables.
//!
//! It follows the text of SMT-LIB operator by operator and shares nothing with the rewrites,
//! the bit-blaster or any solver, so that it can judge them: no model is handed out that it has
//! not confirmed. It is total but for numbers beyond 128 bits. Where SMT-LIB leaves the result
//! open (division of an `Int` or a `Real` by zero), ours is fixed: the quotient is zero and the
//! remainder the dividend. The printer of scripts says so to other solvers.

pub(crate) mod automaton;
mod bits;
mod number;
mod regex;
mod text;

use std::fmt;

use crate::op::Op;
use crate::{Pool, Sort, Term, Value};
use regex::{Regex, Regexes};

/// A term has no value that can be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluateError {
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A number needs more than 128 bits.
    TooLarge,
    /// A regular expression is no value.
    NoValue,
    /// A regular expression has too many derivatives.
    TooComplex,
    /// A model has a value of another sort than the variable.
    WrongSort,
}

impl EvaluateError {
    const TOO_LARGE: EvaluateError = EvaluateError { kind: Kind::TooLarge };
    const NO_VALUE: EvaluateError = EvaluateError { kind: Kind::NoValue };
    const TOO_COMPLEX: EvaluateError = EvaluateError { kind: Kind::TooComplex };
    const WRONG_SORT: EvaluateError = EvaluateError { kind: Kind::WrongSort };
}

impl fmt::Display for EvaluateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            Kind::TooLarge => "a number needs more than 128 bits",
            Kind::NoValue => "a regular expression has no value",
            Kind::TooComplex => "a regular expression is too complex to match by derivatives",
            Kind::WrongSort => "a variable was given a value of another sort",
        })
    }
}

impl std::error::Error for EvaluateError {}

/// The values of some terms under values of the variables.
pub(crate) fn evaluate(
    pool: &Pool,
    roots: &[Term],
    variable: impl Fn(Term) -> Option<Value>,
) -> Result<Vec<Value>, EvaluateError> {
    let order = pool.reachable(roots);
    let mut evaluator = Evaluator { pool, order, computed: Vec::new(), regexes: Regexes::new() };
    evaluator.run(variable)?;
    roots.iter().map(|root| evaluator.value(*root).cloned()).collect()
}

/// A regular expression without variables, for its derivatives.
fn evaluate_regex(pool: &Pool, root: Term) -> Result<(Regexes, Regex), EvaluateError> {
    let order = pool.reachable(&[root]);
    let mut evaluator = Evaluator { pool, order, computed: Vec::new(), regexes: Regexes::new() };
    evaluator.run(|_| None)?;
    evaluator.into_regex(root).ok_or(EvaluateError::NO_VALUE)
}

/// One operator applied to constant values; none for regular expressions and for what cannot be
/// computed.
pub(crate) fn fold(op: Op, sort: Sort, args: &[&Value]) -> Option<Value> {
    apply(op, sort, args).ok()
}

struct Evaluator<'a> {
    pool: &'a Pool,
    order: Vec<Term>,
    /// What came of the terms in `order`, so far.
    computed: Vec<Computed>,
    regexes: Regexes,
}

#[derive(Clone, Debug)]
enum Computed {
    Value(Value),
    Regex(Regex),
}

impl Evaluator<'_> {
    fn run(&mut self, variable: impl Fn(Term) -> Option<Value>) -> Result<(), EvaluateError> {
        for index in 0..self.order.len() {
            let term = self.order[index];
            let sort = self.pool.sort(term);
            let computed = match self.pool.op(term) {
                Op::Const(_) => self.pool.value(term).cloned().map(Computed::Value),
                Op::Var(_) => match variable(term).or_else(|| Value::simplest(sort)) {
                    Some(value) if value.sort() != sort => return Err(EvaluateError::WRONG_SORT),
                    value => value.map(Computed::Value),
                },
                op => Some(self.step(op, sort, term)?),
            };
            self.computed.push(computed.ok_or(EvaluateError::NO_VALUE)?);
        }
        Ok(())
    }

    fn step(&mut self, op: Op, sort: Sort, term: Term) -> Result<Computed, EvaluateError> {
        let args = self.pool.args(term);
        if sort == Sort::RegLan {
            return Ok(Computed::Regex(self.regex(op, args)?));
        }
        if let (Op::InRe, [text, regex]) = (op, args) {
            let regex = self.regex_of(*regex)?;
            let Value::String(text) = self.value(*text)?.clone() else {
                return Err(EvaluateError::WRONG_SORT);
            };
            return Ok(Computed::Value(Value::Bool(self.regexes.matches(regex, &text)?)));
        }
        let values: Vec<&Value> =
            args.iter().map(|arg| self.value(*arg)).collect::<Result<_, _>>()?;
        Ok(Computed::Value(apply(op, sort, &values)?))
    }

    fn regex(&mut self, op: Op, args: &[Term]) -> Result<Regex, EvaluateError> {
        if let (Op::Ite, [condition, then, otherwise]) = (op, args) {
            let holds = self.value(*condition)? == &Value::Bool(true);
            return self.regex_of(if holds { *then } else { *otherwise });
        }
        if let Op::ReText | Op::ReRange = op {
            let mut texts = Vec::new();
            for arg in args {
                texts.push(self.value(*arg)?.as_str().unwrap_or_default().to_owned());
            }
            return Ok(match (op, &texts[..]) {
                (Op::ReRange, [low, high]) => self.regexes.range(low, high),
                (_, texts) => self.regexes.text(texts.first().map_or("", |text| text)),
            });
        }
        let parts: Vec<Regex> =
            args.iter().map(|arg| self.regex_of(*arg)).collect::<Result<_, _>>()?;
        self.regexes.apply(op, &parts)
    }

    fn computed(&self, term: Term) -> Result<&Computed, EvaluateError> {
        let place = self.order.binary_search(&term).ok().ok_or(EvaluateError::NO_VALUE)?;
        self.computed.get(place).ok_or(EvaluateError::NO_VALUE)
    }

    fn value(&self, term: Term) -> Result<&Value, EvaluateError> {
        match self.computed(term)? {
            Computed::Value(value) => Ok(value),
            Computed::Regex(_) => Err(EvaluateError::NO_VALUE),
        }
    }

    fn regex_of(&self, term: Term) -> Result<Regex, EvaluateError> {
        match self.computed(term)? {
            Computed::Regex(regex) => Ok(*regex),
            Computed::Value(_) => Err(EvaluateError::NO_VALUE),
        }
    }
}

fn apply(op: Op, sort: Sort, args: &[&Value]) -> Result<Value, EvaluateError> {
    let truth = |value: &&Value| **value == Value::Bool(true);
    Ok(match (op, args) {
        (Op::Not, [a]) => Value::Bool(!truth(a)),
        (Op::And, args) => Value::Bool(args.iter().all(truth)),
        (Op::Or, args) => Value::Bool(args.iter().any(truth)),
        (Op::Eq, [a, b]) => Value::Bool(a == b),
        (Op::Distinct, args) => {
            let differs = |(n, a): (usize, &&Value)| !args[..n].contains(a);
            Value::Bool(args.iter().enumerate().all(differs))
        }
        (Op::Ite, [condition, then, otherwise]) => {
            (*if truth(condition) { then } else { otherwise }).clone()
        }
        _ => match args.first() {
            Some(Value::Bits(_)) => return bits::apply(op, args),
            Some(Value::Int(_) | Value::Real(_)) if sort != Sort::String => {
                return number::apply(op, args);
            }
            _ => return text::apply(op, args),
        },
    })
}
