//! Adaptors of iterators.

use itertools::{iproduct, izip, EitherOrBoth, Itertools, MinMaxResult, Position};
use rebut::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};

// expect: passed
#[rebut::test]
fn unique_keeps_first_occurrences(items: Vec<Option<i8>>) {
    let unique: Vec<_> = items.iter().copied().unique().collect();
    let mut seen = HashSet::new();
    let expected: Vec<_> = items.into_iter().filter(|item| seen.insert(*item)).collect();
    assert_eq!(unique, expected);
}

// `dedup` removes only neighbors.
// expect: failed
#[rebut::test]
fn dedup_is_unique(items: &[char], title: String) {
    let one: Vec<_> = items.iter().dedup().collect();
    let other: Vec<_> = items.iter().unique().collect();
    assert_eq!(one, other, "{title}");
}

// expect: passed
#[rebut::test]
fn interleaving_loses_nothing(left: Vec<u16>, right: Vec<u16>) {
    let mut all: Vec<u16> = left.iter().interleave(&right).copied().collect();
    let mut expected = [left, right].concat();
    all.sort();
    expected.sort();
    assert_eq!(all, expected);
}

// expect: passed
#[rebut::test]
fn combinations_are_counted(#[from(vecs(rebut::any::<u8>()).max_size(7))] items: Vec<u8>, #[from(0..8)] k: usize) -> bool {
    let n = items.len();
    let expected = if k > n { 0 } else { (0..k).fold(1, |product, at| product * (n - at) / (at + 1)) };
    items.iter().combinations(k).count() == expected
}

// expect: passed
#[rebut::test]
fn merging_sorted_lists_sorts(mut left: Vec<i32>, mut right: Vec<i32>) {
    left.sort();
    right.sort();
    let merged: Vec<i32> = left.iter().merge(&right).copied().collect();
    assert!(merged.is_sorted());
    assert_eq!(merged.len(), left.len() + right.len());
}

// Lists that are not sorted make a result that is not.
// expect: failed
#[rebut::test]
fn merging_lists_sorts(lists: Vec<Vec<u8>>) -> Result<(), Vec<u8>> {
    let merged: Vec<u8> = lists.into_iter().kmerge().collect();
    if merged.is_sorted() { Ok(()) } else { Err(merged) }
}

// A part that contains the separator comes back as two.
// expect: failed
#[rebut::test]
fn joined_text_can_be_split(parts: Vec<String>, separator: char) {
    let text = parts.iter().join(&separator.to_string());
    assert_eq!(text.split(separator).collect::<Vec<_>>(), parts);
}

// expect: passed
#[rebut::test]
fn minmax_agrees_with_min_and_max(items: Vec<(u8, bool)>) {
    let expected = (items.iter().min(), items.iter().max());
    match items.iter().minmax() {
        MinMaxResult::NoElements => assert!(items.is_empty()),
        MinMaxResult::OneElement(one) => assert_eq!((Some(one), Some(one)), expected),
        MinMaxResult::MinMax(min, max) => assert_eq!((Some(min), Some(max)), expected),
    }
}

// expect: failed
#[rebut::test]
fn groups_are_as_many_as_keys(words: Vec<&str>, pad: Option<i64>) {
    let groups = words.iter().chunk_by(|word| word.len());
    let keys = words.iter().map(|word| word.len()).unique().count();
    assert_eq!(groups.into_iter().count(), keys, "{pad:?}");
}

// expect: passed
#[rebut::test]
fn group_maps_have_every_item(items: Vec<(u8, char)>, key: impl Fn(u8) -> bool) {
    let groups: HashMap<bool, Vec<char>> = items.iter().map(|&(byte, c)| (key(byte), c)).into_group_map();
    let count: usize = groups.values().map(Vec::len).sum();
    assert_eq!(count, items.len());
}

// expect: failed: itertools: .zip_eq() reached end of one iterator before the other
#[rebut::test]
fn zip_eq_stops_at_the_shorter_list(left: BTreeMap<char, u8>, right: Vec<bool>) {
    assume!(!left.is_empty());
    assert!(left.iter().zip_eq(&right).count() <= left.len());
}

// expect: proved: 3125
#[rebut::test]
fn products_are_counted(#[from(0..5_u8)] a: u8, #[from(0..5_u8)] b: u8, #[from(0..5_u8)] c: u8, #[from(0..5_u8)] d: u8, #[from(0..5_u8)] e: u8) {
    assert_eq!(iproduct!(0..a, 0..b, 0..c).count(), usize::from(a * b * c));
    assert_eq!(izip!(0..a, 0..d, 0..e).count(), usize::from(a.min(d).min(e)));
}

// expect: passed
#[rebut::test]
fn positions_mark_both_ends(items: String) {
    for (nth, (position, _)) in items.chars().with_position().enumerate() {
        let last = items.chars().count() - 1;
        let is_first = matches!(position, Position { is_first: true, .. });
        assert_eq!(is_first, nth == 0);
        assert_eq!(position.is_last, nth == last);
    }
}

// The tuple is made of all items only if their number is a multiple of three.
// expect: failed
#[rebut::test]
fn tuples_lose_nothing(items: Vec<u32>) -> bool {
    items.iter().tuples::<(_, _, _)>().count() * 3 == items.len()
}

// expect: passed
#[rebut::test]
fn longest_zip_has_both(left: &[u8], right: &[u8]) {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    for pair in left.iter().zip_longest(right) {
        match pair {
            EitherOrBoth::Left(one) => a.push(*one),
            EitherOrBoth::Right(other) => b.push(*other),
            EitherOrBoth::Both(one, other) => {
                a.push(*one);
                b.push(*other);
            }
        }
    }
    assert_eq!((&a[..], &b[..]), (left, right));
}

/// Items that can be looked at before they are taken, as a parser does it.
#[derive(Debug)]
pub struct Lookahead {
    items: itertools::structs::MultiPeek<std::vec::IntoIter<u8>>,
    left: usize,
}

#[rebut::contract]
impl Lookahead {
    pub fn new(items: Vec<u8>) -> Lookahead {
        let left = items.len();
        Lookahead { items: itertools::multipeek(items), left }
    }

    #[ensures(result.is_some() == (old(self.left) > 0))]
    pub fn next(&mut self) -> Option<u8> {
        self.left = self.left.saturating_sub(1);
        self.items.next()
    }

    /// A plausible claim, but each call looks one item further.
    #[ensures(result.is_some() == (self.left > 0), "there is something to look at while something is left")]
    pub fn peek(&mut self) -> Option<u8> {
        self.items.peek().copied()
    }

    pub fn reset(&mut self) {
        self.items.reset_peek();
    }
}

// expect: failed: `Lookahead::peek` ensures
#[rebut::test]
fn peeking_changes_nothing(program: rebut::Program<Lookahead>) {
    program.run();
}
