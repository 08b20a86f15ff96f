//! Worker threads: one for each processor, with stacks for deep recursion.
//!
//! Explorations are independent of each other, so all engines spread them over a pool. Results
//! come back in the order of their items, so that output does not depend on timing.
//!
//! ```
//! let squares = rebut_explore::pool::map([1, 2, 3, 4], |n| n * n);
//! assert_eq!(squares, [1, 4, 9, 16]);
//! ```

use crate::words;
use rebut_cli::exit::{Exit, Failure};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The stack size of a worker thread, in bytes.
///
/// WebAssembly code may use 8 MiB of it, and compiling a module, walking its path tree and writing
/// values as code recurse on top of that. The value is arbitrary beyond that sum; memory that is
/// not touched costs nothing. A deeper recursion ends the process.
pub const STACK_SIZE: usize = 64 << 20;

/// Runs a command on a thread with a large stack. A panic of that thread is an internal error.
///
/// # Errors
/// Those of the command, and if the thread cannot be started.
pub fn run_command(
    command: impl FnOnce() -> Result<Exit, Failure> + Send,
) -> Result<Exit, Failure> {
    let internal = |message: String| Failure::new(Exit::Internal, words::error(message));
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, command);
        let worker = worker.map_err(|error| internal(error.to_string()))?;
        worker.join().unwrap_or_else(|_| Err(internal(words::WORKER_DIED.to_owned())))
    })
}

/// Applies a function to all items, on all processors. Returns the results in order.
pub fn map<I, T>(items: I, apply: impl Fn(I::Item) -> T + Sync) -> Vec<T>
where
    I: IntoIterator<IntoIter: ExactSizeIterator + Send>,
    T: Send,
{
    map_with(items, || (), |(), item| apply(item))
}

/// Applies a function to all items, on all processors, with a state for each worker. Returns the
/// results in order.
pub fn map_with<I, S, T>(
    items: I,
    state: impl Fn() -> S + Sync,
    apply: impl Fn(&mut S, I::Item) -> T + Sync,
) -> Vec<T>
where
    I: IntoIterator<IntoIter: ExactSizeIterator + Send>,
    T: Send,
{
    let mut results = Vec::new();
    stream(items, state, apply, None, &mut |_, result| {
        results.push(result);
        ControlFlow::Continue(())
    });
    results
}

/// Applies a function to all items, on all processors, and passes each result to `consume` as soon
/// as it and all earlier ones are there. Starts no further item once `consume` returns `Break`.
pub fn for_each<I, T>(
    items: I,
    apply: impl Fn(I::Item) -> T + Sync,
    consume: &mut dyn FnMut(T) -> ControlFlow<()>,
) where
    I: IntoIterator<IntoIter: ExactSizeIterator + Send>,
    T: Send,
{
    let mut consume = |_, result| consume(result);
    stream(items, || (), |(), item| apply(item), None, &mut consume);
}

/// Like [`for_each`], but a slow item holds back those after it only for this time. Each result
/// comes with the number of its item.
pub fn for_each_soon<I, T>(
    items: I,
    apply: impl Fn(usize, I::Item) -> T + Sync,
    patience: Duration,
    consume: &mut dyn FnMut(usize, T) -> ControlFlow<()>,
) where
    I: IntoIterator<IntoIter: ExactSizeIterator + Send>,
    T: Send,
{
    let items = items.into_iter().enumerate();
    let apply = |(): &mut (), (nth, item)| apply(nth, item);
    stream(items, || (), apply, Some(patience), consume);
}

/// Results that arrive early, and wait for those before them.
#[derive(Debug)]
pub(crate) struct InOrder<T> {
    next: usize,
    early: BTreeMap<usize, T>,
}

impl<T> Default for InOrder<T> {
    fn default() -> InOrder<T> {
        InOrder { next: 0, early: BTreeMap::new() }
    }
}

impl<T> InOrder<T> {
    /// Adds a result, and passes on all that no other has to precede.
    pub(crate) fn add(
        &mut self,
        nth: usize,
        result: T,
        consume: &mut dyn FnMut(T) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.early.insert(nth, result);
        while let Some(result) = self.early.remove(&self.next) {
            self.next += 1;
            consume(result)?;
        }
        ControlFlow::Continue(())
    }
}

fn stream<I, S, T>(
    items: I,
    state: impl Fn() -> S + Sync,
    apply: impl Fn(&mut S, I::Item) -> T + Sync,
    patience: Option<Duration>,
    consume: &mut dyn FnMut(usize, T) -> ControlFlow<()>,
) where
    I: IntoIterator<IntoIter: ExactSizeIterator + Send>,
    T: Send,
{
    let items = items.into_iter();
    let length = items.len();
    let threads = thread::available_parallelism().map_or(1, usize::from).min(length);
    let queue = Mutex::new(Some(items.enumerate()));
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).as_mut()?.next();
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..threads {
            let sender = sender.clone();
            let work = || {
                let sender = sender;
                let mut state = state();
                while let Some((nth, item)) = next() {
                    if sender.send((nth, apply(&mut state, item))).is_err() {
                        break;
                    }
                }
            };
            let spawned = thread::Builder::new().stack_size(STACK_SIZE).spawn_scoped(scope, work);
            started += usize::from(spawned.is_ok());
        }
        if started == 0 {
            // Without threads there is still this one.
            let mut state = state();
            while let Some((nth, item)) = next() {
                let _ = sender.send((nth, apply(&mut state, item)));
            }
        }
        drop(sender);
        // All workers are gone at the end, or if one panicked; the scope passes the panic on.
        let mut held = HeldResults { missing: (0..length).collect(), early: BTreeMap::new() };
        loop {
            if held.pass_on(patience, consume).is_break() {
                *queue.lock().unwrap_or_else(PoisonError::into_inner) = None;
                return;
            }
            match held.receive(&receiver, patience) {
                Ok((nth, result)) => _ = held.early.insert(nth, (Instant::now(), result)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let _ = held.pass_on(patience, consume);
    });
}

/// Results that wait for those of earlier items.
struct HeldResults<T> {
    /// The items whose results were not passed on.
    missing: BTreeSet<usize>,
    early: BTreeMap<usize, (Instant, T)>,
}

impl<T> HeldResults<T> {
    fn receive(
        &self,
        receiver: &Receiver<(usize, T)>,
        patience: Option<Duration>,
    ) -> Result<(usize, T), RecvTimeoutError> {
        let longest = self.early.values().map(|(since, _)| since.elapsed()).max();
        match patience.zip(longest) {
            Some((patience, longest)) => receiver.recv_timeout(patience.saturating_sub(longest)),
            None => receiver.recv().map_err(|mpsc::RecvError| RecvTimeoutError::Disconnected),
        }
    }

    /// Passes on what is next, and all if one of them has waited long enough.
    fn pass_on(
        &mut self,
        patience: Option<Duration>,
        consume: &mut dyn FnMut(usize, T) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let has_waited = |(since, _): &(Instant, T)| patience.is_some_and(|p| since.elapsed() >= p);
        let is_time = self.early.values().any(has_waited);
        while let Some(first) = self.early.first_entry()
            && (is_time || self.missing.first() == Some(first.key()))
        {
            let (nth, (_, result)) = first.remove_entry();
            self.missing.remove(&nth);
            consume(nth, result)?;
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let slow_first = |n: usize| {
            let mut sum = n;
            for step in 0..(100 - n) * 1000 {
                sum = std::hint::black_box(sum.wrapping_add(step));
            }
            (n, sum)
        };
        let results = map(0..100, slow_first);
        assert!(results.iter().enumerate().all(|(nth, (n, _))| nth == *n));
        assert!(map(Vec::<u8>::new(), |n| n).is_empty());
    }

    #[test]
    fn results_are_passed_on_when_they_are_there() {
        let (sender, receiver) = mpsc::channel();
        let receiver = Mutex::new(receiver);
        let mut order = Vec::new();
        // The first waits until the second has been passed on.
        let apply = |nth: usize, _: u8| {
            if nth == 0 && thread::available_parallelism().is_ok_and(|threads| threads.get() > 1) {
                let _ = receiver.lock().expect("one waits").recv();
            }
        };
        for_each_soon([7, 8], apply, Duration::ZERO, &mut |nth, ()| {
            order.push(nth);
            let _ = sender.send(());
            ControlFlow::Continue(())
        });
        order.sort_unstable();
        assert_eq!(order, [0, 1]);
    }

    #[test]
    fn results_wait_for_earlier_ones_as_long_as_there_is_patience() {
        let held = |patience| {
            let mut held = HeldResults { missing: (0..3).collect(), early: BTreeMap::new() };
            held.early.extend([(2, (Instant::now(), 'c')), (0, (Instant::now(), 'a'))]);
            let mut passed = Vec::new();
            let _ = held.pass_on(patience, &mut |nth, result| {
                passed.push((nth, result));
                ControlFlow::Continue(())
            });
            passed
        };
        assert_eq!(held(None), [(0, 'a')]);
        assert_eq!(held(Some(Duration::MAX)), [(0, 'a')]);
        assert_eq!(held(Some(Duration::ZERO)), [(0, 'a'), (2, 'c')]);
    }

    #[test]
    fn nothing_starts_after_a_break() {
        let started = AtomicUsize::new(0);
        let mut consumed = 0;
        let apply = |n: usize| {
            started.fetch_add(1, Ordering::Relaxed);
            n
        };
        for_each(0..1_000_000, apply, &mut |n| {
            consumed += 1;
            if n == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(consumed, 3);
        assert!(started.into_inner() < 1_000_000);
    }

    #[test]
    fn each_worker_has_a_state() {
        let states = AtomicUsize::new(0);
        let state = || states.fetch_add(1, Ordering::Relaxed);
        let used = map_with(0..64, state, |state, _| *state);
        let count = states.into_inner();
        assert!(used.iter().all(|state| *state < count));
        assert!(count <= thread::available_parallelism().map_or(1, usize::from));
    }

    #[test]
    fn a_panic_of_a_worker_reaches_the_caller() {
        let caught = std::panic::catch_unwind(|| {
            map(0..8, |n| if n == 5 { panic!("a worker panics") } else { n })
        });
        assert!(caught.is_err());
        let failure = run_command(|| panic!("a command panics")).expect_err("a failure");
        assert_eq!(failure.exit, Exit::Internal);
    }
}
