//! What came of the runs of one problem under one strategy.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A line that a measured program prints for a run.
#[derive(Debug, Deserialize)]
struct Line {
    problem: String,
    case: String,
    found: bool,
    tests: f64,
    cpu_ns: f64,
    reached: Option<f64>,
}

/// All runs of a problem under one strategy.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Figure {
    pub(super) runs: usize,
    pub(super) found: usize,
    /// Tests to the failure; a run without one counts with all that it had.
    pub(super) tests: Vec<f64>,
    /// The mean.
    pub(super) cpu_ms: f64,
    /// What each run reached.
    pub(super) reached: Vec<f64>,
}

impl Figure {
    fn of(lines: &[&Line]) -> Figure {
        let mut tests: Vec<f64> = lines.iter().map(|line| line.tests).collect();
        let mut reached: Vec<f64> = lines.iter().filter_map(|line| line.reached).collect();
        tests.sort_by(f64::total_cmp);
        reached.sort_by(f64::total_cmp);
        Figure {
            runs: lines.len(),
            found: lines.iter().filter(|line| line.found).count(),
            cpu_ms: mean(&lines.iter().map(|line| line.cpu_ns / 1e6).collect::<Vec<_>>()),
            tests,
            reached,
        }
    }

    pub(super) fn mean_tests(&self) -> f64 {
        mean(&self.tests)
    }

    pub(super) fn is_always_found(&self) -> bool {
        self.found == self.runs
    }

    /// The least, the median and the most that was reached.
    pub(super) fn range(&self) -> Option<[f64; 3]> {
        Some([*self.reached.first()?, median(&self.reached), *self.reached.last()?])
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The middle of sorted values, or the mean of the two in the middle.
pub(super) fn median(sorted: &[f64]) -> f64 {
    match sorted.len() {
        0 => f64::NAN,
        count if count % 2 == 1 => sorted[count / 2],
        count => (sorted[count / 2 - 1] + sorted[count / 2]) / 2.0,
    }
}

/// The figures of all problems and strategies.
#[derive(Debug, Default)]
pub(super) struct Figures {
    figures: BTreeMap<(String, String), Figure>,
    /// In the order in which they were measured.
    problems: Vec<String>,
}

impl Figures {
    /// Sums up lines of JSON.
    pub(super) fn read(text: &str) -> Result<Figures, String> {
        let parse = |line: &str| {
            serde_json::from_str::<Line>(line)
                .map_err(|error| format!("cannot read `{line}`: {error}"))
        };
        let lines: Vec<Line> = text.lines().map(parse).collect::<Result<_, _>>()?;
        let mut groups: BTreeMap<_, Vec<&Line>> = BTreeMap::new();
        let mut problems: Vec<String> = Vec::new();
        for line in &lines {
            let key = (line.problem.clone(), line.case.clone());
            groups.entry(key).or_default().push(line);
            if !problems.contains(&line.problem) {
                problems.push(line.problem.clone());
            }
        }
        let figures = groups.into_iter().map(|(key, lines)| (key, Figure::of(&lines)));
        Ok(Figures { figures: figures.collect(), problems })
    }

    pub(super) fn get(&self, problem: &str, case: &str) -> Option<&Figure> {
        self.figures.get(&(problem.to_owned(), case.to_owned()))
    }

    /// The problems whose name begins so.
    pub(super) fn problems<'a>(&'a self, start: &'a str) -> impl Iterator<Item = &'a str> {
        self.problems.iter().map(String::as_str).filter(move |name| name.starts_with(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_a_problem_are_summed_up() {
        let line = |found: bool, tests: u32, reached: &str| {
            format!(
                r#"{{"problem":"p","case":"c","seed":0,"found":{found},"tests":{tests},"cpu_ns":2e6,"reached":{reached}}}"#
            )
        };
        let text = [line(true, 10, "3.5"), line(false, 50, "null"), line(true, 30, "1.5")];
        let figures = Figures::read(&text.join("\n")).expect("is read");
        let figure = figures.get("p", "c").expect("is there");
        assert_eq!((figure.found, figure.runs, figure.cpu_ms), (2, 3, 2.0));
        assert_eq!((figure.mean_tests(), median(&figure.tests)), (30.0, 30.0));
        assert_eq!(figure.range(), Some([1.5, 2.5, 3.5]));
        assert!(!figure.is_always_found());
        assert!(Figures::read("no json").is_err());
    }
}
