//! A [`Process`] whose cases all run in children, for `isolate = "always"`.

use rebut_choice::Tape;

use super::child::ChildExecutor;
use crate::case_log::CaseLog;
use crate::execute::{Execution, Executor, Input, Process};
use crate::outcome::{FailureKind, Outcome};
use crate::runner::Plan;
use crate::settings::Verbosity;

/// Runs every case in a child process.
pub(crate) struct IsolatedProcess {
    child: ChildExecutor,
    tape: Tape,
    /// The bits of the checks that the last case reached.
    reached: u64,
    /// Whether to log the values of every case.
    reports_all: bool,
    /// Whether to log the values of cases that are not shrunk.
    shows_values: bool,
}

impl IsolatedProcess {
    /// Creates a process that runs the cases of a plan.
    pub(crate) fn new(child: ChildExecutor, plan: &Plan) -> IsolatedProcess {
        IsolatedProcess {
            child,
            tape: Tape::default(),
            reached: 0,
            reports_all: plan.settings.verbosity == Verbosity::Trace,
            shows_values: plan.shows_values(),
        }
    }
}

impl IsolatedProcess {
    /// Returns whether the last case could run.
    pub(super) fn can_start(&self) -> bool {
        self.child.start_error().is_none()
    }
}

impl Executor for IsolatedProcess {
    fn execute(&mut self, input: &Input, reporting: bool) -> Execution {
        let execution = self.child.execute(input, reporting || self.reports_all);
        self.reached = execution.reached;
        execution
    }

    fn execute_example(&mut self, nth: usize, reporting: bool) -> Execution {
        let execution = self.child.execute_example(nth, reporting || self.reports_all);
        self.reached = execution.reached;
        execution
    }
}

impl Process for IsolatedProcess {
    fn run_case(&mut self, seed: u64, case: u64) -> (Outcome, Option<CaseLog>) {
        let reporting = self.reports_all || self.shows_values;
        let execution = self.child.execute(&Input::Case { seed, case }, reporting);
        // A hang ends the run, so shrinking follows. A reporting run gets the whole deadline,
        // which no candidate must take.
        let is_hang = is_hang(&execution.outcome);
        self.child.use_short_deadline(is_hang);
        self.reports_all &= !is_hang;
        (self.tape, self.reached) = (execution.tape, execution.reached);
        (execution.outcome, execution.log)
    }

    fn run_edited(&mut self, tape: Tape) -> (Outcome, Option<CaseLog>) {
        let reporting = self.reports_all || self.shows_values;
        let execution = self.child.execute(&Input::Edited(tape, 0), reporting);
        (self.tape, self.reached) = (execution.tape, execution.reached);
        (execution.outcome, execution.log)
    }

    /// Does not enumerate inputs: child processes are too slow for that.
    fn run_next_enumerated(&mut self) -> Option<(Outcome, Option<CaseLog>)> {
        None
    }

    fn tape(&self) -> Tape {
        self.tape.clone()
    }

    fn reached(&self) -> u64 {
        self.reached
    }

    fn combinations(&self) -> u128 {
        u128::MAX
    }

    fn has_answers(&self) -> bool {
        false
    }
}

fn is_hang(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Failed(failure) if failure.kind == FailureKind::Hang)
}
