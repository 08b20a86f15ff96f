//! The result of a run of a property.

use std::collections::BTreeMap;

use rebut_choice::Tape;
use rebut_gen::code::{TypeNote, TypeNoteKind};
use rebut_protocol::verdicts::VerdictCode;

use crate::calls::ProgramCalls;
use crate::case_log::{ContractViolation, OperationCount, ShownValue};
use crate::claim::Claim;
use crate::claims::ClaimCounts;
use crate::lineage::OtherPanics;
use crate::outcome::{Failure, Location};
use crate::prelude::NamesAtTest;

/// The result of a run.
///
/// # Examples
/// ```
/// use rebut::{Check, integers};
///
/// let report = Check::new("small").seed(1).run(|case| case.draw(integers::<u16>()) < 500);
/// assert_eq!(report.verdict.code(), "R001");
/// assert!(report.to_string().starts_with("error[R001]: `small` failed"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The path of the property.
    pub property: String,
    /// The location of the property.
    pub location: Location,
    /// The verdict.
    pub verdict: Verdict,
    /// The counts of the run.
    pub statistics: Statistics,
    /// The claim of the property about its inputs.
    pub claim: Claim,
    /// The seed of the random cases.
    pub seed: u64,
    /// Problems that do not make the test fail.
    pub warnings: Vec<String>,
    /// The command that runs the test again; `None` if only the code that made the
    /// [`Check`](crate::Check) can.
    pub command: Option<String>,
    /// The last part of its replay strings, which keeps other tests from taking them; empty if
    /// there is no command.
    pub(crate) identity: String,
    /// The names that printed code can use at the test.
    pub(crate) names: NamesAtTest,
    /// The paths of generated regression tests, by the replay string of their input.
    pub emitted: BTreeMap<String, String>,
    /// The directories of saved failures, by the replay string of their input.
    pub saved: BTreeMap<String, String>,
    /// The specification whose inputs were run, if any.
    pub specification: Option<String>,
}

/// The verdict of a run.
///
/// # Examples
/// ```
/// use rebut::report::Verdict;
/// use rebut::{Check, integers};
///
/// let report = Check::new("bytes fit").run(|case| case.draw(integers::<u8>()) <= 255);
/// assert!(matches!(report.verdict, Verdict::Proved { inputs: 256 }));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Verdict {
    /// All possible inputs passed: a proof.
    Proved {
        /// The number of inputs that the property can distinguish. Two functions with the same
        /// answers to all its questions count as one input.
        inputs: u64,
    },
    /// No case failed. This is not a proof.
    Passed {
        /// The number of cases that were not rejected.
        cases: u64,
    },
    /// The property failed. There is one counterexample for each distinct failure.
    Failed(Vec<Counterexample>),
    /// A matching input was found.
    Exists(Box<Counterexample>),
    /// No matching input was found.
    NotFound {
        /// The number of cases tried.
        cases: u64,
        /// Whether these are all possible inputs.
        is_complete: bool,
    },
    /// The test has `#[should_panic]`, and failed as it should.
    Panicked(Box<Counterexample>),
    /// The test has `#[should_panic]`, and did not fail.
    NotPanicked {
        /// The number of cases tried.
        cases: u64,
        /// Whether these are all possible inputs.
        is_complete: bool,
    },
    /// The property failed, but passed again with the same choices.
    Flaky(Vec<Counterexample>),
    /// No input was tested.
    Vacuous(String),
    /// The condition of a `cover!` was true too rarely or never.
    NotCovered(String),
    /// The property rejected too many inputs.
    TooManyRejected(String),
    /// The time budget ended before the run could reach a verdict.
    TooSlow(String),
    /// A caller passed something invalid to Rebut.
    Misuse(String),
    /// A bug in Rebut.
    InternalError(String),
}

impl Verdict {
    /// Returns whether the test passes.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Check, integers};
    ///
    /// let report = Check::new("bytes fit").run(|case| case.draw(integers::<u8>()) <= 255);
    /// assert!(report.verdict.is_success());
    /// ```
    #[must_use]
    pub fn is_success(&self) -> bool {
        matches!(
            self,
            Verdict::Proved { .. }
                | Verdict::Passed { .. }
                | Verdict::Exists(_)
                | Verdict::Panicked(_)
        )
    }

    /// Returns the counterexamples; empty if the property did not fail.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Check, integers};
    ///
    /// let report = Check::new("small").run(|case| case.draw(integers::<u16>()) < 500);
    /// assert_eq!(report.verdict.counterexamples()[0].values[0].code, "500");
    /// ```
    #[must_use]
    pub fn counterexamples(&self) -> &[Counterexample] {
        match self {
            Verdict::Failed(found) | Verdict::Flaky(found) => found,
            _ => &[],
        }
    }

    /// Returns the input that the property looked for and found: a matching one, or one for which
    /// it panics if it has `#[should_panic]`.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Check, integers};
    ///
    /// let report = Check::new("large").exists(|case| case.draw(integers::<u16>()) >= 500);
    /// assert_eq!(report.verdict.witness().expect("there is one").values[0].code, "500");
    /// ```
    #[must_use]
    pub fn witness(&self) -> Option<&Counterexample> {
        match self {
            Verdict::Exists(witness) | Verdict::Panicked(witness) => Some(witness),
            _ => None,
        }
    }

    /// Returns the reason for the verdict, if it has one.
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

    /// Returns the stable code of the verdict. `cargo rebut explain` describes each code.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Check, integers};
    ///
    /// let report = Check::new("small").run(|case| case.draw(integers::<u16>()) < 500);
    /// assert_eq!(report.verdict.code(), "R001");
    /// ```
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.verdict_code().as_str()
    }

    /// Returns the code of the verdict.
    pub(crate) fn verdict_code(&self) -> VerdictCode {
        match self {
            Verdict::Proved { .. } => VerdictCode::Proved,
            Verdict::Passed { .. } => VerdictCode::Passed,
            Verdict::Exists(_) => VerdictCode::Exists,
            Verdict::Failed(_) => VerdictCode::Failed,
            Verdict::Flaky(_) => VerdictCode::Flaky,
            Verdict::Vacuous(_) => VerdictCode::Vacuous,
            Verdict::TooManyRejected(_) => VerdictCode::TooManyRejected,
            Verdict::TooSlow(_) => VerdictCode::TooSlow,
            Verdict::Misuse(_) => VerdictCode::Misuse,
            Verdict::NotCovered(_) => VerdictCode::NotCovered,
            Verdict::NotFound { .. } => VerdictCode::NotFound,
            Verdict::Panicked(_) => VerdictCode::Panicked,
            Verdict::NotPanicked { .. } => VerdictCode::NotPanicked,
            Verdict::InternalError(_) => VerdictCode::InternalError,
        }
    }
}

/// An input for which the property fails.
///
/// # Examples
/// ```
/// use rebut::{Check, integers};
///
/// let report = Check::new("small").run(|case| case.draw_as("n", integers::<u16>()) < 500);
/// let counterexample = &report.verdict.counterexamples()[0];
/// assert_eq!(counterexample.values[0].name, "n");
/// assert_eq!(counterexample.failure.message, "returned false");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Counterexample {
    /// The failure.
    pub failure: Failure,
    /// The choices that generate the input.
    pub tape: Tape,
    /// The input, as code.
    pub values: Vec<ShownValue>,
    /// The notes that the property wrote with `note!`.
    pub notes: Vec<String>,
    /// The message of the failure with its escape sequences, if it has any.
    pub(crate) styled_message: Option<String>,
    /// The backtraces of panics, if they were asked for, each below a title.
    pub(crate) backtrace: String,
    /// The last output of the case, if the test harness does not show it.
    pub(crate) output: String,
    /// Why the code of the values may not compile at the property.
    pub(crate) types: Vec<TypeNote>,
    /// The last contract that this input violated. The case may have gone on to another failure.
    pub violation: Option<ContractViolation>,
    /// The parts of the values that can be anything: other values in their place fail too.
    pub free: Vec<FreePart>,
    /// How Rebut found the failure.
    pub found_by: FoundBy,
    /// The number of executions that shrinking took.
    pub shrink_executions: u64,
    /// Whether shrinking stopped before it was finished.
    pub shrink_gave_up: bool,
    /// Whether shrinking stopped because it took too long.
    pub(crate) shrink_timed_out: bool,
    /// Whether values are missing: a generator failed, or the values cannot be printed.
    pub(crate) is_incomplete: bool,
    /// Whether the input passes in a process that ran no other case.
    pub(crate) passes_alone: bool,
    /// How often the input fails; `None` if it always failed.
    pub rate: Option<FailureRate>,
}

impl Counterexample {
    /// Returns a type because of which the code of the values may not compile at the test with
    /// this path.
    pub(crate) fn doubtful_type(&self, test: &str) -> Option<&TypeNote> {
        self.types.iter().find(|note| match note.kind {
            TypeNoteKind::Named => false,
            TypeNoteKind::OutOfScope | TypeNoteKind::OnlyDebug => true,
            TypeNoteKind::PrivateFields => {
                let inside = test.strip_prefix(note.module.as_str());
                !inside.is_some_and(|inside| inside.starts_with("::"))
            }
        })
    }
}

/// How often an input fails that does not always fail.
///
/// # Examples
/// ```
/// use std::sync::atomic::{AtomicU32, Ordering};
///
/// use rebut::{Check, integers};
///
/// let calls = AtomicU32::new(0);
/// let report = Check::new("every second call fails").seed(1).run(|case| {
///     case.draw(integers::<u32>());
///     calls.fetch_add(1, Ordering::Relaxed) % 2 == 0
/// });
/// let rate = report.verdict.counterexamples()[0].rate.expect("the property is flaky");
/// assert!(rate.failures < rate.runs);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FailureRate {
    /// The number of runs that failed.
    pub failures: u32,
    /// The number of runs.
    pub runs: u32,
}

/// A part of a value that can be anything: every other value that was tried in its place fails in
/// the same way.
///
/// # Examples
/// ```
/// use rebut::{Check, integers};
///
/// let report = Check::new("equal").seed(1).run(|case| {
///     let a = case.draw(integers::<u32>());
///     case.draw(integers::<u32>());
///     a == 0
/// });
/// let free = &report.verdict.counterexamples()[0].free;
/// assert!(free.iter().any(|part| part.value == 1), "the second number does not matter");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FreePart {
    /// The index of the value.
    pub value: usize,
    /// The position in its code.
    pub bytes: std::ops::Range<usize>,
}

/// The way in which Rebut found a failing case.
///
/// # Examples
/// ```
/// use rebut::report::FoundBy;
/// use rebut::{Check, integers};
///
/// let report = Check::new("never").run(|case| {
///     case.draw(integers::<u64>());
///     false
/// });
/// assert_eq!(report.verdict.counterexamples()[0].found_by, FoundBy::Random(0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FoundBy {
    /// A random case with this number. Number 0 is the simplest case.
    Random(u64),
    /// The search for a better score, in the case with this number.
    Search(u64),
    /// The enumeration of all inputs.
    Exhaustive,
    /// The `#[example]` with this index.
    Example(usize),
    /// The input of a specification with this index.
    Input(usize),
    /// A saved failure of an earlier run.
    Database,
    /// A saved case of the Pareto front of an earlier run.
    Front,
    /// A replay string.
    Replay,
    /// Exploration, which ran the input before this run.
    Exploration,
    /// Shrinking of another failure.
    Shrinking,
    /// The journal of an earlier run that did not end.
    Journal,
}

/// The counts of a run.
///
/// # Examples
/// ```
/// use rebut::{Check, integers};
///
/// let report = Check::new("bytes fit").run(|case| case.draw(integers::<u8>()) <= 255);
/// assert_eq!(report.statistics.valid, 256);
/// assert_eq!(report.statistics.rejections(), 0);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Statistics {
    /// The number of cases that passed or failed.
    pub valid: u64,
    /// The number of rejected cases for each reason.
    pub rejected: Vec<CaseCount>,
    /// The number of cases that grew too large.
    pub too_large: u64,
    /// The number of cases for each label.
    pub labels: Vec<CaseCount>,
    /// The counts of each `cover!`.
    pub covers: Vec<CoverCount>,
    /// Whether the time for generated programs ended the run, and not their number.
    pub is_time_up: bool,
    /// How often operations were attempted and how often they succeeded.
    pub operations: Vec<OperationCount>,
    /// How often the cases checked something; `None` if it is not known.
    pub(crate) claims: Option<ClaimCounts>,
    /// The calls of generated programs.
    pub(crate) calls: ProgramCalls,
    /// The panics on threads that the cases started.
    pub(crate) thread_panics: OtherPanics,
    /// Whether inputs of an enumeration had functions or mocks, so that each stands for all those
    /// with the same answers.
    pub(crate) has_answers: bool,
    /// The largest number of choices in a case.
    pub choices_max: usize,
    /// The best case for each objective.
    pub best_cases: Vec<BestCase>,
    /// The Pareto front: the cases that no other case beats by all objectives.
    pub front: Vec<ParetoCase>,
}

/// The number of cases with a label, or with a reason for their rejection.
///
/// # Examples
/// ```
/// use rebut::{Check, booleans};
///
/// let report = Check::new("rejects").run(|case| {
///     if case.draw(booleans()) {
///         case.reject("true");
///     }
/// });
/// let rejected = &report.statistics.rejected[0];
/// assert_eq!((rejected.name.as_str(), rejected.cases), ("true", 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CaseCount {
    /// The label or the reason.
    pub name: String,
    /// The number of cases.
    pub cases: u64,
}

/// How often the condition of a `cover!` was true.
///
/// # Examples
/// ```
/// use rebut::{Check, cover, integers};
///
/// let report = Check::new("bytes").run(|case| {
///     let byte = case.draw(integers::<u8>());
///     cover!("even", byte % 2 == 0, at_least 25 %);
/// });
/// let cover = &report.statistics.covers[0];
/// assert_eq!((cover.name.as_str(), cover.required_percent), ("even", 25.0));
/// assert_eq!((cover.hits, cover.cases), (128, 256));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CoverCount {
    /// The name, or the text of the condition.
    pub name: String,
    /// The percentage of the cases in which the condition must be true.
    pub required_percent: f64,
    /// The number of cases in which it was true.
    pub hits: u64,
    /// The number of cases that reached the `cover!`.
    pub cases: u64,
}

/// A case of the Pareto front: no other case beats it by all objectives.
///
/// # Examples
/// ```
/// use rebut::{Check, integers, maximize_as, minimize_as};
///
/// let report = Check::new("weights").seed(1).cases(200).run(|case| {
///     let n = case.draw(integers::<u32>());
///     maximize_as("digits", n.to_string().len());
///     minimize_as("ones", n.count_ones());
/// });
/// assert_eq!(report.statistics.front[0].values.len(), 2);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ParetoCase {
    /// The objectives that it reported.
    pub values: Vec<ParetoValue>,
    /// The choices of the case.
    pub tape: Tape,
}

/// The value of an objective in one case.
///
/// # Examples
/// ```
/// use rebut::{Check, integers, maximize_as, minimize_as};
///
/// let report = Check::new("weights").seed(1).cases(200).run(|case| {
///     let n = case.draw(integers::<u32>());
///     maximize_as("digits", n.to_string().len());
///     minimize_as("ones", n.count_ones());
/// });
/// let values = &report.statistics.front[0].values;
/// assert_eq!((values[0].label.as_str(), values[1].label.as_str()), ("digits", "ones"));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ParetoValue {
    /// The name of the objective; empty if it has none.
    pub label: String,
    /// Its value.
    pub value: f64,
}

/// The best case for an objective.
///
/// # Examples
/// ```
/// use rebut::{Check, integers, maximize};
///
/// let report = Check::new("large").seed(1).run(|case| {
///     maximize(case.draw(integers::<u8>()));
/// });
/// assert_eq!(report.statistics.best_cases[0].value, 255.0);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BestCase {
    /// The name of the objective; empty if it has none.
    pub label: String,
    /// Whether the objective is maximized.
    pub is_maximum: bool,
    /// The best value; NaN if no case reported a number.
    pub value: f64,
    /// The target: the value that the property needs to fail.
    pub needed: Option<f64>,
    /// The choices of the case; empty if there is no best value.
    pub tape: Tape,
    /// The values of the case.
    pub values: Vec<ShownValue>,
    /// The number of cases that reported NaN. The search does not use them.
    pub not_numbers: u64,
}

impl Statistics {
    /// Returns the number of all rejected cases, including those that grew too large.
    ///
    /// # Examples
    /// ```
    /// use rebut::{Check, integers};
    ///
    /// let report = Check::new("even").seed(1).run(|case| {
    ///     if case.draw(integers::<u32>()) % 2 == 1 {
    ///         case.reject("odd");
    ///     }
    /// });
    /// assert!(report.statistics.rejections() > 0);
    /// ```
    #[must_use]
    pub fn rejections(&self) -> u64 {
        let mut rejections = self.too_large;
        for count in &self.rejected {
            rejections += count.cases;
        }
        rejections
    }

    /// Returns the lines of the report about what the cases checked and called.
    pub(crate) fn checked(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(claims) = &self.claims {
            lines.extend(claims.summary(self.valid));
        }
        if let Some(summary) = self.calls.summary() {
            lines.push(summary);
            lines.extend(self.calls.never_called());
        }
        lines
    }
}
