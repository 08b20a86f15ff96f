//! A database of files, one per case.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, Once};
use std::time::Duration;

use rebut_choice::Tape;

use super::{Database, StoredCase, front, text};
use crate::folder;
use crate::sorted_indices::sorted_indices;
use crate::threads::lock;
use crate::verdict::ParetoCase;

/// A database of files in `.rebut/failures/<test>/<id>.case`, next to the manifest of a crate.
///
/// It replaces each file atomically. It never changes a file that it cannot read, but returns a
/// warning: the file may come from a newer version, or be the only trace of a rare failure.
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
        write!(f, "FileDatabase({})", self.rebut.display())
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
        FileDatabase { rebut: folder::rebut_dir(manifest_dir), warnings: Mutex::default() }
    }

    fn folder(&self, test: &str) -> PathBuf {
        self.rebut.join(FAILURES).join(folder::file_name(test))
    }

    fn path(&self, test: &str, id: &str) -> PathBuf {
        self.folder(test).join(format!("{}.case", folder::file_name(id)))
    }

    fn warn(&self, warning: String) {
        lock(&self.warnings).push(warning);
    }

    #[inline(never)]
    fn paths(&self, test: &str) -> Vec<PathBuf> {
        let folder = self.folder(test);
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
            Err(error) => {
                self.warn(format!("cannot read saved failures in {}: {error}", folder.display()));
                return Vec::new();
            }
        };
        let mut unordered = Vec::new();
        for entry in entries {
            let Ok(entry) = entry else { continue };
            let path = entry.path();
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
                folder.display(),
                paths.len()
            ));
            paths.truncate(CASES_MAX);
        }
        paths
    }

    fn replace(&self, test: &str, case: &StoredCase) -> io::Result<()> {
        let folder = self.folder(test);
        folder::create_below(&self.rebut, FAILURES)?;
        fs::create_dir_all(&folder)?;
        let written = self.replace_file(&self.path(test, &case.id), &text::write(test, case));
        // The new name is durable only once the directory is synced too. Not every system can do
        // that.
        let _ = File::open(&folder).and_then(|folder| folder.sync_all());
        written
    }

    fn replace_front(&self, test: &str, cases: &[ParetoCase]) -> io::Result<()> {
        folder::create_ignored(&self.rebut, FRONTS)?;
        self.replace_file(&self.front_path(test), &front::write(test, cases))
    }

    /// Replaces a file atomically. The unfinished file is in a directory that is not committed,
    /// because the process may be killed before it is renamed.
    fn replace_file(&self, path: &Path, text: &str) -> io::Result<()> {
        let running = folder::create_ignored(&self.rebut, folder::RUNNING)?;
        static ONCE: Once = Once::new();
        ONCE.call_once(|| remove_abandoned(&running));
        let unfinished = running.join(format!("{}.{UNFINISHED}", unique()));
        let written = write_all(&unfinished, text).and_then(|()| fs::rename(&unfinished, path));
        if written.is_err() {
            let _ = fs::remove_file(&unfinished);
        }
        written
    }

    fn front_path(&self, test: &str) -> PathBuf {
        self.rebut.join(FRONTS).join(format!("{}.front", folder::file_name(test)))
    }

    /// Warns once per process that nothing can be saved.
    fn warn_once(&self, error: &io::Error) {
        static WARNED: AtomicBool = AtomicBool::new(false);
        if !WARNED.swap(true, Ordering::Relaxed) {
            let rebut = self.rebut.display();
            self.warn(format!("cannot save failures in {rebut}: {error}"));
        }
    }
}

impl Database for FileDatabase {
    fn load(&self, test: &str) -> Vec<StoredCase> {
        let mut cases = Vec::new();
        for path in self.paths(test) {
            let id = path.file_stem().unwrap_or_default().to_string_lossy();
            let read = folder::read(&path, LENGTH_MAX).map_err(|error| error.to_string());
            match read.and_then(|text| text::read(&id, test, &text)) {
                Ok(case) => cases.extend(case),
                Err(why) => {
                    self.warn(format!("skipped a saved failure: {}: {why}", path.display()));
                }
            }
        }
        cases
    }

    fn save(&self, test: &str, case: &StoredCase) -> io::Result<()> {
        self.replace(test, case).inspect_err(|error| self.warn_once(error))
    }

    fn remove(&self, test: &str, id: &str) -> io::Result<()> {
        match fs::remove_file(self.path(test, id)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => {
                // This removes only an empty directory.
                let _ = fs::remove_dir(self.folder(test));
                Ok(())
            }
        }
    }

    fn load_front(&self, test: &str) -> Vec<Tape> {
        // A lost front only costs the next search some cases, so there is no warning.
        let text = folder::read(&self.front_path(test), LENGTH_MAX).unwrap_or_default();
        front::read(test, &text)
    }

    fn save_front(&self, test: &str, front: &[ParetoCase]) -> io::Result<()> {
        self.replace_front(test, front).inspect_err(|error| self.warn_once(error))
    }

    fn folder(&self, test: &str, id: &str) -> Option<PathBuf> {
        self.path(test, id).is_file().then(|| FileDatabase::folder(self, test))
    }

    fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut lock(&self.warnings))
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

fn write_all(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Distinguishes writers that write the same case at the same time.
fn unique() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
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
        // A directory in the way of the finished file.
        let blocked = database.path(TEST, &sample("x").id);
        fs::create_dir_all(blocked.join("full")).expect("a folder");
        assert!(database.replace(TEST, &sample("x")).is_err());
        assert_eq!(fs::read_dir(folder(&home)).expect("there").count(), 1);
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
        let database = FileDatabase { rebut: gone.join(".rebut"), warnings: Mutex::default() };
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
        assert_eq!(database.take_warnings().len(), 1);
        assert!(database.load(TEST).is_empty());
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
}
