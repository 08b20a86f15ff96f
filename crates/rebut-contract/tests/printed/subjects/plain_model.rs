//! A model with functions of the same names.

use std::collections::VecDeque;

use crate::fault::tick;

#[derive(Clone, Debug, Default)]
pub struct Queue {
    items: Vec<String>,
}

#[rebut::contract]
#[model(VecDeque<String>, self.items.len() == model.len())]
impl Queue {
    pub fn new() -> Queue {
        tick("new");
        Queue::default()
    }

    pub fn push_back(&mut self, item: String) {
        tick("push_back");
        if item.len() < 2 {
            self.items.push(item);
        }
    }

    #[must_use]
    pub fn pop_front(&mut self) -> Option<String> {
        tick("pop_front");
        (!self.items.is_empty()).then(|| self.items.remove(0))
    }

    pub fn front(&self) -> Option<&String> {
        tick("front");
        self.items.first()
    }

    pub fn truncate(&mut self, len: usize) {
        tick("truncate");
        self.items.truncate(len);
    }

    pub fn contains(&self, item: &String) -> bool {
        tick("contains");
        self.items.contains(item)
    }

    #[model(model.iter().any(|item| item == name))]
    pub fn has(&self, name: &str) -> bool {
        tick("has");
        self.items.iter().any(|item| item == name)
    }
}
