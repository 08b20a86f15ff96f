//! Maps and sets that remember the order of inserts.

use indexmap::{IndexMap, IndexSet};
use rebut::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};

// expect: passed
#[rebut::test]
fn keeps_the_order_of_first_inserts(pairs: Vec<(u8, String)>) {
    let map: IndexMap<u8, String> = pairs.iter().cloned().collect();
    let mut seen = HashSet::new();
    let order: Vec<u8> = pairs.iter().map(|(key, _)| *key).filter(|key| seen.insert(*key)).collect();
    assert!(map.keys().copied().eq(order));
}

// expect: passed
#[rebut::test]
fn equals_any_map_with_the_same_entries(entries: HashMap<char, Option<i16>>) -> bool {
    let map: IndexMap<_, _> = entries.clone().into_iter().collect();
    let mut reversed = map.clone();
    reversed.reverse();
    map == reversed && reversed.len() == entries.len()
}

// Maps are equal in any order, but their slices are not.
// expect: failed
#[rebut::test]
fn equal_maps_have_equal_slices(pairs: Vec<(bool, char)>, by: Option<u8>) {
    let map: IndexMap<bool, char> = pairs.into_iter().collect();
    let mut other = map.clone();
    other.sort_by(|one, _, two, _| two.cmp(one));
    assert_eq!(map, other);
    assert_eq!(map.as_slice(), other.as_slice(), "{by:?}");
}

// expect: failed
#[rebut::test]
fn swap_remove_keeps_the_order(keys: &[i8], victim: i8) {
    let mut set: IndexSet<i8> = keys.iter().copied().collect();
    let expected: Vec<i8> = set.iter().copied().filter(|key| *key != victim).collect();
    set.swap_remove(&victim);
    assert_eq!(set.into_iter().collect::<Vec<_>>(), expected);
}

// expect: passed
#[rebut::test]
fn shift_remove_keeps_the_order(keys: &[i8], victim: i8) {
    let mut set: IndexSet<i8> = keys.iter().copied().collect();
    let expected: Vec<i8> = set.iter().copied().filter(|key| *key != victim).collect();
    set.shift_remove(&victim);
    assert_eq!(set.into_iter().collect::<Vec<_>>(), expected);
}

// expect: passed
#[rebut::test]
fn sorted_map_is_a_btree_map(entries: BTreeMap<(u8, bool), Vec<u8>>) {
    let mut map: IndexMap<_, _> = entries.clone().into_iter().rev().collect();
    map.sort_unstable_keys();
    for (index, (key, value)) in entries.iter().enumerate() {
        assert_eq!(map.get_index(index), Some((key, value)));
        assert_eq!(map.binary_search_keys(key), Ok(index));
    }
}

#[derive(Debug, Clone, Hash, PartialEq, Eq, rebut::Generate)]
enum Name {
    Anonymous,
    Number(u16),
    Text { first: String, last: Option<char> },
}

// The first key stays, the last value wins.
// expect: failed
#[rebut::test]
fn first_value_wins(entries: Vec<(Name, u8)>, name: Name) {
    let map: IndexMap<Name, u8> = entries.iter().cloned().collect();
    let first = entries.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    assert_eq!(map.get(&name).copied(), first);
}

// expect: passed
#[rebut::test]
fn set_operations_are_those_of_hash_set(left: HashSet<u8>, right: HashSet<u8>) -> Result<(), &'static str> {
    let (a, b): (IndexSet<u8>, IndexSet<u8>) = (left.iter().copied().collect(), right.iter().copied().collect());
    let check = |fine: bool, what| if fine { Ok(()) } else { Err(what) };
    check(a.union(&b).copied().collect::<HashSet<_>>() == &left | &right, "union")?;
    check(a.intersection(&b).copied().collect::<HashSet<_>>() == &left & &right, "intersection")?;
    check(a.is_subset(&b) == left.is_subset(&right), "subset")
}

// expect: failed: out of bounds
#[rebut::test]
fn move_index_never_panics(#[from(hash_maps(rebut::any::<char>(), 0..9_u8).min_size(1))] entries: HashMap<char, u8>, from: u8, to: u8) {
    let mut map: IndexMap<char, u8> = entries.into_iter().collect();
    let len = map.len();
    map.move_index(usize::from(from) % len, to.into());
    assert_eq!(map.len(), len);
}

/// A cache that forgets what was used least recently.
pub struct Lru {
    entries: IndexMap<u8, u16>,
}

#[rebut::contract]
#[invariant(self.entries.len() <= 3)]
impl Lru {
    pub fn new() -> Lru {
        Lru { entries: IndexMap::new() }
    }

    #[ensures(self.entries.last() == Some((&key, &value)), "the new entry is the last one")]
    pub fn put(&mut self, key: u8, value: u16) -> Option<u16> {
        let before = self.entries.insert(key, value);
        if self.entries.len() > 3 {
            self.entries.shift_remove_index(0);
        }
        before
    }

    #[ensures(result.is_none() || self.entries.last().map(|(last, _)| *last) == Some(key))]
    pub fn get(&mut self, key: u8) -> Option<u16> {
        let (_, key, value) = self.entries.shift_remove_full(&key).map(|(at, key, value)| (at, key, value))?;
        self.entries.insert(key, value);
        Some(value)
    }

    /// Calls back for each entry, the oldest first.
    pub fn visit(&self, mut visit: impl FnMut(u8, u16)) {
        self.entries.iter().for_each(|(key, value)| visit(*key, *value));
    }
}

// `insert` of a known key leaves it where it was.
// expect: failed: `Lru::put` ensures `the new entry is the last one`
#[rebut::test]
fn least_recently_used_entries_go_first(program: rebut::Program<Lru>) {
    program.run();
}
