//! What a search costs per test, beside the random runner.
//!
//! A search prefers some inputs to others, and larger inputs cost more to draw. So that this
//! is not taken for overhead, the generators here draw values of one size, and the bodies of
//! the properties are those of the problems. Both runs report their objective; in one of them
//! the search is off. Of five rounds the quickest counts, since noise only ever adds.

use rebut::{Case, Generator, maximize, vecs};
use rebut_search_examples::{machine, routing, sensors};

use crate::runs::{Outcome, Runs, Strategy, run};
use bench_measure::own_cpu_ns;
use serde_json::json;

const ROUNDS: u64 = 5;

/// Prints the CPU nanoseconds per test of both.
pub(crate) fn measure(runs: &Runs) {
    if !runs.wants("overhead") {
        return;
    }
    let graphs = vecs(sensors::edges(sensors::VERTICES)).size(40);
    compare("graph of 40 edges", 20_000, |case| {
        maximize(sensors::longest_path(&case.draw(&graphs)));
    });
    let programs = vecs(machine::parts()).size(35).map(|parts| parts.concat());
    compare("program of 35 parts", 20_000, |case| {
        maximize(machine::compare(&case.draw(&programs), None).1);
    });
    let networks = routing::networks();
    compare("routing tree", 2_000, |case| {
        maximize(routing::metric(&case.draw(&networks)));
    });
}

fn compare(generator: &str, tests: u64, property: impl Fn(&mut Case)) {
    for strategy in [Strategy::Random, Strategy::Default] {
        let round = |seed: u64| {
            let start_ns = own_cpu_ns();
            let Outcome { tests, .. } = run(strategy, seed, tests, |case| {
                property(case);
                true
            });
            (own_cpu_ns() - start_ns) as f64 / tests as f64
        };
        let best_ns = (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min);
        let line = json!({
            "problem": format!("overhead: {generator}"),
            "case": strategy.name(),
            "seed": 0,
            "found": false,
            "tests": 1,
            "cpu_ns": best_ns as u64,
            "reached": 0.0,
        });
        println!("{line}");
    }
}
