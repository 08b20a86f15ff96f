//! The events of explored tests, for reports. `docs/guide/events.md` describes the format.

use super::{json, text};
use crate::ExploredTest;
use crate::assumptions::names;
use crate::confirm::Confirmation;
use crate::selection::SelectedTest;
use crate::view::{ExplorationView, ModuleCache};
use crate::words;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::runs::Workspace;
use rebut_concolic::{Coverage, Outcome, Verdict};
use rebut_protocol::settings;
use rebut_protocol::verdicts::VerdictCode;
use rebut_report::{
    BeginLine, DecisionLine, EndLine, Event, ExploredLine, FileLines, InputLine, Number, PathLine,
    Rejected, RunLine, compact_time, rfc3339,
};
use std::fs;
use std::path::PathBuf;
use std::time::{Instant, SystemTime};

/// The maximum number of decisions, and of paths, that are written for a test.
///
/// Arbitrary: more than a person looks at, and few enough for a browser. The `explored` event
/// counts the rest.
const WRITTEN_MAX: usize = 2000;

/// The events of all tests that this command explores.
#[derive(Debug)]
pub(crate) struct EventLog {
    started: SystemTime,
    clock: Instant,
    lines: Vec<String>,
    /// The number of tests so far, which is the id of the next one.
    tests: u64,
}

impl EventLog {
    pub(crate) fn new() -> EventLog {
        let (started, clock) = (SystemTime::now(), Instant::now());
        EventLog { started, clock, lines: Vec::new(), tests: 0 }
    }

    fn add(&mut self, event: &Event) {
        self.lines.push(event.to_line(Some(self.tests)));
    }

    fn elapsed_ms(&self) -> Option<Number> {
        Some(Number(self.clock.elapsed().as_millis() as f64))
    }

    /// Adds the events of a test.
    pub(crate) fn add_test(
        &mut self,
        explored: &ExploredTest,
        view: &ExplorationView,
        test: &SelectedTest<'_>,
        cache: &mut ModuleCache<'_>,
    ) {
        let description = &explored.description;
        self.add(&Event::Begin(BeginLine {
            property: description.path.clone(),
            place: format!("{}:{}", description.file, description.line),
            package: test.module.package.clone(),
            target: test.module.target.name(),
            at_ms: self.elapsed_ms(),
            ..BeginLine::default()
        }));
        for (nth, decision) in view.decisions.iter().take(WRITTEN_MAX).enumerate() {
            let of = json::decision(decision);
            self.add(&Event::Decision(DecisionLine { decision: nth, of }));
        }
        for (nth, path) in view.paths.iter().take(WRITTEN_MAX).enumerate() {
            self.add(&Event::Path(PathLine { path: nth, of: json::path(path) }));
        }
        if let Some(coverage) = &view.coverage {
            self.add_lines(coverage, test, cache);
        }
        let left_out = |all: usize| all.saturating_sub(WRITTEN_MAX) as u64;
        self.add(&Event::Explored(ExploredLine {
            runs: explored.exploration.runs as u64,
            decisions: view.decisions.len() as u64,
            paths: view.paths.len() as u64,
            decisions_left_out: left_out(view.decisions.len()),
            paths_left_out: left_out(view.paths.len()),
            limits: explored.exploration.limits.iter().map(text::limit).collect(),
            assumes: names(&explored.assumptions),
        }));
        let has_failures = self.add_failures(explored, view);
        self.add_end(explored, has_failures);
        self.tests += 1;
    }

    fn add_lines(
        &mut self,
        coverage: &Coverage,
        test: &SelectedTest<'_>,
        cache: &mut ModuleCache<'_>,
    ) {
        let proof = coverage.proof;
        for (file, lines) in &coverage.files {
            let mut written = Vec::new();
            for (number, line) in lines {
                let code = cache.line(test, file, *number);
                written.push(json::code_line(*number, line, proof, file, code));
            }
            let (file, proof) = (file.clone(), json::proof_word(proof).to_owned());
            self.add(&Event::Lines(FileLines { file, proof, lines: written }));
        }
    }

    /// Adds the failures that a native run confirmed, with the inputs that it shrunk. Returns
    /// whether there are any.
    fn add_failures(&mut self, explored: &ExploredTest, view: &ExplorationView) -> bool {
        let Verdict::Fails(leaves) = &explored.exploration.verdict else { return false };
        let mut has_failures = false;
        for (leaf, confirmation) in leaves.iter().zip(&explored.confirmations) {
            let Confirmation::Fails(failure) = confirmation else { continue };
            let Some(path) = view.paths.get(*leaf) else { continue };
            let outcome = explored.exploration.leaves.get(*leaf).map(|leaf| &leaf.outcome);
            let shrunk = failure.inputs.first().filter(|input| input.replay.is_some());
            let contract = failure.inputs.first().and_then(|input| input.contract.clone());
            let (replay, values) = match shrunk {
                Some(input) => (input.replay.clone(), input.values.clone()),
                None => (Some(path.replay.clone()), path.values.iter().map(json::value).collect()),
            };
            let at_ms = self.elapsed_ms();
            let line = input_line(outcome);
            self.add(&Event::Failure(InputLine { contract, replay, values, at_ms, ..line }));
            has_failures = true;
        }
        has_failures
    }

    fn add_end(&mut self, explored: &ExploredTest, has_failures: bool) {
        let ExploredTest { description, exploration, .. } = explored;
        let verdict = match &exploration.verdict {
            Verdict::Fails(_) if has_failures => Some(VerdictCode::Failed),
            Verdict::Found(_) if description.is_not_exists => Some(VerdictCode::Failed),
            Verdict::Found(_) => Some(VerdictCode::Exists),
            Verdict::Holds if description.is_exists => Some(VerdictCode::NotFound),
            Verdict::Holds => Some(VerdictCode::Proved),
            Verdict::Vacuous => Some(VerdictCode::Vacuous),
            Verdict::Fails(_) | Verdict::Unknown(_) => None,
        };
        let success = matches!(verdict, None | Some(VerdictCode::Exists | VerdictCode::Proved));
        let is_rejected = |outcome: &Outcome| matches!(outcome, Outcome::Rejected(_));
        let rejected = exploration.leaves.iter().filter(|leaf| is_rejected(&leaf.outcome)).count();
        let rejections = (rejected > 0)
            .then(|| Rejected { why: "an assumption".to_owned(), cases: rejected as u64 });
        self.add(&Event::End(EndLine {
            verdict: verdict.map_or(UNKNOWN, VerdictCode::as_str).to_owned(),
            success,
            reason: Some(text::verdict(explored)),
            cases: (exploration.leaves.len() - rejected) as u64,
            rejected: rejections.into_iter().collect(),
            ms: Some(((explored.duration.as_secs_f64() * 1e6).round() / 1e3).into()),
            at_ms: self.elapsed_ms(),
            ..EndLine::default()
        }));
    }

    /// Writes the events as a run of their own, in `target/rebut/runs`. Returns the file.
    pub(crate) fn write(&self, workspace: &Workspace) -> Result<PathBuf, Failure> {
        let since = self.started.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let process = std::process::id();
        let group = group_name(std::env::var(settings::RUN.variable).ok().as_deref())
            .unwrap_or_else(|| format!("explore{}p{process}", since.as_secs()));
        let directory = format!("{}-{group}", compact_time(since));
        let directory = workspace.home().join("runs").join(directory);
        let path = directory.join(format!("{process}.jsonl"));
        let run = Event::Run(RunLine {
            start: rfc3339(since),
            group,
            process: process.into(),
            program: "cargo rebut explore".to_owned(),
            manifest_dir: workspace.root.to_string_lossy().into_owned(),
            ..RunLine::new(env!("CARGO_PKG_VERSION"))
        });
        let mut text = run.to_line(None);
        self.lines.iter().for_each(|line| text.push_str(line));
        let failed = |error| Failure::new(Exit::File, words::file_failed(&path, "write", error));
        fs::create_dir_all(&directory).map_err(failed)?;
        fs::write(&path, text).map_err(failed)?;
        Ok(path)
    }
}

/// The verdict of a test that is neither proved nor failing. Only explorations have it, so it is
/// not among the codes of runs.
const UNKNOWN: &str = "unknown";

/// Returns the group that the user named, as tests write it into the name of a directory.
fn group_name(name: Option<&str>) -> Option<String> {
    let is_kept = |letter: &char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.');
    let name: String = name?.trim_start_matches('.').chars().filter(is_kept).collect();
    (!name.is_empty()).then_some(name)
}

/// Returns the event of a failing path, without its input.
fn input_line(outcome: Option<&Outcome>) -> InputLine {
    let mut line = InputLine { by: "explore".to_owned(), ..InputLine::default() };
    let Some(Outcome::Failed(failure)) = outcome else { return line };
    line.message = failure.message.clone();
    line.command = Some("cargo test".to_owned());
    if failure.file.is_empty() {
        line.kind = "wrong-result".to_owned();
    } else {
        let location = format!("{}:{}:{}", failure.file, failure.line, failure.column);
        line.kind = "panic".to_owned();
        line.origin = format!("panic at {location}");
        line.location = Some(location);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_named_as_those_of_tests() {
        assert_eq!(group_name(None), None);
        assert_eq!(group_name(Some("")), None);
        assert_eq!(group_name(Some("nightly-1")).as_deref(), Some("nightly1"));
        assert_eq!(group_name(Some("../up")).as_deref(), Some("up"));
    }
}
