//! Maps as lists.

use std::collections::BTreeMap;

use linear_map::LinearMap;

// true: the model is the map of the standard library.
#[rebut::test]
fn maps_are_as_the_model(entries: [(u8, u16); 3], key: u8) {
    let map: LinearMap<u8, u16> = entries.into_iter().collect();
    let model = BTreeMap::from(entries);
    assert_eq!(map.get(&key), model.get(&key));
    assert_eq!(map.len(), model.len());
}

// true: a removed key is no longer in the map.
#[rebut::test]
fn removed_keys_are_gone(a: u32, b: u32) {
    let mut map = LinearMap::new();
    map.insert(a, 1);
    map.insert(b, 2);
    assert!(map.remove(&a).is_some() && !map.contains_key(&a));
}

// false (easy): [1, 2, 3]
#[rebut::test]
fn removal_keeps_the_order(keys: [u8; 3]) {
    let mut map: LinearMap<u8, ()> = keys.into_iter().map(|key| (key, ())).collect();
    let mut expected: Vec<u8> = map.keys().copied().collect();
    map.remove(&keys[0]);
    expected.remove(0);
    assert_eq!(map.keys().copied().collect::<Vec<u8>>(), expected);
}
