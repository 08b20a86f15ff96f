//! Parses and runs the commands of pages, and formats their output.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The directory in which the commands of pages seem to run.
const PRETENDED: &str = "/home/me/demo";

/// The exit code for a missing compiler for WebAssembly.
const NO_COMPILER: i32 = 6;

/// The commands that the second binary runs.
const ENGINES: [&str; 3] = ["explore", "generalize", "infer"];

/// Splits a command into its variables and its words.
pub(crate) fn parts(command: &str) -> (Vec<(&str, &str)>, Vec<String>) {
    let mut rest = command;
    let mut variables = Vec::new();
    while let Some((first, following)) = rest.split_once(' ') {
        let Some((name, value)) = first.split_once('=') else { break };
        variables.push((name, value));
        rest = following;
    }
    (variables, words(rest))
}

/// The words of a command; a word with spaces is in quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (part, is_quoted) in command.split('"').zip([false, true].into_iter().cycle()) {
        if is_quoted {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// Runs the commands of a page.
#[derive(Debug)]
pub(crate) struct Shell {
    /// The directory of the crate.
    pub(crate) home: PathBuf,
    /// Its target directory.
    pub(crate) target: PathBuf,
}

impl Shell {
    /// A shell in a directory for tests. Crates are built in the directory in which the tests of
    /// `rebut` build the same dependencies.
    pub(crate) fn new(name: &str) -> Shell {
        let below = Path::new(env!("CARGO_TARGET_TMPDIR"));
        Shell {
            home: below.join("documents").join(name),
            target: below.join("fixture").join("target"),
        }
    }

    /// A program in the directory of the crate.
    pub(crate) fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        rebut_testkit::clean(&mut command);
        command.env_remove("UPDATE_EXPECT");
        command.current_dir(&self.home).stdin(Stdio::null());
        command.env("CARGO_TARGET_DIR", &self.target);
        command
    }

    pub(crate) fn cargo(&self) -> Command {
        self.command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
    }

    /// Runs `cargo rebut`; `None` if this machine lacks a program that it needs.
    pub(crate) fn rebut(&self, variables: &[(&str, &str)], words: &[String]) -> Option<Output> {
        let mut command = self.command(env!("CARGO_BIN_EXE_cargo-rebut"));
        command.arg("rebut").args(words).envs(variables.iter().copied());
        let is_engine = words.first().is_some_and(|word| ENGINES.contains(&word.as_str()));
        if is_engine {
            let engine = Path::new(env!("CARGO_BIN_EXE_cargo-rebut"));
            let engine = engine.with_file_name(format!("cargo-rebut-explore{EXE_SUFFIX}"));
            let help = "run `cargo build --package cargo-rebut-explore` first";
            assert!(engine.is_file(), "{} is missing: {help}", engine.display());
        }
        let output = command.output().expect("the command");
        if is_engine && output.status.code() == Some(NO_COMPILER) {
            rebut_testkit::missing(
                "a compiler for WebAssembly",
                &String::from_utf8_lossy(&output.stderr),
            );
            return None;
        }
        Some(output)
    }

    /// Deletes the events that an earlier test wrote under a name.
    pub(crate) fn forget_runs(&self, group: &str) {
        let entries = std::fs::read_dir(self.target.join("rebut/runs")).into_iter().flatten();
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let is_of_group = |path: &PathBuf| path.to_string_lossy().ends_with(&format!("-{group}"));
        for path in paths.filter(is_of_group) {
            let _ = std::fs::remove_dir_all(path);
        }
    }

    /// A file that Rebut wrote.
    pub(crate) fn read(&self, path: &str) -> Result<String, String> {
        let found = match path.strip_prefix("target/") {
            Some(path) => find(&self.target, path),
            None => find(&self.home, path),
        };
        std::fs::read_to_string(&found).map_err(|why| format!("{path}: {why}"))
    }

    /// Converts output to the form in which pages show it.
    pub(crate) fn shown(&self, printed: &str) -> String {
        let target = self.target.display().to_string();
        let home = self.home.display().to_string();
        // If `target` is inside the workspace, a report names an emitted test relative to it.
        let emitted = format!("  test:     {target}");
        let printed = printed.replace(&emitted, "  test:     target");
        let printed = printed.replace(&target, &format!("{PRETENDED}/target"));
        without_thread_ids(&printed.replace(&home, PRETENDED)).trim_end().to_owned()
    }
}

/// The standard output or, if it is empty, the standard error.
pub(crate) fn asked_for(output: &Output) -> String {
    let text = if output.stdout.is_empty() { &output.stderr } else { &output.stdout };
    String::from_utf8_lossy(text).into_owned()
}

/// `tail -qn 1` of files of this repository.
pub(crate) fn last_lines<'a>(files: impl Iterator<Item = &'a String>) -> String {
    let root = crate::page::root();
    let texts = files.map(|file| std::fs::read_to_string(root.join(file)).expect("a table"));
    texts.map(|text| format!("{}\n", text.trim_end().lines().last().unwrap_or_default())).collect()
}

/// Removes the only part of a report that differs from run to run: Rust's message about a stack
/// overflow contains the number of the thread.
fn without_thread_ids(text: &str) -> String {
    let line = |line: &str| match (line.find("' ("), line.find(") has overflowed")) {
        (Some(from), Some(to)) => format!("{}{}\n", &line[..=from], &line[to + 1..]),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// The output of a test binary without that of the test harness.
pub(crate) fn reports(printed: &str) -> String {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ':');
    let is_name = |word: &str| !word.is_empty() && word.chars().all(is_part);
    let listed = printed.rsplit_once("\nfailures:\n").map_or(printed, |(before, _)| before);
    let mut text = String::new();
    // The harness lists names below a heading. Elsewhere, a word may be the message of a panic.
    let mut is_list = false;
    for line in listed.lines() {
        let is_heading = line.starts_with("failures:") || line.starts_with("successes:");
        let begins = ["running ", "test ", "---- "];
        let is_of_harness = is_heading || begins.iter().any(|begin| line.starts_with(begin));
        if is_of_harness {
            is_list = is_heading;
            continue;
        }
        if is_list && line.strip_prefix("    ").is_some_and(is_name) {
            continue;
        }
        if !(line.is_empty() && (text.is_empty() || text.ends_with("\n\n"))) {
            text += line;
            text.push('\n');
        }
    }
    text
}

/// The file of a path, whose last part may be `*.case`.
fn find(folder: &Path, pattern: &str) -> PathBuf {
    let path = folder.join(pattern);
    let Some((_, extension)) = pattern.rsplit_once("*.") else { return path };
    let entries = std::fs::read_dir(path.parent().unwrap_or(folder)).into_iter().flatten();
    let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths.find(|path| path.extension().is_some_and(|of| of == extension)).unwrap_or(path.clone())
}

/// Writes a file, unless its contents are the same. Cargo does not build an unchanged file again.
pub(crate) fn write(path: &Path, text: &str) {
    if std::fs::read_to_string(path).is_ok_and(|there| there == text) {
        return;
    }
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file below `target`");
}
