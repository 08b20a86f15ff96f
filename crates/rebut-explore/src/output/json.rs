//! Explored tests as JSON. The parts that events have too are the structs of `rebut-report`.

use super::{coverage, text};
use crate::ExploredTest;
use crate::reason::Reason;
use crate::view::{self, BranchTarget, PathInput, covering_paths};
use rebut_concolic::{Coverage, Exploration, Leaf, Line, Proof, ShownValue};
use serde_json::{Value, json};

/// Returns the line of a test.
pub(crate) fn line(test: &ExploredTest) -> String {
    let ExploredTest { description, verdict, exploration, native, .. } = test;
    let view = test.view.as_ref();
    let exploration = exploration.as_ref();
    let leaves = exploration.map(|exploration| exploration.leaves.as_slice()).unwrap_or_default();
    let paths: Vec<Value> = match view {
        Some(view) => view.paths.iter().map(|one| json!(path(one))).collect(),
        None => leaves.iter().map(plain_path).collect(),
    };
    let decisions = view.map(|view| view.decisions.iter().map(decision).collect::<Vec<_>>());
    let limits: Vec<String> = verdict.reasons().iter().filter_map(limit).collect();
    let inputs = verdict.failures().iter().flat_map(|failure| &failure.inputs);
    let value = json!({
        "test": description.path,
        "file": description.file,
        "line": description.line,
        "verdict": verdict.word(),
        "sentence": test.sentence(),
        "reasons": verdict.reasons().iter().map(reason).collect::<Vec<_>>(),
        "limits": limits,
        "failures": inputs.map(failure).collect::<Vec<_>>(),
        "runs": exploration.map_or(0, |exploration| exploration.runs),
        "effort": exploration.map_or(0.0, |exploration| exploration.work as f64 / 1e6),
        "divergences": exploration.map_or(0, |exploration| exploration.divergences),
        "assumes": exploration.map(assumptions).unwrap_or_default(),
        "native": {
            "cases": native.before.as_ref().map_or(0, |before| before.cases),
            "paths": native.paths.ran,
            "divergences": native.paths.divergences.len(),
        },
        "paths": paths,
        "covering": covering_paths(leaves),
        "tree": decisions,
        "coverage": view.and_then(|view| view.coverage.as_ref()).map(coverage_value),
    });
    format!("{value}\n")
}

fn reason(reason: &Reason) -> Value {
    json!({"name": reason.name(), "words": reason.words(), "help": reason.help()})
}

fn limit(reason: &Reason) -> Option<String> {
    matches!(reason, Reason::Limit(_)).then(|| reason.words())
}

fn failure(input: &rebut_report::ReportedInput) -> Value {
    json!({
        "by": input.by,
        "kind": input.kind,
        "message": input.message,
        "location": input.location,
        "replay": input.replay,
        "values": input.values,
    })
}

/// Returns what the paths of an exploration assume.
pub(crate) fn assumptions(exploration: &Exploration) -> Vec<String> {
    let summaries = exploration.assumed.iter().map(|test| format!("summary {test}"));
    let hashes = exploration.assumes_hashes.then(|| "hashes".to_owned());
    let mocks = (exploration.pruned > 0).then(|| "friendly mocks".to_owned());
    summaries.chain(hashes).chain(mocks).collect()
}

/// Returns a path whose values are unknown.
fn plain_path(leaf: &Leaf) -> Value {
    json!({"replay": leaf.tape.to_replay_string(), "outcome": text::outcome(&leaf.outcome)})
}

/// Converts a path with its input.
pub(crate) fn path(path: &PathInput) -> rebut_report::ExploredPath {
    rebut_report::ExploredPath {
        replay: Some(path.replay.clone()),
        kind: path.kind,
        outcome: path.outcome.clone(),
        values: path.values.iter().map(value).collect(),
        covering: path.is_covering,
    }
}

/// Converts a value.
pub(crate) fn value(shown: &ShownValue) -> rebut_report::Value {
    rebut_report::Value {
        name: shown.name.clone(),
        type_name: shown.type_name.clone(),
        code: shown.code.clone(),
    }
}

/// Converts a decision.
pub(crate) fn decision(decision: &view::Decision) -> rebut_report::Decision {
    let location = decision.location.as_ref().map(|location| rebut_report::SourceLocation {
        file: location.file.clone(),
        line: location.line.into(),
        column: location.column.into(),
        function: location.function.clone(),
        under_test: location.is_under_test,
    });
    rebut_report::Decision {
        condition: decision.condition.clone(),
        yes: branch_target(&decision.yes),
        no: branch_target(&decision.no),
        place: location,
        source: decision.source.clone(),
    }
}

fn branch_target(target: &BranchTarget) -> rebut_report::BranchTarget {
    let mut written = rebut_report::BranchTarget::default();
    match target {
        BranchTarget::Decision(nth) => written.decision = Some(*nth),
        BranchTarget::Path(nth) => written.path = Some(*nth),
        BranchTarget::Impossible => written.impossible = true,
        BranchTarget::Open(why) => written.open = Some(why.clone()),
    }
    written
}

/// Converts a line of code. `code` is empty where the code is not shown.
pub(crate) fn code_line(
    number: u32,
    line: &Line,
    proof: Proof,
    file: &str,
    code: String,
) -> rebut_report::CodeLine {
    rebut_report::CodeLine {
        line: number.into(),
        code,
        reached: line.unreached.is_none(),
        why: line.unreached.as_ref().map(|unreached| coverage::reason(unreached, proof, file)),
        sides: line.sides as u64,
        taken: line.taken as u64,
    }
}

/// Returns the word for what is proved about lines that were not reached.
pub(crate) fn proof_word(proof: Proof) -> &'static str {
    match proof {
        Proof::All => "all",
        Proof::UpTo(_) => "bounded",
        Proof::None => "none",
    }
}

fn coverage_value(coverage: &Coverage) -> Value {
    let files: Vec<Value> = coverage
        .files
        .iter()
        .map(|(file, lines)| {
            let proof = coverage.proof;
            let written: Vec<_> = lines
                .iter()
                .map(|(number, line)| code_line(*number, line, proof, file, String::new()))
                .collect();
            let (reached, all) = coverage::reached(lines);
            json!({"file": file, "reached": reached, "of": all, "lines": written})
        })
        .collect();
    json!({"proof": proof_word(coverage.proof), "files": files})
}
