//! Story 2: a trick with bits that works for every pair of bytes.

/// Returns the average of two bytes, rounded down. `(a + b) / 2` would overflow.
fn midpoint(a: u8, b: u8) -> u8 {
    (a & b) + ((a ^ b) >> 1)
}

#[rebut::test(cases = 65_536)]
fn midpoint_equals_the_exact_average(a: u8, b: u8) {
    assert_eq!(u16::from(midpoint(a, b)), (u16::from(a) + u16::from(b)) / 2);
}
