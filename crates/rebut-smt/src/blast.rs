//! Bit-blasting: terms become circuits, circuits become clauses, and a CDCL solver decides them.
//!
//! Each term becomes a word, a row of literals with the lowest bit first:
//!
//! - A boolean is one literal, and a bit-vector has one per bit.
//! - An `Int` is a number in two's complement. Its bounds follow from those of its arguments, and
//!   its word is wide enough for all of them, so nothing overflows (`integer`).
//! - A `Real` is an integer number of a fixed unit such as 1/60 (`real`).
//! - A `String` is a row of characters of bounded length, and its length (`string`).
//!
//! For example, take `x + y == 4` over `Int` with both variables in 0..=5. Each variable has 4
//! bits: three, and a sign. Their sum is in 0..=10 and has 5. A ripple-carry adder computes the
//! sum, and each of its gates adds clauses (`gates`, `words`).
//!
//! A term that cannot be blasted makes the query unknown, with this term as the reason: an
//! unbounded or too large number, or an unsupported operator on strings.
//!
//! Each query gets a fresh CDCL solver. One incremental solver, with literals that switch
//! constraints on and off, was ten times slower on path conditions.

mod gates;
mod integer;
mod real;
mod sat;
mod string;
mod table;
#[cfg(test)]
mod tests;
mod words;

use crate::answer::{Reason, ReasonKind};
use crate::op::Op;
use crate::pool::TermMap;
use crate::range::Interval;
use crate::{Bits, Model, Pool, Sort, Term, Value};
use gates::Gates;
use sat::{Lit, Sat, SatResult};
use string::StringCircuit;
use words::{Word, not};

/// The number of gates of a circuit. Arbitrary: a larger one takes gigabytes. At the limit the
/// answer is unknown, as for a used-up budget.
const GATES_MAX: u32 = 5_000_000;

/// The settings of one attempt to decide assertions by bit-blasting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blast<'a> {
    pub(crate) pool: &'a Pool,
    pub(crate) conflicts_max: u64,
    /// With a seed, the search starts from random values; without, from zeros.
    pub(crate) seed: Option<u64>,
    /// The bounds of `Int` variables, and of `Real` variables in their unit. None may be open.
    pub(crate) bounds: &'a TermMap<Interval>,
    /// `Real` variables are integers divided by this.
    pub(crate) denominator: i128,
    /// The maximum length of `String` variables, in characters.
    pub(crate) length_max: usize,
}

/// The result of an attempt. The model is not checked yet, and `Unsat` holds within the bounds.
#[derive(Debug)]
pub(crate) enum BlastResult {
    Sat(Model),
    Unsat,
    Unknown(Reason),
}

impl Blast<'_> {
    /// Searches for values that make all assertions true. Also returns the number of conflicts.
    pub(crate) fn solve(self, assertions: &[Term]) -> (BlastResult, u64) {
        let sat = Sat::new(self.conflicts_max, self.seed);
        let mut blaster = Blaster {
            pool: self.pool,
            gates: Gates::new(sat),
            words: TermMap::default(),
            bounds: self.bounds,
            intervals: TermMap::default(),
            denominator: self.denominator.max(1),
            scales: TermMap::default(),
            length_max: self.length_max,
            strings: TermMap::default(),
        };
        if let Err(reason) = blaster.assert_all(assertions) {
            return (BlastResult::Unknown(reason), 0);
        }
        let result = match blaster.gates.sat.solve() {
            SatResult::Sat => BlastResult::Sat(blaster.model()),
            SatResult::Unsat => BlastResult::Unsat,
            SatResult::OutOfBudget => BlastResult::Unknown(Reason::new(ReasonKind::Budget)),
        };
        (result, blaster.gates.sat.conflicts())
    }
}

/// Translates terms to words, arguments first.
struct Blaster<'a> {
    pool: &'a Pool,
    gates: Gates,
    /// The word of each term so far; a boolean has one literal.
    words: TermMap<Word>,
    bounds: &'a TermMap<Interval>,
    /// The bounds of each `Int` so far, and of the word of each `Real`.
    intervals: TermMap<Interval>,
    denominator: i128,
    /// The divisor of the word of each `Real`.
    scales: TermMap<i128>,
    length_max: usize,
    strings: TermMap<StringCircuit>,
}

impl Blaster<'_> {
    fn assert_all(&mut self, assertions: &[Term]) -> Result<(), Reason> {
        for term in self.pool.reachable(assertions) {
            if self.gates.sat.variables() > GATES_MAX {
                return Err(Reason::about(ReasonKind::Budget, term));
            }
            let word = match self.pool.sort(term) {
                Sort::Bool => self.boolean(term)?,
                Sort::BitVec(width) => self.bits(term, width as usize)?,
                Sort::Int => self.integer(term)?,
                Sort::Real => self.real(term)?,
                Sort::String => {
                    let string = self.string(term)?;
                    self.strings.insert(term, string);
                    continue;
                }
                // `str.in_re` reads its regular expression itself.
                Sort::RegLan => continue,
                // `select` reads its table itself.
                Sort::Table { .. } => continue,
            };
            self.words.insert(term, word);
        }
        for assertion in assertions {
            let lit = self.lit(*assertion);
            self.gates.sat.clause(&[lit]);
        }
        Ok(())
    }

    fn model(&self) -> Model {
        let terms = self.words.keys().chain(self.strings.keys());
        let variables = terms.filter(|term| matches!(self.pool.op(**term), Op::Var(_)));
        Model::new(variables.map(|term| (*term, self.value(*term))))
    }

    fn value(&self, term: Term) -> Value {
        if self.pool.sort(term) == Sort::String {
            return self.string_value(term);
        }
        let word = &self.words[&term];
        let set = |(n, lit): (usize, &Lit)| u128::from(self.gates.sat.value(*lit)) << n;
        let number = word.iter().enumerate().map(set).fold(0, |sum, bit| sum | bit);
        match self.pool.sort(term) {
            Sort::Bool => Value::Bool(number == 1),
            Sort::BitVec(width) => Value::Bits(Bits::new(width, number)),
            Sort::Real => self.real_value(term, Bits::new(word.len() as u32, number).signed()),
            _ => Value::Int(Bits::new(word.len() as u32, number).signed()),
        }
    }

    fn word(&self, term: Term) -> Word {
        self.words.get(&term).cloned().unwrap_or_default()
    }

    fn lit(&self, term: Term) -> Lit {
        self.words.get(&term).and_then(|word| word.first()).copied().unwrap_or(Lit::FALSE)
    }

    fn inputs(&mut self, width: usize) -> Word {
        (0..width).map(|_| self.gates.sat.input()).collect()
    }

    fn boolean(&mut self, term: Term) -> Result<Word, Reason> {
        let lits = |blaster: &Self| -> Vec<Lit> {
            blaster.pool.args(term).iter().map(|arg| blaster.lit(*arg)).collect()
        };
        let lit = match (self.pool.op(term), self.pool.args(term)) {
            (Op::Var(_), _) => self.gates.sat.input(),
            (Op::Const(_), _) => Lit::constant(self.pool.is_true(term)),
            (Op::Not, [a]) => !self.lit(*a),
            (Op::And, _) => {
                let lits = lits(self);
                self.gates.all(&lits)
            }
            (Op::Or, _) => {
                let lits = lits(self);
                self.gates.any(&lits)
            }
            (Op::Ite, [condition, then, otherwise]) => {
                let (condition, then, otherwise) =
                    (self.lit(*condition), self.lit(*then), self.lit(*otherwise));
                self.gates.choose(condition, then, otherwise)
            }
            (Op::Distinct, args) => self.distinct(args)?,
            (op, [a, b]) => self.compare(op, *a, *b, term)?,
            _ => return Err(Reason::about(ReasonKind::Unsupported(Sort::String), term)),
        };
        Ok(vec![lit])
    }

    fn distinct(&mut self, args: &[Term]) -> Result<Lit, Reason> {
        let mut differ = Vec::new();
        for (n, a) in args.iter().enumerate() {
            for b in &args[..n] {
                differ.push(!self.compare(Op::Eq, *a, *b, *a)?);
            }
        }
        Ok(self.gates.all(&differ))
    }

    /// Returns the words of two terms, brought to the same width and unit.
    fn pair(&mut self, a: Term, b: Term) -> Result<(Word, Word), Reason> {
        if self.pool.sort(a) == Sort::Real {
            return self.real_pair(a, b);
        }
        let (x, y) = (self.word(a), self.word(b));
        let width = x.len().max(y.len());
        Ok((words::resize_signed(&x, width), words::resize_signed(&y, width)))
    }

    fn compare(&mut self, op: Op, a: Term, b: Term, term: Term) -> Result<Lit, Reason> {
        if self.pool.sort(a) == Sort::String {
            return self.string_relation(op, a, b, term);
        }
        let (x, y) = self.pair(a, b)?;
        match op {
            Op::Eq => Ok(self.gates.eq(&x, &y)),
            Op::BvUlt => Ok(self.gates.ult(&x, &y)),
            Op::BvSlt | Op::Lt => Ok(self.gates.slt(&x, &y)),
            _ => Err(Reason::about(ReasonKind::Unsupported(Sort::String), term)),
        }
    }

    fn bits(&mut self, term: Term, width: usize) -> Result<Word, Reason> {
        let args = self.pool.args(term);
        Ok(match (self.pool.op(term), args) {
            (Op::Var(_), _) => self.inputs(width),
            (Op::Const(_), _) => {
                Gates::constant(width, self.pool.bits_of(term).unwrap_or_default())
            }
            (Op::Ite, [condition, then, otherwise]) => {
                let (condition, then, otherwise) =
                    (self.lit(*condition), self.word(*then), self.word(*otherwise));
                self.gates.choose_word(condition, &then, &otherwise)
            }
            (Op::BvNot, [a]) => not(&self.word(*a)),
            (Op::BvNeg, [a]) => {
                let a = self.word(*a);
                self.gates.neg(&a)
            }
            (Op::Extract { high, low }, [a]) => {
                self.word(*a)[low as usize..=high as usize].to_vec()
            }
            (Op::SignExtend(_) | Op::IntToBv(_), [a]) => {
                words::resize_signed(&self.word(*a), width)
            }
            (Op::Select, [index, table]) => match self.pool.value(*table) {
                Some(Value::Table(table)) => {
                    let index = self.word(*index);
                    self.gates.select(&index, table)
                }
                _ => return Err(Reason::about(ReasonKind::Unsupported(Sort::RegLan), term)),
            },
            (Op::Concat, [high, low]) => [self.word(*low), self.word(*high)].concat(),
            (op, [a, b]) => {
                let word = self.binary(op, &self.word(*a), &self.word(*b));
                if op == Op::BvUdiv {
                    self.assert_exact_quotient(*a, *b, &word);
                }
                word
            }
            _ => return Err(Reason::about(ReasonKind::Unsupported(Sort::String), term)),
        })
    }

    /// Asserts that `x * b / b` is `x`, if the product does not overflow and `b` is not zero. `a`
    /// is the lower part of a product that has room for all of its bits. A search finds this only
    /// for narrow numbers.
    fn assert_exact_quotient(&mut self, a: Term, b: Term, quotient: &[Lit]) {
        let Op::Extract { low: 0, .. } = self.pool.op(a) else { return };
        let product = self.pool.args(a)[0];
        let (Op::BvMul, [x, y]) = (self.pool.op(product), self.pool.args(product)) else { return };
        let (x, y) = (self.pool.unextended(*x), self.pool.unextended(*y));
        let has_room = self.pool.width(x) + self.pool.width(y) <= self.pool.width(product);
        let divisor = self.pool.unextended(b);
        let factor = match (y == divisor || y == b, x == divisor || x == b) {
            (true, _) => x,
            (_, true) => y,
            _ => return,
        };
        let mut factor = self.word(factor);
        if !has_room || factor.len() > quotient.len() {
            return;
        }
        factor.resize(quotient.len(), Lit::FALSE);
        let (all, divisor) = (self.word(product), self.word(b));
        let overflows = self.gates.any(&all[quotient.len()..]);
        let is_zero = !self.gates.any(&divisor);
        for (one, other) in quotient.iter().zip(&factor) {
            let same = self.gates.same(*one, *other);
            self.gates.sat.clause(&[overflows, is_zero, same]);
        }
    }

    fn binary(&mut self, op: Op, a: &[Lit], b: &[Lit]) -> Word {
        let gates = &mut self.gates;
        let sign = a.last().copied().unwrap_or(Lit::FALSE);
        match op {
            Op::BvAnd => gates.map2(a, b, Gates::and),
            Op::BvOr => gates.map2(a, b, Gates::or),
            Op::BvXor => gates.map2(a, b, Gates::xor),
            Op::BvAdd => gates.add(a, b, Lit::FALSE),
            Op::BvSub => gates.sub(a, b),
            Op::BvMul => gates.mul(a, b),
            Op::BvUdiv => gates.divide(a, b).0,
            Op::BvUrem => gates.divide(a, b).1,
            Op::BvShl => gates.shift(a, b, true, Lit::FALSE),
            Op::BvLshr => gates.shift(a, b, false, Lit::FALSE),
            Op::BvAshr => gates.shift(a, b, false, sign),
            _ => self.signed_division(op, a, b),
        }
    }

    /// Follows SMT-LIB's definitions: divides the magnitudes, then restores the signs. That also
    /// gives the defined results for a divisor of zero.
    fn signed_division(&mut self, op: Op, a: &[Lit], b: &[Lit]) -> Word {
        let gates = &mut self.gates;
        let (x, a_sign) = gates.magnitude(a);
        let (y, b_sign) = gates.magnitude(b);
        let (quotient, rest) = gates.divide(&x, &y);
        match op {
            Op::BvSdiv => {
                let negative = gates.xor(a_sign, b_sign);
                gates.negate_if(negative, &quotient)
            }
            Op::BvSrem => gates.negate_if(a_sign, &rest),
            _ => {
                // The remainder must have the sign of the divisor. If the signs differ and it is
                // not zero, add the divisor.
                let signed = gates.negate_if(a_sign, &rest);
                let moved = gates.add(&signed, b, Lit::FALSE);
                let is_zero = !gates.any(&rest);
                let differ = gates.xor(a_sign, b_sign);
                let moves = gates.and(differ, !is_zero);
                gates.choose_word(moves, &moved, &signed)
            }
        }
    }
}
