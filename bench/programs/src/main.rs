//! Measures generated programs: how often they find the bugs of the bounded stack and how fast
//! they run, then each bug of `examples/contracts` under 20 seeds: CPU time until it is found
//! and shrunk, and how many statements are left. Then others on the bounded stack.
//!
//! Writes `results/programs.md`. With `--check`, fails if a goal is missed. With `--everyday`, only
//! measures the planted bugs of `everyday.rs` and writes nothing; with `--rates`, the same for the
//! bounded stacks.

mod everyday;
mod peers;

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use bench_measure::own_cpu_ns;
use rebut::choice::{AnyDriver, Random};
use rebut::report::{Counterexample, FoundBy, Verdict};
use rebut::generators::Programs;
use rebut::{Check, Contracted, Generator, Program, Source};
use rebut_contract_examples::stack::{capacity, observer, reentrant, repaired};
use rebut_contract_examples::{bitset, editor, lru, observers, queue, tree};

use self::peers::Row;

const PROGRAMS: u64 = 20_000;
const BLOCKS: u64 = 10;
const REPEATS: u64 = 7;
const SEEDS: u64 = 20;
const CPU_MAX_S: f64 = 5.0;
const SPEED_MIN: f64 = 50_000.0;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|_| {}));
    let mut report = Report::default();
    if std::env::args().any(|argument| argument == "--everyday") {
        // Only what is quick to measure while the generator changes. Writes no results.
        everyday::measure(&mut report);
        println!("{}", report.text);
        return ExitCode::SUCCESS;
    }
    rates(&mut report);
    if std::env::args().any(|argument| argument == "--rates") {
        println!("{}", report.text);
        return ExitCode::SUCCESS;
    }
    stories(&mut report);
    everyday::measure(&mut report);
    beside(&mut report);
    let is_check = std::env::args().any(|argument| argument == "--check");
    println!("{}", report.text);
    for miss in &report.missed {
        println!("missed: {miss}");
    }
    if let Err(error) = bench_driver::write_table("programs", &report.text, &report.missed) {
        eprintln!("error: {error}");
        return ExitCode::from(2);
    }
    if is_check && !report.missed.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

#[derive(Default)]
struct Report {
    text: String,
    missed: Vec<String>,
}

impl Report {
    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn goal(&mut self, is_met: bool, what: String) {
        if !is_met {
            self.missed.push(what);
        }
    }
}

/// What came of many programs.
struct Rate {
    failures: u64,
    per_cpu_s: f64,
}

/// Programs of one subject, drawn and run one after the other as a run does after its first
/// cases, which are small. Each block of them is run several times, and the shortest time counts:
/// others who use the machine make CPU time longer too, by way of its caches.
fn rate<S: Contracted + ?Sized + 'static>(programs: &Programs<S>) -> Rate {
    let size = PROGRAMS / BLOCKS;
    let (mut failures, mut seconds) = (0, 0.0);
    for nth in 0..BLOCKS {
        let repeats: Vec<Rate> =
            (0..REPEATS).map(|_| block(programs, nth * size..(nth + 1) * size)).collect();
        let fastest = repeats.iter().map(|rate| rate.per_cpu_s).fold(0.0, f64::max);
        failures += repeats[0].failures;
        seconds += size as f64 / fastest;
    }
    Rate { failures, per_cpu_s: PROGRAMS as f64 / seconds }
}

fn block<S: Contracted + ?Sized + 'static>(
    generator: &Programs<S>,
    cases: std::ops::Range<u64>,
) -> Rate {
    let mut failures = 0;
    let mut random = Box::new(Random::new(1));
    let mut source = Source::new(AnyDriver::Simplest);
    let programs = cases.end - cases.start;
    let begun = own_cpu_ns();
    for case in cases {
        random.reset(1, case + 1000);
        source.begin(AnyDriver::Random(random));
        let program = generator.draw(&mut source);
        failures += u64::from(catch_unwind(AssertUnwindSafe(|| program.run())).is_err());
        random = match source.finish() {
            AnyDriver::Random(random) => random,
            _ => Box::new(Random::new(1)),
        };
    }
    let seconds = (own_cpu_ns() - begun) as f64 / 1e9;
    Rate { failures, per_cpu_s: programs as f64 / seconds }
}

/// The rates of a subject with programs of at most 10 statements, and with programs of default sizes.
fn both_rates<S: Contracted + ?Sized + 'static>() -> [Rate; 2] {
    [rate(&Program::<S>::any().max_size(10)), rate(&Program::<S>::any())]
}

fn rates(report: &mut Report) {
    report.line("20,000 programs about each bounded stack, without the runner: first of at most 10 statements, then of the default sizes. Each block of 2,000 is run seven times, and its shortest time counts.\n");
    report.line("| stack | found, at most 10 | goal | programs per CPU s | found, default sizes | programs per CPU s |");
    report.line("| --- | ---: | ---: | ---: | ---: | ---: |");
    let stacks = [
        ("bug 1: capacity is one too many", both_rates::<capacity::BoundedStack>(), Some(12)),
        ("bug 2: observers without a contract", both_rates::<observer::BoundedStack>(), Some(100)),
        ("bug 3: push in push_n", both_rates::<reentrant::BoundedStack>(), Some(200)),
        ("repaired", both_rates::<repaired::BoundedStack>(), None),
    ];
    for (name, [short, any], goal) in stacks {
        let found = |rate: &Rate| match rate.failures {
            0 => "never".to_owned(),
            failures => format!("1 in {:.1}", PROGRAMS as f64 / failures as f64),
        };
        let wanted = goal.map_or("never".to_owned(), |goal| format!("1 in {goal}"));
        report.line(&format!(
            "| {name} | {} | {wanted} | {:.0} | {} | {:.0} |",
            found(&short),
            short.per_cpu_s,
            found(&any),
            any.per_cpu_s
        ));
        for (rate, size) in [(&short, "at most 10 statements"), (&any, "default sizes")] {
            let is_met = match goal {
                Some(goal) => rate.failures * goal >= PROGRAMS,
                None => rate.failures == 0,
            };
            report.goal(is_met, format!("{name}, {size}: {}, {wanted} wanted", found(rate)));
        }
        if goal.is_none() {
            let speed = short.per_cpu_s;
            report
                .goal(speed >= SPEED_MIN, format!("{speed:.0} programs per CPU s, 50,000 wanted"));
        }
    }
    report.line("");
}

/// One bug: what its failure says, and the statements of the smallest program by hand.
struct Bug {
    name: &'static str,
    said: &'static str,
    least: usize,
}

fn stories(report: &mut Report) {
    report.line("Every bug under 20 seeds, with the runner, until it is found and shrunk. The editor has six bugs, which one or a few runs find together: its CPU time is that of these runs.\n");
    report.line("| bug | found | worst CPU s | statements left, worst | by hand |");
    report.line("| --- | ---: | ---: | ---: | ---: |");
    let bug = |name, said, least| Bug { name, said, least };
    story::<capacity::BoundedStack>(report, &[bug("stack, bug 1", "index out of bounds", 3)]);
    story::<observer::BoundedStack>(
        report,
        &[bug("stack, bug 2", "ensures `!self.is_empty()`", 4)],
    );
    story::<reentrant::BoundedStack>(
        report,
        &[bug("stack, bug 3", "at fault: `BoundedStack::push_n`", 5)],
    );
    story::<observers::Events>(report, &[bug("observers", "every subscriber is notified", 4)]);
    story::<lru::Lru>(report, &[bug("cache", "self.len() <= self.capacity", 5)]);
    story::<tree::Tree>(report, &[bug("tree", "the key is in the leaf", 6)]);
    story::<bitset::BitSet>(report, &[bug("bit set, by its model", "broken model", 3)]);
    story::<queue::Machine>(
        report,
        &[bug("queue, a state machine", "assertion `left == right`", 8)],
    );
    story::<editor::Editor>(
        report,
        &[
            bug("editor: documentation", "`Editor::is_empty` ensures", 3),
            bug("editor: first order", "a character before the position", 2),
            bug("editor: dependence on a default", "there is a keymap", 2),
            bug("editor: missing pre-condition", "at fault: `Editor::clear`", 3),
            bug("editor: should be final", "at fault: `Editor::undo`", 2),
            bug("editor: flags while it is made", "the len is 0 but the index is 0", 2),
        ],
    );
}

fn story<S: Contracted + ?Sized + 'static>(report: &mut Report, bugs: &[Bug]) {
    let mut worst_cpu = 0.0f64;
    let mut found = vec![(0u64, 0usize); bugs.len()];
    for seed in 0..SEEDS {
        let begun = own_cpu_ns();
        let seconds = || (own_cpu_ns() - begun) as f64 / 1e9;
        let mut left: Vec<Option<usize>> = vec![None; bugs.len()];
        // A run ends soon after its first failures: with several bugs, another one begins.
        for run in 0.. {
            let failures = failures::<S>(seed + 1000 * run, bugs.len());
            for (bug, left) in bugs.iter().zip(&mut left) {
                let said = |failure: &&Counterexample| failure.failure.message.contains(bug.said);
                let failure = failures.iter().find(said);
                *left = left.or(failure.map(|failure| statements(&failure.values[0].code)));
            }
            if left.iter().all(Option::is_some) || seconds() > CPU_MAX_S {
                break;
            }
        }
        worst_cpu = worst_cpu.max(seconds());
        for (left, (count, worst)) in left.into_iter().zip(&mut found) {
            *count += u64::from(left.is_some());
            *worst = (*worst).max(left.unwrap_or(0));
        }
    }
    for (bug, (count, worst)) in bugs.iter().zip(found) {
        let Bug { name, least, .. } = bug;
        report.line(&format!("| {name} | {count}/{SEEDS} | {worst_cpu:.2} | {worst} | {least} |"));
        report.goal(count == SEEDS, format!("{name}: found under {count} of {SEEDS} seeds"));
        report.goal(worst_cpu <= CPU_MAX_S, format!("{name}: {worst_cpu:.2} CPU s"));
        report.goal(worst <= least + 1, format!("{name}: {worst} statements, {least} by hand"));
    }
}

fn failures<S: Contracted + ?Sized + 'static>(seed: u64, most: usize) -> Vec<Counterexample> {
    let check = Check::new("program").seed(seed).cases(5000);
    let check = check.configure(|settings| settings.failures_max = most);
    let run = check.run(|case| case.draw_as("program", rebut::any::<Program<S>>()).run());
    match run.verdict {
        Verdict::Failed(found) => found,
        _ => Vec::new(),
    }
}

/// Others on the bounded stack.
fn beside(report: &mut Report) {
    report.line(&format!(
        "\nOthers on the bounded stack, each with programs of at most 10 steps. A state machine of \
         theirs is written by hand: plain, with the methods as they are and observers that do \
         nothing; and by someone who knows the bugs, with a step `push_n(capacity())` and observers \
         that pop or push. Steps are theirs, the bodies of observers not counted. Rebut is run under \
         {SEEDS} seeds with its runner, as is proptest-state-machine; Hypothesis under 5 seeds with \
         at most 500 programs each, the others with at most 5,000.\n"
    ));
    report.line("| tool | written | bug | found | programs until found, mean | worst CPU s | steps left, worst |");
    report.line("| --- | --- | --- | ---: | ---: | ---: | ---: |");
    let ours = [
        row::<capacity::BoundedStack>(1),
        row::<observer::BoundedStack>(2),
        row::<reentrant::BoundedStack>(3),
    ];
    ours.iter().for_each(|row| report.line(&line("Rebut", "the contract", row)));
    let written = |row: &Row| if row.by_hand { "by one who knows" } else { "plain" };
    for row in peers::proptest(SEEDS) {
        report.line(&line("proptest-state-machine 0.9.0", written(&row), &row));
    }
    match peers::hypothesis() {
        Ok((version, rows)) => {
            let tool = format!("Hypothesis {version}");
            rows.iter().for_each(|row| report.line(&line(&tool, written(row), row)));
        }
        Err(why) => {
            let first = why.lines().next().unwrap_or_default();
            report.line(&format!("\nHypothesis could not be run: {first}"));
        }
    }
    report.line("");
}

fn line(tool: &str, written: &str, row: &Row) -> String {
    let Row { bug, found, seeds, programs, worst_cpu_s, steps, .. } = row;
    let mean = match programs.is_empty() {
        true => "-".to_owned(),
        false => format!("{:.0}", programs.iter().sum::<u64>() as f64 / programs.len() as f64),
    };
    let steps = if *found == 0 { "-".to_owned() } else { steps.to_string() };
    format!(
        "| {tool} | {written} | {bug} | {found}/{seeds} | {mean} | {worst_cpu_s:.2} | {steps} |"
    )
}

/// Ours, with the runner.
fn row<S: Contracted + ?Sized + 'static>(bug: u64) -> Row {
    let mut row = Row { bug, seeds: SEEDS, ..Row::default() };
    for seed in 0..SEEDS {
        let begun = own_cpu_ns();
        let failures = failures::<S>(seed, 1);
        row.worst_cpu_s = row.worst_cpu_s.max((own_cpu_ns() - begun) as f64 / 1e9);
        if let Some(failure) = failures.first() {
            row.found += 1;
            row.steps = row.steps.max(statements(&failure.values[0].code) as u64);
            if let FoundBy::Random(case) = failure.found_by {
                row.programs.push(case);
            }
        }
    }
    row
}

/// How many calls a printed program has, those in bodies included.
fn statements(code: &str) -> usize {
    let is_call = |line: &&str| {
        let is_fuel = line.starts_with("self.fuel") || line.contains("fuel.set(");
        let is_other =
            ["let fuel", "return", "if ", "struct "].iter().any(|word| line.starts_with(word));
        // What is done with the model is part of the statement before.
        let is_model = line.contains("_model = ")
            || line.contains("_model: ")
            || line.starts_with("assert!(")
            || line.split('.').next().is_some_and(|word| word.ends_with("_model"));
        let is_closing = line.starts_with('}') && line.ends_with(");") && line.len() > 2;
        !is_fuel
            && !is_other
            && !is_model
            && line.ends_with(';')
            && (line.contains('(') || is_closing)
    };
    code.lines().map(str::trim).filter(is_call).filter(|line| *line != "});").count()
}
