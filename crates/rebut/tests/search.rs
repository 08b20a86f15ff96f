//! Properties that say what they aim at are driven there.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fmt::Debug;
use std::sync::Arc;

use rebut::Check;
use rebut::any;
use rebut::choice::Rng;
use rebut::database::MemoryDatabase;
use rebut::prelude::*;
use rebut::report::{ParetoValue, Report, Verdict};
use rebut::search::neighborhood;
use rebut::search::{Evaluation, Move, Neighborhood, Strategy};
use rebut::settings::SearchMode;

const VERTICES: usize = 42;

/// How far the farthest vertex that can be reached is from vertex 1.
fn longest_path(edges: &[(usize, usize)]) -> usize {
    let mut neighbors = vec![Vec::new(); VERTICES + 1];
    for &(a, b) in edges {
        neighbors[a].push(b);
        neighbors[b].push(a);
    }
    let mut distances = [usize::MAX; VERTICES + 1];
    distances[1] = 0;
    let mut queue = VecDeque::from([1]);
    let mut longest = 0;
    while let Some(vertex) = queue.pop_front() {
        longest = distances[vertex];
        for &next in &neighbors[vertex] {
            if distances[next] == usize::MAX {
                distances[next] = longest + 1;
                queue.push_back(next);
            }
        }
    }
    longest
}

/// Two vertices, drawn until the first is the smaller.
fn edges(vertices: usize) -> impl Generator<Value = (usize, usize)> {
    let vertex = integers::<usize>().in_range(1..=vertices);
    from_fn(move |source| {
        source.attempt("an edge from the smaller vertex", |source| {
            let (a, b) = (vertex.draw(source), vertex.draw(source));
            (a < b).then_some((a, b))
        })
    })
}

fn network(seed: u64, graphs: impl Generator<Value = Vec<(usize, usize)>>) -> Report {
    let check = Check::new("network").cases(10_000).seed(seed);
    let check = check.configure(|settings| {
        settings.explain = false;
        settings.shrink_max = 0;
        settings.failures_max = 1;
    });
    check.run(|case| {
        let graph = case.draw(&graphs);
        let longest = longest_path(&graph);
        maximize(longest as u64);
        longest < 21
    })
}

/// How many cases it took; none if nothing was found.
fn cases_to_failure(report: &Report) -> Option<u64> {
    report.has_failed().then_some(report.statistics.valid)
}

fn mean_cases<G: Generator<Value = Vec<(usize, usize)>>>(graphs: impl Fn() -> G) -> f64 {
    const SEEDS: u64 = 4;
    let cases = (0..SEEDS).map(|seed| {
        let report = network(seed, graphs());
        cases_to_failure(&report).unwrap_or_else(|| panic!("seed {seed}: {report}"))
    });
    cases.sum::<u64>() as f64 / SEEDS as f64
}

#[test]
fn long_paths_are_found_that_random_cases_never_have() {
    let mean = mean_cases(|| vecs(edges(VERTICES)));
    assert!(mean <= 2000.0, "{mean} cases on average");
    let report = Check::new("random").cases(3000).seed(1).run(|case| {
        let graph = case.draw(vecs(edges(VERTICES)));
        longest_path(&graph) < 21
    });
    assert!(report.verdict.is_success(), "random cases should not find it: {report}");
}

#[test]
fn it_does_not_matter_how_the_generator_was_written() {
    let sizes = || integers::<usize>().in_range(2..=VERTICES);
    let plain = mean_cases(|| sizes().flat_map(|n| vecs(edges(n))));
    let length_first = mean_cases(|| {
        (sizes(), integers::<usize>().max_value(100))
            .flat_map(|(n, length)| vecs(edges(n)).size(length))
    });
    for mean in [plain, length_first] {
        assert!(mean <= 3000.0, "{mean} cases on average");
    }
}

#[test]
fn passing_properties_report_their_best_case() {
    let report = Check::new("bounded").seed(1).run(|case| {
        let list = case.draw_as("list", vecs(integers::<i32>().in_range(0..=9)).max_size(20));
        maximize_as("sum", list.iter().sum::<i32>());
        minimize_as("length", list.len() as u32);
    });
    let reached = &report.statistics.best_cases;
    let by_label = |label: &str| reached.iter().find(|best| best.label == label);
    let sum = by_label("sum").expect("an objective");
    let length = by_label("length").expect("an objective");
    assert!(sum.value >= 150.0, "{sum:?}");
    assert_eq!((length.value, length.is_maximum), (0.0, false));
    assert!(report.to_string().contains("highest sum: "), "{report}");
    assert!(report.to_string().contains("let list = vec!["), "{report}");
}

#[test]
fn best_cases_report_their_target() {
    let report = Check::new("bounded").seed(1).run(|case| {
        let list = case.draw_as("list", vecs(integers::<i32>().in_range(0..=1)).max_size(9));
        maximize_as("sum", list.iter().sum::<i32>()).needed(21);
        maximize_as("length", list.len()).needed(3);
        minimize_as("rest", 10 - list.len()).needed(0);
    });
    let text = report.to_string();
    assert!(text.contains("highest sum: 9 (target 21)\n"), "{text}");
    let satisfied = " (target 3 reached, but the test still passes)\n";
    assert!(text.contains("highest length: ") && text.contains(satisfied), "{text}");
    assert!(text.contains("lowest rest: 1 (target 0)\n"), "{text}");
    assert_eq!(report.statistics.best_cases[0].needed, Some(21.0));
}

#[test]
fn targets_are_numbers() {
    let report = Check::new("nonsense").run(|case| {
        maximize(case.draw(integers::<u32>())).needed(f64::NAN);
    });
    assert!(report.to_string().contains("invalid `needed` NaN; expected a number"), "{report}");
}

#[test]
fn minimizing_finds_a_narrow_place() {
    let report = Check::new("never_exactly").seed(2).cases(4000).run(|case| {
        let x = case.draw(integers::<u64>().max_value(1_000_000_000));
        let y = case.draw(integers::<u64>().max_value(1_000_000_000));
        let distance = x.abs_diff(123_456_789) + y.abs_diff(987_654_321);
        minimize(distance);
        distance != 0
    });
    assert!(report.has_failed(), "{report}");
}

#[test]
fn utilities_that_are_no_numbers_are_not_used_and_said() {
    let report = Check::new("roots").seed(3).run(|case| {
        let x = case.draw(integers::<i32>());
        maximize(f64::from(x).sqrt());
    });
    assert!(report.verdict.is_success());
    assert!(report.to_string().contains("cases reported NaN and were not used"), "{report}");
}

#[test]
fn an_objective_without_any_number_is_said() {
    let database = Arc::new(MemoryDatabase::default());
    let report = Check::new("nothing").seed(3).database(database.clone()).run(|case| {
        maximize(f64::from(case.draw(integers::<i32>())) * f64::NAN);
    });
    assert!(report.verdict.is_success());
    let expected = "highest score: none, every reported value was NaN";
    assert!(report.to_string().contains(expected), "{report}");
    assert!(report.statistics.front.is_empty(), "{report:?}");
}

#[test]
fn cases_without_a_score_are_not_on_the_front() {
    let report = Check::new("sometimes").seed(3).run(|case| {
        let x = case.draw(integers::<i32>().in_range(0..=9));
        let y = case.draw(integers::<i32>().in_range(0..=999_999));
        maximize_as("sum", x + y);
        if x < 5 {
            maximize_as("less\n\u{1b}", y - x);
        }
    });
    let text = report.to_string();
    assert!(report.statistics.front.iter().any(|case| case.values.len() == 1), "{text}");
    assert!(!text.contains("inf"), "{text}");
    assert!(text.contains("highest less \\u{1b}: "), "{text}");
}

#[test]
fn large_values_are_short() {
    let report = Check::new("large").seed(3).run(|case| {
        let n = case.draw(integers::<u64>().min_value(u64::MAX - 1));
        maximize(n);
        minimize_as("small", 1e-9).needed(1e-30);
    });
    let text = report.to_string();
    assert!(text.contains("proved (all 2 inputs)"), "{text}");
    assert!(text.contains("highest score: 1.8446744073709552e19\n"), "{text}");
    assert!(text.contains("lowest small: 1e-9 (target 1e-30)\n"), "{text}");
}

#[test]
fn one_input_is_not_called_inputs() {
    let report = Check::new("one").run(|_| maximize(1));
    assert!(report.to_string().contains("proved (the only input)\n"), "{report}");
    let report = Check::new("none").cases(0).run(|_| maximize(1));
    assert!(report.to_string().contains("no cases were run\n  help: raise `cases`"), "{report}");
}

#[test]
fn a_case_that_is_given_up_leads_nowhere() {
    let report = Check::new("assumed").seed(3).run(|case| {
        let list = case.draw_as("list", vecs(integers::<u8>()).max_size(40));
        maximize(list.len());
        rebut::assume!(list.len() < 10);
    });
    assert!(report.verdict.is_success(), "{report}");
    assert_eq!(report.statistics.best_cases[0].value, 9.0, "{report}");
}

#[test]
fn an_objective_reported_twice_is_a_misuse_that_says_what_to_write() {
    let report = Check::new("twice").seed(3).run(|case| {
        let x = case.draw(integers::<i32>());
        maximize(x);
        maximize(-x);
    });
    assert!(report.to_string().contains("name each one: `maximize_as"), "{report}");
}

#[rebut::test(search = climbing, cases = 300)]
fn the_attribute_chooses_the_strategy(list: Vec<u8>) {
    maximize(list.len() as u64);
}

/// Edits the best case so far and nothing else.
#[derive(Debug, Default)]
struct Greedy {
    best: Option<(f64, Neighborhood)>,
    proposed: u64,
}

impl Greedy {
    fn new(_steps: u64) -> Greedy {
        Greedy::default()
    }
}

impl Strategy for Greedy {
    fn propose(&mut self, rng: &mut Rng) -> Move {
        self.proposed += 1;
        match &self.best {
            Some((_, near)) => Move::Neighbor(near.neighbor(self.temperature(), rng)),
            None => Move::Fresh,
        }
    }

    fn learn(&mut self, evaluation: &mut Evaluation<'_>, _rng: &mut Rng) -> bool {
        let Some(utility) = evaluation.utility else { return false };
        let better = self.best.as_ref().is_none_or(|(best, _)| utility > *best);
        if better {
            self.best = Some((utility, Neighborhood::new((evaluation.tape)())));
        }
        better
    }

    fn temperature(&self) -> f64 {
        0.2
    }

    fn reset(&mut self) {
        self.best = None;
    }
}

#[rebut::test(search = Greedy::new)]
fn a_strategy_of_ones_own_can_be_named(list: Vec<u8>) {
    maximize(list.len() as u64);
}

#[rebut::test(search = |_| Greedy::default())]
fn a_strategy_of_ones_own_can_be_made_in_place(list: Vec<u8>) {
    maximize(list.len() as u64);
}

#[test]
fn a_strategy_of_ones_own_drives_the_search() {
    let highest = |search: SearchMode| {
        let check = Check::new("sums").seed(4).configure(|settings| settings.search = search);
        let report = check.run(|case| {
            let list = case.draw(vecs(integers::<u8>()).size(20));
            maximize(list.iter().map(|&n| u32::from(n)).sum::<u32>());
        });
        report.statistics.best_cases[0].value
    };
    let greedy = highest(SearchMode::Own(|steps| Box::new(Greedy::new(steps))));
    let random = highest(SearchMode::Off);
    assert!(greedy > 1.2 * random, "{greedy} against {random}");
}

/// A generator about which the tape says nothing: every number decides all of the value.
fn scrambled() -> impl Generator<Value = u64> {
    integers::<u64>().map(|n| n.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(17) >> 24)
}

#[test]
fn steps_of_ones_own_lead_where_edits_of_the_tape_do_not() {
    let target = 0x5A_1234_5678_u64;
    let distance_reached = |report: &Report| report.statistics.best_cases[0].value;
    let check = || Check::new("scrambled").seed(5).cases(4000);
    let blind = check().run(|case| {
        let x = case.draw(scrambled());
        minimize(x.abs_diff(target));
    });
    let led = check().run(|case| {
        let x = case.draw(scrambled().neighbors(|&x, _| {
            (booleans(), integers::<u32>().max_value(39)).map(move |(up, bits)| {
                if up { x + (1 << bits) } else { x.saturating_sub(1 << bits) }
            })
        }));
        minimize(x.abs_diff(target));
    });
    assert_eq!(distance_reached(&led), 0.0, "{led}");
    assert!(distance_reached(&blind) > 1e6, "{blind}");
}

#[test]
fn steps_are_taken_by_a_search_only() {
    let bytes = || integers::<u8>().neighbors(|_, _| integers::<u8>());
    let report = Check::new("held").run(|case| u32::from(case.draw(bytes())) <= 255);
    assert!(report.to_string().contains("proved (all 256 inputs)"), "{report}");
}

/// The inputs of a proof are values, not the orders in which their elements were drawn.
#[test]
fn sets_and_maps_are_proved_without_repetitions() {
    fn inputs<G: Generator>(generator: &G) -> u64
    where
        G::Value: Debug,
    {
        let report = Check::new("collections").run(|case| drop(case.draw(generator)));
        let Verdict::Proved { inputs } = report.verdict else { panic!("{report}") };
        assert!(!report.to_string().contains("rejected"), "{report}");
        inputs
    }
    assert_eq!(inputs(&any::<(BTreeSet<bool>, HashMap<bool, bool>)>()), 4 * 9);
    assert_eq!(inputs(&(btree_sets(0..4u8), booleans())), 16 * 2);
    assert_eq!(inputs(&btree_sets(1..7u8).min_size(3)), 20 + 15 + 6 + 1);
    assert_eq!(inputs(&any::<BTreeSet<Option<bool>>>()), 8);
    assert_eq!(inputs(&any::<HashMap<(bool, bool), bool>>()), 3 * 3 * 3 * 3);
    assert_eq!(inputs(&vecs(0..4u8).unique()), 1 + 4 + 12 + 24 + 24);
}

#[test]
fn all_inputs_run_if_there_are_at_most_four_times_as_many_as_cases() {
    let proved = |cases| {
        let report = Check::new("bytes").cases(cases).run(|case| {
            case.draw(integers::<u8>());
        });
        report.to_string().contains("proved (all 256 inputs)")
    };
    assert!(proved(64));
    assert!(!proved(63));
}

#[test]
fn failures_found_by_custom_steps_are_shrunk() {
    let report = Check::new("stepped").seed(6).cases(5000).run(|case| {
        let list = case.draw(vecs(integers::<u8>()).neighbors(|list: &Vec<u8>, _| {
            let list = list.clone();
            integers::<u8>().map(move |n| [list.clone(), vec![n]].concat())
        }));
        maximize(list.len() as u64);
        list.len() < 150
    });
    assert!(report.has_failed(), "{report}");
    let shrunk = &report.verdict.counterexamples()[0];
    let zeros = format!("[{}]", vec!["0"; 150].join(", "));
    assert_eq!(shrunk.values[0].code, zeros);
}

#[test]
fn a_constructed_neighborhood_can_be_looked_at() {
    let lists = vecs(integers::<u8>()).min_size(3);
    let near = neighborhood(&lists);
    let start = near.start(3);
    for operator in near.operators(&start) {
        let moved = (0..50).filter(|&seed| *near.sample_by(operator, &start, 0.5, seed) != *start);
        assert!(moved.count() > 10, "{operator:?}");
    }
    assert_eq!(near.sample(&start, 0.5, 1), near.sample(&start, 0.5, 1));
}

#[test]
fn the_next_run_starts_from_what_was_best() {
    let database = Arc::new(MemoryDatabase::default());
    let run = |cases: u64, seed: u64| {
        let check = Check::new("long").seed(seed).cases(cases).database(database.clone());
        check.run(|case| {
            let list = case.draw(vecs(integers::<i32>().in_range(-50..=50)));
            maximize_as("sum", list.iter().sum::<i32>());
            minimize_as("length", list.len() as u32);
        })
    };
    let first = run(3000, 1);
    let highest = |report: &Report| report.statistics.best_cases[0].value;
    assert!(first.statistics.front.len() > 10, "{first}");
    assert!(first.to_string().contains("Pareto front ("), "{first}");
    let second = run(10, 2);
    assert!(highest(&second) >= highest(&first), "{second}");
    let is_sorted = |report: &Report| {
        let is_below = |w: &[&Vec<ParetoValue>], nth: usize| w[0][nth].value < w[1][nth].value;
        let mut values: Vec<_> = report.statistics.front.iter().map(|c| &c.values).collect();
        values.sort_by(|a, b| a[0].value.total_cmp(&b[0].value));
        values.windows(2).all(|w| is_below(w, 0) && is_below(w, 1))
    };
    assert!(is_sorted(&second), "{second}");
}

#[test]
fn a_best_case_that_fails_now_is_told() {
    let database = Arc::new(MemoryDatabase::default());
    let run = |bound: i32, cases: u64| {
        let check = Check::new("changed").seed(1).cases(cases).database(database.clone());
        check.run(|case| {
            let list = case.draw(vecs(integers::<i32>().in_range(0..=50)));
            let sum = list.iter().sum::<i32>();
            maximize(sum);
            sum < bound
        })
    };
    assert!(!run(i32::MAX, 2000).has_failed());
    let report = run(300, 1);
    assert!(report.to_string().contains("the best cases of an earlier run"), "{report}");
}
