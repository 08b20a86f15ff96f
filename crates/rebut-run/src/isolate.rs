//! Survives cases that crash, hang or exit.
//!
//! A property normally runs in the test's own process, on a thread of its own (a *worker*),
//! while the thread that libtest gave us supervises it. That costs one relaxed store per case.
//! When a case kills or blocks its worker, the signal handler parks the worker for good, the
//! supervisor learns which case it was, and the case is run again, shrunk and reported in
//! child processes. The other tests of the binary never notice.
//!
//! - [`supervisor`]: the worker and the thread that watches it;
//! - [`signals`]: what unix needs for that, the only unsafe code of this crate;
//! - `sys`: where that is declared;
//! - [`journal`]: what is left of a run whose whole process was killed;
//! - [`child`]: runs cases in the test binary itself, started once more;
//! - [`serve`]: what such a child does;
//! - [`protocol`]: what the two say to each other.
//!
//! Invariants: a child is never forked, always started anew, so it has no locks or threads of
//! its parent; a child ends when its standard input does, so none outlives its parent.
//!
//! The road not taken: running every case in a child. It is simpler and survives as much,
//! but costs some 50 microseconds a case and hides the test from debuggers and profilers.
//! `isolate = "always"` does it.
//!
//! A known limit: a worker that is parked keeps its locks. If it died inside the allocator
//! (a heap it had corrupted), freeing its memory from another thread can block for ever.

mod child;
mod journal;
mod protocol;
mod serve;
mod signals;
#[cfg(all(
    target_os = "linux",
    target_pointer_width = "64",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
mod sys;
#[cfg(all(
    unix,
    not(all(
        target_os = "linux",
        target_pointer_width = "64",
        any(target_arch = "x86_64", target_arch = "aarch64")
    ))
))]
use libc as sys;
mod supervisor;

pub(crate) use child::{ChildExecutor, Limits, Target};
pub(crate) use journal::{DeadRun, Journal};
pub(crate) use serve::{Part, part_of, serve_here, serve_test};
pub(crate) use signals::{end_process, install as can_survive_crashes};
pub(crate) use supervisor::{Cause, Lost, Running, Supervised, Worker, supervise, supervise_here};

#[cfg(test)]
mod tests;
