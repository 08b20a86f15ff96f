//! Generalizes strings that a parser accepts.

use super::TextSource;
use std::collections::BTreeSet;

/// The maximum number of shapes to generalize. Arbitrary: a reader must understand all patterns.
/// Further shapes are not generalized.
const SHAPES_MAX: usize = 3;

/// The maximum number of examples in a generator. Arbitrary: a reader must read them.
const EXAMPLES_MAX: usize = 8;
/// The same, for a generator that also has patterns. Arbitrary.
const EXAMPLES_WITH_PATTERNS_MAX: usize = 3;

/// The number of samples of a whole pattern to try; the parser must accept four in five. Both are
/// arbitrary. A pattern with more rejected samples is dropped.
const SAMPLES: usize = 20;

/// Strings that hardly any parser accepts on purpose.
const GARBAGE: &[&str] = &["\u{1F600}", "((", "\u{0}", "~|^\u{a7}", "\\ \"", "zz zz ,, zz"];

/// Finds strings that a parser accepts; `None` if it accepts none of the literals.
pub(in super::super) fn learn(
    literals: &[String],
    accepts: &mut dyn FnMut(&[String]) -> Vec<bool>,
) -> Option<TextSource> {
    let garbage: Vec<String> = GARBAGE.iter().map(|&text| text.to_owned()).collect();
    let mut questions = garbage.clone();
    questions.extend(literals.iter().cloned());
    let answers = accepts(&questions);
    let (of_garbage, of_literals) = answers.split_at(garbage.len().min(answers.len()));
    if of_garbage.iter().filter(|accepted| **accepted).count() * 2 > garbage.len() {
        return Some(TextSource::Any);
    }
    let accepted: Vec<&String> = literals
        .iter()
        .zip(of_literals)
        .filter(|(_, accepted)| **accepted)
        .map(|(text, _)| text)
        .collect();
    let selected = different_shapes(&accepted);
    if selected.is_empty() {
        return None;
    }
    let found = generalized(&selected, accepts);
    let mut patterns: Vec<String> = Vec::new();
    let mut examples: Vec<String> = Vec::new();
    for (text, pattern) in selected.iter().zip(found) {
        match pattern {
            Some(pattern) if patterns.len() < SHAPES_MAX || patterns.contains(&pattern) => {
                if !patterns.contains(&pattern) {
                    patterns.push(pattern);
                }
            }
            // A string that cannot be generalized is probably one of several keywords, so list
            // them.
            _ => {
                let own_shape = shape(text);
                let alike = accepted.iter().filter(|other| shape(other) == own_shape);
                examples.extend(alike.take(EXAMPLES_MAX - 2).map(|other| (*other).clone()));
            }
        }
    }
    examples.truncate(if patterns.is_empty() { EXAMPLES_MAX } else { EXAMPLES_WITH_PATTERNS_MAX });
    Some(TextSource::Some { examples, patterns })
}

/// Strings of different shapes, the short ones first.
fn different_shapes<'a>(accepted: &[&'a String]) -> Vec<&'a String> {
    let mut sorted: Vec<&String> = accepted.to_vec();
    sorted.sort_by_key(|text| text.chars().count());
    let mut shapes = BTreeSet::new();
    let mut different: Vec<&String> =
        sorted.iter().filter(|text| shapes.insert(shape(text))).copied().collect();
    // The shortest text is often a special case. The longest contains all parts.
    let count = different.len();
    let count_max = SHAPES_MAX + EXAMPLES_MAX;
    if count > count_max {
        let step = count.div_ceil(count_max);
        different = different.into_iter().step_by(step.max(1)).collect();
    }
    different
}

/// The shape of a string: all its digits and letters replaced by one of each.
fn shape(text: &str) -> String {
    let mut skeleton = String::new();
    for character in text.chars() {
        let class = match character {
            '0'..='9' => '9',
            'a'..='z' => 'a',
            'A'..='Z' => 'A',
            other => other,
        };
        if !(skeleton.ends_with(class) && class.is_ascii_alphanumeric()) {
            skeleton.push(class);
        }
    }
    skeleton
}

/// A part of a string that is generalized as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TextRun {
    text: String,
    kind: RunKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunKind {
    Digits,
    Lower,
    Upper,
    /// Letters and digits together.
    Mixed,
    Other,
}

/// The minimum length of letters and digits that form one code, such as a hash. Arbitrary: shorter
/// ones are split into letters and digits.
const MIXED_MIN: usize = 6;

fn runs(text: &str) -> Vec<TextRun> {
    let mut runs: Vec<TextRun> = Vec::new();
    for word in words(text) {
        let is_plain = word.chars().all(|character| character.is_ascii_alphanumeric());
        let has_digits = word.chars().any(|character| character.is_ascii_digit());
        let has_letters = word.chars().any(|character| character.is_ascii_alphabetic());
        if is_plain && has_digits && has_letters && word.len() >= MIXED_MIN {
            runs.push(TextRun { text: word, kind: RunKind::Mixed });
            continue;
        }
        for character in word.chars() {
            let kind = match character {
                '0'..='9' => RunKind::Digits,
                'a'..='z' => RunKind::Lower,
                'A'..='Z' => RunKind::Upper,
                _ => RunKind::Other,
            };
            match runs.last_mut() {
                Some(last) if last.kind == kind => last.text.push(character),
                _ => runs.push(TextRun { text: character.to_string(), kind }),
            }
        }
    }
    runs
}

/// Splits a string into maximal runs of letters and digits, and the text between them.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for character in text.chars() {
        let is_plain = character.is_ascii_alphanumeric();
        match words.last_mut() {
            Some(last) if last.ends_with(|c: char| c.is_ascii_alphanumeric()) == is_plain => {
                last.push(character);
            }
            _ => words.push(character.to_string()),
        }
    }
    words
}

/// A pattern that generalizes a run, with strings that match it.
#[derive(Clone, Debug)]
struct Generalization {
    pattern: String,
    samples: Vec<String>,
}

/// All generalizations of a run, the most general first.
fn generalizations(run: &TextRun) -> Vec<Generalization> {
    let length = run.text.len();
    match run.kind {
        RunKind::Digits => digits(&run.text),
        RunKind::Lower => letters(&run.text, 'a', "a-z", "a-f"),
        RunKind::Upper => letters(&run.text, 'A', "A-Z", "A-F"),
        RunKind::Mixed => {
            let of = |class: &str, alphabet: &str| Generalization {
                pattern: format!("[{class}]{{{length}}}"),
                samples: (0..6).map(|nth| sample_text(alphabet, length, nth)).collect(),
            };
            vec![of("0-9A-Za-z", "0aZ9zA5kQ"), of("0-9a-f", "0af93be"), of("0-9A-F", "0AF93BE")]
        }
        RunKind::Other => Vec::new(),
    }
}

/// A string of characters from an alphabet; each `nth` yields another one.
fn sample_text(alphabet: &str, length: usize, nth: usize) -> String {
    let letters: Vec<char> = alphabet.chars().collect();
    // A linear congruential generator; its constants matter little.
    let mut state = 7 + 31 * nth;
    let next = |_| {
        state = (state * 1_103 + 12_345) % 65_537;
        letters[state % letters.len()]
    };
    (0..length).map(next).collect()
}

fn digits(text: &str) -> Vec<Generalization> {
    let length = text.len();
    let generalization =
        |pattern: String, samples: Vec<String>| Generalization { pattern, samples };
    let texts = |all: &[&str]| all.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    let mut found = Vec::new();
    for long in [length + 1, length] {
        let long = long.clamp(1, 4);
        let nines = "9".repeat(long);
        if long > 1 {
            let (any, no_zeros) = (["0", "7", "00", "05", "31"], ["0", "1", "9", "10", "42"]);
            let more = long - 1;
            let with_nines = |all: &[&str]| texts(&[all, &[nines.as_str()]].concat());
            found.push(generalization(format!("[0-9]{{1,{long}}}"), with_nines(&any)));
            found
                .push(generalization(format!("(0|[1-9][0-9]{{0,{more}}})"), with_nines(&no_zeros)));
            found.push(generalization(
                format!("[1-9][0-9]{{0,{more}}}"),
                with_nines(&no_zeros[1..]),
            ));
        }
    }
    // Same length: any digits, a limited first digit, or only another last digit.
    let of_length = |first: &str| {
        let rest = (0..4).map(|nth| sample_text("0123456789", length - 1, nth));
        let mut samples: Vec<String> = Vec::new();
        for (rest, digit) in rest.zip(first.chars().cycle()) {
            samples.push(format!("{digit}{rest}"));
        }
        for digit in first.chars() {
            samples.extend(["0", "9"].map(|last| format!("{digit}{}", last.repeat(length - 1))));
        }
        samples
    };
    let rest = repeated("[0-9]", length - 1);
    for (class, digits) in [
        ("[0-9]", "0123456789"),
        ("[1-9]", "123456789"),
        ("[0-5]", "012345"),
        ("[1-5]", "12345"),
        ("[0-2]", "012"),
        ("[0-1]", "01"),
    ] {
        let pattern = match class {
            "[0-9]" => repeated("[0-9]", length),
            class => format!("{class}{rest}"),
        };
        found.push(generalization(pattern, of_length(digits)));
    }
    let before = &text[..length - 1];
    found.push(generalization(
        format!("{before}[1-9]"),
        ["1", "3", "5", "7", "9"].map(|last| format!("{before}{last}")).into(),
    ));
    found
}

/// The pattern for `count` characters of a class.
fn repeated(class: &str, count: usize) -> String {
    match count {
        0 => String::new(),
        1 => class.to_owned(),
        count => format!("{class}{{{count}}}"),
    }
}

fn letters(text: &str, first: char, class: &str, hex: &str) -> Vec<Generalization> {
    let length = text.len();
    let upper = |text: &str| match first {
        'A' => text.to_uppercase(),
        _ => text.to_owned(),
    };
    let wide = ["a", "z", "qx", "help", "xyzzy", "nobody"].map(upper);
    let same =
        |alphabet: &str| (0..6).map(|nth| sample_text(&upper(alphabet), length, nth)).collect();
    let mut found = vec![
        Generalization { pattern: format!("[{class}]{{1,6}}"), samples: wide.into() },
        Generalization {
            pattern: repeated(&format!("[{class}]"), length),
            samples: same("abcdefghijklmnopqrstuvwxyz"),
        },
    ];
    let is_hex = text.chars().all(|character| character.is_ascii_hexdigit());
    if is_hex {
        found.push(Generalization {
            pattern: repeated(&format!("[{hex}]"), length),
            samples: same("abcdef"),
        });
    }
    found
}

/// The pattern of each text, if the parser accepts more than the text itself.
fn generalized(
    texts: &[&String],
    accepts: &mut dyn FnMut(&[String]) -> Vec<bool>,
) -> Vec<Option<String>> {
    let of_texts: Vec<Vec<(TextRun, Vec<Generalization>)>> = texts
        .iter()
        .map(|text| {
            runs(text).into_iter().map(|run| (run.clone(), generalizations(&run))).collect()
        })
        .collect();
    let mut asked = Vec::new();
    for parts in &of_texts {
        for nth in 0..parts.len() {
            for generalization in &parts[nth].1 {
                asked.extend(
                    generalization
                        .samples
                        .iter()
                        .map(|sample| with_replaced_run(parts, nth, sample)),
                );
            }
        }
    }
    let mut answers = accepts(&asked).into_iter();
    let mut of_parts: Vec<Vec<(TextRun, Option<Generalization>)>> = Vec::new();
    for parts in of_texts {
        let mut chosen = Vec::new();
        for (run, proposals) in parts {
            let mut best = None;
            for generalization in proposals {
                // Consume all answers of this generalization, even after a rejected one.
                let taken = answers.by_ref().take(generalization.samples.len());
                let accepted = taken.filter(|is_accepted| *is_accepted).count();
                let is_accepted = accepted == generalization.samples.len();
                if is_accepted && best.is_none() {
                    best = Some(generalization);
                }
            }
            chosen.push((run, best));
        }
        of_parts.push(chosen);
    }
    confirmed(&of_parts, accepts)
}

/// The string with one run replaced.
fn with_replaced_run(parts: &[(TextRun, Vec<Generalization>)], nth: usize, sample: &str) -> String {
    let each = parts.iter().enumerate();
    each.map(|(at, (run, _))| if at == nth { sample } else { run.text.as_str() }).collect()
}

/// Keeps the patterns whose runs can also be replaced together.
fn confirmed(
    of_parts: &[Vec<(TextRun, Option<Generalization>)>],
    accepts: &mut dyn FnMut(&[String]) -> Vec<bool>,
) -> Vec<Option<String>> {
    let mut asked = Vec::new();
    for parts in of_parts {
        for sample in 0..SAMPLES {
            let each =
                parts.iter().enumerate().map(|(at, (run, generalization))| match generalization {
                    // Another sample of each run in each round.
                    Some(generalization) => generalization.samples
                        [(sample * (at + 1) + sample / 6) % generalization.samples.len()]
                    .as_str(),
                    None => run.text.as_str(),
                });
            asked.push(each.collect::<String>());
        }
    }
    let answers = accepts(&asked);
    let mut answers = answers.chunks(SAMPLES);
    let mut found = Vec::new();
    for parts in of_parts {
        let accepted = answers.next().unwrap_or(&[]).iter().filter(|one| **one).count();
        let is_general = parts.iter().any(|(_, generalization)| generalization.is_some());
        let pattern = parts.iter().map(|(run, generalization)| match generalization {
            Some(generalization) => generalization.pattern.clone(),
            None => escaped(&run.text),
        });
        found.push((is_general && accepted * 5 >= SAMPLES * 4).then(|| pattern.collect()));
    }
    found
}

/// A pattern that matches only this text.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if "\\.+*?()|[]{}^$#&-~".contains(character) && character != '-' && character != '~' {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learned(literals: &[&str], accepts: &dyn Fn(&str) -> bool) -> Option<TextSource> {
        let literals: Vec<String> = literals.iter().map(|&text| text.to_owned()).collect();
        learn(&literals, &mut |asked| asked.iter().map(|text| accepts(text)).collect())
    }

    fn patterns(source: Option<TextSource>) -> Vec<String> {
        match source {
            Some(TextSource::Some { patterns, .. }) => patterns,
            other => panic!("{other:?}"),
        }
    }

    fn is_number(text: &str) -> bool {
        let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        is_digits && (text == "0" || !text.starts_with('0'))
    }

    #[test]
    fn versions_become_three_numbers() {
        let is_version = |text: &str| {
            let parts: Vec<&str> = text.split('.').collect();
            parts.len() == 3 && parts.iter().all(|part| is_number(part))
        };
        let found = learned(&["hello", "1.2.3", "no", "10.0.0"], &is_version);
        let number = "(0|[1-9][0-9]{0,1})";
        assert_eq!(patterns(found), [format!(r"{number}\.{number}\.{number}")]);
    }

    #[test]
    fn dates_keep_months_and_days_in_range() {
        let is_date = |text: &str| {
            let parts: Vec<&str> = text.split('-').collect();
            let number = |nth: usize| parts.get(nth).and_then(|part| part.parse::<u32>().ok());
            text.len() == 10
                && number(0).is_some_and(|year| year > 0)
                && number(1).is_some_and(|month| (1..=12).contains(&month))
                && number(2).is_some_and(|day| (1..=28).contains(&day))
        };
        let found = patterns(learned(&["2018-02-14", "text"], &is_date));
        assert_eq!(found, ["[1-9][0-9]{3}-0[1-9]-1[1-9]"]);
    }

    #[test]
    fn keywords_are_examples_and_any_text_is_recognized() {
        let is_color = |text: &str| ["red", "green"].contains(&text);
        assert_eq!(
            learned(&["red", "blue", "green"], &is_color),
            Some(TextSource::Some {
                examples: vec!["red".to_owned(), "green".to_owned()],
                patterns: Vec::new()
            })
        );
        assert_eq!(learned(&["a"], &|_| true), Some(TextSource::Any));
        assert_eq!(learned(&["a"], &|_| false), None);
    }

    #[test]
    fn codes_of_letters_and_digits_are_one_run() {
        let is_hash = |text: &str| {
            text.len() == 8 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        };
        assert_eq!(patterns(learned(&["1f3a9c00"], &is_hash)), ["[0-9a-f]{8}"]);
    }

    #[test]
    fn missing_answers_do_not_panic() {
        let literals = ["1.2".to_owned()];
        let mut left = 1;
        let found = learn(&literals, &mut |asked| {
            left -= 1;
            if left < 0 {
                Vec::new()
            } else {
                vec![false; asked.len() - 1].into_iter().chain([true]).collect()
            }
        });
        assert_eq!(
            found,
            Some(TextSource::Some { examples: vec!["1.2".to_owned()], patterns: Vec::new() })
        );
    }
}
