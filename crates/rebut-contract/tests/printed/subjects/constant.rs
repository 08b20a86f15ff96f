//! A type with a constant parameter.

use crate::fault::tick;

#[derive(Clone, Debug)]
pub struct Window<const N: usize> {
    items: [u8; N],
    at: usize,
}

#[rebut::contract]
impl Window<4> {
    pub fn new() -> Window<4> {
        tick("new");
        Window { items: [0; 4], at: 0 }
    }

    #[requires(self.at < 4)]
    pub fn put(&mut self, item: u8) {
        tick("put");
        self.items[self.at] = item;
        self.at += 1;
    }

    pub fn all(&self) -> [u8; 4] {
        tick("all");
        self.items
    }

    pub fn set(&mut self, items: [u8; 4], at: (usize, bool)) {
        tick("set");
        self.items = items;
        self.at = at.0.min(4);
    }
}
