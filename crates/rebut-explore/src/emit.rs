//! The covering inputs of an exploration, to be kept: as `#[example(..)]` lines to paste above the
//! property, or as ordinary tests in the folder `tests` of the package.

use super::picture::{PathOf, Picture};
use crate::words::{self, say};
use rebut_build::Module;
use rebut_cli::arguments::Emit;
use rebut_cli::exit::Failure;
use rebut_cli::output::to_stdout;
use rebut_concolic::{Description, ShownValue};
use rebut_native::{ExpectedEnd, RegressionTests};
use std::fmt::Write as _;

/// An input that is longer than this as code is not kept.
const CODE_MAX: usize = 1000;

/// Writes the covering inputs of a test.
pub(crate) fn emit(
    how: Emit,
    module: &Module,
    description: &Description,
    picture: &Picture,
) -> Result<(), Failure> {
    if description.is_exists || description.is_not_exists {
        say(&words::nothing_to_keep(&description.path, words::KEEPS_NO_WITNESS));
        return Ok(());
    }
    let covering = || picture.paths.iter().filter(|path| path.is_covering || is_only(picture));
    let kept: Vec<&PathOf> = covering().filter(|path| can_be_kept(path)).collect();
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

/// Without decisions there is one path, and it covers all there is.
fn is_only(picture: &Picture) -> bool {
    picture.decisions.is_empty()
}

/// Whether an input can be written as code, and is one that the property does not reject.
fn can_be_kept(path: &PathOf) -> bool {
    let is_writable = |value: &ShownValue| {
        !value.type_name.is_empty() && !value.code.starts_with("/*") && !value.code.is_empty()
    };
    let length: usize = path.values.iter().map(|value| value.code.len()).sum();
    matches!(path.kind, "passed" | "failed")
        && !path.values.is_empty()
        && path.values.iter().all(is_writable)
        && length <= CODE_MAX
}

/// Lines to paste above the property.
fn examples(description: &Description, kept: &[&PathOf]) -> String {
    let mut text = format!("// {} ({}:{})\n", description.path, description.file, description.line);
    for path in kept {
        let codes: Vec<&str> = path.values.iter().map(|value| value.code.as_str()).collect();
        let _ = writeln!(text, "#[example({})]", codes.join(", "));
    }
    text
}

/// Tests that need no Rebut, in a file of their own that compiles and does what was explored.
fn emit_tests(module: &Module, description: &Description, kept: &[&PathOf]) -> Result<(), Failure> {
    let Some(function) =
        rebut_native::find_function(&module.root, &description.file, description.line)
    else {
        say(&words::nothing_to_keep(&description.path, words::NOT_FOUND_IN_SOURCE));
        return Ok(());
    };
    let mut text = format!("// {} ({}:{})\n", description.path, description.file, description.line);
    let mut expected = Vec::new();
    for (nth, path) in kept.iter().enumerate() {
        let Some(test) = function.test(nth + 1, &lets(&path.values)) else {
            say(&words::nothing_to_keep(&description.path, words::NEEDS_A_RUNTIME));
            return Ok(());
        };
        let _ = write!(text, "// {}\n{test}\n", words::one_line(&path.outcome));
        expected.push(match path.kind {
            "failed" => ExpectedEnd::Fails,
            _ => ExpectedEnd::Passes,
        });
    }
    match RegressionTests::parse(text) {
        Some(tests) => say(&rebut_native::emit_paths(&module.root, &tests, &expected)?),
        None => say(&words::nothing_to_keep(&description.path, words::NOT_FOUND_IN_SOURCE)),
    }
    Ok(())
}

fn lets(values: &[ShownValue]) -> String {
    let line =
        |value: &ShownValue| format!("let {}: {} = {};\n", value.name, value.type_name, value.code);
    values.iter().map(line).collect()
}
