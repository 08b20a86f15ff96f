//! Bugs in searching, sorting, merging and summing.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::Outcome;

/// Every element of a sorted list is found in it. Input: any list of any
/// integers; it is sorted first.
///
/// The bug: the upper end is taken as the last index but treated as one past.
pub fn binary_search_finds_every_element(list: &Vec<i32>) -> Outcome {
    let mut sorted = list.clone();
    sorted.sort_unstable();
    Outcome::held_if(list.iter().all(|x| contains(&sorted, *x)))
}

fn contains(sorted: &[i32], target: i32) -> bool {
    let (mut low, mut high) = (0, sorted.len().saturating_sub(1));
    while low < high {
        let middle = low + (high - low) / 2;
        match sorted[middle].cmp(&target) {
            Ordering::Equal => return true,
            Ordering::Less => low = middle + 1,
            Ordering::Greater => high = middle,
        }
    }
    false
}

/// Sorting keeps every element. Input: any list of any integers.
///
/// The bug: what equals the pivot is in neither half.
pub fn quicksort_sorts(list: &Vec<i32>) -> Outcome {
    let mut sorted = list.clone();
    sorted.sort_unstable();
    Outcome::held_if(quicksort(list) == sorted)
}

fn quicksort(list: &[i32]) -> Vec<i32> {
    let Some((pivot, rest)) = list.split_first() else {
        return Vec::new();
    };
    let part = |keep: Ordering| -> Vec<i32> {
        rest.iter()
            .copied()
            .filter(|x| x.cmp(pivot) == keep)
            .collect()
    };
    let mut sorted = quicksort(&part(Ordering::Less));
    sorted.push(*pivot);
    sorted.extend(quicksort(&part(Ordering::Greater)));
    sorted
}

/// Run-length coding is lossless. Input: any list of runs, each any byte and a
/// length in `0..=300`.
///
/// The bug: a run's length is counted in a byte.
pub fn run_length_round_trips(runs: &Vec<(u8, u16)>) -> Outcome {
    let expand = |(byte, length): &(u8, u16)| vec![*byte; usize::from(*length)];
    let bytes: Vec<u8> = runs.iter().flat_map(expand).collect();
    Outcome::held_if(decode_runs(&encode_runs(&bytes)) == bytes)
}

fn encode_runs(bytes: &[u8]) -> Vec<(u8, u8)> {
    let mut runs: Vec<(u8, u8)> = Vec::new();
    for byte in bytes {
        match runs.last_mut() {
            Some((last, length)) if last == byte => *length = length.wrapping_add(1),
            _ => runs.push((*byte, 1)),
        }
    }
    runs
}

fn decode_runs(runs: &[(u8, u8)]) -> Vec<u8> {
    runs.iter()
        .flat_map(|(byte, length)| vec![*byte; usize::from(*length)])
        .collect()
}

/// Merged intervals neither overlap nor touch. Input: any list of pairs of any
/// bytes, each a start and a length; the empty ones are dropped.
///
/// The bug: the comparison that should join touching intervals is strict.
pub fn merged_intervals_are_apart(intervals: &Vec<(u8, u8)>) -> Outcome {
    let bounds =
        |(start, length): &(u8, u8)| (u16::from(*start), u16::from(*start) + u16::from(*length));
    let mut bounds: Vec<_> = intervals
        .iter()
        .map(bounds)
        .filter(|(a, b)| a < b)
        .collect();
    bounds.sort_unstable();
    let merged = merge(&bounds);
    Outcome::held_if(merged.windows(2).all(|pair| pair[0].1 < pair[1].0))
}

fn merge(sorted: &[(u16, u16)]) -> Vec<(u16, u16)> {
    let mut merged: Vec<(u16, u16)> = Vec::new();
    for (start, end) in sorted {
        match merged.last_mut() {
            Some(last) if *start < last.1 => last.1 = last.1.max(*end),
            _ => merged.push((*start, *end)),
        }
    }
    merged
}

/// A duplicate is noticed wherever it is. Input: any list of any bytes.
///
/// The bug: only the last few elements are remembered.
pub fn duplicates_are_noticed(list: &Vec<u8>) -> Outcome {
    let distinct: BTreeSet<_> = list.iter().collect();
    Outcome::held_if(has_duplicate(list) == (distinct.len() < list.len()))
}

fn has_duplicate(list: &[u8]) -> bool {
    const REMEMBERED: usize = 7;
    list.iter().enumerate().any(|(i, x)| {
        let start = i.saturating_sub(REMEMBERED);
        list[start..i].contains(x)
    })
}

/// The checksum of a list is its sum. Input: any list of any integers.
///
/// The bug: a list longer than one block loses its incomplete last block.
pub fn block_checksum_is_the_sum(list: &Vec<i32>) -> Outcome {
    Outcome::held_if(checksum(list) == sum(list))
}

fn checksum(list: &[i32]) -> i32 {
    const BLOCK: usize = 64;
    if list.len() <= BLOCK {
        return sum(list);
    }
    list.chunks_exact(BLOCK).map(sum).fold(0, i32::wrapping_add)
}

fn sum(list: &[i32]) -> i32 {
    list.iter().fold(0, |sum, x| sum.wrapping_add(*x))
}
