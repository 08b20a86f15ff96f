//! Builds the tests of a package or workspace and lists the modules:
//! `cargo run --package rebut-build --example modules -- path/to/Cargo.toml [package ..]`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line prints")]

use rebut_build::{Problem, Request, Toolchain, build};

fn main() -> Result<(), Problem> {
    let mut arguments = std::env::args().skip(1);
    let request = Request {
        manifest: arguments.next().map(Into::into),
        packages: arguments.collect(),
        ..Request::default()
    };
    let mut progress = |step: &str| eprintln!("{step}");
    let toolchain = Toolchain::find(&mut progress)?;
    eprintln!("building with {toolchain}");
    let built = build(&toolchain, &request, &mut progress)?;
    for module in built.modules {
        println!("{} {}: {}", module.package, module.target, module.path.display());
        println!("  {} tests, foreign: {:?}", module.entries.len(), module.foreign);
    }
    for skipped in built.skipped {
        println!("{skipped}");
    }
    Ok(())
}
