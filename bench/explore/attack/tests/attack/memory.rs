//! Limits of memory: what can be allocated here and not in 32 bits, or there and not here.

use std::alloc::{Layout, alloc, dealloc};

/// Returns whether this number of bytes can be allocated.
fn can_be_allocated(size: usize, align: usize) -> bool {
    let Ok(layout) = Layout::from_size_align(size, align) else { return false };
    if size == 0 {
        return true;
    }
    // SAFETY: the layout has a size, and the memory is freed as it was allocated.
    unsafe {
        let memory = alloc(layout);
        if memory.is_null() {
            return false;
        }
        dealloc(memory, layout);
    }
    true
}

// false (rare): 2_494_383
#[rebut::test]
fn five_gigabytes_cannot_be_allocated(n: u32) {
    if n == 2_494_383 {
        assert!(!can_be_allocated(5_000_000_000_u64 as usize, 8));
    }
}

// false (rare): 2_516_582
#[rebut::test]
fn three_gigabytes_cannot_be_reserved(n: u32) {
    if n == 2_516_582 {
        let mut text = String::new();
        assert!(text.try_reserve_exact(3_000_000_000).is_err());
    }
}

// false (rare): 2_538_971
#[rebut::test]
fn wide_elements_overflow_at_a_billion(n: u32) {
    if n == 2_538_971 {
        let mut list: Vec<u64> = Vec::new();
        assert!(list.try_reserve_exact(1_000_000_000).is_err());
    }
}

// false (hidden): 2_561_111_111
#[rebut::test]
fn no_layout_is_larger_than_two_gigabytes(size: u32) {
    let size = Layout::from_size_align(size as usize, 1).map_or(0, |layout| layout.size());
    assert_ne!(size, 2_561_111_111);
}

// false (rare): 2_583_333
#[rebut::test]
fn lists_grow_by_doubling_to_an_overflow(n: u32) {
    if n == 2_583_333 {
        let mut list: Vec<u8> = Vec::new();
        let grown = (10..34).all(|power| list.try_reserve(1 << power).is_ok());
        assert!(!grown);
    }
}

// true: small layouts exist and can be allocated everywhere.
#[rebut::test]
fn small_blocks_can_be_allocated(size: u8) {
    assert!(can_be_allocated(usize::from(size), 8));
}

// true: a list has room for what was reserved.
#[rebut::test]
fn reserved_room_is_there(count: u8) {
    let mut list: Vec<u8> = Vec::new();
    assert!(list.try_reserve(usize::from(count)).is_ok());
    assert!(list.capacity() >= usize::from(count));
}
