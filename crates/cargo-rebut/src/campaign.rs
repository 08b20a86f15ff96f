//! `cargo rebut test`: runs the properties of a workspace as a campaign, and reports.
//!
//! First all tests run once, as `cargo test` runs them. What time is left then goes to the
//! properties that nothing has refuted and nothing has proved: round after round with other
//! seeds, on all cores, each round a process of its own. A property never runs beside itself, so
//! that tests which use a file or a port do as they always do.
//!
//! All that is known of a property comes from its events, as they are written.

mod live;
mod origin;
mod rounds;
mod watch;

use crate::cli::{Shape, Test};
use crate::words::{self, say};
use live::Live;
use rebut_cli::color::{self, Color, colored, colored_stdout};
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::{open, to_stdout};
use rebut_cli::output::{pretty, write_to};
use rebut_cli::runs::{self, TARGET_DIR, Workspace, cargo};
use rebut_cli::status::status;
use rebut_native::{self as printed, Failed};
use rebut_report::Report;
use rounds::Rounds;
use serde_json::Value;
use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime};

pub(crate) fn run(arguments: &Test) -> Result<Exit, Failure> {
    let selection = selection(arguments);
    let workspace = Workspace::find(arguments.selection.manifest_path())?
        .built_in(arguments.selection.target_dir());
    let home = workspace.home();
    let programs = build(&selection)?;
    let group = group();
    let (begun, start) = (SystemTime::now(), Instant::now());
    let deadline = Instant::now() + arguments.time;
    let live = Live::begin(&home, &group, arguments.time);
    let first = first_round(arguments, &selection, &workspace, &group, &live)?;
    origin::record(&workspace, &group, begun)?;
    let Some(report) = runs::report_of_group(&home, &group)? else {
        drop(live);
        let message = if first.success { words::NO_PROPERTIES } else { words::OTHERS_FAIL };
        let exit = if first.success { Exit::Nothing } else { Exit::Failed };
        return Err(Failure::new(exit, message.to_owned()));
    };
    let others_fail = first.others_fail(&report);
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
    let failed = report.properties.iter().filter(|property| !property.failures.is_empty());
    let failed: Vec<Failed> = failed.filter_map(Failed::of).collect();
    if !failed.is_empty() || arguments.emit {
        printed::check(&failed, begun, &selection, &workspace, arguments.emit)?;
    }
    if others_fail {
        say(words::OTHERS_FAIL);
    }
    status("Summary", format!("[{:>7.1}s] {}", start.elapsed().as_secs_f64(), report.totals()));
    Ok(if report.is_success() && !others_fail { Exit::Success } else { Exit::Failed })
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

/// A name that no other campaign has.
fn group() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("campaign{}p{}", since.as_secs(), std::process::id())
}

/// Test programs, and the folders of their packages.
pub(crate) type Programs = HashMap<PathBuf, PathBuf>;

/// Builds the tests; that they do not build says nothing about any property.
fn build(arguments: &[String]) -> Result<Programs, Failure> {
    let output = cargo()
        .args(["test", "--no-run", "--message-format=json-render-diagnostics"])
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Failure::new(Exit::MissingTool, words::cargo_not_started(error)))?;
    if !output.status.success() {
        return Err(Failure::new(Exit::Build, words::not_built()));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let program = |message: Value| {
        let path = PathBuf::from(message["executable"].as_str()?);
        let package = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
        Some((path, package))
    };
    Ok(messages.filter_map(program).collect())
}

/// What came of the first round.
struct First {
    success: bool,
    /// How many tests failed, properties among them; none if no harness said so.
    failed: Option<usize>,
}

impl First {
    /// Whether a test failed that is no property.
    fn others_fail(&self, report: &Report) -> bool {
        let refuted = report.properties.iter().filter(|property| !property.is_success()).count();
        match self.failed {
            _ if self.success => false,
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
    live: &Live,
) -> Result<First, Failure> {
    let mut command = cargo();
    command.args(["test", "--no-fail-fast", "--quiet"]).args(selection);
    // Cargo itself takes one name only; the harness takes as many as there are.
    command.arg("--").args(&arguments.filters).args(&arguments.rest);
    if let Some(jobs) = arguments.jobs {
        command.arg(format!("--test-threads={jobs}"));
    }
    color::pass_on(&mut command, colored(Color::Auto));
    command.env("REBUT_EVENTS", "all").env("REBUT_RUN", group);
    command.env(TARGET_DIR, &workspace.target);
    command.env("REBUT_TIME_BUDGET", milliseconds(arguments.time));
    if let Some(cases) = arguments.cases {
        command.env("REBUT_CASES", cases.to_string());
    }
    let mut failed = None;
    let status = forwarded(command, live, &mut |line| {
        if let Some(count) = failed_in(line) {
            *failed.get_or_insert(0) += count;
        }
    });
    let status =
        status.map_err(|error| Failure::new(Exit::MissingTool, words::cargo_not_started(error)))?;
    Ok(First { success: status.success(), failed })
}

/// How many tests failed, in the line with which a harness ends.
fn failed_in(line: &str) -> Option<usize> {
    let (_, rest) = line.strip_prefix("test result: ")?.split_once("passed; ")?;
    rest.split_once(" failed")?.0.parse().ok()
}

fn milliseconds(time: Duration) -> String {
    format!("{}ms", time.as_millis().max(1))
}

/// Runs a command; what it writes is handed on, in the order in which it writes, without
/// touching what is drawn.
fn forwarded(
    mut command: Command,
    live: &Live,
    look: &mut dyn FnMut(&str),
) -> std::io::Result<ExitStatus> {
    let (said, writer) = std::io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn()?;
    // Its ends of the pipe: as long as they are open, there may be more to read.
    drop(command);
    let mut is_list = false;
    lines(said, &mut |line| {
        let plain = color::without_colors(line);
        look(&plain);
        is_list = is_about_targets(&plain) || (is_list && plain.starts_with("    `"));
        if !is_list {
            live.say(line);
        }
    });
    child.wait()
}

/// Cargo names the test programs that failed, as errors of its own. Which properties failed is
/// said better elsewhere.
fn is_about_targets(line: &str) -> bool {
    line.starts_with("error: test failed, to rerun pass ")
        || (line.starts_with("error: ") && line.ends_with(" failed:") && line.contains(" target"))
}

fn lines(said: impl Read, each: &mut dyn FnMut(&str)) {
    for line in BufReader::new(said).split(b'\n').map_while(Result::ok) {
        each(String::from_utf8_lossy(&line).trim_end_matches('\r'));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harnesses_say_how_many_tests_failed() {
        let line = "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!(failed_in(line), Some(2));
        assert_eq!(failed_in("test result: ok. 3 passed; 0 failed; 1 ignored"), Some(0));
        for other in ["running 3 tests", "test result: odd", "", "2 failed"] {
            assert_eq!(failed_in(other), None, "{other}");
        }
    }

    #[test]
    fn what_cargo_says_of_targets_is_told_from_what_others_say() {
        for line in [
            "error: test failed, to rerun pass `-p demo --lib`",
            "error: 1 target failed:",
            "error: 2 targets failed:",
        ] {
            assert!(is_about_targets(line), "{line}");
        }
        for line in ["error[R001]: `a` failed", "error: failed:", "    `x`"] {
            assert!(!is_about_targets(line), "{line}");
        }
    }

    #[test]
    fn tests_that_are_no_properties_are_told_from_those_that_are() {
        let run = "{\"event\":\"begin\",\"id\":0,\"property\":\"a::b\"}\n{\"event\":\"end\",\"id\":0,\"verdict\":\"R001\"}\n";
        let refuted = Report::read([run]);
        let held = Report::read([""]);
        let first = |success, failed| First { success, failed };
        assert!(!first(true, Some(0)).others_fail(&held));
        assert!(!first(false, Some(1)).others_fail(&refuted));
        assert!(first(false, Some(2)).others_fail(&refuted));
        assert!(first(false, Some(1)).others_fail(&held));
        assert!(first(false, None).others_fail(&held));
        assert!(!first(false, None).others_fail(&refuted));
    }
}
