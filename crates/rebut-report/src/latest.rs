//! Selects the latest run of each property from several groups of runs.
//!
//! After a run of a single test, `cargo rebut list` still shows the other properties, each as of
//! its last run. Reading all events of all groups would be slow. Therefore the caller first reads
//! which properties started, and when, from all groups ([`StartedProperty::read_all`]), and then
//! reads only the groups that contain the last run of a property.

use std::collections::HashSet;

use serde::Deserialize;

use crate::lines::{BeginLine, RunLine};
use crate::model::{Property, Report, Run};
use crate::read::began;

/// Identifies a property within a workspace.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Identity {
    /// The package, or the path of the test binary if the package is unknown.
    owner: String,
    target: String,
    name: String,
}

impl Identity {
    /// Returns the identity of a property.
    #[must_use]
    pub fn of_property(property: &Property, run: &Run) -> Identity {
        Identity::new(&property.package, &run.program, &property.target, &property.name)
    }

    pub(crate) fn new(package: &str, program: &str, target: &str, name: &str) -> Identity {
        let owner = if package.is_empty() { program } else { package };
        Identity { owner: owner.to_owned(), target: target.to_owned(), name: name.to_owned() }
    }
}

/// The start of a run of a property.
#[derive(Clone, Debug)]
pub struct StartedProperty {
    /// The property.
    pub identity: Identity,
    /// The name of the group of runs.
    pub group: String,
    /// The directory of its package's manifest; empty if unknown.
    pub manifest_dir: String,
    /// The start time, in seconds since 1970.
    pub time: f64,
}

impl StartedProperty {
    /// Reads the properties that started in a file of events. Other lines are skipped without
    /// parsing them.
    #[must_use]
    pub fn read_all(text: &str) -> Vec<StartedProperty> {
        let mut run = RunLine::default();
        let mut all = Vec::new();
        for line in text.lines() {
            if line.starts_with(RUN) {
                run = read(line).unwrap_or(run);
            } else if line.starts_with(BEGIN)
                && let Some(BeginLine { property, package, target, at_ms, .. }) = read(line)
            {
                all.push(StartedProperty {
                    identity: Identity::new(&package, &run.program, &target, &property),
                    group: run.group.clone(),
                    manifest_dir: run.manifest_dir.clone(),
                    time: began(&run.start, at_ms),
                });
            }
        }
        all
    }
}

// The prefixes of the lines of interest, exactly as Rebut writes them.
const RUN: &str = "{\"event\":\"run\"";
const BEGIN: &str = "{\"event\":\"begin\"";

fn read<'a, T: Deserialize<'a>>(line: &'a str) -> Option<T> {
    serde_json::from_str(line).ok()
}

impl Report {
    /// Keeps only the properties whose identity satisfies the predicate, and renumbers the inputs.
    pub fn retain(&mut self, is_kept: &dyn Fn(&Identity) -> bool) {
        let runs = std::mem::take(&mut self.runs);
        self.retain_properties(&|property| {
            runs.get(property.run).is_some_and(|run| is_kept(&Identity::of_property(property, run)))
        });
        self.runs = runs;
    }

    /// Keeps only the properties that satisfy the predicate, and renumbers the inputs.
    pub fn retain_properties(&mut self, is_kept: &dyn Fn(&Property) -> bool) {
        self.properties.retain(is_kept);
        self.number();
    }

    /// Returns the identities of the properties.
    #[must_use]
    pub fn identities(&self) -> HashSet<Identity> {
        let identity = |one: &Property| Some(Identity::of_property(one, self.runs.get(one.run)?));
        self.properties.iter().filter_map(identity).collect()
    }

    /// Returns the name of the group of runs that a property belongs to.
    #[must_use]
    pub fn group(&self, property: &Property) -> Option<&str> {
        self.runs.get(property.run).map(|run| run.group.as_str())
    }

    /// Joins the reports of several groups. The properties of the first report come first, so that
    /// their inputs keep their numbers.
    #[must_use]
    pub fn joined(reports: Vec<Report>) -> Report {
        let mut joined = Report::default();
        for mut report in reports {
            let before = joined.runs.len();
            for property in &mut report.properties {
                property.run += before;
            }
            joined.runs.append(&mut report.runs);
            joined.properties.append(&mut report.properties);
            joined.unreadable += report.unreadable;
            joined.first_unreadable = joined.first_unreadable.or(report.first_unreadable);
        }
        joined.number();
        joined
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(minute: u32, package: &str, property: &str, verdict: &str) -> String {
        format!(
            r#"{{"event":"run","start":"2026-11-15T10:{minute:02}:00.000Z","group":"p{minute}","program":"/t/{package}-1","manifest_dir":"/w/{package}"}}
{{"event":"begin","id":0,"at_ms":500,"property":"{property}","place":"src/lib.rs:1","package":"{package}","target":"lib"}}
{{"event":"failure","id":0,"origin":"here"}}
{{"event":"end","id":0,"verdict":"{verdict}"}}
"#
        )
    }

    #[test]
    fn started_properties_have_a_package_and_a_time() {
        let text = events(1, "a", "a::x", "R001") + "nonsense\n{\"event\":\"begin\"\n";
        let all = StartedProperty::read_all(&text);
        let [begun] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!(begun.manifest_dir, "/w/a");
        assert_eq!(begun.time, crate::time::unix_time("2026-11-15T10:01:00.500Z"));
        let report = Report::read([text.as_str()]);
        assert_eq!(Identity::of_property(&report.properties[0], &report.runs[0]), begun.identity);
        let other = StartedProperty::read_all(&events(1, "b", "a::x", "R001"));
        assert_ne!(other[0].identity, begun.identity, "the package is part of it");
    }

    #[test]
    fn joined_reports_keep_the_numbers_of_the_first() {
        let read = |text: String| Report::read([text.as_str()]);
        let mut earlier = read(events(1, "a", "a::x", "R001") + &events(1, "a", "a::y", "R001"));
        let later = read(events(2, "a", "a::x", "R002"));
        let known = Identity::of_property(&later.properties[0], &later.runs[0]);
        earlier.retain(&|identity| *identity != known);
        let joined = Report::joined(vec![later, earlier]);
        let shown: Vec<_> = joined
            .properties
            .iter()
            .map(|one| (one.name.as_str(), one.verdict(), one.failures[0].number))
            .collect();
        assert_eq!(shown, [("a::x", "R002", 1), ("a::y", "R001", 2)]);
        assert_eq!(joined.runs[joined.properties[1].run].group, "p1");
    }
}
