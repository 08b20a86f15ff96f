//! A database of files, one per case.

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once};
use std::time::Duration;

use rebut_choice::Tape;
use rebut_protocol::hash::fnv1a;

use super::{Database, StoredCase, faults, front, text};
use crate::folder;
use crate::isolate::restart;
use crate::sorted_indices::sorted_indices;
use crate::threads::lock;
use crate::verdict::ParetoCase;

/// A database of files in `.rebut/failures/<test>/<id>.case`, next to the manifest of a crate.
///
/// It replaces each file atomically. It never changes or removes a file that it cannot read or that
/// a person has edited, but returns a warning: the file may come from a newer version, or be the
/// only trace of a rare failure. A failure that would replace such a file gets another name.
///
/// # Examples
/// ```
/// use rebut::database::{Database, FileDatabase};
/// let database = FileDatabase::new(env!("CARGO_MANIFEST_DIR"));
/// assert!(database.load("my_crate::no_such_test").is_empty());
/// ```
pub struct FileDatabase {
    rebut: PathBuf,
    warnings: Mutex<Vec<String>>,
    /// The files whose cases were loaded, each with the hash of its text.
    loaded: Mutex<Vec<(PathBuf, u64)>>,
}

/// The maximum size of a file in bytes. A tape of the maximum length, 65,536 choices, takes less. A
/// larger file is skipped with a warning.
const LENGTH_MAX: u64 = 16 << 20;
/// The maximum number of saved cases of one test to try. Arbitrary: a test with more is hardly
/// being fixed. The rest are skipped with a warning.
const CASES_MAX: usize = 500;

/// The directory of saved failures, which users commit.
const FAILURES: &str = "failures";
/// The directory of fronts. They change with every run and therefore stay out of version control.
const FRONTS: &str = "fronts";

impl fmt::Debug for FileDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FileDatabase({})", folder::shown(&self.rebut))
    }
}

impl FileDatabase {
    /// Creates the database of the crate whose manifest is in this directory.
    ///
    /// # Examples
    /// ```
    /// let database = rebut::database::FileDatabase::new(env!("CARGO_MANIFEST_DIR"));
    /// assert!(format!("{database:?}").contains(".rebut"));
    /// ```
    #[must_use]
    pub fn new(manifest_dir: &str) -> FileDatabase {
        FileDatabase::in_directory(folder::rebut_dir(manifest_dir))
    }

    fn in_directory(rebut: PathBuf) -> FileDatabase {
        FileDatabase { rebut, warnings: Mutex::default(), loaded: Mutex::default() }
    }

    fn folder(&self, test: &str) -> PathBuf {
        self.rebut.join(FAILURES).join(folder::file_name(test))
    }

    fn path(&self, test: &str, id: &str) -> PathBuf {
        self.folder(test).join(format!("{}.case", folder::file_name(id)))
    }

    /// Adds a warning. A failure is saved several times, and may fail to be for the same reason.
    fn warn(&self, warning: String) {
        let mut warnings = lock(&self.warnings);
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }

    #[inline(never)]
    fn paths(&self, test: &str) -> Vec<PathBuf> {
        let folder = self.folder(test);
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
            Err(error) => {
                self.warn(format!(
                    "cannot read saved failures in {}: {error}",
                    folder::shown(&folder)
                ));
                return Vec::new();
            }
        };
        let mut unordered = Vec::new();
        for entry in entries {
            let path = match entry {
                Ok(entry) => entry.path(),
                Err(error) => {
                    self.warn(format!(
                        "cannot read saved failures in {}: {error}",
                        folder::shown(&folder)
                    ));
                    continue;
                }
            };
            if path.extension().is_some_and(|extension| extension == "case") {
                unordered.push(path);
            }
        }
        let order = sorted_indices(unordered.len(), &|a, b| unordered[a].cmp(&unordered[b]));
        let mut paths = Vec::new();
        for n in order {
            paths.push(unordered[n].clone());
        }
        if paths.len() > CASES_MAX {
            self.warn(format!(
                "{} has {} saved failures, but Rebut tries only {CASES_MAX}; remove some",
                folder::shown(&folder),
                paths.len()
            ));
            paths.truncate(CASES_MAX);
        }
        paths
    }

    fn replace(&self, test: &str, case: &StoredCase) -> io::Result<()> {
        let folder = self.folder(test);
        let text = text::write(test, case);
        let mut tries = 0;
        loop {
            folder::create_below(&self.rebut, FAILURES)?;
            fs::create_dir_all(&folder).map_err(folder::naming(&folder))?;
            let unfinished = self.unfinished(&text)?;
            let locked = LockedFolder::lock(&folder);
            let Some(path) = self.replaceable(test, case)? else {
                return unfinished.discard();
            };
            let renamed = unfinished.rename(&path);
            drop(locked);
            tries += 1;
            match renamed {
                // Another process has just removed the last failure, and the directory with it.
                Err(error) if error.kind() == io::ErrorKind::NotFound && tries < TRIES_MAX => {}
                renamed => {
                    // The new name is durable only once the directory is synced too. Not every
                    // system can do that, and the file is there without it.
                    let _ = File::open(&folder).and_then(|folder| folder.sync_all());
                    return renamed;
                }
            }
        }
    }

    /// Returns the path for a case: of its id, or of a name with a number if a file that must be
    /// kept has that. `None` if such a file has the case already.
    fn replaceable(&self, test: &str, case: &StoredCase) -> io::Result<Option<PathBuf>> {
        for path in self.paths_of(test, &case.id) {
            match StoredText::read(&path, test) {
                StoredText::Missing | StoredText::Own(..) => return Ok(Some(path)),
                StoredText::Edited(edited) if edited.tape == case.tape => return Ok(None),
                StoredText::Edited(_)
                | StoredText::OfAnotherTest(_)
                | StoredText::Unreadable(_) => {}
            }
        }
        let folder = self.folder(test);
        let why = format!(
            "{} has {NAMES_MAX} files with this failure that were edited or cannot be read",
            folder::shown(&folder)
        );
        Err(io::Error::other(why))
    }

    /// Returns the paths that a case may have. The first is the usual one.
    fn paths_of(&self, test: &str, id: &str) -> impl Iterator<Item = PathBuf> {
        let numbered =
            (2..=NAMES_MAX).map(move |number| self.path(test, &format!("{id}-{number}")));
        std::iter::once(self.path(test, id)).chain(numbered)
    }

    fn replace_front(&self, test: &str, cases: &[ParetoCase]) -> io::Result<()> {
        folder::create_ignored(&self.rebut, FRONTS)?;
        self.unfinished(&front::write(test, cases))?.rename(&self.front_path(test))
    }

    /// Writes a file that replaces another one atomically when it is renamed. Until then it is in a
    /// directory that is not committed, because the process may be killed.
    fn unfinished(&self, text: &str) -> io::Result<UnfinishedFile> {
        let running = folder::create_ignored(&self.rebut, folder::RUNNING)?;
        static ONCE: Once = Once::new();
        ONCE.call_once(|| remove_abandoned(&running));
        UnfinishedFile::write(running.join(format!("{}.{UNFINISHED}", unique())), text)
    }

    fn front_path(&self, test: &str) -> PathBuf {
        self.rebut.join(FRONTS).join(format!("{}.front", folder::file_name(test)))
    }
}

impl Database for FileDatabase {
    fn load(&self, test: &str) -> Vec<StoredCase> {
        let mut cases = Vec::new();
        for path in self.paths(test) {
            let id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let case = match StoredText::read(&path, test) {
                StoredText::Own(case, hash) => {
                    let mut loaded = lock(&self.loaded);
                    loaded.retain(|(known, _)| *known != path);
                    loaded.push((path, hash));
                    case
                }
                StoredText::Edited(case) => case,
                StoredText::Missing => continue,
                StoredText::OfAnotherTest(other) => {
                    // The names of two tests may be one on the disk. Systems ignore the case.
                    let (other_name, name) = (folder::file_name(&other), folder::file_name(test));
                    if !other_name.eq_ignore_ascii_case(&name) {
                        self.warn(format!(
                            "skipped a saved failure: {} is of `{other}`, and not of `{test}`",
                            folder::shown(&path)
                        ));
                    }
                    continue;
                }
                StoredText::Unreadable(why) => {
                    self.warn(format!("skipped a saved failure: {}: {why}", folder::shown(&path)));
                    continue;
                }
            };
            cases.push(StoredCase { id, ..*case });
        }
        cases
    }

    fn save(&self, test: &str, case: &StoredCase) -> io::Result<()> {
        let saved = self.replace(test, case);
        saved
            .inspect_err(|error| self.warn(format!("a failure of `{test}` was not saved: {error}")))
    }

    fn remove(&self, test: &str, id: &str) -> io::Result<()> {
        let path = self.path(test, id);
        let shown = folder::shown(&path);
        let folder = self.folder(test);
        let _locked = LockedFolder::lock(&folder);
        match StoredText::read(&path, test) {
            StoredText::Own(_, hash) => {
                // Another process may have found the failure again in the meantime.
                let loaded = lock(&self.loaded);
                let is_changed =
                    loaded.iter().any(|(known, loaded)| *known == path && *loaded != hash);
                drop(loaded);
                if !is_changed {
                    let removed = faults::at("remove").and_then(|()| fs::remove_file(&path));
                    if let Err(error) = removed {
                        self.warn(format!(
                            "cannot remove a failure that is fixed: {shown}: {error}"
                        ));
                        return Err(error);
                    }
                }
            }
            StoredText::Edited(_) => self.warn(format!(
                "{shown} passes now; it was edited by hand, so it is kept, and you can delete it"
            )),
            // Its warning comes from loading it.
            StoredText::Missing | StoredText::OfAnotherTest(_) | StoredText::Unreadable(_) => {}
        }
        // This removes only an empty directory.
        let _ = fs::remove_dir(&folder);
        Ok(())
    }

    fn load_front(&self, test: &str) -> Vec<Tape> {
        // A lost front only costs the next search some cases, so there is no warning.
        let text = folder::read(&self.front_path(test), LENGTH_MAX).unwrap_or_default();
        front::read(test, &text)
    }

    fn save_front(&self, test: &str, front: &[ParetoCase]) -> io::Result<()> {
        let saved = self.replace_front(test, front);
        saved.inspect_err(|error| {
            self.warn(format!("the best cases of `{test}` were not saved: {error}"));
        })
    }

    fn folder(&self, test: &str, id: &str) -> Option<PathBuf> {
        self.paths_of(test, id).any(|path| path.is_file()).then(|| FileDatabase::folder(self, test))
    }

    fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.warnings))
    }
}

/// The content of the file of a case.
enum StoredText {
    Missing,
    /// A case as Rebut writes it, with the hash of the file.
    Own(Box<StoredCase>, u64),
    /// A case, but not as Rebut writes it.
    Edited(Box<StoredCase>),
    /// A case of the test with this name.
    OfAnotherTest(String),
    /// The reason why there is no case.
    Unreadable(String),
}

impl StoredText {
    fn read(path: &Path, test: &str) -> StoredText {
        let text = match folder::read(path, LENGTH_MAX) {
            Ok(text) => text,
            // A link to a missing file is there.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !path.is_symlink() => {
                return StoredText::Missing;
            }
            Err(error) => return StoredText::Unreadable(error.to_string()),
        };
        let id = path.file_stem().unwrap_or_default().to_string_lossy();
        match text::read(&id, test, &text) {
            Ok(Some(case)) if text::is_own(test, &case, &text) => {
                StoredText::Own(Box::new(case), fnv1a(text.as_bytes()))
            }
            Ok(Some(case)) => StoredText::Edited(Box::new(case)),
            Ok(None) => StoredText::OfAnotherTest(text::test_of(&text).to_owned()),
            Err(why) => StoredText::Unreadable(why),
        }
    }
}

/// A file that is written and will be renamed.
struct UnfinishedFile {
    path: PathBuf,
}

impl UnfinishedFile {
    fn write(path: PathBuf, text: &str) -> io::Result<UnfinishedFile> {
        let file = UnfinishedFile { path };
        match file.write_all(text) {
            Ok(()) => Ok(file),
            Err(error) => {
                let error = folder::naming(&file.path)(error);
                // The first error is the cause; one of removing an incomplete file is not.
                let _ = file.discard();
                Err(error)
            }
        }
    }

    fn write_all(&self, text: &str) -> io::Result<()> {
        let mut file = File::create_new(&self.path)?;
        faults::at("write")?;
        file.write_all(text.as_bytes())?;
        faults::at("sync")?;
        file.sync_all()
    }

    fn rename(self, path: &Path) -> io::Result<()> {
        let renamed = faults::at("rename").and_then(|()| fs::rename(&self.path, path));
        renamed.map_err(|error| {
            let error = folder::naming(path)(error);
            let _ = self.discard();
            error
        })
    }

    fn discard(&self) -> io::Result<()> {
        fs::remove_file(&self.path).map_err(folder::naming(&self.path))
    }
}

/// A directory in which no other process replaces or removes a file.
struct LockedFolder {
    _folder: Option<File>,
}

impl LockedFolder {
    /// Locks a directory. Continues without a lock if the system has none for directories, or if a
    /// process that was stopped holds it.
    fn lock(folder: &Path) -> LockedFolder {
        let Ok(folder) = File::open(folder) else { return LockedFolder { _folder: None } };
        for _ in 0..LOCK_TRIES {
            match folder.try_lock() {
                Ok(()) => return LockedFolder { _folder: Some(folder) },
                Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_EVERY),
                Err(TryLockError::Error(_)) => break,
            }
        }
        LockedFolder { _folder: None }
    }
}

/// Removes the files of processes that were killed while they wrote.
fn remove_abandoned(running: &Path) {
    let Ok(entries) = fs::read_dir(running) else { return };
    for entry in entries {
        let Ok(entry) = entry else { continue };
        let path = entry.path();
        let age = entry.metadata().and_then(|file| file.modified()).map(|time| time.elapsed());
        let is_old = matches!(age, Ok(Ok(age)) if age > ABANDONED);
        if is_old && path.extension().is_some_and(|extension| extension == UNFINISHED) {
            let _ = fs::remove_file(path);
        }
    }
}

/// The age of an unfinished file that no process is still writing. Arbitrary: writing takes
/// milliseconds.
const ABANDONED: Duration = Duration::from_secs(3600);
/// The extension of an unfinished file.
const UNFINISHED: &str = "new";
/// The maximum number of files for one failure. All but one were edited, or cannot be read.
/// Arbitrary.
const NAMES_MAX: usize = 9;
/// Try this often to save a failure while other processes remove the directory. Arbitrary.
const TRIES_MAX: u32 = 10;
/// Try this often to lock a directory, and wait this long in between: a second in total. A lock is
/// held while a file is read and renamed.
const LOCK_TRIES: u32 = 200;
const LOCK_EVERY: Duration = Duration::from_millis(5);

/// Distinguishes writers that write the same case at the same time. A process that started again may
/// have left a file under its number.
fn unique() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let (process, restarts) = (std::process::id(), restart::restarts());
    format!("{process}-{restarts}-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::sample;
    use crate::folder::scratch::Scratch;

    const TEST: &str = "a::b";

    fn folder(home: &Scratch) -> PathBuf {
        let folder = home.path().join(".rebut/failures/a__b");
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    #[test]
    fn files_are_in_the_documented_folder() {
        let home = Scratch::new();
        let case = sample("x");
        FileDatabase::new(home.text()).save(TEST, &case).expect("a writable folder");
        let names: Vec<_> = fs::read_dir(folder(&home))
            .expect("there")
            .map(|e| e.expect("one").file_name())
            .collect();
        assert_eq!(names, [format!("{}.case", case.id).as_str()]);
    }

    #[test]
    fn unfinished_files_are_not_among_the_failures() {
        let home = Scratch::new();
        let database = FileDatabase::new(home.text());
        for step in ["write", "sync", "rename"] {
            faults::fail_at(step, io::ErrorKind::StorageFull);
            assert!(database.save(TEST, &sample("x")).is_err());
            faults::clear();
        }
        assert_eq!(fs::read_dir(folder(&home)).expect("there").count(), 0);
        let running = home.path().join(".rebut/running");
        assert_eq!(fs::read_to_string(running.join(".gitignore")).expect("there"), "*\n");
        assert_eq!(fs::read_dir(running).expect("there").count(), 1);
    }

    #[test]
    fn abandoned_files_are_removed() {
        let home = Scratch::new();
        let old = std::time::SystemTime::now() - 2 * ABANDONED;
        for (name, time) in [("1-0.new", Some(old)), ("2-0.new", None), ("a__b-3-0", Some(old))] {
            let file = File::create(home.path().join(name)).expect("a file");
            if let Some(time) = time {
                file.set_modified(time).expect("a time");
            }
        }
        remove_abandoned(home.path());
        let is_there = |name: &str| home.path().join(name).exists();
        assert!(!is_there("1-0.new") && is_there("2-0.new") && is_there("a__b-3-0"));
    }

    #[test]
    fn machines_without_the_sources_get_no_directories() {
        let home = Scratch::new();
        let gone = home.path().join("sources/demo");
        // Otherwise the variable of cargo names another directory.
        let database = FileDatabase::in_directory(gone.join(".rebut"));
        assert!(database.replace(TEST, &sample("x")).is_err());
        assert!(database.replace_front(TEST, &[]).is_err());
        assert!(!home.path().join("sources").exists());
    }

    #[test]
    fn unreadable_files_are_skipped_and_kept() {
        let home = Scratch::new();
        let folder = folder(&home);
        fs::create_dir(folder.join("1.case")).expect("a folder");
        fs::write(folder.join("2.case"), [0xFF; 300]).expect("a file");
        fs::write(folder.join("3.case"), "rebut case 99\n").expect("a file");
        fs::write(folder.join("4.case"), "").expect("a file");
        let huge = File::create(folder.join("5.case")).expect("a file");
        huge.set_len(LENGTH_MAX + 1).expect("a sparse file");
        fs::write(folder.join("README"), "not a case").expect("a file");
        fs::write(folder.join("6.1-2.new"), "rebut case 1\n").expect("a file");

        let database = FileDatabase::new(home.text());
        database.save(TEST, &sample("x")).expect("a writable folder");
        assert_eq!(database.load(TEST), [sample("x")]);
        let warnings = database.take_warnings();
        assert_eq!(warnings.len(), 5, "{warnings:#?}");
        assert!(warnings[0].ends_with("1.case: not a regular file"), "{}", warnings[0]);
        assert!(database.take_warnings().is_empty());
        assert_eq!(fs::read_dir(&folder).expect("there").count(), 8);
    }

    #[cfg(unix)]
    #[test]
    fn dangling_links_are_skipped() {
        let home = Scratch::new();
        std::os::unix::fs::symlink("nowhere", folder(&home).join("1.case")).expect("a link");
        let database = FileDatabase::new(home.text());
        assert!(database.load(TEST).is_empty());
        assert_eq!(database.take_warnings().len(), 1);
    }

    #[test]
    fn unwritable_directories_cause_one_warning() {
        let home = Scratch::new();
        fs::write(home.path().join(".rebut"), "in the way").expect("a file");
        let database = FileDatabase::new(home.text());
        assert!(database.save(TEST, &sample("x")).is_err());
        assert!(database.save(TEST, &sample("x")).is_err());
        let warnings = database.take_warnings();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].starts_with("a failure of `a::b` was not saved: "), "{warnings:?}");
        assert!(warnings[0].contains(home.text()), "{warnings:?}");
        assert!(database.load(TEST).is_empty());
    }

    #[test]
    fn every_failing_step_is_a_warning_with_the_path_and_the_words_of_the_system() {
        use io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, StorageFull};
        for kind in [StorageFull, ReadOnlyFilesystem, PermissionDenied] {
            for step in ["create", "write", "sync", "rename"] {
                let home = Scratch::new();
                let database = FileDatabase::new(home.text());
                faults::fail_at(step, kind);
                let saved = database.save(TEST, &sample("x"));
                let front = database.save_front(TEST, &[]);
                faults::clear();
                assert!(saved.is_err() && front.is_err(), "{step}");
                let warnings = database.take_warnings();
                assert_eq!(warnings.len(), 2, "{warnings:#?}");
                let words = io::Error::from(kind).to_string();
                for (warning, what) in warnings.iter().zip(["was not saved", "were not saved"]) {
                    let is_told = warning.contains(what) && warning.ends_with(&words);
                    assert!(is_told && warning.contains(home.text()), "{step}: {warning}");
                }
            }
        }
    }

    #[test]
    fn failing_removals_are_warnings() {
        let home = Scratch::new();
        let database = FileDatabase::new(home.text());
        database.save(TEST, &sample("x")).expect("a writable folder");
        faults::fail_at("remove", io::ErrorKind::ReadOnlyFilesystem);
        assert!(database.remove(TEST, &sample("x").id).is_err());
        faults::clear();
        let warnings = database.take_warnings();
        assert!(warnings[0].starts_with("cannot remove a failure that is fixed: "), "{warnings:?}");
        assert_eq!(database.load(TEST).len(), 1);
    }

    #[test]
    fn folders_that_are_files_are_warnings() {
        let home = Scratch::new();
        fs::create_dir_all(home.path().join(".rebut/failures")).expect("a folder");
        fs::write(home.path().join(".rebut/failures/a__b"), "in the way").expect("a file");
        let database = FileDatabase::new(home.text());
        assert!(database.load(TEST).is_empty());
        assert!(database.save(TEST, &sample("x")).is_err());
        let warnings = database.take_warnings();
        assert_eq!(warnings.len(), 2, "{warnings:#?}");
        assert!(warnings[1].contains(".rebut/failures/a__b: "), "{warnings:#?}");
    }

    /// Saves the sample, and replaces `from` by `to` in its file.
    fn edited(home: &Scratch, from: &str, to: &str) -> (FileDatabase, PathBuf) {
        let database = FileDatabase::new(home.text());
        database.save(TEST, &sample("x")).expect("a writable folder");
        let path = database.path(TEST, &sample("x").id);
        let text = fs::read_to_string(&path).expect("a file");
        let edited = text.replacen(from, to, 1);
        assert_ne!(edited, text);
        fs::write(&path, edited).expect("a file");
        (database, path)
    }

    #[test]
    fn edited_files_are_kept_with_a_warning() {
        let home = Scratch::new();
        let (database, path) = edited(&home, "let list", "let  list");
        let text = fs::read_to_string(&path).expect("a file");
        assert_eq!(database.load(TEST).len(), 1);
        assert!(database.take_warnings().is_empty(), "it may still fail");
        database.remove(TEST, &sample("x").id).expect("kept");
        let warnings = database.take_warnings();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        let expected = "passes now; it was edited by hand, so it is kept, and you can delete it";
        assert!(warnings[0].ends_with(expected), "{warnings:?}");
        assert_eq!(fs::read_to_string(&path).expect("still there"), text);
    }

    #[test]
    fn edited_and_broken_files_are_never_replaced() {
        for (from, to) in
            [("let list", "let  list"), ("rebut case 1", "rebut case 9"), ("c120", "")]
        {
            let home = Scratch::new();
            let (database, path) = edited(&home, from, to);
            let text = fs::read_to_string(&path).expect("a file");
            let simpler = StoredCase { tape: Tape::default(), ..sample("x") };
            for _ in 0..3 {
                database.save(TEST, &simpler).expect("another name");
            }
            assert_eq!(fs::read_to_string(&path).expect("still there"), text);
            let id = format!("{}-2", sample("x").id);
            let saved = StoredCase { id: id.clone(), ..simpler };
            assert!(database.load(TEST).contains(&saved));
            assert_eq!(fs::read_dir(folder(&home)).expect("there").count(), 2);
            database.remove(TEST, &id).expect("removed");
            assert_eq!(fs::read_dir(folder(&home)).expect("there").count(), 1);
        }
    }

    #[test]
    fn edited_files_that_have_the_case_need_no_copy() {
        let home = Scratch::new();
        let (database, path) = edited(&home, "let list", "let  list");
        database.save(TEST, &sample("x")).expect("nothing to do");
        assert_eq!(database.paths(TEST), [path]);
        assert_eq!(fs::read_dir(home.path().join(".rebut/running")).expect("there").count(), 1);
    }

    #[test]
    fn failures_that_another_process_found_again_stay() {
        let home = Scratch::new();
        let (ours, other) = (FileDatabase::new(home.text()), FileDatabase::new(home.text()));
        ours.save(TEST, &sample("x")).expect("a writable folder");
        ours.load(TEST);
        let found = StoredCase { tape: Tape::default(), ..sample("x") };
        other.save(TEST, &found).expect("a writable folder");
        ours.remove(TEST, &found.id).expect("kept");
        assert_eq!(ours.load(TEST), std::slice::from_ref(&found));
        ours.remove(TEST, &found.id).expect("removed");
        assert!(ours.load(TEST).is_empty());
        assert!(ours.take_warnings().is_empty());
    }

    #[test]
    fn clocks_that_go_back_remove_nothing() {
        let home = Scratch::new();
        let file = File::create(home.path().join("1-0.new")).expect("a file");
        file.set_modified(std::time::SystemTime::now() + 2 * ABANDONED).expect("a time");
        remove_abandoned(home.path());
        assert!(home.path().join("1-0.new").exists());
    }

    // The test starts itself again in processes that end in the middle of saving.
    #[test]
    fn processes_that_are_killed_leave_no_unfinished_failure() {
        const HOME: &str = "REBUT_RUN_KILLED_HOME";
        if let Some(home) = std::env::var_os(HOME) {
            let database = FileDatabase::in_directory(PathBuf::from(home));
            let saved = database.save(TEST, &StoredCase { tape: Tape::default(), ..sample("x") });
            panic!("not killed: {saved:?}");
        }
        for step in ["create", "write", "sync", "rename"] {
            let home = Scratch::new();
            let database = FileDatabase::new(home.text());
            database.save(TEST, &sample("x")).expect("a writable folder");
            let binary = std::env::current_exe().expect("this binary");
            let name = "processes_that_are_killed_leave_no_unfinished_failure";
            let ended = std::process::Command::new(binary)
                .arg(format!("database::file::tests::{name}"))
                .args(["--exact", "--nocapture"])
                .env(HOME, home.path().join(".rebut"))
                .env(faults::KILL_AT, step)
                .output()
                .expect("this binary starts");
            let output = String::from_utf8_lossy(&ended.stderr);
            assert!(ended.status.code().is_none_or(|code| code > 127), "{step}: {output}");
            assert_eq!(database.load(TEST), [sample("x")], "{step}: the failure before it stays");
            let names: Vec<_> = database.paths(TEST);
            assert_eq!(fs::read_dir(folder(&home)).expect("there").count(), 1, "{step}: {names:?}");
            assert!(database.take_warnings().is_empty());
        }
    }

    #[test]
    fn ids_cannot_escape_the_folder() {
        let home = Scratch::new();
        let precious = home.path().join("precious.case");
        fs::write(&precious, "").expect("a file");
        let database = FileDatabase::new(home.text());
        database.remove(TEST, "../../../precious").expect("nothing there");
        let case = StoredCase { id: "../../../escaped".into(), ..sample("x") };
        database.save(TEST, &case).expect("a writable folder");
        assert!(precious.exists());
        assert!(!home.path().join("escaped.case").exists());
    }

    #[test]
    fn cases_of_another_test_cause_a_warning() {
        let home = Scratch::new();
        let database = FileDatabase::new(home.text());
        let other = text::write("my_crate::renamed", &sample("x"));
        let path = database.path(TEST, &sample("x").id);
        fs::create_dir_all(folder(&home)).expect("a folder");
        fs::write(&path, other).expect("a file");
        assert!(database.load(TEST).is_empty() && database.load(TEST).is_empty());
        let warnings = database.take_warnings();
        let names = format!("is of `my_crate::renamed`, and not of `{TEST}`");
        assert!(warnings.len() == 1 && warnings[0].ends_with(&names), "{warnings:?}");
        // The directory of both has one name.
        let same = TEST.replace("::", "__");
        assert!(database.load(&same).is_empty());
        fs::write(&path, text::write(&same, &sample("x"))).expect("a file");
        assert!(database.load(TEST).is_empty());
        assert!(database.take_warnings().len() == 1, "about the first file and the second name");
    }

    #[test]
    fn unfinished_files_of_a_process_that_started_again_are_in_no_ones_way() {
        const NAME: &str = "database::file::tests::unfinished_files_of_a_process_that_started_again_are_in_no_ones_way";
        const HOME: &str = "REBUT_RUN_UNFINISHED_HOME";
        let Ok(home) = std::env::var(HOME) else {
            let home = Scratch::new();
            let ended = std::process::Command::new(std::env::current_exe().expect("this binary"))
                .args([NAME, "--exact", "--nocapture"])
                .env(rebut_protocol::variables::RESTART, format!("1 {}", home.text()))
                .env(HOME, home.text())
                .output()
                .expect("this binary starts");
            assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
            return;
        };
        let database = FileDatabase::new(&home);
        let running = folder::create_ignored(&database.rebut, folder::RUNNING).expect("a folder");
        for number in 0..100 {
            let name = format!("{}-{number}.{UNFINISHED}", std::process::id());
            fs::write(running.join(name), "").expect("a file");
        }
        database.save(TEST, &sample("x")).expect("another name");
    }

    mod mutations {
        use super::*;
        use rebut_testkit::mutations::{Clock, for_each, growth};

        fn samples() -> [String; 2] {
            let tape: Vec<String> = (0..300).map(|n| format!("i{}", n * n)).collect();
            let tape = Tape::from_text(&tape.join(" ")).expect("a valid tape");
            let builds = vec!["debug".to_owned(), "release".to_owned()];
            let long = StoredCase { tape, builds, ..sample("left: 1\n right: \u{202e}2") };
            [text::write(TEST, &sample("x")), text::write(TEST, &long)]
        }

        #[test]
        fn damaged_failures_are_never_lost() {
            let home = Scratch::new();
            let folder = folder(&home);
            let samples = samples();
            let samples: Vec<&[u8]> = samples.iter().map(String::as_bytes).collect();
            let id = sample("x").id;
            let mut number = 0;
            for_each(".case", &samples, &mut |text| {
                for entry in fs::read_dir(&folder).expect("a folder") {
                    fs::remove_file(entry.expect("an entry").path()).expect("a file");
                }
                let database = FileDatabase::new(home.text());
                let path = database.path(TEST, &id);
                fs::write(&path, text).expect("a file");
                let cases = database.load(TEST);
                let is_own = matches!(StoredText::read(&path, TEST), StoredText::Own(..));
                number += 1;
                // Saving waits for the disk.
                if number % 16 == 0 && !is_own {
                    let simpler = StoredCase { tape: Tape::default(), ..sample("x") };
                    database.save(TEST, &simpler).expect("a writable folder");
                }
                fs::create_dir_all(&folder).expect("a folder");
                if !is_own {
                    database.remove(TEST, &id).expect("kept");
                    assert_eq!(fs::read(&path).expect("still there"), text);
                    let is_other =
                        matches!(StoredText::read(&path, TEST), StoredText::OfAnotherTest(_));
                    assert!(is_other || !database.take_warnings().is_empty());
                }
                !cases.is_empty()
            });
            let make = |bytes: usize| {
                let tape: Vec<String> = (0..bytes / 5).map(|n| format!("i{}", n % 1000)).collect();
                let tape = Tape::from_text(&tape.join(" ")).expect("a valid tape");
                text::write(TEST, &StoredCase { tape, ..sample("x") }).into_bytes()
            };
            growth(".case", Clock::Thread, 1 << 19, &make, &mut |bytes| {
                let text = std::str::from_utf8(bytes).expect("UTF-8");
                let case = text::read("id", TEST, text).expect("our own").expect("our test");
                assert!(text::is_own(TEST, &case, text));
            });
            let make = |bytes: usize| {
                let message = "a line \u{202e}\\ of a message\n".repeat(bytes / 30);
                text::write(TEST, &sample(&message)).into_bytes()
            };
            growth(".case with a long message", Clock::Thread, 1 << 18, &make, &mut |bytes| {
                let text = std::str::from_utf8(bytes).expect("UTF-8");
                let case = text::read("id", TEST, text).expect("our own").expect("our test");
                assert!(text::is_own(TEST, &case, text));
            });
        }
    }
}
