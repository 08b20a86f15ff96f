//! Bit-blasting: terms become circuits, circuits become clauses, and a CDCL solver answers.
//!
//! Bit-vectors are words of their width. An `Int` with bounds becomes a word in two's
//! complement that is wide enough for every value it can take, so that nothing overflows; which
//! bounds an operator has follows from those of its arguments. A `Real` is a whole number of some
//! unit, a text a row of so many characters. What cannot be blasted (numbers without bounds,
//! numbers too large, some operators of texts) is named as such.
//!
//! Each query gets a fresh solver. One that grows, with literals that switch constraints on
//! and off, was measured to be ten times slower on path conditions.

mod gates;
mod integer;
mod real;
mod sat;
#[cfg(test)]
mod tests;
mod text;
mod words;

use crate::answer::{Reason, Why};
use crate::op::Op;
use crate::pool::TermMap;
use crate::range::Interval;
use crate::{Bits, Model, Pool, Sort, Term, Value};
use gates::Gates;
use sat::{Found, Lit, Sat};
use text::Text;
use words::{Word, not};

/// Circuits with more gates than this are given up: they take gigabytes.
const GATES_MAX: u32 = 5_000_000;

/// How to blast.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blast<'a> {
    pub(crate) pool: &'a Pool,
    pub(crate) conflicts_max: u64,
    /// Where to start from; zeros if none.
    pub(crate) seed: Option<u64>,
    /// Which values to look for, of `Int` variables, and of `Real` variables in their unit. All
    /// must be bounded.
    pub(crate) bounds: &'a TermMap<Interval>,
    /// `Real` variables are whole numbers divided by this.
    pub(crate) denominator: i128,
    /// Variables that are texts have at most so many characters.
    pub(crate) length_max: usize,
}

/// What came of it.
#[derive(Debug)]
pub(crate) enum Blasted {
    Sat(Model),
    Unsat,
    Unknown(Reason),
}

impl Blast<'_> {
    /// Looks for values that make all assertions true. Also says how many conflicts it took.
    pub(crate) fn solve(self, assertions: &[Term]) -> (Blasted, u64) {
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
            texts: TermMap::default(),
        };
        if let Err(reason) = blaster.assert_all(assertions) {
            return (Blasted::Unknown(reason), 0);
        }
        let found = blaster.gates.sat.solve(&[]);
        let blasted = match found {
            Found::Sat => Blasted::Sat(blaster.model()),
            Found::Unsat => Blasted::Unsat,
            Found::OutOfBudget => Blasted::Unknown(Reason::new(Why::Budget)),
        };
        (blasted, blaster.gates.sat.conflicts())
    }
}

struct Blaster<'a> {
    pool: &'a Pool,
    gates: Gates,
    /// The literals of each term so far; one of a truth value.
    words: TermMap<Word>,
    bounds: &'a TermMap<Interval>,
    /// Bounds of each `Int` so far, and of the words of each `Real`.
    intervals: TermMap<Interval>,
    denominator: i128,
    /// What the words of `Real`s are divided by.
    scales: TermMap<i128>,
    length_max: usize,
    texts: TermMap<Text>,
}

impl Blaster<'_> {
    fn assert_all(&mut self, assertions: &[Term]) -> Result<(), Reason> {
        for term in self.pool.reachable(assertions) {
            if self.gates.sat.variables() > GATES_MAX {
                return Err(Reason::about(Why::Budget, term));
            }
            let word = match self.pool.sort(term) {
                Sort::Bool => self.truth(term)?,
                Sort::BitVec(width) => self.bits(term, width as usize)?,
                Sort::Int => self.integer(term)?,
                Sort::Real => self.real(term)?,
                Sort::String => {
                    let text = self.text(term)?;
                    self.texts.insert(term, text);
                    continue;
                }
                // Regular expressions are read where a text is matched.
                Sort::RegLan => continue,
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
        let terms = self.words.keys().chain(self.texts.keys());
        let variables = terms.filter(|term| matches!(self.pool.op(**term), Op::Var(_)));
        Model::new(variables.map(|term| (*term, self.value(*term))))
    }

    fn value(&self, term: Term) -> Value {
        if self.pool.sort(term) == Sort::String {
            return self.text_value(term);
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

    fn truth(&mut self, term: Term) -> Result<Word, Reason> {
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
            _ => return Err(Reason::about(Why::Unsupported(Sort::String), term)),
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

    /// The words of two terms, brought to one width and unit if they are numbers.
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
            return self.text_relation(op, a, b, term);
        }
        let (x, y) = self.pair(a, b)?;
        match op {
            Op::Eq => Ok(self.gates.eq(&x, &y)),
            Op::BvUlt => Ok(self.gates.ult(&x, &y)),
            Op::BvSlt | Op::Lt => Ok(self.gates.slt(&x, &y)),
            _ => Err(Reason::about(Why::Unsupported(Sort::String), term)),
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
            (Op::Concat, [high, low]) => [self.word(*low), self.word(*high)].concat(),
            (op, [a, b]) => {
                let (a, b) = (self.word(*a), self.word(*b));
                self.binary(op, &a, &b)
            }
            _ => return Err(Reason::about(Why::Unsupported(Sort::String), term)),
        })
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

    /// By SMT-LIB's definitions: divide without signs, then give the signs back. Division by
    /// zero comes out right that way too.
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
                // The remainder has the sign of the divisor: add it where signs differ, unless
                // there is no remainder.
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
