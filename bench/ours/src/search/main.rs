//! Targeted search, measured on the problems of its papers. The problems are those of
//! `examples/search/`; what is here says under which strategies and limits they run.
//!
//! ```text
//! rebut-search-bench [--seeds N] [--only PROBLEM]
//! ```
//!
//! Prints a line of JSON for each run: the problem, the case (which strategy), the seed,
//! whether a failure was found, after how many tests, the CPU nanoseconds, and what was
//! reached.

mod by_hand;

mod found;

mod overhead;

mod reached;

mod runs;

use runs::Runs;

fn main() {
    match Runs::parse(std::env::args().skip(1)) {
        Ok(runs) => {
            found::sensors(&runs);
            found::machine(&runs);
            reached::routing(&runs);
            overhead::measure(&runs);
        }
        Err(message) => {
            eprintln!("error: {message}");
            std::process::exit(2);
        }
    }
}
