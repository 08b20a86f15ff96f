//! The machine and the commit that figures were taken on.

use std::fs;
use std::process::Command;

use crate::goals::Verdict;
use crate::options::Bench;
use crate::place::{self, Place};

/// The processor, its cores and the compiler.
pub(crate) fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let rustc = place::output(Command::new("rustc").arg("--version")).unwrap_or_default();
    format!("{}, {cores} cores, {}", processor(), rustc.trim())
}

/// Writes `results/<bench>.md`.
pub(crate) fn write_report(
    place: &Place,
    bench: Bench,
    table: &str,
    verdict: &Verdict,
) -> Result<(), String> {
    let header = header(place, &bench.to_string());
    let details = verdict.details.iter().map(|detail| format!("- {detail}\n"));
    let report = format!("{header}\n{table}\n{}\n{verdict}\n", details.collect::<String>());
    let path = place.join(&format!("results/{bench}.md"));
    fs::write(&path, report).map_err(|error| format!("cannot write {path:?}: {error}"))
}

/// Writes `results/<name>.md` of a bench with goals of its own.
pub(crate) fn write_table(
    place: &Place,
    name: &str,
    table: &str,
    missed: &[String],
) -> Result<(), String> {
    let missed = match missed {
        [] => "All goals are met.".to_owned(),
        missed => format!("Missed: {}.", missed.join("; ")),
    };
    let report = format!("{}\n{table}\n{missed}\n", header(place, name));
    let path = place.join(&format!("results/{name}.md"));
    fs::write(&path, report).map_err(|error| format!("cannot write {path:?}: {error}"))
}

fn header(place: &Place, name: &str) -> String {
    format!("# {name}\n\n{}, {}, {}.\n", describe(), commit(place), date())
}

fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.and_then(|line| line.split_once(':')).map(|(_, model)| model.trim());
    model.unwrap_or(std::env::consts::ARCH).to_owned()
}

fn commit(place: &Place) -> String {
    let git =
        |args: &[&str]| place::output(Command::new("git").args(args).current_dir(&place.bench));
    let hash = git(&["rev-parse", "--short", "HEAD"]).unwrap_or_default();
    // Results are what a bench writes, not what it measures.
    let status = ["status", "--porcelain", "--", ":/", ":(exclude,top)bench/results"];
    let changes = git(&status).unwrap_or_default();
    let is_clean = changes.trim().is_empty();
    let suffix = if is_clean { "" } else { " with uncommitted changes" };
    format!("commit {}{suffix}", hash.trim())
}

fn date() -> String {
    let date = place::output(Command::new("date").args(["-u", "+%Y-%m-%d"]));
    date.unwrap_or_default().trim().to_owned()
}
