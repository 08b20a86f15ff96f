//! Checks what the lists contain and what they must contain early.

use std::collections::HashSet;

use expect_test::{Expect, expect};
use rebut_text::{Count, Cover, Language, Regex, Repeats, edit_distance};

fn regex(pattern: &str) -> Regex {
    Regex::parse(pattern).expect("a pattern")
}

fn listed(texts: impl Iterator<Item = String>, count: usize) -> String {
    texts.take(count).collect::<Vec<String>>().join(" ")
}

fn check(texts: impl Iterator<Item = String>, count: usize, expected: Expect) {
    expected.assert_eq(&listed(texts, count));
}

const COLON_PATH: &str = "^[A-Za-z0-9_-]+(:[A-Za-z0-9_-]+)*$";

#[test]
fn cover_of_a_colon_path_reaches_two_bugs_early() {
    let later_underscore =
        |text: &String| text.split(':').skip(1).any(|part| part.starts_with('_') && part.len() > 1);
    for repeats in [Repeats::Few, Repeats::Concatenation] {
        for seed in 0..50 {
            let cover = Cover::new(&regex(COLON_PATH)).repeats(repeats).seed(seed);
            let texts: Vec<String> = cover.words().expect("small").take(30).collect();
            assert!(texts[..5].iter().any(|text| text == "_"), "{texts:?}");
            assert!(texts.iter().any(later_underscore), "{texts:?}");
        }
    }
}

#[test]
fn few_repeats_have_finitely_many_classes() {
    let classes = |pattern: &str| Cover::new(&regex(pattern)).words().expect("small").count();
    assert_eq!(classes("[a-z]"), 1);
    assert_eq!(classes("[a-z]*"), 3);
    assert_eq!(classes("[a-zA-Z0-9_]+"), 8);
    assert_eq!(classes("((Ms|Mr|Mrs|Dr) )?[A-Z][a-z]* [A-Z][a-z]*( (Jr|Sr))?"), 5 * 3 * 3 * 3);
    assert_eq!(classes(COLON_PATH), 10 * (1 + 10 + 10));
}

#[test]
fn concatenated_repeats_list_every_combination() {
    let cover = Cover::new(&regex("[_a-zA-Z][_a-zA-Z0-9]+")).repeats(Repeats::Concatenation);
    let texts: Vec<String> = cover.words().expect("small").take(1020).collect();
    let of_length = |length| texts.iter().filter(|text| text.len() == length).count();
    assert_eq!([2, 3, 4, 5].map(of_length), [3 * 4, 3 * 16, 3 * 64, 3 * 256]);
    let kind = |char: char| match char {
        'a'..='z' => 'a',
        'A'..='Z' => 'A',
        '0'..='9' => '0',
        char => char,
    };
    let shapes: HashSet<String> =
        texts.iter().map(|text| text.chars().map(kind).collect()).collect();
    assert_eq!(shapes.len(), texts.len());
}

#[test]
fn cover_omits_classes_without_a_member_in_the_language() {
    let long = Language::length(7..=9).difference(&Language::containing("_"));
    let cover = Cover::new(&regex("[a-z_]+(-[0-9]+)?")).within(&long);
    let texts: Vec<String> = cover.words().expect("small").collect();
    assert_eq!(texts.len(), 1 + 1 + 2, "{texts:?}");
    assert!(texts.iter().all(|text| long.contains(text)));
    let nothing = Cover::new(&regex("[a-z]+")).within(&Language::starting_with("1"));
    assert_eq!(nothing.words().expect("small").count(), 0);
}

#[test]
fn boundaries_are_parts_of_their_own() {
    let cover = Cover::new(&regex("[a-z]")).boundaries(true);
    let texts: Vec<String> = cover.words().expect("small").collect();
    assert_eq!((texts.len(), &*texts[0], &*texts[2]), (3, "a", "z"));
}

#[test]
fn nondeterministic_language_is_listed_without_131072_states() {
    let language = regex("(a|b)*a(a|b){16}").language();
    let shortest = language.shortest().expect("small").expect("not empty");
    assert_eq!(shortest.len(), 17);
    assert_eq!(language.words().expect("small").nth(70_000).map(|word| word.len()), Some(18));
    assert_eq!(language.lengths().expect("small").nth(9).map(|witness| witness.len()), Some(26));
    assert_eq!(language.is_finite(), Ok(false));
    let within = language.with_states_max(1000);
    let error = within.spread(1).map(|_| ()).expect_err("the automaton is large");
    assert_eq!(error.states_max(), 1000);
    assert!(error.to_string().contains("too complex"), "{error}");
    assert_eq!(within.complement().shortest().expect("found at once").as_deref(), Some(""));
}

#[test]
fn counts_are_exact_huge_or_infinite() {
    let count = |pattern: &str| regex(pattern).language().count().expect("small");
    assert_eq!(count("[a-z]{1,3}|abc|x*y{0}z"), Count::Infinite);
    assert_eq!(count("[a-z]{1,3}|abc"), Count::Exactly(26 + 26 * 26 + 26 * 26 * 26));
    assert_eq!(count("[a-z]{1000}"), Count::Huge);
    assert_eq!(count("[a&&b]"), Count::Exactly(0));
    let language = regex("(a|b)*a(a|b){3}").language();
    assert_eq!(language.count_of_length(10), Ok(Count::Exactly(1 << 9)));
    assert_eq!(regex(".*").language().count_of_length(1), Ok(Count::Exactly(0x10_F800 - 1)));
}

#[test]
fn minimal_automata_have_the_known_number_of_states() {
    let states = |pattern: &str| regex(pattern).language().states().expect("small");
    assert_eq!(states("(a|b)*a(a|b){6}"), 1 << 7);
    assert_eq!(states("(a|b){16}a(a|b)*"), 18);
    assert_eq!(states("a|b|(a|b)c*|d{0,3}"), 5);
    assert_eq!(states("a{0,3000}"), 3001);
}

#[test]
fn lists_work_for_lengths_of_many_thousands() {
    let language = regex(".{0,65536}").language();
    assert_eq!(language.max_length(), Ok(Some(65_536)));
    assert_eq!(language.lengths().expect("large").nth(300).map(|w| w.len()), Some(300));
    assert_eq!(language.words().expect("large").nth(1), Some("a".to_owned()));
    assert_eq!(language.spread(1).expect("large").take(50).count(), 50);
}

#[test]
fn huge_repetitions_are_too_complex() {
    let pattern = regex("(a{1000}b?){100000}|x");
    assert!(pattern.is_match("x") && !pattern.is_match("aaa"));
    let language = pattern.language().with_states_max(5000);
    assert_eq!(language.shortest().expect("found soon").as_deref(), Some("x"));
    assert!(language.words().is_err());
    assert!(language.count().is_err());
    assert!(Cover::new(&pattern).words().is_err());
}

#[test]
fn spread_varies_first_characters_and_lengths() {
    let language = regex("[_a-zA-Z][_a-zA-Z0-9]+").language();
    let texts: Vec<String> = language.spread(3).expect("small").take(1000).collect();
    assert_eq!(texts.iter().collect::<HashSet<_>>().len(), 1000);
    let firsts: HashSet<char> = texts.iter().take(100).filter_map(|t| t.chars().next()).collect();
    let lengths: HashSet<usize> = texts.iter().take(20).map(String::len).collect();
    assert!(firsts.len() > 25, "{firsts:?}");
    assert!(lengths.len() > 7, "{lengths:?}");
    let others = language.spread(4).expect("small").take(1000).collect::<HashSet<String>>();
    assert!(texts.iter().filter(|text| others.contains(*text)).count() < 300);
    check(
        language.spread(1).expect("small"),
        24,
        expect![
            "atuqan quyizoteruv MIlaj2 muke sibenaheg AX_OROP_Ak8 Uk ZRvRxa qucetaf Mod0 Upenifowavok kifed _vwifSnsq6q SUT2279_J Uzejufosag tes L1 oronaloq Azinemuqevayi un_rin4 Malabupuvibida ZixS Odimib UGoy_w_lumo9"
        ],
    );
    check(
        regex(".*").language().spread(1).expect("small"),
        24,
        expect![[
            r#"muke sibenaheg G%ulu Uk qucetaf w.eb1[g(EB  #uH[" kifed S.j Uzejufosag i瞆淢冰憱 tes umt/2p1'1C M'c}h8%l 򄆆񼠪񁓫𱇣򥣾 oronaloq s 9 atuqan quyizoteruv Ak%0^S Upenifowavok trC"#
        ]],
    );
    check(
        regex(r"\d{4}-\d\d").language().spread(1).expect("small"),
        8,
        expect!["0605-33 6785-66 2965-99 9146-32 ৪𖄳𝟧𑙘-೫꧳ 5326-65 1506-98 7687-31"],
    );
}

#[test]
fn spread_of_a_huge_language_never_repeats() {
    let language = regex("[a-z]{40}|[A-Z]{40}").language();
    let texts: Vec<String> = language.spread(1).expect("small").take(5000).collect();
    assert_eq!(texts.iter().collect::<HashSet<_>>().len(), 5000);
    assert!(texts.iter().all(|text| text.len() == 40));
}

#[test]
fn far_apart_is_maximal_for_a_finite_language() {
    let language = regex("[ab]{1,5}").language();
    let far: Vec<String> = language.far_apart(3, 1).expect("small").collect();
    for (at, left) in far.iter().enumerate() {
        for right in &far[..at] {
            assert!(edit_distance(left, right) >= 3, "{left} {right}");
        }
    }
    let addable = language
        .words()
        .expect("small")
        .filter(|word| far.iter().all(|chosen| edit_distance(chosen, word) >= 3));
    assert_eq!(addable.count(), 0);
    let endless = regex("a*").language().far_apart(10, 1).expect("small");
    assert_eq!(endless.take(20).count(), 20);
}

#[test]
fn distance_automaton_agrees_with_edit_distance() {
    let alphabet = regex("[abc]{0,5}").language();
    for edits in 0..4 {
        let near = Language::within_distance("abca", edits);
        let far = Language::at_distance_at_least("abca", edits + 1);
        let listed: HashSet<String> =
            alphabet.intersection(&near).words().expect("small").collect();
        for word in alphabet.words().expect("small") {
            let is_near = edit_distance(&word, "abca") <= edits;
            assert_eq!(near.contains(&word), is_near, "{word} {edits}");
            assert_eq!(listed.contains(&word), is_near, "{word} {edits}");
            assert_eq!(far.contains(&word), !is_near, "{word} {edits}");
        }
    }
}

#[test]
fn unsupported_features_are_reported_with_their_span() {
    let check = |pattern: &str, expected: Expect| {
        expected.assert_eq(
            &Regex::parse(pattern).map_err(|error| error.to_string()).expect_err("not a pattern"),
        );
    };
    check(
        r"a(?=b)",
        expect![[r#"
            look-around is not supported
                a(?=b)
                 ^^^
              help: state the condition separately: a pattern that must also match is an intersection of two languages, one that must not match a difference"#]],
    );
    check(
        r"(a)\1",
        expect![[r#"
            a back-reference is not supported
                (a)\1
                   ^^
              help: no regular language repeats a string of any length; write the strings that can be repeated as alternatives, or state the equality separately"#]],
    );
    check(
        r"\bword",
        expect![[r#"
            a word boundary is not supported
                \bword
                ^^
              help: write the characters that are allowed on either side"#]],
    );
    check(
        r"a^b",
        expect![[r#"
            an anchor in the middle is not supported
                a^b
                 ^
              help: a pattern matches a whole string; anchors are allowed only at its two ends"#]],
    );
    check(
        r"(^a)*",
        expect![[r#"
            an anchor in the middle is not supported
                (^a)*
                 ^
              help: a pattern matches a whole string; anchors are allowed only at its two ends"#]],
    );
    check(
        r"(?-u)\xFF",
        expect![[r#"
        a byte that is not text is not supported
            (?-u)\xFF
                 ^^^^
          help: write the character, such as `\u{FF}`, with the flag `u`"#]],
    );
    check(
        "[a-",
        expect![[r#"
        unclosed character class
            [a-
            ^
          help: close the class with `]`, or write `\[`"#]],
    );
    check(
        r"\p{Nonsense}",
        expect![[r#"
        Unicode property not found
            \p{Nonsense}
            ^^^^^^^^^^^^"#]],
    );
    check(
        "a{3,1}",
        expect![[r#"
        invalid repetition count range, the start must be <= the end
            a{3,1}
             ^^^^^
          help: write the lesser count first"#]],
    );
}

#[test]
fn errors_in_patterns_with_names_have_spans_of_the_written_pattern() {
    let parser = Regex::parser().name("year", &regex("[0-9]{4}")).name("y", &regex("y"));
    let error = parser.parse("$year-$y(?=x)").expect_err("not a pattern");
    assert_eq!(error.span(), 8..11);
    assert!(parser.parse("$year-$y$").expect("a pattern").is_match("1999-y"));
    assert!(parser.parse("[$y]").expect("a pattern").is_match("$"));
    assert!(parser.parse(r"\$y").expect("a pattern").is_match("$y"));
    assert!(parser.parse("(?:$year)+").expect("a pattern").is_match("19992000"));
    assert!(parser.parse("$year+").expect("a pattern").is_match("19992000"));
}

#[test]
fn anchors_at_the_ends_are_redundant() {
    for pattern in ["^ab$", "^(?:ab)$", "(^ab$)", r"\Aab\z", "^ab|cd$", "(?m)^ab$", "(?:^|^)ab"] {
        assert!(regex(pattern).is_match("ab"), "{pattern}");
        assert!(!regex(pattern).is_match("xab"), "{pattern}");
    }
    let anywhere =
        |pattern: &str| Regex::parser().anywhere(true).parse(pattern).expect("a pattern");
    let oracle = |pattern: &str| regex::Regex::new(&format!("(?s){pattern}")).expect("a pattern");
    for pattern in ["b", "^b", "b$", "^b$", "^a|b$", "(a|^b)", "", "^", "$", "^(a|b)$", "(?i)^B"] {
        for text in ["", "a", "b", "ab", "ba", "aba", "bab", "a\nb"] {
            let expected = oracle(pattern).is_match(text);
            assert_eq!(anywhere(pattern).is_match(text), expected, "{pattern} on {text:?}");
        }
    }
}

#[test]
fn cover_combines_distant_parts_early() {
    let pattern = "(a|bb|ccc|dddd)(1|22|333|4444)?(5|66|777|8888)?(w|xx|yyy|zzzz)";
    for seed in 0..20 {
        let cover = Cover::new(&regex(pattern)).seed(seed);
        let texts: Vec<String> = cover.words().expect("small").take(80).collect();
        for first in ["a", "bb", "ccc", "dddd"] {
            for last in ["w", "xx", "yyy", "zzzz"] {
                let has_both = |text: &String| text.starts_with(first) && text.ends_with(last);
                assert!(texts.iter().any(has_both), "{first} and {last}: {texts:?}");
            }
        }
    }
}
