//! Everything that must hold before a change is taken.

use std::ffi::OsString;
use std::process::{Command, Stdio};

use crate::{cargo, run as step};

fn run_all(is_fixing: bool) -> Result<(), String> {
    install_chromium();
    crate::wasm::install();
    let format: &[&str] = if is_fixing { &["fmt", "--all"] } else { &["fmt", "--all", "--check"] };
    step(&mut cargo(format))?;
    step(&mut cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--quiet",
        "--",
        "--deny",
        "warnings",
    ]))?;
    let path = path_with_z3();
    step(cargo(&["test", "--workspace", "--all-features", "--quiet"]).env("PATH", path))?;
    step(&mut cargo(&["test", "--package", "rebut", "--test", "ui", "--quiet"]))?;
    step(
        cargo(&["doc", "--workspace", "--no-deps", "--all-features", "--quiet"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    step(&mut cargo(&["run", "--quiet", "--example", "tour"]))?;
    crate::platforms::lint_library()?;
    crate::package::run(&[])
}

/// Engines are compared with z3 if there is one; it comes with the solvers of the benches.
pub(crate) fn path_with_z3() -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let Some(folder) = crate::bench::z3() else {
        eprintln!("note: there is no z3; the engines are compared with each other only");
        return path;
    };
    let folders = std::env::split_paths(&path).chain([folder]);
    std::env::join_paths(folders.filter(|folder| !folder.as_os_str().is_empty())).unwrap_or(path)
}

/// The tests of the report look at it in a browser if there is one. Where it can be had from
/// Debian it is installed; where not, those tests say that they are skipped.
fn install_chromium() {
    let is_done = |command: &mut Command| {
        let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let browsers = ["chromium", "chromium-browser", "google-chrome"];
    if browsers.iter().any(|browser| is_done(Command::new(browser).arg("--version"))) {
        return;
    }
    let install = ["install", "--yes", "--no-install-recommends", "chromium"];
    let is_root = std::env::var_os("USER").is_none_or(|user| user == "root");
    let is_installed = is_root
        && is_done(Command::new("apt-get").args(install).env("DEBIAN_FRONTEND", "noninteractive"));
    if !is_installed {
        eprintln!("note: there is no Chromium; tests that look at the report are skipped");
    }
}

/// `cargo xtask test [--fix]`.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    match arguments {
        [] => run_all(false),
        ["--fix"] => run_all(true),
        other => Err(format!("`test` takes `--fix` or nothing, not `{}`", other.join(" "))),
    }
}
