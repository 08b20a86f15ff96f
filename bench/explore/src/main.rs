//! Measures symbolic exploration: what shadows cost, how many runs there are in a second, and
//! what is found in `examples/explore`, in which every test says whether it must fail.
//!
//! Writes `results/explore.md`. With `--check`, fails if a goal is missed. Words that are no
//! options name parts: `speed`, `examples`, `solvers`; all of them if none is named, and only
//! then the table is written.

mod examples;
mod native;
mod plain;
mod report;
mod solvers;
mod speed;
mod subject;
mod tables;

use std::process::ExitCode;
use std::thread;

use bench_measure::{children_cpu_ns, own_cpu_ns};

use report::Report;

/// The stack of the thread that runs tests: more than the tests may use of it.
const STACK: usize = 64 << 20;

fn main() -> ExitCode {
    let thread = thread::Builder::new().stack_size(STACK).spawn(run);
    let result = match thread.map(thread::JoinHandle::join) {
        Ok(Ok(result)) => result,
        Ok(Err(_)) => Err("the measurement ended early".to_owned()),
        Err(error) => Err(error.to_string()),
    };
    match result {
        Ok(is_met) if is_met => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Measures what the arguments ask for; whether the goals are met, if that matters.
fn run() -> Result<bool, String> {
    let (flags, parts): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|word| word.starts_with("--"));
    let wants = |part: &str| parts.is_empty() || parts.iter().any(|word| word == part);
    let begun = load();
    let mut report = Report::default();
    if wants("speed") {
        speed::measure(&mut report)?;
    }
    if wants("examples") {
        examples::measure(&mut report)?;
    }
    if wants("solvers") {
        solvers::measure(&mut report)?;
    }
    let seconds = |ns: u64| ns as f64 / 1e9;
    report.line(&format!(
        "Load of the machine while it was measured: {begun} at first, {} at the end. The bench took \
         {:.0} CPU s, and {:.0} in builds and other processes.",
        load(),
        seconds(own_cpu_ns()),
        seconds(children_cpu_ns()),
    ));
    println!("{}", report.text);
    report.missed.iter().for_each(|miss| println!("missed: {miss}"));
    if parts.is_empty() {
        bench_driver::write_table("explore", &report.text, &report.missed)?;
    }
    let is_check = flags.iter().any(|flag| flag == "--check");
    Ok(!is_check || report.missed.is_empty())
}

/// How many processes wanted to run in the last minute.
fn load() -> String {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    load.split_whitespace().next().unwrap_or("unknown").to_owned()
}
