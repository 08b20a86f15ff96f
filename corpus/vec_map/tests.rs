//! A map with small numbers as keys. Edition 2015.

extern crate rebut;
extern crate vec_map;

use rebut::prelude::*;
use std::collections::{BTreeMap, HashMap};
use vec_map::VecMap;

fn build(entries: &BTreeMap<u16, char>) -> VecMap<char> {
    entries.iter().map(|(&key, &value)| (key as usize, value)).collect()
}

// expect: passed
#[rebut::test]
fn iterates_like_a_btree_map(entries: BTreeMap<u16, char>) {
    let map = build(&entries);
    assert_eq!(map.len(), entries.len());
    assert!(map.iter().map(|(key, value)| (key as u16, *value)).eq(entries));
}

// expect: passed
#[rebut::test]
fn splitting_and_appending_is_the_identity(entries: BTreeMap<u16, char>, at: u16) -> bool {
    let mut map = build(&entries);
    let mut rest = map.split_off(at as usize);
    assert!(map.keys().all(|key| key < at as usize) && rest.keys().all(|key| key >= at as usize));
    map.append(&mut rest);
    map == build(&entries) && rest.is_empty()
}

// The first entry of a key is the old one.
// expect: failed
#[rebut::test]
fn inserting_returns_the_new_value(key: u8, old: Option<String>, new: Option<String>) {
    let mut map = VecMap::new();
    map.insert(key as usize, old);
    assert_eq!(map.insert(key as usize, new.clone()), Some(new));
}

// The capacity depends on keys, not on the number of entries.
// expect: failed
#[rebut::test]
fn capacity_is_small_for_few_entries(entries: HashMap<u16, (u8, u8)>) {
    assume!(entries.len() < 10);
    let map: VecMap<(u8, u8)> = entries.into_iter().map(|(key, value)| (key as usize, value)).collect();
    assert!(map.capacity() < 100, "{} entries", map.len());
}

// expect: failed
#[rebut::test]
fn the_largest_key_can_be_inserted(values: Vec<i32>, huge: bool) {
    let mut map: VecMap<i32> = values.iter().cloned().enumerate().collect();
    map.insert(if huge { usize::max_value() } else { values.len() }, 0);
    assert_eq!(map.len(), values.len() + 1);
}

// expect: passed
#[rebut::test]
fn entries_count_letters(text: String) -> Result<(), String> {
    let mut counts = VecMap::new();
    for c in text.chars().filter(|&c| c < '\u{100}') {
        *counts.entry(c as usize).or_insert(0) += 1;
    }
    for (key, &count) in &counts {
        let expected = text.chars().filter(|&c| c as usize == key).count();
        if count != expected {
            return Err(format!("{} has {}", key, count));
        }
    }
    Ok(())
}

// expect: proved: 640
#[rebut::test]
fn removing_gives_what_was_inserted(#[from(0..64_usize)] key: usize, #[from(0..10)] value: i8) {
    let mut map = VecMap::with_capacity(key);
    map.insert(key, value);
    assert_eq!(map.remove(key), Some(value));
    assert_eq!(map.remove(key), None);
    assert!(map.is_empty());
}

// Maps are ordered by their entries, as lists of pairs.
// expect: failed
#[rebut::test]
fn maps_with_more_entries_are_greater(one: BTreeMap<u16, char>, other: BTreeMap<u16, char>) {
    let (a, b) = (build(&one), build(&other));
    if a.len() > b.len() {
        assert!(a > b);
    }
}

/// A map next to a model.
pub struct Table {
    map: VecMap<u8>,
}

#[rebut::contract]
#[model(BTreeMap<usize, u8>, self.map.len() == model.len())]
impl Table {
    pub fn new() -> Table {
        Table { map: VecMap::new() }
    }

    #[requires(key < 1000)]
    pub fn insert(&mut self, key: usize, value: u8) -> Option<u8> {
        self.map.insert(key, value)
    }

    #[model(model.remove(&key))]
    pub fn remove(&mut self, key: usize) -> Option<u8> {
        self.map.remove(key)
    }

    #[model(model.keys().next_back().cloned())]
    pub fn last(&self) -> Option<usize> {
        self.map.keys().next_back()
    }

    pub fn clear(&mut self) {
        self.map.clear()
    }
}

// expect: passed
#[rebut::test]
fn table_agrees_with_a_btree_map(program: rebut::Program<Table>) {
    program.run();
}
