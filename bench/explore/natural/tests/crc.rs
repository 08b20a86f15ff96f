//! Cyclic redundancy checks.

use crc::{CRC_8_SMBUS, CRC_16_USB, CRC_32_ISO_HDLC, Crc};

// true: the table is that of the polynomial, so a digest of parts is that of the whole.
#[rebut::test]
fn parts_have_the_checksum_of_the_whole(a: [u8; 2], b: [u8; 2]) {
    let crc = Crc::<u16>::new(&CRC_16_USB);
    let mut digest = crc.digest();
    digest.update(&a);
    digest.update(&b);
    assert_eq!(digest.finalize(), crc.checksum(&[a[0], a[1], b[0], b[1]]));
}

// true: a CRC of 8 bits finds every error of a burst of 8 bits.
#[rebut::test]
fn changed_bytes_are_noticed(bytes: [u8; 3], at: u8, change: u8) {
    let crc = Crc::<u8>::new(&CRC_8_SMBUS);
    let mut changed = bytes;
    changed[usize::from(at % 3)] ^= change;
    assert_eq!(crc.checksum(&bytes) == crc.checksum(&changed), change == 0);
}

// false (easy): [1, 7]
#[rebut::test]
fn a_checksum_appended_gives_zero(bytes: [u8; 2]) {
    let crc = Crc::<u16>::new(&CRC_16_USB);
    let [low, high] = crc.checksum(&bytes).to_le_bytes();
    assert_eq!(crc.checksum(&[bytes[0], bytes[1], low, high]), 0);
}

// true: CRC-32 is linear in differences of messages of one length.
#[rebut::test]
fn differences_of_checksums_depend_on_differences_only(a: [u8; 2], b: [u8; 2]) {
    let crc = Crc::<u32>::new(&CRC_32_ISO_HDLC);
    let difference = [a[0] ^ b[0], a[1] ^ b[1]];
    let expected = crc.checksum(&difference) ^ crc.checksum(&[0, 0]);
    assert_eq!(crc.checksum(&a) ^ crc.checksum(&b), expected);
}
