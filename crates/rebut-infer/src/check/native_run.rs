//! Runs native tests, and returns the results of those that fail.

use crate::note::DropReason;
use crate::words;
use rebut_build::NativePackage;
use rebut_cli::exit::{self, Exit};
use rebut_native::{Failure, RunOptions, TestProgram, TestResult};
use rebut_protocol::settings::{self, Setting};
use std::collections::BTreeMap;
use std::path::Path;

/// The settings of native runs. The seed is fixed, so that the same claims are dropped each time,
/// and no failure is stored. 200 cases and 500 shrink steps are arbitrary: the laws are true on all
/// explored paths already, and a failing input only has to be short enough for a note.
const SETTINGS: &[(&Setting, &str)] = &[
    (&settings::CASES, "200"),
    (&settings::DATABASE, "false"),
    (&settings::EXPLAIN, "false"),
    (&settings::SEED, "1"),
    (&settings::SHRINK_MAX, "500"),
];

/// The limit of rejected cases for each accepted one in a strict run. Arbitrary: a quarter of the
/// default of 20, so that a test within it stays below the default with other seeds, too. A test
/// beyond it gets a higher limit of its own.
const STRICT_REJECTIONS_MAX: &str = "5";

/// Whether a test may reject as many cases as its attribute allows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RejectionLimit {
    Strict,
    OfTest,
}

/// Runs the tests whose names contain one of these, and returns the results of those that do not
/// pass, by the last part of their names.
pub(super) fn failing_tests(
    native: &NativePackage,
    program: &Path,
    names: &[String],
    limit: RejectionLimit,
) -> Result<BTreeMap<String, TestResult>, exit::Failure> {
    let rejections_max = settings::REJECTIONS_MAX.variable;
    let mut options = RunOptions::default()
        .without_variable(settings::REPLAY.variable)
        .without_variable(rejections_max);
    for (setting, value) in SETTINGS {
        options = options.variable(setting.variable, *value);
    }
    if limit == RejectionLimit::Strict {
        options = options.variable(rejections_max, STRICT_REJECTIONS_MAX);
    }
    let program = TestProgram::new(program, &native.home, &native.package);
    let mut arguments: Vec<&str> = names.iter().map(String::as_str).collect();
    arguments.push("--test-threads=2");
    let results = program
        .run_properties(&arguments, &options)
        .map_err(|error| exit::Failure::new(Exit::MissingTool, words::cargo_not_started(error)))?;
    let failing = results.into_iter().filter(|(_, result)| !matches!(result, TestResult::Passed));
    let last = |name: &str| name.rsplit("::").next().unwrap_or(name).to_owned();
    Ok(failing.map(|(name, result)| (last(name.as_str()), result)).collect())
}

/// Returns why a test is dropped: the values with which it fails, or else its report.
pub(super) fn drop_reason(result: &TestResult) -> DropReason {
    let report = match result {
        TestResult::Failed(failure) => match failure.declarations() {
            values if values.is_empty() => failure.report.clone(),
            values => return DropReason::Fails { values },
        },
        TestResult::Rejected(rejection) => rejection.reason.clone(),
        TestResult::Crashed { output } => output.clone(),
        TestResult::NotCovered => words::NOT_COVERED.to_owned(),
        TestResult::Passed | TestResult::Hung | TestResult::Missing => words::NO_RESULT.to_owned(),
    };
    DropReason::FailsWithoutValues { report }
}

/// Returns the failure of a test that failed.
pub(super) fn failure(result: &TestResult) -> Option<&Failure> {
    match result {
        TestResult::Failed(failure) => Some(failure),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_native::Rejection;

    #[test]
    fn a_dropped_test_is_explained_by_its_result() {
        let mut failure =
            Failure { report: "error[R005]: slow\nmore".into(), ..Failure::default() };
        let reason = |failure: &Failure| drop_reason(&TestResult::Failed(failure.clone()));
        assert_eq!(reason(&failure).to_string(), "it fails in a native run: error[R005]: slow");
        failure.inputs.push(rebut_report::ReportedInput {
            values: vec![rebut_report::Value {
                name: "x".into(),
                type_name: "u8".into(),
                code: "1".into(),
            }],
            ..rebut_report::ReportedInput::default()
        });
        let expected = "it fails in a native run with `let x: u8 = 1`";
        assert_eq!(reason(&failure).to_string(), expected);
        let rejection = Rejection { assumption: None, reason: "all 9 inputs".into() };
        let reason = drop_reason(&TestResult::Rejected(rejection));
        assert_eq!(reason.to_string(), "it fails in a native run: all 9 inputs");
    }
}
