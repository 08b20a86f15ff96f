//! An arena whose indices become invalid when their values go.

use generational_arena::{Arena, Index};
use std::collections::HashMap;

// expect: passed
#[rebut::test]
fn values_are_where_their_indices_say(values: Vec<Option<String>>) {
    let mut arena = Arena::new();
    let indices: Vec<Index> = values.iter().map(|value| arena.insert(value.clone())).collect();
    for (index, value) in indices.iter().zip(&values) {
        assert_eq!(&arena[*index], value);
    }
}

// expect: passed
#[rebut::test]
fn stale_indices_find_nothing(before: Vec<u8>, value: char, after: &[u8]) {
    let mut arena: Arena<u32> = before.iter().map(|&byte| u32::from(byte)).collect();
    let index = arena.insert(value.into());
    arena.remove(index);
    arena.extend(after.iter().map(|&byte| u32::from(byte)));
    assert_eq!(arena.get(index), None);
}

// An index of another arena is an index like any other.
// expect: failed
#[rebut::test]
fn indices_of_other_arenas_find_nothing(value: i16, others: Vec<i16>) {
    let mut one = Arena::new();
    let index = one.insert(value);
    let two: Arena<i16> = others.into_iter().collect();
    assert_eq!(two.get(index), None);
}

// A new index is often in an old place.
// expect: failed
#[rebut::test]
fn slots_are_never_used_again(steps: Vec<(u64, bool)>) {
    let mut arena = Arena::new();
    let mut last = None;
    for (value, keep) in steps {
        let index = arena.insert(value);
        let (slot, _) = index.into_raw_parts();
        assert_ne!(Some(slot), last);
        last = Some(slot);
        if !keep {
            arena.remove(index).unwrap();
        }
    }
}

// expect: passed
#[rebut::test]
fn retain_keeps_what_the_predicate_keeps(values: Vec<u8>, keep: impl Fn(u8) -> bool) {
    let mut arena: Arena<u8> = values.iter().copied().collect();
    arena.retain(|_, value| keep(*value));
    let mut kept: Vec<u8> = arena.iter().map(|(_, value)| *value).collect();
    let mut expected: Vec<u8> = values.into_iter().filter(|value| keep(*value)).collect();
    kept.sort();
    expected.sort();
    assert_eq!(kept, expected);
}

// The new generation of an arena is one for all slots.
// expect: failed
#[rebut::test]
fn generations_start_at_zero(first: bool, second: u8, clear: bool) -> bool {
    let mut arena = Arena::with_capacity(2);
    let index = arena.insert(u8::from(first));
    if clear {
        arena.clear();
    } else {
        arena.remove(index);
    }
    let (_, generation) = arena.insert(second).into_raw_parts();
    generation == 0
}

// expect: failed: capacity overflow
#[rebut::test]
fn room_can_be_reserved(values: HashMap<u8, u8>, #[from(1 << 62..)] room: usize) {
    let mut arena: Arena<(u8, u8)> = values.into_iter().collect();
    arena.reserve(room);
    assert!(arena.capacity() >= room);
}

// expect: proved: 256
#[rebut::test]
fn get2_mut_needs_two_indices(a: u8) {
    let mut arena = Arena::new();
    let one = arena.insert(a);
    let two = arena.insert(!a);
    let (x, y) = arena.get2_mut(one, two);
    std::mem::swap(x.unwrap(), y.unwrap());
    assert_eq!((arena[one], arena[two]), (!a, a));
}

/// A list in an arena.
pub struct List {
    arena: Arena<(u8, Option<Index>)>,
    head: Option<Index>,
}

#[rebut::contract]
#[model(Vec<u8>, self.len() == model.len())]
impl List {
    pub fn new() -> List {
        List { arena: Arena::new(), head: None }
    }

    pub fn push(&mut self, item: u8) {
        let index = self.arena.insert((item, self.head));
        self.head = Some(index);
    }

    pub fn pop(&mut self) -> Option<u8> {
        let (item, next) = self.arena.remove(self.head?)?;
        self.head = next;
        Some(item)
    }

    /// A mistake: the rest of the list stays in the arena.
    pub fn clear(&mut self) {
        self.head = None;
    }

    pub fn len(&self) -> usize {
        self.arena.len()
    }
}

// expect: failed: broken model
#[rebut::test]
fn list_is_a_stack(program: rebut::Program<List>) {
    program.run();
}
