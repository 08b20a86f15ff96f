//! Vectors in arrays, without unsafe code.

use tinyvec::{array_vec, tiny_vec, ArrayVec, SliceVec, TinyVec};

// expect: passed
#[rebut::test]
fn tiny_vec_moves_to_the_heap_when_it_is_full(items: Vec<u64>) {
    let mut tiny: TinyVec<[u64; 6]> = tiny_vec!();
    for (nth, &item) in items.iter().enumerate() {
        assert_eq!(tiny.is_heap(), nth > 6);
        tiny.push(item);
    }
    assert_eq!(&tiny[..], items);
}

// expect: passed
#[rebut::test]
fn splicing_is_that_of_vec(items: Vec<u8>, start: usize, len: usize, new: &[u8]) {
    let start = start % (items.len() + 1);
    let end = start + len % (items.len() - start + 1);
    let mut tiny: TinyVec<[u8; 4]> = TinyVec::from(&items[..]);
    let mut model = items;
    let removed: Vec<u8> = tiny.splice(start..end, new.iter().copied()).collect();
    let expected: Vec<u8> = model.splice(start..end, new.iter().copied()).collect();
    assert_eq!(removed, expected);
    assert_eq!(tiny.as_slice(), model);
}

// expect: failed
#[rebut::test]
fn splitting_off_can_be_undone(items: Vec<Option<u8>>, at: u8) -> bool {
    let mut list: ArrayVec<[Option<u8>; 16]> = items.iter().copied().take(16).collect();
    let mut rest = list.split_off(usize::from(at).min(list.len()));
    rest.append(&mut list);
    rest.as_slice() == &items[..items.len().min(16)]
}

// `set_len` of a safe vector shows old elements again.
// expect: failed: old elements
#[rebut::test]
fn cleared_elements_are_gone(items: [i32; 3], pad: u8) {
    let mut list = ArrayVec::from(items);
    list.clear();
    list.set_len(3);
    assert_eq!(list.as_slice(), [0; 3], "old elements with pad {pad}");
}

// expect: failed
#[rebut::test]
fn try_push_returns_nothing(items: Vec<(char, u8)>) {
    let mut list: ArrayVec<[(char, u8); 4]> = array_vec!();
    for item in items {
        if let Some((c, n)) = list.try_push(item) {
            panic!("{:?} with {} did not fit", c, n);
        }
    }
}

// expect: passed
#[rebut::test]
fn slice_vec_writes_to_its_slice(mut storage: Vec<u8>, items: Vec<u8>) {
    let room = storage.len();
    let mut list = SliceVec::from_slice_len(&mut storage[..], 0);
    for item in items.iter().copied().take(room) {
        list.push(item);
    }
    let written = list.len();
    drop(list);
    assert_eq!(storage[..written], items[..written]);
}

// expect: proved: 289
#[rebut::test]
fn lengths_that_fit_are_accepted(#[from(0..=16)] len: usize, #[from(0..=16)] keep: usize) {
    let mut list: ArrayVec<[u8; 16]> = ArrayVec::from_array_len([7; 16], len);
    list.truncate(keep);
    assert_eq!(list.len(), len.min(keep));
    assert_eq!(ArrayVec::try_from_array_len([7_u8; 8], len).is_ok(), len <= 8);
}

// A vector on the heap has no longer the capacity of its array.
// expect: failed
#[rebut::test]
fn capacity_stays_that_of_the_array(words: Vec<String>) {
    let tiny: TinyVec<[String; 2]> = words.into_iter().collect();
    assert_eq!(tiny.capacity(), 2);
}

/// Two vectors that should be equal whether they are inline or not.
#[derive(Debug)]
pub struct Pair {
    inline: TinyVec<[u8; 4]>,
    heap: TinyVec<[u8; 4]>,
}

#[rebut::contract]
#[invariant(self.inline == self.heap, "both have the same elements")]
impl Pair {
    pub fn new() -> Pair {
        let mut heap = TinyVec::new();
        heap.move_to_the_heap();
        Pair { inline: TinyVec::new(), heap }
    }

    pub fn push(&mut self, item: u8) {
        self.inline.push(item);
        self.heap.push(item);
    }

    #[requires(at < self.heap.len())]
    #[ensures(self.heap.len() + 1 == old(self.heap.len()))]
    pub fn remove(&mut self, at: usize) -> u8 {
        let item = self.inline.remove(at);
        assert_eq!(self.heap.remove(at), item);
        item
    }

    #[ensures(self.inline.len() <= old(self.inline.len()))]
    pub fn retain(&mut self, keep: impl Fn(u8) -> bool) {
        self.inline.retain(|item| keep(*item));
        self.heap.retain(|item| keep(*item));
    }

    #[ensures(self.heap.is_heap() || self.heap.len() <= 4)]
    pub fn shrink(&mut self) {
        self.heap.shrink_to_fit();
    }

    #[ensures(self.heap.is_empty())]
    pub fn clear(&mut self) {
        self.inline.clear();
        self.heap.clear();
    }
}

// A function that is passed to both can answer differently.
// expect: failed
#[rebut::test]
fn inline_and_heap_do_the_same(program: rebut::Program<Pair>) {
    program.run();
}

// expect: rarely checked
#[rebut::test]
fn hexadecimal_text_is_short(text: &str) {
    if let Ok(number) = u128::from_str_radix(text.trim_start_matches("0x"), 16) {
        if text.starts_with("0x") {
            let digits: ArrayVec<[u8; 16]> = number.to_be_bytes().iter().copied().skip_while(|byte| *byte == 0).collect();
            assert!(digits.len() <= text.len());
        }
    }
}
