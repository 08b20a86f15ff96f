//! Consistent overhead byte stuffing.

use cobs::{decode_vec, encode_vec, max_encoding_length};

// true: encoded bytes have no zero, which is the purpose.
#[rebut::test]
fn encoded_bytes_have_no_zero(#[generate(max_size = 4)] bytes: Vec<u8>) {
    assert!(!encode_vec(&bytes).contains(&0));
}

// true: decoding an encoded value returns the value.
#[rebut::test]
fn bytes_round_trip(#[generate(max_size = 4)] bytes: Vec<u8>) {
    assert_eq!(decode_vec(&encode_vec(&bytes)).ok(), Some(bytes));
}

// true: the documented bound.
#[rebut::test]
fn encoded_bytes_are_within_the_bound(#[generate(max_size = 5)] bytes: Vec<u8>) {
    assert!(encode_vec(&bytes).len() <= max_encoding_length(bytes.len()));
}

// false (easy): vec![9]
#[rebut::test]
fn everything_without_zero_decodes(#[generate(max_size = 3)] bytes: Vec<u8>) {
    assert!(bytes.contains(&0) || bytes.is_empty() || decode_vec(&bytes).is_ok());
}
