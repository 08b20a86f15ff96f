//! Runs one case in this process.

use std::rc::Rc;

use rebut_choice::{
    AnyDriver, Constants, Exhaustive, Fallback, Label, Random, Replay, Source, Tape, Token,
};

use crate::Case;
use crate::case::PARAMETERS_DRAWN;
use crate::case_log::{self, CaseLog};
use crate::claims::{ClaimSites, ReachedByCase};
use crate::friendly_mocks;
use crate::lineage;
use crate::outcome::{FailureKind, Outcome};
use crate::panics;
use crate::property::Example;
use crate::settings::{EventLevel, Settings, Verbosity};

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
    /// The choices of a tape, and random ones where it has none. These depend on the tape and on
    /// the number of the sample.
    Edited(Tape, u64),
    /// The case with this number in the run with this seed: the simplest for number 0, otherwise
    /// a random one.
    Case { seed: u64, case: u64 },
}

/// The outcome of a case, with its tape and log.
#[derive(Clone, Debug)]
pub(crate) struct Execution {
    pub(crate) outcome: Outcome,
    pub(crate) tape: Tape,
    pub(crate) log: Option<CaseLog>,
    /// The last output of the case, if it ran in a child. Otherwise the test harness has it.
    pub(crate) output: String,
    /// The bits of the checks that the case reached.
    pub(crate) reached: u64,
}

/// Runs cases, in this process or in another one.
pub(crate) trait Executor {
    /// Runs a case. `reporting` is true if its values and notes are reported.
    fn execute(&mut self, input: &Input, reporting: bool) -> Execution;

    /// Runs an explicit example.
    fn execute_example(&mut self, nth: usize, reporting: bool) -> Execution;
}

/// An executor that can run many cases in a row without returning the tape of each.
pub(crate) trait Process: Executor {
    /// Runs the case with this number in the run with this seed.
    fn run_case(&mut self, seed: u64, case: u64) -> (Outcome, Option<CaseLog>);

    /// Runs a tape that a search has edited; see [`Input::Edited`].
    fn run_edited(&mut self, tape: Tape) -> (Outcome, Option<CaseLog>);

    /// Runs the next case of the enumeration. Returns `None` after the last one.
    fn run_next_enumerated(&mut self) -> Option<(Outcome, Option<CaseLog>)>;

    /// Returns the tape of the last case.
    fn tape(&self) -> Tape;

    /// Returns the bits of the checks that the last case reached.
    fn reached(&self) -> u64;

    /// Estimates the number of inputs from the last case; see [`Source::combinations`].
    fn combinations(&self) -> u128;

    /// Returns whether the last case had a value that generates its answers when it is asked. Only an
    /// enumeration needs to know.
    fn has_answers(&self) -> bool;
}

/// Runs cases on this thread and reuses the memory of the tape and the drivers.
pub(crate) struct InProcess<'a> {
    body: &'a Body<'a>,
    examples: &'a [&'a Body<'a>],
    claims: Option<ClaimSites>,
    /// The bits of the checks that the last case reached.
    reached: u64,
    source: Source,
    random: Option<Box<Random>>,
    /// Whether to log the values of all cases, except during shrinking.
    shows_values: bool,
    /// The position in the enumeration of all cases; `None` before it begins.
    enumeration: Option<Enumeration>,
    /// Whether to log the values of every case.
    reports_all: bool,
}

enum Enumeration {
    At(Box<Exhaustive>),
    Finished,
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
            claims: None,
            reached: 0,
            source: Source::new(AnyDriver::Simplest),
            random: Some(Box::new(Random::new(0).with_constants(Rc::new(constants)))),
            shows_values: false,
            enumeration: None,
            reports_all: false,
        }
    }

    /// Collects which of these checks each case reaches.
    pub(crate) fn counting(mut self, claims: Option<ClaimSites>) -> InProcess<'a> {
        self.claims = claims;
        self
    }

    /// Logs the values of the cases if the settings ask to print or write them.
    pub(crate) fn tracing(mut self, settings: &Settings) -> InProcess<'a> {
        self.reports_all = settings.verbosity == Verbosity::Trace;
        self.shows_values = settings.events == EventLevel::All;
        self
    }

    /// Runs [`Input::Edited`].
    fn run_draw(&mut self, tape: Tape, draw: u64, reporting: bool) -> (Outcome, Option<CaseLog>) {
        let random = self.random.take().unwrap_or_else(|| Box::new(Random::new(0)));
        let drive = AnyDriver::Replay(Box::new(replay_of_edited(tape, draw, random)));
        let (outcome, log, drive) = self.run(drive, reporting);
        if let AnyDriver::Replay(replay) = drive
            && let Fallback::Random(random) = replay.into_fallback()
        {
            self.random = Some(random);
        }
        (outcome, log)
    }

    fn run(&mut self, drive: AnyDriver, reporting: bool) -> (Outcome, Option<CaseLog>, AnyDriver) {
        let reporting = reporting || self.reports_all;
        let case = ReachedByCase::begin(self.claims);
        run(self.body, &mut self.source, drive, reporting, case, &mut self.reached)
    }
}

/// Runs a case and returns its driver. The tape stays in the source until the next case.
fn run(
    body: &Body<'_>,
    source: &mut Source,
    drive: AnyDriver,
    reporting: bool,
    checks: ReachedByCase,
    reached: &mut u64,
) -> (Outcome, Option<CaseLog>, AnyDriver) {
    source.begin(drive);
    let outer = case_log::begin(reporting);
    let mut case = Case::new(source.clone());
    let outcome = if reporting {
        let run_case = || panics::outcome_of(|| body(&mut case));
        let (outcome, panics) = lineage::panics_during(run_case);
        for panic in panics {
            case_log::note(format_args!("a thread of this case {}", panic.text));
            case_log::show_backtrace(|| panic.backtrace);
        }
        outcome
    } else {
        panics::outcome_of(|| body(&mut case))
    };
    if let (Some(number), Outcome::Failed(_)) = (case.generating(), &outcome) {
        case_log::note_failed_generator(number);
    }
    drop(case);
    *reached = checks.end();
    let log = case_log::end(outer);
    let outcome = with_witness_kind(outcome, log.as_ref());
    let drive = source.finish();
    (friendly_mocks::prune(outcome, source, body), log, drive)
}

/// The result of generating the parameters of a property without running its body.
#[derive(Debug)]
pub(crate) struct ParameterDraw {
    /// The outcome if the case ended early; `None` if all parameters were generated.
    pub(crate) outcome: Option<Outcome>,
    pub(crate) tape: Tape,
    pub(crate) log: Option<CaseLog>,
}

/// Generates the parameters of a property without running its body.
pub(crate) fn draw_parameters(
    body: &Body<'_>,
    drive: AnyDriver,
    parameters: usize,
) -> ParameterDraw {
    let source = Source::new(drive);
    let outer = case_log::begin(true);
    let mut case = Case::only_drawing(source.clone(), parameters);
    let outcome = panics::outcome_of(|| body(&mut case));
    drop(case);
    let log = case_log::end(outer);
    let outcome = match outcome {
        Outcome::Rejected(why) if why == PARAMETERS_DRAWN => None,
        outcome => Some(outcome),
    };
    ParameterDraw { outcome, tape: source.into_tape(), log }
}

/// Returns the outcome, with a matching input distinguished from a wrong result.
fn with_witness_kind(mut outcome: Outcome, log: Option<&CaseLog>) -> Outcome {
    if let Outcome::Failed(failure) = &mut outcome
        && failure.kind == FailureKind::WrongResult
        && log.is_some_and(|log| log.is_witness)
    {
        failure.kind = FailureKind::Witness;
    }
    outcome
}

impl Executor for InProcess<'_> {
    fn execute(&mut self, input: &Input, reporting: bool) -> Execution {
        let (outcome, log) = match input {
            Input::Case { seed, case } => self.run_case(*seed, *case),
            Input::Edited(tape, draw) => {
                let reporting = reporting || self.shows_values;
                self.run_draw(tape.clone(), *draw, reporting)
            }
            Input::Tape(tape) => {
                let drive = AnyDriver::Replay(Box::new(Replay::new(tape, Fallback::Simplest)));
                let (outcome, log, _) = self.run(drive, reporting);
                (outcome, log)
            }
        };
        let (tape, reached) = (self.source.tape(), self.reached);
        Execution { outcome, tape, log, output: String::new(), reached }
    }

    fn execute_example(&mut self, nth: usize, reporting: bool) -> Execution {
        let reporting = reporting || self.reports_all;
        let body = self.examples[nth];
        let execution = execute_once(body, AnyDriver::Simplest, reporting, self.claims);
        self.reached = execution.reached;
        execution
    }
}

impl Process for InProcess<'_> {
    fn run_case(&mut self, seed: u64, case: u64) -> (Outcome, Option<CaseLog>) {
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
        let (outcome, log, drive) = self.run(drive, self.shows_values);
        if let AnyDriver::Random(random) = drive {
            self.random = Some(random);
        }
        (outcome, log)
    }

    fn run_edited(&mut self, tape: Tape) -> (Outcome, Option<CaseLog>) {
        self.run_draw(tape, 0, self.shows_values)
    }

    fn run_next_enumerated(&mut self) -> Option<(Outcome, Option<CaseLog>)> {
        loop {
            let exhaustive = match self.enumeration.take() {
                None => Box::default(),
                Some(Enumeration::At(exhaustive)) => exhaustive,
                Some(Enumeration::Finished) => return None,
            };
            let (outcome, log, drive) =
                self.run(AnyDriver::Exhaustive(exhaustive), self.shows_values);
            let mut is_skipped = false;
            if let AnyDriver::Exhaustive(mut exhaustive) = drive {
                is_skipped = exhaustive.is_skipped();
                self.enumeration = Some(if exhaustive.advance() {
                    Enumeration::At(exhaustive)
                } else {
                    Enumeration::Finished
                });
            }
            if !is_skipped {
                return Some((outcome, log));
            }
        }
    }

    fn tape(&self) -> Tape {
        self.source.tape()
    }

    fn reached(&self) -> u64 {
        self.reached
    }

    fn combinations(&self) -> u128 {
        self.source.combinations()
    }

    fn has_answers(&self) -> bool {
        self.source.has_answers()
    }
}

/// Returns the driver of [`Input::Edited`].
pub(crate) fn replay_of_edited(tape: Tape, draw: u64, mut random: Box<Random>) -> Replay {
    let mut seed = draw;
    for choice in tape.choices() {
        seed = seed
            .rotate_left(5)
            .wrapping_add(choice.number as u64)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    random.reset(seed, u64::MAX);
    Replay::from_owned(tape, Fallback::Random(random))
}

/// Returns the number of the value that was being generated at the end of these tokens, from 1;
/// `None` if the property was running. A process that died cannot say so itself.
pub(crate) fn unfinished_value(tokens: &[Token]) -> Option<usize> {
    let (mut values, mut open) = (0, Vec::new());
    for token in tokens {
        match token {
            Token::Open(label) => {
                values += usize::from(open.is_empty() && *label == Label::ARGUMENT);
                open.push(*label);
            }
            Token::Close => drop(open.pop()),
            Token::Choice(_) => {}
        }
    }
    (open.first() == Some(&Label::ARGUMENT)).then_some(values)
}

/// Runs one case on this thread.
pub(crate) fn execute_once(
    body: &Body<'_>,
    drive: AnyDriver,
    reporting: bool,
    claims: Option<ClaimSites>,
) -> Execution {
    let mut source = Source::new(AnyDriver::Simplest);
    let (case, mut reached) = (ReachedByCase::begin(claims), 0);
    let (outcome, log, _) = run(body, &mut source, drive, reporting, case, &mut reached);
    Execution { outcome, tape: source.into_tape(), log, output: String::new(), reached }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_unfinished_until_their_span_closes() {
        let (argument, other) = (Token::Open(Label::ARGUMENT), Token::Open(Label::ELEMENT));
        let close = Token::Close;
        for (tokens, expected) in [
            (vec![], None),
            (vec![argument], Some(1)),
            (vec![argument, close], None),
            (vec![argument, other, close], Some(1)),
            (vec![argument, close, argument, argument, close, other], Some(2)),
            (vec![argument, close, other], None),
            (vec![argument, close, other, argument, close], None),
        ] {
            assert_eq!(unfinished_value(&tokens), expected, "{tokens:?}");
        }
    }
}
