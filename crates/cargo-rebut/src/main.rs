//! `cargo rebut`: the command line of Rebut.
//!
//! What was asked for goes to the standard output, all else to the standard error. It works
//! called by cargo (`cargo rebut generate ..`) and directly (`cargo-rebut generate ..`).

mod campaign;
mod cli;
mod exit;
mod explain;
mod explore;
mod formats;
mod generalize;
mod generate;
mod output;
mod printed;
mod render;
mod replay;
mod report;
mod runs;
mod rust;
mod store;
mod words;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = cli::Cli::parse_from(cli::arguments(std::env::args_os()));
    let result = match &cli.command {
        cli::Command::Test(arguments) => campaign::run(arguments),
        cli::Command::Report(arguments) => report::run(arguments),
        cli::Command::List(arguments) => report::list(arguments),
        cli::Command::Replay(arguments) => replay::run(arguments),
        cli::Command::Explain(arguments) => explain::run(arguments),
        cli::Command::Generate(arguments) => generate::run(arguments),
        cli::Command::Explore(arguments) => explore::run(arguments),
        cli::Command::Generalize(arguments) => generalize::run(arguments),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => {
            words::say(&failure.message);
            failure.exit.into()
        }
    }
}
