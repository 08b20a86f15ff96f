//! Results of explorations as text, JSON and graphs.

use super::assumed::{Assumption, clause};
use super::confirm::Confirmation;
use super::lines;
use super::picture::{Decision, PathOf, Picture, Way};
use rebut_concolic::{
    Coverage, Description, Exploration, Leaf, Limit, Loss, Outcome, Proof, ShownValue,
    SourceLocation, Verdict,
};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A verdict, and reports of failures.
pub(crate) fn text(
    description: &Description,
    exploration: &Exploration,
    confirmed: &[Confirmation],
    assumed: &[Assumption],
) -> String {
    let reports: Vec<&str> = confirmed
        .iter()
        .filter_map(|confirmed| match confirmed {
            Confirmation::Fails(failure) => Some(failure.report.trim_end()),
            Confirmation::Passes | Confirmation::Rejected(_) => None,
        })
        .collect();
    let mut text = format!("{}: ", description.path);
    if reports.is_empty() && !confirmed.is_empty() {
        let paths = counted(exploration.leaves.len(), "path");
        let _ = writeln!(text, "unknown: no failure on {paths} that a native run confirms");
    } else {
        let _ = writeln!(text, "{}", verdict(description, exploration, assumed));
    }
    for report in reports {
        let _ = writeln!(text, "\n{report}\n");
    }
    for note in notes(exploration, confirmed) {
        let _ = writeln!(text, "  note: {note}");
    }
    text
}

/// Notes about inputs that do not fail natively.
fn notes(exploration: &Exploration, confirmed: &[Confirmation]) -> Vec<String> {
    let inputs = |count: usize, one: &str, many: &str| match count {
        1 => format!("an input {one}"),
        _ => format!("{count} inputs {many}"),
    };
    let mut notes = Vec::new();
    let passing = confirmed.iter().filter(|one| matches!(one, Confirmation::Passes)).count();
    if passing > 0 {
        let fail = inputs(passing, "fails", "fail");
        notes.push(format!("{fail} in WebAssembly only, where a `usize` has 32 bits"));
        if !exploration.assumed.is_empty() {
            let tests = exploration.assumed.join("`, `");
            notes.push(format!("the summary `{tests}` may be too weak"));
        }
    }
    for confirmed in confirmed {
        if let Confirmation::Rejected(why) = confirmed {
            notes
                .push(format!("an input fails in WebAssembly, but a native run rejects it: {why}"));
        }
    }
    notes.sort();
    notes.dedup();
    notes
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The verdict on a test, in one sentence.
pub(crate) fn verdict(
    description: &Description,
    exploration: &Exploration,
    assumed: &[Assumption],
) -> String {
    let assuming = clause(assumed);
    let count = exploration.leaves.len();
    let paths = counted(count, "path");
    let all = if count == 1 { "its only path was".to_owned() } else { format!("all {paths} were") };
    match &exploration.verdict {
        Verdict::Holds if description.is_exists => {
            format!("proved: no such input exists; {all} explored{assuming}")
        }
        Verdict::Holds => format!("proved: {all} explored{assuming}"),
        Verdict::Found(_) if description.is_exists => {
            format!("found a matching input in {paths}")
        }
        Verdict::Found(_) => format!("failed: a matching input exists (found in {paths})"),
        Verdict::Vacuous => {
            let all = if count == 1 { "its only path".to_owned() } else { format!("all {paths}") };
            format!("vacuous: the test rejects the input on {all}{assuming}")
        }
        Verdict::Fails(leaves) => {
            format!("failed ({} in {})", counted(leaves.len(), "failure"), paths)
        }
        Verdict::Unknown(limits) => {
            let limits: Vec<String> = limits.iter().map(limit).collect();
            let why = if limits.is_empty() {
                "some paths were not explored".to_owned()
            } else {
                limits.join("; ")
            };
            format!("unknown: no failure on {paths}; stopped because {why}")
        }
    }
}

pub(crate) fn limit(limit: &Limit) -> String {
    match limit {
        Limit::Runs(runs) => format!("the limit of {runs} runs was reached (`--runs`)"),
        Limit::Conflicts(_) => "the total solver budget was used up".to_owned(),
        Limit::Terms(_) => {
            "the total size of solver queries reached its limit (`--terms`)".to_owned()
        }
        Limit::Solver(why, times) => format!("{why}, {}", counted(*times, "time")),
        Limit::Fuel(runs) => format!("{} took too long", counted(*runs, "run")),
        Limit::Lossy(loss) => match loss {
            Loss::TooLarge => "an expression became too large, as those of hashes do".to_owned(),
            Loss::Float(_) => "some float arithmetic was not modeled symbolically".to_owned(),
            Loss::Length(length) => {
                format!("collections were limited to {length} elements (`--length`)")
            }
            Loss::TooLong => "a path became too long".to_owned(),
        },
        Limit::Diverged(runs) => {
            let runs = counted(*runs, "run");
            format!("{runs} diverged: the test depends on something other than its inputs")
        }
        Limit::Unsupported(what, place) => {
            let place = place.as_ref().map(|place| format!(": {place}")).unwrap_or_default();
            format!("it {what}, which does not exist in WebAssembly{place}")
        }
        Limit::Misuse(what) => what.clone(),
        Limit::Internal(what) => format!("of an internal error; please report it: {what}"),
    }
}

/// The leaves of the smallest set that was found whose runs take all sides of branches that
/// any run takes.
pub(crate) fn covering(leaves: &[Leaf]) -> Vec<usize> {
    let mut missing: BTreeSet<(u32, bool)> =
        leaves.iter().flat_map(|leaf| leaf.covered.iter().copied()).collect();
    let mut chosen = Vec::new();
    while !missing.is_empty() {
        let gain = |leaf: &Leaf| {
            let sides: BTreeSet<&(u32, bool)> = leaf.covered.iter().collect();
            sides.into_iter().filter(|side| missing.contains(side)).count()
        };
        // Of those that add as much, the one with the simplest input.
        let best = leaves
            .iter()
            .enumerate()
            .max_by(|(_, a), (_, b)| gain(a).cmp(&gain(b)).then_with(|| b.tape.compare(&a.tape)));
        let Some((place, leaf)) = best else { break };
        for side in &leaf.covered {
            missing.remove(side);
        }
        chosen.push(place);
    }
    chosen.sort_unstable();
    chosen
}

/// One line.
pub(crate) fn json(
    description: &Description,
    exploration: &Exploration,
    confirmed: &[Confirmation],
    assumed: &[Assumption],
    picture: Option<&Picture>,
) -> String {
    let (word, limits): (&str, Vec<String>) = match &exploration.verdict {
        Verdict::Holds if description.is_exists => ("absent", Vec::new()),
        Verdict::Holds => ("proved", Vec::new()),
        Verdict::Fails(_) => ("fails", Vec::new()),
        Verdict::Found(_) => ("found", Vec::new()),
        Verdict::Vacuous => ("vacuous", Vec::new()),
        Verdict::Unknown(limits) => ("unknown", limits.iter().map(limit).collect()),
    };
    let paths: Vec<Value> = match picture {
        Some(picture) => picture.paths.iter().map(path_value).collect(),
        None => exploration.leaves.iter().map(leaf_value).collect(),
    };
    let natively: Vec<bool> =
        confirmed.iter().map(|confirmed| matches!(confirmed, Confirmation::Fails(_))).collect();
    let value = json!({
        "test": description.path,
        "file": description.file,
        "line": description.line,
        "verdict": word,
        "limits": limits,
        "runs": exploration.runs,
        "divergences": exploration.divergences,
        "assumes": assumptions(assumed),
        "paths": paths,
        "covering": covering(&exploration.leaves),
        "fails_natively": natively,
        "tree": picture.map(tree_value),
        "coverage": picture.and_then(|picture| picture.coverage.as_ref()).map(coverage_value),
    });
    format!("{value}\n")
}

/// The names of what a verdict rests on besides the paths.
pub(crate) fn assumptions(assumed: &[Assumption]) -> Vec<&str> {
    assumed.iter().map(|assumption| assumption.word.as_str()).collect()
}

fn leaf_value(leaf: &Leaf) -> Value {
    json!({"replay": leaf.tape.to_replay_string(), "outcome": outcome(&leaf.outcome)})
}

/// A path with its input.
pub(crate) fn path_value(path: &PathOf) -> Value {
    json!({
        "replay": path.replay,
        "kind": path.kind,
        "outcome": path.outcome,
        "values": path.values.iter().map(shown_value).collect::<Vec<_>>(),
        "covering": path.is_covering,
    })
}

/// A value as events have it.
pub(crate) fn shown_value(shown: &ShownValue) -> Value {
    json!({"name": shown.name, "type": shown.type_name, "code": shown.code})
}

/// The decisions; the first is the root.
fn tree_value(picture: &Picture) -> Value {
    picture.decisions.iter().map(decision_value).collect()
}

/// A decision.
pub(crate) fn decision_value(decision: &Decision) -> Value {
    let mut value = json!({
        "condition": decision.condition,
        "yes": way_value(&decision.yes),
        "no": way_value(&decision.no),
    });
    if let Some(place) = &decision.place {
        value["place"] = place_value(place);
    }
    if !decision.source.is_empty() {
        value["source"] = decision.source.clone().into();
    }
    value
}

fn way_value(way: &Way) -> Value {
    match way {
        Way::Decision(nth) => json!({"decision": nth}),
        Way::Path(nth) => json!({"path": nth}),
        Way::Impossible => json!({"impossible": true}),
        Way::Open(why) => json!({"open": why}),
    }
}

fn place_value(place: &SourceLocation) -> Value {
    json!({
        "file": place.file,
        "line": place.line,
        "column": place.column,
        "function": place.function,
        "under_test": place.is_under_test,
    })
}

/// Whether what was not reached is out of reach.
pub(crate) fn proof_word(proof: Proof) -> &'static str {
    match proof {
        Proof::All => "all",
        Proof::UpTo(_) => "bounded",
        Proof::None => "none",
    }
}

/// The lines that were reached, file by file.
fn coverage_value(coverage: &Coverage) -> Value {
    let files: Vec<Value> = coverage
        .files
        .iter()
        .map(|(file, of)| {
            let lines: Vec<Value> = of
                .iter()
                .map(|(number, line)| {
                    let mut value = json!({"line": number, "reached": line.unreached.is_none()});
                    if let Some(unreached) = &line.unreached {
                        value["why"] = lines::why(unreached, coverage.proof, file).into();
                    }
                    if line.sides > 0 {
                        value["sides"] = line.sides.into();
                        value["taken"] = line.taken.into();
                    }
                    value
                })
                .collect();
            let (reached, all) = lines::reached(of);
            json!({"file": file, "reached": reached, "of": all, "lines": lines})
        })
        .collect();
    json!({"proof": proof_word(coverage.proof), "files": files})
}

/// How a path ended, in a few words.
pub(crate) fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Passed => "passes".to_owned(),
        Outcome::Found => "found".to_owned(),
        Outcome::Rejected(_) => "rejected".to_owned(),
        Outcome::Exhausted => "takes too long".to_owned(),
        Outcome::Failed(failure) if failure.file.is_empty() => failure.message.clone(),
        Outcome::Failed(failure) => {
            format!("{} ({}:{})", failure.message, failure.file, failure.line)
        }
        Outcome::Unsupported(what) | Outcome::Misuse(what) | Outcome::Internal(what) => {
            what.clone()
        }
    }
}

/// Labels longer than this are cut.
const LABEL_MAX: usize = 80;

/// The tree of paths for Graphviz.
pub(crate) fn dot(description: &Description, picture: &Picture) -> String {
    let mut dot = String::from("digraph paths {\n  node [shape=box, fontname=monospace];\n");
    let _ = writeln!(dot, "  label={};", quoted(&description.path));
    for (nth, decision) in picture.decisions.iter().enumerate() {
        let mut label = cut(&decision.condition, LABEL_MAX);
        if let Some(place) = &decision.place {
            let _ = write!(label, "\n{}:{}", place.file, place.line);
        }
        let tooltip = quoted(&decision.source);
        let _ = writeln!(dot, "  n{nth} [label={}, tooltip={tooltip}];", quoted(&label));
        for (word, way) in [("yes", &decision.yes), ("no", &decision.no)] {
            match way {
                Way::Decision(next) => edge(&mut dot, nth, &format!("n{next}"), word),
                Way::Path(path) => edge(&mut dot, nth, &format!("p{path}"), word),
                Way::Impossible => {}
                Way::Open(why) => {
                    let end = format!("o{nth}{word}");
                    let tooltip = quoted(why);
                    let _ = writeln!(dot, "  {end} [shape=plain, label=\"?\", tooltip={tooltip}];");
                    edge(&mut dot, nth, &end, word);
                }
            }
        }
    }
    for (nth, path) in picture.paths.iter().enumerate() {
        let mut label = cut(&path.outcome, LABEL_MAX);
        for value in &path.values {
            let line = format!("{} = {}", value.name, value.code.replace('\n', " "));
            let _ = write!(label, "\n{}", cut(&line, LABEL_MAX));
        }
        let color = if path.kind == "failed" { ", color=red" } else { "" };
        let _ = writeln!(dot, "  p{nth} [shape=oval, label={}{color}];", quoted(&label));
    }
    dot.push_str("}\n");
    dot
}

fn edge(dot: &mut String, from: usize, to: &str, word: &str) {
    let _ = writeln!(dot, "  n{from} -> {to} [label={word}];");
}

/// At most so many characters.
pub(crate) fn cut(text: &str, length_max: usize) -> String {
    match text.char_indices().nth(length_max) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
