//! Observations as Hypothesis defined them for viewers such as Tyche: a JSON object a line, one
//! for each case, one more for each failure with its minimal values, and a message with the result
//! of each property.
//!
//! The format is that of `schema_observations.json` of Hypothesis. What Tyche makes of it decides
//! the rest: it takes cases with the same representation for duplicates, charts features that are
//! numbers or strings and drops all others, and shows of each property only the run with the
//! latest start.

use std::collections::HashMap;

use serde_json::{Map, Value as Json, json};

use crate::latest::Identity;
use crate::lines::{
    BeginLine, CaseLine, CaseValues, EndLine, Head, Number, ObjectiveLine, RunLine, StepLine,
    ToldLine, Value,
};
use crate::read::{began, is_round};
use crate::words;

/// The observations of files of events, in the order in which their processes began, of the
/// properties for which this is true.
#[must_use]
pub fn observations<'a>(
    files: impl IntoIterator<Item = &'a str>,
    is_shown: &dyn Fn(&Identity) -> bool,
) -> String {
    let mut observer = Observer::new(is_shown);
    let mut text = String::new();
    for events in files {
        observer.begin_file();
        for line in events.lines() {
            // What cannot be read is no case.
            if let Ok(Some(observation)) = observer.read(line) {
                text += &observation.to_string();
                text.push('\n');
            }
        }
    }
    text
}

struct Observer<'a> {
    is_shown: &'a dyn Fn(&Identity) -> bool,
    run: RunLine,
    /// Those of the file that is read, by their numbers.
    properties: HashMap<u64, Observed>,
    /// When properties first began in a campaign, whose rounds are one run.
    campaigns: HashMap<(String, Identity), f64>,
}

#[derive(Default)]
struct Observed {
    name: String,
    start: f64,
    seed: u64,
    objectives: Vec<String>,
    /// What the last case reported.
    reported: Map<String, Json>,
}

impl<'a> Observer<'a> {
    fn new(is_shown: &'a dyn Fn(&Identity) -> bool) -> Self {
        Self {
            is_shown,
            run: RunLine::default(),
            properties: HashMap::new(),
            campaigns: HashMap::new(),
        }
    }

    fn begin_file(&mut self) {
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
                if (self.is_shown)(&identity) {
                    if is_round(&self.run.group) {
                        let key = (self.run.group.clone(), identity);
                        start = *self.campaigns.entry(key).or_insert(start);
                    }
                    let name = full_name(&property, &package, &target);
                    let observed = Observed { name, start, seed, ..Observed::default() };
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

impl Observed {
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
                    // What is no number in JSON cannot be charted.
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
            "failure" | "witness" => return Ok(Some(self.told(serde_json::from_str(line)?))),
            "end" => return Ok(Some(self.result(&serde_json::from_str(line)?))),
            _ => {}
        }
        Ok(None)
    }

    fn case(&mut self, case: &CaseLine<'_>, values: &[Value]) -> Json {
        let mut features = std::mem::take(&mut self.reported);
        for (nth, label) in case.labels.iter().enumerate() {
            // The labels of a case come in the order of its code, so those of one place are one
            // feature.
            let key = if nth == 0 { "label".to_owned() } else { format!("label {}", nth + 1) };
            features.insert(key, Json::String(label.clone().into_owned()));
        }
        if let Some(choices) = case.choices {
            features.insert("choices".to_owned(), choices.into());
        }
        let status = match &*case.outcome {
            "passed" => "passed",
            "failed" => "failed",
            _ => "gave_up",
        };
        let reason = match (&*case.outcome, case.why.as_deref()) {
            (_, Some(why)) => why,
            ("passed", None) => "",
            (outcome, None) => outcome,
        };
        let mut shown = representation(values);
        if shown.is_empty() {
            shown = match (&case.replay, case.case) {
                (Some(replay), _) => replay.clone().into_owned(),
                (None, Some(number)) => format!("case {number}"),
                (None, None) => case.by.clone().into_owned(),
            };
        }
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

    fn told(&self, told: ToldLine) -> Json {
        let status = if told.kind == "witness" { "passed" } else { "failed" };
        let metadata = json!({
            "kind": told.kind, "location": told.location, "replay": told.replay,
            "notes": told.notes, "is_minimal": !told.shrink_gave_up,
        });
        let by = format!("{}, shrunk", told.by);
        self.observation(
            status,
            &told.message,
            &representation(&told.values),
            arguments(&told.values),
            &by,
            json!({}),
            metadata,
        )
    }

    /// What is known of the property in the end, for people.
    fn result(&self, end: &EndLine) -> Json {
        let verdict = words::verdict(&end.verdict);
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

/// The name of a property, with its target unless that is the library of its package: a viewer
/// knows properties by their names alone.
fn full_name(property: &str, package: &str, target: &str) -> String {
    let krate = property.split("::").next().unwrap_or_default();
    if package.is_empty() || (target == "lib" && krate == package.replace('-', "_")) {
        return property.to_owned();
    }
    format!("{property} ({package}, {target})")
}

/// Values as lines of code.
fn representation(values: &[Value]) -> String {
    let lines: Vec<String> =
        values.iter().map(|value| format!("let {} = {};", value.name, value.code)).collect();
    lines.join("\n")
}

fn arguments(values: &[Value]) -> Json {
    let code = |value: &Value| (value.name.clone(), Json::String(value.code.clone()));
    Json::Object(values.iter().map(code).collect())
}
