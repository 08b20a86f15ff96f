//! Keeps failing cases between runs.
//!
//! A failure is stored as soon as it is found and again whenever it gets simpler, so that
//! none is lost on a kill. It is tried first in the next run. Files are text that people can
//! read, review and commit.

mod file;
mod text;

use std::fmt;
use std::io;
use std::sync::Mutex;

use rebut_choice::Tape;

use crate::context::ShownValue;
use crate::folder;
use crate::outcome::{Failure, FailureKind};
use crate::threads::lock;

pub use file::FileDatabase;

/// Where failing cases are kept. Implement it to share them in another way than by files.
///
/// # Example
/// ```
/// use rebut_run::{Database, MemoryDatabase};
/// let database = MemoryDatabase::default();
/// assert!(database.load("my_crate::my_test").is_empty());
/// ```
pub trait Database: fmt::Debug + Send + Sync {
    /// All cases of a test that can be read.
    fn load(&self, test: &str) -> Vec<StoredCase>;

    /// Keeps a case in place of the one with the same id.
    ///
    /// # Errors
    /// If it could not be written.
    fn save(&self, test: &str, case: &StoredCase) -> io::Result<()>;

    /// Forgets a case; not to have it is no error.
    ///
    /// # Errors
    /// If it is still there.
    fn remove(&self, test: &str, id: &str) -> io::Result<()>;

    /// What went wrong since this was last asked and should be told: cases that could not be
    /// read, a place that cannot be written to.
    fn take_warnings(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A failing case that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredCase {
    /// Its name within its test: the same for failures of the same origin.
    pub id: String,
    /// What tells the failure apart from others.
    pub origin: String,
    /// How the property failed.
    pub kind: FailureKind,
    /// What was said about it.
    pub message: String,
    /// The values as they were shown; they are for people and not read back into a case.
    pub values: Vec<ShownValue>,
    /// The case itself.
    pub tape: Tape,
    /// Whether it is as simple as it gets.
    pub shrunk: bool,
}

impl StoredCase {
    /// A failure to be kept.
    #[must_use]
    pub fn new(failure: &Failure, values: &[ShownValue], tape: &Tape, shrunk: bool) -> StoredCase {
        let origin = failure.origin().to_string();
        StoredCase {
            id: folder::hash(&origin),
            origin,
            kind: failure.kind,
            message: failure.message.clone(),
            values: values.to_vec(),
            tape: tape.clone(),
            shrunk,
        }
    }
}

/// Keeps cases as long as it lives.
#[derive(Default)]
pub struct MemoryDatabase {
    /// With the tests they are of.
    cases: Mutex<Vec<(String, StoredCase)>>,
}

impl fmt::Debug for MemoryDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MemoryDatabase({} cases)", lock(&self.cases).len())
    }
}

impl Database for MemoryDatabase {
    fn load(&self, test: &str) -> Vec<StoredCase> {
        let mut found = Vec::new();
        for (of, case) in lock(&self.cases).iter() {
            if of == test {
                found.push(case.clone());
            }
        }
        found
    }

    fn save(&self, test: &str, case: &StoredCase) -> io::Result<()> {
        let mut cases = lock(&self.cases);
        match cases.iter_mut().find(|(of, known)| of == test && known.id == case.id) {
            Some((_, known)) => *known = case.clone(),
            None => cases.push((test.to_owned(), case.clone())),
        }
        Ok(())
    }

    fn remove(&self, test: &str, id: &str) -> io::Result<()> {
        lock(&self.cases).retain(|(of, case)| of != test || case.id != id);
        Ok(())
    }
}

/// A case for tests.
#[cfg(test)]
fn sample(message: &str) -> StoredCase {
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
    StoredCase::new(&failure, &values, &tape, true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::scratch::Scratch;

    /// What every database must do.
    fn check(database: &dyn Database) {
        let case = sample("one");
        assert!(database.load("a::b").is_empty());
        database.save("a::b", &case).expect("a place to write");
        assert_eq!(database.load("a::b"), std::slice::from_ref(&case));
        assert!(database.load("a::c").is_empty());

        let simpler = StoredCase { tape: Tape::default(), ..case.clone() };
        database.save("a::b", &simpler).expect("a place to write");
        assert_eq!(database.load("a::b"), [simpler]);

        let other = StoredCase { id: "other".into(), ..case.clone() };
        database.save("a::b", &other).expect("a place to write");
        assert_eq!(database.load("a::b").len(), 2);
        database.remove("a::b", &case.id).expect("there");
        database.remove("a::b", &case.id).expect("no error if it is not there");
        database.remove("a::never", "x").expect("no error if there is nothing");
        assert_eq!(database.load("a::b"), [other]);
        assert!(database.take_warnings().is_empty());
    }

    #[test]
    fn memory_keeps_cases() {
        check(&MemoryDatabase::default());
    }

    #[test]
    fn files_keep_cases() {
        let home = Scratch::new();
        check(&FileDatabase::new(home.text()));
        check(&FileDatabase::new(Scratch::new().text()));
    }

    #[test]
    fn an_id_is_the_same_for_the_same_origin() {
        assert_eq!(sample("one").id, sample("two").id);
        assert_eq!(sample("one").origin, "panic src/lib.rs:3:9");
        assert_eq!(sample("one").id.len(), 16);
    }
}
