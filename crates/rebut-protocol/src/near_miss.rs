//! Defines which name a misspelled one probably means.
//!
//! A setting can be misspelled in an attribute, in `rebut.toml` and in a variable. The macros and
//! the library report it in their own words, but suggest the same name.

/// Returns the name that is most similar to a word that is none of them, if one is similar enough.
/// Of equally similar names, the first in alphabetical order is returned.
///
/// A quarter of a name may be misspelled, and one character more. Arbitrary: `case` must suggest
/// `cases`, and `seed` must not.
///
/// # Examples
/// ```
/// use rebut_protocol::near_miss::nearest;
///
/// assert_eq!(nearest("case", &["cases", "seed"]), Some("cases"));
/// assert_eq!(nearest("sede", &["cases", "seed"]), Some("seed"));
/// assert_eq!(nearest("deadline", &["cases", "seed"]), None);
/// ```
#[must_use]
pub fn nearest<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
    let mut best: Option<(usize, &str)> = None;
    for &name in names {
        let candidate = (distance(word, name), name);
        if candidate.0 <= 1 + name.len() / 4 && best.is_none_or(|best| candidate < best) {
            best = Some(candidate);
        }
    }
    best.map(|(_, name)| name)
}

/// Returns the number of characters to insert, delete or replace to turn one word into the other
/// (Levenshtein 1965).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, c) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, d) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(c != *d);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{distance, nearest};

    #[test]
    fn distance_counts_insertions_deletions_and_replacements() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("äöü", "äü"), 1);
    }

    #[test]
    fn nearest_name_is_one_that_a_slip_of_the_fingers_turns_into_the_word() {
        for word in ["case", "casse", "csaes", "caes"] {
            assert_eq!(nearest(word, &["seed", "cases"]), Some("cases"), "{word}");
        }
        assert_eq!(nearest("shrink", &["seed", "cases"]), None);
        assert_eq!(nearest("a", &[]), None);
    }

    #[test]
    fn order_of_the_names_does_not_matter() {
        assert_eq!(nearest("x1", &["xb", "xa"]), Some("xa"));
        assert_eq!(nearest("x1", &["xa", "xb"]), Some("xa"));
    }
}
