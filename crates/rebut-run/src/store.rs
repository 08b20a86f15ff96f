//! The failures of one test in a database.

use std::path::PathBuf;
use std::sync::Arc;

use rebut_choice::Tape;

use crate::case_log::ShownValue;
use crate::database::{Database, StoredCase};
use crate::folder;
use crate::isolate::restart::FoundBefore;
use crate::outcome::{Failure, FailureKind};
use crate::runner::FailingCase;
use crate::verdict::{FoundBy, ParetoCase};

/// The part of a database that belongs to one test. It stores nothing without a database.
#[derive(Debug)]
pub(crate) struct Store {
    database: Option<Arc<dyn Database>>,
    test: String,
    stored: Vec<StoredCase>,
}

impl Store {
    /// Loads the failures of a test from a database.
    pub(crate) fn open(database: Option<Arc<dyn Database>>, test: &str) -> Store {
        let stored = database.as_ref().map(|database| database.load(test)).unwrap_or_default();
        Store { database, test: test.to_owned(), stored }
    }

    /// Returns the cases to try first. `found` has the failures that this run has found before its
    /// process started again.
    pub(crate) fn tapes(&self, found: &[FoundBefore]) -> Vec<(Tape, FoundBy)> {
        let mut tapes = Vec::new();
        for case in &self.stored {
            let before = found.iter().find(|one| one.failure == case.id);
            let found_by = before.map_or(FoundBy::Database, |one| one.found_by);
            tapes.push((case.tape.clone(), found_by));
        }
        tapes
    }

    /// Returns the name of the test in the database.
    pub(crate) fn test(&self) -> &str {
        &self.test
    }

    /// Returns whether a stored case ended its process. A hang did not.
    pub(crate) fn has_crash(&self) -> bool {
        let is_crash = |kind: FailureKind| kind.kills_process() && kind != FailureKind::Hang;
        self.stored.iter().any(|case| is_crash(case.kind))
    }

    /// Returns the entry for a failing case that is not shrunk.
    pub(crate) fn unshrunk(failing: &FailingCase) -> StoredCase {
        StoredCase::new(&failing.failure, &[], &failing.tape, false)
    }

    /// Saves a failing case. With values, it is the final one.
    pub(crate) fn save(&self, failure: &Failure, tape: &Tape, values: &[ShownValue]) {
        let mut case = StoredCase::new(failure, values, tape, !values.is_empty());
        for known in &self.stored {
            // Each build that showed the failure must show that it is fixed.
            if known.failure_key == case.failure_key {
                case.builds.extend(known.other_builds());
            }
        }
        case.builds.sort();
        case.builds.dedup();
        self.write(&case);
    }

    /// Handles the result of the stored case with this index. Unless it still fails in the same
    /// way, this build no longer shows the failure. The case is removed when no build does.
    pub(crate) fn update_after_replay(&self, nth: usize, failure: Option<&Failure>) {
        let (Some(database), Some(case)) = (&self.database, self.stored.get(nth)) else { return };
        if failure.is_some_and(|failure| failure.key().to_string() == case.failure_key) {
            return;
        }
        let builds = case.other_builds();
        if builds.is_empty() {
            // A failed removal is among the warnings.
            let _ = database.remove(&self.test, &case.id);
        } else if !case.builds.is_empty() && builds != case.builds {
            self.write(&StoredCase { builds, ..case.clone() });
        }
    }

    fn write(&self, case: &StoredCase) {
        if let Some(database) = &self.database {
            // A failed write is among the warnings.
            let _ = database.save(&self.test, case);
        }
    }

    /// Returns the directory that a failure was saved to, if it was saved in files.
    pub(crate) fn folder(&self, failure: &Failure) -> Option<PathBuf> {
        let id = folder::hash(&failure.key().to_string());
        self.database.as_ref()?.folder(&self.test, &id)
    }

    /// Returns the cases that a search can start from.
    pub(crate) fn front(&self) -> Vec<Tape> {
        self.database.as_ref().map(|database| database.load_front(&self.test)).unwrap_or_default()
    }

    /// Saves the cases that the next search can start from.
    pub(crate) fn save_front(&self, front: &[ParetoCase]) {
        if let Some(database) = &self.database {
            // A failed write is among the warnings.
            let _ = database.save_front(&self.test, front);
        }
    }

    /// Returns whether a case with this id was loaded.
    pub(crate) fn has(&self, id: &str) -> bool {
        self.database.is_none() || self.stored.iter().any(|case| case.id == id)
    }

    /// Returns the warnings of the database.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.database.as_ref().map(|database| database.take_warnings()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::{MemoryDatabase, sample};

    fn replayed(builds: &[&str], fails: bool) -> Option<Vec<String>> {
        let database = Arc::new(MemoryDatabase::default());
        let builds = builds.iter().map(|&build| build.to_owned()).collect();
        let case = StoredCase { builds, ..sample("x") };
        database.save("a::b", &case).expect("memory");
        let store = Store::open(Some(database.clone()), "a::b");
        let location = Some(crate::Location { file: "src/lib.rs".into(), line: 3, column: 9 });
        let failure =
            Failure { kind: FailureKind::Panic, message: "another message".into(), location };
        store.update_after_replay(0, fails.then_some(&failure));
        if fails {
            store.save(&failure, &case.tape, &case.values);
        }
        database.load("a::b").pop().map(|case| case.builds)
    }

    #[test]
    fn failures_stay_until_their_build_passes() {
        let here = StoredCase::new(
            &Failure::new(FailureKind::Panic, "x", None),
            &[],
            &Tape::default(),
            true,
        );
        let here = here.builds[0].as_str();
        let text = |builds: &[&str]| Some(builds.iter().map(|&one| one.to_owned()).collect());
        assert_eq!(replayed(&[here], false), None);
        assert_eq!(replayed(&["another"], false), text(&["another"]));
        assert_eq!(replayed(&["another", here], false), text(&["another"]));
        assert_eq!(replayed(&["another"], true), text(&["another", here]));
        assert_eq!(replayed(&[here], true), text(&[here]));
    }

    #[test]
    fn failures_of_unknown_builds_are_those_of_debug_builds() {
        let kept = if cfg!(debug_assertions) { None } else { Some(Vec::new()) };
        assert_eq!(replayed(&[], false), kept);
    }
}
