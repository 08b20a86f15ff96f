//! Runs a `#[rebut::test]` from beginning to end: settings, saved failures, the run on a
//! supervised worker, recovery if the worker is lost, the report.

use std::collections::BTreeMap;
use std::path::{MAIN_SEPARATOR, Path};
use std::sync::{Arc, Mutex};

use rebut_choice::{AnyDriver, Constants, Fallback, Replay, Tape};

use crate::case_log::{CaseLog, ObjectiveValue, ShownValue};
use crate::claim::Claim;
use crate::emit;
use crate::events::{EventLog, PropertyInfo};
use crate::execute::{self, Body, Execution, Executor, InProcess, Input, Process, bodies};
use crate::folder;
use crate::fresh_seed;
use crate::inputs;
use crate::isolate::{
    self, ChildExecutor, DeadRun, Journal, Limits, LossCause, ProcessRole, RunningCase, Supervised,
    Target, Worker, WorkerLoss,
};
use crate::outcome::{Failure, FailureKind, Location, Outcome};
use crate::print;
use crate::progress::{self, Progress, ProgressCounters};
use crate::property::{Test, mined};
use crate::runner::{self, FailingCase, FinishedCase, NextCase, Observer, Plan, SearchStep};
use crate::settings::{Isolation, Settings, Verbosity};
use crate::store::Store;
use crate::strings;
use crate::threads::lock;
use crate::trace;
use crate::verdict::{Counterexample, FoundBy, ParetoCase, Report, Statistics, Verdict};
use crate::wasm_guest;

/// Runs a test. Fails it as a test harness expects if the property fails.
pub fn run_test(test: &Test) {
    if wasm_guest::IS_EXPLORED {
        return wasm_guest::run(test);
    }
    match isolate::role_for(test.path) {
        ProcessRole::StandBy => return,
        ProcessRole::Serve => isolate::serve_test(test),
        ProcessRole::Run => {}
    }
    let (settings, report) = report(test);
    conclude(&report, &settings);
}

/// Prints warnings and the report, and fails the test if the property failed.
pub(crate) fn conclude(report: &Report, settings: &Settings) {
    if settings.verbosity > Verbosity::Quiet {
        for warning in &report.warnings {
            print::warning(warning);
        }
    }
    if !report.verdict.is_success() {
        print::failure(report);
    }
    let is_found = report.verdict.witness().is_some();
    if settings.replay.is_some() && !is_found {
        print::uncaptured(&format!(
            "{}: replayed: the case passes{}",
            report.property,
            report.summary()
        ));
    } else if settings.verbosity >= Verbosity::Verbose
        // Here the matching input or the best score is the result.
        || (settings.verbosity == Verbosity::Normal
            && (is_found || !report.statistics.best_cases.is_empty()))
    {
        print::report(report);
    }
}

/// Runs a test and returns its report.
#[inline(never)]
fn report(test: &Test) -> (Settings, Report) {
    let Test { path, file, line, column, target, .. } = *test;
    let location = Location { file: file.to_owned(), line, column };
    let mut report = empty_report(path, location, &target.selection(path, file));
    report.claim = test.claim;
    let manifest_dir = test.target.running_manifest_dir();
    let settings = match Settings::load(&manifest_dir, test.path, test.configure) {
        Ok((settings, _)) if settings.failures_max == 0 || settings.deadline.is_zero() => {
            let what = "`failures` and `deadline` must not be 0; remove them to use the defaults";
            report.verdict = Verdict::Misuse(what.to_owned());
            return (Settings::default(), report);
        }
        Ok((mut settings, warnings)) => {
            report.warnings = warnings;
            if let (Claim::Exists | Claim::NotExists, Some(steps)) = (test.claim, settings.steps) {
                settings.cases = steps;
            }
            settings
        }
        Err(error) => {
            report.verdict = Verdict::Misuse(error.to_string());
            return (Settings::default(), report);
        }
    };
    let seed = settings.seed.unwrap_or_else(fresh_seed);
    let store = Arc::new(Store::open(&manifest_dir, &test.key(), settings.database));
    let mut plan = Plan {
        examples: test.examples.len(),
        stored: store.tapes(),
        front: store.front(),
        ..Plan::new(settings.clone(), seed)
    };
    if let Some(inputs) = &test.inputs {
        report.specification = Some(inputs.spec.to_owned());
        plan.draws = inputs.random;
        match inputs::tapes(&folder::current_manifest_dir(&manifest_dir), inputs, &test.run) {
            Ok(tapes) => plan.inputs = tapes,
            Err(what) => {
                report.verdict = Verdict::Misuse(what);
                return (settings, report);
            }
        }
    }
    let subject = PropertyInfo {
        path: test.path,
        location: &report.location.line_of_file(),
        package: test.target.package.to_owned(),
        target: test.target.name(test.path, test.file),
        manifest_dir: manifest_dir.clone(),
    };
    let log = EventLog::new(&subject, seed, &settings);
    let progress = Progress::begin(test.path, &settings);
    let session = Session {
        test: *test,
        manifest_dir,
        plan,
        store: Arc::clone(&store),
        log: log.clone(),
        progress,
    };
    let exits;
    (report.verdict, report.statistics, exits) = session.run();
    report.verdict = test.claim.judge(report.verdict);
    report.seed = seed;
    let root = folder::workspace_root(target.manifest_dir, file);
    let counterexamples = report.verdict.counterexamples();
    match emit::write(test, counterexamples) {
        Ok(Some(path)) => {
            let path = folder::display_path(&path, root.as_deref());
            let written = counterexamples.iter().filter(|one| emit::can_be_emitted(test, one));
            for one in written {
                report.emitted.insert(one.tape.to_replay_string(), path.clone());
            }
        }
        Ok(None) => {}
        Err(warning) => report.warnings.push(warning),
    }
    note_saved(&mut report, &store, root.as_deref());
    report.warnings.extend(store.warnings());
    report.warnings.extend(log.end(&report));
    if exits {
        // The process is exiting. Only what is written now is read.
        print::uncaptured_report(&report);
        isolate::end_process(101);
    }
    (settings, report)
}

/// Adds the directories of saved failures to a report.
fn note_saved(report: &mut Report, store: &Store, root: Option<&Path>) {
    let counterexamples = report.verdict.counterexamples().iter().chain(report.verdict.witness());
    for counterexample in counterexamples.filter(|one| !matches!(one.found_by, FoundBy::Example(_)))
    {
        if let Some(folder) = store.folder(&counterexample.failure) {
            let shown = format!("{}{MAIN_SEPARATOR}", folder::display_path(&folder, root));
            report.saved.insert(counterexample.tape.to_replay_string(), shown);
        }
    }
}

/// Creates an empty report. `selection` contains the flags that make cargo build only the test's
/// target.
fn empty_report(path: &str, location: Location, selection: &str) -> Report {
    let space = if selection.is_empty() { "" } else { " " };
    Report {
        property: path.to_owned(),
        location,
        verdict: Verdict::Passed { cases: 0 },
        statistics: Statistics::default(),
        claim: Claim::ForAll,
        seed: 0,
        warnings: Vec::new(),
        command: Some(format!("cargo test {selection}{space}{} -- --exact", test_name(path))),
        emitted: BTreeMap::new(),
        saved: BTreeMap::new(),
        specification: None,
    }
}

/// Returns the name of a test on the command line of its harness.
pub(crate) fn test_name(path: &str) -> &str {
    match strings::split_once(path, "@") {
        Some((test, _place)) => test,
        None => strings::split_once(path, "::").map_or(path, |(_crate, test)| test),
    }
}

/// Runs a property that cannot move to another thread.
#[inline(never)]
pub(crate) fn run_check(body: &Body<'_>, location: &Location) {
    let thread = std::thread::current();
    let place = location.line_of_file();
    let path = match thread.name() {
        Some(name) if name != "main" => format!("{name}@{place}"),
        _ => place.clone(),
    };
    match isolate::role_for(&path) {
        ProcessRole::StandBy => return,
        ProcessRole::Serve => isolate::serve_here(body, &[], Constants::default()),
        ProcessRole::Run => {}
    }
    let manifest_dir = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| ".".to_owned());
    // The target of the test is unknown here, but cargo sets the package.
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let selection = if package.is_empty() { package } else { format!("-p {package}") };
    let mut report = empty_report(&path, location.clone(), &selection);
    if !path.contains('@') {
        // This is not a test but a program. Rerun it by its path.
        report.command = std::env::args().next();
    }
    let settings = match Settings::load(&manifest_dir, &path, |_| ()) {
        Ok((settings, warnings)) => {
            report.warnings = warnings;
            settings
        }
        Err(error) => {
            report.verdict = Verdict::Misuse(error.to_string());
            return conclude(&report, &Settings::default());
        }
    };
    report.seed = settings.seed.unwrap_or_else(fresh_seed);
    let store = Arc::new(Store::open(&manifest_dir, &path, settings.database));
    let (seed, stored, front) = (report.seed, store.tapes(), store.front());
    let plan = Arc::new(Plan { stored, front, ..Plan::new(settings.clone(), seed) });
    let root = folder::workspace_root(&manifest_dir, &location.file);
    let log = EventLog::new(&PropertyInfo::of_running_process(&path, &place), seed, &settings);
    let progress = Progress::begin(&path, &settings);
    let mut recorder =
        Recorder::new(&store, &log).showing(progress.as_ref()).tracing(&path, &settings);
    let run = |recorder: &mut Recorder| {
        let mut process = InProcess::new(body, &[], Constants::default()).tracing(&plan.settings);
        let result = runner::run(&plan, &mut process, recorder);
        recorder.mark_idle();
        result
    };
    (report.verdict, report.statistics) = if settings.isolate == Isolation::Never {
        run(&mut recorder)
    } else {
        let target = Target::check(&path);
        let mut uncaptured_report = empty_report(&path, location.clone(), &selection);
        uncaptured_report.seed = report.seed;
        let recovery = (Arc::clone(&plan), recorder.clone(), uncaptured_report);
        let root = root.clone();
        isolate::supervise_here(
            settings.deadline,
            |worker| {
                recorder.worker = Some(worker.clone());
                run(&mut recorder)
            },
            move |lost| {
                let (plan, mut recorder, mut report) = recovery;
                report.verdict = recover(&lost, target, &plan, &mut recorder);
                note_saved(&mut report, &recorder.store, root.as_deref());
                recorder.log.end(&report);
                print::uncaptured_report(&report);
            },
        )
    };
    drop(progress);
    note_saved(&mut report, &store, root.as_deref());
    report.warnings.extend(store.warnings());
    report.warnings.extend(log.end(&report));
    conclude(&report, &settings);
}

/// One run of a test.
struct Session {
    test: Test,
    manifest_dir: String,
    plan: Plan,
    store: Arc<Store>,
    log: EventLog,
    progress: Option<Progress>,
}

impl Session {
    /// Returns the verdict, and whether the process is about to end because a case called `exit`.
    #[inline(never)]
    fn run(self) -> (Verdict, Statistics, bool) {
        let mut recorder = Recorder::new(&self.store, &self.log)
            .showing(self.progress.as_ref())
            .tracing(self.test.path, &self.plan.settings);
        if self.plan.settings.isolate == Isolation::Never {
            let (verdict, statistics) = run_here(&self.test, &self.plan, &mut recorder);
            return (verdict, statistics, false);
        }
        let is_unexplained = match self.settle_dead_runs(&mut recorder) {
            DeadRuns::Explained(verdict) => return (verdict, Statistics::default(), false),
            DeadRuns::Unexplained => true,
            DeadRuns::None => false,
        };
        let Plan { seed, ref settings, .. } = self.plan;
        let journal = Journal::begin(&self.manifest_dir, &self.test.key(), seed, settings.cases);
        let deadline = settings.deadline;
        // A case that is likely to kill this process must not run in it, or its failure would not
        // be reported.
        let is_deadly =
            is_unexplained || (self.store.has_crash() && !isolate::can_survive_crashes());
        let isolate = if is_deadly { Isolation::Always } else { settings.isolate };
        let result = if isolate == Isolation::Always {
            let reports_all = settings.verbosity == Verbosity::Trace;
            let shows_values = self.plan.shows_values();
            let mut process = ChildProcess {
                child: self.child(),
                tape: Tape::default(),
                reports_all,
                shows_values,
            };
            let (verdict, statistics) = runner::run(&self.plan, &mut process, &mut recorder);
            (verdict, statistics, false)
        } else {
            let Session { test, plan, store, progress: _progress, .. } = self;
            let plan = Arc::new(plan);
            let shared = (Arc::clone(&plan), recorder.clone());
            let supervised = isolate::supervise(deadline, move |worker| {
                let (plan, mut recorder) = shared;
                recorder.worker = Some(worker.clone());
                run_here(&test, &plan, &mut recorder)
            });
            match supervised {
                Supervised::Finished((verdict, statistics)) => {
                    let target = Target::test(test.path);
                    (confirm(verdict, target, &plan.settings), statistics, false)
                }
                Supervised::Lost(lost) => {
                    recorder.store = store;
                    let target = Target::test(test.path);
                    let verdict = recover(&lost, target, &plan, &mut recorder);
                    (verdict, Statistics::default(), lost.cause == LossCause::Exit)
                }
            }
        };
        drop(journal);
        result
    }

    fn child(&self) -> ChildExecutor {
        child(Target::test(self.test.path), &self.plan.settings)
    }

    /// Looks for the case that killed earlier runs of this test: among the random cases that they
    /// ran, and among all inputs, which they tried if there are few.
    fn settle_dead_runs(&self, recorder: &mut Recorder) -> DeadRuns {
        let mut result = DeadRuns::None;
        for dead in DeadRun::find(&self.manifest_dir, &self.test.key()) {
            let mut child = self.child();
            if matches!(result, DeadRuns::Explained(_)) {
                continue;
            }
            let random =
                child.run_until_failure(dead.seed, 0..dead.cases).map(|(_, execution)| execution);
            let found =
                random.or_else(|| child.enumerate_until_failure(inputs_max(&self.plan.settings)));
            let found = found.and_then(|execution| {
                let Outcome::Failed(failure) = execution.outcome else { return None };
                if !failure.kind.kills_process() {
                    return None;
                }
                child.use_short_deadline(failure.kind == FailureKind::Hang);
                let failing =
                    FailingCase { failure, tape: execution.tape, found: FoundBy::Journal };
                recorder.failure_updated(&failing, false);
                Some(runner::finish_failures(
                    vec![failing],
                    &mut child,
                    &self.plan.settings,
                    recorder,
                ))
            });
            result = found.map_or(DeadRuns::Unexplained, DeadRuns::Explained);
        }
        result
    }
}

/// Returns the largest number of inputs to enumerate.
fn inputs_max(settings: &Settings) -> u64 {
    settings.cases.saturating_mul(4)
}

/// The result for earlier runs whose process died.
enum DeadRuns {
    /// There are none.
    None,
    /// A case kills the process.
    Explained(Verdict),
    /// No case that was tried does. The cause was an example, a stored case, a step of a search,
    /// or something outside of the test.
    Unexplained,
}

/// Reruns counterexamples in a process of their own. A case that fails only because of earlier
/// cases on this thread is not a failure of its input.
fn confirm(verdict: Verdict, target: Target, settings: &Settings) -> Verdict {
    let Verdict::Failed(mut counterexamples) = verdict else { return verdict };
    let mut child = child(target, settings);
    for counterexample in &mut counterexamples {
        if matches!(counterexample.found_by, FoundBy::Example(_)) || counterexample.rate.is_some() {
            continue;
        }
        let execution = child.execute(&Input::Tape(counterexample.tape.clone()), false);
        if matches!(execution.outcome, Outcome::Passed | Outcome::Rejected(_)) {
            counterexample.rate = Some((0, 1));
        }
    }
    if counterexamples.iter().all(|counterexample| counterexample.rate.is_some()) {
        Verdict::Flaky(counterexamples)
    } else {
        Verdict::Failed(counterexamples)
    }
}

fn run_here(test: &Test, plan: &Plan, recorder: &mut Recorder) -> (Verdict, Statistics) {
    let examples = bodies(test.examples);
    let mut process =
        InProcess::new(&test.run, &examples, mined(test.constants)).tracing(&plan.settings);
    let result = runner::run(plan, &mut process, recorder);
    recorder.mark_idle();
    recorder.log.sample(&mut |tape| draw_sample(test, tape));
    result
}

/// Returns the parameters that a test generates from these choices.
fn draw_sample(test: &Test, tape: &Tape) -> Option<Vec<ShownValue>> {
    if test.parameters == 0 {
        return None;
    }
    let drive = AnyDriver::Replay(Box::new(Replay::new(tape, Fallback::Simplest)));
    let drawn = execute::draw_parameters(&test.run, drive, test.parameters);
    let log = drawn.outcome.is_none().then_some(drawn.log)?;
    log.map(|log| log.values)
}

pub(crate) fn child(target: Target, settings: &Settings) -> ChildExecutor {
    let limits = Limits { deadline: settings.deadline, memory_max: settings.memory_max };
    ChildExecutor::new(target, limits)
}

/// Finds the failure of a lost worker in child processes, and reports it with all failures that
/// the worker had found before.
#[inline(never)]
pub(crate) fn recover(
    lost: &WorkerLoss,
    target: Target,
    plan: &Plan,
    recorder: &mut Recorder,
) -> Verdict {
    recorder.worker = None;
    let mut child = child(target, &plan.settings);
    let seed = plan.seed;
    let (execution, found) = match &lost.running {
        RunningCase::Random(case) => {
            let input = Input::Case { seed, case: *case };
            (child.execute(&input, false), FoundBy::Random(*case))
        }
        RunningCase::Tape(tape, found) => {
            let execution = child.execute(&Input::Tape(tape.clone()), false);
            // It may have been a proposal of the search, with random parts.
            let execution = match execution.outcome {
                Outcome::Failed(_) => execution,
                _ => child.execute(&Input::Edited(tape.clone()), false),
            };
            (execution, *found)
        }
        RunningCase::Example(nth) => (child.execute_example(*nth, false), FoundBy::Example(*nth)),
        RunningCase::Enumerated => {
            let bound = inputs_max(&plan.settings);
            let nothing = Execution { outcome: Outcome::Passed, tape: Tape::default(), log: None };
            (child.enumerate_until_failure(bound).unwrap_or(nothing), FoundBy::Exhaustive)
        }
        RunningCase::Nothing => {
            return Verdict::InternalError(format!(
                "the worker was lost between cases: {:?}",
                lost.cause
            ));
        }
    };
    let mut failing = recorder.take_found();
    match execution.outcome {
        Outcome::Failed(failure) => {
            child.use_short_deadline(failure.kind == FailureKind::Hang);
            let lost = FailingCase { failure, tape: execution.tape, found };
            recorder.failure_updated(&lost, false);
            failing.insert(0, lost);
        }
        Outcome::Internal(what) => return Verdict::InternalError(what),
        _ if failing.is_empty() => {
            let failing = FailingCase { failure: failure_of(lost), tape: execution.tape, found };
            return Verdict::Flaky(vec![Counterexample {
                rate: Some((0, 1)),
                ..runner::unfinished(failing)
            }]);
        }
        _ => {}
    }
    runner::finish_failures(failing, &mut child, &plan.settings, recorder)
}

/// Returns the failure to report for a crash that does not reproduce.
fn failure_of(lost: &WorkerLoss) -> Failure {
    let (kind, message) = match lost.cause {
        LossCause::Crash { signal } => {
            (FailureKind::Abort, format!("it died from signal {signal}"))
        }
        LossCause::Hang => (FailureKind::Hang, String::new()),
        LossCause::Exit => (FailureKind::Exit, String::new()),
    };
    Failure { kind, message, location: None }
}

/// Stores failures, writes events, and reports the running case to the supervisor.
#[derive(Clone, Debug)]
pub(crate) struct Recorder {
    pub(crate) worker: Option<Worker>,
    store: Arc<Store>,
    found: Arc<Mutex<Vec<FailingCase>>>,
    log: EventLog,
    /// The state of the progress line, if it is shown.
    progress: Option<Arc<ProgressCounters>>,
    /// The name of the property, if every case is printed.
    traced: Option<String>,
}

impl Recorder {
    pub(crate) fn new(store: &Arc<Store>, log: &EventLog) -> Recorder {
        Recorder {
            worker: None,
            store: Arc::clone(store),
            found: Arc::default(),
            log: log.clone(),
            progress: None,
            traced: None,
        }
    }

    /// Prints every case if the settings ask for it.
    pub(crate) fn tracing(mut self, property: &str, settings: &Settings) -> Recorder {
        self.traced = (settings.verbosity == Verbosity::Trace).then(|| property.to_owned());
        self
    }

    /// Reports the progress of the run.
    fn showing(mut self, progress: Option<&Progress>) -> Recorder {
        self.progress = progress.map(Progress::counters);
        self
    }

    /// Takes the failures found so far, for the caller to report.
    fn take_found(&self) -> Vec<FailingCase> {
        std::mem::take(&mut lock(&self.found))
    }

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
            NextCase::Tape(tape, found) => worker.begin_tape(tape, found),
        }
    }

    fn failure_updated(&mut self, failing: &FailingCase, is_minimal: bool) {
        let failure_key = failing.failure.key();
        let mut found = lock(&self.found);
        match found.iter_mut().find(|known| known.failure.key() == failure_key) {
            Some(known) => *known = failing.clone(),
            None => {
                found.push(failing.clone());
                self.log.failure_found(failing);
                if let Some(running) = &self.progress {
                    running.count_failure();
                }
            }
        }
        drop(found);
        if !matches!(failing.found, FoundBy::Example(_)) && !is_minimal {
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
            self.store.save(&counterexample.failure, &counterexample.tape, &counterexample.values);
        }
    }

    fn front_updated(&mut self, front: &[ParetoCase]) {
        self.store.save_front(front);
    }

    fn score_reported(
        &mut self,
        found: FoundBy,
        reported: &[ObjectiveValue],
        step: Option<&SearchStep<'_>>,
    ) {
        self.log.score_reported(found, reported, step);
        if let Some(running) = &self.progress {
            running.update_bests(reported);
        }
    }

    #[inline]
    fn case_finished(&mut self, case: &FinishedCase<'_>) {
        self.log.case_finished(case);
        if let Some(running) = &self.progress {
            running.count_case(case.outcome);
        }
        if let Some(property) = &self.traced {
            print::line(&trace::line(property, case));
        }
    }

    fn stored_case_replayed(&mut self, stored: usize, failure: Option<&Failure>) {
        self.store.update_after_replay(stored, failure);
    }
}

fn is_hang(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed(failure) if failure.kind == FailureKind::Hang)
}

/// Runs every case in a child process.
struct ChildProcess {
    child: ChildExecutor,
    tape: Tape,
    /// Whether to log the values of every case.
    reports_all: bool,
    /// Whether to log the values of cases that are not shrunk.
    shows_values: bool,
}

impl Executor for ChildProcess {
    fn execute(&mut self, input: &Input, reporting: bool) -> Execution {
        self.child.execute(input, reporting || self.reports_all)
    }

    fn execute_example(&mut self, nth: usize, reporting: bool) -> Execution {
        self.child.execute_example(nth, reporting || self.reports_all)
    }
}

impl Process for ChildProcess {
    fn run_case(&mut self, seed: u64, case: u64) -> (Outcome, Option<CaseLog>) {
        let reporting = self.reports_all || self.shows_values;
        let execution = self.child.execute(&Input::Case { seed, case }, reporting);
        // A hang ends the run, so shrinking follows. A reporting run gets the whole deadline,
        // which no candidate must take.
        let is_hang = is_hang(&execution.outcome);
        self.child.use_short_deadline(is_hang);
        self.reports_all &= !is_hang;
        self.tape = execution.tape;
        (execution.outcome, execution.log)
    }

    fn run_edited(&mut self, tape: Tape) -> (Outcome, Option<CaseLog>) {
        let reporting = self.reports_all || self.shows_values;
        let execution = self.child.execute(&Input::Edited(tape), reporting);
        self.tape = execution.tape;
        (execution.outcome, execution.log)
    }

    /// Does not enumerate inputs: child processes are too slow for that.
    fn run_next_enumerated(&mut self) -> Option<(Outcome, Option<CaseLog>)> {
        None
    }

    fn tape(&self) -> Tape {
        self.tape.clone()
    }

    fn combinations(&self) -> u128 {
        u128::MAX
    }
}
