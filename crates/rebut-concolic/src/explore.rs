//! Explores a test: runs it, and solves for inputs that take other paths.
//!
//! This is generational search (Godefroid, Levin and Molnar 2008): each run opens as many
//! candidates as it has decisions whose other side no run has taken. The next candidate is the one
//! whose site and side was reached least often; among equals, the one nearest to the root, then the
//! oldest. All budgets are counted in work, so the verdict does not depend on the load of the
//! machine.

#[cfg(test)]
mod lossy_programs;
mod queue;
mod watch;
mod work;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use rebut_choice::{Tape, friendly_mocks};
use rebut_smt::{Answer, Solver, Statistics, Term};

use crate::doubt::Doubt;
use crate::draw_id::DrawId;
use crate::hooks::Site;
use rebut_protocol::wasm::EntryCommand;

use crate::machine::{Machine, RunRequest};
use crate::observe::Observation;
use crate::path_solver::PathSolver;
use crate::record::{OpenCondition, OpenPart, Recorder, TERM_SIZE_MAX};
use crate::slice::Slices;
use crate::trace::{Failure, Input, Loss, Outcome, Step, Trace};
use crate::tree::{Contradiction, Frontier, Side, Tree};
use queue::{Candidate, CandidateQueue};
pub use watch::{Progress, Stop, Watcher};
use work::Work;

/// The limits of an exploration, counted in work. The defaults are arbitrary;
/// `bench/results/explore.md` is measured with smaller ones. Every limit that is reached is
/// reported as a [`Limit`], and the verdict is [`Verdict::Unknown`] unless a failure was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The largest number of runs.
    pub runs: usize,
    /// The largest number of runs after the first failure, in search of other failures. Reaching it
    /// is not a [`Limit`].
    pub runs_after_failure: usize,
    /// The largest number of loop rounds in one run.
    pub fuel: u64,
    /// The largest number of solver conflicts in one query.
    pub conflicts: u64,
    /// The largest number of solver conflicts in all queries.
    pub conflicts_total: u64,
    /// The largest amount of work, in units of about one microsecond of processor time
    /// (`explore/work.rs`). There is none by default: callers with a person who waits set one.
    pub work: u64,
    /// The largest number of terms in all queries together. It limits work that conflicts do not
    /// count, such as building formulas.
    pub terms: u64,
    /// The largest size of an expression, written out as a tree. A larger one is replaced by its
    /// value ([`Loss::TooLarge`]).
    pub term_size: u32,
    /// The longest collection that is explored. Longer ones are left to random testing.
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
            work: u64::MAX,
            terms: 10_000_000,
            term_size: TERM_SIZE_MAX,
            length: 8,
        }
    }
}

/// A run that was kept: no other kept run took the same path, or it fails.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// The input, as a test case that can be run natively.
    pub tape: Tape,
    /// How it ended.
    pub outcome: Outcome,
    /// The sites of its decisions, with the sides that it took.
    pub covered: Vec<(Site, bool)>,
    /// The values that it observed, if it is a probe.
    pub observations: Vec<Observation>,
    /// Its draws.
    pub inputs: Vec<Input>,
}

impl Leaf {
    /// Returns the variable of a draw. `None` if it was not recorded: it came after a panic or
    /// after too many decisions.
    #[must_use]
    pub fn variable(&self, draw: DrawId) -> Option<Term> {
        self.inputs.get(draw.position()).map(|input| input.variable)
    }
}

/// The result of an exploration.
#[derive(Debug)]
pub struct Exploration {
    /// The verdict on the test.
    pub verdict: Verdict,
    /// The limits that kept it from exploring all paths.
    pub limits: Vec<Limit>,
    /// The paths, with an input for each.
    pub leaves: Vec<Leaf>,
    /// The tree of all decisions.
    pub tree: Tree,
    /// The number of runs.
    pub runs: usize,
    /// The work that it took ([`Budget::work`]).
    pub work: u64,
    /// The number of inputs that did not take the predicted path.
    pub divergences: usize,
    /// The differences from the native program that the runs met. A proof needs that there are
    /// none.
    pub doubts: BTreeSet<Doubt>,
    /// Whether all keys were hashed to 0: the verdict assumes that nothing depends on hash values.
    pub assumes_hashes: bool,
    /// For each unsupported feature that was needed, the call stack at that point, the innermost
    /// call first.
    pub calls: BTreeMap<String, Vec<Site>>,
    /// The number of failures that were dropped because other answers of friendly mocks prevent
    /// them.
    pub pruned: usize,
    /// The tests whose summaries replaced functions.
    pub assumed: Vec<String>,
    /// The statistics of the solver.
    pub solver: Statistics,
    /// The terms of the tree.
    pub pool: rebut_smt::Pool,
}

impl Exploration {
    /// Builds a complete exploration from all runs of a test: the decisions of each, and how it
    /// ended. Runs that take the path of an earlier one are dropped. Sides that no run takes are
    /// infeasible.
    ///
    /// This is for tests of code that reads explorations. They get the exploration of a small
    /// program without compiling it.
    #[must_use]
    pub fn from_all_runs(mut pool: rebut_smt::Pool, runs: Vec<(Vec<Step>, Leaf)>) -> Exploration {
        let (mut tree, mut leaves, mut open) = (Tree::default(), Vec::new(), Vec::new());
        for (steps, leaf) in runs {
            let inserted = tree.insert(&mut pool, &steps, usize::MAX, leaves.len());
            open.extend(inserted.open);
            if inserted.is_new {
                leaves.push(leaf);
            }
        }
        for frontier in open {
            if *tree.node(frontier.node).side(frontier.holds) == Side::Open {
                tree.set(frontier, Side::Infeasible);
            }
        }
        let (verdict, runs) = (verdict(&leaves, &[], &tree), leaves.len());
        Exploration {
            verdict,
            limits: Vec::new(),
            leaves,
            tree,
            runs,
            work: 0,
            divergences: 0,
            doubts: BTreeSet::new(),
            assumes_hashes: false,
            calls: BTreeMap::new(),
            pruned: 0,
            assumed: Vec::new(),
            solver: Statistics::default(),
            pool,
        }
    }
}

/// The verdict on a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every path was explored, and none fails.
    Holds,
    /// Some paths fail: one leaf for each distinct failure.
    Fails(Vec<usize>),
    /// This leaf has a matching input; no path fails.
    Found(usize),
    /// No explored path fails, but there are others.
    Unknown(Vec<Limit>),
    /// Every path was explored, and each rejects its input.
    Vacuous,
}

/// A reason why an exploration did not explore all paths.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Limit {
    /// The largest number of runs was reached.
    Runs(usize),
    /// The solver's conflicts in all queries were used up.
    Conflicts(u64),
    /// The terms in all queries were used up.
    Terms(u64),
    /// The work was used up.
    Work(u64),
    /// It was ended from outside.
    Stopped(Stop),
    /// The solver gave up on a query, for this reason; how often.
    Solver(String, usize),
    /// The number of runs that used up their fuel.
    Fuel(usize),
    /// A run was approximated.
    Lossy(Loss),
    /// The number of runs that did not take the predicted path.
    Diverged(usize),
    /// The code needs this unsupported feature. The location is added by callers that know the
    /// sources.
    Unsupported(String, Option<String>),
    /// The test misuses Rebut's API.
    Misuse(String),
    /// An internal error of Rebut.
    Internal(String),
}

impl Budget {
    /// Returns the embedded solver, limited to this budget's conflicts per query.
    #[must_use]
    pub fn solver(&self) -> Solver {
        let options = rebut_smt::Options { conflicts_max: self.conflicts, ..Default::default() };
        Solver::with_options(options)
    }
}

/// Explores a test from its simplest input, from random inputs that fail, and from these seeds.
#[must_use]
pub fn explore(machine: &mut Machine, budget: &Budget, seeds: &[Tape]) -> Exploration {
    explore_with(machine, budget, seeds, &mut budget.solver())
}

/// Like [`explore`], with this solver.
#[must_use]
pub fn explore_with(
    machine: &mut Machine,
    budget: &Budget,
    seeds: &[Tape],
    solver: &mut dyn PathSolver,
) -> Exploration {
    explore_watched(machine, budget, seeds, solver, &(), &mut |_| {})
}

/// Like [`explore_with`], while someone watches. `on_failure` receives the first path of each distinct
/// failure, and of each matching input, as soon as it is found. It may receive one again if the code
/// had to be instrumented again.
#[must_use]
pub fn explore_watched(
    machine: &mut Machine,
    budget: &Budget,
    seeds: &[Tape],
    solver: &mut dyn PathSolver,
    watcher: &dyn Watcher,
    on_failure: &mut dyn FnMut(&Leaf),
) -> Exploration {
    let mut explorer = Explorer::new(machine, budget, solver, watcher, on_failure);
    explorer.begin(seeds);
    while let Some(next) = explorer.next() {
        explorer.solve(&next);
        if explorer.machine.restarts() > explorer.restarts {
            explorer.begin(seeds);
        }
    }
    explorer.finish()
}

struct Explorer<'m> {
    machine: &'m mut Machine,
    budget: &'m Budget,
    recorder: Option<Recorder>,
    solver: &'m mut dyn PathSolver,
    watcher: &'m dyn Watcher,
    work: Work,
    tree: Tree,
    leaves: Vec<Leaf>,
    runs: usize,
    /// The number of kept runs that failed.
    failing: usize,
    /// The number of runs when the first one failed.
    runs_at_failure: Option<usize>,
    divergences: usize,
    queue: CandidateQueue,
    limits: Vec<Limit>,
    unknown: HashMap<String, usize>,
    exhausted: usize,
    /// The number of terms in all queries so far.
    terms: u64,
    /// The machine's restarts when the current runs began.
    restarts: usize,
    calls: BTreeMap<String, Vec<Site>>,
    doubts: BTreeSet<Doubt>,
    /// Open conditions that have one result for all open bits, on every path.
    unambiguous: HashSet<(Term, OpenPart)>,
    pruned: usize,
    on_failure: &'m mut dyn FnMut(&Leaf),
}

impl<'m> Explorer<'m> {
    fn new(
        machine: &'m mut Machine,
        budget: &'m Budget,
        solver: &'m mut dyn PathSolver,
        watcher: &'m dyn Watcher,
        on_failure: &'m mut dyn FnMut(&Leaf),
    ) -> Explorer<'m> {
        let mut recorder = machine.recorder();
        recorder.term_size_max = budget.term_size;
        Explorer {
            machine,
            budget,
            recorder: Some(recorder),
            solver,
            watcher,
            work: Work::default(),
            tree: Tree::default(),
            leaves: Vec::new(),
            runs: 0,
            failing: 0,
            runs_at_failure: None,
            divergences: 0,
            queue: CandidateQueue::default(),
            limits: Vec::new(),
            unknown: HashMap::new(),
            exhausted: 0,
            terms: 0,
            restarts: 0,
            calls: BTreeMap::new(),
            doubts: BTreeSet::new(),
            unambiguous: HashSet::new(),
            pruned: 0,
            on_failure,
        }
    }

    /// Makes the first runs, until they are all runs of the same code.
    fn begin(&mut self, seeds: &[Tape]) {
        loop {
            self.restarts = self.machine.restarts();
            self.discard_runs();
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

    /// Discards all runs, because the code changed. The work that they cost still counts.
    fn discard_runs(&mut self) {
        self.tree = Tree::default();
        self.leaves.clear();
        self.failing = 0;
        self.runs_at_failure = None;
        self.queue = CandidateQueue::default();
        self.limits.clear();
        self.unknown.clear();
        self.calls.clear();
        self.doubts.clear();
        (self.divergences, self.exhausted, self.pruned) = (0, 0, 0);
    }

    /// Runs with these numbers; `target` is the side that the run should take.
    fn run(&mut self, numbers: Vec<i128>, target: Option<Frontier>) {
        let Some(recorder) = self.recorder.take() else { return };
        let Budget { fuel, length, .. } = *self.budget;
        let request = RunRequest { numbers, fuel, length, command: EntryCommand::Run };
        let terms = recorder.pool.len();
        let (mut recorder, mut trace) = self.machine.run(recorder, &request);
        self.runs += 1;
        self.work.add_run(&trace, recorder.pool.len() - terms);
        if matches!(trace.outcome, Outcome::Failed(_))
            && self.machine.passes_with_other_answers(&trace.tape, &request)
        {
            trace.outcome = Outcome::Rejected(friendly_mocks::REJECTION_REASON.to_owned());
            self.pruned += 1;
        }
        let run = self.leaves.len();
        let inserted = self.tree.insert(&mut recorder.pool, &trace.steps, trace.exact_steps, run);
        self.recorder = Some(recorder);
        for side in &inserted.covered {
            self.queue.reach(*side);
        }
        let mut diverges = inserted.contradiction == Some(Contradiction::Divergence);
        if let Some(target) = target
            && *self.tree.node(target.node).side(target.holds) == Side::Open
        {
            let is_exact = self.tree.node(target.node).is_exact;
            diverges |= is_exact && inserted.contradiction.is_none();
            let missed = match is_exact {
                true => Side::Diverged,
                false => Side::Unknown(MISSED.to_owned()),
            };
            self.tree.set(target, missed);
        }
        self.divergences += usize::from(diverges);
        self.record_limits(&trace);
        self.check_open_conditions(&trace);
        let inputs: Rc<[Input]> = trace.inputs.as_slice().into();
        for frontier in inserted.open {
            let node = self.tree.node(frontier.node);
            let candidate = Candidate { frontier, inputs: Rc::clone(&inputs) };
            self.queue.push((node.site, frontier.holds), node.depth, candidate);
        }
        let is_failure = matches!(trace.outcome, Outcome::Failed(_) | Outcome::Found);
        if is_failure {
            self.failing += 1;
            self.runs_at_failure.get_or_insert(self.runs);
        }
        if inserted.is_new || is_failure {
            let Trace { tape, outcome, observations, inputs, .. } = trace;
            let covered = inserted.covered;
            let leaf = Leaf { tape, outcome, covered, observations, inputs };
            if is_failure && !self.leaves.iter().any(|known| end_alike(known, &leaf)) {
                (self.on_failure)(&leaf);
            }
            self.leaves.push(leaf);
        }
    }

    /// Records the limits that the run met.
    fn record_limits(&mut self, trace: &Trace) {
        match &trace.outcome {
            Outcome::Exhausted => self.exhausted += 1,
            Outcome::Unsupported(what) => {
                self.calls.entry(what.clone()).or_insert_with(|| trace.calls.clone());
                self.add_limit(Limit::Unsupported(what.clone(), None));
            }
            Outcome::Misuse(what) => self.add_limit(Limit::Misuse(what.clone())),
            Outcome::Internal(what) => self.add_limit(Limit::Internal(what.clone())),
            Outcome::Passed | Outcome::Rejected(_) | Outcome::Found | Outcome::Failed(_) => {}
        }
        self.doubts.extend(trace.doubts.iter().cloned());
        for loss in &trace.losses {
            self.add_limit(Limit::Lossy(loss.clone()));
        }
    }

    fn add_limit(&mut self, limit: Limit) {
        if !self.limits.contains(&limit) {
            self.limits.push(limit);
        }
    }

    fn is_past_failure_budget(&self) -> bool {
        let failed = self.runs_at_failure;
        failed.is_some_and(|failed| self.runs >= failed + self.budget.runs_after_failure)
    }

    /// Returns the most promising candidate, unless the budget is used up.
    fn next(&mut self) -> Option<Candidate> {
        loop {
            let candidate = self.queue.pop()?;
            let is_open = {
                let node = self.tree.node(candidate.frontier.node);
                *node.side(candidate.frontier.holds) == Side::Open
            };
            if !is_open {
                continue;
            }
            if self.is_past_failure_budget() {
                return None;
            }
            if let Some(stop) = self.watcher.watch(self.progress()) {
                self.add_limit(Limit::Stopped(stop));
                return None;
            }
            if self.work.total() >= self.budget.work {
                self.add_limit(Limit::Work(self.budget.work));
                return None;
            }
            if self.runs >= self.budget.runs {
                self.add_limit(Limit::Runs(self.budget.runs));
                return None;
            }
            if self.solver.statistics().conflicts >= self.budget.conflicts_total {
                self.add_limit(Limit::Conflicts(self.budget.conflicts_total));
                return None;
            }
            if self.terms >= self.budget.terms {
                self.add_limit(Limit::Terms(self.budget.terms));
                return None;
            }
            return Some(candidate);
        }
    }

    fn progress(&self) -> Progress {
        let (runs, paths, failures) = (self.runs, self.leaves.len(), self.failing);
        Progress { runs, paths, failures, work: self.work.total() }
    }

    /// Solves for an input that takes a side, and runs it.
    fn solve(&mut self, candidate: &Candidate) {
        let frontier = candidate.frontier;
        let Some(recorder) = &mut self.recorder else { return };
        let node = self.tree.node(frontier.node);
        let (condition, drawn, is_exact) = (node.condition, node.drawn, node.is_exact);
        let depth = u64::from(node.depth);
        let wanted = if frontier.holds { condition } else { recorder.pool.not(condition) };
        let conditions = self.tree.conditions(&mut recorder.pool, frontier.node);
        let mut slices = Slices::default();
        for condition in conditions {
            let variables = recorder.variables.of_term(&recorder.pool, condition);
            slices.add(&variables, condition);
        }
        let variables = recorder.variables.of_term(&recorder.pool, wanted);
        let mut question = slices.relevant(&variables);
        question.push(wanted);
        let Some(answer) = self.ask(&question, depth) else { return };
        match answer {
            Answer::Unsat if is_exact => self.tree.set(frontier, Side::Infeasible),
            // Another input may have another value, and then other conditions.
            Answer::Unsat => self.tree.set(frontier, Side::Unknown(NOT_PROVED.to_owned())),
            Answer::Unknown(reason) => {
                let reason = reason.to_string();
                *self.unknown.entry(reason.clone()).or_default() += 1;
                self.tree.set(frontier, Side::Unknown(reason));
            }
            Answer::Sat(model) => {
                let inputs = candidate.inputs.iter().take(drawn);
                let numbers = inputs.map(|input| input.number_in(&model));
                self.run(numbers.collect(), Some(frontier));
            }
        }
    }

    /// Records a doubt if a condition of the path can have two results for different open bits.
    fn check_open_conditions(&mut self, trace: &Trace) {
        for open in &trace.open_conditions {
            for part in OpenPart::ALL {
                if !self.doubts.contains(&part.doubt()) && self.is_ambiguous(trace, open, part) {
                    self.doubts.insert(part.doubt());
                }
            }
        }
    }

    fn is_ambiguous(&mut self, trace: &Trace, open: &OpenCondition, part: OpenPart) -> bool {
        let key = (open.condition, part);
        if self.unambiguous.contains(&key) {
            return false;
        }
        let Some(recorder) = &mut self.recorder else { return true };
        let Some(ambiguity) = recorder.ambiguity(open.condition, part) else {
            self.unambiguous.insert(key);
            return false;
        };
        // Most conditions are unambiguous on every path, such as a comparison with a NaN.
        if self.ask(&[ambiguity], 0) == Some(Answer::Unsat) {
            self.unambiguous.insert(key);
            return false;
        }
        let Some(recorder) = &mut self.recorder else { return true };
        let mut slices = Slices::default();
        for step in trace.steps.iter().take(open.steps) {
            let variables = recorder.variables.of_term(&recorder.pool, step.condition);
            slices.add(&variables, step.condition);
        }
        let variables = recorder.variables.of_term(&recorder.pool, ambiguity);
        let mut question = slices.relevant(&variables);
        question.push(ambiguity);
        self.ask(&question, open.steps as u64) != Some(Answer::Unsat)
    }

    /// Solves conditions, which depend on a decision after `depth` others. The work counts.
    fn ask(&mut self, question: &[Term], depth: u64) -> Option<Answer> {
        let recorder = self.recorder.as_mut()?;
        let size = recorder.pool.graph_size(question) as u64;
        self.terms += size;
        let before = self.solver.statistics();
        let answer = self.solver.solve(&mut recorder.pool, question);
        self.work.add_query(size, depth, before, self.solver.statistics());
        Some(answer)
    }

    fn finish(mut self) -> Exploration {
        for (reason, count) in std::mem::take(&mut self.unknown) {
            self.add_limit(Limit::Solver(reason, count));
        }
        if self.exhausted > 0 {
            self.add_limit(Limit::Fuel(self.exhausted));
        }
        if self.divergences > 0 {
            self.add_limit(Limit::Diverged(self.divergences));
        }
        self.limits.sort();
        let verdict = verdict(&self.leaves, &self.limits, &self.tree);
        let recorder = self.recorder.take().unwrap_or_else(|| self.machine.recorder());
        Exploration {
            verdict,
            limits: self.limits,
            leaves: self.leaves,
            tree: self.tree,
            runs: self.runs,
            work: self.work.total(),
            divergences: self.divergences,
            doubts: self.doubts,
            assumes_hashes: self.machine.assumes_hashes(),
            calls: self.calls,
            pruned: self.pruned,
            assumed: self.machine.assumed(),
            solver: self.solver.statistics(),
            pool: recorder.pool,
        }
    }
}

/// Why a side is unknown if an input should lead there, but a value on the way lost its expression.
const MISSED: &str = "an input took another path, because an expression was replaced by its value";

/// Why a side is unknown if no input with the same values leads there, but one of them lost its
/// expression.
const NOT_PROVED: &str = "an expression on the way to it was replaced by its value";

/// Returns the verdict on a test with these paths.
fn verdict(leaves: &[Leaf], limits: &[Limit], tree: &Tree) -> Verdict {
    let mut failures: Vec<(&Failure, usize)> = Vec::new();
    for (place, leaf) in leaves.iter().enumerate() {
        if let Outcome::Failed(failure) = &leaf.outcome
            && !failures.iter().any(|(known, _)| is_same(known, failure))
        {
            failures.push((failure, place));
        }
    }
    let is_found = |leaf: &Leaf| leaf.outcome == Outcome::Found;
    if let Some(found) = leaves.iter().position(is_found)
        && failures.is_empty()
    {
        return Verdict::Found(found);
    }
    if !failures.is_empty() {
        return Verdict::Fails(failures.into_iter().map(|(_, place)| place).collect());
    }
    if !limits.is_empty() || !tree.is_complete() {
        return Verdict::Unknown(limits.to_vec());
    }
    let is_rejected = |leaf: &Leaf| matches!(leaf.outcome, Outcome::Rejected(_));
    if leaves.iter().all(is_rejected) { Verdict::Vacuous } else { Verdict::Holds }
}

/// Whether two paths end in the same failure, or both in a matching input.
fn end_alike(a: &Leaf, b: &Leaf) -> bool {
    match (&a.outcome, &b.outcome) {
        (Outcome::Failed(a), Outcome::Failed(b)) => is_same(a, b),
        (a, b) => *a == Outcome::Found && a == b,
    }
}

/// Whether two failures are the same to a user: the same location, or the same trap.
fn is_same(a: &Failure, b: &Failure) -> bool {
    let place = |failure: &Failure| (failure.file.clone(), failure.line, failure.column);
    place(a) == place(b) && (!a.file.is_empty() || a.message == b.message)
}
