//! Writes the report as JSON, for `--format json`.

use serde_json::{Value as Json, json};

use crate::model::{Explored, FrontCase, Objective, Property, Report, ReportedInput};
use crate::words;

/// The version of this format. Increment it if a field changes its meaning or is removed.
const VERSION: u64 = 1;

impl Report {
    /// Returns the report as one JSON object.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let runs = self.runs.iter().map(|run| {
            json!({
                "start": run.start, "group": run.group, "process": run.process,
                "program": run.program, "rebut": run.rebut,
                "manifest_dir": known(&run.manifest_dir),
                "command": run.command, "commit": run.commit,
            })
        });
        json!({
            "version": VERSION,
            "success": self.is_success(),
            "runs": runs.collect::<Vec<_>>(),
            "properties": self.properties.iter().map(property).collect::<Vec<_>>(),
            "unreadable_lines": self.unreadable,
        })
    }
}

/// Returns a number, or a string for NaN and the infinities, which JSON lacks.
pub(crate) fn number(number: f64) -> Json {
    match serde_json::Number::from_f64(number) {
        Some(number) => Json::Number(number),
        None => Json::String(if number.is_nan() { "NaN".to_owned() } else { number.to_string() }),
    }
}

/// Returns `None` for the empty string, which means unknown.
fn known(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

fn property(property: &Property) -> Json {
    let end = property.end.as_ref();
    let labels = property.labels();
    let labels: Vec<Json> =
        labels.iter().map(|(label, cases)| json!({"label": label, "cases": cases})).collect();
    json!({
        "run": property.run,
        "property": property.name,
        "place": property.location,
        "package": known(&property.package),
        "target": known(&property.target),
        "verdict": property.verdict(),
        "success": property.is_success(),
        "reason": end.and_then(|end| end.reason.as_ref()),
        "seed": property.seed,
        "settings": property.settings,
        "cases": property.cases(),
        "rejected": end.map(|end| &end.rejected),
        "too_large": end.map(|end| end.too_large),
        "checked": end.map(|end| &end.checked),
        "ms": end.map(|end| number(end.ms)),
        "labels": labels,
        "covers": end.map(|end| &end.covers),
        "samples": property.samples,
        "outcomes": property.outcomes,
        "choices": property.sizes,
        "failures": property.failures.iter().map(|input| reported_input(property, input)).collect::<Vec<_>>(),
        "witness": property.witness.as_ref().map(|input| reported_input(property, input)),
        "objectives": property.objectives.iter().map(objective).collect::<Vec<_>>(),
        "front": property.front.iter().map(front).collect::<Vec<_>>(),
        "explored": property.explored.as_ref().map(explored),
    })
}

fn reported_input(property: &Property, input: &ReportedInput) -> Json {
    json!({
        "number": input.number,
        "values": input.values,
        "free": input.free,
        "notes": input.notes,
        "kind": input.kind,
        "message": input.message,
        "contract": input.contract.as_ref().map(|contract| json!({
            "what": contract.what(), "blame": contract.blame(), "object": contract.object,
            "calls": contract.calls, "blamed_call": contract.blamed_call(),
        })),
        "location": input.location,
        "origin": input.origin,
        "by": input.by,
        "case": input.case,
        "found": words::how_found(property, input),
        "rate": input.rate.map(|(failed, runs)| json!({"failed": failed, "runs": runs})),
        "replay": input.replay,
        "command": words::replay_command(property, input),
        "test": input.test,
    })
}

fn objective(objective: &Objective) -> Json {
    json!({
        "label": objective.label,
        "direction": if objective.is_maximum { "maximize" } else { "minimize" },
        "needed": objective.needed.map(number),
        "value": objective.value.map(number),
        "values": objective.values,
        "replay": objective.replay,
    })
}

fn explored(explored: &Explored) -> Json {
    json!({
        "runs": explored.runs,
        "decisions": explored.decisions,
        "paths": explored.paths,
        "left_out": explored.left_out,
        "files": explored.files,
        "limits": explored.limits,
        "assumes": explored.assumes,
    })
}

fn front(case: &FrontCase) -> Json {
    let values: Vec<Json> = case.values.iter().copied().map(number).collect();
    json!({"case": case.case, "values": values, "replay": case.replay})
}
