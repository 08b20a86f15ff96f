//! The phases of a run: saved failures, the examples, the simplest case, then all inputs if there
//! are few, otherwise random cases. Then Rebut shrinks, explains and reports each distinct
//! failure.

mod finish;
mod own_strategy;
mod program_budget;
mod search;
mod statistics;

pub(crate) use finish::{finish_failures, unfinished};
pub(crate) use own_strategy::{NAME as STRATEGY, StrategyMark};
use program_budget::ProgramBudget;
pub(crate) use statistics::{count_case, most_first};

use std::time::{Duration, Instant};

use rebut_choice::{Tape, internal_assert};
use rebut_search::Objective;

use crate::Settings;
use crate::canary::{self, Invariant};
use crate::case_log::{CaseLog, ObjectiveValue};
use crate::claims::{ClaimCounts, ClaimSites};
use crate::execute::{Execution, Input, Process};
use crate::outcome::{Failure, FailureKind, Outcome};
use crate::panics;
use crate::settings::EventLevel;
use crate::verdict::{Counterexample, FoundBy, ParetoCase, Statistics, Verdict};

/// The case that the runner is about to run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NextCase<'a> {
    /// The random case with this number.
    Random(u64),
    /// The next case of the enumeration.
    Enumerated,
    /// The example with this index.
    Example(usize),
    /// A tape, and its origin.
    Tape(&'a Tape, FoundBy),
}

/// Receives the events of a run: stores failures, writes events, shows progress.
pub(crate) trait Observer {
    /// Called before each case.
    #[inline]
    fn case_started(&mut self, _next: NextCase<'_>) {}
    /// Called after a case that reported a score, with the reaction of the search if the search
    /// proposed it.
    fn score_reported(
        &mut self,
        _found_by: FoundBy,
        _objectives: &[ObjectiveValue],
        _step: Option<&SearchStep<'_>>,
    ) {
    }
    /// Called after each stored case, example, and generated case.
    #[inline]
    fn case_finished(&mut self, _case: &FinishedCase<'_>) {}
    /// Called when a failing case was found or made simpler. `is_minimal` is true for the
    /// final one.
    fn failure_updated(&mut self, _case: &FailingCase, _is_minimal: bool) {}
    /// Called after a case during shrinking and explaining. Time until the next one is Rebut's own.
    fn case_over(&mut self) {}
    /// Called before a failing case is shrunk.
    fn shrinking_started(&mut self) {}
    /// Called after a failure was shrunk and explained.
    fn failure_finished(&mut self, _counterexample: &Counterexample) {}
    /// Called at the end of a search, with the best cases.
    fn front_updated(&mut self, _front: &[ParetoCase]) {}
    /// Called after the stored case with this index was run. `failure` is `None` if it passed.
    fn stored_case_replayed(&mut self, _stored: usize, _failure: Option<&Failure>) {}
}

/// A finished case.
#[derive(Clone, Copy)]
pub(crate) struct FinishedCase<'a> {
    /// The origin of its choices.
    pub(crate) found_by: FoundBy,
    pub(crate) outcome: &'a Outcome,
    pub(crate) log: Option<&'a CaseLog>,
    /// Returns its choices, which are copied on demand.
    pub(crate) tape: &'a dyn Fn() -> Tape,
}

/// The reaction of a search to a case that it proposed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchStep<'a> {
    /// The objective for which the case was proposed.
    pub(crate) objective: &'a Objective,
    /// The temperature at which the case was proposed.
    pub(crate) temperature: f64,
    /// Whether the search continues from this case.
    pub(crate) accepted: bool,
}

/// The inputs and settings of a run.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) settings: Settings,
    pub(crate) seed: u64,
    /// The number of examples.
    pub(crate) examples: usize,
    /// The tapes of the inputs of a specification.
    pub(crate) inputs: Vec<Tape>,
    /// Whether to generate cases after the given ones.
    pub(crate) draws: bool,
    /// The tapes of earlier failures, and how they were found.
    pub(crate) stored: Vec<(Tape, FoundBy)>,
    /// The tapes with good scores in an earlier run.
    pub(crate) front: Vec<Tape>,
    /// The sites where the property checks something, if they are known.
    pub(crate) claims: Option<ClaimSites>,
    /// Whether a strategy of the user is running.
    pub(crate) strategy: StrategyMark,
}

impl Plan {
    /// Creates the plan of a run without examples, inputs or stored cases.
    pub(crate) fn new(settings: Settings, seed: u64) -> Plan {
        Plan {
            settings,
            seed,
            examples: 0,
            inputs: Vec::new(),
            draws: true,
            stored: Vec::new(),
            front: Vec::new(),
            claims: None,
            strategy: StrategyMark::default(),
        }
    }
}

impl Plan {
    /// Returns the counts of a run before its first case.
    fn no_statistics(&self) -> Statistics {
        Statistics { claims: self.claims.map(ClaimCounts::new), ..Statistics::default() }
    }

    /// Returns whether to log the values of each case.
    pub(crate) fn shows_values(&self) -> bool {
        self.settings.events == EventLevel::All
    }
}

/// A failing case before it is shrunk.
#[derive(Clone, Debug)]
pub(crate) struct FailingCase {
    pub(crate) failure: Failure,
    pub(crate) tape: Tape,
    pub(crate) found_by: FoundBy,
}

/// Why the phases ended early.
enum StopReason {
    /// There are enough failures, or the time is over.
    Enough,
    /// No further case can change this verdict.
    Verdict(Verdict),
}

/// Runs a property. An invariant that Rebut itself violates between cases, such as in a search,
/// ends the run with an internal error.
pub(crate) fn run(
    plan: &Plan,
    process: &mut dyn Process,
    observer: &mut dyn Observer,
) -> (Verdict, Statistics) {
    let result = panics::catch_stop(|| run_phases(plan, process, observer));
    result.unwrap_or_else(|verdict| (verdict, Statistics::default()))
}

fn run_phases(
    plan: &Plan,
    process: &mut dyn Process,
    observer: &mut dyn Observer,
) -> (Verdict, Statistics) {
    let mut run = Run {
        plan,
        process,
        observer,
        statistics: plan.no_statistics(),
        failing: Vec::new(),
        started: Instant::now(),
        inputs: None,
        first_failure: None,
        search: search::Search::new(
            plan.settings.search,
            plan.seed,
            plan.settings.cases_or_default(),
            plan.strategy.clone(),
        ),
    };
    let end = match panics::catch_stop(|| run.phases()) {
        Ok(end) => end,
        // A strategy failed. The failures that were found before are true.
        Err(verdict @ Verdict::Misuse(_)) => Err(StopReason::Verdict(verdict)),
        Err(verdict) => return (verdict, Statistics::default()),
    };
    run.run_best_cases();
    let Run { statistics, failing, inputs, .. } = run;
    let verdict = match end {
        _ if !failing.is_empty() => finish_failures(failing, process, &plan.settings, observer),
        Err(StopReason::Verdict(verdict)) => verdict,
        _ => statistics::judge(&statistics, inputs, plan),
    };
    (verdict, statistics)
}

struct Run<'a> {
    plan: &'a Plan,
    process: &'a mut dyn Process,
    observer: &'a mut dyn Observer,
    statistics: Statistics,
    failing: Vec<FailingCase>,
    started: Instant,
    /// The number of all inputs, once all were tried.
    inputs: Option<u64>,
    search: search::Search,
    /// The number of the case after the first failure, and the time.
    first_failure: Option<(u64, Instant)>,
}

/// Run this many random cases before deciding whether to try all inputs. The decision needs cases
/// that reach all generators of a property. Arbitrary. If they miss one, the enumeration notices
/// and stops, and the run continues with random cases.
const SAMPLES: u64 = 8;

impl Run<'_> {
    fn phases(&mut self) -> Result<(), StopReason> {
        if let Some(word) = &self.plan.settings.replay {
            return self.replay(word);
        }
        self.stored_cases()?;
        self.examples()?;
        self.inputs()?;
        self.saved_front()?;
        if self.plan.draws { self.generated_cases() } else { Ok(()) }
    }

    fn replay(&mut self, word: &str) -> Result<(), StopReason> {
        let tape = Tape::from_replay_string(word)
            .map_err(|error| StopReason::Verdict(Verdict::Misuse(format!("replay: {error}"))))?;
        let found_by = self.plan.settings.replay_from;
        self.observer.case_started(NextCase::Tape(&tape, found_by));
        let Execution { outcome, tape, log, .. } =
            self.process.execute(&Input::Tape(tape), self.plan.shows_values());
        self.search.suggest(log_for_search(&outcome, log.as_ref()), &tape);
        self.record_outcome(outcome, log, found_by, Some(tape))
    }

    fn stored_cases(&mut self) -> Result<(), StopReason> {
        for (nth, (tape, found_by)) in self.plan.stored.iter().enumerate() {
            self.observer.case_started(NextCase::Tape(tape, *found_by));
            let Execution { outcome, tape, log, .. } =
                self.process.execute(&Input::Tape(tape.clone()), self.plan.shows_values());
            let failure = match &outcome {
                Outcome::Failed(failure) => Some(failure.clone()),
                _ => None,
            };
            let recorded = self.record_outcome(outcome, log, *found_by, Some(tape));
            self.observer.stored_case_replayed(nth, failure.as_ref());
            recorded?;
        }
        Ok(())
    }

    /// Runs the cases with good scores from an earlier run; the search starts from them.
    fn saved_front(&mut self) -> Result<(), StopReason> {
        for tape in &self.plan.front {
            self.observer.case_started(NextCase::Tape(tape, FoundBy::Front));
            let Execution { outcome, tape, log, .. } =
                self.process.execute(&Input::Tape(tape.clone()), self.plan.shows_values());
            let valid_log = log_for_search(&outcome, log.as_ref());
            self.search.suggest(valid_log, &tape);
            let objectives = objectives_in(valid_log);
            if !objectives.is_empty() {
                self.observer.score_reported(FoundBy::Front, objectives, None);
            }
            self.record_outcome(outcome, log, FoundBy::Front, Some(tape))?;
        }
        Ok(())
    }

    fn examples(&mut self) -> Result<(), StopReason> {
        for nth in 0..self.plan.examples {
            self.observer.case_started(NextCase::Example(nth));
            let Execution { outcome, log, tape, .. } =
                self.process.execute_example(nth, self.plan.shows_values());
            self.record_outcome(outcome, log, FoundBy::Example(nth), Some(tape))?;
        }
        let has_failed =
            self.failing.iter().any(|case| matches!(case.found_by, FoundBy::Example(_)));
        if has_failed { Err(StopReason::Enough) } else { Ok(()) }
    }

    /// Runs the inputs of a specification. All of them run, because each differs from the others.
    fn inputs(&mut self) -> Result<(), StopReason> {
        for (nth, tape) in self.plan.inputs.iter().enumerate() {
            self.check_limits()?;
            self.observer.case_started(NextCase::Tape(tape, FoundBy::Input(nth)));
            let Execution { outcome, tape, log, .. } =
                self.process.execute(&Input::Tape(tape.clone()), self.plan.shows_values());
            self.record_outcome(outcome, log, FoundBy::Input(nth), Some(tape))?;
        }
        let has_failed = self.failing.iter().any(|case| matches!(case.found_by, FoundBy::Input(_)));
        if has_failed { Err(StopReason::Enough) } else { Ok(()) }
    }

    /// Runs the simplest case, then random ones, or all inputs if there are few.
    fn generated_cases(&mut self) -> Result<(), StopReason> {
        let wanted = self.plan.settings.cases_or_default();
        let budget = ProgramBudget::new(&self.plan.settings);
        let mut combinations = 1;
        let mut number = 0;
        let before = self.statistics.valid;
        // Rejected cases do not count. If there are too many, the limits end the run.
        while self.statistics.valid - before < wanted
            || statistics::is_undecided(&self.statistics, &self.plan.settings)
            || (self.has_unplanned_programs() && budget.has_more(self.statistics.valid - before))
        {
            self.check_limits()?;
            if self.has_searched_enough_after_failure(number) {
                return Err(StopReason::Enough);
            }
            let ((outcome, log), found_by) = match self.search.propose() {
                Some(tape) => {
                    let found_by = FoundBy::Search(number);
                    self.observer.case_started(NextCase::Tape(&tape, found_by));
                    (self.process.run_edited(tape), found_by)
                }
                None => {
                    self.observer.case_started(NextCase::Random(number));
                    (self.process.run_case(self.plan.seed, number), FoundBy::Random(number))
                }
            };
            let process = &self.process;
            let valid_log = log_for_search(&outcome, log.as_ref());
            let step = self.search.learn(valid_log, &mut || process.tape());
            let objectives = objectives_in(valid_log);
            if step.is_some() || !objectives.is_empty() {
                self.observer.score_reported(found_by, objectives, step.as_ref());
            }
            if number <= SAMPLES {
                combinations = combinations.max(self.process.combinations());
            }
            self.record_outcome(outcome, log, found_by, None)?;
            let sampled = number == SAMPLES || (number == 0 && combinations == 1);
            if sampled
                && combinations <= u128::from(inputs_max(&self.plan.settings))
                && self.enumerate_inputs()?
            {
                return Ok(());
            }
            number += 1;
        }
        self.statistics.is_time_up =
            self.has_unplanned_programs() && budget.is_time_up(self.statistics.valid - before);
        Ok(())
    }

    /// Returns whether the cases run generated programs. A search plans its steps for a number of
    /// cases, so a run with scores has no more than that.
    fn has_unplanned_programs(&self) -> bool {
        self.statistics.calls.programs > 0 && !self.search.has_objectives()
    }

    /// Returns whether to stop looking for further failures. After the first failure, the
    /// run continues for as many cases again plus 200, but at most for one second.
    fn has_searched_enough_after_failure(&mut self, number: u64) -> bool {
        // Product decisions: someone is waiting for the first failure.
        const CASES: u64 = 200;
        const TIME: Duration = Duration::from_secs(1);
        if self.failing.is_empty() {
            return false;
        }
        let (first, when) = *self.first_failure.get_or_insert((number, Instant::now()));
        number > 2 * first + CASES || when.elapsed() > TIME
    }

    /// Runs the cases with the best scores again to show their values.
    fn run_best_cases(&mut self) {
        let mut best_cases = self.search.best_cases();
        for best in best_cases.iter_mut().filter(|best| !best.value.is_nan()) {
            self.observer
                .case_started(NextCase::Tape(&best.tape, FoundBy::Search(self.statistics.valid)));
            let execution = self.process.execute(&Input::Tape(best.tape.clone()), true);
            best.values = execution.log.map(|log| log.values).unwrap_or_default();
        }
        self.statistics.best_cases = best_cases;
        self.statistics.front = self.search.front();
        // A replayed case does not represent the saved front.
        if !self.statistics.front.is_empty() && self.plan.settings.replay.is_none() {
            self.observer.front_updated(&self.statistics.front);
        }
    }

    /// Tries every input. Returns false if there turn out to be too many.
    fn enumerate_inputs(&mut self) -> Result<bool, StopReason> {
        let bound = inputs_max(&self.plan.settings);
        let sampled = std::mem::replace(&mut self.statistics, self.plan.no_statistics());
        let (mut inputs, begun) = (0, Instant::now());
        loop {
            self.check_limits()?;
            self.observer.case_started(NextCase::Enumerated);
            let Some((outcome, log)) = self.process.run_next_enumerated() else {
                if canary::breaks(Invariant::InputsCountedOnce) {
                    inputs += 1;
                }
                // Otherwise the proof would claim more inputs than were tried.
                internal_assert!(
                    self.statistics.valid + self.statistics.rejections() == inputs,
                    "{inputs} inputs were enumerated, but {:?} are counted",
                    self.statistics
                );
                // A rejected input does not count as an input.
                self.inputs = Some(self.statistics.valid);
                return Ok(true);
            };
            let process = &self.process;
            self.statistics.has_answers |= process.has_answers();
            let valid_log = log_for_search(&outcome, log.as_ref());
            self.search.observe(valid_log, &mut || process.tape());
            let objectives = objectives_in(valid_log);
            if !objectives.is_empty() {
                self.observer.score_reported(FoundBy::Exhaustive, objectives, None);
            }
            inputs += 1;
            self.record_outcome(outcome, log, FoundBy::Exhaustive, None)?;
            let too_many = inputs > bound
                || self.process.combinations() > u128::from(bound)
                || (inputs > ordinary_inputs_max(&self.plan.settings)
                    && begun.elapsed() > ENUMERATION_TIME_MAX);
            if too_many || self.statistics.too_large > 0 {
                self.statistics = sampled;
                return Ok(false);
            }
        }
    }

    fn check_limits(&mut self) -> Result<(), StopReason> {
        let settings = &self.plan.settings;
        if let Some(budget) = settings.time_budget
            && self.started.elapsed() > budget
        {
            return match statistics::too_slow(&self.statistics, budget) {
                Some(verdict) => Err(StopReason::Verdict(verdict)),
                None => Err(StopReason::Enough),
            };
        }
        if statistics::has_used_all_memory(&self.statistics, settings) {
            return Err(StopReason::Enough);
        }
        let verdict = statistics::too_many_rejected(&self.statistics, settings);
        verdict.map_or(Ok(()), |verdict| Err(StopReason::Verdict(verdict)))
    }

    /// Records an outcome. `tape` is `None` if it is the last tape of the process.
    fn record_outcome(
        &mut self,
        outcome: Outcome,
        log: Option<CaseLog>,
        found_by: FoundBy,
        tape: Option<Tape>,
    ) -> Result<(), StopReason> {
        let process = &self.process;
        let reached = process.reached();
        self.observer.case_finished(&FinishedCase {
            found_by,
            outcome: &outcome,
            log: log.as_ref(),
            tape: &|| tape.clone().unwrap_or_else(|| process.tape()),
        });
        match outcome {
            Outcome::Passed => statistics::count_valid(&mut self.statistics, log, reached),
            Outcome::Rejected(why) => statistics::count_rejected(&mut self.statistics, &why),
            Outcome::TooLarge => self.statistics.too_large += 1,
            Outcome::Misuse(what) => return Err(StopReason::Verdict(Verdict::Misuse(what))),
            Outcome::Internal(what) => {
                return Err(StopReason::Verdict(Verdict::InternalError(what)));
            }
            Outcome::Failed(failure) => {
                statistics::count_valid(&mut self.statistics, log, reached);
                let tape = tape.unwrap_or_else(|| self.process.tape());
                return self.record_failure(FailingCase { failure, tape, found_by });
            }
        }
        Ok(())
    }

    fn record_failure(&mut self, failing: FailingCase) -> Result<(), StopReason> {
        let failure_key = failing.failure.key();
        let kind = failing.failure.kind;
        if self.failing.iter().all(|known| known.failure.key() != failure_key) {
            self.observer.failure_updated(&failing, false);
            self.failing.push(failing);
        }
        // Each further hang would take its whole deadline, and one match is enough.
        let is_last = matches!(kind, FailureKind::Hang | FailureKind::Witness);
        let enough = self.failing.len() >= self.plan.settings.failures_max || is_last;
        if enough { Err(StopReason::Enough) } else { Ok(()) }
    }
}

/// Try all inputs if there are at most this many times as many as `cases`. A product decision: a
/// proof is worth a few more cases. Above the limit the inputs are random.
const EXHAUSTIVE_FACTOR: u64 = 4;

/// Returns the largest number of inputs to enumerate.
pub(crate) fn inputs_max(settings: &Settings) -> u64 {
    ordinary_inputs_max(settings).max(settings.inputs_max)
}

/// Returns the largest number of inputs to enumerate if no command asks for more.
fn ordinary_inputs_max(settings: &Settings) -> u64 {
    settings.cases_or_default().saturating_mul(EXHAUSTIVE_FACTOR)
}

/// The time after which an enumeration that a command asked for ends without a result. Arbitrary: a
/// person waits for it. The run continues with random cases, and the command has other means.
const ENUMERATION_TIME_MAX: Duration = Duration::from_secs(10);

/// Returns the log of a case for the search. A rejected case is not an input of the property: it
/// must neither be the best nor lead to similar cases.
fn log_for_search<'a>(outcome: &Outcome, log: Option<&'a CaseLog>) -> Option<&'a CaseLog> {
    log.filter(|_| matches!(outcome, Outcome::Passed | Outcome::Failed(_)))
}

/// Returns the scores in the log of a case.
fn objectives_in(valid_log: Option<&CaseLog>) -> &[ObjectiveValue] {
    valid_log.map(|log| log.objectives.as_slice()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use rebut_choice::Constants;
    use rebut_gen::integers;

    use super::*;
    use crate::Case;
    use crate::execute::InProcess;

    /// Records a search.
    #[derive(Debug, Default)]
    struct SearchRecorder {
        cases: Vec<u64>,
        accepted: usize,
    }

    impl Observer for SearchRecorder {
        fn score_reported(
            &mut self,
            found_by: FoundBy,
            objectives: &[ObjectiveValue],
            step: Option<&SearchStep<'_>>,
        ) {
            assert_eq!(objectives.len(), 1, "each case reports");
            let Some(step) = step else { return };
            assert_eq!(*step.objective, objectives[0].objective);
            assert!((0.0..=1.0).contains(&step.temperature), "{step:?}");
            let (FoundBy::Search(case) | FoundBy::Random(case)) = found_by else {
                panic!("{found_by:?}")
            };
            self.cases.push(case);
            self.accepted += usize::from(step.accepted);
        }
    }

    #[test]
    fn observers_receive_each_step_of_a_search() {
        let property = |case: &mut Case| {
            crate::minimize(case.draw(integers::<u64>().min_value(1_000_000)));
            None
        };
        let mut process = InProcess::new(&property, &[], Constants::default());
        let settings = Settings { cases: Some(300), ..Settings::default() };
        let plan = Plan::new(settings, 1);
        let mut recorder = SearchRecorder::default();
        let (verdict, _) = run(&plan, &mut process, &mut recorder);
        assert!(matches!(verdict, Verdict::Passed { cases: 300 }), "{verdict:?}");
        let steps = recorder.cases.len();
        assert!((250..300).contains(&steps), "most cases are steps of the search: {steps}");
        assert!(recorder.cases.is_sorted_by(|a, b| a < b));
        assert!((1..steps).contains(&recorder.accepted));
    }

    /// Records the objectives for which cases were tried.
    #[derive(Debug, Default)]
    struct ObjectiveLabels(Vec<String>);

    impl Observer for ObjectiveLabels {
        fn score_reported(
            &mut self,
            _: FoundBy,
            _: &[ObjectiveValue],
            step: Option<&SearchStep<'_>>,
        ) {
            self.0.extend(step.map(|step| step.objective.label.clone()));
        }
    }

    #[test]
    fn satisfied_objectives_leave_their_turns_to_others() {
        let property = |case: &mut Case| {
            let n = case.draw(integers::<u64>());
            crate::maximize_as("easy", n).needed(0);
            crate::maximize_as("hard", n).needed(u64::MAX);
            None
        };
        let mut process = InProcess::new(&property, &[], Constants::default());
        let settings = Settings { cases: Some(90), ..Settings::default() };
        let plan = Plan::new(settings, 1);
        let mut labels = ObjectiveLabels::default();
        run(&plan, &mut process, &mut labels);
        assert!(labels.0.len() > 30 && labels.0.iter().all(|label| label == "hard"), "{labels:?}");
    }
}
