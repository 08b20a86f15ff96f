//! Recovers from cases that kill or block their worker.
//!
//! Cases run in the test process, on a worker thread that the thread of the test harness
//! supervises. A signal parks the worker forever, a hang makes the supervisor abandon it, and an
//! `exit` waits for the report. In each case the supervisor knows which case was running.
//!
//! [`recover`] starts the test binary once more, for this test only, and runs that case there. The
//! child sends each token of its tape before the case sees it, so the tape up to the crash is known
//! when the child dies. Shrinking then continues as usual, with a child in place of the worker. A
//! new child is started only after one has died. Hangs are shrunk with a shorter deadline, which
//! depends on the slowest case that ended; the final case gets the full deadline.
//!
//! If the whole process was killed, its [journal](crate::isolate::Journal) remains. The next run
//! of the test finds it, and [`explain_dead_runs`] runs the cases of the dead run in a child until
//! one dies. If none dies, an example, a saved case or a step of a search killed the process, and
//! the next run is isolated from beginning to end.

use rebut_choice::Tape;

use crate::execute::{Execution, Executor, Input};
use crate::isolate::{ChildExecutor, DeadRun, Limits, LossCause, RunningCase, Target, WorkerLoss};
use crate::outcome::{Failure, FailureKind, Outcome};
use crate::recorder::Recorder;
use crate::runner::{self, FailingCase, Observer, Plan};
use crate::settings::Settings;
use crate::verdict::{Counterexample, FailureRate, FoundBy, Verdict};

/// Creates an executor that runs cases in children, within the limits of the settings.
pub(crate) fn child(target: Target, settings: &Settings) -> ChildExecutor {
    let limits = Limits { deadline: settings.deadline, memory_max: settings.memory_max };
    ChildExecutor::new(target, limits)
}

/// Finds the failure of a lost worker in child processes, and reports it with all failures that
/// the worker had found before.
#[inline(never)]
pub(crate) fn recover(
    loss: &WorkerLoss,
    target: Target,
    plan: &Plan,
    recorder: &mut Recorder,
) -> Verdict {
    recorder.set_worker(None);
    let mut child = child(target, &plan.settings);
    let (execution, found_by) = match &loss.running {
        RunningCase::Random(case) => {
            let input = Input::Case { seed: plan.seed, case: *case };
            (child.execute(&input, false), FoundBy::Random(*case))
        }
        RunningCase::Tape(tape, found_by) => {
            let execution = child.execute(&Input::Tape(tape.clone()), false);
            // It may have been a proposal of the search, with random parts.
            let execution = match execution.outcome {
                Outcome::Failed(_) => execution,
                _ => child.execute(&Input::Edited(tape.clone()), false),
            };
            (execution, *found_by)
        }
        RunningCase::Example(nth) => (child.execute_example(*nth, false), FoundBy::Example(*nth)),
        RunningCase::Enumerated => {
            let failed = child.enumerate_until_failure(runner::inputs_max(&plan.settings));
            let passed = || Execution {
                outcome: Outcome::Passed,
                tape: Tape::default(),
                log: None,
                output: String::new(),
            };
            (failed.unwrap_or_else(passed), FoundBy::Exhaustive)
        }
        RunningCase::Nothing => {
            return Verdict::InternalError(format!(
                "the worker was lost between cases: {:?}",
                loss.cause
            ));
        }
    };
    let mut failing = recorder.take_failing();
    match execution.outcome {
        Outcome::Failed(failure) => {
            child.use_short_deadline(failure.kind == FailureKind::Hang);
            let killer = FailingCase { failure, tape: execution.tape, found_by };
            recorder.failure_updated(&killer, false);
            failing.insert(0, killer);
        }
        Outcome::Internal(what) => return Verdict::InternalError(what),
        _ if failing.is_empty() => {
            let failure = unreproduced_failure(loss);
            let failing = FailingCase { failure, tape: execution.tape, found_by };
            return Verdict::Flaky(vec![Counterexample {
                rate: Some(FailureRate { failures: 0, runs: 1 }),
                ..runner::unfinished(failing)
            }]);
        }
        _ => {}
    }
    runner::finish_failures(failing, &mut child, &plan.settings, recorder)
}

/// Returns the failure to report for a crash that does not reproduce.
fn unreproduced_failure(loss: &WorkerLoss) -> Failure {
    let (kind, message) = match loss.cause {
        LossCause::Crash { signal } => {
            (FailureKind::Abort, format!("it died from signal {signal}"))
        }
        LossCause::Hang => (FailureKind::Hang, String::new()),
        LossCause::Exit => (FailureKind::Exit, String::new()),
    };
    Failure { kind, message, location: None }
}

/// Reruns counterexamples in a process of their own. A case that fails only because of earlier
/// cases on this thread is not a failure of its input.
pub(crate) fn confirm_in_child(verdict: Verdict, target: Target, settings: &Settings) -> Verdict {
    let Verdict::Failed(mut counterexamples) = verdict else { return verdict };
    let mut child = child(target, settings);
    for counterexample in &mut counterexamples {
        if matches!(counterexample.found_by, FoundBy::Example(_)) || counterexample.rate.is_some() {
            continue;
        }
        let execution = child.execute(&Input::Tape(counterexample.tape.clone()), false);
        if matches!(execution.outcome, Outcome::Passed | Outcome::Rejected(_)) {
            counterexample.rate = Some(FailureRate { failures: 0, runs: 1 });
        }
    }
    if counterexamples.iter().all(|counterexample| counterexample.rate.is_some()) {
        Verdict::Flaky(counterexamples)
    } else {
        Verdict::Failed(counterexamples)
    }
}

/// The result for earlier runs whose process died.
pub(crate) enum DeadRuns {
    /// There are none.
    None,
    /// A case kills the process.
    Explained(Verdict),
    /// No case that was tried kills the process. The cause was an example, a stored case, a step
    /// of a search, or something outside of the test.
    Unexplained,
}

/// Looks for the case that killed earlier runs of a test: among the random cases that they ran,
/// and among all inputs, which they tried if there are few. `key` is the key of the test.
pub(crate) fn explain_dead_runs(
    manifest_dir: &str,
    key: &str,
    target: &Target,
    plan: &Plan,
    recorder: &mut Recorder,
) -> DeadRuns {
    let mut result = DeadRuns::None;
    for dead in DeadRun::find(manifest_dir, key) {
        if matches!(result, DeadRuns::Explained(_)) {
            continue;
        }
        let mut child = child(target.clone(), &plan.settings);
        let random =
            child.run_until_failure(dead.seed, 0..dead.cases).map(|(_, execution)| execution);
        let failed =
            random.or_else(|| child.enumerate_until_failure(runner::inputs_max(&plan.settings)));
        let verdict = failed.and_then(|execution| {
            let Outcome::Failed(failure) = execution.outcome else { return None };
            if !failure.kind.kills_process() {
                return None;
            }
            child.use_short_deadline(failure.kind == FailureKind::Hang);
            let failing = FailingCase { failure, tape: execution.tape, found_by: FoundBy::Journal };
            recorder.failure_updated(&failing, false);
            Some(runner::finish_failures(vec![failing], &mut child, &plan.settings, recorder))
        });
        result = verdict.map_or(DeadRuns::Unexplained, DeadRuns::Explained);
    }
    result
}
