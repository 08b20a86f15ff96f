//! The only code that prints: to the standard error, which a test harness captures.

use std::sync::{Mutex, PoisonError};

use crate::style::Style;
use crate::verdict::Report;

/// Prints and fails the test, without the panic message that would repeat it.
#[expect(clippy::print_stderr, reason = "a test harness shows what a failing test wrote here")]
pub(crate) fn failure(report: &Report) -> ! {
    eprintln!("{}", report.render(Style::of_captured()));
    let first = report.verdict.counterexamples().first();
    let message = first.map_or("", |told| told.failure.message.as_str());
    // What `#[should_panic(expected = ..)]` looks into.
    std::panic::resume_unwind(Box::new(format!("the property failed: {message}")))
}

/// Warns once in a process, past any capture: a test that passes shows nothing else.
pub(crate) fn warning(text: &str) {
    static PRINTED: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut printed = PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    if !printed.iter().any(|known| known == text) {
        printed.push(text.to_owned());
        let warning = Style::of_stderr().warning("warning");
        last_words(&format!("{warning}: {text}"));
    }
}

/// Prints a report that is not a failure.
#[expect(clippy::print_stderr, reason = "a test harness shows this if asked to")]
pub(crate) fn remark(report: &Report) {
    eprintln!("{}", report.render(Style::of_captured()));
}

/// Prints a line that is not a report, such as one about a case.
#[expect(clippy::print_stderr, reason = "a test harness shows this if asked to")]
pub(crate) fn line(text: &str) {
    eprintln!("{text}");
}

/// Writes a report past any capture, in a process that is about to end.
pub(crate) fn last_report(report: &Report) {
    last_words(&report.render(Style::of_stderr()));
}

/// Writes to the real standard error, past any capture: a capture may never be shown.
pub(crate) fn last_words(text: &str) {
    use std::io::Write as _;
    crate::progress::clear();
    // There is nowhere to report that it failed.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Writes what moves the cursor of a terminal, past any capture.
pub(crate) fn control(text: &str) {
    use std::io::Write as _;
    // In one piece, so that what others write does not come between.
    let _ = std::io::stderr().write_all(text.as_bytes());
}
