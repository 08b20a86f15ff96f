//! Explorations as events, for reports to be made of. The format is described in
//! `docs/guide/events.md`.

use super::Job;
use super::assumed::Assumption;
use super::confirm::Confirmation;
use super::describe::{self, decision_value, path_value};
use super::lines;
use super::picture::{Picture, Studio};
use crate::words;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::runs::Workspace;
use rebut_concolic::{Coverage, Description, Exploration, Outcome, Verdict};
use rebut_report::rfc3339;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

/// The version of the format; see `docs/guide/events.md`.
const VERSION: u64 = 1;

/// More decisions, and more paths, are left out.
const SHOWN_MAX: usize = 2000;

/// The events of all explorations of this command.
#[derive(Debug)]
pub(crate) struct Log {
    started: SystemTime,
    clock: Instant,
    lines: Vec<Value>,
    explored: u64,
}

/// What came of one test.
pub(crate) struct Told<'a> {
    pub(crate) description: &'a Description,
    pub(crate) exploration: &'a Exploration,
    pub(crate) confirmed: &'a [Confirmation],
    pub(crate) picture: &'a Picture,
    pub(crate) assumed: &'a [Assumption],
    /// How long exploring took.
    pub(crate) time: Duration,
}

impl Log {
    pub(crate) fn new() -> Log {
        Log { started: SystemTime::now(), clock: Instant::now(), lines: Vec::new(), explored: 0 }
    }

    fn add(&mut self, event: &str, mut rest: Value) {
        let mut line = json!({"event": event, "id": self.explored});
        if let (Some(line), Some(rest)) = (line.as_object_mut(), rest.as_object_mut()) {
            line.append(rest);
        }
        self.lines.push(line);
    }

    fn now(&self) -> u64 {
        self.clock.elapsed().as_millis() as u64
    }

    /// Adds a test.
    pub(crate) fn tell(&mut self, told: &Told<'_>, job: &Job<'_>, studio: &mut Studio<'_>) {
        let Told { description, exploration, picture, .. } = told;
        let place = format!("{}:{}", description.file, description.line);
        let at_ms = self.now();
        let mut begin = json!({"property": description.path, "place": place, "at_ms": at_ms});
        append(
            &mut begin,
            json!({"package": job.module.package, "target": job.module.target.name()}),
        );
        self.add("begin", begin);
        for (nth, decision) in picture.decisions.iter().take(SHOWN_MAX).enumerate() {
            let mut value = json!({"decision": nth});
            append(&mut value, decision_value(decision));
            self.add("decision", value);
        }
        for (nth, path) in picture.paths.iter().take(SHOWN_MAX).enumerate() {
            let mut value = json!({"path": nth});
            append(&mut value, path_value(path));
            self.add("path", value);
        }
        if let Some(coverage) = &picture.coverage {
            self.tell_lines(coverage, job, studio);
        }
        let left_out = |all: usize| all.saturating_sub(SHOWN_MAX);
        self.add(
            "explored",
            json!({
                "runs": exploration.runs,
                "decisions": picture.decisions.len(),
                "paths": picture.paths.len(),
                "decisions_left_out": left_out(picture.decisions.len()),
                "paths_left_out": left_out(picture.paths.len()),
                "limits": exploration.limits.iter().map(describe::limit).collect::<Vec<_>>(),
                "assumes": describe::assumptions(told.assumed),
            }),
        );
        let failures = self.tell_failures(told);
        self.tell_end(told, failures);
        self.explored += 1;
    }

    fn tell_lines(&mut self, coverage: &Coverage, job: &Job<'_>, studio: &mut Studio<'_>) {
        for (file, of) in &coverage.files {
            let mut written = Vec::new();
            for (number, line) in of {
                let mut value = json!({
                    "line": number,
                    "code": studio.line(job, file, *number),
                    "reached": line.unreached.is_none(),
                });
                if let Some(unreached) = &line.unreached {
                    value["why"] = lines::why(unreached, coverage.proof, file).into();
                }
                if line.sides > 0 {
                    value["sides"] = line.sides.into();
                    value["taken"] = line.taken.into();
                }
                written.push(value);
            }
            let proof = describe::proof_word(coverage.proof);
            self.add("lines", json!({"file": file, "proof": proof, "lines": written}));
        }
    }

    /// What failed natively as well, as it was shrunk there; how many there are.
    fn tell_failures(&mut self, told: &Told<'_>) -> usize {
        let Verdict::Fails(leaves) = &told.exploration.verdict else { return 0 };
        let mut failures = 0;
        for (leaf, confirmed) in leaves.iter().zip(told.confirmed) {
            let Confirmation::Fails(failure) = confirmed else { continue };
            let Some(path) = told.picture.paths.get(*leaf) else { continue };
            let mut value = failure_value(told, *leaf);
            let shrunk = failure.inputs.first();
            match shrunk.and_then(|input| Some((input.replay.as_ref()?, &input.values))) {
                Some((replay, values)) => {
                    value["replay"] = replay.as_str().into();
                    value["values"] = json!(values);
                }
                None => {
                    value["replay"] = path.replay.as_str().into();
                    value["values"] = path.values.iter().map(describe::shown_value).collect();
                }
            }
            value["at_ms"] = self.now().into();
            self.add("failure", value);
            failures += 1;
        }
        failures
    }

    fn tell_end(&mut self, told: &Told<'_>, failures: usize) {
        let Told { description, exploration, .. } = told;
        let (verdict, success) = match &exploration.verdict {
            Verdict::Fails(_) if failures > 0 => ("R001", false),
            Verdict::Found(_) if description.is_not_exists => ("R001", false),
            Verdict::Found(_) => ("exists", true),
            Verdict::Holds if description.is_exists => ("R008", false),
            Verdict::Holds => ("proved", true),
            Verdict::Vacuous => ("R003", false),
            Verdict::Fails(_) | Verdict::Unknown(_) => ("unknown", true),
        };
        let mut rejected = 0;
        for leaf in &exploration.leaves {
            rejected += usize::from(matches!(leaf.outcome, Outcome::Rejected(_)));
        }
        let mut value = json!({
            "verdict": verdict,
            "success": success,
            "reason": describe::verdict(description, exploration, told.assumed),
            "cases": exploration.leaves.len() - rejected,
            "ms": (told.time.as_secs_f64() * 1e6).round() / 1e3,
            "at_ms": self.now(),
        });
        if rejected > 0 {
            value["rejected"] = json!([{"why": "an assumption", "cases": rejected}]);
        }
        self.add("end", value);
    }

    /// Writes the events to a run of its own below a folder; the file.
    pub(crate) fn write(&self, workspace: &Workspace) -> Result<PathBuf, Failure> {
        let since = self.started.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let start = rfc3339(since);
        let process = std::process::id();
        let group = group(std::env::var("REBUT_RUN").ok().as_deref())
            .unwrap_or_else(|| format!("explore{}p{process}", since.as_secs()));
        let (seconds, _) = start.split_once('.').unwrap_or((&start, ""));
        let directory = format!("{}Z-{group}", seconds.replace(['-', ':'], ""));
        let directory = workspace.home().join("runs").join(directory);
        let path = directory.join(format!("{process}.jsonl"));
        let run = json!({
            "event": "run",
            "version": VERSION,
            "rebut": env!("CARGO_PKG_VERSION"),
            "start": start,
            "group": group,
            "process": process,
            "program": "cargo rebut explore",
            "manifest_dir": workspace.root,
        });
        let mut text = format!("{run}\n");
        for line in &self.lines {
            text.push_str(&line.to_string());
            text.push('\n');
        }
        let failed = |error| Failure::new(Exit::File, words::file_failed(&path, "write", error));
        fs::create_dir_all(&directory).map_err(failed)?;
        fs::write(&path, text).map_err(failed)?;
        Ok(path)
    }
}

/// The group that the user named, as tests write it into the name of a directory.
fn group(name: Option<&str>) -> Option<String> {
    let is_kept = |letter: &char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.');
    let name: String = name?.trim_start_matches('.').chars().filter(is_kept).collect();
    (!name.is_empty()).then_some(name)
}

fn append(value: &mut Value, mut more: Value) {
    if let (Some(value), Some(more)) = (value.as_object_mut(), more.as_object_mut()) {
        value.append(more);
    }
}

fn failure_value(told: &Told<'_>, leaf: usize) -> Value {
    let Some(Outcome::Failed(failure)) =
        told.exploration.leaves.get(leaf).map(|leaf| &leaf.outcome)
    else {
        return json!({"by": "explore"});
    };
    let mut value = json!({
        "by": "explore",
        "kind": if failure.file.is_empty() { "wrong-result" } else { "panic" },
        "message": failure.message,
        "command": "cargo test",
    });
    if !failure.file.is_empty() {
        let place = format!("{}:{}:{}", failure.file, failure.line, failure.column);
        value["origin"] = format!("panic at {place}").into();
        value["location"] = place.into();
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_named_as_those_of_tests() {
        assert_eq!(group(None), None);
        assert_eq!(group(Some("")), None);
        assert_eq!(group(Some("nightly-1")).as_deref(), Some("nightly1"));
        assert_eq!(group(Some("../up")).as_deref(), Some("up"));
    }
}
