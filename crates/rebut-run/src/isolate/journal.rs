//! The trace of a run whose process was killed.
//!
//! A run writes its seed to a file in `.rebut/running/` and keeps the file locked. It removes the
//! file when it ends. If the process is killed, the system releases the lock, whatever killed it.
//! A file that can be locked therefore belongs to a dead run. The seed determines all of its
//! cases, which is enough to find the cause.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::PathBuf;

use crate::folder;
use crate::strings;

/// The file of a run, removed on drop.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    /// The locked file.
    file: File,
}

/// A dead run. Dropping it removes its file, so keep it until the cause is known: if that kills
/// this process too, the next one finds the file again.
#[derive(Debug)]
pub(crate) struct DeadRun {
    pub(crate) seed: u64,
    /// The number of cases that it was going to run.
    pub(crate) cases: u64,
    _journal: Journal,
}

/// The first line of a file, with the version of its format.
const TITLE: &str = "rebut run 1";
/// The maximum size of a file in bytes. A larger file is not a journal. Arbitrary.
const LENGTH_MAX: u64 = 4096;
/// The maximum number of dead runs of a test to investigate. Each may take as long as a run.
/// Arbitrary. The files of the others are removed.
const DEAD_MAX: usize = 3;

impl Journal {
    /// Begins a run. Without a writable directory there is no journal, and the run continues.
    pub(crate) fn begin(
        manifest_dir: &str,
        test: &str,
        seed: u64,
        cases: u64,
    ) -> io::Result<Journal> {
        let running = folder::create_running(manifest_dir)?;
        let path = running.join(format!("{}-{}", folder::file_name(test), unique_name()));
        // A process that looks for dead runs must not find the file before it is locked.
        let unlocked = path.with_extension(UNLOCKED);
        let mut file = File::create_new(&unlocked)?;
        file.lock()?;
        write!(file, "{TITLE}\ntest {test}\nseed {seed}\ncases {cases}\n")?;
        fs::rename(&unlocked, &path)?;
        Ok(Journal { path, file })
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

const UNLOCKED: &str = "new";

/// Returns a name that is unique among the runs of this process.
fn unique_name() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{}-{number}", std::process::id())
}

impl DeadRun {
    /// Returns the dead runs of a test.
    #[inline(never)]
    pub(crate) fn find(manifest_dir: &str, test: &str) -> Vec<DeadRun> {
        let running = folder::rebut_dir(manifest_dir).join("running");
        let prefix = format!("{}-", folder::file_name(test));
        let Ok(entries) = fs::read_dir(running) else { return Vec::new() };
        let mut dead = Vec::new();
        for entry in entries {
            let Ok(entry) = entry else { continue };
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            if name.starts_with(&prefix) && !name.ends_with(UNLOCKED) {
                dead.extend(read_dead(entry.path(), test));
            }
        }
        dead.truncate(DEAD_MAX);
        dead
    }
}

/// Returns the dead run of this file, if it is one.
#[inline(never)]
fn read_dead(path: PathBuf, test: &str) -> Option<DeadRun> {
    if !fs::symlink_metadata(&path).ok()?.is_file() {
        return None;
    }
    let mut file = File::options().read(true).write(true).open(&path).ok()?;
    file.try_lock().ok()?;
    // Between opening and locking, its run may have ended and removed it.
    if !path.exists() {
        return None;
    }
    if file.metadata().ok()?.len() > LENGTH_MAX {
        return None;
    }
    // On some systems only the owner of the lock can read the file.
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    let (seed, cases) = read_run(&text, test)?;
    Some(DeadRun { seed, cases, _journal: Journal { path, file } })
}

fn read_run(text: &str, test: &str) -> Option<(u64, u64)> {
    let lines = strings::lines(text);
    let value = |nth: usize, key: &str| lines.get(nth)?.strip_prefix(key);
    let is_ours = lines.first() == Some(&TITLE) && value(1, "test ") == Some(test);
    let seed = strings::number(value(2, "seed ")?)?;
    let cases = strings::number(value(3, "cases ")?)?;
    is_ours.then_some((seed, cases))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::scratch::Scratch;
    use std::path::Path;

    fn names(manifest_dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(manifest_dir.join(".rebut/running")).expect("a folder");
        let names = entries.map(|e| e.expect("an entry").file_name());
        let names = names.map(|name| name.into_string().expect("UTF-8"));
        names.filter(|name| name != folder::IGNORE).collect()
    }

    #[test]
    fn finished_runs_leave_no_file() {
        let home = Scratch::new();
        let journal = Journal::begin(home.text(), "a::b", 7, 100).expect("a journal");
        assert_eq!(names(home.path()).len(), 1);
        let ignored = fs::read_to_string(home.path().join(".rebut/running/.gitignore"));
        assert_eq!(ignored.expect("a file"), "*\n");
        drop(journal);
        assert!(names(home.path()).is_empty());
    }

    #[test]
    fn running_runs_are_not_dead() {
        let home = Scratch::new();
        let _journal = Journal::begin(home.text(), "a::b", 7, 100).expect("a journal");
        assert!(DeadRun::find(home.text(), "a::b").is_empty());
    }

    #[test]
    fn dead_runs_are_found_until_they_are_dropped() {
        let home = Scratch::new();
        let journal = Journal::begin(home.text(), "a::b", 7, 100).expect("a journal");
        // The system does the same when the process dies: it closes the handle with the lock, and
        // the file stays.
        let mut journal = std::mem::ManuallyDrop::new(journal);
        let other = home.path().join(".rebut/running").join(folder::IGNORE);
        journal.file = File::open(other).expect("a file");
        assert!(DeadRun::find(home.text(), "a::c").is_empty());
        let dead = DeadRun::find(home.text(), "a::b");
        assert_eq!((dead[0].seed, dead[0].cases), (7, 100));
        assert!(DeadRun::find(home.text(), "a::b").is_empty(), "the first caller has it");
        drop(dead);
        assert!(names(home.path()).is_empty());
    }

    #[test]
    fn other_files_are_left_alone() {
        let home = Scratch::new();
        let running = home.path().join(".rebut/running");
        fs::create_dir_all(running.join("a__b-1")).expect("a folder");
        fs::write(running.join("a__b-2"), [0xFF; 100_000]).expect("a file");
        fs::write(running.join("a__b-3"), "rebut run 2\ntest a::b\n").expect("a file");
        assert!(DeadRun::find(home.text(), "a::b").is_empty());
        assert_eq!(names(home.path()).len(), 3);
        assert!(DeadRun::find("/does/not/exist", "a::b").is_empty());
    }
}
