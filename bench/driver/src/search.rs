//! Targeted search: tests to a failure, what is reached, and what a search costs, beside what
//! PropEr, the tool of the papers, was measured to need.

mod figure;

mod goals;

mod proper;

mod table;

use std::process::{Command, Stdio};

use figure::Figures;

use crate::goals::Verdict;
use crate::options::{Bench, Options};
use crate::place::Place;

/// Runs all problems; the tables and the verdict.
pub(crate) fn measure(place: &Place, options: &Options) -> Result<(String, Verdict), String> {
    let seeds = options.seeds(Bench::Search);
    eprintln!("    Measuring search under {seeds} seeds; this takes a while");
    let binary = place.target().join("release").join("rebut-search-bench");
    let mut ours = Command::new(binary);
    ours.args(["--seeds", &seeds.to_string()]);
    let ours = Figures::read(&lines(&mut ours)?)?;
    let here = match options.runs_proper {
        true => Some(proper::measure(place)?),
        false => None,
    };
    Ok((table::render(seeds, &ours, here.as_ref()), goals::check(&ours)))
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
