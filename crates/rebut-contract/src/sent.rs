//! Implementors that may be sent to other threads.
//!
//! A program and all that it holds stay on their thread. What is sent away is only the number of
//! a behavior that is kept here. On another thread it does nothing; if it has to give something
//! back there, nothing that follows says anything about the code, and the program proves nothing.

use std::cell::RefCell;
use std::panic::resume_unwind;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ThreadId};

use crate::blame::EndOfProgram;
use crate::held::Held;
use crate::implementor::Behavior;

thread_local! {
    static KEPT: RefCell<Vec<Rc<Behavior>>> = const { RefCell::new(Vec::new()) };
    /// Of the program that runs, once something of it was sent.
    static IS_VOID: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// The behavior of an implementor that is `Send` and `Sync`.
#[derive(Clone, Debug)]
pub struct Sent {
    home: ThreadId,
    number: usize,
    is_void: Arc<AtomicBool>,
}

impl Sent {
    /// Keeps a behavior.
    #[must_use]
    pub fn new(behavior: Behavior) -> Sent {
        let number = KEPT.with_borrow_mut(|kept| {
            kept.push(Rc::new(behavior));
            kept.len() - 1
        });
        let is_void =
            IS_VOID.with_borrow_mut(|is_void| Arc::clone(is_void.get_or_insert_default()));
        Sent { home: thread::current().id(), number, is_void }
    }

    fn behavior(&self) -> Option<Rc<Behavior>> {
        let is_home = thread::current().id() == self.home;
        is_home.then(|| KEPT.with_borrow(|kept| kept.get(self.number).cloned())).flatten()
    }

    /// See [`Behavior::begins`].
    #[must_use]
    pub fn begins(&self, method: usize) -> bool {
        self.behavior().is_some_and(|behavior| behavior.begins(method))
    }

    /// See [`Behavior::run`].
    pub fn run<R: 'static>(&self, method: usize, given: Vec<Held<'_>>) -> Option<R> {
        self.behavior()?.run(method, given)
    }

    /// See [`Behavior::simplest`].
    pub fn simplest<R: 'static>(&self, method: usize) -> R {
        match self.behavior() {
            Some(behavior) => behavior.simplest(method),
            None => self.nothing(),
        }
    }

    /// What is given back on another thread.
    fn nothing<R: 'static>(&self) -> R {
        let nothing: Box<dyn std::any::Any> = Box::new(());
        match nothing.downcast::<R>() {
            Ok(nothing) => *nothing,
            Err(_) => {
                self.is_void.store(true, Ordering::Relaxed);
                resume_unwind(Box::new(EndOfProgram))
            }
        }
    }
}

/// The behaviors of one program; dropping it forgets them.
pub(crate) struct Program {
    before: usize,
    outer: Option<Arc<AtomicBool>>,
}

/// A program begins.
pub(crate) fn begin() -> Program {
    let before = KEPT.with_borrow(Vec::len);
    Program { before, outer: IS_VOID.with_borrow_mut(std::mem::take) }
}

impl Program {
    /// Whether something had to be given back where nothing could be.
    pub(crate) fn is_void(&self) -> bool {
        let is_set = |is_void: &Arc<AtomicBool>| is_void.load(Ordering::Relaxed);
        IS_VOID.with_borrow(|is_void| is_void.as_ref().is_some_and(is_set))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // What is dropped may be anything, so it is dropped outside of the borrow.
        if KEPT.with_borrow(Vec::len) > self.before {
            drop(KEPT.with_borrow_mut(|kept| kept.split_off(self.before)));
        }
        IS_VOID.with_borrow_mut(|is_void| *is_void = self.outer.take());
    }
}
