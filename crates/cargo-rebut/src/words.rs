//! What the command line says to people: one place for all of its texts.

pub(crate) mod init;

pub(crate) use rebut_cli::words::*;

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

/// Something went wrong on the way, and models were found all the same.
pub(crate) fn survived(outline: &str, note: &str) -> String {
    format!("warning: {outline}: {note}")
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

/// Events were read, but of no property.
pub(crate) const NO_PROPERTIES: &str = "note: no property wrote events; a property is a function with `#[rebut::test]`, `#[rebut::exists]` or `#[rebut::not_exists]`";

/// What fails is no property.
pub(crate) const OTHERS_FAIL: &str =
    "error: a test failed that is no property; see what `cargo test` printed above";

/// A property's process died, or was stopped.
pub(crate) fn did_not_end(property: &str) -> String {
    let property = rebut_report::printable(property);
    error(format!("{property} did not end; its next run says why, if it can be known"))
}

/// A test program is not there any more.
pub(crate) fn not_started(program: &Path, why: impl Display) -> String {
    error(format!("{} cannot be started: {why}", program.display()))
}

/// There is no such code.
pub(crate) fn no_code(asked: &str, known: &[&str]) -> String {
    error(format!("there is no code `{asked}`; the codes are {}", known.join(", ")))
}

/// What a code means.
pub(crate) fn explanation(code: &Code) -> String {
    let Code { code, title, meaning, advice, .. } = code;
    format!("{code}: {title}\n\n{}\n\nWhat to do:\n\n{}\n", wrapped(meaning), wrapped(advice))
}

/// Text in lines that a terminal has room for.
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

/// What is run again.
pub(crate) fn replaying(word: &str, test: &str) -> String {
    let (word, test) = (rebut_report::printable(word), rebut_report::printable(test));
    format!("replay: REBUT_REPLAY={word} cargo test {test} -- --exact")
}

/// Neither a number nor choices with a test.
pub(crate) fn no_number(asked: &str) -> String {
    error(format!(
        "`{asked}` is no number of an input; write `cargo rebut replay NUMBER` with a number from `cargo rebut list`, or `cargo rebut replay WORD TEST`"
    ))
}

/// No input has that number.
pub(crate) fn no_such_input(number: usize) -> String {
    error(format!(
        "the latest run has no failure or found input with number {number}; `cargo rebut list` shows them"
    ))
}

/// A test cannot be called so.
pub(crate) fn no_test_name(name: &str) -> String {
    error(format!("`{name}` is no name of a test"))
}

/// Something is missing to replay it.
pub(crate) fn cannot_be_replayed(number: usize) -> String {
    error(format!(
        "input {number} cannot be replayed from here: it draws nothing, or only the code that made the check can run it"
    ))
}
