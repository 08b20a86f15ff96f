//! Observations as Hypothesis defined them for viewers such as Tyche: a JSON object a line, one
//! for each case, and one more for each failure, with its values.
//!
//! Events have choices and not values, so a case is represented by its replay string, and its
//! features are its labels, how many choices it took, and what it reported to objectives.

use std::collections::HashMap;

use serde_json::{Map, Value as Json, json};

use crate::json::number;
use crate::latest::Identity;
use crate::lines::{BeginLine, CaseLine, Head, Number, ObjectiveLine, RunLine, StepLine, ToldLine};
use crate::read::began;

/// The observations of one file of events, of the properties for which this is true.
#[must_use]
pub fn observations(events: &str, is_shown: &dyn Fn(&Identity) -> bool) -> String {
    let mut observer = Observer::new(is_shown);
    let mut text = String::new();
    for line in events.lines() {
        // What cannot be read is no case.
        if let Ok(Some(observation)) = observer.read(line) {
            text += &observation.to_string();
            text.push('\n');
        }
    }
    text
}

struct Observer<'a> {
    is_shown: &'a dyn Fn(&Identity) -> bool,
    run: RunLine,
    properties: HashMap<u64, Observed>,
}

#[derive(Default)]
struct Observed {
    name: String,
    start: f64,
    objectives: Vec<String>,
    /// What the last case reported.
    reported: Map<String, Json>,
}

impl<'a> Observer<'a> {
    fn new(is_shown: &'a dyn Fn(&Identity) -> bool) -> Self {
        Self { is_shown, run: RunLine::default(), properties: HashMap::new() }
    }

    fn read(&mut self, line: &str) -> serde_json::Result<Option<Json>> {
        let head: Head<'_> = serde_json::from_str(line)?;
        match &*head.event {
            "run" => self.run = serde_json::from_str(line)?,
            "begin" => {
                let begin: BeginLine = serde_json::from_str(line)?;
                let BeginLine { property: name, package, target, at_ms, .. } = begin;
                let identity = Identity::new(&package, &self.run.program, &target, &name);
                let start = began(&self.run.start, at_ms);
                self.properties.remove(&head.id);
                if (self.is_shown)(&identity) {
                    let observed = Observed { name, start, ..Observed::default() };
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
                    if let Some(Number(value)) = value {
                        self.reported.insert(label.clone(), number(value));
                    }
                }
            }
            "case" => return Ok(Some(self.case(&serde_json::from_str(line)?))),
            "failure" | "witness" => return Ok(Some(self.told(serde_json::from_str(line)?))),
            _ => {}
        }
        Ok(None)
    }

    fn case(&mut self, case: &CaseLine<'_>) -> Json {
        let mut features = std::mem::take(&mut self.reported);
        for label in &case.labels {
            features.insert(label.clone().into_owned(), Json::Bool(true));
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
        let replay = case.replay.as_deref().unwrap_or_default();
        let metadata = json!({"case": case.case, "outcome": case.outcome});
        self.observation(
            status,
            reason,
            replay,
            json!({}),
            &case.by,
            Json::Object(features),
            metadata,
        )
    }

    fn told(&self, told: ToldLine) -> Json {
        let mut arguments = Map::new();
        let mut lines = String::new();
        for value in &told.values {
            arguments.insert(value.name.clone(), Json::String(value.code.clone()));
            lines += &format!("let {} = {};\n", value.name, value.code);
        }
        let status = if told.kind == "witness" { "passed" } else { "failed" };
        let metadata = json!({
            "kind": told.kind, "location": told.location, "replay": told.replay,
            "notes": told.notes, "is_minimal": !told.shrink_gave_up,
        });
        let arguments = Json::Object(arguments);
        let by = format!("{}, shrunk", told.by);
        self.observation(
            status,
            &told.message,
            lines.trim_end(),
            arguments,
            &by,
            json!({}),
            metadata,
        )
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
