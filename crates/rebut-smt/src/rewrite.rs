//! Rewriting at construction: the term that is built has the requested value, and often a smaller
//! form.
//!
//! Symbolic execution builds the same shapes again and again: a comparison turned into a number
//! and compared with zero, bytes taken from a word and put together again, masks and shifts by
//! constants. All of these collapse here, once, before a solver sees them. For example, wasm
//! writes `x < y` as `ite(x < y, 1, 0) != 0`, which becomes `x < y` again.
//!
//! The normal forms:
//!
//! - The reference evaluator folds constants.
//! - `and` and `or` are flat, sorted and without duplicates. Equations have the constant second.
//! - Shifts and masks by constants, and zero extensions, are `concat`s and `extract`s. Chains of
//!   `concat` nest to the right, with adjacent pieces merged.
//! - Functions of one index are one table.
//! - Sums of numbers are linear forms. Comparisons of them drop what both sides share.
//!
//! Invariant: no rule changes a value. A property builds random terms with and without rewriting
//! and compares their values; a canary with a wrong rule shows that it notices.
//!
//! Rules are applied once, bottom-up, and not to a fixed point over the whole graph: a term is
//! never rewritten after it was built, because callers hold its index.

mod bits;
mod compare;
mod core;
mod number;
mod pieces;
mod quotient;
mod string;
mod table;
#[cfg(test)]
mod tests;

use crate::evaluate::fold;
use crate::op::Op;
use crate::{Pool, Sort, Term, Value};

impl Pool {
    /// Builds a term with the value of `op` applied to `args`, whose sorts must fit.
    pub(crate) fn rewrite(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        if let Some(value) = self.folded(op, args, sort) {
            return self.constant(value);
        }
        let term = self.rewrite_by_operator(op, args, sort);
        self.fused(term).unwrap_or(term)
    }

    fn rewrite_by_operator(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        match op {
            Op::Not | Op::And | Op::Or | Op::Distinct | Op::Ite => {
                self.rewrite_core(op, args, sort)
            }
            Op::Select => self.rewrite_select(args[0], args[1], sort),
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
            _ => self.rewrite_string(op, args, sort),
        }
    }

    /// Computes the value, if all arguments are constants.
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

    /// Returns the number of a constant bit-vector.
    pub(crate) fn bits_of(&self, term: Term) -> Option<u128> {
        self.value(term)?.as_bits().map(crate::Bits::unsigned)
    }

    /// Returns the arguments, if the term has this operator.
    fn parts<const N: usize>(&self, term: Term, op: Op) -> Option<[Term; N]> {
        if self.op(term) != op {
            return None;
        }
        self.args(term).try_into().ok()
    }
}

/// Like [`Pool::rewrite`], with one wrong rule: `a - b` becomes `b - a`.
#[cfg(test)]
pub(crate) fn canary(pool: &mut Pool, op: Op, args: &[Term], sort: Sort) -> Term {
    match (op, args) {
        (Op::BvSub, [a, b]) => pool.rewrite(op, &[*b, *a], sort),
        _ => pool.rewrite(op, args, sort),
    }
}
