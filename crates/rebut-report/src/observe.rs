//! Observations as Hypothesis defined them for viewers such as Tyche: a JSON object a line, one
//! for each case, one more for each failure with its minimal values, and a message with the result
//! of each property.
//!
//! The format is that of `schema_observations.json` of Hypothesis. What Tyche makes of it decides
//! the rest: it takes cases with the same representation for duplicates, charts features that are
//! numbers or strings and drops all others, and shows of each property only the run with the
//! latest start.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value as Json, json};

use crate::latest::{Begun, Identity};
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
    let files: Vec<&str> = files.into_iter().collect();
    let last = last_files(&files);
    let mut text = String::new();
    let mut observer = Observer::new(is_shown);
    for (nth, events) in files.iter().enumerate() {
        observer.begin_file(nth, &last);
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

/// The last of the files in which a property ran, unless these are rounds of a campaign.
type LastFiles = HashMap<Identity, usize>;

fn last_files(files: &[&str]) -> LastFiles {
    let mut last = HashMap::new();
    for (nth, events) in files.iter().enumerate() {
        for begun in Begun::all(events) {
            if !is_round(&begun.group) {
                last.insert(begun.identity, nth);
            }
        }
    }
    last
}

struct Observer<'a> {
    is_shown: &'a dyn Fn(&Identity) -> bool,
    /// The properties that run again in a later file.
    run_again: HashSet<Identity>,
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
            // Whether that is good is said by the failure that follows, or the input.
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
            &self.call(&parameters(&told.values)),
            arguments(&told.values),
            &by,
            json!({}),
            metadata,
        )
    }

    /// An input as a call of the property: a viewer takes the same text for the same input, also
    /// in other properties.
    fn call(&self, parameters: &str) -> String {
        let (path, _) = self.name.split_once(' ').unwrap_or((&self.name, ""));
        format!("{path}({parameters})")
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

/// Values as parameters of a call.
fn parameters(values: &[Value]) -> String {
    let all: Vec<String> =
        values.iter().map(|value| format!("{} = {}", value.name, value.code)).collect();
    let is_short = all.iter().map(String::len).sum::<usize>() <= 80;
    match is_short && !all.iter().any(|one| one.contains('\n')) {
        true => all.join(", "),
        false => format!("\n    {},\n", all.join(",\n    ")),
    }
}

fn arguments(values: &[Value]) -> Json {
    let code = |value: &Value| (value.name.clone(), Json::String(value.code.clone()));
    Json::Object(values.iter().map(code).collect())
}
