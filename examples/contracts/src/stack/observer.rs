//! Bug 2: the contract of observers is missing, so one that pops breaks what `push` ensures.

use std::rc::Rc;

use super::BOUND;

/// Is told of items that were pushed.
#[rebut::contract]
pub trait Observer {
    /// Called after each push.
    fn after_push(&self, stack: &mut BoundedStack, item: u8);
}

/// At most [`BOUND`] items.
pub struct BoundedStack {
    buffer: Box<[u8]>,
    size: usize,
    observers: Vec<Rc<dyn Observer>>,
}

#[rebut::contract]
impl BoundedStack {
    /// An empty stack.
    pub fn new() -> BoundedStack {
        BoundedStack { buffer: vec![0; BOUND].into(), size: 0, observers: Vec::new() }
    }

    /// Puts an item on top.
    #[requires(self.capacity() >= 1)]
    #[ensures(!self.is_empty())]
    pub fn push(&mut self, item: u8) {
        self.buffer[self.size] = item;
        self.size += 1;
        for nth in 0..self.observers.len() {
            let observer = Rc::clone(&self.observers[nth]);
            observer.after_push(self, item);
        }
    }

    /// Takes the item from the top.
    #[requires(!self.is_empty())]
    pub fn pop(&mut self) -> u8 {
        self.size -= 1;
        self.buffer[self.size]
    }

    /// Puts an item on top, `n` times.
    #[requires(self.capacity() >= n)]
    pub fn push_n(&mut self, n: usize, item: u8) {
        for _ in 0..n {
            if self.capacity() == 0 {
                break;
            }
            self.push(item);
        }
    }

    /// Tells `observer` of what is pushed from now on.
    pub fn add_observer(&mut self, observer: Rc<dyn Observer>) {
        self.observers.push(observer);
    }

    /// How many items have room.
    pub fn capacity(&self) -> usize {
        BOUND - self.size
    }

    /// Whether there is nothing on the stack.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }
}

impl std::fmt::Debug for BoundedStack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a stack of {} items and {} observers", self.size, self.observers.len())
    }
}
