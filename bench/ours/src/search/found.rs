//! Tests to the first failure: the sensor network and the machine.

use rebut::choice::Rng;
use rebut::generators::Boxed;
use rebut::{Generator, integers};
use rebut_search_examples::machine::{self, Bug, Instruction};
use rebut_search_examples::sensors::{self, Edge};

use crate::by_hand::{Tested, anneal};
use crate::runs::{Runs, Strategy, run};

/// A random run of the sensor network gives up after so many tests, as in the papers.
const GRAPHS_RANDOM: u64 = 100_000;

/// A search gives up after so many.
const GRAPHS: u64 = 20_000;

/// Random runs and the default on the machine, as the figures of the peer.
const PROGRAMS: u64 = 200_000;

/// The other strategies on the machine: they are there to be compared with the default.
const PROGRAMS_OTHERS: u64 = 20_000;

/// The longest path, for each way to write its generator.
pub(crate) fn sensors(runs: &Runs) {
    let generators: [(&str, Boxed<'_, Vec<Edge>>); 4] = [
        ("graph(42)", sensors::graphs(sensors::VERTICES).boxed()),
        ("graph()", sensors::graphs_of_any_size().boxed()),
        ("graph_no_caching()", sensors::graphs_no_caching().boxed()),
        ("graph_no_matching()", sensors::graphs_no_matching().boxed()),
    ];
    for (problem, graphs) in generators {
        if !runs.wants(problem) {
            continue;
        }
        for strategy in Strategy::CONSTRUCTED {
            let cases = if strategy == Strategy::Random { GRAPHS_RANDOM } else { GRAPHS };
            runs.each(problem, strategy, |seed| {
                run(strategy, seed, cases, |case| sensors::paths_are_short(&case.draw(&graphs)))
            });
        }
        if problem == "graph(42)" {
            sensors_by_hand(runs, problem, &graphs);
        }
    }
}

fn sensors_by_hand(runs: &Runs, problem: &str, graphs: &Boxed<'_, Vec<Edge>>) {
    let stepping = graphs.clone().neighbors(|graph, temperature| {
        let graph = graph.clone();
        seeds().map(move |seed| sensors::next_graph(&graph, temperature, &mut Rng::new(seed)))
    });
    runs.each(problem, Strategy::Steps, |seed| {
        run(Strategy::Steps, seed, GRAPHS, |case| sensors::paths_are_short(&case.draw(&stepping)))
    });
    let test = |graph: &Vec<Edge>| {
        let hops = sensors::longest_path(graph);
        Tested { holds: hops < sensors::HOPS_MAX, utility: f64::from(hops), resets: false }
    };
    let next = |graph: &Vec<Edge>, temperature: f64, rng: &mut Rng| {
        sensors::next_graph(graph, temperature, rng)
    };
    runs.each(problem, Strategy::ByHand, |seed| anneal(seed, GRAPHS, graphs, next, test));
}

/// The six bugs.
pub(crate) fn machine(runs: &Runs) {
    let programs = machine::programs();
    for bug in Bug::ALL {
        let problem = bug.name();
        if !runs.wants(problem) {
            continue;
        }
        for strategy in Strategy::CONSTRUCTED {
            let cases = match strategy {
                Strategy::Random | Strategy::Default => PROGRAMS,
                _ => PROGRAMS_OTHERS,
            };
            runs.each(problem, strategy, |seed| {
                run(strategy, seed, cases, |case| {
                    machine::keeps_secrets(&case.draw(&programs), Some(bug))
                })
            });
        }
        machine_by_hand(runs, bug, &programs);
    }
}

fn machine_by_hand(runs: &Runs, bug: Bug, programs: &impl Generator<Value = Vec<Instruction>>) {
    let stepping = programs.neighbors(|program, temperature| {
        let program = program.clone();
        seeds().map(move |seed| machine::next_program(&program, temperature, &mut Rng::new(seed)))
    });
    runs.each(bug.name(), Strategy::Steps, |seed| {
        run(Strategy::Steps, seed, PROGRAMS_OTHERS, |case| {
            machine::keeps_secrets(&case.draw(&stepping), Some(bug))
        })
    });
    let test = |program: &Vec<Instruction>| {
        let (holds, steps) = machine::compare(program, Some(bug));
        Tested { holds, utility: steps as f64, resets: holds && steps >= machine::LONG }
    };
    let next = |program: &Vec<Instruction>, temperature: f64, rng: &mut Rng| {
        machine::next_program(program, temperature, rng)
    };
    runs.each(bug.name(), Strategy::ByHand, |seed| anneal(seed, PROGRAMS, programs, next, test));
}

/// Where the random numbers of a step start.
fn seeds() -> impl Generator<Value = u64> {
    integers::<u64>()
}
