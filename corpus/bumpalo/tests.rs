//! Properties next to a macro with the name of `vec!`.

#[allow(unused_imports)]
use bumpalo::vec;

use bumpalo::Bump;
use bumpalo::collections::{String as Text, Vec as List};
use rebut::prelude::*;
use std::alloc::Layout;

#[derive(Debug, Clone, PartialEq, Generate)]
enum Op {
    Push(u16),
    Pop,
    Insert { at: usize, value: u16 },
    Truncate(u8),
    Extend(Vec<u16>),
    Retain,
}

// expect: failed: seven in [7]
#[rebut::test]
fn lists_agree_with_vectors(ops: Vec<Op>) {
    let bump = Bump::new();
    let (mut list, mut model) = (List::new_in(&bump), Vec::new());
    for op in ops {
        match op {
            Op::Push(value) => {
                list.push(value);
                model.push(value);
            }
            Op::Pop => assert_eq!(list.pop(), model.pop()),
            Op::Insert { at, value } if at <= model.len() => {
                list.insert(at, value);
                model.insert(at, value);
            }
            Op::Insert { .. } => {}
            Op::Truncate(len) => {
                list.truncate(len.into());
                model.truncate(len.into());
            }
            Op::Extend(values) => {
                list.extend(values.iter().copied());
                model.extend(values);
            }
            Op::Retain => {
                list.retain(|value| value % 2 == 0);
                model.retain(|value| value % 2 == 0);
            }
        }
        assert_eq!(list.as_slice(), model.as_slice());
    }
    assert!(model.iter().all(|value| *value != 7), "seven in {model:?}");
}

// expect: passed
#[rebut::test]
fn allocations_are_aligned(sizes: Vec<(u8, u8)>) {
    let bump = Bump::new();
    for (size, shift) in sizes {
        let layout = Layout::from_size_align(size.into(), 1 << (shift % 8)).unwrap();
        let at = bump.alloc_layout(layout).as_ptr() as usize;
        assert_eq!(at % layout.align(), 0);
    }
}

// The place can be inside of a character.
// expect: failed: is_char_boundary
#[rebut::test]
fn texts_are_split_anywhere(parts: Vec<&str>, at: u8) {
    let bump = Bump::new();
    let mut text = Text::new_in(&bump);
    for part in &parts {
        text.push_str(part);
    }
    let rest = text.split_off(usize::from(at).min(text.len()));
    assert_eq!(format!("{text}{rest}"), parts.concat());
}

// expect: passed
#[rebut::test]
fn copies_are_equal(data: &[Option<char>], text: &str) -> Result<(), std::fmt::Error> {
    use std::fmt::Write as _;
    let bump = Bump::with_capacity(data.len());
    let copy = bump.alloc_slice_copy(data);
    let mut written = Text::new_in(&bump);
    write!(written, "{}", bump.alloc_str(text))?;
    assert_eq!((&*copy, written.as_str()), (data, text));
    Ok(())
}

// Memory is taken in pieces of several bytes.
// expect: failed: is enough for
#[rebut::test]
fn limits_are_exact(limit: Option<u16>, size: u16) {
    let bump = Bump::new();
    bump.set_allocation_limit(limit.map(usize::from));
    match bump.try_alloc_layout(Layout::from_size_align(size.into(), 1).unwrap()) {
        Ok(_) => assert!(limit.is_none_or(|limit| limit >= size)),
        Err(_) => {
            assert!(limit.is_some_and(|limit| limit < size), "{limit:?} is enough for {size}")
        }
    }
}

// expect: failed: reason
#[rebut::test]
fn filling_fails_for_a_reason(count: u8, make: Box<dyn Fn(usize) -> Result<u8, bool>>) {
    let bump = Bump::new();
    match bump.alloc_slice_try_fill_with(usize::from(count), |at| make(at)) {
        Ok(slice) => assert_eq!(slice.len(), usize::from(count)),
        Err(reason) => assert!(reason),
    }
}

// expect: failed
#[rebut::test]
fn drained_parts_are_sorted(
    values: Vec<i8>,
    #[from(0..=values.len())] from: usize,
    #[from(from..=values.len())] to: usize,
) {
    let bump = Bump::new();
    let mut list = List::from_iter_in(values.iter().copied(), &bump);
    let drained: Vec<i8> = list.drain(from..to).collect();
    assert_eq!(drained, values[from..to]);
    assert!(to - from < 3 || drained[0] <= drained[2]);
}

// The replacement of a byte has three.
// expect: failed
#[rebut::test]
fn lossy_texts_are_not_longer(bytes: Vec<u8>) {
    let bump = Bump::new();
    let text = Text::from_utf8_lossy_in(&bytes, &bump);
    assert_eq!(text.as_str(), String::from_utf8_lossy(&bytes));
    assert!(text.len() <= bytes.len());
}

// One piece of memory is kept.
// expect: failed
#[rebut::test]
fn resetting_frees_memory(sizes: Vec<u16>) {
    let mut bump = Bump::new();
    for size in &sizes {
        bump.alloc_slice_fill_copy(usize::from(*size), 0_u8);
    }
    let before = bump.allocated_bytes();
    bump.reset();
    assert!(bump.allocated_bytes() <= before);
    assert!(sizes.len() < 2 || bump.allocated_bytes() < before, "{before}");
}

// Here, `vec!` makes a list in an arena.
// expect: failed
#[rebut::test]
fn nested_lists_are_short(lists: Vec<Vec<bool>>, more: Option<Vec<u8>>) {
    let bump = Bump::new();
    let list = vec![in &bump; lists.concat().len(), more.map_or(0, |more| more.len())];
    assert!(list[0] < 2 || list[1] < 2);
}

// expect: failed: attempt to shift left with overflow
#[rebut::test]
fn every_power_of_two_is_allocated(power: u32) {
    let size = 1_u32 << power;
    let layout = Layout::from_size_align(size as usize % 1024, 1).unwrap();
    assert!(Bump::new().try_alloc_layout(layout).is_ok());
}
