//! The state of a running property that its worker, its supervisor and signal handlers share.
//!
//! A handler can run on any thread at any time, also while a run ends. So the states are static and
//! are reused, never freed: a handler that is late writes to a state that no run reads, and not to
//! memory of another object. The index of a state is the number that the threads of its cases
//! inherit, the *lineage*, by which a handler finds the state.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU8, AtomicU64, Ordering};

use rebut_choice::Tape;

use super::signals;
use super::supervisor::{LossCause, RunningCase};
use crate::threads::lock;
use crate::verdict::FoundBy;

/// The numbers to know if the process dies: the running case, and the death of a thread. They
/// are in memory that is part of a file, if the run has a [`Journal`](super::Journal).
#[derive(Debug)]
#[repr(C)]
pub(super) struct Cells {
    /// The running case. The value differs from case to case: if it stays the same, the case
    /// hangs.
    running: AtomicU64,
    /// The case that was running when a thread died, or the last one if none runs.
    last: AtomicU64,
    /// How a thread of the case died: [`ALIVE`], [`EXITED`], or a signal.
    fate: AtomicI32,
    /// Not 0 if the numbers are in a file: [`SHARED`] or [`ABSOLVED`].
    pub(super) is_shared: AtomicI32,
}

/// The numbers are in a file.
pub(super) const SHARED: i32 = 1;
/// The numbers are in a file, and a thread of another run ended the process.
pub(super) const ABSOLVED: i32 = 2;

/// The fate of a thread that runs.
const ALIVE: i32 = 0;
/// The fate of a thread that called `exit`, in place of a signal.
const EXITED: i32 = -1;
/// Added to a signal that one of several cases sent.
const SUSPECTED: i32 = 1000;

/// Before this many cases, the worker checks that the handlers of signals are ours. Code that
/// installs its own does so in its first case. Arbitrary: a check takes a microsecond.
const CASES_WITH_CHECK: u64 = 8;

/// The value of [`Cells::running`] for no case.
const NOTHING: u64 = 0;
/// The kind of case, in the upper two bits of [`Cells::running`]. The other bits are its number.
const CASE: u64 = 0;
const TAPE: u64 = 1 << 62;
const EXAMPLE: u64 = 2 << 62;
const ENUMERATED: u64 = 3 << 62;
const KIND: u64 = 3 << 62;
/// The value of [`Cells::running`] for no case, while the destructors of thread-local values run.
/// For the next run it is the tape of an unknown case.
const DESTRUCTORS: u64 = TAPE;

/// The fate of a thread, as a signal or exit handler records it.
#[cfg_attr(not(unix), expect(dead_code, reason = "there are no handlers"))]
#[derive(Clone, Copy, Debug)]
pub(super) enum Fate {
    Crashed(i32),
    Suspected(i32),
    Exited,
}

impl Cells {
    const fn new() -> Cells {
        Cells {
            running: AtomicU64::new(NOTHING),
            last: AtomicU64::new(NOTHING),
            fate: AtomicI32::new(ALIVE),
            is_shared: AtomicI32::new(0),
        }
    }

    /// Reads the numbers that a process left in a file.
    pub(super) fn from_bytes(bytes: &[u8; size_of::<Cells>()]) -> Cells {
        let word = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at..at + 8]);
            u64::from_ne_bytes(word)
        };
        let half = |at: usize| {
            let mut half = [0; 4];
            half.copy_from_slice(&bytes[at..at + 4]);
            i32::from_ne_bytes(half)
        };
        Cells {
            running: AtomicU64::new(word(0)),
            last: AtomicU64::new(word(8)),
            fate: AtomicI32::new(half(16)),
            is_shared: AtomicI32::new(half(20)),
        }
    }

    fn reset(&self) {
        self.running.store(NOTHING, Ordering::Relaxed);
        self.last.store(NOTHING, Ordering::Relaxed);
        self.fate.store(ALIVE, Ordering::Release);
    }

    fn has_fate(&self) -> bool {
        self.fate.load(Ordering::Relaxed) != ALIVE
    }

    /// Returns how a thread of the case died, if one did.
    pub(super) fn cause(&self) -> Option<LossCause> {
        let fate = self.fate.load(Ordering::Acquire);
        match fate {
            ALIVE => None,
            EXITED => Some(LossCause::Exit),
            SUSPECTED.. => Some(LossCause::Suspected { signal: fate - SUSPECTED }),
            signal => Some(LossCause::Crash { signal }),
        }
    }

    /// Returns the word for the case that runs, or that was running when a thread died.
    fn word(&self) -> u64 {
        match self.has_fate() {
            true => self.last.load(Ordering::Acquire),
            false => self.running.load(Ordering::Acquire),
        }
    }

    /// Returns the case that runs, or that was running when a thread died. `tape` is the last tape
    /// that was announced, if it is known.
    pub(super) fn running_case(
        &self,
        tape: impl FnOnce() -> Option<(Tape, FoundBy)>,
    ) -> RunningCase {
        RunningCase::of_word(self.word(), tape)
    }

    /// Returns the case that a dead process was running. If it was between cases, returns the last
    /// one before, which may have failed: it runs again in a child before the failure is saved.
    pub(super) fn last_case(&self) -> RunningCase {
        let word = self.word();
        let last = self.last.load(Ordering::Acquire);
        // The last tape is unknown, and most are of a failure that is saved.
        let is_last = word == NOTHING && last & KIND != TAPE;
        RunningCase::of_word(if is_last { last } else { word }, || None)
    }

    /// Returns the last case of a worker that is done.
    pub(super) fn case_before_destructors(&self) -> RunningCase {
        RunningCase::of_word(self.last.load(Ordering::Acquire), || None)
    }

    /// Returns whether no case runs and none died.
    pub(super) fn is_between_cases(&self) -> bool {
        self.word() == NOTHING
    }
}

impl RunningCase {
    fn of_word(word: u64, tape: impl FnOnce() -> Option<(Tape, FoundBy)>) -> RunningCase {
        let number = word & !KIND;
        match word & KIND {
            CASE if word == NOTHING => RunningCase::Nothing,
            CASE => RunningCase::Random(number - 1),
            EXAMPLE => RunningCase::Example(usize::try_from(number).unwrap_or(usize::MAX)),
            ENUMERATED => RunningCase::Enumerated,
            _ => match tape() {
                Some((tape, found_by)) => RunningCase::Tape(tape, found_by),
                None => RunningCase::UnknownTape,
            },
        }
    }
}

/// The state of one run.
#[derive(Debug)]
pub(crate) struct RunState {
    is_used: AtomicBool,
    /// Whether a supervisor waits for the fate of the run. Otherwise handlers leave its threads
    /// alone.
    is_watched: AtomicBool,
    /// The thread that runs cases.
    thread: AtomicI32,
    /// Whether the worker has returned its result. Its thread-local values are destroyed then.
    done: AtomicBool,
    /// Whether the thread of the worker has destroyed its thread-local values.
    ended: AtomicBool,
    /// Whether the worker itself died when it was done: in such a destructor.
    died_in_destructor: AtomicBool,
    tape: Mutex<Option<(Tape, FoundBy)>>,
    /// The name of the test, as much of it as fits, for messages of handlers.
    name: [AtomicU8; NAME_MAX],
    /// The cells of this run: `own`, or those in a file.
    cells: AtomicPtr<Cells>,
    own: Cells,
    /// Memory at a fixed address for the cells in files. Once it exists, it never goes away.
    page: AtomicPtr<u8>,
}

/// The maximum length of a name in a message of a handler. Arbitrary: most names are shorter.
pub(super) const NAME_MAX: usize = 120;

/// As many as there are lineages.
static STATES: [RunState; 256] = [const { RunState::new() }; 256];

impl RunState {
    const fn new() -> RunState {
        RunState {
            is_used: AtomicBool::new(false),
            is_watched: AtomicBool::new(false),
            thread: AtomicI32::new(0),
            done: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            died_in_destructor: AtomicBool::new(false),
            tape: Mutex::new(None),
            name: [const { AtomicU8::new(0) }; NAME_MAX],
            cells: AtomicPtr::new(std::ptr::null_mut()),
            own: Cells::new(),
            page: AtomicPtr::new(std::ptr::null_mut()),
        }
    }

    /// Returns a state that no run uses, or `None` if this process has 256 runs, which includes
    /// those whose worker was lost. A state is used again as late as possible, because threads may
    /// outlive their run.
    pub(crate) fn acquire() -> Option<RunStateGuard> {
        static NEXT: AtomicU8 = AtomicU8::new(0);
        for _ in 0..STATES.len() {
            let state = &STATES[usize::from(NEXT.fetch_add(1, Ordering::Relaxed))];
            if !state.is_used.swap(true, Ordering::AcqRel) {
                state.use_own_cells();
                state.own.reset();
                state.done.store(false, Ordering::Relaxed);
                state.ended.store(false, Ordering::Relaxed);
                state.died_in_destructor.store(false, Ordering::Relaxed);
                state.thread.store(0, Ordering::Relaxed);
                let thread = std::thread::current();
                let name = thread.name().unwrap_or_default().bytes().chain(std::iter::repeat(0));
                for (byte, to) in name.zip(&state.name) {
                    to.store(byte, Ordering::Relaxed);
                }
                return Some(RunStateGuard { state });
            }
        }
        None
    }

    /// Returns the number of this state.
    pub(crate) fn number(&'static self) -> u8 {
        let position = STATES.iter().position(|state| std::ptr::eq(state, self));
        position.and_then(|at| u8::try_from(at).ok()).unwrap_or_default()
    }

    /// Returns the state of a run that is watched. Signal handlers call it.
    #[cfg_attr(not(unix), expect(dead_code, reason = "there are no handlers"))]
    pub(super) fn watched(number: u8) -> Option<&'static RunState> {
        let state = &STATES[usize::from(number)];
        (state.is_used.load(Ordering::Acquire) && state.is_watched.load(Ordering::Acquire))
            .then_some(state)
    }

    /// Copies the name of the last test that used this state. Signal handlers call it.
    #[cfg_attr(not(unix), expect(dead_code, reason = "there are no handlers"))]
    pub(super) fn name_of(number: u8, name: &mut [u8; NAME_MAX]) -> &[u8] {
        let stored = &STATES[usize::from(number)].name;
        for (byte, from) in name.iter_mut().zip(stored) {
            *byte = from.load(Ordering::Relaxed);
        }
        let end = name.iter().position(|&byte| byte == 0).unwrap_or(NAME_MAX);
        &name[..end]
    }

    /// Records for all runs that their cases are not the cause of the death of the process. Signal
    /// handlers call it.
    #[cfg_attr(not(unix), expect(dead_code, reason = "there are no handlers"))]
    pub(super) fn absolve_all() {
        for state in &STATES {
            let shared = &state.cells().is_shared;
            if state.is_used.load(Ordering::Acquire) {
                let _ =
                    shared.compare_exchange(SHARED, ABSOLVED, Ordering::AcqRel, Ordering::Relaxed);
            }
        }
    }

    /// Records that one of the running cases sent a signal that ends the process. Returns whether
    /// a case was running. Signal handlers call it.
    #[cfg_attr(not(unix), expect(dead_code, reason = "there are no handlers"))]
    pub(super) fn suspect_all(signal: i32) -> bool {
        let mut is_running = false;
        for state in &STATES {
            let is_watched =
                state.is_used.load(Ordering::Acquire) && state.is_watched.load(Ordering::Acquire);
            if is_watched && state.cells().cause().is_none() && state.running_word().is_some() {
                state.record(Fate::Suspected(signal), false);
                is_running = true;
            }
        }
        is_running
    }

    pub(super) fn set_watched(&self, is_watched: bool) {
        self.is_watched.store(is_watched, Ordering::Release);
    }

    pub(super) fn thread(&self) -> i32 {
        self.thread.load(Ordering::Relaxed)
    }

    pub(super) fn set_thread(&self, thread: i32) {
        self.thread.store(thread, Ordering::Relaxed);
    }

    pub(crate) fn is_done(&self) -> bool {
        self.done.load(Ordering::Acquire)
    }

    pub(super) fn set_done(&self) {
        self.done.store(true, Ordering::Release);
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    pub(super) fn set_ended(&self) {
        self.ended.store(true, Ordering::Release);
    }

    /// Returns whether the worker died in the destructor of a thread-local value, and not another
    /// thread.
    pub(super) fn died_in_destructor(&self) -> bool {
        self.died_in_destructor.load(Ordering::Acquire)
    }

    /// Returns the memory for cells in files, if it exists.
    pub(super) fn page(&self) -> &AtomicPtr<u8> {
        &self.page
    }

    pub(super) fn cells(&self) -> &Cells {
        let cells = self.cells.load(Ordering::Acquire);
        super::page::cells_at(cells).unwrap_or(&self.own)
    }

    /// Uses the cells at this address from now on. They are in memory that never goes away.
    pub(super) fn use_cells(&self, cells: *mut Cells) {
        self.cells.store(cells, Ordering::Release);
    }

    pub(super) fn use_own_cells(&self) {
        self.use_cells(std::ptr::null_mut());
    }

    /// Records the fate of a thread of the running case. Signal handlers call it.
    pub(super) fn record(&self, fate: Fate, is_worker: bool) {
        if self.is_done() {
            self.died_in_destructor.store(is_worker, Ordering::Release);
        }
        let cells = self.cells();
        let fate = match fate {
            Fate::Crashed(signal) => signal,
            Fate::Suspected(signal) => SUSPECTED + signal,
            Fate::Exited => EXITED,
        };
        // When the worker is done, no case runs, and the last one is known.
        if !self.is_done() {
            cells.last.store(cells.running.load(Ordering::Relaxed), Ordering::Release);
        }
        cells.fate.store(fate, Ordering::Release);
    }

    /// Returns the running case.
    pub(super) fn running_case(&self) -> RunningCase {
        self.cells().running_case(|| self.tape.try_lock().ok().and_then(|tape| tape.clone()))
    }

    /// Returns a number that stays the same while a case runs; `None` if none runs.
    pub(super) fn running_word(&self) -> Option<u64> {
        let word = self.cells().running.load(Ordering::Acquire);
        (word != NOTHING).then_some(word)
    }
}

/// A state that is in use until this is dropped.
#[derive(Debug)]
pub(crate) struct RunStateGuard {
    state: &'static RunState,
}

impl RunStateGuard {
    pub(crate) fn state(&self) -> &'static RunState {
        self.state
    }

    /// Never uses the state again: threads that cannot continue have it.
    pub(super) fn forget(self) {
        std::mem::forget(self);
    }
}

impl Drop for RunStateGuard {
    fn drop(&mut self) {
        self.state.set_watched(false);
        self.state.use_own_cells();
        *lock(&self.state.tape) = None;
        self.state.is_used.store(false, Ordering::Release);
    }
}

/// The handle of the worker, which reports the running case.
#[derive(Clone, Debug)]
pub(crate) struct Worker {
    state: &'static RunState,
    cells: &'static Cells,
}

impl Worker {
    pub(super) fn new(state: &'static RunState) -> Worker {
        Worker { state, cells: state.cells() }
    }

    /// Reports that the random case with this number begins.
    #[inline]
    pub(crate) fn begin_case(&self, case: u64) {
        if case < CASES_WITH_CHECK {
            signals::keep_installed();
        }
        self.begin((case + 1) & !KIND);
    }

    /// Reports that the example with this index begins.
    pub(crate) fn begin_example(&self, nth: usize) {
        self.begin(EXAMPLE | nth as u64);
    }

    /// Reports that the next case of the enumeration begins.
    #[inline]
    pub(crate) fn begin_enumerated(&self) {
        self.begin_next(ENUMERATED);
    }

    /// Reports that a case without a number begins.
    pub(crate) fn begin_tape(&self, tape: &Tape, found_by: FoundBy) {
        if let Ok(mut running) = self.state.tape.lock() {
            *running = Some((tape.clone(), found_by));
        }
        self.begin_next(TAPE);
    }

    fn begin_next(&self, kind: u64) {
        let before = self.cells.running.load(Ordering::Relaxed);
        self.begin((before.wrapping_add(1) & !KIND) | kind);
    }

    #[inline]
    fn begin(&self, word: u64) {
        self.cells.running.store(word, Ordering::Release);
        self.stop_if_lost();
    }

    /// Reports that no case runs until the next one begins, however long that takes.
    pub(crate) fn mark_idle(&self) {
        self.stop_if_lost();
        let last = self.cells.running.swap(NOTHING, Ordering::Relaxed);
        if last != NOTHING {
            self.cells.last.store(last, Ordering::Relaxed);
        }
    }

    /// Reports that all cases are over, and that the destructors of thread-local values run.
    pub(super) fn begin_destructors(&self) {
        let last = self.cells.running.swap(DESTRUCTORS, Ordering::Relaxed);
        if last != NOTHING {
            self.cells.last.store(last, Ordering::Relaxed);
        }
    }

    /// Stops this thread for good if another thread of a case died. Its supervisor reports that,
    /// and does not wait for this thread.
    #[inline]
    pub(super) fn stop_if_lost(&self) {
        if self.cells.has_fate() {
            park();
        }
    }
}

#[cold]
fn park() -> ! {
    loop {
        std::thread::park();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word_of(running: &RunningCase) -> String {
        format!("{running:?}")
    }

    #[test]
    fn states_know_the_running_case() {
        let guard = RunState::acquire().expect("a state");
        let state = guard.state();
        let worker = Worker::new(state);
        assert_eq!(state.running_case(), RunningCase::Nothing);
        worker.begin_case(0);
        assert_eq!(state.running_case(), RunningCase::Random(0));
        worker.begin_example(3);
        assert_eq!(state.running_case(), RunningCase::Example(3));
        let before = state.running_word();
        worker.begin_enumerated();
        worker.begin_enumerated();
        assert_ne!(state.running_word(), before);
        assert_eq!(state.running_case(), RunningCase::Enumerated);
        worker.begin_tape(&Tape::default(), FoundBy::Database);
        assert!(matches!(state.running_case(), RunningCase::Tape(..)));
        worker.mark_idle();
        assert_eq!(word_of(&state.running_case()), "Nothing");
        assert_eq!(state.cells().last_case(), RunningCase::Nothing, "the tape is unknown");
        worker.begin_case(7);
        worker.mark_idle();
        worker.mark_idle();
        assert_eq!(state.running_case(), RunningCase::Nothing);
        assert_eq!(state.cells().last_case(), RunningCase::Random(7));
    }

    #[test]
    fn states_are_used_by_one_run_at_a_time() {
        let first = RunState::acquire().expect("a state");
        let second = RunState::acquire().expect("a state");
        assert_ne!(first.state().number(), second.state().number());
        let number = first.state().number();
        assert!(RunState::watched(number).is_none(), "it has no supervisor");
        first.state().set_watched(true);
        assert!(RunState::watched(number).is_some());
        drop(first);
        assert!(RunState::watched(number).is_none());
    }

    #[test]
    fn cells_are_read_from_bytes() {
        let mut bytes = [0; size_of::<Cells>()];
        bytes[..8].copy_from_slice(&8_u64.to_ne_bytes());
        let cells = Cells::from_bytes(&bytes);
        assert_eq!(cells.running_case(|| None), RunningCase::Random(7));
        assert_eq!(cells.cause(), None);
        bytes[8..16].copy_from_slice(&3_u64.to_ne_bytes());
        bytes[16..20].copy_from_slice(&11_i32.to_ne_bytes());
        let cells = Cells::from_bytes(&bytes);
        assert_eq!(cells.running_case(|| None), RunningCase::Random(2));
        assert_eq!(cells.cause(), Some(LossCause::Crash { signal: 11 }));
    }
}
