//! What is found in each story, in how many tests. Every run has its seed, so all counts are
//! the same on every machine; the bounds leave room for changes of the search.

use rebut::prelude::*;
use rebut::report::Report;
use rebut::settings::SearchMode;
use rebut::{Case, Check, maximize, minimize, permutations};
use rebut_search_examples::machine::{self, Bug, Instruction};
use rebut_search_examples::{energy, routing, sensors, worst_case};

/// Runs a property to its first failure, which is not shrunk.
fn run<A: rebut::PropertyResult>(
    (search, seed, cases): (SearchMode, u64, u64),
    property: impl Fn(&mut Case) -> A,
) -> Report {
    let check = Check::new("story").seed(seed).cases(cases);
    let check = check.configure(|settings| {
        settings.search = search;
        settings.failures_max = 1;
        settings.shrink_max = 0;
        settings.explain = false;
    });
    check.run(property)
}

/// How many tests the search takes to refute a property, on average over some seeds.
fn mean_tests(seeds: u64, cases: u64, property: impl Fn(&mut Case) -> bool) -> f64 {
    let tests = (0..seeds).map(|seed| {
        let report = run((SearchMode::Auto, seed, cases), &property);
        assert!(report.has_failed(), "seed {seed} finds nothing in {cases} tests: {report}");
        report.statistics.valid
    });
    tests.sum::<u64>() as f64 / seeds as f64
}

/// The best value that is reached of the only objective.
fn reached(search: SearchMode, seed: u64, cases: u64, property: impl Fn(&mut Case)) -> f64 {
    run((search, seed, cases), property).statistics.best_cases[0].value
}

mod the_sensors {
    use super::*;

    #[test]
    fn long_threads_are_found() {
        let graphs = sensors::graphs(sensors::VERTICES);
        let mean =
            mean_tests(4, 10_000, |case| sensors::paths_are_short(&case.draw_as("graph", &graphs)));
        assert!(mean <= 2500.0, "{mean}");
    }

    #[test]
    fn random_graphs_are_not_long_threads() {
        let graphs = sensors::graphs(sensors::VERTICES);
        let report = run((SearchMode::Off, 1, 4000), |case| {
            sensors::paths_are_short(&case.draw_as("graph", &graphs))
        });
        assert!(report.verdict.is_success(), "{report}");
    }

    #[test]
    fn it_does_not_matter_how_the_generator_was_written() {
        let generators = [
            sensors::graphs_of_any_size().boxed(),
            sensors::graphs_no_caching().boxed(),
            sensors::graphs_no_matching().boxed(),
        ];
        for graphs in generators {
            let mean = mean_tests(1, 10_000, |case| {
                sensors::paths_are_short(&case.draw_as("graph", &graphs))
            });
            assert!(mean <= 6000.0, "{mean}");
        }
    }

    #[test]
    fn failing_graph_shrinks_to_a_bare_thread() {
        let graphs = sensors::graphs(sensors::VERTICES);
        let report = Check::new("short_paths").seed(1).cases(10_000).run(|case| {
            let graph = case.draw_as("graph", &graphs);
            let is_short = sensors::paths_are_short(&graph);
            assert!(is_short, "{} edges", graph.len());
        });
        assert!(report.to_string().contains("\n    21 edges\n"), "{report}");
    }
}

mod the_machine {
    use super::*;

    #[rebut::test]
    fn a_machine_without_bugs_keeps_secrets(
        #[from(machine::programs())] program: Vec<Instruction>,
    ) {
        assert!(machine::keeps_secrets(&program, None));
    }

    fn mean_tests_to(bug: Bug, seeds: u64, cases: u64) -> f64 {
        let programs = machine::programs();
        mean_tests(seeds, cases, |case| {
            machine::keeps_secrets(&case.draw_as("program", &programs), Some(bug))
        })
    }

    #[test]
    fn leaks_by_three_instructions_are_found_at_once() {
        for bug in [Bug::Push, Bug::StoreB, Bug::StoreC] {
            let mean = mean_tests_to(bug, 10, 2000);
            assert!(mean <= 150.0, "{}: {mean}", bug.name());
        }
    }

    #[test]
    fn a_sum_that_forgets_what_was_added_is_found() {
        let mean = mean_tests_to(Bug::Add, 3, 20_000);
        assert!(mean <= 4000.0, "{mean}");
    }

    #[test]
    fn a_load_from_a_secret_address_is_found() {
        mean_tests_to(Bug::Load, 1, 50_000);
    }

    /// About one run in three takes more than 20,000 tests, so one run says little. Of random
    /// programs one in 190,000 shows it.
    #[test]
    fn a_store_to_a_secret_address_is_found() {
        let programs = machine::programs();
        let is_found = |seed: u64| {
            let report = run((SearchMode::Auto, seed, 20_000), |case| {
                machine::keeps_secrets(&case.draw_as("program", &programs), Some(Bug::StoreA))
            });
            report.has_failed()
        };
        assert!((0..4).any(is_found));
    }
}

mod the_routing_tree {
    use super::*;

    #[test]
    fn a_search_gets_further_up_than_a_random_run() {
        let networks = routing::networks();
        let highest = |search| {
            reached(search, 1, 1000, |case| {
                maximize(routing::metric(&case.draw(&networks)));
            })
        };
        let (searched, random) = (highest(SearchMode::Auto), highest(SearchMode::Off));
        assert!(searched > random + 20.0, "the search {searched}, the random run {random}");
    }

    #[test]
    fn a_search_gets_further_down_than_a_random_run() {
        let networks = routing::networks();
        let lowest = |search| {
            reached(search, 1, 400, |case| {
                minimize(routing::metric(&case.draw(&networks)));
            })
        };
        let (searched, random) = (lowest(SearchMode::Auto), lowest(SearchMode::Off));
        assert!(searched < random - 2.0, "the search {searched}, the random run {random}");
    }
}

mod the_energy {
    use super::*;

    #[test]
    fn deployments_that_call_in_vain_are_found() {
        let deployments = energy::deployments();
        let mean = mean_tests(2, 5000, |case| {
            energy::radios_are_mostly_off(&case.draw_as("deployment", &deployments))
        });
        assert!(mean <= 3000.0, "{mean}");
    }

    #[test]
    fn random_deployments_mostly_sleep() {
        let deployments = energy::deployments();
        let report = run((SearchMode::Off, 1, 3000), |case| {
            energy::radios_are_mostly_off(&case.draw_as("deployment", &deployments))
        });
        assert!(report.verdict.is_success(), "{report}");
    }
}

mod the_worst_case {
    use super::*;

    /// Sorted and reversed lists of 32 take 128 comparisons, random ones at most about 180; the
    /// worst take more than 250.
    #[test]
    fn a_list_that_slows_quicksort_down_is_found() {
        let lists = permutations(0..32u8);
        let is_quick = |case: &mut Case| {
            let mut list = case.draw_as("list", &lists);
            let comparisons = worst_case::quicksort(&mut list);
            maximize(comparisons);
            comparisons <= 195
        };
        let mean = mean_tests(3, 5000, is_quick);
        assert!(mean <= 3000.0, "{mean}");
        let random = run((SearchMode::Off, 1, 4000), is_quick);
        assert!(random.verdict.is_success(), "{random}");
    }

    #[rebut::test]
    fn quicksort_sorts(mut list: Vec<i16>) {
        maximize(worst_case::quicksort(&mut list));
        assert!(list.is_sorted());
    }

    /// Words that all end up in one place of the table.
    #[test]
    fn words_that_slow_a_hash_table_down_are_found() {
        let words = strings().alphabet(chars().in_range('a'..='z')).max_size(6);
        let tables = vecs(words).size(24);
        let is_quick = |case: &mut Case| {
            let comparisons = worst_case::lookups(&case.draw_as("words", &tables));
            maximize(comparisons);
            comparisons <= 450
        };
        let mean = mean_tests(3, 3000, is_quick);
        assert!(mean <= 2000.0, "{mean}");
        let random = run((SearchMode::Off, 1, 2000), is_quick);
        assert!(random.verdict.is_success(), "{random}");
    }
}
