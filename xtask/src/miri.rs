//! `cargo xtask miri`: the unit tests of the crates in users' builds, under Miri.
//!
//! Miri finds undefined behavior and data races. It needs a nightly toolchain, which this installs,
//! and it is slow: each test has a limit of time. Miri knows few functions of the system, so some
//! tests cannot run at all. Both are counted, and only the rest is checked. A canary with undefined
//! behavior shows that the check works.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{root, run as run_command, setup, target};

/// The crates of users' builds. The macros run in the compiler and have no unsafe code.
const PACKAGES: [&str; 5] =
    ["rebut-choice", "rebut-gen", "rebut-search", "rebut-run", "rebut-contract"];

/// Files may be written, and workers that are lost keep their memory on purpose.
const FLAGS: &str = "-Zmiri-disable-isolation -Zmiri-ignore-leaks";

/// Arbitrary: nearly all tests take less than a tenth of it.
const PROFILE: &str = "[profile.miri]
slow-timeout = { period = \"120s\", terminate-after = 1 }
fail-fast = false
";

/// A test that reads memory after it was freed.
const CANARY: &str = "#[test]
fn reads_freed_memory() {
    let boxed = Box::into_raw(Box::new(7_u32));
    // SAFETY: none; this is what Miri must find.
    unsafe {
        drop(Box::from_raw(boxed));
        assert_ne!(boxed.read(), 8);
    }
}
";

/// `cargo xtask miri [PACKAGE..]`.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    if let Some(other) = arguments.iter().find(|name| !PACKAGES.contains(name)) {
        return Err(format!("`miri` takes packages of users' builds, not `{other}`: {PACKAGES:?}"));
    }
    let packages = if arguments.is_empty() { &PACKAGES[..] } else { arguments };
    install()?;
    let home = target().join("miri-check");
    let profile = written(home.join("nextest.toml"), PROFILE)?;
    let canary = write_canary(&home)?;
    if results(&canary, &["--lib"], &profile)?.wrong.is_empty() {
        return Err("Miri does not find the canary".to_owned());
    }
    let mut wrong = 0;
    for package in packages {
        // Thousands of damaged files take hours.
        let what = ["--lib", "-p", package, "-E", "not test(mutations)"];
        let results = results(&root(), &what, &profile)?;
        eprintln!("{:>12} {package}: {results}", "Miri");
        for (test, output) in &results.wrong {
            eprintln!("{:>12} {test}\n{output}", "Wrong");
        }
        wrong += results.wrong.len();
    }
    if wrong > 0 { Err(format!("{wrong} tests fail under Miri")) } else { Ok(()) }
}

/// Installs the toolchain. Nothing else in this project needs it.
fn install() -> Result<(), String> {
    let mut command = Command::new("rustup");
    command.args(["toolchain", "install", "nightly", "--profile", "minimal"]);
    run_command(command.args(["--component", "miri,rust-src"]))
}

fn written(path: PathBuf, text: &str) -> Result<PathBuf, String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&path, text))
        .map_err(|error| format!("cannot write {path:?}: {error}"))?;
    Ok(path)
}

fn write_canary(home: &Path) -> Result<PathBuf, String> {
    let home = home.join("canary");
    let manifest = "[package]\nname = \"miri-canary\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n";
    written(home.join("Cargo.toml"), manifest)?;
    written(home.join("src/lib.rs"), CANARY)?;
    Ok(home)
}

/// The results of the tests of a package.
#[derive(Debug, Default, PartialEq, Eq)]
struct Results {
    right: usize,
    /// Tests that took too long.
    slow: usize,
    /// Tests that call a function which Miri does not know.
    unsupported: usize,
    /// The other tests, each with its output.
    wrong: Vec<(String, String)>,
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} right, {} wrong, {} not supported by Miri, {} too slow for it",
            self.right,
            self.wrong.len(),
            self.unsupported,
            self.slow
        )
    }
}

/// Runs tests under Miri.
fn results(directory: &Path, what: &[&str], profile: &Path) -> Result<Results, String> {
    let mut command = Command::new("cargo");
    command
        .args(["+nightly", "miri", "nextest", "run", "--profile", "miri", "--status-level", "pass"])
        .arg("--config-file")
        .arg(profile)
        .args(["--color", "never"])
        .args(what)
        .current_dir(directory)
        .env("PATH", setup::path())
        .env("MIRIFLAGS", FLAGS)
        .env("CARGO_TARGET_DIR", target().join("miri-check").join("target"));
    let output = command.output().map_err(|error| format!("cannot start cargo: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let results = parse(&text);
    match results == Results::default() {
        true => Err(format!("no test ran under Miri:\n{text}")),
        false => Ok(results),
    }
}

/// Reads the output of nextest: a line for each test, with the output of a failure behind it.
fn parse(text: &str) -> Results {
    let mut results = Results::default();
    let mut failing: Option<(String, String)> = None;
    for line in text.lines() {
        let word = line.split_whitespace().next().unwrap_or_default();
        let is_status = line.starts_with("  ") && line.contains(" [");
        if is_status && ["PASS", "FAIL", "TIMEOUT", "SIGABRT", "SIGSEGV"].contains(&word) {
            results.add(failing.take());
            match word {
                "PASS" => results.right += 1,
                "TIMEOUT" => results.slow += 1,
                _ => {
                    let name = line.rsplit(' ').next().unwrap_or_default();
                    failing = Some((name.to_owned(), String::new()));
                }
            }
        } else if line.trim_start().starts_with("Summary [") {
            break;
        } else if let Some((_, output)) = &mut failing {
            output.push_str(line);
            output.push('\n');
        }
    }
    results.add(failing);
    results
}

impl Results {
    fn add(&mut self, failing: Option<(String, String)>) {
        let Some(failing) = failing else { return };
        match failing.1.contains("error: unsupported operation") {
            true => self.unsupported += 1,
            false => self.wrong.push(failing),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_counted_by_their_result() {
        let output = "\
   Compiling x v0.0.0
        PASS [   2.945s] (1/5) x a::b
        FAIL [   1.000s] (2/5) x a::system
  stderr ---
    error: unsupported operation: can't call foreign function `sigaction`
        FAIL [   1.000s] (3/5) x a::race
  stderr ---
    error: Undefined Behavior: Data race detected
     TIMEOUT [ 120.000s] (4/5) x a::slow
        PASS [   2.945s] (5/5) x a::c
────────────
     Summary [  27.382s] 5 tests run
        FAIL [   1.000s] (3/5) x a::race
";
        let results = parse(output);
        assert_eq!((results.right, results.slow, results.unsupported), (2, 1, 1));
        let [(name, text)] = &results.wrong[..] else { panic!("{results:?}") };
        assert_eq!(name, "a::race");
        assert!(text.contains("Data race") && !text.contains("foreign"), "{text}");
        assert_eq!(parse("error: could not compile"), Results::default());
    }
}
