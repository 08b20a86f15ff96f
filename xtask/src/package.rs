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

/// `cargo xtask package [--verify] [--tag TAG]`.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let (verify, tag) = match arguments {
        [] => (false, None),
        ["--verify"] => (true, None),
        ["--tag", tag] => (false, Some(*tag)),
        ["--verify", "--tag", tag] => (true, Some(*tag)),
        other => {
            let other = other.join(" ");
            return Err(format!("`package` takes `[--verify] [--tag TAG]`, not `{other}`"));
        }
    };
    check(verify, tag)
}

/// Checks manifests and archives; with `verify` it also builds each archive.
fn check(verify: bool, tag: Option<&str>) -> Result<(), String> {
    let packages = packages()?;
    let published: Vec<&Package> =
        packages.iter().filter(|package| package.is_published()).collect();
    let Some(version) = published.first().map(|package| package.text("version")) else {
        return Err("no package of the workspace is published".to_owned());
    };
    let mut complaints = manifest::complaints(&published, version);
    complaints.extend(readme::complaints(&published)?);
    if let Some(tag) = tag {
        let changes = root().join("CHANGELOG.md");
        let changes = std::fs::read_to_string(changes).map_err(|error| error.to_string())?;
        complaints.extend(tag_complaints(tag, version, &changes));
    }
    pack(&published, verify)?;
    for package in &published {
        let archive = archive::Archive::read(&directory(), package)?;
        eprintln!("  {}", archive.summary());
        complaints.extend(archive.complaints()?);
    }
    if complaints.is_empty() {
        return Ok(());
    }
    Err(format!("these are not ready for a registry:\n  {}", complaints.join("\n  ")))
}

/// Reasons why a tag is not a release.
fn tag_complaints(tag: &str, version: &str, changes: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    if tag != format!("v{version}") {
        complaints.push(format!("the tag `{tag}` is not `v{version}`, the version of the crates"));
    }
    let heading = format!("## [{version}]");
    if !changes.lines().any(|line| line.starts_with(&heading)) {
        complaints.push(format!("CHANGELOG.md has no heading `{heading}`"));
    }
    complaints
}

/// Where cargo puts archives.
fn directory() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    root().join(target.unwrap_or_else(|| "target".into())).join("package")
}

fn pack(published: &[&Package], verify: bool) -> Result<(), String> {
    let mut command = cargo(&["package", "--quiet", "--allow-dirty"]);
    if !verify {
        // The build before has downloaded everything. Another request to the registry takes most
        // of a minute.
        command.args(["--no-verify", "--offline"]);
    }
    for package in published {
        command.args(["--package", package.name()]);
    }
    step(&mut command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_the_version_and_has_its_changes() {
        let changes = "# Changelog\n\n## [1.2.3] - 2026-01-01\n";
        assert_eq!(tag_complaints("v1.2.3", "1.2.3", changes), Vec::<String>::new());
        let complaint = "the tag `1.2.3` is not `v1.2.3`, the version of the crates";
        assert_eq!(tag_complaints("1.2.3", "1.2.3", changes), [complaint]);
        let complaint = "CHANGELOG.md has no heading `## [1.2.4]`";
        assert_eq!(tag_complaints("v1.2.4", "1.2.4", changes), [complaint]);
    }
}
