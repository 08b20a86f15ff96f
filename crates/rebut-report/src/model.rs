//! What is known of runs after their events were read.

use std::collections::{BTreeMap, BTreeSet};

use crate::front::Front;
use crate::lines::ProgressLine;
pub use crate::lines::{
    CodeLine, Cover, Decision, FileLines, Free, PathOf, Place, Rejected, Settings, Value, Way,
};

/// Runs that belong together, and their properties.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// One for each file of events.
    pub runs: Vec<Run>,
    /// In the order in which they began, run by run.
    pub properties: Vec<Property>,
    /// How many lines could not be read.
    pub unreadable: usize,
    /// What was wrong with the first of them.
    pub first_unreadable: Option<String>,
}

/// A process that wrote events.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The version of the format.
    pub version: u64,
    /// The version of Rebut.
    pub rebut: String,
    /// When it began (RFC 3339).
    pub start: String,
    /// What it was started with.
    pub group: String,
    /// The number of the process.
    pub process: u64,
    /// The test binary.
    pub program: String,
    /// The directory of the package's manifest; empty if it is not known.
    pub manifest_dir: String,
    /// The command that started it, if that is known.
    pub command: Option<String>,
    /// The commit of the sources, if that is known.
    pub commit: Option<String>,
}

/// A run of a property.
#[derive(Clone, Debug, Default)]
pub struct Property {
    /// Which of the runs.
    pub run: usize,
    /// Its path.
    pub name: String,
    /// File and line.
    pub place: String,
    /// The name of its package; empty if it is not known.
    pub package: String,
    /// Its target in the package, such as `lib` or `test round-trip`; empty if it is not known.
    pub target: String,
    /// Where random choices started.
    pub seed: u64,
    /// With what it was run.
    pub settings: Settings,
    /// When it began, in milliseconds since the start of the run.
    pub began_ms: Option<f64>,
    /// When it last began, in seconds since 1970.
    pub(crate) began: f64,
    /// When the first failure was found, likewise.
    pub found_ms: Option<f64>,
    /// What it aims at.
    pub objectives: Vec<Objective>,
    /// What cases reported, in their order.
    pub steps: Vec<Step>,
    /// Cases that no other beats by every objective, as far as they were written.
    pub front: Vec<FrontCase>,
    /// How many cases ended how, by what supplied them.
    pub outcomes: BTreeMap<String, BTreeMap<String, u64>>,
    /// How many cases had how many choices.
    pub sizes: BTreeMap<u64, u64>,
    /// How many cases had each label, counted from the cases.
    pub case_labels: BTreeMap<String, u64>,
    /// Failures as they are reported.
    pub failures: Vec<Told>,
    /// The input that was sought.
    pub witness: Option<Told>,
    /// The end; none if the process did not come so far.
    pub end: Option<Shown>,
    /// Some of the inputs that were generated.
    pub samples: Vec<Vec<Value>>,
    /// What exploring it came to, if it was explored.
    pub explored: Option<Explored>,
    pub(crate) archive: Front,
    pub(crate) rounds: Rounds,
}

/// What is known of the runs that a property went through, while they are read.
#[derive(Clone, Debug)]
pub(crate) struct Rounds {
    /// The run that is read.
    pub(crate) run: usize,
    /// How many cases there were before it.
    pub(crate) offset: u64,
    /// At which places its objectives are.
    pub(crate) aims: Vec<usize>,
    /// How many runs have ended.
    pub(crate) ended: u64,
    /// How many earlier ones have not.
    pub(crate) unended: u64,
    /// Whether this one has not, so far.
    pub(crate) is_open: bool,
    /// How far it is.
    pub(crate) progress: Option<ProgressLine>,
    /// How many cases ended runs had, if all of them together have no end.
    pub(crate) cases_before: u64,
}

impl Default for Rounds {
    fn default() -> Self {
        Rounds {
            run: 0,
            offset: 0,
            aims: Vec::new(),
            ended: 0,
            unended: 0,
            is_open: true,
            progress: None,
            cases_before: 0,
        }
    }
}

/// The end of a property.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// `passed`, `R001` and so on.
    pub verdict: String,
    /// Whether the test passed.
    pub success: bool,
    /// Why it is known no better.
    pub reason: Option<String>,
    /// Cases that met the assumptions.
    pub cases: u64,
    /// Why cases were given up.
    pub rejected: Vec<Rejected>,
    /// Cases that grew too large.
    pub too_large: u64,
    /// How many cases had each label.
    pub labels: Vec<(String, u64)>,
    /// What the property says it covers.
    pub covers: Vec<Cover>,
    /// How long it took.
    pub ms: f64,
}

/// The paths through a property.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// How often it ran.
    pub runs: u64,
    /// The decisions by their numbers, as far as they were written; the first is the root.
    pub decisions: BTreeMap<usize, Decision>,
    /// The paths by their numbers, as far as they were written.
    pub paths: BTreeMap<usize, PathOf>,
    /// How many decisions there are.
    pub decisions_all: u64,
    /// How many paths there are.
    pub paths_all: u64,
    /// How many of both were too many to be written.
    pub left_out: u64,
    /// The lines that were reached, and those that were not.
    pub files: Vec<FileLines>,
    /// What stopped it short of all paths.
    pub limits: Vec<String>,
    /// What was assumed.
    pub assumes: Vec<String>,
}

/// An input with what came of it: a failure, or what was sought.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Its number in the report, from 1.
    pub number: usize,
    /// What supplied the choices.
    pub by: String,
    /// The number of the case, or of the example.
    pub case: Option<u64>,
    /// How it failed: `panic`, `hang` and so on.
    pub kind: String,
    /// What tells it from others.
    pub origin: String,
    /// What was said.
    pub message: String,
    /// Where.
    pub location: Option<String>,
    /// The choices as text.
    pub replay: Option<String>,
    /// The input as code.
    pub values: Vec<Value>,
    /// Parts in whose place other values fail too.
    pub free: Vec<Free>,
    /// What the property noted.
    pub notes: Vec<String>,
    /// How many executions shrinking took.
    pub shrink_executions: u64,
    /// Whether shrinking ended before it was done.
    pub shrink_gave_up: bool,
    /// Of a flaky failure: how often it failed, of how many runs.
    pub rate: Option<(u64, u64)>,
    /// How to run the test.
    pub command: Option<String>,
    /// The file of the emitted test.
    pub test: Option<String>,
}

/// What a property aims at.
#[derive(Clone, Debug, Default)]
pub struct Objective {
    /// Its name; empty for the one without.
    pub label: String,
    /// Whether more is better.
    pub is_maximum: bool,
    /// The value that refutes the property.
    pub needed: Option<f64>,
    /// The best value.
    pub value: Option<f64>,
    /// The choices of the best case.
    pub replay: Option<String>,
    /// The best input.
    pub values: Vec<Value>,
    /// How many cases reported a value that is not a number.
    pub not_numbers: u64,
}

impl Objective {
    /// What it is called in a sentence.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.label.is_empty() { "score" } else { &self.label }
    }

    /// Values of which more is better.
    #[must_use]
    pub fn utility(&self, value: f64) -> f64 {
        if self.is_maximum { value } else { -value }
    }
}

/// What a case reported.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// The number of the case, or that of the case before.
    pub case: u64,
    /// By objective; not a number for none.
    pub values: Vec<f64>,
    /// The best so far, by objective.
    pub best: Vec<f64>,
    /// Of a case of the search: the objective it was for, the temperature, whether it was
    /// accepted.
    pub turn: Option<(usize, f64, bool)>,
}

/// A case that no other beats by every objective.
#[derive(Clone, Debug, PartialEq)]
pub struct FrontCase {
    /// The number of the case.
    pub case: u64,
    /// By objective.
    pub values: Vec<f64>,
    /// The choices of the case, if they were written.
    pub replay: Option<String>,
}

impl Property {
    /// The code of the verdict; `unfinished` if there is none.
    #[must_use]
    pub fn verdict(&self) -> &str {
        self.end.as_ref().map_or("unfinished", |end| &end.verdict)
    }

    /// Whether the test passed.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.end.as_ref().is_some_and(|end| end.success)
    }

    /// When it last began, in seconds since 1970.
    #[must_use]
    pub fn began(&self) -> f64 {
        self.began
    }

    /// Failures, and what was sought.
    pub fn told(&self) -> impl Iterator<Item = &Told> {
        self.failures.iter().chain(&self.witness)
    }

    /// How many cases met the assumptions, as far as it is known.
    #[must_use]
    pub fn cases(&self) -> u64 {
        match &self.end {
            Some(end) => end.cases,
            None => {
                let met = ["passed", "failed", "found"].map(|outcome| self.outcome(outcome));
                let written = met.iter().sum::<u64>();
                let counted = self.rounds.progress.as_ref().map_or(0, |progress| progress.cases);
                written.max(self.rounds.cases_before.saturating_add(counted))
            }
        }
    }

    /// How many cases were given up.
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

    /// How many cases had each label, most first.
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

    /// The arguments with which cargo builds only its target, such as `-p demo --lib`; none if
    /// the target is not known, or has a name that cargo would not give it.
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

    /// What the test is called on the command line of its harness; none if it is not a path
    /// that a test can have.
    #[must_use]
    pub fn test_name(&self) -> Option<&str> {
        let name = match self.name.split_once('@') {
            Some((test, _place)) => test,
            None => self.name.split_once("::")?.1,
        };
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '#');
        (!name.is_empty() && name.chars().all(is_plain)).then_some(name)
    }
}

impl Report {
    /// Whether properties of more than one package are there.
    #[must_use]
    pub fn has_packages(&self) -> bool {
        let first = self.properties.first().map(|property| &property.package);
        self.properties.iter().any(|property| Some(&property.package) != first)
    }

    /// The runs that properties are from.
    pub(crate) fn shown_runs(&self) -> Vec<&Run> {
        let used: BTreeSet<usize> = self.properties.iter().map(|one| one.run).collect();
        used.into_iter().filter_map(|nth| self.runs.get(nth)).collect()
    }

    /// Whether properties are from more than one group of runs.
    pub(crate) fn has_groups(&self) -> bool {
        let groups: BTreeSet<&str> =
            self.shown_runs().iter().map(|run| run.group.as_str()).collect();
        groups.len() > 1
    }

    /// An input of the report by its number.
    #[must_use]
    pub fn told(&self, number: usize) -> Option<(&Property, &Told)> {
        let mut all = self
            .properties
            .iter()
            .flat_map(|property| property.told().map(move |told| (property, told)));
        all.find(|(_, told)| told.number == number)
    }

    /// Whether every property ended well.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.properties.iter().all(Property::is_success)
    }
}
