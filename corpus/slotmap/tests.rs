//! Maps that hand out keys with a version.

use rebut::prelude::*;
use slotmap::{DefaultKey, DenseSlotMap, HopSlotMap, Key, KeyData, SecondaryMap, SlotMap};
use std::collections::HashMap;
use std::ffi::{CStr, CString};

#[derive(Debug, Clone, Copy, PartialEq, Generate)]
enum Op {
    Insert(i16),
    Remove(u8),
    Get(u8),
    #[generate(weight = 2)]
    Clear,
    Detach {
        nth: u8,
    },
}

#[derive(Debug, Clone, Generate)]
struct Script {
    ops: Vec<Op>,
    #[generate(1..=3)]
    rounds: u8,
}

fn run(script: &Script) -> (SlotMap<DefaultKey, i16>, HashMap<DefaultKey, i16>) {
    let (mut map, mut model, mut keys) = (SlotMap::new(), HashMap::new(), Vec::new());
    for op in (0..script.rounds).flat_map(|_| &script.ops) {
        match *op {
            Op::Insert(value) => {
                let key = map.insert(value);
                assert!(model.insert(key, value).is_none(), "{:?} twice", key);
                keys.push(key);
            }
            Op::Remove(nth) if !keys.is_empty() => {
                let key = keys[usize::from(nth) % keys.len()];
                assert_eq!(map.remove(key), model.remove(&key));
            }
            Op::Remove(_) => {}
            Op::Get(nth) => {
                if let Some(key) = keys.get(usize::from(nth)) {
                    assert_eq!(map.get(*key), model.get(key));
                }
            }
            Op::Clear => {
                map.clear();
                model.clear();
            }
            Op::Detach { nth } => {
                if let Some(key) = keys.get(usize::from(nth)) {
                    assert_eq!(map.detach(*key), model.remove(key));
                }
            }
        }
    }
    (map, model)
}

// expect: passed
#[rebut::test]
fn slot_map_agrees_with_a_model(script: Script) {
    let (map, model) = run(&script);
    assert_eq!(map.len(), model.len());
    for (key, value) in &map {
        assert_eq!(model.get(&key), Some(value));
    }
}

// The version of a key in use is odd.
// expect: failed: 4294967296
#[rebut::test]
fn key_data_round_trips(number: u64) {
    assert_eq!(KeyData::from_ffi(number).as_ffi(), number);
}

// The null key has the largest index.
// expect: failed: returned false
#[rebut::test]
fn keys_of_numbers_are_not_null(#[from(0xFFFF_FF00..=0xFFFF_FFFF_u64)] number: u64) -> bool {
    !DefaultKey::from(KeyData::from_ffi(number)).is_null()
}

// expect: failed: all of 3 kept
#[rebut::test]
fn retain_keeps_all(values: Vec<u8>, keep: fn(u8) -> bool) {
    let mut map: HopSlotMap<DefaultKey, u8> = HopSlotMap::new();
    for value in &values {
        map.insert(*value);
    }
    map.retain(|_, value| keep(*value));
    let kept: Vec<u8> = values.iter().copied().filter(|value| keep(*value)).collect();
    assert_eq!(map.values().copied().collect::<Vec<_>>(), kept);
    assert!(map.len() == values.len() || values.len() < 3, "all of {} kept", values.len());
}

// Removing moves the last element.
// expect: failed
#[rebut::test]
fn dense_map_keeps_the_order(values: Vec<(char, bool)>) {
    let mut map = DenseSlotMap::new();
    let keys: Vec<DefaultKey> = values.iter().map(|value| map.insert(*value)).collect();
    for (key, value) in keys.iter().zip(&values) {
        if value.1 {
            map.remove(*key).unwrap();
        }
    }
    let kept: Vec<_> = values.iter().copied().filter(|value| !value.1).collect();
    assert_eq!(map.values().copied().collect::<Vec<_>>(), kept);
}

// expect: failed: percent in
#[rebut::test]
fn secondary_texts_have_no_percent(values: Vec<Option<String>>) {
    let (mut map, mut texts) = (SlotMap::new(), SecondaryMap::new());
    for value in &values {
        let key = map.insert(());
        if let Some(value) = value {
            texts.insert(key, value.clone());
        }
    }
    assert_eq!(texts.len(), values.iter().flatten().count());
    let text: String = texts.values().map(String::as_str).collect();
    assert!(!text.contains('%'), "percent in {:?}", text);
}

// expect: passed
#[rebut::test]
fn detached_slots_are_not_used_again(first: u8, second: u8) {
    let mut map = SlotMap::new();
    let key: DefaultKey = map.insert(first);
    map.detach(key);
    let other = map.insert(second);
    map.reattach(key, first);
    assert_eq!((map[key], map[other]), (first, second));
}

// Both can be the same key.
// expect: failed: got.is_some()
#[rebut::test]
fn two_keys_are_disjoint(one: u8, other: u8) {
    let mut map = SlotMap::new();
    let keys: Vec<DefaultKey> = (0..=255_u8).map(|value| map.insert(value)).collect();
    let got = map.get_disjoint_mut([keys[usize::from(one)], keys[usize::from(other)]]);
    assert!(got.is_some());
}

// In edition 2018, `c"a"` is not a literal.
// expect: failed
#[rebut::test]
fn c_strings_are_stored_once(one: CString, other: &CStr) {
    let mut map: SlotMap<DefaultKey, CString> = SlotMap::new();
    let keys = [map.insert(one), map.insert(other.to_owned())];
    assert!(map[keys[0]].as_bytes().is_empty() || map[keys[1]].as_bytes().is_empty());
}

// expect: failed: index out of bounds
#[rebut::test]
fn every_number_is_an_index(nth: usize) {
    let mut map: SlotMap<DefaultKey, usize> = SlotMap::new();
    let keys = [map.insert(0), map.insert(1), map.insert(2)];
    assert_eq!(map[keys[nth]], nth);
}
