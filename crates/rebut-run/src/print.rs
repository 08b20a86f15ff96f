//! The one place that prints: to the standard error a test harness captures.

use std::sync::{Mutex, PoisonError};

/// Prints and fails the test, without the panic message that would repeat it.
#[expect(clippy::print_stderr, reason = "a test harness shows what a failing test wrote here")]
pub(crate) fn failure(text: &str, message: &str) -> ! {
    eprintln!("{text}");
    // What `#[should_panic(expected = ..)]` looks into.
    std::panic::resume_unwind(Box::new(format!("the property does not hold: {message}")))
}

/// Warns once in a process, past any capture: a test that passes shows nothing else.
pub(crate) fn warning(text: &str) {
    static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    if !told.iter().any(|known| known == text) {
        told.push(text.to_owned());
        last_words(&format!("warning: {text}"));
    }
}

/// Prints something that is not a failure.
#[expect(clippy::print_stderr, reason = "a test harness shows this if asked to")]
pub(crate) fn remark(text: &str) {
    eprintln!("{text}");
}

/// Writes to the real standard error, past any capture: nobody will show a capture any more.
pub(crate) fn last_words(text: &str) {
    use std::io::Write as _;
    crate::progress::clear();
    // Nobody is left to tell if it fails.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Writes what moves the cursor of a terminal, past any capture.
pub(crate) fn control(text: &str) {
    use std::io::Write as _;
    // In one piece, so that what others write does not come between.
    let _ = std::io::stderr().write_all(text.as_bytes());
}
