//! Finds runs: the folders below `target/rebut/` in which tests wrote their events.
//!
//! A run is named `<time>-<group>-<process>`; runs of one group belong together (see
//! `docs/guide/events.md`), unless they are so far apart that the name of the group came round.

use crate::exit::{Exit, Failure};
use crate::words;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The name of the file in the folder of a run.
const NAME: &str = "events.jsonl";

/// Runs of one group that are so many hours apart are two.
const APART_HOURS: i64 = 12;

/// A run on disk.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Run {
    /// `20261115T223554Z`, so that later is larger.
    time: String,
    process: String,
    group: String,
    path: PathBuf,
}

impl Run {
    fn parse(folder: &Path) -> Option<Run> {
        let name = folder.file_name()?.to_str()?;
        let parts: Vec<&str> = name.split('-').collect();
        let [time, group, process] = parts.as_slice() else { return None };
        hours(time)?;
        let path = folder.join(NAME);
        let [time, process, group] = [time, process, group].map(|part| (*part).to_owned());
        path.is_file().then_some(Run { time, process, group, path })
    }

    fn name(&self) -> String {
        format!("{}-{}-{}", self.time, self.group, self.process)
    }
}

/// About how many hours since some time; none if it is no time.
fn hours(time: &str) -> Option<i64> {
    let is_time = time.len() == 16 && time.is_ascii() && time.ends_with('Z') && &time[8..9] == "T";
    let part = |from: usize, to: usize| time[from..to].parse::<i64>().ok();
    if !is_time {
        return None;
    }
    // Months of 31 days: a gap may seem longer than it is at the end of a month, by days.
    let days = (part(0, 4)? * 12 + part(4, 6)?) * 31 + part(6, 8)?;
    Some(days * 24 + part(9, 11)?)
}

/// All runs below a folder, the oldest first.
fn all(home: &Path) -> Vec<Run> {
    let entries = fs::read_dir(home).into_iter().flatten().flatten();
    let mut runs: Vec<Run> = entries.filter_map(|entry| Run::parse(&entry.path())).collect();
    runs.sort();
    runs
}

/// The runs that belong to the latest run of a group, or to the latest of all.
fn latest(runs: &[Run], group: Option<&str>) -> Vec<Run> {
    let is_asked = |run: &&Run| group.is_none_or(|group| run.group == group);
    let Some(last) = runs.iter().rev().find(is_asked) else { return Vec::new() };
    let mut together = vec![last.clone()];
    for run in runs.iter().rev().filter(|run| run.group == last.group && *run != last) {
        let (Some(earlier), Some(later)) = (hours(&run.time), hours(&together[0].time)) else {
            break;
        };
        if later - earlier > APART_HOURS {
            break;
        }
        together.insert(0, run.clone());
    }
    together
}

/// The texts of the files that are asked for: paths, names of runs or of groups; of the latest
/// group if nothing is.
pub fn texts(asked: &[String]) -> Result<Vec<String>, Failure> {
    let mut paths = Vec::new();
    if asked.is_empty() {
        let home = home()?;
        let runs = latest(&all(&home), None);
        if runs.is_empty() {
            return Err(Failure::new(Exit::Nothing, words::no_runs(&home)));
        }
        paths.extend(runs.into_iter().map(|run| run.path));
    }
    for asked in asked {
        paths.extend(find(asked)?);
    }
    paths.iter().map(|path| read(path)).collect()
}

/// The texts of the latest group of that name below the directory of all runs.
///
/// # Errors
/// If there is no such group, or a file cannot be read.
pub fn texts_in(home: &Path, group: &str) -> Result<Vec<String>, Failure> {
    let runs = latest(&all(home), Some(group));
    if runs.is_empty() {
        return Err(Failure::new(Exit::Nothing, words::no_runs(home)));
    }
    runs.iter().map(|run| read(&run.path)).collect()
}

fn find(asked: &str) -> Result<Vec<PathBuf>, Failure> {
    let path = Path::new(asked);
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    if path.join(NAME).is_file() {
        return Ok(vec![path.join(NAME)]);
    }
    let home = home()?;
    let runs = all(&home);
    if let Some(run) = runs.iter().find(|run| run.name() == asked) {
        return Ok(vec![run.path.clone()]);
    }
    let group = latest(&runs, Some(asked));
    if group.is_empty() {
        let mut known: Vec<&str> = runs.iter().rev().map(|run| run.group.as_str()).collect();
        known.dedup();
        return Err(Failure::new(Exit::Nothing, words::no_such_run(asked, &home, &known)));
    }
    Ok(group.into_iter().map(|run| run.path).collect())
}

fn read(path: &Path) -> Result<String, Failure> {
    let bytes = fs::read(path)
        .map_err(|error| Failure::new(Exit::File, words::file_failed(path, "read", error)))?;
    // A line that is not text is one that cannot be read; the others can.
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// The folder of all runs: `target/rebut` of the workspace.
pub fn home() -> Result<PathBuf, Failure> {
    home_of(None)
}

/// The same, of the workspace with this manifest.
pub fn home_of(manifest: Option<&Path>) -> Result<PathBuf, Failure> {
    let mut command = cargo();
    command.args(["metadata", "--no-deps", "--offline", "--format-version=1"]);
    if let Some(manifest) = manifest {
        command.arg("--manifest-path").arg(manifest);
    }
    let output = command
        .output()
        .map_err(|error| Failure::new(Exit::MissingTool, words::cargo_not_started(error)))?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    match metadata["target_directory"].as_str() {
        Some(target) => Ok(Path::new(target).join("rebut")),
        None => {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            Err(Failure::new(Exit::Metadata, words::no_workspace(&said)))
        }
    }
}

/// The cargo that called us, or the one that is found.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(time: &str, group: &str, process: &str) -> Run {
        let [time, group, process] = [time, group, process].map(str::to_owned);
        Run { path: PathBuf::from(&time), time, process, group }
    }

    #[test]
    fn runs_of_a_group_belong_together_unless_they_are_far_apart() {
        let runs = [
            run("20261101T100000Z", "p1", "1"),
            run("20261115T100000Z", "p1", "2"),
            run("20261115T100100Z", "nightly", "3"),
            run("20261115T100200Z", "p1", "4"),
        ];
        let names = |runs: &[Run]| runs.iter().map(|run| run.process.clone()).collect::<Vec<_>>();
        assert_eq!(names(&latest(&runs, None)), ["2", "4"]);
        assert_eq!(names(&latest(&runs, Some("nightly"))), ["3"]);
        assert!(latest(&runs, Some("other")).is_empty());
        assert!(latest(&[], None).is_empty());
    }

    #[test]
    fn what_is_no_time_is_no_run() {
        assert!(hours("20261115T100000Z").is_some());
        for no_time in ["", "tests", "20261115T10000Z", "2026111éT10000Z", "x0261115T100000Z"] {
            assert_eq!(hours(no_time), None, "{no_time}");
        }
    }
}
