//! Everything that must hold before a change is merged.

mod forward;
mod summary;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use rebut_testkit::{SKIPPED_VARIABLE, Skipped};

use crate::clock::shown;
use crate::setup::{self, Setup};
use crate::tally::Tally;
use crate::{cargo, run as run_command, target};

/// `cargo xtask test [--fix]`.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let format: &[&str] = match arguments {
        [] => &["fmt", "--all", "--check"],
        ["--fix"] => &["fmt", "--all"],
        other => {
            return Err(format!("`test` takes `--fix` or nothing, not `{}`", other.join(" ")));
        }
    };
    let mut run = Run::default();
    let begun = Instant::now();
    run.run_steps(format);
    run.time = begun.elapsed();
    run.is_ci = rebut_testkit::is_ci(std::env::var_os("CI").as_deref());
    summary::print(&run);
    // The summary has the reason.
    if run.is_success() { Ok(()) } else { Err(String::new()) }
}

/// A run of all steps.
#[derive(Debug, Default)]
struct Run {
    setup: Setup,
    steps: Vec<Step>,
    tally: Tally,
    /// Tests that returned early.
    skipped: BTreeSet<Skipped>,
    /// Other checks that did not run; no harness counts these.
    unchecked: BTreeSet<Skipped>,
    time: Duration,
    is_ci: bool,
}

#[derive(Debug)]
struct Step {
    name: &'static str,
    time: Duration,
    result: Result<(), String>,
}

impl Run {
    /// Badly formatted code and lints end the run, because they are fixed in seconds. After a word
    /// to replace or a failed test, the run continues.
    fn run_steps(&mut self, format: &[&str]) {
        self.step("setup", |run| {
            run.setup = setup::set_up();
            Ok(())
        });
        let is_formatted = self.step("format", |_| run_command(&mut cargo(format)));
        self.step("words", |_| crate::words::run(&[]));
        self.step("house", |_| crate::house::run(&[]));
        let is_well = is_formatted && self.step("lints", |_| lint());
        if is_well {
            self.step("tests", Run::test);
            self.step("compatibility", |_| crate::compat::run_slice());
            self.step("corpus", |_| crate::corpus::run_slice());
            self.step("faults", Run::let_tests_die);
            self.step("documentation", |_| document());
            self.step("other systems", Run::lint_for_other_systems);
            self.step("packages", |_| crate::package::run(&[]));
        }
    }

    fn step(
        &mut self,
        name: &'static str,
        act: impl FnOnce(&mut Run) -> Result<(), String>,
    ) -> bool {
        eprintln!("\n{:>12} {name}", "Step");
        let begun = Instant::now();
        let result = act(self);
        let time = begun.elapsed();
        let is_well = result.is_ok();
        eprintln!("{:>12} {name} [{}]", if is_well { "Finished" } else { "Failed" }, shown(time));
        self.steps.push(Step { name, time, result });
        is_well
    }

    /// All tests, also after some have failed, and without a network.
    fn test(&mut self) -> Result<(), String> {
        let skipped = skipped_file();
        let _ = std::fs::remove_file(&skipped);
        let mut command = cargo(&["test", "--workspace", "--all-features", "--no-fail-fast"]);
        command.envs(setup::environment()).env(SKIPPED_VARIABLE, &skipped);
        let result = forward::run(&mut command, &mut std::io::stdout(), &mut self.tally);
        let lines = std::fs::read_to_string(&skipped).unwrap_or_default();
        self.skipped = lines.lines().filter_map(Skipped::from_line).collect();
        result
    }

    /// Some ways to die.
    fn let_tests_die(&mut self) -> Result<(), String> {
        if !crate::faults::has_nextest() {
            self.unchecked.insert(Skipped {
                tool: "cargo-nextest".to_owned(),
                suite: "xtask::faults".to_owned(),
                test: "ways to die under nextest".to_owned(),
                details: "it is not installed".to_owned(),
            });
        }
        crate::faults::run_slice()
    }

    /// The library, for the systems that this one is not.
    fn lint_for_other_systems(&mut self) -> Result<(), String> {
        for (target, details) in crate::platforms::lint_library()? {
            self.unchecked.insert(Skipped {
                tool: format!("the standard library of {target}"),
                suite: "xtask::platforms".to_owned(),
                test: format!("lints for {target}"),
                details,
            });
        }
        Ok(())
    }

    /// Whether everything ran.
    fn is_complete(&self) -> bool {
        let mut ignored = summary::ignored(&self.tally);
        self.skipped.is_empty() && self.unchecked.is_empty() && ignored.next().is_none()
    }

    fn is_success(&self) -> bool {
        self.steps.iter().all(|step| step.result.is_ok()) && (self.is_complete() || !self.is_ci)
    }
}

/// Where tests that do not run leave a line.
fn skipped_file() -> PathBuf {
    target().join("skipped-tests")
}

fn lint() -> Result<(), String> {
    let what = ["clippy", "--workspace", "--all-targets", "--all-features", "--quiet"];
    run_command(cargo(&what).args(["--", "--deny", "warnings"]))
}

fn document() -> Result<(), String> {
    let what = ["doc", "--workspace", "--no-deps", "--all-features", "--quiet"];
    let mut command: Command = cargo(&what);
    run_command(command.env("RUSTDOCFLAGS", "-D warnings"))
}
