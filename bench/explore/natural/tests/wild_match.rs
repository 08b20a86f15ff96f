//! Patterns with wildcards.

use rebut::prelude::*;
use wildmatch::WildMatch;

// true: a star matches all.
#[rebut::test]
fn stars_match_everything(#[generate(max_size = 4)] text: String) {
    assert!(WildMatch::new("*").matches(&text));
}

// true: a pattern without wildcards matches itself only.
#[rebut::test]
fn plain_patterns_match_themselves(
    #[from(strings().alphabet('a'..='z').max_size(3))] pattern: String,
    #[from(strings().alphabet('a'..='z').max_size(3))] text: String,
) {
    assert_eq!(WildMatch::new(&pattern).matches(&text), pattern == text);
}

// true: a question mark is one character.
#[rebut::test]
fn question_marks_count(#[generate(max_size = 3)] text: String) {
    assert_eq!(WildMatch::new("??").matches(&text), text.chars().count() == 2);
}

// false (easy): "*".to_owned(), "a".to_owned()
#[rebut::test]
fn matching_is_symmetric(
    #[from(strings().alphabet(')'..='a').max_size(2))] a: String,
    #[from(strings().alphabet(')'..='a').max_size(2))] b: String,
) {
    assert_eq!(WildMatch::new(&a).matches(&b), WildMatch::new(&b).matches(&a));
}
