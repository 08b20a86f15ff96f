//! What the command line says to people: one place for all of its texts.

#![expect(clippy::print_stderr, reason = "a command line speaks on the standard error")]

use rebut_spec::Verdict;
use std::fmt::Display;
use std::path::Path;

/// Says something on the standard error.
pub(crate) fn say(message: &str) {
    eprintln!("{message}");
}

/// Something went wrong.
pub(crate) fn error(message: impl Display) -> String {
    format!("error: {message}")
}

/// A file cannot be read or written.
pub(crate) fn file_failed(path: &Path, what: &str, why: impl Display) -> String {
    error(format!("{} cannot be {what}: {why}", path.display()))
}

/// There is no outline of that name.
pub(crate) fn no_outline(name: &str, known: &[&str]) -> String {
    error(format!("there is no outline `{name}`; the file has {}", known.join(", ")))
}

/// A format that has room for one outline only.
pub(crate) fn one_outline(format: &str, known: &[&str]) -> String {
    error(format!("`--format {format}` is for one outline; name one of {}", known.join(", ")))
}

/// The judge refused what was found.
pub(crate) fn internal(refused: impl Display) -> String {
    error(format!(
        "{refused}\nThis is an error of Rebut, and not of the specification; nothing was printed. Please report it with the file."
    ))
}

/// What the number of models means; nothing if it is what was asked for.
pub(crate) fn verdict(
    outline: &str,
    found: usize,
    asked: usize,
    verdict: &Verdict,
) -> Option<String> {
    let models = if found == 1 { "model" } else { "models" };
    let counted = format!("{outline}: {found} {models} of {asked}");
    match verdict {
        Verdict::Complete => None,
        Verdict::Largest => Some(format!("note: {counted}; it is proved that there are no more")),
        Verdict::Covered(what) => Some(format!("note: {counted}; {what}")),
        Verdict::Unsatisfiable(why) => Some(error(format!("{outline}: there is no model: {why}"))),
        Verdict::Unproved(why) => Some(format!("warning: {counted}; there may be more: {why}")),
        Verdict::Missing(why) => Some(error(format!("{counted}: {why}"))),
    }
}

/// Inputs were taken from the store.
pub(crate) fn reused(outline: &str, path: &Path) -> String {
    format!(
        "note: {outline}: the specification has not changed, inputs are those of {}",
        path.display()
    )
}

/// How many diagnostics there were.
pub(crate) fn summary(path: &str, errors: usize) -> String {
    let noun = if errors == 1 { "error" } else { "errors" };
    error(format!("{path} has {errors} {noun}"))
}
