//! `cargo rebut`: the command line of Rebut.
//!
//! The result goes to the standard output, everything else to the standard error. It works called
//! by cargo (`cargo rebut test`) and directly (`rebut test`, `cargo-rebut test`): two binaries that
//! only call [`main`]. It contains no compiler and no engine for WebAssembly: `explore`,
//! `generalize` and `infer` are passed on to a binary of their own (`engine.rs`).
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     cargo_rebut::main()
//! }
//! ```

mod campaign;
mod cli;
mod completions;
mod engine;
mod explain;
mod formats;
mod generate;
mod init;
mod input_cache;
mod manual;
mod render;
mod replay;
mod report;
mod rust;
mod stale;
mod words;

use std::process::ExitCode;

/// Runs the command that the arguments of this process name, and returns the exit code.
#[must_use]
pub fn main() -> ExitCode {
    let (cli, typed) = cli::parse(std::env::args_os());
    rebut_cli::color::choose(cli.color);
    let result = match &cli.command {
        cli::Command::Init(arguments) => init::run(arguments),
        cli::Command::Test(arguments) => campaign::run(arguments),
        cli::Command::Report(arguments) => report::run(arguments),
        cli::Command::List(arguments) => report::list(arguments),
        cli::Command::Replay(arguments) => replay::run(arguments),
        cli::Command::Explain(arguments) => explain::run(arguments),
        cli::Command::Generate(arguments) => generate::run(arguments),
        cli::Command::Engine(_) => engine::run(typed),
        cli::Command::Completions(arguments) => completions::run(arguments),
        cli::Command::Man(arguments) => manual::run(arguments),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => {
            words::say(&failure.message);
            failure.exit.into()
        }
    }
}
