//! `cargo-rebut-explore`: the engines behind `cargo rebut explore`, `generalize` and `infer`.
//!
//! `cargo rebut` finds this binary and calls it; see `crates/cargo-rebut/src/engine.rs`. It can be
//! called directly, too: `cargo-rebut-explore explore -p my-crate`. It only parses arguments and
//! calls the crates of the engines.

use clap::Parser;
use rebut_cli::arguments::Engine;
use rebut_cli::color::{Color, choose};
use rebut_cli::exit::{Exit, Failure};
use rebut_cli::words::{error, say};
use std::ffi::OsString;
use std::process::ExitCode;

/// Explore, generalize and infer tests: the engines of `cargo rebut`.
#[derive(Debug, Parser)]
#[command(name = "cargo-rebut-explore", version)]
struct Cli {
    /// Coloring: auto, always, never
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value_t = Color::Auto,
        hide_possible_values = true
    )]
    color: Color,
    #[command(subcommand)]
    engine: Engine,
}

fn main() -> ExitCode {
    let called_by = std::env::var(rebut_cli::VERSION_VARIABLE).ok();
    let result = match check_version(called_by.as_deref(), env!("CARGO_PKG_VERSION")) {
        Ok(()) => {
            let cli = Cli::parse_from(arguments(std::env::args_os().collect()));
            choose(cli.color);
            run(&cli.engine)
        }
        Err(failure) => Err(failure),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => {
            say(&failure.message);
            failure.exit.into()
        }
    }
}

fn run(engine: &Engine) -> Result<Exit, Failure> {
    match engine {
        Engine::Explore(arguments) => rebut_explore::run(arguments),
        Engine::Generalize(arguments) => rebut_generalize::run(arguments),
        Engine::Infer(arguments) => rebut_infer::run(arguments),
    }
}

/// Fails if the two binaries have different versions, because they share files and formats.
fn check_version(called_by: Option<&str>, own: &str) -> Result<(), Failure> {
    match called_by {
        Some(version) if version != own => Err(Failure::new(
            Exit::MissingTool,
            error(format!(
                "cargo-rebut is version {version}, but cargo-rebut-explore is version {own}\n\
                 help: install both from the same source"
            )),
        )),
        _ => Ok(()),
    }
}

/// Removes the word `rebut-explore`, which cargo passes as the first argument.
fn arguments(mut all: Vec<OsString>) -> Vec<OsString> {
    if all.get(1).is_some_and(|first| first == "rebut-explore") {
        all.remove(1);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn arguments_fit_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn refuses_a_command_of_another_version() {
        assert!(check_version(None, "0.1.0").is_ok());
        assert!(check_version(Some("0.1.0"), "0.1.0").is_ok());
        let failure = check_version(Some("0.2.0"), "0.1.0").expect_err("another version");
        assert_eq!(failure.exit, Exit::MissingTool);
        assert!(failure.message.contains("0.2.0") && failure.message.contains("0.1.0"));
    }

    #[test]
    fn the_word_that_cargo_adds_is_removed() {
        let parsed = |words: &[&str]| arguments(words.iter().map(OsString::from).collect());
        assert_eq!(parsed(&["x", "rebut-explore", "infer"]), parsed(&["x", "infer"]));
    }
}
