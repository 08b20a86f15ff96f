//! A package with properties, copied to the target directory, where it is built and explored.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::compat::clean_environment;
use crate::{cargo, root, target};

/// A package of a benchmark.
pub(super) struct Set {
    pub(super) name: &'static str,
    /// Its directory, from the root of the repository on.
    folder: &'static str,
    /// The directory of its properties, from its own directory on.
    tests: &'static str,
    features: &'static [&'static str],
}

/// Properties that are false.
pub(super) const ATTACK: Set =
    Set { name: "attack", folder: "bench/explore/attack", tests: "tests/attack", features: &[] };

/// Constants that cannot be compiled for 32 bits.
pub(super) const ATTACK_CONSTANTS: Set = Set {
    name: "attack-constants",
    folder: "bench/explore/attack/constants",
    tests: "tests",
    features: &[],
};

/// Properties that are false in a profile and with a feature.
pub(super) const ATTACK_PROFILE: Set = Set {
    name: "attack-profile",
    folder: "bench/explore/attack/profile",
    tests: "tests",
    features: &["strict"],
};

/// Properties of published crates.
pub(super) const NATURAL: Set =
    Set { name: "natural", folder: "bench/explore/natural", tests: "tests", features: &[] };

/// Properties that show what an exploration costs.
pub(super) const COST: Set =
    Set { name: "cost", folder: "bench/explore/cost", tests: "tests", features: &[] };

impl Set {
    /// The directory of its properties.
    pub(super) fn tests(&self) -> PathBuf {
        root().join(self.folder).join(self.tests)
    }

    /// The arguments that select its features.
    pub(super) fn features(&self) -> Vec<String> {
        match self.features {
            [] => Vec::new(),
            features => vec!["--features".to_owned(), features.join(",")],
        }
    }

    /// Copies the package for a purpose. Files that do not change keep their times, so that they
    /// are not built again.
    pub(super) fn copy(&self, purpose: &str) -> Result<PathBuf, String> {
        let to = home().join(self.name).join(purpose);
        let from = root().join(self.folder);
        copy(&from, &to).map_err(|error| format!("cannot copy {from:?}: {error}"))?;
        // With the versions of this workspace nothing has to be looked up, where they serve.
        let lock = to.join("Cargo.lock");
        if !lock.is_file() {
            let ours = root().join("Cargo.lock");
            fs::copy(&ours, &lock).map_err(|error| format!("cannot copy {ours:?}: {error}"))?;
        }
        Ok(to)
    }

    /// A command of cargo in a copy of the package.
    pub(super) fn cargo(&self, home: &Path, arguments: &[&str]) -> Command {
        let mut command = cargo(arguments);
        environment(&mut command, home);
        command
    }
}

/// Sets the directory and the variables of a command that builds a copy.
pub(super) fn environment(command: &mut Command, directory: &Path) {
    clean_environment(command);
    command.current_dir(directory).stdin(Stdio::null());
    command.env("CARGO_TARGET_DIR", home().join("build")).env("CARGO_TERM_COLOR", "never");
    command.env("RUST_BACKTRACE", "0").env("REBUT_SEED", "1");
}

/// Where packages are copied to and built.
fn home() -> PathBuf {
    target().join("bench-explore")
}

/// Copies all files. The path of Rebut becomes absolute.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            if entry.file_name() != "target" {
                copy(&from, &to)?;
            }
            continue;
        }
        if entry.file_name() == "Cargo.lock" {
            continue;
        }
        let text = fs::read_to_string(&from)?;
        let text = match entry.file_name() == "Cargo.toml" {
            true => with_absolute_path(&text),
            false => text,
        };
        if fs::read_to_string(&to).ok().as_ref() != Some(&text) {
            fs::write(&to, text)?;
        }
    }
    Ok(())
}

fn with_absolute_path(manifest: &str) -> String {
    let rebut = root().join("crates/rebut").display().to_string();
    let lines = manifest.lines().map(|line| match line.split_once("\"..") {
        Some((before, path)) if path.contains("crates/rebut\"") => {
            let after = path.split_once('"').map_or("", |(_, after)| after);
            format!("{before}\"{rebut}\"{after}\n")
        }
        _ => format!("{line}\n"),
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_rebut_becomes_absolute() {
        let manifest = "[dependencies]\na = { path = \"../a\" }\n\
                        rebut = { path = \"../../crates/rebut\" }\n";
        let absolute = with_absolute_path(manifest);
        assert!(absolute.contains("a = { path = \"../a\" }"));
        assert!(
            absolute.contains(&format!("{:?}", root().join("crates/rebut").display().to_string()))
        );
    }
}
