//! Runs one case in this process.

use rebut_choice::{Drive, Fallback, Replay, Source, Tape};

use crate::context::{self, Said};
use crate::outcome::Outcome;
use crate::panics;
use crate::Case;

/// Draws the parameters of a property and runs its body; the failure it returned, if any.
pub(crate) type Body<'a> = dyn Fn(&mut Case) -> Option<String> + 'a;

/// Which case to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// What a tape says, and the simplest where it says nothing.
    Tape(Tape),
    /// The random case with this number of the run with this seed.
    Case { seed: u64, case: u64 },
}

/// How a case ended and what it drew and said.
#[derive(Clone, Debug)]
pub(crate) struct Execution {
    pub(crate) outcome: Outcome,
    pub(crate) tape: Tape,
    pub(crate) said: Option<Said>,
}

/// Whoever can run a case: this process or another.
pub(crate) trait Executor {
    /// Runs a case; `reporting` if its values and notes are wanted.
    fn execute(&mut self, input: &Input, reporting: bool) -> Execution;
}

/// Runs cases on this thread, reusing the memory of the tape.
pub(crate) struct InProcess<'a> {
    body: &'a Body<'a>,
    source: Source,
}

impl<'a> InProcess<'a> {
    pub(crate) fn new(body: &'a Body<'a>) -> InProcess<'a> {
        InProcess { body, source: Source::new(Drive::Simplest) }
    }

    /// Runs a case and gives its driver back; the tape stays until the next.
    pub(crate) fn run(&mut self, drive: Drive, reporting: bool) -> (Outcome, Option<Said>, Drive) {
        self.source.begin(drive);
        context::begin(reporting);
        let mut case = Case::new(self.source.clone());
        let outcome = panics::outcome_of(|| (self.body)(&mut case));
        let said = context::end();
        drop(case);
        (outcome, said, self.source.finish())
    }

    /// The tape of the last case.
    pub(crate) fn tape(&self) -> Tape {
        self.source.tape()
    }

    /// See [`Source::combinations`].
    pub(crate) fn combinations(&self) -> u128 {
        self.source.combinations()
    }

    /// Whether the last case drew nothing.
    pub(crate) fn is_tape_empty(&self) -> bool {
        self.source.is_empty()
    }

    pub(crate) fn run_tape(&mut self, tape: &Tape, reporting: bool) -> Execution {
        let drive = Drive::Replay(Box::new(Replay::new(tape, Fallback::Simplest)));
        let (outcome, said, _) = self.run(drive, reporting);
        Execution { outcome, tape: self.tape(), said }
    }
}

/// Runs one case on this thread.
pub(crate) fn in_process(body: &Body<'_>, drive: Drive, reporting: bool) -> Execution {
    let mut process = InProcess::new(body);
    let (outcome, said, _) = process.run(drive, reporting);
    Execution { outcome, tape: process.tape(), said }
}
