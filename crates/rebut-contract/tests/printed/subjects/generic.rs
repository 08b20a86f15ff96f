//! A generic type.

use crate::fault::tick;

#[derive(Clone, Debug)]
pub struct Stack<T, U = u8> {
    items: Vec<T>,
    others: Vec<U>,
}

#[rebut::contract(with(T = u16, U = String))]
impl<T: Clone, U: Clone> Stack<T, U> {
    pub fn new() -> Stack<T, U> {
        tick("new");
        Stack { items: Vec::new(), others: Vec::new() }
    }

    #[requires(self.items.len() < 3)]
    pub fn push(&mut self, item: T) {
        tick("push");
        self.items.push(item);
    }

    pub fn push_other(&mut self, other: U) -> Option<T> {
        tick("push_other");
        self.others.push(other);
        self.items.first().cloned()
    }

    pub fn pop(&mut self) -> Option<T> {
        tick("pop");
        self.items.pop()
    }

    pub fn of(items: Vec<T>) -> Self {
        tick("of");
        Stack { items, others: Vec::new() }
    }
}
