//! Collections that have a fixed capacity.

use rebut_choice::{Label, Source};

use crate::Generate;
use crate::sequences::draw_sequence;
use crate::size::SIZE_MAX;

/// Draws up to `capacity` elements.
pub(super) fn draw_elements<T: Generate>(source: &mut Source, capacity: usize) -> Vec<T> {
    draw_sequence(source, (0, capacity.min(SIZE_MAX)), T::is_single(), T::generate)
}

/// Draws a string of up to `capacity` bytes, one character after the other.
///
/// The number of characters is drawn first. So a character takes at most the bytes that leave one
/// for each of those that follow. Nothing is rejected, and every string has one tape.
pub(super) fn draw_text_in_bytes(source: &mut Source, capacity: usize, mut push: impl FnMut(char)) {
    source.span(Label::TEXT, |source| {
        let length = source.length(0, capacity.min(SIZE_MAX));
        let mut bytes_left = capacity;
        for following in (0..length).rev() {
            let character = source.character('\0', largest_char(bytes_left - following));
            bytes_left -= character.len_utf8();
            push(character);
        }
    });
}

/// Returns the largest character of up to `bytes` bytes in UTF-8.
fn largest_char(bytes: usize) -> char {
    match bytes {
        0 | 1 => '\u{7F}',
        2 => '\u{7FF}',
        3 => '\u{FFFF}',
        _ => char::MAX,
    }
}
