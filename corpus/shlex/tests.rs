extern crate rebut;
extern crate shlex;

use rebut::prelude::*;
use shlex::{join, quote, split, Shlex};
use std::borrow::Cow;

// expect: passed
#[rebut::test]
fn quoting_is_undone_by_splitting(word: String) {
    assert_eq!(split(&quote(&word)), Some(vec![word]));
}

// expect: passed
#[rebut::test]
fn join_then_split(words: Vec<String>) {
    let text = join(words.iter().map(|word| &word[..]));
    assert_eq!(split(&text), Some(words));
}

// expect: failed
#[rebut::test]
fn split_then_join(text: String) -> bool {
    match split(&text) {
        Some(words) => join(words.iter().map(String::as_str)) == text,
        None => true,
    }
}

// Quotation marks have to be closed.
// expect: failed
#[rebut::test]
fn every_text_splits(text: &str, _retries: u8) {
    assert!(split(text).is_some());
}

// RUSTSEC-2024-0006
// expect: failed
#[rebut::test]
fn braces_are_quoted(#[from(strings().alphabet(chars().one_of("ab{},")).min_size(1).max_size(6))] word: String) {
    let quoted = quote(&word);
    let expands = word.contains('{') && word.contains(',') && word.ends_with('}');
    if expands {
        assert!(quoted.starts_with('"') || quoted.starts_with('\''), "{}", quoted);
    }
}

// RUSTSEC-2024-0006
// expect: failed
#[rebut::test]
fn a_character_with_meaning_is_quoted(c: char, before: Option<char>) {
    let mut word = String::new();
    word.extend(before);
    word.push(c);
    let special = c == '\u{a0}' || c == '{' || c == '}';
    match quote(&word) {
        Cow::Borrowed(same) => assert!(!special, "{:?} stays as it is", same),
        Cow::Owned(quoted) => assert!(quoted.len() >= word.len() + 2),
    }
}

// expect: passed
#[rebut::test]
fn words_without_quotes_split_like_std(#[from(strings().alphabet(chars().one_of("ab \t\n")))] text: String) {
    let expected: Vec<String> = text.split_whitespace().map(str::to_string).collect();
    assert_eq!(split(&text).unwrap(), expected);
}

// A comment starts at any number sign between words.
// expect: failed
#[rebut::test]
fn spaces_separate_words(one: String, other: String) {
    rebut::assume!(split(&one).is_some() && split(&other).is_some());
    let mut expected = split(&one).unwrap();
    expected.extend(split(&other).unwrap());
    assert_eq!(split(&format!("{} {}", one, other)), Some(expected));
}

// expect: passed
#[rebut::test]
fn lines_are_counted(#[from(vecs(strings().alphabet('a'..='c').max_size(3)).max_size(5))] lines: Vec<String>) {
    let text = lines.join("\n");
    let mut words = Shlex::new(&text);
    while let Some(word) = words.next() {
        assert!(!word.is_empty());
    }
    assert_eq!(words.line_no, lines.len().max(1));
    assert!(!words.had_error);
}

// expect: failed
#[rebut::test]
fn lines_of_std_are_counted(text: String) {
    let mut words = Shlex::new(&text);
    let count = words.by_ref().count();
    assert!(words.line_no == text.lines().count().max(1), "{} words", count);
}
