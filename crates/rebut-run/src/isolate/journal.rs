//! The trace of a run whose process was killed.
//!
//! A run has a file in `.rebut/running/`, which it keeps locked and removes when it ends. If the
//! process dies, the system releases the lock, whatever killed it. A file that can be locked
//! therefore belongs to a dead run.
//!
//! The file begins with the seed, which determines the cases, and the number of the running case,
//! in memory that the process shares with the file ([`page`](super::page)). New failures are
//! appended before they are saved: a process that is killed in the middle of saving one has not
//! lost it.
//!
//! Where memory cannot be shared with a file, the number of the case is unknown, and the next run
//! searches all cases of the dead one.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rebut_protocol::hash::fnv1a;

use super::page::{self, CELLS_AT, SIZE};
use super::restart;
use super::run_state::{ABSOLVED, Cells, RunState, SHARED};
use super::supervisor::{LossCause, RunningCase};
use crate::database::{self, StoredCase};
use crate::folder;
use crate::strings;

/// The file of a run, removed when the last handle is dropped.
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    open: Arc<OpenJournal>,
}

#[derive(Debug)]
struct OpenJournal {
    path: PathBuf,
    test: String,
    /// The locked file.
    file: File,
    /// The state whose cells are in the file.
    state: Option<&'static RunState>,
    has_ended: AtomicBool,
}

/// A run to describe in a journal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JournalEntry<'a> {
    pub(crate) test: &'a str,
    pub(crate) seed: u64,
    /// The number of cases that it is going to run.
    pub(crate) cases: u64,
    /// The number of runs before it that died without a known cause.
    pub(crate) deaths: u64,
}

/// A dead run. Dropping it removes its file, so keep it until the cause is known: if that kills
/// this process too, the next one finds the file again.
#[derive(Debug)]
pub(crate) struct DeadRun {
    pub(crate) seed: u64,
    /// The number of cases that it was going to run.
    pub(crate) cases: u64,
    /// The number of runs before it that died without a known cause.
    pub(crate) deaths: u64,
    /// The process that died.
    pub(crate) process: u32,
    /// The case that was running, or the last one before; `None` if that is unknown.
    pub(crate) running: Option<RunningCase>,
    /// Whether the case had ended.
    pub(crate) is_between_cases: bool,
    /// Whether a thread of another test ended the process.
    pub(crate) is_absolved: bool,
    /// How the case died, if the process could still note that.
    pub(crate) cause: Option<LossCause>,
    /// The failures that it had found.
    pub(crate) failures: Vec<StoredCase>,
    _file: RemovedFile,
}

/// The first line of a file, with the version of its format.
const TITLE: &str = "rebut run 2";
/// The maximum size of a file in bytes. A larger file is not a journal. Arbitrary: a failure takes
/// at most 16 MB.
const LENGTH_MAX: u64 = 64 << 20;
/// The maximum number of dead runs of a test to investigate. Arbitrary. The files of the others
/// stay until the next run.
const DEAD_MAX: usize = 8;
/// The beginning of a record of a failure. Its length and a hash follow, and then its text.
const RECORD: &str = "failure ";

impl Journal {
    /// Begins a run. Without a writable directory there is no journal, and the run continues. If
    /// there is a state, its cells are in the file from now on.
    #[inline(never)]
    pub(crate) fn begin(
        manifest_dir: &str,
        entry: &JournalEntry<'_>,
        state: Option<&'static RunState>,
    ) -> io::Result<Journal> {
        let running = folder::create_running(manifest_dir)?;
        let path = running.join(format!("{}-{}", folder::file_name(entry.test), unique_name()));
        // A process that looks for dead runs must not find the file before it is locked.
        let unlocked = path.with_extension(UNLOCKED);
        let mut file = File::options().read(true).write(true).create_new(true).open(&unlocked)?;
        let begun = begin_file(&mut file, entry).and_then(|()| fs::rename(&unlocked, &path));
        if let Err(error) = begun {
            let _ = fs::remove_file(&unlocked);
            return Err(error);
        }
        let state = state.filter(|state| share(state, &file));
        restart::note_progress();
        let open = OpenJournal {
            path,
            test: entry.test.to_owned(),
            file,
            state,
            has_ended: AtomicBool::new(false),
        };
        Ok(Journal { open: Arc::new(open) })
    }

    /// Writes a failure to the file, before it is saved elsewhere.
    pub(crate) fn append(&self, case: &StoredCase) {
        let text = database::text_of(&self.open.test, case);
        let hash = fnv1a(text.as_bytes());
        let record = format!("{RECORD}{} {hash:016x}\n{text}", text.len());
        // One write: another thread of the run may append too. If it fails, the file of the failure
        // is still to come, and its error is reported.
        let _ = (&self.open.file).write_all(record.as_bytes());
    }
}

impl Journal {
    /// Removes the file. A lost worker keeps its handle forever.
    pub(crate) fn end(&self) {
        self.open.end();
    }
}

impl OpenJournal {
    fn end(&self) {
        if self.has_ended.swap(true, Ordering::Relaxed) {
            return;
        }
        if let Some(state) = self.state {
            state.use_own_cells();
            page::detach(state.page());
        }
        let _ = fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

fn begin_file(file: &mut File, entry: &JournalEntry<'_>) -> io::Result<()> {
    file.lock()?;
    let JournalEntry { test, seed, cases, deaths } = entry;
    let mut text =
        format!("{TITLE}\ntest {test}\nseed {seed}\ncases {cases}\ndeaths {deaths}\n").into_bytes();
    if text.len() > CELLS_AT {
        return Err(io::Error::other("the name of the test is too long"));
    }
    // Zeros and not a hole: writing to shared memory fails if the disk is full.
    text.resize(SIZE, 0);
    file.write_all(&text)
}

/// Moves the cells of a run to its file.
fn share(state: &RunState, file: &File) -> bool {
    let Some(cells) = page::map(file, state.page()) else { return false };
    state.use_cells(cells);
    state.cells().is_shared.store(SHARED, Ordering::Relaxed);
    true
}

impl Drop for OpenJournal {
    fn drop(&mut self) {
        self.end();
    }
}

const UNLOCKED: &str = "new";

/// Returns a name that is unique among the runs of this process, also before it started again.
fn unique_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    // The number of the process is the second part from the end.
    format!("{}-{number}r{}", std::process::id(), restart::restarts())
}

/// A locked file that is removed on drop.
#[derive(Debug)]
struct RemovedFile {
    path: PathBuf,
    file: File,
}

impl Drop for RemovedFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

/// The dead runs of a test.
#[derive(Debug, Default)]
pub(crate) struct FoundRuns {
    pub(crate) dead: Vec<DeadRun>,
    /// Whether another run of the test is looking for the cause of a death at this moment.
    pub(crate) are_others_searching: bool,
}

impl DeadRun {
    /// Returns the dead runs of a test.
    #[inline(never)]
    pub(crate) fn find(manifest_dir: &str, test: &str) -> FoundRuns {
        let running = folder::rebut_dir(manifest_dir).join(folder::RUNNING);
        let prefix = format!("{}-", folder::file_name(test));
        let mut found = FoundRuns::default();
        let Ok(entries) = fs::read_dir(running) else { return found };
        for entry in entries {
            if found.dead.len() == DEAD_MAX {
                break;
            }
            let Ok(entry) = entry else { continue };
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            if name.starts_with(&prefix) && !name.ends_with(UNLOCKED) {
                match read_dead(entry.path(), test) {
                    Some(dead) => found.dead.push(dead),
                    None => found.are_others_searching |= is_of_dead_process(name),
                }
            }
        }
        found
    }
}

/// Locks the file of a dead process. The system releases the locks of a killed process when its last
/// thread has ended, which may take a moment.
fn lock_of_dead_process(file: &File, path: &Path) -> bool {
    // Arbitrary: a tenth of a second, on a busy machine too.
    const TRIES: u32 = 100;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    for _ in 0..TRIES {
        if file.try_lock().is_ok() {
            return true;
        }
        if !is_of_dead_process(&name) {
            return false;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    false
}

/// Returns whether the process in the name of a file has ended, or is ending. Where processes are not
/// files, that is unknown.
fn is_of_dead_process(name: &str) -> bool {
    let processes = Path::new("/proc");
    let Some(process) = process_in(name).filter(|_| processes.join("self").exists()) else {
        return false;
    };
    match fs::read_to_string(processes.join(process.to_string()).join("stat")) {
        // The state is behind the name of the program, which is in parentheses.
        Ok(stat) => stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')),
        Err(_) => true,
    }
}

/// Returns the process in the name of a file.
fn process_in(name: &str) -> Option<u32> {
    name.rsplit('-').nth(1)?.parse().ok()
}

/// Returns the dead run of this file, if it is one.
#[inline(never)]
fn read_dead(path: PathBuf, test: &str) -> Option<DeadRun> {
    if !fs::symlink_metadata(&path).ok()?.is_file() {
        return None;
    }
    let file = File::options().read(true).write(true).open(&path).ok()?;
    if !lock_of_dead_process(&file, &path) {
        return None;
    }
    // Between opening and locking, its run may have ended and removed it.
    if !path.exists() {
        return None;
    }
    if file.metadata().ok()?.len() > LENGTH_MAX {
        return None;
    }
    // On some systems only the owner of the lock can read the file.
    let mut bytes = Vec::new();
    (&file).read_to_end(&mut bytes).ok()?;
    parse(&bytes, test, RemovedFile { path, file })
}

/// Reads a file. One that is not a journal of the test stays.
fn parse(bytes: &[u8], test: &str, file: RemovedFile) -> Option<DeadRun> {
    let Some(header) = Header::parse(bytes, test) else {
        std::mem::forget(file);
        return None;
    };
    let cells = header.cells;
    let name = file.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let shared = cells.is_shared.load(Ordering::Relaxed);
    let is_known = shared != 0;
    Some(DeadRun {
        seed: header.seed,
        cases: header.cases,
        deaths: header.deaths,
        process: process_in(&name).unwrap_or_default(),
        running: is_known.then(|| cells.last_case()),
        is_between_cases: cells.is_between_cases(),
        is_absolved: shared == ABSOLVED,
        cause: cells.cause(),
        failures: failures(&bytes[SIZE..], test),
        _file: file,
    })
}

/// The first page of a file.
struct Header {
    seed: u64,
    cases: u64,
    deaths: u64,
    cells: Cells,
}

impl Header {
    fn parse(bytes: &[u8], test: &str) -> Option<Header> {
        let cells = bytes.get(CELLS_AT..CELLS_AT + size_of::<Cells>())?;
        let cells = Cells::from_bytes(cells.try_into().ok()?);
        let text = bytes.get(..CELLS_AT)?;
        let end = text.iter().position(|&byte| byte == 0).unwrap_or(CELLS_AT);
        let lines = strings::lines(std::str::from_utf8(&text[..end]).ok()?);
        let value = |nth: usize, key: &str| lines.get(nth)?.strip_prefix(key);
        let is_ours = lines.first() == Some(&TITLE) && value(1, "test ") == Some(test);
        let number = |nth: usize, key: &str| strings::number(value(nth, key)?);
        let (seed, cases) = (number(2, "seed ")?, number(3, "cases ")?);
        let deaths = number(4, "deaths ")?;
        (is_ours && bytes.len() >= SIZE).then_some(Header { seed, cases, deaths, cells })
    }
}

/// Reads the records of failures. A record that was not written completely, because the process was
/// killed or the disk was full, is skipped.
fn failures(bytes: &[u8], test: &str) -> Vec<StoredCase> {
    // Arbitrary: a disk that is full for so long is full for the rest of the run. The limit keeps the
    // time for a damaged file linear.
    const SKIPPED_MAX: usize = 100;
    let mut found = Vec::new();
    let mut rest = bytes;
    let mut skipped = 0;
    while skipped <= SKIPPED_MAX {
        if let Some((case, after)) = failure(rest, test) {
            found.extend(case);
            rest = after;
        } else {
            skipped += 1;
            let mut later = rest.windows(RECORD.len()).skip(1);
            let Some(next) = later.position(|window| window == RECORD.as_bytes()) else { break };
            rest = &rest[next + 1..];
        }
    }
    found
}

fn failure<'a>(bytes: &'a [u8], test: &str) -> Option<(Option<StoredCase>, &'a [u8])> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let line = std::str::from_utf8(&bytes[..end]).ok()?.strip_prefix(RECORD)?;
    let (length, hash) = strings::split_once(line, " ")?;
    let length = usize::try_from(strings::number(length)?).ok()?;
    let (text, rest) = bytes[end + 1..].split_at_checked(length)?;
    let is_whole = format!("{:016x}", fnv1a(text)) == hash;
    let text = std::str::from_utf8(text).ok().filter(|_| is_whole)?;
    Some((database::case_of(test, text), rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::scratch::Scratch;

    const ENTRY: JournalEntry<'_> = JournalEntry { test: "a::b", seed: 7, cases: 100, deaths: 1 };

    fn begin(home: &Scratch, state: Option<&'static RunState>) -> Journal {
        Journal::begin(home.text(), &ENTRY, state).expect("a journal")
    }

    fn names(manifest_dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(manifest_dir.join(".rebut/running")).expect("a folder");
        let names = entries.map(|e| e.expect("an entry").file_name());
        let names = names.map(|name| name.into_string().expect("UTF-8"));
        names.filter(|name| name != folder::IGNORE).collect()
    }

    /// Does what the system does when the process dies: it closes the handle with the lock, and the
    /// file stays.
    fn die(journal: Journal) {
        journal.open.file.unlock().expect("it is ours");
        std::mem::forget(journal);
    }

    #[test]
    fn finished_runs_leave_no_file() {
        let home = Scratch::new();
        let journal = begin(&home, None);
        assert_eq!(names(home.path()).len(), 1);
        let ignored = fs::read_to_string(home.path().join(".rebut/running/.gitignore"));
        assert_eq!(ignored.expect("a file"), "*\n");
        drop(journal);
        assert!(names(home.path()).is_empty());
    }

    #[test]
    fn running_runs_are_not_dead() {
        let home = Scratch::new();
        let _journal = begin(&home, None);
        assert!(DeadRun::find(home.text(), "a::b").dead.is_empty());
    }

    #[test]
    fn dead_runs_are_found_until_they_are_dropped() {
        let home = Scratch::new();
        die(begin(&home, None));
        assert!(DeadRun::find(home.text(), "a::c").dead.is_empty());
        let dead = DeadRun::find(home.text(), "a::b").dead;
        assert_eq!((dead[0].seed, dead[0].cases, dead[0].deaths), (7, 100, 1));
        assert_eq!(dead[0].process, std::process::id());
        assert_eq!((&dead[0].running, dead[0].cause), (&None, None));
        assert!(DeadRun::find(home.text(), "a::b").dead.is_empty(), "the first caller has it");
        drop(dead);
        assert!(names(home.path()).is_empty());
    }

    // Miri cannot share memory with a file.
    #[cfg(all(unix, not(miri)))]
    #[test]
    fn dead_runs_know_their_case() {
        use crate::isolate::run_state::{Fate, Worker};

        let home = Scratch::new();
        let guard = RunState::acquire().expect("a state");
        let journal = begin(&home, Some(guard.state()));
        let worker = Worker::new(guard.state());
        worker.begin_case(41);
        die(journal.clone());
        let running = || DeadRun::find(home.text(), "a::b").dead.pop().expect("it is dead").running;
        assert_eq!(running(), Some(RunningCase::Random(41)));

        let journal = begin(&home, Some(guard.state()));
        let worker = Worker::new(guard.state());
        worker.begin_example(2);
        guard.state().record(Fate::Crashed(11), true);
        die(journal);
        let dead = DeadRun::find(home.text(), "a::b").dead.pop().expect("it is dead");
        assert_eq!(dead.running, Some(RunningCase::Example(2)));
        assert_eq!(dead.cause, Some(LossCause::Crash { signal: 11 }));
    }

    #[test]
    fn failures_survive_in_the_journal() {
        let home = Scratch::new();
        let journal = begin(&home, None);
        let (one, two) = (database::sample("one"), database::sample("two"));
        journal.append(&one);
        journal.append(&two);
        (&journal.open.file).write_all(b"failure 900 0123\nhalf a rec").expect("a file");
        let three = database::sample("three");
        journal.append(&three);
        (&journal.open.file).write_all(b"failure 9").expect("a file");
        die(journal);
        let dead = DeadRun::find(home.text(), "a::b").dead.pop().expect("it is dead");
        assert_eq!(dead.failures, [one, two, three]);
    }

    #[test]
    fn other_files_are_left_alone() {
        let home = Scratch::new();
        let running = home.path().join(".rebut/running");
        fs::create_dir_all(running.join("a__b-1")).expect("a folder");
        fs::write(running.join("a__b-2"), [0xFF; 100_000]).expect("a file");
        fs::write(running.join("a__b-3"), "rebut run 3\ntest a::b\n").expect("a file");
        assert!(DeadRun::find(home.text(), "a::b").dead.is_empty());
        assert_eq!(names(home.path()).len(), 3);
        assert!(DeadRun::find("/does/not/exist", "a::b").dead.is_empty());
    }
}
