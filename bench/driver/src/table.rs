//! One aligned table a bench: a row a problem, a column a library.

use bench_problems::{BUGS, CHALLENGES, SHAPES};

use crate::figure::{Figure, Figures};
use crate::goals::{HYPOTHESIS_EXECUTIONS, total_cases};
use crate::library::LIBRARIES;
use crate::options::Bench;

/// The table as aligned Markdown, with a sentence on how to read it.
pub(crate) fn render(bench: Bench, figures: &Figures) -> String {
    let is_there = |name: &&str| figures.library(name).next().is_some();
    let columns: Vec<_> = LIBRARIES.iter().map(|library| library.name).filter(is_there).collect();
    let mut rows = vec![header(&columns, figures)];
    for problem in problems(bench) {
        let cells = columns.iter().map(|library| {
            figures.get(library, problem).map_or("-".to_owned(), |figure| cell(bench, figure))
        });
        rows.push([problem.to_owned()].into_iter().chain(cells).collect());
    }
    match bench {
        Bench::Find => rows.push(total_row(&columns, figures)),
        Bench::Shrink => add_goal_column(&mut rows),
        Bench::Generate | Bench::Build | Bench::Search | Bench::Solve => {}
    }
    format!("{}\n\n{}", caption(bench), align(&rows))
}

fn caption(bench: Bench) -> &'static str {
    match bench {
        Bench::Generate => {
            "CPU nanoseconds per case of a property that holds, runner included (mean size of a value)."
        }
        Bench::Shrink => {
            "Share of seeds that end in the normal form / mean executions after the first failure \
             (number of different ends)."
        }
        Bench::Find => {
            "Mean cases to the first failure, a miss counted as 10,000 (misses of seeds, where any)."
        }
        Bench::Build | Bench::Search | Bench::Solve => "",
    }
}

fn problems(bench: Bench) -> Vec<&'static str> {
    match bench {
        Bench::Generate => SHAPES.to_vec(),
        Bench::Shrink => CHALLENGES.to_vec(),
        Bench::Find => [&CHALLENGES[..], &BUGS].concat(),
        Bench::Build | Bench::Search | Bench::Solve => Vec::new(),
    }
}

fn header(columns: &[&str], figures: &Figures) -> Vec<String> {
    let title = |library: &&str| {
        let version = figures.library(library).next().map_or("", |figure| &figure.version);
        format!("{library} {version}").trim_end().to_owned()
    };
    [String::new()].into_iter().chain(columns.iter().map(title)).collect()
}

fn cell(bench: Bench, figure: &Figure) -> String {
    let Figure { mean, size, seeds, found, normal, forms, .. } = figure;
    match bench {
        Bench::Generate => format!("{mean:.0} ({size:.1})"),
        Bench::Shrink if *found == 0 => "not found".to_owned(),
        Bench::Shrink => {
            let percent = 100.0 * *normal as f64 / *found as f64;
            format!("{percent:.0} % / {mean:.1} ({forms})")
        }
        Bench::Find if found < seeds => format!("{mean:.1} ({} of {seeds})", seeds - found),
        Bench::Find => format!("{mean:.1}"),
        Bench::Build | Bench::Search | Bench::Solve => format!("{mean:.1} ({size})"),
    }
}

fn total_row(columns: &[&str], figures: &Figures) -> Vec<String> {
    let total = |library: &&str| {
        total_cases(figures, library).map_or("-".to_owned(), |total| format!("{total:.1}"))
    };
    ["total".to_owned()].into_iter().chain(columns.iter().map(total)).collect()
}

fn add_goal_column(rows: &mut [Vec<String>]) {
    let goals = HYPOTHESIS_EXECUTIONS.iter().map(|most| format!("{most}"));
    let cells = ["at most".to_owned()].into_iter().chain(goals);
    rows.iter_mut().zip(cells).for_each(|(row, cell)| row.push(cell));
}

/// Pads every column to its widest cell: names to the left, figures to the
/// right.
pub(crate) fn align(rows: &[Vec<String>]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<_> =
        (0..rows[0].len()).map(|column| width(column).unwrap_or(0).max(3)).collect();
    let line = |row: &Vec<String>| {
        let cells =
            row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
                0 => format!("{cell:<width$}"),
                _ => format!("{cell:>width$}"),
            });
        format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
    };
    let rule = widths.iter().enumerate().map(|(column, width)| match column {
        0 => "-".repeat(*width),
        _ => "-".repeat(width - 1) + ":",
    });
    let rule = format!("| {} |\n", rule.collect::<Vec<_>>().join(" | "));
    let body: String = rows[1..].iter().map(line).collect();
    line(&rows[0]) + &rule + &body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let table = align(&[row(["", "x"]), row(["reverse", "9.9"]), row(["a", "1280.0"])]);
        let expected = "\
| \u{20}       |      x |
| ------- | -----: |
| reverse |    9.9 |
| a       | 1280.0 |
";
        assert_eq!(table, expected);
    }
}
