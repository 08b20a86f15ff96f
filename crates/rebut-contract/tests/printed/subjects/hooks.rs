//! Callbacks that use handles, and hooks that call each other.

use std::cell::RefCell;
use std::rc::Rc;

use crate::fault::tick;

pub struct Bus {
    sent: RefCell<Vec<u8>>,
    hooks: RefCell<Vec<Hook>>,
}

type Hook = Box<dyn Fn(&Bus, u8) -> Option<u8>>;

#[rebut::contract]
impl Bus {
    pub fn new() -> Rc<Bus> {
        tick("new");
        Rc::new(Bus { sent: RefCell::default(), hooks: RefCell::default() })
    }

    #[program(changes)]
    #[requires(self.sent.borrow().len() < 6)]
    pub fn send(&self, message: u8) -> usize {
        tick("send");
        self.sent.borrow_mut().push(message);
        let hooks = self.hooks.take();
        let count = hooks.iter().filter_map(|hook| hook(self, message)).count();
        self.hooks.borrow_mut().extend(hooks);
        count
    }

    #[program(changes)]
    pub fn hook(&self, hook: Hook) {
        tick("hook");
        self.hooks.borrow_mut().push(hook);
    }

    pub fn sent(&self) -> usize {
        tick("sent");
        self.sent.borrow().len()
    }

    pub fn twice(&self, act: &mut dyn FnMut(u8)) {
        tick("twice");
        act(1);
        act(2);
    }
}
