//! Properties that say what they aim at are driven there.

use std::collections::VecDeque;

use rebut::prelude::*;
use rebut::{Check, Report, maximize, maximize_as, minimize, minimize_as};

const VERTICES: usize = 42;

/// How far the farthest vertex that can be reached is from vertex 1.
fn longest_path(edges: &[(usize, usize)]) -> usize {
    let mut neighbours = vec![Vec::new(); VERTICES + 1];
    for &(a, b) in edges {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    let mut distances = [usize::MAX; VERTICES + 1];
    distances[1] = 0;
    let mut queue = VecDeque::from([1]);
    let mut longest = 0;
    while let Some(vertex) = queue.pop_front() {
        longest = distances[vertex];
        for &next in &neighbours[vertex] {
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
    compose(move |source| {
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
    report.is_refuted().then_some(report.statistics.valid)
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
fn what_was_reached_is_told_even_if_the_property_holds() {
    let report = Check::new("bounded").seed(1).run(|case| {
        let list = case.draw_as("list", vecs(integers::<i32>().in_range(0..=9)).max_size(20));
        maximize_as("sum", list.iter().sum::<i32>());
        minimize_as("length", list.len() as u32);
    });
    let reached = &report.statistics.reached;
    let by_label = |label: &str| reached.iter().find(|best| best.label == label);
    let sum = by_label("sum").expect("an objective");
    let length = by_label("length").expect("an objective");
    assert!(sum.value >= 150.0, "{sum:?}");
    assert_eq!((length.value, length.is_maximum), (0.0, false));
    assert!(report.to_string().contains("highest sum: "), "{report}");
    assert!(report.to_string().contains("let list = vec!["), "{report}");
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
    assert!(report.is_refuted(), "{report}");
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
fn an_objective_reported_twice_is_a_misuse_that_says_what_to_write() {
    let report = Check::new("twice").seed(3).run(|case| {
        let x = case.draw(integers::<i32>());
        maximize(x);
        maximize(-x);
    });
    assert!(report.to_string().contains("give each its name: `maximize_as"), "{report}");
}

#[rebut::test(search = climbing, cases = 300)]
fn the_attribute_chooses_the_strategy(list: Vec<u8>) {
    maximize(list.len() as u64);
}
