//! Writes observations, the format that Hypothesis defined for viewers such as Tyche.
//!
//! There is one JSON object per line: one for each case, one more for each failure with its minimal
//! values, and a message with the result of each property.
//!
//! The format is that of `schema_observations.json` of Hypothesis. Where the schema leaves a
//! choice, the behavior of Tyche decides: it treats cases with the same representation as
//! duplicates, charts features that are numbers or strings and drops all others, and shows only
//! the run with the latest start of each property.

use std::collections::{HashMap, HashSet};

use rebut_protocol::verdicts::VerdictCode;
use serde_json::{Map, Value as Json, json};

use crate::latest::{Identity, StartedProperty};
use crate::lines::{
    BeginLine, CaseLine, CaseValues, EndLine, Head, InputLine, Number, ObjectiveLine, RunLine,
    StepLine, Value,
};
use crate::read::{began, is_round};
use crate::words;

/// Converts files of events to observations of the properties that satisfy `is_shown`. The files
/// must be sorted by the start of their processes.
#[must_use]
pub fn observations<'a>(
    files: impl IntoIterator<Item = &'a str>,
    is_shown: &dyn Fn(&Identity) -> bool,
) -> String {
    let files: Vec<&str> = files.into_iter().collect();
    let last = last_files(&files);
    let mut text = String::new();
    let mut observer = Observer::new(is_shown);
    for (nth, events) in files.iter().enumerate() {
        observer.begin_file(nth, &last);
        for line in events.lines() {
            // A line that cannot be read is skipped.
            if let Ok(Some(observation)) = observer.read(line) {
                text += &rebut_protocol::terminal::printable_json(&observation.to_string());
                text.push('\n');
            }
        }
    }
    text
}

/// For each property, the index of the last file in which it ran. Rounds of a campaign do not
/// count, because all of them are shown.
type LastFiles = HashMap<Identity, usize>;

fn last_files(files: &[&str]) -> LastFiles {
    let mut last = HashMap::new();
    for (nth, events) in files.iter().enumerate() {
        for started in StartedProperty::read_all(events) {
            if !is_round(&started.group) {
                last.insert(started.identity, nth);
            }
        }
    }
    last
}

/// Converts events to observations.
struct Observer<'a> {
    is_shown: &'a dyn Fn(&Identity) -> bool,
    /// The properties that run again in a later file, and are therefore omitted from this one.
    run_again: HashSet<Identity>,
    run: RunLine,
    /// The properties of the current file, by the id in its events.
    properties: HashMap<u64, ObservedProperty>,
    /// The start of the first round of each property, by campaign. All rounds get this start, so
    /// that viewers show them as one run.
    campaigns: HashMap<(String, Identity), f64>,
}

/// A property whose events are being read.
#[derive(Default)]
struct ObservedProperty {
    name: String,
    start: f64,
    seed: u64,
    objectives: Vec<String>,
    /// The values that the current case reported. Its case event follows.
    reported: Map<String, Json>,
}

impl<'a> Observer<'a> {
    fn new(is_shown: &'a dyn Fn(&Identity) -> bool) -> Self {
        Self {
            is_shown,
            run_again: HashSet::new(),
            run: RunLine::default(),
            properties: HashMap::new(),
            campaigns: HashMap::new(),
        }
    }

    fn begin_file(&mut self, nth: usize, last: &LastFiles) {
        let later = last.iter().filter(|(_, last)| **last > nth);
        self.run_again = later.map(|(identity, _)| identity.clone()).collect();
        self.run = RunLine::default();
        self.properties.clear();
    }

    fn read(&mut self, line: &str) -> serde_json::Result<Option<Json>> {
        let head: Head<'_> = serde_json::from_str(line)?;
        match &*head.event {
            "run" => self.run = serde_json::from_str(line)?,
            "begin" => {
                let begin: BeginLine = serde_json::from_str(line)?;
                let BeginLine { property, package, target, seed, at_ms, .. } = begin;
                let identity = Identity::new(&package, &self.run.program, &target, &property);
                let mut start = began(&self.run.start, at_ms);
                self.properties.remove(&head.id);
                if (self.is_shown)(&identity) && !self.run_again.contains(&identity) {
                    if is_round(&self.run.group) {
                        let key = (self.run.group.clone(), identity);
                        start = *self.campaigns.entry(key).or_insert(start);
                    }
                    let name = full_name(&property, &package, &target);
                    let observed =
                        ObservedProperty { name, start, seed, ..ObservedProperty::default() };
                    self.properties.insert(head.id, observed);
                }
            }
            event => {
                if let Some(observed) = self.properties.get_mut(&head.id) {
                    return observed.read(event, line);
                }
            }
        }
        Ok(None)
    }
}

impl ObservedProperty {
    fn read(&mut self, event: &str, line: &str) -> serde_json::Result<Option<Json>> {
        match event {
            "objective" => {
                let objective: ObjectiveLine = serde_json::from_str(line)?;
                if objective.objective == self.objectives.len() {
                    let is_named = !objective.label.is_empty();
                    self.objectives.push(if is_named {
                        objective.label
                    } else {
                        "score".to_owned()
                    });
                }
            }
            "step" => {
                let step: StepLine = serde_json::from_str(line)?;
                for (label, value) in self.objectives.iter().zip(step.values) {
                    // JSON has no infinite numbers, and Tyche could not chart them.
                    let value = value.and_then(|Number(value)| serde_json::Number::from_f64(value));
                    if let Some(value) = value {
                        self.reported.insert(label.clone(), Json::Number(value));
                    }
                }
            }
            "case" => {
                let CaseValues { values } = serde_json::from_str(line)?;
                return Ok(Some(self.case(&serde_json::from_str(line)?, &values)));
            }
            "failure" => return Ok(Some(self.input(serde_json::from_str(line)?, "failed"))),
            "witness" => return Ok(Some(self.input(serde_json::from_str(line)?, "passed"))),
            "end" => return Ok(Some(self.result(&serde_json::from_str(line)?))),
            _ => {}
        }
        Ok(None)
    }

    fn case(&mut self, case: &CaseLine<'_>, values: &[Value]) -> Json {
        let mut features = std::mem::take(&mut self.reported);
        for (nth, label) in case.labels.iter().enumerate() {
            // Labels come in the order of the code of the property, so the n-th labels of all
            // cases are one feature.
            let key = if nth == 0 { "label".to_owned() } else { format!("label {}", nth + 1) };
            features.insert(key, Json::String(label.clone().into_owned()));
        }
        if let Some(choices) = case.choices {
            features.insert("choices".to_owned(), choices.into());
        }
        let status = match &*case.outcome {
            // Whether a matching input is a success is shown by the observation that follows.
            "passed" | "found" => "passed",
            "failed" => "failed",
            _ => "gave_up",
        };
        let reason = match (&*case.outcome, case.why.as_deref()) {
            (_, Some(why)) => why,
            ("passed" | "found", None) => "",
            (outcome, None) => outcome,
        };
        let shown = match (values, &case.replay, case.case) {
            ([], Some(replay), _) => self.call(replay),
            ([], None, Some(number)) => self.call(&format!("case {number}")),
            ([], None, None) => self.call(&case.by),
            _ => self.call(&parameters(values)),
        };
        let metadata = json!({"case": case.case, "outcome": case.outcome, "replay": case.replay});
        self.observation(
            status,
            reason,
            &shown,
            arguments(values),
            &case.by,
            Json::Object(features),
            metadata,
        )
    }

    fn input(&self, input: InputLine, status: &str) -> Json {
        let metadata = json!({
            "kind": input.kind, "location": input.location, "replay": input.replay,
            "notes": input.notes, "is_minimal": !input.shrink_gave_up,
        });
        let by = format!("{}, shrunk", input.by);
        self.observation(
            status,
            &input.message,
            &self.call(&parameters(&input.values)),
            arguments(&input.values),
            &by,
            json!({}),
            metadata,
        )
    }

    /// Formats an input as a call of the property. Viewers consider cases with the same string
    /// equal, even those of different properties, so the name is part of it.
    fn call(&self, parameters: &str) -> String {
        let (path, _) = self.name.split_once(' ').unwrap_or((&self.name, ""));
        format!("{path}({parameters})")
    }

    /// Returns the message with the result of the property.
    fn result(&self, end: &EndLine) -> Json {
        let verdict = words::verdict(VerdictCode::parse(&end.verdict));
        let cases = words::counted(end.cases, "case", "cases");
        let reason = end.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        json!({
            "type": if end.success { "info" } else { "alert" },
            "title": "Result",
            "content": format!("{verdict}, {cases}, seed {}{reason}", self.seed),
            "property": self.name,
            "run_start": self.start,
        })
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of the format")]
    fn observation(
        &self,
        status: &str,
        reason: &str,
        representation: &str,
        arguments: Json,
        how_generated: &str,
        features: Json,
        metadata: Json,
    ) -> Json {
        json!({
            "type": "test_case",
            "run_start": self.start,
            "property": self.name,
            "status": status,
            "status_reason": reason,
            "representation": representation,
            "arguments": arguments,
            "how_generated": how_generated,
            "features": features,
            "coverage": null,
            "timing": {},
            "metadata": metadata,
        })
    }
}

/// Returns the name of a property, with its package and target unless the target is the library of
/// its package. Viewers identify properties by name only.
fn full_name(property: &str, package: &str, target: &str) -> String {
    let krate = property.split("::").next().unwrap_or_default();
    if package.is_empty() || (target == "lib" && krate == package.replace('-', "_")) {
        return property.to_owned();
    }
    format!("{property} ({package}, {target})")
}

/// The maximum length of parameters on one line. Arbitrary; longer ones take a line each.
const LINE_MAX: usize = 80;

/// Formats values as the parameters of a call.
fn parameters(values: &[Value]) -> String {
    let all: Vec<String> =
        values.iter().map(|value| format!("{} = {}", value.name, value.code)).collect();
    let is_short = all.iter().map(String::len).sum::<usize>() <= LINE_MAX;
    match is_short && !all.iter().any(|one| one.contains('\n')) {
        true => all.join(", "),
        false => format!("\n    {},\n", all.join(",\n    ")),
    }
}

fn arguments(values: &[Value]) -> Json {
    let code = |value: &Value| (value.name.clone(), Json::String(value.code.clone()));
    Json::Object(values.iter().map(code).collect())
}
