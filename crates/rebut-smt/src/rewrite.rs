//! Rewriting at construction: what is built has the value that was asked for, and often a
//! smaller form.
//!
//! Symbolic execution builds the same shapes again and again: a comparison turned into a number
//! and compared with zero, bytes taken from a word and put together again, masks and shifts by
//! constants. All of these collapse here, once, before any solver sees them. The order of the
//! forms:
//!
//! - constants are folded by the reference evaluator;
//! - `and` and `or` are flat, sorted, without repetitions; equations have the constant second;
//! - shifts and masks by constants are `concat`s and `extract`s, and so is zero extension;
//!   chains of `concat` lean to the right with neighbors merged;
//! - sums of numbers are linear forms, and comparisons of them are freed of what both sides
//!   share.
//!
//! Every rule is checked by a property: random terms built with and without rewriting have the
//! same value (a test with a wrong rule shows that one is noticed).

mod bits;
mod compare;
mod core;
mod number;
mod pieces;
#[cfg(test)]
mod tests;
mod text;

use crate::evaluate::fold;
use crate::op::Op;
use crate::{Pool, Sort, Term, Value};

impl Pool {
    /// A term with the value of `op` applied to `args`, whose sorts fit.
    pub(crate) fn rewrite(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        if let Some(value) = self.folded(op, args, sort) {
            return self.constant(value);
        }
        match op {
            Op::Not | Op::And | Op::Or | Op::Distinct | Op::Ite => {
                self.rewrite_core(op, args, sort)
            }
            Op::Eq | Op::BvUlt | Op::BvSlt => self.rewrite_comparison(op, args[0], args[1]),
            Op::Add
            | Op::Mul
            | Op::IntDiv
            | Op::IntMod
            | Op::RealDiv
            | Op::ToReal
            | Op::ToInt
            | Op::Lt => self.rewrite_number(op, args, sort),
            _ if matches!(args.first().map(|arg| self.sort(*arg)), Some(Sort::BitVec(_))) => {
                self.rewrite_bits(op, args, sort)
            }
            _ => self.rewrite_text(op, args, sort),
        }
    }

    /// The value, if all arguments are constants.
    fn folded(&self, op: Op, args: &[Term], sort: Sort) -> Option<Value> {
        if sort == Sort::RegLan || args.iter().any(|arg| !matches!(self.op(*arg), Op::Const(_))) {
            return None;
        }
        let values: Vec<&Value> = args.iter().filter_map(|arg| self.value(*arg)).collect();
        fold(op, sort, &values)
    }

    pub(crate) fn is_true(&self, term: Term) -> bool {
        self.value(term) == Some(&Value::Bool(true))
    }

    pub(crate) fn is_false(&self, term: Term) -> bool {
        self.value(term) == Some(&Value::Bool(false))
    }

    /// The number of a constant bit-vector.
    pub(crate) fn bits_of(&self, term: Term) -> Option<u128> {
        self.value(term)?.as_bits().map(crate::Bits::unsigned)
    }

    /// The arguments, if the term has this operator.
    fn parts<const N: usize>(&self, term: Term, op: Op) -> Option<[Term; N]> {
        if self.op(term) != op {
            return None;
        }
        self.args(term).try_into().ok()
    }
}

/// As [`Pool::rewrite`], with one rule that is wrong: `a - b` becomes `b - a`.
#[cfg(test)]
pub(crate) fn canary(pool: &mut Pool, op: Op, args: &[Term], sort: Sort) -> Term {
    match (op, args) {
        (Op::BvSub, [a, b]) => pool.rewrite(op, &[*b, *a], sort),
        _ => pool.rewrite(op, args, sort),
    }
}
