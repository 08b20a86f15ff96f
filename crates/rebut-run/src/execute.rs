//! Runs one case in this process.

use std::rc::Rc;

use rebut_choice::{AnyDriver, Constants, Exhaustive, Fallback, Random, Replay, Source, Tape};

use crate::Case;
use crate::case::DRAWN;
use crate::context::{self, Said};
use crate::friendly;
use crate::outcome::{FailureKind, Outcome};
use crate::panics;
use crate::property::Example;
use crate::settings::{Events, Settings, Verbosity};

/// A function that generates the parameters of a property and runs its body. It returns the
/// failure, if any.
pub(crate) type Body<'a> = dyn Fn(&mut Case) -> Option<String> + 'a;

/// Returns the functions that the examples of a test run.
pub(crate) fn bodies(examples: &'static [Example]) -> Vec<&'static Body<'static>> {
    let mut bodies: Vec<&Body<'_>> = Vec::new();
    for example in examples {
        bodies.push(&example.run);
    }
    bodies
}

/// The case to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// The choices of a tape, and the simplest ones after its end.
    Tape(Tape),
    /// The choices of a tape, and random ones after its end. These depend on the tape alone.
    Edited(Tape),
    /// The case with this number in the run with this seed: the simplest for number 0, otherwise
    /// a random one.
    Case { seed: u64, case: u64 },
}

/// The outcome of a case, with its tape and log.
#[derive(Clone, Debug)]
pub(crate) struct Execution {
    pub(crate) outcome: Outcome,
    pub(crate) tape: Tape,
    pub(crate) said: Option<Said>,
}

/// Runs cases, in this process or in another one.
pub(crate) trait Executor {
    /// Runs a case. `reporting` is true if its values and notes are wanted.
    fn execute(&mut self, input: &Input, reporting: bool) -> Execution;

    /// Runs an explicit example.
    fn execute_example(&mut self, nth: usize, reporting: bool) -> Execution;
}

/// An executor that can run many cases in a row without returning the tape of each.
pub(crate) trait Process: Executor {
    /// Runs the case with this number in the run with this seed.
    fn run_case(&mut self, seed: u64, case: u64) -> (Outcome, Option<Said>);

    /// Runs a tape that a search has edited; see [`Input::Edited`].
    fn run_edited(&mut self, tape: Tape) -> (Outcome, Option<Said>);

    /// Runs the next case of the enumeration. Returns `None` after the last one.
    fn run_next_of_all(&mut self) -> Option<(Outcome, Option<Said>)>;

    /// Returns the tape of the last case.
    fn tape(&self) -> Tape;

    /// Estimates the number of inputs from the last case; see [`Source::combinations`].
    fn combinations(&self) -> u128;
}

/// Runs cases on this thread and reuses the memory of the tape and the drivers.
pub(crate) struct InProcess<'a> {
    body: &'a Body<'a>,
    examples: &'a [&'a Body<'a>],
    source: Source,
    random: Option<Box<Random>>,
    /// Whether to log the values of all cases, except during shrinking.
    shows_values: bool,
    /// The position in the enumeration of all cases; `None` before it begins.
    walk: Option<Walk>,
    /// Whether to log the values of every case.
    reports_all: bool,
}

enum Walk {
    At(Box<Exhaustive>),
    Done,
}

impl<'a> InProcess<'a> {
    pub(crate) fn new(
        body: &'a Body<'a>,
        examples: &'a [&'a Body<'a>],
        constants: Constants,
    ) -> InProcess<'a> {
        InProcess {
            body,
            examples,
            source: Source::new(AnyDriver::Simplest),
            random: Some(Box::new(Random::new(0).with_constants(Rc::new(constants)))),
            shows_values: false,
            walk: None,
            reports_all: false,
        }
    }

    /// Logs the values of the cases if the settings ask to print or write them.
    pub(crate) fn tracing(mut self, settings: &Settings) -> InProcess<'a> {
        self.reports_all = settings.verbosity == Verbosity::Trace;
        self.shows_values = settings.events == Events::All;
        self
    }

    fn run(&mut self, drive: AnyDriver, reporting: bool) -> (Outcome, Option<Said>, AnyDriver) {
        run(self.body, &mut self.source, drive, reporting || self.reports_all)
    }
}

/// Runs a case and returns its driver. The tape stays in the source until the next case.
fn run(
    body: &Body<'_>,
    source: &mut Source,
    drive: AnyDriver,
    reporting: bool,
) -> (Outcome, Option<Said>, AnyDriver) {
    source.begin(drive);
    let outer = context::begin(reporting);
    let mut case = Case::new(source.clone());
    let outcome = panics::outcome_of(|| body(&mut case));
    drop(case);
    let said = context::end(outer);
    let outcome = sought(outcome, said.as_ref());
    let drive = source.finish();
    (friendly::judged(outcome, source, body), said, drive)
}

/// The result of generating the parameters of a property without running its body.
#[derive(Debug)]
pub(crate) struct Drawn {
    /// The outcome if the case ended early; `None` if all parameters were generated.
    pub(crate) outcome: Option<Outcome>,
    pub(crate) tape: Tape,
    pub(crate) said: Option<Said>,
}

/// Generates the parameters of a property without running its body.
pub(crate) fn draw_only(body: &Body<'_>, drive: AnyDriver, parameters: usize) -> Drawn {
    let source = Source::new(drive);
    let outer = context::begin(true);
    let mut case = Case::only_drawing(source.clone(), parameters);
    let outcome = panics::outcome_of(|| body(&mut case));
    drop(case);
    let said = context::end(outer);
    let outcome = match outcome {
        Outcome::Rejected(why) if why == DRAWN => None,
        outcome => Some(outcome),
    };
    Drawn { outcome, tape: source.into_tape(), said }
}

/// Returns the outcome, with a matching input distinguished from a wrong result.
fn sought(mut outcome: Outcome, said: Option<&Said>) -> Outcome {
    if let Outcome::Failed(failure) = &mut outcome
        && failure.kind == FailureKind::WrongResult
        && said.is_some_and(|said| said.is_witness)
    {
        failure.kind = FailureKind::Witness;
    }
    outcome
}

impl Executor for InProcess<'_> {
    fn execute(&mut self, input: &Input, reporting: bool) -> Execution {
        let (outcome, said) = match input {
            Input::Case { seed, case } => self.run_case(*seed, *case),
            Input::Edited(tape) => self.run_edited(tape.clone()),
            Input::Tape(tape) => {
                let drive = AnyDriver::Replay(Box::new(Replay::new(tape, Fallback::Simplest)));
                let (outcome, said, _) = self.run(drive, reporting);
                (outcome, said)
            }
        };
        Execution { outcome, tape: self.source.tape(), said }
    }

    fn execute_example(&mut self, nth: usize, reporting: bool) -> Execution {
        in_process(self.examples[nth], AnyDriver::Simplest, reporting || self.reports_all)
    }
}

impl Process for InProcess<'_> {
    fn run_case(&mut self, seed: u64, case: u64) -> (Outcome, Option<Said>) {
        let drive = match self.random.take() {
            Some(mut random) if case > 0 => {
                random.reset(seed, case);
                AnyDriver::Random(random)
            }
            random => {
                self.random = random;
                AnyDriver::Simplest
            }
        };
        let (outcome, said, drive) = self.run(drive, self.shows_values);
        if let AnyDriver::Random(random) = drive {
            self.random = Some(random);
        }
        (outcome, said)
    }

    fn run_edited(&mut self, tape: Tape) -> (Outcome, Option<Said>) {
        let random = self.random.take().unwrap_or_else(|| Box::new(Random::new(0)));
        let drive = AnyDriver::Replay(Box::new(edited(tape, random)));
        let (outcome, said, drive) = self.run(drive, self.shows_values);
        if let AnyDriver::Replay(replay) = drive
            && let Fallback::Random(random) = replay.into_fallback()
        {
            self.random = Some(random);
        }
        (outcome, said)
    }

    fn run_next_of_all(&mut self) -> Option<(Outcome, Option<Said>)> {
        let walk = match self.walk.take() {
            None => Box::default(),
            Some(Walk::At(walk)) => walk,
            Some(Walk::Done) => return None,
        };
        let (outcome, said, drive) = self.run(AnyDriver::Exhaustive(walk), self.shows_values);
        if let AnyDriver::Exhaustive(mut walk) = drive {
            self.walk = Some(if walk.advance() { Walk::At(walk) } else { Walk::Done });
        }
        Some((outcome, said))
    }

    fn tape(&self) -> Tape {
        self.source.tape()
    }

    fn combinations(&self) -> u128 {
        self.source.combinations()
    }
}

/// Returns the driver of [`Input::Edited`].
pub(crate) fn edited(tape: Tape, mut random: Box<Random>) -> Replay {
    let mut seed = 0u64;
    for choice in tape.choices() {
        seed = seed
            .rotate_left(5)
            .wrapping_add(choice.number as u64)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    random.reset(seed, u64::MAX);
    Replay::from_owned(tape, Fallback::Random(random))
}

/// Runs one case on this thread.
pub(crate) fn in_process(body: &Body<'_>, drive: AnyDriver, reporting: bool) -> Execution {
    let mut source = Source::new(AnyDriver::Simplest);
    let (outcome, said, _) = run(body, &mut source, drive, reporting);
    Execution { outcome, tape: source.into_tape(), said }
}
