//! Inside of the crate, which denies unsafe blocks without a comment.

extern crate std;

use super::*;
use std::string::String;

// expect: passed
#[rebut::test]
fn quotient_and_remainder_give_the_number(number: usize, #[from(1..)] divisor: usize) {
    let (quotient, remainder) = div_rem(number, divisor);
    assert_eq!(quotient * divisor + remainder, number);
    assert!(remainder < divisor);
}

// expect: failed: attempt to divide by zero
#[rebut::test]
fn any_divisor_is_accepted(number: usize, divisor: usize, name: String) -> bool {
    let _ = name;
    div_rem(number, divisor).0 <= number
}
