//! Runs native tests, and reads the reports of those that fail.

use crate::note::DropReason;
use crate::words;
use rebut_build::NativePackage;
use rebut_cli::block;
use rebut_cli::exit::{Exit, Failure};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Stdio;

/// The settings of native runs. The seed is fixed, so that the same claims are dropped each time,
/// and nothing is written. 200 cases and 500 shrink steps are arbitrary: the laws are true on all
/// explored paths already, and a failing input only has to be short enough for a note.
const SETTINGS: &[(&str, &str)] = &[
    ("REBUT_CASES", "200"),
    ("REBUT_DATABASE", "false"),
    ("REBUT_EVENTS", "off"),
    ("REBUT_EXPLAIN", "false"),
    ("REBUT_SEED", "1"),
    ("REBUT_SHRINK_MAX", "500"),
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

/// Runs the tests with these names, and returns the reports of those that fail, by the last part of
/// their names.
pub(super) fn failure_reports(
    native: &NativePackage,
    program: &Path,
    names: &[String],
    limit: RejectionLimit,
) -> Result<BTreeMap<String, String>, Failure> {
    let mut command = native.command(program);
    command
        .args(names)
        .arg("--test-threads=2")
        .envs(SETTINGS.iter().copied())
        .env_remove("REBUT_REPLAY")
        .env_remove("REBUT_REJECTIONS_MAX")
        .stderr(Stdio::piped());
    if limit == RejectionLimit::Strict {
        command.env("REBUT_REJECTIONS_MAX", STRICT_REJECTIONS_MAX);
    }
    let output = command
        .output()
        .map_err(|error| Failure::new(Exit::MissingTool, words::cargo_not_started(error)))?;
    Ok(split_reports(&String::from_utf8_lossy(&output.stdout)))
}

/// Splits the output of the test harness into the reports of failing tests.
fn split_reports(output: &str) -> BTreeMap<String, String> {
    let mut reports = BTreeMap::new();
    let mut current: Option<(String, String)> = None;
    for line in output.lines() {
        let header = line.strip_prefix("---- ").and_then(|line| line.strip_suffix(" stdout ----"));
        if let Some(path) = header {
            let name = path.rsplit("::").next().unwrap_or(path).to_owned();
            reports.extend(current.take());
            current = Some((name, String::new()));
        } else if line == "failures:" {
            reports.extend(current.take());
        } else if let Some((_, report)) = &mut current {
            report.push_str(line);
            report.push('\n');
        }
    }
    reports.extend(current);
    reports
}

/// Returns the line numbers of the source locations in a report.
pub(super) fn line_numbers(report: &str) -> impl Iterator<Item = usize> {
    report.split_whitespace().filter_map(|word| {
        let (_, rest) = word.split_once(".rs:")?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    })
}

/// Returns the values with which a test fails, or else its report.
pub(super) fn drop_reason(report: &str) -> DropReason {
    let values = block::values(report);
    let values = values.iter().map(|line| line.trim_end_matches(';').to_owned());
    match values.collect::<Vec<String>>() {
        values if values.is_empty() => DropReason::FailsWithoutValues { report: report.to_owned() },
        values => DropReason::Fails { values },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_of_a_run_is_split_into_reports() {
        let output = "\nrunning 2 tests\n\nfailures:\n\n---- stack::inferred::push stdout ----\n\
                    error[R001]: `push` failed\n  --> src/lib.rs:3:4\n\n    let x: u8 = 1;\n\n  \
                    panicked at src/lib.rs:31:5\n\n---- stack::inferred::pop stdout ----\nerror[R003]: pop\n\n\
                    failures:\n    stack::inferred::push\n";
        let reports = split_reports(output);
        assert_eq!(reports.keys().collect::<Vec<_>>(), ["pop", "push"]);
        assert_eq!(line_numbers(&reports["push"]).collect::<Vec<_>>(), [3, 31]);
        let reason = drop_reason(&reports["push"]);
        assert_eq!(reason.to_string(), "it fails in a native run with `let x: u8 = 1`");
        let reason = drop_reason(&reports["pop"]);
        assert_eq!(reason.to_string(), "it fails in a native run: error[R003]: pop");
    }
}
