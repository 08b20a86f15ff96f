//! The long runs: a campaign over examples, and one property that runs all the time. Their files are
//! slow. Meanwhile their memory and their descriptors are measured.

use std::cell::Cell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::cycles::{FaultRates, FaultyFiles, SLOW};
use super::flat::{Processes, Quarters};
use crate::compat::copy;
use crate::faults::process::{Ended, Session};
use crate::faults::project::{Lane, cargo, files, set_environment, write_changed};
use crate::root;

/// The example. It has about 160 properties, of which a third fails.
const EXAMPLE: &str = "explore";
/// Its tests that are properties and nothing else.
const TESTS: [&str; 4] = ["b_tree", "bombs", "collections", "kani"];
/// The property that runs all the time. It is part of the crate of `cargo xtask faults`.
const LONG: &str = "at_body::holds";
/// The limits of a process: memory in KiB, size of a file in KiB. Those of `cargo xtask faults`
/// without one of CPU time.
const LIMITS: &str = "ulimit -v 8388608; ulimit -f 1048576";
/// A long run may take this much longer than its time. A report of a campaign takes some seconds,
/// and a failing test is built and run.
const END_MAX: Duration = Duration::from_secs(180);
/// How many samples a long run has, and the least time between two of them. Arbitrary: one per
/// second in half an hour.
const SAMPLES: u32 = 1800;
const SAMPLE_EVERY_MIN: Duration = Duration::from_millis(250);
/// The events and the report of a campaign may have this size in bytes. Measured: the first round of
/// the example writes 75 MB, because some properties are tried with all inputs of 16 bits. A round
/// after it adds 3 kB. The report has half a megabyte.
const EVENTS_MAX: u64 = 200 << 20;
const PAGE_MAX: u64 = 20 << 20;
/// How many processes of a campaign the table shows.
const SHOWN_PROCESSES: usize = 5;

/// The examples and the directory that they are built in.
#[derive(Debug)]
pub(super) struct Examples {
    home: PathBuf,
    build: PathBuf,
}

impl Examples {
    /// Copies and builds the examples.
    pub(super) fn build(directory: &Path) -> Result<Examples, String> {
        let home = directory.join("examples");
        let examples = Examples { home, build: directory.join("build") };
        examples.write().map_err(|error| format!("cannot copy the examples: {error}"))?;
        let mut command = examples.cargo();
        command.args(["test", "--no-run", "--quiet"]).args(selection());
        crate::run(&mut command)?;
        Ok(examples)
    }

    fn write(&self) -> io::Result<()> {
        let example = self.home.join(EXAMPLE);
        for stale in [&example, &self.build.join("rebut")] {
            match fs::remove_dir_all(stale) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        copy(&root().join("examples").join(EXAMPLE), &example)?;
        let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
        write_changed(&self.home.join("Cargo.toml"), &workspace(&manifest, &root()))?;
        // With the versions of this workspace nothing has to be looked up.
        fs::copy(root().join("Cargo.lock"), self.home.join("Cargo.lock"))?;
        Ok(())
    }

    fn cargo(&self) -> Command {
        let mut command = cargo(&self.home);
        command.env("CARGO_TARGET_DIR", &self.build);
        command
    }

    /// Whether the campaign has written down its command, which it does after the first round.
    fn has_ended_first_round(&self) -> bool {
        files(&self.build.join("rebut/runs")).iter().any(|file| file.ends_with("command.jsonl"))
    }

    /// The sum of the sizes of the files below a directory of Rebut.
    fn size(&self, name: &str) -> u64 {
        size(&self.build.join("rebut").join(name))
    }
}

/// The arguments that select the tests of the example.
fn selection() -> impl Iterator<Item = &'static str> {
    TESTS.into_iter().flat_map(|test| ["--test", test])
}

/// The manifest of this workspace, for another directory with the example as its only member.
fn workspace(manifest: &str, root: &Path) -> String {
    let lines = manifest.lines().filter_map(|line| match line.split(" = ").next() {
        Some("members") => Some(format!("members = [{EXAMPLE:?}]")),
        Some("exclude" | "default-members") => None,
        _ => Some(line.replace("path = \"", &format!("path = \"{}/", root.display()))),
    });
    lines.map(|line| format!("{line}\n")).collect()
}

fn size(path: &Path) -> u64 {
    if path.is_dir() {
        return files(path).iter().map(|file| size(file)).sum();
    }
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// The result of a long run.
#[derive(Debug, Default)]
pub(super) struct LongRun {
    /// Lines about it: a name and what was measured.
    pub(super) rows: Vec<(String, String)>,
    /// All that is wrong.
    pub(super) complaints: Vec<String>,
}

impl LongRun {
    fn add(&mut self, name: impl Into<String>, measured: impl Into<String>) {
        self.rows.push((name.into(), measured.into()));
    }

    fn complain(&mut self, complaint: String) {
        eprintln!("{:>12} {complaint}", "Wrong");
        self.complaints.push(complaint);
    }

    /// Judges a process by its samples. Returns whether there were enough.
    fn judge(&mut self, name: &str, process: &super::flat::SeenProcess, is_shown: bool) -> bool {
        let Some(quarters) = Quarters::of(&process.samples) else { return false };
        let measured = format!("{} samples: {quarters}", process.samples.len());
        if let Some(what) = quarters.growth() {
            self.complain(format!("the {what} of the {name} grows: {measured}"));
        }
        if is_shown {
            self.add(name, measured);
        }
        true
    }
}

/// Runs a campaign for this time.
pub(super) fn run_campaign(
    examples: &Examples,
    faulty: &FaultyFiles,
    time: Duration,
    seed: u64,
) -> Result<LongRun, String> {
    let mut command = examples.cargo();
    let seconds = format!("{}s", time.as_secs());
    command
        .args(["rebut", "test", "--time", &seconds])
        .args(selection())
        .args(["--", "--include-ignored"])
        .env("REBUT_SEED", seed.to_string())
        // A busy machine must not make failures of hangs.
        .env_remove("REBUT_DEADLINE");
    let log = examples.home.join("refused");
    let is_command = |program: &Path| program.ends_with("cargo-rebut");
    let build = canonical(&examples.build);
    // The first round writes most of the events. The command reads them all, and grows with them.
    let is_warm = Cell::new(false);
    let is_measured = |program: &Path| {
        is_warm.set(is_warm.get() || examples.has_ended_first_round());
        is_warm.get() && (is_command(program) || program.starts_with(&build))
    };
    let watched = Watched { home: &examples.home, log: &log, is_measured: &is_measured };
    let (ended, processes) = watched.run(command, faulty, time, seed)?;
    let mut run = LongRun::default();
    check_end(&mut run, "campaign", &ended, time);
    let mut judged = 0;
    for (nth, process) in processes.longest().into_iter().enumerate() {
        let is_command = is_command(&process.program);
        let program = process.program.file_name().unwrap_or_default().to_string_lossy();
        let role = if is_command { "command" } else { "test process" };
        let is_judged = run.judge(&format!("{role} `{program}`"), process, nth < SHOWN_PROCESSES);
        judged += usize::from(is_judged && !is_command);
    }
    if !processes.longest().iter().any(|process| is_command(&process.program)) {
        run.complain("the command of the campaign was not measured".to_owned());
    }
    run.add("test processes of the campaign with enough samples", judged.to_string());
    let (failed, unsaved) = saved_failures(&examples.home, &ended);
    run.add("failures that the campaign found", failed.to_string());
    if failed == 0 {
        run.complain("the campaign has found no failure".to_owned());
    }
    for path in unsaved {
        run.complain(format!("the campaign has lost the failure in {path}"));
    }
    for (name, path, max) in [("events", "runs", EVENTS_MAX), ("report", "report.html", PAGE_MAX)] {
        let size = examples.size(path);
        run.add(format!("{name} of the campaign"), format!("{:.1} MB", size as f64 / 1e6));
        if size > max {
            run.complain(format!("the {name} of the campaign has {size} bytes"));
        }
        if size == 0 {
            run.complain(format!("the campaign has left no {name}"));
        }
    }
    Ok(run)
}

/// Runs one property for this time, in one process.
pub(super) fn run_property(
    lane: &Lane,
    faulty: &FaultyFiles,
    time: Duration,
    seed: u64,
) -> Result<LongRun, String> {
    lane.reset()?;
    let mut command = Command::new(&lane.binary);
    command.args([LONG, "--exact", "--nocapture"]).current_dir(&lane.home);
    set_environment(&mut command);
    command
        .env("REBUT_SEED", seed.to_string())
        .env("REBUT_TIME_BUDGET", format!("{}ms", time.as_millis()))
        // More than it can run.
        .env("REBUT_CASES", u32::MAX.to_string())
        .env("TMPDIR", lane.temporary())
        .env_remove("REBUT_DEADLINE");
    let log = lane.home.join("refused");
    let binary = canonical(&lane.binary);
    let is_measured = |program: &Path| program == binary;
    let watched = Watched { home: &lane.home, log: &log, is_measured: &is_measured };
    let (ended, processes) = watched.run(command, faulty, time, seed)?;
    let mut run = LongRun::default();
    check_end(&mut run, "long property", &ended, time);
    if ended.code != Some(0) {
        run.complain(format!("the long property ended with {:?}", ended.code));
    }
    match processes.longest().first() {
        Some(process) => {
            run.judge("process of one property", process, true);
        }
        None => run.complain("the long property was not measured".to_owned()),
    }
    for left in lane.journals().into_iter().chain(lane.unfinished()) {
        run.complain(format!("the long property has left {left}"));
    }
    Ok(run)
}

/// A path as the system names the program of a process.
fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// A long run whose processes are measured.
struct Watched<'a> {
    home: &'a Path,
    /// The log of the faulty files.
    log: &'a Path,
    is_measured: &'a dyn Fn(&Path) -> bool,
}

impl Watched<'_> {
    /// Runs a command with slow files and takes samples of its processes until it ends.
    fn run(
        &self,
        mut command: Command,
        faulty: &FaultyFiles,
        time: Duration,
        seed: u64,
    ) -> Result<(Ended, Processes), String> {
        let seed = usize::try_from(seed).unwrap_or(usize::MAX);
        let rates = FaultRates { seed, slow: SLOW, full: 0, sync: 0, free: 0 };
        faulty.load_into(&mut command, rates, self.log);
        let every = (time / SAMPLES).max(SAMPLE_EVERY_MIN);
        let mut processes = Processes::default();
        let begun = Instant::now();
        let mut session = Session::start_within(LIMITS, &command, self.home)?;
        while !session.wait_until(begun.elapsed() + every) && begun.elapsed() < time + END_MAX {
            processes.sample(&session, self.is_measured);
        }
        Ok((session.end(time + END_MAX), processes))
    }
}

/// Complains about an end that is late, early or an error of Rebut.
fn check_end(run: &mut LongRun, name: &str, ended: &Ended, time: Duration) {
    run.add(format!("time of the {name}"), crate::clock::shown(ended.time));
    if ended.is_late {
        run.complain(format!("the {name} did not end: {}", ended.left.join("; ")));
    } else if !ended.left.is_empty() {
        run.complain(format!("the {name} left processes: {}", ended.left.join("; ")));
    } else if ended.time < time / 2 {
        let last = ended.stderr.lines().last().unwrap_or_default();
        run.complain(format!("the {name} ended too early, with {:?}: {last}", ended.code));
    }
    for line in suspicious(&ended.stderr).chain(suspicious(&ended.stdout)) {
        run.complain(format!("the {name} prints: {line}"));
    }
}

/// The lines about errors of Rebut itself, and about files.
fn suspicious(output: &str) -> impl Iterator<Item = &str> {
    let words = ["internal error in Rebut", "cannot write", "was not saved"];
    output.lines().filter(move |line| words.iter().any(|word| line.contains(word)))
}

/// The number of reports with a saved failure, and the directories that have no file.
fn saved_failures(home: &Path, ended: &Ended) -> (usize, Vec<String>) {
    let mut directories: Vec<&str> = Vec::new();
    for output in [&ended.stdout, &ended.stderr] {
        let lines = output.lines().filter_map(|line| line.trim().strip_prefix("saved to:"));
        directories.extend(lines.map(str::trim));
    }
    directories.sort_unstable();
    directories.dedup();
    let unsaved = directories.iter().filter(|directory| files(&home.join(directory)).is_empty());
    (directories.len(), unsaved.map(|&directory| directory.to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_of_the_copy_name_this_checkout() {
        let manifest = "[workspace]\nmembers = [\"a\", \"b\"]\nexclude = [\"c\"]\n\n[workspace.dependencies]\nrebut = { path = \"crates/rebut\", version = \"1\" }\n";
        assert_eq!(
            workspace(manifest, Path::new("/here")),
            "[workspace]\nmembers = [\"explore\"]\n\n[workspace.dependencies]\nrebut = { path = \"/here/crates/rebut\", version = \"1\" }\n"
        );
    }

    #[test]
    fn long_runs_must_end_in_time_and_print_no_errors_of_rebut() {
        let complaints = |ended: Ended| {
            let mut run = LongRun::default();
            check_end(&mut run, "campaign", &ended, Duration::from_secs(60));
            run.complaints.len()
        };
        let right = || Ended { time: Duration::from_secs(61), code: Some(1), ..Ended::default() };
        assert_eq!(complaints(right()), 0);
        assert_eq!(complaints(Ended { is_late: true, ..right() }), 1);
        assert_eq!(complaints(Ended { left: vec!["7 S".into()], ..right() }), 1);
        assert_eq!(complaints(Ended { time: Duration::from_secs(2), ..right() }), 1);
        let stderr = "warning: a failure of `a::b` was not saved: x".to_owned();
        assert_eq!(complaints(Ended { stderr, ..right() }), 1);
    }

    #[test]
    fn reported_failures_must_be_saved() {
        let stderr = "  saved to: .rebut/failures/a/\n  saved to: .rebut/failures/a/\n";
        let ended = Ended { stderr: stderr.to_owned(), ..Ended::default() };
        let (failed, unsaved) = saved_failures(Path::new("/does/not/exist"), &ended);
        assert_eq!((failed, unsaved), (1, vec![".rebut/failures/a/".to_owned()]));
    }
}
