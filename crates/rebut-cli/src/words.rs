//! What every command says to people.

#![expect(clippy::print_stderr, reason = "a command line speaks on the standard error")]

use std::fmt::Display;
use std::path::Path;

/// Says something on the standard error.
pub fn say(message: &str) {
    eprintln!("{message}");
}

/// Something went wrong.
pub fn error(message: impl Display) -> String {
    format!("error: {message}")
}

/// A text in one line.
pub fn one_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// A thread of Rebut panicked.
pub const WORKER_DIED: &str = "exploration ended early; that is a fault of Rebut";

/// Something that people should know, and that is no fault.
pub fn note(what: &str) -> String {
    format!("note: {what}")
}

/// A file cannot be read or written.
pub fn file_failed(path: &Path, what: &str, why: impl Display) -> String {
    error(format!("{} cannot be {what}: {why}", path.display()))
}

/// No test has written events.
pub fn no_runs(home: &Path) -> String {
    error(format!(
        "there are no events in {}\nTests write them if they call `maximize` or `minimize`, or with `REBUT_EVENTS=all cargo test`; `cargo rebut test` does that and more.",
        home.display()
    ))
}

/// No run has that name.
pub fn no_such_run(asked: &str, home: &Path, known: &[&str]) -> String {
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    error(format!(
        "`{asked}` is no file, no folder of a run and no group of runs in {}; the groups there are: {known}",
        home.display()
    ))
}

/// Cargo is not there.
pub fn cargo_not_started(why: impl Display) -> String {
    error(format!("cargo cannot be started: {why}"))
}

/// There is no workspace here.
pub fn no_workspace(said: &str) -> String {
    error(format!(
        "cargo does not say where `target` is; call this in a package, or name files\n{}",
        said.trim_end()
    ))
}

/// The tests do not build.
pub fn not_built() -> String {
    error("the tests do not build; what cargo says is above")
}

/// A page was written.
pub fn wrote(path: &Path) -> String {
    format!("report: {}", path.display())
}

/// No browser was found.
pub fn not_opened(path: &Path, why: impl Display) -> String {
    format!("warning: {} cannot be opened in a browser: {why}", path.display())
}

/// Why the inputs of a test are not kept.
pub fn nothing_to_keep(test: &str, why: &str) -> String {
    format!("note: no input of `{test}` is written: {why}")
}
