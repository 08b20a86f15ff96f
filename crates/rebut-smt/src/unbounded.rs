//! Bounds for variables that have none, because the bit-blaster needs them.
//!
//! The solver looks for solutions among small numbers first and widens step by step. A failed
//! step alone proves nothing. But for linear assertions a theorem limits how far from zero the
//! smallest solution is: `m` linear equations over `n` non-negative integers, with coefficients
//! and constants of at most `a`, have a solution of numbers of at most `n (m a)^(2m+1)`, if they
//! have any (Papadimitriou, *On the complexity of integer programming*, 1981). If each atom only
//! bounds the difference of two variables, the sum of the constants plus one per variable is
//! enough, which is far less. Once a step covers this bound, its failure is a proof.
//!
//! For example, `x < y && y < z && z < x` has three difference atoms, each with a constant of 1
//! for its strict comparison, and three variables. If there were a solution, there would be one
//! with numbers below 2^(log2(3 + 4) + 1) = 14. So one step of 4 bits proves that there is none.
//! `2x + 3y < 7` needs the theorem. Its bound is 13 bits, and the solver tries 5 and 12 bits first.
//!
//! Nothing is proved for `Real`s and strings: only some of their values are tried.

use crate::op::Op;
use crate::pool::{TermMap, TermSet};
use crate::range::Interval;
use crate::rational::gcd;
use crate::{Pool, Rational, Sort, Term};

/// The bits of each step of widening: most solutions are small, some are like a 32-bit number.
/// Arbitrary. After the last step without a solution or a proof the answer is unknown.
const WIDTHS: [u32; 3] = [5, 12, 33];

/// The maximum length of strings, from each magnitude of numbers on. One entry per step of
/// `WIDTHS`. Arbitrary; circuits grow with the length. Longer strings are not found.
const LENGTHS: [(i128, usize); 3] = [(0, 6), (1 << 12, 20), (1 << 33, 64)];

/// The widest numbers for which a proof is attempted. Arbitrary, but it must leave room below
/// the 120 bits of `blast::integer`. Beyond it the answer is unknown.
const PROOF_BITS_MAX: f64 = 80.0;

/// One step: bounds to search within.
#[derive(Debug)]
pub(crate) struct Attempt {
    pub(crate) bounds: TermMap<Interval>,
    /// `Real`s are integers divided by this.
    pub(crate) denominator: i128,
    /// The maximum length of strings, in characters.
    pub(crate) length_max: usize,
    /// Whether "no solution within the bounds" proves "no solution".
    pub(crate) is_complete: bool,
}

/// Iterates over the steps, from narrow to wide.
#[derive(Debug)]
pub(crate) struct Widening {
    /// The bounds of the `Int` variables that follow from the assertions; some are open.
    inferred: TermMap<Interval>,
    reals: Vec<Term>,
    denominator: i128,
    /// The distance from zero of each step, and whether it is enough for a proof.
    magnitudes: std::vec::IntoIter<(i128, bool)>,
}

impl Widening {
    /// Plans the steps. `inferred` are bounds that follow from the assertions; some may be open.
    pub(crate) fn new(pool: &Pool, assertions: &[Term], inferred: TermMap<Interval>) -> Widening {
        let variables = pool.variables(assertions);
        let of_sort = |sort: Sort| {
            let variables = variables.iter().copied();
            variables.filter(move |term| pool.sort(*term) == sort)
        };
        let inferred: TermMap<Interval> = of_sort(Sort::Int)
            .map(|term| (term, inferred.get(&term).copied().unwrap_or(Interval::ALL)))
            .collect();
        let reals: Vec<Term> = of_sort(Sort::Real).collect();
        let has_strings = of_sort(Sort::String).next().is_some();
        let is_open = has_strings
            || !reals.is_empty()
            || inferred.values().any(|interval| !interval.is_bounded());
        let magnitudes = if is_open { magnitudes(pool, assertions) } else { vec![(0, true)] };
        let denominator = if reals.is_empty() { 1 } else { denominator(pool, assertions) };
        Widening { inferred, reals, denominator, magnitudes: magnitudes.into_iter() }
    }
}

impl Iterator for Widening {
    type Item = Attempt;

    fn next(&mut self) -> Option<Attempt> {
        let (magnitude, is_complete) = self.magnitudes.next()?;
        let denominator = self.denominator;
        let ends = magnitude.saturating_mul(denominator);
        let ints = self.inferred.iter().map(|(term, bounds)| (*term, closed(*bounds, magnitude)));
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

/// Chooses the common denominator of all `Real` variables: a multiple of the denominators of the
/// constants, and of their numerators, because solving `7 x = 1` divides by 7.
fn denominator(pool: &Pool, assertions: &[Term]) -> i128 {
    /// Divisible by 2 to 6, 10 and 12. Arbitrary.
    const START: i128 = 60;
    /// Arbitrary; a constant that would exceed it is left out, and then a solution that needs
    /// its fraction is not found.
    const DENOMINATOR_MAX: i128 = 1 << 40;
    let mut common = START;
    for number in pool.reachable(assertions).into_iter().filter_map(|term| pool.number(term)) {
        for part in [number.denominator(), number.numerator().saturating_abs().max(1)] {
            let multiple = (common / gcd(common, part)).saturating_mul(part);
            common = if multiple <= DENOMINATOR_MAX { multiple } else { common };
        }
    }
    common
}

/// Closes the open ends of an interval: at the magnitude, or at twice the magnitude from the other
/// end.
fn closed(interval: Interval, magnitude: i128) -> Interval {
    let Interval { min, max } = interval;
    match (min == i128::MIN, max == i128::MAX) {
        (false, false) => interval,
        (true, true) => Interval { min: -magnitude, max: magnitude },
        (false, true) => Interval { min, max: min.max(-magnitude).saturating_add(2 * magnitude) },
        (true, false) => Interval { min: max.min(magnitude).saturating_sub(2 * magnitude), max },
    }
}

/// The distances from zero to search within, and whether each is enough for a proof.
fn magnitudes(pool: &Pool, assertions: &[Term]) -> Vec<(i128, bool)> {
    let enough = small_model_bits(pool, assertions);
    let mut steps: Vec<(i128, bool)> = WIDTHS.iter().map(|width| (1 << width, false)).collect();
    if let Some(bits) = enough.filter(|bits| *bits <= PROOF_BITS_MAX) {
        let magnitude = 1i128 << (bits.ceil() as u32);
        steps.retain(|(step, _)| *step < magnitude);
        steps.push((magnitude, true));
    }
    steps
}

/// The number of bits within which there is a solution if there is any. `None` if the assertions
/// are not a boolean combination of linear integer comparisons.
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

/// The measures of linear atoms that the theorem needs.
#[derive(Default)]
struct Atoms {
    variables: TermSet,
    count: f64,
    /// The greatest coefficient or constant.
    greatest: f64,
    /// The sum of the constants, each plus one for a strict comparison.
    constants: f64,
    /// Whether an atom is more than a bound of the difference of two variables.
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
        // Each atom is one row of the theorem: an equation, or an inequality with its slack.
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
        // A number of either sign is the difference of two non-negative ones, and each row may
        // have a slack.
        let columns = 2.0 * variables + self.count;
        columns.log2() + (2.0 * self.count + 1.0) * (self.count * self.greatest).log2() + 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The magnitude and completeness of each step.
    fn steps(pool: &Pool, assertions: &[Term]) -> Vec<(i128, bool)> {
        Widening::new(pool, assertions, TermMap::default()).magnitudes.collect()
    }

    #[test]
    fn a_cycle_of_differences_needs_one_complete_step() {
        let mut pool = Pool::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.var(name, Sort::Int));
        let cycle = [pool.lt(x, y), pool.lt(y, z), pool.lt(z, x)];
        assert_eq!(steps(&pool, &cycle), [(16, true)]);
    }

    #[test]
    fn linear_atoms_widen_up_to_the_bound_of_the_theorem() {
        let mut pool = Pool::new();
        let [x, y] = ["x", "y"].map(|name| pool.var(name, Sort::Int));
        let [two, three, seven] = [2, 3, 7].map(|number| pool.int(number));
        let (left, right) = (pool.mul(two, x), pool.mul(three, y));
        let sum = pool.add(left, right);
        let claim = pool.lt(sum, seven);
        assert_eq!(steps(&pool, &[claim]), [(1 << 5, false), (1 << 12, false), (1 << 13, true)]);
    }

    #[test]
    fn products_of_variables_are_never_complete() {
        let mut pool = Pool::new();
        let (x, two) = (pool.var("x", Sort::Int), pool.int(2));
        let square = pool.mul(x, x);
        let claim = pool.eq(square, two);
        let incomplete = WIDTHS.map(|width| (1 << width, false));
        assert_eq!(steps(&pool, &[claim]), incomplete);
    }

    #[test]
    fn inferred_bounds_are_kept_and_open_ends_closed() {
        let half_open = Interval { min: 10, max: i128::MAX };
        assert_eq!(closed(half_open, 32), Interval { min: 10, max: 74 });
        assert_eq!(closed(Interval { min: -3, max: 9 }, 32), Interval { min: -3, max: 9 });
        assert_eq!(closed(Interval::ALL, 32), Interval { min: -32, max: 32 });
    }

    #[test]
    fn denominators_cover_constants_and_factors() {
        let mut pool = Pool::new();
        let x = pool.var("x", Sort::Real);
        let (seven, one) = (pool.real(Rational::whole(7)), pool.real(Rational::whole(1)));
        let product = pool.mul(seven, x);
        let claim = pool.eq(product, one);
        assert_eq!(denominator(&pool, &[claim]) % 7, 0);
    }
}
