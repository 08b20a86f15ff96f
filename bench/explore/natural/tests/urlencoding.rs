//! Percent encoding.

use rebut::prelude::*;
use urlencoding::{decode, decode_binary, encode, encode_binary};

// true: decoding an encoded value returns the value.
#[rebut::test]
fn texts_round_trip(#[generate(max_size = 3)] text: String) {
    assert_eq!(decode(&encode(&text)).as_deref(), Ok(text.as_str()));
}

// true: encoded bytes are these characters, by the documentation.
#[rebut::test]
fn encoded_bytes_are_unreserved(#[generate(max_size = 3)] bytes: Vec<u8>) {
    let encoded = encode_binary(&bytes);
    let is_fine = |c: char| c.is_ascii_alphanumeric() || "-_.~%".contains(c);
    assert!(encoded.chars().all(is_fine), "{encoded}");
}

// true: bytes round trip too.
#[rebut::test]
fn bytes_round_trip(bytes: [u8; 3]) {
    let encoded = encode_binary(&bytes).into_owned();
    assert_eq!(decode_binary(encoded.as_bytes()).into_owned(), bytes);
}

// false (easy): "%41".to_owned()
#[rebut::test]
fn decoded_texts_encode_to_the_same(
    #[from(strings().alphabet('%'..='B').max_size(4))] text: String,
) {
    if let Ok(decoded) = decode(&text) {
        assert!(!text.contains('%') || text.len() < 3 || decoded == text);
    }
}
