//! An arena of values of one type. Edition 2015, if the manifest has none.

extern crate rebut;
extern crate typed_arena;

use std::cell::Cell;
use typed_arena::Arena;

// expect: passed
#[rebut::test]
fn into_vec_is_in_the_order_of_allocation(values: Vec<(u8, Option<char>)>, capacity: u8) {
    let arena = Arena::with_capacity(capacity as usize);
    for value in &values {
        assert_eq!(arena.alloc(*value), value);
    }
    assert_eq!(arena.len(), values.len());
    assert_eq!(arena.into_vec(), values);
}

// expect: passed
#[rebut::test]
fn strings_are_copied(texts: Vec<String>) {
    let arena = Arena::new();
    let copies: Vec<&str> = texts.iter().map(|text| &*arena.alloc_str(text)).collect();
    assert_eq!(copies, texts);
}

// The length of an arena of strings is in bytes.
// expect: failed
#[rebut::test]
fn length_is_the_number_of_strings(texts: Vec<&str>, pad: char) -> bool {
    let arena = Arena::new();
    for text in &texts {
        arena.alloc_str(text);
    }
    let _ = pad;
    arena.len() == texts.len()
}

struct Counted<'a>(&'a Cell<u32>);

impl<'a> Drop for Counted<'a> {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

// expect: passed
#[rebut::test]
fn every_value_is_dropped_once(count: u8, more: u8) {
    let dropped = Cell::new(0);
    let arena = Arena::new();
    for _ in 0..count {
        arena.alloc(Counted(&dropped));
    }
    arena.alloc_extend((0..more).map(|_| Counted(&dropped)));
    assert_eq!(dropped.get(), 0);
    drop(arena);
    assert_eq!(dropped.get(), u32::from(count) + u32::from(more));
}

// expect: failed: attempt to add with overflow
#[rebut::test]
fn sums_fit(values: Vec<i32>, scale: Option<u8>) {
    let arena = Arena::new();
    let slice = arena.alloc_extend(values.into_iter().map(|value| value / i32::from(scale.unwrap_or(1).max(1))));
    let sum: i32 = slice.iter().sum();
    assert!(sum == slice.iter().rev().sum::<i32>());
}

// New chunks are as large as all before, but a reserved one is not exact.
// expect: failed
#[rebut::test]
fn iteration_is_reversed(mut values: Vec<u8>, reserve: u8) {
    let mut arena = Arena::with_capacity(1);
    arena.reserve_extend(reserve as usize);
    for value in &values {
        arena.alloc(*value);
    }
    values.reverse();
    let seen: Vec<u8> = arena.iter_mut().map(|value| *value).collect();
    assert_eq!(seen, values, "reserved {}", reserve);
}

// expect: proved: 729
#[rebut::test]
fn extending_in_parts_is_extending(#[from(0..9)] a: usize, #[from(0..9)] b: usize, #[from(0..9)] c: usize) -> Result<(), String> {
    let arena = Arena::with_capacity(a);
    let first = arena.alloc_extend(0..b).len();
    let second = arena.alloc_extend(b..b + c).len();
    if first + second != arena.len() {
        return Err(format!("{} and {} are not {}", first, second, arena.len()));
    }
    if arena.into_vec().into_iter().eq(0..b + c) { Ok(()) } else { Err("wrong order".to_string()) }
}

/// Words that are stored once.
pub struct Interner {
    arena: Arena<u8>,
    words: Vec<(usize, String)>,
}

#[rebut::contract]
#[invariant(self.arena.len() == self.words.iter().map(|&(len, _)| len).sum::<usize>())]
impl Interner {
    pub fn new() -> Interner {
        Interner { arena: Arena::new(), words: Vec::new() }
    }

    #[ensures(self.words[result].1 == word)]
    pub fn intern(&mut self, word: &str) -> usize {
        if let Some(at) = self.words.iter().position(|&(_, ref known)| known == word) {
            return at;
        }
        self.arena.alloc_str(word);
        self.words.push((word.len(), word.to_string()));
        self.words.len() - 1
    }

    #[requires(at < self.words.len())]
    #[ensures(result.len() > 0, "words are not empty")]
    pub fn word(&self, at: usize) -> String {
        self.words[at].1.clone()
    }
}

// expect: failed: `Interner::word` ensures `words are not empty`
#[rebut::test]
fn interned_words_are_not_empty(program: rebut::Program<Interner>) {
    program.run();
}
