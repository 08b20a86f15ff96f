//! Messages that several commands print.

#![expect(clippy::print_stderr, reason = "a command prints messages on the standard error")]

use crate::color::{Color, colored};
use crate::status::path_on_one_line;
use rebut_protocol::terminal;
use std::fmt::Display;
use std::path::Path;

/// Prints a message on the standard error. Messages contain names, paths and output of tests. A
/// terminal gets only their colors unchanged.
pub fn say(message: &str) {
    eprintln!("{}", shown(message, colored(Color::Auto)));
}

/// Returns a message as a terminal may show it.
#[must_use]
pub fn shown(message: &str, is_colored: bool) -> String {
    match is_colored {
        true => terminal::only_colors(message),
        false => terminal::printable(&terminal::plain(message)),
    }
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
    error(format!("cannot {what} {}: {why}", path_on_one_line(path)))
}

/// No test has written events.
pub fn no_runs(home: &Path) -> String {
    error(format!(
        "no runs found in {}\nhelp: run `cargo test` or `cargo rebut test` first",
        path_on_one_line(home)
    ))
}

/// No run has this name.
pub fn no_such_run(asked: &str, home: &Path, known: &[&str]) -> String {
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    error(format!(
        "no run or event file named `{}` in {}; known runs: {known}",
        terminal::one_line(asked),
        path_on_one_line(home)
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

/// The given manifest does not exist.
pub fn missing_manifest(path: &Path) -> String {
    error(format!(
        "not in a Cargo package: manifest path `{}` does not exist",
        path_on_one_line(path)
    ))
}

/// The tests do not build.
pub fn not_built() -> String {
    error("the tests do not build; see the output of cargo above")
}

/// No browser was found.
pub fn not_opened(path: &Path, why: impl Display) -> String {
    format!("warning: cannot open {} in a browser: {why}", path_on_one_line(path))
}

/// No input of a test was written.
pub fn nothing_to_keep(test: &str, why: &str) -> String {
    format!("note: wrote no input of `{test}`: {why}")
}
