extern crate rebut;
extern crate strsim;

use rebut::prelude::*;
use strsim::*;

fn letters() -> impl Generator<Value = String> {
    strings().alphabet('a'..='c').max_size(6)
}

fn words() -> impl Generator<Value = String> {
    strings().alphabet('a'..='c').max_size(3)
}

// expect: passed
#[rebut::test]
fn levenshtein_is_symmetric(a: String, b: String) {
    assert_eq!(levenshtein(&a, &b), levenshtein(&b, &a));
}

// expect: passed
#[rebut::test]
fn levenshtein_is_a_metric(#[from(letters())] a: String, #[from(letters())] b: String, #[from(letters())] c: String) {
    assert_eq!(levenshtein(&a, &b) == 0, a == b);
    assert!(levenshtein(&a, &c) <= levenshtein(&a, &b) + levenshtein(&b, &c));
}

// The optimal string alignment distance does not satisfy the triangle inequality.
// expect: failed
#[rebut::test(cases = 20_000)]
fn osa_is_a_metric(#[from(words())] a: String, #[from(words())] b: String, #[from(words())] c: String) {
    assert!(osa_distance(&a, &c) <= osa_distance(&a, &b) + osa_distance(&b, &c));
}

// expect: failed: DifferentLengthArgs
#[rebut::test]
fn hamming_is_defined(a: &str, b: &str) -> Result<(), StrSimError> {
    hamming(a, b).map(|distance| assert!(distance <= a.chars().count()))
}

// expect: passed
#[rebut::test]
fn damerau_is_at_most_levenshtein(#[from(letters())] a: String, #[from(letters())] b: String) -> bool {
    damerau_levenshtein(&a, &b) <= osa_distance(&a, &b) && osa_distance(&a, &b) <= levenshtein(&a, &b)
}

// expect: passed
#[rebut::test]
fn equal_strings_are_similar(text: String) {
    assert_eq!(jaro(&text, &text), 1.0);
    assert_eq!(jaro_winkler(&text, &text), 1.0);
    assert_eq!(normalized_levenshtein(&text, &text), 1.0);
    assert_eq!(normalized_damerau_levenshtein(&text, &text), 1.0);
}

// expect: passed
#[rebut::test]
fn similarities_are_between_zero_and_one(#[from(0..30usize)] prefix: usize, #[from(letters())] a: String, #[from(letters())] b: String) {
    let common = "x".repeat(prefix);
    let similarity = jaro_winkler(&(common.clone() + &a), &(common + &b));
    assert!(similarity >= 0.0 && similarity <= 1.0, "{}", similarity);
}

// expect: failed
#[rebut::test]
fn jaro_is_one_only_if_equal(a: (char, char), b: (char, char), _weight: f32) {
    let text = |(one, two): (char, char)| [one, two].iter().cloned().collect::<String>();
    assert!(jaro(&text(a), &text(b)) < 0.5 || a == b);
}

// expect: passed
#[rebut::test]
fn one_edit_is_one_apart(text: String, #[from(0..=text.chars().count())] at: usize, c: char) {
    let mut edited: Vec<char> = text.chars().collect();
    edited.insert(at, c);
    let edited: String = edited.into_iter().collect();
    assert_eq!(levenshtein(&text, &edited), 1);
}
