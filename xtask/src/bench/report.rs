//! `cargo xtask bench report`: the report of 100,000 events.

use std::process::{Command, Stdio};

use crate::{cargo, root};

/// Runs the measurement and writes its table to `bench/results/report.md`.
pub(super) fn run(arguments: &[&str]) -> Result<(), String> {
    if let Some(other) = arguments.iter().find(|argument| **argument != "--check") {
        return Err(format!("`bench report` takes `--check` or nothing, not `{other}`"));
    }
    let mut measure =
        cargo(&["run", "--release", "--quiet", "-p", "rebut-report", "--example", "measure", "--"]);
    let output = measure.args(arguments).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cannot start cargo: {error}"))?;
    let table = String::from_utf8_lossy(&output.stdout);
    eprintln!("{table}");
    if table.contains("\nreport: ") {
        let path = root().join("bench/results/report.md");
        let text = format!("# report\n\n{}.\n\n{}\n", circumstances(), table.trim_end());
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    if output.status.success() { Ok(()) } else { Err("the bench failed".to_owned()) }
}

/// Machine, compiler, commit and date, as the other tables have them.
pub(super) fn circumstances() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name"));
    let model = model.and_then(|line| line.split_once(':')).map(|(_, model)| model.trim());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let changes = output(&["git", "status", "--porcelain"]);
    let changed = if changes.is_empty() { "" } else { " with uncommitted changes" };
    format!(
        "{}, {cores} cores, {}, commit {}{changed}, {}",
        model.unwrap_or(std::env::consts::ARCH),
        output(&["rustc", "--version"]),
        output(&["git", "rev-parse", "--short", "HEAD"]),
        output(&["date", "-u", "+%Y-%m-%d"]),
    )
}

/// The output of a command; empty if it cannot be run.
fn output(words: &[&str]) -> String {
    let output = Command::new(words[0]).args(&words[1..]).current_dir(root()).output();
    output
        .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        .unwrap_or_default()
}
