//! Starts the test process again, in place, when it cannot go on.
//!
//! A case that called `exit` has the right to exit, and no other thread can end the process from
//! then on. A lost thread may [block](super::stall) all others. In both cases the program replaces
//! itself by a new copy, with the same arguments, environment and process id, so that `cargo test`
//! waits for it as before. All tests run again, except for those whose worker was lost: their
//! reports are complete, and are [kept](keep) in a directory for the new copy to print. A test
//! whose report is not complete is found by its [journal](super::journal), and its case runs in a
//! child process.
//!
//! Each copy has at least one deadly test less than the one before, so this ends: a report that no
//! file can keep is in the environment of the copy, and a copy that has kept nothing is the last
//! one. There is a limit nevertheless.
//!
//! Only a test harness is started again: a program may have done something that it must not do
//! twice.
//!
//! Invariant: [`try_now`] may be called in a signal handler. It allocates nothing and takes no lock;
//! [`prepare`] has prepared everything.

#[cfg(unix)]
mod exec;

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

use rebut_protocol::variables::RESTART;

use super::signals;
use crate::folder;
use crate::print;
use crate::strings;
use crate::threads::lock;
use crate::verdict::FoundBy;

/// Why the process starts again.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reason {
    /// A case called `exit`.
    Exit,
    /// A lost thread blocks the others.
    Blocked,
    /// The thread of a test is lost.
    Lost,
}

/// Whether a test harness runs this process.
static IS_HARNESS: AtomicBool = AtomicBool::new(false);

/// The maximum number of times that a process starts again. Arbitrary: each deadly test needs one
/// at most.
#[cfg(unix)]
const RESTARTS_MAX: u64 = 100;

/// The directory for reports that are complete, and how often this process was started again.
#[derive(Debug)]
struct Course {
    restarts: u64,
    reports: PathBuf,
}

impl Course {
    fn of_this_process() -> &'static Course {
        static COURSE: OnceLock<Course> = OnceLock::new();
        COURSE.get_or_init(|| {
            let given = std::env::var(RESTART).ok();
            let given = given.as_deref().and_then(|text| strings::split_once(text, " "));
            let known = given.and_then(|(count, path)| {
                Some(Course { restarts: strings::number(count)?, reports: path.into() })
            });
            known.unwrap_or_else(|| {
                let home = folder::target().unwrap_or_else(std::env::temp_dir);
                let name = format!("{}-{:016x}", std::process::id(), crate::fresh_number());
                Course { restarts: 0, reports: home.join("rebut").join("restart").join(name) }
            })
        })
    }
}

/// Returns how often this process was started again.
pub(crate) fn restarts() -> u64 {
    Course::of_this_process().restarts
}

/// Returns whether this process was started again.
pub(crate) fn is_restarted() -> bool {
    Course::of_this_process().restarts > 0
}

/// Notes whether a test harness runs this process: it runs each test on a thread with its name. The
/// main function of a program runs on the thread `main`.
pub(crate) fn note_harness() {
    if std::thread::current().name().is_some_and(|name| name != "main") {
        IS_HARNESS.store(true, Ordering::Relaxed);
    }
}

/// Returns whether the process can start again.
pub(crate) fn is_possible() -> bool {
    IS_HARNESS.load(Ordering::Relaxed) && exec::is_prepared()
}

/// The result of a test whose worker was lost.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct KeptReport {
    pub(crate) is_success: bool,
    /// The message of the failure.
    pub(crate) message: String,
    /// The printed report.
    pub(crate) text: String,
}

/// Whether this process has kept a report, or a journal of a test. Without either, the next process
/// would die like this one.
static HAS_PROGRESS: AtomicBool = AtomicBool::new(false);

/// Notes that a test which does not end is known to the process that follows this one.
pub(super) fn note_progress() {
    HAS_PROGRESS.store(true, Ordering::Relaxed);
}

/// Keeps the report of a test for the process that follows this one.
pub(crate) fn keep(test: &str, report: &KeptReport) {
    let directory = &Course::of_this_process().reports;
    let name = folder::hash(test);
    let written = fs::create_dir_all(directory)
        .and_then(|()| fs::write(directory.join(&name), report.file(&report.text)));
    if written.is_err() {
        keep_in_environment(name, report);
    }
    note_progress();
}

/// Reports that no file can keep: the environment of the next process has them. There, a report
/// must not contain a null byte, and all of them must be short.
static UNWRITTEN: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());

/// Linux allows 128 KiB for a variable, and 2 MB for all with the usual size of a stack
/// (execve(2)).
const VARIABLE_MAX: usize = 100 << 10;
const VARIABLES_MAX: usize = 1 << 20;

fn keep_in_environment(name: String, report: &KeptReport) {
    let mut unwritten = lock(&UNWRITTEN);
    let used: usize = unwritten.iter().map(|(_, value)| value.len()).sum();
    let mut value = report.file(&report.text).replace('\0', "\u{fffd}");
    if value.len() > VARIABLE_MAX || used + value.len() > VARIABLES_MAX {
        print::uncaptured(&report.text);
        value =
            report.file("the report is above, before the tests started again").replace('\0', "");
    }
    unwritten.push((variable_of(&name), value));
    #[cfg(unix)]
    prepare_with(unwritten.clone());
}

/// Returns the variable with the report of a test.
fn variable_of(name: &str) -> String {
    format!("{RESTART}_{name}")
}

impl KeptReport {
    /// Returns the content of a file with this report and text.
    fn file(&self, text: &str) -> String {
        let KeptReport { is_success, message, .. } = self;
        let line = if *is_success { "passed" } else { "failed" };
        format!("{line} {}\n{message}{text}", message.len())
    }
}

/// Returns the report of a test from the process before this one.
pub(crate) fn kept(test: &str) -> Option<KeptReport> {
    if !is_restarted() {
        return None;
    }
    let name = folder::hash(test);
    let path = Course::of_this_process().reports.join(&name);
    let file =
        folder::read(&path, u64::MAX).ok().or_else(|| std::env::var(variable_of(&name)).ok());
    read_kept(&file?)
}

/// A failure that a run has found, and how. After a restart, the failure is a saved one, and a report
/// must not take it for one of an earlier run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FoundBefore {
    /// The id of the saved failure.
    pub(crate) failure: String,
    pub(crate) seed: u64,
    pub(crate) found_by: FoundBy,
}

/// Notes a failure of a test for the process that follows this one.
pub(crate) fn note_found(test: &str, found: &FoundBefore) {
    // A failure that was saved before this run stays that.
    if !is_possible() || found.found_by == FoundBy::Database {
        return;
    }
    let path = path_of_found(test);
    let mut text = folder::read(&path, FOUND_MAX).unwrap_or_default();
    text.push_str(&write_found(found));
    // Without the file, the failure is reported as a saved one.
    let _ =
        fs::create_dir_all(&Course::of_this_process().reports).and_then(|()| fs::write(path, text));
}

/// Returns the failures of a test that the processes before this one have noted.
pub(crate) fn found(test: &str) -> Vec<FoundBefore> {
    if !is_restarted() {
        return Vec::new();
    }
    let text = folder::read(&path_of_found(test), FOUND_MAX).unwrap_or_default();
    let mut found: Vec<FoundBefore> = Vec::new();
    for line in strings::lines(&text) {
        found.extend(read_found(line));
    }
    found
}

/// The maximum size of the file of a test in bytes. Each failure is one line. Arbitrary.
const FOUND_MAX: u64 = 1 << 20;

fn path_of_found(test: &str) -> PathBuf {
    Course::of_this_process().reports.join(format!("{}.found", folder::hash(test)))
}

fn write_found(found: &FoundBefore) -> String {
    let FoundBefore { failure, seed, found_by } = found;
    let (word, number) = match *found_by {
        FoundBy::Random(case) => ("random", case),
        FoundBy::Search(case) => ("search", case),
        FoundBy::Example(nth) => ("example", nth as u64),
        FoundBy::Input(nth) => ("input", nth as u64),
        other => match NUMBERLESS.iter().find(|(_, found_by)| *found_by == other) {
            Some((word, _)) => (*word, 0),
            None => return String::new(),
        },
    };
    format!("{failure} {seed} {word} {number}\n")
}

fn read_found(line: &str) -> Option<FoundBefore> {
    let [failure, seed, word, number] = strings::split(line, " ")[..] else { return None };
    let (seed, number) = (strings::number(seed)?, strings::number(number)?);
    let found_by = match word {
        "random" => FoundBy::Random(number),
        "search" => FoundBy::Search(number),
        "example" => FoundBy::Example(usize::try_from(number).ok()?),
        "input" => FoundBy::Input(usize::try_from(number).ok()?),
        word => NUMBERLESS.iter().find(|(known, _)| *known == word)?.1,
    };
    Some(FoundBefore { failure: failure.to_owned(), seed, found_by })
}

const NUMBERLESS: [(&str, FoundBy); 6] = [
    ("exhaustive", FoundBy::Exhaustive),
    ("front", FoundBy::Front),
    ("replay", FoundBy::Replay),
    ("exploration", FoundBy::Exploration),
    ("shrinking", FoundBy::Shrinking),
    ("journal", FoundBy::Journal),
];

fn read_kept(file: &str) -> Option<KeptReport> {
    let (line, rest) = strings::split_once(file, "\n")?;
    let (result, length) = strings::split_once(line, " ")?;
    let length = usize::try_from(strings::number(length)?).ok()?;
    let (message, text) = rest.split_at_checked(length)?;
    let (message, text) = (message.to_owned(), text.to_owned());
    Some(KeptReport { is_success: result == "passed", message, text })
}

/// Removes the reports when the process ends.
#[cfg(unix)]
pub(super) fn clean_up() {
    let directory = &Course::of_this_process().reports;
    let _ = fs::remove_dir_all(directory);
    remove_old(directory.parent());
}

/// Removes the reports of processes that were killed.
#[cfg(unix)]
fn remove_old(directory: Option<&std::path::Path>) {
    // Arbitrary: no test process takes so long.
    const OLD: std::time::Duration = std::time::Duration::from_secs(7 * 24 * 3600);
    let entries = directory.and_then(|directory| fs::read_dir(directory).ok());
    for entry in entries.into_iter().flatten().flatten() {
        let age = entry.metadata().and_then(|file| file.modified()).map(|time| time.elapsed());
        if matches!(age, Ok(Ok(age)) if age > OLD) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Prepares a restart: everything that allocates. Without it, none is possible.
#[cfg(unix)]
pub(super) fn prepare() {
    prepare_with(Vec::new());
}

/// Prepares a restart, with these variables in addition.
#[cfg(unix)]
fn prepare_with(mut variables: Vec<(String, String)>) {
    let Course { restarts, reports } = Course::of_this_process();
    if *restarts >= RESTARTS_MAX {
        return;
    }
    let value = format!("{} {}", restarts + 1, reports.to_string_lossy());
    variables.push((RESTART.to_owned(), value));
    exec::prepare(variables);
}

/// Starts the process again. If that is impossible, ends it, or returns if there is a report to
/// print before. Returns if no test harness runs it. It may be called in a signal handler.
pub(crate) fn try_now(reason: Reason) {
    if !IS_HARNESS.load(Ordering::Relaxed) {
        return;
    }
    let is_first = !is_restarted();
    if exec::is_prepared() && (is_first || HAS_PROGRESS.load(Ordering::Relaxed)) {
        write_error(match reason {
            Reason::Exit => STARTS_AFTER_EXIT,
            Reason::Blocked => STARTS_AFTER_BLOCK,
            Reason::Lost => STARTS_AFTER_LOSS,
        });
        exec::replace_process();
    }
    write_error(CANNOT_START);
    match reason {
        Reason::Exit | Reason::Lost => {}
        Reason::Blocked => signals::end_process(101),
    }
}

const STARTS_AFTER_EXIT: &[u8] =
    b"note: a case called `exit`, so all tests start again, without that one\n";
const STARTS_AFTER_BLOCK: &[u8] = b"note: a test that crashed or hangs holds a lock that others wait for, so all tests start again, without that one\n";
const STARTS_AFTER_LOSS: &[u8] =
    b"note: a case crashed or hangs on the thread of its test, so all tests start again, without that one\n";
const CANNOT_START: &[u8] =
    b"error: the tests cannot go on after a crash, a hang or an exit, and cannot start again\n";

/// Writes to the standard error, without a lock.
pub(super) fn write_error(text: &[u8]) {
    exec::write_error(text);
}

#[cfg(not(unix))]
mod exec {
    pub(super) fn is_prepared() -> bool {
        false
    }

    pub(super) fn replace_process() {}

    pub(super) fn write_error(_text: &[u8]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn programs_are_found_by_the_path_of_their_call() {
        let called = exec::called_program().expect("a path");
        let known = std::env::current_exe().expect("a path");
        assert_eq!(called.canonicalize().ok(), known.canonicalize().ok());
    }

    #[test]
    fn found_failures_are_read_as_written() {
        let numbered = [FoundBy::Random(0), FoundBy::Search(7), FoundBy::Input(2)];
        let all = numbered.into_iter().chain(NUMBERLESS.map(|(_, found_by)| found_by));
        for found_by in all {
            let found = FoundBefore { failure: "0a".to_owned(), seed: u64::MAX, found_by };
            assert_eq!(read_found(write_found(&found).trim_end()), Some(found));
        }
        for broken in ["", "0a 7 random", "0a x random 1", "0a 7 guess 1", "0a 7 random 1 2"] {
            assert_eq!(read_found(broken), None, "{broken:?}");
        }
    }

    #[test]
    fn kept_reports_are_read_as_written() {
        assert_eq!(
            read_kept("failed 5\none\n2two\nthree"),
            Some(KeptReport {
                is_success: false,
                message: "one\n2".to_owned(),
                text: "two\nthree".to_owned()
            })
        );
        let (message, text) = ("one".to_owned(), "two".to_owned());
        let kept = KeptReport { is_success: true, message, text };
        assert_eq!(read_kept(&kept.file(&kept.text)), Some(kept));
        for broken in ["", "failed 5\non", "failed x\n", "passed"] {
            assert_eq!(read_kept(broken), None, "{broken:?}");
        }
    }
}
