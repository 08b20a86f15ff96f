//! Three small properties.

use cost::{is_leap, larger, rebate};

// true: the larger number is one of both.
#[rebut::test]
fn larger_numbers_are_not_smaller(a: i32, b: i32) {
    assert!(larger(a, b) >= a && larger(a, b) >= b);
}

// true: no rebate is larger.
#[rebut::test]
fn rebates_are_at_most_12_percent(pieces: u32) {
    assert!(rebate(pieces) <= 12);
}

// true: each fourth year at most.
#[rebut::test]
fn two_leap_years_do_not_follow(year: u16) {
    assert!(!is_leap(year) || !is_leap(year.wrapping_add(1)));
}
