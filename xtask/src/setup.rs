//! Everything that tests need besides a Rust toolchain: crates, solvers, a browser, test runners
//! of other languages, and a standard library for WebAssembly.
//!
//! Each item is looked for, installed if it is not there, and reported with its result. Without
//! root or without a network an item stays missing, which is reported too, and the setup continues.
//! Tests that need the item do not run then. Tests themselves install nothing and run offline.

mod debian;
pub(crate) mod python;

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::clock::shown;
use crate::{cargo, root, target};

/// The result of the setup.
#[derive(Debug, Default)]
pub(crate) struct Setup {
    /// Items that could not be set up, each with its reason.
    pub(crate) missing: Vec<(String, String)>,
}

/// `cargo xtask setup`.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    if !arguments.is_empty() {
        return Err(format!("`setup` takes no arguments, but got `{}`", arguments.join(" ")));
    }
    let setup = set_up();
    match setup.missing.as_slice() {
        [] => Ok(()),
        missing => {
            let names: Vec<&str> = missing.iter().map(|(name, _)| name.as_str()).collect();
            Err(format!("missing: {}; tests that need it do not run", names.join(", ")))
        }
    }
}

/// Sets up all items, one after the other.
pub(crate) fn set_up() -> Setup {
    let mut setup = Setup::default();
    setup.item("crates", crates());
    setup.item("crates of other projects", peers());
    setup.item("crates of the corpus", corpus());
    let has_sources = match standard_sources() {
        Ok(done) => setup.item("rust-src", Ok(done)),
        Err(why) => {
            eprintln!("{:>12} rust-src: {why}; Debian may have a compiler instead", "Missing");
            false
        }
    };
    debian::set_up(&mut setup, has_sources);
    setup.item("Python packages", python::install_for_tests());
    setup.item("cargo-nextest", nextest());
    setup.item("standard libraries of other systems", other_systems());
    setup.item("a compiler for WebAssembly", webassembly());
    setup
}

impl Setup {
    /// Reports the result of one item, and records it if it is missing. Returns whether it is there.
    fn item(&mut self, name: &str, result: Result<ReadyItem, String>) -> bool {
        match result {
            Ok(ReadyItem { verb, what, begun }) => {
                eprintln!("{verb:>12} {what} [{}]", shown(begun.elapsed()));
                true
            }
            Err(why) => {
                eprintln!("{:>12} {name}: {why}", "Missing");
                self.missing.push((name.to_owned(), why));
                false
            }
        }
    }
}

/// An item that is there now.
#[derive(Debug)]
struct ReadyItem {
    /// In the past tense: `Found`, `Installed`.
    verb: &'static str,
    what: String,
    begun: Instant,
}

impl ReadyItem {
    fn new(
        verb: &'static str,
        what: impl Into<String>,
        begun: Instant,
    ) -> Result<ReadyItem, String> {
        Ok(ReadyItem { verb, what: what.into(), begun })
    }
}

/// All crates of the workspace, for every platform: tests build some packages for WebAssembly.
///
/// This one lock file is enough. Packages that tests write or copy depend on `rebut` by its path
/// and on nothing else, so that all of their dependencies are in it; a test below keeps it so.
fn crates() -> Result<ReadyItem, String> {
    let begun = Instant::now();
    quietly(&mut cargo(&["fetch", "--locked"]))?;
    ReadyItem::new("Fetched", "the crates of Cargo.lock", begun)
}

/// The crates that `cargo xtask compat` uses together with Rebut.
fn peers() -> Result<ReadyItem, String> {
    let begun = Instant::now();
    crate::compat::fetch()?;
    ReadyItem::new("Fetched", "the crates of compat/projects", begun)
}

/// The published crates that `cargo xtask test` uses Rebut on.
fn corpus() -> Result<ReadyItem, String> {
    let begun = Instant::now();
    crate::corpus::fetch_slice()?;
    ReadyItem::new("Fetched", "crates of corpus", begun)
}

/// The standard library of the compiler in use, as sources.
fn standard_sources() -> Result<ReadyItem, String> {
    let begun = Instant::now();
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let sources = Path::new(sysroot.trim()).join("lib/rustlib/src/rust/library/std/Cargo.toml");
    let what = "rust-src, to build the standard library for WebAssembly";
    if sources.is_file() {
        return ReadyItem::new("Found", what, begun);
    }
    quietly(Command::new("rustup").args(["component", "add", "rust-src"]))?;
    ReadyItem::new("Installed", what, begun)
}

/// Builds the standard library for WebAssembly, unless it is there.
///
/// With the features of the whole workspace, because the crates are then the ones that the tests
/// are linked with, and are built once.
fn webassembly() -> Result<ReadyItem, String> {
    let begun = Instant::now();
    let build = ["build", "--workspace", "--all-features", "--example", "toolchain"];
    quietly(&mut cargo(&build))?;
    let program = target().join("debug/examples/toolchain");
    let toolchain = quietly(Command::new(program).current_dir(root()))?;
    ReadyItem::new("Checked", format!("that {} builds for WebAssembly", toolchain.trim()), begun)
}

/// The standard libraries for which the library is linted.
fn other_systems() -> Result<ReadyItem, String> {
    let begun = Instant::now();
    crate::platforms::install()?;
    ReadyItem::new("Checked", "the standard libraries of Windows and macOS", begun)
}

/// The version that is installed where there is none.
const NEXTEST: &str = "0.9.143";

fn nextest() -> Result<ReadyItem, String> {
    let begun = Instant::now();
    let version = || {
        let version = output(cargo(&["nextest", "--version"]).env("PATH", path())).ok()?;
        Some(version.lines().next()?.to_owned())
    };
    if let Some(version) = version() {
        return ReadyItem::new("Found", version, begun);
    }
    let install = ["install", "--locked", "--debug", "--version", NEXTEST, "cargo-nextest"];
    quietly(cargo(&install).arg("--root").arg(target().join("tools")))?;
    ReadyItem::new("Installed", version().ok_or("it does not start")?, begun)
}

/// The environment in which tests find the items.
pub(crate) fn environment() -> Vec<(&'static str, OsString)> {
    let mut variables = vec![("PATH", path()), ("CARGO_NET_OFFLINE", "true".into())];
    if env::var_os("JUNIT_CLASSPATH").is_none() {
        variables.extend(debian::junit_classpath().map(|jars| ("JUNIT_CLASSPATH", jars)));
    }
    variables
}

/// The search path with the programs that were installed here before those of the system.
pub(crate) fn path() -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let own = [python::programs(), target().join("tools").join("bin")];
    let directories: Vec<PathBuf> = own.into_iter().chain(env::split_paths(&path)).collect();
    env::join_paths(directories).unwrap_or(path)
}

/// Prints a command, and returns its output.
fn quietly(command: &mut Command) -> Result<String, String> {
    eprintln!("> {}", crate::command_line(command));
    output(command)
}

/// The output of a command; if it fails, the last line of its error output.
fn output(command: &mut Command) -> Result<String, String> {
    let words = crate::command_line(command);
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("cannot start `{words}`: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let complaints = String::from_utf8_lossy(&output.stderr);
    let last = complaints.lines().rfind(|line| !line.trim().is_empty());
    Err(format!("`{words}` failed: {}", last.map_or("it gives no reason", str::trim)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// The manifests below a directory, without what is built.
    fn manifests(directory: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for entry in fs::read_dir(directory).expect("a directory").flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            if path.is_dir() && name != "target" && name != ".git" {
                found.extend(manifests(&path));
            } else if name == "Cargo.toml" {
                found.push(path);
            }
        }
        found
    }

    /// The dependencies that a registry would have to provide.
    fn from_registry(manifest: &str) -> Vec<&str> {
        let mut is_dependency = false;
        let mut found = Vec::new();
        for line in manifest.lines().map(str::trim) {
            if line.starts_with('[') {
                is_dependency = line.ends_with("dependencies]");
                // `[dependencies.name]`: the path is in a line of its own, which is not looked for.
                found.extend(line.contains("dependencies.").then_some(line));
            } else if is_dependency
                && line.contains('=')
                && !line.starts_with('#')
                && !line.contains("path = ")
                && !line.contains("workspace = true")
            {
                found.push(line);
            }
        }
        found
    }

    #[test]
    fn dependencies_without_a_path_are_from_a_registry() {
        let manifest = "[package]\nname = \"a\"\n[dependencies]\nserde = \"1\"\n# b = \"2\"\n\
                        rebut = { path = \"REBUT\" }\nbase.workspace = true\n\
                        [target.'cfg(unix)'.dev-dependencies]\nlibc = \"0.2\"\n[features]\nx = []\n";
        assert_eq!(from_registry(manifest), ["serde = \"1\"", "libc = \"0.2\""]);
        assert_eq!(from_registry("[dependencies.serde]\n"), ["[dependencies.serde]"]);
    }

    /// Otherwise a package would need crates that `cargo fetch` in the workspace does not get, and
    /// its tests would fail on a machine that never built it before.
    #[test]
    fn packages_in_test_data_depend_on_nothing_beyond_the_lock_file() {
        let mut checked = 0;
        for manifest in manifests(&root().join("crates")) {
            // `crates/NAME/Cargo.toml` are members of the workspace.
            if manifest
                .strip_prefix(root().join("crates"))
                .is_ok_and(|path| path.iter().count() > 2)
            {
                let text = fs::read_to_string(&manifest).expect("a manifest");
                assert_eq!(from_registry(&text), [""; 0], "{}", manifest.display());
                checked += 1;
            }
        }
        assert!(checked >= 10, "only {checked} manifests were found");
    }

    #[test]
    fn a_command_that_fails_is_reported_with_its_last_line() {
        let why = output(&mut cargo(&["no-such-command"])).expect_err("there is none");
        assert!(why.contains("cargo no-such-command` failed: "), "{why}");
        let why = output(&mut Command::new("/nowhere/program")).expect_err("there is none");
        assert!(why.starts_with("cannot start `program`: "), "{why}");
    }
}
