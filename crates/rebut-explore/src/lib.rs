//! `cargo rebut explore`: every path through a property.
//!
//! The tests are built for WebAssembly (`rebut-build`) and explored there (`rebut-concolic`),
//! as many at a time as there are processors. Each exploration is a function of the test and
//! the budget, so it does not matter which of them runs where. What fails is run natively: the
//! report that is printed is that of the native run, with its shrunk input, and the database
//! has it as it has any other failure.

mod assumed;
mod confirm;
mod describe;
mod emit;
mod events;
mod lines;
mod picture;
mod seeds;
mod words;

use crate::words::say;
use confirm::Confirmation;
use events::{Log, Told};
use picture::{Picture, Studio};
use rebut_build::{Module, Problem, Request, Toolchain};
use rebut_cli::arguments::{Explore, ExploreFormat};
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::write_to;
use rebut_cli::output::{open, to_stdout};
use rebut_cli::runs::{self, Workspace};
use rebut_concolic::{
    Budget, Description, Exploration, Machine, ModuleError, Quality, Scout, Summary, Verdict,
};
use rebut_protocol::wasm;
use rebut_smt::smtlib::Process;
use std::collections::HashMap;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// The stack of a thread that runs tests: more than the tests may use of it.
pub const STACK: usize = 64 << 20;

/// Explores the tests that the arguments select, prints the results, and returns the exit code.
///
/// # Errors
/// If nothing can be explored, or a result cannot be written.
pub fn run(arguments: &Explore) -> Result<Exit, Failure> {
    // Paths are run once more where they are told of.
    let run = || explore_and_tell(arguments);
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        let internal = |message: String| Failure::new(Exit::Internal, words::error(message));
        let worker = worker.map_err(|error| internal(error.to_string()))?;
        worker.join().unwrap_or_else(|_| Err(internal(words::WORKER_DIED.to_owned())))
    })
}

fn explore_and_tell(arguments: &Explore) -> Result<Exit, Failure> {
    let (modules, sees_all_calls) = build(arguments)?;
    let jobs = jobs(arguments, &modules)?;
    if jobs.is_empty() {
        return Err(Failure::new(Exit::Nothing, words::nothing_to_explore(&arguments.tests)));
    }
    let mut exit = Exit::Success;
    let mut told = 0;
    let mut result = Ok(());
    let (mut studio, mut log) = (Studio::default(), Log::new());
    studio.sees_all_calls = sees_all_calls;
    explore_all(arguments, &jobs, |job, explored| {
        match tell(arguments, &mut studio, &mut log, job, explored) {
            Ok(None) => {}
            Ok(Some(code)) => {
                exit = exit.max(code);
                told += 1;
            }
            Err(failure) => {
                result = Err(failure);
                return false;
            }
        }
        true
    });
    result?;
    if told == 0 {
        return Err(Failure::new(Exit::Nothing, words::nothing_to_explore(&arguments.tests)));
    }
    if arguments.report {
        write_report(arguments, &log)?;
    }
    Ok(exit)
}

/// Writes the events, and a page of them.
fn write_report(arguments: &Explore, log: &Log) -> Result<(), Failure> {
    let workspace = Workspace::find(arguments.manifest_path.as_deref())?;
    let events = log.write(&workspace)?;
    let report = runs::report(&[events.display().to_string()])?;
    let page = workspace.home().join("report.html");
    write_to(&page, &report, None)?;
    if arguments.open {
        open(&page);
    }
    Ok(())
}

/// One test of a module.
struct Job<'m> {
    module: &'m Module,
    shared: Arc<Shared>,
    entry: String,
}

impl Job<'_> {
    /// The test by the name that its export has: the function's, with a number behind it.
    fn name(&self) -> String {
        wasm::test_of_export(&self.entry).unwrap_or(&self.entry).to_owned()
    }
}

/// What all tests of a module have in common; made by the first that needs it.
struct Shared {
    wasm: Arc<[u8]>,
    scout: OnceLock<Result<Arc<Scout>, String>>,
    /// The summaries that are proved.
    summaries: OnceLock<Vec<Summary>>,
    /// The tests that were asked for, so many at a time, and what runs them.
    batches: OnceLock<Vec<Batch>>,
}

/// How many tests have their code made at once: most of it is the same in all of them, but nobody
/// wants to wait until all of them have been tried out.
const BATCH: usize = 16;

/// Tests whose code is made at once, by the first of them that is explored.
struct Batch {
    entries: Vec<String>,
    machines: OnceLock<Result<Mutex<HashMap<String, Machine>>, String>>,
}

impl Batch {
    fn machine(&self, scout: &Arc<Scout>, entry: &str) -> Result<Option<Machine>, String> {
        let make = || {
            let tests: Vec<&str> = self.entries.iter().map(String::as_str).collect();
            let machines = Machine::for_tests(scout, &tests, Quality::Fine);
            let machines = machines.map_err(|unfit| unfit.to_string())?;
            Ok(Mutex::new(self.entries.iter().cloned().zip(machines).collect()))
        };
        let machines = self.machines.get_or_init(make).as_ref().map_err(Clone::clone)?;
        Ok(machines.lock().unwrap_or_else(PoisonError::into_inner).remove(entry))
    }
}

impl Shared {
    fn new(wasm: Arc<[u8]>) -> Shared {
        let (scout, summaries, batches) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Shared { wasm, scout, summaries, batches }
    }

    /// What runs a test that was asked for.
    fn machine(&self, arguments: &Explore, job: &Job<'_>) -> Result<Machine, String> {
        let scout = self.scout()?;
        let batches = self.batches.get_or_init(|| {
            let is_explored = |entry: &&String| {
                scout.describe(entry).is_ok_and(|description| {
                    is_asked_for(arguments, &description) && can_be_explored(&description)
                })
            };
            let entries: Vec<String> =
                job.module.entries.iter().filter(is_explored).cloned().collect();
            let batch =
                |entries: &[String]| Batch { entries: entries.to_vec(), machines: OnceLock::new() };
            entries.chunks(BATCH).map(batch).collect()
        });
        let own = batches.iter().find(|batch| batch.entries.contains(&job.entry));
        match own.map(|batch| batch.machine(&scout, &job.entry)).transpose()?.flatten() {
            Some(machine) => Ok(machine),
            None => Machine::with_scout(scout, &job.entry).map_err(|unfit| unfit.to_string()),
        }
    }

    fn scout(&self) -> Result<Arc<Scout>, String> {
        let make = || {
            let scout = Scout::new(Arc::clone(&self.wasm), rebut_build::unsupported_call);
            scout.map(Arc::new).map_err(|unfit| unfit.to_string())
        };
        self.scout.get_or_init(make).clone()
    }

    /// The summaries that may stand in for functions: all paths of their tests were explored,
    /// and nothing else was assumed.
    fn summaries(&self, arguments: &Explore, entries: &[String]) -> &[Summary] {
        self.summaries.get_or_init(|| {
            let Ok(scout) = self.scout() else { return Vec::new() };
            let is_proved = |summary: &Summary| {
                let mut tests = entries.iter().filter(|entry| is_of(summary, entry)).peekable();
                tests.peek().is_some()
                    && tests.all(|entry| {
                        let machine = Machine::with_scout(Arc::clone(&scout), entry);
                        let Ok(mut machine) = machine else { return false };
                        let explored =
                            rebut_concolic::explore(&mut machine, &budget(arguments), &[]);
                        explored.verdict == Verdict::Holds && !explored.assumes_hashes
                    })
            };
            let (proved, others): (Vec<Summary>, Vec<Summary>) =
                scout.summaries().into_iter().partition(is_proved);
            for other in others {
                say(&words::summary_not_used(&other.test));
            }
            proved
        })
    }
}

/// Whether an entry is that of the test of a summary.
fn is_of(summary: &Summary, entry: &str) -> bool {
    wasm::test_of_export(entry) == Some(&summary.test)
}

fn budget(arguments: &Explore) -> Budget {
    Budget {
        runs: arguments.runs,
        runs_after_failure: arguments.runs_after_failure,
        length: arguments.length,
        conflicts: arguments.conflicts,
        terms: arguments.terms,
        ..Budget::default()
    }
}

/// A test that was explored, or in words why it was not.
type Explored = Result<Option<(Description, Exploration, Duration)>, String>;

/// The modules, and whether all calls of the standard library are seen in them.
fn build(arguments: &Explore) -> Result<(Vec<Module>, bool), Failure> {
    let mut step = |step: &str| say(step);
    let toolchain = Toolchain::find(&mut step).map_err(problem)?;
    if !toolchain.sees_all_calls() {
        say(&words::calls_not_seen());
    }
    let request = Request {
        manifest: arguments.manifest_path.clone(),
        packages: arguments.package.clone(),
        features: features(&arguments.features),
        ..Request::default()
    };
    let built = rebut_build::build(&toolchain, &request, &mut step).map_err(problem)?;
    for skipped in &built.skipped {
        say(&words::skipped(skipped));
    }
    if built.modules.is_empty() && !built.skipped.is_empty() {
        return Err(Failure::new(Exit::Build, words::nothing_built()));
    }
    Ok((built.modules, toolchain.sees_all_calls()))
}

/// The features that the command line names, for a build.
#[must_use]
pub fn features(features: &rebut_cli::arguments::Features) -> rebut_build::Features {
    rebut_build::Features {
        all: features.all_features,
        no_default: features.no_default_features,
        names: features.names.clone(),
    }
}

/// What a problem with a build ends the command with.
pub fn problem(problem: Problem) -> Failure {
    let exit = if problem.is_toolchain() {
        Exit::MissingTool
    } else if problem.is_request() {
        Exit::Usage
    } else {
        Exit::Build
    };
    Failure::new(exit, words::error(problem))
}

/// The tests that were asked for, as far as the names of their exports tell: these have the name
/// of the function, and the path of a test begins with the crate. All tests if none fits, as a
/// module between these may be meant.
fn jobs<'m>(arguments: &Explore, modules: &'m [Module]) -> Result<Vec<Job<'m>>, Failure> {
    let mut jobs = Vec::new();
    let mut others = Vec::new();
    for module in modules {
        let wasm: Arc<[u8]> = fs::read(&module.path)
            .map_err(|error| {
                let message = words::file_failed(&module.path, "read", error);
                Failure::new(Exit::File, message)
            })?
            .into();
        let shared = Arc::new(Shared::new(wasm));
        let targets = format!("{} {}", module.package, module.target).replace('-', "_");
        for entry in &module.entries {
            let may_fit = |word: &String| {
                let last = word.rsplit("::").next().unwrap_or_default();
                entry.contains(last) || targets.contains(word.trim_end_matches("::"))
            };
            let is_wanted = arguments.tests.is_empty() || arguments.tests.iter().any(may_fit);
            let job = Job { module, shared: Arc::clone(&shared), entry: entry.clone() };
            if is_wanted { jobs.push(job) } else { others.push(job) }
        }
    }
    Ok(if jobs.is_empty() { others } else { jobs })
}

/// Explores on all processors; `tell` hears of each in order, until it says to stop.
fn explore_all<'j, 'm>(
    arguments: &Explore,
    jobs: &'j [Job<'m>],
    mut tell: impl FnMut(&'j Job<'m>, Explored) -> bool,
) {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(jobs.len());
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let sender = Mutex::new(sender);
    thread::scope(|scope| {
        for _ in 0..threads {
            let worker = || loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(job) = jobs.get(number) else { break };
                let explored = explore(arguments, job);
                let sender = sender.lock().unwrap_or_else(PoisonError::into_inner);
                if sender.send((number, explored)).is_err() {
                    break;
                }
            };
            let spawned = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker);
            if let Err(error) = spawned {
                say(&words::error(error));
            }
        }
        let mut waiting: Vec<Option<Explored>> = jobs.iter().map(|_| None).collect();
        for (number, job) in jobs.iter().enumerate() {
            while waiting[number].is_none() {
                let Ok((done, explored)) = receiver.recv() else { return };
                waiting[done] = Some(explored);
            }
            let Some(explored) = waiting[number].take() else { return };
            if !tell(job, explored) {
                next.store(jobs.len(), Ordering::Relaxed);
                return;
            }
        }
    });
}

/// Explores one test; nothing if it was not asked for.
fn explore(arguments: &Explore, job: &Job<'_>) -> Explored {
    let unfit = |unfit: ModuleError| words::cannot_explore(&job.name(), &unfit.to_string());
    let failed = |why: String| words::cannot_explore(&job.name(), &why);
    let scout = job.shared.scout().map_err(failed)?;
    let description = scout.describe(&job.entry).map_err(unfit)?;
    if !is_asked_for(arguments, &description) {
        return Ok(None);
    }
    if !can_be_explored(&description) {
        let why = words::not_explored(description.should_panic);
        return Err(words::cannot_explore(&description.path, why));
    }
    let is_summary = scout.summaries().iter().any(|summary| is_of(summary, &job.entry));
    let summaries = match is_summary {
        true => &[],
        false => job.shared.summaries(arguments, &job.module.entries),
    };
    let mut machine = match summaries {
        [] => job.shared.machine(arguments, job).map_err(failed)?,
        _ => Machine::with_summaries(scout, &job.entry, summaries).map_err(unfit)?,
    };
    let budget = budget(arguments);
    let mut solver = budget.solver();
    if let Some(command) = &arguments.solver {
        let time_max = Duration::from_secs(arguments.solver_time);
        solver.set_external(Process::new(command).time_max(time_max));
    }
    let seeds = seeds::of(job.module, &description);
    let begun = Instant::now();
    let exploration = rebut_concolic::explore_with(&mut machine, &budget, &seeds, &mut solver);
    Ok(Some((description, exploration, begun.elapsed())))
}

fn is_asked_for(arguments: &Explore, description: &Description) -> bool {
    let is_named = arguments.tests.iter().any(|word| description.path.contains(word));
    is_named || (arguments.tests.is_empty() && !description.is_ignored)
}

fn can_be_explored(description: &Description) -> bool {
    !description.should_panic && !description.has_specification
}

/// Prints what came of a test; none if it was not asked for.
fn tell<'j>(
    arguments: &Explore,
    studio: &mut Studio<'j>,
    log: &mut Log,
    job: &'j Job<'_>,
    explored: Explored,
) -> Result<Option<Exit>, Failure> {
    let (description, mut exploration, time) = match explored {
        Ok(Some(explored)) => explored,
        Ok(None) => return Ok(None),
        Err(why) => {
            say(&why);
            return Ok(Some(undecided(arguments)));
        }
    };
    studio.place_needs(job, &mut exploration);
    let assumed = assumed::all(&exploration, studio.sees_all_calls);
    let confirmed = match &exploration.verdict {
        Verdict::Fails(leaves) => {
            confirm::confirm_failures(job.module, &description, &exploration, leaves)?
        }
        Verdict::Found(leaf) if description.is_not_exists => {
            confirm::confirm_failures(job.module, &description, &exploration, &[*leaf])?
        }
        _ => Vec::new(),
    };
    let picture = picture(arguments, studio, job, &exploration);
    let coverage = picture.as_ref().and_then(|picture| picture.coverage.as_ref());
    let text = match arguments.format {
        ExploreFormat::Text => {
            let mut text = describe::text(&description, &exploration, &confirmed, &assumed);
            if let Some(coverage) = coverage.filter(|_| arguments.coverage) {
                text.push_str(&lines::text(coverage));
            }
            text
        }
        ExploreFormat::Json => {
            describe::json(&description, &exploration, &confirmed, &assumed, picture.as_ref())
        }
        ExploreFormat::Dot => {
            picture.as_ref().map(|of| describe::dot(&description, of)).unwrap_or_default()
        }
    };
    to_stdout(&text)?;
    if let Some(picture) = picture.as_ref().filter(|_| arguments.report) {
        let (description, exploration) = (&description, &exploration);
        let confirmed = confirmed.as_slice();
        log.tell(
            &Told { description, exploration, confirmed, picture, assumed: &assumed, time },
            job,
            studio,
        );
    }
    if let (Some(how), Some(picture)) = (arguments.emit, &picture) {
        emit::emit(how, job.module, &description, picture)?;
    }
    Ok(Some(exit_of(arguments, &description, &exploration, &confirmed)))
}

/// What is refuted here is what fails under `cargo test`.
fn exit_of(
    arguments: &Explore,
    description: &Description,
    exploration: &Exploration,
    confirmed: &[Confirmation],
) -> Exit {
    let is_refuted = match &exploration.verdict {
        Verdict::Holds => description.is_exists,
        // Whoever claims something only of what there is not claims nothing.
        Verdict::Vacuous => true,
        Verdict::Fails(_) | Verdict::Found(_) => {
            confirmed.iter().any(|confirmed| matches!(confirmed, Confirmation::Fails(_)))
        }
        Verdict::Unknown(_) => false,
    };
    match &exploration.verdict {
        _ if is_refuted => Exit::Failed,
        Verdict::Holds => Exit::Success,
        // An input that was looked for was found, and the native run agrees.
        Verdict::Found(_) if description.is_exists => Exit::Success,
        _ => undecided(arguments),
    }
}

/// The code for a test that is neither proved nor failing.
fn undecided(arguments: &Explore) -> Exit {
    if arguments.require_proof { Exit::Inconclusive } else { Exit::Success }
}

/// What the exploration looks like in terms of the source, if somebody wants to see it.
fn picture<'j>(
    arguments: &Explore,
    studio: &mut Studio<'j>,
    job: &'j Job<'_>,
    exploration: &Exploration,
) -> Option<Picture> {
    let is_wanted = arguments.format != ExploreFormat::Text
        || arguments.coverage
        || arguments.report
        || arguments.emit.is_some();
    if !is_wanted {
        return None;
    }
    match studio.picture(job, exploration) {
        Ok(picture) => {
            if picture.coverage.is_none() && arguments.coverage {
                say(&words::no_line_tables(&job.entry));
            }
            Some(picture)
        }
        Err(why) => {
            say(&words::no_picture(&job.entry, &why));
            None
        }
    }
}
