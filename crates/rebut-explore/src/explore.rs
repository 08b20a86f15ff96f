//! Explores one test, between its native runs.

use crate::agreement::{NativePaths, divergence, paths_to_run};
use crate::failures::FailureCollector;
use crate::module_state::is_test_of;
use crate::native::{self, NativePrograms};
use crate::seeds;
use crate::selection::{SelectedTest, can_be_explored, is_selected};
use crate::verdict::NativeRuns;
use crate::waiting::TestWatcher;
use crate::words;
use rebut_cli::arguments::{Explore, ExploreFormat};
use rebut_cli::exit::Failure;
use rebut_concolic::{
    Budget, Description, Exploration, Limit, Machine, ModuleError, Outcome, Scout, Stop,
};
use rebut_native::{TestName, TestProgram};
use rebut_smt::smtlib::Process;
use std::io;
use std::time::{Duration, Instant};

/// The runs of a test, before its verdict.
#[derive(Debug)]
pub(crate) struct Explored {
    pub(crate) description: Description,
    /// `None` if the native run decided the test, and no output needs its paths.
    pub(crate) exploration: Option<Exploration>,
    pub(crate) native: NativeRuns,
    /// The time that the exploration took.
    pub(crate) duration: Duration,
}

/// Why a test has no result.
#[derive(Debug)]
pub(crate) enum NotExplored {
    /// It cannot be explored, for this reason.
    Skipped(String),
    /// The command cannot go on.
    Failed(Failure),
}

impl From<io::Error> for NotExplored {
    fn from(error: io::Error) -> NotExplored {
        NotExplored::Failed(native::not_run(&error))
    }
}

/// The result for one test; `None` if the test is not selected.
pub(crate) type ExploreResult = Result<Option<Explored>, NotExplored>;

/// Runs and explores a test, unless its description shows that it is not selected.
pub(crate) fn explore_test(
    arguments: &Explore,
    programs: &NativePrograms,
    test: &SelectedTest<'_>,
    watcher: &TestWatcher<'_>,
) -> ExploreResult {
    if let Some(stop) = watcher.stop() {
        return Err(NotExplored::Skipped(words::not_started(test.function(), stop)));
    }
    let failed = |why: String| NotExplored::Skipped(words::cannot_explore(test.function(), &why));
    let scout = test.state.scout().map_err(failed)?;
    let description =
        scout.describe(&test.entry).map_err(|error: ModuleError| failed(error.to_string()))?;
    if !is_selected(arguments, &description) {
        return Ok(None);
    }
    watcher.rename(&description.path);
    if !can_be_explored(&description) {
        let why = words::not_explored(description.should_panic);
        return Err(NotExplored::Skipped(words::cannot_explore(&description.path, why)));
    }
    let name = TestName::from_path(&description.path);
    let program = programs.of(test.module);
    let prints = arguments.format == ExploreFormat::Text;
    let mut collector = FailureCollector::new(program, &name, prints, Some(watcher));
    let before = match program {
        Some(program) => test.state.run_before(arguments, test, program)?,
        None => None,
    };
    before.iter().for_each(|run| collector.add_run(run));
    let mut native = NativeRuns { before, ..NativeRuns::default() };
    native.failures = collector.failures.clone();
    let begun = Instant::now();
    let mut exploration = None;
    if native.verdict(&description).is_none() || needs_paths(arguments, &native) {
        let mut machine = machine(arguments, test, &scout).map_err(failed)?;
        let mut explored =
            explore(arguments, test, &description, &mut machine, &mut collector, watcher);
        native.paths = match program {
            Some(program) if watcher.stop().is_none() => {
                run_paths(program, &name, &description, &explored, &mut collector)?
            }
            _ => NativePaths { not_run: Some(0), ..NativePaths::default() },
        };
        if let Some(stop) = watcher.stop() {
            stop_at_end(&mut explored, &mut native.paths, stop);
        }
        exploration = Some(explored);
    }
    if let Some(error) = collector.error {
        return Err(error.into());
    }
    if collector.is_interrupted {
        watcher.print(|| words::say(&words::not_confirmed(&description.path)));
    }
    native.failures = collector.failures;
    Ok(Some(Explored { description, exploration, native, duration: begun.elapsed() }))
}

/// Notes why the native runs after an exploration are missing. A signal ends them, too, and then
/// their results mean nothing.
fn stop_at_end(exploration: &mut Exploration, native: &mut NativePaths, stop: Stop) {
    if stop == Stop::Interrupt {
        *native = NativePaths { not_run: Some(0), ..NativePaths::default() };
    }
    let limit = Limit::Stopped(stop);
    if native.not_run.is_some() && !exploration.limits.contains(&limit) {
        exploration.limits.push(limit);
    }
}

/// Returns whether a test is explored that the native run decided: an output shows its paths, or the
/// user looks for further failures.
fn needs_paths(arguments: &Explore, native: &NativeRuns) -> bool {
    let Explore { format, coverage, report, emit, runs_after_failure, .. } = arguments;
    let seeks_more = runs_after_failure.is_some_and(|runs| runs > 0);
    *coverage
        || *report
        || emit.is_some()
        || *format == ExploreFormat::Dot
        || (seeks_more && !native.failures.is_empty())
}

/// Returns the machine that runs a test.
fn machine(
    arguments: &Explore,
    test: &SelectedTest<'_>,
    scout: &std::sync::Arc<Scout>,
) -> Result<Machine, String> {
    // The test of a summary must run the function itself.
    let is_summary = scout.summaries().iter().any(|summary| is_test_of(summary, &test.entry));
    let summaries = match is_summary {
        true => &[],
        false => test.state.summaries(arguments, &test.module.entries),
    };
    match summaries {
        [] => test.state.machine(arguments, test),
        _ => {
            let scout = std::sync::Arc::clone(scout);
            let machine = Machine::with_summaries(scout, &test.entry, summaries);
            machine.map_err(|error| error.to_string())
        }
    }
}

/// Explores a test. Each failure runs natively when it is found.
fn explore(
    arguments: &Explore,
    test: &SelectedTest<'_>,
    description: &Description,
    machine: &mut Machine,
    collector: &mut FailureCollector<'_>,
    watcher: &TestWatcher<'_>,
) -> Exploration {
    let budget = budget(arguments);
    let mut solver = budget.solver();
    if let Some(process) = arguments.solver.as_deref().and_then(external_solver) {
        let time_max = Duration::from_secs(arguments.solver_time);
        solver.set_external(process.time_max(time_max));
    }
    let seeds = seeds::stored_failures(test.module, description);
    let fails = |outcome: &Outcome| match outcome {
        Outcome::Failed(_) => true,
        Outcome::Found => description.is_not_exists,
        _ => false,
    };
    rebut_concolic::explore_watched(machine, &budget, &seeds, &mut solver, watcher, &mut |leaf| {
        if fails(&leaf.outcome) {
            collector.confirm(&leaf.tape.to_replay_string());
        }
    })
}

/// Runs the inputs of all paths natively, and compares how they end. A failure that only the native
/// run shows is a failure of the test.
fn run_paths(
    program: &TestProgram,
    name: &TestName,
    description: &Description,
    exploration: &Exploration,
    collector: &mut FailureCollector<'_>,
) -> io::Result<NativePaths> {
    let paths = paths_to_run(exploration);
    let replay =
        |nth: &usize| exploration.leaves.get(*nth).map(|leaf| leaf.tape.to_replay_string());
    let replays: Vec<String> = paths.iter().filter_map(replay).collect();
    let results = native::run_paths(program, name, &replays)?;
    let mut native = NativePaths::default();
    for ((nth, replay), result) in paths.into_iter().zip(&replays).zip(results) {
        let (Some(leaf), Some(result)) = (exploration.leaves.get(nth), result) else {
            native.not_run.get_or_insert(nth);
            continue;
        };
        native.ran += 1;
        let is_witness = description.is_not_exists && result.outcome == "found";
        if result.outcome == "failed" || is_witness {
            collector.confirm_origin(&result.origin, replay);
        }
        let uses_summaries = !exploration.assumed.is_empty();
        native.divergences.extend(divergence(nth, leaf, &result, uses_summaries));
    }
    Ok(native)
}

/// Returns the solver that a command line names; `auto` is one that is installed, if any.
fn external_solver(command: &str) -> Option<Process> {
    match command {
        "auto" => Process::installed(),
        _ => Some(Process::new(command)),
    }
}

/// Returns the budget that the arguments set.
pub(crate) fn budget(arguments: &Explore) -> Budget {
    let default = Budget::default();
    Budget {
        runs: arguments.runs,
        runs_after_failure: arguments.runs_after_failure.unwrap_or(default.runs_after_failure),
        length: arguments.length,
        conflicts: arguments.conflicts,
        terms: arguments.terms,
        work: arguments.effort.saturating_mul(1_000_000),
        ..default
    }
}
