//! The failures of one test in a database.

use std::path::PathBuf;
use std::sync::Arc;

use rebut_choice::Tape;

use crate::case_log::ShownValue;
use crate::database::{Database, StoredCase};
use crate::folder;
use crate::outcome::{Failure, FailureKind};
use crate::verdict::ParetoCase;

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

    /// Returns the cases to try first.
    pub(crate) fn tapes(&self) -> Vec<Tape> {
        let mut tapes = Vec::new();
        for case in &self.stored {
            tapes.push(case.tape.clone());
        }
        tapes
    }

    /// Returns whether a stored case ended its process. A hang did not.
    pub(crate) fn has_crash(&self) -> bool {
        let is_crash = |kind: FailureKind| kind.kills_process() && kind != FailureKind::Hang;
        self.stored.iter().any(|case| is_crash(case.kind))
    }

    /// Returns whether a stored case exited its process.
    pub(crate) fn has_exit(&self) -> bool {
        self.stored.iter().any(|case| case.kind == FailureKind::Exit)
    }

    /// Saves a failing case. With values, it is the final one.
    pub(crate) fn save(&self, failure: &Failure, tape: &Tape, values: &[ShownValue]) {
        if let Some(database) = &self.database {
            // A failed write is among the warnings.
            let case = StoredCase::new(failure, values, tape, !values.is_empty());
            let _ = database.save(&self.test, &case);
        }
    }

    /// Handles the result of the stored case with this index. Removes the case unless it still
    /// fails in the same way.
    pub(crate) fn update_after_replay(&self, nth: usize, failure: Option<&Failure>) {
        let (Some(database), Some(case)) = (&self.database, self.stored.get(nth)) else { return };
        if failure.is_none_or(|failure| failure.key().to_string() != case.failure_key) {
            let _ = database.remove(&self.test, &case.id);
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

    /// Returns the warnings of the database.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.database.as_ref().map(|database| database.take_warnings()).unwrap_or_default()
    }
}
