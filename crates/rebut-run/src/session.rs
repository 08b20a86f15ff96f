//! One run of a property, from its settings to its report.
//!
//! [`Session::prepare`] loads what a run needs: settings, saved failures, inputs of a
//! specification, the event log. Then the property runs in one of three ways: as a test, on a
//! worker that can be lost ([`Session::run_test`]); on this thread, watched by another
//! ([`Session::run_on_this_thread`]); or without a supervisor ([`Session::run_unsupervised`]).

use std::collections::BTreeMap;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rebut_choice::{AnyDriver, Constants, Fallback, Random, Replay, Tape};

use crate::calls;
use crate::case_log::ShownValue;
use crate::claim::Claim;
use crate::claims;
use crate::database::Database;
use crate::events::{EventLog, PropertyInfo};
use crate::execute::{self, Body, Executor as _, InProcess, Input, bodies};
use crate::folder;
use crate::fresh_seed;
use crate::inputs;
use crate::isolate::{
    self, ConfirmHang, DeadRun, FoundRuns, IsolatedProcess, Journal, JournalEntry, LossCause,
    QuietProcess, RunState, RunStateGuard, RunningCase, Supervised, Target, Worker, restart,
};
use crate::lineage::{self, LineageMark};
use crate::outcome::{FailureKind, Location};
use crate::prelude::NamesAtTest;
use crate::progress::Progress;
use crate::property::{Test, mined};
use crate::recorder::Recorder;
use crate::recover;
use crate::runner::{self, NextCase, Observer as _, Plan};
use crate::settings::{Isolation, LoadedSettings, SearchMode, Settings, SettingsError};
use crate::store::Store;
use crate::verdict::{Counterexample, FoundBy, Report, Statistics, Verdict};

/// The description of a property, from which [`Session::prepare`] makes a session.
pub(crate) struct PropertySetup<'a> {
    /// The description for the event log.
    pub(crate) info: PropertyInfo<'a>,
    pub(crate) location: Location,
    pub(crate) claim: Claim,
    /// The command that runs it again, if there is one.
    pub(crate) command: Option<String>,
    /// The last part of its replay strings; empty if there is no command.
    pub(crate) identity: String,
    pub(crate) settings: Result<LoadedSettings, SettingsError>,
    /// The database of failures; `None` to save none.
    pub(crate) database: Option<Arc<dyn Database>>,
    /// The key of the property in the database.
    pub(crate) key: &'a str,
    /// The directory of the manifest, for the journal; `None` to keep none.
    pub(crate) journal_dir: Option<&'a str>,
    /// The test, if it is one: it has examples and perhaps a specification.
    pub(crate) test: Option<&'a Test>,
    pub(crate) shows_progress: bool,
}

/// The least memory of a child process. Arbitrary: the stack of a thread has 2 MB.
const MEMORY_MIN: u64 = 16_000_000;

/// A property that cannot run, with the reason in its report.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) settings: Settings,
    pub(crate) report: Report,
}

/// One run of a property.
pub(crate) struct Session {
    /// The report so far.
    report: Report,
    plan: Arc<Plan>,
    store: Arc<Store>,
    events: EventLog,
    /// The progress line, which is removed on drop.
    progress: Option<Progress>,
    key: String,
    journal_dir: Option<String>,
    /// Earlier runs whose process died.
    dead_runs: Vec<DeadRun>,
    /// Whether another run of the test looks for the cause of a death, which it may not know yet.
    are_others_searching: bool,
    /// How the worker was lost, if it was.
    lost: Option<LossCause>,
}

impl Session {
    /// Loads what a run needs. Fails if a setting or an input of the specification is invalid.
    #[inline(never)]
    pub(crate) fn prepare(setup: PropertySetup<'_>) -> Result<Session, Box<Refused>> {
        let mut report = empty_report(&setup);
        let (mut settings, warnings) = match setup.settings {
            Ok(loaded) => loaded,
            Err(error) => return Err(refuse(report, Settings::default(), error.to_string())),
        };
        if settings.failures_max == 0 || settings.deadline.is_zero() {
            let what = "`failures` and `deadline` must not be 0; remove them to use the defaults";
            return Err(refuse(report, Settings::default(), what.to_owned()));
        }
        if settings.memory_max < MEMORY_MIN {
            let what = format!(
                "`memory` is {} bytes, which is not enough to start a child process\n\
                 help: set `memory` to \"16MB\" or more",
                settings.memory_max
            );
            return Err(refuse(report, Settings::default(), what));
        }
        report.warnings = warnings;
        if let (Claim::Exists | Claim::NotExists, Some(steps)) = (setup.claim, settings.steps) {
            settings.cases = Some(steps);
        }
        // A replay is about one case, so it leaves dead runs to the next run.
        let journal_dir = setup.journal_dir.filter(|_| settings.replay.is_none());
        let FoundRuns { dead: mut dead_runs, are_others_searching } =
            journal_dir.map(|dir| DeadRun::find(dir, setup.key)).unwrap_or_default();
        if let Some(database) = &setup.database {
            recover::save_failures(database.as_ref(), setup.key, &dead_runs);
        }
        // If the cause cannot be found otherwise, the same cases have the best chance.
        let last_seed = dead_runs.last().map(|dead| dead.seed);
        // If this run began in a process that started again, its reports name the seed.
        let found = restart::found(setup.key);
        let first_seed = found.first().map(|one| one.seed);
        let seed = settings.seed.or(first_seed).or(last_seed).unwrap_or_else(fresh_seed);
        report.seed = seed;
        let store = Arc::new(Store::open(setup.database, setup.key));
        recover::keep_unsaved(&mut dead_runs, &store);
        let mut plan = Plan {
            examples: setup.test.map_or(0, |test| test.examples.len()),
            stored: store.tapes(&found),
            front: store.front(),
            claims: setup.test.and_then(|test| test.claims),
            ..Plan::new(settings.clone(), seed)
        };
        if let Some(test) = setup.test
            && let Some(inputs) = &test.inputs
        {
            report.specification = Some(inputs.spec.to_owned());
            plan.draws = inputs.random;
            let manifest_dir = folder::current_manifest_dir(&setup.info.manifest_dir);
            match inputs::tapes(&manifest_dir, inputs, &test.run) {
                Ok(tapes) => plan.inputs = tapes,
                Err(what) => return Err(refuse(report, settings, what)),
            }
        }
        let events = EventLog::new(&setup.info, seed, &settings);
        let progress =
            setup.shows_progress.then(|| Progress::begin(setup.info.path, &settings)).flatten();
        Ok(Session {
            report,
            plan: Arc::new(plan),
            store,
            events,
            progress,
            key: setup.key.to_owned(),
            journal_dir: journal_dir.map(str::to_owned),
            dead_runs,
            are_others_searching,
            lost: None,
        })
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.plan.settings
    }

    pub(crate) fn report_mut(&mut self) -> &mut Report {
        &mut self.report
    }

    fn recorder(&self) -> Recorder {
        Recorder::new(&self.store, &self.events)
            .showing(self.progress.as_ref())
            .tracing(&self.report.property, &self.plan.settings)
            .seeded(self.plan.seed)
    }

    /// Returns how the worker was lost, if it was.
    pub(crate) fn lost(&self) -> Option<LossCause> {
        self.lost
    }

    /// Begins the journal of the run. Without a writable directory there is none.
    fn begin_journal(&self, state: Option<&RunStateGuard>, deaths: u64) -> Option<Journal> {
        let entry = JournalEntry {
            test: &self.key,
            seed: self.plan.seed,
            cases: self.plan.settings.cases_or_default(),
            deaths,
        };
        let state = state.map(RunStateGuard::state);
        Journal::begin(self.journal_dir.as_deref()?, &entry, state).ok()
    }

    /// Explains earlier runs whose process died. Returns whether to isolate this one, and the number
    /// of unexplained deaths; `None` if this run has its verdict.
    fn explain_dead_runs(&mut self, target: &Target) -> Option<(bool, u64)> {
        let dead_runs = std::mem::take(&mut self.dead_runs);
        if dead_runs.is_empty() {
            return Some((self.are_others_searching, 0));
        }
        let mut recorder = self.recorder();
        let property = &self.report.property;
        let explained =
            recover::explain_dead_runs(dead_runs, property, target, &self.plan, &mut recorder);
        self.report.warnings.extend(explained.warnings);
        if let Some(verdict) = explained.verdict {
            self.set_result((verdict, Statistics::default()));
            return None;
        }
        Some((explained.isolates, explained.deaths))
    }

    /// Returns whether all cases run in child processes. A case that has killed a process must not
    /// run in this one: nothing can stop an exit or SIGKILL, and other tests would have to start
    /// again.
    fn is_deadly(&self, must_isolate: bool) -> bool {
        let isolate = self.plan.settings.isolate;
        must_isolate || isolate == Isolation::Always || self.store.has_crash()
    }

    /// Runs a test on a supervised worker, or in child processes.
    #[inline(never)]
    pub(crate) fn run_test(&mut self, test: &Test) {
        if self.plan.settings.isolate == Isolation::Never {
            let journal = self.begin_journal(None, 0);
            let mut recorder = self.recorder().journaling(journal.as_ref());
            let result = run_in_process(test, &self.plan, &mut recorder, None);
            // Nothing watches this thread here either.
            recorder.events().sample(&mut |tape| draw_sample(test, tape));
            self.set_result(result);
            return;
        }
        let target = Target::test(test.path);
        let Some((must_isolate, deaths)) = self.explain_dead_runs(&target) else { return };
        let state = RunState::acquire();
        let journal = self.begin_journal(state.as_ref(), deaths);
        let mut recorder = self.recorder().journaling(journal.as_ref());
        let plan = &self.plan;
        let settings = &plan.settings;
        let is_deadly = self.is_deadly(must_isolate);
        let result = match state {
            Some(state) if !is_deadly => {
                let (run, shared) = (*test, (Arc::clone(plan), recorder.clone(), target.clone()));
                let confirm = recover::confirm_hang(target.clone(), plan);
                let supervised =
                    isolate::supervise(state, settings.deadline, confirm, move |worker| {
                        let (plan, mut recorder, target) = shared;
                        recorder.set_worker(Some(worker.clone()));
                        let child = recover::child(target, &plan.settings);
                        let children = IsolatedProcess::new(child, &plan);
                        run_in_process(&run, &plan, &mut recorder, Some((children, worker)))
                    });
                match supervised {
                    Supervised::Finished((verdict, statistics)) => {
                        let verdict = recover::confirm_in_child(verdict, target, settings);
                        if let Some(cause) = draw_samples(test, &recorder, settings.deadline) {
                            self.lost = Some(cause);
                            self.report.warnings.push(format!(
                                "`{}`: printing a value for `cargo rebut report` {}; the report \
                                 has no values of this test",
                                self.report.property,
                                recover::how_lost(cause, settings.deadline)
                            ));
                        }
                        (verdict, statistics)
                    }
                    Supervised::LostAtEnd((verdict, statistics), loss) => {
                        self.lost = Some(loss.cause);
                        recorder.set_worker(None);
                        let verdict = recover::confirm_in_child(verdict, target, settings);
                        (recover::lost_at_end(verdict, &loss), statistics)
                    }
                    Supervised::Lost(loss) => {
                        self.lost = Some(loss.cause);
                        recorder.set_worker(None);
                        match loss.cause {
                            LossCause::Suspected { .. } => {
                                let (result, lost) = run_isolated(target, plan, &mut recorder);
                                self.lost = lost.or(self.lost);
                                result
                            }
                            _ => {
                                let show = |running: &RunningCase| {
                                    show_case(test, plan.seed, running, settings.deadline)
                                };
                                let verdict =
                                    recover::recover(&loss, target, plan, &mut recorder, &show);
                                (verdict, Statistics::default())
                            }
                        }
                    }
                }
            }
            _ => {
                let (result, lost) = run_isolated(target, plan, &mut recorder);
                self.lost = lost;
                result
            }
        };
        journal.iter().for_each(Journal::end);
        self.set_result(result);
    }

    /// Runs a property that cannot move to another thread, and watches it from another thread.
    /// If a case kills or blocks this thread, `end` ends the process after the report. `root` is
    /// the root of the workspace.
    pub(crate) fn run_on_this_thread(
        &mut self,
        body: &Body<'_>,
        constants: Constants,
        target: Target,
        root: Option<PathBuf>,
        end: impl FnOnce(&Report, LossCause) + Send + 'static,
    ) {
        if self.plan.settings.isolate == Isolation::Never {
            return self.run_unsupervised(body, constants);
        }
        let Some((must_isolate, deaths)) = self.explain_dead_runs(&target) else { return };
        let state = RunState::acquire();
        let journal = self.begin_journal(state.as_ref(), deaths);
        let mut recorder = self.recorder().journaling(journal.as_ref());
        let Some(state) = state.filter(|_| !self.is_deadly(must_isolate)) else {
            let (result, lost) = run_isolated(target, &self.plan, &mut recorder);
            self.lost = lost;
            return self.set_result(result);
        };
        let recovery = (Arc::clone(&self.plan), recorder.clone(), self.report.clone());
        let result = isolate::supervise_here(
            state,
            self.plan.settings.deadline,
            recover::confirm_hang(target.clone(), &self.plan),
            |worker| {
                recorder.set_worker(Some(worker.clone()));
                run_body(body, &[], constants, &self.plan, &mut recorder, None)
            },
            move |loss| {
                let (plan, mut recorder, mut report) = recovery;
                report.verdict = recover::recover(&loss, target, &plan, &mut recorder, &|_| None);
                note_saved(&mut report, recorder.store(), root.as_deref());
                report.warnings.extend(recorder.store().warnings());
                recorder.events().end(&report);
                journal.iter().for_each(Journal::end);
                end(&report, loss.cause);
            },
        );
        self.set_result(result);
    }

    /// Runs a property on this thread. A crash or a hang ends or blocks the process.
    pub(crate) fn run_unsupervised(&mut self, body: &Body<'_>, constants: Constants) {
        let result = run_body(body, &[], constants, &self.plan, &mut self.recorder(), None);
        self.set_result(result);
    }

    fn set_result(&mut self, (verdict, statistics): (Verdict, Statistics)) {
        self.report.verdict = self.report.claim.judge(verdict);
        self.report.statistics = statistics;
        if self.report.verdict.is_success() && self.plan.settings.replay.is_none() {
            let warning = claims::warning(&self.report.property, &self.report.statistics);
            self.report.warnings.extend(warning);
            let warning = calls::warning(&self.report.property, &self.report.statistics);
            self.report.warnings.extend(warning);
            let warning = lineage::warning(&self.report.property, &self.report.statistics);
            self.report.warnings.extend(warning);
        }
    }

    /// Adds the directories of saved failures to the report.
    pub(crate) fn note_saved(&mut self, root: Option<&Path>) {
        note_saved(&mut self.report, &self.store, root);
    }

    /// Writes the last events, removes the progress line, and returns the report.
    pub(crate) fn end(mut self) -> Report {
        self.report.warnings.extend(self.store.warnings());
        self.report.warnings.extend(self.events.end(&self.report));
        self.report
    }
}

/// Creates the report of a property that has not run.
fn empty_report(setup: &PropertySetup<'_>) -> Report {
    Report {
        property: setup.info.path.to_owned(),
        location: setup.location.clone(),
        verdict: Verdict::Passed { cases: 0 },
        statistics: Statistics::default(),
        claim: setup.claim,
        seed: 0,
        warnings: Vec::new(),
        command: setup.command.clone(),
        identity: setup.identity.clone(),
        names: NamesAtTest::new(setup.test),
        emitted: BTreeMap::new(),
        saved: BTreeMap::new(),
        specification: None,
    }
}

fn refuse(mut report: Report, settings: Settings, what: String) -> Box<Refused> {
    report.verdict = Verdict::Misuse(what);
    Box::new(Refused { settings, report })
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

/// Runs a property in child processes. Only a strategy of the user runs in this one, and may end it.
/// Also returns how it was lost then.
fn run_isolated(
    target: Target,
    plan: &Arc<Plan>,
    recorder: &mut Recorder,
) -> ((Verdict, Statistics), Option<LossCause>) {
    if !matches!(plan.settings.search, SearchMode::Own(_)) {
        return (run_in_children(target, plan, recorder), None);
    }
    let shared = (Arc::clone(plan), recorder.clone(), target.clone());
    let run = run_watched(plan.settings.deadline, move |worker| {
        let (plan, mut recorder, target) = shared;
        plan.strategy.watch(worker);
        run_in_children(target, &plan, &mut recorder)
    });
    match run {
        Ok(Some(result)) => (result, None),
        Ok(None) => (run_in_children(target, plan, recorder), None),
        Err(cause) => {
            let verdict = recover::recover_in_strategy(cause, target, plan, recorder);
            ((verdict, Statistics::default()), Some(cause))
        }
    }
}

fn run_in_children(target: Target, plan: &Plan, recorder: &mut Recorder) -> (Verdict, Statistics) {
    let mut process = IsolatedProcess::new(recover::child(target, &plan.settings), plan);
    runner::run(plan, &mut process, recorder)
}

/// Runs a test on this thread.
fn run_in_process(
    test: &Test,
    plan: &Plan,
    recorder: &mut Recorder,
    children: Option<(IsolatedProcess, &Worker)>,
) -> (Verdict, Statistics) {
    let constants = mined(test.constants);
    run_body(&test.run, &bodies(test.examples), constants, plan, recorder, children)
}

/// Collects sample inputs for the event log. Generators and `Debug` implementations run here outside
/// of a case, and the result of the run must not depend on them. So they have a thread of their own
/// with a deadline, which may be lost. Returns how it was lost, if it was.
fn draw_samples(test: &Test, recorder: &Recorder, deadline: Duration) -> Option<LossCause> {
    if !recorder.events().has_samples() {
        return None;
    }
    let (test, events) = (*test, recorder.events().clone());
    let drawn = run_watched(deadline, move |worker| {
        let (started, mut number) = (Instant::now(), 0);
        events.sample(&mut |tape| {
            // Slow code must not delay the result of a run that is over.
            if started.elapsed() > deadline {
                return None;
            }
            worker.begin_case(number);
            number += 1;
            let values = draw_sample(&test, tape);
            worker.mark_idle();
            values
        });
    });
    drawn.err()
}

// Code of the user that runs outside of cases, and what contains it:
//
// | code | contained by |
// |---|---|
// | generators, `Debug` and `ToCode` for the samples of a run that passed | `draw_samples` |
// | generators and `Debug` of a case that no child could run again | `show_case` |
// | a search strategy, between cases | `runner/own_strategy.rs`; `run_isolated` |
// | the attribute of a test (`configure`), a `Database` | nothing: they run on the thread of the harness, as in a test without Rebut |
//
// The strings of labels and notes, the values of examples and of `#[from(..)]`, and everything that
// shrinking and explaining run again are parts of cases.

/// Runs code of the user outside of a case on a thread that may be lost. Each part of it that `run`
/// announces to the worker has the deadline. Returns its result, or how the thread was lost. Runs
/// nothing and returns `None` if too many threads of this process were lost before.
fn run_watched<T: Send + 'static>(
    deadline: Duration,
    run: impl FnOnce(&Worker) -> T + Send + 'static,
) -> Result<Option<T>, LossCause> {
    let Some(state) = RunState::acquire() else { return Ok(None) };
    // No other process can confirm a hang of code that is not part of a case.
    let confirm: ConfirmHang = Box::new(|_| Some(recover::passed()));
    match isolate::supervise(state, deadline, confirm, run) {
        Supervised::Finished(result) => Ok(Some(result)),
        Supervised::LostAtEnd(_, loss) => Err(loss.cause),
        Supervised::Lost(loss) => Err(loss.cause),
    }
}

fn run_body(
    body: &Body<'_>,
    examples: &[&Body<'_>],
    constants: Constants,
    plan: &Plan,
    recorder: &mut Recorder,
    children: Option<(IsolatedProcess, &Worker)>,
) -> (Verdict, Statistics) {
    let lineage = LineageMark::begin();
    let mut process =
        InProcess::new(body, examples, constants).tracing(&plan.settings).counting(plan.claims);
    let mut result = match children {
        Some((children, worker)) => {
            runner::run(plan, &mut QuietProcess::new(process, children, worker), recorder)
        }
        None => {
            let result = runner::run(plan, &mut process, recorder);
            repeat_minimal_cases(&result.0, &mut process, recorder);
            result
        }
    };
    recorder.mark_idle();
    result.1.thread_panics = lineage.map(|mark| mark.other_panics()).unwrap_or_default();
    result
}

/// Runs each minimal case once more, so that the last output belongs to them.
fn repeat_minimal_cases(verdict: &Verdict, process: &mut InProcess<'_>, recorder: &mut Recorder) {
    let Verdict::Failed(counterexamples) = verdict else { return };
    for Counterexample { failure, tape, found_by, .. } in counterexamples {
        let is_last_again = failure.kind != FailureKind::Witness && !failure.kind.kills_process();
        if is_last_again && !matches!(found_by, FoundBy::Example(_)) {
            recorder.case_started(NextCase::Tape(tape, *found_by));
            process.execute(&Input::Tape(tape.clone()), false);
        }
    }
}

/// Returns the parameters that a test generates from these choices.
fn draw_sample(test: &Test, tape: &Tape) -> Option<Vec<ShownValue>> {
    let drive = AnyDriver::Replay(Box::new(Replay::new(tape, Fallback::Simplest)));
    draw(test, drive).map(|(_, values)| values)
}

/// Returns the tape and the values of the parameters of a case that killed or blocked its worker. Its
/// generators may do that again.
fn show_case(
    test: &Test,
    seed: u64,
    running: &RunningCase,
    deadline: Duration,
) -> Option<(Tape, Vec<ShownValue>)> {
    let (test, running) = (*test, running.clone());
    let shown = run_watched(deadline, move |worker| {
        worker.begin_case(0);
        let shown = draw_case(&test, seed, &running);
        worker.mark_idle();
        shown
    });
    shown.ok().flatten().flatten()
}

fn draw_case(test: &Test, seed: u64, running: &RunningCase) -> Option<(Tape, Vec<ShownValue>)> {
    let drive = match running {
        RunningCase::Random(0) => AnyDriver::Simplest,
        RunningCase::Random(case) => {
            let mut random = Random::new(0).with_constants(Rc::new(mined(test.constants)));
            random.reset(seed, *case);
            AnyDriver::Random(Box::new(random))
        }
        RunningCase::Tape(tape, _) => {
            AnyDriver::Replay(Box::new(Replay::new(tape, Fallback::Simplest)))
        }
        RunningCase::Example(_)
        | RunningCase::Enumerated
        | RunningCase::UnknownTape
        | RunningCase::Nothing => return None,
    };
    draw(test, drive)
}

/// Generates the parameters of a test without running its body.
fn draw(test: &Test, drive: AnyDriver) -> Option<(Tape, Vec<ShownValue>)> {
    if test.parameters == 0 {
        return None;
    }
    let drawn = execute::draw_parameters(&test.run, drive, test.parameters);
    let log = drawn.outcome.is_none().then_some(drawn.log)?;
    log.map(|log| (drawn.tape, log.values))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::MemoryDatabase;

    fn prepare(claim: Claim, change: impl FnOnce(&mut Settings)) -> Result<Session, Box<Refused>> {
        let mut settings = Settings::default();
        change(&mut settings);
        Session::prepare(PropertySetup {
            info: PropertyInfo::of_running_process("a::b", "src/a.rs:1"),
            location: Location::default(),
            claim,
            command: None,
            identity: String::new(),
            settings: Ok((settings, vec!["a warning".to_owned()])),
            database: Some(Arc::new(MemoryDatabase::default())),
            key: "a::b",
            journal_dir: None,
            test: None,
            shows_progress: false,
        })
    }

    #[test]
    fn settings_that_run_nothing_are_refused() {
        let changes: [fn(&mut Settings); 2] = [
            |settings| settings.failures_max = 0,
            |settings| settings.deadline = std::time::Duration::ZERO,
        ];
        for change in changes {
            let Err(refused) = prepare(Claim::ForAll, change) else { panic!("not refused") };
            let verdict = &refused.report.verdict;
            assert!(matches!(verdict, Verdict::Misuse(_)), "{verdict:?}");
        }
    }

    #[test]
    fn a_memory_limit_that_no_child_survives_is_refused() {
        for (memory_max, is_refused) in [(0, true), (1_000_000, true), (16_000_000, false)] {
            let prepared = prepare(Claim::ForAll, |settings| {
                settings.memory_max = memory_max;
                settings.events = crate::settings::EventLevel::Off;
            });
            let what = prepared.err().map(|refused| refused.report.verdict);
            assert_eq!(what.is_some(), is_refused, "{memory_max}: {what:?}");
            let Some(Verdict::Misuse(what)) = what else { continue };
            assert!(what.starts_with(&format!("`memory` is {memory_max} bytes")), "{what}");
        }
    }

    #[test]
    fn steps_are_the_cases_of_searches_for_an_input() {
        for (claim, expected) in [(Claim::ForAll, 1000), (Claim::Exists, 7), (Claim::NotExists, 7)]
        {
            let prepared = prepare(claim, |settings| {
                settings.steps = Some(7);
                settings.events = crate::settings::EventLevel::Off;
            });
            let Ok(session) = prepared else { panic!("refused") };
            assert_eq!(session.settings().cases_or_default(), expected);
            assert_eq!(session.end().warnings, ["a warning"]);
        }
    }
}
