//! Story 6: code that kills its process and code that never returns, among tests that pass.

use std::hint::black_box;

fn gcd_by_recursion(a: u8, b: u8) -> u8 {
    if a == b { a } else { gcd_by_recursion(a.min(b), a.abs_diff(b)) }
}

fn gcd_by_loop(mut a: u8, mut b: u8) -> u8 {
    while a != b {
        (a, b) = (a.min(b), a.abs_diff(b));
    }
    a
}

#[rebut::test]
fn recursion_returns_a_divisor(a: u8, b: u8) {
    black_box(gcd_by_recursion(a, b));
}

#[rebut::test(deadline = "500ms")]
fn loop_returns_a_divisor(a: u8, b: u8) {
    black_box(gcd_by_loop(a, b));
}

#[rebut::test]
fn equal_numbers_are_their_own_divisor(number: u8) {
    assert_eq!(gcd_by_recursion(number, number), number);
    assert_eq!(gcd_by_loop(number, number), number);
}
