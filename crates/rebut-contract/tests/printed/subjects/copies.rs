//! A model that gets arguments of its own, and what is not the same for both sides breaks it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::fault::tick;

#[derive(Clone, Debug, Default)]
pub struct Stack(Vec<u8>);

/// The same without faults.
#[derive(Clone, Debug, Default)]
pub struct Model(Vec<u8>);

/// What only a call returns.
#[derive(Clone, Debug)]
pub struct Token(u8);

#[rebut::contract]
#[model(Model, self.0 == model.0)]
impl Stack {
    pub fn new() -> Stack {
        tick("new");
        Stack::default()
    }

    #[program(skip)]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn count(&mut self, n: &Cell<u8>) -> u8 {
        tick("count");
        n.set(n.get().wrapping_add(1));
        self.0.push(n.get());
        n.get()
    }

    pub fn share(&mut self, list: Rc<RefCell<Vec<u8>>>) -> usize {
        tick("share");
        list.borrow_mut().push(1);
        self.0.extend(list.borrow().iter());
        list.borrow().len()
    }

    #[model(model.append(other))]
    pub fn append(&mut self, other: &mut Vec<u8>) -> Vec<u8> {
        tick("append");
        self.0.append(other);
        self.0.clone()
    }

    #[model(model.bump(n))]
    pub fn bump(&mut self, n: &mut u8) -> u8 {
        tick("bump");
        *n = n.wrapping_add(1);
        *n
    }

    #[model(model.take(token))]
    pub fn take(&mut self, token: &mut Token) -> u8 {
        tick("take");
        self.0.push(token.0);
        std::mem::take(&mut token.0)
    }

    #[model(Token(model.0.len() as u8).check(n))]
    pub fn token(&self, n: u8) -> Token {
        tick("token");
        Token(self.0.len() as u8).check(n)
    }

    #[model(model.change(change))]
    pub fn change(&mut self, change: &dyn Fn(u8) -> u8) {
        tick("change");
        let first = change(self.0.len() as u8);
        self.0.push(first);
        self.0.push(change(first));
    }

    #[model({ model.0.retain(|n| keep(*n)); model.0.len() })]
    pub fn retain(&mut self, keep: &dyn Fn(u8) -> bool) -> usize {
        tick("retain");
        self.0.retain(|n| keep(*n));
        self.0.len()
    }

    #[model({ for n in model.0.iter_mut() { change(n); } })]
    pub fn each(&mut self, change: &mut dyn FnMut(&mut u8)) {
        tick("each");
        for n in &mut self.0 {
            change(n);
        }
    }

    #[model({ let mut by = by; model.0.sort_by_key(|n| by(*n)); })]
    pub fn sort(&mut self, mut by: Box<dyn FnMut(u8) -> u8>) {
        tick("sort");
        self.0.sort_by_key(|n| by(*n));
    }
}

impl Token {
    fn check(self, n: u8) -> Token {
        Token(self.0.max(n))
    }
}

impl PartialEq for Token {
    fn eq(&self, other: &Token) -> bool {
        self.0 == other.0
    }
}

impl Model {
    pub fn new() -> Model {
        Model::default()
    }

    pub fn count(&mut self, n: &Cell<u8>) -> u8 {
        n.set(n.get().wrapping_add(1));
        self.0.push(n.get());
        n.get()
    }

    pub fn share(&mut self, list: Rc<RefCell<Vec<u8>>>) -> usize {
        list.borrow_mut().push(1);
        self.0.extend(list.borrow().iter());
        list.borrow().len()
    }

    fn append(&mut self, other: &mut Vec<u8>) -> Vec<u8> {
        self.0.append(other);
        self.0.clone()
    }

    fn bump(&mut self, n: &mut u8) -> u8 {
        *n = n.wrapping_add(1);
        *n
    }

    fn take(&mut self, token: &mut Token) -> u8 {
        self.0.push(token.0);
        std::mem::take(&mut token.0)
    }

    fn change(&mut self, change: &dyn Fn(u8) -> u8) {
        let first = change(self.0.len() as u8);
        self.0.push(first);
        self.0.push(change(first));
    }
}
