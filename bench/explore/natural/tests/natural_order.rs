//! Natural order of texts with numbers.

use std::cmp::Ordering;

use natord::compare;
use rebut::prelude::*;

// true: numbers are compared as numbers.
#[rebut::test]
fn numbers_are_in_order(a: u8, b: u8) {
    assert_eq!(compare(&format!("x{a}"), &format!("x{b}")), a.cmp(&b));
}

// true: the order is antisymmetric.
#[rebut::test]
fn orders_reverse(
    #[from(strings().alphabet('0'..='9').max_size(2))] a: String,
    #[from(strings().alphabet('0'..='9').max_size(2))] b: String,
) {
    assert_eq!(compare(&a, &b), compare(&b, &a).reverse());
}

// false (easy): " ".to_owned(), "".to_owned()
#[rebut::test]
fn equal_order_means_equal_texts(
    #[from(strings().alphabet(' '..='#').max_size(2))] a: String,
    #[from(strings().alphabet(' '..='#').max_size(2))] b: String,
) {
    assert_eq!(compare(&a, &b) == Ordering::Equal, a == b);
}
