//! The file that events go to: `target/rebut/<run>/events.jsonl`, one for each process.
//!
//! The name of a run is `<time>-<group>-<process>`. A group is what was started together: the
//! test binaries of one `cargo test`, the processes of one `cargo nextest run`. So who lists
//! the folder knows which files belong together, and old groups can be deleted as a whole.
//!
//! Invariant: the file is locked as long as its process lives, and a run whose file is locked
//! is never deleted.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use super::json::Object;
use crate::folder;
use crate::order::order_of;
use crate::threads::lock;
use crate::words;

/// The version of the format. It is raised if something changes its meaning or goes away, not
/// if something is added.
const VERSION: u64 = 1;

/// How many groups of runs are kept.
const GROUPS_MAX: usize = 20;

const NAME: &str = "events.jsonl";

/// Adds whole lines to the file of this process; false if there is no place for it.
pub(super) fn append(lines: &str) -> io::Result<bool> {
    static FILE: Mutex<Option<File>> = Mutex::new(None);
    let mut place = lock(&FILE);
    if place.is_none() {
        let Some(target) = folder::target() else { return Ok(false) };
        *place = Some(create(&target.join("rebut"), started().0)?);
    }
    if let Some(file) = &mut *place {
        file.write_all(lines.as_bytes())?;
    }
    Ok(true)
}

/// How long ago events began.
pub(super) fn elapsed() -> Duration {
    started().1.elapsed()
}

fn started() -> (SystemTime, Instant) {
    static STARTED: OnceLock<(SystemTime, Instant)> = OnceLock::new();
    *STARTED.get_or_init(|| (SystemTime::now(), Instant::now()))
}

/// Creates the file of a run that began then, with its first line.
#[inline(never)]
fn create(home: &Path, start: SystemTime) -> io::Result<File> {
    let start = Time::of(start);
    let group = group();
    let process = std::process::id();
    let run = home.join(format!("{}-{group}-{process}", start.compact()));
    fs::create_dir_all(&run)?;
    let mut file = File::create(run.join(NAME))?;
    // A system without locks still has files.
    let _ = file.try_lock();
    let mut text = String::new();
    let mut line = Object::begin(&mut text);
    line.text("event", "run").count("version", VERSION);
    line.text("rebut", env!("CARGO_PKG_VERSION")).text("start", &start.to_string());
    line.text("group", &group).count("process", process.into());
    if let Some(program) = std::env::args_os().next() {
        line.text("program", &program.to_string_lossy());
    }
    line.end();
    words::push(&mut text, '\n');
    file.write_all(text.as_bytes())?;
    prune(home);
    Ok(file)
}

/// What was started together has the same name: the one that was asked for, that of nextest, or
/// the number of the process that started it.
fn group() -> String {
    for variable in [RUN, "NEXTEST_RUN_ID"] {
        if let Ok(name) = std::env::var(variable)
            && !name.is_empty()
        {
            let name = folder::file_name(&name);
            return words::replaced(&name, "-", "");
        }
    }
    #[cfg(unix)]
    return format!("p{}", std::os::unix::process::parent_id());
    #[cfg(not(unix))]
    format!("p{}", std::process::id())
}

/// Names the group of a run.
pub(crate) const RUN: &str = "REBUT_RUN";

/// The time and the group in the name of a run, if it is one.
fn parts(name: &str) -> Option<(&str, &str)> {
    let parts = words::split(name, "-");
    let [time, group, process] = parts.as_slice() else { return None };
    let is_time = time.len() == 16 && time.ends_with('Z') && time.as_bytes()[8] == b'T';
    (is_time && words::number(process).is_some()).then_some((time, group))
}

/// Deletes all but the latest groups.
#[inline(never)]
fn prune(home: &Path) {
    let Ok(entries) = fs::read_dir(home) else { return };
    let mut names = Vec::new();
    for entry in entries {
        let Ok(entry) = entry else { continue };
        if let Ok(name) = entry.file_name().into_string()
            && parts(&name).is_some()
        {
            names.push(name);
        }
    }
    let mut kept: Vec<String> = Vec::new();
    // Names begin with the time, so the latest comes first.
    for n in order_of(names.len(), &|a, b| names[b].cmp(&names[a])) {
        let Some((_, group)) = parts(&names[n]) else { continue };
        if kept.iter().any(|known| known == group) {
            continue;
        }
        if kept.len() < GROUPS_MAX {
            kept.push(group.to_owned());
        } else {
            remove(home.join(&names[n]));
        }
    }
}

/// Removes a run, unless it goes on. Somebody else may be at it too, so that failing is fine.
fn remove(run: PathBuf) {
    if let Ok(file) = File::open(run.join(NAME))
        && file.try_lock().is_err()
    {
        return;
    }
    let _ = fs::remove_dir_all(run);
}

/// A time of the day in the calendar, UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Time {
    year: i64,
    month: i64,
    day: i64,
    /// Of the day.
    millisecond: i64,
}

impl Time {
    /// By the days since the first of March of the year 0, so that a leap day is the last of
    /// its year.
    fn of(time: SystemTime) -> Time {
        let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let days = since.as_secs() as i64 / 86_400 + 719_468;
        let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let leaps = of_era / 1460 - of_era / 36_524 + of_era / 146_096;
        let year_of_era = (of_era - leaps) / 365;
        let day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_based = (5 * day_of_year + 2) / 153;
        let month = if march_based < 10 { march_based + 3 } else { march_based - 9 };
        Time {
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

    /// As the name of a folder.
    fn compact(self) -> String {
        let Time { year, month, day, .. } = self;
        let (hour, minute, second) = self.clock();
        format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z")
    }
}

/// As RFC 3339 has it.
impl std::fmt::Display for Time {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Time { year, month, day, millisecond } = self;
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
    fn times_are_those_of_the_calendar() {
        let text = |seconds: u64| Time::of(at(seconds)).to_string();
        assert_eq!(text(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(text(951_782_399), "2000-02-28T23:59:59.000Z");
        assert_eq!(text(951_782_400), "2000-02-29T00:00:00.000Z");
        assert_eq!(text(1_709_251_199), "2024-02-29T23:59:59.000Z");
        assert_eq!(text(4_107_542_400), "2100-03-01T00:00:00.000Z");
        assert_eq!(Time::of(at(1_709_251_199)).compact(), "20240229T235959Z");
    }

    #[test]
    fn the_latest_groups_are_kept_and_what_is_not_ours_is_left_alone() {
        let home = Scratch::new();
        let make = |name: &str| {
            fs::create_dir_all(home.path().join(name)).expect("a folder");
            File::create(home.path().join(name).join(NAME)).expect("a file")
        };
        for hour in 0..GROUPS_MAX + 3 {
            for process in 0..2 {
                make(&format!(
                    "202401{:02}T{:02}0000Z-p{hour}-{process}",
                    1 + hour / 24,
                    hour % 24
                ));
            }
        }
        for other in ["tests", "20240101T000000Z", "20230101T000000-p1-2", "2023-p1-2"] {
            make(other);
        }
        // The oldest goes on.
        let running = make("20230101T000000Z-p99-1");
        running.lock().expect("a lock");
        prune(home.path());
        let exists = |name: &str| home.path().join(name).exists();
        assert!(exists("20230101T000000Z-p99-1"), "what is locked goes on");
        for gone in ["20240101T000000Z-p0-0", "20240101T000000Z-p0-1", "20240101T020000Z-p2-1"] {
            assert!(!exists(gone), "{gone}");
        }
        for kept in ["20240101T030000Z-p3-0", "20240101T030000Z-p3-1", "tests", "2023-p1-2"] {
            assert!(exists(kept), "{kept}");
        }
        drop(running);
        prune(home.path());
        assert!(!exists("20230101T000000Z-p99-1"));
    }

    #[test]
    fn a_file_begins_with_what_it_is() {
        let home = Scratch::new();
        let file = create(home.path(), at(0)).expect("a file");
        let run = fs::read_dir(home.path()).expect("a folder").next();
        let run = run.expect("a run").expect("an entry").path();
        drop(file);
        let text = fs::read_to_string(run.join(NAME)).expect("a file");
        let line: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(line["event"], "run");
        assert_eq!(line["version"], VERSION);
        assert_eq!(line["start"], "1970-01-01T00:00:00.000Z");
        let name = run.file_name().expect("a name").to_str().expect("UTF-8");
        assert_eq!(parts(name).map(|(_, group)| group), line["group"].as_str());
    }
}
