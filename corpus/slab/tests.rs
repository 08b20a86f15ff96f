//! A store that hands out keys and uses them again.

use slab::Slab;
use std::collections::BTreeMap;

// expect: passed
#[rebut::test]
fn keys_lead_to_their_values(values: Vec<String>) {
    let mut slab = Slab::new();
    let keys: Vec<usize> = values.iter().map(|value| slab.insert(value.as_str())).collect();
    for (key, value) in keys.iter().zip(&values) {
        assert_eq!(slab.get(*key), Some(&value.as_str()));
    }
    assert_eq!(slab.len(), values.len());
}

// expect: passed
#[rebut::test]
fn vacant_key_is_the_next_key(values: Vec<Option<u8>>, removed: Vec<u8>) {
    let mut slab: Slab<Option<u8>> = Slab::with_capacity(values.len());
    for value in values {
        slab.insert(value);
    }
    for key in removed {
        slab.try_remove(key.into());
    }
    let next = slab.vacant_key();
    assert_eq!(slab.insert(None), next);
}

// Keys are used again, the last one first.
// expect: failed
#[rebut::test]
fn new_keys_are_larger_than_all_before(inserts: Vec<(i64, bool)>) {
    let mut slab = Slab::new();
    let mut newest = None;
    for (value, remove) in inserts {
        let key = slab.insert(value);
        assert!(Some(key) > newest, "key {} after {:?}", key, newest);
        newest = Some(key);
        if remove {
            slab.remove(key);
        }
    }
}

// Keys that are not vacant are skipped, and the order is that of keys, not of inserts.
// expect: failed
#[rebut::test]
fn iterates_in_the_order_of_inserts(first: [char; 3], #[from(0..3)] gone: usize, last: Vec<char>) {
    let mut slab: Slab<char> = Slab::new();
    for c in first {
        slab.insert(c);
    }
    slab.remove(gone);
    for &c in &last {
        slab.insert(c);
    }
    let expected: Vec<char> = (0..3).filter(|at| *at != gone).map(|at| first[at]).chain(last).collect();
    assert_eq!(slab.iter().map(|(_, c)| *c).collect::<Vec<_>>(), expected);
}

// expect: failed: invalid key
#[rebut::test]
fn removing_is_idempotent(entries: BTreeMap<u8, &str>, key: usize) {
    let mut slab: Slab<&str> = entries.iter().map(|(key, value)| (usize::from(*key), *value)).collect();
    slab.remove(key);
    assert!(!slab.contains(key));
}

// expect: passed
#[rebut::test]
fn collects_entries_of_a_map(entries: BTreeMap<u8, (u8, char)>) {
    let slab: Slab<(u8, char)> = entries.iter().map(|(key, value)| (usize::from(*key), *value)).collect();
    let back: BTreeMap<u8, (u8, char)> = slab.into_iter().map(|(key, value)| (key as u8, value)).collect();
    assert_eq!(back, entries);
}

// expect: failed: capacity overflow
#[rebut::test]
fn any_capacity_can_be_requested(#[from(1 << 60..)] capacity: usize, value: i8) {
    let mut slab = Slab::with_capacity(capacity);
    assert!(slab.insert(value) < capacity);
}

// expect: passed
#[rebut::test]
fn compacting_leaves_no_gaps(count: u8, gone: Vec<u8>) {
    let mut slab: Slab<usize> = (0..usize::from(count)).map(|key| (key, key)).collect();
    for key in gone {
        slab.try_remove(key.into());
    }
    let len = slab.len();
    slab.compact(|value, from, to| {
        assert_eq!(*value, from);
        *value = to;
        true
    });
    assert!(slab.iter().all(|(key, value)| key == *value && key < len));
}

/// Timers, as an event loop has them.
pub struct Timers {
    slab: Slab<u8>,
    fired: usize,
}

#[rebut::contract]
#[model(Model, self.pending() == model.pending())]
impl Timers {
    pub fn new() -> Timers {
        Timers { slab: Slab::new(), fired: 0 }
    }

    pub fn schedule(&mut self, ticks: u8) -> usize {
        self.slab.insert(ticks)
    }

    pub fn cancel(&mut self, key: usize) -> Option<u8> {
        self.slab.try_remove(key)
    }

    #[ensures(self.slab.len() <= old(self.slab.len()))]
    pub fn tick(&mut self) -> usize {
        let before = self.slab.len();
        self.slab.retain(|_, ticks| *ticks > 0);
        for (_, ticks) in &mut self.slab {
            *ticks -= 1;
        }
        let gone = before - self.slab.len();
        self.fired += gone;
        gone
    }

    pub fn pending(&self) -> usize {
        self.slab.len()
    }
}

/// The same with a map, in which keys are never used again.
#[derive(Default)]
pub struct Model {
    timers: BTreeMap<usize, u8>,
    next: usize,
}

impl Model {
    fn new() -> Model {
        Model::default()
    }

    fn schedule(&mut self, ticks: u8) -> usize {
        self.timers.insert(self.next, ticks);
        self.next += 1;
        self.next - 1
    }

    fn cancel(&mut self, key: usize) -> Option<u8> {
        self.timers.remove(&key)
    }

    fn tick(&mut self) -> usize {
        let before = self.timers.len();
        self.timers.retain(|_, ticks| *ticks > 0);
        self.timers.values_mut().for_each(|ticks| *ticks -= 1);
        before - self.timers.len()
    }

    fn pending(&self) -> usize {
        self.timers.len()
    }
}

// expect: failed: broken model: `Timers::schedule` returns
#[rebut::test]
fn timers_have_unique_keys(program: rebut::Program<Timers>) {
    program.run();
}
