//! `cargo xtask bench explore cost`: the CPU seconds of whole commands, with a warm build.
//!
//! The time is that of the command and of all that it starts: cargo, exploring, and native runs.
//! The machine should be quiet, because caches that others use cost CPU time too.

use std::fmt::Write as _;
use std::fs;
use std::time::Instant;

use super::engine::Engine;
use super::judge::{Grade, Tally};
use super::options::Options;
use super::property::{Property, sources};
use super::set::COST;
use super::verdict::Verdict;
use crate::bench::report::circumstances;
use crate::compat::cpu_time_of_children;
use crate::root;

/// A file of properties, the CPU seconds that are its goal, and whether it must be proved.
const ROWS: [(&str, &str, f64, bool); 3] = [
    ("small", "three small properties", 0.3, true),
    ("sorts", "sorting 7 numbers", 10.0, true),
    // The goal is a verdict, whatever it is, in the time that a person waits.
    ("texts", "`parse_line` never panics", 10.0, false),
];

/// How often each row is measured; the shortest counts. Three runs of a quiet machine differ by a
/// tenth.
const RUNS: usize = 3;

/// The seconds that a row may take. It is many times each goal, and an end for what has none.
const SECONDS_MAX: u32 = 300;

/// Measures, and writes `bench/results/explore-cost.md`.
pub(super) fn run(arguments: &[&str]) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    let engine = Engine::new(options.engine.as_deref(), false)?;
    let all = sources(&COST.tests())?;
    let mut text =
        "CPU seconds of `cargo rebut explore` with a warm build: the command itself, cargo and \
         native runs. The shortest of three. `cargo xtask bench explore cost` writes this page.\n\n\
         | command | verdicts | CPU s | goal | seconds |\n|---|---|---:|---:|---:|\n"
            .to_owned();
    let mut missed = Vec::new();
    for (file, name, goal, must_be_proved) in ROWS {
        if !options.selects(file) {
            continue;
        }
        let properties = all.iter().filter(|source| source.name == file);
        let properties: Vec<&Property> = properties.flat_map(|one| &one.properties).collect();
        let row = measure(&engine, &properties)?;
        let _ = writeln!(
            text,
            "| {name} | {} | {:.2} | {goal} | {:.2} |",
            row.words, row.cpu_seconds, row.seconds
        );
        if row.cpu_seconds > goal {
            missed.push(format!("{name} takes {:.2} CPU s, not {goal}", row.cpu_seconds));
        }
        let decided = row.tally.count(Grade::Right);
        if must_be_proved && decided < properties.len() {
            missed.push(format!("{name}: only {decided} of {} are proved", properties.len()));
        }
        if row.tally.count(Grade::Missing) + row.tally.count(Grade::Wrong) > 0 {
            missed.push(format!("{name}: {}", row.words));
        }
    }
    match missed.as_slice() {
        [] => text.push_str("\nAll goals are met.\n"),
        missed => {
            let _ = writeln!(text, "\nMissed: {}.", missed.join("; "));
        }
    }
    eprintln!("{text}");
    if options.is_whole() {
        let path = root().join("bench/results/explore-cost.md");
        let text = format!("# explore cost\n\n{}.\n\n{text}", circumstances());
        fs::write(&path, text).map_err(|error| format!("{path:?}: {error}"))?;
    }
    if options.checks && !missed.is_empty() { Err(missed.join("; ")) } else { Ok(()) }
}

/// The shortest run of some properties.
struct Row {
    words: String,
    tally: Tally,
    cpu_seconds: f64,
    seconds: f64,
}

fn measure(engine: &Engine, properties: &[&Property]) -> Result<Row, String> {
    // The first run builds what is missing.
    engine.explore(&COST, properties, SECONDS_MAX)?;
    let mut shortest: Option<Row> = None;
    for _ in 0..RUNS {
        let (before, begun) = (cpu_time_of_children(), Instant::now());
        let explored = engine.explore(&COST, properties, SECONDS_MAX)?;
        let seconds = begun.elapsed().as_secs_f64();
        let cpu_seconds = cpu_time_of_children().saturating_sub(before).as_secs_f64();
        let mut tally = Tally::default();
        let mut words = Vec::new();
        for property in properties {
            let found = explored.verdicts.get(&property.path());
            tally.add(property, found);
            let verdict = found.map_or(&Verdict::Missing, |found| &found.verdict);
            let word = format!("{verdict:?}").replace('|', "\\|").to_lowercase();
            if !words.contains(&word) {
                words.push(word);
            }
        }
        if shortest.as_ref().is_none_or(|row| cpu_seconds < row.cpu_seconds) {
            shortest = Some(Row { words: words.join(", "), tally, cpu_seconds, seconds });
        }
    }
    shortest.ok_or_else(|| "nothing was measured".to_owned())
}
