//! `cargo xtask bench explore natural`: properties of published crates.
//!
//! The rule that chose the crates is in `bench/explore/natural/README.md`. Each mark is checked
//! natively before the verdicts are compared with it: by the arguments of a failure, or by a
//! million random cases.

use std::fmt::Write as _;
use std::fs;

use super::engine::{Engine, TimedVerdict};
use super::judge::{self, Grade, Tally};
use super::options::Options;
use super::plain::Plain;
use super::property::{Property, Source, Truth, sources};
use super::set::NATURAL;
use super::verdict::Verdict;
use crate::bench::report::circumstances;
use crate::root;

/// The least size of the set. The goal asks for it.
const PROPERTIES_MIN: usize = 60;
const CRATES_MIN: usize = 20;

/// The share of properties that must be decided, in percent. It is the goal.
const DECIDED_MIN: usize = 90;

/// The seconds that one property may take: twice what a person waits for, on two processors that
/// others share.
const SECONDS_MAX: u32 = 60;

/// The crate and the number of its properties in a slice: small, and none of them takes a second.
const SLICE: (&str, usize) = ("integer_encoding", 3);

/// Measures, and writes `bench/results/explore-natural.md`.
pub(super) fn run(arguments: &[&str]) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    let sources = sources(&NATURAL.tests())?;
    let plain = Plain::build(&NATURAL, &sources)?;
    let engine = match options.only_native {
        true => None,
        false => Some(Engine::new(options.engine.as_deref(), options.is_slice)?),
    };
    let is_selected = |source: &&Source| match options.is_slice {
        true => source.name == SLICE.0,
        false => options.selects(&source.name),
    };
    let mut results = Vec::new();
    for source in sources.iter().filter(is_selected) {
        let crate_result = explore(source, &plain, engine.as_ref(), &options)?;
        eprintln!(
            "{:>12} {}: {} right, {} wrong, {} open",
            "Explored",
            source.name,
            crate_result.tally.count(Grade::Right),
            crate_result.tally.count(Grade::Wrong),
            crate_result.tally.count(Grade::Open) + crate_result.tally.count(Grade::Missing),
        );
        results.push(crate_result);
    }
    let report = Report::new(&results, &options);
    eprintln!("{}", report.text);
    if options.is_whole() {
        let path = root().join("bench/results/explore-natural.md");
        let text = format!("# explore natural\n\n{}.\n\n{}", circumstances(), report.text);
        fs::write(&path, text).map_err(|error| format!("{path:?}: {error}"))?;
    }
    let is_missed = options.checks && !report.missed.is_empty();
    if is_missed { Err(report.missed.join("; ")) } else { Ok(()) }
}

/// The properties of a crate and the verdicts on them.
#[derive(Debug, Default)]
struct CrateResult {
    name: String,
    tally: Tally,
    /// Marks that are not true.
    unconfirmed: Vec<String>,
    /// One line for each property.
    rows: Vec<String>,
    complaints: Vec<String>,
}

fn explore(
    source: &Source,
    plain: &Plain,
    engine: Option<&Engine>,
    options: &Options,
) -> Result<CrateResult, String> {
    let mut result = CrateResult { name: source.name.clone(), ..CrateResult::default() };
    let mut properties: Vec<&Property> = source.properties.iter().collect();
    if options.is_slice {
        properties = judge::shuffled(properties, options.seed).into_iter().take(SLICE.1).collect();
    }
    for property in &properties {
        result.unconfirmed.extend(unconfirmed(plain, property, options)?);
        if !judge::finds_canary(property) {
            return Err(format!("a wrong verdict on `{}` counts as right", property.path()));
        }
    }
    let Some(engine) = engine else { return Ok(result) };
    let explored = engine.explore(&NATURAL, &properties, SECONDS_MAX)?;
    for property in properties {
        let found = explored.verdicts.get(&property.path());
        result.tally.add(property, found);
        result.rows.push(row(property, found));
    }
    result.complaints = explored.complaints;
    Ok(result)
}

/// Returns why a mark is not true.
fn unconfirmed(
    plain: &Plain,
    property: &Property,
    options: &Options,
) -> Result<Option<String>, String> {
    let path = property.path();
    if let Truth::Fails { .. } = property.truth {
        let fails = plain.fails_as_marked(property)?;
        return Ok((!fails).then(|| format!("`{path}` does not fail for its arguments")));
    }
    let failure = plain.random_failure(property, options.cases)?;
    Ok(failure.map(|failure| format!("`{path}` fails: {failure}")))
}

fn row(property: &Property, found: Option<&TimedVerdict>) -> String {
    let truth = if property.fails() { "fails" } else { "holds" };
    let Some(TimedVerdict { verdict, seconds }) = found else {
        return format!("| {} | {truth} | none in time | |", property.path());
    };
    let words = match verdict {
        Verdict::Proved => "proved".to_owned(),
        Verdict::Failed => "failed".to_owned(),
        Verdict::Vacuous => "vacuous".to_owned(),
        Verdict::Missing => "none".to_owned(),
        Verdict::Held(reasons) => format!("no failure: {}", reasons.join("; ")),
        Verdict::Unknown(reasons) => format!("unknown: {}", reasons.join("; ")),
    };
    let words = words.replace('|', "\\|").replace('\n', " ");
    format!("| {} | {truth} | {words} | {seconds:.1} |", property.path())
}

/// The table of the results, and the goals that are missed.
struct Report {
    text: String,
    missed: Vec<String>,
}

impl Report {
    fn new(results: &[CrateResult], options: &Options) -> Report {
        let all = results.iter().fold(Tally::default(), |sum, one| sum.and(&one.tally));
        let mut report = Report { text: String::new(), missed: Vec::new() };
        report.write_summary(results, &all);
        report.write_details(results, &all);
        report.check(results, &all, options);
        let missed = match report.missed.as_slice() {
            [] => "All goals are met.".to_owned(),
            missed => format!("Missed: {}.", missed.join("; ")),
        };
        let _ = writeln!(report.text, "{missed}");
        report
    }

    fn write_summary(&mut self, results: &[CrateResult], all: &Tally) {
        let text = &mut self.text;
        let seconds = all.cpu_seconds();
        let _ = writeln!(
            text,
            "{} properties of {} crates: **{} decided, {} wrong**, {} undecided, {} without a verdict. \
             {seconds:.0} CPU s, {:.1} for each. `cargo xtask bench explore natural` writes this page; \
             [the rule that chose the crates](../explore/natural/README.md) was written before.\n\n\
             | crate | properties | proved | failed | undecided | no verdict | wrong | CPU s |\n\
             |---|---:|---:|---:|---:|---:|---:|---:|",
            all.count_all(),
            results.len(),
            all.count(Grade::Right),
            all.count(Grade::Wrong),
            all.count(Grade::Open),
            all.count(Grade::Missing),
            seconds / all.seconds.len().max(1) as f64,
        );
        for CrateResult { name, tally, .. } in results {
            let _ = writeln!(
                text,
                "| {name} | {} | {} | {} | {} | {} | {} | {:.1} |",
                tally.count_all(),
                tally.true_ones(Grade::Right),
                tally.false_ones(Grade::Right),
                tally.count(Grade::Open),
                tally.count(Grade::Missing),
                tally.count(Grade::Wrong),
                tally.cpu_seconds(),
            );
        }
    }

    fn write_details(&mut self, results: &[CrateResult], all: &Tally) {
        let text = &mut self.text;
        let mut list = |title: &str, lines: &[String]| {
            if !lines.is_empty() {
                let _ = writeln!(text, "\n{title}:\n");
                lines.iter().for_each(|line| text.push_str(&format!("- {line}\n")));
            }
        };
        list("Wrong verdicts", &all.wrong);
        let mut reasons: Vec<(&String, &usize)> = all.reasons.iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let reasons = reasons.into_iter().map(|(reason, count)| format!("{count}: {reason}"));
        list("Reasons for no decision", &reasons.collect::<Vec<_>>());
        let of = |field: fn(&CrateResult) -> &Vec<String>| -> Vec<String> {
            let mut lines: Vec<String> = results.iter().flat_map(field).cloned().collect();
            lines.dedup();
            lines
        };
        list("Marks that are not true", &of(|one| &one.unconfirmed));
        list("Complaints of the command", &of(|one| &one.complaints));
        text.push_str("\n| property | natively | verdict | CPU s |\n|---|---|---|---:|\n");
        for row in results.iter().flat_map(|one| &one.rows) {
            let _ = writeln!(text, "{row}");
        }
        text.push('\n');
    }

    fn check(&mut self, results: &[CrateResult], all: &Tally, options: &Options) {
        let mut goal = |is_met: bool, what: String| {
            if !is_met {
                self.missed.push(what);
            }
        };
        let unconfirmed: usize = results.iter().map(|one| one.unconfirmed.len()).sum();
        goal(unconfirmed == 0, format!("{unconfirmed} marks are not true"));
        if options.only_native {
            return;
        }
        let (wrong, count) = (all.count(Grade::Wrong), all.count_all());
        goal(wrong == 0, format!("{wrong} verdicts are wrong"));
        let decided = all.count(Grade::Right);
        let is_enough = decided * 100 >= count * DECIDED_MIN;
        goal(is_enough, format!("{decided} of {count} are decided, not {DECIDED_MIN} %"));
        if options.is_whole() {
            goal(count >= PROPERTIES_MIN, format!("only {count} properties, not {PROPERTIES_MIN}"));
            let crates = results.len();
            goal(crates >= CRATES_MIN, format!("only {crates} crates, not {CRATES_MIN}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_set_is_large_enough() {
        let sources = sources(&NATURAL.tests()).expect("properties");
        let count: usize = sources.iter().map(|source| source.properties.len()).sum();
        assert!(count >= PROPERTIES_MIN && sources.len() >= CRATES_MIN, "{count}");
        for source in &sources {
            assert!(source.properties.len() >= 3, "{}", source.name);
            let fails = source.properties.iter().any(Property::fails);
            assert!(fails, "nothing in {} is false", source.name);
        }
        assert!(sources.iter().any(|source| source.name == SLICE.0));
    }
}
