//! `cargo rebut replay`: runs one case again.

use crate::cli::{Replay, Shape};
use crate::stale;
use crate::words::{self, say};
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::pretty;
use rebut_cli::output::to_stdout;
use rebut_cli::runs::{TARGET_DIR, cargo};
use rebut_cli::status::status;
use rebut_native::{EventDirectory, FailedTest, check_regressions};
use rebut_protocol::settings;
use serde_json::json;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::time::SystemTime;

pub(crate) fn run(arguments: &Replay) -> Result<Exit, Failure> {
    let ReplayCase { word, test, target, build: flags } = replay_case(arguments)?;
    let mut selection = arguments.selection.arguments();
    if !arguments.selection.names_targets() {
        selection.extend(target.iter().cloned());
    }
    if !arguments.selection.names_build() {
        selection.extend(flags);
    }
    let workspace = arguments.selection.location().workspace()?;
    let shown = (rebut_report::printable(&word), rebut_report::printable(&test));
    status("Replaying", format!("{} ({})", shown.1, shown.0));
    build(&selection)?;
    let begun = SystemTime::now();
    let mut command = cargo();
    command.args(["test", "--quiet"]).args(&selection);
    command.args(["--", "--exact", "--show-output", &test]);
    command.env(settings::REPLAY.variable, &word).env(TARGET_DIR, &workspace.target);
    let home = workspace.home();
    let no_events =
        |error| Failure::new(Exit::File, words::file_failed(&home, "write events to", error));
    let events = EventDirectory::new(&home).map_err(no_events)?;
    events.pass_to(&mut command);
    let not_started = |error| Failure::new(Exit::MissingTool, words::cargo_not_started(error));
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(not_started)?;
    for line in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines()) {
        let line = line.unwrap_or_default();
        // With `--show-output`, the harness prints this heading even if no test passed.
        if line != "successes:" {
            say(&line);
        }
    }
    let status = child.wait().map_err(not_started)?;
    let properties = events.read().map_err(no_events)?.properties;
    let has_run = properties.iter().any(|property| property.test_name() == Some(&test));
    if !has_run && status.success() {
        return Err(Failure::new(Exit::Nothing, words::replay::no_such_test(&test, &word)));
    }
    if arguments.format == Shape::Json {
        to_stdout(&pretty(&json!({"test": test, "replay": word, "fails": !status.success()})))?;
    }
    if !status.success() {
        let failed = [FailedTest { test, selection: target }];
        check_regressions(&failed, begun, &selection, &workspace, arguments.emit)?;
    }
    Ok(if status.success() { Exit::Success } else { Exit::Failed })
}

/// The case to run again.
struct ReplayCase {
    /// Its choices.
    word: String,
    /// The name of the test.
    test: String,
    /// The flags that select the target of the test for cargo; empty if they are unknown.
    target: Vec<String>,
    /// The flags for its features, profile and triple.
    build: Vec<String>,
}

/// The case from the arguments: a replay string with its test, or the number of an input.
fn replay_case(arguments: &Replay) -> Result<ReplayCase, Failure> {
    let usage = |message: String| Failure::new(Exit::Usage, message);
    if let Some(test) = &arguments.test {
        // The harness would take such a name for an option.
        if test.starts_with('-') {
            return Err(usage(words::replay::no_test_name(test)));
        }
        let (word, test) = (arguments.case.clone(), test.clone());
        return Ok(ReplayCase { word, test, target: Vec::new(), build: Vec::new() });
    }
    let Ok(number) = arguments.case.parse::<usize>() else {
        return Err(usage(words::replay::no_number(&arguments.case)));
    };
    let report = stale::report(&arguments.selection.location(), &[])?;
    let (property, input) =
        report.input(number).ok_or_else(|| usage(words::replay::no_such_input(number)))?;
    match (&input.replay, property.test_name()) {
        (Some(word), Some(test)) => {
            let target = property.selection().unwrap_or_default();
            let target = target.into_iter().map(str::to_owned).collect();
            let build = build_flags(input.command.as_deref().unwrap_or_default());
            Ok(ReplayCase { word: word.clone(), test: test.to_owned(), target, build })
        }
        _ => {
            let command = property.replay_command(input);
            Err(usage(words::replay::cannot_be_replayed(number, command.as_deref())))
        }
    }
}

/// The flags in the command of a failure that select features, a profile and a triple.
fn build_flags(command: &str) -> Vec<String> {
    let mut flags = Vec::new();
    let mut words = command.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            // The rest is for the test binary.
            "--" => break,
            "--release" | "--no-default-features" => flags.push(word.to_owned()),
            "--features" | "--profile" | "--target" => {
                flags.extend(words.next().map(|value| format!("{word}={value}")));
            }
            "--cargo-profile" => {
                flags.extend(words.next().map(|value| format!("--profile={value}")));
            }
            _ => {}
        }
    }
    flags
}

/// Builds the tests. A failed build is not the failure of a property, so it has its own exit code.
pub(crate) fn build(arguments: &[String]) -> Result<(), Failure> {
    let status = cargo()
        .args(["test", "--no-run", "--quiet"])
        .args(arguments)
        .stdout(Stdio::from(std::io::stderr()))
        .status()
        .map_err(|error| Failure::new(Exit::MissingTool, words::cargo_not_started(error)))?;
    if status.success() { Ok(()) } else { Err(Failure::new(Exit::Build, words::not_built())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replays_use_the_build_of_the_failure() {
        let flags = |command: &str| build_flags(command).join(" ");
        assert_eq!(flags("cargo test -p a --lib b -- --exact"), "");
        assert_eq!(
            flags("cargo test -p a --lib --features x,y --release --target t b -- --release"),
            "--features=x,y --release --target=t"
        );
        assert_eq!(flags("cargo nextest run --cargo-profile ci b"), "--profile=ci");
        assert_eq!(flags("cargo test --no-default-features --profile"), "--no-default-features");
    }
}
