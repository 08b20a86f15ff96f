//! Reads events, a line at a time, so that only what a report needs is kept.
//!
//! A property that several runs of one program went through is one property. Where these are
//! rounds of a campaign, or jobs that are reported together, cases are added up, and the first
//! failure is reported. A second run in the same group takes the place of the first: somebody has
//! run the test again.

use std::collections::HashMap;

use crate::latest::Identity;
use crate::lines::{
    BeginLine, CaseLine, DecisionLine, EndLine, ExploredLine, FoundLine, Head, Number,
    ObjectiveLine, PathLine, ReachedLine, RunLine, StepLine, ToldLine,
};
use crate::model::{Explored, Objective, Property, Report, Rounds, Run, Shown, Step, Told};
use crate::time::unix_time;

/// The version of the format that is understood.
const VERSION: u64 = 1;

/// So many objectives have a place; a line that names another is not believed.
const OBJECTIVES_MAX: usize = 1000;

/// Where properties are, by program, what they are and place.
type Known = HashMap<(String, Identity, String), usize>;

impl Report {
    /// Reads the events of several files, given as their texts.
    pub fn read<'a>(files: impl IntoIterator<Item = &'a str>) -> Report {
        let mut report = Report::default();
        let mut known = HashMap::new();
        for text in files {
            report.read_file(text, &mut known);
        }
        for property in &mut report.properties {
            property.finish();
            property.front = property.archive.take(&property.objectives);
        }
        report.number();
        report
    }

    /// Gives each input its number.
    pub(crate) fn number(&mut self) {
        let mut number = 0;
        for property in &mut self.properties {
            for told in property.failures.iter_mut().chain(&mut property.witness) {
                number += 1;
                told.number = number;
            }
        }
    }

    fn read_file(&mut self, text: &str, known: &mut Known) {
        let run = self.runs.len();
        self.runs.push(Run { version: VERSION, ..Run::default() });
        let mut places = HashMap::new();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            if let Err(error) = self.read_line(run, &mut places, known, line) {
                self.unreadable += 1;
                self.first_unreadable.get_or_insert_with(|| error.to_string());
            }
        }
    }

    fn read_line(
        &mut self,
        run: usize,
        places: &mut HashMap<u64, usize>,
        known: &mut Known,
        line: &str,
    ) -> serde_json::Result<()> {
        let head: Head<'_> = serde_json::from_str(line)?;
        match &*head.event {
            "run" => self.runs[run] = read_run(serde_json::from_str(line)?),
            "begin" => {
                let property = read_begin(run, &self.runs[run], serde_json::from_str(line)?);
                let place = self.begin(property, known);
                places.insert(head.id, place);
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

    /// Where a property is that begins: where it was in an earlier run, or in a new place.
    fn begin(&mut self, property: Property, known: &mut Known) -> usize {
        let run = &self.runs[property.run];
        let key = (run.program.clone(), Identity::of(&property, run), property.place.clone());
        let place = match known.get(&key) {
            Some(&place) if self.properties[place].rounds.run != property.run => {
                let earlier = &self.runs[self.properties[place].rounds.run];
                if earlier.group == run.group && !is_round(&run.group) {
                    self.properties[place] = property;
                } else {
                    self.properties[place].begin_again(&property);
                }
                return place;
            }
            _ => self.properties.len(),
        };
        known.insert(key, place);
        self.properties.push(property);
        place
    }

    /// Whether a run was written by a version that says things in another way.
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
    let BeginLine { property: name, place, package, target, seed, settings, at_ms } = line;
    Property {
        run: nth,
        name,
        place,
        package,
        target,
        seed,
        settings,
        began_ms: at_ms,
        began: began(&run.start, at_ms),
        rounds: Rounds { run: nth, ..Rounds::default() },
        ..Property::default()
    }
}

/// When a property began, in seconds since 1970.
pub(crate) fn began(start: &str, at_ms: Option<f64>) -> f64 {
    unix_time(start) + at_ms.unwrap_or_default() / 1e3
}

/// Whether the runs of a group are rounds of a campaign: `cargo rebut test` names its groups so.
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
                let told = read_told(serde_json::from_str(line)?);
                let is_new = self.rounds.ended == 0
                    || self.failures.iter().all(|known| known.origin != told.origin);
                if is_new {
                    self.failures.push(told);
                }
            }
            "witness" => {
                let told = read_told(serde_json::from_str(line)?);
                self.witness.get_or_insert(told);
            }
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
                    Some(before) => before.and(end),
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
        let place = match known {
            Some(place) => place,
            None if self.rounds.ended > 0 => self.objectives.len(),
            None => line.objective,
        };
        if line.objective < OBJECTIVES_MAX {
            self.rounds.aim(line.objective, place);
        }
        if let Some(objective) = self.objective(place) {
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
            values: self.rounds.in_place(values),
            best: self.rounds.in_place(best),
            turn: line
                .turn
                .map(|turn| (self.rounds.place(turn), temperature, line.accepted.unwrap_or(false))),
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
        let place = line.objective.map(|nth| self.rounds.place(nth));
        let Some(objective) = place.and_then(|nth| self.objective(nth)) else { return };
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

    /// Another run of it begins.
    fn begin_again(&mut self, later: &Property) {
        let run = later.run;
        self.began = self.began.max(later.began);
        let last = self.steps.last().map_or(0, |step| step.case.saturating_add(1));
        let offset = last.max(self.cases());
        let unended = self.rounds.unended.saturating_add(u64::from(self.rounds.is_open));
        self.rounds =
            Rounds { run, offset, unended, ended: self.rounds.ended, ..Rounds::default() };
    }

    /// A property of which a run did not end has no end, unless something refuted it.
    fn finish(&mut self) {
        let is_cut_short = self.rounds.unended > 0 || self.rounds.is_open;
        if is_cut_short && self.is_success() {
            self.rounds.cases_before = self.end.take().map_or(0, |end| end.cases);
        }
    }
}

/// Steps of a later run go on from the best of the earlier ones.
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
    /// Says at which place the objective is that this run calls so.
    fn aim(&mut self, nth: usize, place: usize) {
        while self.aims.len() <= nth {
            self.aims.push(self.aims.len());
        }
        self.aims[nth] = place;
    }

    fn place(&self, nth: usize) -> usize {
        self.aims.get(nth).copied().unwrap_or(nth)
    }

    /// Values in the order in which this run names objectives, in the order of the property.
    fn in_place(&self, values: Vec<f64>) -> Vec<f64> {
        if (0..values.len()).all(|nth| self.place(nth) == nth) {
            return values;
        }
        let mut placed = Vec::new();
        for (nth, value) in values.into_iter().enumerate() {
            let place = self.place(nth);
            if placed.len() <= place {
                placed.resize(place + 1, f64::NAN);
            }
            placed[place] = value;
        }
        placed
    }
}

/// Events are not believed to have numbers whose sum is one.
fn add(sum: &mut u64, more: u64) {
    *sum = sum.saturating_add(more);
}

impl Shown {
    /// The end of two runs together: what refutes goes first, and what was found stays found.
    fn and(self, later: Shown) -> Shown {
        let is_found = |end: &Shown| end.verdict == "exists" || end.verdict == "proved";
        let missed = |end: &Shown| end.verdict == "R008";
        let takes_later = if missed(&self) || missed(&later) {
            is_found(&later)
        } else if self.success {
            !later.success || is_found(&later)
        } else {
            false
        };
        let (verdict, success, reason) = match takes_later {
            true => (later.verdict, later.success, later.reason),
            false => (self.verdict, self.success, self.reason),
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
        Shown {
            verdict,
            success,
            reason,
            cases: self.cases.saturating_add(later.cases),
            rejected,
            too_large: self.too_large.saturating_add(later.too_large),
            labels,
            covers,
            ms: self.ms + later.ms,
        }
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
