//! The file for events: `target/rebut/runs/<time>-<group>/<process>.jsonl`, one per process.
//!
//! A group is a set of processes that were started together: the test binaries of one `cargo
//! test`, or the processes of one `cargo nextest run`. Each group has a directory of its own, so
//! that a process reads only as many names as there are groups, however many processes these
//! have, and old groups are deleted as a whole. The process that creates the directory of a group
//! deletes old groups.
//!
//! A command that reads the result of a test names another directory with `REBUT_EVENTS_DIR`. Its
//! runs are not groups, so they never push out those of the user.
//!
//! Invariant: the file is locked as long as its process lives, and a group with a locked file is
//! never deleted.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use rebut_protocol::events::VERSION;
use rebut_protocol::settings;
use rebut_protocol::variables::EVENTS_DIR;

use super::json::Object;
use crate::folder;
use crate::sorted_indices::sorted_indices;
use crate::strings;
use crate::threads::lock;

/// Keep this many groups that ran all tests, and as many that ran some. Rerunning one test often
/// must not push out the results of the others. A product decision. Older groups are deleted.
const GROUPS_MAX: usize = 20;

/// The last part of the name of a group whose tests were selected by name.
const PART_SUFFIX: &str = "part";

/// Processes of one group start within this time after the first one. A group name that is used
/// later belongs to a new group. The id of a process, which may name a group, is reused at some
/// point; a day is too long for a name such as `nightly`.
const GROUP_SECONDS: u64 = 12 * 3600;

/// Appends whole lines to the file of this process. Returns false if there is no target
/// directory.
pub(super) fn append(lines: &str, manifest_dir: &str) -> io::Result<bool> {
    static FILE: Mutex<Option<File>> = Mutex::new(None);
    let mut file = lock(&FILE);
    if file.is_none() {
        let (start, group) = (start_time().0, Group::current());
        *file = Some(match requested_directory() {
            Some(directory) => {
                begin(create_in(&directory)?, UtcTime::new(start), &group, manifest_dir)?
            }
            None => {
                let Some(target) = folder::target() else { return Ok(false) };
                create(&target.join("rebut").join("runs"), start, &group, manifest_dir)?
            }
        });
    }
    if let Some(file) = &mut *file {
        file.write_all(lines.as_bytes())?;
    }
    Ok(true)
}

/// Returns the directory that a command reads after this process, if a command started it.
pub(super) fn requested_directory() -> Option<PathBuf> {
    std::env::var_os(EVENTS_DIR).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Returns the time since the first event.
pub(super) fn elapsed() -> Duration {
    start_time().1.elapsed()
}

fn start_time() -> (SystemTime, Instant) {
    static STARTED: OnceLock<(SystemTime, Instant)> = OnceLock::new();
    *STARTED.get_or_init(|| (SystemTime::now(), Instant::now()))
}

/// A set of processes that were started together.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Group {
    name: String,
    /// Whether only some of the tests were selected.
    is_part: bool,
}

impl Group {
    /// Returns the group of this process: the one set by `REBUT_RUN`, that of nextest, or the
    /// process that started this one, which is `cargo test` for all test binaries.
    #[inline(never)]
    fn current() -> Group {
        for variable in [settings::RUN.variable, "NEXTEST_RUN_ID"] {
            if let Ok(name) = std::env::var(variable)
                && !name.is_empty()
            {
                let name = strings::replaced(&folder::file_name(&name), "-", "");
                return Group { name, is_part: false };
            }
        }
        let mut arguments = Vec::new();
        for argument in std::env::args_os().skip(1) {
            arguments.push(argument.to_string_lossy().into_owned());
        }
        Group { name: parent_name(), is_part: selects_tests(&arguments) }
    }

    /// Returns the directory of the group if its first process starts at this time.
    fn directory(&self, start: UtcTime) -> String {
        let part = if self.is_part { "-part" } else { "" };
        format!("{}-{}{part}", start.compact(), self.name)
    }
}

/// Returns a name for the process that started this one.
fn parent_name() -> String {
    #[cfg(unix)]
    {
        let parent = std::os::unix::process::parent_id();
        // Process ids are reused; together with its start time, an id is unique.
        match process_start(parent) {
            Some(start) => format!("p{parent}t{start}"),
            None => format!("p{parent}"),
        }
    }
    #[cfg(not(unix))]
    format!("p{}", std::process::id())
}

/// Returns the start time of a process, in ticks since the system started, or `None` if unknown.
#[cfg(unix)]
fn process_start(process: u32) -> Option<u64> {
    // A file in /proc has no length that could be checked before reading it.
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program, in parentheses, may contain anything. The third field comes after
    // it; the start time is the 22nd (proc_pid_stat(5)).
    let at = text.rfind(')')?;
    strings::number(strings::split(text[at + 1..].trim(), " ").get(19)?)
}

/// Returns whether the arguments of a test binary select some of its tests.
fn selects_tests(arguments: &[String]) -> bool {
    /// The options whose value may be a separate argument.
    const WITH_VALUE: [&str; 6] =
        ["--test-threads", "--logfile", "--color", "--format", "--shuffle-seed", "-Z"];
    let mut is_value = false;
    for argument in arguments {
        let is_option = argument.starts_with('-');
        let has_value = WITH_VALUE.contains(&argument.as_str());
        let skips = argument == "--skip" || argument.starts_with("--skip=");
        if (!is_option && !is_value) || skips || argument == "--ignored" || argument == "--exact" {
            return true;
        }
        is_value = has_value;
    }
    false
}

/// Creates the file of a process that started at this time, with its first line.
#[inline(never)]
fn create(runs: &Path, start: SystemTime, group: &Group, manifest_dir: &str) -> io::Result<File> {
    let time = UtcTime::new(start);
    let names = entry_names(runs);
    let own = group.directory(time);
    let first = start.checked_sub(Duration::from_secs(GROUP_SECONDS)).unwrap_or(start);
    let known = find_group(&names, group, UtcTime::new(first));
    let (file, is_first) = match known {
        Some(known) => (create_in(&runs.join(known))?, false),
        None => (create_in(&runs.join(&own))?, true),
    };
    let file = begin(file, time, group, manifest_dir)?;
    if is_first {
        prune(runs, names, own);
    }
    Ok(file)
}

/// Locks a new file and writes its first line.
fn begin(mut file: File, time: UtcTime, group: &Group, manifest_dir: &str) -> io::Result<File> {
    // Continue without a lock on systems that have none.
    let _ = file.try_lock();
    let mut text = String::new();
    let mut line = Object::begin(&mut text);
    line.text("event", "run").count("version", VERSION);
    line.text("rebut", env!("CARGO_PKG_VERSION")).text("start", &time.to_string());
    line.text("group", &group.name).count("process", std::process::id().into());
    if let Some(program) = std::env::args_os().next() {
        line.text("program", &program.to_string_lossy());
    }
    if !manifest_dir.is_empty() {
        line.text("manifest_dir", &folder::current_manifest_dir(manifest_dir).to_string_lossy());
    }
    line.end();
    strings::push(&mut text, '\n');
    file.write_all(text.as_bytes())?;
    Ok(file)
}

/// Creates a file for this process in the directory of its group.
fn create_in(directory: &Path) -> io::Result<File> {
    let process = std::process::id();
    let mut number = 1;
    loop {
        fs::create_dir_all(directory)?;
        let name = match number {
            1 => format!("{process}.jsonl"),
            // An earlier process of a long group had the same id.
            _ => format!("{process}-{number}.jsonl"),
        };
        match File::create_new(directory.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => {}
            // Another process has just deleted the directory as an old one.
            Err(error) if error.kind() == io::ErrorKind::NotFound && number < 3 => {}
            created => return created,
        }
        number += 1;
    }
}

/// Returns the names of the entries of a directory.
fn entry_names(directory: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let Ok(entries) = fs::read_dir(directory) else { return names };
    for entry in entries {
        if let Ok(entry) = entry
            && let Ok(name) = entry.file_name().into_string()
        {
            names.push(name);
        }
    }
    names
}

/// Returns the directory of a group that started after this time.
fn find_group<'a>(names: &'a [String], group: &Group, after: UtcTime) -> Option<&'a String> {
    let after = after.compact();
    let mut found: Option<&String> = None;
    for name in names {
        let is_ours = parse_directory_name(name)
            .is_some_and(|(time, known)| known == *group && *time > *after);
        if is_ours && found.is_none_or(|found| found < name) {
            found = Some(name);
        }
    }
    found
}

/// Parses the time and the group from the name of a directory.
fn parse_directory_name(name: &str) -> Option<(&str, Group)> {
    let parts = strings::split(name, "-");
    let (time, name, is_part) = match parts.as_slice() {
        [time, name] => (time, name, false),
        [time, name, PART_SUFFIX] => (time, name, true),
        _ => return None,
    };
    let is_time = time.len() == 16 && time.ends_with('Z') && time.as_bytes()[8] == b'T';
    is_time.then(|| (*time, Group { name: (*name).to_owned(), is_part }))
}

/// Deletes all but the latest groups. `own` is the one that has just started.
#[inline(never)]
fn prune(runs: &Path, mut names: Vec<String>, own: String) {
    names.push(own);
    let mut kept = [Vec::new(), Vec::new()];
    // Names begin with the time, so the latest comes first.
    for n in sorted_indices(names.len(), &|a, b| names[b].cmp(&names[a])) {
        let Some((_, group)) = parse_directory_name(&names[n]) else { continue };
        let kept = &mut kept[usize::from(group.is_part)];
        if kept.contains(&group.name) {
            continue;
        }
        if kept.len() < GROUPS_MAX {
            kept.push(group.name);
        } else {
            remove(&runs.join(&names[n]));
        }
    }
}

/// Removes a group, unless one of its processes is running. Ignores errors, because another
/// process may remove it at the same time.
fn remove(directory: &Path) {
    for name in entry_names(directory) {
        if let Ok(file) = File::open(directory.join(name))
            && file.try_lock().is_err()
        {
            return;
        }
    }
    let _ = fs::remove_dir_all(directory);
}

/// A calendar date and a time of day, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct UtcTime {
    year: i64,
    month: i64,
    day: i64,
    /// The millisecond of the day.
    millisecond: i64,
}

impl UtcTime {
    /// Converts a system time. Counts days from the first of March of the year 0, so that a leap
    /// day is the last day of its year.
    fn new(time: SystemTime) -> UtcTime {
        let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let days = since.as_secs() as i64 / 86_400 + 719_468;
        let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let leaps = of_era / 1460 - of_era / 36_524 + of_era / 146_096;
        let year_of_era = (of_era - leaps) / 365;
        let day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_based = (5 * day_of_year + 2) / 153;
        let month = if march_based < 10 { march_based + 3 } else { march_based - 9 };
        UtcTime {
            year: era * 400 + year_of_era + i64::from(month <= 2),
            month,
            day: day_of_year - (153 * march_based + 2) / 5 + 1,
            millisecond: (since.as_secs() % 86_400) as i64 * 1000
                + i64::from(since.subsec_millis()),
        }
    }

    fn clock(self) -> (i64, i64, i64) {
        let seconds = self.millisecond / 1000;
        (seconds / 3600, seconds / 60 % 60, seconds % 60)
    }

    /// Formats the time for the name of a directory.
    fn compact(self) -> String {
        let UtcTime { year, month, day, .. } = self;
        let (hour, minute, second) = self.clock();
        format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z")
    }
}

/// Formats the time as in RFC 3339.
impl std::fmt::Display for UtcTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let UtcTime { year, month, day, millisecond } = self;
        let (hour, minute, second) = self.clock();
        let rest = millisecond % 1000;
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{rest:03}Z")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::scratch::Scratch;

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn times_follow_the_calendar() {
        let text = |seconds: u64| UtcTime::new(at(seconds)).to_string();
        assert_eq!(text(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(text(951_782_399), "2000-02-28T23:59:59.000Z");
        assert_eq!(text(951_782_400), "2000-02-29T00:00:00.000Z");
        assert_eq!(text(1_709_251_199), "2024-02-29T23:59:59.000Z");
        assert_eq!(text(4_107_542_400), "2100-03-01T00:00:00.000Z");
        assert_eq!(UtcTime::new(at(1_709_251_199)).compact(), "20240229T235959Z");
    }

    fn group(name: &str) -> Group {
        Group { name: name.to_owned(), is_part: false }
    }

    #[test]
    fn pruning_keeps_the_latest_groups_and_other_files() {
        let home = Scratch::new();
        let make = |name: &str| {
            fs::create_dir_all(home.path().join(name)).expect("a directory");
            File::create(home.path().join(name).join("1.jsonl")).expect("a file")
        };
        let time = |hour: usize| format!("202401{:02}T{:02}0000Z", 1 + hour / 24, hour % 24);
        for hour in 0..GROUPS_MAX + 3 {
            make(&format!("{}-p{hour}", time(hour)));
        }
        // Runs of one test do not push out runs of all tests.
        for hour in 100..100 + GROUPS_MAX {
            make(&format!("{}-q{hour}-part", time(hour)));
        }
        for other in ["tests", "20240101T000000Z", "20230101T000000-p1", "2023-p1"] {
            make(other);
        }
        // The oldest group continues.
        let running = make("20230101T000000Z-p99");
        running.lock().expect("a lock");
        let own = format!("{}-p{}", time(GROUPS_MAX + 3), GROUPS_MAX + 3);
        make(&own);
        prune(home.path(), entry_names(home.path()), own.clone());
        let exists = |name: &str| home.path().join(name).exists();
        assert!(exists("20230101T000000Z-p99"), "it is locked, so it is still running");
        for hour in 0..4 {
            assert!(!exists(&format!("{}-p{hour}", time(hour))), "{hour}");
        }
        for hour in 4..=GROUPS_MAX + 3 {
            assert!(exists(&format!("{}-p{hour}", time(hour))), "{hour}");
        }
        for hour in 100..100 + GROUPS_MAX {
            assert!(exists(&format!("{}-q{hour}-part", time(hour))), "{hour}");
        }
        for other in ["tests", "2023-p1"] {
            assert!(exists(other), "{other}");
        }
        drop(running);
        prune(home.path(), entry_names(home.path()), own);
        assert!(!exists("20230101T000000Z-p99"));
    }

    #[test]
    fn files_begin_with_a_description_of_the_run() {
        let home = Scratch::new();
        let file = create(home.path(), at(90_000), &group("p1"), "/demo").expect("a file");
        drop(file);
        let directory = home.path().join("19700102T010000Z-p1");
        let path = directory.join(format!("{}.jsonl", std::process::id()));
        let text = fs::read_to_string(path).expect("a file");
        let line: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(line["event"], "run");
        assert_eq!(line["version"], VERSION);
        assert_eq!(line["start"], "1970-01-02T01:00:00.000Z");
        assert_eq!(line["group"], "p1");
        assert!(line["manifest_dir"].is_string());
    }

    #[test]
    fn processes_of_one_group_share_a_directory() {
        let home = Scratch::new();
        let begin = |seconds: u64, name: &str| {
            create(home.path(), at(seconds), &group(name), "").expect("a file");
        };
        let hour = 3600;
        begin(100 * hour, "nightly");
        begin(101 * hour, "nightly");
        begin(101 * hour, "p1");
        begin(120 * hour, "nightly");
        let mut directories = entry_names(home.path());
        directories.sort();
        let count = |name: &str| entry_names(&home.path().join(name)).len();
        let counts: Vec<(String, usize)> =
            directories.into_iter().map(|name| (name.clone(), count(&name))).collect();
        let expected = [
            ("19700105T040000Z-nightly", 2),
            ("19700105T050000Z-p1", 1),
            ("19700106T000000Z-nightly", 1),
        ];
        assert_eq!(counts, expected.map(|(name, count)| (name.to_owned(), count)));
    }

    #[test]
    fn arguments_that_select_tests_are_recognized() {
        let selects = |arguments: &str| {
            let arguments: Vec<String> = arguments.split_whitespace().map(str::to_owned).collect();
            super::selects_tests(&arguments)
        };
        for all in ["", "--nocapture", "--test-threads 1", "--test-threads=1 -q", "-Z x --quiet"] {
            assert!(!selects(all), "{all}");
        }
        for part in ["a::b", "-q a", "--exact a", "--skip a", "--ignored", "--color never a"] {
            assert!(selects(part), "{part}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn start_times_of_processes_are_known() {
        let own = process_start(std::process::id()).expect("a start");
        let parent = process_start(std::os::unix::process::parent_id()).expect("a start");
        assert!((1..=own).contains(&parent), "{parent} {own}");
        assert_eq!(process_start(u32::MAX), None);
    }
}
