//! The tests of `examples/explore`: what exploring says of each, and whether it is so.

use std::fmt;

use rebut_concolic::{Budget, Exploration, Limit, Loss, Verdict};

use crate::report::Report;
use crate::subject::{self, Explored, Subject};
use crate::{native, tables};

/// What an exploration may do: an end for what would not come to one.
pub(crate) fn budget() -> Budget {
    Budget { runs: 1_100, conflicts_total: 100_000, terms: 1_000_000, ..Budget::default() }
}

/// Explorations that take longer are not run twice.
const TWICE_MAX_S: f64 = 4.0;

/// A test and what came of it.
#[derive(Debug)]
pub(crate) struct Example {
    /// Its path, from the file on.
    pub(crate) path: String,
    pub(crate) must_fail: bool,
    pub(crate) end: End,
    /// What was said, if it is not all that could be.
    pub(crate) why: String,
    pub(crate) paths: usize,
    pub(crate) is_complete: bool,
    pub(crate) cpu_s: f64,
    /// Exploring alone.
    pub(crate) again_s: Option<f64>,
    /// The run that failed first.
    pub(crate) first_failure: Option<usize>,
}

/// Whether what was said is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It is, and all is said.
    Solved,
    /// Not all paths were taken, and that is said.
    Unknown,
    /// It is not.
    Wrong,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            End::Solved => "solved",
            End::Unknown => "unknown",
            End::Wrong => "WRONG",
        })
    }
}

pub(crate) fn measure(report: &mut Report) -> Result<(), String> {
    let manifest = subject::root().join("Cargo.toml");
    let subjects = subject::build(&manifest, "explore-examples")?;
    let mut examples = Vec::new();
    for subject in &subjects {
        let example = explore(subject)?;
        eprintln!("{:>8.3} s  {}: {} {}", example.cpu_s, example.path, example.end, example.why);
        examples.push(example);
    }
    let mut seen: Vec<String> = Vec::new();
    let mut scouts = Vec::new();
    for Subject { module, scout_s, .. } in &subjects {
        let target = module.target.to_string();
        if !seen.contains(&target) {
            scouts.push(format!("{scout_s:.2} (`{target}`)"));
            seen.push(target);
        }
    }
    report.line(&format!(
        "## What is found\n\nBefore any test of a file is explored, the whole file is compiled as it \
         is, once, to see what its tests call; that is not in the times below. CPU seconds: {}. Each \
         test may run {} times, the solver may have {} conflicts and see {} terms.\n",
        scouts.join(", "),
        budget().runs,
        budget().conflicts_total,
        budget().terms,
    ));
    tables::write(report, &examples);
    Ok(())
}

fn explore(subject: &Subject) -> Result<Example, String> {
    let budget = budget();
    let (explored, mut machine) = subject.cold(&budget)?;
    let (mut end, mut why) = judge(subject, &explored)?;
    let mut again_s = None;
    if explored.cpu_s <= TWICE_MAX_S {
        again_s = explored.again(&mut machine, &budget);
        if again_s.is_none() {
            (end, why) = (End::Wrong, "other paths the second time".to_owned());
        }
    }
    let Explored { description, exploration, cpu_s } = &explored;
    let first_failure = match &exploration.verdict {
        Verdict::Fails(leaves) => leaves.first().map(|leaf| leaf + 1),
        _ => None,
    };
    Ok(Example {
        path: description.path.clone(),
        must_fail: description.is_ignored,
        end,
        why,
        paths: exploration.leaves.len(),
        is_complete: explored.is_complete(),
        cpu_s: *cpu_s,
        again_s,
        first_failure,
    })
}

/// Compares what was said with what the test says of itself: one that is ignored must fail.
fn judge(subject: &Subject, explored: &Explored) -> Result<(End, String), String> {
    let must_fail = explored.description.is_ignored;
    let nothing = String::new();
    Ok(match &explored.exploration.verdict {
        Verdict::Fails(leaves) => {
            let confirmed = confirmed(subject, explored, leaves)?;
            match (confirmed, must_fail) {
                (0, true) => (End::Wrong, "fails, but not natively".to_owned()),
                // It is told as a note, not as a failure.
                (0, false) => (End::Unknown, "fails as WebAssembly alone".to_owned()),
                (_, true) => (End::Solved, nothing),
                (_, false) => (End::Wrong, failures(&explored.exploration, leaves)),
            }
        }
        Verdict::Holds if must_fail => (End::Wrong, "said to hold".to_owned()),
        Verdict::Holds => (End::Solved, nothing),
        Verdict::Unknown(limits) => {
            let limits: Vec<String> = limits.iter().map(in_words).collect();
            (End::Unknown, limits.join("; "))
        }
        Verdict::Found(_) => (End::Wrong, "found what is not looked for".to_owned()),
        Verdict::Vacuous => (End::Wrong, "said to reject all inputs".to_owned()),
    })
}

/// How many of the failures happen natively too.
fn confirmed(subject: &Subject, explored: &Explored, leaves: &[usize]) -> Result<usize, String> {
    let mut confirmed = 0;
    for leaf in leaves {
        let replay = explored.exploration.leaves[*leaf].tape.to_replay_string();
        let path = &explored.description.path;
        confirmed += usize::from(native::fails(&subject.module, path, &replay)?);
    }
    Ok(confirmed)
}

fn failures(exploration: &Exploration, leaves: &[usize]) -> String {
    let outcomes = leaves.iter().map(|leaf| format!("{:?}", exploration.leaves[*leaf].outcome));
    outcomes.collect::<Vec<_>>().join("; ")
}

fn in_words(limit: &Limit) -> String {
    match limit {
        Limit::Runs(runs) => format!("{runs} runs"),
        Limit::Conflicts(conflicts) => format!("{conflicts} conflicts in all"),
        Limit::Terms(terms) => format!("{terms} terms in all questions"),
        Limit::Solver(why, times) => format!("{why} ({times})"),
        Limit::Fuel(runs) => format!("{runs} runs too long"),
        Limit::Lossy(Loss::TooLarge) => "an expression too large".to_owned(),
        Limit::Lossy(Loss::Length(length)) => format!("more than {length} elements"),
        Limit::Lossy(Loss::TooLong) => "a path too long".to_owned(),
        Limit::Lossy(Loss::Float(_)) => "floats without a term".to_owned(),
        Limit::Work(_) => "work".to_owned(),
        Limit::Stopped(_) => "stopped".to_owned(),
        Limit::Diverged(runs) => format!("{runs} runs diverged"),
        Limit::Unsupported(what, _) | Limit::Misuse(what) | Limit::Internal(what) => what.clone(),
    }
}
