//! The worker, and the thread that watches it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use rebut_choice::Tape;

use super::load::WaitingTimes;
use super::signals;
use crate::execute::Execution;
use crate::print;
use crate::progress;
use crate::threads::{self, lock};
use crate::verdict::FoundBy;

/// How a supervised run ended.
#[derive(Debug)]
pub(crate) enum Supervised<T> {
    /// The run finished.
    Finished(T),
    /// A case killed or blocked the worker, which will never return.
    Lost(Box<WorkerLoss>),
}

/// How a worker was lost.
#[derive(Clone, Debug)]
pub(crate) struct WorkerLoss {
    pub(crate) cause: LossCause,
    pub(crate) running: RunningCase,
    /// The execution that confirmed a hang.
    pub(crate) confirmed: Option<Execution>,
}

/// Runs a case that seems to hang in another process. Returns its execution if that does not end
/// in time either.
pub(crate) type ConfirmHang = Box<dyn FnMut(&RunningCase) -> Option<Execution> + Send>;

/// The case that the worker was running.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RunningCase {
    /// The random case with this number.
    Random(u64),
    /// A tape, and its origin.
    Tape(Tape, FoundBy),
    /// The example with this index.
    Example(usize),
    /// A case of the enumeration of all cases.
    Enumerated,
    /// No case.
    Nothing,
}

/// Why a worker was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LossCause {
    /// The worker died from this signal.
    Crash { signal: i32 },
    /// The case did not end within the deadline.
    Hang,
    /// The case called `exit`. The process is about to end: report to the real standard error and
    /// call [`end_process`](super::end_process).
    Exit,
}

/// The fate of a thread, as a signal or exit handler records it.
#[cfg_attr(not(unix), expect(dead_code, reason = "there are no handlers"))]
#[derive(Clone, Copy, Debug)]
pub(super) enum Fate {
    Crashed(i32),
    Exited,
}

/// The fate of a running worker.
const ALIVE: i32 = 0;
/// The fate of a worker that called `exit`, in place of a signal.
const EXITED: i32 = -1;

/// The value of [`Shared::running`] for no case.
const NOTHING: u64 = 0;
/// The kind of case, in the upper two bits of [`Shared::running`]. The other bits are its number.
const CASE: u64 = 0;
const TAPE: u64 = 1 << 62;
const EXAMPLE: u64 = 2 << 62;
const ENUMERATED: u64 = 3 << 62;
const KIND: u64 = 3 << 62;

/// The state that the worker and the supervisor share.
#[derive(Debug)]
pub(super) struct Shared {
    /// The running case. The value differs from case to case: if it stays the same, the case
    /// hangs.
    running: AtomicU64,
    fate: AtomicI32,
    thread: AtomicI32,
    done: AtomicBool,
    tape: Mutex<Option<(Tape, FoundBy)>>,
}

impl Shared {
    fn new() -> Arc<Shared> {
        Arc::new(Shared {
            running: AtomicU64::new(NOTHING),
            fate: AtomicI32::new(ALIVE),
            thread: AtomicI32::new(0),
            done: AtomicBool::new(false),
            tape: Mutex::new(None),
        })
    }

    /// Records a fate. Signal handlers call it.
    #[cfg_attr(not(unix), expect(dead_code, reason = "there are no handlers"))]
    pub(super) fn record(&self, fate: Fate) {
        let fate = match fate {
            Fate::Crashed(signal) => signal,
            Fate::Exited => EXITED,
        };
        self.fate.store(fate, Ordering::Release);
    }

    fn cause(&self) -> Option<LossCause> {
        match self.fate.load(Ordering::Acquire) {
            ALIVE => None,
            EXITED => Some(LossCause::Exit),
            signal => Some(LossCause::Crash { signal }),
        }
    }

    fn loss(&self, cause: LossCause) -> WorkerLoss {
        let running = self.running.load(Ordering::Acquire);
        let number = running & !KIND;
        let running = match running & KIND {
            CASE if running == NOTHING => RunningCase::Nothing,
            CASE => RunningCase::Random(number - 1),
            EXAMPLE => RunningCase::Example(number as usize),
            ENUMERATED => RunningCase::Enumerated,
            _ => {
                let tape = self.tape.try_lock().ok().and_then(|tape| tape.clone());
                tape.map_or(RunningCase::Nothing, |(tape, found_by)| {
                    RunningCase::Tape(tape, found_by)
                })
            }
        };
        WorkerLoss { cause, running, confirmed: None }
    }
}

/// The handle of the worker, which reports the running case.
#[derive(Clone, Debug)]
pub(crate) struct Worker {
    shared: Arc<Shared>,
}

impl Worker {
    /// Reports that the random case with this number begins.
    #[inline]
    pub(crate) fn begin_case(&self, case: u64) {
        self.shared.running.store((case + 1) & !KIND, Ordering::Relaxed);
    }

    /// Reports that the example with this index begins.
    pub(crate) fn begin_example(&self, nth: usize) {
        self.shared.running.store(EXAMPLE | nth as u64, Ordering::Relaxed);
    }

    /// Reports that the next case of the enumeration begins.
    #[inline]
    pub(crate) fn begin_enumerated(&self) {
        self.begin_next(ENUMERATED);
    }

    /// Reports that a case without a number begins.
    pub(crate) fn begin_tape(&self, tape: &Tape, found_by: FoundBy) {
        if let Ok(mut running) = self.shared.tape.lock() {
            *running = Some((tape.clone(), found_by));
        }
        self.begin_next(TAPE);
    }

    fn begin_next(&self, kind: u64) {
        let before = self.shared.running.load(Ordering::Relaxed);
        self.shared.running.store((before.wrapping_add(1) & !KIND) | kind, Ordering::Release);
    }

    /// Reports that no case runs until the next one begins, however long that takes.
    pub(crate) fn mark_idle(&self) {
        self.shared.running.store(NOTHING, Ordering::Relaxed);
    }
}

/// Watches the worker.
///
/// A case that takes too long may only be slow: because the machine is busy, or because it waits
/// for threads that wait for a processor. So a case is a hang only if it also exceeds its deadline
/// in another process, and the worker is still at the same case then. If the other process
/// contradicts, the worker gets more time: its case may depend on the cases before it.
struct WorkerWatch {
    shared: Arc<Shared>,
    deadline: Duration,
    confirm: ConfirmHang,
    seen: u64,
    since: Instant,
    /// Known for a case that was seen twice. Most cases are faster.
    waiting: Option<WaitingTimes>,
    /// Whether another process contradicted that this case hangs.
    is_contradicted: bool,
}

/// The time between two checks of the worker. It delays the report of a crash, not the end of a
/// run, which wakes the supervisor. Arbitrary.
const PERIOD: Duration = Duration::from_millis(10);
/// A case that ends in another process, but not in this one, gets this many times its deadline.
/// Arbitrary.
const CONTRADICTED_FACTOR: u32 = 4;

/// Locked while a case runs to confirm a hang: if many cases are slow at the same time, none must
/// make the others slow.
static CONFIRMING: Mutex<()> = Mutex::new(());

impl WorkerWatch {
    fn new(shared: &Arc<Shared>, deadline: Duration, confirm: ConfirmHang) -> WorkerWatch {
        WorkerWatch {
            shared: Arc::clone(shared),
            deadline,
            confirm,
            seen: NOTHING,
            since: Instant::now(),
            waiting: None,
            is_contradicted: false,
        }
    }

    /// Returns how the worker was lost, if it was.
    fn check(&mut self) -> Option<WorkerLoss> {
        if let Some(cause) = self.shared.cause() {
            return Some(self.shared.loss(cause));
        }
        if !self.is_at_seen_case() {
            self.seen = self.shared.running.load(Ordering::Relaxed);
            self.since = Instant::now();
            self.waiting = None;
            self.is_contradicted = false;
            return None;
        }
        let thread = self.shared.thread.load(Ordering::Relaxed);
        let waiting = self.waiting.get_or_insert_with(|| WaitingTimes::of_thread(thread));
        let factor = if self.is_contradicted { CONTRADICTED_FACTOR } else { 1 };
        let (limit, elapsed) = (self.deadline * factor, self.since.elapsed());
        if elapsed < limit || !waiting.has_used(limit, elapsed) {
            return None;
        }
        let mut loss = self.shared.loss(LossCause::Hang);
        if !self.is_contradicted {
            let _alone = lock(&CONFIRMING);
            if !self.is_at_seen_case() {
                return None;
            }
            loss.confirmed = (self.confirm)(&loss.running);
            self.is_contradicted = loss.confirmed.is_none();
        }
        // Meanwhile the worker may have gone on, or may have died.
        if self.is_contradicted && factor == 1 || !self.is_at_seen_case() {
            return None;
        }
        if let Some(cause) = self.shared.cause() {
            return Some(self.shared.loss(cause));
        }
        signals::lower_priority(thread);
        Some(loss)
    }

    fn is_at_seen_case(&self) -> bool {
        let running = self.shared.running.load(Ordering::Relaxed);
        running == self.seen && running != NOTHING
    }
}

/// Runs `run` on a new thread with the name of this one, and watches it from here. A panic of
/// `run` continues on this thread.
///
/// A lost worker stays behind and keeps everything it owns, so `run` must own what it uses.
pub(crate) fn supervise<T: Send + 'static>(
    deadline: Duration,
    confirm: ConfirmHang,
    run: impl FnOnce(&Worker) -> T + Send + 'static,
) -> Supervised<T> {
    signals::install();
    let shared = Shared::new();
    let result = Arc::new(Mutex::new(None));
    let slot = Arc::clone(&result);
    let lost = watch_worker(
        WorkerWatch::new(&shared, deadline, confirm),
        &shared,
        Box::new(move |worker| {
            let result = run(worker);
            *lock(&slot) = Some(result);
        }),
    );
    let finished = lock(&result).take();
    match (finished, lost) {
        (Some(result), None) => Supervised::Finished(result),
        (_, Some(lost)) => Supervised::Lost(Box::new(lost)),
        (None, None) => Supervised::Lost(Box::new(shared.loss(LossCause::Crash { signal: 0 }))),
    }
}

/// Runs `run` on a new thread and waits for its end. Returns how it was lost, if it was.
///
/// If the system has no more threads, runs it on this one. Then no deadline ends a case, and a
/// crash ends the process, as it would without Rebut.
fn watch_worker(
    mut watch: WorkerWatch,
    shared: &Arc<Shared>,
    run: Box<dyn FnOnce(&Worker) + Send>,
) -> Option<WorkerLoss> {
    let worker = Worker { shared: Arc::clone(shared) };
    let supervisor = thread::current();
    // A thread that cannot be started drops its function.
    let run = Arc::new(Mutex::new(Some(run)));
    let spawned = threads::spawn(Box::new({
        let (worker, run) = (worker.clone(), Arc::clone(&run));
        move || {
            let shared = Arc::clone(&worker.shared);
            let _signal = FinishSignal { shared: &shared, supervisor };
            let _mark = signals::mark(&shared);
            shared.thread.store(signals::thread_id(), Ordering::Relaxed);
            let run = lock(&run).take();
            if let Some(run) = run {
                run(&worker);
            }
        }
    }));
    let thread = match spawned {
        Ok(thread) => thread,
        Err(error) => {
            print::warning(&format!(
                "cannot start a thread: {error}; cases have no deadline, and a crash ends the test process"
            ));
            let run = lock(&run).take();
            if let Some(run) = run {
                run(&worker);
            }
            return None;
        }
    };
    loop {
        thread::park_timeout(PERIOD);
        progress::tick();
        if shared.done.load(Ordering::Acquire) || thread.is_finished() {
            or_resume(thread.join());
            return None;
        }
        let lost = watch.check();
        if lost.is_some() {
            return lost;
        }
    }
}

/// Notifies the supervisor when the worker ends, even by a panic.
struct FinishSignal<'a> {
    shared: &'a Shared,
    supervisor: Thread,
}

impl Drop for FinishSignal<'_> {
    fn drop(&mut self) {
        self.shared.done.store(true, Ordering::Release);
        self.supervisor.unpark();
    }
}

fn or_resume<T>(result: Result<T, Box<dyn Any + Send>>) -> T {
    result.unwrap_or_else(|payload| resume_unwind(payload))
}

/// Runs `run`, which cannot move to another thread, here, and watches it from another thread. If
/// it is lost, calls `recover` there and then ends the process with code 101, because this thread
/// cannot continue.
pub(crate) fn supervise_here<T>(
    deadline: Duration,
    confirm: ConfirmHang,
    run: impl FnOnce(&Worker) -> T,
    recover: impl FnOnce(WorkerLoss) + Send + 'static,
) -> T {
    signals::install();
    let shared = Shared::new();
    let worker = Worker { shared: Arc::clone(&shared) };
    shared.thread.store(signals::thread_id(), Ordering::Relaxed);
    let mut watch = WorkerWatch::new(&shared, deadline, confirm);
    let supervisor = threads::spawn(Box::new(move || {
        while !watch.shared.done.load(Ordering::Acquire) {
            if let Some(lost) = watch.check() {
                let _ = catch_unwind(AssertUnwindSafe(|| recover(lost)));
                signals::end_process(101);
            }
            progress::tick();
            thread::park_timeout(PERIOD);
        }
    }));
    let result = {
        let _mark = signals::mark(&shared);
        catch_unwind(AssertUnwindSafe(|| run(&worker)))
    };
    shared.done.store(true, Ordering::Release);
    if let Ok(supervisor) = supervisor {
        supervisor.thread().unpark();
        let _ = supervisor.join();
    }
    or_resume(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(200);
    const LATE: Duration = Duration::from_secs(60);

    fn execution() -> Execution {
        let outcome = crate::outcome::Outcome::Passed;
        Execution { outcome, tape: Tape::default(), log: None, output: String::new() }
    }

    /// Another process confirms all hangs.
    fn always() -> ConfirmHang {
        Box::new(|_| Some(execution()))
    }

    /// Another process contradicts all hangs.
    fn never() -> ConfirmHang {
        Box::new(|_| None)
    }

    fn tape(text: &str) -> Tape {
        Tape::from_text(text).expect("a valid tape")
    }

    #[test]
    fn finished_runs_return_their_result() {
        let finished = supervise(LATE, never(), |worker| {
            for case in 0..1000 {
                worker.begin_case(case);
            }
            7
        });
        assert!(matches!(finished, Supervised::Finished(7)));
        assert_eq!(supervise_here(LATE, never(), |_| 7, |_| ()), 7);
    }

    #[test]
    fn workers_have_the_name_of_their_test() {
        let finished = supervise(LATE, never(), |_| thread::current().name().map(str::to_owned));
        let Supervised::Finished(name) = finished else { panic!("{finished:?}") };
        assert_eq!(name.as_deref(), thread::current().name());
    }

    #[test]
    fn panics_continue_in_the_supervisor() {
        let result = catch_unwind(|| supervise(LATE, never(), |_| resume_unwind(Box::new(5_u8))));
        let payload = result.map(|_: Supervised<()>| ()).expect_err("panics");
        assert_eq!(payload.downcast_ref(), Some(&5_u8));
    }

    #[test]
    fn hangs_are_reported_with_their_case() {
        let lost = supervise(SOON, always(), |worker| {
            worker.begin_case(3);
            loop {
                thread::park();
            }
        });
        let Supervised::<()>::Lost(lost) = lost else { panic!("{lost:?}") };
        assert_eq!((lost.cause, lost.running), (LossCause::Hang, RunningCase::Random(3)));
        assert!(lost.confirmed.is_some());
    }

    #[test]
    fn hangs_that_another_process_contradicts_get_more_time() {
        let (sender, receiver) = threads::lines();
        let sender = Mutex::new(Some(sender));
        // The case ends when the other process has ended it.
        let confirm = Box::new(move |_: &RunningCase| {
            drop(lock(&sender).take());
            None
        });
        let finished = supervise(SOON, confirm, move |worker| {
            worker.begin_case(3);
            while !matches!(receiver.receive(LATE), threads::Received::Ended) {}
            worker.begin_case(4);
            7
        });
        assert!(matches!(finished, Supervised::Finished(7)));
    }

    #[test]
    fn cases_that_end_while_a_hang_is_confirmed_do_not_hang() {
        let (sender, receiver) = threads::lines();
        let sender = Mutex::new(Some(sender));
        let (done, is_done) = threads::lines();
        let is_done = Mutex::new(Some(is_done));
        let confirm = Box::new(move |_: &RunningCase| {
            drop(lock(&sender).take());
            let is_done = lock(&is_done).take()?;
            while !matches!(is_done.receive(LATE), threads::Received::Ended) {}
            Some(execution())
        });
        let finished = supervise(SOON, confirm, move |worker| {
            worker.begin_case(3);
            while !matches!(receiver.receive(LATE), threads::Received::Ended) {}
            worker.mark_idle();
            drop(done);
            7
        });
        assert!(matches!(finished, Supervised::Finished(7)));
    }

    #[test]
    fn hangs_of_one_process_are_reported_in_the_end() {
        let lost = supervise(Duration::from_millis(20), never(), |worker| {
            worker.begin_case(3);
            loop {
                thread::park();
            }
        });
        let Supervised::<()>::Lost(lost) = lost else { panic!("{lost:?}") };
        assert_eq!((lost.cause, lost.running), (LossCause::Hang, RunningCase::Random(3)));
        assert!(lost.confirmed.is_none());
    }

    #[test]
    fn idle_workers_do_not_count_as_hanging() {
        let finished = supervise(Duration::from_millis(30), always(), |worker| {
            worker.begin_case(3);
            worker.mark_idle();
            thread::park_timeout(SOON);
        });
        assert!(matches!(finished, Supervised::Finished(())));
    }

    #[cfg(unix)]
    #[test]
    fn crashes_are_reported_with_their_tape() {
        let lost = supervise(LATE, never(), |worker| {
            worker.begin_tape(&tape("i1"), FoundBy::Database);
            worker.begin_tape(&tape("i2"), FoundBy::Search(3));
            std::process::abort();
        });
        let Supervised::<()>::Lost(lost) = lost else { panic!("{lost:?}") };
        assert_eq!(lost.running, RunningCase::Tape(tape("i2"), FoundBy::Search(3)));
        assert_eq!(lost.cause, LossCause::Crash { signal: libc::SIGABRT });
    }

    #[cfg(unix)]
    #[test]
    fn stack_overflows_are_survived() {
        #[expect(unconditional_recursion, reason = "to overflow the stack")]
        fn deeper(n: u64) -> u64 {
            let frame = std::hint::black_box([n; 64]);
            deeper(n + 1) + frame[7]
        }
        let lost = supervise(LATE, never(), |worker| {
            worker.begin_case(0);
            deeper(0)
        });
        let Supervised::Lost(lost) = lost else { panic!("{lost:?}") };
        assert!(matches!(lost.cause, LossCause::Crash { .. }), "{lost:?}");
        assert_eq!(lost.running, RunningCase::Random(0));
    }
}
