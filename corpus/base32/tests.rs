extern crate base32;
extern crate rebut;

use base32::{Alphabet, decode, encode};
use rebut::prelude::*;

/// Which alphabet. That of the crate has no `Debug`.
#[derive(Clone, Copy, Debug, PartialEq, Generate)]
enum Letters {
    Crockford,
    Standard(bool),
    Lower { padding: bool },
    Hex(bool),
    HexLower(bool),
    Z,
}

impl Letters {
    fn get(self) -> Alphabet {
        match self {
            Letters::Crockford => Alphabet::Crockford,
            Letters::Standard(padding) => Alphabet::Rfc4648 { padding },
            Letters::Lower { padding } => Alphabet::Rfc4648Lower { padding },
            Letters::Hex(padding) => Alphabet::Rfc4648Hex { padding },
            Letters::HexLower(padding) => Alphabet::Rfc4648HexLower { padding },
            Letters::Z => Alphabet::Z,
        }
    }
}

fn groups() -> impl Generator<Value = String> {
    strings().alphabet(chars().one_of("09AIJKLMNOPTUVZ")).size(8)
}

// expect: passed
#[rebut::test]
fn encode_then_decode(letters: Letters, data: Vec<u8>) {
    assert_eq!(decode(letters.get(), &encode(letters.get(), &data)), Some(data));
}

// expect: proved: 2560
#[rebut::test]
fn one_byte_has_two_letters(letters: Letters, byte: u8) {
    let text = encode(letters.get(), &[byte]);
    assert_eq!(text.trim_end_matches('=').len(), 2);
    assert_eq!(decode(letters.get(), &text).unwrap(), [byte]);
}

// expect: passed
#[rebut::test]
fn decoding_never_panics(letters: Letters, text: &str) {
    let _ = decode(letters.get(), text);
}

// A single letter has too few bits for a byte.
// expect: failed
#[rebut::test]
fn decode_then_encode(letters: Letters, text: String) {
    if let Some(bytes) = decode(letters.get(), &text) {
        assert_eq!(encode(letters.get(), &bytes), text);
    }
}

// expect: passed
#[rebut::test]
fn decoded_data_is_shorter(
    letters: Letters,
    #[from(strings().alphabet('2'..='7').min_size(1))] text: String,
) {
    if let Some(bytes) = decode(letters.get(), &text) {
        assert!(bytes.len() < text.len());
    }
}

// Letters that look like a digit are read as one.
// expect: failed
#[rebut::test]
fn full_groups_are_canonical(#[from(groups())] text: String) {
    let bytes = decode(Alphabet::Crockford, &text);
    assume!(bytes.is_some(), "it is a group of letters");
    assert_eq!(encode(Alphabet::Crockford, &bytes.unwrap()), text);
}

// expect: failed: for Crockford
#[rebut::test]
fn chunks_concatenate(chunks: Vec<Vec<u8>>, letters: Letters) {
    let whole: Vec<u8> = chunks.concat();
    let parts: String = chunks.iter().map(|chunk| encode(letters.get(), chunk)).collect();
    assert_eq!(encode(letters.get(), &whole), parts, "for {:?}", letters);
}

// expect: failed
#[rebut::test]
fn alphabets_differ(one: Letters, other: Letters, data: [u8; 3]) {
    assume!(one != other);
    assert_ne!(encode(one.get(), &data), encode(other.get(), &data));
}

// expect: passed
#[rebut::test]
fn padding_is_last(
    #[from(vecs(rebut::any::<u8>()).max_size(12))] data: Vec<u8>,
    padding: bool,
) -> Result<(), String> {
    let text = encode(Alphabet::Rfc4648 { padding }, &data);
    match text.find('=') {
        Some(at) if !padding => Err(format!("padding at {}", at)),
        Some(at) if text[at..].chars().any(|c| c != '=') => Err("a letter after padding".into()),
        _ => Ok(()),
    }
}

fn err(reason: &str) -> Result<(), String> {
    Err(reason.to_owned())
}

// expect: passed
#[rebut::test]
fn groups_have_eight_letters(data: Vec<u8>) -> Result<(), String> {
    if encode(Alphabet::Rfc4648 { padding: true }, &data).len() % 8 != 0 {
        return err("a part of a group");
    }
    Ok(())
}
