//! Runs every library's measurements, merges them into one table a bench,
//! writes the table to `bench/results/<bench>.md` and checks the goals.
//!
//! Timings of generation are always taken side by side in one run, because
//! only their ratios mean something. Counts (shrink, find) depend on nothing
//! but the seed, the library's version and the problems, so those of peers are
//! kept in `bench/results/peers-<bench>.jsonl` and measured again only when one
//! of these changes or `--fresh` asks for it. Builds of peers are measured in
//! the same run as ours.
//!
//! Exit codes: 0 when everything asked for was done (and, with `--check`, the
//! goals are met), 1 when a goal is missed, 2 when a measurement broke.

mod options;

mod place;

mod library;

mod figure;

mod cache;

mod measurement;

mod build;

mod goals;

mod table;

mod search;

mod solve;

mod machine;

pub use options::{Bench, BuildPart, Options};

use figure::Figures;
use goals::Verdict;
use place::Place;

/// Runs what the options ask for. The answer is whether the goals are met, or
/// `true` where they are not checked.
///
/// # Errors
///
/// When a measurement cannot be run or read.
pub fn run(options: &Options) -> Result<bool, String> {
    let place = Place::find();
    let needs_build = |bench: &Bench| *bench != Bench::Build;
    let needs_peers =
        |bench: &Bench| needs_build(bench) && !matches!(bench, Bench::Search | Bench::Solve);
    if options.benches.iter().any(needs_build) {
        library::build_all(&place, options.benches.iter().any(needs_peers))?;
    }
    let mut verdicts = Vec::new();
    for bench in &options.benches {
        let (table, verdict) = match bench {
            Bench::Build => build::measure(&place, options)?,
            Bench::Search => search::measure(&place, options)?,
            Bench::Solve => solve::measure(&place, options)?,
            _ => {
                let figures = measure(&place, *bench, options)?;
                (table::render(*bench, &figures), goals::check(*bench, &figures))
            }
        };
        // A part of a table is looked at, and does not replace the whole.
        if options.part.is_none() {
            machine::write_report(&place, *bench, &table, &verdict)?;
        }
        println!("{table}");
        verdicts.push(verdict);
    }
    Ok(conclude(&verdicts, options.is_check))
}

fn measure(place: &Place, bench: Bench, options: &Options) -> Result<Figures, String> {
    match bench {
        Bench::Generate => measurement::side_by_side(place),
        Bench::Shrink | Bench::Find => measurement::counted(place, bench, options),
        Bench::Build | Bench::Search | Bench::Solve => {
            Err(format!("{bench} has a table of its own"))
        }
    }
}

/// Writes the table of a bench that is measured elsewhere to `results/<name>.md`.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write_table(name: &str, table: &str, missed: &[String]) -> Result<(), String> {
    machine::write_table(&Place::find(), name, table, missed)
}

/// Prints the verdicts last, so that the figure is what one sees.
fn conclude(verdicts: &[Verdict], is_check: bool) -> bool {
    for detail in verdicts.iter().flat_map(|verdict| &verdict.details) {
        println!("{detail}");
    }
    for verdict in verdicts {
        println!("{verdict}");
    }
    !is_check || verdicts.iter().all(|verdict| verdict.is_met)
}
