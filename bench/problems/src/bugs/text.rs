//! Bugs in text and encodings.

use crate::Outcome;

/// Truncating a text to a number of bytes leaves whole characters. Input: any
/// string and a limit in `0..=20`.
///
/// The bug: stepping back once is enough only for characters of two bytes.
pub fn truncation_ends_at_a_character((text, limit): &(String, usize)) -> Outcome {
    Outcome::held_if(truncate(text, *limit).is_some())
}

fn truncate(text: &str, limit: usize) -> Option<&str> {
    let mut end = limit.min(text.len());
    if !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end)
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Base 64 without padding is lossless. Input: any list of any bytes.
///
/// The bug: the second letter of a two-byte tail keeps too few bits.
pub fn base64_round_trips(bytes: &Vec<u8>) -> Outcome {
    Outcome::held_if(base64_decode(&base64_encode(bytes)) == *bytes)
}

fn base64_encode(bytes: &[u8]) -> Vec<u8> {
    let letter = |bits: u8| ALPHABET[usize::from(bits & 0x3f)];
    let mut letters = Vec::new();
    for chunk in bytes.chunks(3) {
        match *chunk {
            [a] => letters.extend([letter(a >> 2), letter(a << 4)]),
            [a, b] => letters.extend([letter(a >> 2), letter(a << 4), letter(b << 2)]),
            [a, b, c] => letters.extend([
                letter(a >> 2),
                letter(a << 4 | b >> 4),
                letter(b << 2 | c >> 6),
                letter(c),
            ]),
            _ => {}
        }
    }
    letters
}

fn base64_decode(letters: &[u8]) -> Vec<u8> {
    let bits = |letter: &u8| {
        ALPHABET
            .iter()
            .position(|x| x == letter)
            .unwrap_or_default() as u32
    };
    let mut bytes = Vec::new();
    for chunk in letters.chunks(4) {
        let word = chunk
            .iter()
            .fold(0, |word, letter| word << 6 | bits(letter));
        let word = word << (6 * (4 - chunk.len()));
        bytes.extend(&word.to_be_bytes()[1..chunk.len()]);
    }
    bytes
}

/// A line of comma-separated fields reads back as it was written. Input: any
/// list of any strings; the empty list is skipped.
///
/// The bug: a field that begins with a quote is not quoted.
pub fn csv_line_round_trips(fields: &Vec<String>) -> Outcome {
    if fields.is_empty() {
        return Outcome::Skipped;
    }
    let written: Vec<String> = fields.iter().map(|field| write_field(field)).collect();
    Outcome::held_if(read_line(&written.join(",")) == *fields)
}

fn write_field(field: &str) -> String {
    if field.contains([',', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

fn read_line(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let last = fields.len() - 1;
        match c {
            '"' if is_quoted && chars.next_if_eq(&'"').is_some() => fields[last].push('"'),
            '"' if is_quoted => is_quoted = false,
            '"' if fields[last].is_empty() => is_quoted = true,
            ',' if !is_quoted => fields.push(String::new()),
            _ => fields[last].push(c),
        }
    }
    fields
}

/// Our upper case is the standard one. Input: any string.
///
/// The bug: some characters become several.
pub fn upper_case_agrees_with_std(text: &String) -> Outcome {
    let upper: String = text
        .chars()
        .filter_map(|c| c.to_uppercase().next())
        .collect();
    Outcome::held_if(upper == text.to_uppercase())
}

/// A text written as a scalar reads back as a text. Input: any string.
///
/// The bug: the writer knows fewer reserved words than the reader.
pub fn scalar_round_trips(text: &String) -> Outcome {
    Outcome::held_if(read_scalar(&write_scalar(text)).as_ref() == Some(text))
}

fn write_scalar(text: &str) -> String {
    match text {
        "true" | "false" | "yes" | "null" => format!("'{text}'"),
        _ if text.starts_with('\'') => format!("'{text}'"),
        _ => text.to_owned(),
    }
}

/// The text, or `None` for a truth value or nothing.
fn read_scalar(written: &str) -> Option<String> {
    match written {
        "true" | "false" | "yes" | "no" | "null" => None,
        _ => {
            let inner = written
                .strip_prefix('\'')
                .and_then(|rest| rest.strip_suffix('\''));
            Some(inner.unwrap_or(written).to_owned())
        }
    }
}

/// Percent-encoding is lossless. Input: any list of any bytes.
///
/// The bug: small bytes get one digit.
pub fn percent_encoding_round_trips(bytes: &Vec<u8>) -> Outcome {
    let decoded = percent_decode(percent_encode(bytes).as_bytes());
    Outcome::held_if(decoded.as_ref() == Some(bytes))
}

fn percent_encode(bytes: &[u8]) -> String {
    let encode = |byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(*byte).to_string(),
        _ => format!("%{byte:X}"),
    };
    bytes.iter().map(encode).collect()
}

fn percent_decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((first, tail)) = rest.split_first() {
        rest = tail;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &rest[2..];
    }
    Some(bytes)
}
