//! The input language: the queries of its paper beside solvers, programs that couple
//! variables, and its stories of bugs and of coverage.

mod figure;

mod goals;

mod table;

use std::process::{Command, Stdio};

use figure::Figures;

use crate::goals::Verdict;
use crate::options::{Bench, Options};
use crate::place::Place;

/// Runs all parts; the tables and the verdict.
pub(crate) fn measure(place: &Place, options: &Options) -> Result<(String, Verdict), String> {
    let binary = place.target().join("release").join("rebut-solve-bench");
    let mut ours = Command::new(binary);
    ours.args(["paper", "coupled", "colon", "validators", "--seeds"]);
    ours.arg(options.seeds(Bench::Solve).to_string());
    let bin = place.join(".venv/bin");
    let z3 = bin.join("z3");
    if z3.exists() {
        ours.arg("--z3").arg(format!("{} -in -smt2", z3.display()));
    }
    eprintln!("    Measuring the input language");
    let mut text = lines(&mut ours)?;
    if z3.exists() {
        eprintln!("    Measuring solvers; this takes some minutes");
        let script = place.join("solve/peers.py");
        text += &lines(Command::new(bin.join("python")).arg(script))?;
    } else {
        eprintln!("    No solver is installed: `cargo xtask bench solve` installs them");
    }
    let figures = Figures::read(&text)?;
    Ok((table::render(&figures), goals::check(&figures)))
}

/// Runs a command, whose progress is shown, and gives back what it printed.
fn lines(command: &mut Command) -> Result<String, String> {
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?} ended with {}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
