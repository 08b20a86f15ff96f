//! Vectors of bits.

use smallbitvec::SmallBitVec;

// true: bits are those that were pushed.
#[rebut::test]
fn bits_are_kept(bits: [bool; 6]) {
    let vector: SmallBitVec = bits.into_iter().collect();
    assert!(vector.iter().eq(bits));
}

// true: a bit that is set is set, and no other.
#[rebut::test]
fn set_bits_are_set(length: u8, at: u8, other: u8) {
    if at < length && other < length {
        let mut vector = SmallBitVec::from_elem(length.into(), false);
        vector.set(at.into(), true);
        assert_eq!(vector.get(other.into()), Some(at == other));
    }
}

// false (easy): 0
#[rebut::test]
fn vectors_are_not_all_true_and_all_false(length: u8) {
    let vector = SmallBitVec::from_elem(length.into(), true);
    assert!(!(vector.all_true() && vector.all_false()));
}

// true: the last pushed is popped.
#[rebut::test]
fn pushed_bits_are_popped(length: u8, bit: bool) {
    let mut vector = SmallBitVec::from_elem((length % 70).into(), !bit);
    vector.push(bit);
    assert_eq!(vector.pop(), Some(bit));
}
