//! Measurements against peers. They are in a workspace of their own, `bench/`.

mod explore;
mod infer;
mod report;

use std::process::Command;

use crate::setup::python;
use crate::{root, run as step};

/// `cargo xtask bench NAME [--check] ..`: all that follows goes to the driver.
pub(crate) fn run(name: &str, arguments: &[&str]) -> Result<(), String> {
    match name {
        "report" => return report::run(arguments),
        "infer" => return infer::run(arguments),
        "programs" => return programs(arguments),
        "explore" => return explore::run(arguments),
        "build" | "search" => {}
        "solve" => install_solvers(),
        _ => install_hypothesis()?,
    }
    let directory = root().join("bench");
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(directory).args([
        "run",
        "--release",
        "--quiet",
        "-p",
        "bench-driver",
        "--",
    ]);
    step(command.arg(name).args(arguments))
}

/// Generated programs have a binary of their own, because the peers of the others generate none.
fn programs(arguments: &[&str]) -> Result<(), String> {
    if let Err(why) = install_hypothesis() {
        eprintln!("warning: skipping Hypothesis: {why}");
    }
    let directory = root().join("bench");
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(directory).args([
        "run",
        "--release",
        "--quiet",
        "-p",
        "bench-programs",
        "--",
    ]);
    step(command.args(arguments))
}

/// Hypothesis is a peer too. It is in a virtual environment next to the benches.
fn install_hypothesis() -> Result<(), String> {
    install("hypothesis", "hypothesis/requirements.txt")
}

/// Solvers are measured next to the input language if they are installed. Without them, it is
/// measured alone.
fn install_solvers() {
    if let Err(why) = install("z3", "solve/requirements.txt") {
        eprintln!("warning: no solvers to compare with: {why}");
    }
}

fn install(program: &str, requirements: &str) -> Result<(), String> {
    python::install_unless(program, &root().join("bench").join(requirements))
}
