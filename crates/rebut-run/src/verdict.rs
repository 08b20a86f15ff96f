//! What a run of a property comes to.

use std::collections::BTreeMap;

use rebut_choice::Tape;

use crate::claim::Claim;
use crate::context::{ShownValue, Tally};
use crate::outcome::{Failure, Location};

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Report {
    /// Path of the property.
    pub property: String,
    /// Where it is.
    pub location: Location,
    /// What is known now.
    pub verdict: Verdict,
    /// How the run went.
    pub statistics: Statistics,
    /// What the property claims about its inputs.
    pub claim: Claim,
    /// Where random choices started.
    pub seed: u64,
    /// Things the user should know that are no reason to fail.
    pub warnings: Vec<String>,
    /// How to run the test again; none if only the code that made the check can.
    pub command: Option<String>,
    /// Paths of tests that were written, by the replay string of their input.
    pub emitted: BTreeMap<String, String>,
    /// Directories that failures were saved to, by the replay string of their input.
    pub saved: BTreeMap<String, String>,
    /// The specification whose inputs were run.
    pub specification: Option<String>,
}

/// What is known about a property after a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Verdict {
    /// Every input passed: a proof.
    Proved {
        /// How many there are.
        inputs: u64,
    },
    /// No case failed.
    Passed {
        /// How many met the assumptions.
        cases: u64,
    },
    /// It failed; one counterexample for each distinct failure.
    Fails(Vec<Counterexample>),
    /// A matching input was found.
    Exists(Box<Counterexample>),
    /// No matching input was found.
    NotFound {
        /// How many were tried.
        cases: u64,
        /// Whether these are all inputs there are.
        is_complete: bool,
    },
    /// It failed, and passes when run again with the same choices.
    Flaky(Vec<Counterexample>),
    /// Nothing was tested.
    Vacuous(String),
    /// The condition of a `cover!` was true too rarely or never.
    NotCovered(String),
    /// Too few inputs met the assumptions.
    TooManyRejected(String),
    /// The time budget ended the run before it could say anything.
    TooSlow(String),
    /// Rebut was called in a way it does not accept.
    Misuse(String),
    /// A fault of Rebut.
    InternalError(String),
}

impl Verdict {
    /// Whether the test passes.
    #[must_use]
    pub fn is_success(&self) -> bool {
        matches!(self, Verdict::Proved { .. } | Verdict::Passed { .. } | Verdict::Exists(_))
    }

    /// The counterexamples, if there are any.
    #[must_use]
    pub fn counterexamples(&self) -> &[Counterexample] {
        match self {
            Verdict::Fails(found) | Verdict::Flaky(found) => found,
            _ => &[],
        }
    }

    /// The matching input, if one was found.
    #[must_use]
    pub fn witness(&self) -> Option<&Counterexample> {
        match self {
            Verdict::Exists(witness) => Some(witness),
            _ => None,
        }
    }

    /// The reason for the verdict, if it has one.
    pub(crate) fn reason(&self) -> Option<&str> {
        match self {
            Verdict::Vacuous(why)
            | Verdict::NotCovered(why)
            | Verdict::TooManyRejected(why)
            | Verdict::TooSlow(why)
            | Verdict::Misuse(why)
            | Verdict::InternalError(why) => Some(why),
            _ => None,
        }
    }

    /// A stable code for documentation.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Verdict::Proved { .. } => "proved",
            Verdict::Passed { .. } => "passed",
            Verdict::Exists(_) => "exists",
            Verdict::Fails(_) => "R001",
            Verdict::Flaky(_) => "R002",
            Verdict::Vacuous(_) => "R003",
            Verdict::TooManyRejected(_) => "R004",
            Verdict::TooSlow(_) => "R005",
            Verdict::Misuse(_) => "R006",
            Verdict::NotCovered(_) => "R007",
            Verdict::NotFound { .. } => "R008",
            Verdict::InternalError(_) => "R999",
        }
    }
}

/// An input for which the property fails.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// How it fails.
    pub failure: Failure,
    /// The choices that make the input.
    pub tape: Tape,
    /// The input as code.
    pub values: Vec<ShownValue>,
    /// What the property noted on the way.
    pub notes: Vec<String>,
    /// Parts of the values in whose place other values fail too, as ranges of bytes in their code.
    pub free: Vec<FreePart>,
    /// What found it.
    pub found: Found,
    /// How many executions shrinking took.
    pub shrink_executions: u64,
    /// Whether shrinking ended before it was done.
    pub shrink_gave_up: bool,
    /// If it does not fail every time: how often it did, of how many runs.
    pub rate: Option<(u32, u32)>,
}

/// A part of a shown value: every other value that was tried in its place fails in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreePart {
    /// Which of the values.
    pub value: usize,
    /// Where in its code.
    pub bytes: std::ops::Range<usize>,
}

/// What found a failing case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A random case with this number.
    Random(u64),
    /// The search for what the property aims at, in the case with this number.
    Search(u64),
    /// The walk through all inputs.
    Exhaustive,
    /// An `#[example]` with this index.
    Example(usize),
    /// An input of a specification with this index.
    Input(usize),
    /// A failure of an earlier run.
    Database,
    /// A case that was good for what the property aims at, in an earlier run.
    Front,
    /// A replay string.
    Replay,
    /// Exploration, which ran the input before this run did.
    Exploration,
    /// Shrinking another failure.
    Shrinking,
    /// A run before this one that did not end.
    Journal,
}

/// Counts of a run.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Cases that passed or failed.
    pub valid: u64,
    /// Cases that were given up, and why.
    pub rejected: Vec<(String, u64)>,
    /// Cases that grew too large.
    pub too_large: u64,
    /// How many cases had each label.
    pub labels: Vec<(String, u64)>,
    /// For each cover: name, percentage asked for, cases that met it, cases that said.
    pub covers: Vec<(String, f64, u64, u64)>,
    /// What was tried how often, and how often it could be done.
    pub tallies: Vec<Tally>,
    /// The largest number of choices of a case.
    pub choices_max: usize,
    /// What a search reached for each objective.
    pub reached: Vec<Reached>,
    /// The cases that no other beats by all objectives.
    pub front: Vec<FrontCase>,
}

/// A case that no other beats by all objectives.
#[derive(Clone, Debug)]
pub struct FrontCase {
    /// Names and values of the objectives that it reported.
    pub values: Vec<(String, f64)>,
    /// The choices of the case.
    pub tape: Tape,
}

/// The best case for an objective.
#[derive(Clone, Debug)]
pub struct Reached {
    /// The objective's name; empty for the one that has none.
    pub label: String,
    /// Whether it was to be maximized.
    pub is_maximum: bool,
    /// Its best value; NaN if no case reported a number.
    pub value: f64,
    /// The value that the property said is needed to refute it.
    pub needed: Option<f64>,
    /// The choices of the case; none if there is no best value.
    pub tape: Tape,
    /// Its values.
    pub values: Vec<ShownValue>,
    /// How many cases reported a value that is not a number; they were not used.
    pub not_numbers: u64,
}

impl Statistics {
    /// All cases that were given up.
    #[must_use]
    pub fn rejections(&self) -> u64 {
        let mut rejections = self.too_large;
        for (_, count) in &self.rejected {
            rejections += count;
        }
        rejections
    }
}
