//! What outlives a question to a solver: its process, and what was noticed about it.

use super::super::Options;
use rebut_smt::smtlib::Process;
use rebut_smt::{Answer, Pool, Term};
use std::cell::RefCell;
use std::time::Duration;

/// The process of the external solver, which is started once, and notes for whoever asked.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    process: RefCell<Option<Process>>,
    notes: RefCell<Vec<String>>,
}

impl Kept {
    /// Asks the external solver. Without one there is nothing that could be asked.
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

    /// Notes something, once.
    pub(crate) fn note(&self, note: String) {
        let mut notes = self.notes.borrow_mut();
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    /// What was noted since the last time.
    pub(crate) fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut self.notes.borrow_mut())
    }
}
