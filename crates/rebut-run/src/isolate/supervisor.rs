//! The worker, and the thread that watches it.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rebut_choice::Tape;

use super::load::WaitingTimes;
use super::run_state::{RunState, RunStateGuard, Worker};
use super::signals;
use super::stall;
use crate::execute::Execution;
use crate::lineage;
use crate::print;
use crate::progress;
use crate::threads::{self, lock};
use crate::verdict::FoundBy;

/// How a supervised run ended.
#[derive(Debug)]
pub(crate) enum Supervised<T> {
    /// The run finished.
    Finished(T),
    /// The run finished. Then the destructor of a thread-local value killed or blocked the worker,
    /// or another thread died.
    LostAtEnd(T, EndLoss),
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

/// How a worker was lost that had returned its result.
#[derive(Clone, Debug)]
pub(crate) struct EndLoss {
    pub(crate) cause: LossCause,
    /// Whether a destructor did that, and not a thread that outlived its case.
    pub(crate) is_destructor: bool,
    /// The description of the panic in a destructor, which aborts the process.
    pub(crate) panic: Option<String>,
    /// The last case.
    pub(crate) last: RunningCase,
    /// The time that the destructors had.
    pub(crate) limit: Duration,
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
    /// A tape that is not known.
    UnknownTape,
    /// No case.
    Nothing,
}

/// Why a worker was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LossCause {
    /// The worker, or a thread that its case started, died from this signal.
    Crash { signal: i32 },
    /// A case of this process sent a signal that ends it. It was delivered to another thread, so it
    /// is unknown which case that was.
    Suspected { signal: i32 },
    /// The case did not end within the deadline.
    Hang,
    /// The case called `exit`. The process is about to end: report to the real standard error and
    /// call [`end_process`](super::end_process).
    Exit,
}

/// Watches the worker.
///
/// A case that takes too long may only be slow: because the machine is busy, or because it waits
/// for threads that wait for a processor. So a case is a hang only if it also exceeds its deadline
/// in another process, and the worker is still at the same case then. If the other process
/// contradicts, the worker gets more time: its case may depend on the cases before it.
struct WorkerWatch {
    state: &'static RunState,
    deadline: Duration,
    confirm: ConfirmHang,
    seen: Option<u64>,
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
    fn new(state: &'static RunState, deadline: Duration, confirm: ConfirmHang) -> WorkerWatch {
        WorkerWatch {
            state,
            deadline,
            confirm,
            seen: None,
            since: Instant::now(),
            waiting: None,
            is_contradicted: false,
        }
    }

    /// Returns how the worker was lost, if it was.
    fn check(&mut self) -> Option<WorkerLoss> {
        stall::beat();
        if let Some(cause) = self.state.cells().cause() {
            return Some(self.loss(cause));
        }
        if !self.is_at_seen_case() {
            self.seen = self.state.running_word();
            self.since = Instant::now();
            self.waiting = None;
            self.is_contradicted = false;
            return None;
        }
        let thread = self.state.thread();
        let waiting = self.waiting.get_or_insert_with(|| WaitingTimes::of_thread(thread));
        let factor = if self.is_contradicted { CONTRADICTED_FACTOR } else { 1 };
        let (limit, elapsed) = (self.deadline * factor, self.since.elapsed());
        if elapsed < limit || !waiting.has_used(limit, elapsed) {
            return None;
        }
        let mut loss = self.loss(LossCause::Hang);
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
        if let Some(cause) = self.state.cells().cause() {
            return Some(self.loss(cause));
        }
        signals::lower_priority(thread);
        stall::watch_for(thread);
        Some(loss)
    }

    fn loss(&self, cause: LossCause) -> WorkerLoss {
        WorkerLoss { cause, running: self.state.running_case(), confirmed: None }
    }

    fn is_at_seen_case(&self) -> bool {
        self.seen.is_some() && self.state.running_word() == self.seen
    }
}

/// Runs `run` on a new thread with the name of this one, and watches it from here. A panic of
/// `run` continues on this thread.
///
/// A lost worker stays behind and keeps everything it owns, so `run` must own what it uses.
pub(crate) fn supervise<T: Send + 'static>(
    state: RunStateGuard,
    deadline: Duration,
    confirm: ConfirmHang,
    run: impl FnOnce(&Worker) -> T + Send + 'static,
) -> Supervised<T> {
    signals::install();
    let result = Arc::new(Mutex::new(None));
    let slot = Arc::clone(&result);
    let end = watch_worker(
        WorkerWatch::new(state.state(), deadline, confirm),
        state.state(),
        Box::new(move |worker| {
            let result = catch_unwind(AssertUnwindSafe(|| run(worker)));
            *lock(&slot) = Some(result);
        }),
    );
    let result = match &end {
        WorkerEnd::Lost(_) => None,
        WorkerEnd::Ended | WorkerEnd::LostAtEnd(_) => lock(&result).take(),
    };
    if !matches!(end, WorkerEnd::Ended) {
        // The lost thread has it.
        state.forget();
    }
    match (end, result.map(or_resume)) {
        (WorkerEnd::Lost(lost), _) => Supervised::Lost(lost),
        (WorkerEnd::Ended, Some(result)) => Supervised::Finished(result),
        (WorkerEnd::LostAtEnd(end), Some(result)) => Supervised::LostAtEnd(result, end),
        (WorkerEnd::Ended | WorkerEnd::LostAtEnd(_), None) => {
            let (cause, running) = (LossCause::Crash { signal: 0 }, RunningCase::Nothing);
            Supervised::Lost(Box::new(WorkerLoss { cause, running, confirmed: None }))
        }
    }
}

/// How the thread of a worker ended.
enum WorkerEnd {
    Ended,
    LostAtEnd(EndLoss),
    Lost(Box<WorkerLoss>),
}

/// The time for the destructors of thread-local values: this many deadlines, because no other
/// process confirms that they hang. Arbitrary.
const DESTRUCTORS_FACTOR: u32 = CONTRADICTED_FACTOR;

/// Runs `run` on a new thread and waits for its end, which includes the destructors of its
/// thread-local values.
///
/// If the system has no more threads, runs it on this one. Then no deadline ends a case, and a
/// crash ends the process, as it would without Rebut.
fn watch_worker(
    mut watch: WorkerWatch,
    state: &'static RunState,
    run: Box<dyn FnOnce(&Worker) + Send>,
) -> WorkerEnd {
    let worker = Worker::new(state);
    let supervisor = thread::current();
    // A thread that cannot be started drops its function.
    let run = Arc::new(Mutex::new(Some(run)));
    let spawned = threads::spawn_worker(Box::new({
        let (worker, run) = (worker.clone(), Arc::clone(&run));
        move || {
            signals::mark_until_end(
                state,
                Box::new(move || {
                    state.set_ended();
                    supervisor.unpark();
                }),
            );
            state.set_thread(signals::thread_id());
            let run = lock(&run).take();
            if let Some(run) = run {
                run(&worker);
            }
            signals::prepare_destructors();
            worker.begin_destructors();
            state.set_done();
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
            return WorkerEnd::Ended;
        }
    };
    let limit = watch.deadline.saturating_mul(DESTRUCTORS_FACTOR);
    let mut destructors: Option<(Instant, WaitingTimes)> = None;
    loop {
        thread::park_timeout(PERIOD);
        progress::tick();
        if !state.is_done() {
            if let Some(lost) = watch.check() {
                return WorkerEnd::Lost(Box::new(lost));
            }
            continue;
        }
        let loss = |cause| {
            WorkerEnd::LostAtEnd(EndLoss {
                cause,
                is_destructor: cause == LossCause::Hang || state.died_in_destructor(),
                panic: lineage::last_words(state.number()),
                last: state.cells().case_before_destructors(),
                limit,
            })
        };
        // A thread of the last case may have died too.
        if let Some(cause) = state.cells().cause() {
            return loss(cause);
        }
        if state.has_ended() {
            // It has ended except for what the system does. Destructors of C libraries may still
            // block it, so that only Miri, which wants to see its end, waits.
            if cfg!(miri) {
                let _ = thread.join();
            }
            return WorkerEnd::Ended;
        }
        stall::beat();
        let (since, waiting) = destructors
            .get_or_insert_with(|| (Instant::now(), WaitingTimes::of_thread(state.thread())));
        let elapsed = since.elapsed();
        if elapsed >= limit && waiting.has_used(limit, elapsed) {
            signals::lower_priority(state.thread());
            stall::watch_for(state.thread());
            return loss(LossCause::Hang);
        }
    }
}

fn or_resume<T>(result: Result<T, Box<dyn Any + Send>>) -> T {
    result.unwrap_or_else(|payload| resume_unwind(payload))
}

/// Runs `run`, which cannot move to another thread, here, and watches it from another thread. If
/// it is lost, calls `recover` there, which ends the process, because this thread cannot continue.
pub(crate) fn supervise_here<T>(
    state: RunStateGuard,
    deadline: Duration,
    confirm: ConfirmHang,
    run: impl FnOnce(&Worker) -> T,
    recover: impl FnOnce(WorkerLoss) + Send + 'static,
) -> T {
    signals::install();
    let watched = state.state();
    let worker = Worker::new(watched);
    watched.set_thread(signals::thread_id());
    let mut watch = WorkerWatch::new(watched, deadline, confirm);
    let supervisor = threads::spawn(Box::new(move || {
        while !watch.state.is_done() {
            if let Some(lost) = watch.check() {
                let _ = catch_unwind(AssertUnwindSafe(|| recover(lost)));
                signals::end_process(101);
            }
            progress::tick();
            thread::park_timeout(PERIOD);
        }
    }));
    let result = {
        let _mark = signals::mark(watched);
        catch_unwind(AssertUnwindSafe(|| run(&worker)))
    };
    // A thread of the last case may have died when its case was already over.
    worker.stop_if_lost();
    watched.set_done();
    if let Ok(supervisor) = supervisor {
        supervisor.thread().unpark();
        let _ = supervisor.join();
    }
    drop(state);
    or_resume(result)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    const SOON: Duration = Duration::from_millis(200);
    const LATE: Duration = Duration::from_secs(60);

    fn state() -> RunStateGuard {
        RunState::acquire().expect("a state")
    }

    fn execution() -> Execution {
        let outcome = crate::outcome::Outcome::Passed;
        Execution { outcome, tape: Tape::default(), log: None, output: String::new(), reached: 0 }
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
        let finished = supervise(state(), LATE, never(), |worker| {
            for case in 0..1000 {
                worker.begin_case(case);
            }
            7
        });
        assert!(matches!(finished, Supervised::Finished(7)));
        assert_eq!(supervise_here(state(), LATE, never(), |_| 7, |_| ()), 7);
    }

    #[test]
    fn workers_have_the_name_of_their_test() {
        let finished =
            supervise(state(), LATE, never(), |_| thread::current().name().map(str::to_owned));
        let Supervised::Finished(name) = finished else { panic!("{finished:?}") };
        assert_eq!(name.as_deref(), thread::current().name());
    }

    #[test]
    fn panics_continue_in_the_supervisor() {
        let result =
            catch_unwind(|| supervise(state(), LATE, never(), |_| resume_unwind(Box::new(5_u8))));
        let payload = result.map(|_: Supervised<()>| ()).expect_err("panics");
        assert_eq!(payload.downcast_ref(), Some(&5_u8));
    }

    #[test]
    fn hangs_are_reported_with_their_case() {
        let lost = supervise(state(), SOON, always(), |worker| {
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
        let finished = supervise(state(), SOON, confirm, move |worker| {
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
        let finished = supervise(state(), SOON, confirm, move |worker| {
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
        let lost = supervise(state(), Duration::from_millis(20), never(), |worker| {
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
        let finished = supervise(state(), Duration::from_millis(30), always(), |worker| {
            worker.begin_case(3);
            worker.mark_idle();
            thread::park_timeout(SOON);
        });
        assert!(matches!(finished, Supervised::Finished(())));
    }

    #[cfg(unix)]
    #[test]
    fn crashes_are_reported_with_their_tape() {
        let lost = supervise(state(), LATE, never(), |worker| {
            worker.begin_tape(&tape("i1"), FoundBy::Database);
            worker.begin_tape(&tape("i2"), FoundBy::Search(3));
            std::process::abort();
        });
        let Supervised::<()>::Lost(lost) = lost else { panic!("{lost:?}") };
        assert_eq!(lost.running, RunningCase::Tape(tape("i2"), FoundBy::Search(3)));
        assert_eq!(lost.cause, LossCause::Crash { signal: libc::SIGABRT });
    }

    /// Runs a case on a worker whose thread-local value does this when the worker is done.
    fn end_with(end: fn()) -> Supervised<u8> {
        struct AtEndOfThread(fn());
        impl Drop for AtEndOfThread {
            fn drop(&mut self) {
                self.0();
            }
        }
        thread_local! {
            static VALUE: Cell<Option<AtEndOfThread>> = const { Cell::new(None) };
        }
        supervise(state(), Duration::from_millis(20), always(), move |worker| {
            worker.begin_case(3);
            VALUE.set(Some(AtEndOfThread(end)));
            worker.mark_idle();
            7
        })
    }

    #[test]
    fn destructors_that_end_leave_the_result() {
        let finished = end_with(|| thread::park_timeout(Duration::from_millis(1)));
        assert!(matches!(finished, Supervised::Finished(7)), "{finished:?}");
    }

    #[test]
    fn destructors_that_hang_do_not_hide_the_result() {
        let lost = end_with(|| {
            loop {
                thread::park();
            }
        });
        let Supervised::LostAtEnd(7, loss) = lost else { panic!("{lost:?}") };
        assert_eq!((loss.cause, loss.last), (LossCause::Hang, RunningCase::Random(3)));
        assert!(loss.is_destructor);
    }

    #[cfg(unix)]
    #[test]
    fn destructors_that_crash_do_not_hide_the_result() {
        let lost = end_with(|| std::process::abort());
        let Supervised::LostAtEnd(7, loss) = lost else { panic!("{lost:?}") };
        let cause = LossCause::Crash { signal: libc::SIGABRT };
        assert_eq!((loss.cause, loss.last), (cause, RunningCase::Random(3)));
        assert!(loss.is_destructor);
    }

    #[cfg(unix)]
    #[test]
    fn stack_overflows_are_survived() {
        #[expect(unconditional_recursion, reason = "to overflow the stack")]
        fn deeper(n: u64) -> u64 {
            let frame = std::hint::black_box([n; 64]);
            deeper(n + 1) + frame[7]
        }
        let lost = supervise(state(), LATE, never(), |worker| {
            worker.begin_case(0);
            deeper(0)
        });
        let Supervised::Lost(lost) = lost else { panic!("{lost:?}") };
        assert!(matches!(lost.cause, LossCause::Crash { .. }), "{lost:?}");
        assert_eq!(lost.running, RunningCase::Random(0));
    }
}
