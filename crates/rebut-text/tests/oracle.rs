//! Compares languages and regexes with the crate `regex`, which shares only the parser with them,
//! and with brute force over a small alphabet.

use std::collections::{BTreeSet, HashSet};

use rebut::any;
use rebut::prelude::*;
use rebut_text::{Count, Cover, Language, Regex, Repeats};

/// A generated regex over a few letters.
#[derive(Clone, Debug, Generate)]
enum Pattern {
    Char(#[generate(['a', 'b', 'c', 'é'])] char),
    Class(
        #[generate(["[ab]", "[^a]", "[b-cé]", ".", r"\w", "[a-c&&[^b]]", "(?i:a)"])] &'static str,
    ),
    Empty,
    Concat(Box<Pattern>, Box<Pattern>),
    Union(Box<Pattern>, Box<Pattern>),
    Optional(Box<Pattern>),
    Star(Box<Pattern>),
    Plus(Box<Pattern>),
    Repeat(Box<Pattern>, #[generate(..=2)] u32, #[generate(..=2)] u32),
}

impl Pattern {
    fn text(&self) -> String {
        match self {
            Pattern::Char(char) => char.to_string(),
            Pattern::Class(class) => (*class).to_owned(),
            Pattern::Empty => "(?:)".to_owned(),
            Pattern::Concat(left, right) => format!("{}{}", left.group(), right.group()),
            Pattern::Union(left, right) => format!("{}|{}", left.group(), right.group()),
            Pattern::Optional(inner) => format!("{}?", inner.group()),
            Pattern::Star(inner) => format!("{}*", inner.group()),
            Pattern::Plus(inner) => format!("{}+", inner.group()),
            Pattern::Repeat(inner, min, more) => {
                format!("{}{{{min},{}}}", inner.group(), min + more)
            }
        }
    }

    fn group(&self) -> String {
        format!("(?:{})", self.text())
    }

    /// Estimates the cost of brute force; the tests reject large patterns.
    fn size(&self) -> usize {
        match self {
            Pattern::Char(_) | Pattern::Class(_) | Pattern::Empty => 1,
            Pattern::Concat(left, right) | Pattern::Union(left, right) => {
                left.size() + right.size()
            }
            Pattern::Optional(inner) | Pattern::Star(inner) | Pattern::Plus(inner) => {
                1 + inner.size()
            }
            Pattern::Repeat(inner, min, more) => inner.size() * (1 + min + more) as usize,
        }
    }

    fn regex(&self) -> Regex {
        Regex::parse(&self.text()).expect("what is drawn is a pattern")
    }

    fn oracle(&self) -> regex::Regex {
        regex::Regex::new(&format!("^(?:{})$", self.text())).expect("what is drawn is a pattern")
    }
}

/// Returns all strings of up to `length` characters of a small alphabet.
fn texts(length: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..length {
        let to = all.len();
        for at in from..to {
            for char in ['a', 'b', 'c', 'é'] {
                all.push(format!("{}{char}", all[at]));
            }
        }
        from = to;
    }
    all
}

fn alphabet() -> Language {
    Regex::parse("[abcé]*").expect("a pattern").language()
}

#[rebut::test]
fn is_match_agrees_with_the_crate_regex(pattern: Pattern) {
    assume!(pattern.size() < 40, "too large");
    let (regex, oracle) = (pattern.regex(), pattern.oracle());
    for text in texts(3).iter().chain(&["A".to_owned(), "\n".to_owned(), "ab\u{3b1}".to_owned()]) {
        assert_eq!(regex.is_match(text), oracle.is_match(text), "{} on {text:?}", pattern.text());
    }
}

#[rebut::test]
fn regex_round_trips_through_its_pattern(pattern: Pattern) {
    assume!(pattern.size() < 40, "too large");
    let regex = pattern.regex();
    let again = Regex::parse(&regex.to_string()).expect("what is shown is a pattern");
    for text in texts(2) {
        assert_eq!(regex.is_match(&text), again.is_match(&text), "{regex} on {text:?}");
    }
}

#[rebut::test]
fn words_lists_each_member_once_and_shortest_first(pattern: Pattern) {
    assume!(pattern.size() < 40, "too large");
    let language = pattern.regex().language().intersection(&alphabet()).of_length(..=3);
    let words: Vec<String> = language.words().expect("small").collect();
    let oracle = pattern.oracle();
    let expected: BTreeSet<String> =
        texts(3).into_iter().filter(|text| oracle.is_match(text)).collect();
    assert_eq!(words.iter().cloned().collect::<BTreeSet<String>>(), expected);
    assert_eq!(words.len(), expected.len());
    assert!(words.is_sorted_by_key(|word| word.chars().count()));
    let count = language.count().expect("small");
    assert_eq!(count, Count::Exactly(expected.len() as u128));
    assert_eq!(language.is_empty(), Ok(expected.is_empty()));
    let shortest = language.shortest().expect("small");
    assert_eq!(shortest.map(|text| text.chars().count()), words.first().map(|w| w.chars().count()));
}

#[rebut::test]
fn spread_lists_every_member_once(pattern: Pattern, seed: u64) {
    assume!(pattern.size() < 40, "too large");
    let language = pattern.regex().language().intersection(&alphabet()).of_length(..=3);
    let mut spread: Vec<String> = language.spread(seed).expect("small").collect();
    let mut words: Vec<String> = language.words().expect("small").collect();
    spread.sort();
    words.sort();
    assert_eq!(spread, words);
}

#[rebut::test(cases = 40)]
fn infinite_lists_contain_only_members_and_no_duplicates(pattern: Pattern, seed: u64) {
    assume!(pattern.size() < 40, "too large");
    let (language, oracle) = (pattern.regex().language(), pattern.oracle());
    let mut seen = HashSet::new();
    for text in language.spread(seed).expect("small").take(200) {
        assert!(oracle.is_match(&text), "{text:?}");
        assert!(seen.insert(text.clone()), "{text:?} comes twice");
    }
    let mut seen = HashSet::new();
    for text in language.words().expect("small").take(200) {
        assert!(oracle.is_match(&text), "{text:?}");
        assert!(seen.insert(text.clone()), "{text:?} comes twice");
    }
}

#[rebut::test(cases = 40)]
fn every_length_has_one_witness(pattern: Pattern) {
    assume!(pattern.size() < 40, "too large");
    let (language, oracle) = (pattern.regex().language(), pattern.oracle());
    let mut before = None;
    for witness in language.lengths().expect("small").take(130) {
        let text = witness.to_string();
        assert!(oracle.is_match(&text), "{text:?}");
        assert_eq!(text.chars().count(), witness.len());
        assert!(before < Some(witness.len()));
        before = Some(witness.len());
    }
    let lengths: BTreeSet<usize> = language
        .lengths()
        .expect("small")
        .map(|witness| witness.len())
        .take_while(|&len| len <= 3)
        .collect();
    let expected = texts(3).into_iter().filter(|text| oracle.is_match(text));
    let at_least: BTreeSet<usize> = expected.map(|text| text.chars().count()).collect();
    assert!(at_least.is_subset(&lengths));
}

#[rebut::test]
fn operations_on_languages_agree_with_sets(left: Pattern, right: Pattern) {
    assume!(left.size() + right.size() < 40, "too large");
    let (a, b) = (left.regex().language(), right.regex().language());
    let (in_a, in_b) = (left.oracle(), right.oracle());
    let (both, either, only, not) =
        (a.intersection(&b), a.union(&b), a.difference(&b), a.complement());
    let automata = [&both, &either, &only, &not].map(|language| {
        let listed = language.intersection(&alphabet()).of_length(..=2);
        listed.words().expect("small").collect::<HashSet<String>>()
    });
    for text in texts(2) {
        let (a, b) = (in_a.is_match(&text), in_b.is_match(&text));
        let expected = [a && b, a || b, a && !b, !a];
        assert_eq!([&both, &either, &only, &not].map(|l| l.contains(&text)), expected, "{text:?}");
        let listed = [0, 1, 2, 3].map(|at: usize| automata[at].contains(&text));
        assert_eq!(listed, expected, "{text:?}");
    }
}

#[rebut::test(cases = 40)]
fn languages_obey_the_laws_of_sets(left: Pattern, right: Pattern) {
    assume!(left.size() + right.size() < 24, "too large");
    let (a, b) = (left.regex().language(), right.regex().language());
    assert_eq!(a.complement().complement().is_equal_to(&a), Ok(true));
    let de_morgan = a.complement().union(&b.complement());
    assert_eq!(a.intersection(&b).complement().is_equal_to(&de_morgan), Ok(true));
    assert_eq!(a.intersection(&b).is_subset_of(&a), Ok(true));
    assert_eq!(a.difference(&b).intersection(&b).is_empty(), Ok(true));
    let minimized = a.minimized().expect("small");
    assert_eq!(minimized.is_equal_to(&a), Ok(true));
    assert_eq!(minimized.states(), a.states());
    assert_eq!(a.union(&a).states(), a.states());
}

#[rebut::test]
fn automata_of_nested_operations_agree_with_contains(left: Pattern, right: Pattern) {
    assume!(left.size() + right.size() < 20, "too large");
    let (a, b) = (left.regex().language(), right.regex().language());
    let odd = a.complement().concat(&b.intersection(&a)).union(&b).repeat(0, Some(2));
    let listed = odd.intersection(&alphabet()).of_length(..=2);
    let listed: HashSet<String> = listed.words().expect("small").collect();
    for text in texts(2) {
        assert_eq!(odd.contains(&text), listed.contains(&text), "{text:?}");
    }
}

#[rebut::test(cases = 40)]
fn cover_lists_one_member_of_each_class(pattern: Pattern, few: bool) {
    assume!(pattern.size() < 9, "too large");
    let (regex, oracle) = (pattern.regex(), pattern.oracle());
    let repeats = if few { Repeats::Few } else { Repeats::Concatenation };
    let cover = Cover::new(&regex).repeats(repeats);
    let classifier = cover.classifier().expect("small");
    let (mut texts_seen, mut classes) = (HashSet::new(), HashSet::new());
    let listed: Vec<String> = cover.words().expect("small").take(60).collect();
    let is_all = listed.len() < 60;
    for text in listed {
        assert!(oracle.is_match(&text), "{text:?}");
        let class = classifier.class_of(&text).expect("it matches");
        assert!(class.is_ambiguous() || classes.insert(class), "the class of {text:?} was there");
        assert!(texts_seen.insert(text.clone()), "{text:?} comes twice");
    }
    let ambiguous = texts_seen
        .iter()
        .any(|text| classifier.class_of(text).is_some_and(|class| class.is_ambiguous()));
    for text in texts(3) {
        let class = classifier.class_of(&text);
        assert_eq!(class.is_some(), oracle.is_match(&text), "{text:?}");
        if let Some(class) = class.filter(|class| is_all && !ambiguous && !class.is_ambiguous()) {
            assert!(classes.contains(&class), "no member of the class of {text:?}");
        }
    }
}

#[rebut::test(cases = 40)]
fn cover_within_a_language_omits_only_classes_without_a_member(pattern: Pattern, within: Pattern) {
    assume!(pattern.size() < 10 && within.size() < 10, "too large");
    let allowed = within.regex().language().intersection(&alphabet()).of_length(..=3);
    let cover = Cover::new(&pattern.regex()).repeats(Repeats::Concatenation).within(&allowed);
    let classifier = cover.classifier().expect("small");
    let listed: Vec<String> = cover.words().expect("small").collect();
    let oracles = (pattern.oracle(), within.oracle());
    for text in &listed {
        assert!(oracles.0.is_match(text) && oracles.1.is_match(text), "{text:?}");
    }
    let classes: Vec<_> = listed.iter().filter_map(|text| classifier.class_of(text)).collect();
    for text in texts(3) {
        if !oracles.0.is_match(&text) || !oracles.1.is_match(&text) {
            continue;
        }
        let class = classifier.class_of(&text).expect("it matches");
        let is_covered = class.is_ambiguous()
            || classes.iter().any(|listed| listed.is_ambiguous() || *listed == class);
        assert!(is_covered, "no member of the class of {text:?}");
    }
}

/// A piece of a pattern. Several in a row are rarely a valid pattern.
#[derive(Clone, Debug, Generate)]
struct Scrap(
    #[generate([
        "(", ")", "[", "]", "{", "}", "*", "+", "?", "|", "^", "$", "\\", "-", ",", "2", "a", "é", "\n",
        "$name", "(?", "i", "x", ":", "&&", "\\p", "\\b", "\\1", "\\x", "[:alpha:]", "=", "!", "<", "#",
    ])]
    &'static str,
);

#[rebut::test]
fn errors_of_broken_patterns_have_a_span_within_them(scraps: Vec<Scrap>, anywhere: bool) {
    let pattern: String = scraps.iter().map(|scrap| scrap.0).collect();
    let name = Regex::parse("[0-9]+").expect("a pattern");
    match Regex::parser().name("name", &name).anywhere(anywhere).parse(&pattern) {
        Ok(regex) => {
            let shown = Regex::parse(&regex.to_string()).expect("what is shown is a pattern");
            for text in ["", "a", "12", "a1", "\n"] {
                assert_eq!(regex.is_match(text), shown.is_match(text), "{pattern} as {shown}");
            }
        }
        Err(error) => {
            assert!(pattern.get(error.span()).is_some(), "{:?} of {pattern:?}", error.span());
            assert!(error.to_string().contains('^'));
        }
    }
}

#[test]
fn wrong_oracle_is_detected() {
    let report =
        rebut::Check::new("canary: a language without its longest words").cases(500).run(|case| {
            let pattern = case.draw(any::<Pattern>());
            if pattern.size() >= 40 {
                return true;
            }
            let language = pattern.regex().language().intersection(&alphabet()).of_length(..=2);
            let words: HashSet<String> = language.words().expect("small").collect();
            let oracle = pattern.oracle();
            texts(3).iter().all(|text| oracle.is_match(text) == words.contains(text))
        });
    assert!(!report.verdict.is_success());
}
