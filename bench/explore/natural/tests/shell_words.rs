//! Words of a shell.

use rebut::prelude::*;
use shell_words::{join, quote, split};

// true: a quoted word is one word.
#[rebut::test]
fn quoted_words_split_into_themselves(
    #[from(strings().alphabet(' '..='/').max_size(3))] word: String,
) {
    assert_eq!(split(&quote(&word)).ok(), Some(vec![word]));
}

// true: errors are values.
#[rebut::test]
fn splitting_never_panics(#[generate(max_size = 4)] text: String) {
    let _ = split(&text);
}

// true: joined words are split where they were joined.
#[rebut::test]
fn joined_words_split(#[generate(max_size = 1)] a: String, #[generate(max_size = 1)] b: String) {
    assert_eq!(split(&join([&a, &b])).ok(), Some(vec![a, b]));
}

// true: only quotes must be closed; a backslash at the end stands for itself.
#[rebut::test]
fn texts_without_quotes_split(#[from(strings().alphabet('Z'..='b').max_size(3))] text: String) {
    assert!(split(&text).is_ok());
}

// false (easy): "a'".to_owned()
#[rebut::test]
fn texts_with_quotes_split(#[from(strings().alphabet('\''..='b').max_size(2))] text: String) {
    assert!(split(&text).is_ok());
}
