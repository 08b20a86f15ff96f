//! Simulated annealing with a neighbor function written by hand, on values and without the
//! runner: what the papers compare their constructed neighborhoods with.
//!
//! The temperature falls linearly from 1 to 0 over the tests that there may be; a worse value
//! is taken with probability `exp(-loss / temperature)`, an equal one always.

use bench_measure::own_cpu_ns;
use rebut::choice::Rng;
use rebut::{Generator, sample};

use crate::runs::Outcome;

/// What a test says of a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tested {
    pub(crate) holds: bool,
    pub(crate) utility: f64,
    /// Whether the search begins anew.
    pub(crate) resets: bool,
}

/// Anneals to the first failure.
pub(crate) fn anneal<G: Generator>(
    seed: u64,
    tests_max: u64,
    starts: &G,
    next: impl Fn(&G::Value, f64, &mut Rng) -> G::Value,
    test: impl Fn(&G::Value) -> Tested,
) -> Outcome {
    let mut rng = Rng::new(seed);
    let mut current: Option<(G::Value, f64)> = None;
    let mut reached = f64::NEG_INFINITY;
    for tests in 1..=tests_max {
        let temperature = 1.0 - tests as f64 / tests_max as f64;
        let value = match &current {
            Some((value, _)) => next(value, temperature, &mut rng),
            None => sample(starts, rng.bits()),
        };
        let tested = test(&value);
        reached = reached.max(tested.utility);
        if !tested.holds {
            return Outcome { is_found: true, tests, reached, end_ns: own_cpu_ns() };
        }
        let loss = current.as_ref().map_or(0.0, |(_, best)| best - tested.utility);
        if tested.resets {
            current = None;
        } else if loss <= 0.0 || rng.unit() < (-loss / temperature).exp() {
            current = Some((value, tested.utility));
        }
    }
    Outcome { is_found: false, tests: tests_max, reached, end_ns: own_cpu_ns() }
}
