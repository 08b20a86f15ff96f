//! Integers of variable length.

use integer_encoding::{FixedInt, VarInt};

// true: decoding an encoded value returns the value and its length.
#[rebut::test]
fn numbers_round_trip(n: u64) {
    let bytes = n.encode_var_vec();
    assert_eq!(u64::decode_var(&bytes), Some((n, bytes.len())));
}

// true: zigzag numbers round trip.
#[rebut::test]
fn signed_numbers_round_trip(n: i32) {
    let bytes = n.encode_var_vec();
    assert_eq!(i32::decode_var(&bytes).map(|(n, _)| n), Some(n));
}

// true: seven bits for each byte.
#[rebut::test]
fn lengths_are_those_of_seven_bits(n: u32) {
    let bits = (32 - n.leading_zeros()).max(1) as usize;
    assert_eq!(n.required_space(), bits.div_ceil(7));
}

// false (easy): 64
#[rebut::test]
fn signed_numbers_are_as_long_as_unsigned(n: i16) {
    assert!(n < 0 || n.required_space() == (n as u16).required_space());
}

// true: fixed numbers are little endian.
#[rebut::test]
fn fixed_numbers_are_little_endian(n: u32) {
    assert_eq!(n.encode_fixed_vec(), n.to_le_bytes());
}
