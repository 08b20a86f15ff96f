//! Runs the commands of rows.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::page::{Row, Step, difference};
use crate::setup;

/// How long a command may run, in seconds. A first build of the peers takes a few minutes.
const SECONDS_MAX: u32 = 900;
/// How many lines of an unexpected output are shown. Arbitrary.
const LINES_MAX: usize = 60;

/// The environment of all rows.
pub(super) struct Session {
    /// The directory with the copies of the projects.
    work: PathBuf,
    /// The directory that this workspace is built into.
    target: PathBuf,
}

impl Session {
    pub(super) fn new(work: PathBuf, target: PathBuf) -> Session {
        Session { work, target }
    }

    /// Runs the commands of a row. Returns what is wrong with the output of the first that differs.
    pub(super) fn try_row(&self, row: &Row) -> Result<(), String> {
        let project = self.work.join(&row.project);
        forget_failures(&project);
        row.steps.iter().try_for_each(|step| self.try_step(&project, step))
    }

    fn try_step(&self, project: &Path, step: &Step) -> Result<(), String> {
        let (code, output) = self.output(project, &step.command)?;
        let wrong_code = (code != step.exit_code)
            .then(|| format!("`{}` exits with {code}, expected {}", step.command, step.exit_code));
        match difference(step, &output).or(wrong_code) {
            None => Ok(()),
            Some(complaint) => Err(format!("{complaint}\n{}", tail(&output))),
        }
    }

    /// Runs a command with bash. Returns its exit code, and its standard output and error together.
    fn output(&self, project: &Path, command: &str) -> Result<(i32, String), String> {
        let mut bash = Command::new("timeout");
        let script = format!("exec 2>&1; {command}");
        bash.arg(SECONDS_MAX.to_string()).args(["bash", "-c", &script]);
        bash.current_dir(project).stdin(Stdio::null());
        clean_environment(&mut bash);
        bash.env("CARGO_TARGET_DIR", self.target.join("compat/build"))
            .env("CARGO_NET_OFFLINE", "true")
            .env("CARGO_TERM_COLOR", "never")
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only")
            .env("REBUT_SEED", "1")
            .env("PATH", self.path());
        let output = bash.output().map_err(|error| format!("cannot start bash: {error}"))?;
        let code = output.status.code().unwrap_or(-1);
        Ok((code, String::from_utf8_lossy(&output.stdout).into_owned()))
    }

    /// The search path, with `cargo-rebut` of this checkout first.
    fn path(&self) -> OsString {
        let path = setup::path();
        let own = std::iter::once(self.target.join("debug"));
        std::env::join_paths(own.chain(std::env::split_paths(&path))).unwrap_or(path)
    }
}

/// Removes the variables that change what cargo, the compiler and Rebut do.
pub(crate) fn clean_environment(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let is_ours = ["REBUT", "CARGO", "RUST", "NEXTEST"].iter().any(|at| text.starts_with(at));
        let is_kept = ["CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN"].contains(&&*text);
        let is_set_later = command.get_envs().any(|(set, _)| set == name);
        if ((is_ours && !is_kept) || text == "CI" || text == "NO_COLOR") && !is_set_later {
            command.env_remove(name);
        }
    }
}

/// Removes the failures that earlier rows have saved in a project and its members.
fn forget_failures(directory: &Path) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.ends_with(".rebut") {
            let _ = fs::remove_dir_all(&path);
        } else if path.is_dir() && !path.is_symlink() {
            forget_failures(&path);
        }
    }
}

fn tail(output: &str) -> String {
    let lines: Vec<&str> = output.lines().collect();
    let omitted = lines.len().saturating_sub(LINES_MAX);
    let shown: String =
        lines[omitted..].iter().map(|line| format!("             | {line}\n")).collect();
    if omitted > 0 { format!("             | ({omitted} lines)\n{shown}") } else { shown }
}

/// The CPU time of the processes that this one has started and waited for.
pub(crate) fn cpu_time_of_children() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in parentheses, may have spaces. The fields after it start with
    // number 3; 16 and 17 are the times of children in user and kernel mode, in ticks of 10 ms.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks = |nth: usize| fields.get(nth - 3).and_then(|field| field.parse::<u64>().ok());
    Duration::from_millis(10 * (ticks(16).unwrap_or(0) + ticks(17).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(command: &str, expected: &str, exit_code: i32) -> Step {
        Step {
            command: command.to_owned(),
            expected: vec![expected.to_owned()],
            exit_code,
            ..Step::default()
        }
    }

    #[test]
    fn commands_are_compared_with_their_output_and_exit_code() {
        let here = std::env::temp_dir();
        let session = Session::new(here.clone(), here.clone());
        let row = |steps: Vec<Step>| Row { steps, ..Row::default() };
        assert_eq!(session.try_row(&row(vec![step("echo a; echo b >&2; exit 3", "b", 3)])), Ok(()));
        let error = session.try_row(&row(vec![step("echo a", "b", 0)])).expect_err("no `b`");
        assert!(error.contains("does not print `b`") && error.contains("| a"), "{error}");
        let error = session.try_row(&row(vec![step("echo a; exit 3", "a", 0)])).expect_err("3");
        assert!(error.contains("exits with 3, expected 0"), "{error}");
        let is_offline = step("echo $CARGO_NET_OFFLINE $REBUT_SEED", "true 1", 0);
        assert_eq!(session.try_row(&row(vec![is_offline])), Ok(()));
        assert!(cpu_time_of_children() < Duration::from_secs(3600));
    }
}
