//! All messages about emitted tests.

pub(crate) use rebut_cli::words::*;

use crate::emit::RegressionOutcome;
use crate::result::TestResult;
use rebut_cli::color::{Color, colored};
use rebut_cli::status::{line, shown};
use std::path::Path;

/// Tests of paths were written.
pub(crate) fn emitted_paths(path: &Path, count: usize) -> String {
    let tests = if count == 1 { "1 test".to_owned() } else { format!("{count} tests") };
    line("Created", format!("{} ({tests})", shown(path)), is_colored())
}

fn is_colored() -> bool {
    colored(Color::Auto)
}

/// The outcome of a regression test, as the end of a sentence.
pub(crate) fn outcome(outcome: &RegressionOutcome) -> String {
    let result = match outcome {
        RegressionOutcome::NotBuilt(why) => {
            return format!("does not compile: {}", rebut_report::printable(why));
        }
        RegressionOutcome::Ran(result) => result,
    };
    let words = match result {
        TestResult::Failed(_) | TestResult::Crashed { .. } => "fails, as expected",
        TestResult::Hung => "hangs, as expected",
        TestResult::Passed | TestResult::Rejected(_) | TestResult::NotCovered => "does not fail",
        TestResult::Missing => "was not built",
    };
    words.to_owned()
}

/// A regression test was compiled and run.
pub(crate) fn regression_test(
    property: &str,
    regression: &RegressionOutcome,
    path: &Path,
) -> String {
    let property = rebut_report::one_line(property);
    let result = outcome(regression);
    match regression.is_failure() {
        true => line(
            "Confirmed",
            format!("{}: the regression test {result}", shown(path)),
            is_colored(),
        ),
        false => format!("warning: the regression test of {property} {result}: {}", shown(path)),
    }
}

/// A test was written to `tests/`.
pub(crate) fn emitted(path: &Path) -> String {
    line("Created", format!("{} (fails, as expected)", shown(path)), is_colored())
}

/// The test is in `tests/` already.
pub(crate) fn emitted_before(path: &Path) -> String {
    line("Unchanged", shown(path), is_colored())
}

/// The test is in `tests/`, but cargo does not build it.
pub(crate) fn not_a_target(path: &Path, is_there: bool) -> String {
    let status = if is_there { "Unchanged" } else { "Created" };
    let status = line(status, format!("{} (not run)", shown(path)), is_colored());
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let package = path.parent().and_then(Path::parent).unwrap_or(path);
    format!(
        "{status}\nwarning: cargo does not build this file, because the package has \
         `autotests = false`\nhelp: add these lines to {}:\n\n[[test]]\nname = \"{name}\"\n",
        shown(&package.join("Cargo.toml"))
    )
}

/// A test cannot be written to `tests/`. It may need private items, if it does not compile there.
pub(crate) fn not_emitted(property: &str, why: &str, path: &Path, is_built: bool) -> String {
    let property = rebut_report::one_line(property);
    let condition = if is_built { "" } else { "if it needs private items, " };
    format!(
        "warning: cannot write a test of {property} to `tests/`: {why}\nhelp: {condition}paste {} next to the property",
        shown(path)
    )
}

/// The first lines of an emitted test.
pub(crate) fn head_of_emitted(what: &str, property: &str) -> String {
    format!(
        "//! Written by `cargo rebut` for {what} of `{}`.\n\n#![allow(unused, clippy::all)]\n\n",
        rebut_report::one_line(property)
    )
}

/// No failure has a regression test.
pub(crate) const NOTHING_TO_EMIT: &str = "note: nothing to write, no test failed";

/// The file belongs to no package.
pub(crate) fn no_owner(file: &Path) -> String {
    format!("{} belongs to no package of the workspace", rebut_cli::status::path_on_one_line(file))
}

/// A binary cannot be imported.
pub(crate) fn nothing_to_import(kind: &str) -> String {
    format!("the property is in a target of kind `{kind}`, which a test cannot import")
}

/// The property is not where it was.
pub(crate) fn not_found_in(file: &Path) -> String {
    format!(
        "the property is not where it was: {} has changed, or a macro writes the property",
        rebut_cli::status::path_on_one_line(file)
    )
}

/// The property is in a module of a file of tests.
pub(crate) fn in_module_of(file: &Path) -> String {
    format!(
        "the property is in a module of {}, which another test cannot import",
        rebut_cli::status::path_on_one_line(file)
    )
}
