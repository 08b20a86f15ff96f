//! The only code that prints. It prints to standard error, which a test harness captures.

use std::sync::{Mutex, PoisonError};

use crate::style::Style;
use crate::verdict::Report;

/// Prints the report and fails the test, without the panic message that would repeat it.
#[expect(clippy::print_stderr, reason = "a test harness shows what a failing test wrote here")]
pub(crate) fn failure(report: &Report) -> ! {
    eprintln!("{}", report.render(Style::for_captured_output()));
    let first = report.verdict.counterexamples().first();
    let message = first.map_or("", |first| first.failure.message.as_str());
    // `#[should_panic(expected = ..)]` searches this message.
    std::panic::resume_unwind(Box::new(format!("the property failed: {message}")))
}

/// Prints a warning once per process, bypassing any capture: a passing test shows nothing else.
pub(crate) fn warning(text: &str) {
    static PRINTED: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut printed = PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    if !printed.iter().any(|known| known == text) {
        printed.push(text.to_owned());
        let warning = Style::for_stderr().warning("warning");
        uncaptured(&format!("{warning}: {text}"));
    }
}

/// Prints a report that is not a failure.
#[expect(clippy::print_stderr, reason = "a test harness shows this if asked to")]
pub(crate) fn report(report: &Report) {
    eprintln!("{}", report.render(Style::for_captured_output()));
}

/// Prints a line that is not a report, such as one about a case.
#[expect(clippy::print_stderr, reason = "a test harness shows this if asked to")]
pub(crate) fn line(text: &str) {
    eprintln!("{text}");
}

/// Prints a report in a process that is about to end, bypassing any capture.
pub(crate) fn uncaptured_report(report: &Report) {
    uncaptured(&report.render(Style::for_stderr()));
}

/// Writes to the real standard error, because captured output may never be shown.
pub(crate) fn uncaptured(text: &str) {
    use std::io::Write as _;
    crate::progress::clear();
    // A failure cannot be reported anywhere.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Writes control sequences to the terminal, bypassing any capture.
pub(crate) fn control(text: &str) {
    use std::io::Write as _;
    // Write everything at once, so that no other output comes between.
    let _ = std::io::stderr().write_all(text.as_bytes());
}
