//! The only code that prints. It prints to standard error, which a test harness captures.

use std::sync::{Mutex, PoisonError};

use crate::claim::{Claim, message_of_panic};
use crate::escapes::printable;
use crate::isolate::restart::KeptReport;
use crate::style::Style;
use crate::verdict::Report;

/// Ends a test as its harness expects. A test with `#[should_panic]` panics if it passed, without
/// a report; otherwise it returns, and the harness reports that it did not panic.
pub(crate) fn end_of_test(report: &Report) {
    match (report.claim, report.verdict.is_success()) {
        (Claim::Panics(_), true) => std::panic::resume_unwind(Box::new(failure_message(report))),
        (Claim::Panics(_), false) => self::report(report),
        (_, true) => {}
        (_, false) => failure(report),
    }
}

/// Prints the report and fails the test, without the panic message that would repeat it.
#[expect(clippy::print_stderr, reason = "a test harness shows what a failing test wrote here")]
pub(crate) fn failure(report: &Report) -> ! {
    eprintln!("{}", report.render(Style::for_captured_output()));
    std::panic::resume_unwind(Box::new(failure_message(report)))
}

/// Fails a test that did not run, without a report, because its harness expects it to fail.
pub(crate) fn silent_failure() -> ! {
    std::panic::resume_unwind(Box::new("this test did not run"))
}

/// Returns what [`kept_report`] prints and does later.
pub(crate) fn to_keep(report: &Report) -> KeptReport {
    let should_panic = matches!(report.claim, Claim::Panics(_));
    KeptReport {
        // Whether the test returns.
        is_success: report.verdict.is_success() != should_panic,
        message: failure_message(report),
        text: report.render(Style::for_captured_output()),
    }
}

/// Prints the report of the process before this one, and fails the test if the property failed.
#[expect(clippy::print_stderr, reason = "a test harness shows what a failing test wrote here")]
pub(crate) fn kept_report(kept: &KeptReport) {
    // The text is from a file.
    eprintln!("{}", Style::for_captured_output().shown(&kept.text));
    if !kept.is_success {
        std::panic::resume_unwind(Box::new(kept.message.clone()))
    }
}

/// Returns the message of the panic that ends the test.
fn failure_message(report: &Report) -> String {
    let first = report.verdict.counterexamples().first().or(report.verdict.witness());
    first.map_or_else(|| "the property failed: ".to_owned(), message_of_panic)
}

/// Prints a warning once per process, bypassing any capture: a passing test shows nothing else.
pub(crate) fn warning(text: &str) {
    static PRINTED: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut printed = PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    if !printed.iter().any(|known| known == text) {
        printed.push(text.to_owned());
        let warning = Style::for_stderr().warning("warning");
        uncaptured(&format!("{warning}: {}", printable(text)));
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
    eprintln!("{}", printable(text));
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
