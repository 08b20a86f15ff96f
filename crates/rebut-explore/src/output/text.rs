//! Verdicts and outcomes in words.

use super::coverage;
use crate::ExploredTest;
use crate::assumptions::clause;
use crate::confirm::Confirmation;
use rebut_concolic::{Limit, Loss, Outcome, Verdict};
use std::fmt::Write as _;

/// Returns the verdict, the reports of failures, and the reached lines if `coverage` is set.
pub(crate) fn text(test: &ExploredTest, coverage: bool) -> String {
    let ExploredTest { exploration, confirmations, .. } = test;
    let reports: Vec<&str> = confirmations
        .iter()
        .filter_map(|confirmation| match confirmation {
            Confirmation::Fails(failure) => Some(failure.report.trim_end()),
            Confirmation::Passes | Confirmation::Rejected(_) => None,
        })
        .collect();
    let mut text = format!("{}: ", test.description.path);
    if reports.is_empty() && !confirmations.is_empty() {
        let paths = counted(exploration.leaves.len(), "path");
        let _ = writeln!(text, "unknown: no failure on {paths} that a native run confirms");
    } else {
        let _ = writeln!(text, "{}", verdict(test));
    }
    for report in reports {
        let _ = writeln!(text, "\n{report}\n");
    }
    for note in notes(test) {
        let _ = writeln!(text, "  note: {note}");
    }
    let lines = test.view.as_ref().and_then(|view| view.coverage.as_ref());
    if let Some(lines) = lines.filter(|_| coverage) {
        text.push_str(&coverage::text(lines));
    }
    text
}

/// Returns notes about inputs that do not fail natively.
fn notes(test: &ExploredTest) -> Vec<String> {
    let inputs = |count: usize, one: &str, many: &str| match count {
        1 => format!("an input {one}"),
        _ => format!("{count} inputs {many}"),
    };
    let mut notes = Vec::new();
    let passing = test.confirmations.iter().filter(|one| matches!(one, Confirmation::Passes));
    let passing = passing.count();
    if passing > 0 {
        let fail = inputs(passing, "fails", "fail");
        notes.push(format!("{fail} in WebAssembly only, where a `usize` has 32 bits"));
        if !test.exploration.assumed.is_empty() {
            let tests = test.exploration.assumed.join("`, `");
            notes.push(format!("the summary `{tests}` may be too weak"));
        }
    }
    for confirmation in &test.confirmations {
        if let Confirmation::Rejected(why) = confirmation {
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

/// Returns the verdict in one sentence.
pub(crate) fn verdict(test: &ExploredTest) -> String {
    let ExploredTest { description, exploration, .. } = test;
    let assuming = clause(&test.assumptions);
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

/// Returns a limit of an exploration, as the end of a sentence.
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
        Limit::Unsupported(what, location) => {
            let location = location.as_ref().map(|at| format!(": {at}")).unwrap_or_default();
            format!("it {what}, which does not exist in WebAssembly{location}")
        }
        Limit::Misuse(what) => what.clone(),
        Limit::Internal(what) => format!("of an internal error; please report it: {what}"),
    }
}

/// Returns the end of a path in a few words.
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

/// Cuts a string after this many characters.
pub(crate) fn cut(text: &str, length_max: usize) -> String {
    match text.char_indices().nth(length_max) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
