//! Runs natively what failed as WebAssembly.

use crate::words;
use rebut_build::Module;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::runs::cargo;
use rebut_cli::{block, color};
use rebut_concolic::{Description, Exploration};

/// What the native run of an input came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Confirmed {
    /// It fails; what the test printed.
    Fails(String),
    /// It passes: only WebAssembly fails, where a `usize` has 32 bits.
    Passes,
    /// The property does not speak of this input; why.
    Rejected(String),
}

/// How many inputs with one failure are run before it is taken to be that of WebAssembly alone.
const TRIES: usize = 8;

/// Runs the input of each of these leaves; if it does not fail, those of others that failed in
/// the same way.
pub(crate) fn all(
    module: &Module,
    description: &Description,
    exploration: &Exploration,
    leaves: &[usize],
) -> Result<Vec<Confirmed>, Failure> {
    let mut confirmed = Vec::new();
    for first in leaves {
        let mut came_of_it = None;
        for replay in alike(exploration, *first) {
            let this = one(module, description, &replay)?;
            let is_failure = matches!(this, Confirmed::Fails(_));
            if is_failure || came_of_it.is_none() {
                came_of_it = Some(this);
            }
            if is_failure {
                break;
            }
        }
        confirmed.extend(came_of_it);
    }
    Ok(confirmed)
}

/// The input of a leaf, and some of those that ended in the same way.
fn alike(exploration: &Exploration, first: usize) -> Vec<String> {
    let Some(leaf) = exploration.leaves.get(first) else { return Vec::new() };
    let others = exploration
        .leaves
        .iter()
        .enumerate()
        .filter(|(place, other)| *place != first && other.outcome == leaf.outcome);
    let others = others.map(|(_, other)| other).take(TRIES - 1);
    [leaf].into_iter().chain(others).map(|leaf| leaf.tape.to_replay_string()).collect()
}

fn one(module: &Module, description: &Description, replay: &str) -> Result<Confirmed, Failure> {
    let started = |error| Failure::new(Exit::MissingTool, words::cargo_not_started(error));
    let arguments = || {
        let mut command = cargo();
        command.args(["test", "--quiet", "-p", &module.package]).args(module.target.arguments());
        command.current_dir(&module.root);
        command
    };
    let built = arguments().arg("--no-run").output().map_err(started)?;
    if !built.status.success() {
        let said = String::from_utf8_lossy(&built.stderr).into_owned();
        return Err(Failure::new(Exit::Build, format!("{said}{}", words::not_built())));
    }
    let mut command = arguments();
    command.args(["--", "--exact", name(&description.path), "--include-ignored"]);
    command.env("REBUT_REPLAY", replay).env("REBUT_FOUND_BY", "exploration");
    color::pass_on(command.env("REBUT_EVENTS", "off"), false);
    let output = command.output().map_err(started)?;
    if output.status.success() {
        return Ok(Confirmed::Passes);
    }
    Ok(judged(&String::from_utf8_lossy(&output.stdout)))
}

/// What a test that did not succeed says. One case alone may be rejected (R003), or not cover
/// what all of them together do (R007); neither is a failure of that case.
fn judged(said: &str) -> Confirmed {
    let report = report(said);
    match block::code(&report) {
        Some("R003") => Confirmed::Rejected(reason(&report)),
        Some("R007") => Confirmed::Passes,
        _ => Confirmed::Fails(report),
    }
}

/// Why a report says that the only case was rejected: the text in quotes after "by".
fn reason(report: &str) -> String {
    let quoted = report.lines().find_map(|line| line.split_once(" by `")?.1.strip_suffix('`'));
    quoted.unwrap_or("the test rejects this input").to_owned()
}

/// What a test is called on the command line of its harness.
fn name(path: &str) -> &str {
    path.split_once("::").map_or(path, |(_, test)| test)
}

/// The report of Rebut in what a harness printed: from its first line to the empty line before
/// the harness goes on.
fn report(said: &str) -> String {
    let lines = said.lines().skip_while(|line| !line.starts_with("error["));
    let until = lines.take_while(|line| {
        !line.starts_with("failures:")
            && !line.starts_with("thread '")
            && !line.starts_with("note: run with `RUST_BACKTRACE")
    });
    let text = until.collect::<Vec<_>>().join("\n");
    if text.trim().is_empty() { said.to_owned() } else { text.trim_end().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_is_found_in_what_the_harness_prints() {
        let said = "\nrunning 1 test\nF\n\nfailures:\n\n---- a stdout ----\nerror[R001]: `a` failed\n\n    let x = 1;\n\n  replay:   r1.A\n\nthread 'a' panicked\n\nfailures:\n    a\n";
        assert_eq!(report(said), "error[R001]: `a` failed\n\n    let x = 1;\n\n  replay:   r1.A");
    }

    #[test]
    fn a_case_that_is_rejected_does_not_fail() {
        let said = "error[R003]: `a` rejected every input\n  --> src/lib.rs:3:4\n\n  the input was rejected by `n > 3`\n  help: weaken the assumption\n";
        assert_eq!(judged(said), Confirmed::Rejected("n > 3".to_owned()));
        let said = "error[R007]: `a` does not reach its `cover!` target\n";
        assert_eq!(judged(said), Confirmed::Passes);
        let said = "error[R001]: `a` failed";
        assert_eq!(judged(said), Confirmed::Fails(said.to_owned()));
    }

    #[test]
    fn without_a_report_all_of_it_is_kept() {
        assert_eq!(report("something else"), "something else");
    }
}
