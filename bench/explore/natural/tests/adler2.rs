//! Adler-32.

use adler2::{Adler32, adler32_slice};

// true: the sum is computed byte by byte.
#[rebut::test]
fn parts_have_the_checksum_of_the_whole(a: [u8; 3], b: [u8; 5]) {
    let mut checksum = Adler32::new();
    checksum.write_slice(&a);
    checksum.write_slice(&b);
    assert_eq!(checksum.checksum(), adler32_slice(&[&a[..], &b].concat()));
}

// true: the model is the definition of RFC 1950.
#[rebut::test]
fn checksums_are_those_of_the_definition(bytes: [u8; 4]) {
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in bytes {
        a = (a + u32::from(byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    assert_eq!(adler32_slice(&bytes), b << 16 | a);
}

// true: one byte more changes the lower half, unless it is zero, and then the upper half.
#[rebut::test]
fn appended_bytes_change_the_checksum(bytes: [u8; 3], more: u8) {
    let longer = [&bytes[..], &[more]].concat();
    assert_ne!(adler32_slice(&bytes), adler32_slice(&longer));
}

// false (easy): [0, 2, 0], [1, 0, 1]
#[rebut::test]
fn different_bytes_have_different_checksums(a: [u8; 3], b: [u8; 3]) {
    assert!(a == b || adler32_slice(&a) != adler32_slice(&b));
}
