//! A number that threads inherit from the thread that started them: the real-time signals that
//! they block. Nothing sends these signals to a test, except a test of signals, which uses the
//! first ones.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::ptr;

use crate::isolate::sys::{self, sigset_t};

/// Blocked if the thread has a number.
const MARK: c_int = 64;
/// Not blocked if the thread has a number: it distinguishes one from a thread that blocks all
/// signals.
const NO_MARK: c_int = 55;
/// The lowest of eight signals, which are the bits of the number.
const FIRST_BIT: c_int = 56;

/// Gives this thread a number until it is dropped. Threads that it starts in the meantime keep
/// the number.
pub(crate) struct InheritedNumber {
    before: sigset_t,
}

impl std::fmt::Debug for InheritedNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("InheritedNumber")
    }
}

impl InheritedNumber {
    pub(crate) fn set(number: u8) -> InheritedNumber {
        let before = blocked();
        let mut after = blocked();
        let mut set = |signal: c_int, is_blocked: bool| {
            // SAFETY: the set is initialized, and the signals exist on Linux.
            unsafe {
                match is_blocked {
                    true => sys::sigaddset(&mut after, signal),
                    false => sys::sigdelset(&mut after, signal),
                }
            };
        };
        set(MARK, true);
        set(NO_MARK, false);
        for bit in 0..8 {
            set(FIRST_BIT + bit, number >> bit & 1 == 1);
        }
        block(&after);
        InheritedNumber { before }
    }

    /// Leaves the number to this thread until it ends.
    pub(crate) fn keep(self) {
        std::mem::forget(self);
    }
}

impl Drop for InheritedNumber {
    fn drop(&mut self) {
        block(&self.before);
    }
}

/// Returns the number of this thread, if it has one.
pub(crate) fn inherited_number() -> Option<u8> {
    let blocked = blocked();
    // SAFETY: the set is initialized, and the signals exist on Linux.
    let is_blocked = |signal: c_int| unsafe { sys::sigismember(&blocked, signal) == 1 };
    let has_number = is_blocked(MARK) && !is_blocked(NO_MARK);
    has_number.then(|| {
        (0..8).fold(0, |number, bit| number | u8::from(is_blocked(FIRST_BIT + bit)) << bit)
    })
}

/// Returns the signals that this thread blocks.
fn blocked() -> sigset_t {
    let mut set = MaybeUninit::<sigset_t>::zeroed();
    // SAFETY: all zeroes is a valid set, and the call replaces it. It cannot fail without a
    // new set.
    unsafe {
        sys::pthread_sigmask(sys::SIG_SETMASK, ptr::null(), set.as_mut_ptr());
        set.assume_init()
    }
}

fn block(set: &sigset_t) {
    // SAFETY: the set is initialized.
    unsafe { sys::pthread_sigmask(sys::SIG_SETMASK, set, ptr::null_mut()) };
}
