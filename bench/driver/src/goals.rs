//! What we hold ourselves to.

use std::fmt;

use bench_problems::{BUGS, CHALLENGES};

use crate::figure::{Figure, Figures};
use crate::library::{LIBRARIES, OURS};
use crate::options::Bench;

/// Hypothesis' mean executions after the first failure on each of the
/// challenges, as first measured; ours are to be at or below.
pub(crate) const HYPOTHESIS_EXECUTIONS: [f64; 13] =
    [442.0, 175.0, 9.9, 47.0, 92.0, 26.0, 38.0, 36.0, 69.0, 41.0, 9.0, 35.0, 113.0];

/// The shapes that are compared with proptest.
const TIMED: [&str; 5] = ["i64", "vec", "string", "struct", "tree"];

/// Whether a bench's goal is met, with the figure that says so.
#[derive(Debug)]
pub(crate) struct Verdict {
    bench: Bench,
    pub(crate) is_met: bool,
    figure: String,
    pub(crate) details: Vec<String>,
}

impl Verdict {
    pub(crate) fn new(bench: Bench, is_met: bool, figure: String) -> Self {
        Self { bench, is_met, figure, details: Vec::new() }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let goal = if self.is_met { "goal met" } else { "goal missed" };
        write!(f, "{}: {}: {goal}", self.bench, self.figure)
    }
}

/// Compares our figures with the bench's goal.
pub(crate) fn check(bench: Bench, figures: &Figures) -> Verdict {
    if figures.library(OURS).next().is_none() {
        return Verdict::new(bench, false, format!("{OURS} was not measured"));
    }
    match bench {
        Bench::Generate => check_generate(figures),
        Bench::Shrink => check_shrink(figures),
        Bench::Find => check_find(figures),
        Bench::Build | Bench::Search | Bench::Solve => {
            Verdict::new(bench, false, "has goals of its own".to_owned())
        }
    }
}

/// At or below proptest's CPU per case on each shape. Whoever generates
/// markedly less per case is compared per unit of size instead.
fn check_generate(figures: &Figures) -> Verdict {
    let ratios = TIMED.iter().map(|shape| {
        let pair = figures.get(OURS, shape).zip(figures.get("proptest", shape));
        pair.map(|(ours, theirs)| (*shape, cost_ratio(ours, theirs)))
    });
    let ratios: Option<Vec<_>> = ratios.collect();
    let Some(ratios) = ratios else {
        return Verdict::new(Bench::Generate, false, "a shape is missing".to_owned());
    };
    let met = ratios.iter().filter(|(_, ratio)| *ratio <= 1.0).count();
    let worst = ratios.iter().map(|(_, ratio)| *ratio).fold(0.0, f64::max);
    let figure = format!("{met} of {} at or below proptest, worst ratio {worst:.2}", TIMED.len());
    let details = ratios.iter().map(|(shape, ratio)| format!("{shape}: {ratio:.2} of proptest"));
    Verdict {
        details: details.collect(),
        ..Verdict::new(Bench::Generate, met == TIMED.len(), figure)
    }
}

fn cost_ratio(ours: &Figure, theirs: &Figure) -> f64 {
    let per_case = ours.mean / theirs.mean;
    if ours.size < 0.9 * theirs.size { per_case * theirs.size / ours.size } else { per_case }
}

/// Always the normal form, with no more executions than Hypothesis.
fn check_shrink(figures: &Figures) -> Verdict {
    let rows = || CHALLENGES.iter().zip(HYPOTHESIS_EXECUTIONS);
    let ours = |name: &str| figures.get(OURS, name);
    let normal =
        rows().filter(|(name, _)| ours(name).is_some_and(Figure::is_always_normal)).count();
    let is_within = |name: &str, most: f64| {
        ours(name).is_some_and(|figure| figure.found > 0 && figure.mean <= most)
    };
    let within_first = rows().filter(|(name, most)| is_within(name, *most)).count();
    let measured = |name: &str| figures.get("hypothesis", name).map(|figure| figure.mean);
    let within_measured =
        rows().filter(|(name, _)| measured(name).is_some_and(|most| is_within(name, most))).count();
    let figure = format!(
        "{normal} of 13 always at the normal form, {within_first} of 13 at or below \
         Hypothesis' executions as first measured ({within_measured} as measured now)"
    );
    let details = rows().filter_map(|(name, most)| {
        let ours = ours(name)?;
        (!ours.is_always_normal() || !is_within(name, most)).then(|| {
            let Figure { normal, seeds, mean, .. } = ours;
            format!("{name}: normal {normal} of {seeds}, {mean:.1} executions, at most {most}")
        })
    });
    Verdict {
        details: details.collect(),
        ..Verdict::new(Bench::Shrink, normal == 13 && within_first == 13, figure)
    }
}

/// The sum over all properties of the mean cases to the first failure.
pub(crate) fn total_cases(figures: &Figures, library: &str) -> Option<f64> {
    let names = CHALLENGES.iter().chain(&BUGS);
    names.map(|name| figures.get(library, name).map(|figure| figure.mean)).sum()
}

/// No peer is ahead on the total.
fn check_find(figures: &Figures) -> Verdict {
    let peers = LIBRARIES.iter().filter(|library| library.name != OURS);
    let totals = peers.filter_map(|peer| Some((peer.name, total_cases(figures, peer.name)?)));
    let best = totals.min_by(|a, b| a.1.total_cmp(&b.1));
    let ours = total_cases(figures, OURS);
    let (Some(ours), Some((peer, theirs))) = (ours, best) else {
        return Verdict::new(Bench::Find, false, "a property is missing".to_owned());
    };
    let figure = format!("{ours:.1} cases in total, the best peer ({peer}) {theirs:.1}");
    Verdict::new(Bench::Find, ours <= theirs, figure)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(library: &str, problem: &str, mean: f64) -> Figure {
        Figure {
            library: library.to_owned(),
            problem: problem.to_owned(),
            seeds: 10,
            found: 10,
            normal: 10,
            mean,
            size: 6.0,
            ..Figure::default()
        }
    }

    fn figures(figures: impl IntoIterator<Item = Figure>) -> Figures {
        let mut all = Figures::default();
        all.extend(figures);
        all
    }

    #[test]
    fn a_peer_ahead_in_total_misses_the_goal() {
        let all = |library: &'static str, mean: f64| {
            CHALLENGES.iter().chain(&BUGS).map(move |name| figure(library, name, mean))
        };
        let behind = figures(all(OURS, 3.0).chain(all("proptest", 2.0)));
        let ahead = figures(all(OURS, 2.0).chain(all("proptest", 3.0)));
        assert!(!check(Bench::Find, &behind).is_met);
        assert!(check(Bench::Find, &ahead).is_met);
    }

    #[test]
    fn one_abnormal_end_misses_the_goal() {
        let ours = || CHALLENGES.iter().map(|name| figure(OURS, name, 1.0));
        assert!(check(Bench::Shrink, &figures(ours())).is_met);
        let abnormal = |figure: Figure| match figure.problem.as_str() {
            "coupling" => Figure { normal: 9, ..figure },
            _ => figure,
        };
        assert!(!check(Bench::Shrink, &figures(ours().map(abnormal))).is_met);
    }

    #[test]
    fn smaller_values_are_compared_by_size() {
        let theirs = figure("proptest", "vec", 100.0);
        let half = Figure { size: 3.0, ..figure(OURS, "vec", 60.0) };
        assert_eq!(cost_ratio(&half, &theirs), 1.2);
        assert_eq!(cost_ratio(&figure(OURS, "vec", 60.0), &theirs), 0.6);
    }

    #[test]
    fn nothing_measured_meets_no_goal() {
        assert!(!check(Bench::Find, &Figures::default()).is_met);
    }
}
