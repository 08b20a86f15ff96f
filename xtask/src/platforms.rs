//! `cargo xtask platforms`: the library and the command on other systems.
//!
//! Lints of Windows and macOS code need only the standard library of that system, which rustup
//! installs. Tests of Windows code run under Wine, with `wine64` and `gcc-mingw-w64-x86-64` of
//! Debian.

mod wine;

use std::process::{Command, Stdio};

use crate::workspace::{Package, packages, with_dependencies};
use crate::{cargo, run as step};

/// Windows with the GNU linker, which needs nothing of Microsoft's.
const WINDOWS: &str = "x86_64-pc-windows-gnu";
const MACOS: &str = "aarch64-apple-darwin";

const SYSTEMS: [&str; 2] = [WINDOWS, MACOS];

/// `cargo xtask platforms [--library | --run | --host]`.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    match arguments {
        [] => lint_all(),
        ["--library"] => match lint_library()?.into_iter().next() {
            Some((target, why)) => Err(format!("the library is not linted for {target}: {why}")),
            None => Ok(()),
        },
        ["--run"] => {
            require(WINDOWS)?;
            wine::run(&Crates::read()?)
        }
        ["--host"] => test_here(&Crates::read()?),
        other => {
            let other = other.join(" ");
            Err(format!(
                "`platforms` takes `--library`, `--run`, `--host` or nothing, not `{other}`"
            ))
        }
    }
}

/// The crates that have to work everywhere. `cargo-rebut-explore` is not among them: it needs a
/// C compiler for the system.
#[derive(Debug)]
struct Crates {
    packages: Vec<Package>,
    /// Crates that users' tests build, without the macros, which are built for the system that
    /// compiles.
    library: Vec<String>,
    /// Crates that `cargo rebut` is built from, without the library.
    command: Vec<String>,
}

impl Crates {
    fn read() -> Result<Crates, String> {
        let packages = packages()?;
        let library = with_dependencies(&packages, "rebut");
        let mut command = with_dependencies(&packages, "cargo-rebut");
        command.retain(|name| !library.contains(name));
        let is_macros = |name: &String| name == "rebut-macros";
        let library = library.into_iter().filter(|name| !is_macros(name)).collect();
        Ok(Crates { packages, library, command })
    }

    /// The integration tests of a package.
    fn integration_tests(&self, package: &str) -> Vec<&str> {
        let package = self.packages.iter().find(|one| one.name() == package);
        package.map(|package| package.targets("test")).unwrap_or_default()
    }
}

/// Lints everything for both systems.
fn lint_all() -> Result<(), String> {
    let crates = Crates::read()?;
    for target in SYSTEMS {
        require(target)?;
        lint(target, &crates.library, &["--all-targets", "--all-features"])?;
        lint(target, &crates.command, &[])?;
    }
    Ok(())
}

/// Lints the library with its default features, which are all that depends on the system. Returns
/// the systems whose standard library cannot be installed, with the reason.
pub(crate) fn lint_library() -> Result<Vec<(&'static str, String)>, String> {
    let crates = Crates::read()?;
    let mut not_linted = Vec::new();
    for target in SYSTEMS {
        match require(target) {
            Ok(()) => lint(target, &crates.library, &[])?,
            Err(why) => not_linted.push((target, why)),
        }
    }
    Ok(not_linted)
}

/// Installs the standard libraries of the other systems.
pub(crate) fn install() -> Result<(), String> {
    SYSTEMS.into_iter().try_for_each(require)
}

fn lint(target: &str, names: &[String], flags: &[&str]) -> Result<(), String> {
    let mut command = cargo(&["clippy", "--quiet", "--target", target]);
    step(add_packages(&mut command, names).args(flags).args(["--", "--deny", "warnings"]))
}

/// Lints and tests what runs on the system of this machine: all tests of the library, the unit
/// tests of the command.
fn test_here(crates: &Crates) -> Result<(), String> {
    for names in [&crates.library, &crates.command] {
        let mut lint = cargo(&["clippy", "--quiet", "--all-targets"]);
        step(add_packages(&mut lint, names).args(["--", "--deny", "warnings"]))?;
    }
    step(add_packages(&mut cargo(&["test", "--quiet", "--all-features"]), &crates.library))?;
    step(&mut cargo(&["build", "--quiet", "--package", "cargo-rebut"]))?;
    step(add_packages(&mut cargo(&["test", "--quiet", "--lib", "--bins"]), &crates.command))
}

fn add_packages<'a>(command: &'a mut Command, names: &[String]) -> &'a mut Command {
    for name in names {
        command.args(["--package", name]);
    }
    command
}

/// Installs the standard library of a system unless it is there.
fn require(target: &str) -> Result<(), String> {
    let mut print = Command::new("rustc");
    let output = print.args(["--print", "target-libdir", "--target", target]).output();
    let directory = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    let has_core = directory.is_ok_and(|directory| {
        let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
        let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.any(|name| name.starts_with("libcore-"))
    });
    if has_core {
        return Ok(());
    }
    let mut install = Command::new("rustup");
    install.args(["target", "add", target]).stdin(Stdio::null()).stdout(Stdio::null());
    match install.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
        Err(error) => Err(format!("cannot start rustup: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn library_and_command_are_found_in_the_workspace() {
        let crates = Crates::read().expect("cargo metadata");
        assert!(crates.library.iter().any(|name| name == "rebut-run"), "{crates:?}");
        assert!(!crates.library.iter().any(|name| name == "rebut-macros"), "{crates:?}");
        assert!(crates.command.iter().any(|name| name == "cargo-rebut"), "{crates:?}");
        let is_symbolic = |name: &&String| name.contains("concolic") || name.contains("explore");
        assert_eq!(crates.command.iter().find(is_symbolic), None);
        assert!(crates.integration_tests("rebut").contains(&"derive"));
    }
}
