//! What `cargo rebut generalize` says to people: one place for all of its texts.

pub(crate) use rebut_cli::words::*;

use std::path::Path;

/// There is no such file to generalise tests of.
pub(crate) fn no_such_file(path: &Path) -> String {
    error(format!("there is no file {}", path.display()))
}

/// A file is not Rust.
pub(crate) fn cannot_parse(path: &Path, why: &syn::Error) -> String {
    let at = why.span().start();
    let place = format!("{}:{}:{}", path.display(), at.line, at.column + 1);
    error(format!("{place}: this cannot be read as Rust: {why}"))
}

/// There are no tests to generalise.
pub(crate) fn nothing_to_generalise(paths: &[String]) -> String {
    error(format!("there is no `#[test]` in {}", paths.join(", ")))
}

/// There is no test of this name.
pub(crate) fn no_such_test(file: &Path, test: &str, all: &[String]) -> String {
    let mut text = error(format!("there is no `#[test]` named `{test}` in {}", file.display()));
    let known: Vec<&str> = all.iter().map(String::as_str).collect();
    if let [nearest, ..] = similar::get_close_matches(test, &known, 1, 0.5).as_slice() {
        text.push_str(&format!("; did you mean `{nearest}`?"));
    }
    let listed: Vec<&str> = known.iter().copied().take(TESTS_MAX).collect();
    let more = known.len().saturating_sub(TESTS_MAX);
    match (known.is_empty(), more) {
        (true, _) => text.push_str("\n  it has none"),
        (_, 0) => text.push_str(&format!("\n  it has {}", listed.join(", "))),
        _ => text.push_str(&format!("\n  it has {} and {more} more", listed.join(", "))),
    }
    text
}

/// At most so many tests are listed.
const TESTS_MAX: usize = 20;

/// A file was written.
pub(crate) fn written(path: &Path) -> String {
    format!("written: {}", path.display())
}

/// Why a test is not generalised.
pub(crate) const IS_NOT_BUILT: &str = "it is not among the tests that are built";

pub(crate) const OLD_EDITION: &str = "the package is of the edition 2015, in which Rebut is found \
                                     only from the root of the crate, and this is another file";

pub(crate) const FAILS_AS_IT_IS: &str = "it fails as it is";

pub(crate) const DID_NOT_END: &str = "it did not come to an end";

pub(crate) const NO_VALUES: &str = "it has no values that could be promoted to parameters";

pub(crate) const NO_TYPES: &str = "none of its values has a type that can be drawn";

pub(crate) const TOO_MANY_ERRORS: &str = "with parameters it does not compile";

pub(crate) const NO_TESTS_WERE_BUILT: &str = "it was not built for WebAssembly";

pub(crate) const OWN_VALUES_ARE_LOST: &str =
    "none of the paths that were explored is that of its own values";

pub(crate) const ONLY_OWN_VALUES: &str = "it passes with its own values only";

pub(crate) const NOT_AGAIN: &str = "it was tried before";

pub(crate) const ANSWERS_OF_MOCKS: &str = "if nothing ever answers so: `#[rebut::mock]` before the trait, `#[assume(..)]` before the method";

pub(crate) const HAS_NO_MOCK: &str = "the trait has none; write `#[rebut::mock]` before it";

pub(crate) const OTHER_ANSWERS: &str = "with other answers the test does not pass";

pub(crate) const NO_SIMPLE_CONDITION: &str =
    "no simple condition tells the inputs on which it passes from the others";

/// What is worth knowing of a test that is generalised.
pub(crate) const A_TABLE: &str = "no simple condition tells the inputs on which it passes from the \
                                  others, so it runs its examples and draws none";

pub(crate) const TOO_FEW_INPUTS: &str =
    "too few of the inputs that are drawn meet its assumption, so it runs its examples only";

pub(crate) const NOT_ALL_PATHS: &str = "there are more paths than were explored";

pub(crate) const REFUSED_WITHOUT_TEST: &str =
    "the code under test refuses some inputs, but a test of that cannot be written";

pub(crate) const DOES_NOT_HOLD: &str = "it does not hold";

/// The tests do not compile.
pub(crate) fn does_not_build(message: &str) -> String {
    format!("it does not compile: {message}")
}

/// Values cannot be parameters.
pub(crate) fn does_not_build_with_parameters(message: &str) -> String {
    format!("with parameters it does not compile: {message}")
}

/// A test was written and is not shown.
pub(crate) fn left_out_draft(name: &str, why: &str) -> String {
    format!("`{name}` is left out: {why}")
}

/// A test that was written does not hold for inputs that were drawn.
pub(crate) fn does_not_hold_for(input: &[&str]) -> String {
    format!(
        "it does not hold for inputs beyond the paths that were explored, so it runs its examples \
         only: {}",
        input.join(" ")
    )
}

/// Paths that end otherwise natively.
pub(crate) fn other_ends(count: usize) -> String {
    let (paths, end) = match count {
        1 => ("1 path is".to_owned(), "it ends"),
        _ => (format!("{count} paths are"), "they end"),
    };
    format!("{paths} left out: natively {end} otherwise than explored, or not at all")
}

/// The compiler refuses a mock of a trait.
pub(crate) fn has_no_mock(why: &str) -> String {
    format!("the trait cannot have one: {}", one_line(why))
}

/// An object does not become a mock.
pub(crate) fn object_stays(code: &str, of: &str, why: &str) -> String {
    format!("`{}` stays, and becomes no mock of `{of}`: {why}", one_line(code))
}

/// Examples that are not written.
pub(crate) fn more_examples(count: usize) -> String {
    format!("{count} more kinds of paths are not among the examples")
}

/// The test's own values do not pass where it is explored.
pub(crate) fn own_values_end(outcome: &rebut_concolic::Outcome) -> String {
    use rebut_concolic::Outcome;
    match outcome {
        Outcome::Unsupported(what) => format!("it {what}, which cannot be explored"),
        Outcome::Failed(failure) => {
            format!("in WebAssembly it fails with its own values: {}", one_line(&failure.message))
        }
        _ => "it cannot be explored with its own values".to_owned(),
    }
}

/// How many kinds of paths end in a way.
pub(crate) fn ends(count: usize, how: &str) -> String {
    let (one, many) = match how {
        "passes" => ("1 path passes", "paths pass"),
        "refuses" => ("1 path is refused", "paths are refused"),
        "assertion" => ("1 path fails an assertion", "paths fail an assertion"),
        "mistake" => ("1 path ends in a mistake", "paths end in a mistake"),
        _ => ("1 path is unknown", "paths are unknown"),
    };
    if count == 1 { one.to_owned() } else { format!("{count} {many}") }
}

/// How many sides of branches are taken.
pub(crate) fn sides(before: usize, after: usize) -> String {
    format!("sides of branches taken: {before} with its own values, {after} with all")
}

/// A test that draws nothing.
pub(crate) fn for_examples(count: usize) -> String {
    if count == 1 { "for one example".to_owned() } else { format!("for its {count} examples") }
}

/// When a test does what it says.
pub(crate) fn when(condition: Option<&str>, is_proved: bool) -> String {
    match (condition, is_proved) {
        (Some(condition), true) => format!("if `{condition}` (proved for all inputs)"),
        (Some(condition), false) => format!("if `{condition}` (checked on the known paths)"),
        (None, true) => "for all inputs (proved)".to_owned(),
        (None, false) => "for all inputs that were tried".to_owned(),
    }
}
