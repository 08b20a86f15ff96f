//! All messages of `cargo rebut`.

pub(crate) mod init;

pub(crate) use rebut_cli::words::*;

use crate::stale::Stale;
use rebut_report::Code;
use rebut_spec::Verdict;
use std::fmt::Display;
use std::path::Path;

/// The second binary is not installed.
pub(crate) fn no_engine(name: &str) -> String {
    error(format!(
        "this command needs `{name}`, which is not installed\n\
         help: in a clone of Rebut, run `cargo install --locked --path crates/{name}`, or \
         `cargo install --locked --git ADDRESS {name}` with the address you installed \
         `cargo-rebut` from"
    ))
}

/// The file has no outline with this name.
pub(crate) fn no_outline(name: &str, known: &[&str]) -> String {
    error(format!("no outline named `{name}`; available: {}", known.join(", ")))
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

/// What the number of inputs means; `None` if it is the requested number.
pub(crate) fn verdict(
    outline: &str,
    found: usize,
    asked: usize,
    verdict: &Verdict,
) -> Option<String> {
    let inputs = if found == 1 { "input" } else { "inputs" };
    let counted = format!("{outline}: found {found} {inputs} ({asked} requested)");
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

/// Something went wrong on the way, but inputs were found.
pub(crate) fn survived(outline: &str, note: &str) -> String {
    format!("warning: {outline}: {note}")
}

/// Prepared inputs were reused.
pub(crate) fn reused(outline: &str, path: &Path) -> String {
    format!(
        "note: {outline}: reusing {} (specification unchanged; use `--fresh` to regenerate)",
        path.display()
    )
}

/// The number of errors in a file.
pub(crate) fn summary(path: &str, errors: usize) -> String {
    let noun = if errors == 1 { "error" } else { "errors" };
    error(format!("{path} has {errors} {noun}"))
}

/// No property ran.
pub(crate) const NO_PROPERTIES: &str = "note: no property ran; a property is a function with `#[rebut::test]`, `#[rebut::exists]` or `#[rebut::not_exists]`";

/// Stored failures of tests that are gone, beside what was asked for.
pub(crate) fn some_are_stale(stale: &[Stale]) -> String {
    let tests: Vec<&str> = stale.iter().map(|one| one.test.as_str()).collect();
    let count = match tests.len() {
        1 => "a test that no longer exists".to_owned(),
        many => format!("{many} tests that no longer exist"),
    };
    format!(
        "note: there are stored failures of {count}: {}\nhelp: `cargo rebut list --stale` shows where, `cargo rebut list --stale --remove` removes them",
        rebut_report::printable(&tests.join(", "))
    )
}

/// The stored failures of a test that is gone.
pub(crate) fn stale(stale: &Stale, root: &Path) -> String {
    let directory = stale.directory.strip_prefix(root).unwrap_or(&stale.directory);
    let count = stale.files.len();
    let failures = if count == 1 { "failure" } else { "failures" };
    let test = rebut_report::printable(&stale.test);
    format!("stale  {test}  {count} {failures} in {}\n", directory.display())
}

/// How many there are.
pub(crate) fn stale_in_all(stale: &[Stale], is_removed: bool) -> String {
    let failures: usize = stale.iter().map(|one| one.files.len()).sum();
    let noun = if failures == 1 { "failure" } else { "failures" };
    match (failures, is_removed) {
        (0, _) => "note: every stored failure is of a test that exists".to_owned(),
        (_, true) => format!("removed {failures} stored {noun}"),
        (_, false) => {
            format!("help: `cargo rebut list --stale --remove` removes {failures} stored {noun}")
        }
    }
}

/// A test failed, but no property did.
pub(crate) const OTHERS_FAIL: &str =
    "error: an ordinary `#[test]` failed; see the output of `cargo test` above";

/// The process of a property died, or was stopped.
pub(crate) fn did_not_end(property: &str) -> String {
    let property = rebut_report::printable(property);
    error(format!("`{property}` did not finish; rerun it to find the cause"))
}

/// A test program cannot be started.
pub(crate) fn not_started(program: &Path, why: impl Display) -> String {
    error(format!("cannot start {}: {why}", program.display()))
}

/// The code is unknown.
pub(crate) fn no_code(asked: &str, known: &[&str]) -> String {
    error(format!("unknown code `{asked}`; expected one of {}", known.join(", ")))
}

/// The meaning of a code.
pub(crate) fn explanation(code: &Code) -> String {
    let Code { code, title, meaning, advice, .. } = code;
    format!("{code}: {title}\n\n{}\n\nWhat to do:\n\n{}\n", wrapped(meaning), wrapped(advice))
}

/// Wraps text to the width of a terminal.
fn wrapped(text: &str) -> String {
    const WIDTH: usize = 80;
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last().map_or(0, |line| line.chars().count());
        if line > 0 && line + 1 + word.chars().count() > WIDTH {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            let gap = if line.is_empty() { "" } else { " " };
            *line += &format!("{gap}{word}");
        }
    }
    lines.join("\n")
}

/// The argument is neither a number nor a replay string with its test.
pub(crate) fn no_number(asked: &str) -> String {
    error(format!(
        "`{asked}` is not a failure number; run `cargo rebut list`, or pass a replay string and a test"
    ))
}

/// No failure has this number.
pub(crate) fn no_such_input(number: usize) -> String {
    error(format!("no failure or matching input has number {number}; run `cargo rebut list`"))
}

/// The name cannot be that of a test.
pub(crate) fn no_test_name(name: &str) -> String {
    error(format!("invalid test name `{name}`"))
}

/// A comparison was requested in a format that has none.
pub(crate) fn only_html_compares() -> String {
    error("only the HTML report compares runs\nhelp: drop `--against`, or use `--format html`")
}

/// The replayed test does not exist.
pub(crate) fn no_such_test(name: &str) -> String {
    let name = rebut_report::printable(name);
    error(format!("no test named `{name}` was built\nhelp: check its path, `-p` and `--features`"))
}

/// The input cannot be replayed from the command line.
pub(crate) fn cannot_be_replayed(number: usize) -> String {
    error(format!(
        "cannot replay input {number}: it has no generated values, or only the code that called `check` can run it"
    ))
}
