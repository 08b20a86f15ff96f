//! Counts the output of `cargo test`: which suites ran, which tests failed, which are ignored.
//!
//! Cargo announces each test binary in a line that begins with `Running`, and the documentation
//! tests of a crate with `Doc-tests`. Some tests run `cargo test` themselves and print its
//! output if they fail, so only the last result of a binary is its own. Documentation tests do not,
//! and the tool that runs them prints a result for each part of them.

use std::time::Duration;

/// The suites of a run, in order.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    suites: Vec<Suite>,
    /// The package whose binaries are running.
    package: String,
    is_listing_failures: bool,
}

/// A test binary, or the documentation tests of a crate.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Suite {
    /// The package and the file, such as `rebut-smt::oracle`.
    pub(crate) name: String,
    is_documentation: bool,
    /// `None` if it did not finish.
    result: Option<Counts>,
    pub(crate) failures: Vec<String>,
    ignored: Vec<Ignored>,
}

/// The number of tests by result.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Counts {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    seconds: f64,
}

/// A test with the attribute `#[ignore]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ignored {
    pub(crate) suite: String,
    pub(crate) test: String,
    pub(crate) reason: String,
}

impl Ignored {
    /// Examples for exploration have properties that fail on purpose and say so.
    pub(crate) fn is_meant_to_fail(&self) -> bool {
        self.reason.starts_with("fails: ")
    }
}

impl Suite {
    fn take(&mut self, counts: Counts) {
        self.result = match self.result {
            Some(before) if self.is_documentation => Some(Counts {
                passed: before.passed + counts.passed,
                failed: before.failed + counts.failed,
                seconds: before.seconds + counts.seconds,
            }),
            _ => Some(counts),
        };
    }

    pub(crate) fn time(&self) -> Duration {
        Duration::from_secs_f64(self.result.map_or(0.0, |counts| counts.seconds))
    }

    pub(crate) fn has_crashed(&self) -> bool {
        self.result.is_none()
    }
}

impl Tally {
    /// Takes the next line of the output.
    pub(crate) fn line(&mut self, line: &str) {
        let line = without_color(line);
        let words = line.trim_start();
        let is_listing = std::mem::take(&mut self.is_listing_failures);
        if let Some(rest) = words.strip_prefix("Running ").filter(|_| line.starts_with(' ')) {
            self.begin_binary(rest);
        } else if let Some(rest) =
            words.strip_prefix("Doc-tests ").filter(|_| line.starts_with(' '))
        {
            self.package = rest.trim().replace('_', "-");
            let name = format!("{}::documentation", self.package);
            self.suites.push(Suite { name, is_documentation: true, ..Suite::default() });
        }
        let Some(suite) = self.suites.last_mut() else { return };
        if line == "failures:" {
            // The last list of a binary is its own.
            if !suite.is_documentation {
                suite.failures.clear();
            }
            self.is_listing_failures = true;
        } else if let Some(counts) = counts(&line) {
            suite.take(counts);
        } else if let Some((test, reason)) = ignored(&line) {
            let (suite_name, test, reason) =
                (suite.name.clone(), test.to_owned(), reason.to_owned());
            suite.ignored.push(Ignored { suite: suite_name, test, reason });
        } else if is_listing && let Some(name) = line.strip_prefix("    ") {
            suite.failures.push(name.to_owned());
            self.is_listing_failures = true;
        }
    }

    /// `tests/oracle/main.rs (target/debug/deps/oracle-6f1d)`, or `unittests src/lib.rs (..)`, which
    /// comes first of a package.
    fn begin_binary(&mut self, rest: &str) {
        let (file, program) = rest.split_once(" (").unwrap_or((rest, ""));
        let program = program.trim_end_matches(')').rsplit(['/', '\\']).next().unwrap_or_default();
        let program = program.rsplit_once('-').map_or(program, |(name, _)| name);
        let name = match file.strip_prefix("unittests ") {
            Some("src/lib.rs" | "src/main.rs") => {
                self.package = program.replace('_', "-");
                self.package.clone()
            }
            _ => format!("{}::{program}", self.package),
        };
        self.suites.push(Suite { name, ..Suite::default() });
    }

    pub(crate) fn suites(&self) -> &[Suite] {
        &self.suites
    }

    /// Of all suites together; one that did not get to its end has failed.
    pub(crate) fn counts(&self) -> Counts {
        let mut all = Counts::default();
        for suite in &self.suites {
            let counts = suite.result.unwrap_or(Counts { failed: 1, ..Counts::default() });
            all.passed += counts.passed;
            all.failed += counts.failed;
            all.seconds += counts.seconds;
        }
        all
    }

    pub(crate) fn ignored(&self) -> impl Iterator<Item = &Ignored> {
        self.suites.iter().flat_map(|suite| &suite.ignored)
    }
}

/// Of `test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.31s`.
fn counts(line: &str) -> Option<Counts> {
    let (_, rest) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let mut counts = Counts::default();
    for part in rest.split("; ") {
        match part.rsplit_once(' ')? {
            (number, "passed") => counts.passed = number.parse().ok()?,
            (number, "failed") => counts.failed = number.parse().ok()?,
            ("finished in", time) => counts.seconds = time.strip_suffix('s')?.parse().ok()?,
            _ => {}
        }
    }
    Some(counts)
}

/// Of `test paths::fails ... ignored, fails: 77`.
fn ignored(line: &str) -> Option<(&str, &str)> {
    let (test, rest) = line.strip_prefix("test ")?.split_once(" ... ignored")?;
    Some((test, rest.strip_prefix(", ").unwrap_or(rest)))
}

/// A line without the escape sequences of a terminal.
fn without_color(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or("", |(_, rest)| rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(output: &str) -> Tally {
        let mut tally = Tally::default();
        output.lines().for_each(|line| tally.line(line));
        tally
    }

    fn names(tally: &Tally) -> Vec<&str> {
        tally.suites().iter().map(|suite| suite.name.as_str()).collect()
    }

    const PASSING: &str = "
   Compiling rebut-smt v0.1.0
    Finished `test` profile [unoptimized + debuginfo] target(s) in 1m 16s
     Running unittests src/lib.rs (target/debug/deps/rebut_smt-dd4c88747f3381db)

running 2 tests
test sorts ... ok
test slow ... ignored, takes an hour

test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.25s

     Running tests/oracle/main.rs (target/debug/deps/oracle-d982338dff56411a)

running 2 tests
test fails ... ignored, fails: 77
test agrees ... ok

test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 61.50s

   Doc-tests rebut_smt

running 3 tests
test crates/rebut-smt/src/lib.rs - (line 9) ... ok

test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s


running 1 test

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s
";

    #[test]
    fn suites_are_counted_by_package_and_file() {
        let tally = tally(PASSING);
        assert_eq!(names(&tally), ["rebut-smt", "rebut-smt::oracle", "rebut-smt::documentation"]);
        let Counts { passed, failed, seconds } = tally.counts();
        assert_eq!((passed, failed), (6, 0));
        assert!((seconds - 61.95).abs() < 0.001, "{seconds}");
        assert_eq!(tally.suites()[1].time(), Duration::from_millis(61_500));
        assert!(!tally.suites().iter().any(Suite::has_crashed));
    }

    #[test]
    fn ignored_tests_have_their_reason() {
        let tally = tally(PASSING);
        let ignored: Vec<&Ignored> = tally.ignored().collect();
        assert_eq!(ignored[0].reason, "takes an hour");
        assert_eq!((&*ignored[1].suite, &*ignored[1].test), ("rebut-smt::oracle", "fails"));
        assert_eq!(
            ignored.iter().map(|it| it.is_meant_to_fail()).collect::<Vec<_>>(),
            [false, true]
        );
    }

    #[test]
    fn results_that_a_failing_test_prints_are_not_those_of_the_suite() {
        let tally = tally(
            "
     Running tests/fixture/main.rs (target/debug/deps/fixture-47b41d1766cc4964)

running 2 tests
test runners::runs ... FAILED
test runners::stops ... ok

failures:

---- runners::runs stdout ----
running 1 test
failures:
    inner::test

test result: FAILED. 0 passed; 7 failed; 0 ignored; 0 measured; 0 filtered out; finished in 9.00s

failures:
    runners::runs

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 79 filtered out; finished in 2.00s

error: test failed, to rerun pass `-p rebut --test fixture`
",
        );
        assert_eq!(tally.suites()[0].failures, ["runners::runs"]);
        assert_eq!((tally.counts().passed, tally.counts().failed), (1, 1));
    }

    #[test]
    fn a_suite_without_a_result_has_failed() {
        let tally = tally(
            "     Running unittests src/lib.rs (target/debug/deps/rebut_run-1)\nrunning 9 tests\n\
             error: test failed\n\
             \x20    Running tests/a.rs (target/debug/deps/a-2)\n\
             test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
        );
        assert_eq!((tally.counts().passed, tally.counts().failed), (4, 1));
        assert!(tally.suites()[0].has_crashed());
    }

    #[test]
    fn a_second_program_of_a_package_does_not_rename_it() {
        let tally = tally(
            "     Running unittests src/lib.rs (target/debug/deps/cargo_rebut-1)
     Running unittests src/bin/rebut.rs (target/debug/deps/rebut-1)
     Running tests/shells.rs (target/debug/deps/shells-1)
",
        );
        assert_eq!(names(&tally), ["cargo-rebut", "cargo-rebut::rebut", "cargo-rebut::shells"]);
    }

    #[test]
    fn colors_do_not_matter() {
        let tally = tally(
            "\u{1b}[1m\u{1b}[92m     Running\u{1b}[0m unittests src/lib.rs (target/debug/deps/a-1)\n\
             test result: \u{1b}[32mok\u{1b}[0m. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
        );
        assert_eq!((names(&tally), tally.counts().passed), (vec!["a"], 2));
    }
}
