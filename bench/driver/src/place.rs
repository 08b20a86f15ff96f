//! Where things are.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The directories of the benchmark workspace.
#[derive(Debug)]
pub(crate) struct Place {
    /// `bench/`.
    pub(crate) bench: PathBuf,
}

impl Place {
    /// The workspace this driver was built from.
    pub(crate) fn find() -> Self {
        let driver = Path::new(env!("CARGO_MANIFEST_DIR"));
        Self { bench: driver.parent().unwrap_or(driver).to_owned() }
    }

    /// A path under `bench/`.
    pub(crate) fn join(&self, path: &str) -> PathBuf {
        self.bench.join(path)
    }

    /// Where binaries and scratch crates are built.
    pub(crate) fn target(&self) -> PathBuf {
        self.join("target")
    }
}

/// Runs a command and gives back what it printed.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?} ended with {}: {stderr}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
