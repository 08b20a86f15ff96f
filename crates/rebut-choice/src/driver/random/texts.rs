//! Random characters and strings.

use super::mood::Alphabet;
use super::{Random, Script};
use crate::{Domain, text};

impl Random {
    /// Draws a number from a domain of characters.
    pub(super) fn character(&mut self, domain: &Domain) -> i128 {
        let dice = self.rng.bits();
        let number = match self.mood.alphabet {
            Alphabet::Few => FEW[(dice >> 8) as usize % 3 + (dice & 1) as usize],
            Alphabet::Plain => self.plain_character(dice),
            Alphabet::Anything => self.any_character(dice),
        };
        if domain.contains(number) { number } else { self.rng.between(domain.min, domain.max) }
    }

    /// Draws a character that people type. The shares of letters, digits and punctuation are
    /// arbitrary and not measured.
    fn plain_character(&mut self, dice: u64) -> i128 {
        match dice as u8 {
            0..128 => i128::from(b'a') + self.rng.between(0, 25),
            128..160 => i128::from(b'0') + self.rng.between(0, 9),
            160..192 => i128::from(b'A') + self.rng.between(0, 25),
            192..208 => i128::from(b' '),
            _ => self.rng.between(0x20, 0x7E),
        }
    }

    /// Draws any character. Plain ones, control characters, Latin letters, nasty ones, the first
    /// plane and emoji come more often than their number; the shares are arbitrary and not measured.
    fn any_character(&mut self, dice: u64) -> i128 {
        match dice as u8 {
            0..96 => self.plain_character(dice >> 8),
            96..112 => self.rng.between(0, 0x1F),
            112..144 => self.rng.between(0x80, 0x24F),
            144..184 => text::number_of(NASTY_CHARS[(dice >> 8) as usize % NASTY_CHARS.len()]),
            184..224 => self.rng.between(0, 0xFFFF - 0x800),
            224..240 => text::number_of('\u{1F300}') + self.rng.between(0, 0x3FF),
            _ => self.rng.between(0, text::CHAR_MAX),
        }
    }

    /// Decides on a string before its length is drawn: a constant or a nasty string, alone or
    /// between other characters. Three of four are constants, and a character is added before one in
    /// four and after one in four. These shares are arbitrary and not measured.
    pub(super) fn start_spelling(&mut self) {
        let dice = self.rng.bits();
        let known = &self.constants.texts;
        let chosen = if !known.is_empty() && dice & 3 != 0 {
            known[(dice >> 8) as usize % known.len()].as_str()
        } else {
            NASTY_TEXTS[(dice >> 8) as usize % NASTY_TEXTS.len()]
        };
        let mut text: Vec<char> = chosen.chars().collect();
        if dice >> 4 & 3 == 0 {
            let before = char::from(b'a' + (dice >> 40) as u8 % 26);
            text.insert(0, before);
        }
        if dice >> 6 & 3 == 0 {
            text.push(char::from(b' ' + (dice >> 48) as u8 % 95));
        }
        self.script = Script::Spell { text, next: 0 };
    }
}

/// The characters of a case with few of them. `b` and `c` are twice as frequent as the others.
const FEW: [i128; 4] = [b'a' as i128, b'b' as i128, b'c' as i128, b' ' as i128];

/// Characters that change length under case mapping, are invisible, reverse the text direction,
/// or are digits or white space only to Unicode; and the first and last characters of planes.
const NASTY_CHARS: [char; 32] = [
    'ß',
    'İ',
    'ı',
    'ſ',
    'K',
    'Å',
    'ﬀ',
    'ŉ',
    'Σ',
    'ς',
    'é',
    '\u{301}',
    '\u{200B}',
    '\u{200D}',
    '\u{202E}',
    '\u{FEFF}',
    '\u{A0}',
    '\u{2028}',
    '\u{85}',
    '٣',
    '²',
    'Ⅷ',
    '一',
    '가',
    '\u{D7FF}',
    '\u{E000}',
    '\u{FFFD}',
    '\u{FFFF}',
    '\u{10000}',
    '\u{10FFFF}',
    '👩',
    '\u{7F}',
];

/// Strings that have a special meaning to parsers, shells, file systems and formats.
const NASTY_TEXTS: [&str; 32] = [
    "",
    " ",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "0",
    "-1",
    "1e9",
    "NaN",
    "null",
    "None",
    "true",
    "\"",
    "'",
    "\\",
    "\\n",
    "%s",
    "%00",
    "{}",
    "../",
    "/",
    "//",
    "<a>",
    "&amp;",
    "a,b",
    "a=b",
    "--",
    "é",
    "e\u{301}",
    "👩\u{200D}👩",
    "\u{202E}abc",
];
