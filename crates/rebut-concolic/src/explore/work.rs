//! The work of an exploration, in units of about one microsecond of processor time.
//!
//! Time itself would make verdicts depend on the load of the machine. So this counts what takes the
//! time, each with about the cost that it was measured to have. On a parser of lines, a calculator,
//! and a number that is formatted and parsed again, a million units took 1.0 to 1.6 seconds in a
//! build with little optimization, on a server of 2024.

use rebut_smt::Statistics;

use crate::trace::Trace;

/// The cost of a run that does nothing: a new instance, and its tape.
const RUN: u64 = 40;

/// The number of loop rounds that cost one unit.
const ROUNDS: u64 = 20;

/// The cost of a decision of a run: its node in the tree, and its slice.
const STEP: u64 = 1;

/// The cost of a new term of a run.
const TERM: u64 = 1;

/// The cost of a term of a query: evaluating it, inferring its range, and its circuit.
const QUERY_TERM: u64 = 3;

/// The number of decisions on the way to a side that cost one unit when it is solved for.
const DEPTH: u64 = 4;

/// The cost of a conflict of the solver.
const CONFLICT: u64 = 60;

/// The work so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    units: u64,
}

impl Work {
    pub(super) fn total(&self) -> u64 {
        self.units
    }

    /// Adds a run that created this number of terms.
    pub(super) fn add_run(&mut self, trace: &Trace, terms: usize) {
        let steps = trace.steps.len() as u64 * STEP;
        self.units += RUN + trace.fuel / ROUNDS + steps + terms as u64 * TERM;
    }

    /// Adds a query with this number of terms about a decision after `depth` others.
    pub(super) fn add_query(
        &mut self,
        terms: u64,
        depth: u64,
        before: Statistics,
        after: Statistics,
    ) {
        let conflicts = after.conflicts.saturating_sub(before.conflicts);
        self.units += terms * QUERY_TERM + depth / DEPTH + conflicts * CONFLICT;
    }
}
