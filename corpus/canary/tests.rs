//! Properties of the canaries.

use rebut_corpus_canary::half;

// expect: failed: too large
#[rebut::test]
fn half_never_panics(number: u32, label: Option<bool>) {
    assert!(half(number) <= number, "{label:?}");
}

// expect: passed
#[rebut::test]
fn half_of_small_numbers_is_smaller(#[from(1..100_u32)] number: u32, label: String) {
    assert!(half(number) < number, "{label}");
}

// expect: proved: 100
#[rebut::test]
fn half_of_bytes_is_their_half(number: u8) {
    rebut::assume!(number < 100);
    assert_eq!(half(number.into()), u32::from(number) / 2);
}
