//! What every measured binary shares: arguments, CPU time, counting of
//! executions, and the lines of JSON that the driver reads.
//!
//! A binary for a library implements [`Library`] for a type of its own, which
//! says how the library generates each input and runs a property, and calls
//! [`main`]. Time is always CPU time of the own process, never wall clock, so
//! that a busy machine does not change a figure much.
//!
//! ```text
//! <binary> generate|find|shrink [--seeds N] [--only PROBLEM]
//! ```

mod cpu;

mod mean;

mod trial;

use std::rc::Rc;

use bench_problems::Problem;
use serde_json::{Value, json};

pub use cpu::{children_cpu_ns, own_cpu_ns};
pub use mean::Mean;
pub use trial::Trial;

/// A run gives up after this many cases; a miss counts as this many.
pub const CASES_MAX: u64 = 10_000;

/// A library under measurement.
///
/// The three methods call [`Reporter::time`], [`Reporter::find`] and
/// [`Reporter::shrink`] for each shape or problem the library can express.
pub trait Library {
    /// The library's name in reports.
    const NAME: &'static str;
    /// The version measured.
    const VERSION: &'static str;

    /// Times each of the shapes.
    fn generate(reporter: &Reporter);

    /// Searches each of the problems for a failure.
    fn find(reporter: &Reporter);

    /// Shrinks each of the challenges; does nothing where that is not measured.
    fn shrink(reporter: &Reporter);
}

/// Parses the arguments and runs what they ask for.
pub fn main<L: Library>() {
    let mut args = std::env::args().skip(1);
    let bench = args.next().unwrap_or_default();
    let reporter = Reporter::new::<L>(args);
    match bench.as_str() {
        "generate" => L::generate(&reporter),
        "find" => L::find(&reporter),
        "shrink" => L::shrink(&reporter),
        _ => {
            eprintln!("usage: generate|find|shrink [--seeds N] [--only PROBLEM]");
            std::process::exit(2);
        }
    }
}

/// Runs measurements and prints a line for each.
#[derive(Debug)]
pub struct Reporter {
    library: &'static str,
    version: &'static str,
    seeds: u64,
    only: Option<String>,
}

impl Reporter {
    fn new<L: Library>(mut args: impl Iterator<Item = String>) -> Self {
        let mut reporter = Self {
            library: L::NAME,
            version: L::VERSION,
            seeds: 100,
            only: None,
        };
        while let Some(flag) = args.next() {
            let value = args.next().unwrap_or_default();
            match flag.as_str() {
                "--seeds" => reporter.seeds = value.parse().expect("--seeds takes a number"),
                "--only" => reporter.only = Some(value),
                _ => panic!("unknown argument {flag}: accepted are --seeds and --only"),
            }
        }
        reporter
    }

    /// Times a shape: `run` is called with a number of cases, several times,
    /// and the CPU nanoseconds per case of the best round are reported (noise
    /// only ever adds) beside the mean size of a value.
    pub fn time(&self, shape: &str, cases: u64, size: &Mean, run: impl Fn(u64)) {
        const ROUNDS: usize = 5;
        if !self.wants(shape) {
            return;
        }
        let round = |_| {
            let start_ns = own_cpu_ns();
            run(cases);
            own_cpu_ns() - start_ns
        };
        let best_ns = (0..ROUNDS).map(round).min().unwrap_or_default();
        self.print(json!({
            "bench": "generate",
            "problem": shape,
            "cases": cases,
            "cpu_ns": best_ns as f64 / cases as f64,
            "size": size.get(),
        }));
    }

    /// Searches a problem for a failure under each seed. `run` is given a seed
    /// and the trial to run each case through, and stops at the first failure.
    pub fn find<T: Clone + std::fmt::Debug>(
        &self,
        problem: Problem<T>,
        run: impl Fn(u64, &Rc<Trial<T>>),
    ) {
        self.each_seed(problem, run, |seed, trial| {
            json!({
                "bench": "find",
                "problem": problem.name,
                "seed": seed,
                "found": trial.first_failure().is_some(),
                "cases": trial.first_failure().unwrap_or(CASES_MAX),
            })
        });
    }

    /// Finds and shrinks a failure under each seed. `run` is given a seed and
    /// the trial to run each case through, and returns when shrinking is done.
    pub fn shrink<T: Clone + std::fmt::Debug>(
        &self,
        problem: Problem<T>,
        run: impl Fn(u64, &Rc<Trial<T>>),
    ) {
        self.each_seed(problem, run, |seed, trial| {
            let last_failure = trial.last_failure();
            json!({
                "bench": "shrink",
                "problem": problem.name,
                "seed": seed,
                "found": last_failure.is_some(),
                "executions": trial.executions_after_failure(),
                "normal": last_failure.as_ref().is_some_and(|x| problem.is_normal_form(x)),
                "final": last_failure.map(|x| format!("{x:?}")),
            })
        });
    }

    fn each_seed<T: Clone>(
        &self,
        problem: Problem<T>,
        run: impl Fn(u64, &Rc<Trial<T>>),
        line: impl Fn(u64, &Trial<T>) -> Value,
    ) {
        if !self.wants(problem.name) {
            return;
        }
        for seed in 0..self.seeds {
            let trial = Rc::new(Trial::new(problem));
            run(seed, &trial);
            self.print(line(seed, &trial));
        }
    }

    fn wants(&self, name: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == name)
    }

    fn print(&self, mut line: Value) {
        line["library"] = self.library.into();
        line["version"] = self.version.into();
        println!("{line}");
    }
}
