//! The database of failing cases, which the next run tries first.
//!
//! Rebut stores a failure as soon as it finds it, and again whenever it gets simpler, so that a
//! kill loses none. The files are text that people can read, review and commit.

mod build;
pub(crate) mod faults;
mod file;
mod front;
mod text;

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;

use rebut_choice::Tape;

use crate::case_log::ShownValue;
use crate::folder;
use crate::outcome::{Failure, FailureKind};
use crate::threads::lock;
use crate::verdict::ParetoCase;

pub(crate) use build::note_overflow_checks;
pub use file::FileDatabase;

/// A store of failing cases. Implement it to share failures by other means than files.
///
/// # Examples
/// ```
/// use rebut::database::{Database, MemoryDatabase};
/// let database = MemoryDatabase::default();
/// assert!(database.load("my_crate::my_test").is_empty());
/// ```
pub trait Database: fmt::Debug + Send + Sync {
    /// Returns all readable cases of a test.
    fn load(&self, test: &str) -> Vec<StoredCase>;

    /// Saves a case. Replaces the one with the same id.
    ///
    /// # Errors
    /// If the case cannot be written.
    fn save(&self, test: &str, case: &StoredCase) -> io::Result<()>;

    /// Removes a case that passes now. A missing case is not an error. A database may keep the case
    /// and return a warning, as one of files does if a person has edited it.
    ///
    /// # Errors
    /// If the case cannot be removed.
    fn remove(&self, test: &str, id: &str) -> io::Result<()>;

    /// Returns the cases with the best scores of a test, from which its search starts.
    fn load_front(&self, _test: &str) -> Vec<Tape> {
        Vec::new()
    }

    /// Saves the cases with the best scores. Replaces all that were saved before.
    ///
    /// # Errors
    /// If the cases cannot be written.
    fn save_front(&self, _test: &str, _front: &[ParetoCase]) -> io::Result<()> {
        Ok(())
    }

    /// Returns the directory of the case with this id, or `None` if there is no such case or
    /// cases are not files.
    fn folder(&self, _test: &str, _id: &str) -> Option<PathBuf> {
        None
    }

    /// Returns the warnings since the last call: cases that cannot be read, a directory that
    /// cannot be written.
    fn take_warnings(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A saved failing case.
///
/// # Examples
/// ```
/// use std::sync::Arc;
///
/// use rebut::database::{Database, MemoryDatabase};
/// use rebut::{Check, integers};
///
/// let database = Arc::new(MemoryDatabase::default());
/// let check = Check::new("small").database(database.clone());
/// check.run(|case| case.draw(integers::<u16>()) < 500);
/// let stored = &database.load("small")[0];
/// assert!(stored.shrunk);
/// assert_eq!(stored.values[0].code, "500");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredCase {
    /// The name of the case within its test. Failures with the same key have the same id.
    pub id: String,
    /// The [`FailureKey`](crate::FailureKey) of the failure, as text.
    pub failure_key: String,
    /// The kind of failure.
    pub kind: FailureKind,
    /// The message of the failure.
    pub message: String,
    /// The values, for people. Rebut replays the tape, not these.
    pub values: Vec<ShownValue>,
    /// The choices of the case.
    pub tape: Tape,
    /// Whether shrinking is finished.
    pub shrunk: bool,
    /// The builds that showed the failure, such as `debug`. A run removes the case once it passes
    /// in all of them. Empty in files of earlier versions.
    pub builds: Vec<String>,
}

impl StoredCase {
    /// Creates a case from a failure.
    ///
    /// # Examples
    /// ```
    /// use rebut::database::StoredCase;
    /// use rebut::report::{Failure, FailureKind};
    /// let failure = Failure::new(FailureKind::WrongResult, "returned false", None);
    /// let case = StoredCase::new(&failure, &[], &Default::default(), true);
    /// assert_eq!(case.failure_key, failure.key().to_string());
    /// ```
    #[must_use]
    pub fn new(failure: &Failure, values: &[ShownValue], tape: &Tape, shrunk: bool) -> StoredCase {
        let failure_key = failure.key().to_string();
        StoredCase {
            id: folder::hash(&failure_key),
            failure_key,
            kind: failure.kind,
            message: failure.message.clone(),
            values: values.to_vec(),
            tape: tape.clone(),
            shrunk,
            builds: vec![build::running().to_owned()],
        }
    }

    /// Returns the builds that showed the failure, except the running one.
    pub(crate) fn other_builds(&self) -> Vec<String> {
        let mut others = Vec::new();
        if self.builds.is_empty() {
            // `cargo test` makes such a build by default.
            others.push(build::DEBUG.to_owned());
        }
        others.extend_from_slice(&self.builds);
        others.retain(|one| one != build::running());
        others
    }
}

/// Returns the text of a case, as in a file.
pub(crate) fn text_of(test: &str, case: &StoredCase) -> String {
    text::write(test, case)
}

/// Reads a case from its text. Returns `None` if it cannot be read, or belongs to another test.
pub(crate) fn case_of(test: &str, text: &str) -> Option<StoredCase> {
    let mut case = text::read("", test, text).ok()??;
    case.id = folder::hash(&case.failure_key);
    Some(case)
}

/// A database in memory.
///
/// # Examples
/// ```
/// use std::sync::Arc;
///
/// use rebut::database::MemoryDatabase;
/// use rebut::report::FoundBy;
/// use rebut::{Check, integers};
///
/// let check = Check::new("small").database(Arc::new(MemoryDatabase::default()));
/// let run = || check.run(|case| case.draw(integers::<u16>()) < 500);
/// run();
/// assert_eq!(run().verdict.counterexamples()[0].found_by, FoundBy::Database);
/// ```
#[derive(Default)]
pub struct MemoryDatabase {
    /// Each case with the path of its test.
    cases: Mutex<Vec<(String, StoredCase)>>,
    fronts: Mutex<Vec<(String, Vec<Tape>)>>,
}

impl fmt::Debug for MemoryDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MemoryDatabase({} cases)", lock(&self.cases).len())
    }
}

impl Database for MemoryDatabase {
    fn load(&self, test: &str) -> Vec<StoredCase> {
        let mut found = Vec::new();
        for (owner, case) in lock(&self.cases).iter() {
            if owner == test {
                found.push(case.clone());
            }
        }
        found
    }

    fn save(&self, test: &str, case: &StoredCase) -> io::Result<()> {
        let mut cases = lock(&self.cases);
        match cases.iter_mut().find(|(owner, known)| owner == test && known.id == case.id) {
            Some((_, known)) => *known = case.clone(),
            None => cases.push((test.to_owned(), case.clone())),
        }
        Ok(())
    }

    fn remove(&self, test: &str, id: &str) -> io::Result<()> {
        lock(&self.cases).retain(|(owner, case)| owner != test || case.id != id);
        Ok(())
    }

    fn load_front(&self, test: &str) -> Vec<Tape> {
        let fronts = lock(&self.fronts);
        let found = fronts.iter().find(|(owner, _)| owner == test);
        found.map(|(_, front)| front.clone()).unwrap_or_default()
    }

    fn save_front(&self, test: &str, front: &[ParetoCase]) -> io::Result<()> {
        let mut tapes = Vec::new();
        for case in front {
            tapes.push(case.tape.clone());
        }
        let mut fronts = lock(&self.fronts);
        fronts.retain(|(owner, _)| owner != test);
        fronts.push((test.to_owned(), tapes));
        Ok(())
    }
}

/// Creates a case for tests.
#[cfg(test)]
pub(crate) fn sample(message: &str) -> StoredCase {
    let failure = Failure {
        kind: FailureKind::Panic,
        message: message.to_owned(),
        location: Some(crate::Location { file: "src/lib.rs".into(), line: 3, column: 9 }),
    };
    let value = |name: &str, type_name: &str, code: &str| ShownValue {
        name: name.into(),
        type_name: type_name.into(),
        code: code.into(),
    };
    let values = [value("list", "Vec<u8>", "vec![1, 2]"), value("draw_1", "", "\"x\"")];
    let tape = Tape::from_text("(s1f i2 i1 i2 ) c120").expect("a valid tape");
    StoredCase { builds: vec!["debug".into()], ..StoredCase::new(&failure, &values, &tape, true) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::scratch::Scratch;
    use crate::verdict::ParetoValue;

    /// Checks what every database must do.
    fn check_cases(database: &dyn Database) {
        let case = sample("one");
        assert!(database.load("a::b").is_empty());
        database.save("a::b", &case).expect("a writable folder");
        assert_eq!(database.load("a::b"), std::slice::from_ref(&case));
        assert!(database.load("a::c").is_empty());

        let simpler = StoredCase { tape: Tape::default(), ..case.clone() };
        database.save("a::b", &simpler).expect("a writable folder");
        assert_eq!(database.load("a::b"), [simpler]);

        let other = StoredCase { id: "other".into(), ..case.clone() };
        database.save("a::b", &other).expect("a writable folder");
        assert_eq!(database.load("a::b").len(), 2);
        database.remove("a::b", &case.id).expect("there");
        database.remove("a::b", &case.id).expect("no error if it is not there");
        database.remove("a::never", "x").expect("no error if there is nothing");
        assert_eq!(database.load("a::b"), [other]);
        assert!(database.take_warnings().is_empty());
    }

    /// Checks what every database that stores fronts must do.
    fn check_fronts(database: &dyn Database) {
        let value = |label: &str, value: f64| ParetoValue { label: label.to_owned(), value };
        let case = |text: &str| ParetoCase {
            values: vec![value("sum of\nall", 1.5), value("", f64::INFINITY)],
            tape: Tape::from_text(text).expect("a valid tape"),
        };
        let texts = |tapes: Vec<Tape>| tapes.iter().map(Tape::to_text).collect::<Vec<_>>();
        assert!(database.load_front("a::b").is_empty());
        database
            .save_front("a::b", &[case("i1"), case("(s1f i1 c98 )")])
            .expect("a writable folder");
        assert_eq!(texts(database.load_front("a::b")), ["i1", "(s1f i1 c98 )"]);
        assert!(database.load_front("a::c").is_empty());
        database.save_front("a::b", &[case("i7")]).expect("a writable folder");
        assert_eq!(texts(database.load_front("a::b")), ["i7"]);
        assert!(database.load("a::b").is_empty(), "a good case is not a failure");
        assert!(database.take_warnings().is_empty());
    }

    #[test]
    fn fronts_are_stored() {
        check_fronts(&MemoryDatabase::default());
        check_fronts(&FileDatabase::new(Scratch::new().text()));
    }

    #[test]
    fn memory_databases_store_cases() {
        check_cases(&MemoryDatabase::default());
    }

    #[test]
    fn file_databases_store_cases() {
        let home = Scratch::new();
        check_cases(&FileDatabase::new(home.text()));
        check_cases(&FileDatabase::new(Scratch::new().text()));
    }

    #[test]
    fn failures_with_one_key_share_an_id() {
        assert_eq!(sample("one").id, sample("two").id);
        assert_eq!(sample("one").failure_key, "panic src/lib.rs:3:9");
        assert_eq!(sample("one").id.len(), 16);
    }
}
