//! Measures generated programs: how often they find the bugs of the bounded stack and how fast
//! they run, then each bug of `examples/contracts` under 20 seeds: CPU time until it is found
//! and shrunk, and how many statements are left.
//!
//! Writes `results/programs.md`. With `--check`, fails if a goal is missed.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use bench_measure::own_cpu_ns;
use rebut::choice::{Drive, Random};
use rebut::{Check, Counterexample, Generate, Program, Source, Subject, Verdict};
use rebut_contract_examples::stack::{capacity, observer, reentrant, repaired};
use rebut_contract_examples::{editor, lru, observers, tree};

const PROGRAMS: u64 = 20_000;
const SEEDS: u64 = 20;
const CPU_MAX_S: f64 = 5.0;
const SPEED_MIN: f64 = 50_000.0;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|_| {}));
    let mut report = Report::default();
    rates(&mut report);
    stories(&mut report);
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
/// cases, which are small.
fn rate<S: Subject + ?Sized + 'static>() -> Rate {
    let mut failures = 0;
    let mut random = Box::new(Random::new(1));
    let mut source = Source::new(Drive::Simplest);
    let begun = own_cpu_ns();
    for case in 0..PROGRAMS {
        random.reset(1, case + 1000);
        source.begin(Drive::Random(random));
        let program = Program::<S>::generate(&mut source);
        failures += u64::from(catch_unwind(AssertUnwindSafe(|| program.run())).is_err());
        random = match source.finish() {
            Drive::Random(random) => random,
            _ => Box::new(Random::new(1)),
        };
    }
    let seconds = (own_cpu_ns() - begun) as f64 / 1e9;
    Rate { failures, per_cpu_s: PROGRAMS as f64 / seconds }
}

fn rates(report: &mut Report) {
    report.line("20,000 programs of at most 10 statements about each bounded stack, at the default settings; without the runner.\n");
    report.line("| stack | found | goal | programs per CPU s |");
    report.line("| --- | ---: | ---: | ---: |");
    let stacks = [
        ("bug 1: capacity is one too many", rate::<capacity::BoundedStack>(), Some(12)),
        ("bug 2: observers without a contract", rate::<observer::BoundedStack>(), Some(100)),
        ("bug 3: push in push_n", rate::<reentrant::BoundedStack>(), Some(200)),
        ("repaired", rate::<repaired::BoundedStack>(), None),
    ];
    for (name, rate, goal) in stacks {
        let found = match rate.failures {
            0 => "never".to_owned(),
            failures => format!("1 in {:.1}", PROGRAMS as f64 / failures as f64),
        };
        let wanted = goal.map_or("never".to_owned(), |goal| format!("1 in {goal}"));
        report.line(&format!("| {name} | {found} | {wanted} | {:.0} |", rate.per_cpu_s));
        let is_met = match goal {
            Some(goal) => rate.failures * goal >= PROGRAMS,
            None => rate.failures == 0,
        };
        report.goal(is_met, format!("{name}: {found}, {wanted} wanted"));
        if goal.is_none() {
            let speed = rate.per_cpu_s;
            report.goal(speed >= SPEED_MIN, format!("{speed:.0} programs per CPU s, 50,000 wanted"));
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
    story::<observer::BoundedStack>(report, &[bug("stack, bug 2", "ensures `!self.is_empty()`", 4)]);
    story::<reentrant::BoundedStack>(report, &[bug("stack, bug 3", "blame: `BoundedStack::push_n`", 5)]);
    story::<observers::Events>(report, &[bug("observers", "who subscribed is told", 4)]);
    story::<lru::Lru>(report, &[bug("cache", "self.len() <= self.capacity", 5)]);
    story::<tree::Tree>(report, &[bug("tree", "the key is in the leaf", 6)]);
    story::<editor::Editor>(
        report,
        &[
            bug("editor: documentation", "`Editor::is_empty` ensures", 3),
            bug("editor: first order", "a character before the position", 2),
            bug("editor: dependence on a default", "there is a keymap", 2),
            bug("editor: missing pre-condition", "blame: `Editor::clear`", 3),
            bug("editor: should be final", "blame: `Editor::undo`", 2),
            bug("editor: flags while it is made", "the len is 0 but the index is 0", 2),
        ],
    );
}

fn story<S: Subject + ?Sized + 'static>(report: &mut Report, bugs: &[Bug]) {
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

fn failures<S: Subject + ?Sized + 'static>(seed: u64, most: usize) -> Vec<Counterexample> {
    let check = Check::new("program").seed(seed).cases(5000);
    let check = check.configure(|settings| settings.failures_max = most);
    let run = check.run(|case| case.draw_as("program", rebut::any::<Program<S>>()).run());
    match run.verdict {
        Verdict::Fails(found) => found,
        _ => Vec::new(),
    }
}

/// How many calls a printed program has, those in bodies included.
fn statements(code: &str) -> usize {
    let is_call = |line: &&str| {
        let is_fuel = line.starts_with("self.fuel") || line.contains("fuel.set(");
        let is_other = ["let fuel", "return", "if ", "struct "].iter().any(|word| line.starts_with(word));
        let is_closing = line.starts_with('}') && line.ends_with(");") && line.len() > 2;
        !is_fuel && !is_other && line.ends_with(';') && (line.contains('(') || is_closing)
    };
    code.lines().map(str::trim).filter(is_call).filter(|line| *line != "});").count()
}
