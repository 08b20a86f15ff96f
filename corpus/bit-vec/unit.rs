//! Inside of the crate, of edition 2015.

extern crate rebut;

use super::*;
use std::prelude::v1::*;

// expect: passed
#[rebut::test]
fn blocks_are_rounded_up(bits: u16) {
    assert_eq!(blocks_for_bits::<u32>(bits as usize), (bits as usize + 31) / 32);
}

// No bits have the mask of a full block.
// expect: failed: right: 0
#[rebut::test]
fn masks_have_the_bits_of_the_last_block(bits: u16) {
    assert_eq!(mask_for_bits::<u32>(bits as usize).count_ones() as usize, bits as usize % 32);
}

// expect: proved: 256
#[rebut::test]
fn reversing_is_undone(byte: u8) -> bool {
    reverse_bits(reverse_bits(byte)) == byte
}

// expect: failed: ones < 5
#[rebut::test]
fn storage_has_no_other_bits(list: Vec<bool>, len: usize) {
    let mut bits: BitVec<u32> = list.iter().cloned().collect();
    bits.negate();
    bits.truncate(len);
    let ones: u32 = bits.storage().iter().map(|block| block.count_ones()).sum();
    assert_eq!(ones as usize, bits.iter().filter(|bit| *bit).count());
    assert!(ones < 5);
}

// expect: failed: attempt to shift left with overflow
#[rebut::test]
fn the_last_bit_is_in_the_mask(n: u32) {
    let last = 1u32 << n;
    assert!(mask_for_bits::<u32>(n as usize + 1) >= last);
}
