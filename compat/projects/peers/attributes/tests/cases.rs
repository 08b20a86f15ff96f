//! Rows of a table beside generated parameters.

use rstest::rstest;
use test_case::test_case;

#[rebut::test]
#[case(10)]
#[case::large(200)]
fn rows(#[case] limit: u8, number: u8) {
    assert!(number < limit);
}

#[rebut::test]
fn products(#[values(100, 200)] limit: u8, #[values(true, false)] is_strict: bool, number: u8) {
    assert!(number < limit || !is_strict);
}

#[rstest]
#[case(10)]
#[case(200)]
fn check_in_rstest(#[case] limit: u8) {
    rebut::check(|case| {
        let number: u8 = case.draw_as("number", rebut::any());
        assert!(number < limit);
    });
}

#[test_case(10; "small")]
#[test_case(200; "large")]
fn check_in_test_case(limit: u8) {
    rebut::check(|case| {
        let number: u8 = case.draw_as("number", rebut::any());
        assert!(number < limit);
    });
}
