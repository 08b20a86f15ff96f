//! The result of a native run of one test.

use crate::process::ProcessEnd;
use crate::program::Execution;
use rebut_protocol::verdicts::VerdictCode;
use rebut_report::{Property, ReportedInput};

/// How a test ended.
#[derive(Clone, Debug)]
pub enum TestResult {
    /// The test passed.
    Passed,
    /// The property rejected all or too many inputs.
    Rejected(Rejection),
    /// The property did not reach its `cover!` target.
    NotCovered,
    /// The test failed.
    Failed(Failure),
    /// The process died, and no event reports why.
    Crashed {
        /// Its output, to show it.
        output: String,
    },
    /// The process was killed at its time limit.
    Hung,
    /// The program has no such test.
    Missing,
}

/// The reason why a property tested too few inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The assumption that rejected the first input, if an assumption did.
    pub assumption: Option<String>,
    /// The reason for the verdict, as the report prints it.
    pub reason: String,
}

/// A failed test.
#[derive(Clone, Debug, Default)]
pub struct Failure {
    /// The code of the verdict; `None` for a test that wrote no events.
    pub verdict: Option<VerdictCode>,
    /// The reason for a verdict that is not about an input, such as one about time.
    pub reason: Option<String>,
    /// The failing inputs, shrunk, one for each distinct failure.
    pub inputs: Vec<ReportedInput>,
    /// The report as the test prints it, to show it. For a test that wrote no events, its output.
    pub report: String,
}

impl Failure {
    /// Returns the inputs as `let` statements without semicolons, each on one line and shortened.
    #[must_use]
    pub fn declarations(&self) -> Vec<String> {
        self.inputs.iter().flat_map(|input| &input.values).map(declaration).collect()
    }
}

/// The maximum number of characters of a value in a message.
///
/// Arbitrary: a line or two. Longer values are cut, because a message is about the failure; the
/// report has the whole value.
const VALUE_MAX: usize = 200;

fn declaration(value: &rebut_report::Value) -> String {
    let rebut_report::Value { name, type_name, code, .. } = value;
    // Code of several lines is indented.
    let words: Vec<&str> = code.split_whitespace().collect();
    let code = words.join(" ");
    let whole = match type_name.as_str() {
        "" => format!("let {name} = {code}"),
        _ => format!("let {name}: {type_name} = {code}"),
    };
    match whole.char_indices().nth(VALUE_MAX) {
        Some((end, _)) => format!("{} ..", &whole[..end]),
        None => whole,
    }
}

/// Returns the result of the properties of one test; `None` if all of them passed.
pub(crate) fn property_result(
    properties: &[&Property],
    execution: &Execution,
) -> Option<TestResult> {
    let failed = properties.iter().find(|property| !property.is_success())?;
    let Some(ended) = &failed.end else {
        // A property without an end was running when the process ended.
        return Some(match execution.end {
            ProcessEnd::TimedOut => TestResult::Hung,
            _ => TestResult::Crashed { output: execution.output() },
        });
    };
    Some(match ended.code() {
        Some(VerdictCode::Vacuous | VerdictCode::TooManyRejected) => {
            TestResult::Rejected(Rejection {
                assumption: ended.rejected.first().map(|rejected| rejected.why.clone()),
                reason: ended.reason.clone().unwrap_or_default(),
            })
        }
        Some(VerdictCode::NotCovered) => TestResult::NotCovered,
        verdict => TestResult::Failed(Failure {
            verdict,
            reason: ended.reason.clone(),
            inputs: failed.failures.clone(),
            report: ended.report.clone().unwrap_or_default(),
        }),
    })
}

/// The exit code of a test harness if a test failed.
const TEST_FAILED: i32 = 101;

/// Returns the result of a test that is not a property, from the end of its process.
pub(crate) fn plain_result(execution: &Execution) -> TestResult {
    match execution.end {
        ProcessEnd::Exited(0) => TestResult::Passed,
        ProcessEnd::Exited(TEST_FAILED) => {
            TestResult::Failed(Failure { report: execution.output(), ..Failure::default() })
        }
        ProcessEnd::Exited(_) | ProcessEnd::Killed => {
            TestResult::Crashed { output: execution.output() }
        }
        ProcessEnd::TimedOut => TestResult::Hung,
    }
}
