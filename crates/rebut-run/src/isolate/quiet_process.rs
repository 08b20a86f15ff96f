//! Keeps the output of a failing property short.
//!
//! A property that prints or logs would show the output of hundreds of executions above its
//! report. The test harness captures the output of a thread in a buffer that threads inherit. On
//! stable Rust, no code can replace that buffer, read it or empty it, and a redirected standard
//! output would also redirect the other tests. Only a child process has an output of its own.
//!
//! So cases run in this process until one fails. Rebut then runs that case in a child, as one that
//! is reported, and sees whether it prints anything, or whether the code that prints its values
//! kills the process. If so, all later cases run in children: the search for other
//! failures, shrinking, explaining. The report shows the output of the minimal case in a section
//! of its own. In the first run, the output of the cases before the failure remains above it. In
//! a later run the saved failure runs first, and in a replay nothing else does: then the output of
//! exactly one execution is above the report, and the section is left out.
//!
//! A run whose case does not fail in a child stays in this process, and so does an enumeration of
//! all inputs. Code that cannot move to a child, such as a [`Check`](crate::Check), runs the
//! minimal case once more at the end, so that the last lines of output are its own.

use rebut_choice::Tape;

use super::isolated_process::IsolatedProcess;
use super::run_state::Worker;
use crate::case_log::CaseLog;
use crate::execute::{Execution, Executor, InProcess, Input, Process};
use crate::outcome::{FailureKind, Outcome};

/// Runs cases in this process, and in children after a failing case that prints.
pub(crate) struct QuietProcess<'a> {
    inner: InProcess<'a>,
    children: IsolatedProcess,
    worker: Worker,
    stage: Stage,
    /// The number of executions in this process.
    executions: u64,
    /// Whether the last case ran in a child.
    is_last_in_child: bool,
}

enum Stage {
    /// No case has failed.
    NoFailure,
    /// The first failing case does not print, or does not fail in a child.
    Loud,
    /// The first failing case prints; this is its tape.
    Quiet(Tape),
}

impl<'a> QuietProcess<'a> {
    pub(crate) fn new(
        inner: InProcess<'a>,
        children: IsolatedProcess,
        worker: &Worker,
    ) -> QuietProcess<'a> {
        QuietProcess {
            inner,
            children,
            worker: worker.clone(),
            stage: Stage::NoFailure,
            executions: 0,
            is_last_in_child: false,
        }
    }

    /// Returns whether the next case runs in a child. The child has its own deadline, so this
    /// process has no running case then.
    fn enters_child(&mut self) -> bool {
        self.is_last_in_child = matches!(self.stage, Stage::Quiet(_));
        if self.is_last_in_child {
            self.worker.mark_idle();
        } else {
            self.executions += 1;
        }
        self.is_last_in_child
    }

    /// Decides after the first failure where the other cases run.
    fn after(&mut self, outcome: &Outcome, tape: &dyn Fn(&Self) -> Tape, example: Option<usize>) {
        let (Stage::NoFailure, Outcome::Failed(failure)) = (&self.stage, outcome) else { return };
        self.stage = Stage::Loud;
        // A matching input passes its test, whose output is not shown.
        if failure.kind == FailureKind::Witness {
            return;
        }
        self.worker.mark_idle();
        let tape = tape(self);
        let mut execute = |reporting: bool| match example {
            Some(nth) => self.children.execute_example(nth, reporting),
            None => self.children.execute(&Input::Tape(tape.clone()), reporting),
        };
        let fails_too = |execution: &Execution| matches!(&execution.outcome, Outcome::Failed(f) if f.key() == failure.key());
        let reported = execute(true);
        let is_quiet = match fails_too(&reported) {
            true => !reported.output.trim().is_empty(),
            false => fails_too(&execute(false)),
        };
        if is_quiet {
            self.stage = Stage::Quiet(tape);
        }
    }

    /// Removes the output from the report if it is already above it, and nothing else is.
    fn without_known_output(&self, mut execution: Execution) -> Execution {
        if let Stage::Quiet(tape) = &self.stage
            && self.executions == 1
            && execution.tape == *tape
        {
            execution.output.clear();
        }
        execution
    }
}

impl Executor for QuietProcess<'_> {
    fn execute(&mut self, input: &Input, reporting: bool) -> Execution {
        if self.enters_child() {
            let execution = self.children.execute(input, reporting);
            if self.children.can_start() {
                return self.without_known_output(execution);
            }
            // The system has no more processes. A long output is better than no result.
            self.stage = Stage::Loud;
        }
        let execution = self.inner.execute(input, reporting);
        self.after(&execution.outcome, &|_| execution.tape.clone(), None);
        execution
    }

    fn execute_example(&mut self, nth: usize, reporting: bool) -> Execution {
        if self.enters_child() {
            let execution = self.children.execute_example(nth, reporting);
            return self.without_known_output(execution);
        }
        let execution = self.inner.execute_example(nth, reporting);
        self.after(&execution.outcome, &|_| execution.tape.clone(), Some(nth));
        execution
    }
}

impl Process for QuietProcess<'_> {
    fn run_case(&mut self, seed: u64, case: u64) -> (Outcome, Option<CaseLog>) {
        if self.enters_child() {
            return self.children.run_case(seed, case);
        }
        let result = self.inner.run_case(seed, case);
        self.after(&result.0, &|process| process.inner.tape(), None);
        result
    }

    fn run_edited(&mut self, tape: Tape) -> (Outcome, Option<CaseLog>) {
        if self.enters_child() {
            return self.children.run_edited(tape);
        }
        let result = self.inner.run_edited(tape);
        self.after(&result.0, &|process| process.inner.tape(), None);
        result
    }

    fn run_next_enumerated(&mut self) -> Option<(Outcome, Option<CaseLog>)> {
        self.is_last_in_child = false;
        self.executions += 1;
        let result = self.inner.run_next_enumerated()?;
        self.after(&result.0, &|process| process.inner.tape(), None);
        Some(result)
    }

    fn tape(&self) -> Tape {
        if self.is_last_in_child { self.children.tape() } else { self.inner.tape() }
    }

    fn reached(&self) -> u64 {
        if self.is_last_in_child { self.children.reached() } else { self.inner.reached() }
    }

    fn combinations(&self) -> u128 {
        if self.is_last_in_child { self.children.combinations() } else { self.inner.combinations() }
    }

    fn has_answers(&self) -> bool {
        self.inner.has_answers()
    }
}
