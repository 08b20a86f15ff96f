//! The order of characters: the most readable first.
//!
//! Automata work not on code points but on the ranks of characters in this order: small letters,
//! capitals, digits, punctuation, then letters of other scripts, and invisible characters last.
//! Therefore "the first character of a set" is its most readable one, and no list of strings
//! begins with NULs. Sorting by code point would need an exception wherever a character is
//! picked.

use crate::symbols::{Interval, Symbol, Symbols};

/// Intervals of code points, the most readable first.
///
/// Invariant: together they contain every scalar value exactly once; a test checks this.
const ORDER: &[(u32, u32)] = &[
    (0x61, 0x7A),       // a-z
    (0x41, 0x5A),       // A-Z
    (0x30, 0x39),       // 0-9
    (0x2D, 0x2E),       // - .
    (0x5F, 0x5F),       // _
    (0x21, 0x2C),       // ! " # $ % & ' ( ) * + ,
    (0x2F, 0x2F),       // /
    (0x3A, 0x40),       // : ; < = > ? @
    (0x5B, 0x5E),       // [ \ ] ^
    (0x60, 0x60),       // `
    (0x7B, 0x7E),       // { | } ~
    (0x20, 0x20),       // space
    (0xDF, 0xF6),       // Latin letters with marks
    (0xF8, 0x17F),      // more of them
    (0xC0, 0xD6),       // capitals with marks
    (0xD8, 0xDE),       // more of them
    (0x3B1, 0x3C9),     // Greek
    (0x430, 0x44F),     // Cyrillic
    (0x5D0, 0x5EA),     // Hebrew
    (0x627, 0x63A),     // Arabic
    (0x905, 0x939),     // Devanagari
    (0x3042, 0x3093),   // Hiragana
    (0x4E00, 0x9FA5),   // Han
    (0xAC00, 0xD7A3),   // Hangul
    (0x1F600, 0x1F64F), // faces
    (0xA1, 0xAC),       // Latin punctuation
    (0xAE, 0xBF),       // more of it, without the soft hyphen
    (0xD7, 0xD7),       // times
    (0xF7, 0xF7),       // divided by
    (0x180, 0x3B0),     // the rest of the first planes
    (0x3CA, 0x42F),
    (0x450, 0x5CF),
    (0x5EB, 0x626),
    (0x63B, 0x904),
    (0x93A, 0x1FFF),
    (0x2010, 0x2027),
    (0x2030, 0x205F),
    (0x2070, 0x3041),
    (0x3094, 0x4DFF),
    (0x9FA6, 0xABFF),
    (0xD7A4, 0xD7FF),
    (0xF900, 0xFEFE),
    (0xFF00, 0xFFEF),
    (0x10000, 0x1F5FF),
    (0x1F650, 0xDFFFF),
    (0x9, 0xA),   // tab, line feed
    (0xD, 0xD),   // carriage return
    (0xA0, 0xA0), // spaces, joiners and other invisible characters
    (0xAD, 0xAD),
    (0x2000, 0x200F),
    (0x2028, 0x202F),
    (0x2060, 0x206F),
    (0xFEFF, 0xFEFF),
    (0xE0000, 0xEFFFF),
    (0xFFF0, 0xFFFF),
    (0xE000, 0xF8FF), // private use
    (0xF0000, 0x10FFFF),
    (0xB, 0xC), // control
    (0xE, 0x1F),
    (0x7F, 0x9F),
    (0x1, 0x8),
    (0x0, 0x0),
];

/// The number of characters: all scalar values, without the surrogates.
pub(crate) const SYMBOLS: u32 = 0x11_0000 - 0x800;

/// The last character in the order.
pub(crate) const LAST: Symbol = SYMBOLS - 1;

/// The number of printable ASCII characters, which come first. The last one is the space.
pub(crate) const PRINTABLE: u32 = 95;

/// The number of printable ASCII characters and common letters of other scripts, which come first.
pub(crate) const WRITTEN: u32 = STARTS[25];

/// The symbol of the first character of each interval of [`ORDER`].
const STARTS: [u32; ORDER.len()] = {
    let mut starts = [0; ORDER.len()];
    let mut at = 1;
    while at < ORDER.len() {
        starts[at] = starts[at - 1] + (ORDER[at - 1].1 - ORDER[at - 1].0 + 1);
        at += 1;
    }
    starts
};

/// The symbols of the ASCII characters, to look them up quickly.
const ASCII: [Symbol; 128] = {
    let mut symbols = [0; 128];
    let mut code = 0;
    while code < 128 {
        symbols[code as usize] = search(code);
        code += 1;
    }
    symbols
};

const fn search(code: u32) -> Symbol {
    let mut at = 0;
    while at < ORDER.len() {
        let (first, last) = ORDER[at];
        if first <= code && code <= last {
            return STARTS[at] + (code - first);
        }
        at += 1;
    }
    LAST
}

/// Returns the symbol of a character.
pub(crate) fn symbol_of(char: char) -> Symbol {
    let code = u32::from(char);
    match ASCII.get(code as usize) {
        Some(&symbol) => symbol,
        None => search(code),
    }
}

/// Returns the character of a symbol.
pub(crate) fn char_of(symbol: Symbol) -> char {
    let at = STARTS.partition_point(|&start| start <= symbol).saturating_sub(1);
    let code = ORDER[at].0 + (symbol - STARTS[at]);
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Returns the symbols of a range of characters.
pub(crate) fn symbols_between(first: char, last: char) -> Symbols {
    symbols_of(&[(first, last)])
}

/// Returns the symbols of ranges of characters.
pub(crate) fn symbols_of(ranges: &[(char, char)]) -> Symbols {
    let mut intervals: Vec<Interval> = Vec::new();
    for &(first, last) in ranges {
        let (first, last) = (u32::from(first), u32::from(last));
        for (&(start, end), &symbol) in ORDER.iter().zip(&STARTS) {
            let both = (first.max(start), last.min(end));
            if both.0 <= both.1 {
                intervals.push((symbol + (both.0 - start), symbol + (both.1 - start)));
            }
        }
    }
    Symbols::new(intervals)
}

/// Returns the ranges of characters of a set of symbols, sorted by code point.
pub(crate) fn ranges_of(symbols: &Symbols) -> Vec<(char, char)> {
    let mut codes: Vec<(u32, u32)> = Vec::new();
    for &(first, last) in symbols.intervals() {
        for (&(start, end), &symbol) in ORDER.iter().zip(&STARTS) {
            let both = (first.max(symbol), last.min(symbol + (end - start)));
            if both.0 <= both.1 {
                codes.push((start + (both.0 - symbol), start + (both.1 - symbol)));
            }
        }
    }
    let char = |code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    let joined = Symbols::new(codes);
    joined.intervals().iter().map(|&(first, last)| (char(first), char(last))).collect()
}

/// Returns the symbols of all characters.
pub(crate) fn all() -> Symbols {
    Symbols::interval(0, LAST)
}

/// Returns the symbols of the characters of a string.
pub(crate) fn symbols_in(text: &str) -> Vec<Symbol> {
    text.chars().map(symbol_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_has_exactly_one_symbol() {
        let total: u32 = ORDER.iter().map(|&(first, last)| last - first + 1).sum();
        assert_eq!(total, SYMBOLS);
        let mut seen = vec![false; SYMBOLS as usize];
        for char in '\0'..=char::MAX {
            let symbol = symbol_of(char);
            assert!(!std::mem::replace(&mut seen[symbol as usize], true), "{char:?}");
            assert_eq!(char_of(symbol), char);
        }
    }

    #[test]
    fn letters_come_first_and_nul_last() {
        assert_eq!(char_of(0), 'a');
        assert_eq!(char_of(PRINTABLE - 1), ' ');
        assert_eq!(char_of(WRITTEN - 1), '\u{1F64F}');
        assert_eq!(char_of(LAST), '\0');
    }

    #[test]
    fn ranges_round_trip_through_symbols() {
        let ranges = [('\0', '\n'), ('0', 'z'), ('\u{D000}', '\u{E005}')];
        let back = ranges_of(&symbols_of(&ranges));
        assert_eq!(
            back,
            [('\0', '\n'), ('0', 'z'), ('\u{D000}', '\u{D7FF}'), ('\u{E000}', '\u{E005}')]
        );
    }
}
