//! Notices when a lost thread blocks the whole process.
//!
//! A thread that crashed or hangs keeps its locks: that of the standard output, without which the
//! test harness cannot report a result, a lazily initialized value of another test, or the
//! allocator. The process then waits forever. Nothing can release the locks, but the process can
//! [start again](super::restart), and run the deadly test in a child process.
//!
//! The thread that crashed keeps watch: it is in a signal handler and will never do anything else,
//! so no thread has to be started, and nothing that it calls takes a lock. A hanging thread may go
//! on one day, so a new thread keeps watch for it.
//!
//! The process is blocked if no supervisor waits for a case or a child, and its threads, except for
//! those that hang, use no processor for some seconds. That is also true of an ordinary test that
//! sleeps for so long. Then the tests start again without need, but only once: in the new process
//! no thread is lost.

use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::time::Duration;

use super::{restart, signals};
use crate::threads;

/// Changes while a supervisor waits for a case or a child.
static BEATS: AtomicU64 = AtomicU64::new(0);
/// The threads that hang, and may use a processor. Further ones are not known.
static HANGING: [AtomicI32; 16] = [const { AtomicI32::new(0) }; 16];
/// Whether a thread keeps watch.
static IS_WATCHED: AtomicBool = AtomicBool::new(false);

/// The time after which a process that does nothing is blocked. A product decision: someone waits
/// for it, but a test that sleeps should not make all tests run twice.
const IDLE_MAX: Duration = Duration::from_secs(5);
/// The time between two looks. Arbitrary.
const PERIOD: Duration = Duration::from_millis(200);
/// A process that uses less processor time than this from one look to the next is idle: a tenth of
/// it. The threads of Rebut that wait use a thousandth.
const WORK_MIN: Duration = Duration::from_millis(20);

/// Notes that a supervisor waits for a case or a child, which has a limit of its own.
pub(super) fn beat() {
    BEATS.fetch_add(1, Ordering::Relaxed);
}

/// Keeps this thread forever. It may be in a signal handler.
pub(super) fn stay() -> ! {
    if IS_WATCHED.swap(true, Ordering::AcqRel) {
        loop {
            signals::sleep(IDLE_MAX);
        }
    }
    watch()
}

/// Starts to watch the process because this thread hangs.
pub(super) fn watch_for(thread: i32) {
    for known in &HANGING {
        let free = known.compare_exchange(0, thread, Ordering::AcqRel, Ordering::Relaxed);
        if free.is_ok() {
            break;
        }
    }
    // Without a thread, the process waits as it would without Rebut.
    let _ = threads::spawn(Box::new(|| stay()));
}

fn watch() -> ! {
    let mut beats = BEATS.load(Ordering::Relaxed);
    let mut work = work_of_process();
    let mut idle = Duration::ZERO;
    loop {
        signals::sleep(PERIOD);
        let (beats_now, work_now) = (BEATS.load(Ordering::Relaxed), work_of_process());
        let is_idle = beats_now == beats && work_now.saturating_sub(work) < WORK_MIN;
        idle = if is_idle { idle + PERIOD } else { Duration::ZERO };
        (beats, work) = (beats_now, work_now);
        if idle >= IDLE_MAX {
            idle = Duration::ZERO;
            restart::try_now(restart::Reason::Blocked);
        }
    }
}

/// Returns the processor time of the threads that do not hang.
fn work_of_process() -> Duration {
    let mut work = signals::work_of_process();
    for thread in &HANGING {
        let thread = thread.load(Ordering::Acquire);
        if thread != 0 {
            work = work.saturating_sub(signals::work_of_thread(thread));
        }
    }
    work
}
