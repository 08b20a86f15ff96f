//! Messages of `cargo rebut generate`.

use super::error;
use rebut_spec::Verdict;
use std::fmt::Display;
use std::path::Path;

/// The file has no outline with this name.
pub(crate) fn no_outline(name: &str, known: &[&str]) -> String {
    error(format!(
        "no outline named `{}`; available: {}",
        rebut_report::one_line(name),
        known.join(", ")
    ))
}

/// The format holds one outline only.
pub(crate) fn one_outline(format: &str, known: &[&str]) -> String {
    error(format!("`--format {format}` holds one outline; specify one of {}", known.join(", ")))
}

/// The checker rejected an input that the engine found.
pub(crate) fn internal(refused: impl Display) -> String {
    error(format!(
        "internal error: {refused}\nThis is a bug in Rebut, not in the specification, so no input was printed; please report it \
         with the file"
    ))
}

/// Explains the number of inputs; `None` if it is the requested number.
pub(crate) fn verdict(
    outline: &str,
    found: usize,
    requested: usize,
    verdict: &Verdict,
) -> Option<String> {
    let inputs = if found == 1 { "input" } else { "inputs" };
    let counted = format!("{outline}: found {found} {inputs} ({requested} requested)");
    match verdict {
        Verdict::Complete => None,
        Verdict::Largest => Some(format!("note: {counted}; proved that there are no others")),
        Verdict::Covered(what) => Some(format!("note: {counted}; {what}")),
        Verdict::Unsatisfiable(why) => {
            Some(error(format!("{outline}: no input satisfies the specification: {why}")))
        }
        Verdict::Unproved(why) => Some(format!("warning: {counted}; there may be more: {why}")),
        Verdict::Missing(why) => Some(error(format!("{counted}: {why}"))),
    }
}

/// A problem that did not prevent the inputs from being found.
pub(crate) fn solver_note(outline: &str, note: &str) -> String {
    format!("warning: {outline}: {note}")
}

/// Prepared inputs were reused.
pub(crate) fn reused(outline: &str, path: &Path) -> String {
    format!(
        "note: {outline}: reusing {} (specification unchanged; use `--fresh` to regenerate)",
        rebut_cli::status::path_on_one_line(path)
    )
}

/// Not all errors and warnings were shown.
pub(crate) fn more_messages(count: usize) -> String {
    format!("note: {count} more errors and warnings are not shown")
}

/// The number of errors in a file.
pub(crate) fn summary(path: &str, errors: usize) -> String {
    let noun = if errors == 1 { "error" } else { "errors" };
    error(format!("{path} has {errors} {noun}"))
}
