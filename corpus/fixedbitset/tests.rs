//! A set of small numbers with a fixed length.

use fixedbitset::FixedBitSet;
use rebut::prelude::*;
use std::collections::BTreeSet;
use std::ops::Range;

fn build(len: u8, bits: &BTreeSet<u8>) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(len.into());
    set.extend(bits.iter().map(|&bit| usize::from(bit)));
    set
}

fn bits(set: &FixedBitSet) -> BTreeSet<u8> {
    set.ones().map(|bit| bit as u8).collect()
}

// expect: passed
#[rebut::test]
fn ones_are_the_inserted_bits(len: u8, numbers: BTreeSet<u8>) {
    let set = build(len, &numbers);
    assert_eq!(bits(&set), numbers);
    assert_eq!(set.count_ones(..), numbers.len());
}

// A defect: elements beyond the length of the other set do not count.
// expect: failed: assertion `left == right` failed
#[rebut::test]
fn counts_agree_with_sets(left: (u8, BTreeSet<u8>), right: (u8, BTreeSet<u8>)) {
    let (a, b) = (build(left.0, &left.1), build(right.0, &right.1));
    assert_eq!(a.union_count(&b), left.1.union(&right.1).count());
    assert_eq!(a.intersection_count(&b), left.1.intersection(&right.1).count());
    assert_eq!(a.difference_count(&b), left.1.difference(&right.1).count());
    assert_eq!(a.symmetric_difference_count(&b), left.1.symmetric_difference(&right.1).count());
}

// expect: passed
#[rebut::test]
fn operations_agree_with_sets(left: BTreeSet<u8>, right: BTreeSet<u8>, len: u8) {
    let (a, b) = (build(len, &left), build(0, &right));
    assert_eq!(bits(&(&a | &b)), &left | &right);
    assert_eq!(bits(&(&a & &b)), &left & &right);
    assert_eq!(bits(&(&a ^ &b)), &left ^ &right);
    assert_eq!(a.is_subset(&b), left.is_subset(&right));
    assert_eq!(a.is_disjoint(&b), left.is_disjoint(&right));
}

// Sets are equal only if their lengths are.
// expect: failed
#[rebut::test]
fn equal_bits_make_equal_sets(numbers: BTreeSet<u8>, len: u8, other_len: u8) -> bool {
    build(len, &numbers) == build(other_len, &numbers)
}

// expect: failed: exceeds fixedbitset size
#[rebut::test]
fn insert_makes_room(len: u8, bit: u8, enabled: bool) {
    let mut set = FixedBitSet::with_capacity(len.into());
    set.set(bit.into(), enabled);
    assert_eq!(set.contains(bit.into()), enabled);
}

// expect: proved: 1050
#[rebut::test]
fn ranges_count_their_bits(#[from(0..=20)] start: usize, #[from(0..50)] len: usize) {
    let mut set = FixedBitSet::with_capacity(70);
    set.insert_range(start..start + len);
    assert_eq!(set.count_ones(..), len);
    assert_eq!(set.contains_all_in_range(start..start + len), true);
    assert_eq!(set.minimum(), if len > 0 { Some(start) } else { None });
}

// The end of a range can be before its start.
// expect: failed: invalid range
#[rebut::test]
fn toggling_a_range_twice_changes_nothing(numbers: BTreeSet<u8>, range: Range<u8>) -> Result<(), BTreeSet<u8>> {
    let mut set = build(255, &numbers);
    let range = usize::from(range.start)..usize::from(range.end);
    set.toggle_range(range.clone());
    set.toggle_range(range);
    if bits(&set) == numbers { Ok(()) } else { Err(bits(&set)) }
}

// The number of bits and the number of ones are easy to confuse.
// expect: failed
#[rebut::test]
fn length_is_the_number_of_ones(#[from(btree_sets(..100_u8))] numbers: BTreeSet<u8>) {
    let set = build(0, &numbers);
    assert_eq!(set.len(), set.count_ones(..));
}

/// A set and its complement.
#[derive(Debug)]
pub struct Seats {
    free: FixedBitSet,
    taken: FixedBitSet,
}

#[rebut::contract]
#[invariant(self.free.is_disjoint(&self.taken))]
#[invariant(self.free.count_ones(..) + self.taken.count_ones(..) == 200, "each seat is free or taken")]
impl Seats {
    pub fn new() -> Seats {
        let mut free = FixedBitSet::with_capacity(200);
        free.toggle_range(..);
        Seats { free, taken: FixedBitSet::with_capacity(200) }
    }

    #[requires(seat < 200)]
    #[ensures(!self.free.contains(seat.into()))]
    #[ensures(result == old(self.free.contains(seat.into())))]
    pub fn take(&mut self, seat: u8) -> bool {
        self.free.remove(seat.into());
        !self.taken.put(seat.into())
    }

    /// Takes the first seat that is free.
    #[ensures(result.is_some() == (old(self.free.count_ones(..)) > 0))]
    pub fn take_any(&mut self) -> Option<usize> {
        let seat = self.free.minimum()?;
        self.free.remove(seat);
        self.taken.insert(seat);
        Some(seat)
    }

    #[requires(first <= last && last < 200)]
    #[ensures(self.taken.contains_all_in_range(usize::from(first)..usize::from(last) + 1))]
    pub fn take_group(&mut self, first: u8, last: u8) {
        self.free.remove_range(usize::from(first)..usize::from(last) + 1);
        self.taken.insert_range(usize::from(first)..usize::from(last) + 1);
    }

    pub fn swap(&mut self) {
        std::mem::swap(&mut self.free, &mut self.taken);
    }
}

// expect: passed
#[rebut::test]
fn seats_are_free_or_taken(program: rebut::Program<Seats>) {
    program.run();
}
