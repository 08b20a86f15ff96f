//! What one library does on one problem, and all of that together.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::options::Bench;

/// A line a measured binary prints: one seed, or one timing.
#[derive(Debug, Deserialize)]
pub(crate) struct Line {
    pub(crate) library: String,
    pub(crate) version: String,
    pub(crate) problem: String,
    #[serde(default)]
    found: bool,
    #[serde(default)]
    normal: bool,
    #[serde(default)]
    cases: f64,
    #[serde(default)]
    executions: f64,
    #[serde(default)]
    cpu_ns: f64,
    #[serde(default)]
    size: f64,
    #[serde(rename = "final")]
    example: Option<String>,
}

/// A library on a problem, all seeds together.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub(crate) struct Figure {
    pub(crate) library: String,
    pub(crate) version: String,
    pub(crate) problem: String,
    /// What kept figures depend on, see [`crate::cache`].
    pub(crate) fingerprint: String,
    /// How many seeds it ran under.
    pub(crate) seeds: u64,
    /// Under how many of them a failure was found.
    pub(crate) found: u64,
    /// Of those, how many ended in the normal form.
    pub(crate) normal: u64,
    /// How many different examples they ended in.
    pub(crate) forms: u64,
    /// CPU nanoseconds per case, mean executions or mean cases.
    pub(crate) mean: f64,
    /// The mean size of a value.
    pub(crate) size: f64,
}

impl Figure {
    /// Sums up the lines of one library on one problem.
    fn of(bench: Bench, lines: &[&Line]) -> Self {
        let found: Vec<_> = lines.iter().filter(|line| line.found).collect();
        let mut forms: Vec<_> = found.iter().map(|line| &line.example).collect();
        forms.sort();
        forms.dedup();
        Self {
            library: lines[0].library.clone(),
            version: lines[0].version.clone(),
            problem: lines[0].problem.clone(),
            fingerprint: String::new(),
            seeds: lines.len() as u64,
            found: found.len() as u64,
            normal: found.iter().filter(|line| line.normal).count() as u64,
            forms: forms.len() as u64,
            mean: match bench {
                Bench::Find => mean(lines.iter().map(|line| line.cases)),
                Bench::Shrink => mean(found.iter().map(|line| line.executions)),
                _ => lines.iter().map(|line| line.cpu_ns).fold(f64::INFINITY, f64::min),
            },
            size: mean(lines.iter().map(|line| line.size)),
        }
    }

    /// Whether every seed ended in the normal form.
    pub(crate) fn is_always_normal(&self) -> bool {
        self.seeds > 0 && self.normal == self.seeds
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<_> = values.collect();
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// All figures of a bench.
#[derive(Debug, Default)]
pub(crate) struct Figures(Vec<Figure>);

impl Figures {
    /// The figure of a library on a problem.
    pub(crate) fn get(&self, library: &str, problem: &str) -> Option<&Figure> {
        let is_it = |figure: &&Figure| figure.library == library && figure.problem == problem;
        self.0.iter().find(is_it)
    }

    /// All figures of a library.
    pub(crate) fn library(&self, library: &str) -> impl Iterator<Item = &Figure> {
        self.0.iter().filter(move |figure| figure.library == library)
    }

    pub(crate) fn extend(&mut self, figures: impl IntoIterator<Item = Figure>) {
        self.0.extend(figures);
    }
}

/// Reads the lines of a binary and sums them up per problem. Where a bench was
/// timed several times, the best counts.
pub(crate) fn summarize(bench: Bench, text: &str) -> Result<Vec<Figure>, String> {
    let parse = |line: &str| {
        serde_json::from_str::<Line>(line).map_err(|error| format!("cannot read `{line}`: {error}"))
    };
    let lines: Vec<_> = text.lines().map(parse).collect::<Result<_, _>>()?;
    let mut groups: BTreeMap<(&str, &str), Vec<&Line>> = BTreeMap::new();
    for line in &lines {
        groups.entry((&line.library, &line.problem)).or_default().push(line);
    }
    Ok(groups.values().map(|lines| Figure::of(bench, lines)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(rest: &str) -> String {
        format!(r#"{{"library":"x","version":"1","problem":"p",{rest}}}"#)
    }

    #[test]
    fn a_miss_counts_as_the_cap_when_finding() {
        let text = [line(r#""found":true,"cases":10"#), line(r#""found":false,"cases":10000"#)];
        let figures = summarize(Bench::Find, &text.join("\n")).expect("is read");
        assert_eq!((figures[0].mean, figures[0].found, figures[0].seeds), (5005.0, 1, 2));
    }

    #[test]
    fn only_found_failures_count_when_shrinking() {
        let text = [
            line(r#""found":true,"executions":10,"normal":true,"final":"a""#),
            line(r#""found":true,"executions":20,"normal":false,"final":"b""#),
            line(r#""found":false,"executions":0,"normal":false,"final":null"#),
        ];
        let figures = summarize(Bench::Shrink, &text.join("\n")).expect("is read");
        assert_eq!((figures[0].mean, figures[0].normal, figures[0].forms), (15.0, 1, 2));
        assert!(!figures[0].is_always_normal());
    }

    #[test]
    fn the_best_timing_counts() {
        let text = [line(r#""cpu_ns":30.0,"size":6"#), line(r#""cpu_ns":20.0,"size":6"#)];
        let figures = summarize(Bench::Generate, &text.join("\n")).expect("is read");
        assert_eq!((figures[0].mean, figures[0].size), (20.0, 6.0));
    }
}
