//! Which runs there are, and the lines that they print.

use bench_measure::own_cpu_ns;
use rebut::{Answer, Case, Check, Report, Search};
use serde_json::json;

/// How a problem is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strategy {
    /// Random cases.
    Random,
    /// Hill climbing, with constructed neighbours.
    Climbing,
    /// Simulated annealing, with constructed neighbours.
    Annealing,
    /// What a property gets that asks for nothing.
    Default,
    /// The same, with steps of a neighbour function written by hand beside the constructed.
    Steps,
    /// Simulated annealing by nothing but the neighbour function written by hand.
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

    fn search(self) -> Search {
        match self {
            Strategy::Random => Search::Off,
            Strategy::Climbing => Search::Climbing,
            Strategy::Annealing => Search::Annealing,
            Strategy::Default | Strategy::Steps | Strategy::ByHand => Search::Auto,
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
            let cpu_ns = own_cpu_ns() - start_ns;
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

/// Runs a property as a user would, to its first failure, which is not shrunk.
pub(crate) fn run<A: Answer>(
    strategy: Strategy,
    seed: u64,
    cases: u64,
    property: impl Fn(&mut Case) -> A,
) -> Outcome {
    let check = Check::new("problem").cases(cases).seed(seed);
    let check = check.configure(|settings| {
        settings.search = strategy.search();
        settings.failures_max = 1;
        settings.shrink_max = 0;
        settings.explain = false;
    });
    outcome(&check.run(property))
}

fn outcome(report: &Report) -> Outcome {
    let reached = report.statistics.reached.first().map(|best| best.value);
    Outcome {
        is_found: report.is_refuted(),
        tests: report.statistics.valid,
        reached: reached.unwrap_or(f64::NAN),
    }
}
