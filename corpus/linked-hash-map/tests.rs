//! A map that remembers the order of inserts. Edition 2015.

extern crate linked_hash_map;
extern crate rebut;

use linked_hash_map::{Entry, LinkedHashMap};
use std::collections::{HashMap, VecDeque};

// expect: passed
#[rebut::test]
fn a_second_insert_moves_a_key_to_the_back(pairs: Vec<(u8, Option<char>)>) {
    let mut map = LinkedHashMap::new();
    let mut model: VecDeque<(u8, Option<char>)> = VecDeque::new();
    for &(key, value) in &pairs {
        map.insert(key, value);
        model.retain(|&(known, _)| known != key);
        model.push_back((key, value));
    }
    assert!(map.into_iter().eq(model));
}

// An index map would keep the place.
// expect: failed
#[rebut::test]
fn a_second_insert_keeps_the_place(keys: Vec<i8>) {
    let mut map = LinkedHashMap::new();
    let mut order = Vec::new();
    for key in keys {
        if map.insert(key, ()).is_none() {
            order.push(key);
        }
    }
    assert_eq!(map.keys().cloned().collect::<Vec<_>>(), order);
}

// Equality is that of lists, not of maps.
// expect: failed
#[rebut::test]
fn equal_entries_make_equal_maps(entries: HashMap<String, u16>, label: char) {
    let map: LinkedHashMap<String, u16> = entries.into_iter().collect();
    let reversed: LinkedHashMap<String, u16> = map.clone().into_iter().rev().collect();
    assert!(map == reversed, "{}", label);
}

// expect: passed
#[rebut::test]
fn refreshing_moves_to_the_back(keys: Vec<u16>, key: u16) -> Result<(), u16> {
    let mut map: LinkedHashMap<u16, bool> = keys.into_iter().map(|key| (key, true)).collect();
    let len = map.len();
    if map.get_refresh(&key).is_some() {
        let last = map.back().map(|(last, _)| *last).ok_or(0_u16)?;
        if last != key || map.len() != len {
            return Err(last);
        }
    }
    Ok(())
}

#[derive(Debug, Clone, PartialEq, rebut::Generate)]
enum Step {
    Insert { key: u8, value: i32 },
    PopFront,
    PopBack,
    Entry(u8),
    Clear,
}

// expect: passed
#[rebut::test]
fn behaves_like_a_list(steps: Vec<Step>) {
    let mut map: LinkedHashMap<u8, i32> = LinkedHashMap::new();
    let mut list: Vec<(u8, i32)> = Vec::new();
    for step in steps {
        match step {
            Step::Insert { key, value } => {
                map.insert(key, value);
                list.retain(|pair| pair.0 != key);
                list.push((key, value));
            }
            Step::PopFront => {
                let first = if list.is_empty() { None } else { Some(list.remove(0)) };
                assert_eq!(map.pop_front(), first);
            }
            Step::PopBack => assert_eq!(map.pop_back(), list.pop()),
            Step::Entry(key) => match map.entry(key) {
                Entry::Occupied(entry) => {
                    let value = entry.remove();
                    assert!(list.contains(&(key, value)));
                    list.retain(|pair| pair.0 != key);
                }
                Entry::Vacant(entry) => {
                    entry.insert(0);
                    list.push((key, 0));
                }
            },
            Step::Clear => {
                map.clear();
                list.clear();
            }
        }
        assert!(map.iter().map(|(key, value)| (*key, *value)).eq(list.iter().cloned()));
    }
}

// A list that is ordered is not the largest if it is long.
// expect: failed
#[rebut::test]
fn longer_maps_are_greater(one: Vec<(bool, u8)>, other: Vec<(bool, u8)>) -> bool {
    let one: LinkedHashMap<bool, u8> = one.into_iter().collect();
    let other: LinkedHashMap<bool, u8> = other.into_iter().collect();
    one.len() <= other.len() || one > other
}

// expect: proved: 1024
#[rebut::test]
fn subsets_keep_their_order(bits: [bool; 10]) {
    let map: LinkedHashMap<usize, bool> =
        bits.iter().cloned().enumerate().filter(|&(_, bit)| bit).collect();
    let keys: Vec<usize> = map.keys().cloned().collect();
    assert!(keys.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(map.front().map(|(key, _)| *key), bits.iter().position(|&bit| bit));
}

/// Forgets the entry that was used least recently, and says so.
pub struct Cache {
    map: LinkedHashMap<u8, u8>,
    on_evict: Box<dyn FnMut(u8, u8)>,
}

#[rebut::contract]
#[invariant(self.map.len() <= 2)]
impl Cache {
    pub fn new(on_evict: Box<dyn FnMut(u8, u8)>) -> Cache {
        Cache { map: LinkedHashMap::new(), on_evict: on_evict }
    }

    #[ensures(self.map.back() == Some((&key, &value)))]
    pub fn put(&mut self, key: u8, value: u8) {
        self.map.insert(key, value);
        if self.map.len() > 2 {
            let (key, value) = self.map.pop_front().unwrap();
            (self.on_evict)(key, value);
        }
    }

    #[ensures(self.map.len() == old(self.map.len()))]
    #[ensures(result.is_none() || self.map.back().map(|(last, _)| *last) == Some(key), "a used entry is the last one")]
    pub fn get(&mut self, key: u8) -> Option<u8> {
        self.map.get(&key).cloned()
    }
}

// `get` does not move an entry, `get_refresh` does.
// expect: failed: `Cache::get` ensures `a used entry is the last one`
#[rebut::test]
fn cache_forgets_what_was_not_used(program: rebut::Program<Cache>) {
    program.run();
}
