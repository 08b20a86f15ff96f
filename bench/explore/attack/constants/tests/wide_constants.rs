//! Constants that cannot be compiled where `usize` has 32 bits.

/// A terabyte.
const TERABYTE: usize = 1 << 40;

// false (hidden): 7_777
#[rebut::test]
fn no_count_of_terabytes_reaches_this(count: u16) {
    assert_ne!(usize::from(count) * TERABYTE, 7_777 * 1_099_511_627_776);
}

// false (rare): 1_099_511_640_065
#[rebut::test]
fn files_end_before_a_terabyte_and_three_pages(offset: u64) {
    assert_ne!(offset as usize, TERABYTE + 3 * 4096 + 1);
}

// true: the remainder is smaller than the divisor.
#[rebut::test]
fn remainders_of_a_terabyte_are_smaller(offset: u64) {
    assert!(offset as usize % TERABYTE < TERABYTE);
}
