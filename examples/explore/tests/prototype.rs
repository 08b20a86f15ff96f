//! The first things that an explorer should be able to do, from the simplest on.
//!
//! Tests with `#[ignore = "fails: .."]` have a failing input that exploring must find; the
//! others hold for all inputs, which exploring must show.

use std::collections::{BTreeMap, HashMap};

/// Holds for all. Sorting three numbers has 3! = 6 paths through the comparisons.
#[rebut::test]
fn sort_orders_three_numbers(numbers: [i32; 3]) {
    let mut sorted = numbers;
    sorted.sort();
    assert!(sorted.is_sorted());
}

/// Holds for all, with 5! = 120 paths.
#[rebut::test]
fn sort_orders_five_numbers(numbers: [i32; 5]) {
    let mut sorted = numbers;
    sorted.sort();
    assert!(sorted.is_sorted());
}

/// Holds for all. The later of two equal keys wins.
#[rebut::test]
fn map_keeps_the_last_value_of_a_key(keys: [u8; 3], wanted: u8) {
    let mut map = BTreeMap::new();
    for (place, key) in keys.iter().enumerate() {
        map.insert(*key, place);
    }
    assert_eq!(map.get(&wanted).copied(), keys.iter().rposition(|key| *key == wanted));
}

/// Fails for `"rust"` alone.
#[ignore = "fails: \"rust\""]
#[rebut::test]
fn no_string_is_rust(text: String) {
    assert!(text != "rust");
}

/// Fails for one number, which is found by solving and hardly ever by chance.
#[ignore = "fails: a number that solves the equation"]
#[rebut::test]
fn equation_has_no_solution(x: u32) {
    assert!(x.wrapping_mul(7) ^ 0x55 != 12_345);
}

/// Fails for `"-731"`, and for the same with zeros before the digits.
#[ignore = "fails: \"-731\""]
#[rebut::test]
fn no_string_parses_to_minus_731(#[from(rebut::strings().max_size(6))] text: String) {
    assert!(text.parse::<i32>() != Ok(-731));
}

/// Fails for 707: the way leads through all that `format!` does.
#[ignore = "fails: 707"]
#[rebut::test]
fn no_number_is_printed_as_707(x: u32) {
    assert!(format!("{x}") != "707");
}

/// Holds for all. Two drawn keys go through the hash of the standard library.
#[rebut::test]
fn hash_map_finds_both_keys(first: u32, second: u32) {
    let mut map = HashMap::new();
    map.insert(first, 1);
    map.insert(second, 2);
    assert_eq!(map.len(), if first == second { 1 } else { 2 });
    assert_eq!(map[&second], 2);
}

/// Fails for two numbers whose sum is too large: overflow is checked where it happens.
#[ignore = "fails: a sum above 255"]
#[rebut::test]
fn byte_sum_does_not_overflow(a: u8, b: u8) {
    assert!(a + b >= a);
}
