//! The one place that prints: to the standard error a test harness captures.

/// Prints and fails the test, without the panic message that would repeat it.
#[expect(clippy::print_stderr, reason = "a test harness shows what a failing test wrote here")]
pub(crate) fn failure(text: &str) -> ! {
    eprintln!("{text}");
    std::panic::resume_unwind(Box::new("the property does not hold"))
}

/// Prints something that is not a failure.
#[expect(clippy::print_stderr, reason = "a test harness shows this if asked to")]
pub(crate) fn remark(text: &str) {
    eprintln!("{text}");
}

/// Writes to the real standard error, past any capture: nobody will show a capture any more.
pub(crate) fn last_words(text: &str) {
    use std::io::Write as _;
    // Nobody is left to tell if it fails.
    let _ = writeln!(std::io::stderr(), "{text}");
}
