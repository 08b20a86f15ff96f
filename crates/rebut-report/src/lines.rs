//! The lines of an event file, as `docs/guide/events.md` describes them.
//!
//! Fields that older versions did not write have defaults. Unknown fields are ignored, so that
//! files of newer versions can be read as far as possible.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use std::fmt;

/// The fields of every line. The event determines the struct for the rest.
#[derive(Debug, Deserialize)]
pub(crate) struct Head<'a> {
    #[serde(borrow)]
    pub(crate) event: Cow<'a, str>,
    #[serde(default)]
    pub(crate) id: u64,
}

#[derive(Debug, Deserialize)]
#[serde(default)]
#[derive(Default)]
pub(crate) struct RunLine {
    pub(crate) version: u64,
    pub(crate) rebut: String,
    pub(crate) start: String,
    pub(crate) group: String,
    pub(crate) process: u64,
    pub(crate) program: String,
    pub(crate) manifest_dir: String,
    pub(crate) command: Option<String>,
    pub(crate) commit: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct BeginLine {
    pub(crate) property: String,
    #[serde(default)]
    pub(crate) place: String,
    #[serde(default)]
    pub(crate) package: String,
    #[serde(default)]
    pub(crate) target: String,
    #[serde(default)]
    pub(crate) seed: u64,
    #[serde(default)]
    pub(crate) settings: Settings,
    pub(crate) at_ms: Option<f64>,
}

/// The settings that a property ran with.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
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

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct InputLine {
    pub(crate) by: String,
    pub(crate) case: Option<u64>,
    pub(crate) example: Option<u64>,
    pub(crate) kind: String,
    pub(crate) origin: String,
    pub(crate) message: String,
    pub(crate) location: Option<String>,
    pub(crate) replay: Option<String>,
    pub(crate) values: Vec<Value>,
    pub(crate) free: Vec<FreePart>,
    pub(crate) notes: Vec<String>,
    pub(crate) shrink_executions: u64,
    pub(crate) shrink_gave_up: bool,
    pub(crate) rate: Option<Rate>,
    pub(crate) command: Option<String>,
    pub(crate) test: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Rate {
    pub(crate) failed: u64,
    pub(crate) runs: u64,
}

/// A variable and its value.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
#[non_exhaustive]
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

#[derive(Debug, Deserialize)]
pub(crate) struct EndLine {
    pub(crate) verdict: String,
    #[serde(default)]
    pub(crate) success: bool,
    pub(crate) reason: Option<String>,
    #[serde(default)]
    pub(crate) cases: u64,
    #[serde(default)]
    pub(crate) rejected: Vec<Rejected>,
    #[serde(default)]
    pub(crate) too_large: u64,
    #[serde(default)]
    pub(crate) labels: Vec<Label>,
    #[serde(default)]
    pub(crate) covers: Vec<Cover>,
    #[serde(default)]
    pub(crate) samples: Vec<Vec<Value>>,
    pub(crate) ms: Option<Number>,
    pub(crate) report: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct DecisionLine {
    pub(crate) decision: usize,
    #[serde(flatten)]
    pub(crate) of: Decision,
}

/// A decision of an explored test that depends on its input.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Decision {
    /// The condition as code.
    pub condition: String,
    /// The source location.
    pub place: Option<SourceLocation>,
    /// The line of code.
    pub source: String,
    /// The target if the condition is true.
    pub yes: BranchTarget,
    /// The target if the condition is false.
    pub no: BranchTarget,
}

/// The location of a line of code.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
#[non_exhaustive]
pub struct SourceLocation {
    /// The path of the file.
    pub file: String,
    /// The line number.
    pub line: u64,
    /// The name of the function.
    pub function: String,
    /// Whether the code is under test, as opposed to library code.
    pub under_test: bool,
}

/// The target of one side of a decision. Unknown if no field is set.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
#[non_exhaustive]
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

#[derive(Debug, Deserialize)]
pub(crate) struct PathLine {
    pub(crate) path: usize,
    #[serde(flatten)]
    pub(crate) of: ExploredPath,
}

/// A path through an explored test.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ExploredPath {
    /// The outcome in one word: `passed`, `failed` and so on.
    pub kind: String,
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
#[non_exhaustive]
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
#[non_exhaustive]
pub struct CodeLine {
    /// The line number.
    pub line: u64,
    /// The source code of the line.
    pub code: String,
    /// Whether a path runs the line.
    pub reached: bool,
    /// The reason why no path does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The number of branches of its conditions.
    pub sides: u64,
    /// The number of branches taken.
    pub taken: u64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ExploredLine {
    pub(crate) runs: u64,
    pub(crate) decisions: u64,
    pub(crate) paths: u64,
    pub(crate) decisions_left_out: u64,
    pub(crate) paths_left_out: u64,
    pub(crate) limits: Vec<String>,
    pub(crate) assumes: Vec<String>,
}

/// The cases that an assumption rejected.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[non_exhaustive]
pub struct Rejected {
    /// The assumption.
    pub why: String,
    /// The number of cases.
    pub cases: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Label {
    pub(crate) label: String,
    pub(crate) cases: u64,
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
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number(pub(crate) f64);

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
