//! Buffers of a fixed size.

use circular_buffer::FixedCircularBuffer;

// true: the last three are kept, in order.
#[rebut::test]
fn the_last_numbers_are_kept(numbers: [u16; 5]) {
    let mut buffer = FixedCircularBuffer::<u16, 3>::new();
    numbers.into_iter().for_each(|n| {
        buffer.push_back(n);
    });
    assert_eq!(buffer.to_vec(), numbers[2..]);
}

// true: what does not fit comes out.
#[rebut::test]
fn the_oldest_number_comes_out(numbers: [u32; 3]) {
    let mut buffer = FixedCircularBuffer::<u32, 2>::new();
    let out = numbers.map(|n| buffer.push_back(n));
    assert_eq!(out, [None, None, Some(numbers[0])]);
}

// false (easy): 1, 2, 3
#[rebut::test]
fn the_front_is_the_first_pushed(a: u8, b: u8, c: u8) {
    let mut buffer = FixedCircularBuffer::<u8, 2>::new();
    [a, b, c].into_iter().for_each(|n| {
        buffer.push_back(n);
    });
    assert_eq!(buffer.front(), Some(&a));
}

// true: the model pops from a list.
#[rebut::test]
fn fronts_and_backs_are_those_of_a_list(a: u8, b: u8, takes_front: bool) {
    let mut buffer = FixedCircularBuffer::<u8, 4>::new();
    buffer.push_back(a);
    buffer.push_front(b);
    let taken = if takes_front { buffer.pop_front() } else { buffer.pop_back() };
    assert_eq!(taken, Some(if takes_front { b } else { a }));
}
