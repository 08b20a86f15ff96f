//! The process of the external solver, which serves all queries of a [`super::super::Finder`].

use super::super::Options;
use rebut_smt::smtlib::Process;
use rebut_smt::{Answer, Pool, Term};
use std::cell::RefCell;
use std::time::Duration;

/// The process of the external solver, started at the first query, and notes for the user.
#[derive(Debug, Default)]
pub(crate) struct ExternalSolver {
    process: RefCell<Option<Process>>,
    notes: RefCell<Vec<String>>,
}

impl ExternalSolver {
    /// Queries the external solver of the options.
    pub(super) fn check(
        &self,
        options: &Options,
        time_max: Duration,
        pool: &Pool,
        terms: &[Term],
    ) -> Answer {
        let command = options.solver.as_deref().unwrap_or_default();
        let mut process = self.process.borrow_mut();
        let process = process.get_or_insert_with(|| Process::new(command));
        process.set_time_max(time_max);
        process.check(pool, terms)
    }

    /// Adds a note, unless it is already there.
    pub(crate) fn note(&self, note: String) {
        let mut notes = self.notes.borrow_mut();
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    /// Returns the notes since the last call.
    pub(crate) fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut self.notes.borrow_mut())
    }
}
