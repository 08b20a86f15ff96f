//! Strategies of proptest as generators, and properties that are written for proptest.

#![deny(ambiguous_glob_imports)]

// Both preludes: a name that is in both of them is an error where this file uses it.
use proptest::prelude::*;
use rebut::prelude::*;
use rebut::{Check, proptest, strategies};

use std::cell::Cell;

use proptest::collection::vec;

/// Returns the only shown value of the minimal failing input.
fn shrunk<S: Strategy>(seed: u64, strategy: S, passes: impl Fn(&S::Value) -> bool) -> String {
    let strategies = strategies(strategy);
    let report = Check::new("strategy").seed(seed).run(|case| passes(&case.draw(&strategies)));
    let counterexample = &report.verdict.counterexamples()[0];
    counterexample.values[0].code.clone()
}

#[test]
fn values_shrink_as_in_proptest() {
    for seed in 0..10 {
        assert_eq!(shrunk(seed, any::<u32>(), |&n| n < 1000), "1000");
        assert_eq!(shrunk(seed, -5000..5000i32, |&n| n > -77), "-77");
        assert_eq!(shrunk(seed, vec(any::<u8>(), 0..50), |list| list.len() < 3), "[0, 0, 0]");
        assert_eq!(shrunk(seed, vec(0..100u8, 0..50), |l| l.iter().all(|&n| n < 50)), "[50]");
        let pairs = (0..10usize).prop_flat_map(|n| (Just(n), vec(any::<bool>(), n)));
        assert_eq!(shrunk(seed, pairs, |(n, _)| *n < 2), "(2, [false, false])");
    }
}

#[test]
fn values_that_depend_on_each_other_shrink_further() {
    for seed in 0..20 {
        let report = Check::new("pair").seed(seed).run(|case| {
            let first = case.draw(strategies(0..100_000u32));
            let second = case.draw(strategies(0..100_000u32));
            first < second || second < 10
        });
        let values = &report.verdict.counterexamples()[0].values;
        assert_eq!((values[0].code.as_str(), values[1].code.as_str()), ("10", "10"), "{seed}");
    }
}

#[test]
fn strategies_are_parts_of_other_generators() {
    let report = Check::new("lists").seed(3).run(|case| {
        let list = case.draw_as("list", vecs(strategies("[a-z]{0,5}")));
        list.iter().map(String::len).sum::<usize>() < 6
    });
    let code = &report.verdict.counterexamples()[0].values[0].code;
    assert_eq!(code.matches("to_string").count(), 2, "{code}");
}

#[test]
fn replay_repeats_the_value_and_its_simplifications() {
    let lists = strategies(vec(any::<u64>(), 0..50));
    let check = Check::new("sum").seed(5);
    let property = |case: &mut Case| case.draw(&lists).iter().filter(|&&n| n > 1 << 40).count() < 2;
    let report = check.run(property);
    let counterexample = &report.verdict.counterexamples()[0];
    let replay = counterexample.tape.to_replay_string();
    let replayed = check.replay(&replay).run(property);
    assert_eq!(replayed.verdict.counterexamples()[0].values, counterexample.values);
}

#[test]
fn the_simplest_value_of_a_strategy_comes_from_an_empty_tape() {
    assert_eq!(rebut::simplest(&strategies(any::<i64>())), 0);
    assert_eq!(rebut::simplest(&strategies(vec(3..9u8, 2..50))), [3, 3]);
    let either = prop_oneof![Just(None), any::<char>().prop_map(Some)];
    assert_eq!(rebut::simplest(&strategies(either)), None);
}

#[test]
fn strategies_that_reject_everything_reject_the_case() {
    let config = ProptestConfig { max_local_rejects: 5, ..ProptestConfig::default() };
    let none = strategies(any::<u8>().prop_filter("never", |_| false)).config(config);
    let report = Check::new("never").run(|case| case.draw(&none) > 0);
    assert!(!report.verdict.is_success() && !report.has_failed(), "{report}");
    assert!(report.to_string().contains("never"), "{report}");
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    x: i8,
    y: i8,
}

prop_compose! {
    fn points()(x in any::<i8>(), y in -9..9i8) -> Point {
        Point { x, y }
    }
}

fn halved(number: u8) -> Result<u8, std::num::TryFromIntError> {
    u8::try_from(u32::from(number) / 2)
}

thread_local! {
    static RUNS: Cell<u64> = const { Cell::new(0) };
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 70, max_shrink_iters: 500, ..Default::default() })]

    /// All forms of parameters.
    #[test]
    fn parameters_have_the_forms_of_proptest(
        mut number in 1..50u8,
        (a, b) in (0..3u8, any::<bool>()),
        Point { x, .. } in points(),
        typed: u16,
        mut list: Vec<u8>,
        _ in Just(()),
        ref mut lent in vec(any::<u8>(), 3),
        (left, right): (u8, u8),
        text in "[a-c]{2}",
    ) {
        number += a;
        list.push(number);
        lent.push(number);
        prop_assume!(typed != 7, "seven is {}", typed);
        prop_assert!(u16::from(number) < 53 && !list.is_empty());
        prop_assert_eq!(text.len(), 2, "of {}", text);
        prop_assert_ne!(i16::from(x), 500);
        if b {
            return Ok(());
        }
        let half = halved(left)?;
        prop_assert!(half <= left && (left, right) == (left, right));
    }

    #[test]
    #[should_panic(expected = "found 10 at ")]
    fn failures_shrink(number in any::<u32>()) {
        prop_assert!(number < 10, "found {}", number);
    }

    #[test]
    #[should_panic(expected = "index out of bounds: the len is 3 but the index is 3")]
    fn panics_shrink(index in 0..1000usize) {
        let _ = [1, 2, 3][index];
    }

    #[test]
    #[should_panic(expected = "too large: 100")]
    fn errors_are_failures(number in any::<u16>()) {
        if number >= 100 {
            Err(TestCaseError::fail(format!("too large: {number}")))?;
        }
    }

    #[test]
    fn rejected_cases_neither_pass_nor_fail(number in any::<u16>()) {
        if number % 2 == 1 {
            return Err(TestCaseError::reject("odd"));
        }
        prop_assert!(number.is_multiple_of(2));
    }

    #[test]
    #[cfg(any())]
    fn is_not_compiled(number in no_such_strategy()) {}

    fn counts_its_cases(_ in any::<u64>()) {
        RUNS.set(RUNS.get() + 1);
    }
}

#[test]
fn functions_without_an_attribute_are_not_tests() {
    RUNS.set(0);
    counts_its_cases();
    assert_eq!(RUNS.get(), 70);
}

proptest! {
    #[test]
    #[should_panic(expected = "found 5 at ")]
    fn names_of_parameters_are_not_in_scope_of_strategies(points in points(), other in points()) {
        let largest = points.x.max(other.x);
        prop_assert!(largest < 5, "found {}", largest);
    }
}

#[test]
fn closures_borrow_and_move_their_environment() {
    let limits = vec![3, 5];
    let seen = Cell::new(0);
    for limit in &limits {
        proptest!(|(number in 0..*limit, flag: bool)| {
            seen.set(seen.get() + 1);
            prop_assert!(number < *limit || flag);
        });
    }
    assert!(seen.get() > 100);
    let config = ProptestConfig::with_cases(20);
    let runs = Cell::new(0);
    proptest!(&config, |(_ in any::<u64>())| runs.set(runs.get() + 1));
    assert_eq!(runs.get(), 20);
    proptest!(ProptestConfig::with_cases(20), move |((a, b) in (0..9, 0..9))| {
        assert!(a + b <= i32::from(limits.len() as u8) + 14);
    });
}

#[test]
#[should_panic(expected = "found 10")]
fn closures_shrink() {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(number in any::<u32>())| {
        prop_assert!(number < 10, "found {}", number);
    });
}

/// Names these items where both preludes are imported, which fails for a name that both have.
macro_rules! unambiguous {
    ($($name:ident)*) => {
        mod named {
            #[expect(unused_imports, reason = "only names are checked")]
            use super::{$($name),*};
        }
        const UNAMBIGUOUS: &[&str] = &[$(stringify!($name)),*];
    };
}

unambiguous! {
    Source AsGenerator Generate Generator Program Specify ToCode arrays binary_heaps booleans boxed_slices
    btree_maps btree_sets bytes_matching chars deferred durations floats from_fn functions
    hash_maps hash_sets integers ip_addresses ipv4_addresses ipv6_addresses just linked_lists
    one_of options paths permutations ranges recursive results sampled_from sampled_from_slice
    socket_addresses strings strings_matching subsequences system_times try_bytes_matching
    try_strings_matching vec_deques vecs Case maximize maximize_as minimize minimize_as
    assert_panics assume cover label note
}

#[test]
fn no_name_is_in_both_preludes() {
    let prelude = include_str!("../src/prelude.rs");
    let code: String = prelude.lines().filter(|line| !line.starts_with("//")).collect();
    for import in code.split(';').filter(|import| !import.trim().is_empty()) {
        let names = import.rsplit("::").next().unwrap_or_default();
        for name in names.split(|c: char| c != '_' && !c.is_alphanumeric()) {
            assert!(name.is_empty() || UNAMBIGUOUS.contains(&name), "add `{name}` to the list");
        }
    }
}
