//! Sorting, which has as many paths as there are orders.

// true: the list is sorted.
#[rebut::test]
fn seven_numbers_are_sorted(numbers: [i32; 7]) {
    let mut sorted = numbers;
    sorted.sort();
    assert!(sorted.is_sorted());
}
