//! `cargo rebut test`: runs the properties of a workspace as a campaign, and reports.
//!
//! First all tests run once, as `cargo test` runs them. The remaining time goes to the properties
//! that neither failed nor are proved. They run in rounds with new seeds, on all cores, each round
//! in its own process. A property never runs in two processes at once, because its test may use a
//! file or a port.
//!
//! A signal ends the processes of a campaign, and the campaign itself after its report.
//!
//! The campaign learns about a property only from its events, while they are written.

mod interrupt;
mod live;
mod origin;
mod rounds;
mod watch;

use crate::cli::{Shape, Test};
use crate::words::{self, say};
use interrupt::ProcessGroup;
use live::LiveDisplay;
use rebut_cli::color::{self, Color, colored, colored_stdout};
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::{open, to_stdout};
use rebut_cli::output::{pretty, write_to};
use rebut_cli::runs::{self, TARGET_DIR, Workspace, cargo};
use rebut_cli::status::status;
use rebut_native::{FailedTest, TestProgram, check_regressions};
use rebut_protocol::settings;
use rebut_report::Report;
use rounds::Rounds;
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime};

pub(crate) fn run(arguments: &Test) -> Result<Exit, Failure> {
    let selection = selection(arguments);
    let workspace = arguments.selection.location().workspace()?;
    let home = workspace.home();
    let programs = rebut_native::build(&selection)?.into_iter();
    let programs: TestPrograms = programs.map(|built| (built.path, built.program)).collect();
    let group = new_group();
    // Cargo has built everything, and handles its own signals until here.
    interrupt::handle();
    let (begun, start) = (SystemTime::now(), Instant::now());
    let deadline = Instant::now() + arguments.time;
    let live = LiveDisplay::start(&home, &group, arguments.time);
    let first = first_round(arguments, &selection, &workspace, &group, &live)?;
    origin::record(&workspace, &group, begun)?;
    let Some(report) = runs::report_of_group(&home, &group)? else {
        drop(live);
        if let Some(exit) = interrupt::exit() {
            return Err(Failure::new(exit, words::test::INTERRUPTED.to_owned()));
        }
        let message =
            if first.is_success { words::NO_PROPERTIES } else { words::test::OTHERS_FAIL };
        let exit = if first.is_success { Exit::Nothing } else { Exit::Failed };
        return Err(Failure::new(exit, message.to_owned()));
    };
    let has_other_failures = first.has_other_failures(&report);
    let is_colored = colored(Color::Auto);
    let cases = arguments.cases;
    let rounds = Rounds::new(&report, &programs, &group, &workspace.target, cases, is_colored);
    let had_rounds = rounds.run(deadline, arguments.jobs.map(usize::from), &live);
    drop(live);
    let report = match had_rounds {
        true => runs::report_of_group(&home, &group)?.unwrap_or(report),
        false => report,
    };
    print_results(arguments, &home, &report)?;
    if let Some(exit) = interrupt::exit() {
        say(words::test::INTERRUPTED);
        return Ok(exit);
    }
    let failed = report.properties.iter().filter(|property| !property.failures.is_empty());
    let failed: Vec<FailedTest> = failed.filter_map(FailedTest::from_property).collect();
    if !failed.is_empty() || arguments.emit {
        check_regressions(&failed, begun, &selection, &workspace, arguments.emit)?;
    }
    if has_other_failures {
        say(words::test::OTHERS_FAIL);
    }
    status("Summary", format!("[{:>7.1}s] {}", start.elapsed().as_secs_f64(), report.totals()));
    Ok(if report.is_success() && !has_other_failures { Exit::Success } else { Exit::Failed })
}

/// The flags that select what cargo builds, for every command that builds it.
fn selection(arguments: &Test) -> Vec<String> {
    let mut selection = arguments.selection.arguments();
    selection.extend(arguments.jobs.map(|jobs| format!("--jobs={jobs}")));
    selection
}

/// Prints the results and writes the HTML report.
fn print_results(arguments: &Test, home: &Path, report: &Report) -> Result<(), Failure> {
    let text = match arguments.format {
        Shape::Json => pretty(&report.to_json()),
        Shape::Text => report.to_text(colored_stdout(Color::Auto)),
    };
    to_stdout(&text)?;
    let path = match &arguments.out {
        Some(path) => path.clone(),
        None => home.join("report.html"),
    };
    write_to(&path, report, None)?;
    if arguments.open {
        open(&path);
    }
    Ok(())
}

/// A unique name for the run group of this campaign.
fn new_group() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("campaign{}p{}", since.as_secs(), std::process::id())
}

/// Test programs, by their paths.
pub(crate) type TestPrograms = HashMap<PathBuf, TestProgram>;

/// The result of the first round, in which all tests run.
struct FirstRound {
    is_success: bool,
    /// How many tests failed, including properties; `None` if no harness printed a summary.
    failed_count: Option<usize>,
}

impl FirstRound {
    /// Whether a test failed that is not a property.
    fn has_other_failures(&self, report: &Report) -> bool {
        let refuted = report.properties.iter().filter(|property| !property.is_success()).count();
        match self.failed_count {
            _ if self.is_success => false,
            Some(failed) => failed > refuted,
            None => refuted == 0,
        }
    }
}

/// Runs all tests once, as `cargo test` does.
fn first_round(
    arguments: &Test,
    selection: &[String],
    workspace: &Workspace,
    group: &str,
    live: &LiveDisplay,
) -> Result<FirstRound, Failure> {
    let mut command = cargo();
    command.args(["test", "--no-fail-fast", "--quiet"]).args(selection);
    // Cargo accepts only one name; the harness accepts any number.
    command.arg("--").args(&arguments.filters).args(&arguments.rest);
    if let Some(jobs) = arguments.jobs {
        command.arg(format!("--test-threads={jobs}"));
    }
    color::pass_on(&mut command, colored(Color::Auto));
    command.env(settings::EVENTS.variable, "all").env(settings::RUN.variable, group);
    command.env(TARGET_DIR, &workspace.target);
    command.env(settings::TIME_BUDGET.variable, milliseconds(arguments.time));
    if let Some(cases) = arguments.cases {
        command.env(settings::CASES.variable, cases.to_string());
    }
    let mut failed_count = None;
    let status = run_and_forward(command, live, &mut |line| {
        if let Some(count) = failed_in(line) {
            *failed_count.get_or_insert(0) += count;
        }
    });
    let status =
        status.map_err(|error| Failure::new(Exit::MissingTool, words::cargo_not_started(error)))?;
    Ok(FirstRound { is_success: status.success(), failed_count })
}

/// How many tests failed, from the summary line of a harness. Events show which properties failed,
/// but nothing else shows whether another test failed in the same process: the harness has no
/// stable format for results, and a process for each test would not be a run as `cargo test` does
/// it. The count decides only about a note to the user.
fn failed_in(line: &str) -> Option<usize> {
    let (_, rest) = line.strip_prefix("test result: ")?.split_once("passed; ")?;
    rest.split_once(" failed")?.0.parse().ok()
}

fn milliseconds(time: Duration) -> String {
    format!("{}ms", time.as_millis().max(1))
}

/// Runs a command and forwards its output, in the order in which it is written, above the progress
/// display.
fn run_and_forward(
    mut command: Command,
    live: &LiveDisplay,
    inspect: &mut dyn FnMut(&str),
) -> std::io::Result<ExitStatus> {
    let (output, writer) = std::io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut process = ProcessGroup::spawn(&mut command)?;
    // The command holds write ends of the pipe; while one is open, reading does not end.
    drop(command);
    let mut is_list = false;
    for_each_line(output, &mut |line| {
        let plain = color::without_colors(line);
        inspect(&plain);
        is_list = is_list_of_failed_targets(&plain) || (is_list && plain.starts_with("    `"));
        if !is_list {
            live.print(line);
        }
    });
    process.wait()
}

/// Whether a line is cargo's own list of failed test programs. The report lists the properties that
/// failed, so the list is not forwarded.
fn is_list_of_failed_targets(line: &str) -> bool {
    line.starts_with("error: test failed, to rerun pass ")
        || (line.starts_with("error: ") && line.ends_with(" failed:") && line.contains(" target"))
}

pub(crate) fn for_each_line(output: impl Read, each: &mut dyn FnMut(&str)) {
    for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
        each(String::from_utf8_lossy(&line).trim_end_matches('\r'));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_of_a_harness_counts_failed_tests() {
        let line = "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!(failed_in(line), Some(2));
        assert_eq!(failed_in("test result: ok. 3 passed; 0 failed; 1 ignored"), Some(0));
        for other in ["running 3 tests", "test result: odd", "", "2 failed"] {
            assert_eq!(failed_in(other), None, "{other}");
        }
    }

    #[test]
    fn the_list_of_failed_targets_is_recognized() {
        for line in [
            "error: test failed, to rerun pass `-p demo --lib`",
            "error: 1 target failed:",
            "error: 2 targets failed:",
        ] {
            assert!(is_list_of_failed_targets(line), "{line}");
        }
        for line in ["error[R001]: `a` failed", "error: failed:", "    `x`"] {
            assert!(!is_list_of_failed_targets(line), "{line}");
        }
    }

    #[test]
    fn failures_that_are_not_properties_are_recognized() {
        let run = "{\"event\":\"begin\",\"id\":0,\"property\":\"a::b\"}\n{\"event\":\"end\",\"id\":0,\"verdict\":\"R001\"}\n";
        let refuted = Report::read([run]);
        let held = Report::read([""]);
        let first = |is_success, failed_count| FirstRound { is_success, failed_count };
        assert!(!first(true, Some(0)).has_other_failures(&held));
        assert!(!first(false, Some(1)).has_other_failures(&refuted));
        assert!(first(false, Some(2)).has_other_failures(&refuted));
        assert!(first(false, Some(1)).has_other_failures(&held));
        assert!(first(false, None).has_other_failures(&held));
        assert!(!first(false, None).has_other_failures(&refuted));
    }
}
