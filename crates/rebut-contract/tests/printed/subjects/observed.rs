//! Observers: a trait with a contract that programs implement.

use crate::fault::tick;

pub struct Subject {
    value: u8,
    observers: Vec<Box<dyn Observer>>,
}

#[rebut::contract]
pub trait Observer {
    #[requires(value < 200)]
    #[ensures(result <= 250)]
    fn changed(&mut self, value: u8) -> u8;

    #[requires(subject.value != 7)]
    fn after(&self, subject: &mut Subject) {
        tick("after");
        subject.value = subject.value.wrapping_add(1);
    }

    fn name(&self, prefix: &str) -> String {
        prefix.to_owned()
    }
}

#[rebut::contract]
impl Subject {
    pub fn new() -> Subject {
        tick("new");
        Subject { value: 0, observers: Vec::new() }
    }

    pub fn observe(&mut self, observer: Box<dyn Observer>) {
        tick("observe");
        self.observers.push(observer);
    }

    pub fn set(&mut self, value: u8) {
        tick("set");
        self.value = value;
        let mut observers = std::mem::take(&mut self.observers);
        for observer in &mut observers {
            self.value = self.value.max(observer.changed(value));
            observer.after(self);
        }
        self.observers = observers;
    }

    pub fn ask(&mut self, observer: &mut dyn Observer) -> String {
        tick("ask");
        observer.after(self);
        observer.name("a")
    }

    pub fn value(&self) -> u8 {
        tick("value");
        self.value
    }
}
