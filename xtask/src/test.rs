//! Everything that must hold before a change is taken.

use crate::{cargo, run as step};

fn run_all(is_fixing: bool) -> Result<(), String> {
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
    step(&mut cargo(&["test", "--workspace", "--all-features", "--quiet"]))?;
    step(&mut cargo(&["test", "--package", "rebut", "--test", "ui", "--quiet"]))?;
    step(
        cargo(&["doc", "--workspace", "--no-deps", "--all-features", "--quiet"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    step(&mut cargo(&["run", "--quiet", "--example", "tour"]))
}

/// `cargo xtask test [--fix]`.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    match arguments {
        [] => run_all(false),
        ["--fix"] => run_all(true),
        other => Err(format!("`test` takes `--fix` or nothing, not `{}`", other.join(" "))),
    }
}
