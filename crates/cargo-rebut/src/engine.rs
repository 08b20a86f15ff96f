//! Passes `explore`, `generalize` and `infer` on to the second binary.
//!
//! That binary includes a compiler and a solver, and takes minutes to build. Most users rarely need
//! it. This module looks for it in the directory of this binary, where `cargo install` puts both,
//! and then in `PATH`. The arguments have already been parsed, so they are valid.

use crate::words;
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::words::error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The name of the second binary.
const ENGINE: &str = "cargo-rebut-explore";

/// Runs the second binary with the arguments of this process.
pub(crate) fn run(arguments: Vec<OsString>) -> Result<Exit, Failure> {
    let engine = find(
        std::env::current_exe().ok().as_deref(),
        &std::env::var_os("PATH").unwrap_or_default(),
    );
    let engine = engine.ok_or_else(|| Failure::new(Exit::MissingTool, words::no_engine(ENGINE)))?;
    let mut command = Command::new(&engine);
    command.args(arguments);
    // Two versions may use different files and formats. The second binary compares them.
    command.env(rebut_cli::VERSION_VARIABLE, env!("CARGO_PKG_VERSION"));
    let failed = |why: std::io::Error| {
        Failure::new(
            Exit::MissingTool,
            error(format!("cannot start {}: {why}", rebut_cli::status::path_on_one_line(&engine))),
        )
    };
    replace(command).map_err(failed)
}

/// Replaces this process, so that the other receives signals and sets the exit code.
#[cfg(unix)]
fn replace(mut command: Command) -> std::io::Result<Exit> {
    use std::os::unix::process::CommandExt as _;
    Err(command.exec())
}

/// Runs the other process and exits with its code.
#[cfg(not(unix))]
fn replace(mut command: Command) -> std::io::Result<Exit> {
    let status = command.status()?;
    std::process::exit(status.code().unwrap_or(Exit::Internal as i32))
}

/// Finds the second binary in the directory of this one, or else in `PATH`.
fn find(this: Option<&Path>, path: &std::ffi::OsStr) -> Option<PathBuf> {
    let name = format!("{ENGINE}{}", std::env::consts::EXE_SUFFIX);
    let beside = this.and_then(Path::parent).map(Path::to_owned);
    // `this` may be a link into the directory where both are installed.
    let linked = this.and_then(|this| this.canonicalize().ok());
    let linked = linked.as_deref().and_then(Path::parent).map(Path::to_owned);
    let directories = beside.into_iter().chain(linked).chain(std::env::split_paths(path));
    directories.map(|directory| directory.join(&name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_of_the_command_precedes_the_path() {
        let scratch = std::env::temp_dir().join(format!("rebut-engine-{}", std::process::id()));
        let (beside, other) = (scratch.join("beside"), scratch.join("other"));
        let name = format!("{ENGINE}{}", std::env::consts::EXE_SUFFIX);
        for directory in [&beside, &other] {
            std::fs::create_dir_all(directory).expect("a directory");
        }
        let this = beside.join("cargo-rebut");
        let path = std::env::join_paths([&other]).expect("a path");
        assert_eq!(find(Some(&this), &path), None);
        std::fs::write(other.join(&name), "").expect("a file");
        assert_eq!(find(Some(&this), &path), Some(other.join(&name)));
        std::fs::write(beside.join(&name), "").expect("a file");
        assert_eq!(find(Some(&this), &path), Some(beside.join(&name)));
        assert_eq!(find(None, &path), Some(other.join(&name)));
        let _ = std::fs::remove_dir_all(scratch);
    }
}
