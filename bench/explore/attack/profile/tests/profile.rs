//! The profile of the user has no overflow checks and no debug assertions, and the feature
//! `strict` is on.

use attack_profile::{SHARE_MAX, half, sum};

// false (easy): 0
#[rebut::test]
fn assertions_are_on(_n: u8) {
    assert!(cfg!(debug_assertions));
}

// false (hidden): 3_735_928_559
#[rebut::test]
fn limits_of_release_builds_are_not_reached(n: u32) {
    let limit = if cfg!(debug_assertions) { 1 << 50 } else { 3_735_928_559 };
    assert_ne!(u64::from(n), limit);
}

// false (rare): 3_405_691_582
#[rebut::test]
fn this_sum_is_not_smaller(n: u32) {
    if n == 3_405_691_582 {
        assert!(sum(n, n) >= n);
    }
}

// false (rare): 3_203_386_110
#[rebut::test]
fn this_product_panics(n: u32) {
    if n == 3_203_386_110 {
        assert!(std::panic::catch_unwind(|| n * 3).is_err());
    }
}

// false (rare): 1_000_000_007
#[rebut::test]
fn odd_halves_are_refused(n: u32) {
    if n == 1_000_000_007 {
        assert!(std::panic::catch_unwind(|| half(n)).is_err());
    }
}

// false (hidden): 4_093_082_899
#[rebut::test]
fn no_share_is_the_largest(share: u32) {
    assert!(share != SHARE_MAX || share == u32::MAX);
}

// false (rare): 2_018_915_346
#[rebut::test]
fn nothing_is_strict(n: u32) {
    if n == 2_018_915_346 {
        assert!(!cfg!(feature = "strict"));
    }
}

// true: half of a number is not larger, with any checks.
#[rebut::test]
fn halves_are_not_larger(n: u32) {
    assert!(half(n & !1) <= n);
}

// true: the sum of two u16 does not overflow.
#[rebut::test]
fn small_sums_are_not_smaller(a: u16, b: u16) {
    assert!(sum(a.into(), b.into()) >= u32::from(a));
}
