//! The tables.

use super::figure::{Coverage, Figures, QUERIES};
use super::goals::{coupled_ms, tenth};
use crate::table::align;

pub(super) fn render(figures: &Figures) -> String {
    let mut text = "CPU milliseconds, answers checked. Ours: a program is read, models are made \
                    and judged, in one process, the best of 20 rounds. Solvers: the process behind \
                    the pipe, without what a session costs that asks nothing, one run; `>` where \
                    there was no answer within the limit.\n\n"
        .to_owned();
    text += &align(&paper_rows(figures));
    text += "\nMore models: CPU milliseconds, the best of 3 rounds. n strings of different lengths \
             have n²/2 characters, so those are fewer.\n\n";
    text += &align(&large_rows(figures));
    text += "\nPrograms that couple variables: CPU milliseconds for all models. With z3, all that \
             is coupled is asked of it; what is not coupled is found as by ours.\n\n";
    text += &align(&coupled_rows(figures));
    text += "\nColon path: the input at which each bug is found (earliest, median, latest of the \
             seeds; 60 inputs at most).\n\n";
    text += &align(&colon_rows(figures));
    text += "\nValidators: branches reached, of all; inputs until then, of all. 500 inputs are \
             asked for.\n\n";
    text += &align(&coverage_rows(figures));
    text += "\nValidators: how many inputs of a cover reach as many branches as not-equal does. \
             `never`: a pattern with few ways through it has few inputs, one for each, and what \
             tells values apart beyond the pattern (a number that is a check digit, a length \
             within a range) is not among them.\n\n";
    text += &align(&tenth_rows(figures));
    text
}

fn cells(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn paper_rows(figures: &Figures) -> Vec<Vec<String>> {
    let mut rows = vec![cells(&["query", "rebut", "solver", "encoding", "CPU ms", "times"])];
    for (query, about) in QUERIES {
        let ours = figures.ours_ms(query);
        let shown = ours.map_or("-".to_owned(), |ms| format!("{ms:.2}"));
        let asked = figures.asked.iter().filter(|asked| asked.query == query);
        let mut first = Some((format!("{query}: {about}"), shown));
        for asked in asked {
            let (query, shown) = first.take().unwrap_or_default();
            let (ms, times) = match asked.seconds {
                Some(seconds) => {
                    let times = ours.map(|ours| format!("{:.0}", seconds * 1e3 / ours));
                    (format!("{:.0}", seconds * 1e3), times.unwrap_or_default())
                }
                None => (format!("> {}", asked.limit * 1000), String::new()),
            };
            rows.push(vec![query, shown, asked.solver.clone(), asked.encoding.clone(), ms, times]);
        }
        if let Some((query, shown)) = first {
            rows.push(vec![query, shown, "-".into(), "-".into(), "-".into(), "-".into()]);
        }
    }
    rows
}

fn large_rows(figures: &Figures) -> Vec<Vec<String>> {
    let mut rows = vec![cells(&["query", "models", "CPU ms", "ns a model"])];
    for query in &figures.queries {
        let each = format!("{:.0}", query.ms() * 1e6 / query.models as f64);
        rows.push(vec![
            query.query.clone(),
            query.models.to_string(),
            format!("{:.2}", query.ms()),
            each,
        ]);
    }
    rows
}

fn coupled_rows(figures: &Figures) -> Vec<Vec<String>> {
    let mut rows = vec![cells(&["program", "models", "rebut", "z3's models", "z3"])];
    for ours in figures.coupled.iter().filter(|coupled| coupled.solver == "embedded") {
        let is_same =
            |other: &&super::figure::Coupled| other.program == ours.program && other.solver == "z3";
        let z3 = figures.coupled.iter().find(is_same);
        let shown = |coupled: Option<&super::figure::Coupled>| match coupled {
            Some(coupled) => {
                let short = if coupled.is_answered { "" } else { " (fewer than asked)" };
                let ms = format!("{:.1}", coupled.cpu_ns as f64 / 1e6);
                [format!("{}{short}", coupled.models), ms]
            }
            None => ["-".to_owned(), "-".to_owned()],
        };
        rows.push(
            [vec![ours.program.clone()], shown(Some(ours)).into(), shown(z3).into()].concat(),
        );
    }
    let total = |solver| coupled_ms(figures, solver).map_or("-".into(), |ms| format!("{ms:.1}"));
    rows.push(vec!["all".into(), "".into(), total("embedded"), "".into(), total("z3")]);
    rows
}

fn colon_rows(figures: &Figures) -> Vec<Vec<String>> {
    let mut rows = vec![cells(&["inputs", "bug A", "bug B"])];
    for (outline, about) in [("covering", "cover-regexp"), ("different", "not-equal")] {
        let of = figures.colon.iter().filter(|colon| colon.outline == outline);
        let (a, b): (Vec<_>, Vec<_>) = of.map(|colon| (colon.a, colon.b)).unzip();
        rows.push(vec![about.to_owned(), places(a), places(b)]);
    }
    rows
}

/// The earliest, the median and the latest, and how often there was none.
fn places(places: Vec<Option<u64>>) -> String {
    let missed = places.iter().filter(|place| place.is_none()).count();
    let mut found: Vec<u64> = places.into_iter().flatten().collect();
    found.sort_unstable();
    let (Some(first), Some(last)) = (found.first(), found.last()) else { return "-".to_owned() };
    let median = found[found.len() / 2];
    let missed = if missed > 0 { format!(" (missed {missed} times)") } else { String::new() };
    format!("{first} / {median} / {last}{missed}")
}

const WAYS: [(&str, &str); 5] = [
    ("basic-different", "basic, not-equal"),
    ("black-different", "black box, not-equal"),
    ("black-cover", "black box, cover"),
    ("white-different", "white box, not-equal"),
    ("white-cover", "white box, cover"),
];

fn coverage_rows(figures: &Figures) -> Vec<Vec<String>> {
    let mut rows = vec![cells(&["", "branches"])];
    rows[0].extend(WAYS.iter().map(|(_, heading)| (*heading).to_owned()));
    for validator in figures.validators() {
        let all = figures.coverage(validator, WAYS[0].0).map_or(0, |one| one.all);
        let mut row = vec![validator.to_owned(), all.to_string()];
        row.extend(WAYS.iter().map(|(way, _)| reached(figures.coverage(validator, way))));
        rows.push(row);
    }
    rows
}

fn reached(coverage: Option<&Coverage>) -> String {
    let Some(coverage) = coverage else { return "-".to_owned() };
    let reached = coverage.reached();
    let percent = 100.0 * reached as f64 / coverage.all.max(1) as f64;
    let needed = coverage.needed(reached).unwrap_or_default();
    format!("{percent:.0} %, {needed} of {}", coverage.taken.len())
}

fn tenth_rows(figures: &Figures) -> Vec<Vec<String>> {
    let headings = ["", "inputs of not-equal", "of them needed", "inputs of the cover"];
    let mut rows = vec![cells(&headings)];
    for validator in figures.validators() {
        for pattern in ["black", "white"] {
            let Some(counts) = tenth(figures, validator, pattern) else { continue };
            let mut row = vec![format!("{validator}, {pattern} box")];
            let shown = |count: Option<usize>| count.map_or("never".to_owned(), |n| n.to_string());
            row.extend(counts.map(shown));
            rows.push(row);
        }
    }
    rows
}
