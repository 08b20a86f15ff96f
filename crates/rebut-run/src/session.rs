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

use rebut_choice::{AnyDriver, Constants, Fallback, Random, Replay, Tape};

use crate::case_log::ShownValue;
use crate::claim::Claim;
use crate::database::Database;
use crate::events::{EventLog, PropertyInfo};
use crate::execute::{self, Body, Executor as _, InProcess, Input, bodies};
use crate::folder;
use crate::fresh_seed;
use crate::inputs;
use crate::isolate::{
    self, IsolatedProcess, Journal, LossCause, QuietProcess, RunningCase, Supervised, Target,
    Worker,
};
use crate::lineage::LineageMark;
use crate::outcome::{FailureKind, Location};
use crate::print;
use crate::progress::Progress;
use crate::property::{Test, mined};
use crate::recorder::Recorder;
use crate::recover::{self, DeadRuns};
use crate::runner::{self, NextCase, Observer as _, Plan};
use crate::settings::{Isolation, LoadedSettings, Settings, SettingsError};
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
    /// The test, if it is one: it has examples and perhaps a specification.
    pub(crate) test: Option<&'a Test>,
    pub(crate) shows_progress: bool,
}

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
        report.warnings = warnings;
        if let (Claim::Exists | Claim::NotExists, Some(steps)) = (setup.claim, settings.steps) {
            settings.cases = steps;
        }
        let seed = settings.seed.unwrap_or_else(fresh_seed);
        report.seed = seed;
        let store = Arc::new(Store::open(setup.database, setup.key));
        let mut plan = Plan {
            examples: setup.test.map_or(0, |test| test.examples.len()),
            stored: store.tapes(),
            front: store.front(),
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
        Ok(Session { report, plan: Arc::new(plan), store, events, progress })
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
    }

    /// Runs a test on a supervised worker, or in child processes. Returns whether this process is
    /// about to end because a case called `exit`.
    #[inline(never)]
    pub(crate) fn run_test(&mut self, test: &Test, manifest_dir: &str) -> bool {
        let mut recorder = self.recorder();
        let plan = &self.plan;
        let settings = &plan.settings;
        if settings.isolate == Isolation::Never {
            let result = run_in_process(test, plan, &mut recorder, None);
            self.set_result(result);
            return false;
        }
        let target = Target::test(test.path);
        let dead_runs =
            recover::explain_dead_runs(manifest_dir, &test.key(), &target, plan, &mut recorder);
        let is_unexplained = match dead_runs {
            DeadRuns::Explained(verdict) => {
                self.set_result((verdict, Statistics::default()));
                return false;
            }
            DeadRuns::Unexplained => true,
            DeadRuns::None => false,
        };
        let journal = Journal::begin(manifest_dir, &test.key(), plan.seed, settings.cases);
        // A case that is likely to kill this process must not run in it, or its failure would not
        // be reported.
        // Nothing can stop an exit, only delay it.
        let is_deadly = is_unexplained
            || self.store.has_exit()
            || (self.store.has_crash() && !isolate::can_survive_crashes());
        let (result, exits) = if is_deadly || settings.isolate == Isolation::Always {
            let mut process = IsolatedProcess::new(recover::child(target, settings), plan);
            (runner::run(plan, &mut process, &mut recorder), false)
        } else {
            let (test, shared) = (*test, (Arc::clone(plan), recorder.clone(), target.clone()));
            let confirm = recover::confirm_hang(target.clone(), plan);
            let supervised = isolate::supervise(settings.deadline, confirm, move |worker| {
                let (plan, mut recorder, target) = shared;
                recorder.set_worker(Some(worker.clone()));
                let children = IsolatedProcess::new(recover::child(target, &plan.settings), &plan);
                run_in_process(&test, &plan, &mut recorder, Some((children, worker)))
            });
            match supervised {
                Supervised::Finished((verdict, statistics)) => {
                    let verdict = recover::confirm_in_child(verdict, target, settings);
                    ((verdict, statistics), false)
                }
                Supervised::Lost(loss) => {
                    let show = |running: &RunningCase| show_case(&test, plan.seed, running);
                    let verdict = recover::recover(&loss, target, plan, &mut recorder, &show);
                    ((verdict, Statistics::default()), loss.cause == LossCause::Exit)
                }
            }
        };
        drop(journal);
        self.set_result(result);
        exits
    }

    /// Runs a property that cannot move to another thread, and watches it from another thread.
    /// If a case kills or blocks this thread, the process ends after the report. `root` is the
    /// root of the workspace.
    pub(crate) fn run_on_this_thread(
        &mut self,
        body: &Body<'_>,
        constants: Constants,
        target: Target,
        root: Option<PathBuf>,
    ) {
        if self.plan.settings.isolate == Isolation::Never {
            return self.run_unsupervised(body, constants);
        }
        let mut recorder = self.recorder();
        let recovery = (Arc::clone(&self.plan), recorder.clone(), self.report.clone());
        let result = isolate::supervise_here(
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
                recorder.events().end(&report);
                print::uncaptured_report(&report);
                if report.command.is_none() {
                    // It is a `Check`, whose caller expects a report.
                    print::uncaptured(ABORTED);
                }
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

/// The reason why a [`Check`](crate::Check) does not return.
const ABORTED: &str = "\
note: this program ends here, because it is built with `panic = \"abort\"` and a case ended it
help: build it with `panic = \"unwind\"`, and `Check` returns this report";

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

/// Runs a test on this thread, and collects sample inputs for the event log.
fn run_in_process(
    test: &Test,
    plan: &Plan,
    recorder: &mut Recorder,
    children: Option<(IsolatedProcess, &Worker)>,
) -> (Verdict, Statistics) {
    let constants = mined(test.constants);
    let result = run_body(&test.run, &bodies(test.examples), constants, plan, recorder, children);
    recorder.events().sample(&mut |tape| draw_sample(test, tape));
    result
}

fn run_body(
    body: &Body<'_>,
    examples: &[&Body<'_>],
    constants: Constants,
    plan: &Plan,
    recorder: &mut Recorder,
    children: Option<(IsolatedProcess, &Worker)>,
) -> (Verdict, Statistics) {
    let _lineage = LineageMark::begin();
    let mut process = InProcess::new(body, examples, constants).tracing(&plan.settings);
    let result = match children {
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

/// Returns the tape and the values of the parameters of a case.
fn show_case(test: &Test, seed: u64, running: &RunningCase) -> Option<(Tape, Vec<ShownValue>)> {
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
        RunningCase::Example(_) | RunningCase::Enumerated | RunningCase::Nothing => return None,
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
    fn steps_are_the_cases_of_searches_for_an_input() {
        for (claim, expected) in [(Claim::ForAll, 1000), (Claim::Exists, 7), (Claim::NotExists, 7)]
        {
            let prepared = prepare(claim, |settings| {
                settings.steps = Some(7);
                settings.events = crate::settings::EventLevel::Off;
            });
            let Ok(session) = prepared else { panic!("refused") };
            assert_eq!(session.settings().cases, expected);
            assert_eq!(session.end().warnings, ["a warning"]);
        }
    }
}
