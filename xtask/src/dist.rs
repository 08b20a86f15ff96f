//! `cargo xtask dist`: builds the commands for a system and packs them for download.
//!
//! Archives are named by the metadata that `cargo binstall` reads, so it finds what a release
//! uploads.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::workspace::{Package, packages};
use crate::{cargo, root, run as step};

/// `cargo xtask dist --target TARGET [--package NAME]`.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let (target, only) = match arguments {
        ["--target", target] => (*target, None),
        ["--target", target, "--package", name] => (*target, Some(*name)),
        other => {
            let other = other.join(" ");
            return Err(format!("`dist` takes `--target TARGET [--package NAME]`, not `{other}`"));
        }
    };
    let packages = packages()?;
    let commands: Vec<&Package> = packages
        .iter()
        .filter(|package| package.described["metadata"]["binstall"].is_object())
        .filter(|package| only.is_none_or(|only| package.name() == only))
        .collect();
    if commands.is_empty() {
        return Err("no such package has `[package.metadata.binstall]`".to_owned());
    }
    for package in commands {
        let name = package.name();
        let build = ["build", "--release", "--locked", "--package", name, "--target", target];
        step(&mut cargo(&build))?;
        let names = ArchiveNames::read(package, target)?;
        let archive = pack(package, target, &names)?;
        eprintln!("packed {}", archive.display());
    }
    Ok(())
}

/// The names of an archive and of the directory in it.
#[derive(Debug, PartialEq)]
pub(crate) struct ArchiveNames {
    /// Such as `cargo-rebut-v0.1.0-x86_64-unknown-linux-gnu.tgz`.
    pub(crate) archive: String,
    /// Such as `cargo-rebut-v0.1.0-x86_64-unknown-linux-gnu`.
    pub(crate) directory: String,
}

impl ArchiveNames {
    /// The names in `[package.metadata.binstall]`.
    pub(crate) fn read(package: &Package, target: &str) -> Result<ArchiveNames, String> {
        let all = &package.described["metadata"]["binstall"];
        let field = |key: &str| {
            let special = all["overrides"][target][key].as_str();
            let value = special.or_else(|| all[key].as_str());
            value.ok_or_else(|| format!("{}: binstall has no `{key}`", package.name()))
        };
        let format = field("pkg-fmt")?;
        let filled = |template: &str| {
            template
                .replace("{ name }", package.name())
                .replace("{ version }", package.text("version"))
                .replace("{ target }", target)
                .replace("{ archive-format }", format)
        };
        let (url, binary) = (filled(field("pkg-url")?), filled(field("bin-dir")?));
        let archive = url.rsplit_once('/').map_or("", |(_, name)| name).to_owned();
        let directory = binary.split_once('/').map_or("", |(directory, _)| directory).to_owned();
        if archive.is_empty()
            || directory.is_empty()
            || archive.contains('{')
            || directory.contains('{')
        {
            return Err(format!("{}: `{url}` and `{binary}` name no archive", package.name()));
        }
        Ok(ArchiveNames { archive, directory })
    }
}

/// Writes the archive: binaries, readme and licenses in one directory.
fn pack(package: &Package, target: &str, names: &ArchiveNames) -> Result<PathBuf, String> {
    let at = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let built = target_directory().join(target).join("release");
    let home = Path::new(package.text("manifest_path")).parent().unwrap_or(Path::new("."));
    let dist = target_directory().join("dist");
    let directory = dist.join(&names.directory);
    std::fs::create_dir_all(&directory).map_err(|error| at(&directory, error))?;
    let extension = if target.contains("windows") { ".exe" } else { "" };
    let binaries = package.binaries().into_iter();
    let binaries = binaries.map(|binary| built.join(format!("{binary}{extension}")));
    let texts = ["README.md", "LICENSE-MIT", "LICENSE-APACHE"].map(|file| home.join(file));
    for from in binaries.chain(texts) {
        let to = directory.join(from.file_name().unwrap_or_default());
        std::fs::copy(&from, &to).map_err(|error| at(&from, error))?;
    }
    let archive = dist.join(&names.archive);
    let mut tar = Command::new(tar());
    tar.current_dir(&dist);
    // `-a` chooses the format by the name: bsdtar, which Windows has, then writes a zip file.
    let flags = if names.archive.ends_with(".tgz") { "-czf" } else { "-acf" };
    step(tar.args([flags, &names.archive, &names.directory]))?;
    Ok(archive)
}

/// Where cargo puts what it builds.
fn target_directory() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    root().join(target.unwrap_or_else(|| "target".into()))
}

/// The system's own on Windows: another one on the path may not know zip files.
fn tar() -> PathBuf {
    match std::env::var_os("SystemRoot") {
        Some(windows) if cfg!(windows) => Path::new(&windows).join("System32").join("tar.exe"),
        _ => "tar".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(package: &str, target: &str) -> ArchiveNames {
        let packages = packages().expect("cargo metadata");
        let package = packages.iter().find(|one| one.name() == package).expect("the package");
        ArchiveNames::read(package, target).expect("names")
    }

    #[test]
    fn archives_have_the_names_that_binstall_looks_for() {
        let version = env!("CARGO_PKG_VERSION_MAJOR");
        assert_eq!(version, "0", "the next lines name versions 0.x");
        for package in ["cargo-rebut", "cargo-rebut-explore"] {
            let unix = names(package, "aarch64-apple-darwin");
            assert!(unix.archive.starts_with(&format!("{package}-v0.")), "{unix:?}");
            assert!(unix.archive.ends_with("-aarch64-apple-darwin.tgz"), "{unix:?}");
            assert_eq!(Some(unix.directory.as_str()), unix.archive.strip_suffix(".tgz"));
            let windows = names(package, "x86_64-pc-windows-msvc");
            assert_eq!(Some(windows.directory.as_str()), windows.archive.strip_suffix(".zip"));
        }
    }

    #[test]
    fn a_template_that_names_no_archive_is_refused() {
        let described = serde_json::json!({
            "name": "a",
            "version": "1.0.0",
            "metadata": { "binstall": {
                "pkg-url": "{ repo }/{ oops }.tgz", "bin-dir": "a/{ bin }", "pkg-fmt": "tgz",
            } },
        });
        let error =
            ArchiveNames::read(&Package { described }, "t").expect_err("an unknown variable");
        assert!(error.contains("name no archive"), "{error}");
    }
}
