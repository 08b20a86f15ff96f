//! The project's own chores: `cargo xtask test`, `cargo xtask setup`, `cargo xtask bench <name>`,
//! `cargo xtask compat`, `cargo xtask corpus`, `cargo xtask faults`, `cargo xtask soak`,
//! `cargo xtask mutations`, `cargo xtask miri`, `cargo xtask oracle`, `cargo xtask guide`,
//! `cargo xtask words`, `cargo xtask house`, `cargo xtask tour`.
//!
//! Everything a fresh machine needs is set up here; nothing here is needed to use Rebut.

#![expect(
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a command line prints its steps and results"
)]

mod bench;
mod clock;
mod compat;
mod corpus;
mod dist;
mod faults;
mod guide;
mod house;
mod miri;
mod msrv;
mod mutations;
mod oracle;
mod package;
mod platforms;
mod setup;
mod soak;
mod sources;
mod tally;
mod test;
mod tour;
mod words;
#[cfg(test)]
mod workflows;
mod workspace;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "\
cargo xtask test                  sets up, then checks format, lints, tests, examples, documentation;
                                  lists what did not run, which is a failure if CI is set
cargo xtask test --fix            the same, but formats instead of complaining
cargo xtask setup                 fetches crates and installs what tests need: solvers, Chromium,
                                  JUnit, pytest, cargo-nextest, a standard library for WebAssembly
cargo xtask bench NAME [--check]  measures against peers: generate, shrink, find, build, search, programs,
                                  solve, explore, infer
cargo xtask bench explore PART [--check] [NAME..]  the verdicts of exploration against the truth: PART is
                                  `attack` (properties that are false here), `natural` (published
                                  crates) or `cost`; a NAME selects a file of properties; `--native`
                                  only checks the marks; `--slice` and `--seed N` for a few
cargo xtask bench report [--check]  writing and opening the report of 100,000 events
cargo xtask compat [--check] [ROW..]  uses Rebut as existing projects do, row by row; writes compat/results.md;
                                  `--slice` runs the rows of `cargo xtask test`
cargo xtask corpus [--check] [NAME..]  uses Rebut on published crates and checks all that it prints; writes
                                  bench/results/corpus.md; `--slice` runs the crates of `cargo xtask test`;
                                  `--fetch` only fetches
cargo xtask faults [--check] [NAME..]  lets tests die in many ways at many sites and checks what is reported;
                                  kills test processes; writes bench/results/faults.md; a NAME selects
                                  a death, a site, a runner or `kills`; `--slice` runs the cells of
                                  `cargo xtask test`, which `--seed N` selects; `--kills N`
cargo xtask soak [--time 30m] [--seed N] [--check]  lets a campaign run with slow files, and kills runs with
                                  full disks; memory and descriptors must be flat, and no failure lost;
                                  writes bench/results/soak.md; on Linux
cargo xtask oracle [PATHS]        sends more than 10,000 queries to the embedded solver and z3, and compares
cargo xtask guide [--open]        the guide as a book, in target/guide; needs mdBook
cargo xtask package [--verify] [--tag TAG]  packs every published crate and checks its manifest and files;
                                  `--verify` builds the packages; nothing is uploaded
cargo xtask mutations             damages every file that Rebut reads in 10,000 ways; prints a table
cargo xtask miri [PACKAGE..]      runs unit tests of the crates in users' builds under Miri; installs a nightly
cargo xtask platforms             lints the library and the command for Windows and macOS; `--library` only the
                                  library; `--run` tests them for Windows under Wine; `--host` on this system
cargo xtask msrv [--strict]       builds each crate with the oldest Rust it promises
cargo xtask dist --target TARGET  builds the commands and packs them for a release, in target/dist
cargo xtask house [CHECK..]       checks the structure: dependencies, invariants, paths in documents, names, lengths;
                                  `--unchecked` lists the invariants that no check covers
cargo xtask words [PATH..]        checks the words of pages, messages and comments; a PATH in every scope
cargo xtask tour [--open]         stories of exploration, generalization and inference; `--list`,
                                  `--story N`, `--check` (fails if a story cannot run)
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["test", rest @ ..] => test::run(rest),
        ["setup", rest @ ..] => setup::run(rest),
        ["compat", rest @ ..] => compat::run(rest),
        ["corpus", rest @ ..] => corpus::run(rest),
        ["faults", rest @ ..] => faults::run(rest),
        ["soak", rest @ ..] => soak::run(rest),
        ["oracle", rest @ ..] => oracle::run(rest),
        ["guide", rest @ ..] => guide::run(rest),
        ["package", rest @ ..] => package::run(rest),
        ["mutations", rest @ ..] => mutations::run(rest),
        ["miri", rest @ ..] => miri::run(rest),
        ["platforms", rest @ ..] => platforms::run(rest),
        ["msrv", rest @ ..] => msrv::run(rest),
        ["dist", rest @ ..] => dist::run(rest),
        ["tour", rest @ ..] => tour::run(rest),
        ["house", rest @ ..] => house::run(rest),
        ["words", rest @ ..] => words::run(rest),
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
            // If it is empty, the chore has printed the reason.
            if !message.is_empty() {
                eprintln!("error: {message}");
            }
            ExitCode::FAILURE
        }
    }
}

/// The directory of the workspace.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// The directory that cargo builds into.
fn target() -> PathBuf {
    let named = std::env::var_os("CARGO_TARGET_DIR").filter(|directory| !directory.is_empty());
    root().join(named.unwrap_or_else(|| "target".into()))
}

/// Runs a command and fails if it does.
fn run(command: &mut Command) -> Result<(), String> {
    let shown = command_line(command);
    eprintln!("> {shown}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` ended with {status}")),
        Err(error) => Err(format!("cannot start `{shown}`: {error}")),
    }
}

/// A command as it would be typed, without the directory of its program.
fn command_line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let program = program.file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Cargo in the workspace.
fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).args(arguments);
    command
}
