//! Judges a cell by what was printed and what is on the disk. Shares no code with Rebut.

use std::fmt;

use super::expected::Expectation;
use super::printed::{TestResult, libtest_result, nextest_leaks, nextest_result, reports};
use super::process::Ended;
use super::sites::{NEIGHBORS, Site};
use super::{INPUT_MIN, Runner};

/// A flaw of a cell, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Flaw {
    /// A command did not end.
    Hangs,
    /// The first run passed, or its deadly test did.
    Silent,
    /// The second run passed, or its deadly test did.
    Lost,
    /// A neighbor was not reported, or with another result.
    Neighbors,
    /// No report names the cause.
    Unnamed,
    /// A report calls the failure flaky.
    Flaky,
    /// The minimal input is neither shown nor stored.
    Input,
    /// An unneeded file was left.
    Files,
    /// A process was left behind.
    Processes,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Flaw::Hangs => "hangs",
            Flaw::Silent => "silent",
            Flaw::Lost => "lost",
            Flaw::Neighbors => "neighbors",
            Flaw::Unnamed => "unnamed",
            Flaw::Flaky => "flaky",
            Flaw::Input => "input",
            Flaw::Files => "files",
            Flaw::Processes => "processes",
        })
    }
}

/// A run of a cell.
#[derive(Debug, Default)]
pub(super) struct CellRun {
    pub(super) ended: Ended,
    /// The inputs that the deadly test died of, in order.
    pub(super) notes: Vec<u32>,
    /// The number of saved failures afterwards.
    pub(super) saved: usize,
    /// Files that should not be there.
    pub(super) stray: Vec<String>,
}

/// The runs of a cell, one after the other. The last one did not end in time, or none did.
#[derive(Debug, Default)]
pub(super) struct CellRuns {
    pub(super) runs: Vec<CellRun>,
    /// Notes about running tests that are left in the end.
    pub(super) journals: Vec<String>,
}

/// The names of runs.
pub(super) const NTH: [&str; 3] = ["first", "second", "third"];

impl CellRuns {
    /// Whether another run is needed to judge the cell.
    pub(super) fn needs_more(&self) -> bool {
        match self.runs.as_slice() {
            [] => true,
            [.., last] if last.ended.is_late => false,
            [_] => true,
            // The second run may be the first one that saves a failure.
            [first, second] => first.saved == 0 || second.notes.first() != Some(&INPUT_MIN),
            _ => false,
        }
    }

    /// Whether a run begins with the minimal input, because an earlier one has saved it.
    fn is_stored(&self) -> bool {
        self.runs
            .windows(2)
            .any(|pair| pair[0].saved > 0 && pair[1].notes.first() == Some(&INPUT_MIN))
    }
}

/// The output of a run about the deadly test and its neighbors.
struct RunSummary<'a> {
    run: &'a CellRun,
    runner: Runner,
    site: &'a Site,
    output: String,
}

impl<'a> RunSummary<'a> {
    fn new(run: &'a CellRun, runner: Runner, site: &'a Site) -> RunSummary<'a> {
        let output = format!("{}\n{}", run.ended.stdout, run.ended.stderr);
        RunSummary { run, runner, site, output }
    }

    fn result(&self, test: &str) -> Option<TestResult> {
        let test = format!("{}::{test}", self.site.module);
        match self.runner {
            Runner::Nextest => nextest_result(&self.run.ended.stderr, &test),
            Runner::CargoTest | Runner::OneThread => libtest_result(&self.run.ended.stdout, &test),
        }
    }

    /// Why the run is not a failure of the deadly tests.
    fn passes(&self) -> Option<String> {
        if self.run.ended.code == Some(0) {
            return Some("the command succeeds".to_owned());
        }
        let passed = |test: &&&str| self.result(test) == Some(TestResult::Passed);
        let test = self.site.deadly.iter().find(passed)?;
        Some(format!("`{test}` is reported as passed"))
    }

    /// The neighbors without the right result.
    fn wrong_neighbors(&self) -> Option<String> {
        let wrong: Vec<String> = NEIGHBORS
            .iter()
            .filter_map(|(test, passes)| {
                let expected = if *passes { TestResult::Passed } else { TestResult::Failed };
                let result = self.result(test);
                (result != Some(expected)).then(|| match result {
                    Some(result) => format!("`{test}` {result:?}"),
                    None => format!("`{test}` has no result"),
                })
            })
            .collect();
        (!wrong.is_empty()).then(|| wrong.join(", "))
    }

    /// Why the deadly tests are not reported with the cause. With `needs_all`, each of them must be.
    fn unnamed(&self, causes: &[&str]) -> Option<(Flaw, String)> {
        let module = self.site.module;
        let is_unreported = |test: &&&str| {
            let has_report = || !reports(&self.output, module, &[test]).is_empty();
            self.result(test) != Some(TestResult::Failed) && !has_report()
        };
        if let Some(test) = self.site.deadly.iter().find(is_unreported) {
            return Some((Flaw::Unnamed, format!("`{test}` is not reported as failed")));
        }
        let reports = reports(&self.output, module, self.site.deadly);
        let is_named = |report: &&str| causes.iter().any(|cause| says(report, cause));
        let has_code = |report: &str, code| report.trim_start().starts_with(code);
        if reports.iter().any(|report| has_code(report, "error[R001]") && is_named(report)) {
            return None;
        }
        let Some(report) = reports.first() else {
            return Some((Flaw::Unnamed, "no report".to_owned()));
        };
        let is_flaky = |report: &&str| has_code(report, "error[R002]") && is_named(report);
        let flaw = if reports.iter().any(is_flaky) { Flaw::Flaky } else { Flaw::Unnamed };
        let lines: Vec<&str> = report.lines().take(12).map(str::trim).collect();
        Some((flaw, lines.join(" / ")))
    }

    fn shows_input(&self) -> bool {
        let reports = reports(&self.output, self.site.module, self.site.deadly);
        let shown = [format!("n: u16 = {INPUT_MIN};"), format!("n = {INPUT_MIN};")];
        reports.iter().any(|report| shown.iter().any(|shown| report.contains(shown)))
    }
}

/// Whether a report has the parts of a cause in their order.
fn says(report: &str, cause: &str) -> bool {
    let mut rest = Some(report);
    for part in cause.split(" .. ") {
        rest = rest.and_then(|rest| rest.split_once(part)).map(|(_, rest)| rest);
    }
    rest.is_some()
}

/// The flaws of a cell, each with an explanation; the worst first.
pub(super) fn flaws(
    runs: &CellRuns,
    runner: Runner,
    site: &Site,
    expected: &Expectation,
) -> Vec<(Flaw, String)> {
    let mut flaws = Vec::new();
    let summaries: Vec<RunSummary<'_>> =
        runs.runs.iter().map(|run| RunSummary::new(run, runner, site)).collect();
    for (summary, nth) in summaries.iter().zip(NTH) {
        let is_first = nth == NTH[0];
        let ended = &summary.run.ended;
        let mut add = |flaw, why: String| flaws.push((flaw, format!("{nth} run: {why}")));
        if ended.is_late {
            let left = ended.left.join("; ");
            add(Flaw::Hangs, format!("killed after {} s: {left}", ended.time.as_secs()));
            continue;
        }
        if let Some(why) = summary.passes() {
            let is_seen = expected.causes.iter().any(|cause| says(&summary.output, cause));
            let may_pass = expected.may_pass || (expected.may_pass_with_warning && is_seen);
            if !may_pass {
                add(if is_first { Flaw::Silent } else { Flaw::Lost }, why);
            }
        } else {
            let may_die = expected.may_die || (expected.may_die_first && is_first);
            let is_allowed = |flaw| flaw == Flaw::Flaky && expected.may_be_flaky;
            if !may_die
                && let Some((flaw, why)) = summary.unnamed(&expected.causes)
                && !is_allowed(flaw)
            {
                add(flaw, why);
            }
        }
        // Each test of nextest has a process of its own.
        let may_die = expected.may_die || (expected.may_die_first && is_first);
        let is_excused = runner != Runner::Nextest && may_die;
        if !is_excused && let Some(why) = summary.wrong_neighbors() {
            add(Flaw::Neighbors, why);
        }
        if !summary.run.stray.is_empty() {
            add(Flaw::Files, summary.run.stray.join(", "));
        }
        if !ended.left.is_empty() {
            add(Flaw::Processes, ended.left.join("; "));
        } else if runner == Runner::Nextest && nextest_leaks(&ended.stderr) {
            add(Flaw::Processes, "nextest reports a leak".to_owned());
        }
    }
    let all_fail = summaries.iter().all(|one| !one.run.ended.is_late && one.passes().is_none());
    if all_fail
        && !expected.has_no_input
        && !runs.is_stored()
        && !summaries.iter().any(RunSummary::shows_input)
    {
        let begins: Vec<Option<&u32>> = runs.runs.iter().map(|run| run.notes.first()).collect();
        flaws.push((Flaw::Input, format!("the runs begin with {begins:?}")));
    }
    // A last run that was killed leaves the notes for the next one.
    if !runs.journals.is_empty() && flaws.is_empty() && !expected.may_die {
        flaws.push((Flaw::Files, format!("in the end: {}", runs.journals.join(", "))));
    }
    flaws.sort_by_key(|(flaw, _)| *flaw);
    flaws
}

#[cfg(test)]
mod tests {
    use super::super::deaths::DEATHS;
    use super::super::sites::SITES;
    use super::super::{Cell, Runner};
    use super::*;

    const STDOUT: &str = "
running 4 tests
test at_body::dies ... FAILED
test at_body::fails ... FAILED
test at_body::holds ... ok
test at_body::passes ... ok

failures:

---- at_body::dies stdout ----
error[R001]: `at_body::dies` failed
  --> src/at_body.rs:5:4

    let n: u16 = 101;
    let list: Vec<u8> = vec![];

  aborted the process: SIGABRT

---- at_body::fails stdout ----
error[R001]: `at_body::fails` failed
  --> src/at_body.rs:22:4

    let n: u16 = 50;

  panicked at src/at_body.rs:23:5: at least fifty
";

    fn run(stdout: &str) -> CellRun {
        let ended = Ended { code: Some(101), stdout: stdout.to_owned(), ..Ended::default() };
        CellRun { ended, notes: vec![101], saved: 1, stray: Vec::new() }
    }

    fn found(change: impl FnOnce(&mut CellRuns)) -> Vec<Flaw> {
        found_in("abort", change)
    }

    fn found_in(death: &str, change: impl FnOnce(&mut CellRuns)) -> Vec<Flaw> {
        let mut runs = CellRuns { runs: vec![run(STDOUT), run(STDOUT)], journals: Vec::new() };
        change(&mut runs);
        let death = DEATHS.iter().find(|one| one.name == death).expect("a death");
        let cell = Cell { death, site: &SITES[0], runner: Runner::CargoTest };
        let flaws = flaws(&runs, cell.runner, cell.site, &Expectation::of(&cell));
        flaws.into_iter().map(|(flaw, _)| flaw).collect()
    }

    fn second(runs: &mut CellRuns) -> &mut CellRun {
        &mut runs.runs[1]
    }

    #[test]
    fn recorded_output_without_a_flaw_is_right() {
        assert_eq!(found(|_| ()), []);
    }

    #[test]
    fn hangs_are_found() {
        let flaws = found(|runs| {
            runs.runs[0].ended.is_late = true;
            runs.runs.truncate(1);
        });
        assert_eq!(flaws, [Flaw::Hangs]);
        assert_eq!(found(|runs| second(runs).ended.is_late = true), [Flaw::Hangs]);
    }

    #[test]
    fn silent_passes_are_found() {
        let silent = found(|runs| runs.runs[0].ended.code = Some(0));
        assert_eq!(silent, [Flaw::Silent]);
        let silent = found(|runs| {
            let stdout = &mut runs.runs[0].ended.stdout;
            *stdout = stdout.replace("dies ... FAILED", "dies ... ok");
        });
        assert_eq!(silent, [Flaw::Silent]);
        let silent = found_in("_exit(0)", |runs| {
            runs.runs[0].ended = Ended { code: Some(0), ..Ended::default() };
        });
        assert_eq!(silent[0], Flaw::Silent, "no exception allows a pass");
        assert_eq!(found(|runs| second(runs).ended.code = Some(0)), [Flaw::Lost]);
    }

    #[test]
    fn missing_neighbors_are_found() {
        let cut = |runs: &mut CellRuns| {
            let stdout = &mut runs.runs[0].ended.stdout;
            *stdout = stdout.replace("test at_body::passes ... ok\n", "");
        };
        assert_eq!(found(cut), [Flaw::Neighbors]);
        let wrong = found(|runs| {
            let stdout = &mut second(runs).ended.stdout;
            *stdout = stdout.replace("fails ... FAILED", "fails ... ok");
        });
        assert_eq!(wrong, [Flaw::Neighbors]);
    }

    #[test]
    fn missing_names_are_found() {
        let rename = |from: &'static str, to: &'static str| {
            found(|runs| {
                let stdout = &mut runs.runs[0].ended.stdout;
                *stdout = stdout.replace(from, to);
            })
        };
        assert_eq!(rename("SIGABRT", "SIGSEGV"), [Flaw::Unnamed]);
        assert_eq!(rename("`at_body::dies` failed", "`at_body::lies` failed"), [Flaw::Unnamed]);
        assert_eq!(rename("R001]: `at_body::dies`", "R999]: `at_body::dies`"), [Flaw::Unnamed]);
        assert_eq!(rename("error[R001]: `at_body::dies`", "`at_body::dies`"), [Flaw::Unnamed]);
        assert_eq!(rename("R001]: `at_body::dies`", "R002]: `at_body::dies`"), [Flaw::Flaky]);
    }

    #[test]
    fn causes_may_have_a_location_in_between() {
        let report = "aborted the process at src/a.rs:7:9: SIGABRT: the first";
        assert!(says(report, "aborted the process .. SIGABRT"));
        assert!(!says(report, "SIGABRT .. aborted the process"));
    }

    #[test]
    fn inputs_are_shown_or_stored() {
        let hide = |runs: &mut CellRuns| {
            for run in &mut runs.runs {
                run.ended.stdout = run.ended.stdout.replace("= 101", "= 300");
            }
        };
        assert_eq!(found(hide), [], "the input is stored");
        let unstored = |runs: &mut CellRuns| {
            hide(runs);
            second(runs).notes = vec![300, 101];
        };
        assert_eq!(found(unstored), [Flaw::Input]);
        let later = found(|runs| {
            unstored(runs);
            let mut third = run(STDOUT);
            third.ended.stdout = third.ended.stdout.replace("= 101", "= 300");
            runs.runs.push(third);
        });
        assert_eq!(later, [], "the second run stores it");
    }

    #[test]
    fn remains_are_found() {
        let stray = |runs: &mut CellRuns| runs.runs[0].stray.push("a.new".to_owned());
        assert_eq!(found(stray), [Flaw::Files]);
        assert_eq!(found(|runs| runs.journals.push("a-1".to_owned())), [Flaw::Files]);
        let left = |runs: &mut CellRuns| second(runs).ended.left.push("7 S".to_owned());
        assert_eq!(found(left), [Flaw::Processes]);
    }

    #[test]
    fn impossible_deaths_are_named_by_the_next_run() {
        let dies = |runs: &mut CellRuns| {
            runs.runs[0].ended = Ended { code: None, ..Ended::default() };
            runs.runs[0].saved = 0;
            let stdout = &mut second(runs).ended.stdout;
            *stdout = stdout.replace("aborted the process: SIGABRT", "killed (SIGKILL)");
        };
        assert_eq!(found_in("SIGKILL", dies), []);
        let unnamed = found_in("SIGKILL", |runs| {
            dies(runs);
            let stdout = &mut second(runs).ended.stdout;
            *stdout = stdout.replace("killed (SIGKILL)", "");
        });
        assert_eq!(unnamed, [Flaw::Unnamed]);
        assert_eq!(found_in("abort", dies)[0], Flaw::Neighbors);
        let again = found_in("SIGKILL", |runs| {
            dies(runs);
            runs.runs.push(CellRun::default());
        });
        assert_eq!(again[0], Flaw::Neighbors, "the third run must not die");
    }

    #[test]
    fn third_runs_are_for_what_the_first_does_not_store() {
        let mut runs = CellRuns::default();
        assert!(runs.needs_more());
        runs.runs = vec![run(STDOUT)];
        assert!(runs.needs_more());
        runs.runs.push(run(STDOUT));
        assert!(!runs.needs_more());
        runs.runs[0].saved = 0;
        assert!(runs.needs_more());
        runs.runs[0].saved = 1;
        runs.runs[1].notes = vec![300];
        assert!(runs.needs_more());
        runs.runs[1].ended.is_late = true;
        assert!(!runs.needs_more());
    }
}
