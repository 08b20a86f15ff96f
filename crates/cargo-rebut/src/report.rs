//! `cargo rebut report` and `cargo rebut list`.

use crate::cli::{List, Report as Arguments, ReportFormat, Shape};
use crate::words::{self, say};
use rebut_cli::color::colored_stdout;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::{open, pretty, print, to_stdout, write_to};
use rebut_cli::runs;
use rebut_report::{Report, observations};
use std::path::PathBuf;

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let texts = runs::texts(&arguments.runs)?;
    let report = || Report::read(texts.iter().map(String::as_str));
    let text = match arguments.format {
        ReportFormat::Html => return write_page(arguments, &report()),
        ReportFormat::Junit => report().to_junit(),
        ReportFormat::Sarif => pretty(&report().to_sarif()),
        ReportFormat::Json => pretty(&report().to_json()),
        ReportFormat::Tyche => texts.iter().map(|text| observations(text)).collect(),
    };
    print(arguments.out.as_deref(), &text)?;
    Ok(Exit::Success)
}

fn write_page(arguments: &Arguments, report: &Report) -> Result<Exit, Failure> {
    let before = match &arguments.against {
        Some(against) => Some(runs::texts(std::slice::from_ref(against))?),
        None => None,
    };
    let before = before.map(|texts| Report::read(texts.iter().map(String::as_str)));
    let path = arguments.out.clone().unwrap_or_else(|| PathBuf::from("report.html"));
    write_to(&path, report, before.as_ref())?;
    if arguments.open {
        open(&path);
    }
    Ok(Exit::Success)
}

pub(crate) fn list(arguments: &List) -> Result<Exit, Failure> {
    let texts = runs::texts(&arguments.runs)?;
    let report = Report::read(texts.iter().map(String::as_str));
    let text = match arguments.format {
        Shape::Json => pretty(&report.to_json()),
        Shape::Text => report.to_text(colored_stdout(arguments.color)),
    };
    if report.properties.is_empty() && arguments.format == Shape::Text {
        say(words::NO_PROPERTIES);
    }
    to_stdout(&text)?;
    Ok(Exit::Success)
}
