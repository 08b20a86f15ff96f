//! The path tree as a graph for Graphviz.

use super::text::cut;
use crate::ExploredTest;
use crate::view::BranchTarget;
use rebut_report::PathKind;
use std::fmt::Write as _;

/// The maximum number of characters of a line in a label.
///
/// Arbitrary: a line of a terminal. Longer ones are cut, or boxes would be wider than a screen.
const LABEL_MAX: usize = 80;

/// Returns the graph of a test; empty if its paths cannot be shown.
pub(crate) fn graph(test: &ExploredTest) -> String {
    let Some(view) = &test.view else { return String::new() };
    let mut dot = String::from("digraph paths {\n  node [shape=box, fontname=monospace];\n");
    let _ = writeln!(dot, "  label={};", quoted(&test.description.path));
    for (nth, decision) in view.decisions.iter().enumerate() {
        let mut label = cut(&decision.condition, LABEL_MAX);
        if let Some(location) = &decision.location {
            let _ = write!(label, "\n{}:{}", location.file, location.line);
        }
        let tooltip = quoted(&decision.source);
        let _ = writeln!(dot, "  n{nth} [label={}, tooltip={tooltip}];", quoted(&label));
        for (word, target) in [("yes", &decision.yes), ("no", &decision.no)] {
            match target {
                BranchTarget::Decision(next) => edge(&mut dot, nth, &format!("n{next}"), word),
                BranchTarget::Path(path) => edge(&mut dot, nth, &format!("p{path}"), word),
                BranchTarget::Impossible => {}
                BranchTarget::Open(why) => {
                    let end = format!("o{nth}{word}");
                    let tooltip = quoted(why);
                    let _ = writeln!(dot, "  {end} [shape=plain, label=\"?\", tooltip={tooltip}];");
                    edge(&mut dot, nth, &end, word);
                }
            }
        }
    }
    for (nth, path) in view.paths.iter().enumerate() {
        let mut label = cut(&path.outcome, LABEL_MAX);
        for value in &path.values {
            let line = format!("{} = {}", value.name, value.code.replace('\n', " "));
            let _ = write!(label, "\n{}", cut(&line, LABEL_MAX));
        }
        let color = if path.kind == PathKind::Failed { ", color=red" } else { "" };
        let _ = writeln!(dot, "  p{nth} [shape=oval, label={}{color}];", quoted(&label));
    }
    dot.push_str("}\n");
    dot
}

fn edge(dot: &mut String, from: usize, to: &str, word: &str) {
    let _ = writeln!(dot, "  n{from} -> {to} [label={word}];");
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
