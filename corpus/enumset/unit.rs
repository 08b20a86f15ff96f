//! Inside of the crate, which has no standard library.

extern crate std;

use crate::repr::EnumSetTypeRepr;
use std::vec::Vec;

// Both bits can be the same.
// expect: failed: right: 2
#[rebut::test]
fn two_bits_are_counted(#[from(..64_u8)] one: u8, #[from(..64_u8)] other: u8) {
    let mut bits = <u64 as EnumSetTypeRepr>::EMPTY;
    bits.add_bit(one.into());
    bits.add_bit(other.into());
    assert!(bits.has_bit(one.into()) && bits.has_bit(other.into()));
    assert_eq!(bits.count_ones(), 2);
}

// expect: failed: small
#[rebut::test]
fn numbers_fit_a_byte(list: Vec<u16>) {
    for number in &list {
        assert_eq!(<u8 as EnumSetTypeRepr>::try_from_u16(*number).is_some(), *number < 256);
    }
    assert!(list.iter().all(|number| *number < 256), "not all are small");
}
