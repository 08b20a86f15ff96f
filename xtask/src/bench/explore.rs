//! `cargo xtask bench explore [attack|natural|cost|..] [--check]`: whether the verdicts of
//! exploration are right, and the costs of it.
//!
//! - `attack`: properties that are false on this platform, which nothing may call proved.
//! - `natural`: properties of published crates, most of which should be decided.
//! - `cost`: CPU seconds of small properties with a warm build.
//! - Without such a word: the engine itself, in the workspace `bench/explore`.

mod attack;
mod cost;
mod engine;
mod judge;
mod natural;
mod options;
mod plain;
mod property;
mod set;
mod verdict;

use std::process::Command;

use super::install_solvers;
use crate::{root, run as step};

/// Runs the part that the first word names.
pub(super) fn run(arguments: &[&str]) -> Result<(), String> {
    match arguments {
        ["attack", rest @ ..] => attack::run(rest),
        ["natural", rest @ ..] => natural::run(rest),
        ["cost", rest @ ..] => cost::run(rest),
        _ => measure_engine(arguments),
    }
}

/// The engine has a workspace of its own, because it compiles a compiler. It builds into the target
/// directory of the main workspace, which has that compiler already.
fn measure_engine(arguments: &[&str]) -> Result<(), String> {
    install_solvers();
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root().join("bench").join("explore"));
    if std::env::var_os("CARGO_TARGET_DIR").is_none() {
        command.env("CARGO_TARGET_DIR", root().join("target"));
    }
    command.args(["run", "--release", "--quiet", "-p", "bench-explore", "--"]);
    step(command.args(arguments))
}
