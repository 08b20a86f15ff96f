//! The reference evaluator: computes the value of a term from values of its variables.
//!
//! It follows the definitions of SMT-LIB operator by operator. It shares no code with rewrites,
//! the bit-blaster or any solver, because it judges them: it checks every model before a caller
//! gets it. It computes everything except numbers beyond 128 bits.
//!
//! SMT-LIB leaves the division of an `Int` or a `Real` by zero open. Here the quotient is zero and
//! the remainder is the dividend; the printer of scripts writes that out for other solvers.

pub(crate) mod automaton;
mod bits;
mod number;
mod regex;
mod string;

use std::fmt;

use crate::op::Op;
use crate::{Pool, Sort, Term, Value};
use regex::{Regex, Regexes};

/// The error that the value of a term cannot be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluateError {
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A number needs more than 128 bits.
    TooLarge,
    /// The term is a regular expression.
    NoValue,
    /// A regular expression has too many derivatives.
    TooComplex,
    /// A variable has a value of another sort.
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

/// Computes the values of terms. A variable without a value has the simplest one of its sort.
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

/// Builds a regular expression without variables.
fn evaluate_regex(pool: &Pool, root: Term) -> Result<(Regexes, Regex), EvaluateError> {
    let order = pool.reachable(&[root]);
    let mut evaluator = Evaluator { pool, order, computed: Vec::new(), regexes: Regexes::new() };
    evaluator.run(|_| None)?;
    evaluator.into_regex(root).ok_or(EvaluateError::NO_VALUE)
}

/// Applies one operator to constants. `None` for regular expressions and for values that cannot
/// be computed.
pub(crate) fn fold(op: Op, sort: Sort, args: &[&Value]) -> Option<Value> {
    apply(op, sort, args).ok()
}

/// Computes terms in the order of their indices, so arguments come first.
struct Evaluator<'a> {
    pool: &'a Pool,
    order: Vec<Term>,
    /// The values of the terms in `order`, so far.
    computed: Vec<Computed>,
    regexes: Regexes,
}

/// The result of a term.
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
        if let Op::ReLiteral | Op::ReRange = op {
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
        let index = self.order.binary_search(&term).ok().ok_or(EvaluateError::NO_VALUE)?;
        self.computed.get(index).ok_or(EvaluateError::NO_VALUE)
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
    let is_true = |value: &&Value| **value == Value::Bool(true);
    Ok(match (op, args) {
        (Op::Not, [a]) => Value::Bool(!is_true(a)),
        (Op::And, args) => Value::Bool(args.iter().all(is_true)),
        (Op::Or, args) => Value::Bool(args.iter().any(is_true)),
        (Op::Eq, [a, b]) => Value::Bool(a == b),
        (Op::Distinct, args) => {
            let differs = |(n, a): (usize, &&Value)| !args[..n].contains(a);
            Value::Bool(args.iter().enumerate().all(differs))
        }
        (Op::Ite, [condition, then, otherwise]) => {
            (*if is_true(condition) { then } else { otherwise }).clone()
        }
        _ => match args.first() {
            Some(Value::Bits(_)) => return bits::apply(op, args),
            Some(Value::Int(_) | Value::Real(_)) if sort != Sort::String => {
                return number::apply(op, args);
            }
            _ => return string::apply(op, args),
        },
    })
}
