//! `cargo rebut test`: runs the properties of a workspace as a campaign, and reports.

use crate::cli::{Shape, Test};
use crate::exit::{Exit, Failure};
use crate::output::{open, to_stdout};
use crate::printed;
use crate::render::colored_stdout;
use crate::replay::build;
use crate::report::{pretty, write_to};
use crate::runs::{self, cargo};
use crate::words::{self, say};
use rebut_report::Report;
use std::process::Stdio;
use std::time::SystemTime;

pub(crate) fn run(arguments: &Test) -> Result<Exit, Failure> {
    // What only `cargo test` knows, such as names of tests, stands behind a `--` there.
    let split = arguments.rest.iter().position(|word| word == "--").unwrap_or(arguments.rest.len());
    build(&arguments.rest[..split])?;
    let group = group();
    let begun = SystemTime::now();
    let mut command = cargo();
    command.args(["test", "--no-fail-fast", "--quiet"]).args(&arguments.rest);
    command.env("REBUT_EVENTS", "all").env("REBUT_RUN", &group);
    command.env("REBUT_TIME_BUDGET", &arguments.time);
    command.env("REBUT_CASES", arguments.cases.to_string());
    let status = command
        .stdout(Stdio::from(std::io::stderr()))
        .status()
        .map_err(|error| Failure::new(Exit::Cargo, words::cargo_not_started(error)))?;
    let report = match runs::texts(std::slice::from_ref(&group)) {
        Ok(texts) => Report::read(texts.iter().map(String::as_str)),
        Err(failure) if failure.exit == Exit::NoEvents => {
            let message = if status.success() { words::NO_PROPERTIES } else { words::OTHERS_FAIL };
            let exit = if status.success() { Exit::NoEvents } else { Exit::Refuted };
            return Err(Failure::new(exit, message.to_owned()));
        }
        Err(failure) => return Err(failure),
    };
    let text = match arguments.format {
        Shape::Json => pretty(&report.to_json()),
        Shape::Text => report.to_text(colored_stdout(arguments.color)),
    };
    to_stdout(&text)?;
    let path = match &arguments.out {
        Some(path) => path.clone(),
        None => runs::home()?.join("report.html"),
    };
    write_to(&path, &report, None)?;
    if arguments.open {
        open(&path);
    }
    let failed = report.properties.iter().filter(|property| !property.failures.is_empty());
    let failed: Vec<String> =
        failed.filter_map(|property| property.test_name().map(str::to_owned)).collect();
    if !failed.is_empty() || arguments.emit {
        printed::check(&failed, begun, &arguments.rest[..split], arguments.emit)?;
    }
    if report.is_success() && !status.success() {
        say(words::OTHERS_FAIL);
    }
    Ok(if report.is_success() && status.success() { Exit::Success } else { Exit::Refuted })
}

/// A name that no other campaign has.
fn group() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("campaign{}p{}", since.as_secs(), std::process::id())
}
