//! Reads what a test runner prints: the results of tests, and the reports of failures.

/// The result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TestResult {
    Passed,
    Failed,
}

/// The result of a test in the output of libtest.
///
/// With one thread, libtest prints the name before the test runs, and the result after it. If the
/// process ends in between, there is no result. If it starts again, its last results count.
pub(crate) fn libtest_result(stdout: &str, test: &str) -> Option<TestResult> {
    let stdout = stdout.rsplit_once("\nrunning ").map_or(stdout, |(_, last)| last);
    let (_, rest) = stdout.split_once(&format!("test {test} ... "))?;
    let word = rest.split_whitespace().next()?;
    match word {
        "ok" => Some(TestResult::Passed),
        "FAILED" => Some(TestResult::Failed),
        _ => None,
    }
}

/// The result of a test in the output of nextest: a line such as `FAIL [ 0.1s] (1/4) lane0 a::b`.
/// A test that a signal ended has the name of the signal instead of `FAIL`.
pub(crate) fn nextest_result(stderr: &str, test: &str) -> Option<TestResult> {
    let mut results = stderr.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let status = words.next()?;
        let is_line = line.contains(" [") && words.last() == Some(test);
        match status {
            "PASS" | "LEAK" => is_line.then_some(TestResult::Passed),
            _ if status == "FAIL" || status == "ABORT" || status.starts_with("SIG") => {
                is_line.then_some(TestResult::Failed)
            }
            _ => None,
        }
    });
    results.next()
}

/// Whether nextest says that a test left a process behind that holds its output.
pub(crate) fn nextest_leaks(stderr: &str) -> bool {
    stderr.lines().any(|line| line.trim_start().starts_with("LEAK"))
}

/// The reports of failures of a test: from a line with `error[R..]` to the next one. A report names
/// its test, or the file with the call if that is not a test.
pub(crate) fn reports<'a>(output: &'a str, module: &str, tests: &[&str]) -> Vec<&'a str> {
    let mut starts: Vec<usize> = Vec::new();
    let mut offset = 0;
    for line in output.split_inclusive('\n') {
        if line.trim_start().starts_with("error[R") {
            starts.push(offset);
        }
        offset += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([output.len()]);
    let blocks = starts.iter().zip(ends).map(|(start, end)| &output[*start..end]);
    blocks
        .filter(|block| {
            let header: String = block.lines().take(2).collect();
            let file = format!("src/{module}.rs:");
            let is_named = tests.iter().any(|test| header.contains(&format!("`{module}::{test}`")));
            is_named || (header.contains(&file) && !header.contains(&format!("`{module}::")))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_libtest_are_read_with_one_thread_too() {
        let stdout =
            "\nrunning 3 tests\ntest a::dies ... FAILED\ntest a::holds ... ok\ntest a::passes ... ";
        assert_eq!(libtest_result(stdout, "a::dies"), Some(TestResult::Failed));
        assert_eq!(libtest_result(stdout, "a::holds"), Some(TestResult::Passed));
        assert_eq!(libtest_result(stdout, "a::passes"), None);
        assert_eq!(libtest_result(stdout, "a::fails"), None);
        let again = format!("{stdout}\nrunning 3 tests\ntest a::dies ... FAILED\n");
        assert_eq!(libtest_result(&again, "a::dies"), Some(TestResult::Failed));
        assert_eq!(libtest_result(&again, "a::holds"), None);
    }

    #[test]
    fn results_of_nextest_are_words_before_the_time() {
        let stderr = "    Starting 2 tests across 1 binary\n        PASS [   0.016s] (1/3) lane0 a::holds\n     SIGKILL [   0.020s] (2/3) lane0 a::dies\n        FAIL [   0.1s] (3/3) lane0 a::fails\n";
        assert_eq!(nextest_result(stderr, "a::holds"), Some(TestResult::Passed));
        assert_eq!(nextest_result(stderr, "a::dies"), Some(TestResult::Failed));
        assert_eq!(nextest_result(stderr, "a::fails"), Some(TestResult::Failed));
        assert_eq!(nextest_result(stderr, "a::passes"), None);
        assert!(!nextest_leaks(stderr) && nextest_leaks("        LEAK [ 0.1s] lane0 a::b\n"));
    }

    #[test]
    fn reports_are_those_of_the_test() {
        let output = "error[R001]: `a::fails` failed\n  x\nerror[R001]: `a::dies` failed\n  --> src/a.rs:3\n\n  y\n";
        let found = reports(output, "a", &["dies"]);
        assert_eq!(found, ["error[R001]: `a::dies` failed\n  --> src/a.rs:3\n\n  y\n"]);
        let check = "    error[R001]: the property failed\n      --> src/a.rs:7:5\n";
        assert_eq!(reports(check, "a", &["dies"]).len(), 1);
        assert!(reports(check, "b", &["dies"]).is_empty());
    }
}
