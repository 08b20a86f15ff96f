//! Versions.

use version_compare::{Cmp, Version, compare};

// true: numbers are compared as numbers.
#[rebut::test]
fn versions_order_as_numbers(a: u16, b: u16) {
    let expected = Cmp::from_ord(a.cmp(&b));
    assert_eq!(compare(format!("1.{a}"), format!("1.{b}")), Ok(expected));
}

// true: a version equals itself.
#[rebut::test]
fn versions_equal_themselves(#[generate(max_size = 3)] text: String) {
    if let Some(version) = Version::from(&text) {
        assert!(version.compare(&version) == Cmp::Eq);
    }
}

// false (easy): "0.a".to_owned()
#[rebut::test]
fn every_text_is_a_version_of_numbers(#[generate(max_size = 3)] text: String) {
    if let Ok(order) = compare(&text, "0") {
        assert!(order != Cmp::Lt);
    }
}

// true: missing parts are zeros.
#[rebut::test]
fn missing_parts_are_zeros(major: u8, minor: u8) {
    assert_eq!(compare(format!("{major}.{minor}"), format!("{major}.{minor}.0")), Ok(Cmp::Eq));
}
