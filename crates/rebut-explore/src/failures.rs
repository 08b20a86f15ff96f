//! The failures of a test, each confirmed by a native run and reported once, when it is found.
//!
//! The native run shrinks the input, stores it, and writes the report that is printed, so a failure is
//! as small as `cargo test` makes it. Inputs that shrink to the same failure are one.

use crate::native;
use crate::waiting::{self, TestWatcher};
use rebut_cli::output::to_stdout;
use rebut_native::{Failure, PropertyRun, TestName, TestProgram, TestResult};
use rebut_protocol::verdicts::VerdictCode;
use std::collections::{BTreeMap, BTreeSet};
use std::io;

/// The maximum number of inputs with the same failure that run alone.
///
/// Arbitrary. If none of them fails, they fail only after others. Each costs one run of the program.
const TRIES_MAX: usize = 8;

/// Collects the failures of a test.
#[derive(Debug)]
pub(crate) struct FailureCollector<'a> {
    program: Option<&'a TestProgram>,
    test: &'a TestName,
    /// Whether to print the report of each failure at once.
    prints: bool,
    /// Prints while the progress is hidden.
    watcher: Option<&'a TestWatcher<'a>>,
    /// Whether a signal has ended a native run.
    pub(crate) is_interrupted: bool,
    /// The keys of the failures so far.
    known: BTreeSet<String>,
    /// How many inputs ran because they had failed with a key after others.
    tries: BTreeMap<String, usize>,
    pub(crate) failures: Vec<Failure>,
    /// The first error of a native run.
    pub(crate) error: Option<io::Error>,
}

impl<'a> FailureCollector<'a> {
    pub(crate) fn new(
        program: Option<&'a TestProgram>,
        test: &'a TestName,
        prints: bool,
        watcher: Option<&'a TestWatcher<'a>>,
    ) -> FailureCollector<'a> {
        FailureCollector {
            program,
            test,
            prints,
            watcher,
            is_interrupted: false,
            known: BTreeSet::new(),
            tries: BTreeMap::new(),
            failures: Vec::new(),
            error: None,
        }
    }

    /// Adds the failure of an ordinary run. Verdicts that are not about an input do not count here:
    /// exploration may still find out more.
    pub(crate) fn add_run(&mut self, run: &PropertyRun) {
        let is_about_input = matches!(run.code, Some(VerdictCode::Failed | VerdictCode::Flaky));
        if let TestResult::Failed(failure) = &run.result
            && is_about_input
        {
            self.add(failure.clone());
        }
    }

    /// Runs an input that fails in WebAssembly, or failed natively after others.
    pub(crate) fn confirm(&mut self, replay: &str) {
        let Some(program) = self.program.filter(|_| self.error.is_none()) else { return };
        let result = native::run_failing(program, self.test, replay);
        if waiting::interruption().is_some() {
            // The signal has ended the native run, too.
            self.is_interrupted = true;
            return;
        }
        match result {
            Ok(TestResult::Failed(failure)) => self.add(failure),
            Ok(TestResult::Crashed { output }) => {
                self.add(Failure { report: output, ..Failure::default() });
            }
            Ok(TestResult::Hung) => self.add(Failure::default()),
            // It fails only in WebAssembly.
            Ok(
                TestResult::Passed
                | TestResult::Rejected(_)
                | TestResult::NotCovered
                | TestResult::Missing,
            ) => {}
            Err(error) => self.error = Some(error),
        }
    }

    /// Runs an input that failed with this key after others, unless the failure is known.
    pub(crate) fn confirm_origin(&mut self, origin: &str, replay: &str) {
        let tries = self.tries.entry(origin.to_owned()).or_default();
        *tries += 1;
        if *tries <= TRIES_MAX && !self.known.contains(origin) {
            self.confirm(replay);
        }
    }

    fn add(&mut self, failure: Failure) {
        let keys = keys(&failure);
        if !keys.is_empty() && keys.iter().all(|key| self.known.contains(key)) {
            return;
        }
        self.known.extend(keys);
        if let Some(watcher) = self.watcher {
            watcher.note_failure();
            if self.prints {
                let report = format!("{}\n\n", failure.report.trim_end());
                // A closed output ends the command with its next line.
                let _ = watcher.print(|| to_stdout(&report));
            }
        }
        self.failures.push(failure);
    }
}

/// Returns the keys of a failure: those of its inputs, or its last words.
fn keys(failure: &Failure) -> Vec<String> {
    if failure.inputs.is_empty() {
        let last = failure.report.trim_end().lines().next_back();
        return vec![format!("without an input: {}", last.unwrap_or_default())];
    }
    failure.inputs.iter().map(|input| input.origin.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebut_report::ReportedInput;

    fn failure(origins: &[&str]) -> Failure {
        let input = |origin: &&str| {
            let mut input = ReportedInput::default();
            input.origin.push_str(origin);
            input
        };
        Failure { inputs: origins.iter().map(input).collect(), ..Failure::default() }
    }

    #[test]
    fn inputs_that_shrink_to_one_failure_are_reported_once() {
        let test = TestName::from("a");
        let mut collector = FailureCollector::new(None, &test, false, None);
        for origins in [&["panic a:1"][..], &["panic a:1"], &["panic b:2"], &["panic b:2"]] {
            collector.add(failure(origins));
        }
        assert_eq!(collector.failures.len(), 2);
        assert!(collector.known.contains("panic b:2"));
        // A run that found a new failure next to a known one is reported.
        collector.add(failure(&["panic a:1", "panic c:3"]));
        assert_eq!(collector.failures.len(), 3);
    }

    #[test]
    fn verdicts_that_are_not_about_an_input_are_left_to_exploration() {
        let test = TestName::from("a");
        let mut collector = FailureCollector::new(None, &test, false, None);
        let run = |code| PropertyRun {
            code: Some(code),
            cases: 0,
            witness: None,
            result: TestResult::Failed(failure(&[])),
        };
        collector.add_run(&run(VerdictCode::NotFound));
        assert!(collector.failures.is_empty());
        collector.add_run(&run(VerdictCode::Flaky));
        assert_eq!(collector.failures.len(), 1);
    }
}
