//! `cargo xtask faults`: lets tests die in many ways at many sites, and checks what users see.
//!
//! A cell of the table is a death (`deaths.rs`) at a site (`sites.rs`), under a test runner. It
//! runs two or three times in a generated crate (`project.rs`), without a network and within limits of time and
//! memory (`process.rs`). The judge (`judge.rs`) reads the output of the runner, the exit code and
//! the files; it uses no code of Rebut. `expected.rs` has the exceptions, each with a reason.
//! Canaries are tests that pass silently, hang, end their neighbors or have no report; the judge
//! must find them (`canary.rs`).
//!
//! Then test processes are killed at random moments, and no failure may be lost (`kills.rs`).
//!
//! `bench/results/faults.md` is the table of the last whole run.

mod canary;
mod deaths;
mod expected;
mod judge;
pub(crate) mod kills;
mod printed;
pub(crate) mod process;
pub(crate) mod project;
pub(crate) mod random;
mod sites;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use self::deaths::{DEATHS, Death};
use self::expected::Expectation;
use self::judge::{CellRun, CellRuns, Flaw, NTH};
use self::kills::KillResults;
use self::process::{Guard, Session};
use self::project::{Lane, Project};
use self::random::Random;
use self::sites::{SITES, Site};
use crate::clock::shown;
use crate::compat::{commit, cpu_time_of_children};
use crate::{cargo, root, run as run_command, setup, target};

/// The smallest input that dies.
const INPUT_MIN: u32 = 101;
/// A command must end within this time. Arbitrary: the slowest right cell takes a sixth of it.
pub(crate) const SECONDS_MAX: Duration = Duration::from_secs(60);
/// A canary that hangs must end within this time.
const CANARY_MAX: Duration = Duration::from_secs(3);
/// How many cells run at the same time. Most of them wait most of the time.
const LANES: usize = 8;
/// The number of cells in `cargo xtask test`. A product decision: less than a minute of CPU time.
const SLICE_CELLS: usize = 12;
/// The number of kills in `cargo xtask test`, and of a whole run.
const SLICE_KILLS: usize = 20;
const KILLS: usize = 1000;
/// The name that selects the kills.
const KILLS_NAME: &str = "kills";

/// `cargo xtask faults [--check] [--slice] [--seed N] [--kills N] [NAME..]`.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    let has_nextest = has_nextest();
    let mut cells = options.cells();
    if !has_nextest {
        cells.retain(|cell| cell.runner != Runner::Nextest);
        eprintln!("{:>12} cargo-nextest is missing; its cells are not checked", "Unchecked");
    }
    let kills = options.kills();
    if cells.is_empty() && kills == 0 {
        return Err(format!("no cell is selected by `{}`", arguments.join(" ")));
    }
    if kills > 0 {
        run_command(&mut cargo(&["build", "--quiet", "-p", "cargo-rebut"]))?;
    }
    let before = cpu_time_of_children();
    let project = Project::build(LANES)?;
    let _guard = Guard::start()?;
    let built = cpu_time_of_children();
    let mut wrong = try_canaries(&project)?;
    let results = try_cells(&project, &cells)?;
    let kills = match kills {
        0 => None,
        count => Some(kills::run(&project, count, options.seed)?),
    };
    let cpu_time = cpu_time_of_children();
    for complaint in kills.iter().flat_map(KillResults::complaints) {
        eprintln!("{:>12} {complaint}", "Wrong");
        wrong += 1;
    }
    wrong += results.iter().filter(|result| !result.is_right()).count();
    print_groups(&results);
    eprintln!(
        "{:>12} {} cells and {} kills, {wrong} wrong [{} of CPU time, {} to build the crate]",
        if wrong == 0 { "Finished" } else { "Failed" },
        results.len(),
        kills.as_ref().map_or(0, KillResults::kills),
        shown(cpu_time.saturating_sub(before)),
        shown(built.saturating_sub(before)),
    );
    if options.is_whole() {
        let path = root().join("bench/results/faults.md");
        let table = table(&results, kills.as_ref(), has_nextest, cpu_time.saturating_sub(before));
        fs::write(&path, table).map_err(|error| format!("cannot write {path:?}: {error}"))?;
    }
    if wrong > 0 && options.checks { Err(format!("{wrong} cells are wrong")) } else { Ok(()) }
}

/// Runs the cells that are part of `cargo xtask test`.
pub(crate) fn run_slice() -> Result<(), String> {
    run(&["--slice", "--check"])
}

/// The arguments of the command.
#[derive(Debug)]
struct Options {
    /// Whether a wrong cell is an error.
    checks: bool,
    /// Whether only some cells run, which the seed selects.
    is_slice: bool,
    seed: u64,
    kills: Option<usize>,
    /// Words that a cell must have: names of deaths, sites and runners, or `kills`.
    names: Vec<String>,
}

impl Options {
    fn parse(arguments: &[&str]) -> Result<Options, String> {
        let mut options =
            Options { checks: false, is_slice: false, seed: 1, kills: None, names: Vec::new() };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let mut number = || {
                let value = arguments.next().and_then(|value| value.parse::<usize>().ok());
                value.ok_or_else(|| format!("`{argument}` needs a number"))
            };
            match *argument {
                "--check" => options.checks = true,
                "--slice" => options.is_slice = true,
                "--seed" => options.seed = number()? as u64,
                "--kills" => options.kills = Some(number()?),
                flag if flag.starts_with('-') => {
                    return Err(format!(
                        "`faults` takes `--check`, `--slice`, `--seed N`, `--kills N`, and names of deaths, sites and runners, not `{flag}`"
                    ));
                }
                name => options.names.push(name.to_owned()),
            }
        }
        Ok(options)
    }

    fn cells(&self) -> Vec<Cell> {
        let all = Cell::all().into_iter();
        let cells: Vec<Cell> =
            all.filter(|cell| self.names.iter().all(|name| cell.has_name(name))).collect();
        if self.is_slice { slice(&cells, self.seed) } else { cells }
    }

    fn kills(&self) -> usize {
        let is_selected = self.names.iter().all(|name| name == KILLS_NAME);
        let usual = if self.is_slice { SLICE_KILLS } else { KILLS };
        if is_selected { self.kills.unwrap_or(usual) } else { 0 }
    }

    fn is_whole(&self) -> bool {
        !self.is_slice && self.names.is_empty() && self.kills.is_none()
    }
}

/// A test runner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Runner {
    CargoTest,
    OneThread,
    Nextest,
}

impl Runner {
    const ALL: [Runner; 3] = [Runner::CargoTest, Runner::OneThread, Runner::Nextest];

    fn name(self) -> &'static str {
        match self {
            Runner::CargoTest => "cargo test",
            Runner::OneThread => "cargo test -- --test-threads=1",
            Runner::Nextest => "cargo nextest run",
        }
    }

    /// Its arguments of cargo, to run the tests of a module.
    fn arguments(self, filter: &str) -> Vec<&str> {
        match self {
            Runner::CargoTest => vec!["test", "--lib", filter],
            Runner::OneThread => vec!["test", "--lib", filter, "--", "--test-threads=1"],
            Runner::Nextest => vec!["nextest", "run", "--lib", "--no-fail-fast", filter],
        }
    }
}

/// Whether the cells of nextest can run.
pub(crate) fn has_nextest() -> bool {
    let mut command = cargo(&["nextest", "--version"]);
    command.env("PATH", setup::path()).output().is_ok_and(|output| output.status.success())
}

/// A death at a site under a runner.
#[derive(Clone, Copy, Debug)]
struct Cell {
    death: &'static Death,
    site: &'static Site,
    runner: Runner,
}

impl Cell {
    fn all() -> Vec<Cell> {
        let mut cells = Vec::new();
        for runner in Runner::ALL {
            for death in DEATHS {
                cells.extend(SITES.iter().map(|site| Cell { death, site, runner }));
            }
        }
        cells
    }

    fn has_name(&self, name: &str) -> bool {
        [self.death.name, self.site.name, self.runner.name()].contains(&name)
    }

    fn shown(&self) -> String {
        format!("{}: {} at {}", self.runner.name(), self.death.name, self.site.name)
    }
}

/// Some cells with different deaths, at random sites.
fn slice(cells: &[Cell], seed: u64) -> Vec<Cell> {
    let mut random = Random::new(seed);
    let mut by_death: Vec<Vec<Cell>> = Vec::new();
    for death in DEATHS {
        let cells = cells.iter().filter(|cell| cell.death.name == death.name);
        by_death.push(cells.copied().collect());
    }
    by_death.retain(|cells| !cells.is_empty());
    let mut chosen = Vec::new();
    while chosen.len() < SLICE_CELLS.min(cells.len()) && !by_death.is_empty() {
        let row = random.below(by_death.len());
        let mut row = by_death.swap_remove(row);
        chosen.push(row.swap_remove(random.below(row.len())));
    }
    chosen
}

/// A cell that has run.
struct CellResult {
    cell: Cell,
    flaws: Vec<(Flaw, String)>,
}

impl CellResult {
    fn is_right(&self) -> bool {
        self.flaws.is_empty()
    }

    fn word(&self) -> String {
        self.flaws.first().map_or("ok".to_owned(), |(flaw, _)| flaw.to_string())
    }
}

/// Locks a mutex of this command, whose threads do not panic.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls a function in each lane until it returns false or fails.
pub(crate) fn in_lanes(
    lanes: &[Lane],
    step: &(dyn Fn(&Lane) -> Result<bool, String> + Sync),
) -> Result<(), String> {
    let results: Vec<Result<(), String>> = std::thread::scope(|scope| {
        let threads = lanes.iter().map(|lane| {
            scope.spawn(move || {
                while step(lane)? {}
                Ok(())
            })
        });
        let threads: Vec<_> = threads.collect();
        let joined = threads.into_iter().map(|thread| thread.join());
        joined.map(|result| result.unwrap_or_else(|_| Err("a lane panicked".to_owned()))).collect()
    });
    results.into_iter().collect()
}

fn try_cells(project: &Project, cells: &[Cell]) -> Result<Vec<CellResult>, String> {
    let directory = wrong_directory();
    let _ = fs::remove_dir_all(&directory);
    let created = fs::create_dir_all(&directory);
    created.map_err(|error| format!("cannot create {directory:?}: {error}"))?;
    let next = Mutex::new(cells.iter().enumerate());
    let results: Mutex<BTreeMap<usize, CellResult>> = Mutex::new(BTreeMap::new());
    in_lanes(project.lanes(), &|lane| {
        let Some((nth, cell)) = locked(&next).next() else { return Ok(false) };
        let flaws = try_cell(lane, cell, SECONDS_MAX)?;
        let result = CellResult { cell: *cell, flaws };
        if !result.is_right() {
            eprintln!("{:>12} {}: {}", "Wrong", cell.shown(), result.word());
        }
        locked(&results).insert(nth, result);
        Ok(true)
    })?;
    let results = results.into_inner().map_err(|error| error.to_string())?;
    Ok(results.into_values().collect())
}

/// Runs a cell two or three times, and judges it.
fn try_cell(lane: &Lane, cell: &Cell, limit: Duration) -> Result<Vec<(Flaw, String)>, String> {
    lane.reset()?;
    let expected = Expectation::of(cell);
    let mut runs = CellRuns::default();
    while runs.needs_more() {
        runs.runs.push(run_once(lane, cell, limit)?);
    }
    runs.journals = lane.journals();
    let flaws = judge::flaws(&runs, cell.runner, cell.site, &expected);
    if !flaws.is_empty() {
        record(cell, &runs, &flaws);
    }
    Ok(flaws)
}

fn run_once(lane: &Lane, cell: &Cell, limit: Duration) -> Result<CellRun, String> {
    lane.forget_notes();
    let filter = format!("{}::", cell.site.module);
    let mut command = project::cargo(&lane.home);
    command
        .args(cell.runner.arguments(&filter))
        .env("FAULTS_DEATH", cell.death.name)
        .env("FAULTS_SITE", cell.site.module)
        .env("FAULTS_NOTES", lane.notes_file())
        .env("TMPDIR", lane.temporary())
        .envs(cell.death.environment.iter().copied());
    let ended = Session::start(&command, &lane.home)?.end(limit);
    let (saved, stray) = lane.saved(cell.site.deadly);
    Ok(CellRun { ended, notes: lane.notes(), saved, stray })
}

/// Where the output of wrong cells is.
fn wrong_directory() -> PathBuf {
    target().join("faults").join("wrong")
}

/// Writes down what a wrong cell printed.
fn record(cell: &Cell, runs: &CellRuns, flaws: &[(Flaw, String)]) {
    let mut text = format!("{}\n", cell.shown());
    for (flaw, why) in flaws {
        let _ = writeln!(text, "{flaw}: {why}");
    }
    for (run, nth) in runs.runs.iter().zip(NTH) {
        let notes: Vec<u32> = run.notes.iter().copied().take(20).collect();
        let _ = writeln!(
            text,
            "\n===== {nth} run: code {:?} after {:?}; {} saved; notes {notes:?}; left {:?}\n--- stdout\n{}\n--- stderr\n{}",
            run.ended.code,
            run.ended.time,
            run.saved,
            run.ended.left,
            run.ended.stdout,
            run.ended.stderr
        );
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name: String = cell.shown().chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    // It only helps to understand the table.
    let _ = fs::write(wrong_directory().join(format!("{name}.txt")), text);
}

/// Returns the number of canaries that the judge does not find.
fn try_canaries(project: &Project) -> Result<usize, String> {
    let next = Mutex::new(canary::SITES.iter());
    let missed = Mutex::new(0);
    in_lanes(project.lanes(), &|lane| {
        let Some(site) = locked(&next).next() else { return Ok(false) };
        let cell = Cell { death: &DEATHS[0], site, runner: Runner::OneThread };
        let flaws = try_cell(lane, &cell, CANARY_MAX)?;
        if flaws.first().is_none_or(|(flaw, _)| *flaw != canary::flaw_of(site)) {
            eprintln!("{:>12} other flaws than those of the {}: {flaws:?}", "Wrong", site.name);
            *locked(&missed) += 1;
        }
        Ok(true)
    })?;
    missed.into_inner().map_err(|error| error.to_string())
}

/// Prints how many cells of each runner are right.
fn print_groups(results: &[CellResult]) {
    for runner in Runner::ALL {
        let of_runner = || results.iter().filter(|result| result.cell.runner == runner);
        let right = of_runner().filter(|result| result.is_right()).count();
        if of_runner().next().is_some() {
            eprintln!("{:>12} {}: {right} of {}", "Right", runner.name(), of_runner().count());
        }
    }
}

fn table(
    results: &[CellResult],
    kills: Option<&KillResults>,
    has_nextest: bool,
    cpu_time: Duration,
) -> String {
    let wrong = results.iter().filter(|result| !result.is_right()).count();
    let unchecked = if has_nextest { "" } else { " cargo-nextest was not installed." };
    let mut table = format!(
        "# Faults\n\n{}. Of {} ways to die, **{wrong} are wrong**; {} of CPU time.{unchecked} `cargo \
         xtask faults` writes this table. A cell is *ok* if all of its runs end, fail, name the cause and \
         the minimal input, let the other tests finish, and leave nothing behind. Otherwise it says \
         what is wrong. `xtask/src/faults/expected.rs` has the exceptions.\n",
        commit("bench/results/faults.md"),
        results.len(),
        shown(cpu_time),
    );
    for runner in Runner::ALL {
        let of_runner: Vec<&CellResult> =
            results.iter().filter(|result| result.cell.runner == runner).collect();
        if of_runner.is_empty() {
            continue;
        }
        let right = of_runner.iter().filter(|result| result.is_right()).count();
        let _ = write!(
            table,
            "\n## `{}`\n\n{right} of {} are right.\n\n| death |",
            runner.name(),
            of_runner.len()
        );
        SITES.iter().for_each(|site| table.push_str(&format!(" {} |", site.name)));
        table.push_str(&format!("\n|---|{}\n", "---|".repeat(SITES.len())));
        for death in DEATHS {
            let _ = write!(table, "| {} |", death.name);
            for site in SITES {
                let result = of_runner.iter().find(|result| {
                    result.cell.death.name == death.name && result.cell.site.name == site.name
                });
                let _ = write!(table, " {} |", result.map_or_else(String::new, |one| one.word()));
            }
            table.push('\n');
        }
    }
    if let Some(kills) = kills {
        let _ = write!(
            table,
            "\n## Kills\n\n{} test processes were killed at random moments. A failure is *lost* if the \
             killed run had found it, and the next run does not report it.\n\n{}",
            kills.kills(),
            kills.table()
        );
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(words: &[&str]) -> Options {
        Options::parse(words).expect("options")
    }

    #[test]
    fn options_select_cells() {
        assert_eq!(options(&[]).cells().len(), 3 * DEATHS.len() * SITES.len());
        assert_eq!(options(&["abort", "body"]).cells().len(), 3);
        assert_eq!(options(&["abort", "body", "cargo test"]).cells().len(), 1);
        assert!(options(&["kills"]).cells().is_empty());
        assert_eq!((options(&["kills"]).kills(), options(&["abort"]).kills()), (KILLS, 0));
        assert_eq!(options(&["--slice"]).kills(), SLICE_KILLS);
        assert!(options(&[]).is_whole() && !options(&["--kills", "3"]).is_whole());
        assert!(Options::parse(&["--chekc"]).is_err() && Options::parse(&["--seed"]).is_err());
    }

    #[test]
    fn slices_depend_on_the_seed_only() {
        let names = |seed: u64| -> Vec<String> {
            slice(&Cell::all(), seed).iter().map(Cell::shown).collect()
        };
        assert_eq!(names(1).len(), SLICE_CELLS);
        assert_eq!(names(1), names(1));
        assert_ne!(names(1), names(2));
    }

    #[test]
    fn tables_have_a_word_for_each_cell() {
        let results: Vec<CellResult> = Cell::all()
            .into_iter()
            .map(|cell| CellResult { cell, flaws: Vec::new() })
            .enumerate()
            .map(|(nth, mut result)| {
                if nth == 0 {
                    result.flaws.push((Flaw::Hangs, String::new()));
                }
                result
            })
            .collect();
        let table = table(&results, None, true, Duration::ZERO);
        assert!(table.contains("| panic | hangs | ok |"), "{table}");
        assert!(table.contains("**1 are wrong**"), "{table}");
        assert_eq!(table.matches(" ok |").count(), results.len() - 1);
    }

    #[test]
    fn modules_are_no_ends_of_each_other() {
        let modules = || SITES.iter().chain(canary::SITES).map(|site| site.module);
        for one in modules() {
            assert_eq!(modules().filter(|other| other.ends_with(one)).count(), 1, "{one}");
        }
    }
}
