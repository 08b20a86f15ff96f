//! Finds the words of the table in sentences.

use std::collections::HashMap;

use super::Scope;
use super::markdown::CODE;
use super::table::{Spelling, Word};

/// A word that was found.
#[derive(Debug)]
pub(super) struct Hit<'a> {
    /// The line in the sentence, from 0.
    pub(super) line: usize,
    /// The words of the sentence.
    pub(super) found: String,
    pub(super) word: &'a Word,
}

/// A word or a character of a sentence.
#[derive(Debug)]
struct Unit<'a> {
    text: &'a str,
    lower: String,
    line: usize,
    kind: UnitKind,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum UnitKind {
    Word,
    /// Code between words, or a word that is a part of code, such as `case.told(..)`.
    Code,
    Punctuation,
    /// An empty line.
    Break,
}

/// The phrases of a table, by their first words.
#[derive(Debug)]
pub(super) struct Finder<'a> {
    phrases: Vec<Phrase<'a>>,
    by_first: HashMap<&'a str, Vec<usize>>,
    /// Phrases that begin with any word.
    others: Vec<usize>,
}

#[derive(Debug)]
struct Phrase<'a> {
    word: &'a Word,
    parts: Vec<PhrasePart<'a>>,
    exceptions: Vec<Vec<PhrasePart<'a>>>,
}

/// A part of a phrase.
#[derive(Debug)]
enum PhrasePart<'a> {
    /// `a|b`: one of these words.
    AnyOf(Vec<&'a str>),
    /// `*`: one word or one piece of code.
    Any,
    /// A backtick: a piece of code, which may be a link.
    Code,
    /// `<`: the start of a sentence that is not a question.
    Start,
    /// `>`: the end of a clause.
    End,
}

impl<'a> Finder<'a> {
    pub(super) fn new(table: &'a [Word]) -> Finder<'a> {
        let mut finder =
            Finder { phrases: Vec::new(), by_first: HashMap::new(), others: Vec::new() };
        for word in table {
            for phrase in word.phrases {
                let parts = parts(phrase);
                let index = finder.phrases.len();
                match parts.iter().find(|part| !matches!(part, PhrasePart::Start)) {
                    Some(PhrasePart::AnyOf(first)) => {
                        for first in first {
                            finder.by_first.entry(first).or_default().push(index);
                        }
                    }
                    _ => finder.others.push(index),
                }
                let exceptions = word.exceptions.iter().map(|(phrase, _)| self::parts(phrase));
                finder.phrases.push(Phrase { word, parts, exceptions: exceptions.collect() });
            }
        }
        finder
    }

    /// All words of the table that are refused in this scope, in the order of the text.
    pub(super) fn find(&self, text: &str, scope: Scope, path: &str) -> Vec<Hit<'a>> {
        let units = units(text);
        let mut hits = Vec::new();
        for index in 0..units.len() {
            let first =
                self.by_first.get(units[index].lower.as_str()).map_or(&[][..], Vec::as_slice);
            for phrase in first.iter().chain(&self.others).map(|&phrase| &self.phrases[phrase]) {
                if !phrase.word.is_refused(scope, path) {
                    continue;
                }
                let Some(length) = length_at(&phrase.parts, &units, index) else { continue };
                let is_excused = phrase.exceptions.iter().any(|exception| {
                    (0..=index).rev().take(8).any(|start| {
                        length_at(exception, &units, start)
                            .is_some_and(|length| start + length > index)
                    })
                });
                if !is_excused {
                    let found = shown(&units[index..index + length]);
                    hits.push(Hit { line: units[index].line, found, word: phrase.word });
                    break;
                }
            }
        }
        hits
    }
}

fn shown(units: &[Unit<'_>]) -> String {
    let words = units.iter().filter(|unit| unit.kind != UnitKind::Punctuation);
    let words = words.map(|unit| if unit.text.contains(CODE) { "`..`" } else { unit.text });
    words.collect::<Vec<_>>().join(" ")
}

fn parts(phrase: &str) -> Vec<PhrasePart<'_>> {
    let part = |part| match part {
        "*" => PhrasePart::Any,
        "`" => PhrasePart::Code,
        "<" => PhrasePart::Start,
        ">" => PhrasePart::End,
        words => PhrasePart::AnyOf(words.split('|').collect()),
    };
    phrase.split_whitespace().map(part).collect()
}

/// How many units a phrase takes from `start`, if it is there.
fn length_at(parts: &[PhrasePart<'_>], units: &[Unit<'_>], start: usize) -> Option<usize> {
    let mut at = start;
    for part in parts {
        let unit = units.get(at);
        let is_there = match part {
            PhrasePart::Start => {
                if !starts_sentence(units, at) || is_question(units, at) {
                    return None;
                }
                continue;
            }
            PhrasePart::End => {
                let is_end = |unit: &Unit<'_>| {
                    unit.kind == UnitKind::Break
                        || unit.kind == UnitKind::Punctuation && !"(\"'[*_-".contains(unit.text)
                };
                if !unit.is_none_or(is_end) {
                    return None;
                }
                continue;
            }
            PhrasePart::Any => {
                unit.is_some_and(|unit| matches!(unit.kind, UnitKind::Word | UnitKind::Code))
            }
            PhrasePart::Code => {
                let is_link = unit.is_some_and(|unit| unit.text == "[");
                at += usize::from(is_link);
                units.get(at).is_some_and(|unit| unit.text.contains(CODE))
            }
            PhrasePart::AnyOf(words) => unit.is_some_and(|unit| {
                unit.kind == UnitKind::Word && words.contains(&unit.lower.as_str())
            }),
        };
        if !is_there {
            return None;
        }
        at += 1;
    }
    Some(at - start)
}

fn starts_sentence(units: &[Unit<'_>], at: usize) -> bool {
    let is_mark =
        |unit: &&Unit<'_>| unit.kind == UnitKind::Punctuation && "\"'(_".contains(unit.text);
    let before = units[..at].iter().rev().find(|unit| !is_mark(unit));
    before.is_none_or(|unit| match unit.kind {
        UnitKind::Break => true,
        UnitKind::Punctuation => ".!?".contains(unit.text),
        _ => false,
    })
}

fn is_question(units: &[Unit<'_>], at: usize) -> bool {
    let end = units[at..].iter().find(|unit| {
        unit.kind == UnitKind::Break
            || unit.kind == UnitKind::Punctuation && ".!?".contains(unit.text)
    });
    end.is_some_and(|unit| unit.text == "?")
}

/// Splits a piece of text into words and characters.
fn units(text: &str) -> Vec<Unit<'_>> {
    let mut units: Vec<Unit<'_>> = Vec::new();
    let (mut line, mut is_line_empty) = (0, true);
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let length = if is_word(first) {
            text[at..].find(|char| !is_word(char)).unwrap_or(text.len() - at)
        } else {
            first.len_utf8()
        };
        let unit = &text[at..at + length];
        if first == '\n' {
            if is_line_empty {
                units.push(Unit { text: "", lower: String::new(), line, kind: UnitKind::Break });
            }
            line += 1;
            is_line_empty = true;
        } else if !first.is_whitespace() {
            is_line_empty = false;
            let kind = match first {
                _ if !is_word(first) => UnitKind::Punctuation,
                _ if is_code(unit, &text[..at], &text[at + length..]) => UnitKind::Code,
                _ => UnitKind::Word,
            };
            units.push(Unit { text: unit, lower: unit.to_lowercase(), line, kind });
        }
        at += length;
    }
    units
}

fn is_word(char: char) -> bool {
    char == '_' || char == CODE || char.is_alphanumeric()
}

/// Whether a word belongs to code: `is_told`, `Told::new`, `case.told(..)`, `--told`, `told/x`.
fn is_code(word: &str, before: &str, after: &str) -> bool {
    let is_name = word.contains(['_', CODE])
        || word.chars().any(char::is_numeric)
        || word.chars().skip(1).any(char::is_uppercase) && word.chars().any(char::is_lowercase);
    let joined = [".", "::", "--", "/", "@", "$", "\\", "&", "<", "="];
    let is_after = joined.iter().any(|mark| before.ends_with(mark));
    let is_before =
        ["(", "::", "/", "=", "<", "!(", "@", "\\"].iter().any(|mark| after.starts_with(mark));
    // A period between two words without a space is a part of a path or name.
    let is_path =
        after.strip_prefix('.').is_some_and(|after| after.starts_with(char::is_alphanumeric));
    is_name || is_after || is_before || is_path
}

/// The spellings of a table, by the first three bytes of their words.
#[derive(Debug)]
pub(super) struct Speller<'a> {
    by_start: HashMap<&'a [u8], Vec<&'a Spelling>>,
}

/// How many bytes of a word its spelling is looked up by.
const START: usize = 3;

impl<'a> Speller<'a> {
    pub(super) fn new(spellings: &'a [Spelling]) -> Speller<'a> {
        let mut by_start: HashMap<&[u8], Vec<&Spelling>> = HashMap::new();
        for spelling in spellings {
            by_start.entry(&spelling.british().as_bytes()[..START]).or_default().push(spelling);
        }
        Speller { by_start }
    }

    /// The words of a line that have a British spelling, with the American one.
    pub(super) fn misspelled(&self, line: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for identifier in line.split(|char: char| !char.is_ascii_alphabetic()) {
            for part in camel_case_parts(identifier).filter(|part| part.len() > START) {
                let start: Vec<u8> =
                    part.bytes().take(START).map(|b| b.to_ascii_lowercase()).collect();
                let Some(spellings) = self.by_start.get(start.as_slice()) else { continue };
                let lower = part.to_ascii_lowercase();
                let american = spellings.iter().find_map(|spelling| spelling.american(&lower));
                found.extend(american.map(|american| (part.to_owned(), american)));
            }
        }
        found
    }
}

/// Splits `NeighborMap` into `Neighbor` and `Map`.
fn camel_case_parts(identifier: &str) -> impl Iterator<Item = &str> {
    let mut rest = identifier;
    std::iter::from_fn(move || {
        let bytes = rest.as_bytes();
        let is_start =
            |at: &usize| bytes[*at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase();
        let length = (1..bytes.len()).find(is_start).unwrap_or(bytes.len());
        let (part, after) = rest.split_at(length);
        rest = after;
        (!part.is_empty()).then_some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::super::Scope;
    use super::super::table::{SPELLINGS, Word};
    use super::{Finder, Speller, camel_case_parts};

    const TABLE: &[Word] = &[
        Word {
            phrases: &["told|tells"],
            better: &["reports"],
            exceptions: &[("tells you", "you are a person")],
            ..Word::EVERYWHERE
        },
        Word { phrases: &["is no"], exceptions: &[("there is no", "correct")], ..Word::EVERYWHERE },
        Word { phrases: &["is so >"], ..Word::EVERYWHERE },
        Word { phrases: &["< what"], ..Word::EVERYWHERE },
    ];

    fn check(text: &str, expected: &[&str]) {
        let finder = Finder::new(TABLE);
        let hits = finder.find(text, Scope::Prose, "a.md");
        let found: Vec<_> = hits.iter().map(|hit| hit.found.as_str()).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn finds_words_in_any_case() {
        check("Told, or it TELLS.", &["Told", "TELLS"]);
        check("retold tellsome", &[]);
    }

    #[test]
    fn finds_phrases_across_lines_but_not_across_sentences() {
        check("it is\n  no number", &["is no"]);
        check("it is. No number", &[]);
        check("it is\n\nno number", &[]);
    }

    #[test]
    fn exceptions_excuse_only_themselves() {
        check("Rebut tells you, and tells it.", &["tells"]);
        check("there is no x, which is no y", &["is no"]);
    }

    #[test]
    fn code_has_no_words() {
        check("case.told(1) is_told told::x --told told/x told.rs told(x)", &[]);
        check("It was told. It (told) \"told\".", &["told", "told", "told"]);
    }

    #[test]
    fn knows_the_end_of_a_clause() {
        check("It is so, if it is so", &["is so", "is so"]);
        check("It is so small.", &[]);
    }

    #[test]
    fn knows_the_start_of_a_sentence() {
        check("What it is. What it was, and what not", &["What", "What"]);
        check("a\n\nWhat b", &["What"]);
        // A heading, a question, a cell, a link and a label.
        check("# What it is\n\nWhat is it? | what it is |", &[]);
        check("[What it is](a.md) and\n\n- **What it is.**", &[]);
    }

    #[test]
    fn splits_identifiers() {
        let parts = |identifier| camel_case_parts(identifier).collect::<Vec<_>>();
        assert_eq!(parts("NeighborMap"), ["Neighbor", "Map"]);
        assert_eq!(parts("HTML"), ["HTML"]);
        let speller = Speller::new(SPELLINGS);
        // The first letters are apart so that this file passes its own check.
        let identifier = format!("is_{}our_MyColo{}s", "behavi", "ur");
        assert_eq!(speller.misspelled(&identifier).len(), 2);
        assert_eq!(speller.misspelled("is_behavior_MyColors").len(), 0);
    }
}
