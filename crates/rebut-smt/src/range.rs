//! The values that terms can have under the assertions: intervals and known bits.
//!
//! Most queries of symbolic execution compare one input with constants and need no search. Each
//! term gets a domain. `forward` computes the domain of a term from those of its arguments;
//! `backward` narrows the arguments by the domain of the term. Both run until nothing changes
//! (interval constraint propagation, Davis 1987; known bits as in compilers). If a domain becomes
//! empty, the assertions contradict each other. Otherwise the solver picks values from the
//! domains and lets the evaluator try them, which often is all the solving there is. The domains
//! also bound the `Int` variables for the bit-blaster.
//!
//! For example, `x + y = 10`, `0 < x` and `x < y` over `Int`: `0 < x` gives `x >= 1`, then
//! `x < y` gives `y >= 2`, and the sum gives `x <= 8` and `y <= 9`. The least values, 1 and 2, do
//! not satisfy the sum, but now both variables have bounds and the bit-blaster can decide.
//!
//! Invariant: a domain contains every value that its term has in any model of the assertions. The
//! property in `tests` checks that. Domains may contain more, so they prove contradictions and
//! never the existence of a model.

mod backward;
mod bits;
mod forward;
mod interval;
#[cfg(test)]
mod tests;

pub(crate) use bits::BitRange;
pub(crate) use interval::Interval;

use crate::op::Op;
use crate::pool::TermMap;
use crate::random::Random;
use crate::{Model, Pool, Sort, Term, Value};

/// The number of passes over all terms. Arbitrary. Propagation can narrow by one in each pass, as
/// in `x < y && y < x`, so it must be cut off; the domains are then wider than they could be.
const ROUNDS_MAX: usize = 8;

/// The number of terms up to which domains are inferred. Arbitrary: a query that this layer
/// decides is small. A larger one goes to the next layer without inferred bounds.
const TERMS_MAX: usize = 20_000;

/// A superset of the values of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Domain {
    Bool(Option<bool>),
    Bits(BitRange),
    Int(Interval),
    /// All values, of a sort about which nothing is inferred.
    Any,
}

/// The error that no value is left for some term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Empty;

impl Domain {
    pub(crate) fn all(sort: Sort) -> Domain {
        match sort {
            Sort::Bool => Domain::Bool(None),
            Sort::BitVec(width) => Domain::Bits(BitRange::all(width)),
            Sort::Int => Domain::Int(Interval::ALL),
            _ => Domain::Any,
        }
    }

    pub(crate) fn only(value: &Value) -> Domain {
        match value {
            Value::Bool(value) => Domain::Bool(Some(*value)),
            Value::Bits(bits) => Domain::Bits(BitRange::only(*bits)),
            Value::Int(number) => Domain::Int(Interval::only(*number)),
            _ => Domain::Any,
        }
    }

    /// Returns the intersection.
    pub(crate) fn meet(self, other: Domain) -> Result<Domain, Empty> {
        match (self, other) {
            (Domain::Bool(Some(a)), Domain::Bool(Some(b))) if a != b => Err(Empty),
            (Domain::Bool(a), Domain::Bool(b)) => Ok(Domain::Bool(a.or(b))),
            (Domain::Bits(a), Domain::Bits(b)) => a.meet(b).map(Domain::Bits),
            (Domain::Int(a), Domain::Int(b)) => a.meet(b).map(Domain::Int).ok_or(Empty),
            (domain, _) => Ok(domain),
        }
    }

    /// Returns a superset of the union.
    pub(crate) fn join(self, other: Domain) -> Domain {
        match (self, other) {
            (Domain::Bool(a), Domain::Bool(b)) => Domain::Bool(if a == b { a } else { None }),
            (Domain::Bits(a), Domain::Bits(b)) => Domain::Bits(a.join(b)),
            (Domain::Int(a), Domain::Int(b)) => Domain::Int(a.join(b)),
            _ => Domain::Any,
        }
    }

    /// Returns the value, if there is only one.
    pub(crate) fn value(self) -> Option<Value> {
        match self {
            Domain::Bool(value) => value.map(Value::Bool),
            Domain::Bits(range) => range.value().map(Value::Bits),
            Domain::Int(interval) => {
                (interval.min == interval.max).then_some(Value::Int(interval.min))
            }
            Domain::Any => None,
        }
    }
}

/// The domains of all terms in some assertions.
#[derive(Debug)]
pub(crate) struct Ranges<'a> {
    pool: &'a Pool,
    /// All terms, arguments first.
    order: Vec<Term>,
    domains: TermMap<Domain>,
    is_changed: bool,
}

impl<'a> Ranges<'a> {
    /// Infers the domains. `Empty` if the assertions cannot all be true; `None` if there are too
    /// many terms.
    pub(crate) fn infer(pool: &'a Pool, assertions: &[Term]) -> Option<Result<Ranges<'a>, Empty>> {
        let order = pool.reachable(assertions);
        if order.len() > TERMS_MAX {
            return None;
        }
        let mut domains = TermMap::default();
        domains.reserve(order.len());
        let mut ranges = Ranges { pool, order, domains, is_changed: true };
        let result = ranges.run(assertions);
        Some(result.map(|()| ranges))
    }

    fn run(&mut self, assertions: &[Term]) -> Result<(), Empty> {
        self.propagate_up()?;
        for assertion in assertions {
            self.narrow(*assertion, Domain::Bool(Some(true)))?;
        }
        for _ in 0..ROUNDS_MAX {
            self.is_changed = false;
            for index in (0..self.order.len()).rev() {
                self.backward(self.order[index])?;
            }
            self.propagate_up()?;
            if !self.is_changed {
                break;
            }
        }
        Ok(())
    }

    /// Narrows each term by the domains of its arguments, arguments first.
    fn propagate_up(&mut self) -> Result<(), Empty> {
        for index in 0..self.order.len() {
            let term = self.order[index];
            let domain = self.forward(term);
            self.narrow(term, domain)?;
        }
        Ok(())
    }

    pub(crate) fn domain(&self, term: Term) -> Domain {
        match self.domains.get(&term) {
            Some(domain) => *domain,
            None => Domain::all(self.pool.sort(term)),
        }
    }

    fn narrow(&mut self, term: Term, domain: Domain) -> Result<(), Empty> {
        let old = self.domain(term);
        let narrower = old.meet(domain)?;
        if narrower != old {
            self.is_changed = true;
            self.domains.insert(term, narrower);
        }
        Ok(())
    }

    fn known_bool(&self, term: Term) -> Option<bool> {
        match self.domain(term) {
            Domain::Bool(value) => value,
            _ => None,
        }
    }

    fn bits(&self, term: Term) -> BitRange {
        match self.domain(term) {
            Domain::Bits(range) => range,
            _ => BitRange::all(self.pool.width(term)),
        }
    }

    fn int(&self, term: Term) -> Interval {
        match self.domain(term) {
            Domain::Int(interval) => interval,
            _ => Interval::ALL,
        }
    }

    /// Returns the bounds of the `Int` variables.
    pub(crate) fn bounds(&self) -> TermMap<Interval> {
        self.variables().map(|term| (term, self.int(term))).collect()
    }

    fn variables(&self) -> impl Iterator<Item = Term> {
        self.order.iter().copied().filter(|term| matches!(self.pool.op(*term), Op::Var(_)))
    }

    /// Picks a value for each variable from its domain. The caller must check whether they
    /// satisfy the assertions.
    pub(crate) fn guess(&self, preference: Preference, random: &mut Random) -> Model {
        Model::new(self.variables().filter_map(|term| {
            let value = match self.domain(term) {
                Domain::Bool(Some(value)) => Value::Bool(value),
                Domain::Bool(None) => Value::Bool(match preference {
                    Preference::Least => false,
                    Preference::Greatest => true,
                    Preference::Random => random.bit(),
                }),
                Domain::Bits(range) => Value::Bits(range.pick(preference, random)),
                Domain::Int(interval) => Value::Int(pick_int(interval, preference, random)),
                Domain::Any => return None,
            };
            Some((term, value))
        }))
    }
}

/// Unsigned bounds and known bits of a bit-vector in every model of some assertions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// A lower bound of every value.
    pub min: u128,
    /// An upper bound of every value.
    pub max: u128,
    /// The bits that are set in every value.
    pub ones: u128,
    /// The bits that are clear in every value.
    pub zeros: u128,
}

impl Bounds {
    /// Iterates over the numbers within the bounds, in ascending order.
    pub fn numbers(self) -> impl Iterator<Item = u128> {
        let fits = move |n: &u128| n & self.ones == self.ones && n & self.zeros == 0;
        (self.min..=self.max).filter(fits)
    }

    /// Infers the bounds of a term from assertions. `None` if the term is not a bit-vector, if
    /// the assertions contradict each other, or if there are too many terms.
    pub fn infer(pool: &Pool, assertions: &[Term], term: Term) -> Option<Bounds> {
        let width = pool.sort(term).width()?;
        let roots = [assertions, &[term]].concat();
        let order = pool.reachable(&roots);
        if order.len() > TERMS_MAX {
            return None;
        }
        let mut ranges = Ranges { pool, order, domains: TermMap::default(), is_changed: true };
        ranges.run(assertions).ok()?;
        let range = ranges.bits(term);
        debug_assert_eq!(range.width, width, "a range is as wide as its term");
        Some(Bounds { min: range.min, max: range.max, ones: range.ones, zeros: range.zeros })
    }
}

/// Which value to pick from a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Preference {
    Least,
    Greatest,
    Random,
}

/// Picks a number. A missing bound becomes one not far from the other bound or from zero.
fn pick_int(interval: Interval, preference: Preference, random: &mut Random) -> i128 {
    /// How far numbers are from the other bound or zero. Arbitrary: a guess is only the first
    /// attempt.
    const NEAR: i128 = 1000;
    let min = match interval.min {
        i128::MIN => interval.max.min(NEAR).saturating_sub(2 * NEAR),
        min => min,
    };
    let max = match interval.max {
        i128::MAX => min.max(-NEAR).saturating_add(2 * NEAR),
        max => max,
    };
    match preference {
        // The number nearest to zero is the easiest to read.
        Preference::Least => 0.clamp(min, max),
        Preference::Greatest => max,
        Preference::Random => {
            let span = max.wrapping_sub(min) as u128;
            min.wrapping_add(random.up_to(span) as i128)
        }
    }
}
