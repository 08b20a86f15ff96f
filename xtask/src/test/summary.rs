//! The end of a run: which tests did not run and why, which failed, and the figures.

use std::collections::{BTreeMap, BTreeSet};

use super::Run;
use crate::clock::shown;
use crate::tally::{Ignored, Suite, Tally};

pub(super) fn print(run: &Run) {
    print!("\n{}", text(run));
}

/// Tests with `#[ignore]` that are not meant to fail: nothing runs these.
pub(super) fn ignored(tally: &Tally) -> impl Iterator<Item = &Ignored> {
    tally.ignored().filter(|ignored| !ignored.is_meant_to_fail())
}

fn text(run: &Run) -> String {
    let mut text = not_run(run) + &slowest(&run.tally) + &failed(run);
    for step in &run.steps {
        text += &format!("{:>12} {} [{}]\n", "Step", step.name, shown(step.time));
    }
    let Figures { passed, failed, skipped, meant_to_fail } = figures(run);
    let tests = with_commas(passed + failed + skipped);
    let [p, f, s] = [passed, failed, skipped].map(with_commas);
    text += &format!(
        "{:>12} [{:>8}] {} steps, {tests} tests: {p} passed, {f} failed, {s} skipped",
        "Summary",
        shown(run.time),
        run.steps.len(),
    );
    if meant_to_fail > 0 {
        text += &format!("; {meant_to_fail} examples for exploration fail on purpose");
    }
    // In this form for programs that read it.
    text + &format!("\n{passed} passed, {failed} failed, {skipped} skipped\n")
}

struct Figures {
    passed: usize,
    failed: usize,
    skipped: usize,
    meant_to_fail: usize,
}

/// A harness counts a test that returns early as passed; in continuous integration it fails.
fn figures(run: &Run) -> Figures {
    let counts = run.tally.counts();
    let tests: BTreeSet<_> = run.skipped.iter().map(|test| (&test.suite, &test.test)).collect();
    let returned = if run.is_ci { 0 } else { tests.len().min(counts.passed) };
    let ignored = ignored(&run.tally).count();
    Figures {
        passed: counts.passed - returned,
        failed: counts.failed,
        skipped: returned + ignored + run.unchecked.len(),
        meant_to_fail: run.tally.ignored().count() - ignored,
    }
}

/// The tests that did not run, by what is missing, with the reason why it was not set up.
fn not_run(run: &Run) -> String {
    let mut text = String::new();
    let mut by_tool: BTreeMap<&str, BTreeMap<&str, BTreeSet<&str>>> = BTreeMap::new();
    for skipped in run.skipped.iter().chain(&run.unchecked) {
        let tests = by_tool.entry(&skipped.tool).or_default().entry(&skipped.suite).or_default();
        tests.insert(&skipped.test);
    }
    for (tool, suites) in by_tool {
        text += &format!("  {tool} is missing\n");
        for (suite, tests) in suites {
            text += &format!("    {suite}: {}\n", tests.into_iter().collect::<Vec<_>>().join(", "));
        }
    }
    for Ignored { suite, test, reason } in ignored(&run.tally) {
        text += &format!("  {suite}: {test} is ignored: {reason}\n");
    }
    for (name, why) in &run.setup.missing {
        text += &format!("  {name} could not be set up: {why}\n");
    }
    with_title("Did not run:", text)
}

/// The suites that take the most time, as it is there that it can be saved.
fn slowest(tally: &Tally) -> String {
    let mut suites: Vec<&Suite> = tally.suites().iter().collect();
    suites.sort_by_key(|suite| std::cmp::Reverse(suite.time()));
    let lines = suites.iter().take(10).filter(|suite| suite.time().as_secs() >= 1);
    with_title(
        "Slowest suites:",
        lines.map(|suite| format!("  {} [{}]\n", suite.name, shown(suite.time()))).collect(),
    )
}

fn failed(run: &Run) -> String {
    let mut text = String::new();
    for suite in run.tally.suites() {
        for test in &suite.failures {
            text += &format!("  {}: {test}\n", suite.name);
        }
        if suite.has_crashed() {
            text += &format!("  {}: did not finish\n", suite.name);
        }
    }
    for step in &run.steps {
        if let Err(why) = &step.result {
            text += &format!("  step {}: {why}\n", step.name);
        }
    }
    if run.is_ci && !run.is_complete() {
        text += "  CI is set, and not all tests ran\n";
    }
    with_title("Failed:", text)
}

fn with_title(title: &str, lines: String) -> String {
    if lines.is_empty() { lines } else { format!("{title}\n{lines}\n") }
}

fn with_commas(number: usize) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    groups.map(String::from_utf8_lossy).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::Setup;
    use crate::test::Step;
    use rebut_testkit::Skipped;
    use std::time::Duration;

    fn run(output: &str, skipped: &[&str]) -> Run {
        let mut tally = Tally::default();
        output.lines().for_each(|line| tally.line(line));
        let step =
            |name, seconds| Step { name, time: Duration::from_secs(seconds), result: Ok(()) };
        Run {
            setup: Setup::default(),
            steps: vec![step("format", 1), step("tests", 700)],
            tally,
            skipped: skipped.iter().filter_map(|line| Skipped::from_line(line)).collect(),
            unchecked: BTreeSet::new(),
            time: Duration::from_secs(701),
            is_ci: false,
        }
    }

    const OUTPUT: &str = "     Running tests/oracle/main.rs (target/debug/deps/oracle-1)
test result: ok. 1043 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 63.00s
";

    #[test]
    fn a_run_in_which_all_passed_ends_with_its_figures() {
        let run = run(OUTPUT, &[]);
        assert!(run.is_success());
        assert_eq!(
            text(&run),
            "Slowest suites:
  ::oracle [1m 03s]

        Step format [1.0s]
        Step tests [11m 40s]
     Summary [ 11m 41s] 2 steps, 1,043 tests: 1,043 passed, 0 failed, 0 skipped
1043 passed, 0 failed, 0 skipped
"
        );
    }

    #[test]
    fn a_test_that_did_not_run_is_not_counted_as_passed() {
        let lines = ["z3\tsmt::oracle\tagrees\tnot found", "cvc5\tsmt::oracle\tagrees\tnot found"];
        let mut run = run(OUTPUT, &lines);
        run.setup.missing.push(("cvc5".to_owned(), "not root".to_owned()));
        let text = text(&run);
        let expected = "Did not run:
  cvc5 is missing
    smt::oracle: agrees
  z3 is missing
    smt::oracle: agrees
  cvc5 could not be set up: not root
";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.ends_with("\n1042 passed, 0 failed, 1 skipped\n"), "{text}");
        assert!(run.is_success());
        run.is_ci = true;
        assert!(!run.is_success());
        assert!(super::text(&run).contains("CI is set, and not all tests ran"));
    }

    #[test]
    fn a_check_outside_the_harness_takes_nothing_from_the_tests_that_passed() {
        let mut run = run(OUTPUT, &[]);
        run.unchecked.extend(Skipped::from_line("a target\txtask::platforms\tlints\tno network"));
        assert!(text(&run).ends_with("\n1043 passed, 0 failed, 1 skipped\n"), "{}", text(&run));
        run.is_ci = true;
        assert!(!run.is_success());
        assert!(text(&run).ends_with("\n1043 passed, 0 failed, 1 skipped\n"), "{}", text(&run));
    }

    #[test]
    fn an_ignored_test_is_skipped_unless_it_is_meant_to_fail() {
        let ignored = "test big ... ignored, takes an hour\ntest fault ... ignored, fails: 77\n";
        let mut run = run(&format!("{OUTPUT}{ignored}"), &[]);
        let text = text(&run);
        assert!(text.contains("  ::oracle: big is ignored: takes an hour\n"), "{text}");
        assert!(text.contains("1 skipped; 1 examples for exploration fail on purpose\n"), "{text}");
        assert!(text.ends_with("\n1043 passed, 0 failed, 1 skipped\n"), "{text}");
        run.is_ci = true;
        assert!(!run.is_success());
    }

    #[test]
    fn failures_are_listed_before_the_figures() {
        let mut run = run(
            "     Running tests/a.rs (target/debug/deps/a-1)
failures:
    first
    second

test result: FAILED. 1 passed; 2 failed; finished in 0.10s
     Running tests/b.rs (target/debug/deps/b-1)
",
            &[],
        );
        run.steps[1].result = Err("`cargo test` ended with exit status: 101".to_owned());
        let text = text(&run);
        let expected = "Failed:
  ::a: first
  ::a: second
  ::b: did not finish
  step tests: `cargo test` ended with exit status: 101
";
        assert!(text.contains(expected), "{text}");
        assert!(text.ends_with("\n1 passed, 3 failed, 0 skipped\n"), "{text}");
        assert!(!run.is_success());
    }

    #[test]
    fn large_numbers_have_commas() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(with_commas), ["0", "999", "1,000", "1,234,567"]);
    }
}
