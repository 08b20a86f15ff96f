//! Finds runs: the files in `target/rebut/runs/` to which tests wrote their events.
//!
//! Processes that were started together are a group and share a directory,
//! `<time>-<group>/<process>.jsonl` (see `docs/guide/events.md`). Without a name, a report shows
//! each property of the workspace as it was when it last ran, in whichever group that was. A
//! run of one test must not hide the others.

mod commit;
mod workspace;

pub use commit::commit;
pub use workspace::{Package, Workspace};

use crate::exit::{Exit, Failure};
use crate::words;
use rebut_report::{Identity, Report, StartedProperty, observations};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable with the target directory, for tests that cannot find it.
pub const TARGET_DIR: &str = rebut_protocol::settings::TARGET_DIR.variable;

/// Two runs with the same name belong to different groups if they are this many hours apart.
const APART_HOURS: i64 = 12;

/// A group of runs on disk.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    /// The start time, such as `20261115T223554Z`. Later times compare as larger.
    time: String,
    name: String,
    directory: PathBuf,
}

impl Group {
    fn parse(directory: &Path) -> Option<Group> {
        let name = directory.file_name()?.to_str()?;
        let parts: Vec<&str> = name.split('-').collect();
        let ([time, name] | [time, name, "part"]) = parts.as_slice() else { return None };
        hours(time)?;
        let [time, name] = [time, name].map(|part| (*part).to_owned());
        Some(Group { time, name, directory: directory.to_owned() })
    }

    fn files(&self) -> Vec<PathBuf> {
        event_files(&self.directory)
    }
}

/// The approximate hours since a fixed time; `None` if the string is not a time.
fn hours(time: &str) -> Option<i64> {
    let is_time = time.len() == 16 && time.is_ascii() && time.ends_with('Z') && &time[8..9] == "T";
    let part = |from: usize, to: usize| time[from..to].parse::<i64>().ok();
    if !is_time {
        return None;
    }
    // Months have 31 days here, so a gap at the end of a month may seem days longer than it is.
    let days = (part(0, 4)? * 12 + part(4, 6)?) * 31 + part(6, 8)?;
    Some(days * 24 + part(9, 11)?)
}

/// Returns the event files in the directory of a group.
fn event_files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let is_events = |path: &PathBuf| {
        path.extension().is_some_and(|extension| extension == "jsonl") && path.is_file()
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_events).collect();
    files.sort();
    files
}

/// Returns all groups in some directories, the oldest first.
fn groups_in(homes: &[PathBuf]) -> Vec<Group> {
    let entries = homes.iter().filter_map(|home| fs::read_dir(home.join("runs")).ok());
    let entries = entries.flatten().flatten();
    let mut groups: Vec<Group> = entries.filter_map(|entry| Group::parse(&entry.path())).collect();
    groups.sort();
    groups
}

/// Returns the latest group with this name, and those that count as the same group.
fn groups_named(groups: &[Group], name: &str) -> Vec<Group> {
    let mut together: Vec<Group> = Vec::new();
    for group in groups.iter().rev().filter(|group| group.name == name) {
        let last = together.first().map_or(&group.time, |last| &last.time);
        let (Some(earlier), Some(later)) = (hours(&group.time), hours(last)) else { break };
        if later - earlier > APART_HOURS {
            break;
        }
        together.push(group.clone());
    }
    together
}

/// Events of one group, or of files that are reported together.
#[derive(Debug)]
pub struct Events {
    /// The contents of the files, in the order in which their processes started.
    texts: Vec<String>,
    /// The properties to show; `None` for all.
    shown: Option<HashSet<Identity>>,
}

impl Events {
    fn read(paths: &[PathBuf], shown: Option<HashSet<Identity>>) -> Result<Events, Failure> {
        let texts: Result<Vec<String>, Failure> = paths.iter().map(|path| read(path)).collect();
        let mut texts = texts?;
        texts.sort_by_cached_key(|text| start(text));
        Ok(Events { texts, shown })
    }

    fn is_shown(&self, identity: &Identity) -> bool {
        self.shown.as_ref().is_none_or(|shown| shown.contains(identity))
    }

    /// The report on its properties.
    #[must_use]
    pub fn report(&self) -> Report {
        let mut report = Report::read(self.texts.iter().map(String::as_str));
        report.retain(&|identity| self.is_shown(identity));
        report
    }

    /// Returns the observations of the properties that still exist.
    #[must_use]
    pub fn observations(&self, still_there: &HashSet<Identity>) -> String {
        let is_shown =
            |identity: &Identity| self.is_shown(identity) && still_there.contains(identity);
        observations(self.texts.iter().map(String::as_str), &is_shown)
    }
}

/// Returns the start time of the process that wrote a file. Later times compare as larger.
fn start(text: &str) -> String {
    let first = text.lines().next().unwrap_or_default();
    let line: serde_json::Value = serde_json::from_str(first).unwrap_or_default();
    line["start"].as_str().unwrap_or_default().to_owned()
}

/// Where to look for runs: the workspace of a manifest, or of the current directory.
#[derive(Clone, Debug, Default)]
pub struct WorkspaceLocation {
    /// The manifest of the workspace or of a member.
    pub manifest: Option<PathBuf>,
    /// The target directory, if it is not the usual one.
    pub target_dir: Option<PathBuf>,
}

impl WorkspaceLocation {
    /// Finds the workspace.
    ///
    /// # Errors
    /// If there is none, or cargo cannot be started.
    pub fn workspace(&self) -> Result<Workspace, Failure> {
        Ok(Workspace::find(self.manifest.as_deref())?.built_in(self.target_dir.as_deref()))
    }

    /// The report on the properties in the requested runs: files, directories of groups, or names
    /// of groups. Without a request, the report has the last run of each property of the
    /// workspace.
    ///
    /// # Errors
    /// If there are no such runs, or a file cannot be read.
    pub fn report(&self, asked: &[String]) -> Result<Report, Failure> {
        let events = self.events(asked)?;
        Ok(Report::joined(events.iter().map(Events::report).collect()))
    }

    /// Like [`WorkspaceLocation::report`], but returns the events themselves. The latest group comes first.
    ///
    /// # Errors
    /// If there are no such runs, or a file cannot be read.
    pub fn events(&self, asked: &[String]) -> Result<Vec<Events>, Failure> {
        if asked.is_empty() {
            return latest_events(&self.workspace()?);
        }
        let mut paths = Vec::new();
        for asked in asked {
            paths.extend(self.find_files(asked)?);
        }
        Ok(vec![Events::read(&paths, None)?])
    }

    /// Returns the event files of a run: a file, a directory, or the name of a group.
    fn find_files(&self, asked: &str) -> Result<Vec<PathBuf>, Failure> {
        let path = Path::new(asked);
        if path.is_file() {
            return Ok(vec![path.to_owned()]);
        }
        let inside = event_files(path);
        if !inside.is_empty() {
            return Ok(inside);
        }
        let workspace = self.workspace()?;
        let groups = groups_in(&workspace.homes());
        let is_asked =
            |group: &&Group| group.directory.file_name().is_some_and(|name| name == asked);
        if let Some(group) = groups.iter().find(is_asked) {
            return Ok(group.files());
        }
        let found = groups_named(&groups, asked);
        if found.is_empty() {
            let mut known: Vec<&str> =
                groups.iter().rev().map(|group| group.name.as_str()).collect();
            known.dedup();
            let message = words::no_such_run(asked, &workspace.home().join("runs"), &known);
            return Err(Failure::new(Exit::Nothing, message));
        }
        Ok(found.iter().flat_map(Group::files).collect())
    }
}

/// The report on the properties in the requested runs; see [`WorkspaceLocation::report`].
///
/// # Errors
/// If there are no such runs, or a file cannot be read.
pub fn report(asked: &[String]) -> Result<Report, Failure> {
    WorkspaceLocation::default().report(asked)
}

/// The report on the last run of each property of a workspace.
///
/// # Errors
/// If there are no runs, or a file cannot be read.
pub fn latest_report(workspace: &Workspace) -> Result<Report, Failure> {
    let events = latest_events(workspace)?;
    Ok(Report::joined(events.iter().map(Events::report).collect()))
}

/// The report on the properties in the groups of this name below a directory; `None` if there
/// is no such group.
///
/// # Errors
/// If a file cannot be read.
pub fn report_of_group(home: &Path, name: &str) -> Result<Option<Report>, Failure> {
    let groups = groups_named(&groups_in(&[home.to_owned()]), name);
    let paths: Vec<PathBuf> = groups.iter().flat_map(Group::files).collect();
    if paths.is_empty() {
        return Ok(None);
    }
    Ok(Some(Events::read(&paths, None)?.report()))
}

/// Returns the directory of the latest group with this name.
#[must_use]
pub fn directory_of_group(home: &Path, name: &str) -> Option<PathBuf> {
    groups_named(&groups_in(&[home.to_owned()]), name)
        .into_iter()
        .next()
        .map(|group| group.directory)
}

/// Deletes all but the latest campaigns, which have every case of their properties and are large.
/// One that still runs stays. Another process may do the same, so a failure is ignored.
pub fn prune_campaigns(home: &Path) {
    let groups = groups_in(&[home.to_owned()]);
    let campaigns = groups.iter().rev().filter(|group| group.name.starts_with("campaign"));
    for group in campaigns.skip(CAMPAIGNS_MAX) {
        let is_locked =
            |path: &PathBuf| fs::File::open(path).is_ok_and(|file| file.try_lock().is_err());
        if !group.files().iter().any(is_locked) {
            let _ = fs::remove_dir_all(&group.directory);
        }
    }
}

/// The number of campaigns to keep. A product decision: enough to compare with, at about 30 MB for a
/// campaign of a hundred properties. Older ones are deleted.
const CAMPAIGNS_MAX: usize = 5;

/// Returns the groups in which properties of a workspace ran last, the latest first, each with these
/// properties.
fn latest_events(workspace: &Workspace) -> Result<Vec<Events>, Failure> {
    let groups = groups_in(&workspace.homes());
    let mut last: HashMap<Identity, (f64, usize)> = HashMap::new();
    let mut is_ours: HashMap<String, bool> = HashMap::new();
    for (nth, group) in groups.iter().enumerate() {
        for path in group.files() {
            // Another process may just have deleted an old file.
            let Ok(text) = read(&path) else { continue };
            for started in StartedProperty::read_all(&text) {
                let manifest_dir = started.manifest_dir.as_str();
                if !is_ours.contains_key(manifest_dir) {
                    is_ours.insert(manifest_dir.to_owned(), workspace.has(manifest_dir));
                }
                if is_ours.get(manifest_dir) != Some(&true) {
                    continue;
                }
                let known = last.entry(started.identity).or_insert((started.time, nth));
                if started.time >= known.0 {
                    *known = (started.time, nth);
                }
            }
        }
    }
    if last.is_empty() {
        return Err(Failure::new(Exit::Nothing, words::no_runs(&workspace.home())));
    }
    let used: BTreeSet<usize> = last.values().map(|(_, nth)| *nth).collect();
    let of_group = |nth: &usize| {
        let shown = last.iter().filter(|(_, (_, known))| known == nth);
        let shown = shown.map(|(identity, _)| identity.clone()).collect();
        Events::read(&groups[*nth].files(), Some(shown))
    };
    used.iter().rev().map(of_group).collect()
}

fn read(path: &Path) -> Result<String, Failure> {
    let bytes = fs::read(path)
        .map_err(|error| Failure::new(Exit::File, words::file_failed(path, "read", error)))?;
    // Invalid text makes one line unreadable, not the whole file.
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

/// Returns a command for the cargo that called this process, or else for the one in `PATH`.
#[must_use]
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(time: &str, name: &str) -> Group {
        let [time, name] = [time, name].map(str::to_owned);
        Group { directory: PathBuf::from(&time), time, name }
    }

    #[test]
    fn groups_with_one_name_are_joined_unless_they_are_far_apart() {
        let groups = [
            group("20261101T100000Z", "p1"),
            group("20261115T100000Z", "p1"),
            group("20261115T100100Z", "nightly"),
            group("20261115T100200Z", "p1"),
        ];
        let times = |name: &str| {
            let found = groups_named(&groups, name);
            found.iter().map(|group| group.time.clone()).collect::<Vec<_>>()
        };
        assert_eq!(times("p1"), ["20261115T100200Z", "20261115T100000Z"]);
        assert_eq!(times("nightly"), ["20261115T100100Z"]);
        assert!(times("other").is_empty());
        assert!(groups_named(&[], "p1").is_empty());
    }

    #[test]
    fn the_latest_campaigns_are_kept() {
        let home = std::env::temp_dir().join(format!("rebut-campaigns-{}", std::process::id()));
        let _ = fs::remove_dir_all(&home);
        let make = |day: usize, name: &str| {
            let directory = home.join(format!("runs/202611{day:02}T100000Z-{name}"));
            fs::create_dir_all(&directory).expect("a directory");
            fs::File::create(directory.join("1.jsonl")).expect("a file")
        };
        for day in 2..10 {
            make(day, &format!("campaign{day}p1"));
        }
        make(1, "p1t2");
        let running = make(1, "campaign1p1");
        running.lock().expect("a lock");
        prune_campaigns(&home);
        let mut left: Vec<String> =
            groups_in(std::slice::from_ref(&home)).into_iter().map(|one| one.name).collect();
        left.sort();
        let mut expected = vec!["campaign1p1".to_owned()];
        expected.extend((5..10).map(|day| format!("campaign{day}p1")));
        expected.push("p1t2".to_owned());
        assert_eq!(left, expected);
        let _ = fs::remove_dir_all(home);
    }

    #[test]
    fn only_directories_with_a_time_are_groups() {
        let parse = |name: &str| Group::parse(Path::new(name)).map(|group| group.name);
        assert_eq!(parse("runs/20261115T100000Z-p1t2").as_deref(), Some("p1t2"));
        assert_eq!(parse("runs/20261115T100000Z-p1t2-part").as_deref(), Some("p1t2"));
        for other in ["", "tests", "20261115T10000Z-a", "2026111éT10000Z-a", "20261115T100000Z"] {
            assert_eq!(parse(other), None, "{other}");
        }
    }
}
