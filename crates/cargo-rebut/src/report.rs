//! `cargo rebut report` and `cargo rebut list`.

use crate::cli::{List, Report as Arguments, ReportFormat, Shape};
use crate::stale::{self, StaleFailures};
use crate::words::{self, say};
use rebut_cli::color::{Color, colored_stdout};
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::output::{open, pretty, print, to_stdout, write_to};
use rebut_cli::runs;
use rebut_report::Report;
use std::path::PathBuf;

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let location = arguments.location.location();
    let report = || stale::report(&location, &arguments.runs);
    if arguments.against.is_some() && arguments.format != ReportFormat::Html {
        return Err(Failure::new(Exit::Usage, words::list::only_html_compares()));
    }
    let text = match arguments.format {
        ReportFormat::Html => return write_page(arguments, &report()?),
        ReportFormat::Junit => report()?.to_junit(),
        ReportFormat::Sarif => pretty(&report()?.to_sarif()),
        ReportFormat::Json => pretty(&report()?.to_json()),
        ReportFormat::Tyche => {
            let known = report()?.identities();
            let events = location.events(&arguments.runs)?;
            events.iter().map(|events| events.observations(&known)).collect()
        }
    };
    print(arguments.out.as_deref(), &text)?;
    Ok(Exit::Success)
}

fn write_page(arguments: &Arguments, report: &Report) -> Result<Exit, Failure> {
    let before = match &arguments.against {
        Some(against) => Some(arguments.location.location().report(std::slice::from_ref(against))?),
        None => None,
    };
    let path = arguments.out.clone().unwrap_or_else(|| PathBuf::from("report.html"));
    write_to(&path, report, before.as_ref())?;
    if arguments.open {
        open(&path);
    }
    Ok(Exit::Success)
}

pub(crate) fn list(arguments: &List) -> Result<Exit, Failure> {
    if arguments.stale {
        return list_stale(arguments);
    }
    let location = arguments.location.location();
    let report = stale::report(&location, &arguments.runs)?;
    let stale = match arguments.runs.is_empty() {
        true => stale::find(&location.workspace()?, Some(&report)),
        false => Vec::new(),
    };
    let text = match arguments.format {
        Shape::Json => {
            let mut json = report.to_json();
            json["stale"] = stale.iter().map(StaleFailures::to_json).collect();
            pretty(&json)
        }
        Shape::Text => report.to_text(colored_stdout(Color::Auto)),
    };
    if report.properties.is_empty() && arguments.format == Shape::Text {
        say(words::NO_PROPERTIES);
    }
    to_stdout(&text)?;
    if !stale.is_empty() && arguments.format == Shape::Text {
        say(&words::list::some_are_stale(&stale));
    }
    Ok(Exit::Success)
}

/// Lists the stored failures of tests that no longer exist, and removes them with `--remove`.
fn list_stale(arguments: &List) -> Result<Exit, Failure> {
    let workspace = arguments.location.location().workspace()?;
    let report = runs::latest_report(&workspace).ok();
    let all = stale::find(&workspace, report.as_ref());
    if arguments.format == Shape::Json {
        to_stdout(&pretty(&all.iter().map(StaleFailures::to_json).collect()))?;
    }
    for stale in &all {
        if arguments.format == Shape::Text {
            to_stdout(&words::list::stale(stale, &workspace.root))?;
        }
        if arguments.remove {
            let failed = |error| {
                let message = words::file_failed(&stale.directory, "remove", error);
                Failure::new(Exit::File, message)
            };
            stale.remove().map_err(failed)?;
        }
    }
    say(&words::list::stale_total(&all, arguments.remove));
    Ok(Exit::Success)
}
