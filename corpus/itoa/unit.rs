//! Inside of the crate, which has no standard library.

extern crate std;

use super::*;
use std::string::String;

// expect: passed
#[rebut::test]
fn quotient_and_remainder_are_right(number: u128) {
    let (quotient, remainder) = div_rem_1e16(number);
    assert_eq!(quotient * 10_000_000_000_000_000 + u128::from(remainder), number);
    assert!(remainder < 10_000_000_000_000_000);
}

// expect: passed
#[rebut::test]
fn pairs_of_digits_are_split(#[from(..10_000)] value: u32) {
    assert_eq!(divmod100(value), (value / 100, value % 100));
}

// Larger values are a debug assertion.
// expect: failed: assertion failed: value < 10_000
#[rebut::test]
fn any_value_can_be_split(value: u16, name: String) {
    let (quotient, remainder) = divmod100(value.into());
    assert!(quotient * 100 + remainder == value.into(), "{name}");
}

// expect: failed
#[rebut::test]
fn high_words_are_small(x: u128, y: u128) -> bool {
    u128_ext::mulhi(x, y) < 1 << 120
}
