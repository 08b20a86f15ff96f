//! How long threads wait for a processor.
//!
//! A deadline limits the time in which a case computes or blocks. On a busy machine a case also
//! waits until it may compute, and that says nothing about the case. Linux counts this time for
//! each thread. Elsewhere it is unknown, and counts as time of the case.

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

/// The times that threads had waited for a processor when a case was first looked at.
#[derive(Debug, Default)]
pub(super) struct WaitingTimes {
    /// The directories of the threads, or of all threads of a process.
    threads: Vec<PathBuf>,
    process: Option<PathBuf>,
    before: BTreeMap<PathBuf, Duration>,
}

impl WaitingTimes {
    /// Begins to count for one thread of this process.
    pub(super) fn of_thread(id: i32) -> WaitingTimes {
        let threads = vec![PathBuf::from(format!("/proc/self/task/{id}"))];
        WaitingTimes { threads, ..WaitingTimes::default() }.begin()
    }

    /// Begins to count for all threads of another process.
    pub(super) fn of_process(id: u32) -> WaitingTimes {
        let process = Some(PathBuf::from(format!("/proc/{id}/task")));
        WaitingTimes { process, ..WaitingTimes::default() }.begin()
    }

    fn begin(mut self) -> WaitingTimes {
        self.before = self.now();
        self
    }

    fn now(&self) -> BTreeMap<PathBuf, Duration> {
        let mut threads = self.threads.clone();
        if let Some(process) = &self.process {
            let entries = fs::read_dir(process).into_iter().flatten();
            threads.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
        }
        let mut times = BTreeMap::new();
        for thread in threads {
            times.extend(waited(&thread.join("schedstat")).map(|waited| (thread, waited)));
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
        let mut longest = Duration::ZERO;
        for (thread, now) in self.now() {
            let before = self.before.get(&thread).copied().unwrap_or_default();
            longest = longest.max(now.saturating_sub(before));
        }
        elapsed.saturating_sub(longest) >= deadline
    }
}

/// Reads how long a thread has waited for a processor: the second of three numbers, in
/// nanoseconds.
fn waited(path: &Path) -> Option<Duration> {
    let text = fs::read_to_string(path).ok()?;
    let waited = split(&text, " ").get(1).copied().and_then(number)?;
    Some(Duration::from_nanos(waited))
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
        let id = super::super::signals::thread_id();
        let now = WaitingTimes::of_thread(id);
        assert_eq!(now.before.len(), 1, "{now:?}");
        assert!(now.has_used(DEADLINE, DEADLINE * 20), "this thread has not waited that long");
        assert!(!WaitingTimes::of_process(std::process::id()).before.is_empty());
        // A thread that has waited for two hours since then.
        let thread = std::env::temp_dir().join(format!("rebut-load-{}", std::process::id()));
        fs::create_dir_all(&thread).expect("a directory");
        fs::write(thread.join("schedstat"), "1 7200000000000 3\n").expect("a file");
        let threads = vec![thread.clone()];
        let busy = WaitingTimes { threads, ..WaitingTimes::default() };
        assert!(!busy.has_used(DEADLINE, DEADLINE * 20));
        assert!(busy.has_used(DEADLINE, DEADLINE * WAITING_FACTOR_MAX), "there is a limit");
        fs::remove_dir_all(thread).expect("our directory");
    }
}
