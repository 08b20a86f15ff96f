//! Which runs there are, and the lines that they print.

use std::cell::Cell;

use bench_measure::own_cpu_ns;
use rebut::settings::SearchMode;
use rebut::{Case, Check};
use serde_json::json;

/// How a problem is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strategy {
    /// Random cases.
    Random,
    /// Hill climbing, with constructed neighbors.
    Climbing,
    /// Simulated annealing, with constructed neighbors.
    Annealing,
    /// What a property gets that asks for nothing.
    Default,
    /// The same, with steps of a neighbor function written by hand beside the constructed.
    Steps,
    /// Simulated annealing by nothing but the neighbor function written by hand.
    ByHand,
}

impl Strategy {
    /// Those that the runner has.
    pub(crate) const CONSTRUCTED: [Strategy; 4] =
        [Strategy::Random, Strategy::Default, Strategy::Climbing, Strategy::Annealing];

    /// Its name in the lines.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Strategy::Random => "random",
            Strategy::Climbing => "climbing",
            Strategy::Annealing => "annealing",
            Strategy::Default => "default",
            Strategy::Steps => "steps",
            Strategy::ByHand => "by hand",
        }
    }

    fn search(self) -> SearchMode {
        match self {
            Strategy::Random => SearchMode::Off,
            Strategy::Climbing => SearchMode::Climbing,
            Strategy::Annealing => SearchMode::Annealing,
            Strategy::Default | Strategy::Steps | Strategy::ByHand => SearchMode::Auto,
        }
    }
}

/// What came of one run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    pub(crate) is_found: bool,
    /// Evaluations of the property, the failing one included.
    pub(crate) tests: u64,
    /// The best value of the objective.
    pub(crate) reached: f64,
    /// The CPU time at which the failing test had ended, or the last one.
    pub(crate) end_ns: u64,
}

/// What was asked for.
#[derive(Debug)]
pub(crate) struct Runs {
    seeds: u64,
    only: Option<String>,
}

impl Runs {
    pub(crate) fn parse(mut args: impl Iterator<Item = String>) -> Result<Runs, String> {
        let mut runs = Runs { seeds: 30, only: None };
        while let Some(flag) = args.next() {
            match (flag.as_str(), args.next()) {
                ("--seeds", Some(value)) => {
                    let seeds = value.parse().ok().filter(|seeds| *seeds > 0);
                    runs.seeds = seeds.ok_or("`--seeds` takes a number of at least 1")?;
                }
                ("--only", Some(value)) => runs.only = Some(value),
                _ => return Err(format!("`{flag}`: accepted are --seeds N and --only PROBLEM")),
            }
        }
        Ok(runs)
    }

    pub(crate) fn wants(&self, problem: &str) -> bool {
        self.only.as_ref().is_none_or(|only| only == problem)
    }

    /// Runs one case of a problem under every seed and prints a line for each.
    pub(crate) fn each(&self, problem: &str, strategy: Strategy, run: impl Fn(u64) -> Outcome) {
        for seed in 0..self.seeds {
            let start_ns = own_cpu_ns();
            let outcome = run(seed);
            let cpu_ns = outcome.end_ns - start_ns;
            let line = json!({
                "problem": problem,
                "case": strategy.name(),
                "seed": seed,
                "found": outcome.is_found,
                "tests": outcome.tests,
                "cpu_ns": cpu_ns,
                "reached": outcome.reached,
            });
            println!("{line}");
        }
    }
}

/// Runs a property as a user would, to its first failure, which is not shrunk. What is done
/// with a failure after it was found does not count.
pub(crate) fn run(
    strategy: Strategy,
    seed: u64,
    cases: u64,
    property: impl Fn(&mut Case) -> bool,
) -> Outcome {
    let check = Check::new("problem").cases(cases).seed(seed);
    let check = check.configure(|settings| {
        settings.search = strategy.search();
        settings.failures_max = 1;
        settings.shrink_max = 0;
        settings.explain = false;
    });
    let failed_ns = Cell::new(None);
    let report = check.run(|case| {
        let holds = property(case);
        if !holds && failed_ns.get().is_none() {
            failed_ns.set(Some(own_cpu_ns()));
        }
        holds
    });
    let reached = report.statistics.best_cases.first().map(|best| best.value);
    Outcome {
        is_found: report.has_failed(),
        tests: report.statistics.valid,
        reached: reached.unwrap_or(f64::NAN),
        end_ns: failed_ns.get().unwrap_or_else(own_cpu_ns),
    }
}
