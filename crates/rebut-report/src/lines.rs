//! The lines of events as they are written.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::borrow::Cow;
use std::fmt;

/// What every line begins with; the rest is read when it is known what it is.
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

/// With what a property was run.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Settings {
    /// How many cases.
    pub cases: Option<u64>,
    /// How it was searched.
    pub search: Option<String>,
    /// Whether cases ran in child processes.
    pub isolate: Option<String>,
    /// How long a case may take.
    pub deadline_ms: Option<f64>,
    /// After how long no new cases are drawn.
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

/// What only observations need of a case.
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
pub(crate) struct ToldLine {
    pub(crate) by: String,
    pub(crate) case: Option<u64>,
    pub(crate) example: Option<u64>,
    pub(crate) kind: String,
    pub(crate) origin: String,
    pub(crate) message: String,
    pub(crate) location: Option<String>,
    pub(crate) replay: Option<String>,
    pub(crate) values: Vec<Value>,
    pub(crate) free: Vec<Free>,
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

/// A value as code.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Value {
    /// The variable.
    pub name: String,
    /// Its type; empty if it is not known.
    #[serde(rename = "type")]
    pub type_name: String,
    /// An expression.
    pub code: String,
}

/// A part of a value in whose place other values fail too.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[non_exhaustive]
pub struct Free {
    /// Which value.
    pub value: usize,
    /// Its first byte in the code of the value.
    pub begin: usize,
    /// The byte after its last.
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
    /// What is decided, as code.
    pub condition: String,
    /// Where.
    pub place: Option<Place>,
    /// The line of code.
    pub source: String,
    /// What follows if the condition holds.
    pub yes: Way,
    /// What follows if it does not.
    pub no: Way,
}

/// A line of code.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u64,
    /// The function.
    pub function: String,
    /// Whether it is code under test, not that of a library.
    pub under_test: bool,
}

/// What one side of a decision leads to; nothing that is known if all of it is none.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Way {
    /// A decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<usize>,
    /// The end of a path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<usize>,
    /// Whether no input goes there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub impossible: bool,
    /// Why it is not known what is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct PathLine {
    pub(crate) path: usize,
    #[serde(flatten)]
    pub(crate) of: PathOf,
}

/// A path through an explored test.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
#[non_exhaustive]
pub struct PathOf {
    /// `passed`, `failed` and so on.
    pub kind: String,
    /// How it ended, in words.
    pub outcome: String,
    /// The choices of an input that takes it.
    pub replay: Option<String>,
    /// The input.
    pub values: Vec<Value>,
    /// Whether it is one of the few that together take all sides of decisions.
    pub covering: bool,
}

/// The lines of a file that an explored test may run.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
#[non_exhaustive]
pub struct FileLines {
    /// The file.
    pub file: String,
    /// `all` if what was not reached cannot be, `bounded` if only by long collections.
    pub proof: String,
    /// Its lines, in order.
    pub lines: Vec<CodeLine>,
}

/// A line that an explored test may run.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
#[non_exhaustive]
pub struct CodeLine {
    /// Its number.
    pub line: u64,
    /// What is written there.
    pub code: String,
    /// Whether some path runs it.
    pub reached: bool,
    /// Why none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// How many sides its conditions have.
    pub sides: u64,
    /// How many of them were taken.
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

/// Why cases were given up.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[non_exhaustive]
pub struct Rejected {
    /// The assumption.
    pub why: String,
    /// How many.
    pub cases: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Label {
    pub(crate) label: String,
    pub(crate) cases: u64,
}

/// What a property says it covers.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[non_exhaustive]
pub struct Cover {
    /// Its name.
    pub label: String,
    /// How many percent of the cases should meet it.
    pub at_least: f64,
    /// How many did.
    pub met: u64,
    /// Of how many.
    pub of: u64,
}

/// A number, or one of those that JSON does not have.
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
