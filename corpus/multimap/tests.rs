extern crate multimap;
extern crate rebut;

use multimap::MultiMap;
use rebut::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};

// expect: passed
#[rebut::test]
fn inserted_values_are_found(pairs: Vec<(u8, String)>) {
    let map: MultiMap<u8, String> = pairs.iter().cloned().collect();
    for (key, value) in &pairs {
        assert!(map.get_vec(key).unwrap().contains(value));
    }
}

// Removing takes all values of a key.
// expect: failed
#[rebut::test]
fn removing_takes_one_value(key: u8, values: Vec<char>) {
    let mut map = MultiMap::new();
    map.insert_many(key, values.clone());
    let before = map.flat_iter().count();
    if map.remove(&key).is_some() {
        assert_eq!(map.flat_iter().count() + 1, before);
    }
}

// `len` counts keys.
// expect: failed
#[rebut::test]
fn len_counts_values(pairs: Vec<(Option<bool>, u16)>) -> bool {
    let count = pairs.len();
    let map: MultiMap<Option<bool>, u16> = pairs.into_iter().collect();
    map.len() == count
}

// The first value is returned, not the last one.
// expect: failed
#[rebut::test]
fn get_returns_the_last_value(mut values: HashMap<u8, Vec<i16>>, key: u8, value: i16) {
    let mut map: MultiMap<u8, i16> = values.drain().filter(|(_, list)| !list.is_empty()).collect();
    map.insert(key, value);
    assert_eq!(map.get(&key), Some(&value), "{:?}", map);
}

// An entry with an empty list.
// expect: failed
#[rebut::test]
fn get_never_panics(lists: BTreeMap<u8, Vec<u8>>) {
    let map: MultiMap<u8, u8> = lists.iter().map(|(key, list)| (*key, list.clone())).collect();
    for key in lists.keys() {
        let _ = map.get(key);
        let _ = map[key];
    }
}

// Equality ignores the order of insertion of keys, but not that of values.
// expect: failed
#[rebut::test]
fn equality_ignores_the_order_of_insertion(pairs: Vec<(bool, u8)>) {
    let one: MultiMap<bool, u8> = pairs.iter().cloned().collect();
    let other: MultiMap<bool, u8> = pairs.iter().rev().cloned().collect();
    assert_eq!(one, other);
}

// expect: passed
#[rebut::test]
fn retain_keeps_what_the_closure_accepts(pairs: Vec<(i8, i8)>, bound: i8) {
    let mut map: MultiMap<i8, i8> = pairs.into_iter().collect();
    map.retain(|key, value| key < &bound || *value == bound);
    for (key, value) in map.flat_iter() {
        assert!(*key < bound || *value == bound);
    }
}

// expect: passed
#[rebut::test]
fn a_vector_has_two_values(key: &str, one: (u8, Option<char>), more: Result<u8, String>) {
    let mut map: MultiMap<String, u8> = MultiMap::default();
    map.insert(key.to_string(), one.0);
    assert!(!map.is_vec(key));
    match more {
        Ok(value) => map.insert(key.into(), value),
        Err(_) => return,
    }
    assert!(map.is_vec(key), "{:?}", one.1);
}

// expect: proved: 256
#[rebut::test]
fn an_entry_inserts_once(key: u8) {
    let mut map = MultiMap::new();
    {
        let value = map.entry(key).or_insert(key);
        *value = value.wrapping_add(1);
    }
    map.entry(key).or_insert(0);
    assert_eq!(map.get_vec(&key), Some(&vec![key.wrapping_add(1)]));
}

// Keys are removed first.
// expect: vacuous
#[rebut::test]
fn removed_keys_have_positive_values(pairs: Vec<(u8, i32)>, key: u8) {
    let mut map: MultiMap<u8, i32> = pairs.into_iter().collect();
    map.remove(&key);
    if let Some(list) = map.get_vec(&key) {
        assert!(list.iter().all(|value| *value > 0));
    }
}

/// An index of words, by their first characters.
#[derive(Debug, Default)]
pub struct Index<V: Clone + PartialEq> {
    map: MultiMap<u8, V>,
    count: usize,
}

#[rebut::contract(with(V = String))]
#[model(Model<String>, self.count() == model.count())]
impl<V: Clone + PartialEq + std::fmt::Debug> Index<V> {
    pub fn new() -> Index<V> {
        Index { map: MultiMap::new(), count: 0 }
    }

    pub fn add(&mut self, key: u8, value: V) {
        self.map.insert(key, value);
        self.count += 1;
    }

    pub fn first(&self, key: u8) -> Option<&V> {
        self.map.get(&key)
    }

    pub fn drop_key(&mut self, key: &u8) -> usize {
        let gone = self.map.remove(key).map_or(0, |list| list.len());
        self.count -= gone;
        gone
    }

    #[ensures(self.count <= old(self.count))]
    pub fn drop_values(&mut self, value: V) {
        self.map.retain(|_, other| *other != value);
        self.count = self.map.flat_iter().count();
    }

    pub fn is_single(&self, key: u8) -> bool {
        !self.map.is_vec(&key)
    }

    pub fn count(&self) -> usize {
        self.count
    }
}

/// The same as a list. Its `is_single` wants one value.
#[derive(Default)]
pub struct Model<V> {
    pairs: Vec<(u8, V)>,
}

impl<V: Clone + PartialEq> Model<V> {
    fn new() -> Model<V> {
        Model { pairs: Vec::new() }
    }

    fn add(&mut self, key: u8, value: V) {
        self.pairs.push((key, value));
    }

    fn first(&self, key: u8) -> Option<&V> {
        self.pairs.iter().find(|pair| pair.0 == key).map(|pair| &pair.1)
    }

    fn drop_key(&mut self, key: &u8) -> usize {
        let before = self.pairs.len();
        self.pairs.retain(|pair| pair.0 != *key);
        before - self.pairs.len()
    }

    fn drop_values(&mut self, value: V) {
        self.pairs.retain(|pair| pair.1 != value);
    }

    fn is_single(&self, key: u8) -> bool {
        self.pairs.iter().filter(|pair| pair.0 == key).count() == 1
    }

    fn count(&self) -> usize {
        self.pairs.len()
    }
}

// A key without values is none that is a vector.
// expect: failed: broken model: `Index::is_single` returns
#[rebut::test]
fn indexes_match_lists(program: rebut::Program<Index<String>>) {
    program.run();
}

// expect: passed
#[rebut::test]
fn keys_are_unique(lists: Vec<(char, &[u8])>) {
    let mut map = MultiMap::new();
    for (key, list) in &lists {
        map.insert_many_from_slice(*key, list);
    }
    let keys: HashSet<char> = map.keys().cloned().collect();
    assert_eq!(keys.len(), map.len());
    cover!("two keys", map.len() > 1);
    let total: usize = lists.iter().map(|(_, list)| list.len()).sum();
    assert_eq!(map.flat_iter().count(), total);
}
