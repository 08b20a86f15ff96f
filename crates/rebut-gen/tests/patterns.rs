//! Texts drawn from a pattern match it, as the crate `regex` sees it.
#![cfg(feature = "regex")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use rebut_choice::{AnyDriver, Random, Source, Stop, Tape};
use rebut_gen::{
    Generator, bytes_matching, sample, simplest, strings_matching, try_bytes_matching,
    try_strings_matching,
};

const PATTERNS: &[&str] = &[
    "",
    "abc",
    "a|b|cd",
    "(a|b)*c?",
    "[a-z]+",
    "[^a-z]{2,4}",
    r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])",
    r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?",
    r"(97[89]-)?\d{1,5}-\d{1,7}-\d{1,6}-[\dX]",
    r"[a-z0-9._%+-]+@([a-z0-9-]+\.)+[a-z]{2,}",
    r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?",
    r"(25[0-5]|2[0-4]\d|1?\d?\d)(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}",
    r"#([0-9a-fA-F]{3}){1,2}",
    r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
    r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?",
    r"\p{Greek}+",
    r"\p{Lu}\p{Ll}*",
    r"[\p{L}--\p{ASCII}]{3}",
    r"\P{L}{2}",
    r"\w+\s\W",
    r"\D\S",
    r"[[:alpha:]_][[:alnum:]_]*",
    r"[a-z&&[^aeiou]]+",
    r"[\w&&\d~~5]",
    "(?i)select from",
    "(?i:straße)|K",
    "(?s).(?-s:.)",
    "(?x) a b # a comment\n  c+ ",
    r"a{3}?b*?c+?",
    r"(?P<year>\d\d)(?<month>\d)",
    r"^\A(?:abc|^d)$\z",
    r"(^|,)a(,|$)",
    r"\bfoo\b",
    r"foo ?\bbar",
    r"\w+\b \B",
    r"(?m)^a$\n^b$",
    r"(?mR)a$\r?\n^b",
    r"\u{1F600}|\x41|\n",
    r"(?-u:\w)+",
    r"a(?i)b|c",
    r"(?:a|[^\s\S]|b)[^\s\S]*",
    r"\b{start}word\b{end}|\<x\>",
    r"\b{start-half}x\b{end-half}",
    r"[\u{0}-\u{10FFFF}]{0,3}",
    r"(((a)?b)?c)?d",
    r"https?://[a-z]+(\.[a-z]+)*(:\d{1,5})?(/[\w.~-]*)*(\?(\w+=\w*&?)*)?",
];

#[test]
fn every_text_matches_its_pattern() {
    for pattern in PATTERNS {
        let regex = regex::Regex::new(&format!(r"\A(?:{pattern}{})\z", end_of_line(pattern)))
            .expect("a pattern the crate knows");
        let texts = strings_matching(pattern);
        for seed in 0..200 {
            let text = sample(&texts, seed);
            assert!(regex.is_match(&text), "{pattern:?} does not match {text:?}");
        }
    }
}

/// A pattern that ends in a comment needs a line end before more can follow.
fn end_of_line(pattern: &str) -> &'static str {
    if pattern.contains('#') && pattern.contains("(?x)") { "\n" } else { "" }
}

#[test]
fn texts_replay_from_their_tapes() {
    for pattern in PATTERNS {
        let texts = strings_matching(pattern);
        for seed in 0..20 {
            let mut source = Source::new(AnyDriver::Random(Box::new(Random::new(seed))));
            let Ok(text) = catch_unwind(AssertUnwindSafe(|| texts.draw(&mut source))) else {
                continue;
            };
            let again = texts.draw(&mut Source::replay(&source.into_tape()));
            assert_eq!(text, again, "{pattern:?} with seed {seed}");
        }
    }
}

#[test]
fn texts_shrink_to_what_a_reader_would_write() {
    let check = |pattern: &str, expected: &str| {
        assert_eq!(simplest(&strings_matching(pattern)), expected, "{pattern:?}");
    };
    check(r"\w+@\w+\.com", "a@a.com");
    check("[A-Z]{3}", "AAA");
    check("[^a-z]", "0");
    check(".*", "");
    check(r"\s", " ");
    check("(x|y)+", "x");
    check(r"(?i)q", "q");
}

#[test]
fn choices_follow_the_pattern_as_it_is_written() {
    let texts = strings_matching("(ab|cd){1,3}x?[u-z]");
    let mut source = Source::replay(
        &Tape::from_text("(g1 (s2 i2 (g3 (g4 i1 ) ) (g3 (g4 i0 ) ) ) (g5 b1 ) c121 )")
            .expect("a tape"),
    );
    assert_eq!(texts.draw(&mut source), "cdabxy");
}

#[test]
fn few_texts_are_known() {
    let sorted = |pattern: &str| {
        strings_matching(pattern).members().map(|mut members| {
            members.sort();
            members
        })
    };
    assert_eq!(
        sorted("a?(b|[cd])"),
        Some(["ab", "ac", "ad", "b", "c", "d"].map(Into::into).into())
    );
    assert_eq!(sorted("[01]{0,2}").map(|all| all.len()), Some(7));
    assert_eq!(sorted("[a-z]{3}"), None);
    assert_eq!(sorted("a*").map(|all| all.len()), Some(101));
    assert_eq!(sorted(r"\w"), None);
}

#[test]
fn bytes_need_not_be_text() {
    let all = bytes_matching(r"(?s-u)(?:\xFF|.)[\x80-\xFE]\bx");
    let regex = regex::bytes::Regex::new(r"(?s-u)\A(?:\xFF|.)[\x80-\xFE]\bx\z").expect("a pattern");
    for seed in 0..200 {
        let bytes = sample(&all, seed);
        assert!(regex.is_match(&bytes), "{bytes:?}");
    }
    assert!(try_strings_matching(r"(?-u)\xFF").is_err());
    assert!(try_bytes_matching("(").is_err());
}

#[test]
fn rejected_patterns_are_reported_with_the_location() {
    let check = |pattern: &str, expected: &str| {
        let error = try_strings_matching(pattern).expect_err("an error");
        assert_eq!(error.to_string(), expected, "{pattern:?}");
        error
    };
    let unsupported = check(
        "ab(?!c)",
        "look-around, including look-ahead and look-behind, is not supported\n    \
         ab(?!c)\n      ^^^",
    );
    assert!(unsupported.is_unsupported() && !unsupported.is_syntax());
    assert!(check("a[b", "unclosed character class\n    a[b\n     ^").is_syntax());
    check(r"\p{Nope}x", "Unicode property not found\n    \\p{Nope}x\n    ^^^^^^^^");
    check("é(", "unclosed group\n    é(\n     ^");
    assert!(
        check(r"[^\s\S]", "nothing matches this pattern\n    [^\\s\\S]\n    ^^^^^^^").is_empty()
    );
}

#[test]
fn the_plain_function_reports_a_wrong_pattern_as_misuse() {
    let texts = strings_matching("a{2,1}");
    let draw = AssertUnwindSafe(|| texts.draw(&mut Source::replay(&Tape::default())));
    let payload = catch_unwind(draw).expect_err("a misuse");
    let Some(Stop::Misuse(text)) = payload.downcast_ref() else { panic!("not a misuse") };
    assert!(text.starts_with("the pattern is not accepted: invalid repetition count"), "{text}");
}
