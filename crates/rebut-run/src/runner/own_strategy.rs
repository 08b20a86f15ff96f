//! A strategy of the user, which runs between cases.
//!
//! No case contains it, so what it does must not count as a failure of the property: a panic ends
//! the run with its message, and a [mark](StrategyMark) shows the supervisor that the strategy was
//! running when the thread died or stopped.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use rebut_choice::{Rng, Stop, Tape};
use rebut_search::{Evaluation, Move, Strategy};

use crate::isolate::Worker;
use crate::panics;
use crate::verdict::Verdict;

/// Whether a strategy of the user is running.
#[derive(Clone, Debug, Default)]
pub(crate) struct StrategyMark {
    is_running: Arc<AtomicBool>,
    /// The worker that reports each step of the strategy, if it reports no cases.
    worker: Arc<OnceLock<Worker>>,
    /// The number of steps that were reported.
    steps: Arc<AtomicU64>,
}

impl StrategyMark {
    pub(crate) fn is_running(&self) -> bool {
        self.is_running.load(Ordering::Acquire)
    }

    /// Reports each step of the strategy to the supervisor of this worker, so that it has the
    /// deadline of a case. If cases run on the same thread, each step counts to the case before it.
    pub(crate) fn watch(&self, worker: &Worker) {
        let _ = self.worker.set(worker.clone());
    }

    pub(super) fn make(&self, make: fn(u64) -> Box<dyn Strategy>, steps: u64) -> OwnStrategy {
        OwnStrategy { strategy: self.run(|| make(steps)), mark: self.clone() }
    }

    /// Runs code of the strategy. If it panics, the run ends.
    fn run<T>(&self, run: impl FnOnce() -> T) -> T {
        self.is_running.store(true, Ordering::Release);
        let worker = self.worker.get();
        if let Some(worker) = worker {
            worker.begin_case(self.steps.fetch_add(1, Ordering::Relaxed));
        }
        let result = panics::catch_outside(NAME, run);
        if let Some(worker) = worker {
            worker.mark_idle();
        }
        self.is_running.store(false, Ordering::Release);
        match result {
            Ok(result) => result,
            Err(Verdict::InternalError(what)) => Stop::Internal(what).raise(),
            Err(Verdict::Misuse(what)) => Stop::Misuse(what).raise(),
            Err(other) => Stop::Internal(format!("{NAME}: {other:?}")).raise(),
        }
    }
}

/// The name of a strategy in a report.
pub(crate) const NAME: &str = "the search strategy";

/// A strategy of the user.
#[derive(Debug)]
pub(super) struct OwnStrategy {
    strategy: Box<dyn Strategy>,
    mark: StrategyMark,
}

impl Strategy for OwnStrategy {
    fn propose(&mut self, rng: &mut Rng) -> Move {
        self.mark.run(|| self.strategy.propose(rng))
    }

    fn learn(&mut self, evaluation: &mut Evaluation<'_>, rng: &mut Rng) -> bool {
        self.mark.run(|| self.strategy.learn(evaluation, rng))
    }

    fn suggest(&mut self, utility: f64, tape: Tape) {
        self.mark.run(|| self.strategy.suggest(utility, tape));
    }

    fn temperature(&self) -> f64 {
        self.mark.run(|| self.strategy.temperature())
    }

    fn reset(&mut self) {
        self.mark.run(|| self.strategy.reset());
    }
}
