//! Vectors and strings with a fixed capacity.

use arrayvec::{ArrayString, ArrayVec, CapacityError};
use rebut::prelude::*;

// expect: passed
#[rebut::test]
fn try_push_fails_exactly_when_full(items: Vec<char>) {
    let mut list = ArrayVec::<char, 5>::new();
    for (nth, item) in items.into_iter().enumerate() {
        match list.try_push(item) {
            Ok(()) => assert!(nth < 5),
            Err(error) => {
                assert!(nth >= 5);
                assert_eq!(error.element(), item);
            }
        }
    }
}

// expect: passed
#[rebut::test]
fn array_string_holds_what_fits(text: &str) -> Result<(), String> {
    match ArrayString::<16>::from(text) {
        Ok(string) if string.as_str() == text => Ok(()),
        Ok(string) => Err(format!("{string:?}")),
        Err(error) if text.len() > 16 && error.element() == text => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

// `truncate` asserts that the length is at a boundary of characters.
// expect: failed: is_char_boundary
#[rebut::test]
fn truncating_a_string_never_panics(text: String, #[from(..20)] len: usize, _note: Option<u8>) {
    let Ok(mut string) = ArrayString::<20>::from(&text) else { return };
    string.truncate(len);
    assert!(string.len() <= len);
}

// The capacity is in bytes.
// expect: failed: CapacityError
#[rebut::test]
fn eight_characters_fit_into_eight(first: char, rest: [char; 7]) -> Result<(), CapacityError<char>> {
    let mut string = ArrayString::<8>::new();
    string.try_push(first)?;
    for c in rest {
        string.try_push(c)?;
    }
    Ok(())
}

// expect: passed
#[rebut::test]
fn pop_at_is_remove_with_an_option(#[from(vecs(rebut::any::<(bool, u8)>()).max_size(6))] items: Vec<(bool, u8)>, at: u8) {
    let mut list: ArrayVec<_, 6> = items.iter().copied().collect();
    let mut model = items;
    let at = usize::from(at);
    let expected = if at < model.len() { Some(model.remove(at)) } else { None };
    assert_eq!(list.pop_at(at), expected);
    assert_eq!(list.as_slice(), model);
}

// `swap_pop` moves the last element.
// expect: failed
#[rebut::test]
fn swap_pop_keeps_the_order(
    #[from(vecs(rebut::any::<i32>()).max_size(8))] items: Vec<i32>,
    #[from(0..8)] at: usize,
    reason: String,
) {
    let mut list: ArrayVec<i32, 8> = items.iter().copied().collect();
    assume!(list.swap_pop(at).is_some());
    let rest: Vec<i32> = items.iter().enumerate().filter(|(nth, _)| *nth != at).map(|(_, item)| *item).collect();
    assert_eq!(&*list, rest, "{reason}");
}

// expect: failed: ArrayVec: capacity exceeded
#[rebut::test]
fn extending_stops_at_the_capacity(items: Vec<Option<bool>>) {
    let mut list = ArrayVec::<Option<bool>, 3>::new();
    list.extend(items);
    assert!(list.remaining_capacity() <= 3);
}

// expect: proved: 256
#[rebut::test]
fn into_inner_needs_a_full_vector(len: u8) {
    let list: ArrayVec<u8, 255> = (0..len).collect();
    assert_eq!(list.into_inner().is_ok(), len == 255);
}

// Texts with a time are rare.
// expect: vacuous
#[rebut::test]
fn times_fit(text: &str) {
    if let [hour, minute] = text.split(':').collect::<Vec<_>>()[..] {
        if let (Ok(hour), Ok(minute)) = (hour.parse::<u8>(), minute.parse::<u8>()) {
            let string = ArrayString::<5>::from(&format!("{hour:02}:{minute:02}")).unwrap();
            assert_eq!(string.len(), 5);
        }
    }
}

/// A queue that drops its oldest element if it is full.
#[derive(Debug, Default)]
pub struct Recent {
    items: ArrayVec<u16, 3>,
}

#[rebut::contract]
#[invariant(self.items.len() <= 3)]
impl Recent {
    pub fn new() -> Recent {
        Recent::default()
    }

    #[ensures(self.items.last() == Some(&item))]
    #[ensures(result.is_some() == (old(self.len()) == 3))]
    pub fn add(&mut self, item: u16) -> Option<u16> {
        let dropped = if self.items.is_full() { self.items.pop_at(0) } else { None };
        self.items.push(item);
        dropped
    }

    #[ensures(self.len() < old(self.len()) || old(self.len()) == 0)]
    pub fn take_last(&mut self) -> Option<u16> {
        self.items.pop()
    }

    /// A plausible claim, but equal elements stay.
    #[ensures(!self.contains(item))]
    pub fn forget(&mut self, item: u16) {
        if let Some(at) = self.items.iter().position(|known| *known == item) {
            self.items.remove(at);
        }
    }

    pub fn contains(&self, item: u16) -> bool {
        self.items.contains(&item)
    }

    pub fn len(&self) -> usize {
        self.items.len()
    }
}

// expect: failed: `Recent::forget` ensures `!self.contains(item)`
#[rebut::test]
fn recent_items_keep_their_contract(program: rebut::Program<Recent>) {
    program.run();
}
