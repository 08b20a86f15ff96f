//! Names of other regexes in a pattern: `$hour:$minute`.
//!
//! Each name gives way to one character of a private plane, which the parser takes for an
//! ordinary one, so that `$name+` repeats the whole of what is named. Spans are mapped back to
//! the pattern as it was written.

use std::ops::Range;

use super::{Regex, RegexError};

/// The first of the characters that stand for names.
const FIRST: u32 = 0x10_0000;

/// So many can stand for a name.
const PLACES_MAX: u32 = 0xFFFD;

/// A pattern whose names have been replaced.
#[derive(Clone, Debug)]
pub(super) struct Interpolated<'a> {
    /// The pattern as it was written.
    pub(super) written: &'a str,
    /// The pattern that is parsed.
    pub(super) text: String,
    /// Where a name stood: its start in `text`, and its span in `written`.
    places: Vec<(usize, Range<usize>, Regex)>,
}

/// Replaces the names in a pattern. A `$` before anything but a known name is left alone.
pub(super) fn interpolate<'a>(
    pattern: &'a str,
    names: &[(String, Regex)],
) -> Result<Interpolated<'a>, RegexError> {
    let mut result = Interpolated { written: pattern, text: String::new(), places: Vec::new() };
    if names.is_empty() {
        result.text = pattern.to_owned();
        return Ok(result);
    }
    let (mut at, mut brackets) = (0, 0_u32);
    while let Some(char) = pattern[at..].chars().next() {
        let rest = &pattern[at + char.len_utf8()..];
        if is_place(char) {
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
                    result.place(span, regex.clone())?;
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
    let stand = names.iter().filter(|(name, _)| rest.starts_with(name.as_str()));
    stand.max_by_key(|(name, _)| name.len())
}

fn is_place(char: char) -> bool {
    u32::from(char) >= FIRST
}

impl Interpolated<'_> {
    fn place(&mut self, span: Range<usize>, regex: Regex) -> Result<(), RegexError> {
        let number = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
        let char = char::from_u32(FIRST.saturating_add(number)).filter(|_| number < PLACES_MAX);
        let Some(char) = char else {
            let message = "there are too many names in this pattern".to_owned();
            return Err(RegexError::syntax(message, self.written, span));
        };
        self.places.push((self.text.len(), span, regex));
        self.text.push(char);
        Ok(())
    }

    /// What a literal of the parsed pattern stands for, if it stands for a name.
    pub(super) fn named(&self, char: char) -> Option<&Regex> {
        let number = u32::from(char).checked_sub(FIRST)?;
        self.places.get(number as usize).map(|(_, _, regex)| regex)
    }

    /// The span in the pattern as written of one in the pattern as parsed.
    pub(super) fn written_span(&self, span: Range<usize>) -> Range<usize> {
        self.written_offset(span.start, false)..self.written_offset(span.end, true)
    }

    fn written_offset(&self, offset: usize, is_end: bool) -> usize {
        let before = self
            .places
            .iter()
            .rev()
            .find(|(start, ..)| *start < offset || (!is_end && *start == offset));
        match before {
            None => offset,
            Some((start, span, _)) if offset == *start => span.start,
            // Every stand-in takes four bytes.
            Some((start, span, _)) => span.end + offset.saturating_sub(start + 4),
        }
    }
}
