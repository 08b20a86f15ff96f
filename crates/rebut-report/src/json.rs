//! The report as JSON: what `--format json` prints.

use serde_json::{Value as Json, json};

use crate::contract::Broken;
use crate::model::{Explored, FrontCase, Objective, Property, Report, Told};
use crate::words;

/// The version of this format; raised if something changes its meaning or goes away.
const VERSION: u64 = 1;

impl Report {
    /// The report as one object.
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

/// A number, or its name if JSON does not have it.
pub(crate) fn number(number: f64) -> Json {
    match serde_json::Number::from_f64(number) {
        Some(number) => Json::Number(number),
        None => Json::String(if number.is_nan() { "NaN".to_owned() } else { number.to_string() }),
    }
}

/// A text, or null if it is empty because nobody knows it.
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
        "place": property.place,
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
        "ms": end.map(|end| number(end.ms)),
        "labels": labels,
        "covers": end.map(|end| &end.covers),
        "samples": property.samples,
        "outcomes": property.outcomes,
        "choices": property.sizes,
        "failures": property.failures.iter().map(|told| input(property, told)).collect::<Vec<_>>(),
        "witness": property.witness.as_ref().map(|told| input(property, told)),
        "objectives": property.objectives.iter().map(objective).collect::<Vec<_>>(),
        "front": property.front.iter().map(front).collect::<Vec<_>>(),
        "explored": property.explored.as_ref().map(explored),
    })
}

fn input(property: &Property, told: &Told) -> Json {
    json!({
        "number": told.number,
        "values": told.values,
        "free": told.free,
        "notes": told.notes,
        "kind": told.kind,
        "message": told.message,
        "contract": Broken::of(&told.message).map(|broken| json!({
            "what": broken.what, "blame": broken.blame, "object": broken.object,
            "calls": broken.calls, "blamed_call": broken.blamed(),
        })),
        "location": told.location,
        "origin": told.origin,
        "by": told.by,
        "case": told.case,
        "found": words::how_found(property, told),
        "rate": told.rate.map(|(failed, runs)| json!({"failed": failed, "runs": runs})),
        "replay": told.replay,
        "command": words::replay_command(property, told),
        "test": told.test,
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
