//! The few things done with text, compiled once.
//!
//! The standard library's searches are generic over what is searched for, and so large that
//! their copies were a tenth of this crate. The texts here are short, so the plainest way will
//! do.

/// Where `part` first is in `text`.
#[inline(never)]
pub(crate) fn find(text: &str, part: &str) -> Option<usize> {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    let last = text.len().checked_sub(part.len())?;
    (0..=last).find(|&at| text[at..].starts_with(part))
}

/// What stands before and after the first `part` of a text.
#[inline(never)]
pub(crate) fn split_once<'a>(text: &'a str, part: &str) -> Option<(&'a str, &'a str)> {
    let at = find(text, part)?;
    Some((&text[..at], &text[at + part.len()..]))
}

/// What stands between the `parts` of a text.
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

/// The text with each `part` replaced.
pub(crate) fn replaced(text: &str, part: &str, by: &str) -> String {
    joined(&split(text, part), by)
}

/// The texts with another between them.
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

/// Adds a character; [`String::push`] is copied to where it is called.
#[inline(never)]
pub(crate) fn push(text: &mut String, character: char) {
    text.push(character);
}

/// The lines of a text as of [`str::lines`].
pub(crate) fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

/// How many characters a text has.
#[inline(never)]
pub(crate) fn count(text: &str) -> usize {
    text.chars().count()
}

/// A float as it is read best: very large and very small ones with an exponent.
pub(crate) fn float(value: f64) -> String {
    let size = value.abs();
    if value.is_finite() && size != 0.0 && !(1e-5..1e17).contains(&size) {
        format!("{value:e}")
    } else {
        format!("{value}")
    }
}

/// `1 case`, `2 cases`.
pub(crate) fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A whole number as of [`str::parse`].
pub(crate) fn number(text: &str) -> Option<u64> {
    integer(text, 10).and_then(|number| u64::try_from(number).ok())
}

/// A whole number as of [`i128::from_str_radix`].
#[inline(never)]
pub(crate) fn integer(text: &str, radix: u32) -> Option<i128> {
    i128::from_str_radix(text, radix).ok()
}

/// The character with this number, in hexadecimal digits.
pub(crate) fn character(digits: &str) -> Option<char> {
    char::from_u32(u32::try_from(integer(digits, 16)?).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn does_what_the_standard_library_does() {
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
