//! Says with what tests are built for WebAssembly, or what to run so that they can be. Builds the
//! standard library if that is what is needed.

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
