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
//! of the test finds it, saves the failures that the dead run had found, and runs the case that was
//! running in a child ([`explain_dead_runs`]). If that passes, someone may have ended the process
//! for another reason. If the journal does not say which case it was, or if it happens twice, the
//! next run is isolated from beginning to end.

use std::sync::Arc;
use std::time::Duration;

use rebut_choice::Tape;

use crate::case_log::ShownValue;
use crate::database::Database;
use crate::execute::{Execution, Executor, Input};
use crate::isolate::{
    ChildExecutor, ConfirmHang, DeadRun, EndLoss, Limits, LossCause, NO_CHILD, RunningCase, Target,
    WorkerLoss, restart, signal_name,
};
use crate::outcome::{Failure, FailureKind, Outcome};
use crate::recorder::Recorder;
use crate::runner::{self, FailingCase, Observer, Plan, STRATEGY};
use crate::settings::Settings;
use crate::store::Store;
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
    if plan.strategy.is_running() {
        return recover_in_strategy(loss.cause, target, plan, recorder);
    }
    let found_by = match &loss.running {
        RunningCase::Random(case) => FoundBy::Random(*case),
        RunningCase::Tape(_, found_by) => *found_by,
        RunningCase::Example(nth) => FoundBy::Example(*nth),
        RunningCase::Enumerated => FoundBy::Exhaustive,
        RunningCase::UnknownTape | RunningCase::Nothing => {
            return recover_between_cases(loss, target, plan, recorder);
        }
    };
    let mut child = child(target, &plan.settings);
    let mut execution = match loss.confirmed.clone() {
        Some(execution) => execution,
        None => execute_again(&loss.running, &mut child, plan, plan.seed),
    };
    let is_death = matches!(loss.cause, LossCause::Crash { .. } | LossCause::Exit);
    if is_death && matches!(execution.outcome, Outcome::Passed) {
        child.linger();
        execution = execute_again(&loss.running, &mut child, plan, plan.seed);
    }
    let mut failing = recorder.take_failing();
    if let Some(why) = child.start_error() {
        return unshrunk(loss, found_by, failing, why, plan.settings.deadline, show);
    }
    match execution.outcome {
        Outcome::Failed(failure) => {
            child.use_short_deadline(failure.kind == FailureKind::Hang);
            // It may be a known failure whose report killed the worker.
            let known = failing.iter().find(|one| one.failure.key() == failure.key());
            let found_by = known.map_or(found_by, |known| known.found_by);
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

/// Reports a strategy of the user that killed or blocked the worker. No case did, so nothing is saved
/// as a failure of the property, except for what was found before.
pub(crate) fn recover_in_strategy(
    cause: LossCause,
    target: Target,
    plan: &Plan,
    recorder: &mut Recorder,
) -> Verdict {
    let how = how_lost(cause, plan.settings.deadline);
    let failing = recorder.take_failing();
    if failing.is_empty() {
        return Verdict::Misuse(format!("{STRATEGY} {how}"));
    }
    let mut child = child(target, &plan.settings);
    let mut verdict = runner::finish_failures(failing, &mut child, &plan.settings, recorder);
    if let Verdict::Failed(counterexamples) | Verdict::Flaky(counterexamples) = &mut verdict {
        for counterexample in counterexamples {
            counterexample.notes.push(format!("then {STRATEGY} {how}"));
        }
    }
    verdict
}

/// Describes how a thread was lost, as the end of a sentence.
pub(crate) fn how_lost(cause: LossCause, deadline: Duration) -> String {
    let Failure { kind, message, .. } = lost_failure(cause, deadline);
    if message.is_empty() { kind.to_string() } else { format!("{kind}: {message}") }
}

/// Reports a thread that died while no case ran: an earlier case started it, and it is unknown
/// which one.
fn recover_between_cases(
    loss: &WorkerLoss,
    target: Target,
    plan: &Plan,
    recorder: &mut Recorder,
) -> Verdict {
    let failing = recorder.take_failing();
    if !failing.is_empty() {
        let mut child = child(target, &plan.settings);
        return runner::finish_failures(failing, &mut child, &plan.settings, recorder);
    }
    let failure = unreproduced_failure(loss, plan.settings.deadline);
    let failing = FailingCase { failure, tape: Tape::default(), found_by: FoundBy::Random(0) };
    let mut counterexample = Counterexample {
        rate: Some(FailureRate { failures: 0, runs: 1 }),
        ..runner::unfinished(failing)
    };
    counterexample
        .notes
        .push("a thread that outlived its case died, while no case was running".to_owned());
    Verdict::Flaky(vec![counterexample])
}

/// Adds the death of a worker that had returned its verdict to that verdict. A verdict that is
/// neither a success nor a failure of a case stays.
pub(crate) fn lost_at_end(verdict: Verdict, loss: &EndLoss) -> Verdict {
    if !verdict.is_success() && verdict.counterexamples().is_empty() {
        return verdict;
    }
    let (kind, message) = match loss.cause {
        LossCause::Crash { signal } | LossCause::Suspected { signal } => {
            let signal = signal_name(signal);
            let message = loss.panic.as_ref().map(|panic| format!("{signal}: {panic}"));
            (FailureKind::Abort, message.unwrap_or(signal))
        }
        LossCause::Hang => (FailureKind::Hang, format!("{:?}", loss.limit)),
        LossCause::Exit => (FailureKind::Exit, String::new()),
    };
    let found_by = match loss.last {
        RunningCase::Random(case) => FoundBy::Random(case),
        RunningCase::Example(nth) => FoundBy::Example(nth),
        RunningCase::Enumerated => FoundBy::Exhaustive,
        _ => FoundBy::Random(0),
    };
    let failure = Failure { kind, message, location: None };
    let failing = FailingCase { failure, tape: Tape::default(), found_by };
    let mut counterexample = runner::unfinished(failing);
    counterexample.notes.push(match loss.is_destructor {
        true => "the destructor of a thread-local value, after the last case".to_owned(),
        false => "a thread that outlived its case, after the last one".to_owned(),
    });
    let mut counterexamples = match verdict {
        Verdict::Failed(counterexamples) | Verdict::Flaky(counterexamples) => counterexamples,
        _ => Vec::new(),
    };
    counterexamples.push(counterexample);
    Verdict::Failed(counterexamples)
}

/// Runs the case of a lost worker again.
fn execute_again(
    running: &RunningCase,
    child: &mut ChildExecutor,
    plan: &Plan,
    seed: u64,
) -> Execution {
    match running {
        RunningCase::Random(case) => child.execute(&Input::Case { seed, case: *case }, false),
        RunningCase::Tape(tape, _) => {
            let execution = child.execute(&Input::Tape(tape.clone()), false);
            // It may have been a proposal of the search, with random parts.
            match execution.outcome {
                Outcome::Failed(_) => execution,
                _ => child.execute(&Input::Edited(tape.clone(), 0), false),
            }
        }
        RunningCase::Example(nth) => child.execute_example(*nth, false),
        RunningCase::Enumerated => {
            let failed = child.enumerate_until_failure(runner::inputs_max(&plan.settings));
            failed.unwrap_or_else(passed)
        }
        RunningCase::UnknownTape | RunningCase::Nothing => passed(),
    }
}

pub(crate) fn passed() -> Execution {
    Execution {
        outcome: Outcome::Passed,
        tape: Tape::default(),
        log: None,
        output: String::new(),
        reached: 0,
    }
}

/// Returns a function that runs a case which seems to hang in a child, where nothing but the case
/// makes it slow. If no child can be started, nothing contradicts the hang.
pub(crate) fn confirm_hang(target: Target, plan: &Arc<Plan>) -> ConfirmHang {
    let plan = Arc::clone(plan);
    Box::new(move |running| {
        let mut child = child(target.clone(), &plan.settings);
        let mut execution = execute_again(running, &mut child, &plan, plan.seed);
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
    lost_failure(loss.cause, deadline)
}

pub(crate) fn lost_failure(cause: LossCause, deadline: Duration) -> Failure {
    let (kind, message) = match cause {
        LossCause::Crash { signal } | LossCause::Suspected { signal } => {
            (FailureKind::Abort, signal_name(signal))
        }
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

/// Saves the failures that dead runs had found, unless they were saved already.
pub(crate) fn save_failures(database: &dyn Database, test: &str, dead_runs: &[DeadRun]) {
    if dead_runs.iter().all(|dead| dead.failures.is_empty()) {
        return;
    }
    let known = database.load(test);
    for failure in dead_runs.iter().flat_map(|dead| &dead.failures) {
        if known.iter().all(|case| case.id != failure.id) {
            // A failed write is among the warnings.
            let _ = database.save(test, failure);
        }
    }
}

/// Leaves dead runs with a failure that could not be saved to the next run: their files are the
/// only trace of it. They stay locked until this process ends.
pub(crate) fn keep_unsaved(dead_runs: &mut Vec<DeadRun>, store: &Store) {
    let is_saved = |dead: &DeadRun| dead.failures.iter().all(|failure| store.has(&failure.id));
    for unsaved in dead_runs.extract_if(.., |dead| !is_saved(dead)) {
        std::mem::forget(unsaved);
    }
}

/// The consequences of earlier runs whose process died.
#[derive(Debug, Default)]
pub(crate) struct DeadRuns {
    /// The verdict, if a case of them fails.
    pub(crate) verdict: Option<Verdict>,
    /// Whether to run all cases in children, because the cause is unknown and may appear again.
    pub(crate) isolates: bool,
    /// The number of runs in a row that died without a known cause.
    pub(crate) deaths: u64,
    pub(crate) warnings: Vec<String>,
}

/// Looks for the cases that killed earlier runs of a test. Removes the traces of these runs when it
/// is done.
pub(crate) fn explain_dead_runs(
    dead_runs: Vec<DeadRun>,
    property: &str,
    target: &Target,
    plan: &Plan,
    recorder: &mut Recorder,
) -> DeadRuns {
    let mut result = DeadRuns::default();
    // All dead runs are explained before the first failure is shrunk: this is the last chance of each.
    let mut failing = Vec::new();
    let mut has_hang = false;
    for dead in &dead_runs {
        // The tests started again, and this one was among those that had not finished.
        let was_replaced = restart::is_restarted() && dead.process == std::process::id();
        if dead.is_absolved || (was_replaced && dead.cause.is_none()) {
            continue;
        }
        // The last case of a run that had found failures is one of these, or was already run again.
        if dead.is_between_cases && !dead.failures.is_empty() {
            continue;
        }
        let mut child = child(target.clone(), &plan.settings);
        let mut execution = match &dead.running {
            // It was killed between cases, or while children ran the cases of a known failure.
            Some(RunningCase::Nothing) => continue,
            Some(running) => execute_again(running, &mut child, plan, dead.seed),
            None => search_dead_run(dead, &mut child, plan),
        };
        // A busy machine may make a case late. A run that was killed does not show that one hangs.
        if let (true, Some(running)) = (is_hang(&execution), &dead.running) {
            execution = execute_again(running, &mut child, plan, dead.seed);
        }
        if let Outcome::Failed(failure) = execution.outcome {
            has_hang |= failure.kind == FailureKind::Hang;
            // An example is not shrunk.
            let found_by = match dead.running {
                Some(RunningCase::Example(nth)) => FoundBy::Example(nth),
                _ => FoundBy::Journal,
            };
            let found = FailingCase { failure, tape: execution.tape, found_by };
            recorder.failure_updated(&found, false);
            failing.push(found);
            continue;
        }
        if dead.is_between_cases {
            continue;
        }
        let is_known = !matches!(dead.running, None | Some(RunningCase::UnknownTape));
        result.deaths = result.deaths.max(dead.deaths + 1);
        result.isolates |= !is_known || dead.cause.is_some() || dead.deaths > 0;
        result.warnings.push(unexplained(dead, property));
    }
    if !failing.is_empty() {
        let mut child = child(target.clone(), &plan.settings);
        child.use_short_deadline(has_hang);
        result.verdict =
            Some(runner::finish_failures(failing, &mut child, &plan.settings, recorder));
    }
    if result.isolates && result.verdict.is_none() {
        let last = result.warnings.last_mut();
        if let Some(warning) = last {
            warning.push_str("; now all cases run in a process of their own");
        }
    }
    result
}

fn is_hang(execution: &Execution) -> bool {
    matches!(&execution.outcome, Outcome::Failed(failure) if failure.kind == FailureKind::Hang)
}

/// Searches the cases of a dead run for one that fails: among the random cases, and among all
/// inputs, which it tried if there are few.
fn search_dead_run(dead: &DeadRun, child: &mut ChildExecutor, plan: &Plan) -> Execution {
    // The dead run may have been a long one, and someone waits for this one.
    let cases = dead.cases.min(plan.settings.cases_or_default().saturating_mul(SEARCHED));
    let random = child.run_until_failure(dead.seed, 0..cases).map(|(_, execution)| execution);
    let inputs_max = runner::inputs_max(&plan.settings);
    random.or_else(|| child.enumerate_until_failure(inputs_max)).unwrap_or_else(passed)
}

/// A search for the case that killed a run takes at most as long as this many runs. Arbitrary.
const SEARCHED: u64 = 4;

/// Returns the warning for a dead run of which no case fails.
fn unexplained(dead: &DeadRun, property: &str) -> String {
    let (seed, case) = (
        dead.seed,
        match &dead.running {
            Some(RunningCase::Random(case)) => format!(" in random case {case}"),
            Some(RunningCase::Example(nth)) => format!(" in example {}", nth + 1),
            Some(RunningCase::Enumerated) => " while it tried all inputs".to_owned(),
            _ => String::new(),
        },
    );
    let died = match dead.cause {
        Some(LossCause::Crash { signal } | LossCause::Suspected { signal }) => {
            format!("died from {}", signal_name(signal))
        }
        _ => "was killed".to_owned(),
    };
    format!("`{property}`: an earlier run {died}{case} (seed {seed}), but no case fails now")
}

#[cfg(test)]
mod mutations {
    use super::*;
    use crate::database;
    use crate::folder::scratch::Scratch;
    use crate::isolate::{Journal, JournalEntry};
    use rebut_protocol::variables::RESTART;
    use rebut_testkit::mutations::for_each;
    use std::fs;
    use std::path::{Path, PathBuf};

    const TEST: &str = "a::b";

    fn journals(home: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(home.join(".rebut/running")).expect("a folder");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        paths.filter(|path| path.file_name().is_some_and(|name| name != ".gitignore")).collect()
    }

    /// A journal with two failures.
    fn journal() -> Vec<u8> {
        let home = Scratch::new();
        let entry = JournalEntry { test: TEST, seed: 7, cases: 100, deaths: 1 };
        let journal = Journal::begin(home.text(), &entry, None).expect("a journal");
        journal.append(&database::sample("one"));
        journal.append(&database::sample("two\nlines"));
        fs::read(&journals(home.path())[0]).expect("a file")
    }

    #[test]
    fn damaged_journals_are_read_or_left_alone() {
        let whole = journal();
        let home = Scratch::new();
        let running = home.path().join(".rebut/running");
        fs::create_dir_all(&running).expect("a folder");
        let path = running.join("a__b-1-0");
        for_each("journal", &[&whole], &mut |bytes| {
            // A refused file stays locked until the process ends, so each is a new one.
            if path.exists() {
                fs::remove_file(&path).expect("a file");
            }
            fs::write(&path, bytes).expect("a file");
            let dead = DeadRun::find(home.text(), TEST).dead;
            assert!(dead.len() <= 1 && path.is_file());
            let is_read = !dead.is_empty();
            assert!(dead.iter().all(|one| one.failures.len() <= 400));
            drop(dead);
            // Only a run that was read is over.
            assert_eq!(path.is_file(), !is_read);
            is_read
        });
    }

    #[test]
    fn damaged_reports_of_another_process_are_read_or_ignored() {
        const NAME: &str =
            "recover::mutations::damaged_reports_of_another_process_are_read_or_ignored";
        const FILE: &str = "REBUT_RUN_KEPT_REPORT";
        let Some(path) = std::env::var_os(FILE) else {
            // Only a process that was started again reads such reports.
            let home = Scratch::new();
            let ended = std::process::Command::new(std::env::current_exe().expect("this binary"))
                .args([NAME, "--exact", "--nocapture"])
                .env(RESTART, format!("1 {}", home.text()))
                .env(FILE, home.path().join(crate::folder::hash(TEST)))
                .output()
                .expect("this binary starts");
            assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
            return;
        };
        let message = "the property failed: \u{e9}\nx";
        let text = format!("failed {}\n{message}error[R001]: `a::b` failed\n", message.len());
        for_each("kept report", &[text.as_bytes()], &mut |bytes| {
            fs::write(&path, bytes).expect("a file");
            let kept = restart::kept(TEST);
            assert!(Path::new(&path).is_file());
            kept.is_some_and(|kept| !crate::style::Style::Plain.shown(&kept.text).contains('\x1b'))
        });
    }
}
