extern crate rebut;

use super::*;
use std::cell::RefCell;
use std::rc::Rc;

// Lists may be empty.
// expect: failed
#[rebut::test]
fn no_list_is_empty(key: u8, values: &[u8]) {
    let mut map: MultiMap<u8, u8> = MultiMap::new();
    map.insert_many_from_slice(key, values);
    assert!(map.inner.values().all(|list| !list.is_empty()));
}

/// A listener for events.
#[rebut::contract]
pub trait Listener {
    #[ensures(result <= event)]
    fn notify(&mut self, bus: &mut Bus, event: u8) -> u8;
}

/// Listeners by topic.
#[derive(Debug, Default)]
pub struct Bus {
    topics: MultiMap<u8, u8>,
    busy: bool,
}

#[rebut::contract]
#[invariant(!self.busy, "the bus is idle")]
impl Bus {
    pub fn new() -> Bus {
        Bus::default()
    }

    pub fn publish(&mut self, topic: u8, event: u8) {
        self.topics.insert(topic, event);
    }

    /// Notifies the listener, which may publish.
    #[ensures(self.topics.len() >= old(self.topics.len()), "topics stay")]
    pub fn deliver(&mut self, topic: u8, listener: &mut dyn Listener) -> usize {
        let events = self.topics.remove(&topic).unwrap_or_default();
        for event in &events {
            let answer = listener.notify(self, *event);
            self.topics.insert(topic, answer);
        }
        events.len()
    }

    pub fn drain(&mut self, mut take: impl FnMut(u8, &[u8]) -> bool) {
        let mut gone = Vec::new();
        for (topic, events) in self.topics.iter_all() {
            if take(*topic, events) {
                gone.push(*topic);
            }
        }
        for topic in gone {
            self.topics.remove(&topic);
        }
    }

    /// The first event.
    pub fn peek(&self, topic: u8) -> Option<&u8> {
        self.topics.get(&topic)
    }

    /// All events: no program calls it.
    pub fn events<'a>(&'a self, topic: &'a u8) -> Box<dyn Iterator<Item = &'a u8> + 'a> {
        Box::new(self.topics.get_vec(topic).into_iter().flatten())
    }
}

// A listener that drains the bus takes the topic away.
// expect: failed: topics stay
#[rebut::test]
fn buses_keep_their_contract(program: rebut::Program<Bus>) {
    program.run();
}

/// A shared map.
#[derive(Debug, Default)]
pub struct Shared {
    map: RefCell<MultiMap<u8, u8>>,
}

#[rebut::contract]
impl Shared {
    pub fn new() -> Rc<Shared> {
        Rc::new(Shared::default())
    }

    #[program(changes)]
    pub fn insert(&self, key: u8, value: u8) {
        self.map.borrow_mut().insert(key, value);
    }

    /// Calls the callback while the map is borrowed.
    pub fn each(self: &Rc<Self>, visit: &mut dyn FnMut(&Rc<Shared>, u8)) {
        for (_, value) in self.map.borrow().flat_iter() {
            visit(self, *value);
        }
    }
}

// expect: failed
#[rebut::test]
fn shared_maps_are_not_borrowed_twice(program: rebut::Program<Shared>) {
    program.run();
}
