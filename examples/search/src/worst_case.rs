//! The slowest input of an algorithm.
//!
//! A sort that is quick on average may be slow on one input in a million, and whoever may
//! choose the input will choose that one. Time cannot be searched for, it is too noisy; but
//! comparisons can be counted.
//!
//! [`quicksort`] takes the median of the first, the middle and the last element as its pivot,
//! as many libraries did for decades, and as McIlroy's *A killer adversary for quicksort*
//! (1999) showed to be not enough. Random lists, and lists that are sorted or reversed, never
//! come near its worst case. [`rebut::maximize`] finds its way there.
//!
//! [`lookups`] is the hash table of the standard library under a hash function that many write
//! themselves: the one of Java's strings. The table takes the topmost seven bits of a hash to
//! avoid comparisons, and these are always zero here.

use std::cell::Cell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// Sorts a list; how many comparisons it took.
pub fn quicksort<T: Ord + Copy>(list: &mut [T]) -> u64 {
    let mut rest = list;
    let mut comparisons = 0;
    while rest.len() > 3 {
        let (at, cost) = partition(rest);
        comparisons += cost;
        let (left, right) = rest.split_at_mut(at);
        // The smaller side by recursion, so that the stack stays small.
        let (small, large) = if left.len() < right.len() {
            (left, &mut right[1..])
        } else {
            (&mut right[1..], left)
        };
        comparisons += quicksort(small);
        rest = large;
    }
    comparisons + insertion_sort(rest)
}

/// Moves what is smaller than the pivot before it; where the pivot is then.
fn partition<T: Ord + Copy>(list: &mut [T]) -> (usize, u64) {
    let last = list.len() - 1;
    let middle = last / 2;
    let mut cost = 0;
    for (a, b) in [(0, middle), (middle, last), (0, middle)] {
        cost += 1;
        if list[b] < list[a] {
            list.swap(a, b);
        }
    }
    // The last is not smaller than the pivot, so the pivot waits before it.
    list.swap(middle, last - 1);
    let pivot = list[last - 1];
    let mut at = 1;
    for nth in 1..last - 1 {
        cost += 1;
        if list[nth] < pivot {
            list.swap(at, nth);
            at += 1;
        }
    }
    list.swap(at, last - 1);
    (at, cost)
}

fn insertion_sort<T: Ord + Copy>(list: &mut [T]) -> u64 {
    let mut comparisons = 0;
    for end in 1..list.len() {
        for nth in (0..end).rev() {
            comparisons += 1;
            if list[nth] <= list[nth + 1] {
                break;
            }
            list.swap(nth, nth + 1);
        }
    }
    comparisons
}

/// Puts words into a hash table and looks each of them up; how many times two words were
/// compared.
#[expect(clippy::mutable_key_type, reason = "the counter is no part of what a key is")]
#[must_use]
pub fn lookups(words: &[String]) -> u64 {
    let comparisons = Cell::new(0);
    let mut table: HashMap<Word<'_>, usize, BuildHasherDefault<JavaHash>> =
        HashMap::with_capacity_and_hasher(words.len(), BuildHasherDefault::default());
    for (nth, text) in words.iter().enumerate() {
        table.insert(Word { text, comparisons: &comparisons }, nth);
    }
    for text in words {
        table.contains_key(&Word { text, comparisons: &comparisons });
    }
    comparisons.get()
}

/// A key that counts how often it is compared.
#[derive(Debug)]
struct Word<'a> {
    text: &'a str,
    comparisons: &'a Cell<u64>,
}

impl PartialEq for Word<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.comparisons.set(self.comparisons.get() + 1);
        self.text == other.text
    }
}

impl Eq for Word<'_> {}

impl Hash for Word<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write(self.text.as_bytes());
    }
}

/// `hash * 31 + byte`, in 32 bits.
#[derive(Debug, Default)]
struct JavaHash(u32);

impl Hasher for JavaHash {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.wrapping_mul(31).wrapping_add(u32::from(byte));
        }
    }

    fn finish(&self) -> u64 {
        u64::from(self.0)
    }
}
