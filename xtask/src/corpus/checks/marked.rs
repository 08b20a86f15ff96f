//! Runs the tests of marks, and judges their outcomes.

use syn::spanned::Spanned as _;

use super::{ArtifactKind, Checks, tail};
use crate::corpus::description::{Property, Suite};
use crate::corpus::marks::{self, MarksTest};
use crate::corpus::package::{Built, CommandOutput, CompilerMessage};
use crate::corpus::printed::PrintedFailure;

impl Checks<'_> {
    /// Tries other values of all parts of the counterexamples.
    pub(super) fn check_marks(&mut self) -> Result<(), String> {
        let mut tests = self.marks_tests();
        // Each round removes at least one test.
        while !tests.is_empty() {
            let (text, lines) = self.with_tests(&tests);
            self.write(&text)?;
            let built = self.build()?;
            if let Some(executable) = &built.executable {
                for ((test, failure), line) in tests.iter().zip(&lines) {
                    let name = self.suite.test_name(&test.name);
                    let output = self.package.test(executable, &name, &[])?;
                    self.judge_marks(test, failure, line + test.body_line, &output);
                }
                break;
            }
            tests = self.without_errors(tests, &lines, &built);
        }
        self.restore()
    }

    /// Returns a test for each failing property.
    fn marks_tests(&mut self) -> Vec<(MarksTest, PrintedFailure)> {
        let mut tests = Vec::new();
        let mut seen: Vec<String> = Vec::new();
        for failure in self.failures.clone() {
            let Some(property) = self.property(&failure).cloned() else { continue };
            // A second failure of a property would need a second test.
            if seen.contains(&property.name) {
                continue;
            }
            seen.push(property.name.clone());
            let result = match expected_outcome(&failure) {
                None => Err("the failure is neither a panic nor a result"),
                Some(_) => {
                    marks::test_of(&property, &failure, &self.definitions, &self.source.text)
                }
            };
            match result {
                Err(why) if !failure.marks.is_empty() => {
                    let name = &failure.name;
                    let reason = format!("`{name}`: the marks are not checked: {why}");
                    self.findings.unchecked.push(reason);
                }
                Err(_) => {}
                Ok(test) if self.is_without_prelude() => {
                    tests.push((test.with_prelude(), failure));
                }
                Ok(test) => tests.push((test, failure)),
            }
        }
        tests
    }

    fn is_without_prelude(&self) -> bool {
        self.suite == Suite::Unit && self.description.styles.iter().any(|style| style == "no_std")
    }

    /// Returns the file of the properties with the tests below, and the line where each begins.
    fn with_tests(&self, tests: &[(MarksTest, PrintedFailure)]) -> (String, Vec<usize>) {
        let mut text = self.source.text.clone() + marks::SUPPORT;
        if self.is_without_prelude() && !text.contains("extern crate std;") {
            text.push_str("extern crate std;\n");
        }
        let mut lines = Vec::new();
        for (test, _) in tests {
            lines.push(text.lines().count() + 1);
            text.push_str(&test.code);
        }
        (text, lines)
    }

    /// Removes the tests with errors. `lines` are those where the tests begin.
    fn without_errors(
        &mut self,
        tests: Vec<(MarksTest, PrintedFailure)>,
        lines: &[usize],
        built: &Built,
    ) -> Vec<(MarksTest, PrintedFailure)> {
        let errors: Vec<&CompilerMessage> =
            built.messages.iter().filter(|message| message.is_error).collect();
        let first = errors.first().map_or("", |message| message.text.as_str());
        let nth_of =
            |line: usize| lines.iter().filter(|start| **start <= line).count().checked_sub(1);
        let error_in = |nth: usize| {
            let is_here = |message: &&&CompilerMessage| {
                message.place.as_ref().is_some_and(|(_, line)| nth_of(*line) == Some(nth))
            };
            errors.iter().find(is_here).map(|message| message.text.as_str())
        };
        // An error elsewhere is not the fault of one test.
        let is_elsewhere = (0..tests.len()).all(|nth| error_in(nth).is_none());
        let mut left = Vec::new();
        for (nth, (test, failure)) in tests.into_iter().enumerate() {
            let Some(error) = error_in(nth).or(is_elsewhere.then_some(first)) else {
                left.push((test, failure));
                continue;
            };
            if !failure.marks.is_empty() {
                let (name, marks) = (&failure.name, failure.marks.len());
                let reason =
                    format!("`{name}`: {marks} marks: the test does not compile:\n{error}");
                self.findings.unchecked.push(reason);
            }
        }
        left
    }

    fn judge_marks(
        &mut self,
        test: &MarksTest,
        failure: &PrintedFailure,
        body_line: usize,
        output: &CommandOutput,
    ) {
        let Some(property) = self.property(failure).cloned() else { return };
        let expected = self.moved_outcome(failure, &property, body_line);
        for (nth, group) in test.groups.iter().enumerate() {
            let outcomes = marks::outcomes(&output.stdout, &property.name, nth);
            let total: usize = outcomes.iter().map(|(_, count)| count).sum();
            let is_same = |outcome: &str| expected.iter().any(|one| one == outcome);
            let other: Vec<&(String, usize)> = outcomes
                .iter()
                .filter(|(outcome, _)| !is_same(outcome) && outcome != "rejected")
                .collect();
            let all_fail = other.is_empty() && total > 0;
            match (group.is_marked, all_fail) {
                (true, true) => self.findings.right(ArtifactKind::Mark),
                (true, false) if total == 0 => self.findings.unchecked.push(format!(
                    "`{}`: the test of the mark at `{}` died:\n{}",
                    failure.name,
                    group.shown,
                    tail(&output.stderr)
                )),
                (true, false) => {
                    let reason = format!(
                        "`{}`: the mark at `{}` is false: {other:?}, expected {expected:?}",
                        failure.name, group.shown
                    );
                    self.findings.wrong(ArtifactKind::Mark, reason);
                }
                (false, true) => self.findings.without_mark += 1,
                (false, false) => {}
            }
        }
    }

    /// Returns the outcome of the pasted body: a panic in the body is in another line there.
    fn moved_outcome(
        &self,
        failure: &PrintedFailure,
        property: &Property,
        body_line: usize,
    ) -> Vec<String> {
        let Some((file, line)) = failure.panic_place() else {
            return expected_outcome(failure).into_iter().collect();
        };
        let own = self.package.printed_path(self.suite.path());
        let block = property.function.block.span();
        let is_in_body = file == own && (block.start().line..=block.end().line).contains(&line);
        let line = if is_in_body { line - block.start().line + body_line } else { line };
        let file = file.trim_start_matches("~/");
        let home = std::env::var("HOME").unwrap_or_default();
        vec![format!("at {file}:{line}"), format!("at {home}/{file}:{line}")]
    }
}

/// Returns the outcome of the body that corresponds to a failure.
fn expected_outcome(failure: &PrintedFailure) -> Option<String> {
    match failure.outcome.as_str() {
        "returned false" => Some("false".to_owned()),
        outcome if outcome.starts_with("returned an error") => Some("error".to_owned()),
        _ => failure.panic_place().map(|(file, line)| format!("at {file}:{line}")),
    }
}
