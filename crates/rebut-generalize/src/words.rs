//! All messages of `cargo rebut generalize`.

pub(crate) use rebut_cli::words::*;

use crate::decide::path_end::PathEnd;
use crate::explore::paths::BranchSides;
use crate::reasons::{Note, ObjectKept, WhyDropped, WhyKept, WhyObjectKept};
use rebut_cli::status::path_on_one_line;
use rebut_concolic::Outcome;
use std::io;
use std::path::Path;

/// The file that was named does not exist.
pub(crate) fn no_such_file(path: &Path) -> String {
    error(format!("file not found: {}", path_on_one_line(path)))
}

/// A file is not valid Rust.
pub(crate) fn cannot_parse(path: &Path, why: &syn::Error) -> String {
    let at = why.span().start();
    let location = format!("{}:{}:{}", path_on_one_line(path), at.line, at.column + 1);
    error(format!("{location}: cannot parse this file as Rust: {why}"))
}

/// A test program cannot be started, or its results cannot be read.
pub(crate) fn tests_not_run(why: &io::Error) -> String {
    error(format!("cannot run the tests: {why}"))
}

/// The files have no tests.
pub(crate) fn nothing_to_generalize(paths: &[String]) -> String {
    let paths: Vec<String> = paths.iter().map(|path| one_line(path)).collect();
    error(format!("no `#[test]` found in {}", paths.join(", ")))
}

/// The file has no test with this name.
pub(crate) fn no_such_test(file: &Path, test: &str, all: &[String]) -> String {
    let mut text = error(format!("no `#[test]` named `{test}` in {}", path_on_one_line(file)));
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

/// Why a test stays unchanged.
pub(crate) fn why_kept(why: &WhyKept) -> String {
    let text = match why {
        WhyKept::Ignored => "it is ignored",
        WhyKept::Async => "it is `async`",
        WhyKept::OtherReturnType => "it returns something other than a `Result`",
        WhyKept::HasParameters => "it has parameters already",
        WhyKept::NoLiterals => "it contains no literals to turn into parameters",
        WhyKept::NoTypes => "Rebut cannot generate values of the types of its literals",
        WhyKept::OldEdition => {
            "the package uses the 2015 edition, where only the root file of the crate can name \
             Rebut, and this is another file"
        }
        WhyKept::NotBuilt => "`cargo test` does not build it (check `#[cfg]` and features)",
        WhyKept::FailsUnchanged => "it fails before any change",
        WhyKept::DidNotFinish => "it did not finish",
        WhyKept::DoesNotCompile(message) => return format!("it does not compile: {message}"),
        WhyKept::DoesNotCompileWithParameters(message) => {
            return format!("it does not compile with parameters: {message}");
        }
        WhyKept::TooManyErrors => "it does not compile with parameters",
        WhyKept::NoModule(Some(why)) | WhyKept::UnsupportedModule(why) => why,
        WhyKept::NoModule(None) => "it could not be built for WebAssembly",
        WhyKept::UnreadableModule(path, error) => return file_failed(path, "read", error),
        WhyKept::OwnPathLost => "exploration did not reach the path of the original values",
        WhyKept::OwnPathEnds(outcome) => return own_path_ends(outcome),
        WhyKept::OnlyOwnValues => "it passes only with its original values",
        WhyKept::NoSimpleCondition => {
            "no simple precondition separates passing from failing inputs"
        }
        WhyKept::ObjectKept(object) => return object_kept(object),
        WhyKept::HasResult => "it was tried before",
    };
    text.to_owned()
}

/// The test does not pass with its original values in WebAssembly.
fn own_path_ends(outcome: &Outcome) -> String {
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

/// A note about a test.
pub(crate) fn note_about_test(note: &Note) -> String {
    let text = match note {
        Note::ExamplesOnly => {
            "no simple precondition separates passing from failing inputs, so the test runs its \
             examples only"
        }
        Note::TooFewInputs => {
            "too few generated inputs satisfy its precondition, so the test runs its examples only"
        }
        Note::FailsFor(input) => {
            let statements: Vec<String> = input.iter().map(|one| format!("{one};")).collect();
            return format!(
                "it fails for an input on a path that was not explored, so it runs its examples \
                 only: {}",
                statements.join(" ")
            );
        }
        Note::UnexploredPaths => "not all paths were explored",
        Note::NoTestOfRejections => {
            "the code under test rejects some inputs, but Rebut cannot write a test for that"
        }
        Note::OtherNativeEnds(count) => {
            let (paths, end) = match count {
                1 => ("1 path".to_owned(), "its native run ends"),
                _ => (format!("{count} paths"), "their native runs end"),
            };
            return format!(
                "skipped {paths}: {end} differently than in WebAssembly, or not at all"
            );
        }
        Note::MoreExamples(count) => {
            return format!("{count} more kinds of paths have no example");
        }
        Note::DraftDropped { name, why } => {
            return format!("dropped `{name}`: {}", why_dropped(why));
        }
        Note::ObjectKept(object) => return object_kept(object),
    };
    text.to_owned()
}

/// Why a test that was written was dropped.
fn why_dropped(why: &WhyDropped) -> String {
    match why {
        WhyDropped::DoesNotCompile(message) => format!("it does not compile: {message}"),
        WhyDropped::Rejects(reason) => reason.clone(),
        WhyDropped::Fails(None) => "it fails".to_owned(),
        WhyDropped::Fails(Some(message)) => format!("it fails: {}", one_line(message)),
        WhyDropped::DidNotFinish => "it did not finish".to_owned(),
    }
}

/// An object is not replaced by a mock.
fn object_kept(object: &ObjectKept) -> String {
    let ObjectKept { code, trait_name, why } = object;
    let why = match why {
        WhyObjectKept::NoMock => "the trait has no mock; add `#[rebut::mock]` to it".to_owned(),
        WhyObjectKept::MockRefused(why) => {
            format!("the trait cannot be mocked: {}", one_line(why))
        }
        WhyObjectKept::OtherAnswersFail => {
            "the test fails if the mock returns something else".to_owned()
        }
        WhyObjectKept::TestKept(why) => why_kept(why),
    };
    format!("kept `{}` instead of a mock of `{trait_name}`: {why}", one_line(code))
}

/// Help if an answer of a mock causes a finding.
pub(crate) const HELP_FOR_MOCKS: &str =
    "help: if the real implementation never returns this, add `#[assume(..)]` to the mock's method";

/// The number of kinds of paths that end in one way.
pub(crate) fn path_ends(count: usize, end: PathEnd) -> String {
    let (one, many) = match end {
        PathEnd::Passes => ("1 path passes", "paths pass"),
        PathEnd::Refuses => ("1 path rejects its input", "paths reject their input"),
        PathEnd::Assertion => ("1 path fails an assertion", "paths fail an assertion"),
        PathEnd::Mistake => ("1 path panics (likely bug)", "paths panic (likely bug)"),
        PathEnd::Unknown => ("1 path is undecided", "paths are undecided"),
    };
    if count == 1 { one.to_owned() } else { format!("{count} {many}") }
}

/// The number of branch sides that the test covers.
pub(crate) fn branch_sides(sides: BranchSides) -> String {
    let BranchSides { before, after } = sides;
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
