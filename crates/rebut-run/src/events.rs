//! The events of a run, written as they happen, as input for reports: one JSON object per line.
//! `docs/guide/events.md` describes the format.
//!
//! Each property collects its lines and writes whole lines only, so that properties that run at
//! the same time share a file without waiting for each other. A property without events costs
//! nothing.
//!
//! Invariant: a failed write is a warning and never changes a verdict.

mod file;
mod json;
mod samples;

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rebut_choice::Tape;
use rebut_search::Objective;

use self::json::Object;
use self::samples::Samples;
use crate::case_log::{ContractViolation, ObjectiveValue, ShownValue};
use crate::execute::Execution;
use crate::folder;
use crate::outcome::{FailureKind, Outcome};
use crate::rerun;
use crate::runner::{FailingCase, FinishedCase, SearchStep, count_case};
use crate::settings::{EventLevel, Isolation, SearchMode, Settings};
use crate::strings;
use crate::style::Style;
use crate::threads::lock;
use crate::verdict::{CaseCount, Counterexample, CoverCount, FailureRate, FoundBy, Report};

/// The event log of one property. Clones write to the same log.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventLog {
    shared: Option<Arc<Mutex<EventWriter>>>,
    /// Whether to count cases as they end.
    counts_cases: bool,
}

/// The property whose events are written.
#[derive(Clone, Debug)]
pub(crate) struct PropertyInfo<'a> {
    /// The path of the property.
    pub(crate) path: &'a str,
    /// The file and the line.
    pub(crate) location: &'a str,
    /// The name of the package; empty if unknown.
    pub(crate) package: String,
    /// The target of the package, such as `lib` or `test round-trip`; empty if unknown.
    pub(crate) target: String,
    /// The directory of the package's manifest; empty if unknown.
    pub(crate) manifest_dir: String,
}

impl<'a> PropertyInfo<'a> {
    /// Describes a property by the variables that cargo sets for the running process.
    pub(crate) fn of_running_process(path: &'a str, location: &'a str) -> PropertyInfo<'a> {
        let variable = |name: &str| std::env::var(name).unwrap_or_default();
        let package = variable("CARGO_PKG_NAME");
        PropertyInfo {
            path,
            location,
            target: rerun::running_target(&package),
            package,
            manifest_dir: variable("CARGO_MANIFEST_DIR"),
        }
    }
}

/// Writes whole lines. Returns false if there is no directory for them.
type Sink = Box<dyn FnMut(&str) -> io::Result<bool> + Send>;

/// The events collected for one property.
struct EventWriter {
    /// An id that is unique among the properties of a process.
    id: u64,
    /// The first line of the property, not written until there is more to write.
    first_line: Option<String>,
    buffer: String,
    sink: Sink,
    last_written: Instant,
    started: Instant,
    /// The objectives in the order of their first report, with the best value as a utility.
    objectives: Vec<(Objective, Option<f64>)>,
    /// Whether to write every case and every step, instead of just enough steps for a plot.
    wants_all: bool,
    /// Whether a command reads the events, and shows the report itself.
    writes_report: bool,
    steps: u64,
    counts: ProgressCounts,
    samples: Samples,
    /// The sample inputs to show.
    sampled: Vec<Vec<ShownValue>>,
    warning: Option<String>,
}

/// The progress of a property, for reports of a running test.
#[derive(Debug)]
struct ProgressCounts {
    /// When the counts were last written.
    written: Instant,
    cases: u64,
    rejected: u64,
    labels: Vec<CaseCount>,
}

impl ProgressCounts {
    fn new() -> ProgressCounts {
        ProgressCounts { written: Instant::now(), cases: 0, rejected: 0, labels: Vec::new() }
    }

    fn count(&mut self, case: &FinishedCase<'_>) {
        if !matches!(case.outcome, Outcome::Passed | Outcome::Failed(_)) {
            self.rejected += 1;
            return;
        }
        self.cases += 1;
        for label in case.log.map(|log| log.labels.as_slice()).unwrap_or_default() {
            count_case(&mut self.labels, label);
        }
    }
}

impl fmt::Debug for EventWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventWriter").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Write the buffer when it has this many bytes. Arbitrary.
const BUFFER_MAX: usize = 1 << 15;
/// Write the buffer after this time, for reports of a run in progress. A product decision.
const WRITE_EVERY: Duration = Duration::from_millis(250);

impl EventLog {
    /// Creates the log of a property whose run begins.
    pub(crate) fn new(property: &PropertyInfo<'_>, seed: u64, settings: &Settings) -> EventLog {
        let manifest_dir = property.manifest_dir.clone();
        let sink = Box::new(move |lines: &str| file::append(lines, &manifest_dir));
        let is_requested = file::requested_directory().is_some();
        EventLog::with_sink(sink, property, seed, settings, is_requested)
    }

    /// `is_requested` is true if a command reads the events of this run from a directory of its
    /// own.
    #[inline(never)]
    fn with_sink(
        sink: Sink,
        property: &PropertyInfo<'_>,
        seed: u64,
        settings: &Settings,
        is_requested: bool,
    ) -> EventLog {
        // A replayed case does not represent the property as a whole, and would replace the run
        // that it comes from.
        let is_hidden =
            settings.replay.is_some() && settings.events != EventLevel::All && !is_requested;
        if settings.events == EventLevel::Off || is_hidden {
            return EventLog::default();
        }
        let wants_all = settings.events == EventLevel::All;
        let counts_cases = wants_all || settings.events == EventLevel::Summary;
        let mut lines = EventWriter {
            id: next_id(),
            first_line: None,
            buffer: String::new(),
            sink,
            last_written: Instant::now(),
            started: Instant::now(),
            objectives: Vec::new(),
            wants_all,
            writes_report: is_requested,
            steps: 0,
            counts: ProgressCounts::new(),
            samples: Samples::default(),
            sampled: Vec::new(),
            warning: None,
        };
        lines.line("begin", &mut |line| {
            line.text("property", property.path).text("place", property.location);
            if !property.package.is_empty() {
                line.text("package", &property.package).text("target", &property.target);
            }
            line.count("seed", seed);
            line.object("settings", &mut |object| write_settings(object, settings));
        });
        if counts_cases {
            lines.flush();
        } else {
            lines.first_line = Some(std::mem::take(&mut lines.buffer));
        }
        EventLog { shared: Some(Arc::new(Mutex::new(lines))), counts_cases }
    }

    fn with_writer(&self, write: &mut dyn FnMut(&mut EventWriter)) {
        if let Some(shared) = &self.shared {
            write(&mut lock(shared));
        }
    }

    /// Records a case that reported a score.
    pub(crate) fn score_reported(
        &self,
        found_by: FoundBy,
        reported: &[ObjectiveValue],
        step: Option<&SearchStep<'_>>,
    ) {
        self.with_writer(&mut |lines| lines.score_reported(found_by, reported, step));
    }

    /// Records the end of a case.
    #[inline]
    pub(crate) fn case_finished(&self, case: &FinishedCase<'_>) {
        if self.counts_cases {
            self.with_writer(&mut |lines| lines.case_finished(case));
        }
    }

    /// Returns whether there are sample inputs to collect.
    pub(crate) fn has_samples(&self) -> bool {
        let mut has_samples = false;
        if self.counts_cases {
            self.with_writer(&mut |lines| has_samples = !lines.samples.is_empty());
        }
        has_samples
    }

    /// Collects sample inputs at the end of a run. `draw` generates the parameters of a case
    /// again, as they are shown.
    pub(crate) fn sample(&self, draw: &mut dyn FnMut(&Tape) -> Option<Vec<ShownValue>>) {
        if !self.counts_cases {
            return;
        }
        // `draw` runs user code, which must not find the lines locked.
        let mut samples = Samples::default();
        self.with_writer(&mut |lines| samples = std::mem::take(&mut lines.samples));
        let sampled = samples.draw(draw);
        self.with_writer(&mut |lines| lines.sampled = sampled.clone());
    }

    /// Records a new failure, different from those before.
    pub(crate) fn failure_found(&self, failing: &FailingCase) {
        self.with_writer(&mut |lines| {
            lines.line("found", &mut |line| {
                write_found_by(line, failing.found_by);
                line.text("kind", failing.failure.kind.name());
                line.text("origin", &failing.failure.key().to_string());
            });
            lines.flush();
        });
    }

    /// Records the end of an input that a command has listed.
    pub(crate) fn input_replayed(&self, nth: usize, execution: &Execution) {
        self.with_writer(&mut |lines| lines.input_replayed(nth, execution));
    }

    /// Writes all lines so far.
    pub(crate) fn flush(&self) {
        self.with_writer(&mut EventWriter::flush);
    }

    /// Records the end of the run. Returns a warning if something could not be written.
    pub(crate) fn end(&self, report: &Report) -> Option<String> {
        let shared = self.shared.as_ref()?;
        let mut lines = lock(shared);
        if lines.first_line.is_some() {
            return None;
        }
        for counterexample in report.verdict.counterexamples() {
            lines.line("failure", &mut |line| write_counterexample(line, counterexample, report));
        }
        if let Some(witness) = report.verdict.witness() {
            lines.line("witness", &mut |line| write_counterexample(line, witness, report));
        }
        let objectives = lines.objectives.clone();
        for best in &report.statistics.best_cases {
            lines.line("reached", &mut |line| {
                let nth = objectives.iter().position(|(known, _)| {
                    known.label == best.label && (known.utility(1.0) > 0.0) == best.is_maximum
                });
                if let Some(nth) = nth {
                    line.count("objective", nth as u64);
                }
                line.number("value", best.value);
                if !best.value.is_nan() {
                    line.text("replay", &best.tape.to_replay_string());
                    write_values(line, &best.values);
                }
                line.count("not_numbers", best.not_numbers);
            });
        }
        let milliseconds = lines.started.elapsed().as_secs_f64() * 1e3;
        let sampled = std::mem::take(&mut lines.sampled);
        let writes_report = lines.writes_report && !report.verdict.is_success();
        lines.line("end", &mut |line| {
            line.text("verdict", report.verdict.code());
            line.flag("success", report.verdict.is_success());
            if let Some(why) = report.verdict.reason() {
                line.text("reason", why);
            }
            write_statistics(line, report);
            line.list("samples", sampled.len(), &mut |text, nth| {
                write_list_of_values(text, &sampled[nth]);
            });
            line.number("ms", (milliseconds * 1e3).round() / 1e3);
            if writes_report {
                line.text("report", &report.render(Style::Plain));
            }
        });
        lines.flush();
        lines.warning.take()
    }
}

fn next_id() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl EventWriter {
    /// Writes a line with the kind of event and the id of the property.
    fn line(&mut self, event: &str, write: &mut dyn FnMut(&mut Object<'_>)) {
        if self.first_line.is_some() {
            return;
        }
        let mut line = Object::begin(&mut self.buffer);
        line.text("event", event).count("id", self.id);
        if !matches!(event, "step" | "case" | "objective" | "reached" | "replayed") {
            line.count("at_ms", file::elapsed().as_millis() as u64);
        }
        write(&mut line);
        line.end();
        strings::push(&mut self.buffer, '\n');
    }

    fn flush_if_due(&mut self) {
        if self.buffer.len() >= BUFFER_MAX || self.last_written.elapsed() >= WRITE_EVERY {
            self.flush();
        }
    }

    #[inline(never)]
    fn flush(&mut self) {
        if self.warning.is_none() && !self.buffer.is_empty() {
            self.warning = match (self.sink)(&self.buffer) {
                Ok(true) => None,
                Ok(false) => Some(folder::no_target()),
                Err(error) => Some(format!("cannot write events to `target/rebut`: {error}")),
            };
        }
        self.buffer.clear();
        self.last_written = Instant::now();
    }

    #[inline(never)]
    fn score_reported(
        &mut self,
        found_by: FoundBy,
        reported: &[ObjectiveValue],
        step: Option<&SearchStep<'_>>,
    ) {
        if let Some(first_line) = self.first_line.take() {
            self.buffer.push_str(&first_line);
        }
        let mut got_better = false;
        for reported in reported {
            got_better |= self.update_best(reported);
        }
        self.steps += 1;
        if !got_better && !self.wants_all && !is_kept(self.steps) {
            return;
        }
        let known = std::mem::take(&mut self.objectives);
        self.line("step", &mut |line| {
            write_found_by(line, found_by);
            line.list("values", known.len(), &mut |text, nth| {
                let value = reported.iter().find(|reported| reported.objective == known[nth].0);
                json::number_or_null(text, value.map(|reported| reported.value));
            });
            line.list("best", known.len(), &mut |text, nth| {
                let (objective, best) = &known[nth];
                json::number_or_null(text, best.map(|best| objective.value(best)));
            });
            if let Some(step) = step {
                let nth = known.iter().position(|(objective, _)| objective == step.objective);
                line.count("turn", nth.unwrap_or(0) as u64);
                let temperature = (step.temperature * 1e4).round() / 1e4;
                line.number("temperature", temperature).flag("accepted", step.accepted);
            }
        });
        self.objectives = known;
        self.flush_if_due();
    }

    /// Records a score. Returns whether it is the best so far.
    fn update_best(&mut self, reported: &ObjectiveValue) -> bool {
        let objective = &reported.objective;
        let known = self.objectives.iter().position(|(known, _)| known == objective);
        let nth = known.unwrap_or_else(|| {
            let nth = self.objectives.len();
            self.line("objective", &mut |line| {
                let is_maximum = objective.utility(1.0) > 0.0;
                line.count("objective", nth as u64).text("label", &objective.label);
                line.text("direction", if is_maximum { "maximize" } else { "minimize" });
                if let Some(needed) = reported.needed {
                    line.number("needed", needed);
                }
            });
            self.objectives.push((objective.clone(), None));
            nth
        });
        let utility = reported.utility();
        let best = &mut self.objectives[nth].1;
        let got_better = !utility.is_nan() && best.is_none_or(|best| utility > best);
        if got_better {
            *best = Some(utility);
        }
        got_better
    }

    fn case_finished(&mut self, case: &FinishedCase<'_>) {
        self.counts.count(case);
        self.samples.offer(case);
        if self.wants_all {
            self.write_case(case);
        }
        if self.counts.written.elapsed() >= WRITE_EVERY {
            self.write_progress();
        }
    }

    #[inline(never)]
    fn write_progress(&mut self) {
        let mut counts = std::mem::replace(&mut self.counts, ProgressCounts::new());
        self.line("progress", &mut |line| {
            line.count("cases", counts.cases).count("rejected", counts.rejected);
            line.list("labels", counts.labels.len(), &mut |text, nth| {
                write_count(text, "label", &counts.labels[nth]);
            });
        });
        self.flush();
        counts.written = self.last_written;
        self.counts = counts;
    }

    #[inline(never)]
    fn write_case(&mut self, case: &FinishedCase<'_>) {
        let tape = (case.tape)();
        self.line("case", &mut |line| {
            write_found_by(line, case.found_by);
            let (outcome, why) = named(case.outcome);
            line.text("outcome", outcome);
            if let Some(why) = why {
                line.text("why", why);
            }
            line.count("choices", tape.len() as u64);
            if tape.len() <= REPLAY_MAX {
                line.text("replay", &tape.to_replay_string());
            }
            let labels = case.log.map(|log| log.labels.as_slice()).unwrap_or_default();
            line.list("labels", labels.len(), &mut |text, nth| json::string(text, &labels[nth]));
            let values = case.log.map(|log| log.values.as_slice()).unwrap_or_default();
            let shown: Vec<ShownValue> = values.iter().map(samples::shortened).collect();
            write_values(line, &shown);
        });
        self.flush_if_due();
    }

    fn input_replayed(&mut self, nth: usize, execution: &Execution) {
        let Execution { outcome, tape, .. } = execution;
        self.line("replayed", &mut |line| {
            let (word, why) = named(outcome);
            line.count("input", nth as u64).text("outcome", word);
            if let Some(why) = why {
                line.text("why", why);
            }
            if let Outcome::Failed(failure) = outcome {
                line.text("kind", failure.kind.name()).text("origin", &failure.key().to_string());
                if let Some(location) = &failure.location {
                    line.text("location", &location.to_string());
                }
            }
            line.text("digest", &format!("{:016x}", tape.digest()));
        });
        self.flush_if_due();
    }
}

/// Returns the word for an outcome, and what explains it.
fn named(outcome: &Outcome) -> (&'static str, Option<&str>) {
    match outcome {
        Outcome::Passed => ("passed", None),
        Outcome::Rejected(why) => ("rejected", Some(&**why)),
        Outcome::TooLarge => ("too-large", None),
        // A matching input is not a failure unless the claim is that there is none.
        Outcome::Failed(failure) if failure.kind == FailureKind::Witness => ("found", None),
        Outcome::Failed(failure) => ("failed", Some(failure.message.as_str())),
        Outcome::Misuse(what) => ("misuse", Some(what.as_str())),
        Outcome::Internal(what) => ("internal-error", Some(what.as_str())),
    }
}

/// The maximum number of choices of a case that is written with its replay string. Longer strings
/// would fill the disk. Arbitrary.
const REPLAY_MAX: usize = 1000;

/// Returns whether to write the step with this number: all at first, then fewer and fewer, so
/// that a long search does not fill the disk.
fn is_kept(step: u64) -> bool {
    // Arbitrary: more points than a plot has pixels.
    const ALL: u64 = 1 << 14;
    step < ALL || step.is_multiple_of((step / ALL).next_power_of_two() * 2)
}

fn write_settings(object: &mut Object<'_>, settings: &Settings) {
    object.count("cases", settings.cases_or_default());
    let search = match settings.search {
        SearchMode::Auto => "auto",
        SearchMode::Off => "off",
        SearchMode::Climbing => "climbing",
        SearchMode::Annealing => "annealing",
        SearchMode::Own(_) => "own",
    };
    object.text("search", search);
    let isolate = match settings.isolate {
        Isolation::Auto => "auto",
        Isolation::Always => "always",
        Isolation::Never => "never",
    };
    object.text("isolate", isolate);
    object.number("deadline_ms", settings.deadline.as_secs_f64() * 1e3);
    if let Some(budget) = settings.time_budget {
        object.number("time_budget_ms", budget.as_secs_f64() * 1e3);
    }
}

/// Writes how a case was found, and its number if it has one.
fn write_found_by(line: &mut Object<'_>, found_by: FoundBy) {
    let (by, number) = match found_by {
        FoundBy::Random(0) => ("simplest", Some(0)),
        FoundBy::Random(case) => ("random", Some(case)),
        FoundBy::Search(case) => ("search", Some(case)),
        FoundBy::Exhaustive => ("exhaustive", None),
        FoundBy::Example(nth) => ("example", Some(nth as u64)),
        FoundBy::Input(nth) => ("input", Some(nth as u64)),
        FoundBy::Database => ("database", None),
        FoundBy::Front => ("front", None),
        FoundBy::Replay => ("replay", None),
        FoundBy::Exploration => ("explore", None),
        FoundBy::Shrinking => ("shrinking", None),
        FoundBy::Journal => ("journal", None),
    };
    line.text("by", by);
    if let Some(number) = number {
        let is_given = matches!(found_by, FoundBy::Example(_) | FoundBy::Input(_));
        line.count(if is_given { by } else { "case" }, number);
    }
}

fn write_values(line: &mut Object<'_>, values: &[ShownValue]) {
    line.list("values", values.len(), &mut |text, nth| write_value(text, &values[nth]));
}

fn write_list_of_values(text: &mut String, values: &[ShownValue]) {
    strings::push(text, '[');
    for (nth, value) in values.iter().enumerate() {
        if nth > 0 {
            strings::push(text, ',');
        }
        write_value(text, value);
    }
    strings::push(text, ']');
}

fn write_value(text: &mut String, value: &ShownValue) {
    let mut object = Object::begin(text);
    let ShownValue { name, type_name, code } = value;
    object.text("name", name).text("type", type_name).text("code", code);
    object.end();
}

fn write_counterexample(line: &mut Object<'_>, counterexample: &Counterexample, report: &Report) {
    write_found_by(line, counterexample.found_by);
    line.text("kind", counterexample.failure.kind.name());
    line.text("origin", &counterexample.failure.key().to_string());
    line.text("message", &counterexample.failure.message);
    if let Some(location) = &counterexample.failure.location {
        line.text("location", &location.to_string());
    }
    // A later panic of the same case is another failure.
    let message = &counterexample.failure.message;
    if let Some(violation) = &counterexample.violation
        && violation.message == *message
    {
        line.object("contract", &mut |object| write_violation(object, violation));
    }
    let replay = counterexample.tape.to_replay_string();
    if !counterexample.tape.is_empty() {
        line.text("replay", &rerun::with_identity(&replay, &report.identity));
    }
    write_values(line, &counterexample.values);
    line.list("free", counterexample.free.len(), &mut |text, nth| {
        let part = &counterexample.free[nth];
        let mut object = Object::begin(text);
        object.count("value", part.value as u64);
        object.count("begin", part.bytes.start as u64).count("end", part.bytes.end as u64);
        object.end();
    });
    line.list("notes", counterexample.notes.len(), &mut |text, nth| {
        json::string(text, &counterexample.notes[nth])
    });
    line.count("shrink_executions", counterexample.shrink_executions);
    line.flag("shrink_gave_up", counterexample.shrink_gave_up);
    if let Some(FailureRate { failures, runs }) = counterexample.rate {
        line.object("rate", &mut |object| {
            object.count("failed", failures.into()).count("runs", runs.into());
        });
    }
    if let Some(command) = &report.command {
        line.text("command", command);
    }
    if let Some(path) = report.emitted.get(&replay) {
        line.text("test", path);
    }
}

fn write_violation(object: &mut Object<'_>, violation: &ContractViolation) {
    object.text("function", &violation.function).text("clause", &violation.clause);
    object.text("condition", &violation.condition).text("party", &violation.party);
    if let Some(at_fault) = &violation.at_fault {
        object.text("at_fault", at_fault);
    }
    if let Some(text) = &violation.object {
        object.text("object", text);
    }
    let calls = &violation.calls;
    object.list("calls", calls.len(), &mut |text, nth| json::string(text, &calls[nth]));
}

fn write_statistics(line: &mut Object<'_>, report: &Report) {
    let statistics = &report.statistics;
    line.count("cases", statistics.valid);
    let rejected = &statistics.rejected;
    line.list("rejected", rejected.len(), &mut |text, nth| {
        write_count(text, "why", &rejected[nth]);
    });
    line.count("too_large", statistics.too_large);
    let checked = statistics.checked();
    if !checked.is_empty() {
        line.list("checked", checked.len(), &mut |text, nth| json::string(text, &checked[nth]));
    }
    let labels = &statistics.labels;
    line.list("labels", labels.len(), &mut |text, nth| write_count(text, "label", &labels[nth]));
    line.list("covers", statistics.covers.len(), &mut |text, nth| {
        let CoverCount { name, required_percent, hits, cases } = &statistics.covers[nth];
        let mut object = Object::begin(text);
        object.text("label", name).number("at_least", *required_percent);
        object.count("met", *hits).count("of", *cases);
        object.end();
    });
}

fn write_count(text: &mut String, key: &str, count: &CaseCount) {
    let mut object = Object::begin(text);
    object.text(key, &count.name).count("cases", count.cases);
    object.end();
}

#[cfg(test)]
mod tests {
    use rebut_search::Direction;
    use serde_json::{Value, json};

    use super::*;
    use crate::Check;
    use crate::verdict::Verdict;

    fn property() -> PropertyInfo<'static> {
        PropertyInfo {
            path: "a::b",
            location: "src/a.rs:1",
            package: "a".to_owned(),
            target: "test it".to_owned(),
            manifest_dir: String::new(),
        }
    }

    /// Creates a log, and a handle to its output.
    fn log(events: EventLevel) -> (EventLog, Arc<Mutex<String>>) {
        log_with(&Settings { events, ..Settings::default() }, false)
    }

    fn log_with(settings: &Settings, is_requested: bool) -> (EventLog, Arc<Mutex<String>>) {
        let written = Arc::<Mutex<String>>::default();
        let output = Arc::clone(&written);
        let sink = Box::new(move |lines: &str| {
            lock(&output).push_str(lines);
            Ok(true)
        });
        (EventLog::with_sink(sink, &property(), 7, settings, is_requested), written)
    }

    /// Returns the lines without the parts that differ from run to run.
    fn lines(written: &Arc<Mutex<String>>) -> Vec<Value> {
        let text = lock(written).clone();
        assert!(text.is_empty() || text.ends_with('\n'), "whole lines: {text}");
        let line = |line: &str| {
            let mut value: Value = serde_json::from_str(line).expect("JSON");
            let object = value.as_object_mut().expect("an object");
            for key in ["id", "at_ms", "ms"] {
                object.remove(key);
            }
            value
        };
        text.lines().map(line).collect()
    }

    fn objective(label: &str, direction: Direction) -> Objective {
        Objective { label: label.to_owned(), direction }
    }

    fn reported(objective: &Objective, value: f64, needed: Option<f64>) -> ObjectiveValue {
        ObjectiveValue { objective: objective.clone(), value, needed }
    }

    /// Creates a report of a run without cases.
    fn report(verdict: Verdict) -> Report {
        let mut report = Check::new("a::b").cases(0).run(|_| ());
        report.verdict = verdict;
        report
    }

    #[test]
    fn searches_are_written_step_by_step() {
        let (log, written) = log(EventLevel::Search);
        let (size, cost) =
            (objective("", Direction::Maximize), objective("cost", Direction::Minimize));
        log.score_reported(FoundBy::Random(0), &[reported(&size, 3.0, Some(21.0))], None);
        let step = SearchStep { objective: &cost, temperature: 0.25, accepted: true };
        log.score_reported(
            FoundBy::Search(1),
            &[reported(&size, 2.0, None), reported(&cost, f64::INFINITY, None)],
            Some(&step),
        );
        log.score_reported(
            FoundBy::Random(2),
            &[reported(&size, f64::NAN, None), reported(&cost, 4.5, None)],
            None,
        );
        log.score_reported(FoundBy::Search(3), &[], Some(&SearchStep { accepted: false, ..step }));
        assert_eq!(log.end(&report(Verdict::Passed { cases: 4 })), None);
        let lines = lines(&written);
        assert_eq!(lines[0]["event"], "begin");
        assert_eq!(lines[0]["property"], "a::b");
        assert_eq!((&lines[0]["package"], &lines[0]["target"]), (&json!("a"), &json!("test it")));
        assert_eq!(lines[0]["settings"]["cases"], 1000);
        let expected = [
            json!({"event": "objective", "objective": 0, "label": "", "direction": "maximize",
                   "needed": 21}),
            json!({"event": "step", "by": "simplest", "case": 0, "values": [3], "best": [3]}),
            json!({"event": "objective", "objective": 1, "label": "cost", "direction": "minimize"}),
            json!({"event": "step", "by": "search", "case": 1, "values": [2, "inf"], "best": [3, "inf"],
                   "turn": 1, "temperature": 0.25, "accepted": true}),
            json!({"event": "step", "by": "random", "case": 2, "values": ["NaN", 4.5], "best": [3, 4.5]}),
            json!({"event": "step", "by": "search", "case": 3, "values": [null, null], "best": [3, 4.5],
                   "turn": 1, "temperature": 0.25, "accepted": false}),
            json!({"event": "end", "verdict": "passed", "success": true, "cases": 0, "rejected": [],
                   "too_large": 0, "labels": [], "covers": [], "samples": []}),
        ];
        assert_eq!(lines[1..], expected);
    }

    #[test]
    fn properties_without_a_score_write_nothing_unless_requested() {
        for (events, expected) in [
            (EventLevel::Off, 0),
            (EventLevel::Search, 0),
            (EventLevel::Summary, 2),
            (EventLevel::All, 2),
        ] {
            let (log, written) = log(events);
            assert_eq!(log.end(&report(Verdict::Passed { cases: 4 })), None);
            assert_eq!(lines(&written).len(), expected, "{events:?}");
        }
    }

    #[test]
    fn replays_are_written_only_for_a_command_that_requests_them() {
        let settings = Settings { replay: Some("r1.AA".to_owned()), ..Settings::default() };
        let vacuous = report(Verdict::Vacuous("no case".to_owned()));
        let (log, written) = log_with(&settings, false);
        log.end(&vacuous);
        assert!(lines(&written).is_empty());
        let (log, written) = log_with(&settings, true);
        log.end(&vacuous);
        let lines = lines(&written);
        assert_eq!(lines[1]["verdict"], "R003");
        let report = lines[1]["report"].as_str().expect("a report");
        assert!(report.starts_with("error[R003]: `a::b` "), "{report}");
    }

    #[test]
    fn all_cases_are_written_on_request() {
        let (log, written) = log(EventLevel::All);
        let tape = || {
            let mut source = rebut_choice::Source::new(rebut_choice::AnyDriver::Simplest);
            source.integer(0, 9);
            source.into_tape()
        };
        let mut case_log = crate::case_log::CaseLog::default();
        case_log.labels.push("a \"label\"".to_owned());
        let [name, type_name, code] = ["n", "u8", "7"].map(str::to_owned);
        case_log.values.push(ShownValue { name, type_name, code });
        let outcome = Outcome::Rejected("too small".into());
        let (found_by, case_log) = (FoundBy::Random(3), Some(&case_log));
        log.case_finished(&FinishedCase {
            found_by,
            outcome: &outcome,
            log: case_log,
            tape: &tape,
        });
        log.end(&report(Verdict::Vacuous("no case".to_owned())));
        let lines = lines(&written);
        let expected = json!({"event": "case", "by": "random", "case": 3, "outcome": "rejected",
                              "why": "too small", "choices": 1, "replay": "r1.AA",
                              "labels": ["a \"label\""],
                              "values": [{"name": "n", "type": "u8", "code": "7"}]});
        assert_eq!(lines[1], expected);
        assert_eq!(lines[2]["verdict"], "R003");
        assert_eq!(lines[2]["reason"], "no case");
    }

    #[test]
    fn progress_can_be_written_without_cases() {
        let (log, written) = log(EventLevel::Summary);
        let tape = Tape::default;
        let mut case_log = crate::case_log::CaseLog::default();
        case_log.labels.push("small".to_owned());
        let (found_by, case_log) = (FoundBy::Random(3), Some(&case_log));
        let rejected = Outcome::Rejected("too small".into());
        for outcome in [&Outcome::Passed, &rejected, &Outcome::Passed] {
            log.case_finished(&FinishedCase { found_by, outcome, log: case_log, tape: &tape });
        }
        log.with_writer(&mut |lines| lines.write_progress());
        log.end(&report(Verdict::Passed { cases: 2 }));
        let lines = lines(&written);
        let events: Vec<&str> = lines.iter().filter_map(|line| line["event"].as_str()).collect();
        assert_eq!(events, ["begin", "progress", "end"]);
        let expected = json!({"event": "progress", "cases": 2, "rejected": 1,
                              "labels": [{"label": "small", "cases": 2}]});
        assert_eq!(lines[1], expected);
    }

    #[test]
    fn long_searches_are_thinned_but_improvements_are_kept() {
        let (log, written) = log(EventLevel::Search);
        let size = objective("", Direction::Maximize);
        for case in 0..1_000_000 {
            let value = if case == 777_777 { 2.0 } else { 1.0 };
            log.score_reported(FoundBy::Random(case), &[reported(&size, value, None)], None);
        }
        log.end(&report(Verdict::Passed { cases: 4 }));
        let lines = lines(&written);
        assert!((20_000..100_000).contains(&lines.len()), "{}", lines.len());
        assert!(lines.iter().any(|line| line["case"] == 777_777));
        let last = lines.iter().rev().find(|line| line["event"] == "step").expect("a step");
        assert!(last["case"].as_u64() > Some(990_000), "{last}");
    }

    #[test]
    fn failed_writes_are_warnings() {
        let settings = Settings { events: EventLevel::All, ..Settings::default() };
        let full = Box::new(|_: &str| Err(io::Error::other("no space left")));
        let log = EventLog::with_sink(full, &property(), 7, &settings, false);
        let warning = log.end(&report(Verdict::Passed { cases: 4 }));
        let expected = "cannot write events to `target/rebut`: no space left";
        assert_eq!(warning.as_deref(), Some(expected));
    }
}
