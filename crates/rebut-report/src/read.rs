//! Reads events, a line at a time, so that only what a report needs is kept.

use std::collections::HashMap;

use crate::lines::{
    BeginLine, CaseLine, DecisionLine, EndLine, ExploredLine, FoundLine, Head, Number,
    ObjectiveLine, PathLine, ReachedLine, RunLine, StepLine, ToldLine,
};
use crate::model::{Explored, Objective, Property, Report, Run, Shown, Step, Told};

/// The version of the format that is understood.
const VERSION: u64 = 1;

/// So many objectives have a place; a line that names another is not believed.
const OBJECTIVES_MAX: usize = 1000;

impl Report {
    /// Reads the events of several files, given as their texts.
    pub fn read<'a>(files: impl IntoIterator<Item = &'a str>) -> Report {
        let mut report = Report::default();
        for text in files {
            report.read_file(text);
        }
        let mut number = 0;
        for property in &mut report.properties {
            property.front = property.archive.take(&property.objectives);
            for told in property.failures.iter_mut().chain(&mut property.witness) {
                number += 1;
                told.number = number;
            }
        }
        report
    }

    fn read_file(&mut self, text: &str) {
        let run = self.runs.len();
        self.runs.push(Run { version: VERSION, ..Run::default() });
        let mut places = HashMap::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            if let Err(error) = self.read_line(run, &mut places, line) {
                self.unreadable += 1;
                self.first_unreadable.get_or_insert_with(|| error.to_string());
            }
        }
    }

    fn read_line(
        &mut self,
        run: usize,
        places: &mut HashMap<u64, usize>,
        line: &str,
    ) -> serde_json::Result<()> {
        let head: Head<'_> = serde_json::from_str(line)?;
        match &*head.event {
            "run" => self.runs[run] = read_run(serde_json::from_str(line)?),
            "begin" => {
                places.insert(head.id, self.properties.len());
                self.properties.push(read_begin(run, serde_json::from_str(line)?));
            }
            event => {
                // What no property is known for is of no use.
                if let Some(&place) = places.get(&head.id) {
                    self.properties[place].read(event, line)?;
                }
            }
        }
        Ok(())
    }

    /// Whether a run was written by a version that says things in another way.
    #[must_use]
    pub fn is_newer(&self) -> bool {
        self.runs.iter().any(|run| run.version > VERSION)
    }
}

fn read_run(line: RunLine) -> Run {
    let RunLine { version, rebut, start, group, process, program } = line;
    Run { version, rebut, start, group, process, program }
}

fn read_begin(run: usize, line: BeginLine) -> Property {
    let BeginLine { property: name, place, seed, settings, at_ms } = line;
    Property { run, name, place, seed, settings, began_ms: at_ms, ..Property::default() }
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
            "failure" => self.failures.push(read_told(serde_json::from_str(line)?)),
            "witness" => self.witness = Some(read_told(serde_json::from_str(line)?)),
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
            "end" => self.end = Some(read_end(serde_json::from_str(line)?)),
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
        if let Some(objective) = self.objective(line.objective) {
            objective.label = line.label;
            objective.is_maximum = line.direction != "minimize";
            objective.needed = line.needed.map(|Number(needed)| needed);
        }
    }

    fn read_step(&mut self, line: &StepLine) {
        let number = |number: &Option<Number>| number.map_or(f64::NAN, |Number(value)| value);
        let before = self.steps.last().map_or(0, |step| step.case);
        let temperature = number(&line.temperature);
        let step = Step {
            case: line.case.unwrap_or(before),
            values: line.values.iter().map(number).collect(),
            best: line.best.iter().map(number).collect(),
            turn: line.turn.map(|turn| (turn, temperature, line.accepted.unwrap_or(false))),
        };
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
            self.archive.attach(case, &replay);
        }
    }

    fn read_reached(&mut self, line: ReachedLine) {
        let Some(objective) = line.objective.and_then(|nth| self.objective(nth)) else { return };
        objective.value = line.value.map(|Number(value)| value).filter(|value| !value.is_nan());
        objective.replay = line.replay;
        objective.values = line.values;
        objective.not_numbers = line.not_numbers;
    }
}

fn read_told(line: ToldLine) -> Told {
    Told {
        number: 0,
        case: line.case.or(line.example),
        by: line.by,
        kind: line.kind,
        origin: line.origin,
        message: line.message,
        location: line.location,
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

fn read_end(line: EndLine) -> Shown {
    Shown {
        verdict: line.verdict,
        success: line.success,
        reason: line.reason,
        cases: line.cases,
        rejected: line.rejected,
        too_large: line.too_large,
        labels: line.labels.into_iter().map(|label| (label.label, label.cases)).collect(),
        covers: line.covers,
        ms: line.ms.map_or(0.0, |Number(ms)| ms),
    }
}
