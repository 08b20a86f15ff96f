//! The solver: a stack of assertions, and layers that try to answer, the cheapest first.
//!
//! A query is split into groups of assertions that share no variable (`slice`). Each group goes
//! through the layers until one of them answers:
//!
//! 1. Rewriting: the group already is `true` or `false`.
//! 2. Cache (`cache`): the same group, a contradictory part of it, or a model that fits it is
//!    known from an earlier query.
//! 3. Ranges (`range`): intervals and known bits contradict each other, or values picked from
//!    them satisfy the group.
//! 4. Order (`order`): the comparisons of variables contradict each other, or their least
//!    solution satisfies the group.
//! 5. Order without bits (`order::abstract_order`): the group with its comparisons as booleans.
//! 6. Bit-blasting (`blast`) and a CDCL search, within growing bounds (`unbounded`) where the
//!    assertions leave a variable unbounded.
//! 7. An external solver, if one is set, for groups that the embedded layers do not decide.
//!
//! For example, `x < 3 && y * z == 35 && 1 < y && y < 100` has two groups. Ranges answer the first
//! with `x = 0`. The second needs the CDCL search.
//!
//! Invariant: the evaluator checks every model that a layer proposes before it becomes an
//! [`Answer::Sat`]. Only a proof becomes an [`Answer::Unsat`].

#[cfg(test)]
mod tests;

use crate::answer::{Answer, Reason, ReasonKind};
use crate::blast::{Blast, BlastResult};
use crate::cache::{Cache, CachedAnswer};
use crate::op::Op;
use crate::order::{self, OrderAnswer};
use crate::pool::TermMap;
use crate::random::Random;
use crate::range::{Interval, Preference, Ranges};
use crate::slice::Slicer;
use crate::smtlib::Process;
use crate::unbounded::Widening;
use crate::{Model, Pool, Sort, Term};

/// Finds values of variables that make all assertions true, or proves that there are none.
///
/// # Examples
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
    /// The number of assertions at each `push`.
    levels: Vec<usize>,
    options: Options,
    statistics: Statistics,
    slicer: Slicer,
    cache: Cache,
    external: Option<Process>,
    /// The id of the pool whose terms are in the caches.
    pool: u64,
}

/// The work limit and the random seed of a solver.
#[derive(Clone, Debug)]
pub struct Options {
    /// The maximum number of CDCL conflicts per group of assertions that share variables. This
    /// counts work and not time, so answers do not depend on the load of the machine. A group
    /// that exceeds it is [`Answer::Unknown`].
    ///
    /// The default is 200,000. Arbitrary; the comparison with z3 (`bench/results/solver-oracle.md`)
    /// allows 20,000 and leaves 2 of 13,180 queries undecided.
    pub conflicts_max: u64,
    /// With a seed, models are spread over the solutions, and the same query gets different
    /// ones. Without, values are near zero.
    pub seed: Option<u64>,
}

impl Default for Options {
    fn default() -> Options {
        Options { conflicts_max: 200_000, seed: None }
    }
}

/// The number of groups of assertions that each layer answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// All queries.
    pub queries: u64,
    /// All groups of assertions that share variables, over all queries.
    pub groups: u64,
    /// Decided by rewriting alone.
    pub constant: u64,
    /// Answered from the cache.
    pub cached: u64,
    /// Decided by intervals and known bits.
    pub ranged: u64,
    /// Decided by the order of variables.
    pub ordered: u64,
    /// Reached the CDCL solver, decided or not.
    pub blasted: u64,
    /// Conflicts of the CDCL solver.
    pub conflicts: u64,
    /// Passed on to the external solver.
    pub external: u64,
}

impl Solver {
    /// Creates a solver without assertions and with the default options.
    pub fn new() -> Solver {
        Solver::default()
    }

    /// Creates a solver with the given options.
    pub fn with_options(options: Options) -> Solver {
        Solver { options, ..Solver::default() }
    }

    /// Adds an assertion. If its sort is not `Bool`, every check is unknown.
    pub fn assert(&mut self, term: Term) {
        self.assertions.push(term);
    }

    /// Returns the current assertions.
    pub fn assertions(&self) -> &[Term] {
        &self.assertions
    }

    /// Marks the current assertions, so that [`pop`](Solver::pop) can restore them.
    pub fn push(&mut self) {
        self.levels.push(self.assertions.len());
    }

    /// Removes the assertions since the last [`push`](Solver::push), or all without one.
    pub fn pop(&mut self) {
        let count = self.levels.pop().unwrap_or(0);
        self.assertions.truncate(count);
    }

    /// Sets the options for later queries.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// Sets a solver for groups that the embedded one does not decide.
    pub fn set_external(&mut self, process: Process) {
        self.external = Some(process);
    }

    /// Returns how many groups each layer answered so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Checks whether all assertions can be true at once.
    pub fn check(&mut self, pool: &mut Pool) -> Answer {
        self.check_assuming(pool, &[])
    }

    /// Checks whether all assertions and assumptions can be true at once.
    pub fn check_assuming(&mut self, pool: &mut Pool, assumptions: &[Term]) -> Answer {
        self.statistics.queries += 1;
        if self.pool != pool.id() {
            self.pool = pool.id();
            (self.slicer, self.cache) = Default::default();
        }
        let terms = [&self.assertions[..], assumptions].concat();
        if let Some(term) = terms.iter().find(|term| pool.sort(**term) != Sort::Bool) {
            return Answer::Unknown(Reason::about(ReasonKind::NotABool(pool.sort(*term)), *term));
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

    /// Sends one group through the layers.
    fn check_group(&mut self, pool: &mut Pool, group: &[Term]) -> Answer {
        self.statistics.groups += 1;
        if let Some(answer) = decided_by_rewriting(pool, group) {
            self.statistics.constant += 1;
            return answer;
        }
        if let Some(cached) = self.cached_answer(pool, group) {
            self.statistics.cached += 1;
            return match cached {
                CachedAnswer::Sat(model) => Answer::Sat(model),
                CachedAnswer::Unsat => Answer::Unsat,
            };
        }
        let mut answer = self.solve_group(pool, group);
        if let (Answer::Unknown(_), Some(external)) = (&answer, &mut self.external) {
            self.statistics.external += 1;
            answer = external.check(pool, group);
        }
        if let Answer::Sat(model) = &mut answer {
            // A layer may leave out variables that must be zero. Name them, because the caller
            // may fill in another value.
            *model = model.restricted(pool, group);
        }
        match &answer {
            Answer::Sat(model) => self.cache.insert(group, CachedAnswer::Sat(model.clone())),
            Answer::Unsat => self.cache.insert(group, CachedAnswer::Unsat),
            Answer::Unknown(_) => {}
        }
        answer
    }

    /// Looks the group up in the cache. With a seed the same query must get different models, so
    /// only contradictions are reused.
    fn cached_answer(&self, pool: &Pool, group: &[Term]) -> Option<CachedAnswer> {
        let is_spread = self.options.seed.is_some();
        match self.cache.get(group) {
            Some(CachedAnswer::Sat(_)) if is_spread => return None,
            Some(cached) => return Some(cached.clone()),
            None => {}
        }
        if self.cache.has_contradiction(group) {
            return Some(CachedAnswer::Unsat);
        }
        if is_spread {
            return None;
        }
        self.cache.fitting_model(pool, group).map(CachedAnswer::Sat)
    }

    /// Sends one group through the embedded layers after the cache.
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
            OrderAnswer::Contradiction(core) => {
                self.statistics.ordered += 1;
                self.cache.add_contradiction(&core);
                return Answer::Unsat;
            }
            // The least solution is the same each time, so it does not serve a seed.
            OrderAnswer::Model(model) if self.options.seed.is_none() => {
                self.statistics.ordered += 1;
                return Answer::Sat(model);
            }
            OrderAnswer::Model(_) | OrderAnswer::Unknown => {}
        }
        let bounds = ranges.map(|ranges| ranges.bounds()).unwrap_or_default();
        self.statistics.blasted += 1;
        let mut conflicts_left = self.options.conflicts_max;
        if let Some(answer) = self.solve_order(pool, group, &mut conflicts_left) {
            return answer;
        }
        self.solve_bits(pool, group, bounds, conflicts_left)
    }

    /// Decides the group by bit-blasting, within growing bounds where `bounds` are open. All
    /// attempts share the conflict budget.
    fn solve_bits(
        &mut self,
        pool: &Pool,
        group: &[Term],
        bounds: TermMap<Interval>,
        mut conflicts_left: u64,
    ) -> Answer {
        for attempt in Widening::new(pool, group, bounds) {
            let blast = Blast {
                pool,
                conflicts_max: conflicts_left,
                seed: self.seed(),
                bounds: &attempt.bounds,
                denominator: attempt.denominator,
                length_max: attempt.length_max,
            };
            let (result, conflicts) = blast.solve(group);
            self.statistics.conflicts += conflicts;
            conflicts_left = conflicts_left.saturating_sub(conflicts);
            match result {
                BlastResult::Sat(model) if model.satisfies(pool, group) => {
                    return Answer::Sat(model);
                }
                BlastResult::Sat(_) => return Answer::Unknown(Reason::new(ReasonKind::WrongModel)),
                BlastResult::Unsat if attempt.is_complete => return Answer::Unsat,
                BlastResult::Unsat => {}
                BlastResult::Unknown(reason) => return Answer::Unknown(reason),
            }
        }
        Answer::Unknown(Reason::new(ReasonKind::Unbounded))
    }

    /// Decides the group by its order abstraction, if it has one and that suffices.
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
        let order = order::abstract_order(pool, group)?;
        let blast = Blast {
            pool,
            conflicts_max: *conflicts_left,
            seed: self.seed(),
            bounds: &TermMap::default(),
            denominator: 1,
            length_max: 0,
        };
        let (result, conflicts) = blast.solve(&order.assertions);
        self.statistics.conflicts += conflicts;
        *conflicts_left = conflicts_left.saturating_sub(conflicts);
        match result {
            BlastResult::Unsat => Some(Answer::Unsat),
            BlastResult::Sat(model) => {
                let model = order.concretize(pool, &model);
                model.satisfies(pool, group).then_some(Answer::Sat(model))
            }
            BlastResult::Unknown(_) => None,
        }
    }

    /// Picks values from the ranges, a few times, and returns the first that satisfy the group.
    fn guess(
        &self,
        ranges: &Ranges<'_>,
        pool: &Pool,
        group: &[Term],
        random: &mut Random,
    ) -> Option<Model> {
        // The number of guesses is arbitrary: each costs one evaluation of the group.
        let preferences: &[Preference] = match self.options.seed {
            Some(_) => &[Preference::Random; 4],
            None => &[Preference::Least, Preference::Greatest, Preference::Random],
        };
        let mut guesses = preferences.iter().map(|preference| ranges.guess(*preference, random));
        guesses.find(|model| model.satisfies(pool, group))
    }

    /// Derives a seed for this group, so that the same query gets different models.
    fn seed(&self) -> Option<u64> {
        self.options.seed.map(|seed| seed.wrapping_add(self.statistics.groups))
    }
}

/// Splits conjunctions into their parts.
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
