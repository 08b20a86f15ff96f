//! Inside of the crate, which has no standard library.

extern crate std;

use super::*;
use std::collections::BTreeMap;

// expect: passed
#[rebut::test]
fn vacant_entries_form_a_list(values: Vec<u8>, gone: &[u8]) {
    let mut slab: Slab<u8> = values.iter().copied().enumerate().collect();
    for &key in gone {
        slab.try_remove(usize::from(key));
    }
    let mut next = slab.next;
    let mut vacant = 0;
    while let Some(Entry::Vacant(after)) = slab.entries.get(next) {
        next = *after;
        vacant += 1;
    }
    assert_eq!(vacant + slab.len, slab.entries.len());
}

// The first element can be missing as well.
// expect: failed
#[rebut::test]
fn entries_begin_with_an_occupied_one(#[from(1..5_usize)] count: usize, #[from(0..count)] gone: usize, value: char) {
    let mut slab: Slab<char> = (0..count).map(|key| (key, value)).collect();
    slab.remove(gone);
    assert!(matches!(slab.entries.first(), Some(Entry::Occupied(c)) if *c == value));
}

/// A slab of callbacks, as an event loop has it.
pub struct Alarms {
    slab: Slab<u8>,
    fired: usize,
}

#[rebut::contract]
#[model(Calendar, self.pending() == model.pending())]
impl Alarms {
    pub fn new() -> Alarms {
        Alarms { slab: Slab::new(), fired: 0 }
    }

    pub fn schedule(&mut self, ticks: u8) -> usize {
        self.slab.insert(ticks)
    }

    pub fn cancel(&mut self, key: usize) -> Option<u8> {
        self.slab.try_remove(key)
    }

    #[ensures(self.slab.len() <= old(self.slab.len()))]
    #[model(model.tick())]
    pub fn tick(&mut self, mut fire: impl FnMut(u8)) -> usize {
        let before = self.slab.len();
        self.slab.retain(|_, ticks| {
            if *ticks == 0 {
                fire(*ticks);
            }
            *ticks > 0
        });
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
pub struct Calendar {
    timers: BTreeMap<usize, u8>,
    next: usize,
}

impl Calendar {
    fn new() -> Calendar {
        Calendar::default()
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

// expect: failed: broken model: `Alarms::schedule` returns
#[rebut::test]
fn alarms_have_unique_keys(program: rebut::Program<Alarms>) {
    program.run();
}
