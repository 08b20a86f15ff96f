//! Slugs.

use rebut::prelude::*;
use slug::slugify;

// true: the documentation says so.
#[rebut::test]
fn slugs_have_these_characters(#[from(strings().alphabet(' '..='~').max_size(3))] text: String) {
    let slug = slugify(&text);
    assert!(slug.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'));
}

// true: a slug is its own slug.
#[rebut::test]
fn slugs_of_slugs_are_the_same(#[from(strings().alphabet(' '..='~').max_size(3))] text: String) {
    let slug = slugify(&text);
    assert_eq!(slugify(&slug), slug);
}

// false (easy): "!".to_owned()
#[rebut::test]
fn slugs_of_texts_are_not_empty(#[from(strings().alphabet(' '..='~').max_size(2))] text: String) {
    assert!(text.is_empty() || !slugify(&text).is_empty());
}
