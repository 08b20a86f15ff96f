//! Inputs that are sought, and found or not.

use rebut::prelude::*;
use rebut::report::{FailureKind, Verdict};
use rebut::{Check, find, find_within};

#[rebut::exists(database = false)]
fn a_text_grows_in_lower_case(text: String) -> bool {
    text.to_lowercase().len() > text.len()
}

#[rebut::not_exists(database = false)]
fn no_order_of_bytes_changes_their_number(n: u64) -> bool {
    n.swap_bytes().count_ones() != n.count_ones()
}

#[rebut::exists(steps = 3000, database = false)]
fn a_list_has_this_sum(
    #[from(vecs(integers().max_value(100)).max_size(9))] list: Vec<u32>,
) -> Result<bool, std::num::TryFromIntError> {
    let sum = u16::try_from(list.iter().sum::<u32>())?;
    rebut::maximize(sum).needed(850);
    Ok(sum >= 850)
}

#[test]
fn a_witness_is_shrunk() {
    let report = Check::new("a long list").seed(1).exists(|case| {
        let list = case.draw_as("list", vecs(integers::<u8>()));
        list.len() >= 3
    });
    let witness = report.verdict.witness().expect("a witness");
    assert_eq!(witness.values[0].code, "vec![0, 0, 0]");
    assert_eq!(witness.failure.kind, FailureKind::Witness);
    assert!(report.verdict.is_success() && !report.has_failed());
    assert_eq!(report.verdict.code(), "exists");
    assert!(report.verdict.counterexamples().is_empty());
}

#[test]
fn exists_fails_if_no_input_matches() {
    let report =
        Check::new("a large byte").exists(|case| u16::from(case.draw(integers::<u8>())) > 300);
    let verdict = &report.verdict;
    assert!(matches!(verdict, Verdict::NotFound { cases: 256, is_complete: true }), "{report}");
    assert!(!report.verdict.is_success());
    let report =
        Check::new("one of many").cases(30).exists(|case| case.draw(integers::<u64>()) == 77_777);
    let verdict = &report.verdict;
    assert!(matches!(verdict, Verdict::NotFound { cases: 30, is_complete: false }), "{report}");
    assert!(report.to_string().contains("help: add `rebut::maximize(..)` as a score"), "{report}");
}

#[test]
fn not_exists_fails_on_one_matching_input() {
    let report = Check::new("no large number").seed(1).not_exists(|case| {
        let n = case.draw_as("n", integers::<u32>());
        Ok::<bool, String>(n >= 1000)
    });
    let Verdict::Failed(told) = &report.verdict else { panic!("{report}") };
    assert_eq!(told[0].values[0].code, "1000");
    assert!(report.to_string().contains("returned true: a matching input exists"), "{report}");
}

#[test]
fn a_panic_goes_before_what_is_found() {
    let report = Check::new("panics").seed(1).exists(|case| {
        let n = case.draw_as("n", integers::<u32>());
        assert!(n < 1000);
        false
    });
    let Verdict::Failed(told) = &report.verdict else { panic!("{report}") };
    assert_eq!(told[0].failure.kind, FailureKind::Panic);
}

#[test]
fn an_answer_that_changes_is_flaky() {
    use std::cell::Cell;
    let calls = Cell::new(0);
    let report = Check::new("now and then").seed(1).exists(|case| {
        case.draw(integers::<u32>());
        calls.set(calls.get() + 1);
        calls.get() % 7 == 3
    });
    assert!(matches!(report.verdict, Verdict::Flaky(_)), "{report}");
}

#[test]
fn values_are_found_shrunk_and_the_same_each_time() {
    let find_one = || find(vecs(integers::<u32>()), |list| list.iter().any(|&n| n >= 500));
    assert_eq!(find_one(), Some(vec![500]));
    let find_far = || {
        find_within((integers::<u32>(), integers::<u32>()), 3000, |&(x, y)| {
            let distance = u64::from(x.abs_diff(123_456)) + u64::from(y.abs_diff(7));
            rebut::minimize(distance);
            distance == 0
        })
    };
    assert_eq!(find_far(), Some((123_456, 7)));
    assert_eq!(find_far(), find_far());
    assert_eq!(find_within(integers::<u64>(), 100, |&n| n == 987_654_321), None);
}

#[test]
fn values_can_be_found_within_a_property() {
    let report = Check::new("outer").cases(20).run(|case| {
        let least = case.draw_as("least", integers::<u16>());
        rebut::maximize(least);
        find(integers::<u16>(), |&n| n >= least) == Some(least)
    });
    assert!(report.verdict.is_success(), "{report}");
    assert_eq!(report.statistics.valid, 20);
}

#[test]
#[should_panic(expected = "the property failed")]
fn a_function_that_panics_ends_the_search_with_a_report() {
    find(integers::<u32>(), |&n| 1000 / n > 2000);
}
