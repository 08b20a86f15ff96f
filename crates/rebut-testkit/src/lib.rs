//! Shared by the tests of this workspace: the report of a test that cannot run on this machine, and
//! the environment of commands that tests run ([`clean`]), and damaged files ([`mutations`]).
//!
//! A test that needs a program which is not installed calls [`missing`] and returns. On a
//! developer's machine that prints a line and the test passes. `cargo xtask test` collects these
//! calls, lists them at its end, and does not count such a test as passed. In continuous
//! integration (`CI` is set) the test fails: a suite that silently tests nothing is worse than a
//! red one.
//!
//! This crate never installs anything; `cargo xtask setup` does.
//!
//! ```
//! # fn find_solver() -> Option<()> { Some(()) }
//! let Some(solver) = find_solver() else {
//!     return rebut_testkit::missing("z3", "there is nothing to compare the engines with");
//! };
//! # let () = solver;
//! ```

#![expect(clippy::print_stderr, reason = "a test that does not run prints a line")]

pub mod mutations;

use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::Write;
use std::panic::Location;
use std::process::Command;

/// The environment variable with the file to which [`missing`] appends a line per call. `cargo
/// xtask test` sets it.
pub const SKIPPED_VARIABLE: &str = "REBUT_TESTKIT_SKIPPED";

/// Reports that the calling test, or a part of it, does not run because `tool` is missing.
///
/// `details` is the part that is not tested, or how the search for the tool ended.
///
/// # Panics
/// In continuous integration, so that the test fails there.
#[track_caller]
pub fn missing(tool: &str, details: &str) {
    let test = std::thread::current().name().unwrap_or_default().to_owned();
    let skipped = Skipped {
        tool: one_line(tool),
        suite: suite(Location::caller().file()),
        test,
        details: one_line(details),
    };
    let file = std::env::var_os(SKIPPED_VARIABLE);
    report(&skipped, file.as_deref(), is_ci(std::env::var_os("CI").as_deref()));
}

#[track_caller]
fn report(skipped: &Skipped, file: Option<&OsStr>, is_ci: bool) {
    let sentence = format!("{} is missing: {}", skipped.tool, skipped.details);
    eprintln!("skipped: {sentence}");
    let recorded = file.map_or(Ok(()), |file| append(file, &skipped.to_line()));
    assert!(recorded.is_ok(), "{sentence}; this cannot be recorded: {recorded:?}");
    assert!(!is_ci, "{sentence}; `cargo xtask setup` installs it, or says why it cannot");
}

/// Whether a value of the variable `CI` means continuous integration.
#[must_use]
pub fn is_ci(value: Option<&OsStr>) -> bool {
    value.is_some_and(|value| !["", "0", "false"].iter().any(|no| value == *no))
}

/// A test that did not run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// The program that it needs.
    pub tool: String,
    /// Its package and file, such as `rebut-smt::oracle`.
    pub suite: String,
    /// Its name; empty if the harness did not name its thread.
    pub test: String,
    /// The part that is not tested, or why the tool was not found.
    pub details: String,
}

impl Skipped {
    /// Reads a line of the file that [`SKIPPED_VARIABLE`] names.
    #[must_use]
    pub fn from_line(line: &str) -> Option<Skipped> {
        let mut parts = line.split('\t').map(str::to_owned);
        let mut next = || parts.next();
        Some(Skipped { tool: next()?, suite: next()?, test: next()?, details: next()? })
    }

    fn to_line(&self) -> String {
        let Skipped { tool, suite, test, details } = self;
        format!("{tool}\t{suite}\t{test}\t{details}\n")
    }
}

/// One write per line: tests of several processes append to the same file.
fn append(file: &OsStr, line: &str) -> std::io::Result<()> {
    OpenOptions::new().create(true).append(true).open(file)?.write_all(line.as_bytes())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `rebut-smt::oracle` of `crates/rebut-smt/tests/oracle/main.rs`; the package alone of a file
/// that is not below `tests`.
fn suite(file: &str) -> String {
    let parts: Vec<&str> = file.split(['/', '\\']).collect();
    let Some(at) = parts.iter().rposition(|part| ["tests", "src"].contains(part)) else {
        return file.to_owned();
    };
    let package = at.checked_sub(1).map_or("", |before| parts[before]);
    match parts.get(at + 1) {
        Some(name) if parts[at] == "tests" => {
            format!("{package}::{}", name.strip_suffix(".rs").unwrap_or(name))
        }
        _ => package.to_owned(),
    }
}

/// Prepares a command of a test that builds or runs packages: the environment of the test itself
/// does not reach it, nor a network. All packages are built with one profile, so that those with the
/// same target directory share their dependencies.
pub fn clean(command: &mut Command) {
    const KEPT: [&str; 2] = ["CARGO_HOME", "CARGO_BUILD_JOBS"];
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let is_ours = ["REBUT_", "CARGO_", "NEXTEST", "RUST_"].iter().any(|p| text.starts_with(p));
        if (is_ours && !KEPT.contains(&&*text)) || text == "CI" {
            command.env_remove(&name);
        }
    }
    command.env("NO_COLOR", "1").env("CARGO_NET_OFFLINE", "true");
    command.env("CARGO_PROFILE_DEV_DEBUG", "false").env("CARGO_INCREMENTAL", "0");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suites_are_named_after_package_and_file() {
        assert_eq!(suite("crates/rebut-smt/tests/oracle/main.rs"), "rebut-smt::oracle");
        assert_eq!(suite("crates/rebut-report/tests/browser.rs"), "rebut-report::browser");
        assert_eq!(suite("crates\\rebut-run\\src\\isolate\\tests.rs"), "rebut-run");
        assert_eq!(suite("alone.rs"), "alone.rs");
    }

    fn skipped() -> Skipped {
        Skipped {
            tool: "z3".to_owned(),
            suite: "rebut-smt::oracle".to_owned(),
            test: "engines_agree".to_owned(),
            details: one_line("not\n found\t"),
        }
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        assert_eq!(Skipped::from_line(skipped().to_line().trim_end()), Some(skipped()));
        assert_eq!(Skipped::from_line("half a line"), None);
    }

    #[test]
    fn a_skipped_test_passes_on_a_desk_and_fails_in_ci() {
        let file = std::env::temp_dir().join(format!("rebut-testkit-{}", std::process::id()));
        let _ = std::fs::remove_file(&file);
        report(&skipped(), None, false);
        report(&skipped(), Some(file.as_os_str()), false);
        let in_ci = std::panic::catch_unwind(|| report(&skipped(), Some(file.as_os_str()), true));
        let recorded = std::fs::read_to_string(&file).expect("a file");
        std::fs::remove_file(&file).expect("a file");
        assert!(in_ci.is_err());
        let recorded: Vec<_> = recorded.lines().map(Skipped::from_line).collect();
        assert_eq!(recorded, [Some(skipped()), Some(skipped())]);
    }

    #[test]
    fn ci_is_on_unless_the_variable_denies_it() {
        for (value, expected) in [("true", true), ("1", true), ("false", false), ("", false)] {
            assert_eq!(is_ci(Some(OsStr::new(value))), expected, "CI={value}");
        }
        assert!(!is_ci(None));
    }
}
