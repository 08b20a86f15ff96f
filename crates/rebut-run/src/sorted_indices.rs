//! Sorting, compiled once.
//!
//! The standard library's sort is compiled again for each type and order, a few thousand lines
//! each time. No list here is long enough for its speed to matter.

use std::cmp::Ordering;

/// Returns the indices of `len` items in sorted order. The sort is a stable merge sort.
pub(crate) fn sorted_indices(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    let mut width = 1;
    while width < len {
        let mut merged = Vec::with_capacity(len);
        while merged.len() < len {
            let mut left = merged.len();
            let middle = (left + width).min(len);
            let mut right = middle;
            let end = (middle + width).min(len);
            while merged.len() < end {
                let is_left =
                    right == end || (left < middle && compare(order[left], order[right]).is_le());
                let from = if is_left { &mut left } else { &mut right };
                merged.push(order[*from]);
                *from += 1;
            }
        }
        order = merged;
        width *= 2;
    }
    order
}

/// Returns the distinct numbers in sorted order.
pub(crate) fn distinct(numbers: &[i128]) -> Vec<i128> {
    let mut distinct = Vec::with_capacity(numbers.len());
    for n in sorted_indices(numbers.len(), &|a, b| numbers[a].cmp(&numbers[b])) {
        if distinct.last() != Some(&numbers[n]) {
            distinct.push(numbers[n]);
        }
    }
    distinct
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_as_the_standard_library_does() {
        let mut random = rebut_choice::Rng::new(1);
        for len in 0..100 {
            let items: Vec<i128> = (0..len).map(|_| random.between(0, 20)).collect();
            let mut expected: Vec<usize> = (0..items.len()).collect();
            expected.sort_by_key(|&n| items[n]);
            assert_eq!(sorted_indices(items.len(), &|a, b| items[a].cmp(&items[b])), expected);
            let mut expected = items.clone();
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(distinct(&items), expected);
        }
    }
}
