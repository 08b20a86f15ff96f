//! The tables of the search bench.

use super::figure::{Figure, Figures, median};
use super::proper::{FOUND, REACHED, SOURCE};
use crate::table::align;

/// Our strategies in the order of columns, with their headings.
const STRATEGIES: [(&str, &str); 6] = [
    ("random", "random"),
    ("default", "default"),
    ("climbing", "climbing"),
    ("annealing", "annealing"),
    ("steps", "default with steps by hand"),
    ("by hand", "annealing by hand"),
];

const CAPTION: &str = "`default`, `climbing` and `annealing` are the strategies of the runner with \
    the neighbors that it constructs; `default with steps by hand` adds a neighbor function \
    written by hand with `.neighbors(..)`; `annealing by hand` has nothing but that function and \
    does not use the runner. A random run of a graph gives up after 100,000 tests, a search after \
    20,000; on the machine (ADD to STORE C) random runs, the default and annealing by hand after \
    200,000, the others after 20,000.";

/// All tables, with what is to be known to read them.
pub(super) fn render(seeds: u64, ours: &Figures, here: Option<&Figures>) -> String {
    let mut text = format!(
        "Tests to the first failure under {seeds} seeds: runs that found it, mean tests (median), \
         mean CPU ms up to it. A run that found nothing counts with all tests that it had. {CAPTION}\n\n{}",
        align(&found_rows(ours))
    );
    text += &format!("\nThe same by {SOURCE}.\n\n{}", align(&proper_rows()));
    if let Some(here) = here {
        text += "\nThe same by the PropEr that is installed here, three runs of at most \
                 10,000 tests each. It knows no way to start a search anew, so on the machine \
                 instructions beyond the fiftieth do not count.\n\n";
        text += &align(&here_rows(here));
    }
    text += "\nRouting tree: what 1,000 tests reach (least / median / most of the runs). The first \
             test of a run, the simplest input, is the same in all of them and is left out.\n\n";
    text += &align(&reached_rows(ours));
    text += "\nOverhead: CPU microseconds per test, on generators of values of one size, so that \
             the tests of both are alike; the best of five rounds.\n\n";
    text += &align(&overhead_rows(ours));
    text
}

fn row(first: &str, rest: impl Iterator<Item = String>) -> Vec<String> {
    [first.to_owned()].into_iter().chain(rest).collect()
}

fn found_rows(ours: &Figures) -> Vec<Vec<String>> {
    let mut rows = vec![row("", STRATEGIES.iter().map(|(_, heading)| (*heading).to_owned()))];
    for peer in FOUND {
        let cells = STRATEGIES.iter().map(|(case, _)| found_cell(ours.get(peer.problem, case)));
        rows.push(row(peer.problem, cells));
    }
    rows
}

fn found_cell(figure: Option<&Figure>) -> String {
    let Some(figure) = figure else { return "-".to_owned() };
    let Figure { found, runs, cpu_ms, tests, .. } = figure;
    let (mean, median) = (thousands(figure.mean_tests()), thousands(median(tests)));
    format!("{found}/{runs} {mean} ({median}), {cpu_ms:.1} ms")
}

fn proper_rows() -> Vec<Vec<String>> {
    let headings = ["random", "annealing by hand", "annealing, constructed"];
    let mut rows = vec![row("", headings.iter().map(|heading| (*heading).to_owned()))];
    for peer in FOUND {
        let cells = [peer.random, peer.by_hand, peer.constructed];
        rows.push(row(peer.problem, cells.iter().map(|cell| (*cell).to_owned())));
    }
    rows
}

fn here_rows(here: &Figures) -> Vec<Vec<String>> {
    let cases = ["random", "by hand", "constructed"];
    let mut rows = vec![row("", cases.iter().map(|case| (*case).to_owned()))];
    for problem in here.problems("") {
        rows.push(row(problem, cases.iter().map(|case| found_cell(here.get(problem, case)))));
    }
    rows
}

fn reached_rows(ours: &Figures) -> Vec<Vec<String>> {
    let cases = ["random", "default", "climbing", "annealing", "by hand"];
    let headings = ["random", "default", "climbing", "annealing", "annealing by hand"];
    let peers = ["PropEr random", "PropEr constructed"];
    let mut rows =
        vec![row("", headings.iter().chain(&peers).map(|heading| (*heading).to_owned()))];
    for (problem, random, constructed) in REACHED {
        let cells = cases.iter().map(|case| range_cell(ours.get(problem, case)));
        let peers = [random.to_owned(), constructed.to_owned()];
        rows.push(row(problem, cells.chain(peers)));
    }
    rows
}

fn range_cell(figure: Option<&Figure>) -> String {
    let range = figure.and_then(Figure::range);
    range.map_or("-".to_owned(), |[least, median, most]| {
        format!("{least:.1} / {median:.1} / {most:.1}")
    })
}

fn overhead_rows(ours: &Figures) -> Vec<Vec<String>> {
    let headings = ["random", "default", "ratio"];
    let mut rows = vec![row("", headings.iter().map(|heading| (*heading).to_owned()))];
    for problem in ours.problems("overhead: ") {
        let us = |case| ours.get(problem, case).map_or(f64::NAN, |figure| figure.cpu_ms * 1e3);
        let (random, default) = (us("random"), us("default"));
        let cells =
            [format!("{random:.1}"), format!("{default:.1}"), format!("{:.2}", default / random)];
        rows.push(row(problem.trim_start_matches("overhead: "), cells.into_iter()));
    }
    rows
}

/// A whole number with a comma before each group of three digits.
fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_have_commas() {
        let texts = [0.4, 999.0, 1353.2, 200_000.0, 1_000_000.0].map(thousands);
        assert_eq!(texts, ["0", "999", "1,353", "200,000", "1,000,000"]);
    }
}
