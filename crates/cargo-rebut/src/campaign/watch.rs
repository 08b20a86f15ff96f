//! Reads the events of a campaign while they are written.
//!
//! Each process writes whole lines to its own file. A poll reads only the new part of each file,
//! and does not parse the lines of single cases, which are the most frequent and not needed here.

use rebut_protocol::verdicts::VerdictCode;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Collects the progress of all properties of a campaign from their events.
#[derive(Debug, Default)]
pub(super) struct EventWatcher {
    home: PathBuf,
    group: String,
    files: HashMap<PathBuf, EventFile>,
    pub(super) properties: Properties,
}

/// The progress of each property, by its path and its program: two programs may have tests with the
/// same name.
pub(super) type Properties = BTreeMap<(String, String), PropertyProgress>;

/// The position in a file of events.
#[derive(Debug, Default)]
struct EventFile {
    offset: u64,
    /// The beginning of a line that is not complete yet.
    incomplete_line: String,
    /// The program that writes the file.
    program: String,
    /// Properties by their numbers in this file.
    ids: HashMap<u64, String>,
}

/// The progress of one property.
#[derive(Clone, Debug, Default)]
pub(super) struct PropertyProgress {
    /// Cases of finished rounds.
    ended_cases: u64,
    /// Cases of the running round.
    running_cases: u64,
    /// Labels and their numbers of cases, from the running round or else the last one.
    pub(super) labels: Vec<(String, u64)>,
    labeled_cases: u64,
    /// The name of each objective, whether more is better, and the best value.
    pub(super) best: Vec<(String, bool, f64)>,
    pub(super) failures: u64,
    pub(super) is_running: bool,
    pub(super) is_shrinking: bool,
    /// The verdict of the last finished round.
    pub(super) verdict: Option<VerdictCode>,
    /// The number of cases at recent polls.
    history: Vec<(Instant, u64)>,
}

/// The time over which a rate is averaged. Arbitrary: long enough for a steady number, short enough
/// to follow changes. Older polls are dropped.
const RATE_WINDOW: Duration = Duration::from_secs(2);

impl PropertyProgress {
    pub(super) fn cases(&self) -> u64 {
        self.ended_cases + self.running_cases
    }

    /// Recent cases per second.
    pub(super) fn rate(&self) -> f64 {
        let (Some((then, before)), Some((now, cases))) =
            (self.history.first(), self.history.last())
        else {
            return 0.0;
        };
        let time = now.saturating_duration_since(*then).as_secs_f64();
        if time > 0.0 { cases.saturating_sub(*before) as f64 / time } else { 0.0 }
    }

    /// The percentage of cases that had a label.
    pub(super) fn label_percentage(&self, cases: u64) -> f64 {
        100.0 * cases as f64 / self.labeled_cases.max(1) as f64
    }

    fn add_to_history(&mut self, now: Instant) {
        if !self.is_running {
            self.history.clear();
            return;
        }
        self.history.push((now, self.cases()));
        let is_old =
            |(then, _): &(Instant, u64)| now.saturating_duration_since(*then) > RATE_WINDOW;
        while self.history.len() > 2 && is_old(&self.history[0]) {
            self.history.remove(0);
        }
    }

    fn add_event(&mut self, event: &Value) {
        let count = |key: &str| event[key].as_u64().unwrap_or_default();
        match event["event"].as_str().unwrap_or_default() {
            "begin" => {
                self.is_running = true;
                self.is_shrinking = false;
                self.history.clear();
            }
            "progress" => {
                self.running_cases = count("cases");
                self.read_labels(event);
            }
            "objective" => {
                let label = event["label"].as_str().filter(|label| !label.is_empty());
                let is_maximum = event["direction"] != "minimize";
                let name = label.unwrap_or("utility").to_owned();
                if !self.best.iter().any(|(known, up, _)| *known == name && *up == is_maximum) {
                    self.best.push((name, is_maximum, f64::NAN));
                }
            }
            "step" => {
                let values = event["best"].as_array().into_iter().flatten();
                for ((_, is_maximum, best), value) in self.best.iter_mut().zip(values) {
                    let Some(value) = value.as_f64() else { continue };
                    let is_better = if *is_maximum { value > *best } else { value < *best };
                    if best.is_nan() || is_better {
                        *best = value;
                    }
                }
            }
            // A matching input of `exists` is not a failure.
            "found" if event["kind"] != "witness" => {
                self.failures += 1;
                self.is_shrinking = true;
            }
            "end" => {
                self.is_running = false;
                self.is_shrinking = false;
                self.running_cases = 0;
                self.ended_cases += count("cases");
                self.read_labels(event);
                self.verdict = event["verdict"].as_str().and_then(VerdictCode::parse);
            }
            _ => {}
        }
    }

    fn read_labels(&mut self, event: &Value) {
        let labels = event["labels"].as_array().into_iter().flatten();
        let label =
            |label: &Value| Some((label["label"].as_str()?.to_owned(), label["cases"].as_u64()?));
        self.labels = labels.filter_map(label).collect();
        self.labeled_cases = event["cases"].as_u64().unwrap_or_default();
    }
}

impl EventWatcher {
    pub(super) fn new(home: &Path, group: &str) -> EventWatcher {
        EventWatcher {
            home: home.join("runs"),
            group: format!("-{group}"),
            ..EventWatcher::default()
        }
    }

    /// Reads new events.
    pub(super) fn poll(&mut self) {
        let entries = fs::read_dir(&self.home).into_iter().flatten().flatten();
        for entry in entries {
            if !entry.file_name().to_string_lossy().ends_with(&self.group) {
                continue;
            }
            for file in fs::read_dir(entry.path()).into_iter().flatten().flatten() {
                self.files.entry(file.path()).or_default();
            }
        }
        for (path, file) in &mut self.files {
            // A file that cannot be read now may be readable at the next poll.
            let _ = file.read_new_events(path, &mut self.properties);
        }
        let now = Instant::now();
        for progress in self.properties.values_mut() {
            progress.add_to_history(now);
        }
    }
}

impl EventFile {
    fn read_new_events(&mut self, path: &Path, properties: &mut Properties) -> std::io::Result<()> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(self.offset))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        self.offset += bytes.len() as u64;
        self.add_text(&String::from_utf8_lossy(&bytes), properties);
        Ok(())
    }

    fn add_text(&mut self, text: &str, properties: &mut Properties) {
        let text = std::mem::take(&mut self.incomplete_line) + text;
        for line in text.split_inclusive('\n') {
            if !line.ends_with('\n') {
                self.incomplete_line = line.to_owned();
            } else if !line.starts_with("{\"event\":\"case\"") {
                self.add_line(line, properties);
            }
        }
    }

    fn add_line(&mut self, line: &str, properties: &mut Properties) {
        let Ok(event) = serde_json::from_str::<Value>(line) else { return };
        if let Some(program) = event["program"].as_str() {
            self.program = program.to_owned();
        }
        let Some(id) = event["id"].as_u64() else { return };
        if event["event"] == "begin"
            && let Some(name) = event["property"].as_str()
        {
            self.ids.insert(id, name.to_owned());
        }
        if let Some(name) = self.ids.get(&id) {
            let key = (name.clone(), self.program.clone());
            properties.entry(key).or_default().add_event(&event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        let mut file = EventFile::default();
        let mut properties = BTreeMap::new();
        let key = ("a::b".to_owned(), "/t/a-1".to_owned());
        file.add_text(
            "{\"event\":\"run\",\"program\":\"/t/a-1\"}\n{\"event\":\"begin\",\"id\":3,\"prop",
            &mut properties,
        );
        assert!(properties.is_empty(), "the line is not complete");
        file.add_text(
            "erty\":\"a::b\"}\n{\"event\":\"case\",\"id\":3,\"nonsense\n{\"event\":\"progress\",\"id\":3,\"cases\":40,\"labels\":[{\"label\":\"small\",\"cases\":10}]}\n",
            &mut properties,
        );
        let progress = &properties[&key];
        assert_eq!((progress.cases(), progress.is_running), (40, true));
        assert_eq!(progress.labels, [("small".to_owned(), 10)]);
        assert!((progress.label_percentage(10) - 25.0).abs() < 1e-9);
        let lines = "{\"event\":\"objective\",\"id\":3,\"objective\":0,\"label\":\"\",\"direction\":\"minimize\"}\n\
                     {\"event\":\"step\",\"id\":3,\"best\":[7.5]}\n{\"event\":\"step\",\"id\":3,\"best\":[9]}\n\
                     {\"event\":\"found\",\"id\":3,\"kind\":\"panic\"}\n\
                     {\"event\":\"found\",\"id\":3,\"kind\":\"witness\"}\n";
        file.add_text(lines, &mut properties);
        let progress = &properties[&key];
        assert_eq!(progress.failures, 1);
        assert_eq!(progress.best, [("utility".to_owned(), false, 7.5)]);
        assert!(progress.is_shrinking);
        let end = "{\"event\":\"end\",\"id\":3,\"verdict\":\"R001\",\"cases\":55}\n{\"event\":\"begin\",\"id\":4,\"property\":\"a::b\"}\n{\"event\":\"progress\",\"id\":4,\"cases\":5}\nwhat\n";
        file.add_text(end, &mut properties);
        let progress = &properties[&key];
        assert_eq!((progress.cases(), progress.verdict), (60, Some(VerdictCode::Failed)));
        assert!(!progress.is_shrinking);
    }
}
