//! Reads events into a report, line by line, so that memory holds only what the report needs.
//!
//! A property may run several times with the same program and is still one property. If the runs
//! are rounds of a campaign, or come from different groups, the cases are added up and the first
//! failure is reported. Otherwise a second run in the same group replaces the first: the user has
//! run the test again.
//!
//! Invariant: events may contain anything. No line makes reading fail or panic, sums saturate, and
//! no number in a line makes a list large.

use std::collections::HashMap;

use rebut_protocol::events::VERSION;
use rebut_protocol::verdicts::VerdictCode;

use crate::latest::Identity;
use crate::lines::{
    BeginLine, CaseLine, DecisionLine, EndLine, ExploredLine, FoundLine, Head, InputLine, Number,
    ObjectiveLine, PathLine, ReachedLine, RunLine, StepLine,
};
use crate::model::{
    Explored, Objective, Property, PropertyEnd, Report, ReportedInput, Rounds, Run, Step,
};
use crate::time::unix_time;

/// The maximum number of objectives of a property.
///
/// Arbitrary; it protects against a line that would make the list of objectives huge. Lines about
/// further objectives are ignored.
const OBJECTIVES_MAX: usize = 1000;

/// The index of each property in [`Report::properties`], by program, identity and location.
type PropertyIndex = HashMap<(String, Identity, String), usize>;

impl Report {
    /// Reads the events of several files, given as their contents.
    pub fn read<'a>(files: impl IntoIterator<Item = &'a str>) -> Report {
        let mut report = Report::default();
        let mut index = HashMap::new();
        for text in files {
            report.read_file(text, &mut index);
        }
        for property in &mut report.properties {
            property.finish();
            property.front = property.archive.take(&property.objectives);
        }
        report.number();
        report
    }

    /// Numbers the inputs.
    pub(crate) fn number(&mut self) {
        let mut number = 0;
        for property in &mut self.properties {
            for input in property.failures.iter_mut().chain(&mut property.witness) {
                number += 1;
                input.number = number;
            }
        }
    }

    fn read_file(&mut self, text: &str, index: &mut PropertyIndex) {
        let run = self.runs.len();
        self.runs.push(Run { version: VERSION, ..Run::default() });
        let mut by_id = HashMap::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            if let Err(error) = self.read_line(run, &mut by_id, index, line) {
                self.unreadable += 1;
                self.first_unreadable.get_or_insert_with(|| error.to_string());
            }
        }
    }

    fn read_line(
        &mut self,
        run: usize,
        by_id: &mut HashMap<u64, usize>,
        index: &mut PropertyIndex,
        line: &str,
    ) -> serde_json::Result<()> {
        let head: Head<'_> = serde_json::from_str(line)?;
        match &*head.event {
            "run" => self.runs[run] = read_run(serde_json::from_str(line)?),
            "begin" => {
                let property = read_begin(run, &self.runs[run], serde_json::from_str(line)?);
                let at = self.begin(property, index);
                by_id.insert(head.id, at);
            }
            event => {
                // Events without a `begin` belong to no property.
                if let Some(&at) = by_id.get(&head.id) {
                    self.properties[at].read(event, line)?;
                }
            }
        }
        Ok(())
    }

    /// Begins a run of a property. Returns the index of the property, which is the same as in an
    /// earlier run.
    fn begin(&mut self, property: Property, index: &mut PropertyIndex) -> usize {
        let run = &self.runs[property.run];
        let key =
            (run.program.clone(), Identity::of_property(&property, run), property.location.clone());
        let at = match index.get(&key) {
            Some(&at) if self.properties[at].rounds.run != property.run => {
                let earlier = &self.runs[self.properties[at].rounds.run];
                if earlier.group == run.group && !is_round(&run.group) {
                    self.properties[at] = property;
                } else {
                    self.properties[at].begin_again(&property);
                }
                return at;
            }
            _ => self.properties.len(),
        };
        index.insert(key, at);
        self.properties.push(property);
        at
    }

    /// Returns whether a run has a newer format, which this version may read incorrectly.
    #[must_use]
    pub fn is_newer(&self) -> bool {
        self.runs.iter().any(|run| run.version > VERSION)
    }
}

fn read_run(line: RunLine) -> Run {
    let RunLine { version, rebut, start, group, process, program, manifest_dir, command, commit } =
        line;
    Run { version, rebut, start, group, process, program, manifest_dir, command, commit }
}

fn read_begin(nth: usize, run: &Run, line: BeginLine) -> Property {
    let BeginLine { property: name, place: location, package, target, seed, settings, at_ms } =
        line;
    Property {
        run: nth,
        name,
        location,
        package,
        target,
        seed,
        settings,
        began_ms: at_ms.map(|Number(at_ms)| at_ms),
        began: began(&run.start, at_ms),
        rounds: Rounds { run: nth, ..Rounds::default() },
        ..Property::default()
    }
}

/// Returns the start time of a property, in seconds since 1970.
pub(crate) fn began(start: &str, at_ms: Option<Number>) -> f64 {
    unix_time(start) + at_ms.map_or(0.0, |Number(at_ms)| at_ms) / 1e3
}

/// Returns whether the runs of a group are rounds of a campaign. `cargo rebut test` gives its
/// groups names with this prefix.
pub(crate) fn is_round(group: &str) -> bool {
    group.starts_with("campaign")
}

impl Explored {
    fn read(&mut self, line: ExploredLine) {
        self.runs = line.runs;
        (self.decisions_all, self.paths_all) = (line.decisions, line.paths);
        self.left_out = line.decisions_left_out.saturating_add(line.paths_left_out);
        (self.limits, self.assumes) = (line.limits, line.assumes);
    }
}

impl Property {
    fn read(&mut self, event: &str, line: &str) -> serde_json::Result<()> {
        match event {
            "step" => self.read_step(&serde_json::from_str(line)?),
            "case" => self.read_case(serde_json::from_str(line)?),
            "objective" => self.read_objective(serde_json::from_str(line)?),
            "found" => {
                let found: FoundLine = serde_json::from_str(line)?;
                self.found_ms = self.found_ms.or(found.at_ms);
            }
            "progress" => self.rounds.progress = Some(serde_json::from_str(line)?),
            "failure" => {
                let input = read_input(serde_json::from_str(line)?);
                let is_new = self.rounds.ended == 0
                    || self.failures.iter().all(|known| known.origin != input.origin);
                if is_new {
                    self.failures.push(input);
                }
            }
            "witness" => {
                let input = read_input(serde_json::from_str(line)?);
                self.witness.get_or_insert(input);
            }
            "replayed" => self.replayed.push(serde_json::from_str(line)?),
            "reached" => self.read_reached(serde_json::from_str(line)?),
            "decision" => {
                let DecisionLine { decision, of } = serde_json::from_str(line)?;
                self.explored.get_or_insert_default().decisions.insert(decision, of);
            }
            "path" => {
                let PathLine { path, of } = serde_json::from_str(line)?;
                self.explored.get_or_insert_default().paths.insert(path, of);
            }
            "lines" => {
                let file = serde_json::from_str(line)?;
                self.explored.get_or_insert_default().files.push(file);
            }
            "explored" => {
                self.explored.get_or_insert_default().read(serde_json::from_str(line)?);
            }
            "end" => {
                let mut line: EndLine = serde_json::from_str(line)?;
                if self.samples.is_empty() {
                    self.samples = std::mem::take(&mut line.samples);
                }
                let end = read_end(line);
                self.rounds.is_open = false;
                self.rounds.ended += 1;
                self.rounds.progress = None;
                self.end = Some(match self.end.take() {
                    Some(before) => before.merged(end),
                    None => end,
                });
            }
            _ => {}
        }
        Ok(())
    }

    fn objective(&mut self, nth: usize) -> Option<&mut Objective> {
        if nth >= OBJECTIVES_MAX {
            return None;
        }
        if self.objectives.len() <= nth {
            self.objectives.resize_with(nth + 1, Objective::default);
        }
        self.objectives.get_mut(nth)
    }

    fn read_objective(&mut self, line: ObjectiveLine) {
        let is_maximum = line.direction != "minimize";
        let is_known =
            |known: &Objective| known.label == line.label && known.is_maximum == is_maximum;
        let known = self.objectives.iter().position(is_known).filter(|_| self.rounds.ended > 0);
        let index = match known {
            Some(index) => index,
            None if self.rounds.ended > 0 => self.objectives.len(),
            None => line.objective,
        };
        if line.objective < OBJECTIVES_MAX {
            self.rounds.set_objective_index(line.objective, index);
        }
        if let Some(objective) = self.objective(index) {
            objective.label = line.label;
            objective.is_maximum = is_maximum;
            objective.needed = line.needed.map(|Number(needed)| needed).or(objective.needed);
        }
    }

    fn read_step(&mut self, line: &StepLine) {
        let number = |number: &Option<Number>| number.map_or(f64::NAN, |Number(value)| value);
        let before = self.steps.last().map_or(0, |step| step.case);
        let temperature = number(&line.temperature);
        let values = line.values.iter().map(number).collect();
        let best = line.best.iter().map(number).collect();
        let mut step = Step {
            case: line.case.map_or(before, |case| case.saturating_add(self.rounds.offset)),
            values: self.rounds.reordered(values),
            best: self.rounds.reordered(best),
            turn: line.turn.map(|turn| {
                let index = self.rounds.objective_index(turn);
                (index, temperature, line.accepted.unwrap_or(false))
            }),
        };
        if self.rounds.ended > 0
            && let Some(before) = self.steps.last()
        {
            keep_best(&mut step.best, &before.best, &self.objectives);
        }
        self.archive.add(&step, &self.objectives);
        self.steps.push(step);
    }

    fn read_case(&mut self, line: CaseLine<'_>) {
        let outcomes = self.outcomes.entry(line.by.into_owned()).or_default();
        *outcomes.entry(line.outcome.into_owned()).or_default() += 1;
        if let Some(choices) = line.choices {
            *self.sizes.entry(choices).or_default() += 1;
        }
        for label in line.labels {
            *self.case_labels.entry(label.into_owned()).or_default() += 1;
        }
        if let (Some(case), Some(replay)) = (line.case, line.replay) {
            self.archive.attach(case.saturating_add(self.rounds.offset), &replay);
        }
    }

    fn read_reached(&mut self, line: ReachedLine) {
        let index = line.objective.map(|nth| self.rounds.objective_index(nth));
        let Some(objective) = index.and_then(|nth| self.objective(nth)) else { return };
        add(&mut objective.not_numbers, line.not_numbers);
        let value = line.value.map(|Number(value)| value).filter(|value| !value.is_nan());
        let is_better = match (objective.value, value) {
            (Some(before), Some(value)) => objective.utility(value) > objective.utility(before),
            (before, _) => before.is_none(),
        };
        if is_better {
            objective.value = value;
            objective.replay = line.replay;
            objective.values = line.values;
        }
    }

    /// Begins another run, whose results are added to the earlier ones.
    fn begin_again(&mut self, later: &Property) {
        let run = later.run;
        self.began = self.began.max(later.began);
        let last = self.steps.last().map_or(0, |step| step.case.saturating_add(1));
        let offset = last.max(self.cases());
        let unended = self.rounds.unended.saturating_add(u64::from(self.rounds.is_open));
        self.rounds =
            Rounds { run, offset, unended, ended: self.rounds.ended, ..Rounds::default() };
    }

    /// Removes the result if a run did not finish, unless another run failed.
    fn finish(&mut self) {
        let is_cut_short = self.rounds.unended > 0 || self.rounds.is_open;
        if is_cut_short && self.is_success() {
            self.rounds.cases_before = self.end.take().map_or(0, |end| end.cases);
        }
    }
}

/// Keeps the best values of earlier runs in the steps of a later one.
fn keep_best(best: &mut Vec<f64>, before: &[f64], objectives: &[Objective]) {
    if best.len() < before.len() {
        best.resize(before.len(), f64::NAN);
    }
    for ((best, before), objective) in best.iter_mut().zip(before).zip(objectives) {
        let is_worse = objective.utility(*best) < objective.utility(*before);
        if best.is_nan() || is_worse {
            *best = *before;
        }
    }
}

impl Rounds {
    /// Sets the index, in the property, of the `nth` objective of this run.
    fn set_objective_index(&mut self, nth: usize, index: usize) {
        while self.objective_indices.len() <= nth {
            self.objective_indices.push(self.objective_indices.len());
        }
        self.objective_indices[nth] = index;
    }

    fn objective_index(&self, nth: usize) -> usize {
        self.objective_indices.get(nth).copied().unwrap_or(nth)
    }

    /// Reorders values from the objectives of this run to those of the property.
    fn reordered(&self, values: Vec<f64>) -> Vec<f64> {
        if (0..values.len()).all(|nth| self.objective_index(nth) == nth) {
            return values;
        }
        let mut reordered = Vec::new();
        for (nth, value) in values.into_iter().enumerate() {
            let index = self.objective_index(nth);
            if reordered.len() <= index {
                reordered.resize(index + 1, f64::NAN);
            }
            reordered[index] = value;
        }
        reordered
    }
}

/// Adds without overflow, since events may contain any number.
fn add(sum: &mut u64, more: u64) {
    *sum = sum.saturating_add(more);
}

impl PropertyEnd {
    /// Merges the results of two runs. A failure overrides a pass; a matching input or a proof
    /// overrides a search without a result.
    fn merged(self, later: PropertyEnd) -> PropertyEnd {
        let is_found = |end: &PropertyEnd| {
            matches!(
                end.code(),
                Some(VerdictCode::Exists | VerdictCode::Panicked | VerdictCode::Proved)
            )
        };
        let missed = |end: &PropertyEnd| {
            matches!(end.code(), Some(VerdictCode::NotFound | VerdictCode::NotPanicked))
        };
        let takes_later = if missed(&self) || missed(&later) {
            is_found(&later)
        } else if self.success {
            !later.success || is_found(&later)
        } else {
            false
        };
        let (verdict, success, reason, report) = match takes_later {
            true => (later.verdict, later.success, later.reason, later.report),
            false => (self.verdict, self.success, self.reason, self.report),
        };
        let mut rejected = self.rejected;
        for one in later.rejected {
            match rejected.iter_mut().find(|known| known.why == one.why) {
                Some(known) => add(&mut known.cases, one.cases),
                None => rejected.push(one),
            }
        }
        let mut labels = self.labels;
        for (label, cases) in later.labels {
            match labels.iter_mut().find(|(known, _)| *known == label) {
                Some((_, known)) => add(known, cases),
                None => labels.push((label, cases)),
            }
        }
        let mut covers = self.covers;
        for cover in later.covers {
            match covers.iter_mut().find(|known| known.label == cover.label) {
                Some(known) => {
                    add(&mut known.met, cover.met);
                    add(&mut known.of, cover.of);
                }
                None => covers.push(cover),
            }
        }
        PropertyEnd {
            verdict,
            success,
            reason,
            cases: self.cases.saturating_add(later.cases),
            rejected,
            too_large: self.too_large.saturating_add(later.too_large),
            checked: if later.checked.is_empty() { self.checked } else { later.checked },
            labels,
            covers,
            ms: self.ms + later.ms,
            report,
        }
    }
}

fn read_input(line: InputLine) -> ReportedInput {
    ReportedInput {
        number: 0,
        case: line.case.or(line.example),
        by: line.by,
        kind: line.kind,
        origin: line.origin,
        message: line.message,
        location: line.location,
        // Without calls there is nothing to show but the message.
        contract: line.contract.filter(|contract| !contract.calls.is_empty()),
        replay: line.replay,
        values: line.values,
        free: line.free,
        notes: line.notes,
        shrink_executions: line.shrink_executions,
        shrink_gave_up: line.shrink_gave_up,
        rate: line.rate.map(|rate| (rate.failed, rate.runs)),
        command: line.command,
        test: line.test,
    }
}

fn read_end(line: EndLine) -> PropertyEnd {
    PropertyEnd {
        verdict: line.verdict,
        success: line.success,
        reason: line.reason,
        cases: line.cases,
        rejected: line.rejected,
        too_large: line.too_large,
        checked: line.checked,
        labels: line.labels.into_iter().map(|label| (label.label, label.cases)).collect(),
        covers: line.covers,
        ms: line.ms.map_or(0.0, |Number(ms)| ms),
        report: line.report,
    }
}
