//! Runs natively what failed as WebAssembly.

use crate::exit::{Exit, Failure};
use crate::runs::cargo;
use crate::words;
use rebut_build::Module;
use rebut_concolic::{Description, Exploration};

/// What the native run of an input came to.
#[derive(Debug)]
pub(crate) enum Confirmed {
    /// It fails; what the test printed.
    Fails(String),
    /// It passes: only WebAssembly fails, where a `usize` has 32 bits.
    Passes,
}

/// Runs the input of each of these leaves.
pub(crate) fn all(
    module: &Module,
    description: &Description,
    exploration: &Exploration,
    leaves: &[usize],
) -> Result<Vec<Confirmed>, Failure> {
    let inputs = leaves.iter().filter_map(|leaf| exploration.leaves.get(*leaf));
    inputs.map(|leaf| one(module, description, &leaf.tape.to_replay_string())).collect()
}

fn one(module: &Module, description: &Description, replay: &str) -> Result<Confirmed, Failure> {
    let started = |error| Failure::new(Exit::Cargo, words::cargo_not_started(error));
    let arguments = || {
        let mut command = cargo();
        command.args(["test", "--quiet", "-p", &module.package]).args(module.target.arguments());
        command.current_dir(&module.root);
        command
    };
    let built = arguments().arg("--no-run").output().map_err(started)?;
    if !built.status.success() {
        let said = String::from_utf8_lossy(&built.stderr).into_owned();
        return Err(Failure::new(Exit::Cargo, format!("{said}{}", words::not_built())));
    }
    let mut command = arguments();
    command.args(["--", "--exact", name(&description.path), "--include-ignored"]);
    command.env("REBUT_REPLAY", replay).env("REBUT_EVENTS", "off");
    let output = command.output().map_err(started)?;
    let said = String::from_utf8_lossy(&output.stdout);
    // A failure that friendly mocks alone are to blame for is rejected, and then nothing is tested.
    if output.status.success() || said.contains("error[R003]") {
        return Ok(Confirmed::Passes);
    }
    Ok(Confirmed::Fails(report(&said)))
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
        let said = "\nrunning 1 test\nF\n\nfailures:\n\n---- a stdout ----\nerror[R001]: a fails\n\n    let x = 1;\n  replay: r1.A\n\nthread 'a' panicked\n\nfailures:\n    a\n";
        assert_eq!(report(said), "error[R001]: a fails\n\n    let x = 1;\n  replay: r1.A");
    }

    #[test]
    fn without_a_report_all_of_it_is_kept() {
        assert_eq!(report("something else"), "something else");
    }
}
