//! Maps that are looked up in both directions.

use bimap::{BiBTreeMap, BiHashMap, BiMap, Overwritten};
use rebut::prelude::*;
use std::collections::{BTreeMap, HashMap};

// expect: passed
#[rebut::test]
fn the_newest_pair_is_found_both_ways(pairs: Vec<(u8, Option<char>)>) {
    let mut map = BiMap::new();
    for (left, right) in pairs {
        map.insert(left, right);
        assert_eq!(map.get_by_left(&left), Some(&right));
        assert_eq!(map.get_by_right(&right), Some(&left));
    }
}

// A pair can take the place of two others.
// expect: failed
#[rebut::test]
fn inserting_never_shrinks(pairs: &[(u8, i8)]) {
    let mut map: BiBTreeMap<u8, i8> = BiBTreeMap::new();
    let mut len = 0;
    for &(left, right) in pairs {
        map.insert(left, right);
        assert!(map.len() >= len, "{} after {len}", map.len());
        len = map.len();
    }
}

/// What is known about an insertion.
fn check_overwritten(before: usize, after: usize, overwritten: Overwritten<u16, u16>) {
    let gone = match overwritten {
        Overwritten::Neither => 0,
        Overwritten::Left(..) | Overwritten::Right(..) | Overwritten::Pair(..) => 1,
        Overwritten::Both(one, other) => {
            assert_ne!(one, other, "the same pair twice");
            2
        }
    };
    assert_eq!(before + 1 - gone, after);
}

// expect: passed
#[rebut::test]
fn overwritten_counts(#[from(vecs((0..6_u16, 0..6_u16)))] pairs: Vec<(u16, u16)>) {
    let mut map = BiHashMap::new();
    for (left, right) in pairs {
        let before = map.len();
        let overwritten = map.insert(left, right);
        check_overwritten(before, map.len(), overwritten);
    }
}

// Two keys can have one value.
// expect: failed: is taken
#[rebut::test]
fn every_map_is_bijective(map: HashMap<String, u8>) -> Result<(), String> {
    let mut both = BiMap::new();
    for (name, number) in &map {
        both.insert_no_overwrite(name.as_str(), *number).map_err(|(_, number)| format!("{number} is taken"))?;
    }
    assert_eq!(both.len(), map.len());
    Ok(())
}

// The first pair has nothing to overwrite.
// expect: vacuous
#[rebut::test]
fn the_first_insert_overwrites_two(left: u16, right: &str) {
    let mut map = BiMap::new();
    if let Overwritten::Both(one, other) = map.insert(left, right) {
        assert_ne!(one, other);
    }
}

// expect: proved: 36
#[rebut::test]
fn no_overwrite_keeps_the_first(pairs: [(bool, Option<bool>); 2]) {
    let [first, second] = pairs;
    let mut map = BiMap::new();
    assert!(map.insert_no_overwrite(first.0, first.1).is_ok());
    match map.insert_no_overwrite(second.0, second.1) {
        Ok(()) => assert_eq!(map.len(), 2),
        Err(pair) => assert!(pair == second && map.len() == 1),
    }
    assert_eq!(map.get_by_left(&first.0), Some(&first.1));
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Generate)]
enum Key {
    Id(u8),
    Name { first: String, last: Option<String> },
    Nested(Box<Key>),
}

// expect: passed
#[rebut::test]
fn both_kinds_of_maps_agree(operations: Vec<Result<(Key, i8), Key>>) {
    let mut hash = BiHashMap::new();
    let mut tree = BiBTreeMap::new();
    operations.into_iter().for_each(|operation| match operation {
        Ok((key, number)) => assert_eq!(hash.insert(key.clone(), number), tree.insert(key, number)),
        Err(key) => assert_eq!(hash.remove_by_left(&key), tree.remove_by_left(&key)),
    });
    assert_eq!(hash.len(), tree.len());
}

// Only the left values are keys of the original map.
// expect: failed
#[rebut::test]
fn iteration_follows_the_right_values(keys: BTreeMap<Key, (i8, bool)>) -> bool {
    let map: BiBTreeMap<Key, (i8, bool)> = keys.into_iter().collect();
    map.iter().map(|(_, right)| *right).is_sorted()
}

// expect: failed
#[rebut::test]
fn removing_by_left_keeps_every_other_right(pairs: Vec<(Key, Option<Option<u8>>)>, #[from(0..pairs.len().max(1))] at: usize) {
    let mut map: BiHashMap<Key, Option<Option<u8>>> = pairs.iter().cloned().collect();
    let Some((key, _)) = pairs.get(at) else { return };
    map.remove_by_left(key);
    for (other, right) in &pairs {
        if other != key {
            assert_eq!(map.get_by_right(right), Some(other));
        }
    }
}

/// The functions of a map, with a claim about each.
#[rebut::contract(of = BiBTreeMap<u8, i8>)]
pub trait Pairs {
    fn new() -> Self;

    #[ensures(self.get_by_left(&left) == Some(&right))]
    #[ensures(self.len() >= old(self.len()), "inserting does not remove")]
    fn insert(&mut self, left: u8, right: i8) -> Overwritten<u8, i8>;

    #[ensures(!self.contains_left(left))]
    #[ensures(self.len() + usize::from(result.is_some()) == old(self.len()))]
    fn remove_by_left(&mut self, left: &u8) -> Option<(u8, i8)>;

    #[ensures(result.is_none_or(|right| self.get_by_right(right) == Some(left)))]
    fn get_by_left(&self, left: &u8) -> Option<&i8>;

    #[ensures(self.len() <= old(self.len()))]
    fn retain(&mut self, keep: impl FnMut(&u8, &i8) -> bool);

    fn len(&self) -> usize;
}

// expect: failed: inserting does not remove
#[rebut::test]
fn pairs_keep_their_contract(program: rebut::Program<Pairs>) {
    program.run();
}

/// Names and their numbers.
#[derive(Debug, Default)]
pub struct Registry {
    map: BiMap<String, u16>,
    refused: usize,
}

#[rebut::contract]
#[invariant(self.map.left_values().all(|name| !name.is_empty()), "no name is empty")]
impl Registry {
    pub fn new() -> Registry {
        Registry::default()
    }

    #[requires(!name.is_empty())]
    #[ensures(result.is_err() || self.map.get_by_left(name) == Some(&id))]
    pub fn register(&mut self, name: &str, id: u16) -> Result<(), (String, u16)> {
        self.map.insert_no_overwrite(name.to_owned(), id).inspect_err(|_| self.refused += 1)
    }

    #[ensures(result.is_none_or(|name| self.id_of(name) == Some(id)))]
    pub fn name_of(&self, id: u16) -> Option<&str> {
        self.map.get_by_right(&id).map(String::as_str)
    }

    pub fn id_of(&self, name: &str) -> Option<u16> {
        self.map.get_by_left(name).copied()
    }

    pub fn rename(&mut self, id: u16, change: &dyn Fn(&str) -> String) {
        if let Some((name, id)) = self.map.remove_by_right(&id) {
            self.map.insert(change(&name), id);
        }
    }

    #[ensures(self.map.len() <= old(self.map.len() + names.len()))]
    pub fn extend(&mut self, names: Vec<&str>, first: u16) {
        for (name, id) in names.into_iter().filter(|name| !name.is_empty()).zip(first..) {
            self.map.insert(name.to_owned(), id);
        }
    }
}

// The new name can be empty.
// expect: failed: no name is empty
#[rebut::test]
fn registry_keeps_its_contract(program: rebut::Program<Registry>) {
    program.run();
}
