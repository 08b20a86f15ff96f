//! A folder below `target/` in which a bench writes a crate and has cargo build it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bench_measure::children_cpu_ns;

use crate::place::{self, Place};

/// Crates that are there for the measurement, or that only hold another build.
const NOT_COUNTED: [&str; 3] = ["dependent", "suite", "hegel-engine-shim"];

/// The optimization that cargo builds with.
#[derive(Clone, Copy, Debug)]
pub(super) enum Profile {
    Debug,
    Release,
}

impl Profile {
    /// The folder below the target folder.
    fn folder(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Release => "release",
        }
    }

    /// The arguments of cargo with the flag of this profile.
    pub(super) fn arguments<'a>(self, arguments: &[&'a str]) -> Vec<&'a str> {
        let flag = match self {
            Self::Debug => None,
            Self::Release => Some("--release"),
        };
        arguments.iter().copied().chain(flag).collect()
    }
}

/// A scratch folder.
#[derive(Debug)]
pub(super) struct Scratch {
    root: PathBuf,
}

impl Scratch {
    /// An empty folder of this name.
    pub(super) fn new(place: &Place, name: &str) -> Result<Self, String> {
        let scratch = Self { root: place.target().join("build-bench").join(name) };
        scratch.remove()?;
        Ok(scratch)
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn target(&self) -> PathBuf {
        self.root.join("target")
    }

    /// Removes everything: build products of several peers are large, and of no further use.
    pub(super) fn remove(&self) -> Result<(), String> {
        remove_dir(&self.root)
    }

    /// Forgets what was built.
    pub(super) fn clean(&self) -> Result<(), String> {
        remove_dir(&self.target())
    }

    /// Writes a file, and the folders above it.
    pub(super) fn write(&self, path: &str, text: &str) -> Result<(), String> {
        let path = self.root.join(path);
        let parent = path.parent().unwrap_or(&path);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&path, text))
            .map_err(|error| format!("cannot write {path:?}: {error}"))
    }

    /// Runs cargo and gives back what it printed.
    ///
    /// Cargo builds incrementally what it has by path, and nothing else. Ours would be the only
    /// library that is, so `is_incremental` is for builds of the crate that depends on it.
    pub(super) fn cargo(&self, is_incremental: bool, arguments: &[&str]) -> Result<String, String> {
        let mut command = Command::new(env!("CARGO"));
        command.args(arguments).current_dir(&self.root);
        command.env("CARGO_TARGET_DIR", self.target());
        if is_incremental {
            command.env_remove("CARGO_INCREMENTAL");
        } else {
            command.env("CARGO_INCREMENTAL", "0");
        }
        place::output(&mut command)
    }

    /// The CPU seconds of a run of cargo and of all that it starts.
    pub(super) fn cpu_seconds(
        &self,
        is_incremental: bool,
        arguments: &[&str],
    ) -> Result<f64, String> {
        let start_ns = children_cpu_ns();
        self.cargo(is_incremental, arguments)?;
        Ok((children_cpu_ns() - start_ns) as f64 / 1e9)
    }

    /// How many packages were compiled, by the fingerprints cargo left, those of builds inside
    /// builds included.
    pub(super) fn built_crates(&self) -> usize {
        let mut crates = BTreeSet::new();
        let mut directories = vec![self.target()];
        while let Some(directory) = directories.pop() {
            let is_fingerprints = directory.ends_with(".fingerprint");
            for path in entries(&directory).filter(|path| path.is_dir()) {
                let name = file_name(&path);
                match name.rsplit_once('-') {
                    Some((package, _)) if is_fingerprints => {
                        let _ = crates.insert(package.to_owned());
                    }
                    _ => directories.push(path),
                }
            }
        }
        crates.retain(|package| !NOT_COUNTED.contains(&package.as_str()));
        crates.len()
    }

    /// The bytes of the test binary of this name.
    pub(super) fn binary_bytes(&self, profile: Profile, name: &str) -> Result<u64, String> {
        let folder = self.target().join(profile.folder()).join("deps");
        let prefix = format!("{name}-");
        let is_binary =
            |path: &PathBuf| file_name(path).starts_with(&prefix) && path.extension().is_none();
        let binary = entries(&folder).find(is_binary);
        let binary = binary.ok_or_else(|| format!("no binary {prefix}* in {folder:?}"))?;
        let bytes = fs::metadata(&binary).map(|metadata| metadata.len());
        bytes.map_err(|error| format!("cannot read {binary:?}: {error}"))
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn entries(directory: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn remove_dir(path: &Path) -> Result<(), String> {
    if !path.exists() {
        return Ok(());
    }
    fs::remove_dir_all(path).map_err(|error| format!("cannot remove {path:?}: {error}"))
}
