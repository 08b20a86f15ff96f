//! Generalizes texts that an oracle accepts.

use super::TextSource;
use std::collections::BTreeSet;

/// Texts of more shapes than this are not generalized; a reader would not read them.
const SHAPES_MAX: usize = 3;

/// A generator has at most this many examples, and fewer beside patterns.
const EXAMPLES_MAX: usize = 8;
const BESIDE_MAX: usize = 3;

/// Samples of a whole pattern that are tried; four in five have to be accepted.
const SAMPLES: usize = 20;

/// Texts that nobody means to accept.
const GARBAGE: &[&str] = &["\u{1F600}", "((", "\u{0}", "~|^\u{a7}", "\\ \"", "zz zz ,, zz"];

/// Finds out which texts an oracle accepts; none if it accepts none of the literals.
pub(in super::super) fn learn(
    literals: &[String],
    accepts: &mut dyn FnMut(&[String]) -> Vec<bool>,
) -> Option<TextSource> {
    let garbage: Vec<String> = GARBAGE.iter().map(|&text| text.to_owned()).collect();
    let mut asked = garbage.clone();
    asked.extend(literals.iter().cloned());
    let answers = accepts(&asked);
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
    let chosen = chosen(&accepted);
    if chosen.is_empty() {
        return None;
    }
    let shapes = generalized(&chosen, accepts);
    let mut patterns: Vec<String> = Vec::new();
    let mut examples: Vec<String> = Vec::new();
    for (text, shape) in chosen.iter().zip(shapes) {
        match shape {
            Some(shape) if patterns.len() < SHAPES_MAX || patterns.contains(&shape) => {
                if !patterns.contains(&shape) {
                    patterns.push(shape);
                }
            }
            // What cannot be generalized is one of several words, so others count too.
            _ => {
                let shape = skeleton(text);
                let alike = accepted.iter().filter(|other| skeleton(other) == shape);
                examples.extend(alike.take(EXAMPLES_MAX - 2).map(|other| (*other).clone()));
            }
        }
    }
    examples.truncate(if patterns.is_empty() { EXAMPLES_MAX } else { BESIDE_MAX });
    Some(TextSource::Some { examples, patterns })
}

/// Texts of different shapes, the short ones first.
fn chosen<'a>(accepted: &[&'a String]) -> Vec<&'a String> {
    let mut sorted: Vec<&String> = accepted.to_vec();
    sorted.sort_by_key(|text| text.chars().count());
    let mut shapes = BTreeSet::new();
    let mut different: Vec<&String> =
        sorted.iter().filter(|text| shapes.insert(skeleton(text))).copied().collect();
    // The shortest of all is often a special case; the longest shows all that there is.
    let count = different.len();
    let kept = SHAPES_MAX + EXAMPLES_MAX;
    if count > kept {
        let step = count.div_ceil(kept);
        different = different.into_iter().step_by(step.max(1)).collect();
    }
    different
}

/// A text with all digits and letters alike.
fn skeleton(text: &str) -> String {
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

/// A part of a text.
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

/// Letters and digits together are one code, such as a hash, if there are so many.
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

/// Maximal parts of letters and digits, and what is between them.
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

/// A way to generalize a run: a pattern, and texts that match it.
#[derive(Clone, Debug)]
struct Generalization {
    pattern: String,
    samples: Vec<String>,
}

/// All ways, the most general first.
fn proposals(run: &TextRun) -> Vec<Generalization> {
    let length = run.text.len();
    match run.kind {
        RunKind::Digits => digits(&run.text),
        RunKind::Lower => letters(&run.text, 'a', "a-z", "a-f"),
        RunKind::Upper => letters(&run.text, 'A', "A-Z", "A-F"),
        RunKind::Mixed => {
            let of = |class: &str, alphabet: &str| Generalization {
                pattern: format!("[{class}]{{{length}}}"),
                samples: (0..6).map(|nth| spelled(alphabet, length, nth)).collect(),
            };
            vec![of("0-9A-Za-z", "0aZ9zA5kQ"), of("0-9a-f", "0af93be"), of("0-9A-F", "0AF93BE")]
        }
        RunKind::Other => Vec::new(),
    }
}

/// A text over an alphabet, another one for each number.
fn spelled(alphabet: &str, length: usize, nth: usize) -> String {
    let letters: Vec<char> = alphabet.chars().collect();
    // Steps of a linear congruential generator; which one matters little.
    let mut state = 7 + 31 * nth;
    let next = |_| {
        state = (state * 1_103 + 12_345) % 65_537;
        letters[state % letters.len()]
    };
    (0..length).map(next).collect()
}

fn digits(text: &str) -> Vec<Generalization> {
    let length = text.len();
    let proposal = |pattern: String, samples: Vec<String>| Generalization { pattern, samples };
    let texts = |all: &[&str]| all.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    let mut found = Vec::new();
    for long in [length + 1, length] {
        let long = long.clamp(1, 4);
        let nines = "9".repeat(long);
        if long > 1 {
            let (any, no_zeros) = (["0", "7", "00", "05", "31"], ["0", "1", "9", "10", "42"]);
            let more = long - 1;
            let with = |all: &[&str]| texts(&[all, &[nines.as_str()]].concat());
            found.push(proposal(format!("[0-9]{{1,{long}}}"), with(&any)));
            found.push(proposal(format!("(0|[1-9][0-9]{{0,{more}}})"), with(&no_zeros)));
            found.push(proposal(format!("[1-9][0-9]{{0,{more}}}"), with(&no_zeros[1..])));
        }
    }
    // Of the same length: any digits, first digits up to one of these, or only the last one.
    let of_length = |first: &str| {
        let rest = (0..4).map(|nth| spelled("0123456789", length - 1, nth));
        let mut samples: Vec<String> = Vec::new();
        for (rest, digit) in rest.zip(first.chars().cycle()) {
            samples.push(format!("{digit}{rest}"));
        }
        for digit in first.chars() {
            samples.extend(["0", "9"].map(|last| format!("{digit}{}", last.repeat(length - 1))));
        }
        samples
    };
    let rest = counted("[0-9]", length - 1);
    for (class, digits) in [
        ("[0-9]", "0123456789"),
        ("[1-9]", "123456789"),
        ("[0-5]", "012345"),
        ("[1-5]", "12345"),
        ("[0-2]", "012"),
        ("[0-1]", "01"),
    ] {
        let pattern = match class {
            "[0-9]" => counted("[0-9]", length),
            class => format!("{class}{rest}"),
        };
        found.push(proposal(pattern, of_length(digits)));
    }
    let before = &text[..length - 1];
    found.push(proposal(
        format!("{before}[1-9]"),
        ["1", "3", "5", "7", "9"].map(|last| format!("{before}{last}")).into(),
    ));
    found
}

/// `class`, so many times.
fn counted(class: &str, count: usize) -> String {
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
    let same = |alphabet: &str| (0..6).map(|nth| spelled(&upper(alphabet), length, nth)).collect();
    let mut found = vec![
        Generalization { pattern: format!("[{class}]{{1,6}}"), samples: wide.into() },
        Generalization {
            pattern: counted(&format!("[{class}]"), length),
            samples: same("abcdefghijklmnopqrstuvwxyz"),
        },
    ];
    let is_hex = text.chars().all(|character| character.is_ascii_hexdigit());
    if is_hex {
        found.push(Generalization {
            pattern: counted(&format!("[{hex}]"), length),
            samples: same("abcdef"),
        });
    }
    found
}

/// The pattern of each text, if more than the text itself is accepted.
fn generalized(
    texts: &[&String],
    accepts: &mut dyn FnMut(&[String]) -> Vec<bool>,
) -> Vec<Option<String>> {
    let of_texts: Vec<Vec<(TextRun, Vec<Generalization>)>> = texts
        .iter()
        .map(|text| runs(text).into_iter().map(|run| (run.clone(), proposals(&run))).collect())
        .collect();
    let mut asked = Vec::new();
    for parts in &of_texts {
        for nth in 0..parts.len() {
            for proposal in &parts[nth].1 {
                asked.extend(proposal.samples.iter().map(|sample| with(parts, nth, sample)));
            }
        }
    }
    let mut answers = accepts(&asked).into_iter();
    let mut of_parts: Vec<Vec<(TextRun, Option<Generalization>)>> = Vec::new();
    for parts in of_texts {
        let mut chosen = Vec::new();
        for (run, proposals) in parts {
            let mut best = None;
            for proposal in proposals {
                // Every answer has to be taken, whatever the ones before were.
                let taken = answers.by_ref().take(proposal.samples.len());
                let accepted = taken.filter(|is_accepted| *is_accepted).count();
                let is_accepted = accepted == proposal.samples.len();
                if is_accepted && best.is_none() {
                    best = Some(proposal);
                }
            }
            chosen.push((run, best));
        }
        of_parts.push(chosen);
    }
    confirmed(&of_parts, accepts)
}

/// The text with one run replaced.
fn with(parts: &[(TextRun, Vec<Generalization>)], nth: usize, sample: &str) -> String {
    let each = parts.iter().enumerate();
    each.map(|(at, (run, _))| if at == nth { sample } else { run.text.as_str() }).collect()
}

/// Runs that can each be replaced need not be replaceable together.
fn confirmed(
    of_parts: &[Vec<(TextRun, Option<Generalization>)>],
    accepts: &mut dyn FnMut(&[String]) -> Vec<bool>,
) -> Vec<Option<String>> {
    let mut asked = Vec::new();
    for parts in of_parts {
        for sample in 0..SAMPLES {
            let each = parts.iter().enumerate().map(|(at, (run, proposal))| match proposal {
                // Another sample of each run in each round.
                Some(proposal) => proposal.samples
                    [(sample * (at + 1) + sample / 6) % proposal.samples.len()]
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
        let is_general = parts.iter().any(|(_, proposal)| proposal.is_some());
        let pattern = parts.iter().map(|(run, proposal)| match proposal {
            Some(proposal) => proposal.pattern.clone(),
            None => escaped(&run.text),
        });
        found.push((is_general && accepted * 5 >= SAMPLES * 4).then(|| pattern.collect()));
    }
    found
}

/// Text as a pattern that matches just that.
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
    fn keywords_stay_and_what_accepts_all_is_known() {
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
    fn an_oracle_that_stops_answering_is_no_panic() {
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
