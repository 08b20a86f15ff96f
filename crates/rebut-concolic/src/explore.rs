//! Explores a test: runs it, and solves for inputs that take the ways not taken.
//!
//! Generational search (Godefroid, Levin and Molnar 2008): each run opens as many new
//! possibilities as it has decisions that no run has turned round. The next to be tried is the
//! one at a place and on a side that was reached the fewest times, then the one nearest to the
//! root. All budgets are counted in work, so the verdict does not depend on the machine's load.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::rc::Rc;

use rebut_choice::{Tape, friendly};
use rebut_smt::{Answer, Solver, Statistics};

use crate::ask::Ask;
use crate::hooks::Site;
use crate::machine::{Machine, Order, Wish};
use crate::observe::Observation;
use crate::record::{self, Recorder};
use crate::slice::Slices;
use crate::trace::{Failure, Input, Loss, Outcome, Trace};
use crate::tree::{Frontier, Side, Tree};

/// How much work to put in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// At most so many runs.
    pub runs: usize,
    /// At most so many runs after the first that fails, to see whether it fails otherwise too.
    pub runs_after_failure: usize,
    /// At most so many rounds of loops in one run.
    pub fuel: u64,
    /// At most so many conflicts of the solver for one question.
    pub conflicts: u64,
    /// At most so many conflicts in all.
    pub conflicts_total: u64,
    /// At most so many terms in all questions together: what conflicts do not count.
    pub terms: u64,
    /// Collections of more elements than this are left to random testing.
    pub length: usize,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            runs: 10_000,
            runs_after_failure: 200,
            fuel: 10_000_000,
            conflicts: 20_000,
            conflicts_total: 1_000_000,
            terms: 10_000_000,
            length: 8,
        }
    }
}

/// A run that was kept: each took a path of its own.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The input, as a test case that can be run natively.
    pub tape: Tape,
    /// How it ended.
    pub outcome: Outcome,
    /// Which sides of which branches it took.
    pub covered: Vec<(Site, bool)>,
    /// What it told, if it is a probe.
    pub observations: Vec<Observation>,
    /// The draws.
    pub inputs: Vec<Input>,
}

/// What came of an exploration.
#[derive(Debug)]
pub struct Exploration {
    /// What can be said of the test.
    pub verdict: Verdict,
    /// What stopped it short of all paths.
    pub limits: Vec<Limit>,
    /// The paths, with an input for each.
    pub leaves: Vec<Leaf>,
    /// How they branch.
    pub tree: Tree,
    /// How often it ran.
    pub runs: usize,
    /// Inputs that went another way than predicted.
    pub divergences: usize,
    /// Whether it is assumed that nothing depends on the values of hashes: all keys had the same.
    pub assumes_hashes: bool,
    /// Where what does not exist here was needed, the innermost call first; by what that is.
    pub calls: BTreeMap<String, Vec<Site>>,
    /// How many failures were left out because other answers of friendly mocks prevent them.
    pub pruned: usize,
    /// The tests whose summaries stood in for functions.
    pub assumed: Vec<String>,
    /// What the solver did.
    pub solver: Statistics,
    /// The terms of the tree.
    pub pool: rebut_smt::Pool,
}

/// What can be said of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every path was explored, and none fails.
    Holds,
    /// Some paths fail: one leaf for each failure that differs from the others.
    Fails(Vec<usize>),
    /// This leaf has an input of the kind that is looked for; no path fails.
    Found(usize),
    /// None of the paths that were explored fails, but there are others.
    Unknown(Vec<Limit>),
    /// Every path was explored, and on each the case is rejected.
    Vacuous,
}

/// What stopped an exploration short of all paths.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Limit {
    /// The number of runs.
    Runs(usize),
    /// The work of the solver in all.
    Conflicts(u64),
    /// The size of all questions together.
    Terms(u64),
    /// The work of the solver for one question, and how often.
    Solver(String, usize),
    /// A run took too many rounds of loops; how many did.
    Fuel(usize),
    /// Something was not followed exactly.
    Lossy(Loss),
    /// A run went another way than predicted; how many did.
    Diverged(usize),
    /// The code needs what does not exist here; what it does, and where, if whoever knows the
    /// sources has said so.
    Unsupported(String, Option<String>),
    /// The test is used wrongly.
    Misuse(String),
    /// A fault of Rebut.
    Internal(String),
}

impl Budget {
    /// The embedded solver, with no more work for one question than this allows.
    #[must_use]
    pub fn solver(&self) -> Solver {
        let options = rebut_smt::Options { conflicts_max: self.conflicts, ..Default::default() };
        Solver::with_options(options)
    }
}

/// Explores a test from the simplest input, from random ones that fail, and from these.
#[must_use]
pub fn explore(machine: &mut Machine, budget: &Budget, seeds: &[Tape]) -> Exploration {
    explore_with(machine, budget, seeds, &mut budget.solver())
}

/// Explores a test as [`explore`] does, but asks this solver.
#[must_use]
pub fn explore_with(
    machine: &mut Machine,
    budget: &Budget,
    seeds: &[Tape],
    solver: &mut dyn Ask,
) -> Exploration {
    let mut explorer = Explorer::new(machine, budget, solver);
    explorer.begin(seeds);
    while let Some(next) = explorer.next() {
        explorer.turn(&next);
        if explorer.machine.restarts() > explorer.restarts {
            explorer.begin(seeds);
        }
    }
    explorer.finish()
}

/// A side that may be solved for.
#[derive(Debug)]
struct Candidate {
    frontier: Frontier,
    /// The draws of the run that came by.
    inputs: Rc<[Input]>,
}

struct Explorer<'m> {
    machine: &'m mut Machine,
    budget: &'m Budget,
    recorder: Option<Recorder>,
    solver: &'m mut dyn Ask,
    tree: Tree,
    leaves: Vec<Leaf>,
    runs: usize,
    /// How many runs there were when the first one failed.
    runs_at_failure: Option<usize>,
    divergences: usize,
    /// How often each side of each site was reached.
    reached: HashMap<(Site, bool), usize>,
    /// What to try next: rarely reached first, then near the root, then old.
    queue: BinaryHeap<Reverse<(usize, u32, usize)>>,
    candidates: Vec<Option<Candidate>>,
    limits: Vec<Limit>,
    unknown: HashMap<String, usize>,
    exhausted: usize,
    /// How many terms the questions had so far.
    terms: u64,
    /// How often the machine had forgotten its runs when these began.
    restarts: usize,
    calls: BTreeMap<String, Vec<Site>>,
    pruned: usize,
}

impl<'m> Explorer<'m> {
    fn new(machine: &'m mut Machine, budget: &'m Budget, solver: &'m mut dyn Ask) -> Explorer<'m> {
        let recorder = machine.recorder();
        Explorer {
            machine,
            budget,
            recorder: Some(recorder),
            solver,
            tree: Tree::default(),
            leaves: Vec::new(),
            runs: 0,
            runs_at_failure: None,
            divergences: 0,
            reached: HashMap::new(),
            queue: BinaryHeap::new(),
            candidates: Vec::new(),
            limits: Vec::new(),
            unknown: HashMap::new(),
            exhausted: 0,
            terms: 0,
            restarts: 0,
            calls: BTreeMap::new(),
            pruned: 0,
        }
    }

    /// Makes the first runs, until they are all of the same code.
    fn begin(&mut self, seeds: &[Tape]) {
        loop {
            self.restarts = self.machine.restarts();
            self.forget();
            self.first_runs(seeds);
            if self.machine.restarts() == self.restarts {
                return;
            }
        }
    }

    fn first_runs(&mut self, seeds: &[Tape]) {
        self.run(Vec::new(), None);
        let failing = self.machine.failing().to_vec();
        for seed in failing.iter().chain(seeds) {
            self.run(seed.choices().map(|choice| choice.number).collect(), None);
        }
    }

    /// Forgets all runs: the code is other than it was taken for. What was spent stays spent.
    fn forget(&mut self) {
        self.tree = Tree::default();
        self.leaves.clear();
        self.runs_at_failure = None;
        self.reached.clear();
        self.queue.clear();
        self.candidates.clear();
        self.limits.clear();
        self.unknown.clear();
        self.calls.clear();
        (self.divergences, self.exhausted, self.pruned) = (0, 0, 0);
    }

    /// Runs with these numbers; `target` is the side that the run should take.
    fn run(&mut self, numbers: Vec<i128>, target: Option<Frontier>) {
        let Some(recorder) = self.recorder.take() else { return };
        let Budget { fuel, length, .. } = *self.budget;
        let order = Order { numbers, fuel, length, wish: Wish::Run };
        let (mut recorder, mut trace) = self.machine.run(recorder, &order);
        self.runs += 1;
        if matches!(trace.outcome, Outcome::Failed(_))
            && self.machine.passes_otherwise(&trace.tape, &order)
        {
            trace.outcome = Outcome::Rejected(friendly::WHY.to_owned());
            self.pruned += 1;
        }
        let inserted = self.tree.insert(&mut recorder.pool, &trace.steps, self.leaves.len());
        self.recorder = Some(recorder);
        for side in &inserted.covered {
            *self.reached.entry(*side).or_default() += 1;
        }
        if inserted.is_contradiction {
            self.divergences += 1;
        }
        if let Some(target) = target
            && *self.tree.node(target.node).side(target.holds) == Side::Open
        {
            self.divergences += usize::from(!inserted.is_contradiction);
            self.tree.set(target, Side::Diverged);
        }
        self.book(&trace);
        let inputs: Rc<[Input]> = trace.inputs.as_slice().into();
        for frontier in inserted.open {
            self.push(Candidate { frontier, inputs: Rc::clone(&inputs) });
        }
        let is_failure = matches!(trace.outcome, Outcome::Failed(_) | Outcome::Found);
        if is_failure {
            self.runs_at_failure.get_or_insert(self.runs);
        }
        if inserted.is_new || is_failure {
            let Trace { tape, outcome, observations, inputs, .. } = trace;
            let covered = inserted.covered;
            self.leaves.push(Leaf { tape, outcome, covered, observations, inputs });
        }
    }

    /// Notes what keeps the run from saying all it could.
    fn book(&mut self, trace: &Trace) {
        match &trace.outcome {
            Outcome::Exhausted => self.exhausted += 1,
            Outcome::Unsupported(what) => {
                self.calls.entry(what.clone()).or_insert_with(|| trace.calls.clone());
                self.limit(Limit::Unsupported(what.clone(), None));
            }
            Outcome::Misuse(what) => self.limit(Limit::Misuse(what.clone())),
            Outcome::Internal(what) => self.limit(Limit::Internal(what.clone())),
            Outcome::Passed | Outcome::Rejected(_) | Outcome::Found | Outcome::Failed(_) => {}
        }
        for loss in &trace.losses {
            self.limit(Limit::Lossy(loss.clone()));
        }
    }

    fn limit(&mut self, limit: Limit) {
        if !self.limits.contains(&limit) {
            self.limits.push(limit);
        }
    }

    fn push(&mut self, candidate: Candidate) {
        let key = self.key(candidate.frontier, self.candidates.len());
        self.candidates.push(Some(candidate));
        self.queue.push(Reverse(key));
    }

    fn key(&self, frontier: Frontier, sequence: usize) -> (usize, u32, usize) {
        let node = self.tree.node(frontier.node);
        let reached = self.reached.get(&(node.site, frontier.holds)).copied().unwrap_or(0);
        (reached, node.depth, sequence)
    }

    fn has_failed_long_ago(&self) -> bool {
        let failed = self.runs_at_failure;
        failed.is_some_and(|failed| self.runs >= failed + self.budget.runs_after_failure)
    }

    /// The most promising side, unless the budget is used up.
    fn next(&mut self) -> Option<Candidate> {
        loop {
            let Reverse((reached, _, sequence)) = self.queue.pop()?;
            let candidate = self.candidates.get_mut(sequence)?.take()?;
            let key = self.key(candidate.frontier, sequence);
            if key.0 > reached {
                // Reached more often since it was queued.
                self.candidates[sequence] = Some(candidate);
                self.queue.push(Reverse(key));
                continue;
            }
            let is_open = {
                let node = self.tree.node(candidate.frontier.node);
                *node.side(candidate.frontier.holds) == Side::Open
            };
            if !is_open {
                continue;
            }
            if self.has_failed_long_ago() {
                return None;
            }
            if self.runs >= self.budget.runs {
                self.limit(Limit::Runs(self.budget.runs));
                return None;
            }
            if self.solver.statistics().conflicts >= self.budget.conflicts_total {
                self.limit(Limit::Conflicts(self.budget.conflicts_total));
                return None;
            }
            if self.terms >= self.budget.terms {
                self.limit(Limit::Terms(self.budget.terms));
                return None;
            }
            return Some(candidate);
        }
    }

    /// Looks for an input that takes a side, and runs it.
    fn turn(&mut self, candidate: &Candidate) {
        let frontier = candidate.frontier;
        let Some(recorder) = &mut self.recorder else { return };
        let node = self.tree.node(frontier.node);
        let (condition, drawn) = (node.condition, node.drawn);
        let wanted = if frontier.holds { condition } else { recorder.pool.not(condition) };
        let conditions = self.tree.conditions(&mut recorder.pool, frontier.node);
        let mut slices = Slices::default();
        for condition in conditions {
            let variables = recorder.variables.of(&recorder.pool, condition);
            slices.add(&variables, condition);
        }
        let variables = recorder.variables.of(&recorder.pool, wanted);
        let mut question = slices.relevant(&variables);
        question.push(wanted);
        self.terms += recorder.pool.graph_size(&question) as u64;
        match self.solver.ask(&mut recorder.pool, &question) {
            Answer::Unsat => self.tree.set(frontier, Side::Infeasible),
            Answer::Unknown(reason) => {
                let reason = reason.to_string();
                *self.unknown.entry(reason.clone()).or_default() += 1;
                self.tree.set(frontier, Side::Unknown(reason));
            }
            Answer::Sat(model) => {
                let inputs = candidate.inputs.iter().take(drawn);
                let numbers = inputs.map(|input| {
                    let value = model.get(input.variable);
                    value
                        .and_then(|value| record::number(value, input.is_signed))
                        .unwrap_or(input.number)
                });
                self.run(numbers.collect(), Some(frontier));
            }
        }
    }

    fn finish(mut self) -> Exploration {
        for (reason, count) in std::mem::take(&mut self.unknown) {
            self.limit(Limit::Solver(reason, count));
        }
        if self.exhausted > 0 {
            self.limit(Limit::Fuel(self.exhausted));
        }
        if self.divergences > 0 {
            self.limit(Limit::Diverged(self.divergences));
        }
        self.limits.sort();
        let verdict = self.verdict();
        let recorder = self.recorder.take().unwrap_or_else(|| self.machine.recorder());
        Exploration {
            verdict,
            limits: self.limits,
            leaves: self.leaves,
            tree: self.tree,
            runs: self.runs,
            divergences: self.divergences,
            assumes_hashes: self.machine.assumes_hashes(),
            calls: self.calls,
            pruned: self.pruned,
            assumed: self.machine.assumed(),
            solver: self.solver.statistics(),
            pool: recorder.pool,
        }
    }

    fn verdict(&self) -> Verdict {
        let mut failures: Vec<(&Failure, usize)> = Vec::new();
        for (place, leaf) in self.leaves.iter().enumerate() {
            if let Outcome::Failed(failure) = &leaf.outcome
                && !failures.iter().any(|(known, _)| is_same(known, failure))
            {
                failures.push((failure, place));
            }
        }
        let is_found = |leaf: &Leaf| leaf.outcome == Outcome::Found;
        if let Some(found) = self.leaves.iter().position(is_found)
            && failures.is_empty()
        {
            return Verdict::Found(found);
        }
        if !failures.is_empty() {
            return Verdict::Fails(failures.into_iter().map(|(_, place)| place).collect());
        }
        if !self.limits.is_empty() || !self.tree.is_complete() {
            return Verdict::Unknown(self.limits.clone());
        }
        let is_rejected = |leaf: &Leaf| matches!(leaf.outcome, Outcome::Rejected(_));
        if self.leaves.iter().all(is_rejected) { Verdict::Vacuous } else { Verdict::Holds }
    }
}

/// Whether two failures are one to a person: the same place, or the same trap.
fn is_same(a: &Failure, b: &Failure) -> bool {
    let place = |failure: &Failure| (failure.file.clone(), failure.line, failure.column);
    place(a) == place(b) && (!a.file.is_empty() || a.message == b.message)
}
