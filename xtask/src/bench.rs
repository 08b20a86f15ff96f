//! Measurements against peers. They live in a workspace of their own, `bench/`.

mod report;

use std::process::Command;

use crate::{root, run as step};

/// `cargo xtask bench NAME [--check] ..`: all that follows goes to the driver.
pub(crate) fn run(name: &str, arguments: &[&str]) -> Result<(), String> {
    if name == "report" {
        return report::run(arguments);
    }
    if name != "search" {
        install_hypothesis()?;
    }
    let folder = root().join("bench");
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(folder).args(["run", "--release", "--quiet", "-p", "bench-driver", "--"]);
    step(command.arg(name).args(arguments))
}

/// Hypothesis is a peer too; it comes from a virtual environment beside the benches.
fn install_hypothesis() -> Result<(), String> {
    let folder = root().join("bench");
    if folder.join(".venv").join("bin").join("python").exists() {
        return Ok(());
    }
    step(Command::new("python3").current_dir(&folder).args(["-m", "venv", ".venv"]))?;
    let requirements = ["-m", "pip", "install", "--quiet", "-r", "hypothesis/requirements.txt"];
    step(Command::new(folder.join(".venv/bin/python")).current_dir(&folder).args(requirements))
}
