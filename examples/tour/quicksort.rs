//! Story 3: a quicksort that is slow for a few of the 479,001,600 orders of twelve numbers.

use rebut::permutations;

// Counts the comparisons of a quicksort that uses the middle element as its pivot.
fn comparisons(list: &[u8]) -> usize {
    let Some(mid) = list.get(list.len() / 2) else { return 0 };
    let (low, high): (Vec<u8>, Vec<u8>) = list.iter().filter(|&n| n != mid).partition(|&n| n < mid);
    list.len() - 1 + comparisons(&low) + comparisons(&high)
}

#[rebut::test]
fn quicksort_is_quick(#[from(permutations(0..12u8))] list: Vec<u8>) {
    rebut::maximize(comparisons(&list));
    assert!(comparisons(&list) < 66);
}
