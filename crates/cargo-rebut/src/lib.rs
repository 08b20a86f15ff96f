//! `cargo rebut`: the command line of Rebut.
//!
//! What was asked for goes to the standard output, all else to the standard error. It works
//! called by cargo (`cargo rebut test`) and directly (`rebut test`, `cargo-rebut test`): two
//! binaries that only call [`main`].
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     cargo_rebut::main()
//! }
//! ```

mod campaign;
mod cli;
mod completions;
mod exit;
mod explain;
mod explore;
mod formats;
mod generalize;
mod generate;
mod infer;
mod init;
mod manual;
mod output;
mod printed;
mod render;
mod replay;
mod report;
mod runs;
mod rust;
mod store;
mod words;

use std::process::ExitCode;

/// Does what the arguments of this process ask for; the code to end with.
#[must_use]
pub fn main() -> ExitCode {
    let cli = cli::parse(std::env::args_os());
    let result = match &cli.command {
        cli::Command::Init(arguments) => init::run(arguments),
        cli::Command::Test(arguments) => campaign::run(arguments),
        cli::Command::Report(arguments) => report::run(arguments),
        cli::Command::List(arguments) => report::list(arguments),
        cli::Command::Replay(arguments) => replay::run(arguments),
        cli::Command::Explain(arguments) => explain::run(arguments),
        cli::Command::Generate(arguments) => generate::run(arguments),
        cli::Command::Explore(arguments) => explore::run(arguments),
        cli::Command::Generalize(arguments) => generalize::run(arguments),
        cli::Command::Infer(arguments) => infer::run(arguments),
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
