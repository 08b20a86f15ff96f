//! Finishes failures: shrinks each failing case, confirms the result, and explains it.

use std::time::{Duration, Instant};

use rebut_choice::{Stop, Tape, internal_assert};

use super::{FailingCase, NextCase, Observer};
use crate::Settings;
use crate::canary::{self, Invariant};
use crate::case_log::{CaseLog, ShownValue};
use crate::execute::{Execution, Executor, Input};
use crate::explain;
use crate::outcome::{Failure, FailureKey, FailureKind, Outcome};
use crate::panics;
use crate::shrink::{Shrinker, Shrunk};
use crate::strings;
use crate::verdict::{Counterexample, FailureRate, FoundBy, Verdict};

/// Shrinks and explains each failing case. A violated invariant of Rebut is an internal error.
pub(crate) fn finish_failures(
    failing: Vec<FailingCase>,
    executor: &mut dyn Executor,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Verdict {
    let finish = || finish_queue(failing, executor, settings, observer);
    panics::catch_stop(finish).unwrap_or_else(|verdict| verdict)
}

#[inline(never)]
fn finish_queue(
    mut queue: Vec<FailingCase>,
    executor: &mut dyn Executor,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Verdict {
    let mut counterexamples: Vec<Counterexample> = Vec::new();
    while !queue.is_empty() && counterexamples.len() < settings.failures_max {
        let next = with_location(queue.remove(0), executor, observer);
        let failure_key = next.failure.key();
        if counterexamples.iter().any(|one| one.failure.key() == failure_key) {
            continue;
        }
        let (counterexample, others) = match next.found_by {
            FoundBy::Example(nth) => (finish_example(next, nth, executor), Vec::new()),
            _ => finish_failure(next, executor, settings, observer),
        };
        observer.failure_finished(&counterexample);
        counterexamples.push(counterexample);
        // A replay is about one failure.
        let is_replay = settings.replay.is_some();
        for (failure, tape) in others.into_iter().filter(|_| !is_replay) {
            let failure_key = failure.key();
            let known = queue.iter().any(|one| one.failure.key() == failure_key)
                || counterexamples.iter().any(|one| one.failure.key() == failure_key);
            if !known {
                let failing = FailingCase { failure, tape, found_by: FoundBy::Shrinking };
                observer.failure_updated(&failing, false);
                queue.push(failing);
            }
        }
    }
    if canary::breaks(Invariant::FailureHasCounterexample) {
        counterexamples.clear();
    }
    // Without one, the verdict would be a failure that nothing explains.
    internal_assert!(!counterexamples.is_empty(), "a failing run has no counterexample");
    if counterexamples.iter().all(|one| one.rate.is_some()) {
        Verdict::Flaky(counterexamples)
    } else {
        Verdict::Failed(counterexamples)
    }
}

/// Runs a panic without a location again. If the code under test had installed a hook of its own,
/// ours is in front of it now, and all further panics of this failure have a location.
fn with_location(
    mut failing: FailingCase,
    executor: &mut dyn Executor,
    observer: &mut dyn Observer,
) -> FailingCase {
    let Failure { kind, location, .. } = &failing.failure;
    let is_example = matches!(failing.found_by, FoundBy::Example(_));
    if *kind == FailureKind::Panic && location.is_none() && !is_example {
        observer.case_started(NextCase::Tape(&failing.tape, failing.found_by));
        let execution = executor.execute(&Input::Tape(failing.tape.clone()), false);
        if let Outcome::Failed(failure) = execution.outcome
            && failure.location.is_some()
        {
            failing.failure = failure;
        }
    }
    failing
}

/// Reports an example without shrinking it.
fn finish_example(failing: FailingCase, nth: usize, executor: &mut dyn Executor) -> Counterexample {
    let execution = executor.execute_example(nth, true);
    let mut counterexample = unfinished(failing);
    take_log(&mut counterexample, execution.log);
    counterexample.output = execution.output;
    counterexample
}

/// Creates a counterexample that has not been shrunk or explained.
pub(crate) fn unfinished(failing: FailingCase) -> Counterexample {
    Counterexample {
        failure: failing.failure,
        tape: failing.tape,
        found_by: failing.found_by,
        values: Vec::new(),
        notes: Vec::new(),
        styled_message: None,
        backtrace: String::new(),
        output: String::new(),
        types: Vec::new(),
        violation: None,
        free: Vec::new(),
        shrink_executions: 0,
        shrink_gave_up: false,
        shrink_timed_out: false,
        is_incomplete: false,
        passes_alone: false,
        rate: None,
    }
}

fn take_log(counterexample: &mut Counterexample, log: Option<CaseLog>) {
    if let Some(log) = log {
        counterexample.values = log.values;
        counterexample.notes = log.notes;
        counterexample.styled_message = log.styled_message;
        counterexample.backtrace = log.backtrace;
        counterexample.types = log.types;
        counterexample.violation = log.violation;
        if let Some(number) = log.failed_generator {
            counterexample.is_incomplete = true;
            let what =
                format!("the generator of value {number} failed, so the property did not run");
            counterexample.notes.push(what);
        }
    }
}

type Others = Vec<(Failure, Tape)>;

#[inline(never)]
fn finish_failure(
    failing: FailingCase,
    executor: &mut dyn Executor,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> (Counterexample, Others) {
    let failure_key = failing.failure.key();
    let given = values_before_shrinking(&failing, executor, observer);
    observer.shrinking_started();
    let shrinking_since = Instant::now();
    let mut shrunk = shrink(&failing, executor, settings, observer);
    let mut execution = execute_reporting(&shrunk.tape, executor, observer);
    // While Rebut shrinks a hang, cases do not get the whole deadline, so the result may only be
    // slow. The confirming run has raised the executor's time limit, so shrink again.
    for nth in 0..=HANGS_MAX {
        let is_only_slow = matches!(execution.outcome, Outcome::Passed);
        if failing.failure.kind != FailureKind::Hang || !is_only_slow {
            break;
        }
        if nth < HANGS_MAX {
            shrunk = shrink(&failing, executor, settings, observer);
        } else {
            shrunk.tape = failing.tape.clone();
        }
        execution = execute_reporting(&shrunk.tape, executor, observer);
    }
    let shrink_time = shrinking_since.elapsed();
    let unprintable =
        without_printing(&mut execution, &shrunk.tape, &failure_key, executor, observer);
    let found_by = failing.found_by;
    let mut counterexample =
        unfinished(FailingCase { failure: shrunk.failure, tape: shrunk.tape, found_by });
    counterexample.shrink_executions = shrunk.executions;
    counterexample.shrink_gave_up = shrunk.gave_up;
    counterexample.shrink_timed_out = shrunk.timed_out;
    take_log(&mut counterexample, execution.log);
    if let Some(how) = unprintable {
        counterexample.is_incomplete = true;
        counterexample
            .notes
            .push(format!("not all values can be shown: printing one of them {how}"));
    }
    counterexample.output = execution.output;
    if let Some(given) = given.filter(|given| *given != counterexample.values) {
        counterexample.notes.extend(notes_about_shrinking(&given));
    }
    match execution.outcome {
        Outcome::Failed(failure) if failure.key() == failure_key => {
            counterexample.failure = failure;
            if settings.explain && !counterexample.failure.kind.kills_process() {
                counterexample.rate = Some(failure_rate(
                    &counterexample.tape,
                    CONFIRMATIONS,
                    executor,
                    observer,
                    &failure_key,
                ))
                .filter(|rate| rate.failures < rate.runs);
            }
            if settings.explain && counterexample.rate.is_none() && !counterexample.is_incomplete {
                let mut executor = ObservedExecutor { executor, observer };
                let explanation = explain::free_parts(&counterexample, &mut executor, shrink_time);
                counterexample.free = explanation.free;
                // Code that asks `is_reporting()` keeps what it saw last.
                execute_reporting(&counterexample.tape, executor.executor, executor.observer);
                if let Some(why) = explanation.incomplete {
                    counterexample.notes.push(format!("marks may be missing: {why}"));
                }
            }
        }
        // An error of Rebut, such as a child that does not start, does not depend on the input.
        Outcome::Internal(what) => Stop::Internal(what).raise(),
        _ => {
            counterexample.rate = Some(failure_rate(
                &counterexample.tape,
                RATE_RUNS,
                executor,
                observer,
                &failure_key,
            ));
        }
    }
    let Counterexample { failure, tape, .. } = &counterexample;
    let minimal = FailingCase { failure: failure.clone(), tape: tape.clone(), found_by };
    observer.failure_updated(&minimal, true);
    (counterexample, shrunk.others)
}

/// Returns the values of an input before shrinking, if a specification generated it.
fn values_before_shrinking(
    failing: &FailingCase,
    executor: &mut dyn Executor,
    observer: &mut dyn Observer,
) -> Option<Vec<ShownValue>> {
    let FoundBy::Input(_) = failing.found_by else { return None };
    execute_reporting(&failing.tape, executor, observer).log.map(|log| log.values)
}

/// Notes the original values: shrinking does not know the specification, so the shrunk input may
/// not satisfy it.
fn notes_about_shrinking(given: &[ShownValue]) -> [String; 2] {
    let mut values = Vec::new();
    for value in given {
        values.push(format!("{} = {}", value.name, value.code));
    }
    [
        format!("before shrinking: {}", strings::joined(&values, ", ")),
        "shrinking knows only the types, so the input may not satisfy the specification".to_owned(),
    ]
}

/// Shrink a hang again at most this often if the result was only slow. Each time the short deadline
/// is longer. Arbitrary. At the limit the input is reported as it was found.
const HANGS_MAX: u32 = 3;

/// Shrinking ends after this time, even if few cases ran. A case that fills the memory, for example,
/// takes seconds. A product decision: 3 ms for each of the 20,000 executions of `shrink_max`.
const SHRINK_TIME_MAX: Duration = Duration::from_secs(60);

/// Runs the final tape to get its values and notes.
fn execute_reporting(
    tape: &Tape,
    executor: &mut dyn Executor,
    observer: &mut dyn Observer,
) -> Execution {
    observer.case_started(NextCase::Tape(tape, FoundBy::Shrinking));
    executor.execute(&Input::Tape(tape.clone()), true)
}

/// Runs the final tape again, without printing its values, if the code that prints them may have
/// killed the reporting run. If it fails as it should then, puts that outcome into the execution and
/// returns how printing failed.
fn without_printing(
    execution: &mut Execution,
    tape: &Tape,
    failure_key: &FailureKey,
    executor: &mut dyn Executor,
    observer: &mut dyn Observer,
) -> Option<String> {
    let Outcome::Failed(printing) = &execution.outcome else { return None };
    if printing.key() == *failure_key {
        return None;
    }
    observer.case_started(NextCase::Tape(tape, FoundBy::Shrinking));
    let again = executor.execute(&Input::Tape(tape.clone()), false);
    if !matches!(&again.outcome, Outcome::Failed(failure) if failure.key() == *failure_key) {
        return None;
    }
    let separator = if printing.message.is_empty() { "" } else { ": " };
    let how = format!("{}{separator}{}", printing.kind, printing.message);
    execution.outcome = again.outcome;
    Some(how)
}

fn shrink(
    failing: &FailingCase,
    executor: &mut dyn Executor,
    settings: &Settings,
    observer: &mut dyn Observer,
) -> Shrunk {
    let failure_key = failing.failure.key();
    let mut last_saved = Instant::now();
    let mut run = |tape: &Tape| {
        observer.case_started(NextCase::Tape(tape, FoundBy::Shrinking));
        let Execution { outcome, tape, .. } = executor.execute(&Input::Tape(tape.clone()), false);
        observer.case_over();
        if let Outcome::Failed(failure) = &outcome
            && failure.key() == failure_key
            && last_saved.elapsed() > SAVE_EVERY
        {
            let (failure, tape) = (failure.clone(), tape.clone());
            observer
                .failure_updated(&FailingCase { failure, tape, found_by: failing.found_by }, false);
            last_saved = Instant::now();
        }
        (outcome, tape)
    };
    let (tape, failure) = (failing.tape.clone(), failing.failure.clone());
    let mut shrinker = Shrinker::new(&mut run, tape, failure, settings.shrink_max);
    let since = Instant::now();
    shrinker.stop_when(move || since.elapsed() > SHRINK_TIME_MAX);
    if matches!(failing.found_by, FoundBy::Random(_) | FoundBy::Search(_)) {
        shrinker.mark_simplest_tried();
    }
    if matches!(failing.found_by, FoundBy::Database | FoundBy::Replay) {
        shrinker.mark_reduced();
    }
    shrinker.shrink()
}

/// An executor that announces every case to an observer.
struct ObservedExecutor<'a> {
    executor: &'a mut dyn Executor,
    observer: &'a mut dyn Observer,
}

impl Executor for ObservedExecutor<'_> {
    fn execute(&mut self, input: &Input, reporting: bool) -> Execution {
        if let Input::Tape(tape) = input {
            self.observer.case_started(NextCase::Tape(tape, FoundBy::Shrinking));
        }
        let execution = self.executor.execute(input, reporting);
        self.observer.case_over();
        execution
    }

    fn execute_example(&mut self, nth: usize, reporting: bool) -> Execution {
        self.observer.case_started(NextCase::Example(nth));
        let execution = self.executor.execute_example(nth, reporting);
        self.observer.case_over();
        execution
    }
}

/// The minimum time between two writes of the best tape while it is being shrunk. A kill loses at
/// most this much work. Arbitrary.
const SAVE_EVERY: Duration = Duration::from_millis(200);

/// The number of reruns that measure the failure rate of a flaky input. A product decision: enough
/// for the report to distinguish rare from frequent.
const RATE_RUNS: u32 = 20;

/// The number of reruns of the minimal input that detect a flaky property. An input that fails with
/// probability p is called stable with probability p^5: 3 % for p = 0.5, 59 % for p = 0.9. A
/// product decision: more reruns delay every report.
const CONFIRMATIONS: u32 = 5;

fn failure_rate(
    tape: &Tape,
    runs: u32,
    executor: &mut dyn Executor,
    observer: &mut dyn Observer,
    failure_key: &FailureKey,
) -> FailureRate {
    let failed = (0..runs).filter(|_| {
        observer.case_started(NextCase::Tape(tape, FoundBy::Shrinking));
        let execution = executor.execute(&Input::Tape(tape.clone()), false);
        matches!(&execution.outcome, Outcome::Failed(f) if f.key() == *failure_key)
    });
    FailureRate { failures: failed.count() as u32, runs }
}

#[cfg(test)]
mod tests {
    use rebut_choice::Constants;
    use rebut_gen::integers;

    use super::*;
    use crate::Case;
    use crate::execute::{InProcess, Process as _};

    /// Fails with every input, but cannot report one.
    struct BrokenExecutor;

    impl Executor for BrokenExecutor {
        fn execute(&mut self, input: &Input, reporting: bool) -> Execution {
            let Input::Tape(tape) = input else { panic!("{input:?}") };
            let outcome = if reporting {
                Outcome::Internal("no child starts".to_owned())
            } else {
                Outcome::Failed(failure())
            };
            Execution { outcome, tape: tape.clone(), log: None, output: String::new(), reached: 0 }
        }

        fn execute_example(&mut self, nth: usize, _reporting: bool) -> Execution {
            panic!("example {nth}")
        }
    }

    fn failure() -> Failure {
        let message = "returned false".to_owned();
        Failure { kind: FailureKind::WrongResult, message, location: None }
    }

    struct Silent;

    impl Observer for Silent {}

    #[test]
    fn a_replay_reports_one_failure() {
        let property = |case: &mut Case| {
            let n = case.draw(integers::<u16>());
            assert!(n < 1000, "large");
            assert!(n < 4, "small");
            None
        };
        let failures = |replay: Option<&str>| {
            let mut process = InProcess::new(&property, &[], Constants::default());
            let settings = Settings { replay: replay.map(str::to_owned), ..Settings::default() };
            let mut cases = 1..;
            let failure = loop {
                let outcome = process.run_case(1, cases.next().expect("a number")).0;
                if let Outcome::Failed(failure) = outcome
                    && failure.message.contains("large")
                {
                    break failure;
                }
            };
            let failing = FailingCase { failure, tape: process.tape(), found_by: FoundBy::Replay };
            finish_failures(vec![failing], &mut process, &settings, &mut Silent)
        };
        let found = |verdict: Verdict| verdict.counterexamples().len();
        assert_eq!(found(failures(None)), 2, "shrinking meets the other failure");
        assert_eq!(found(failures(Some("r1.AA"))), 1);
    }

    #[test]
    fn internal_errors_of_the_confirming_run_are_not_flaky_failures() {
        let tape = Tape::from_text("i7").expect("a valid tape");
        let failing = FailingCase { failure: failure(), tape, found_by: FoundBy::Random(1) };
        let settings = Settings::default();
        let verdict = finish_failures(vec![failing], &mut BrokenExecutor, &settings, &mut Silent);
        let Verdict::InternalError(what) = verdict else { panic!("{verdict:?}") };
        assert_eq!(what, "no child starts");
    }
}
