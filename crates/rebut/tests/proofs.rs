//! The number of inputs in "proved" is that of distinct inputs.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Debug;

use rebut::{Check, Function, Generator, any, btree_maps, btree_sets, hash_sets, integers, vecs};

/// Checks the number of inputs of a property with one parameter, which no assumption rejects.
#[track_caller]
fn check<V: Debug + Clone + Ord + rebut::ToCode + 'static, G: Generator<Value = V>>(
    name: &'static str,
    generator: impl Fn() -> G,
    expected: usize,
) {
    let seen: RefCell<BTreeSet<(V, bool)>> = RefCell::default();
    let report = Check::new(name).configure(|settings| settings.database = false).run(|case| {
        let input = case.draw(generator());
        let other = case.draw(any::<bool>());
        seen.borrow_mut().insert((input, other));
    });
    assert_eq!(seen.borrow().len(), 2 * expected, "{name}: {report}");
    let report = report.to_string();
    assert!(report.contains(&format!("proved (all {} inputs)", 2 * expected)), "{report}");
    assert!(!report.contains("rejected"), "{report}");
}

/// The elements of an unordered set in order.
fn sorted<T: Ord + Clone>(set: HashSet<T>) -> Vec<T> {
    let mut all: Vec<T> = set.into_iter().collect();
    all.sort();
    all
}

/// The entries of an unordered map in order.
fn entries<K: Ord, V: Ord>(map: HashMap<K, V>) -> Vec<(K, V)> {
    let mut all: Vec<(K, V)> = map.into_iter().collect();
    all.sort();
    all
}

#[test]
fn proofs_count_distinct_inputs() {
    check("sets", any::<BTreeSet<bool>>, 4);
    check("hashed", || any::<HashSet<bool>>().map(sorted), 4);
    check("maps", || any::<HashMap<bool, bool>>().map(entries), 9);
    check("ordered", any::<BTreeMap<bool, Option<bool>>>, 16);
    check("range", || btree_sets(0..4_u8), 16);
    check("sized", || btree_sets(0..5_u8).min_size(2).max_size(3), 20);
    check("all", || hash_sets(0..4_u8).size(4).map(sorted), 1);
    check("unknown", || btree_sets(integers().in_range(0..3_u8).map(|n| n * 2)).max_size(3), 8);
    check("pairs", || btree_sets(any::<(bool, bool)>()).max_size(4), 16);
    check("options", || btree_sets(any::<Option<bool>>()).max_size(3), 8);
    check("values", || btree_maps(0..3_u8, any::<bool>()), 27);
    check("vectors", || vecs(0..3_u8).unique(), 16);
    check("nested", || btree_sets(btree_sets(any::<bool>())).max_size(2), 11);
}

/// The first line of a report, after the name.
fn verdict(run: impl Fn(&mut rebut::Case)) -> String {
    let report = Check::new("p").configure(|settings| settings.database = false).run(run);
    report.to_string().lines().next().unwrap_or_default().to_owned()
}

/// Four functions from `bool` to `bool` exist. A test that calls one with `true` sees two of them.
#[test]
fn functions_with_the_same_answers_are_not_counted_as_one_input() {
    let never = verdict(|case| drop(case.draw(any::<Function<u64, u64>>())));
    assert_eq!(never, "p: proved (all inputs, which the test cannot distinguish)");
    let once =
        verdict(|case| assert!(u8::from(case.draw(any::<Function<bool, bool>>()).call(true)) < 2));
    assert_eq!(once, "p: proved (all 2 inputs that the test can distinguish)");
    let pointer = verdict(|case| {
        let f = case.draw(any::<fn(bool) -> bool>());
        assert!(u8::from(f(true)) < 2);
    });
    assert_eq!(pointer, "p: proved (all 2 inputs that the test can distinguish)");
    assert_eq!(verdict(|_| {}), "p: proved (the only input)");
    let booleans = verdict(|case| assert!(u8::from(case.draw(any::<bool>())) < 2));
    assert_eq!(booleans, "p: proved (all 2 inputs)");
}

/// The enumeration stops soon after the first failure, and may learn that there are many inputs.
#[test]
fn failures_of_an_enumeration_do_not_claim_that_all_inputs_were_tried() {
    let report =
        Check::new("p").seed(1).configure(|settings| settings.database = false).run(|case| {
            let n = case.draw(any::<u8>());
            if n == 200 {
                assert!(case.draw(any::<u64>()) > 7);
            }
        });
    let text = report.to_string();
    assert!(text.contains("  found by: enumerating the inputs"), "{text}");
    assert!(!text.contains("all inputs"), "{text}");
}
