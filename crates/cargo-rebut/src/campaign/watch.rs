//! Reads the events of a campaign while they are written.
//!
//! Each process writes a file of its own, in whole lines; each file is read on from where it was
//! left. What a line says that nobody needs here is not even parsed.

use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What is known of the properties of a campaign.
#[derive(Debug, Default)]
pub(super) struct Watch {
    home: PathBuf,
    group: String,
    files: HashMap<PathBuf, Tail>,
    pub(super) properties: Properties,
}

/// What was seen of each property, by its path and its program: two programs may have tests of one
/// name.
pub(super) type Properties = BTreeMap<(String, String), Seen>;

/// How far a file was read.
#[derive(Debug, Default)]
struct Tail {
    offset: u64,
    /// A line that is not whole yet.
    rest: String,
    /// The program that writes it.
    program: String,
    /// The properties by their numbers in this file.
    ids: HashMap<u64, String>,
}

/// What was seen of a property.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// Cases of the rounds that have ended.
    ended_cases: u64,
    /// Cases of the round that runs.
    running_cases: u64,
    /// Labels and how many cases had them, of the round that runs or that ended last.
    pub(super) labels: Vec<(String, u64)>,
    labeled_cases: u64,
    /// The name of each objective, whether more is better, and the best value.
    pub(super) best: Vec<(String, bool, f64)>,
    pub(super) failures: u64,
    pub(super) is_running: bool,
    pub(super) is_shrinking: bool,
    /// Of the round that ended last.
    pub(super) verdict: Option<String>,
    /// When there were how many cases.
    history: Vec<(Instant, u64)>,
}

/// Rates are those of so long a time.
const RATE_OVER: Duration = Duration::from_secs(2);

impl Seen {
    pub(super) fn cases(&self) -> u64 {
        self.ended_cases + self.running_cases
    }

    /// Cases in a second, lately.
    pub(super) fn rate(&self) -> f64 {
        let (Some((then, before)), Some((now, cases))) =
            (self.history.first(), self.history.last())
        else {
            return 0.0;
        };
        let time = now.saturating_duration_since(*then).as_secs_f64();
        if time > 0.0 { cases.saturating_sub(*before) as f64 / time } else { 0.0 }
    }

    /// How many of a hundred cases had a label.
    pub(super) fn share(&self, cases: u64) -> f64 {
        100.0 * cases as f64 / self.labeled_cases.max(1) as f64
    }

    fn note_time(&mut self, now: Instant) {
        if !self.is_running {
            self.history.clear();
            return;
        }
        self.history.push((now, self.cases()));
        let is_old = |(then, _): &(Instant, u64)| now.saturating_duration_since(*then) > RATE_OVER;
        while self.history.len() > 2 && is_old(&self.history[0]) {
            self.history.remove(0);
        }
    }

    fn read(&mut self, event: &Value) {
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
            // An input that was sought is no failure.
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
                self.verdict = event["verdict"].as_str().map(str::to_owned);
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

impl Watch {
    pub(super) fn new(home: &Path, group: &str) -> Watch {
        Watch { home: home.join("runs"), group: format!("-{group}"), ..Watch::default() }
    }

    /// Reads what is new.
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
        for (path, tail) in &mut self.files {
            // What cannot be read now can be read later, or is not worth a word.
            let _ = tail.read(path, &mut self.properties);
        }
        let now = Instant::now();
        for seen in self.properties.values_mut() {
            seen.note_time(now);
        }
    }
}

impl Tail {
    fn read(&mut self, path: &Path, properties: &mut Properties) -> std::io::Result<()> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(self.offset))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        self.offset += bytes.len() as u64;
        self.take(&String::from_utf8_lossy(&bytes), properties);
        Ok(())
    }

    fn take(&mut self, text: &str, properties: &mut Properties) {
        let text = std::mem::take(&mut self.rest) + text;
        for line in text.split_inclusive('\n') {
            if !line.ends_with('\n') {
                self.rest = line.to_owned();
            } else if !line.starts_with("{\"event\":\"case\"") {
                self.line(line, properties);
            }
        }
    }

    fn line(&mut self, line: &str, properties: &mut Properties) {
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
            properties.entry(key).or_default().read(&event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        let mut tail = Tail::default();
        let mut properties = BTreeMap::new();
        let key = ("a::b".to_owned(), "/t/a-1".to_owned());
        tail.take(
            "{\"event\":\"run\",\"program\":\"/t/a-1\"}\n{\"event\":\"begin\",\"id\":3,\"prop",
            &mut properties,
        );
        assert!(properties.is_empty(), "the line is not whole");
        tail.take(
            "erty\":\"a::b\"}\n{\"event\":\"case\",\"id\":3,\"nonsense\n{\"event\":\"progress\",\"id\":3,\"cases\":40,\"labels\":[{\"label\":\"small\",\"cases\":10}]}\n",
            &mut properties,
        );
        let seen = &properties[&key];
        assert_eq!((seen.cases(), seen.is_running), (40, true));
        assert_eq!(seen.labels, [("small".to_owned(), 10)]);
        assert!((seen.share(10) - 25.0).abs() < 1e-9);
        let lines = "{\"event\":\"objective\",\"id\":3,\"objective\":0,\"label\":\"\",\"direction\":\"minimize\"}\n\
                     {\"event\":\"step\",\"id\":3,\"best\":[7.5]}\n{\"event\":\"step\",\"id\":3,\"best\":[9]}\n\
                     {\"event\":\"found\",\"id\":3,\"kind\":\"panic\"}\n\
                     {\"event\":\"found\",\"id\":3,\"kind\":\"witness\"}\n";
        tail.take(lines, &mut properties);
        let seen = &properties[&key];
        assert_eq!(seen.failures, 1);
        assert_eq!(seen.best, [("utility".to_owned(), false, 7.5)]);
        assert!(seen.is_shrinking);
        let end = "{\"event\":\"end\",\"id\":3,\"verdict\":\"R001\",\"cases\":55}\n{\"event\":\"begin\",\"id\":4,\"property\":\"a::b\"}\n{\"event\":\"progress\",\"id\":4,\"cases\":5}\nwhat\n";
        tail.take(end, &mut properties);
        let seen = &properties[&key];
        assert_eq!((seen.cases(), seen.verdict.as_deref()), (60, Some("R001")));
        assert!(!seen.is_shrinking);
    }
}
