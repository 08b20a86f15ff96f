//! Arguments and results with contents that change behind a shared reference.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};

use crate::fault::tick;

/// Only its author knows that its clones share a number.
#[derive(Clone, Debug, rebut::Generate)]
pub struct Shared {
    pub number: Arc<AtomicU8>,
}

#[rebut::contract]
pub fn push(list: Rc<RefCell<Vec<u8>>>) {
    tick("push");
    list.borrow_mut().push(1);
    assert!(list.borrow().len() < 4, "{list:?}");
}

#[rebut::contract]
pub fn numbers(atomic: Arc<AtomicU8>, cells: Vec<Rc<Cell<u8>>>, locked: &Arc<Mutex<u8>>) {
    tick("numbers");
    atomic.fetch_add(1, Ordering::Relaxed);
    for cell in &cells {
        cell.set(cell.get() / 2);
    }
    let mut locked = locked.lock().unwrap();
    *locked = locked.wrapping_add(1);
    assert!(cells.len() < 2 || *locked > 9, "{atomic:?} {cells:?}");
}

#[rebut::contract]
pub fn hidden(shared: Shared) -> u8 {
    tick("hidden");
    shared.number.fetch_add(1, Ordering::Relaxed)
}

#[rebut::contract]
pub fn made(make: &dyn Fn() -> Rc<Cell<u8>>) -> Rc<Cell<u8>> {
    tick("made");
    let (first, second) = (make(), make());
    first.set(5);
    second.set(second.get().wrapping_add(1));
    assert!(first.get() == 5, "{first:?} {second:?}");
    second
}

#[rebut::contract]
pub trait Maker {
    fn make(&self) -> Rc<Cell<u8>>;
}

#[rebut::contract]
pub fn all(maker: &dyn Maker, least: u8) {
    tick("all");
    for _ in 0..6 {
        let cell = maker.make();
        assert!(cell.get() >= least, "{cell:?}");
        cell.set(0);
    }
}

#[rebut::contract]
pub fn some(cell: Option<Rc<Cell<u8>>>) -> Option<Rc<Cell<u8>>> {
    tick("some");
    cell
}

#[rebut::contract]
pub fn raised(cell: Rc<Cell<u8>>) -> u8 {
    tick("raised");
    cell.set(cell.get().saturating_add(1));
    assert!(cell.get() != 3, "three");
    cell.get()
}
