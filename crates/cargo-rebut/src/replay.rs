//! `cargo rebut replay`: runs one case again.

use crate::cli::{Replay, Shape};
use crate::words::{self, say};
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::pretty;
use rebut_cli::output::to_stdout;
use rebut_cli::runs::{self, cargo};
use rebut_native as printed;
use rebut_report::Report;
use serde_json::json;
use std::process::Stdio;
use std::time::SystemTime;

pub(crate) fn run(arguments: &Replay) -> Result<Exit, Failure> {
    let (word, test) = case(arguments)?;
    say(&words::replaying(&word, &test));
    let selection = arguments.selection.arguments();
    build(&selection)?;
    let begun = SystemTime::now();
    let mut command = cargo();
    command.args(["test", "--quiet"]).args(&selection);
    command.args(["--", "--exact", "--show-output", &test]);
    // The events of a replay would hide those of the run that it comes from.
    command.env("REBUT_REPLAY", &word).env("REBUT_EVENTS", "off");
    let status = command
        .stdout(Stdio::from(std::io::stderr()))
        .status()
        .map_err(|error| Failure::new(Exit::MissingTool, words::cargo_not_started(error)))?;
    if arguments.format == Shape::Json {
        to_stdout(&pretty(&json!({"test": test, "replay": word, "fails": !status.success()})))?;
    }
    if !status.success() {
        printed::check(&[test], begun, &selection, arguments.emit)?;
    }
    Ok(if status.success() { Exit::Success } else { Exit::Failed })
}

/// The choices and the test: as they are given, or of an input by its number.
fn case(arguments: &Replay) -> Result<(String, String), Failure> {
    let usage = |message: String| Failure::new(Exit::Usage, message);
    if let Some(test) = &arguments.test {
        // A test whose name begins so would be taken for an option of the harness.
        if test.starts_with('-') {
            return Err(usage(words::no_test_name(test)));
        }
        return Ok((arguments.case.clone(), test.clone()));
    }
    let Ok(number) = arguments.case.parse::<usize>() else {
        return Err(usage(words::no_number(&arguments.case)));
    };
    let texts = runs::texts(&[])?;
    let report = Report::read(texts.iter().map(String::as_str));
    let (property, told) =
        report.told(number).ok_or_else(|| usage(words::no_such_input(number)))?;
    match (&told.replay, property.test_name()) {
        (Some(word), Some(test)) => Ok((word.clone(), test.to_owned())),
        _ => Err(usage(words::cannot_be_replayed(number))),
    }
}

/// Builds the tests; that they do not build says nothing about any property.
pub(crate) fn build(arguments: &[String]) -> Result<(), Failure> {
    let status = cargo()
        .args(["test", "--no-run", "--quiet"])
        .args(arguments)
        .stdout(Stdio::from(std::io::stderr()))
        .status()
        .map_err(|error| Failure::new(Exit::MissingTool, words::cargo_not_started(error)))?;
    if status.success() { Ok(()) } else { Err(Failure::new(Exit::Build, words::not_built())) }
}
