//! Messages that several commands print.

#![expect(clippy::print_stderr, reason = "a command prints messages on the standard error")]

use std::fmt::Display;
use std::path::Path;

/// Prints a message on the standard error.
pub fn say(message: &str) {
    eprintln!("{message}");
}

/// An error message.
pub fn error(message: impl Display) -> String {
    format!("error: {message}")
}

/// The first line of a string.
pub fn one_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// A thread of Rebut panicked.
pub const WORKER_DIED: &str =
    "internal error: exploration ended early. This is a bug in Rebut; please report it";

/// A note.
pub fn note(what: &str) -> String {
    format!("note: {what}")
}

/// A file cannot be read or written: `what` is `read` or `write`.
pub fn file_failed(path: &Path, what: &str, why: impl Display) -> String {
    error(format!("cannot {what} {}: {why}", path.display()))
}

/// No test has written events.
pub fn no_runs(home: &Path) -> String {
    error(format!(
        "no runs found in {}\nhelp: run `cargo test` or `cargo rebut test` first",
        home.display()
    ))
}

/// No run has this name.
pub fn no_such_run(asked: &str, home: &Path, known: &[&str]) -> String {
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    error(format!(
        "no run or event file named `{asked}` in {}; known runs: {known}",
        home.display()
    ))
}

/// Cargo cannot be started.
pub fn cargo_not_started(why: impl Display) -> String {
    error(format!("cannot start cargo: {why}"))
}

/// There is no package here.
pub fn no_workspace(stderr: &str) -> String {
    let why = stderr.trim();
    let why = why.strip_prefix("error: ").unwrap_or(why);
    error(format!("not in a Cargo package: {why}"))
}

/// The tests do not build.
pub fn not_built() -> String {
    error("the tests do not build; see the output of cargo above")
}

/// No browser was found.
pub fn not_opened(path: &Path, why: impl Display) -> String {
    format!("warning: cannot open {} in a browser: {why}", path.display())
}

/// No input of a test was written.
pub fn nothing_to_keep(test: &str, why: &str) -> String {
    format!("note: wrote no input of `{test}`: {why}")
}
