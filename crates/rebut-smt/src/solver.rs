//! The solver: assertions, and layers that try to answer, the cheapest first.
//!
//! 1. Constants: rewriting already decided it.
//! 2. Slicing: groups of assertions that share no variable are asked apart.
//! 3. Cache: the group, a part of it, or a model that fits was seen before.
//! 4. Ranges: intervals and known bits contradict each other, or values from them fit.
//! 5. Order: comparisons of variables contradict each other, or have a least solution.
//! 6. Bit-blasting and a CDCL search.
//! 7. An external solver, if there is one: for what the embedded one does not know or gave up.
//!
//! Whatever a layer proposes as a model is put into the assertions by the evaluator before it
//! counts.

#[cfg(test)]
mod tests;

use crate::answer::{Answer, Reason, Why};
use crate::blast::{Blast, Blasted};
use crate::cache::{Cache, Known};
use crate::op::Op;
use crate::order::{self, Ordered};
use crate::pool::TermMap;
use crate::random::Random;
use crate::range::{Ranges, Taste};
use crate::slice::Slicer;
use crate::smtlib::Process;
use crate::unbounded::Widening;
use crate::{Model, Pool, Sort, Term};

/// Looks for values of variables that make assertions true.
///
/// # Example
/// ```
/// use rebut_smt::{Answer, Pool, Solver, Sort};
///
/// let mut pool = Pool::new();
/// let x = pool.var("x", Sort::BitVec(32));
/// let (seven, mask, wanted) = (pool.bits(32, 7), pool.bits(32, 0x55), pool.bits(32, 12345));
/// let product = pool.bv_mul(x, seven);
/// let mixed = pool.bv_xor(product, mask);
/// let claim = pool.eq(mixed, wanted);
///
/// let mut solver = Solver::new();
/// solver.assert(claim);
/// let Answer::Sat(model) = solver.check(&mut pool) else { panic!("there is a solution") };
/// let bits = model.get(x).and_then(|value| value.as_bits()).expect("a value");
/// assert_eq!((bits.unsigned() as u32).wrapping_mul(7) ^ 0x55, 12345);
/// ```
#[derive(Debug, Default)]
pub struct Solver {
    assertions: Vec<Term>,
    /// How many assertions there were at each `push`.
    levels: Vec<usize>,
    options: Options,
    statistics: Statistics,
    slicer: Slicer,
    cache: Cache,
    external: Option<Process>,
    /// The pool that the caches speak of.
    pool: u64,
}

/// How much work to put in, and where to look.
#[derive(Clone, Debug)]
pub struct Options {
    /// At most so many conflicts of the CDCL solver per group of assertions that share
    /// variables. Work and not time, so that answers do not depend on the machine's load.
    pub conflicts_max: u64,
    /// With a seed, models are spread over what is possible; without, they are near zero.
    pub seed: Option<u64>,
}

impl Default for Options {
    fn default() -> Options {
        Options { conflicts_max: 200_000, seed: None }
    }
}

/// How many groups of assertions each layer answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Queries in all.
    pub queries: u64,
    /// Groups of assertions that share variables, in all queries.
    pub groups: u64,
    /// Decided by rewriting alone.
    pub constant: u64,
    /// Seen before.
    pub cached: u64,
    /// Decided by intervals and known bits.
    pub ranged: u64,
    /// Decided by the order of variables.
    pub ordered: u64,
    /// Decided by the CDCL solver, or given up by it.
    pub blasted: u64,
    /// Conflicts of the CDCL solver.
    pub conflicts: u64,
    /// Handed to the external solver.
    pub external: u64,
}

impl Solver {
    /// A solver without assertions, with the default options.
    pub fn new() -> Solver {
        Solver::default()
    }

    /// A solver with these options.
    pub fn with_options(options: Options) -> Solver {
        Solver { options, ..Solver::default() }
    }

    /// Adds an assertion; it should be a `Bool`.
    pub fn assert(&mut self, term: Term) {
        self.assertions.push(term);
    }

    /// The assertions that hold now.
    pub fn assertions(&self) -> &[Term] {
        &self.assertions
    }

    /// Remembers the assertions, for [`pop`](Solver::pop).
    pub fn push(&mut self) {
        self.levels.push(self.assertions.len());
    }

    /// Forgets what was asserted since the last [`push`](Solver::push); all, if there was none.
    pub fn pop(&mut self) {
        let count = self.levels.pop().unwrap_or(0);
        self.assertions.truncate(count);
    }

    /// Changes the options for what is asked from now on.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// Whom to ask what the embedded solver does not know or gave up.
    pub fn set_external(&mut self, process: Process) {
        self.external = Some(process);
    }

    /// How the answers so far came about.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Whether all assertions can be true at once.
    pub fn check(&mut self, pool: &mut Pool) -> Answer {
        self.check_assuming(pool, &[])
    }

    /// Whether all assertions and these terms can be true at once.
    pub fn check_assuming(&mut self, pool: &mut Pool, assumptions: &[Term]) -> Answer {
        self.statistics.queries += 1;
        if self.pool != pool.id() {
            self.pool = pool.id();
            (self.slicer, self.cache) = Default::default();
        }
        let terms = [&self.assertions[..], assumptions].concat();
        if let Some(term) = terms.iter().find(|term| pool.sort(**term) != Sort::Bool) {
            return Answer::Unknown(Reason::about(Why::NotABool(pool.sort(*term)), *term));
        }
        let mut model = Model::default();
        let mut unknown = None;
        for group in self.slicer.groups(pool, &conjuncts(pool, &terms)) {
            match self.check_group(pool, &group) {
                Answer::Sat(part) => model.merge(part),
                Answer::Unsat => return Answer::Unsat,
                Answer::Unknown(reason) => unknown = unknown.or(Some(reason)),
            }
        }
        match unknown {
            Some(reason) => Answer::Unknown(reason.within(pool, &terms)),
            None => Answer::Sat(model),
        }
    }

    /// The layers, for one group.
    fn check_group(&mut self, pool: &mut Pool, group: &[Term]) -> Answer {
        self.statistics.groups += 1;
        if let Some(answer) = decided_by_rewriting(pool, group) {
            self.statistics.constant += 1;
            return answer;
        }
        if let Some(known) = self.remembered(pool, group) {
            self.statistics.cached += 1;
            return known.map_or(Answer::Unsat, Answer::Sat);
        }
        let mut answer = self.solve_group(pool, group);
        if let (Answer::Unknown(_), Some(external)) = (&answer, &mut self.external) {
            self.statistics.external += 1;
            answer = external.check(pool, group);
        }
        if let Answer::Sat(model) = &mut answer {
            // A layer may have left out variables that its model needs to be zero.
            *model = model.restricted(pool, group);
        }
        match &answer {
            Answer::Sat(model) => self.cache.remember(group, Some(model.clone())),
            Answer::Unsat => self.cache.remember(group, None),
            Answer::Unknown(_) => {}
        }
        answer
    }

    /// With a seed the same question has different answers, so models are not reused.
    fn remembered(&self, pool: &Pool, group: &[Term]) -> Option<Known> {
        let is_spread = self.options.seed.is_some();
        match self.cache.exact(group) {
            Some(Some(_)) if is_spread => return None,
            Some(known) => return Some(known.clone()),
            None => {}
        }
        if self.cache.has_contradiction(group) {
            return Some(None);
        }
        if is_spread { None } else { self.cache.model(pool, group).map(Some) }
    }

    fn solve_group(&mut self, pool: &mut Pool, group: &[Term]) -> Answer {
        let mut random = Random::new(self.seed().unwrap_or(0));
        let ranges = match Ranges::infer(pool, group) {
            Some(Err(_)) => {
                self.statistics.ranged += 1;
                return Answer::Unsat;
            }
            Some(Ok(ranges)) => Some(ranges),
            None => None,
        };
        if let Some(model) = ranges.as_ref().and_then(|r| self.guess(r, pool, group, &mut random)) {
            self.statistics.ranged += 1;
            return Answer::Sat(model);
        }
        match order::solve(pool, group) {
            Ordered::Contradiction => {
                self.statistics.ordered += 1;
                return Answer::Unsat;
            }
            // A least solution is the same each time.
            Ordered::Model(model) if self.options.seed.is_none() => {
                self.statistics.ordered += 1;
                return Answer::Sat(model);
            }
            Ordered::Model(_) | Ordered::Unknown => {}
        }
        let bounds = ranges.map(|ranges| ranges.bounds()).unwrap_or_default();
        self.statistics.blasted += 1;
        let mut conflicts_left = self.options.conflicts_max;
        if let Some(answer) = self.solve_order(pool, group, &mut conflicts_left) {
            return answer;
        }
        for attempt in Widening::new(pool, group, bounds) {
            let blast = Blast {
                pool,
                conflicts_max: conflicts_left,
                seed: self.seed(),
                bounds: &attempt.bounds,
                denominator: attempt.denominator,
                length_max: attempt.length_max,
            };
            let (blasted, conflicts) = blast.solve(group);
            self.statistics.conflicts += conflicts;
            conflicts_left = conflicts_left.saturating_sub(conflicts);
            match blasted {
                Blasted::Sat(model) if model.satisfies(pool, group) => return Answer::Sat(model),
                Blasted::Sat(_) => return Answer::Unknown(Reason::new(Why::WrongModel)),
                Blasted::Unsat if attempt.is_complete => return Answer::Unsat,
                Blasted::Unsat => {}
                Blasted::Unknown(reason) => return Answer::Unknown(reason),
            }
        }
        Answer::Unknown(Reason::new(Why::Unbounded))
    }

    /// As a question about an order, if it is one and that decides it.
    fn solve_order(
        &mut self,
        pool: &mut Pool,
        group: &[Term],
        conflicts_left: &mut u64,
    ) -> Option<Answer> {
        let is_finite = |term: &Term| matches!(pool.sort(*term), Sort::Bool | Sort::BitVec(_));
        if !pool.variables(group).iter().all(is_finite) {
            return None;
        }
        let order = order::abstracted(pool, group)?;
        let blast = Blast {
            pool,
            conflicts_max: *conflicts_left,
            seed: self.seed(),
            bounds: &TermMap::default(),
            denominator: 1,
            length_max: 0,
        };
        let (blasted, conflicts) = blast.solve(&order.assertions);
        self.statistics.conflicts += conflicts;
        *conflicts_left = conflicts_left.saturating_sub(conflicts);
        match blasted {
            Blasted::Unsat => Some(Answer::Unsat),
            Blasted::Sat(model) => {
                let model = order.realized(pool, &model);
                model.satisfies(pool, group).then_some(Answer::Sat(model))
            }
            Blasted::Unknown(_) => None,
        }
    }

    /// Values from the domains that happen to fit.
    fn guess(
        &self,
        ranges: &Ranges<'_>,
        pool: &Pool,
        group: &[Term],
        random: &mut Random,
    ) -> Option<Model> {
        let tastes: &[Taste] = match self.options.seed {
            Some(_) => &[Taste::Random; 4],
            None => &[Taste::Least, Taste::Greatest, Taste::Random],
        };
        let mut guesses = tastes.iter().map(|taste| ranges.guess(*taste, random));
        guesses.find(|model| model.satisfies(pool, group))
    }

    /// Another one for each query, so that the same question gets different answers.
    fn seed(&self) -> Option<u64> {
        self.options.seed.map(|seed| seed.wrapping_add(self.statistics.groups))
    }
}

/// The assertions with conjunctions taken apart.
fn conjuncts(pool: &Pool, terms: &[Term]) -> Vec<Term> {
    let mut parts = Vec::with_capacity(terms.len());
    for term in terms {
        match pool.op(*term) {
            Op::And => parts.extend_from_slice(pool.args(*term)),
            _ => parts.push(*term),
        }
    }
    parts
}

fn decided_by_rewriting(pool: &Pool, group: &[Term]) -> Option<Answer> {
    if group.iter().any(|term| pool.is_false(*term)) {
        return Some(Answer::Unsat);
    }
    group.iter().all(|term| pool.is_true(*term)).then(|| Answer::Sat(Model::default()))
}
