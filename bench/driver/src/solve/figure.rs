//! What the lines say.

use serde::Deserialize;

/// A line of our binary, or of the solvers' script.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Line {
    Ours(Ours),
    Asked(Asked),
}

#[derive(Debug, Deserialize)]
#[serde(tag = "part", rename_all = "lowercase")]
enum Ours {
    Paper(Query),
    Coupled(Coupled),
    Colon(Colon),
    Validators(Coverage),
}

/// Models of a query of the paper.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Query {
    pub(super) query: String,
    /// Is it as large as the largest in the paper?
    pub(super) is_paper: bool,
    pub(super) models: u64,
    cpu_ns: u64,
}

impl Query {
    pub(super) fn ms(&self) -> f64 {
        self.cpu_ns as f64 / 1e6
    }
}

/// A solver on a query of the paper.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Asked {
    pub(super) solver: String,
    pub(super) query: String,
    pub(super) encoding: String,
    /// None if there was no answer within the limit.
    pub(super) seconds: Option<f64>,
    pub(super) limit: u64,
}

/// A program that couples variables.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Coupled {
    pub(super) program: String,
    pub(super) solver: String,
    pub(super) models: u64,
    pub(super) is_answered: bool,
    pub(super) cpu_ns: u64,
}

/// At which inputs the bugs of the colon path are found.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Colon {
    pub(super) outline: String,
    pub(super) a: Option<u64>,
    pub(super) b: Option<u64>,
}

/// Branches of a validator, taken after each input.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Coverage {
    pub(super) validator: String,
    pub(super) way: String,
    pub(super) all: usize,
    pub(super) taken: Vec<usize>,
}

impl Coverage {
    pub(super) fn reached(&self) -> usize {
        self.taken.last().copied().unwrap_or_default()
    }

    /// After how many inputs so many branches are taken.
    pub(super) fn needed(&self, branches: usize) -> Option<usize> {
        self.taken.iter().position(|taken| *taken >= branches).map(|at| at + 1)
    }
}

/// All of it.
#[derive(Debug, Default)]
pub(super) struct Figures {
    pub(super) queries: Vec<Query>,
    pub(super) asked: Vec<Asked>,
    pub(super) coupled: Vec<Coupled>,
    pub(super) colon: Vec<Colon>,
    pub(super) coverage: Vec<Coverage>,
}

/// The queries of the paper, and what they ask for.
pub(super) const QUERIES: [(&str, &str); 4] = [
    ("T1", "600 different integers"),
    ("T2", "400 integers at least 10 apart"),
    ("T3", "200 strings of different lengths"),
    ("T4", "1000 strings covering a regex"),
];

impl Figures {
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut figures = Self::default();
        for line in text.lines() {
            let line: Line = serde_json::from_str(line)
                .map_err(|error| format!("cannot read `{line}`: {error}"))?;
            match line {
                Line::Ours(Ours::Paper(query)) => figures.queries.push(query),
                Line::Ours(Ours::Coupled(coupled)) => figures.coupled.push(coupled),
                Line::Ours(Ours::Colon(colon)) => figures.colon.push(colon),
                Line::Ours(Ours::Validators(coverage)) => figures.coverage.push(coverage),
                Line::Asked(asked) => figures.asked.push(asked),
            }
        }
        Ok(figures)
    }

    /// Our milliseconds on a query at the size of the paper.
    pub(super) fn ours_ms(&self, query: &str) -> Option<f64> {
        let ours = self.queries.iter().find(|ours| ours.query == query && ours.is_paper);
        ours.map(Query::ms)
    }

    /// Our two larger measurements of a query.
    pub(super) fn larger(&self, query: &str) -> Option<(&Query, &Query)> {
        let mut larger = self.queries.iter().filter(|ours| ours.query == query && !ours.is_paper);
        Some((larger.next()?, larger.next()?))
    }

    /// The best encoding of any solver: its milliseconds, and what it is.
    pub(super) fn best_ms(&self, query: &str) -> Option<(f64, String)> {
        let answered = self.asked.iter().filter(|asked| asked.query == query);
        let best = answered
            .filter_map(|asked| Some((asked.seconds? * 1e3, asked)))
            .min_by(|(left, _), (right, _)| left.total_cmp(right));
        best.map(|(ms, asked)| (ms, format!("{}, {}", asked.solver, asked.encoding)))
    }

    pub(super) fn coverage(&self, validator: &str, way: &str) -> Option<&Coverage> {
        self.coverage.iter().find(|coverage| coverage.validator == validator && coverage.way == way)
    }

    /// The validators, in order.
    pub(super) fn validators(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.coverage.iter().map(|one| one.validator.as_str()).collect();
        names.dedup();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = r#"{"part":"paper","query":"T1","is_paper":true,"models":600,"cpu_ns":2000000}
{"solver":"z3","query":"T1","encoding":"loop","seconds":0.5,"limit":60}
{"solver":"z3","query":"T1","encoding":"at once","seconds":null,"limit":20}
{"part":"validators","validator":"time","way":"basic-different","all":6,"taken":[1,3,3,4]}"#;

    #[test]
    fn reads_lines_of_both_kinds() {
        let figures = Figures::read(LINES).expect("all lines are known");
        assert_eq!(figures.ours_ms("T1"), Some(2.0));
        assert_eq!(figures.best_ms("T1"), Some((500.0, "z3, loop".to_owned())));
        let time = figures.coverage("time", "basic-different").expect("is there");
        assert_eq!((time.reached(), time.needed(3), time.needed(5)), (4, Some(2), None));
    }

    #[test]
    fn refuses_lines_it_does_not_know() {
        assert!(Figures::read("{\"part\":\"other\"}").is_err());
    }
}
