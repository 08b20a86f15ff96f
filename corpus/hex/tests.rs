use hex::{FromHex, FromHexError, ToHex};
use rebut::prelude::*;

// expect: passed
#[rebut::test]
fn encode_then_decode(data: Vec<u8>) {
    assert_eq!(hex::decode(hex::encode(&data)).unwrap(), data);
}

// expect: proved: 256
#[rebut::test]
fn a_byte_has_two_digits(byte: u8) {
    let text = hex::encode([byte]);
    assert_eq!(text, format!("{byte:02x}"));
    assert_eq!(u8::from_str_radix(&text, 16), Ok(byte));
}

// Upper case digits are valid, too.
// expect: failed
#[rebut::test]
fn decode_then_encode(#[from(strings().alphabet(chars().one_of("0123456789abcdefABCDEF")))] text: String) {
    let Ok(bytes) = hex::decode(&text) else { return };
    assert_eq!(hex::encode(bytes), text);
}

// expect: failed
#[rebut::test]
fn an_odd_length_is_the_only_error(text: &str) {
    match hex::decode(text) {
        Ok(bytes) => assert_eq!(bytes.len() * 2, text.len()),
        Err(FromHexError::OddLength) => assert!(text.len() % 2 == 1),
        Err(other) => panic!("{:?}: {}", text, other),
    }
}

// The index counts bytes, and the character is a byte.
// expect: failed
#[rebut::test]
fn errors_name_a_character_of_the_text(text: String) {
    if let Err(FromHexError::InvalidHexCharacter { c, index }) = hex::decode(&text) {
        assert!(text.chars().any(|each| each == c), "{:?} at {}", c, index);
    }
}

// The documentation says "at least".
// expect: failed: InvalidStringLength
#[rebut::test]
fn a_longer_buffer_is_enough(input: &[u8], #[from(0..4usize)] more: usize) -> Result<(), FromHexError> {
    let mut output = vec![0; input.len() * 2 + more];
    hex::encode_to_slice(input, &mut output)
}

// expect: passed
#[rebut::test]
fn decode_to_slice_agrees_with_decode(text: String, #[from(0..=text.len())] size: usize) -> bool {
    let mut output = vec![0; size];
    match hex::decode_to_slice(&text, &mut output) {
        Ok(()) => hex::decode(&text) == Ok(output),
        Err(_) => hex::decode(&text).map_or(true, |bytes| bytes.len() != size),
    }
}

// expect: passed
#[rebut::test]
fn upper_and_lower_differ_only_in_case(data: Box<[u8]>) {
    let (lower, upper): (String, String) = (data.encode_hex(), data.encode_hex_upper());
    assert!(lower.eq_ignore_ascii_case(&upper));
    assert_eq!(lower.to_ascii_uppercase(), upper);
}

#[derive(Debug, Clone, Generate)]
struct Key {
    id: [u8; 4],
    #[generate(max_size = 3)]
    parts: Vec<(u16, Option<char>)>,
}

// expect: failed
#[rebut::test]
fn keys_with_letters_have_letters_in_hex(key: Key) {
    assume!(key.parts.iter().any(|(_, letter)| letter.is_some()));
    let text = hex::encode(key.id);
    assert_eq!(<[u8; 4]>::from_hex(&text), Ok(key.id));
    assert!(text.bytes().any(|byte| byte.is_ascii_alphabetic()), "{}", text);
}

// An array of the wrong size is an error, so no random text has a value.
// expect: rarely checked
#[rebut::test]
fn arrays_round_trip(text: String) {
    if let Ok(array) = <[u8; 8]>::from_hex(&text) {
        assert_eq!(hex::encode(array), text.to_lowercase());
    }
}
