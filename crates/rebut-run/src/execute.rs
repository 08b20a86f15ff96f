//! Runs one case and says how it ended.
//!
//! Whoever runs the test is swappable: the same property runs in this process or in a child
//! process, and those who ask (shrinker, explainer, runner) do not know which.

use rebut_choice::{Drive, Source, Tape};

use crate::context::{self, Said};
use crate::panics;
use crate::{Case, Outcome};

/// What to run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Input {
    /// The choices of a tape; what it lacks is the simplest.
    Tape(Tape),
    /// A random case, by its number in the run with this seed.
    Case {
        seed: u64,
        case: u64,
    },
}

/// What came of it.
#[derive(Clone, Debug)]
pub(crate) struct Execution {
    pub(crate) outcome: Outcome,
    /// What was drawn, as far as the case came.
    pub(crate) tape: Tape,
    /// What the case said, if anything.
    pub(crate) said: Option<Said>,
}

/// Runs cases.
pub(crate) trait Executor {
    /// Runs one; `reporting` if its values and notes are wanted.
    fn execute(&mut self, input: &Input, reporting: bool) -> Execution;
}

/// Runs a case on this thread.
pub(crate) fn in_process(
    run: &dyn Fn(&mut Case) -> Option<String>,
    drive: Drive,
    reporting: bool,
) -> Execution {
    let source = Source::new(drive);
    let mut case = Case::new(source.clone());
    context::begin(reporting);
    let outcome = panics::outcome_of(|| run(&mut case));
    let said = context::end();
    Execution { outcome, tape: source.into_tape(), said }
}
