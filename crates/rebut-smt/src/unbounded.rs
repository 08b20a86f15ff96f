//! Numbers without bounds, and texts, for a solver that needs them.
//!
//! Solutions are looked for among small numbers first, then among larger ones. That there is
//! none among them proves nothing by itself, unless a theorem says that there would be a small
//! one: `m` linear equations over `n` numbers that are not negative, with coefficients and
//! constants up to `a`, have, if any, a solution whose numbers are at most `n (m a)^(2m+1)`
//! (Papadimitriou, *On the complexity of integer programming*, 1981). If atoms only compare
//! two variables with a constant between them, as differences, the bound is the sum of the
//! constants and one for each variable, which is far less. Nothing is proved of `Real`s
//! and texts.

use crate::op::Op;
use crate::pool::{TermMap, TermSet};
use crate::range::Interval;
use crate::rational::gcd;
use crate::{Pool, Rational, Sort, Term};

/// Numbers of these widths are tried.
const WIDTHS: [u32; 3] = [5, 12, 33];

/// From which magnitude of numbers on texts may be how long.
const LENGTHS: [(i128, usize); 3] = [(0, 6), (1 << 12, 20), (1 << 33, 64)];

/// The widest numbers for which a proof is attempted.
const PROOF_BITS_MAX: f64 = 80.0;

/// Bounds to try.
#[derive(Debug)]
pub(crate) struct Attempt {
    pub(crate) bounds: TermMap<Interval>,
    /// `Real`s are whole numbers divided by this.
    pub(crate) denominator: i128,
    /// Texts have at most so many characters.
    pub(crate) length_max: usize,
    /// Whether there is no solution at all if there is none within the bounds.
    pub(crate) is_complete: bool,
}

/// The bounds to try, one after the other.
#[derive(Debug)]
pub(crate) struct Widening {
    known: TermMap<Interval>,
    reals: Vec<Term>,
    denominator: i128,
    magnitudes: std::vec::IntoIter<(i128, bool)>,
}

impl Widening {
    /// `known` has bounds that follow from the assertions; some may be open.
    pub(crate) fn new(pool: &Pool, assertions: &[Term], known: TermMap<Interval>) -> Widening {
        let variables = pool.variables(assertions);
        let of_sort = |sort: Sort| {
            let variables = variables.iter().copied();
            variables.filter(move |term| pool.sort(*term) == sort)
        };
        let known: TermMap<Interval> = of_sort(Sort::Int)
            .map(|term| (term, known.get(&term).copied().unwrap_or(Interval::ALL)))
            .collect();
        let reals: Vec<Term> = of_sort(Sort::Real).collect();
        let has_texts = of_sort(Sort::String).next().is_some();
        let is_open =
            has_texts || !reals.is_empty() || known.values().any(|interval| !interval.is_bounded());
        let magnitudes = if is_open { ladder(pool, assertions) } else { vec![(0, true)] };
        let denominator = if reals.is_empty() { 1 } else { denominator(pool, assertions) };
        Widening { known, reals, denominator, magnitudes: magnitudes.into_iter() }
    }
}

impl Iterator for Widening {
    type Item = Attempt;

    fn next(&mut self) -> Option<Attempt> {
        let (magnitude, is_complete) = self.magnitudes.next()?;
        let denominator = self.denominator;
        let ends = magnitude.saturating_mul(denominator);
        let ints = self.known.iter().map(|(term, known)| (*term, closed(*known, magnitude)));
        let reals = self.reals.iter().map(|term| (*term, Interval { min: -ends, max: ends }));
        let length_max = LENGTHS.iter().rev().find(|(from, _)| magnitude >= *from);
        Some(Attempt {
            bounds: ints.chain(reals).collect(),
            denominator,
            length_max: length_max.map_or(0, |(_, length)| *length),
            is_complete,
        })
    }
}

/// Fractions in which a solution is likely to be found: those of the constants, and what
/// dividing by a factor gives.
fn denominator(pool: &Pool, assertions: &[Term]) -> i128 {
    const LIKELY: i128 = 60;
    const GREATEST: i128 = 1 << 40;
    let mut common = LIKELY;
    for number in pool.reachable(assertions).into_iter().filter_map(|term| pool.number(term)) {
        for part in [number.denominator(), number.numerator().saturating_abs().max(1)] {
            let multiple = (common / gcd(common, part)).saturating_mul(part);
            common = if multiple <= GREATEST { multiple } else { common };
        }
    }
    common
}

/// An open end is moved to the magnitude, or that far from the other end.
fn closed(known: Interval, magnitude: i128) -> Interval {
    let Interval { min, max } = known;
    match (min == i128::MIN, max == i128::MAX) {
        (false, false) => known,
        (true, true) => Interval { min: -magnitude, max: magnitude },
        (false, true) => Interval { min, max: min.max(-magnitude).saturating_add(2 * magnitude) },
        (true, false) => Interval { min: max.min(magnitude).saturating_sub(2 * magnitude), max },
    }
}

/// How far from zero to look, and whether that is far enough for a proof.
fn ladder(pool: &Pool, assertions: &[Term]) -> Vec<(i128, bool)> {
    let enough = small_model_bits(pool, assertions);
    let mut steps: Vec<(i128, bool)> = WIDTHS.iter().map(|width| (1 << width, false)).collect();
    if let Some(bits) = enough.filter(|bits| *bits <= PROOF_BITS_MAX) {
        let magnitude = 1i128 << (bits.ceil() as u32);
        steps.retain(|(step, _)| *step < magnitude);
        steps.push((magnitude, true));
    }
    steps
}

/// The logarithm of how far from zero a solution is at most, if there is any. None if the
/// assertions are not linear inequalities of whole numbers, put together by truth values.
fn small_model_bits(pool: &Pool, assertions: &[Term]) -> Option<f64> {
    let mut atoms = Atoms::default();
    let mut seen = TermSet::default();
    let mut stack = assertions.to_vec();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match (pool.op(term), pool.args(term)) {
            (Op::Const(_) | Op::Var(_), _) => {}
            (Op::Lt | Op::Eq, [a, b]) if pool.sort(*a) == Sort::Int => atoms.add(pool, *a, *b)?,
            (Op::Distinct, args) if pool.sort(*args.first()?) == Sort::Int => {
                for (n, a) in args.iter().enumerate() {
                    args[..n].iter().try_for_each(|b| atoms.add(pool, *a, *b))?;
                }
            }
            (Op::Not | Op::And | Op::Or | Op::Eq | Op::Ite, args)
                if args.iter().all(|arg| pool.sort(*arg) == Sort::Bool) =>
            {
                stack.extend(args);
            }
            _ => return None,
        }
    }
    Some(atoms.bits())
}

#[derive(Default)]
struct Atoms {
    variables: TermSet,
    count: f64,
    /// The greatest coefficient or constant.
    greatest: f64,
    /// The sum of the constants, each with one more for a strict comparison.
    constants: f64,
    /// Whether an atom is more than a difference of two variables and a constant.
    is_general: bool,
}

impl Atoms {
    fn add(&mut self, pool: &Pool, a: Term, b: Term) -> Option<()> {
        let minus = Rational::whole(-1);
        let difference = pool.linear(a)?.add(pool.linear(b)?, minus)?;
        let size = |number: Rational| number.numerator().unsigned_abs() as f64;
        for (term, coefficient) in &difference.terms {
            if !matches!(pool.op(*term), Op::Var(_)) {
                return None;
            }
            self.variables.insert(*term);
            self.greatest = self.greatest.max(size(*coefficient));
        }
        let signs: Vec<i128> = difference.terms.iter().map(|(_, c)| c.numerator()).collect();
        self.is_general |= !matches!(signs[..], [] | [1] | [-1] | [1, -1] | [-1, 1]);
        // In a solution each atom is one row: an equation, or an inequality and its slack.
        self.count += 1.0;
        self.greatest = self.greatest.max(size(difference.constant) + 1.0);
        self.constants += size(difference.constant) + 1.0;
        Some(())
    }

    fn bits(&self) -> f64 {
        let variables = self.variables.len() as f64 + 1.0;
        if !self.is_general {
            return (self.constants + variables).log2() + 1.0;
        }
        // A number of either sign is the difference of two, and each row may have a slack.
        let columns = 2.0 * variables + self.count;
        columns.log2() + (2.0 * self.count + 1.0) * (self.count * self.greatest).log2() + 1.0
    }
}
