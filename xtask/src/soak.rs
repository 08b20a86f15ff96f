//! `cargo xtask soak`: lets Rebut run for half an hour with random kills, full disks and slow files.
//!
//! Three things happen at the same time. A campaign runs over an example, and one property runs in
//! one process, both with slow files; their memory and their descriptors must be flat
//! (`campaign.rs`, `flat.rs`). In other lanes, runs with full disks and slow files are killed, and
//! the next run must know what they had found (`cycles.rs`).
//!
//! A shared library makes files faulty (`faulty_files.rs.txt`). It acts on `.rebut` only. Lanes,
//! processes and kills are those of `cargo xtask faults`. Only Linux has what this needs.
//!
//! `bench/results/soak.md` is the table of the last whole soak.

mod campaign;
mod cycles;
mod flat;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use self::campaign::{Examples, LongRun, run_campaign, run_property};
use self::cycles::{CycleResults, FaultyFiles, Plan};
use crate::clock::shown;
use crate::compat::commit;
use crate::faults::process::Guard;
use crate::faults::project::{Project, write_changed};
use crate::{cargo, root, run as run_command, target};

/// The time of a whole soak. A product decision: a nightly campaign of users.
const TIME: Duration = Duration::from_secs(30 * 60);
/// How many lanes have cycles. Most of them wait most of the time.
const LANES: usize = 3;
/// The complaint if the canary is not found.
const UNFOUND_CANARY: &str = "the failure that the canary deletes is not found as lost";
/// The source of the library that makes files faulty. This crate does not compile it.
const FAULTY_FILES: &str = include_str!("soak/faulty_files.rs.txt");

/// `cargo xtask soak [--time TIME] [--seed N] [--check]`.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    let is_supported = cfg!(any(target_arch = "x86_64", target_arch = "aarch64"));
    if !cfg!(target_os = "linux") || !is_supported {
        return Err("`soak` runs on Linux only, on x86-64 or ARM64".to_owned());
    }
    let _ = fs::remove_dir_all(directory().join("wrong"));
    let faulty = faulty_files()?;
    run_command(&mut cargo(&["build", "--quiet", "-p", "cargo-rebut"]))?;
    let examples = Examples::build(&directory())?;
    // One more lane than those with cycles is for the property that runs all the time.
    let project = Project::build(LANES + 1)?;
    let _guard = Guard::start()?;
    let (long, lanes) = project.lanes().split_first().ok_or("there is no lane")?;
    let plans = Plan::all(long)?;
    let is_canary_found = cycles::is_canary_found(long, &plans, &faulty)?;
    if !is_canary_found {
        eprintln!("{:>12} {UNFOUND_CANARY}", "Wrong");
    }
    eprintln!("{:>12} for {}, seed {}", "Soaking", shown(options.time), options.seed);
    let soak = std::thread::scope(|scope| {
        let campaign = scope.spawn(|| run_campaign(&examples, &faulty, options.time, options.seed));
        let property = scope.spawn(|| run_property(long, &faulty, options.time, options.seed));
        let deadline = Instant::now() + options.time;
        let cycles = cycles::run(lanes, &plans, &faulty, options.seed, deadline)?;
        let joined = |thread: std::thread::ScopedJoinHandle<'_, Result<LongRun, String>>| {
            thread.join().unwrap_or_else(|_| Err("a thread panicked".to_owned()))
        };
        Ok::<_, String>(Soak {
            cycles,
            long_runs: vec![joined(campaign)?, joined(property)?],
            is_canary_found,
        })
    })?;
    let wrong = soak.complaints();
    eprint!("{}", soak.table());
    eprintln!(
        "{:>12} {} cycles, {} wrong",
        if wrong.is_empty() { "Finished" } else { "Failed" },
        soak.cycles.cycles(),
        wrong.len()
    );
    if options.is_whole() {
        let path = root().join("bench/results/soak.md");
        fs::write(&path, soak.page(options.time))
            .map_err(|error| format!("cannot write {path:?}: {error}"))?;
    }
    if options.checks && !wrong.is_empty() {
        return Err(format!("{} things are wrong", wrong.len()));
    }
    Ok(())
}

/// The arguments of the command.
#[derive(Debug)]
struct Options {
    /// Whether anything wrong is an error.
    checks: bool,
    time: Duration,
    seed: u64,
    has_seed: bool,
}

impl Options {
    fn parse(arguments: &[&str]) -> Result<Options, String> {
        let mut options = Options { checks: false, time: TIME, seed: 1, has_seed: false };
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().copied().unwrap_or_default();
            match *argument {
                "--check" => options.checks = true,
                "--time" => {
                    options.time =
                        time(value()).ok_or("`--time` needs a time such as `30s`, `5m` or `1h`")?;
                }
                "--seed" => {
                    options.has_seed = true;
                    options.seed = value().parse().ok().ok_or("`--seed` needs a number")?;
                }
                other => {
                    return Err(format!(
                        "`soak` takes `--time TIME`, `--seed N` and `--check`, not `{other}`"
                    ));
                }
            }
        }
        Ok(options)
    }

    fn is_whole(&self) -> bool {
        self.time >= TIME && !self.has_seed
    }
}

/// The time that a word such as `30s`, `5m` or `1h` names.
fn time(word: &str) -> Option<Duration> {
    let unit = word.chars().last()?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        _ => return None,
    };
    let count: u32 = word.strip_suffix(unit)?.parse().ok().filter(|count| *count > 0)?;
    Some(Duration::from_secs(seconds) * count)
}

/// Where everything is built and runs.
fn directory() -> PathBuf {
    target().join("soak")
}

/// Compiles the library that makes files faulty.
fn faulty_files() -> Result<FaultyFiles, String> {
    let source = directory().join("faulty_files.rs");
    let library = directory().join("libfaulty_files.so");
    let written = write_changed(&source, FAULTY_FILES);
    written.map_err(|error| format!("cannot write {source:?}: {error}"))?;
    let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.args(["--edition=2024", "--crate-type=cdylib", "-O", "-Cpanic=abort", "-o"]);
    run_command(command.arg(&library).arg(&source))?;
    Ok(FaultyFiles { library })
}

/// All results.
struct Soak {
    cycles: CycleResults,
    long_runs: Vec<LongRun>,
    is_canary_found: bool,
}

impl Soak {
    fn complaints(&self) -> Vec<String> {
        let mut complaints = self.cycles.complaints();
        complaints.extend(self.long_runs.iter().flat_map(|run| run.complaints.iter().cloned()));
        if !self.is_canary_found {
            complaints.push(UNFOUND_CANARY.to_owned());
        }
        complaints
    }

    fn table(&self) -> String {
        let mut table = self.cycles.table();
        table.push_str("\n| measured | |\n|---|---|\n");
        for (name, measured) in self.long_runs.iter().flat_map(|run| &run.rows) {
            let _ = writeln!(table, "| {name} | {measured} |");
        }
        table
    }

    fn page(&self, time: Duration) -> String {
        let wrong = self.complaints();
        let mut page = format!(
            "# Soak\n\n{}. In {}, **{} things are wrong**. `cargo xtask soak` writes this table.\n\n\
             A run with slow files and a full disk is killed at a random moment, or not. Then the \
             next run must report the failure that the first one had found. It is *warned* if the \
             first run printed that it could not save the failure, and *refused* if the run was \
             killed and the disk had refused its journal. Otherwise a missing failure is *lost*.\n\n\
             Meanwhile a campaign and one property run with slow files. Each process has medians \
             of its resident memory and its descriptors, of the second and the last quarter of its \
             time.\n\n{}",
            commit("bench/results/soak.md"),
            shown(time),
            wrong.len(),
            self.table()
        );
        if !wrong.is_empty() {
            page.push_str("\n## Wrong\n\n");
            wrong.iter().for_each(|complaint| page.push_str(&format!("- {complaint}\n")));
        }
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_a_time_and_a_seed() {
        let options = |words: &[&str]| Options::parse(words).expect("options");
        assert!(options(&[]).is_whole() && options(&["--check"]).is_whole());
        assert!(options(&["--check"]).checks);
        let short = options(&["--time", "30s"]);
        assert!(!short.is_whole() && short.time == Duration::from_secs(30));
        assert!(!options(&["--seed", "1"]).is_whole());
        assert_eq!(options(&["--seed", "7"]).seed, 7);
        let refused: [&[&str]; 6] =
            [&["--time"], &["--time", "5"], &["--time", "0s"], &["--seed"], &["--chekc"], &["x"]];
        for words in refused {
            assert!(Options::parse(words).is_err(), "{words:?}");
        }
    }

    #[test]
    fn times_have_a_unit() {
        assert_eq!(time("90s"), Some(Duration::from_secs(90)));
        assert_eq!(time("30m"), Some(TIME));
        assert_eq!(time("2h"), Some(Duration::from_secs(7200)));
        for word in ["", "s", "5", "-1s", "5d", "5µ"] {
            assert_eq!(time(word), None, "{word}");
        }
    }
}
