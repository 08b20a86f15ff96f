//! Bugs that show after a sequence of operations.

use std::collections::VecDeque;

use crate::Outcome;

/// An operation on a small cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheOp {
    /// Look a key up.
    Get(u8),
    /// Store a value under a key.
    Put(u8, u8),
}

/// A cache of four entries answers like a plain model of one. Input: any list
/// of operations, each kind with equal chance, with keys in `0..=7` and any
/// values.
///
/// The bug: looking up the oldest entry does not make it the newest.
pub fn cache_agrees_with_model(ops: &Vec<CacheOp>) -> Outcome {
    let (mut cache, mut model) = (Cache::default(), Cache::default());
    let agrees = |op: &CacheOp| match *op {
        CacheOp::Get(key) => cache.get(key, 1) == model.get(key, 0),
        CacheOp::Put(key, value) => {
            cache.put(key, value);
            model.put(key, value);
            true
        }
    };
    Outcome::held_if(ops.iter().all(agrees))
}

/// Entries from the oldest to the newest.
#[derive(Default)]
struct Cache(Vec<(u8, u8)>);

impl Cache {
    const CAPACITY: usize = 4;

    /// Entries before index `first_refreshed` keep their age: it should be 0.
    fn get(&mut self, key: u8, first_refreshed: usize) -> Option<u8> {
        let index = self.position(key)?;
        let entry = self.0[index];
        if index >= first_refreshed {
            self.0.remove(index);
            self.0.push(entry);
        }
        Some(entry.1)
    }

    fn put(&mut self, key: u8, value: u8) {
        if let Some(index) = self.position(key) {
            self.0.remove(index);
        } else if self.0.len() == Self::CAPACITY {
            self.0.remove(0);
        }
        self.0.push((key, value));
    }

    fn position(&self, key: u8) -> Option<usize> {
        self.0.iter().position(|entry| entry.0 == key)
    }
}

/// An operation on a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueOp {
    /// Add at the back.
    Push(u8),
    /// Take from the front.
    Pop,
}

/// A queue gives back what was put in, in order. Input: any list of
/// operations, each kind with equal chance, with any values.
///
/// The bug: growing copies the ring from its storage's start, not its head.
pub fn queue_agrees_with_model(ops: &Vec<QueueOp>) -> Outcome {
    let mut ring = Ring::default();
    let mut model = VecDeque::new();
    let mut agrees = true;
    for op in ops {
        match *op {
            QueueOp::Push(value) => {
                ring.push(value);
                model.push_back(value);
            }
            QueueOp::Pop => agrees &= ring.pop() == model.pop_front(),
        }
    }
    let rest = std::iter::from_fn(|| ring.pop());
    Outcome::held_if(agrees && rest.eq(model))
}

struct Ring {
    slots: Vec<u8>,
    head: usize,
    len: usize,
}

impl Default for Ring {
    fn default() -> Self {
        Self {
            slots: vec![0; 4],
            head: 0,
            len: 0,
        }
    }
}

impl Ring {
    fn push(&mut self, value: u8) {
        if self.len == self.slots.len() {
            self.slots.resize(2 * self.len, 0);
            self.head = 0;
        }
        let index = (self.head + self.len) % self.slots.len();
        self.slots[index] = value;
        self.len += 1;
    }

    fn pop(&mut self) -> Option<u8> {
        if self.len == 0 {
            return None;
        }
        let value = self.slots[self.head];
        self.head = (self.head + 1) % self.slots.len();
        self.len -= 1;
        Some(value)
    }
}

/// A change of an optional field: leave it, clear it, or set it.
pub type Patch = Option<Option<u8>>;

/// One merged patch acts like two in a row. Input: any optional byte and two
/// of any patches.
///
/// The bug: merging takes "clear" for "leave".
pub fn merged_patch_acts_like_both((field, first, second): &(Option<u8>, Patch, Patch)) -> Outcome {
    let merged = match second {
        Some(Some(value)) => Some(Some(*value)),
        _ => *first,
    };
    Outcome::held_if(apply(apply(*field, *first), *second) == apply(*field, merged))
}

fn apply(field: Option<u8>, patch: Patch) -> Option<u8> {
    patch.unwrap_or(field)
}
