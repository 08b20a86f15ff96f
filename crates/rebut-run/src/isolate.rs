//! Survives cases that crash, hang or exit.
//!
//! A property normally runs in the process of the test, on a separate thread (a *worker*), while
//! the thread from libtest supervises it. That costs one relaxed store per case. When a case
//! kills or blocks its worker, the signal handler parks the worker for good and the supervisor
//! learns which case it was. Rebut then reruns, shrinks and reports the case in child processes.
//! The other tests of the binary are not affected.
//!
//! - [`supervisor`]: the worker and the thread that watches it;
//! - [`run_state`]: the state that both share with signal handlers;
//! - [`signals`]: the handlers;
//! - [`stall`]: notices when a lost thread blocks the process;
//! - [`restart`]: starts the process again if it cannot go on;
//! - [`journal`]: the trace of a run whose whole process was killed, and [`page`], the memory that
//!   is part of it;
//! - `sys`: the declarations of the functions of the system;
//! - [`child`]: runs cases in another process of the same test binary;
//! - [`isolated_process`]: runs all cases there;
//! - [`quiet_process`]: runs cases there whose output would hide the report;
//! - [`serve`]: the code of such a child;
//! - [`protocol`]: the messages between the two.
//!
//! Invariants: a child is never forked but always started as a new process, so it has no locks or
//! threads of its parent; a child ends when its standard input does, so none outlives its parent.
//!
//! An alternative is to run every case in a child. It is simpler and survives as much, but costs
//! some 50 microseconds per case and hides the test from debuggers and profilers. `isolate =
//! "always"` does it.
//!
//! An `exit` of a case cannot be undone: the standard library lets one thread exit and stops all
//! others that try, so the harness could never end the process. The thread is parked inside of it
//! until the case is reported, and then the process starts again. A parked thread also keeps its
//! locks. If others wait for one, the process starts again too.

mod child;
mod isolated_process;
mod journal;
mod load;
mod page;
mod protocol;
mod quiet_process;
pub(crate) mod restart;
mod run_state;
mod serve;
mod signals;
mod stall;
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

pub(crate) use child::{ChildExecutor, Limits, NO_CHILD, Target, signal_name};
pub(crate) use isolated_process::IsolatedProcess;
pub(crate) use journal::{DeadRun, FoundRuns, Journal, JournalEntry};
pub(crate) use load::TimeLimit;
pub(crate) use quiet_process::QuietProcess;
pub(crate) use run_state::{RunState, RunStateGuard, Worker};
pub(crate) use serve::{ProcessRole, report_thread_panic, role_for, serve_here, serve_test};
pub(crate) use signals::{
    InheritedNumber, end_process, inherited_number, leave_if_forked, notice_forks, worker_state,
};
pub(crate) use supervisor::{
    ConfirmHang, EndLoss, LossCause, RunningCase, Supervised, WorkerLoss, supervise, supervise_here,
};

#[cfg(test)]
mod tests;
