//! `explore`, `generalize` and `infer`: passed on to the second binary.
//!
//! That binary brings a compiler and a solver, and takes minutes to build; most days nobody needs
//! it. It is looked for beside this one, where `cargo install` puts both, and then on the `PATH`.
//! The arguments were parsed here already, so wrong ones never get this far.

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
    // Two versions may disagree about files and formats; the second binary compares.
    command.env(rebut_cli::VERSION_VARIABLE, env!("CARGO_PKG_VERSION"));
    let failed = |why: std::io::Error| {
        Failure::new(Exit::MissingTool, error(format!("cannot start {}: {why}", engine.display())))
    };
    replace(command).map_err(failed)
}

/// Becomes the other process, so that signals and the exit code are its own.
#[cfg(unix)]
fn replace(mut command: Command) -> std::io::Result<Exit> {
    use std::os::unix::process::CommandExt as _;
    Err(command.exec())
}

/// Runs the other process and ends as it does.
#[cfg(not(unix))]
fn replace(mut command: Command) -> std::io::Result<Exit> {
    let status = command.status()?;
    std::process::exit(status.code().unwrap_or(Exit::Internal as i32))
}

/// Finds the second binary beside this one, then on the path.
fn find(this: Option<&Path>, path: &std::ffi::OsStr) -> Option<PathBuf> {
    let name = format!("{ENGINE}{}", std::env::consts::EXE_SUFFIX);
    let beside = this.and_then(Path::parent).map(Path::to_owned);
    // `this` may be a link to the place where it was installed.
    let linked = this.and_then(|this| this.canonicalize().ok());
    let linked = linked.as_deref().and_then(Path::parent).map(Path::to_owned);
    let directories = beside.into_iter().chain(linked).chain(std::env::split_paths(path));
    directories.map(|directory| directory.join(&name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_found_beside_the_command_before_the_path() {
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
