//! How long threads wait for a processor.
//!
//! A deadline limits the time in which a case computes or blocks. On a busy machine a case also
//! waits until it may compute, and that says nothing about the case. Linux counts this time for
//! each thread, but only when the wait ends. So of a thread that could run at this moment, only the
//! time that it has computed is certain. Elsewhere waiting is unknown, and counts as time of the
//! case.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::signals;
use crate::strings::{number, split};

/// A case may wait for a processor at most this many times as long as its deadline. Arbitrary: a
/// limit for a machine on which even this measurement does not help.
const WAITING_FACTOR_MAX: u32 = 30;

/// A limit of time for work on this thread, without the time in which it waits for a processor.
#[derive(Debug)]
pub(crate) struct TimeLimit {
    since: Instant,
    limit: Duration,
    waiting: WaitingTimes,
}

impl TimeLimit {
    pub(crate) fn new(limit: Duration) -> TimeLimit {
        let waiting = WaitingTimes::of_thread(signals::thread_id());
        TimeLimit { since: Instant::now(), limit, waiting }
    }

    /// Returns whether the time is over.
    pub(crate) fn is_over(&self) -> bool {
        let elapsed = self.since.elapsed();
        elapsed > self.limit && self.waiting.has_used(self.limit, elapsed)
    }
}

/// The times of threads when a case was first looked at.
#[derive(Debug, Default)]
pub(super) struct WaitingTimes {
    /// The directories of the threads, or of all threads of a process.
    threads: Vec<PathBuf>,
    process: Option<PathBuf>,
    before: BTreeMap<PathBuf, ThreadTimes>,
}

/// The times of a thread since it was started.
#[derive(Clone, Copy, Debug, Default)]
struct ThreadTimes {
    computed: Duration,
    waited: Duration,
    /// Whether it computes or waits for a processor at this moment.
    is_runnable: bool,
}

impl WaitingTimes {
    /// Begins to count for one thread of this process.
    pub(super) fn of_thread(id: i32) -> WaitingTimes {
        let threads = vec![own_thread(id)];
        WaitingTimes { threads, ..WaitingTimes::default() }.begin()
    }

    /// Begins to count for all threads of another process, and for the thread of this process that
    /// reads its output.
    pub(super) fn of_process(id: u32, reader: i32) -> WaitingTimes {
        let process = Some(PathBuf::from(format!("/proc/{id}/task")));
        let threads = vec![own_thread(reader)];
        WaitingTimes { threads, process, ..WaitingTimes::default() }.begin()
    }

    fn begin(mut self) -> WaitingTimes {
        self.before = self.now();
        self
    }

    fn now(&self) -> BTreeMap<PathBuf, ThreadTimes> {
        let mut threads = self.threads.clone();
        if let Some(process) = &self.process {
            let entries = fs::read_dir(process).into_iter().flatten();
            threads.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
        }
        let mut times = BTreeMap::new();
        for thread in threads {
            times.extend(ThreadTimes::read(&thread).map(|read| (thread, read)));
        }
        times
    }

    /// Returns whether a case has used its deadline: `elapsed` without the time that it waited for
    /// a processor. Of several threads the one counts that waited longest, because the others may
    /// have waited for it.
    pub(super) fn has_used(&self, deadline: Duration, elapsed: Duration) -> bool {
        if elapsed >= deadline * WAITING_FACTOR_MAX {
            return true;
        }
        let mut longest_wait = Duration::ZERO;
        let mut computed: Option<Duration> = None;
        for (thread, now) in self.now() {
            let before = self.before.get(&thread).copied().unwrap_or_default();
            longest_wait = longest_wait.max(now.waited.saturating_sub(before.waited));
            if now.is_runnable {
                let since = now.computed.saturating_sub(before.computed);
                computed = Some(computed.unwrap_or_default().max(since));
            }
        }
        let used = elapsed.saturating_sub(longest_wait);
        computed.map_or(used, |computed| used.min(computed)) >= deadline
    }
}

fn own_thread(id: i32) -> PathBuf {
    PathBuf::from(format!("/proc/self/task/{id}"))
}

impl ThreadTimes {
    fn read(thread: &Path) -> Option<ThreadTimes> {
        // The time that it computed and the time that it waited, in nanoseconds.
        let text = fs::read_to_string(thread.join("schedstat")).ok()?;
        let times = split(&text, " ");
        let time = |nth: usize| times.get(nth).copied().and_then(number).map(Duration::from_nanos);
        let (computed, waited) = (time(0)?, time(1)?);
        let stat = fs::read_to_string(thread.join("stat")).unwrap_or_default();
        // The state is behind the name of the program, which is in parentheses.
        let is_runnable = stat.rsplit(')').next().is_some_and(|rest| rest.starts_with(" R"));
        Some(ThreadTimes { computed, waited, is_runnable })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEADLINE: Duration = Duration::from_secs(1);

    #[test]
    fn elapsed_time_counts_where_waiting_is_unknown() {
        let unknown = WaitingTimes::default();
        assert!(unknown.has_used(DEADLINE, DEADLINE));
        assert!(!unknown.has_used(DEADLINE, DEADLINE / 2));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn waiting_does_not_count() {
        let thread = std::env::temp_dir().join(format!("rebut-load-{}", std::process::id()));
        fs::create_dir_all(&thread).expect("a directory");
        let threads = vec![thread.clone()];
        let times = WaitingTimes { threads, ..WaitingTimes::default() };
        let second = 1_000_000_000_u64;
        let has_used = |state: &str, computed: u64, waited: u64| {
            let schedstat = format!("{} {} 3\n", computed * second, waited * second);
            fs::write(thread.join("schedstat"), schedstat).expect("a file");
            fs::write(thread.join("stat"), format!("7 (a) b) {state} 1 7\n")).expect("a file");
            times.has_used(DEADLINE, DEADLINE * 20)
        };
        assert!(has_used("S", 0, 0), "a thread that blocks");
        assert!(!has_used("S", 0, 7200), "a thread that has waited for two hours since then");
        assert!(!has_used("R", 0, 0), "a thread whose first wait has not ended");
        assert!(has_used("R", 20, 0), "a thread in an endless loop");
        assert!(!has_used("R", 20, 7200));
        assert!(times.has_used(DEADLINE, DEADLINE * WAITING_FACTOR_MAX), "there is a limit");
        fs::remove_dir_all(thread).expect("our directory");
        let id = super::super::signals::thread_id();
        assert_eq!(WaitingTimes::of_thread(id).before.len(), 1);
        assert!(WaitingTimes::of_process(std::process::id(), id).before.len() > 1);
    }
}
