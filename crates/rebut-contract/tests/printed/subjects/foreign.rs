//! A type of another crate, whose functions check nothing themselves.

use std::collections::VecDeque;

#[rebut::contract(of = VecDeque<u8>)]
#[invariant(self.len() < 9)]
pub trait Deque {
    fn new() -> Self;

    #[ensures(result.len() < 4)]
    fn from(list: Vec<u8>) -> Self;

    #[ensures(self.len() == old(self.len()) + 1)]
    #[ensures(value != 3)]
    fn push_back(&mut self, value: u8);

    #[ensures(result != Some(7))]
    fn pop_front(&mut self) -> Option<u8>;

    #[ensures(result != Some(&5))]
    fn get(&self, index: usize) -> Option<&u8>;

    #[ensures(result != Some(&mut 6))]
    fn get_mut(&mut self, index: usize) -> Option<&mut u8>;

    #[ensures(!result || self.len() != 2)]
    fn contains(&self, x: &u8) -> bool;

    #[ensures(other.is_empty() && self.len() != 6)]
    fn append(&mut self, other: &mut Self);

    #[ensures(self.len() != 5)]
    fn retain(&mut self, keep: impl FnMut(&u8) -> bool);

    #[requires(len < 9)]
    #[ensures(self.len() != 1)]
    fn resize_with(&mut self, len: usize, #[ensures(result != 2)] next: impl FnMut() -> u8);

    fn clear(&mut self);

    #[ensures(self.len() < 8)]
    fn len(&self) -> usize;
}
