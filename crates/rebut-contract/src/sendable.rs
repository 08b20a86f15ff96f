//! Generated implementors that can be sent to other threads.
//!
//! A program and its values stay on one thread. A sent implementor only contains the number of a
//! behavior that is stored here. On another thread it does nothing. If it must return a value there,
//! the call unwinds and the program is void: no failure after that call counts.

use std::cell::RefCell;
use std::panic::resume_unwind;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ThreadId};

use crate::blame::EndOfProgram;
use crate::call_argument::CallArgument;
use crate::implementor::Behavior;

thread_local! {
    /// The behaviors of the programs that run on this thread.
    static BEHAVIORS: RefCell<Vec<Rc<Behavior>>> = const { RefCell::new(Vec::new()) };
    /// The flag of the running program, once it has created a `SendableBehavior`.
    static IS_VOID: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// The behavior of an implementor that is `Send` and `Sync`.
#[derive(Clone, Debug)]
pub struct SendableBehavior {
    home: ThreadId,
    number: usize,
    is_void: Arc<AtomicBool>,
}

impl SendableBehavior {
    /// Stores a behavior.
    #[must_use]
    pub fn new(behavior: Behavior) -> SendableBehavior {
        let number = BEHAVIORS.with_borrow_mut(|behaviors| {
            behaviors.push(Rc::new(behavior));
            behaviors.len() - 1
        });
        let is_void =
            IS_VOID.with_borrow_mut(|is_void| Arc::clone(is_void.get_or_insert_default()));
        SendableBehavior { home: thread::current().id(), number, is_void }
    }

    fn behavior(&self) -> Option<Rc<Behavior>> {
        let is_home = thread::current().id() == self.home;
        is_home
            .then(|| BEHAVIORS.with_borrow(|behaviors| behaviors.get(self.number).cloned()))
            .flatten()
    }

    /// Returns whether to run the body of a method; see [`Behavior::begins`].
    #[must_use]
    pub fn begins(&self, method: usize) -> bool {
        self.behavior().is_some_and(|behavior| behavior.begins(method))
    }

    /// Runs the body of a method; see [`Behavior::run`].
    pub fn run<R: 'static>(&self, method: usize, given: Vec<CallArgument<'_>>) -> Option<R> {
        self.behavior()?.run(method, given)
    }

    /// Returns the simplest value; see [`Behavior::simplest`].
    pub fn simplest<R: 'static>(&self, method: usize) -> R {
        match self.behavior() {
            Some(behavior) => behavior.simplest(method),
            None => self.nothing(),
        }
    }

    /// Returns `()` on another thread. Makes the program void if another type is needed.
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

/// The behaviors of one program. They are removed when it is dropped.
pub(crate) struct BehaviorScope {
    before: usize,
    outer: Option<Arc<AtomicBool>>,
}

/// Begins a program.
pub(crate) fn begin() -> BehaviorScope {
    let before = BEHAVIORS.with_borrow(Vec::len);
    BehaviorScope { before, outer: IS_VOID.with_borrow_mut(std::mem::take) }
}

impl BehaviorScope {
    /// Returns whether an implementor had to return a value on another thread.
    pub(crate) fn is_void(&self) -> bool {
        let is_set = |is_void: &Arc<AtomicBool>| is_void.load(Ordering::Relaxed);
        IS_VOID.with_borrow(|is_void| is_void.as_ref().is_some_and(is_set))
    }
}

impl Drop for BehaviorScope {
    fn drop(&mut self) {
        // Drop the behaviors outside of the borrow: their destructors may run any code.
        if BEHAVIORS.with_borrow(Vec::len) > self.before {
            drop(BEHAVIORS.with_borrow_mut(|behaviors| behaviors.split_off(self.before)));
        }
        IS_VOID.with_borrow_mut(|is_void| *is_void = self.outer.take());
    }
}
