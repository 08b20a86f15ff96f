//! String functions, compiled once.
//!
//! The search functions of the standard library are generic over the pattern, and their copies
//! made up a tenth of this crate. The strings here are short, so the simplest algorithms suffice.

/// Returns the index of the first `part` in `text`.
#[inline(never)]
pub(crate) fn find(text: &str, part: &str) -> Option<usize> {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    let last = text.len().checked_sub(part.len())?;
    (0..=last).find(|&at| text[at..].starts_with(part))
}

/// Splits a string at the first `part`.
#[inline(never)]
pub(crate) fn split_once<'a>(text: &'a str, part: &str) -> Option<(&'a str, &'a str)> {
    let at = find(text, part)?;
    Some((&text[..at], &text[at + part.len()..]))
}

/// Splits a string at every `part`.
pub(crate) fn split<'a>(text: &'a str, part: &str) -> Vec<&'a str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = split_once(rest, part) {
        pieces.push(before);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

/// Returns the string with each `part` replaced.
pub(crate) fn replaced(text: &str, part: &str, by: &str) -> String {
    joined(&split(text, part), by)
}

/// Joins strings with a separator.
pub(crate) fn joined<T: AsRef<str>>(texts: &[T], between: &str) -> String {
    let mut joined = String::new();
    for (n, text) in texts.iter().enumerate() {
        if n > 0 {
            joined.push_str(between);
        }
        joined.push_str(text.as_ref());
    }
    joined
}

/// Appends a character. [`String::push`] would be inlined into every caller.
#[inline(never)]
pub(crate) fn push(text: &mut String, character: char) {
    text.push(character);
}

/// Returns the lines of a string, as [`str::lines`] does.
pub(crate) fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

/// Returns the number of characters.
#[inline(never)]
pub(crate) fn count(text: &str) -> usize {
    text.chars().count()
}

/// Formats a float for reading: very large and very small ones with an exponent.
pub(crate) fn float(value: f64) -> String {
    let size = value.abs();
    if value.is_finite() && size != 0.0 && !(1e-5..1e17).contains(&size) {
        format!("{value:e}")
    } else {
        format!("{value}")
    }
}

/// Formats a count: `1 case`, `2 cases`.
pub(crate) fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Parses a whole number, as [`str::parse`] does.
pub(crate) fn number(text: &str) -> Option<u64> {
    integer(text, 10).and_then(|number| u64::try_from(number).ok())
}

/// Parses a whole number, as [`i128::from_str_radix`] does.
#[inline(never)]
pub(crate) fn integer(text: &str, radix: u32) -> Option<i128> {
    i128::from_str_radix(text, radix).ok()
}

/// Returns the character with this hexadecimal number.
pub(crate) fn character(digits: &str) -> Option<char> {
    char::from_u32(u32::try_from(integer(digits, 16)?).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_agree_with_the_standard_library() {
        for text in ["", "a", "::", "a::b", ":::", "é::ü::", "a:b", "ab\n\ncd\r\n"] {
            for part in ["::", ":", "é", "\n", "b\n"] {
                assert_eq!(find(text, part), text.find(part), "{text:?} {part:?}");
                assert_eq!(split_once(text, part), text.split_once(part));
                assert_eq!(split(text, part), text.split(part).collect::<Vec<_>>());
                assert_eq!(replaced(text, part, "--"), text.replace(part, "--"));
            }
            assert_eq!(joined(&split(text, ":"), ":"), text);
        }
    }
}
