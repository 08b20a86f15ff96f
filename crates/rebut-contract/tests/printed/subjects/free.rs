//! Free functions.

use std::collections::{BTreeMap, HashSet};

use crate::fault::tick;

#[rebut::contract]
#[requires(b != 0, "no zero")]
#[ensures(result < 100)]
pub fn divide(a: u8, b: u8) -> u8 {
    tick("divide");
    a / b
}

#[rebut::contract]
#[requires(list.iter().all(|n| *n < 200) && !list.is_empty())]
pub fn largest(list: &[u8], n: u8) -> u8 {
    tick("largest");
    list.iter().copied().max().unwrap_or(n)
}

#[rebut::contract]
pub fn count(map: &BTreeMap<u8, String>, set: HashSet<u8>) -> usize {
    tick("count");
    map.len() + set.len()
}

#[rebut::contract]
#[must_use]
pub fn pairs((a, b): (u8, u8), [c, d]: [u8; 2]) -> Vec<(u8, u8)> {
    tick("pairs");
    vec![(a, c), (b, d)]
}

#[rebut::contract]
#[requires(matches!(maybe, Some(n) if *n > 0) || number == 0)]
pub fn option(maybe: &Option<u8>, number: u16) -> Option<Result<u16, String>> {
    tick("option");
    maybe.map(|n| Ok(u16::from(n).wrapping_add(number)))
}

#[rebut::contract]
pub fn nested(option: Option<Result<u16, String>>, mut n: u16) -> u16 {
    tick("nested");
    n = n.wrapping_add(1);
    option.and_then(Result::ok).unwrap_or(n)
}
