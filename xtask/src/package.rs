//! `cargo xtask package`: whether every crate is ready for a registry.
//!
//! Nothing is uploaded. Crates that depend on each other are packed together, because none of
//! them is on a registry yet; cargo then takes the packed ones for published ones.

mod archive;
mod manifest;
mod readme;

use std::path::PathBuf;

use crate::workspace::{Package, packages};
use crate::{cargo, root, run as step};

/// `cargo xtask package [--verify]`.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    match arguments {
        [] => check(false),
        ["--verify"] => check(true),
        other => Err(format!("`package` takes `--verify` or nothing, not `{}`", other.join(" "))),
    }
}

/// Checks manifests and archives; with `verify` it also builds each archive.
fn check(verify: bool) -> Result<(), String> {
    let packages = packages()?;
    let published: Vec<&Package> =
        packages.iter().filter(|package| package.is_published()).collect();
    let Some(version) = published.first().map(|package| package.text("version")) else {
        return Err("no package of the workspace is published".to_owned());
    };
    let mut complaints = manifest::complaints(&published, version);
    complaints.extend(readme::complaints(&published)?);
    pack(&published, verify)?;
    for package in &published {
        let archive = archive::Archive::read(&folder(), package)?;
        eprintln!("  {}", archive.summary());
        complaints.extend(archive.complaints()?);
    }
    if complaints.is_empty() {
        return Ok(());
    }
    Err(format!("these are not ready for a registry:\n  {}", complaints.join("\n  ")))
}

/// Where cargo puts archives.
fn folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    root().join(target.unwrap_or_else(|| "target".into())).join("package")
}

fn pack(published: &[&Package], verify: bool) -> Result<(), String> {
    let mut command = cargo(&["package", "--quiet", "--allow-dirty"]);
    if !verify {
        // What is needed was downloaded for the build before; asking the registry again takes
        // most of a minute.
        command.args(["--no-verify", "--offline"]);
    }
    for package in published {
        command.args(["--package", package.name()]);
    }
    step(&mut command)
}
