//! The input language, measured: the queries of its paper, programs that couple variables,
//! and its two stories of bugs and of coverage.
//!
//! ```text
//! rebut-solve-bench paper|coupled|colon|validators [--z3 COMMAND] [--seeds N]
//! ```
//!
//! Prints a line of JSON for each measurement. Files are found from the folder of the benches.

mod coupled;

mod paper;

mod programs;

mod stories;

use std::path::PathBuf;

/// What was asked for.
struct Options {
    parts: Vec<String>,
    /// The command of a solver to be compared with.
    z3: Option<String>,
    seeds: u64,
    folder: PathBuf,
}

fn main() {
    let result = options(std::env::args().skip(1)).and_then(|options| run(&options));
    if let Err(message) = result {
        eprintln!("error: {message}");
        std::process::exit(2);
    }
}

fn run(options: &Options) -> Result<(), String> {
    for part in &options.parts {
        match part.as_str() {
            "paper" => paper::measure(&options.folder)?,
            "coupled" => coupled::measure(&options.folder, options.z3.as_deref())?,
            "colon" => stories::colon_path(options.seeds)?,
            "validators" => stories::validators()?,
            other => return Err(format!("`{other}` is no part of the bench")),
        }
    }
    Ok(())
}

fn options(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let folder = here.join("../solve");
    let mut options = Options { parts: Vec::new(), z3: None, seeds: 100, folder };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--z3" => options.z3 = Some(args.next().ok_or("--z3 takes a command")?),
            "--seeds" => {
                let seeds = args.next().and_then(|seeds| seeds.parse().ok());
                options.seeds = seeds.ok_or("--seeds takes a number")?;
            }
            _ => options.parts.push(arg),
        }
    }
    Ok(options)
}
