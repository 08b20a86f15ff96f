//! The report: runs, their properties, and the results of these.
//!
//! `read.rs` builds it from events; the other modules only read it.

use std::collections::{BTreeMap, BTreeSet};

use rebut_protocol::verdicts::VerdictCode;

use crate::front::Front;
pub use crate::lines::{
    BranchTarget, CodeLine, Cover, Decision, ExploredPath, FileLines, FreePart, Rejected, Settings,
    SourceLocation, Value, ViolatedContract,
};
use crate::lines::{ProgressLine, ReplayedInput};

/// A report about one or several runs and their properties.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The runs, one for each file of events.
    pub runs: Vec<Run>,
    /// The properties, in the order in which they started, run by run.
    pub properties: Vec<Property>,
    /// The number of lines that could not be read.
    pub unreadable: usize,
    /// The error of the first of these lines.
    pub first_unreadable: Option<String>,
}

/// A process that wrote events.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The version of the event format.
    pub version: u64,
    /// The version of Rebut.
    pub rebut: String,
    /// The start time (RFC 3339).
    pub start: String,
    /// The name of the group of runs that were started together.
    pub group: String,
    /// The process id.
    pub process: u64,
    /// The path of the test binary.
    pub program: String,
    /// The directory of the package's manifest; empty if unknown.
    pub manifest_dir: String,
    /// The command that started the run, if known.
    pub command: Option<String>,
    /// The Git commit of the sources, if known.
    pub commit: Option<String>,
}

/// A property with the results of all its runs in a report.
#[derive(Clone, Debug, Default)]
pub struct Property {
    /// The index of its run in [`Report::runs`].
    pub run: usize,
    /// The path of the test, such as `demo::tests::sorts`.
    pub name: String,
    /// The source location, such as `src/lib.rs:3`.
    pub location: String,
    /// The name of its package; empty if unknown.
    pub package: String,
    /// Its target in the package, such as `lib` or `test round-trip`; empty if unknown.
    pub target: String,
    /// The seed.
    pub seed: u64,
    /// The settings that it ran with.
    pub settings: Settings,
    /// The start time, in milliseconds since the start of the run.
    pub began_ms: Option<f64>,
    /// The start time of its last run, in seconds since 1970.
    pub(crate) began: f64,
    /// The time of the first failure, in milliseconds since the start of the run.
    pub found_ms: Option<f64>,
    /// The objectives of its search.
    pub objectives: Vec<Objective>,
    /// The values that cases reported, in the order of the cases.
    pub steps: Vec<Step>,
    /// The Pareto front of the reported cases.
    pub front: Vec<FrontCase>,
    /// The number of cases by their source (`random`, `search` and so on) and outcome.
    pub outcomes: BTreeMap<String, BTreeMap<String, u64>>,
    /// The number of cases by their number of choices.
    pub sizes: BTreeMap<u64, u64>,
    /// The number of cases with each label, counted from the events of single cases.
    pub case_labels: BTreeMap<String, u64>,
    /// The failures, shrunk.
    pub failures: Vec<ReportedInput>,
    /// The matching input that `#[rebut::exists]` found.
    pub witness: Option<ReportedInput>,
    /// The results of the inputs that a command has listed.
    pub replayed: Vec<ReplayedInput>,
    /// The result; `None` if the property did not finish.
    pub end: Option<PropertyEnd>,
    /// Some generated inputs.
    pub samples: Vec<Vec<Value>>,
    /// The result of `cargo rebut explore`, if the property was explored.
    pub explored: Option<Explored>,
    pub(crate) archive: Front,
    pub(crate) rounds: Rounds,
}

/// State that is needed while the runs of a property are read and added up.
#[derive(Clone, Debug)]
pub(crate) struct Rounds {
    /// The index of the run that is being read.
    pub(crate) run: usize,
    /// The number of cases in earlier runs; case numbers of this run are shifted by it.
    pub(crate) offset: u64,
    /// For each objective of this run, its index in [`Property::objectives`].
    pub(crate) objective_indices: Vec<usize>,
    /// The number of runs that finished.
    pub(crate) ended: u64,
    /// The number of earlier runs that did not finish.
    pub(crate) unended: u64,
    /// Whether the current run has not finished yet.
    pub(crate) is_open: bool,
    /// The last progress event of the current run.
    pub(crate) progress: Option<ProgressLine>,
    /// The number of cases of finished runs, if [`Property::end`] was removed because another
    /// run did not finish.
    pub(crate) cases_before: u64,
}

impl Default for Rounds {
    fn default() -> Self {
        Rounds {
            run: 0,
            offset: 0,
            objective_indices: Vec::new(),
            ended: 0,
            unended: 0,
            is_open: true,
            progress: None,
            cases_before: 0,
        }
    }
}

/// The result of a property that finished.
#[derive(Clone, Debug, Default)]
pub struct PropertyEnd {
    /// The code of the verdict: `passed`, `R001` and so on.
    pub verdict: String,
    /// Whether the test passed.
    pub success: bool,
    /// The reason for the verdict, if it needs one.
    pub reason: Option<String>,
    /// The number of cases that satisfied the assumptions.
    pub cases: u64,
    /// The rejected cases, by assumption.
    pub rejected: Vec<Rejected>,
    /// The number of cases that grew too large.
    pub too_large: u64,
    /// Sentences about what the cases checked and called.
    pub checked: Vec<String>,
    /// The number of cases with each label.
    pub labels: Vec<(String, u64)>,
    /// The `cover!` targets of the property.
    pub covers: Vec<Cover>,
    /// The duration in milliseconds.
    pub ms: f64,
    /// The report as the test printed it, if a command requested the events.
    pub report: Option<String>,
}

/// The result of exploring the paths through a property.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// The number of runs.
    pub runs: u64,
    /// The decisions by number, as far as they were written. Number 0 is the root.
    pub decisions: BTreeMap<usize, Decision>,
    /// The paths by number, as far as they were written.
    pub paths: BTreeMap<usize, ExploredPath>,
    /// The number of all decisions.
    pub decisions_all: u64,
    /// The number of all paths.
    pub paths_all: u64,
    /// The number of decisions and paths that were not written because there were too many.
    pub left_out: u64,
    /// The lines of code, reached or not, by file.
    pub files: Vec<FileLines>,
    /// The limits that prevented exploring all paths.
    pub limits: Vec<String>,
    /// The assumptions that the result depends on.
    pub assumes: Vec<String>,
}

/// An input that the report shows: a failing input, or a matching one.
#[derive(Clone, Debug, Default)]
pub struct ReportedInput {
    /// Its number in the report, counting from 1.
    pub number: usize,
    /// The source of the input: `random`, `search`, `example` and so on.
    pub by: String,
    /// The number of the case, or of the example.
    pub case: Option<u64>,
    /// How it failed: `panic`, `hang` and so on.
    pub kind: String,
    /// The key that distinguishes failures with different causes.
    pub origin: String,
    /// The panic message or error.
    pub message: String,
    /// The source location of the panic.
    pub location: Option<String>,
    /// The violated contract, if that is the failure.
    pub contract: Option<ViolatedContract>,
    /// The replay string.
    pub replay: Option<String>,
    /// The values of the parameters, as code.
    pub values: Vec<Value>,
    /// The parts of the values that can be replaced by other values that fail too.
    pub free: Vec<FreePart>,
    /// The notes of the property.
    pub notes: Vec<String>,
    /// The number of executions that shrinking took.
    pub shrink_executions: u64,
    /// Whether shrinking stopped at its limit.
    pub shrink_gave_up: bool,
    /// For a flaky failure, the number of failed reruns and of all reruns.
    pub rate: Option<(u64, u64)>,
    /// The command that replays the input.
    pub command: Option<String>,
    /// The file of the emitted regression test.
    pub test: Option<String>,
}

/// An objective of the search: a value to maximize or minimize.
#[derive(Clone, Debug, Default)]
pub struct Objective {
    /// Its name; empty if it has none.
    pub label: String,
    /// Whether it is maximized.
    pub is_maximum: bool,
    /// The target value, at which the property fails.
    pub needed: Option<f64>,
    /// The best value.
    pub value: Option<f64>,
    /// The replay string of the best case.
    pub replay: Option<String>,
    /// The best input.
    pub values: Vec<Value>,
    /// The number of cases that reported NaN.
    pub not_numbers: u64,
}

impl Objective {
    /// Returns the name for use in a sentence.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.label.is_empty() { "score" } else { &self.label }
    }

    /// Converts a value so that more is better.
    #[must_use]
    pub fn utility(&self, value: f64) -> f64 {
        if self.is_maximum { value } else { -value }
    }
}

/// The values that a case reported.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// The number of the case, or of the case before if the event has none.
    pub case: u64,
    /// The value of each objective; NaN if the case did not report it.
    pub values: Vec<f64>,
    /// The best value of each objective so far.
    pub best: Vec<f64>,
    /// For a case of the search: the index of its objective, the temperature, and whether the
    /// case was accepted.
    pub turn: Option<(usize, f64, bool)>,
}

/// A case on the Pareto front: no other case is at least as good in every objective.
#[derive(Clone, Debug, PartialEq)]
pub struct FrontCase {
    /// The number of the case.
    pub case: u64,
    /// The value of each objective.
    pub values: Vec<f64>,
    /// The replay string, if it was written.
    pub replay: Option<String>,
}

impl PropertyEnd {
    /// Returns the code of the verdict; `None` for a verdict of an exploration or of a newer
    /// version.
    #[must_use]
    pub fn code(&self) -> Option<VerdictCode> {
        VerdictCode::parse(&self.verdict)
    }
}

impl ReportedInput {
    /// Returns the line number of the panic, if the failure is one.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        let mut parts = self.location.as_ref()?.rsplit(':');
        let (_column, line) = (parts.next()?, parts.next()?);
        line.parse().ok()
    }
}

impl Property {
    /// Returns the verdict as events contain it, or `unfinished`.
    #[must_use]
    pub fn verdict(&self) -> &str {
        self.end.as_ref().map_or(VerdictCode::Unfinished.as_str(), |end| &end.verdict)
    }

    /// Returns the code of the verdict; `None` for a verdict of an exploration or of a newer
    /// version.
    #[must_use]
    pub fn code(&self) -> Option<VerdictCode> {
        self.end.as_ref().map_or(Some(VerdictCode::Unfinished), PropertyEnd::code)
    }

    /// Returns whether the test passed.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.end.as_ref().is_some_and(|end| end.success)
    }

    /// Returns the start time of the last run, in seconds since 1970.
    #[must_use]
    pub fn began(&self) -> f64 {
        self.began
    }

    /// Returns the failing inputs and the matching one.
    pub fn inputs(&self) -> impl Iterator<Item = &ReportedInput> {
        self.failures.iter().chain(&self.witness)
    }

    /// Returns the number of cases that satisfied the assumptions, as far as known.
    #[must_use]
    pub fn cases(&self) -> u64 {
        match &self.end {
            Some(end) => end.cases,
            None => {
                let counts = ["passed", "failed", "found"].map(|outcome| self.outcome(outcome));
                let written = counts.iter().sum::<u64>();
                let counted = self.rounds.progress.as_ref().map_or(0, |progress| progress.cases);
                written.max(self.rounds.cases_before.saturating_add(counted))
            }
        }
    }

    /// Returns the number of rejected cases.
    #[must_use]
    pub fn rejections(&self) -> u64 {
        match &self.end {
            Some(end) => end.too_large + end.rejected.iter().map(|one| one.cases).sum::<u64>(),
            None => {
                let written = self.outcome("rejected") + self.outcome("too-large");
                let counted = self.rounds.progress.as_ref().map_or(0, |progress| progress.rejected);
                written.max(counted)
            }
        }
    }

    fn outcome(&self, outcome: &str) -> u64 {
        self.outcomes.values().filter_map(|by| by.get(outcome)).sum()
    }

    /// Returns the number of cases with each label, the most frequent first.
    #[must_use]
    pub fn labels(&self) -> Vec<(String, u64)> {
        let mut labels = match &self.end {
            Some(end) => end.labels.clone(),
            None if self.case_labels.is_empty() => {
                let counted = self.rounds.progress.iter().flat_map(|progress| &progress.labels);
                counted.map(|label| (label.label.clone(), label.cases)).collect()
            }
            None => self.case_labels.clone().into_iter().collect(),
        };
        labels.sort_by(|(a, of_a), (b, of_b)| of_b.cmp(of_a).then_with(|| a.cmp(b)));
        labels
    }

    /// Returns the arguments with which cargo builds only its target, such as `-p demo --lib`, or
    /// `None` if the target is unknown or its name could not be a name in Cargo.
    #[must_use]
    pub fn selection(&self) -> Option<Vec<&str>> {
        let (kind, name) = self.target.split_once(' ').unwrap_or((&self.target, ""));
        let is_plain = |name: &str| {
            let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
            !name.is_empty() && !name.starts_with('-') && name.chars().all(is_part)
        };
        let flag = match kind {
            "lib" if name.is_empty() => "--lib",
            "bin" => "--bin",
            "example" => "--example",
            "test" => "--test",
            "bench" => "--bench",
            _ => return None,
        };
        if !is_plain(&self.package) || (kind != "lib" && !is_plain(name)) {
            return None;
        }
        let words = ["-p", &self.package, flag, name];
        Some(words.into_iter().filter(|word| !word.is_empty()).collect())
    }

    /// Returns the shell command that replays an input, or `None` if there is none, or events have
    /// one that Rebut does not write.
    #[must_use]
    pub fn replay_command(&self, input: &ReportedInput) -> Option<String> {
        crate::words::replay_command(self, input)
    }

    /// Returns the name of the test on the command line of the test binary, or `None` if it could
    /// not be the path of a test.
    #[must_use]
    pub fn test_name(&self) -> Option<&str> {
        let name = match self.name.split_once('@') {
            Some((test, _location)) => test,
            None => self.name.split_once("::")?.1,
        };
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '#');
        (!name.is_empty() && name.chars().all(is_plain)).then_some(name)
    }
}

impl Report {
    /// Returns whether the properties belong to more than one package.
    #[must_use]
    pub fn has_packages(&self) -> bool {
        let first = self.properties.first().map(|property| &property.package);
        self.properties.iter().any(|property| Some(&property.package) != first)
    }

    /// Returns the runs that have a property.
    pub(crate) fn shown_runs(&self) -> Vec<&Run> {
        let used: BTreeSet<usize> = self.properties.iter().map(|one| one.run).collect();
        used.into_iter().filter_map(|nth| self.runs.get(nth)).collect()
    }

    /// Returns whether the properties belong to more than one group of runs.
    pub(crate) fn has_groups(&self) -> bool {
        let groups: BTreeSet<&str> =
            self.shown_runs().iter().map(|run| run.group.as_str()).collect();
        groups.len() > 1
    }

    /// Returns the input with the given number, and its property.
    #[must_use]
    pub fn input(&self, number: usize) -> Option<(&Property, &ReportedInput)> {
        let mut all = self
            .properties
            .iter()
            .flat_map(|property| property.inputs().map(move |input| (property, input)));
        all.find(|(_, input)| input.number == number)
    }

    /// Returns whether every property passed.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.properties.iter().all(Property::is_success)
    }
}
