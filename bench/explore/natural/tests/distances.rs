//! Levenshtein distances.

use levenshtein::levenshtein;
use rebut::prelude::*;

// true: the distance is a metric.
#[rebut::test]
fn distances_are_symmetric(
    #[from(strings().alphabet('a'..='c').max_size(3))] a: String,
    #[from(strings().alphabet('a'..='c').max_size(3))] b: String,
) {
    assert_eq!(levenshtein(&a, &b), levenshtein(&b, &a));
}

// true: each character is changed at most once.
#[rebut::test]
fn distances_are_at_most_the_length(
    #[generate(max_size = 3)] a: String,
    #[generate(max_size = 2)] b: String,
) {
    assert!(levenshtein(&a, &b) <= a.chars().count().max(b.chars().count()));
}

// true: the distance is zero for equal texts only.
#[rebut::test]
fn distance_zero_means_equal(
    #[from(strings().alphabet('a'..='z').max_size(3))] a: String,
    #[from(strings().alphabet('a'..='z').max_size(3))] b: String,
) {
    assert_eq!(levenshtein(&a, &b) == 0, a == b);
}

// false (easy): "ab".to_owned(), "ba".to_owned()
#[rebut::test]
fn distances_are_those_of_the_lengths_or_one(
    #[from(strings().alphabet('a'..='c').max_size(2))] a: String,
    #[from(strings().alphabet('a'..='c').max_size(2))] b: String,
) {
    assert!(levenshtein(&a, &b) <= a.len().abs_diff(b.len()).max(1));
}
