//! Sets of small numbers that grow.

use bit_set::BitSet;
use std::collections::{BTreeSet, HashSet};

fn of(numbers: &BTreeSet<u16>) -> BitSet {
    numbers.iter().map(|&number| usize::from(number)).collect()
}

// expect: passed
#[rebut::test]
fn iterates_in_order(numbers: HashSet<u16>) {
    let set: BitSet = numbers.iter().map(|&number| number.into()).collect();
    let mut sorted: Vec<usize> = numbers.into_iter().map(usize::from).collect();
    sorted.sort_unstable();
    assert!(set.iter().eq(sorted));
}

// expect: passed
#[rebut::test]
fn laws_of_de_morgan(a: BTreeSet<u16>, b: BTreeSet<u16>, c: BTreeSet<u16>) {
    let (a, b, c) = (of(&a), of(&b), of(&c));
    let mut union = b.clone();
    union.union_with(&c);
    let left: Vec<usize> = a.difference(&union).collect();
    let mut both: BitSet = a.difference(&b).collect();
    let second: BitSet = a.difference(&c).collect();
    both.intersect_with(&second);
    assert_eq!(left, both.iter().collect::<Vec<_>>());
}

// Sets are equal whatever their capacities are.
// expect: passed
#[rebut::test]
fn equality_ignores_the_capacity(numbers: BTreeSet<u16>, room: u16) -> bool {
    let mut set = BitSet::with_capacity(room.into());
    set.extend(numbers.iter().map(|&number| usize::from(number)));
    set == of(&numbers) && of(&numbers) == set
}

// expect: failed
#[rebut::test]
fn removing_makes_a_set_smaller(numbers: BTreeSet<u16>, number: u16) {
    let mut set = of(&numbers);
    let before = set.count();
    set.remove(number.into());
    assert!(set.count() < before, "{} of {}", set.count(), before);
}

// Bytes are read from the highest bit on.
// expect: failed
#[rebut::test]
fn bytes_are_read_from_the_lowest_bit(bytes: &[u8], index: usize) -> Result<(), usize> {
    let set = BitSet::from_bytes(bytes);
    if bytes.is_empty() {
        return Ok(());
    }
    let index = index % (8 * bytes.len());
    let bit = bytes[index / 8] >> (index % 8) & 1 == 1;
    if set.contains(index) == bit { Ok(()) } else { Err(index) }
}

// expect: failed
#[rebut::test]
fn the_largest_number_can_be_inserted(small: Vec<u8>, huge: bool) {
    let mut set: BitSet = small.iter().map(|&number| number.into()).collect();
    let number = if huge { usize::MAX } else { 0 };
    assert!(set.insert(number) || small.contains(&0));
}

// expect: proved: 512
#[rebut::test]
fn inserting_twice_is_inserting_once(number: u8, other: bool) {
    let mut set = BitSet::new();
    if other {
        set.insert(100);
    }
    assert_eq!(set.insert(number.into()), !(other && number == 100));
    assert!(!set.insert(number.into()));
}

// `truncate` excludes the element itself.
// expect: failed
#[rebut::test]
fn truncate_keeps_the_element(mut numbers: BTreeSet<u16>, last: u16, _why: Option<&str>) {
    numbers.insert(last);
    let mut set = of(&numbers);
    set.truncate(last.into());
    assert_eq!(set.contains(last.into()), true);
}

/// Numbers that are handed out, and their sum as a check.
#[derive(Debug, Clone)]
pub struct Ids {
    used: BitSet,
}

/// Is asked which numbers are allowed.
#[rebut::contract]
pub trait Policy {
    /// Whether a number may be used.
    fn allows(&self, number: u8) -> bool;
}

#[rebut::contract]
impl Ids {
    pub fn new() -> Ids {
        Ids { used: BitSet::new() }
    }

    /// Uses the first number that the policy allows.
    #[ensures(result.is_none() || old(self.clone()).is_free(result.unwrap()))]
    #[ensures(result.is_none() || policy.allows(result.unwrap()), "only allowed numbers are used")]
    pub fn take(&mut self, policy: &dyn Policy) -> Option<u8> {
        let number = (0..=255).find(|&number| self.is_free(number) && policy.allows(number))?;
        self.used.insert(number.into());
        Some(number)
    }

    #[ensures(self.is_free(number))]
    pub fn release(&mut self, number: u8) -> bool {
        self.used.remove(number.into())
    }

    pub fn is_free(&self, number: u8) -> bool {
        !self.used.contains(number.into())
    }
}

// The policy can change its mind between two questions.
// expect: failed: `Ids::take` ensures `only allowed numbers are used`
#[rebut::test]
fn ids_follow_the_policy(program: rebut::Program<Ids>) {
    program.run();
}
