//! Work that does not depend on what is drawn, in tests that draw: a symbol is kept in the
//! memory while the work is done, and compared with what it came to. So is all work of a test
//! but that on its inputs.
//!
//! The last two do depend on it.

use bench_explore_guest as guest;

/// Work is done while a number is kept, which may be any; the result is as it must be and
/// differs from what the number can be.
fn keeps(number: u32, work: impl FnOnce() -> u64, expected: u64) {
    let kept = std::hint::black_box(vec![number]);
    let found = work();
    assert_eq!(found, expected);
    assert!(found != u64::from(kept[0]) + (1 << 33));
}

#[rebut::test(cases = 2)]
fn work_sorting(number: u32) {
    keeps(number, || guest::sorting(120_000), 61_908);
}

#[rebut::test(cases = 2)]
fn work_tree(number: u32) {
    keeps(number, || guest::tree(30_000), 320_871);
}

#[rebut::test(cases = 2)]
fn work_sha256(number: u32) {
    keeps(number, || guest::digesting(600_000), 508_429);
}

#[rebut::test(cases = 2)]
fn work_crc32(number: u32) {
    keeps(number, || guest::checking(1_200_000), 974_148_570);
}

#[rebut::test(cases = 2)]
fn work_matrices(number: u32) {
    keeps(number, || guest::matrices(150), 298_846_436);
}

#[rebut::test(cases = 2)]
fn work_parsing(number: u32) {
    keeps(number, || guest::parsing(40_000), 392_588);
}

#[rebut::test(cases = 2)]
fn work_sieve(number: u32) {
    keeps(number, || guest::sieve(1_000_000), 502_946);
}

#[rebut::test(cases = 2)]
fn work_queens(number: u32) {
    keeps(number, || guest::queens(10), 724);
}

#[rebut::test(cases = 2)]
fn work_writing(number: u32) {
    keeps(number, || guest::writing(30_000), 835_706);
}

#[rebut::test(cases = 2)]
fn work_dispatching(number: u32) {
    keeps(number, || guest::dispatching(1_000), 947_057);
}

#[rebut::test(cases = 2)]
fn work_hash_map(number: u32) {
    keeps(number, || guest::hash_map(100_000), 616_478);
}

/// A function is given a drawn number, so it is known to meet symbols, and its full version runs
/// on the plain numbers that follow.
#[rebut::test(cases = 2)]
fn live_once(number: u32) {
    assert!(sums(&mut [number], 0) == u64::from(number));
    assert_eq!(sums(&mut vec![0; 1_000_000], 1), 2_614_123_136_970_847_881);
}

/// Adds up a list, after adding a step to each.
#[inline(never)]
fn sums(list: &mut [u32], step: u32) -> u64 {
    let mut sum = 0_u64;
    for (place, number) in list.iter_mut().enumerate() {
        *number ^= step.wrapping_mul(place as u32);
        sum = sum.rotate_left(3).wrapping_add(u64::from(*number));
    }
    sum
}

/// Every element of a list depends on a drawn number: each is read, changed and written.
#[rebut::test(cases = 2)]
fn live_always(number: u32) {
    let mut list = std::hint::black_box((0..2_000).map(|n| number ^ n).collect::<Vec<u32>>());
    let mut parity = 0;
    for (place, value) in list.iter_mut().enumerate() {
        *value = (*value ^ place as u32 * 3).rotate_left(7);
        parity ^= *value >> 7 & 1;
    }
    assert_eq!(std::hint::black_box(list).len() as u32 & parity, 0);
}

/// A small test, as most are: a draw, two branches.
#[rebut::test(cases = 2)]
fn small(number: u8) {
    let half = number / 2;
    assert!(half < 128);
    assert!(half.checked_mul(2).is_some());
}
