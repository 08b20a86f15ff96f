//! Callbacks.

use crate::fault::tick;

#[derive(Clone, Debug)]
pub struct Registry {
    values: Vec<u8>,
}

#[rebut::contract]
#[invariant(self.values.len() != 5, "never five")]
impl Registry {
    pub fn new() -> Registry {
        tick("new");
        Registry { values: Vec::new() }
    }

    pub fn add(&mut self, value: u8) {
        tick("add");
        self.values.push(value);
    }

    pub fn each(&self, visit: impl Fn(u8) -> u8) -> usize {
        tick("each");
        self.values.iter().map(|value| usize::from(visit(*value))).sum()
    }

    pub fn change(&mut self, change: &mut dyn FnMut(&mut u8, &str)) {
        tick("change");
        self.values.iter_mut().for_each(|value| change(value, "x"));
    }

    pub fn twice(&mut self, act: Box<dyn FnOnce(&mut Registry, Option<u8>) -> bool>) -> bool {
        tick("twice");
        self.values.push(1);
        act(self, None)
    }

    pub fn keep(&mut self, #[ensures(result)] is_kept: &dyn Fn(u8) -> bool) {
        tick("keep");
        self.values.retain(|value| is_kept(*value));
    }
}
