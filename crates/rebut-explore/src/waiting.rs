//! The progress that is shown while tests are explored, and how a person ends it.
//!
//! On a terminal there is a line for each test that is being explored. Without one, a line every
//! ten seconds says what goes on. Ctrl-C, SIGTERM and the end of `--time` end all explorations
//! after their current run; what they found until then is reported. One that does not end soon,
//! because it is in the middle of a long query, is reported without its result.
//!
//! A second signal ends the command at once. Other systems than unix have no signals, and Ctrl-C
//! ends the command there.

use crate::words;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use rebut_cli::color::{Color, colored};
use rebut_cli::exit::Exit;
use rebut_cli::output::to_stdout;
use rebut_concolic::{Progress, Stop, Watcher};
use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The time between two updates on a terminal. Arbitrary: fast enough to look live.
const PERIOD: Duration = Duration::from_millis(200);
/// The time between two lines without a terminal. Arbitrary: people and continuous integration wait
/// longer than that before they wonder.
const PERIOD_OF_LINES: Duration = Duration::from_secs(10);
/// An exploration that has not ended so long after it was stopped is not waited for.
/// Arbitrary: most runs and queries take milliseconds, and someone waits.
const PATIENCE: Duration = Duration::from_secs(2);

/// The signal that ended the command, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// The display of running explorations. Dropping it clears the terminal.
#[derive(Debug)]
pub(crate) struct Waiting {
    shared: Arc<Shared>,
    display: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    running: Mutex<BTreeMap<usize, RunningTest>>,
    deadline: Option<Instant>,
    begun: Instant,
    is_over: AtomicBool,
    /// Whether a test failed natively.
    has_failure: AtomicBool,
    /// `None` without a terminal.
    bars: Option<Mutex<ProgressBars>>,
}

#[derive(Debug)]
struct ProgressBars {
    all: MultiProgress,
    lines: BTreeMap<usize, ProgressBar>,
}

/// A test that is being explored.
#[derive(Clone, Debug)]
struct RunningTest {
    name: String,
    begun: Instant,
    /// `None` before its first run.
    progress: Option<Progress>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Waiting {
    /// Begins to wait, at most for this time. From here on, signals end explorations.
    pub(crate) fn start(time: Option<Duration>) -> Waiting {
        handle_signals();
        let begun = Instant::now();
        let is_terminal = std::io::stderr().is_terminal() && colored(Color::Auto);
        let shared = Arc::new(Shared {
            running: Mutex::default(),
            deadline: time.and_then(|time| begun.checked_add(time)),
            begun,
            is_over: AtomicBool::new(false),
            has_failure: AtomicBool::new(false),
            bars: is_terminal.then(|| Mutex::new(ProgressBars::new())),
        });
        let display = Arc::clone(&shared);
        let display = std::thread::Builder::new().spawn(move || display.show_until_over());
        // Without a thread there is no display, and nothing else is lost.
        Waiting { shared, display: display.ok() }
    }

    /// Returns the watcher of one of the tests.
    pub(crate) fn watch(&self, nth: usize, name: &str) -> TestWatcher<'_> {
        let test = RunningTest { name: name.to_owned(), begun: Instant::now(), progress: None };
        lock(&self.shared.running).insert(nth, test);
        TestWatcher { shared: &self.shared, nth }
    }

    /// Prints while the display is hidden.
    pub(crate) fn print<T>(&self, print: impl FnOnce() -> T) -> T {
        self.shared.print(print)
    }

    /// Notes that a test failed natively, for the exit code of a command that ends early.
    pub(crate) fn note_failure(&self) {
        self.shared.has_failure.store(true, Ordering::Relaxed);
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        if let Some(display) = self.display.take() {
            display.thread().unpark();
            let _ = display.join();
        }
        if let Some(bars) = &self.shared.bars {
            let _ = lock(bars).all.clear();
        }
    }
}

/// Watches the exploration of one test.
#[derive(Debug)]
pub(crate) struct TestWatcher<'a> {
    shared: &'a Shared,
    nth: usize,
}

impl TestWatcher<'_> {
    /// Returns why nothing more should be explored.
    pub(crate) fn stop(&self) -> Option<Stop> {
        self.shared.stop()
    }

    /// Prints while the display is hidden.
    pub(crate) fn print<T>(&self, print: impl FnOnce() -> T) -> T {
        self.shared.print(print)
    }

    /// Notes that the test failed natively.
    pub(crate) fn note_failure(&self) {
        self.shared.has_failure.store(true, Ordering::Relaxed);
    }

    /// Replaces the name of the test by its path, which only its module knows.
    pub(crate) fn rename(&self, path: &str) {
        if let Some(test) = lock(&self.shared.running).get_mut(&self.nth) {
            path.clone_into(&mut test.name);
        }
    }
}

impl Watcher for TestWatcher<'_> {
    fn watch(&self, progress: Progress) -> Option<Stop> {
        if let Some(test) = lock(&self.shared.running).get_mut(&self.nth) {
            test.progress = Some(progress);
        }
        self.stop()
    }
}

impl Drop for TestWatcher<'_> {
    fn drop(&mut self) {
        lock(&self.shared.running).remove(&self.nth);
    }
}

impl Shared {
    fn print<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bars {
            Some(bars) => {
                let all = lock(bars).all.clone();
                all.suspend(print)
            }
            None => print(),
        }
    }

    fn stop(&self) -> Option<Stop> {
        if SIGNAL.load(Ordering::Relaxed) != 0 {
            return Some(Stop::Interrupt);
        }
        let is_late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        is_late.then_some(Stop::Time)
    }

    fn show_until_over(&self) {
        let mut lines_at = PERIOD_OF_LINES;
        let mut stopped_at: Option<Instant> = None;
        while !self.is_over.load(Ordering::Relaxed) {
            if let Some(stop) = self.stop()
                && stopped_at.get_or_insert_with(Instant::now).elapsed() > PATIENCE
            {
                self.give_up(stop);
            }
            let running = lock(&self.running).clone();
            match &self.bars {
                Some(bars) => lock(bars).update(&running),
                None if self.begun.elapsed() >= lines_at => {
                    lines_at += PERIOD_OF_LINES;
                    running.values().for_each(|test| words::say(&test.line()));
                }
                None => {}
            }
            std::thread::park_timeout(PERIOD);
        }
    }

    /// Ends the process without those that are still running. Nothing is lost if none is: then the
    /// others are being reported.
    fn give_up(&self, stop: Stop) {
        let running = lock(&self.running);
        if running.is_empty() {
            return;
        }
        for test in running.values() {
            let progress = test.progress.unwrap_or_default();
            let _ = to_stdout(&words::stopped(&test.name, stop, progress.paths, progress.failures));
        }
        let exit = match self.has_failure.load(Ordering::Relaxed) {
            true => Exit::Failed,
            false => Exit::Inconclusive,
        };
        let exit = interruption().unwrap_or(exit);
        std::process::exit(exit as i32);
    }
}

impl RunningTest {
    fn line(&self) -> String {
        words::progress(&self.name, self.progress, self.begun.elapsed())
    }
}

impl ProgressBars {
    fn new() -> ProgressBars {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
        ProgressBars { all, lines: BTreeMap::new() }
    }

    fn update(&mut self, running: &BTreeMap<usize, RunningTest>) {
        self.lines.retain(|nth, line| {
            let is_running = running.contains_key(nth);
            if !is_running {
                line.finish_and_clear();
                self.all.remove(line);
            }
            is_running
        });
        for (nth, test) in running {
            let line = self.lines.entry(*nth).or_insert_with(|| {
                let style = ProgressStyle::with_template("{wide_msg}");
                let line = self.all.add(ProgressBar::new_spinner());
                line.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
                line
            });
            line.set_message(test.line());
        }
    }
}

/// Returns the exit code of a command that a signal has ended.
pub(crate) fn interruption() -> Option<Exit> {
    /// The number of SIGTERM on every unix.
    const TERMINATED: i32 = 15;
    match SIGNAL.load(Ordering::Acquire) {
        0 => None,
        TERMINATED => Some(Exit::Terminated),
        _ => Some(Exit::Interrupted),
    }
}

#[cfg(unix)]
fn handle_signals() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else { return };
    let handle = move || {
        for signal in signals.forever() {
            if SIGNAL.swap(signal, Ordering::AcqRel) != 0 {
                std::process::exit(128 + signal);
            }
        }
    };
    // Without a thread, the first signal has no effect until the command ends.
    let _ = std::thread::Builder::new().spawn(handle);
}

#[cfg(not(unix))]
fn handle_signals() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_the_time_stops_explorations() {
        let waiting = Waiting::start(Some(Duration::ZERO));
        let watcher = waiting.watch(0, "a");
        assert_eq!(watcher.watch(Progress::default()), Some(Stop::Time));
        // Otherwise the display would end this process.
        drop(watcher);
        let waiting = Waiting::start(None);
        assert_eq!(waiting.watch(0, "a").watch(Progress::default()), None);
        let forever = Waiting::start(Some(Duration::MAX));
        assert_eq!(forever.watch(0, "a").stop(), None);
    }

    #[test]
    fn a_test_is_running_until_its_watcher_is_dropped() {
        let waiting = Waiting::start(None);
        let names = || -> Vec<String> {
            lock(&waiting.shared.running).values().map(|test| test.name.clone()).collect()
        };
        let watcher = waiting.watch(3, "a");
        watcher.rename("x::a");
        assert_eq!(names(), ["x::a"]);
        drop(watcher);
        assert!(names().is_empty());
    }
}
