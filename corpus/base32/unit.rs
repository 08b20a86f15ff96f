//! Inside of the crate, which has no standard library.

extern crate rebut;
extern crate std;

use self::rebut::prelude::*;
use self::std::boxed::Box;
use super::*;

// Both cases are read.
// expect: failed
#[rebut::test]
fn crockford_tables_are_inverse(c: char) {
    let index = (c.to_ascii_uppercase() as usize).wrapping_sub('0' as usize);
    assume!(index < 43);
    if CROCKFORD_INV[index] >= 0 {
        assert_eq!(CROCKFORD[CROCKFORD_INV[index] as usize] as char, c);
    }
}

// The padding is a letter of one of them.
// expect: failed
#[rebut::test]
fn tables_with_padding_agree(#[from(..75_u8)] index: u8, lower: bool) {
    let plain = if lower { RFC4648_INV_LOWER } else { RFC4648_INV };
    let padded = if lower { RFC4648_INV_LOWER_PAD } else { RFC4648_INV_PAD };
    assert_eq!(plain[index as usize], padded[index as usize]);
}

// expect: passed
#[rebut::test]
fn z_has_no_upper_case(data: &[u8]) -> bool {
    let text = encode(Alphabet::Z, data);
    text == text.to_ascii_lowercase()
}

// The last letter can have fewer bits.
// expect: failed
#[rebut::test]
fn lengths_are_rounded_down(data: Vec<u8>, more: Option<Box<u8>>) {
    let mut data = data;
    data.extend(more.map(|more| *more));
    assert_eq!(encode(Alphabet::Crockford, &data).len(), data.len() * 8 / 5);
}

// expect: failed
#[rebut::test]
fn boxes_have_full_groups(lists: Box<[Vec<u8>]>, last: Box<u8>) {
    let mut whole = lists.concat();
    whole.push(*last);
    assert!(encode(Alphabet::Z, &whole).len() % 8 == 0);
}
