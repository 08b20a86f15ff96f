//! `cargo rebut generalize`: tests with parameters from tests without.
//!
//! After "Generalization of existing unit tests" in Tillmann and Schulte, "Unit Tests Reloaded"
//! (2005). The values in an ordinary `#[test]` are promoted to parameters, the result is explored,
//! and its paths are sorted: those that pass become a property with the assumption that selects
//! them and one example for each kind of path, those on which the code under test refuses its
//! input become a property that expects the panic, and mistakes of the code under test are told
//! with an input. All of it is built in a shadow of the package; the user's files are written
//! only with `--apply`, and nothing is shown that was not built and run.

mod atoms;
mod bench;
mod drafts;
mod form;
mod format;
mod kinds;
mod link;
mod logic;
mod mocked;
mod names;
mod native;
mod objects;
mod paths;
mod places;
mod plan;
mod probe;
mod sequences;
mod sites;
mod splice;
mod subject;
mod tell;
mod value;
mod verify;
mod words;
mod write;

use crate::words::say;
use bench::Bench;
use drafts::Outcome;
use kinds::Sources;
use link::Links;
use names::Names;
use paths::Paths;
use plan::Plan;
use rebut_build::{Request, Toolchain};
use rebut_cli::arguments::{Generalize, Shape};
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::to_stdout;
use rebut_cli::status::{shown, status};
use rebut_concolic::Budget;
use rebut_explore::{STACK, problem};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use tell::Told;

/// Generalizes the tests that the arguments select, and returns the exit code.
///
/// # Errors
/// If there are no such tests, or they cannot be built.
pub fn run(arguments: &Generalize) -> Result<Exit, Failure> {
    // Paths are run once more where they are told of.
    thread::scope(|scope| {
        let work = || generalize(arguments);
        let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let internal = |message: String| Failure::new(Exit::Internal, words::error(message));
        let worker = worker.map_err(|error| internal(error.to_string()))?;
        worker.join().unwrap_or_else(|_| Err(internal(words::WORKER_DIED.to_owned())))
    })
}

fn generalize(arguments: &Generalize) -> Result<Exit, Failure> {
    let mut step = |step: &str| say(step);
    let toolchain = Toolchain::find(&mut step).map_err(problem)?;
    let mut exit = Exit::Success;
    let mut count = 0;
    for (file, test) in wanted(&arguments.paths)? {
        let done = one_file(arguments, &toolchain, &file, test.as_deref())?;
        count += done.tests;
        if done.has_findings {
            exit = Exit::Failed;
        }
    }
    if count == 0 {
        return Err(Failure::new(Exit::Nothing, words::nothing_to_generalize(&arguments.paths)));
    }
    Ok(exit)
}

/// The files that were named, each with the path of a test if there is one.
fn wanted(paths: &[String]) -> Result<Vec<(PathBuf, Option<String>)>, Failure> {
    let mut found = Vec::new();
    for path in paths {
        let (file, test) = match path.split_once("::") {
            Some((file, test)) => (file, Some(test.to_owned())),
            None => (path.as_str(), None),
        };
        let file = Path::new(file);
        if file.is_dir() {
            let mut files = Vec::new();
            collect(file, &mut files);
            found.extend(files.into_iter().map(|file| (file, test.clone())));
        } else if file.is_file() {
            found.push((file.to_owned(), test));
        } else {
            return Err(Failure::new(Exit::File, words::no_such_file(file)));
        }
    }
    Ok(found)
}

/// The files below a folder that may have tests.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() && !path.ends_with("target") {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && fs::read_to_string(&path).is_ok_and(|text| text.contains("#[test]"))
        {
            files.push(path);
        }
    }
}

struct Done {
    tests: usize,
    has_findings: bool,
}

fn one_file(
    arguments: &Generalize,
    toolchain: &Toolchain,
    file: &Path,
    test: Option<&str>,
) -> Result<Done, Failure> {
    let bench = bench(arguments, file)?;
    let source = bench.home.folder.join("src");
    let mut names = Names::read(&source);
    if !bench.home.file.starts_with("src") {
        names.add(&bench.text, None);
    }
    let subjects = |bench: &Bench, names: &Names| {
        let failure = |error| Failure::new(Exit::File, words::cannot_parse(file, &error));
        subject::subjects(&bench.text, names).map_err(failure)
    };
    let found = subjects(&bench, &names)?;
    let bench = mocked::prepared(bench, &mut names, &found)?;
    let subjects = subjects(&bench, &names)?;
    let is_wanted =
        |path: &str| test.is_none_or(|test| path == test || path.ends_with(&format!("::{test}")));
    let all: Vec<String> = subjects.iter().map(subject::Subject::full_path).collect();
    let mut plans: Vec<Plan> = subjects
        .into_iter()
        .filter(|subject| is_wanted(&subject.full_path()))
        .map(Plan::new)
        .collect();
    if let Some(test) = test.filter(|_| plans.is_empty()) {
        return Err(Failure::new(Exit::Usage, words::no_such_test(file, test, &all)));
    }
    if plans.is_empty() {
        return Ok(Done { tests: 0, has_findings: false });
    }
    if bench.home.edition == "2015" && !bench.is_root() {
        plans.iter_mut().for_each(|plan| plan.give_up(words::OLD_EDITION));
    }
    let (paths, outcomes, text) = work(arguments, toolchain, &bench, &mut plans)?;
    let changes = tell::changes(&bench, &text);
    let patch = tell::patch(&bench.home.root, &changes);
    for ((plan, paths), outcome) in plans.iter().zip(&paths).zip(&outcomes) {
        let told = Told { bench: &bench, plan, paths: paths.as_ref(), outcome: outcome.as_ref() };
        match arguments.format {
            Shape::Text => to_stdout(&told.text())?,
            Shape::Json => to_stdout(&format!("{}\n", told.json()))?,
        }
    }
    match arguments.format {
        Shape::Text if !patch.is_empty() => to_stdout(&format!("\n{patch}"))?,
        Shape::Text => {}
        Shape::Json => {
            let file = bench.file().display().to_string();
            let line = serde_json::json!({ "file": file, "patch": patch });
            to_stdout(&format!("{line}\n"))?;
        }
    }
    if arguments.apply {
        for (path, _, new) in &changes {
            fs::write(path, new).map_err(|error| {
                Failure::new(Exit::File, words::file_failed(path, "write", error))
            })?;
            status("Updated", shown(path));
        }
    }
    let has_findings = outcomes.iter().flatten().any(|outcome| !outcome.findings.is_empty());
    Ok(Done { tests: plans.len(), has_findings })
}

fn bench(arguments: &Generalize, file: &Path) -> Result<Bench, Failure> {
    let request = Request {
        manifest: arguments.manifest_path.clone(),
        features: rebut_explore::features(&arguments.features),
        ..Request::default()
    };
    let home = rebut_build::TestFile::find(file, &request).map_err(problem)?;
    let text = fs::read_to_string(file)
        .map_err(|error| Failure::new(Exit::File, words::file_failed(file, "read", error)))?;
    let rebut = home.rebut.clone().unwrap_or_else(|| "rebut".to_owned());
    let manifest = Some(home.folder.join("Cargo.toml"));
    let request = Request { manifest, ..request };
    let (original, crates, given) = (text.clone(), Vec::new(), Vec::new());
    let bench = Bench { home, request, original, text, crates, rebut, given };
    Ok(bench.with_extern_crates())
}

/// For each plan, its paths and what became of it.
type Tried = (Vec<Option<Paths>>, Vec<Option<Outcome>>);

/// The same, and the text of the file.
type Worked = (Vec<Option<Paths>>, Vec<Option<Outcome>>, String);

/// From plans to the text of the file.
fn work(
    arguments: &Generalize,
    toolchain: &Toolchain,
    bench: &Bench,
    plans: &mut [Plan],
) -> Result<Worked, Failure> {
    let budget = Budget {
        runs: arguments.runs,
        // That it fails is no reason to stop.
        runs_after_failure: arguments.runs,
        length: arguments.length,
        // What is near the path of the test's own values counts, and that is found soon.
        conflicts: 2_000,
        conflicts_total: 50_000,
        terms: 400_000,
        ..Budget::default()
    };
    let worker = Worker { toolchain, bench, budget };
    probe::learn_types(bench, plans)?;
    let mut traces = worker.explore(plans, &Budget { runs: 0, ..worker.budget.clone() })?;
    let apart = plans.to_vec();
    for (plan, trace) in plans.iter_mut().zip(&mut traces) {
        if let Some(trace) = trace {
            link::link(plan, trace, worker.budget.solver(), Links::Needed);
        }
    }
    let mut found = worker.generalize(plans)?;
    // What is written alike need not be one value, so that is tried where nothing else helps.
    let mut others = apart;
    for (nth, plan) in others.iter_mut().enumerate() {
        let is_done = found.1[nth].as_ref().is_some_and(Outcome::is_general);
        if let Some(trace) = traces[nth].as_mut().filter(|_| !is_done) {
            link::link(plan, trace, worker.budget.solver(), Links::Alike);
        }
        if is_done || plan.parameters.len() == plans[nth].parameters.len() {
            plan.give_up(words::NOT_AGAIN);
        }
    }
    let (other_paths, other_outcomes) = worker.generalize(&mut others)?;
    let all = other_paths.into_iter().zip(other_outcomes).zip(others);
    for (nth, ((other_path, other), plan)) in all.enumerate() {
        if other.as_ref().is_some_and(Outcome::is_general) {
            (plans[nth], found.0[nth], found.1[nth]) = (plan, other_path, other);
        }
    }
    mocked::improve(&worker, plans, &mut found)?;
    let (paths, mut outcomes) = found;
    let text = verify::verified(bench, plans, &mut outcomes)?;
    Ok((paths, outcomes, text))
}

/// What tests are explored with.
struct Worker<'a> {
    toolchain: &'a Toolchain,
    bench: &'a Bench,
    budget: Budget,
}

impl Worker<'_> {
    /// Explores the open plans; those that cannot be explored are given up.
    fn explore(&self, plans: &mut [Plan], budget: &Budget) -> Result<Vec<Option<Paths>>, Failure> {
        let Worker { toolchain, bench, .. } = self;
        let with_parameters = |plan: &Plan, _: usize| form::explored(bench, plan);
        let mut paths: Vec<Option<Paths>> = plans.iter().map(|_| None).collect();
        if probe::build(bench, plans, &with_parameters)?.is_none() {
            return Ok(paths);
        }
        plans.iter_mut().for_each(Plan::check_mocks);
        let (text, _) = probe::edited(bench, plans, &with_parameters);
        match bench.module(toolchain, &text)? {
            Ok(module) => {
                let explored = paths::explore_all(&module, &bench.file(), plans, budget);
                for (nth, explored) in explored.into_iter().enumerate() {
                    match explored {
                        Some(Ok(found)) => paths[nth] = Some(found),
                        Some(Err(why)) => plans[nth].give_up(why),
                        None => {}
                    }
                }
            }
            Err(why) => plans.iter_mut().for_each(|plan| plan.give_up(why.clone())),
        }
        Ok(paths)
    }

    /// Explores the open plans, decides what becomes of them, and tries it.
    fn generalize(&self, plans: &mut [Plan]) -> Result<Tried, Failure> {
        let mut paths = self.explore(plans, &self.budget)?;
        if paths.iter().all(Option::is_none) {
            let outcomes = plans.iter().map(|_| None).collect();
            return Ok((paths, outcomes));
        }
        let mut sources = Sources::default();
        let natives = native::run(self.bench, plans, &paths, &mut sources)?;
        let mut outcomes: Vec<Option<Outcome>> = plans.iter().map(|_| None).collect();
        let all = plans.iter().zip(paths.iter_mut()).zip(&natives).zip(&mut outcomes);
        let all = Mutex::new(all);
        let work = || loop {
            let next = all.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((((plan, paths), natives), outcome)) = next else { break };
            let decide = |paths| drafts::decide(self.bench, plan, paths, natives, &self.budget);
            *outcome = paths.as_mut().map(decide);
        };
        thread::scope(|scope| {
            for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
                let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            }
        });
        native::confirm(self.bench, plans, &mut outcomes)?;
        verify::verified(self.bench, plans, &mut outcomes)?;
        Ok((paths, outcomes))
    }
}
