//! Records the events of a run: stores failures, writes events, shows progress, and reports the
//! running case to the supervisor.

use std::sync::{Arc, Mutex};

use crate::case_log::ObjectiveValue;
use crate::events::EventLog;
use crate::isolate::restart::{self, FoundBefore};
use crate::isolate::{Journal, Worker};
use crate::outcome::Failure;
use crate::print;
use crate::progress::{self, Progress, ProgressCounters};
use crate::runner::{FailingCase, FinishedCase, NextCase, Observer, SearchStep};
use crate::settings::{Settings, Verbosity};
use crate::store::Store;
use crate::threads::lock;
use crate::trace;
use crate::verdict::{Counterexample, FoundBy, ParetoCase};

/// Stores failures, writes events, and reports the running case to the supervisor.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    worker: Option<Worker>,
    store: Arc<Store>,
    /// The failures found so far.
    failing: Arc<Mutex<Vec<FailingCase>>>,
    events: EventLog,
    /// The state of the progress line, if it is shown.
    progress: Option<Arc<ProgressCounters>>,
    /// The name of the property, if every case is printed.
    traced: Option<String>,
    /// The file of the run, in which each failure is before it is saved.
    journal: Option<Journal>,
    /// The seed of the run.
    seed: u64,
}

impl Recorder {
    pub(crate) fn new(store: &Arc<Store>, events: &EventLog) -> Recorder {
        Recorder {
            worker: None,
            store: Arc::clone(store),
            failing: Arc::default(),
            events: events.clone(),
            progress: None,
            traced: None,
            journal: None,
            seed: 0,
        }
    }

    /// Prints every case if the settings ask for it.
    pub(crate) fn tracing(mut self, property: &str, settings: &Settings) -> Recorder {
        self.traced = (settings.verbosity == Verbosity::Trace).then(|| property.to_owned());
        self
    }

    /// Writes new failures to the journal of the run.
    pub(crate) fn journaling(mut self, journal: Option<&Journal>) -> Recorder {
        self.journal = journal.cloned();
        self
    }

    /// Notes the seed of the run with each new failure.
    pub(crate) fn seeded(mut self, seed: u64) -> Recorder {
        self.seed = seed;
        self
    }

    /// Reports the progress of the run.
    pub(crate) fn showing(mut self, progress: Option<&Progress>) -> Recorder {
        self.progress = progress.map(Progress::counters);
        self
    }

    /// Takes the failures found so far, for the caller to report.
    pub(crate) fn take_failing(&self) -> Vec<FailingCase> {
        std::mem::take(&mut lock(&self.failing))
    }

    /// Sets the worker that reports each case to its supervisor.
    pub(crate) fn set_worker(&mut self, worker: Option<Worker>) {
        self.worker = worker;
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    pub(crate) fn events(&self) -> &EventLog {
        &self.events
    }

    /// Reports to the supervisor that no case is running. A slow disk is not a hang of the case.
    pub(crate) fn mark_idle(&self) {
        if let Some(worker) = &self.worker {
            worker.mark_idle();
        }
    }
}

impl Observer for Recorder {
    #[inline]
    fn case_started(&mut self, next: NextCase<'_>) {
        if let Some(running) = &self.progress {
            running.count_execution();
        }
        let Some(worker) = &self.worker else {
            // There is no supervisor to update the progress line.
            return progress::tick();
        };
        match next {
            NextCase::Random(number) => worker.begin_case(number),
            NextCase::Enumerated => worker.begin_enumerated(),
            NextCase::Example(nth) => worker.begin_example(nth),
            NextCase::Tape(tape, found_by) => worker.begin_tape(tape, found_by),
        }
    }

    fn case_over(&mut self) {
        self.mark_idle();
    }

    fn failure_updated(&mut self, failing: &FailingCase, is_minimal: bool) {
        let failure_key = failing.failure.key();
        let is_saved = !matches!(failing.found_by, FoundBy::Example(_)) && !is_minimal;
        let mut failures = lock(&self.failing);
        match failures.iter_mut().find(|known| known.failure.key() == failure_key) {
            Some(known) => *known = failing.clone(),
            None => {
                if let Some(journal) = self.journal.as_ref().filter(|_| is_saved) {
                    journal.append(&Store::unshrunk(failing));
                }
                if is_saved {
                    restart::note_found(
                        self.store.test(),
                        &FoundBefore {
                            failure: Store::unshrunk(failing).id,
                            seed: self.seed,
                            found_by: failing.found_by,
                        },
                    );
                }
                failures.push(failing.clone());
                self.events.failure_found(failing);
                if let Some(running) = &self.progress {
                    running.count_failure();
                }
            }
        }
        drop(failures);
        if is_saved {
            self.mark_idle();
            self.store.save(&failing.failure, &failing.tape, &[]);
        }
    }

    fn shrinking_started(&mut self) {
        if let Some(running) = &self.progress {
            running.begin_shrinking();
        }
    }

    fn failure_finished(&mut self, counterexample: &Counterexample) {
        if !matches!(counterexample.found_by, FoundBy::Example(_)) {
            self.mark_idle();
            self.store.save(&counterexample.failure, &counterexample.tape, &counterexample.values);
        }
    }

    fn front_updated(&mut self, front: &[ParetoCase]) {
        self.mark_idle();
        self.store.save_front(front);
    }

    fn score_reported(
        &mut self,
        found_by: FoundBy,
        reported: &[ObjectiveValue],
        step: Option<&SearchStep<'_>>,
    ) {
        self.events.score_reported(found_by, reported, step);
        if let Some(running) = &self.progress {
            running.update_bests(reported);
        }
    }

    #[inline]
    fn case_finished(&mut self, case: &FinishedCase<'_>) {
        self.events.case_finished(case);
        if let Some(running) = &self.progress {
            running.count_case(case.outcome);
        }
        if let Some(property) = &self.traced {
            print::line(&trace::line(property, case));
        }
    }

    fn stored_case_replayed(&mut self, stored: usize, failure: Option<&Failure>) {
        self.mark_idle();
        self.store.update_after_replay(stored, failure);
    }
}
