//! Maps whose keys are ranges.

use rangemap::{RangeInclusiveMap, RangeInclusiveSet, RangeMap, RangeSet};
use rebut::prelude::*;
use std::ops::{Range, RangeInclusive};

// expect: passed
#[rebut::test]
fn behaves_like_an_array(#[from(vecs((ranges(0..40_usize), rebut::any::<bool>(), rebut::any::<u8>())))] inserts: Vec<(Range<usize>, bool, u8)>) {
    let mut map = RangeMap::new();
    let mut model = [None; 40];
    for (range, remove, value) in inserts {
        if range.is_empty() {
            continue;
        }
        model[range.clone()].fill(if remove { None } else { Some(value) });
        if remove {
            map.remove(range);
        } else {
            map.insert(range, value);
        }
    }
    for (key, value) in model.iter().enumerate() {
        assert_eq!(map.get(&key), value.as_ref());
    }
}

// An empty range is a panic, as documented.
// expect: failed: assertion failed: range.start < range.end
#[rebut::test]
fn any_range_can_be_inserted(range: Range<i16>, value: Option<String>) {
    let mut map = RangeMap::new();
    map.insert(range.clone(), value);
    assert!(map.contains_key(&range.start));
}

// Ranges with the same value grow together.
// expect: failed
#[rebut::test]
fn has_one_entry_for_each_insert(#[from(vecs((0..9_u8, rebut::any::<char>())))] starts: Vec<(u8, char)>) {
    let mut map = RangeMap::new();
    let mut count = 0;
    for (start, value) in starts {
        if !map.overlaps(&(start..start + 1)) {
            map.insert(start..start + 1, value);
            count += 1;
        }
    }
    assert_eq!(map.len(), count);
}

// expect: passed
#[rebut::test]
fn inclusive_ranges_reach_the_maximum(inserts: Vec<(RangeInclusive<u8>, bool)>) {
    let mut set = RangeInclusiveSet::new();
    let mut model = [false; 256];
    for (range, remove) in inserts {
        if range.is_empty() {
            continue;
        }
        for key in range.clone() {
            model[usize::from(key)] = !remove;
        }
        if remove {
            set.remove(range);
        } else {
            set.insert(range);
        }
    }
    for key in 0..=255 {
        assert_eq!(set.contains(&key), model[usize::from(key)], "{key}");
    }
}

// expect: passed
#[rebut::test]
fn gaps_are_what_is_missing(ranges: Vec<(u8, u8)>, outer: RangeInclusive<u8>) {
    assume!(!outer.is_empty());
    let set: RangeInclusiveSet<u8> =
        ranges.into_iter().filter(|(start, end)| start <= end).map(|(start, end)| start..=end).collect();
    let missing: Vec<u8> = set.gaps(&outer).flatten().collect();
    let expected: Vec<u8> = outer.clone().filter(|key| !set.contains(key)).collect();
    assert_eq!(missing, expected);
}

#[derive(Debug, Clone, PartialEq, Eq, rebut::Generate)]
enum Access {
    Denied,
    Allowed { user: Option<String>, until: u32 },
}

// expect: failed
#[rebut::test]
fn first_insert_wins(first: (u8, Access), second: (u8, Access)) {
    let mut map = RangeInclusiveMap::new();
    map.insert(first.0..=first.0, first.1.clone());
    map.insert(second.0..=second.0, second.1);
    assert_eq!(map.get(&first.0), Some(&first.1));
}

// expect: proved: 1331
#[rebut::test]
fn unions_are_those_of_their_parts(#[from(1..=11_u8)] a: u8, #[from(1..=11_u8)] b: u8, #[from(1..=11_u8)] c: u8) {
    let one: RangeSet<u8> = vec![0..a, a + 3..a + 5].into_iter().collect();
    let other: RangeSet<u8> = vec![b..b + c].into_iter().collect();
    let union: RangeSet<u8> = one.union(&other).collect();
    assert!((0..40).all(|key| union.contains(&key) == (one.contains(&key) || other.contains(&key))));
}

// At the end of its domain, a key has no successor.
// expect: proved: 510
#[rebut::test]
fn neighbors_coalesce(#[from(0..=254)] at: u8, value: bool) -> bool {
    let mut map = RangeInclusiveMap::new();
    map.insert(at..=at, value);
    map.insert(at + 1..=at + 1, value);
    map.len() == 1
}

// Texts that are two numbers with a dash are rare.
// expect: vacuous
#[rebut::test]
fn ports_can_be_written_as_a_range(text: String) {
    if let Some((start, end)) = text.split_once('-') {
        if let (Ok(start), Ok(end)) = (start.parse::<u16>(), end.parse::<u16>()) {
            let set: RangeInclusiveSet<u16> = vec![start..=end].into_iter().collect();
            assert!(set.contains(&start));
        }
    }
}

/// Leases of addresses.
#[derive(Debug)]
pub struct Leases {
    map: RangeMap<u16, u8>,
    count: usize,
}

#[rebut::contract]
#[invariant(self.map.iter().map(|(range, _)| range.len()).sum::<usize>() == self.count, "the count is right")]
impl Leases {
    pub fn new() -> Leases {
        Leases { map: RangeMap::new(), count: 0 }
    }

    #[requires(len > 0 && first < 1000)]
    #[ensures(result == !old(self.map.overlaps(&(first..first + u16::from(len)))))]
    pub fn lease(&mut self, first: u16, len: u8, to: u8) -> bool {
        let range = first..first + u16::from(len);
        if self.map.overlaps(&range) {
            return false;
        }
        self.count += usize::from(len);
        self.map.insert(range, to);
        true
    }

    /// Ends a lease. A mistake: neighbors with the same holder have become one range.
    #[ensures(result <= 255)]
    pub fn release(&mut self, address: u16) -> usize {
        let Some(range) = self.map.get_key_value(&address).map(|(range, _)| range.clone()) else { return 0 };
        self.map.remove(range.clone());
        self.count -= range.len();
        range.len()
    }
}

// Two neighbors of one holder can have 256 addresses together.
// expect: failed: result <= 255
#[rebut::test]
fn a_release_ends_one_lease(#[from(rebut::Program::any().max_size(30))] program: rebut::Program<Leases>) {
    program.run();
}
