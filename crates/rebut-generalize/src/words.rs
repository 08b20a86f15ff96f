//! All messages of `cargo rebut generalize`.

pub(crate) use rebut_cli::words::*;

use std::path::Path;

/// The file that was named does not exist.
pub(crate) fn no_such_file(path: &Path) -> String {
    error(format!("file not found: {}", path.display()))
}

/// A file is not valid Rust.
pub(crate) fn cannot_parse(path: &Path, why: &syn::Error) -> String {
    let at = why.span().start();
    let place = format!("{}:{}:{}", path.display(), at.line, at.column + 1);
    error(format!("{place}: cannot parse this file as Rust: {why}"))
}

/// The files have no tests.
pub(crate) fn nothing_to_generalize(paths: &[String]) -> String {
    error(format!("no `#[test]` found in {}", paths.join(", ")))
}

/// The file has no test with this name.
pub(crate) fn no_such_test(file: &Path, test: &str, all: &[String]) -> String {
    let mut text = error(format!("no `#[test]` named `{test}` in {}", file.display()));
    let known: Vec<&str> = all.iter().map(String::as_str).collect();
    if let [nearest, ..] = similar::get_close_matches(test, &known, 1, 0.5).as_slice() {
        text.push_str(&format!("; did you mean `{nearest}`?"));
    }
    let listed: Vec<&str> = known.iter().copied().take(TESTS_MAX).collect();
    let more = known.len().saturating_sub(TESTS_MAX);
    match (known.is_empty(), more) {
        (true, _) => text.push_str("\n  it has no tests"),
        (_, 0) => text.push_str(&format!("\n  available: {}", listed.join(", "))),
        _ => text.push_str(&format!("\n  available: {}, and {more} more", listed.join(", "))),
    }
    text
}

/// List at most this many tests: about what fits into two lines of a terminal.
const TESTS_MAX: usize = 20;

/// Why a test stays as it is.
pub(crate) const IS_NOT_BUILT: &str =
    "`cargo test` does not build it (check `#[cfg]` and features)";

pub(crate) const OLD_EDITION: &str = "the package uses the 2015 edition, where only the root file of \
                                     the crate can name Rebut, and this is another file";

pub(crate) const FAILS_AS_IT_IS: &str = "it fails before any change";

pub(crate) const DID_NOT_END: &str = "it did not finish";

pub(crate) const NO_VALUES: &str = "it contains no literals to turn into parameters";

pub(crate) const NO_TYPES: &str = "Rebut cannot generate values of the types of its literals";

pub(crate) const TOO_MANY_ERRORS: &str = "it does not compile with parameters";

pub(crate) const NO_TESTS_WERE_BUILT: &str = "it could not be built for WebAssembly";

pub(crate) const OWN_VALUES_ARE_LOST: &str =
    "exploration did not reach the path of the original values";

pub(crate) const ONLY_OWN_VALUES: &str = "it passes only with its original values";

pub(crate) const NOT_AGAIN: &str = "it was tried before";

pub(crate) const ANSWERS_OF_MOCKS: &str =
    "help: if the real implementation never returns this, add `#[assume(..)]` to the mock's method";

pub(crate) const HAS_NO_MOCK: &str = "the trait has no mock; add `#[rebut::mock]` to it";

pub(crate) const OTHER_ANSWERS: &str = "the test fails if the mock returns something else";

pub(crate) const NO_SIMPLE_CONDITION: &str =
    "no simple precondition separates passing from failing inputs";

/// Notes about a test that was generalized.
pub(crate) const A_TABLE: &str = "no simple precondition separates passing from failing inputs, \
                                  so the test runs its examples only";

pub(crate) const TOO_FEW_INPUTS: &str =
    "too few generated inputs satisfy its precondition, so the test runs its examples only";

pub(crate) const NOT_ALL_PATHS: &str = "not all paths were explored";

pub(crate) const REFUSED_WITHOUT_TEST: &str =
    "the code under test rejects some inputs, but Rebut cannot write a test for that";

pub(crate) const DOES_NOT_HOLD: &str = "it fails";

/// The tests do not compile.
pub(crate) fn does_not_build(message: &str) -> String {
    format!("it does not compile: {message}")
}

/// The test does not compile with parameters.
pub(crate) fn does_not_build_with_parameters(message: &str) -> String {
    format!("it does not compile with parameters: {message}")
}

/// A test was written and then dropped.
pub(crate) fn left_out_draft(name: &str, why: &str) -> String {
    format!("dropped `{name}`: {why}")
}

/// A test that was written fails for generated inputs.
pub(crate) fn does_not_hold_for(input: &[String]) -> String {
    format!(
        "it fails for an input on a path that was not explored, so it runs its examples only: {}",
        input.join(" ")
    )
}

/// Paths whose native run ends differently.
pub(crate) fn other_ends(count: usize) -> String {
    let (paths, end) = match count {
        1 => ("1 path".to_owned(), "its native run ends"),
        _ => (format!("{count} paths"), "their native runs end"),
    };
    format!("skipped {paths}: {end} differently than in WebAssembly, or not at all")
}

/// The compiler refuses a mock of a trait.
pub(crate) fn has_no_mock(why: &str) -> String {
    format!("the trait cannot be mocked: {}", one_line(why))
}

/// An object is not replaced by a mock.
pub(crate) fn object_stays(code: &str, of: &str, why: &str) -> String {
    format!("kept `{}` instead of a mock of `{of}`: {why}", one_line(code))
}

/// Examples that were not written.
pub(crate) fn more_examples(count: usize) -> String {
    format!("{count} more kinds of paths have no example")
}

/// The test does not pass with its original values in WebAssembly.
pub(crate) fn own_values_end(outcome: &rebut_concolic::Outcome) -> String {
    use rebut_concolic::Outcome;
    match outcome {
        Outcome::Unsupported(what) => format!("it {what}, which Rebut cannot explore"),
        Outcome::Failed(failure) => {
            format!(
                "it fails in WebAssembly with its original values: {}",
                one_line(&failure.message)
            )
        }
        _ => "Rebut cannot explore it with its original values".to_owned(),
    }
}

/// The number of kinds of paths that end in one way.
pub(crate) fn ends(count: usize, how: &str) -> String {
    let (one, many) = match how {
        "passes" => ("1 path passes", "paths pass"),
        "refuses" => ("1 path rejects its input", "paths reject their input"),
        "assertion" => ("1 path fails an assertion", "paths fail an assertion"),
        "mistake" => ("1 path panics (likely bug)", "paths panic (likely bug)"),
        _ => ("1 path is undecided", "paths are undecided"),
    };
    if count == 1 { one.to_owned() } else { format!("{count} {many}") }
}

/// The number of branch sides that the test covers.
pub(crate) fn sides(before: usize, after: usize) -> String {
    format!("branch sides covered: {before} before, {after} after")
}

/// A test that runs its examples only.
pub(crate) fn for_examples(count: usize) -> String {
    if count == 1 { "for one example".to_owned() } else { format!("for its {count} examples") }
}

/// The condition under which a test passes or panics.
pub(crate) fn when(condition: Option<&str>, is_proved: bool) -> String {
    match (condition, is_proved) {
        (Some(condition), true) => format!("if `{condition}` (proved for all inputs)"),
        (Some(condition), false) => format!("if `{condition}` (checked on the explored paths)"),
        (None, true) => "for all inputs (proved)".to_owned(),
        (None, false) => "for all inputs tried".to_owned(),
    }
}
