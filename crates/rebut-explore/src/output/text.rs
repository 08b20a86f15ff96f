//! Verdicts and outcomes in words.

use super::coverage;
use crate::ExploredTest;
use crate::reason::Reason;
use rebut_concolic::Outcome;
use std::fmt::Write as _;

/// Returns the verdict, notes, and the reached lines if `coverage` is set. The reports of failures
/// were printed when they were found.
pub(crate) fn text(test: &ExploredTest, coverage: bool) -> String {
    let mut text = format!("{}: {}\n", test.description.path, test.sentence());
    for note in notes(test) {
        let _ = writeln!(text, "  {note}");
    }
    let lines = test.view.as_ref().and_then(|view| view.coverage.as_ref());
    if let Some(lines) = lines.filter(|_| coverage) {
        text.push_str(&coverage::text(lines));
    }
    text
}

/// Returns what to do about the main reason, the further reasons, and what does not count.
fn notes(test: &ExploredTest) -> Vec<String> {
    let help = test.verdict.reasons().first().and_then(Reason::help);
    let mut notes: Vec<String> = help.into_iter().map(|help| format!("help: {help}")).collect();
    let further = test.verdict.further_reasons();
    notes.extend(further.map(|reason| format!("note: another reason: {}", reason.words())));
    let pruned = test.exploration.as_ref().map_or(0, |exploration| exploration.pruned);
    if pruned > 0 {
        let fail = if pruned == 1 { "1 path fails" } else { &format!("{pruned} paths fail") };
        notes.push(format!(
            "note: {fail} only because of an answer of a friendly mock, which counts as rejected, as \
             in `cargo test`"
        ));
    }
    notes
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
