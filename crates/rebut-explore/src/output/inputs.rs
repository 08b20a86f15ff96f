//! The covering inputs of an exploration, to keep: as `#[example(..)]` lines to paste above the
//! property, or as ordinary tests in the directory `tests` of the package.

use crate::view::{ExplorationView, PathInput};
use crate::words::{self, say};
use rebut_build::Module;
use rebut_cli::arguments::Emit;
use rebut_cli::exit::Failure;
use rebut_cli::output::to_stdout;
use rebut_concolic::{Description, ShownValue};
use rebut_native::{ExpectedEnd, RegressionTests};
use rebut_report::PathKind;
use std::fmt::Write as _;

/// The maximum length of an input as code, in bytes.
///
/// Arbitrary: some twenty lines. A longer input is skipped with a note, because no one would keep
/// such a test.
const CODE_MAX: usize = 1000;

/// Writes the covering inputs of a test.
pub(crate) fn emit(
    how: Emit,
    module: &Module,
    description: &Description,
    view: &ExplorationView,
) -> Result<(), Failure> {
    if description.is_exists || description.is_not_exists {
        say(&words::nothing_to_keep(&description.path, words::KEEPS_NO_WITNESS));
        return Ok(());
    }
    // Without decisions there is one path, and it covers everything.
    let is_only = view.decisions.is_empty();
    let covering = || view.paths.iter().filter(|path| path.is_covering || is_only);
    let kept: Vec<&PathInput> = covering().filter(|path| can_be_kept(path)).collect();
    let others = covering().count() - kept.len();
    if others > 0 {
        say(&words::not_all_kept(&description.path, others));
    }
    if kept.is_empty() {
        say(&words::nothing_to_keep(&description.path, words::NOTHING_CAN_BE_WRITTEN));
        return Ok(());
    }
    match how {
        Emit::Examples => to_stdout(&examples(description, &kept)),
        Emit::Tests => emit_tests(module, description, &kept),
    }
}

/// Returns whether the input can be written as code, and the property does not reject it.
fn can_be_kept(path: &PathInput) -> bool {
    let is_writable = |value: &ShownValue| {
        !value.type_name.is_empty() && !value.code.starts_with("/*") && !value.code.is_empty()
    };
    let length: usize = path.values.iter().map(|value| value.code.len()).sum();
    matches!(path.kind, PathKind::Passed | PathKind::Failed)
        && !path.values.is_empty()
        && path.values.iter().all(is_writable)
        && length <= CODE_MAX
}

/// Returns lines to paste above the property.
fn examples(description: &Description, kept: &[&PathInput]) -> String {
    let mut text = first_line(description);
    for path in kept {
        let codes: Vec<&str> = path.values.iter().map(|value| value.code.as_str()).collect();
        let _ = writeln!(text, "#[example({})]", codes.join(", "));
    }
    text
}

/// Writes tests without Rebut to a file of their own, if they compile there and end as explored.
fn emit_tests(
    module: &Module,
    description: &Description,
    kept: &[&PathInput],
) -> Result<(), Failure> {
    let Description { path: test, file, line, .. } = description;
    let Some(function) = rebut_native::find_function(&module.root, file, *line) else {
        say(&words::nothing_to_keep(test, words::NOT_FOUND_IN_SOURCE));
        return Ok(());
    };
    let mut text = first_line(description);
    let mut expected = Vec::new();
    for (nth, path) in kept.iter().enumerate() {
        let Some(written) = function.test(nth + 1, &lets(&path.values)) else {
            say(&words::nothing_to_keep(test, words::NEEDS_A_RUNTIME));
            return Ok(());
        };
        let _ = write!(text, "// {}\n{written}\n", words::one_line(&path.outcome));
        expected.push(match path.kind {
            PathKind::Failed => ExpectedEnd::Fails,
            _ => ExpectedEnd::Passes,
        });
    }
    match RegressionTests::parse(text) {
        Some(tests) => say(&rebut_native::emit_paths(&module.root, &tests, &expected)?),
        None => say(&words::nothing_to_keep(test, words::NOT_FOUND_IN_SOURCE)),
    }
    Ok(())
}

/// Returns the first line of printed inputs, which names their property.
fn first_line(description: &Description) -> String {
    format!("// {} ({}:{})\n", description.path, description.file, description.line)
}

fn lets(values: &[ShownValue]) -> String {
    let line =
        |value: &ShownValue| format!("let {}: {} = {};\n", value.name, value.type_name, value.code);
    values.iter().map(line).collect()
}
