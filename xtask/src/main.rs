//! The project's own chores: `cargo xtask test`, `cargo xtask bench <name>`, `cargo xtask oracle`,
//! `cargo xtask guide`.
//!
//! Everything a fresh machine needs is set up here; nothing here is needed to use Rebut.

#![expect(clippy::print_stderr, reason = "a command line speaks on the standard error")]

mod bench;
mod dist;
mod guide;
mod msrv;
mod oracle;
mod package;
mod platforms;
mod test;
mod wasm;
#[cfg(test)]
mod workflows;
mod workspace;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "\
cargo xtask test                  format, lints, tests, doc tests, examples
cargo xtask test --fix            the same, but formats instead of complaining
cargo xtask bench NAME [--check]  measures against peers: generate, shrink, find, build, search, programs,
                                  solve, explore, infer
cargo xtask oracle [PATHS]        asks the embedded solver and z3 more than 10,000 questions, and compares
cargo xtask bench report [--check]  writing and opening the report of 100,000 events
cargo xtask guide [--open]        the guide as a book, in target/guide; needs mdBook
cargo xtask package [--verify] [--tag TAG]  packs every published crate and checks its manifest and files;
                                  `--verify` builds the packages; nothing is uploaded
cargo xtask platforms             lints the library and the command for Windows and macOS; `--library` only the
                                  library; `--run` tests them for Windows under Wine; `--host` on this system
cargo xtask msrv [--strict]       builds each crate with the oldest Rust it promises
cargo xtask dist --target TARGET  builds the commands and packs them for a release, in target/dist
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["test", rest @ ..] => test::run(rest),
        ["oracle", rest @ ..] => oracle::run(rest),
        ["guide", rest @ ..] => guide::run(rest),
        ["package", rest @ ..] => package::run(rest),
        ["platforms", rest @ ..] => platforms::run(rest),
        ["msrv", rest @ ..] => msrv::run(rest),
        ["dist", rest @ ..] => dist::run(rest),
        ["bench", name, rest @ ..] => bench::run(name, rest),
        ["help" | "--help" | "-h"] => {
            eprint!("{USAGE}");
            Ok(())
        }
        [] => Err(format!("nothing to do\n\n{USAGE}")),
        other => Err(format!("unknown chore `{}`\n\n{USAGE}", other.join(" "))),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// Runs a command and fails if it does.
fn run(command: &mut Command) -> Result<(), String> {
    let shown = format!("{command:?}").replace('"', "");
    eprintln!("> {shown}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` ended with {status}")),
        Err(error) => Err(format!("`{shown}` cannot be started: {error}")),
    }
}

/// Cargo in the workspace.
fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).args(arguments);
    command
}
