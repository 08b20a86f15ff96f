extern crate rebut;

use super::*;

// RUSTSEC-2017-0004
// expect: failed: overflow
#[rebut::test]
fn encoded_size_never_panics(length: usize, pad: bool) {
    let config = if pad { STANDARD } else { URL_SAFE_NO_PAD };
    encoded_size(length, config);
}

// The size is an upper bound.
// expect: failed
#[rebut::test]
fn encoded_size_is_the_length(bytes: &[u8], pad: bool) {
    let config = if pad { STANDARD } else { URL_SAFE_NO_PAD };
    assert_eq!(encode_config(bytes, config).len(), encoded_size(bytes.len(), config));
}

// expect: proved: 64
#[rebut::test]
fn tables_are_inverse(#[from(0..64u8)] value: u8) {
    let symbol = tables::STANDARD_ENCODE[value as usize];
    assert_eq!(tables::STANDARD_DECODE[symbol as usize], value);
    let symbol = tables::URL_SAFE_ENCODE[value as usize];
    assert_eq!(tables::URL_SAFE_DECODE[symbol as usize], value);
}

// expect: failed
#[rebut::test]
fn both_tables_agree_on_every_byte(byte: u8) -> bool {
    tables::STANDARD_DECODE[byte as usize] == tables::URL_SAFE_DECODE[byte as usize]
}
