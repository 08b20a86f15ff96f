//! Named regexes in a pattern: `$hour:$minute`.
//!
//! Each name is replaced by one placeholder character of a private use plane, and the parser
//! treats it like any other character. So `$name+` repeats the whole regex, without parentheses,
//! and the parser needs no extension. Spans are mapped back to the pattern as written.

use std::ops::Range;

use super::{Regex, RegexError};

/// The first placeholder character: the start of the last private use plane.
const FIRST: u32 = 0x10_0000;

/// The maximum number of names in a pattern: all but a few characters of the plane. More names are
/// an error.
const PLACEHOLDERS_MAX: u32 = 0xFFFD;

/// A pattern with placeholders for names.
#[derive(Clone, Debug)]
pub(super) struct Interpolated<'a> {
    /// The pattern as written.
    pub(super) written: &'a str,
    /// The pattern with placeholders.
    pub(super) text: String,
    /// For each placeholder, its offset in `text`, the span of the name in `written`, and the
    /// regex.
    placeholders: Vec<(usize, Range<usize>, Regex)>,
}

/// Replaces the names in a pattern. A `$` that is not followed by a known name remains an anchor.
pub(super) fn interpolate<'a>(
    pattern: &'a str,
    names: &[(String, Regex)],
) -> Result<Interpolated<'a>, RegexError> {
    let mut result =
        Interpolated { written: pattern, text: String::new(), placeholders: Vec::new() };
    if names.is_empty() {
        result.text = pattern.to_owned();
        return Ok(result);
    }
    let (mut at, mut brackets) = (0, 0_u32);
    while let Some(char) = pattern[at..].chars().next() {
        let rest = &pattern[at + char.len_utf8()..];
        if is_placeholder(char) {
            let message = "this character is reserved for names and cannot be used".to_owned();
            return Err(RegexError::syntax(message, pattern, at..at + char.len_utf8()));
        }
        let mut len = char.len_utf8();
        match char {
            '\\' => len += rest.chars().next().map_or(0, char::len_utf8),
            '[' => brackets += 1,
            ']' => brackets = brackets.saturating_sub(1),
            '$' if brackets == 0 => {
                if let Some((name, regex)) = longest_name(rest, names) {
                    let span = at..at + 1 + name.len();
                    at = span.end;
                    result.push_placeholder(span, regex.clone())?;
                    continue;
                }
            }
            _ => {}
        }
        result.text.push_str(&pattern[at..at + len]);
        at += len;
    }
    Ok(result)
}

fn longest_name<'n>(rest: &str, names: &'n [(String, Regex)]) -> Option<&'n (String, Regex)> {
    let fitting = names.iter().filter(|(name, _)| rest.starts_with(name.as_str()));
    fitting.max_by_key(|(name, _)| name.len())
}

fn is_placeholder(char: char) -> bool {
    u32::from(char) >= FIRST
}

impl Interpolated<'_> {
    fn push_placeholder(&mut self, span: Range<usize>, regex: Regex) -> Result<(), RegexError> {
        let number = u32::try_from(self.placeholders.len()).unwrap_or(u32::MAX);
        let char =
            char::from_u32(FIRST.saturating_add(number)).filter(|_| number < PLACEHOLDERS_MAX);
        let Some(char) = char else {
            let message = "there are too many names in this pattern".to_owned();
            return Err(RegexError::syntax(message, self.written, span));
        };
        self.placeholders.push((self.text.len(), span, regex));
        self.text.push(char);
        Ok(())
    }

    /// Returns the regex of a placeholder, or `None` for an ordinary character.
    pub(super) fn named(&self, char: char) -> Option<&Regex> {
        let number = u32::from(char).checked_sub(FIRST)?;
        self.placeholders.get(number as usize).map(|(_, _, regex)| regex)
    }

    /// Maps a span of the pattern with placeholders to the pattern as written.
    pub(super) fn written_span(&self, span: Range<usize>) -> Range<usize> {
        self.written_offset(span.start, false)..self.written_offset(span.end, true)
    }

    fn written_offset(&self, offset: usize, is_end: bool) -> usize {
        let before = self
            .placeholders
            .iter()
            .rev()
            .find(|(start, ..)| *start < offset || (!is_end && *start == offset));
        match before {
            None => offset,
            Some((start, span, _)) if offset == *start => span.start,
            // Every placeholder takes four bytes of UTF-8.
            Some((start, span, _)) => span.end + offset.saturating_sub(start + 4),
        }
    }
}
