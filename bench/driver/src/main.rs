//! `bench-driver generate|shrink|find|build|search|all [--seeds N] [--fresh] [--check] [--peer proper] [--part NAME]`

use std::process::ExitCode;

use bench_driver::{Options, run};

fn main() -> ExitCode {
    match Options::parse(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
