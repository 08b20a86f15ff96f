//! Which values terms can have: intervals and known bits under assertions.
//!
//! Most questions of symbolic execution compare one input with constants. These need no
//! search: the assertions are read as bounds, from the roots down to the variables and back
//! up, until nothing gets narrower (interval constraint propagation; Davis 1987, and known bits
//! as compilers compute them). If some term can have no value at all, the assertions cannot all
//! be true. Otherwise values are taken from the domains and tried by the evaluator, which often
//! is all the solving there is. What is inferred also bounds the `Int`s for the bit-blaster.
//!
//! Invariant: a domain holds every value that its term has in any model of the assertions.

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
use crate::{Bits, Model, Pool, Sort, Term, Value};

/// How often the assertions are gone through, at most.
const ROUNDS_MAX: usize = 8;

/// Larger queries are not worth it: one that is decided here is small.
const TERMS_MAX: usize = 20_000;

/// What a term can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Domain {
    Truth(Option<bool>),
    Bits(BitRange),
    Int(Interval),
    /// Of a sort about which nothing is inferred.
    Any,
}

/// No value is left for some term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Empty;

impl Domain {
    pub(crate) fn all(sort: Sort) -> Domain {
        match sort {
            Sort::Bool => Domain::Truth(None),
            Sort::BitVec(width) => Domain::Bits(BitRange::all(width)),
            Sort::Int => Domain::Int(Interval::ALL),
            _ => Domain::Any,
        }
    }

    pub(crate) fn only(value: &Value) -> Domain {
        match value {
            Value::Bool(value) => Domain::Truth(Some(*value)),
            Value::Bits(bits) => Domain::Bits(BitRange::only(*bits)),
            Value::Int(number) => Domain::Int(Interval::only(*number)),
            _ => Domain::Any,
        }
    }

    /// What both allow.
    pub(crate) fn meet(self, other: Domain) -> Result<Domain, Empty> {
        match (self, other) {
            (Domain::Truth(Some(a)), Domain::Truth(Some(b))) if a != b => Err(Empty),
            (Domain::Truth(a), Domain::Truth(b)) => Ok(Domain::Truth(a.or(b))),
            (Domain::Bits(a), Domain::Bits(b)) => a.meet(b).map(Domain::Bits),
            (Domain::Int(a), Domain::Int(b)) => a.meet(b).map(Domain::Int).ok_or(Empty),
            (domain, _) => Ok(domain),
        }
    }

    /// What either allows.
    pub(crate) fn join(self, other: Domain) -> Domain {
        match (self, other) {
            (Domain::Truth(a), Domain::Truth(b)) => Domain::Truth(if a == b { a } else { None }),
            (Domain::Bits(a), Domain::Bits(b)) => Domain::Bits(a.join(b)),
            (Domain::Int(a), Domain::Int(b)) => Domain::Int(a.join(b)),
            _ => Domain::Any,
        }
    }

    /// The value, if there is only one.
    pub(crate) fn value(self) -> Option<Value> {
        match self {
            Domain::Truth(value) => value.map(Value::Bool),
            Domain::Bits(range) => range.value().map(Value::Bits),
            Domain::Int(interval) => {
                (interval.min == interval.max).then_some(Value::Int(interval.min))
            }
            Domain::Any => None,
        }
    }
}

/// The domains of all terms that some assertions are made of.
#[derive(Debug)]
pub(crate) struct Ranges<'a> {
    pool: &'a Pool,
    order: Vec<Term>,
    domains: TermMap<Domain>,
    is_changed: bool,
}

impl<'a> Ranges<'a> {
    /// Infers the domains; empty if the assertions cannot all be true. None if there are too
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
        self.up()?;
        for assertion in assertions {
            self.narrow(*assertion, Domain::Truth(Some(true)))?;
        }
        for _ in 0..ROUNDS_MAX {
            self.is_changed = false;
            for place in (0..self.order.len()).rev() {
                self.backward(self.order[place])?;
            }
            self.up()?;
            if !self.is_changed {
                break;
            }
        }
        Ok(())
    }

    /// From the arguments to the terms.
    fn up(&mut self) -> Result<(), Empty> {
        for place in 0..self.order.len() {
            let term = self.order[place];
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
        let known = self.domain(term);
        let narrower = known.meet(domain)?;
        if narrower != known {
            self.is_changed = true;
            self.domains.insert(term, narrower);
        }
        Ok(())
    }

    fn truth(&self, term: Term) -> Option<bool> {
        match self.domain(term) {
            Domain::Truth(value) => value,
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

    /// The bounds of the `Int` variables.
    pub(crate) fn bounds(&self) -> TermMap<Interval> {
        self.variables().map(|term| (term, self.int(term))).collect()
    }

    fn variables(&self) -> impl Iterator<Item = Term> {
        self.order.iter().copied().filter(|term| matches!(self.pool.op(*term), Op::Var(_)))
    }

    /// Values that the domains allow: the least, the greatest, or random ones. Whether they
    /// satisfy the assertions is for the evaluator to say.
    pub(crate) fn guess(&self, taste: Taste, random: &mut Random) -> Model {
        Model::new(self.variables().filter_map(|term| {
            let value = match self.domain(term) {
                Domain::Truth(Some(value)) => Value::Bool(value),
                Domain::Truth(None) => Value::Bool(match taste {
                    Taste::Least => false,
                    Taste::Greatest => true,
                    Taste::Random => random.bit(),
                }),
                Domain::Bits(range) => Value::Bits(range.pick(taste, random)),
                Domain::Int(interval) => Value::Int(pick_int(interval, taste, random)),
                Domain::Any => return None,
            };
            Some((term, value))
        }))
    }
}

/// Bounds of a bit-vector that hold whenever some assertions do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// No value is less.
    pub min: u128,
    /// No value is greater.
    pub max: u128,
    /// Bits that every value has.
    pub ones: u128,
    /// Bits that no value has.
    pub zeros: u128,
}

impl Bounds {
    /// The numbers within the bounds, in order.
    pub fn numbers(self) -> impl Iterator<Item = u128> {
        let fits = move |n: &u128| n & self.ones == self.ones && n & self.zeros == 0;
        (self.min..=self.max).filter(fits)
    }

    /// What is known of a term if the assertions hold; none if it is not a bit-vector, if they
    /// cannot all hold, or if there is too much to look at.
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

/// Which of the possible values to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taste {
    Least,
    Greatest,
    Random,
}

/// Where there is no bound, a number not far from the other bound or from zero.
fn pick_int(interval: Interval, taste: Taste, random: &mut Random) -> i128 {
    const NEAR: i128 = 1000;
    let min = match interval.min {
        i128::MIN => interval.max.min(NEAR).saturating_sub(2 * NEAR),
        min => min,
    };
    let max = match interval.max {
        i128::MAX => min.max(-NEAR).saturating_add(2 * NEAR),
        max => max,
    };
    match taste {
        // The number nearest to zero is the simplest.
        Taste::Least => 0.clamp(min, max),
        Taste::Greatest => max,
        Taste::Random => {
            let span = max.wrapping_sub(min) as u128;
            min.wrapping_add(random.up_to(span) as i128)
        }
    }
}

/// A bit-vector constant of a width.
fn bits_of(width: u32, number: u128) -> Bits {
    Bits::new(width, number)
}
