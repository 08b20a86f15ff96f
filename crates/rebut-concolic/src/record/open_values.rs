//! Floats whose bits are not the same in every correct program.
//!
//! # What is open
//!
//! *NaNs.* If an operation returns a NaN, the language leaves its sign and payload open. x86-64
//! returns a negative NaN for `0.0 / 0.0` and keeps the payload of an operand; here, each operation
//! returns the positive one without a payload. A NaN that was drawn, read from bits or written as a
//! constant keeps its bits in both programs, also through `-x`, `x.abs()` and `x.copysign(y)`.
//!
//! *Zeros.* `f64::min` and `f64::max` return either operand if both are zeros. Rust has no
//! instruction for them in WebAssembly and calls `fmin` of the compiler's own library, which returns
//! the second operand (`min`) or the first one (`max`). On x86-64 the compiler writes `minsd` with
//! swapped operands and an extra step for NaNs, which returns the first operand of both. All other
//! operations on zeros are exact (`clamp` is comparisons in both programs).
//!
//! # When it matters
//!
//! It does not matter that such a value exists, but that a decision depends on its open bits. So a
//! value stays what it is while it is moved, compared with another float or computed with. Where
//! its *bits* are used, by an instruction on integers or by `copysign`, it becomes a new variable.
//! For zeros, arithmetic counts too: `1.0 / x` shows the sign. A condition of the path that contains
//! such variables is an [`OpenCondition`]. The path gets the condition with the variables replaced
//! by their values here, so the tree of paths knows nothing of all this. The exploration then asks
//! the solver whether the condition can have two results on this path for different open bits. Only
//! if it can, there is a doubt.
//!
//! `x.is_normal()`, `x.signum()` or the text of a float look at bits and give the same result for
//! every NaN. The solver proves that, so they raise no doubt.
//!
//! # Values without draws
//!
//! Values that depend on no draw have no terms. Such a value is the same on all inputs of a path,
//! and the native run of the path's input computes with its real bits.

use std::collections::HashMap;

use rebut_smt::{Pool, Sort, Term};

use crate::doubt::Doubt;
use crate::op;

/// A condition of a path with open values in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OpenCondition {
    /// The condition; open values are variables.
    pub(crate) condition: Term,
    /// The number of decisions before it.
    pub(crate) steps: usize,
}

/// The open part of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OpenPart {
    /// The sign and the payload, if it is a NaN.
    Nan,
    /// The sign, if it is a certain zero.
    Zero,
}

impl OpenPart {
    pub(crate) const ALL: [OpenPart; 2] = [OpenPart::Nan, OpenPart::Zero];

    pub(crate) fn doubt(self) -> Doubt {
        match self {
            OpenPart::Nan => Doubt::NanBits,
            OpenPart::Zero => Doubt::ZeroSign,
        }
    }
}

/// Returns the replacement of a source, given the parts that are already replaced.
type Replacement<'a> = &'a mut dyn FnMut(&mut Pool, &mut HashMap<Term, Term>, Term) -> Term;

/// The open values of all runs. A term is open or not whatever the path, so nothing is forgotten
/// between runs.
#[derive(Debug, Default)]
pub(super) struct OpenValues {
    /// The results of operations that may be an open NaN, each with the condition under which it is
    /// a zero with an open sign.
    sources: HashMap<Term, Option<Term>>,
    /// The variable that stands for a source whose bits are used.
    variables: HashMap<Term, Term>,
    /// The source of each such variable.
    origins: HashMap<Term, Term>,
}

impl OpenValues {
    /// Whether the bits of any open value were ever used.
    pub(super) fn is_empty(&self) -> bool {
        self.origins.is_empty()
    }

    pub(super) fn has_any(&self, variables: &[Term]) -> bool {
        variables.iter().any(|variable| self.origins.contains_key(variable))
    }

    /// Whether the sign of this value may be open if it is a zero.
    pub(super) fn is_open_zero(&self, term: Term) -> bool {
        matches!(self.sources.get(&term), Some(Some(_)))
    }

    /// Returns the variable that stands for the bits of a value, if it is open.
    pub(super) fn bits(&mut self, pool: &mut Pool, term: Term) -> Option<Term> {
        if !self.sources.contains_key(&term) {
            return None;
        }
        if let Some(variable) = self.variables.get(&term) {
            return Some(*variable);
        }
        let name = format!("bits of {}", term.index());
        let variable = pool.var(&name, Sort::BitVec(pool.width(term)));
        self.variables.insert(term, variable);
        self.origins.insert(variable, term);
        Some(variable)
    }

    /// Notes the result of an instruction with one operand.
    pub(super) fn note_unary(&mut self, pool: &mut Pool, opcode: u32, a: Term, result: Term) {
        match opcode {
            // The absolute value: a NaN keeps its payload, and a zero has a known sign.
            0x8B | 0x99 if self.sources.contains_key(&a) => self.add(result, None),
            // The negation.
            0x8C | 0x9A => self.note_choice(pool, &[a], result),
            0x8D..=0x91 | 0x9B..=0x9F | 0xB6 | 0xBB => self.add(result, None),
            _ => {}
        }
    }

    /// Notes the result of an instruction with two operands.
    pub(super) fn note_binary(
        &mut self,
        pool: &mut Pool,
        opcode: u32,
        [a, b]: [Term; 2],
        result: Term,
    ) {
        match opcode {
            0x92..=0x97 | 0xA0..=0xA5 => self.add(result, None),
            // `copysign`: a NaN keeps its payload.
            0x98 | 0xA6 if self.sources.contains_key(&a) => self.add(result, None),
            op::LESSER_F32 | op::GREATER_F32 | op::LESSER_F64 | op::GREATER_F64 => {
                let is_open = if self.is_open_zero(a) || self.is_open_zero(b) {
                    is_zero(pool, result)
                } else {
                    // Equal numbers with different bits are zeros of both signs.
                    let (equal, differ) = (pool.float_eq(a, b), pool.ne(a, b));
                    pool.and(equal, differ)
                };
                self.add(result, Some(is_open));
            }
            _ => {}
        }
    }

    /// Notes a value that is one of these, or their negation.
    pub(super) fn note_choice(&mut self, pool: &mut Pool, from: &[Term], result: Term) {
        if !from.iter().any(|term| self.sources.contains_key(term)) {
            return;
        }
        let is_open_zero = from.iter().any(|term| self.is_open_zero(*term));
        let is_open = is_open_zero.then(|| is_zero(pool, result));
        self.add(result, is_open);
    }

    fn add(&mut self, result: Term, is_open_zero: Option<Term>) {
        let known = self.sources.entry(result).or_default();
        *known = known.or(is_open_zero);
    }

    /// Returns a term with the values that this run computed for all open bits.
    pub(super) fn closed(&self, pool: &mut Pool, term: Term) -> Term {
        self.replaced(pool, term, &mut HashMap::new(), &mut |_, _, source| source)
    }

    /// Returns a condition that is true if another one can have two results for different open
    /// bits; `None` if it cannot.
    pub(super) fn ambiguity(
        &self,
        pool: &mut Pool,
        condition: Term,
        part: OpenPart,
    ) -> Option<Term> {
        let [one, other] = ["one", "other"].map(|which| {
            self.replaced(pool, condition, &mut HashMap::new(), &mut |pool, memo, source| {
                let name = format!("{which} {}", source.index());
                let any = pool.var(&name, Sort::BitVec(pool.width(source)));
                self.opened(pool, memo, source, part, any)
            })
        });
        let ambiguity = pool.xor(one, other);
        let is_never = pool.value(ambiguity).is_some_and(|value| value.as_bool() == Some(false));
        (!is_never).then_some(ambiguity)
    }

    /// Returns a source (with its inner sources already replaced in `memo`) with any bits where it
    /// is open.
    fn opened(
        &self,
        pool: &mut Pool,
        memo: &mut HashMap<Term, Term>,
        source: Term,
        part: OpenPart,
        any: Term,
    ) -> Term {
        let value = replace(pool, source, memo);
        let width = pool.width(source);
        let sign = 1u128 << (width - 1);
        match (part, self.sources.get(&source).copied().flatten()) {
            (OpenPart::Nan, _) => {
                let is_nan = pool.float_is_nan(value);
                // A NaN from an operation is quiet: the highest bit of its payload is set.
                let quiet = if width == 32 { 0x7FC0_0000 } else { 0x7FF8 << 48 };
                let quiet = pool.bits(width, quiet);
                let nan = pool.bv_or(any, quiet);
                pool.ite(is_nan, nan, value)
            }
            (OpenPart::Zero, Some(is_open)) => {
                let is_open = replace(pool, is_open, memo);
                let sign = pool.bits(width, sign);
                let zero = pool.bv_and(any, sign);
                pool.ite(is_open, zero, value)
            }
            (OpenPart::Zero, None) => value,
        }
    }

    /// Replaces the variables of open values, from the inside out: a source can contain other ones.
    fn replaced(
        &self,
        pool: &mut Pool,
        term: Term,
        memo: &mut HashMap<Term, Term>,
        by: Replacement<'_>,
    ) -> Term {
        // Variables that are found inside of a source have lower numbers than those found before:
        // sorting is enough, and nothing recurses.
        let mut open = vec![term];
        let mut found: Vec<Term> = Vec::new();
        while let Some(term) = open.pop() {
            for variable in pool.variables(&[term]) {
                if let Some(source) = self.origins.get(&variable)
                    && !found.contains(&variable)
                {
                    found.push(variable);
                    open.push(*source);
                    let zero = self.sources.get(source).copied().flatten();
                    open.extend(zero);
                }
            }
        }
        found.sort_unstable();
        for variable in found {
            let Some(source) = self.origins.get(&variable) else { continue };
            let value = by(pool, memo, *source);
            let value = replace(pool, value, memo);
            memo.insert(variable, value);
        }
        replace(pool, term, memo)
    }
}

fn replace(pool: &mut Pool, term: Term, memo: &mut HashMap<Term, Term>) -> Term {
    pool.replaced(&[term], memo).first().copied().unwrap_or(term)
}

fn is_zero(pool: &mut Pool, term: Term) -> Term {
    let zero = pool.bits(pool.width(term), 0);
    pool.float_eq(term, zero)
}
