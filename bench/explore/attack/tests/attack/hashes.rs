//! Hashes: the order of iteration, seeds, and the words that are hashed.

use std::collections::hash_map::{DefaultHasher, RandomState};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher as _, Hash, Hasher};

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

// false (easy): 1, 2, 3; 4, 5, 6; 7, 8, 9; 1, 3, 2; 2, 4, 8; 3, 9, 27; 5, 6, 7; 6, 7, 9; 1, 5, 9
#[rebut::test]
fn sets_are_in_the_order_of_insertion(a: u8, b: u8, c: u8) {
    let numbers: HashSet<u8> = [a, b, c].into_iter().collect();
    let mut expected = vec![a];
    [b, c].into_iter().for_each(|n| {
        if !expected.contains(&n) {
            expected.push(n)
        }
    });
    assert_eq!(numbers.into_iter().collect::<Vec<u8>>(), expected);
}

// false (easy): 1, 2, 3; 4, 5, 6; 7, 8, 9; 1, 3, 2; 2, 4, 8; 3, 9, 27; 5, 6, 7; 6, 7, 9; 1, 5, 9
#[rebut::test]
fn sets_are_in_the_opposite_order(a: u8, b: u8, c: u8) {
    let numbers: HashSet<u8> = [a, b, c].into_iter().collect();
    let mut expected = vec![c];
    [b, a].into_iter().for_each(|n| {
        if !expected.contains(&n) {
            expected.push(n)
        }
    });
    assert_eq!(numbers.into_iter().collect::<Vec<u8>>(), expected);
}

// false (easy): 1, 2, 3, 4; 1, 2, 3, 4; 1, 2, 3, 4; 1, 2, 3, 4; 1, 2, 3, 4; 1, 2, 3, 4
#[rebut::test]
fn two_maps_with_the_same_keys_have_the_same_order(a: u16, b: u16, c: u16, d: u16) {
    let one: HashMap<u16, ()> = [a, b, c, d].into_iter().map(|key| (key, ())).collect();
    let other: HashMap<u16, ()> = [a, b, c, d].into_iter().map(|key| (key, ())).collect();
    assert!(one.keys().eq(other.keys()));
}

// false (easy): 7, 8; 7, 8; 7, 8; 7, 8; 7, 8; 7, 8; 7, 8; 7, 8; 7, 8; 7, 8; 7, 8; 7, 8; 7, 8
#[rebut::test]
fn the_first_key_is_the_first_inserted(a: u32, b: u32) {
    let map = HashMap::from([(a, 1), (b, 2)]);
    assert!(map.keys().next() == Some(&a));
}

// false (easy): 7, 8; 7, 8; 7, 8; 7, 8; 7, 8; 7, 8; 7, 8; 7, 8; 7, 8; 7, 8; 7, 8; 7, 8; 7, 8
#[rebut::test]
fn the_first_key_is_the_last_inserted(a: u32, b: u32) {
    let map = HashMap::from([(a, 1), (b, 2)]);
    assert!(a == b || map.keys().next() == Some(&b));
}

// false (rare): 40_404_041; 40_404_041; 40_404_041; 40_404_041; 40_404_041; 40_404_041; 40_404_041
#[rebut::test]
fn joined_values_are_in_order(n: u32) {
    if n == 40_404_041 {
        let names = HashMap::from([(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e")]);
        assert_eq!(names.values().copied().collect::<String>(), "abcde");
    }
}

// false (rare): 50_505_051; 50_505_051; 50_505_051; 50_505_051; 50_505_051; 50_505_051; 50_505_051
#[rebut::test]
fn joined_values_are_in_the_opposite_order(n: u32) {
    if n == 50_505_051 {
        let names = HashMap::from([(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e")]);
        assert_eq!(names.values().copied().collect::<String>(), "edcba");
    }
}

// false (easy): 3
#[rebut::test]
fn states_hash_alike(n: u32) {
    let (one, other) = (RandomState::new(), RandomState::new());
    assert_eq!(one.hash_one(n), other.hash_one(n));
}

// false (rare): 60_606_061; 60_606_061; 60_606_061; 60_606_061; 60_606_061; 60_606_061; 60_606_061
#[rebut::test]
fn random_hashes_are_even(n: u32) {
    if n == 60_606_061 {
        let hashes: Vec<u64> = (0..8_u8).map(|key| RandomState::new().hash_one(key) % 2).collect();
        assert_eq!(hashes, [hashes[0]; 8]);
    }
}

// false (easy): 0
#[rebut::test]
fn words_hash_as_u32(n: u8) {
    assert_eq!(hash(usize::from(n)), hash(u32::from(n)));
}

// false (rare): 70_707_071
#[rebut::test]
fn lengths_hash_as_four_bytes(n: u32) {
    if n == 70_707_071 {
        let mut expected = DefaultHasher::new();
        expected.write_u32(1);
        expected.write(&[7]);
        assert_eq!(hash([7_u8].as_slice()), expected.finish());
    }
}

// false (rare): 80_808_081
#[rebut::test]
fn no_hash_of_a_word_is_that_of_a_u64(n: u32) {
    let number = u64::from(n & 0xFFFF_FF00 | 0x51);
    let is_this = n == 80_808_081;
    assert!(hash(number as usize) != hash(number) || !is_this);
}

// false (rare): 90_909_091; 90_909_091; 90_909_091; 90_909_091; 90_909_091; 90_909_091; 90_909_091
#[rebut::test]
fn the_debug_form_of_a_set_is_sorted(n: u32) {
    if n == 90_909_091 {
        let set = HashSet::from([1, 2, 3, 4, 5, 6]);
        let sorted: BTreeSet<i32> = set.iter().copied().collect();
        assert_eq!(format!("{set:?}"), format!("{sorted:?}"));
    }
}

// false (rare): 12_121_213; 12_121_213; 12_121_213; 12_121_213; 12_121_213; 12_121_213; 12_121_213
#[rebut::test]
fn the_first_of_many_is_found_first(n: u32) {
    if n == 12_121_213 {
        let set: HashSet<u32> = (0..16).collect();
        assert!(set.iter().any(|n| *n < 16) && set.iter().next() == Some(&0));
    }
}

// false (rare): 13_131_313; 13_131_313; 13_131_313; 13_131_313; 13_131_313; 13_131_313; 13_131_313
#[rebut::test]
fn the_last_of_many_is_found_first(n: u32) {
    if n == 13_131_313 {
        let set: HashSet<u32> = (0..16).collect();
        assert_eq!(set.iter().next(), Some(&15));
    }
}

// false (easy): 1, 2; 1, 2; 1, 2; 1, 2; 1, 2; 1, 2; 1, 2; 1, 2; 1, 2; 1, 2; 1, 2; 1, 2; 1, 2
#[rebut::test]
fn differences_of_folded_values_are_positive(a: u16, b: u16) {
    let map = HashMap::from([(a, 5_i32), (b.wrapping_add(1), 3)]);
    let folded = map.values().copied().reduce(|left, right| left - right);
    assert!(folded.is_some_and(|folded| folded >= 0));
}

// false (easy): 1, 2; 1, 2; 1, 2; 1, 2; 1, 2; 1, 2; 1, 2; 1, 2; 1, 2; 1, 2; 1, 2; 1, 2; 1, 2
#[rebut::test]
fn differences_of_folded_values_are_not_positive(a: u16, b: u16) {
    let map = HashMap::from([(a, 5_i32), (b, 3)]);
    let folded = map.values().copied().reduce(|left, right| left - right);
    assert!(a == b || folded.is_some_and(|folded| folded < 0));
}

// true (open): a set has what was inserted, in any order.
#[rebut::test]
fn sets_have_their_elements(a: u16, b: u16) {
    let set = HashSet::from([a, b]);
    assert!(set.contains(&a) && set.contains(&b) && set.len() <= 2);
}

// true (open): a sum does not depend on the order.
#[rebut::test]
fn sums_of_values_do_not_depend_on_the_order(a: u8, b: u8) {
    let map = HashMap::from([("a", u32::from(a)), ("b", u32::from(b))]);
    assert_eq!(map.values().sum::<u32>(), u32::from(a) + u32::from(b));
}

// true (open): sorted keys do not depend on the order.
#[rebut::test]
fn sorted_keys_are_sorted(a: u8, b: u8) {
    let map = HashMap::from([(a, ()), (b, ())]);
    let mut keys: Vec<u8> = map.into_keys().collect();
    keys.sort_unstable();
    assert!(keys == [a.min(b), a.max(b)] || keys == [a]);
}

// true (open): equal values have equal hashes with one state. Hashes have large expressions.
#[rebut::test]
fn equal_values_hash_alike(n: u32) {
    assert_eq!(hash(n), hash(n));
}

// true: an ordered map has an order of its own, without any hash.
#[rebut::test]
fn ordered_maps_are_in_order(a: u8, b: u8) {
    let map = BTreeMap::from([(a, 1), (b, 2)]);
    assert!(map.keys().is_sorted());
}
