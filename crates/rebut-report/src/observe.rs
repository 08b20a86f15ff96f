//! Observations as Hypothesis defined them for viewers such as Tyche: a JSON object a line, one
//! for each case, and one more for each failure, with its values.
//!
//! Events have choices and not values, so a case is represented by its replay string, and its
//! features are its labels, how many choices it took, and what it reported to objectives.

use std::collections::HashMap;

use serde_json::{Map, Value as Json, json};

use crate::json::number;
use crate::lines::{BeginLine, CaseLine, Head, Number, ObjectiveLine, RunLine, StepLine, ToldLine};

/// The observations of one file of events.
#[must_use]
pub fn observations(events: &str) -> String {
    let mut observer = Observer::default();
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

#[derive(Default)]
struct Observer {
    start: f64,
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

impl Observer {
    fn read(&mut self, line: &str) -> serde_json::Result<Option<Json>> {
        let head: Head<'_> = serde_json::from_str(line)?;
        match &*head.event {
            "run" => self.start = unix_time(&serde_json::from_str::<RunLine>(line)?.start),
            "begin" => {
                let begin: BeginLine = serde_json::from_str(line)?;
                let start = self.start + begin.at_ms.unwrap_or_default() / 1e3;
                let observed = Observed { name: begin.property, start, ..Observed::default() };
                self.properties.insert(head.id, observed);
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

/// Seconds since 1970 of a time such as `2026-11-15T22:35:54.120Z`; 0 of anything else.
fn unix_time(text: &str) -> f64 {
    let part = |from: usize, to: usize| text.get(from..to)?.parse::<f64>().ok();
    let seconds = || {
        let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
        let clock = part(11, 13)? * 3600.0 + part(14, 16)? * 60.0 + part(17, text.len() - 1)?;
        // Years begin in March, so that a leap day is the last of its year.
        let (year, month) =
            if month > 2.0 { (year, month - 3.0) } else { (year - 1.0, month + 9.0) };
        let leaps = (year / 4.0).floor() - (year / 100.0).floor() + (year / 400.0).floor();
        let days = 365.0 * year + leaps + ((153.0 * month + 2.0) / 5.0).floor() + day - 719_469.0;
        Some(days * 86_400.0 + clock)
    };
    if text.is_ascii() && text.ends_with('Z') { seconds().unwrap_or(0.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_count_from_1970() {
        assert_eq!(unix_time("1970-01-01T00:00:00.000Z"), 0.0);
        assert_eq!(unix_time("2000-02-29T00:00:00.000Z"), 951_782_400.0);
        assert_eq!(unix_time("2024-02-29T23:59:59.500Z"), 1_709_251_199.5);
        assert_eq!(unix_time("Z"), 0.0);
        assert_eq!(unix_time("yesterday"), 0.0);
    }
}
