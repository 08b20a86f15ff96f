//! The line of a case that `verbosity = trace` prints: its outcome and its values.
//!
//! The outcome comes before the values, so that it is visible however long they are. The name of
//! the property comes first: tests run at the same time, and without capture their lines mix.

use crate::case_log::ShownValue;
use crate::escapes::{one_line, printable};
use crate::outcome::{Failure, Outcome};
use crate::runner::FinishedCase;
use crate::strings;
use crate::verdict::FoundBy;

/// The maximum number of characters of the values: at most two rows on a wide screen.
const VALUES_MAX: usize = 200;
/// The maximum number of characters of a failure message. The report has all of it.
const MESSAGE_MAX: usize = 80;

/// Returns the line of a case.
#[inline(never)]
pub(crate) fn line(property: &str, case: &FinishedCase<'_>) -> String {
    let values = case.log.map(|log| log.values.as_slice()).unwrap_or_default();
    let mut line =
        format!("{}: {} {}", one_line(property), case_name(case.found_by), outcome(case.outcome));
    if !values.is_empty() {
        line.push_str(": ");
        line.push_str(&truncated(&list_values(values), VALUES_MAX));
    }
    line
}

fn case_name(found_by: FoundBy) -> String {
    match found_by {
        FoundBy::Random(0) => "the simplest case".to_owned(),
        FoundBy::Random(case) => format!("case {case}"),
        FoundBy::Search(case) => format!("case {case} of the search"),
        FoundBy::Exhaustive => "an enumerated case".to_owned(),
        FoundBy::Example(nth) => format!("example {}", nth + 1),
        FoundBy::Input(nth) => format!("input {}", nth + 1),
        FoundBy::Database => "a saved case".to_owned(),
        FoundBy::Front => "a saved best case".to_owned(),
        FoundBy::Replay => "the replayed case".to_owned(),
        FoundBy::Exploration => "the explored case".to_owned(),
        FoundBy::Shrinking | FoundBy::Journal => "a case".to_owned(),
    }
}

fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Passed => "passed".to_owned(),
        Outcome::Rejected(why) => format!("rejected by `{}`", truncated(why, MESSAGE_MAX)),
        Outcome::TooLarge => "rejected, too large".to_owned(),
        Outcome::Failed(failure) => format!("failed, {}", failure_text(failure)),
        Outcome::Misuse(_) => "ended the run, invalid use of Rebut".to_owned(),
        Outcome::Internal(_) => "ended the run, internal error in Rebut".to_owned(),
    }
}

fn failure_text(failure: &Failure) -> String {
    let mut text = failure.kind.to_string();
    if let Some(location) = &failure.location {
        text.push_str(&format!(" at {location}"));
    }
    if !failure.message.is_empty() {
        text.push_str(&format!(" ({})", truncated(&failure.message, MESSAGE_MAX)));
    }
    text
}

fn list_values(values: &[ShownValue]) -> String {
    let mut texts = Vec::new();
    for value in values {
        texts.push(format!("{} = {}", value.name, value.code));
    }
    strings::joined(&texts, ", ")
}

/// Puts a string on one line and truncates it to `max` characters.
fn truncated(text: &str, max: usize) -> String {
    let text = strings::replaced(&printable(text), "\n", " ");
    let length = strings::count(&text);
    if length <= max {
        return text;
    }
    let start: String = text.chars().take(max).collect();
    format!("{start}.. ({length} characters)")
}

#[cfg(test)]
mod tests {
    use rebut_choice::Tape;

    use super::*;
    use crate::case_log::CaseLog;
    use crate::outcome::{FailureKind, Location};

    fn check(found_by: FoundBy, outcome: Outcome, values: &[(&str, &str)], expected: &str) {
        let mut log = CaseLog::default();
        for (name, code) in values {
            let (name, code) = ((*name).to_owned(), (*code).to_owned());
            log.values.push(ShownValue { name, type_name: String::new(), code });
        }
        let case = FinishedCase {
            found_by,
            outcome: &outcome,
            log: Some(&log),
            tape: &|| Tape::default(),
        };
        assert_eq!(line("a::b", &case), expected);
    }

    fn failure(message: &str, location: Option<Location>) -> Outcome {
        let message = message.to_owned();
        Outcome::Failed(Failure { kind: FailureKind::Panic, message, location })
    }

    #[test]
    fn every_line_has_the_outcome_and_the_values() {
        let values = [("n", "3"), ("list", "vec![1, 2]")];
        check(
            FoundBy::Random(17),
            Outcome::Passed,
            &values,
            "a::b: case 17 passed: n = 3, list = vec![1, 2]",
        );
        check(
            FoundBy::Search(4),
            Outcome::Rejected("n > 5".into()),
            &values[..1],
            "a::b: case 4 of the search rejected by `n > 5`: n = 3",
        );
        let location = Location { file: "src/lib.rs".to_owned(), line: 5, column: 9 };
        check(
            FoundBy::Example(0),
            failure("assertion failed:\nleft", Some(location)),
            &values[..1],
            "a::b: example 1 failed, panicked at src/lib.rs:5:9 (assertion failed: left): n = 3",
        );
        check(
            FoundBy::Random(0),
            Outcome::TooLarge,
            &[],
            "a::b: the simplest case rejected, too large",
        );
    }

    #[test]
    fn long_values_and_messages_are_cut_and_stay_on_one_line() {
        let long = "x\n\x1b".repeat(1000);
        let shown = printable("x \x1b");
        let start = |max: usize| shown.repeat(max).chars().take(max).collect::<String>();
        let length = shown.chars().count() * 1000;
        check(
            FoundBy::Exhaustive,
            failure(&long, None),
            &[("n", &long)],
            &format!(
                "a::b: an enumerated case failed, panicked ({}.. ({length} characters)): n = {}.. ({} characters)",
                start(MESSAGE_MAX),
                start(VALUES_MAX - 4),
                length + 4,
            ),
        );
    }
}
