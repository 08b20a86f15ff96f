//! What we hold our search to.

use super::figure::{Figure, Figures};
use super::proper::{GRAPH_TESTS, HARD_BUGS};
use crate::goals::Verdict;
use crate::options::Bench;

/// The three ways to write the generator of graphs do alike up to this factor.
const SPREAD_MAX: f64 = 1.25;

/// PropEr takes this many times the CPU time.
const SPEED_MIN: f64 = 100.0;

/// A test of a search costs at most this many times one of the random runner.
const OVERHEAD_MAX: f64 = 3.0;

const BUGS: [&str; 6] = ["ADD", "PUSH", "LOAD", "STORE A", "STORE B", "STORE C"];

/// A goal, and whether it is met.
struct Goal {
    is_met: bool,
    text: String,
}

/// Compares the default strategy with all goals.
pub(super) fn check(ours: &Figures) -> Verdict {
    let mut goals = vec![graph(ours), spread(ours), bugs(ours)];
    goals.extend(
        HARD_BUGS.iter().flat_map(|&(bug, tests, cpu_ms)| hard_bug(ours, bug, tests, cpu_ms)),
    );
    goals.extend([routing(ours, "highest", 1.0), routing(ours, "lowest", -1.0), overhead(ours)]);
    let met = goals.iter().filter(|goal| goal.is_met).count();
    let figure = format!("{met} of {} goals met", goals.len());
    let details = goals.iter().map(|goal| {
        let word = if goal.is_met { "met" } else { "missed" };
        format!("{word}: {}", goal.text)
    });
    let mut verdict = Verdict::new(Bench::Search, met == goals.len(), figure);
    verdict.details = details.collect();
    verdict
}

fn default<'a>(ours: &'a Figures, problem: &str) -> Option<&'a Figure> {
    ours.get(problem, "default")
}

/// A figure, or a goal that is missed because it was not measured.
fn with(figure: Option<&Figure>, name: &str, check: impl Fn(&Figure) -> Goal) -> Goal {
    let missing = || Goal { is_met: false, text: format!("{name} was not measured") };
    figure.map_or_else(missing, check)
}

fn graph(ours: &Figures) -> Goal {
    with(default(ours, "graph(42)"), "graph(42)", |figure| {
        let Figure { found, runs, .. } = figure;
        let mean = figure.mean_tests();
        Goal {
            is_met: figure.is_always_found() && mean <= GRAPH_TESTS,
            text: format!("graph(42): {found}/{runs}, {mean:.0} tests, at most {GRAPH_TESTS:.0}"),
        }
    })
}

fn spread(ours: &Figures) -> Goal {
    let names = ["graph()", "graph_no_caching()", "graph_no_matching()"];
    let figures: Vec<_> = names.iter().filter_map(|name| default(ours, name)).collect();
    let means: Vec<f64> = figures.iter().map(|figure| figure.mean_tests()).collect();
    let most = means.iter().copied().fold(0.0, f64::max);
    let spread = most / means.iter().copied().fold(f64::INFINITY, f64::min);
    let is_found = figures.len() == names.len() && figures.iter().all(|f| f.is_always_found());
    let means: Vec<String> = means.iter().map(|mean| format!("{mean:.0}")).collect();
    Goal {
        is_met: is_found && spread <= SPREAD_MAX && most <= SPREAD_MAX * GRAPH_TESTS,
        text: format!(
            "graph(), graph_no_caching(), graph_no_matching(): {} found by every run, {} tests, \
             the most {spread:.2} of the least, at most {SPREAD_MAX}, and at most {:.0} tests",
            figures.iter().filter(|figure| figure.is_always_found()).count(),
            means.join(", "),
            SPREAD_MAX * GRAPH_TESTS,
        ),
    }
}

fn bugs(ours: &Figures) -> Goal {
    let is_found = |bug: &&str| default(ours, bug).is_some_and(Figure::is_always_found);
    let found = BUGS.iter().filter(|bug| is_found(bug)).count();
    Goal {
        is_met: found == BUGS.len(),
        text: format!("{found} of {} bugs of the machine found by every run", BUGS.len()),
    }
}

/// No more tests than PropEr's best column, and a hundredth of its CPU time.
fn hard_bug(ours: &Figures, bug: &str, tests: f64, cpu_ms: f64) -> [Goal; 2] {
    let figure = default(ours, bug);
    let count = with(figure, bug, |figure| {
        let mean = figure.mean_tests();
        let text = format!("{bug}: {mean:.0} tests, at most {tests:.0}");
        Goal { is_met: figure.is_always_found() && mean <= tests, text }
    });
    let speed = with(figure, bug, |figure| {
        let ratio = cpu_ms / figure.cpu_ms;
        let ours = figure.cpu_ms;
        let text = format!(
            "{bug}: {ours:.1} CPU ms to PropEr's {cpu_ms:.0}, {ratio:.1} times less, at least {SPEED_MIN:.0}"
        );
        Goal { is_met: ratio >= SPEED_MIN, text }
    });
    [count, speed]
}

/// The worst search is ahead of the best random run.
fn routing(ours: &Figures, problem: &str, sign: f64) -> Goal {
    let ends = |case| {
        let [least, _, most] = ours.get(problem, case)?.range()?;
        Some(if sign > 0.0 { (least, most) } else { (most, least) })
    };
    let (Some((worst, _)), Some((_, best))) = (ends("default"), ends("random")) else {
        return Goal { is_met: false, text: format!("routing, {problem}: not measured") };
    };
    Goal {
        is_met: sign * worst > sign * best,
        text: format!(
            "routing, {problem}: the worst search {worst:.1}, the best random run {best:.1}"
        ),
    }
}

fn overhead(ours: &Figures) -> Goal {
    let ratios = ours.problems("overhead: ").filter_map(|problem| {
        Some(default(ours, problem)?.cpu_ms / ours.get(problem, "random")?.cpu_ms)
    });
    let worst = ratios.fold(f64::NAN, f64::max);
    Goal {
        is_met: worst <= OVERHEAD_MAX,
        text: format!(
            "overhead: at worst {worst:.2} of the random runner, at most {OVERHEAD_MAX:.0}"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(problem: &str, case: &str, tests: u32, cpu_ns: u64, reached: f64) -> String {
        format!(
            r#"{{"problem":"{problem}","case":"{case}","found":true,"tests":{tests},"cpu_ns":{cpu_ns},"reached":{reached}}}"#
        )
    }

    /// Runs by which every goal is met.
    fn good() -> Vec<String> {
        let graphs = ["graph(42)", "graph()", "graph_no_caching()", "graph_no_matching()"];
        let found = graphs.iter().chain(&BUGS);
        let mut lines: Vec<String> =
            found.map(|problem| line(problem, "default", 100, 100_000, 0.0)).collect();
        for (problem, searched) in [("highest", 500.0), ("lowest", 50.0)] {
            lines.push(line(problem, "default", 1000, 1, searched));
            lines.push(line(problem, "random", 1000, 1, 100.0));
        }
        lines.push(line("overhead: x", "default", 1, 2000, 0.0));
        lines.push(line("overhead: x", "random", 1, 1000, 0.0));
        lines
    }

    fn verdict(lines: &[String]) -> Verdict {
        check(&Figures::read(&lines.join("\n")).expect("is read"))
    }

    #[test]
    fn all_goals_are_met_by_runs_that_are_good_enough() {
        let verdict = verdict(&good());
        assert!(verdict.is_met, "{:?}", verdict.details);
    }

    #[test]
    fn one_run_that_is_not_good_enough_misses_a_goal() {
        let worse = [
            line("graph(42)", "default", 90_000, 1, 0.0),
            line("graph()", "default", 1000, 1, 0.0),
            line("LOAD", "default", 90_000, 1, 0.0),
            line("ADD", "default", 1, 90_000_000, 0.0),
            line("highest", "default", 1000, 1, 99.0),
            line("lowest", "default", 1000, 1, 101.0),
            line("highest", "random", 1000, 1, 501.0),
        ];
        for line in worse {
            let mut lines = good();
            lines.push(line.clone());
            assert!(!verdict(&lines).is_met, "{line}");
        }
        let missing: Vec<String> =
            good().into_iter().filter(|line| !line.contains("STORE A")).collect();
        assert!(!verdict(&missing).is_met);
        assert!(!verdict(&[]).is_met);
    }
}
