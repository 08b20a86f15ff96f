//! Prints the toolchain that builds tests for WebAssembly, or the command that installs one. Builds
//! the standard library if necessary.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line prints")]

use std::process::ExitCode;

use rebut_build::Toolchain;

fn main() -> ExitCode {
    match Toolchain::find(&mut |step| eprintln!("{step}")) {
        Ok(toolchain) => {
            println!("{toolchain}");
            ExitCode::SUCCESS
        }
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}
