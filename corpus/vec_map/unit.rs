//! Inside of the crate, of edition 2015.

extern crate rebut;

use super::*;

// expect: passed
#[rebut::test]
fn counter_is_the_number_of_values(entries: Vec<(u8, bool)>) {
    let mut map = VecMap::new();
    for (key, keep) in entries {
        if keep {
            map.insert(key as usize, key);
        } else {
            map.remove(key as usize);
        }
    }
    assert_eq!(map.n, map.v.iter().filter(|value| value.is_some()).count());
}

// The vector is not shortened when its last value goes.
// expect: failed
#[rebut::test]
fn vector_ends_with_a_value(keys: &[u8], gone: u8) -> bool {
    let mut map: VecMap<()> = keys.iter().map(|&key| (key as usize, ())).collect();
    map.remove(gone as usize);
    map.v.last().map_or(true, |last| last.is_some())
}
