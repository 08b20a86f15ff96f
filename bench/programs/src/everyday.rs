//! Planted bugs in everyday code, at the default settings.
//!
//! Each subject is a small state machine with one bug of a kind that people make: an edge that is off
//! by one, a position that is not updated, a limit that is reached. They were written before the sizes
//! and the number of programs were chosen. A run has the settings that a test has by default.

#[expect(unreachable_pub, reason = "programs call the public functions of a subject")]
mod service;
#[expect(unreachable_pub, reason = "programs call the public functions of a subject")]
mod storage;

use std::fmt::Write as _;

use bench_measure::own_cpu_ns;
use rebut::report::{FoundBy, Verdict};
use rebut::{Check, Contracted, Program};

use crate::{Report, statements};

const SEEDS: u64 = 10;
/// A passing run takes a second, and a failing one has to be shrunk too.
const CPU_MAX_S: f64 = 5.0;

/// Runs each subject under ten seeds.
pub(crate) fn measure(report: &mut Report) {
    report.line(&format!(
        "\nPlanted bugs in everyday code under {SEEDS} seeds, each run once at the default settings. \
         The CPU time of a run includes shrinking; the median and the worst are of all runs.\n"
    ));
    report.line("| subject | operations needed | found | programs, median of found | programs, worst | CPU s, median | CPU s, worst | executions to shrink, worst | statements left, worst |");
    report.line("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let mut found = 0;
    found += subject::<service::Limiter>(report, "rate limiter", 18);
    found += subject::<service::Buffer>(report, "text buffer with undo", 19);
    found += subject::<service::Bank>(report, "bank", 14);
    found += subject::<service::Scheduler>(report, "scheduler", 5);
    found += subject::<service::Sessions>(report, "session store", 15);
    found += subject::<service::Parser>(report, "parser", 23);
    found += subject::<storage::Cache>(report, "least recently used cache", 12);
    found += subject::<storage::Ring>(report, "ring buffer", 20);
    found += subject::<storage::Ranges>(report, "interval set", 5);
    found += subject::<storage::Arena>(report, "arena with generations", 18);
    found += subject::<storage::Heap>(report, "heap with decrease", 7);
    found += subject::<storage::Trie>(report, "trie", 5);
    let runs = 12 * SEEDS;
    report.line(&format!("\nFound in {found} of {runs} runs."));
}

/// Returns how many runs find the bug of `S`.
fn subject<S: Contracted + ?Sized + 'static>(report: &mut Report, name: &str, least: usize) -> u64 {
    let (mut programs, mut seconds) = (Vec::new(), Vec::new());
    let (mut left, mut executions) = (0, 0);
    for seed in 0..SEEDS {
        let begun = own_cpu_ns();
        let run = Check::new(name)
            .seed(seed)
            .run(|case| case.draw_as("program", rebut::any::<Program<S>>()).run());
        seconds.push((own_cpu_ns() - begun) as f64 / 1e9);
        let Verdict::Failed(failures) = run.verdict else { continue };
        let failure = &failures[0];
        if let FoundBy::Random(case) = failure.found_by {
            programs.push(case);
        }
        left = left.max(statements(&failure.values[0].code));
        executions = executions.max(failure.shrink_executions);
    }
    programs.sort_unstable();
    seconds.sort_unstable_by(f64::total_cmp);
    let found = programs.len() as u64;
    let middle = |numbers: &[u64]| numbers.get(numbers.len() / 2).copied();
    let shown = |number: Option<u64>| number.map_or("-".to_owned(), |number| number.to_string());
    let (median, worst) = (seconds[seconds.len() / 2], seconds[seconds.len() - 1]);
    let mut line = format!("| {name} | {least} | {found}/{SEEDS} ");
    // Writing to a string cannot fail.
    let _ = write!(
        line,
        "| {} | {} | {median:.2} | {worst:.2} | {executions} | {left} |",
        shown(middle(&programs)),
        shown(programs.last().copied()),
    );
    report.line(&line);
    report.goal(worst <= CPU_MAX_S, format!("{name}: {worst:.2} CPU s"));
    found
}
