//! What is reached in a thousand tests: the routing tree, both ways.
//!
//! The first test of a run is the simplest input, all weights alike. It happens to be a star,
//! by far the cheapest tree that random networks come to; it is the same in every run and says
//! nothing of a search, so it is not counted.

use std::cell::Cell;

use rebut::{maximize, minimize};
use rebut_search_examples::routing;

use crate::by_hand::{Tested, anneal};
use crate::runs::{Outcome, Runs, Strategy, run};

const TESTS: u64 = 1_000;

/// The highest and the lowest metric.
pub(crate) fn routing(runs: &Runs) {
    for (problem, sign) in [("highest", 1.0), ("lowest", -1.0)] {
        if runs.wants(problem) {
            for strategy in Strategy::CONSTRUCTED {
                runs.each(problem, strategy, |seed| constructed(strategy, seed, sign));
            }
            runs.each(problem, Strategy::ByHand, |seed| by_hand(seed, sign));
        }
    }
}

fn constructed(strategy: Strategy, seed: u64, sign: f64) -> Outcome {
    let networks = routing::networks();
    let (tests, best) = (Cell::new(0), Cell::new(f64::NEG_INFINITY));
    let outcome = run(strategy, seed, TESTS, |case| {
        let metric = routing::metric(&case.draw(&networks));
        if sign > 0.0 {
            maximize(metric);
        } else {
            minimize(metric);
        }
        // After the last test the best case is run once more, to be shown.
        if (1..TESTS).contains(&tests.replace(tests.get() + 1)) {
            best.set(best.get().max(sign * metric));
        }
        true
    });
    Outcome { reached: sign * best.get(), ..outcome }
}

fn by_hand(seed: u64, sign: f64) -> Outcome {
    let networks = routing::networks();
    let test = |network: &Vec<routing::Link>| Tested {
        holds: true,
        utility: sign * routing::metric(network),
        resets: false,
    };
    let next = |network: &Vec<routing::Link>, temperature: f64, rng: &mut rebut::choice::Rng| {
        routing::next_network(network, temperature, rng)
    };
    let outcome = anneal(seed, TESTS, &networks, next, test);
    Outcome { reached: sign * outcome.reached, ..outcome }
}
