//! Greatest common divisors.

use gcd::{Gcd, binary_u32, euclid_u32};

// true: both algorithms compute the same.
#[rebut::test]
fn algorithms_agree(a: u16, b: u16) {
    assert_eq!(binary_u32(a.into(), b.into()), euclid_u32(a.into(), b.into()));
}

// true: a divisor divides.
#[rebut::test]
fn divisors_divide(a: u8, b: u8) {
    let divisor = a.gcd(b);
    assert!(divisor == 0 || (a % divisor == 0 && b % divisor == 0));
}

// true: the divisor does not depend on the order.
#[rebut::test]
fn divisors_are_symmetric(a: u16, b: u16) {
    assert_eq!(a.gcd(b), b.gcd(a));
}

// false (easy): 0, 0
#[rebut::test]
fn divisors_are_positive(a: u32, b: u32) {
    assert!(a.gcd(b) > 0);
}
