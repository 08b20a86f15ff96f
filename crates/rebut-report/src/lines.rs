//! The lines of an event file, as `docs/guide/events.md` describes them.
//!
//! Fields that older versions did not write have defaults. Unknown fields are ignored, so that
//! files of newer versions can be read as far as possible. Tests write lines with code of their
//! own (`rebut-run/src/events/`), because users' builds must stay small. Commands write those that
//! implement `Serialize` ([`Event`](crate::Event)). A field with its default value is left out.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

use rebut_protocol::events::VERSION;

/// The fields of every line. The event determines the struct for the rest.
#[derive(Debug, Deserialize)]
pub(crate) struct Head<'a> {
    #[serde(borrow)]
    pub(crate) event: Cow<'a, str>,
    #[serde(default)]
    pub(crate) id: u64,
}

/// The first line of a file: the process that writes it.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct RunLine {
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
    /// The path of the test binary; empty for a command.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub program: String,
    /// The directory of the package's manifest; empty if unknown.
    pub manifest_dir: String,
    /// The command that started the run, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The Git commit of the sources, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

impl RunLine {
    /// Creates the line of a process of this version of Rebut, in the current format.
    #[must_use]
    pub fn new(rebut: &str) -> RunLine {
        RunLine { version: VERSION, rebut: rebut.to_owned(), ..RunLine::default() }
    }
}

/// The start of a property.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct BeginLine {
    /// The path of the test.
    pub property: String,
    /// Its file and line.
    #[serde(default)]
    pub place: String,
    /// The name of its package; empty if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub package: String,
    /// Its target in the package; empty if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub target: String,
    /// The seed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub seed: u64,
    /// The settings that it runs with.
    #[serde(default, skip_serializing_if = "is_default")]
    pub settings: Settings,
    /// The time since the start of the run, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<Number>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The settings that a property ran with.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Settings {
    /// The number of cases.
    pub cases: Option<u64>,
    /// The search mode.
    pub search: Option<String>,
    /// Whether cases run in child processes.
    pub isolate: Option<String>,
    /// The time limit of a case, in milliseconds.
    pub deadline_ms: Option<f64>,
    /// The time after which no new cases start, in milliseconds.
    pub time_budget_ms: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ObjectiveLine {
    pub(crate) objective: usize,
    #[serde(default)]
    pub(crate) label: String,
    #[serde(default)]
    pub(crate) direction: String,
    pub(crate) needed: Option<Number>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct StepLine {
    pub(crate) case: Option<u64>,
    #[serde(default)]
    pub(crate) values: Vec<Option<Number>>,
    #[serde(default)]
    pub(crate) best: Vec<Option<Number>>,
    pub(crate) turn: Option<usize>,
    pub(crate) temperature: Option<Number>,
    pub(crate) accepted: Option<bool>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct CaseLine<'a> {
    #[serde(borrow, default)]
    pub(crate) by: Cow<'a, str>,
    pub(crate) case: Option<u64>,
    #[serde(borrow, default)]
    pub(crate) outcome: Cow<'a, str>,
    #[serde(borrow)]
    pub(crate) why: Option<Cow<'a, str>>,
    pub(crate) choices: Option<u64>,
    #[serde(borrow)]
    pub(crate) replay: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) labels: Vec<Cow<'a, str>>,
}

/// The result of an input that a command has listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ReplayedInput {
    /// The number of the input in the list.
    pub input: usize,
    /// How it ended: `passed`, `failed` and so on, as in `case`.
    pub outcome: String,
    /// The message of the failure, or the assumption that rejected it.
    pub why: Option<String>,
    /// How it failed: `panic`, `hang` and so on; empty if it did not.
    pub kind: String,
    /// The key that distinguishes failures with different causes; empty if it did not fail.
    pub origin: String,
    /// The source location of the panic.
    pub location: Option<String>,
    /// The digest of the choices that it made.
    pub digest: String,
}

/// The values of a case, which only observations need.
#[derive(Debug, Deserialize)]
pub(crate) struct CaseValues {
    #[serde(default)]
    pub(crate) values: Vec<Value>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ProgressLine {
    pub(crate) cases: u64,
    pub(crate) rejected: u64,
    pub(crate) labels: Vec<Label>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct FoundLine {
    pub(crate) at_ms: Option<f64>,
}

/// A failing or matching input.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct InputLine {
    /// The source of the input: `random`, `search` and so on.
    pub by: String,
    /// The number of the case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case: Option<u64>,
    /// The number of the example, instead of the case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<u64>,
    /// How it failed: `panic`, `hang` and so on.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// The key that distinguishes failures with different causes.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub origin: String,
    /// The panic message or error.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// The source location of the panic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// The violated contract, if that is the failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract: Option<ViolatedContract>,
    /// The replay string.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
    /// The values of the parameters, as code.
    pub values: Vec<Value>,
    /// The parts of the values that can be replaced by other values that fail too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub free: Vec<FreePart>,
    /// The notes of the property.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The number of executions that shrinking took.
    #[serde(skip_serializing_if = "is_default")]
    pub shrink_executions: u64,
    /// Whether shrinking stopped at its limit.
    #[serde(skip_serializing_if = "is_default")]
    pub shrink_gave_up: bool,
    /// The rate of a flaky failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
    /// The command that replays the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The file of the emitted regression test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// The time since the start of the run, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<Number>,
}

/// A violated contract.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct ViolatedContract {
    /// The function whose contract is violated.
    pub function: String,
    /// The kind of clause: `requires`, `ensures` or `keeps` (an invariant).
    pub clause: String,
    /// The condition of the clause.
    pub condition: String,
    /// The party at fault: `code`, the code under test, or `outside`.
    pub party: String,
    /// The function at fault; `None` if it is an unknown caller.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_fault: Option<String>,
    /// The object whose contract is violated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<String>,
    /// The calls, the outermost first. The contract of the last one is violated.
    pub calls: Vec<String>,
}

/// How often a flaky input failed.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct Rate {
    /// The number of failed reruns.
    pub failed: u64,
    /// The number of reruns.
    pub runs: u64,
}

/// A variable and its value.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Value {
    /// The name of the variable.
    pub name: String,
    /// Its type; empty if unknown.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The value as a Rust expression.
    pub code: String,
}

/// A part of a value that can be replaced by other values that fail too.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[non_exhaustive]
pub struct FreePart {
    /// The index of the value.
    pub value: usize,
    /// The offset of the part in the code of the value.
    pub begin: usize,
    /// The offset after the part.
    pub end: usize,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ReachedLine {
    pub(crate) objective: Option<usize>,
    pub(crate) value: Option<Number>,
    pub(crate) replay: Option<String>,
    #[serde(default)]
    pub(crate) values: Vec<Value>,
    #[serde(default)]
    pub(crate) not_numbers: u64,
}

/// The end of a property.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct EndLine {
    /// The code of the verdict.
    pub verdict: String,
    /// Whether the test passed.
    #[serde(default)]
    pub success: bool,
    /// The reason for the verdict, if it needs one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The number of cases that satisfied the assumptions.
    #[serde(default)]
    pub cases: u64,
    /// The rejected cases, by assumption.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rejected: Vec<Rejected>,
    /// The number of cases that grew too large.
    #[serde(default, skip_serializing_if = "is_default")]
    pub too_large: u64,
    /// Sentences about what the cases checked and called.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checked: Vec<String>,
    /// The number of cases with each label.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<Label>,
    /// The `cover!` targets of the property.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub covers: Vec<Cover>,
    /// Some generated inputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<Vec<Value>>,
    /// The duration in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ms: Option<Number>,
    /// The time since the start of the run, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<Number>,
    /// The report as the test printed it, if a command requested it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
}

/// A numbered decision of an explored test.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct DecisionLine {
    /// The number.
    pub decision: usize,
    /// The decision.
    #[serde(flatten)]
    pub of: Decision,
}

/// A decision of an explored test that depends on its input.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Decision {
    /// The condition as code.
    pub condition: String,
    /// The source location.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<SourceLocation>,
    /// The line of code; empty if unknown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// The target if the condition is true.
    pub yes: BranchTarget,
    /// The target if the condition is false.
    pub no: BranchTarget,
}

/// The location of a line of code.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct SourceLocation {
    /// The path of the file.
    pub file: String,
    /// The line number.
    pub line: u64,
    /// The column number.
    pub column: u64,
    /// The name of the function.
    pub function: String,
    /// Whether the code is under test, as opposed to library code.
    pub under_test: bool,
}

/// The target of one side of a decision. Unknown if no field is set.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct BranchTarget {
    /// The number of the next decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<usize>,
    /// The number of the path that ends here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<usize>,
    /// Whether no input leads there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub impossible: bool,
    /// The reason why this side was not explored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<String>,
}

/// A numbered path of an explored test.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct PathLine {
    /// The number.
    pub path: usize,
    /// The path.
    #[serde(flatten)]
    pub of: ExploredPath,
}

/// The outcome of a path, in one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum PathKind {
    /// The test passes.
    Passed,
    /// The test fails.
    Failed,
    /// An assumption rejects the input.
    Rejected,
    /// The input matches.
    Found,
    /// The run took too long.
    Exhausted,
    /// The test needs something that does not exist in WebAssembly.
    Unsupported,
    /// The test uses Rebut incorrectly.
    Misuse,
    /// Rebut has a bug.
    InternalError,
    /// A kind of a newer version.
    #[default]
    #[serde(other)]
    Unknown,
}

/// A path through an explored test.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct ExploredPath {
    /// The outcome in one word.
    pub kind: PathKind,
    /// A description of the outcome.
    pub outcome: String,
    /// The replay string of an input that takes the path.
    pub replay: Option<String>,
    /// An input that takes the path.
    pub values: Vec<Value>,
    /// Whether the path belongs to a small set that together covers all branches.
    pub covering: bool,
}

/// The lines of a file that an explored test could run.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct FileLines {
    /// The path of the file.
    pub file: String,
    /// `all` if no input reaches the other lines, `bounded` if only long collections might.
    pub proof: String,
    /// The lines in order.
    pub lines: Vec<CodeLine>,
}

/// A line that an explored test could run.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct CodeLine {
    /// The line number.
    pub line: u64,
    /// The source code of the line; empty if unknown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub code: String,
    /// Whether a path runs the line.
    pub reached: bool,
    /// The reason why no path does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The number of branches of its conditions; 0 if it has none.
    #[serde(skip_serializing_if = "is_default")]
    pub sides: u64,
    /// The number of branches taken.
    #[serde(skip_serializing_if = "is_default")]
    pub taken: u64,
}

/// The result of an exploration.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct ExploredLine {
    /// The number of runs.
    pub runs: u64,
    /// The number of all decisions.
    pub decisions: u64,
    /// The number of all paths.
    pub paths: u64,
    /// The number of decisions that were not written.
    pub decisions_left_out: u64,
    /// The number of paths that were not written.
    pub paths_left_out: u64,
    /// The limits that prevented exploring all paths.
    pub limits: Vec<String>,
    /// The assumptions that the result depends on.
    pub assumes: Vec<String>,
}

/// The cases that an assumption rejected.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Rejected {
    /// The assumption.
    pub why: String,
    /// The number of cases.
    pub cases: u64,
}

/// A label and the number of its cases.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Label {
    /// The label.
    pub label: String,
    /// The number of cases.
    pub cases: u64,
}

/// A `cover!` target of a property.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[non_exhaustive]
pub struct Cover {
    /// Its name.
    pub label: String,
    /// The required percentage of cases.
    pub at_least: f64,
    /// The number of cases that met it.
    pub met: u64,
    /// The number of all cases.
    pub of: u64,
}

/// A number, or a string for NaN and the infinities, which JSON lacks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(pub f64);

impl From<f64> for Number {
    fn from(value: f64) -> Number {
        Number(value)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // The largest power of two below which every integer is a float.
        const EXACT_MAX: f64 = (1_u64 << 53) as f64;
        match self.0 {
            value if value.is_nan() => serializer.serialize_str("NaN"),
            value if value.is_infinite() => serializer.collect_str(&value),
            value if value.fract() == 0.0 && value.abs() <= EXACT_MAX => {
                serializer.serialize_i64(value as i64)
            }
            value => serializer.serialize_f64(value),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, \"NaN\", \"inf\" or \"-inf\"")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Number, E> {
        Ok(Number(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Number, E> {
        Ok(Number(value as f64))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Number, E> {
        Ok(Number(value as f64))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Number, E> {
        match value {
            "NaN" => Ok(Number(f64::NAN)),
            "inf" => Ok(Number(f64::INFINITY)),
            "-inf" => Ok(Number(f64::NEG_INFINITY)),
            other => Err(E::custom(format!("`{other}` is not a number"))),
        }
    }
}
