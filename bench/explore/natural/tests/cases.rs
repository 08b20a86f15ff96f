//! Cases of identifiers.

use convert_case::{Case, Casing};
use rebut::prelude::*;

// true: snake case is its own snake case.
#[rebut::test]
fn snake_case_stays(#[from(strings().alphabet('X'..='c').max_size(3))] text: String) {
    let snake = text.to_case(Case::Snake);
    assert_eq!(snake.to_case(Case::Snake), snake);
}

// true: it has no uppercase letters.
#[rebut::test]
fn snake_case_is_lowercase(#[from(strings().alphabet(' '..='z').max_size(3))] text: String) {
    assert!(!text.to_case(Case::Snake).contains(|c: char| c.is_ascii_uppercase()));
}

// false (easy): "a1".to_owned()
#[rebut::test]
fn words_without_separators_stay(#[from(strings().alphabet('0'..='z').max_size(3))] text: String) {
    let is_word = text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    assert!(!is_word || text.to_case(Case::Snake) == text);
}
