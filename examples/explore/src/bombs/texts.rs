//! Texts that are read and written.

/// Reads a number as C does: digits as far as they go.
#[must_use]
pub fn atoi(text: &str) -> u32 {
    let digits = text.bytes().take_while(u8::is_ascii_digit);
    digits.fold(0, |number: u32, digit| number.wrapping_mul(10).wrapping_add((digit - b'0').into()))
}

/// Goes off for other spellings of seven.
#[must_use]
pub fn spells_seven_oddly(text: &str) -> bool {
    text != "7" && text.parse::<u8>() == Ok(7)
}

/// Goes off for the word that opens the cave, in capitals and with space around it.
#[must_use]
pub fn opens_the_cave(text: &str) -> bool {
    text.len() > 4 && !text.contains("open") && text.trim().eq_ignore_ascii_case("open")
}

/// Whether the digits of a number read the same from both ends.
#[must_use]
pub fn is_palindrome(number: u32) -> bool {
    let text = number.to_string();
    text.bytes().eq(text.bytes().rev())
}

/// The first character of some bytes in UTF-8, and how many bytes it takes.
///
/// The mistake: it takes longer forms than are needed.
#[must_use]
pub fn decoded(bytes: &[u8]) -> Option<(char, usize)> {
    let continuation = |place: usize| {
        let byte = *bytes.get(place)?;
        (byte & 0xC0 == 0x80).then_some(u32::from(byte & 0x3F))
    };
    let first = *bytes.first()?;
    let (number, size) = match first {
        0x00..=0x7F => (first.into(), 1),
        0xC0..=0xDF => ((u32::from(first & 0x1F) << 6) | continuation(1)?, 2),
        0xE0..=0xEF => {
            let high = (u32::from(first & 0x0F) << 12) | (continuation(1)? << 6);
            (high | continuation(2)?, 3)
        }
        _ => return None,
    };
    Some((char::from_u32(number)?, size))
}

/// Whether brackets are closed in the order in which they were opened.
#[must_use]
pub fn is_balanced(text: &str) -> bool {
    let mut open = Vec::new();
    for bracket in text.chars() {
        match bracket {
            '(' | '[' => open.push(bracket),
            ')' if open.pop() != Some('(') => return false,
            ']' if open.pop() != Some('[') => return false,
            _ => {}
        }
    }
    open.is_empty()
}

/// As [`is_balanced`], by counting.
///
/// The mistake: brackets that overlap are counted as well as those that nest.
#[must_use]
pub fn is_balanced_by_counting(text: &str) -> bool {
    let (mut round, mut square) = (0_i32, 0_i32);
    for bracket in text.chars() {
        match bracket {
            '(' => round += 1,
            ')' => round -= 1,
            '[' => square += 1,
            ']' => square -= 1,
            _ => {}
        }
        if round < 0 || square < 0 {
            return false;
        }
    }
    round == 0 && square == 0
}

/// Bytes that are written as pairs of hexadecimal digits.
#[must_use]
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = text.chars().map(|letter| letter.to_digit(16)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect())
}

/// A number in Roman digits.
#[must_use]
pub fn roman(mut number: u8) -> String {
    const DIGITS: [(u8, &str); 9] = [
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    let mut text = String::new();
    for (value, digits) in DIGITS {
        while number >= value {
            text.push_str(digits);
            number -= value;
        }
    }
    text
}

/// Whether `*` (any text) and `?` (any letter) of a pattern can stand for a text.
#[must_use]
pub fn matches(pattern: &[u8], text: &[u8]) -> bool {
    match (pattern, text) {
        ([], []) => true,
        ([b'*', rest @ ..], _) => {
            matches(rest, text)
                || text.split_first().is_some_and(|(_, text)| matches(pattern, text))
        }
        ([b'?', pattern @ ..], [_, text @ ..]) => matches(pattern, text),
        ([letter, pattern @ ..], [first, text @ ..]) => letter == first && matches(pattern, text),
        _ => false,
    }
}
