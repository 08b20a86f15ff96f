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

use std::sync::Arc;
use std::time::Duration;

use rebut_choice::Tape;

use crate::case_log::ShownValue;
use crate::execute::{Execution, Executor, Input};
use crate::isolate::{
    ChildExecutor, ConfirmHang, DeadRun, Limits, LossCause, NO_CHILD, RunningCase, Target,
    WorkerLoss, signal_name,
};
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
    show: &ShowCase<'_>,
) -> Verdict {
    recorder.set_worker(None);
    let found_by = match &loss.running {
        RunningCase::Random(case) => FoundBy::Random(*case),
        RunningCase::Tape(_, found_by) => *found_by,
        RunningCase::Example(nth) => FoundBy::Example(*nth),
        RunningCase::Enumerated => FoundBy::Exhaustive,
        RunningCase::Nothing => {
            return Verdict::InternalError(format!(
                "the worker was lost between cases: {:?}",
                loss.cause
            ));
        }
    };
    let mut child = child(target, &plan.settings);
    let execution = match loss.confirmed.clone() {
        Some(execution) => execution,
        None => execute_again(&loss.running, &mut child, plan),
    };
    let mut failing = recorder.take_failing();
    if let Some(why) = child.start_error() {
        return unshrunk(loss, found_by, failing, why, plan.settings.deadline, show);
    }
    match execution.outcome {
        Outcome::Failed(failure) => {
            child.use_short_deadline(failure.kind == FailureKind::Hang);
            let killer = FailingCase { failure, tape: execution.tape, found_by };
            recorder.failure_updated(&killer, false);
            failing.insert(0, killer);
        }
        Outcome::Internal(what) => return Verdict::InternalError(what),
        Outcome::Misuse(what) => return Verdict::Misuse(what),
        Outcome::Rejected(why) if cfg!(panic = "abort") => {
            return Verdict::Misuse(format!(
                "`{why}` rejects an input, which ends a program that is built with `panic = \"abort\"`\n\
                 help: build it with `panic = \"unwind\"`, or generate only inputs that are not rejected"
            ));
        }
        _ if failing.is_empty() => {
            let failure = unreproduced_failure(loss, plan.settings.deadline);
            let failing = FailingCase { failure, tape: execution.tape, found_by };
            return Verdict::Flaky(vec![Counterexample {
                rate: Some(FailureRate { failures: 0, runs: 1 }),
                ..runner::unfinished(failing)
            }]);
        }
        _ => {}
    }
    let given = failing.clone();
    let verdict = runner::finish_failures(failing, &mut child, &plan.settings, recorder);
    match (&verdict, child.start_error()) {
        (Verdict::InternalError(_), Some(why)) => {
            unshrunk(loss, found_by, given, why, plan.settings.deadline, show)
        }
        _ => verdict,
    }
}

/// Runs the case of a lost worker again.
fn execute_again(running: &RunningCase, child: &mut ChildExecutor, plan: &Plan) -> Execution {
    let passed = || Execution {
        outcome: Outcome::Passed,
        tape: Tape::default(),
        log: None,
        output: String::new(),
    };
    match running {
        RunningCase::Random(case) => {
            child.execute(&Input::Case { seed: plan.seed, case: *case }, false)
        }
        RunningCase::Tape(tape, _) => {
            let execution = child.execute(&Input::Tape(tape.clone()), false);
            // It may have been a proposal of the search, with random parts.
            match execution.outcome {
                Outcome::Failed(_) => execution,
                _ => child.execute(&Input::Edited(tape.clone()), false),
            }
        }
        RunningCase::Example(nth) => child.execute_example(*nth, false),
        RunningCase::Enumerated => {
            let failed = child.enumerate_until_failure(runner::inputs_max(&plan.settings));
            failed.unwrap_or_else(passed)
        }
        RunningCase::Nothing => passed(),
    }
}

/// Returns a function that runs a case which seems to hang in a child, where nothing but the case
/// makes it slow. If no child can be started, nothing contradicts the hang.
pub(crate) fn confirm_hang(target: Target, plan: &Arc<Plan>) -> ConfirmHang {
    let plan = Arc::clone(plan);
    Box::new(move |running| {
        let mut child = child(target.clone(), &plan.settings);
        let mut execution = execute_again(running, &mut child, &plan);
        if child.start_error().is_some() {
            let (kind, message) = (FailureKind::Hang, format!("{:?}", plan.settings.deadline));
            execution.outcome = Outcome::Failed(Failure { kind, message, location: None });
        }
        let is_hang =
            matches!(&execution.outcome, Outcome::Failed(f) if f.kind == FailureKind::Hang);
        is_hang.then_some(execution)
    })
}

/// Generates the input of a case in this process, without running the property. Returns the tape
/// and the values, if it can.
pub(crate) type ShowCase<'a> = dyn Fn(&RunningCase) -> Option<(Tape, Vec<ShownValue>)> + 'a;

/// Reports failures that no child can shrink or confirm.
#[inline(never)]
fn unshrunk(
    loss: &WorkerLoss,
    found_by: FoundBy,
    failing: Vec<FailingCase>,
    why: &str,
    deadline: Duration,
    show: &ShowCase<'_>,
) -> Verdict {
    let lost = unreproduced_failure(loss, deadline);
    let mut killer = FailingCase { failure: lost, tape: Tape::default(), found_by };
    let mut values = Vec::new();
    if let Some((tape, shown)) = show(&loss.running) {
        (killer.tape, values) = (tape, shown);
    }
    let mut counterexamples = vec![Counterexample { values, ..runner::unfinished(killer) }];
    for one in failing {
        if !one.failure.kind.kills_process() {
            counterexamples.push(runner::unfinished(one));
        }
    }
    for counterexample in &mut counterexamples {
        counterexample.notes.push(format!("not shrunk: {NO_CHILD}: {}", why.trim()));
    }
    Verdict::Failed(counterexamples)
}

/// Returns the failure to report for a crash that does not reproduce.
fn unreproduced_failure(loss: &WorkerLoss, deadline: Duration) -> Failure {
    let (kind, message) = match loss.cause {
        LossCause::Crash { signal } => (FailureKind::Abort, signal_name(signal)),
        LossCause::Hang => (FailureKind::Hang, format!("{deadline:?}")),
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
            counterexample.passes_alone = true;
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
