//! The events of explored tests, for reports. `docs/guide/events.md` describes the format.

use super::json;
use crate::ExploredTest;
use crate::reason::Reason;
use crate::selection::SelectedTest;
use crate::view::{ExplorationView, ModuleCache};
use crate::words;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::runs::Workspace;
use rebut_concolic::{Coverage, Exploration, Outcome};
use rebut_protocol::settings;
use rebut_report::{
    BeginLine, DecisionLine, EndLine, Event, ExploredLine, FileLines, InputLine, Number, PathLine,
    Rejected, ReportedInput, RunLine, compact_time, rfc3339,
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
        let (description, Some(exploration)) = (&explored.description, &explored.exploration)
        else {
            return;
        };
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
            runs: exploration.runs as u64,
            decisions: view.decisions.len() as u64,
            paths: view.paths.len() as u64,
            decisions_left_out: left_out(view.decisions.len()),
            paths_left_out: left_out(view.paths.len()),
            limits: explored.verdict.reasons().iter().map(Reason::words).collect(),
            assumes: json::assumptions(exploration),
        }));
        self.add_failures(explored);
        self.add_end(explored, exploration);
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

    /// Adds the failures, with the inputs that the native run shrunk.
    fn add_failures(&mut self, explored: &ExploredTest) {
        for input in explored.verdict.failures().iter().flat_map(|failure| &failure.inputs) {
            let at_ms = self.elapsed_ms();
            self.add(&Event::Failure(InputLine { at_ms, ..input_line(input) }));
        }
    }

    fn add_end(&mut self, explored: &ExploredTest, exploration: &Exploration) {
        let is_rejected = |outcome: &Outcome| matches!(outcome, Outcome::Rejected(_));
        let rejected = exploration.leaves.iter().filter(|leaf| is_rejected(&leaf.outcome)).count();
        let rejections = (rejected > 0)
            .then(|| Rejected { why: "an assumption".to_owned(), cases: rejected as u64 });
        self.add(&Event::End(EndLine {
            verdict: explored.verdict.code().to_owned(),
            success: explored.verdict.exit(false) == Exit::Success,
            reason: Some(explored.sentence()),
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

/// Returns the group that the user named, as tests write it into the name of a directory.
fn group_name(name: Option<&str>) -> Option<String> {
    let is_kept = |letter: &char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.');
    let name: String = name?.trim_start_matches('.').chars().filter(is_kept).collect();
    (!name.is_empty()).then_some(name)
}

/// Returns the event of a failure. It was found by exploration, or by the native run before it.
fn input_line(input: &ReportedInput) -> InputLine {
    InputLine {
        by: input.by.clone(),
        case: input.case,
        kind: input.kind.clone(),
        origin: input.origin.clone(),
        message: input.message.clone(),
        location: input.location.clone(),
        contract: input.contract.clone(),
        replay: input.replay.clone(),
        values: input.values.clone(),
        command: Some("cargo test".to_owned()),
        ..InputLine::default()
    }
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
