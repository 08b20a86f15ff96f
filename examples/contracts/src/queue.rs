//! A state machine, for code that has no contract and cannot be given one: it may be someone
//! else's. The state is the code and what is expected of it. The operations are methods, what
//! they require is when they are enabled, and what they assert is what is claimed.
//!
//! The code is a queue with a buffer that is used round and round. It forgets that a full
//! buffer has to be unrolled before it grows.

use std::collections::VecDeque;

/// The code under test: it knows nothing of Rebut.
#[derive(Debug)]
pub struct Queue {
    buffer: Vec<u8>,
    start: usize,
    size: usize,
}

impl Queue {
    /// An empty queue that has to grow when it holds more than `capacity` items.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Queue {
        Queue { buffer: vec![0; capacity], start: 0, size: 0 }
    }

    /// Puts an item behind the others.
    pub fn push(&mut self, item: u8) {
        if self.size == self.buffer.len() {
            self.buffer.resize(2 * self.size, 0);
        }
        let end = (self.start + self.size) % self.buffer.len();
        self.buffer[end] = item;
        self.size += 1;
    }

    /// Takes the first item.
    pub fn pop(&mut self) -> Option<u8> {
        if self.size == 0 {
            return None;
        }
        let item = self.buffer[self.start];
        self.start = (self.start + 1) % self.buffer.len();
        self.size -= 1;
        Some(item)
    }
}

/// The queue and what should be in it.
#[derive(Debug)]
pub struct Machine {
    queue: Queue,
    expected: VecDeque<u8>,
}

#[rebut::contract]
impl Machine {
    /// The first state.
    pub fn start() -> Machine {
        Machine { queue: Queue::with_capacity(2), expected: VecDeque::new() }
    }

    /// An operation that is always enabled.
    pub fn push(&mut self, item: u8) {
        self.queue.push(item);
        self.expected.push_back(item);
    }

    /// An operation that is enabled if there is something.
    #[requires(!self.expected.is_empty())]
    pub fn pop(&mut self) {
        assert_eq!(self.queue.pop(), self.expected.pop_front());
    }
}
