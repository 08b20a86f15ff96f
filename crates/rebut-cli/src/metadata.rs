//! Runs `cargo metadata` for the commands.
//!
//! The commands read a few fields of the JSON. They do not use the crate `cargo_metadata`, which
//! `rebut-build` needs for the graph of dependencies, because it would slow down their build.

use crate::exit::{Exit, Failure};
use crate::runs::cargo;
use crate::words;
use serde_json::Value;
use std::path::Path;

/// The output of `cargo metadata`.
#[derive(Clone, Debug)]
pub struct Metadata {
    /// The description of the workspace, without dependencies; `null` if cargo failed.
    pub json: Value,
    /// The standard error of cargo.
    pub stderr: String,
    /// Whether cargo succeeded.
    pub is_success: bool,
}

impl Metadata {
    /// Describes the workspace with this manifest, or else the one of a directory, or else the one
    /// of the current directory.
    ///
    /// # Errors
    /// If there is no such manifest, or cargo cannot be started. Other errors are in the result.
    pub fn read(manifest: Option<&Path>, directory: Option<&Path>) -> Result<Metadata, Failure> {
        if let Some(manifest) = manifest.filter(|manifest| !manifest.exists()) {
            return Err(Failure::new(Exit::Metadata, words::missing_manifest(manifest)));
        }
        let mut command = cargo();
        command.args(["metadata", "--no-deps", "--offline", "--format-version=1"]);
        if let Some(manifest) = manifest {
            command.arg("--manifest-path").arg(manifest);
        }
        if let Some(directory) = directory {
            command.current_dir(directory);
        }
        let output = command
            .output()
            .map_err(|error| Failure::new(Exit::MissingTool, words::cargo_not_started(error)))?;
        Ok(Metadata {
            json: serde_json::from_slice(&output.stdout).unwrap_or_default(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
            is_success: output.status.success(),
        })
    }
}
