//! `cargo xtask msrv`: builds each published crate with the oldest Rust that its manifest
//! promises.
//!
//! `clippy::incompatible_msrv` finds uses of newer parts of the standard library without that
//! toolchain, in every run of `cargo xtask test`. It does not see dependencies and syntax.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use crate::workspace::{Package, packages};
use crate::{root, run as step};

/// `cargo xtask msrv [--strict]`; with `--strict`, a toolchain that cannot be had is an error.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let is_strict = match arguments {
        [] => false,
        ["--strict"] => true,
        other => {
            let other = other.join(" ");
            return Err(format!("`msrv` takes `--strict` or nothing, not `{other}`"));
        }
    };
    let packages = packages()?;
    let mut unchecked = Vec::new();
    for (version, names) in by_version(&packages) {
        if is_installed(version) || install(version) {
            check(version, &names)?;
        } else {
            unchecked.push(format!("Rust {version} ({})", names.join(", ")));
        }
    }
    if unchecked.is_empty() {
        return Ok(());
    }
    let message = format!("not checked, rustup cannot install {}", unchecked.join(", "));
    if is_strict {
        return Err(message);
    }
    eprintln!("note: {message}");
    Ok(())
}

/// The published packages by the Rust version that they promise.
fn by_version(packages: &[Package]) -> BTreeMap<&str, Vec<&str>> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in packages.iter().filter(|package| package.is_published()) {
        versions.entry(package.text("rust_version")).or_default().push(package.name());
    }
    versions
}

fn is_installed(version: &str) -> bool {
    is_done(Command::new("rustup").args(["run", version, "cargo", "--version"]))
}

fn install(version: &str) -> bool {
    eprintln!("> rustup toolchain install {version}");
    is_done(Command::new("rustup").args(["toolchain", "install", version, "--profile", "minimal"]))
}

fn is_done(command: &mut Command) -> bool {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Libraries and binaries with all features; tests may need more than users do.
fn check(version: &str, names: &[&str]) -> Result<(), String> {
    let mut command = Command::new("rustup");
    // The toolchain that runs this would otherwise choose the compiler.
    command.env_remove("RUSTUP_TOOLCHAIN").env_remove("RUSTC").env_remove("CARGO");
    command.current_dir(root()).args(["run", version, "cargo", "check", "--locked", "--quiet"]);
    command.args(["--all-features", "--target-dir"]).arg(format!("target/msrv-{version}"));
    for name in names {
        command.args(["--package", name]);
    }
    step(&mut command)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn published_packages_are_grouped_by_version() {
        let package = |name: &str, version: &str, publish: serde_json::Value| Package {
            described: json!({ "name": name, "rust_version": version, "publish": publish }),
        };
        let packages = [
            package("a", "1.89", json!(null)),
            package("b", "1.95", json!(null)),
            package("c", "1.89", json!(null)),
            package("d", "1.95", json!([])),
        ];
        let expected = BTreeMap::from([("1.89", vec!["a", "c"]), ("1.95", vec!["b"])]);
        assert_eq!(by_version(&packages), expected);
    }
}
