//! Variables that exist on some rounds of a callback only.

use crate::fault::tick;

#[derive(Clone, Debug, Default)]
pub struct Counter {
    n: u8,
}

#[rebut::contract]
impl Counter {
    pub fn new() -> Counter {
        tick("new");
        Counter::default()
    }

    #[requires(self.n < 2)]
    pub fn up(&mut self) -> u8 {
        tick("up");
        self.n += 1;
        self.n
    }

    #[requires(n < 2)]
    pub fn set(&mut self, n: u8) -> Option<u8> {
        tick("set");
        Some(std::mem::replace(&mut self.n, n)).filter(|n| *n > 0)
    }

    pub fn rounds(&mut self, round: &mut dyn FnMut(&mut Counter, u8) -> u8) -> u8 {
        tick("rounds");
        (0..4).map(|n| round(self, n)).fold(0, u8::wrapping_add)
    }

    pub fn find(&self, is_it: &dyn Fn(u8) -> bool) -> Option<u8> {
        tick("find");
        (0..4).find(|n| is_it(*n))
    }
}
