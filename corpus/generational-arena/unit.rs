//! Inside of the crate, which forbids unsafe code and has no standard library.

extern crate std;

use super::*;
use std::vec::Vec;

/// Fills an arena and removes some values.
fn arena(values: &[u8], gone: &[usize]) -> Arena<u8> {
    let mut arena: Arena<u8> = values.iter().copied().collect();
    for &slot in gone {
        if let Some((_, index)) = arena.get_unknown_gen(slot) {
            arena.remove(index);
        }
    }
    arena
}

// expect: passed
#[rebut::test]
fn free_list_has_all_free_slots(values: Vec<u8>, #[from(rebut::vecs(0..20_usize))] gone: Vec<usize>) {
    let arena = arena(&values, &gone);
    let mut free = 0;
    let mut next = arena.free_list_head;
    while let Some(slot) = next {
        free += 1;
        next = match &arena.items[slot] {
            Entry::Free { next_free } => *next_free,
            Entry::Occupied { .. } => panic!("slot {} is not free", slot),
        };
    }
    assert_eq!(free + arena.len, arena.items.len());
}

// The generation counts removals, not free slots.
// expect: failed
#[rebut::test]
fn generation_is_the_number_of_free_slots(values: Vec<u8>, gone: Option<u8>, more: &[u8]) {
    let mut arena = arena(&values, &gone.map(usize::from).into_iter().collect::<Vec<_>>());
    for &value in more {
        arena.insert(value);
    }
    let free = arena.items.iter().filter(|entry| matches!(entry, Entry::Free { .. })).count();
    assert_eq!(arena.generation, free as u64);
}

/// A counter of inserts, with a contract under the lints of this crate.
#[derive(Debug)]
pub struct Counted {
    arena: Arena<u8>,
    inserts: u64,
}

#[rebut::contract]
#[invariant(self.arena.len() as u64 <= self.inserts)]
impl Counted {
    /// Nothing is in it.
    pub fn new() -> Counted {
        Counted { arena: Arena::new(), inserts: 0 }
    }

    /// Inserts a value.
    #[ensures(self.inserts == old(self.inserts) + 1)]
    pub fn insert(&mut self, value: u8) {
        self.inserts += 1;
        self.arena.insert(value);
    }

    /// Keeps some values. Empty arenas do not become smaller.
    #[ensures(self.arena.len() < old(self.arena.len()))]
    pub fn keep(&mut self, keep: impl Fn(u8) -> bool) {
        self.arena.retain(|_, value| keep(*value));
    }
}

// expect: failed: `Counted::keep` ensures
#[rebut::test]
fn keeping_makes_an_arena_smaller(program: rebut::Program<Counted>) {
    program.run();
}
