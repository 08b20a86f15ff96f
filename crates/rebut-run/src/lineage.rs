//! Recognizes the threads that a case started.
//!
//! A panic on such a thread belongs to the case, and a run would print it a hundred times. A
//! thread of another test looks the same: the standard library does not know which thread started
//! another. On Linux a new thread inherits the set of signals that its parent blocks. So the
//! thread that runs cases blocks some real-time signals that nothing sends, and these are the
//! number of its run: its *lineage*. Threads of the case, and those that they start, have it too.
//! On other systems no thread has a lineage, and panics on other threads are printed.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::isolate::{InheritedNumber, inherited_number};
use crate::threads::lock;

/// The number of a run. Numbers repeat after 256 runs; then a thread that outlived its run counts
/// as one of the new run.
pub(crate) type Lineage = u8;

/// The runs of this process, and the panics on their threads.
static RUNS: Mutex<Vec<Run>> = Mutex::new(Vec::new());
static NEXT: AtomicU8 = AtomicU8::new(0);

struct Run {
    lineage: Lineage,
    /// Whether the running case is reported. The panics of other cases are dropped.
    is_reporting: bool,
    panics: Vec<ThreadPanic>,
}

/// A panic on a thread that a case started.
#[derive(Debug)]
pub(crate) struct ThreadPanic {
    pub(crate) text: String,
    pub(crate) backtrace: Option<String>,
}

/// Keep at most this many panics of a case. A product decision: they usually have one cause.
const PANICS_MAX: usize = 4;

/// Gives this thread a lineage until it is dropped.
#[derive(Debug)]
pub(crate) struct LineageMark {
    lineage: Lineage,
    _number: InheritedNumber,
}

impl LineageMark {
    pub(crate) fn begin() -> LineageMark {
        let lineage = NEXT.fetch_add(1, Ordering::Relaxed);
        lock(&RUNS).push(Run { lineage, is_reporting: false, panics: Vec::new() });
        LineageMark { lineage, _number: InheritedNumber::set(lineage) }
    }
}

impl Drop for LineageMark {
    fn drop(&mut self) {
        lock(&RUNS).retain(|run| run.lineage != self.lineage);
    }
}

/// Returns the lineage of this thread, unless no case started it.
pub(crate) fn of_this_thread() -> Option<Lineage> {
    inherited_number()
}

/// Records a panic on a thread with this lineage if the running case is reported.
pub(crate) fn record(lineage: Lineage, describe: impl FnOnce() -> ThreadPanic) {
    let is_reporting = |run: &Run| run.lineage == lineage && run.is_reporting;
    if lock(&RUNS).iter().any(is_reporting) {
        let panic = describe();
        if let Some(run) = lock(&RUNS).iter_mut().find(|run| is_reporting(run))
            && run.panics.len() < PANICS_MAX
        {
            run.panics.push(panic);
        }
    }
}

/// Runs a case that is reported. Returns the panics on threads that it started.
pub(crate) fn panics_during<T>(run_case: impl FnOnce() -> T) -> (T, Vec<ThreadPanic>) {
    let lineage = of_this_thread();
    let set = |is_reporting: bool| {
        let mut runs = lock(&RUNS);
        let run = runs.iter_mut().find(|run| Some(run.lineage) == lineage)?;
        run.is_reporting = is_reporting;
        Some(std::mem::take(&mut run.panics))
    };
    set(true);
    let result = run_case();
    (result, set(false).unwrap_or_default())
}
