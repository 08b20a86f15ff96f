//! Recognizes the threads that a case started.
//!
//! A panic on such a thread belongs to the case, and a run would print it a hundred times. A
//! thread of another test looks the same: the standard library does not know which thread started
//! another. On Linux a new thread inherits the set of signals that its parent blocks. So the
//! thread that runs cases blocks some real-time signals that nothing sends, and these are the
//! number of its run: its *lineage*. Threads of the case, and those that they start, have it too.
//! On other systems no thread has a lineage, and panics on other threads are printed.

use std::sync::Mutex;

use crate::isolate::{
    InheritedNumber, RunState, RunStateGuard, inherited_number, notice_forks, worker_state,
};
use crate::threads::lock;
use crate::verdict::Statistics;

/// The number of a run, which is that of its [`RunState`]. Numbers repeat after 256 runs; then a
/// thread that outlived its run counts as one of the new run.
pub(crate) type Lineage = u8;

/// The runs of this process, and the panics on their threads.
static RUNS: Mutex<Vec<Run>> = Mutex::new(Vec::new());

struct Run {
    lineage: Lineage,
    /// Whether the running case is reported. The panics of other cases are dropped.
    is_reporting: bool,
    panics: Vec<ThreadPanic>,
    /// The panics of cases that are not reported.
    others: OtherPanics,
}

/// The panics on the threads of cases that are not reported.
#[derive(Clone, Debug, Default)]
pub(crate) struct OtherPanics {
    pub(crate) count: u64,
    /// The description of the first one.
    pub(crate) first: String,
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
    /// The state of a run without a worker.
    _state: Option<RunStateGuard>,
}

impl LineageMark {
    /// Begins a run on this thread. Returns `None` if the thread runs a case already, to which the
    /// threads of the inner run belong too, or if there are too many runs.
    pub(crate) fn begin() -> Option<LineageMark> {
        notice_forks();
        let (lineage, state) = match worker_state() {
            Some(state) => (state.number(), None),
            None if of_this_thread().is_some() => return None,
            None => {
                let state = RunState::acquire()?;
                (state.state().number(), Some(state))
            }
        };
        let mut runs = lock(&RUNS);
        if runs.iter().any(|run| run.lineage == lineage) {
            return None;
        }
        runs.push(Run {
            lineage,
            is_reporting: false,
            panics: Vec::new(),
            others: OtherPanics::default(),
        });
        drop(runs);
        Some(LineageMark { lineage, _number: InheritedNumber::set(lineage), _state: state })
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

/// Records a panic on a thread with this lineage. `text` describes it. `backtrace` is called for a
/// case that is reported.
pub(crate) fn record(
    lineage: Lineage,
    text: impl FnOnce() -> String,
    backtrace: impl FnOnce() -> Option<String>,
) {
    let mut runs = lock(&RUNS);
    let Some(run) = runs.iter_mut().find(|run| run.lineage == lineage) else { return };
    if !run.is_reporting {
        run.others.count += 1;
        if run.others.first.is_empty() {
            run.others.first = text();
        }
    } else if run.panics.len() < PANICS_MAX {
        // Capturing a backtrace takes long.
        drop(runs);
        let panic = ThreadPanic { text: text(), backtrace: backtrace() };
        if let Some(run) = lock(&RUNS).iter_mut().find(|run| run.lineage == lineage) {
            run.panics.push(panic);
        }
    }
}

impl LineageMark {
    /// Returns the panics on threads of cases that were not reported.
    pub(crate) fn other_panics(&self) -> OtherPanics {
        let runs = lock(&RUNS);
        let run = runs.iter().find(|run| run.lineage == self.lineage);
        run.map(|run| run.others.clone()).unwrap_or_default()
    }
}

/// The last panics on workers that had returned their result, in destructors of thread-local
/// values. Such a panic aborts the process.
static LAST_WORDS: Mutex<Vec<(Lineage, String)>> = Mutex::new(Vec::new());

/// Records a panic if this thread is a worker that has returned its result. Returns whether it is.
pub(crate) fn record_last_words(text: impl FnOnce() -> String) -> bool {
    let Some(state) = worker_state().filter(|state| state.is_done()) else { return false };
    let text = text();
    lock(&LAST_WORDS).push((state.number(), text));
    true
}

/// Returns what [`record_last_words`] has recorded for this run.
pub(crate) fn last_words(lineage: Lineage) -> Option<String> {
    let mut words = lock(&LAST_WORDS);
    let at = words.iter().position(|(whose, _)| *whose == lineage)?;
    Some(words.remove(at).1)
}

/// Runs a case that is reported. Returns the panics on threads that it started.
pub(crate) fn panics_during<T>(run_case: impl FnOnce() -> T) -> (T, Vec<ThreadPanic>) {
    let lineage = of_this_thread();
    let set = |is_reporting: bool| {
        let mut runs = lock(&RUNS);
        let run = runs.iter_mut().find(|run| Some(run.lineage) == lineage)?;
        let was_reporting = std::mem::replace(&mut run.is_reporting, is_reporting);
        Some((was_reporting, std::mem::take(&mut run.panics)))
    };
    // The case of another property may be around this one.
    let (was_reporting, _) = set(true).unwrap_or_default();
    let result = run_case();
    let (_, panics) = set(was_reporting).unwrap_or_default();
    (result, panics)
}

/// Returns a warning if a test passed although threads of its cases panicked.
pub(crate) fn warning(property: &str, statistics: &Statistics) -> Option<String> {
    let OtherPanics { count, first } = &statistics.thread_panics;
    let panicked = match count {
        0 => return None,
        1 => format!("a thread that a case started {first}"),
        count => format!("{count} threads that its cases started panicked; the first one {first}"),
    };
    Some(format!(
        "`{property}` passed, although {panicked}\n\
         help: join the threads and unwrap the results, so that the case fails"
    ))
}
