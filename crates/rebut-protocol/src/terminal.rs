//! Text that comes from somewhere else, on its way to a terminal.
//!
//! Messages of the code under test, names, paths and files may contain anything. A terminal must
//! not act on it: move the cursor, clear the screen, rename the window, copy to the clipboard, or
//! show text in another order. [`printable`] escapes such characters, [`one_line`] also those that
//! end a line. Everything that Rebut prints goes through one of them.
//!
//! Assertion macros and error types color their messages, whether they are read on a terminal or
//! not. Everywhere but in output with colors, Rebut removes the sequences ([`plain`]). A terminal
//! gets those that set colors ([`only_colors`]), and never any other.
//!
//! The grammar is that of ECMA-48: control sequences (`ESC [`), strings (`ESC ]` and others, up to
//! `ESC \` or BEL; hyperlinks are of this form), and character sets (`ESC (`). Everything else is
//! text, which may be a value of the input: single control characters, and a sequence without an
//! end, which would hide the rest of a message. These are escaped.

use std::fmt::Write as _;
use std::path::Path;

/// Returns whether a character is invisible or changes how those around it are displayed. A line
/// break and a tab do not count.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c,
            '\u{AD}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{180E}' | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FEFF}'
            | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{FFFE}' | '\u{FFFF}'
            | '\u{E0000}'..='\u{E0FFF}')
}

/// Escapes characters that a terminal would act on or not show. Line breaks and tabs stay.
#[must_use]
pub fn printable(text: &str) -> String {
    escaped(text, &is_invisible)
}

/// Like [`printable`], but for a name or a path, which is on one line.
#[must_use]
pub fn one_line(text: &str) -> String {
    escaped(text, &|c| is_invisible(c) || c == '\n' || c == '\t')
}

/// Formats a path for people, whatever is in its name.
#[must_use]
pub fn path_on_one_line(path: &Path) -> String {
    one_line(&path.display().to_string())
}

/// Escapes the same characters as [`printable`] in JSON text, as JSON does.
#[must_use]
pub fn printable_json(json: &str) -> String {
    let mut printable = String::with_capacity(json.len());
    for c in json.chars() {
        if is_invisible(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(printable, "\\u{unit:04x}");
            }
        } else {
            printable.extend([c]);
        }
    }
    printable
}

#[inline(never)]
fn escaped(text: &str, is_escaped: &dyn Fn(char) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_escaped(c) {
            let _ = write!(escaped, "{}", c.escape_unicode());
        } else {
            escaped.extend([c]);
        }
    }
    escaped
}

/// A piece of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'a> {
    /// Text without escape sequences.
    Text(&'a str),
    /// A sequence that sets colors and the like.
    Color(&'a str),
    /// Any other sequence.
    Other,
}

/// Removes all escape sequences.
#[must_use]
#[inline(never)]
pub fn plain(text: &str) -> String {
    let mut plain = String::new();
    for piece in pieces(text) {
        if let Piece::Text(text) = piece {
            plain.push_str(text);
        }
    }
    plain
}

/// Returns the text as a terminal may show it: with its colors, without other sequences, and with
/// `printable` applied to the rest. Ends with the default color if it sets any.
#[must_use]
#[inline(never)]
pub fn only_colors(text: &str) -> String {
    let mut colored = String::new();
    let mut is_default = true;
    for piece in pieces(text) {
        match piece {
            Piece::Text(text) => colored.push_str(&printable(text)),
            Piece::Color(sequence) => {
                is_default = matches!(sequence, "\x1b[0m" | "\x1b[m");
                colored.push_str(sequence);
            }
            Piece::Other => {}
        }
    }
    if !is_default {
        colored.push_str("\x1b[0m");
    }
    colored
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut begin = 0;
    let mut at = 0;
    while at < text.len() {
        let Some(length) = sequence_length(&text[at..]) else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
            continue;
        };
        if begin < at {
            pieces.push(Piece::Text(&text[begin..at]));
        }
        let sequence = &text[at..at + length];
        pieces.push(if is_color(sequence) { Piece::Color(sequence) } else { Piece::Other });
        at += length;
        begin = at;
    }
    if begin < text.len() {
        pieces.push(Piece::Text(&text[begin..]));
    }
    pieces
}

/// Returns the number of bytes of the escape sequence at the beginning of the text, if there is
/// one and it has an end.
fn sequence_length(text: &str) -> Option<usize> {
    let [0x1b, kind, rest @ ..] = text.as_bytes() else { return None };
    let length = match *kind {
        b'[' => {
            let end = rest.iter().position(|byte| !matches!(byte, 0x20..=0x3f))?;
            matches!(rest[end], 0x40..=0x7e).then_some(end + 1)?
        }
        b']' | b'P' | b'X' | b'^' | b'_' => string_length(rest, *kind == b']')?,
        0x20..=0x2f => {
            let end = rest.iter().position(|byte| !matches!(byte, 0x20..=0x2f))?;
            matches!(rest[end], 0x30..=0x7e).then_some(end + 1)?
        }
        _ => return None,
    };
    Some(2 + length)
}

/// Returns the number of bytes up to and including the end of a control string.
fn string_length(bytes: &[u8], ends_with_bell: bool) -> Option<usize> {
    for (at, byte) in bytes.iter().enumerate() {
        match (byte, bytes.get(at + 1)) {
            (0x07, _) if ends_with_bell => return Some(at + 1),
            (0x1b, Some(b'\\')) => return Some(at + 2),
            // A link or a title is on one line.
            (0x1b | b'\n', _) => return None,
            _ => {}
        }
    }
    None
}

/// Returns whether a sequence only sets colors and other attributes of characters ("SGR").
fn is_color(sequence: &str) -> bool {
    let inside = sequence.strip_prefix("\x1b[").and_then(|rest| rest.strip_suffix('m'));
    inside.is_some_and(|inside| {
        inside.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b';' | b':'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_acts_on_a_terminal() {
        let hostile = "\x1b[2J\x1b]52;c;aGk=\x07\u{202E}\r\u{7}\u{9b}2J\u{200b}\u{e0041}\u{2028}";
        let is_shown = |text: &str| text.chars().all(|c| !is_invisible(c));
        assert!(is_shown(&printable(hostile)) && is_shown(&one_line(hostile)));
        assert_eq!(printable("a\n\tb\r\u{202E}"), "a\n\tb\\u{d}\\u{202e}");
        assert_eq!(one_line("a\nb\t\x1b"), "a\\u{a}b\\u{9}\\u{1b}");
        assert_eq!(printable_json("\"\u{202E}\u{e0041}\"\n"), "\"\\u202e\\udb40\\udc41\"\n");
    }

    #[test]
    fn plain_text_has_no_sequences() {
        for (text, expected) in [
            ("", ""),
            ("a\nb\tü", "a\nb\tü"),
            ("\x1b[31mred\x1b[0m and \x1b[1;48;5;52;31mbold\x1b[0m", "red and bold"),
            ("\x1b[38:2::1:2:3mrgb\x1b[m", "rgb"),
            ("\x1b[2J\x1b[1;1Hcleared\x1b[?25l", "cleared"),
            ("\x1b]8;;https://example.com/a\x1b\\link\x1b]8;;\x1b\\", "link"),
            ("\x1b]0;title\x07text", "text"),
            ("\x1bPq#0\x1b\\sixel \x1b(Bcharset", "sixel charset"),
        ] {
            assert_eq!(plain(text), expected, "{text:?}");
        }
    }

    #[test]
    fn values_in_messages_stay() {
        for text in ["\u{80}", "\u{9b}31m", "\x1bA", "\0\x07\x7f"] {
            assert_eq!(plain(text), text, "{text:?}");
            assert!(only_colors(text).chars().all(|c| !c.is_control()), "{text:?}");
        }
    }

    #[test]
    fn sequences_without_an_end_stay() {
        for text in ["\x1b", "a\x1b[31", "\x1b]8;;never ends", "\x1b]0;a\nb\x07", "\x1b[3\nm"] {
            assert_eq!(plain(text), text, "{text:?}");
            assert!(!only_colors(text).contains('\x1b'), "{text:?}");
        }
    }

    #[test]
    fn terminals_get_colors_and_no_other_sequence() {
        let text = "\x1b[31mred\x1b[0m \x1b[2J\x1b]8;;x\x1b\\link\x1b]8;;\x1b\\ \x1b[?1m\x07";
        assert_eq!(only_colors(text), "\x1b[31mred\x1b[0m link \\u{7}");
        assert_eq!(only_colors("\x1b[31mred"), "\x1b[31mred\x1b[0m");
        assert_eq!(only_colors("a\nb"), "a\nb");
    }
}
