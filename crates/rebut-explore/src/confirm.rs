//! Confirms failures natively.
//!
//! A failure in WebAssembly is reported only if a native run of the same input fails too. The
//! native run shrinks the input, stores it, and writes the report that is printed.

use crate::words;
use rebut_build::Module;
use rebut_cli::exit::{self, Exit};
use rebut_concolic::{Description, Exploration};
use rebut_native::{Failure, RunOptions, TestName, TestProgram, TestResult, check_build};
use rebut_protocol::settings;
use std::path::Path;

/// The result of a native run of an input that fails in WebAssembly.
#[derive(Clone, Debug)]
pub(crate) enum Confirmation {
    /// It fails.
    Fails(Failure),
    /// It passes: it fails only in WebAssembly, where a `usize` has 32 bits.
    Passes,
    /// The property rejects the input, and why.
    Rejected(String),
}

/// The maximum number of inputs with the same failure that are run natively.
///
/// Arbitrary. If none of them fails, the failure counts as one of WebAssembly alone and is not
/// reported. Each input costs one run of the test program.
const TRIES_MAX: usize = 8;

/// Runs the input of each of these paths; if it does not fail, other inputs that failed in the
/// same way. Returns one confirmation for each path.
///
/// # Errors
/// If the tests cannot be built or started.
pub(crate) fn confirm_failures(
    module: &Module,
    description: &Description,
    exploration: &Exploration,
    leaves: &[usize],
) -> Result<Vec<Confirmation>, exit::Failure> {
    let mut selection = vec!["-p".to_owned(), module.package.clone()];
    selection.extend(module.target.arguments().into_iter().map(str::to_owned));
    check_build(&module.root, &selection)?;
    let scratch = module.path.parent().unwrap_or(Path::new("."));
    let program = TestProgram::with_cargo(&module.root, &selection, scratch);
    let test = TestName::from_path(&description.path);
    let mut confirmations = Vec::new();
    for first in leaves {
        let mut best = None;
        for replay in similar_inputs(exploration, *first) {
            let this = confirm(&program, &test, &replay)?;
            let is_failure = matches!(this, Confirmation::Fails(_));
            if is_failure || best.is_none() {
                best = Some(this);
            }
            if is_failure {
                break;
            }
        }
        confirmations.extend(best);
    }
    Ok(confirmations)
}

/// Returns the input of a path, and inputs of other paths that ended in the same way.
fn similar_inputs(exploration: &Exploration, first: usize) -> Vec<String> {
    let Some(leaf) = exploration.leaves.get(first) else { return Vec::new() };
    let others = exploration
        .leaves
        .iter()
        .enumerate()
        .filter(|(nth, other)| *nth != first && other.outcome == leaf.outcome);
    let others = others.map(|(_, other)| other).take(TRIES_MAX - 1);
    [leaf].into_iter().chain(others).map(|leaf| leaf.tape.to_replay_string()).collect()
}

fn confirm(
    program: &TestProgram,
    test: &TestName,
    replay: &str,
) -> Result<Confirmation, exit::Failure> {
    let options = RunOptions::default()
        .including_ignored()
        .variable(settings::REPLAY.variable, replay)
        .variable(settings::FOUND_BY.variable, "exploration");
    let result = program
        .run(test, &options)
        .map_err(|error| exit::Failure::new(Exit::MissingTool, words::cargo_not_started(error)))?;
    Ok(confirmation(result))
}

/// Interprets the result of one input. A single input may be rejected, or not reach a `cover!`
/// target that all inputs together reach. Neither is a failure of that input.
fn confirmation(result: TestResult) -> Confirmation {
    match result {
        TestResult::Failed(failure) => Confirmation::Fails(failure),
        TestResult::Rejected(rejection) => Confirmation::Rejected(
            rejection.assumption.unwrap_or_else(|| words::REJECTS_INPUT.to_owned()),
        ),
        TestResult::Crashed { output } => {
            Confirmation::Fails(Failure { report: output, ..Failure::default() })
        }
        TestResult::Hung => Confirmation::Fails(Failure::default()),
        TestResult::Passed | TestResult::NotCovered | TestResult::Missing => Confirmation::Passes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_native::Rejection;

    #[test]
    fn a_rejected_input_does_not_fail() {
        let rejected = |assumption: Option<&str>| {
            let assumption = assumption.map(str::to_owned);
            let rejection = Rejection { assumption, reason: String::new() };
            match confirmation(TestResult::Rejected(rejection)) {
                Confirmation::Rejected(why) => why,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(rejected(Some("n > 3")), "n > 3");
        assert_eq!(rejected(None), "the test rejects this input");
        assert!(matches!(confirmation(TestResult::NotCovered), Confirmation::Passes));
    }
}
