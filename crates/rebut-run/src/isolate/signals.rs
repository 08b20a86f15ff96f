//! The handlers of signals and exits, and other code that needs the interface of the system.
//!
//! A handler parks a thread of a case: the worker, or a thread that the case started, which is
//! recognized by the [lineage](crate::lineage) it inherited. Other threads die as they would
//! without Rebut.
//!
//! The handlers are installed once, in front of the existing ones. A handler that is not that of
//! the Rust runtime belongs to a JIT, a sanitizer or the code under test, and its signals may be no
//! crash. It is called first, and the thread is parked only if it gives up: if it restores the
//! default action, as such handlers do before they return.
//!
//! Invariant: a process that a case forked is left alone. It has copies of our handlers and of the
//! memory that says which thread is a worker, but no supervisor. If its case returns, the process
//! ends: it must not run other cases.

#![cfg_attr(
    unix,
    expect(unsafe_code, reason = "signal handlers and limits exist in the C library only")
)]

use super::run_state::RunState;

#[cfg(unix)]
use unix::{call_at_end, use_handler_stack};

#[cfg(not(unix))]
use elsewhere::{call_at_end, use_handler_stack};

#[cfg(unix)]
pub(super) use unix::{
    execute, forbid_core_dumps, keep_installed, limit_memory, lower_priority, name_of, sleep,
    thread_id, unblock_all, work_of_process, work_of_thread,
};

#[cfg(unix)]
pub(crate) use unix::{end_process, install, leave_if_forked, notice_forks};

#[cfg(not(unix))]
pub(super) use elsewhere::{
    forbid_core_dumps, keep_installed, limit_memory, lower_priority, sleep, thread_id,
    work_of_process, work_of_thread,
};

#[cfg(not(unix))]
pub(crate) use elsewhere::{end_process, install, leave_if_forked, notice_forks};

use std::cell::Cell;

thread_local! {
    /// The state of the worker that runs on this thread.
    static WORKER: Cell<Option<&'static RunState>> = const { Cell::new(None) };
}

/// Marks this thread as a worker while it lives. Handlers record what kills the thread in its
/// state.
#[derive(Debug)]
pub(super) struct WorkerMark {
    before: Option<&'static RunState>,
    state: &'static RunState,
}

/// Marks this thread as a worker.
pub(super) fn mark(state: &'static RunState) -> WorkerMark {
    state.set_watched(true);
    WorkerMark { before: WORKER.replace(Some(state)), state }
}

/// Marks this thread as a worker until it ends, and calls `at_end` then. Its thread-local values are
/// destroyed when its function has returned, and a destructor may die like a case. The cell and the
/// blocked signals have no destructor, so that they outlive all others.
pub(super) fn mark_until_end(state: &'static RunState, at_end: Box<dyn FnOnce()>) {
    std::mem::forget(mark(state));
    InheritedNumber::set(state.number()).keep();
    call_at_end(at_end);
}

/// Prepares a worker that is about to return for the destructors of its thread-local values.
pub(super) fn prepare_destructors() {
    DESTROYED_FIRST.set(Some(DestroyedFirst));
}

thread_local! {
    /// Destructors of a thread run in the reverse order of initialization.
    static DESTROYED_FIRST: Cell<Option<DestroyedFirst>> = const { Cell::new(None) };
}

struct DestroyedFirst;

impl Drop for DestroyedFirst {
    /// The runtime has already removed the stack of the thread for handlers. Without one, an
    /// overflow of the stack ends the process.
    fn drop(&mut self) {
        use_handler_stack();
    }
}

/// Returns the state of the worker that runs on this thread, if it is one.
pub(crate) fn worker_state() -> Option<&'static RunState> {
    WORKER.try_with(Cell::get).unwrap_or(None)
}

impl Drop for WorkerMark {
    fn drop(&mut self) {
        self.state.set_watched(false);
        WORKER.set(self.before);
    }
}

#[cfg(target_os = "linux")]
pub(crate) use inherited_number::{InheritedNumber, inherited_number};

#[cfg(not(target_os = "linux"))]
pub(crate) use no_inherited_number::{InheritedNumber, inherited_number};

#[cfg(target_os = "linux")]
mod inherited_number;

#[cfg(not(target_os = "linux"))]
mod no_inherited_number;

#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
mod elsewhere;
