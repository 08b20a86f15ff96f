//! The progress lines of long runs.
//!
//! On a terminal there is one line for all properties of a process, for the one that runs
//! longest. It is in the row below the cursor, which keeps its position, so that the output of a
//! test harness goes where it would go anyway. The threads that watch the workers draw the line.
//! They remove it before a property ends, because then the harness writes.
//!
//! Elsewhere, in a pipe or in the log of a CI system, lines stay. There are therefore few of
//! them: one per property for every ten seconds that it runs.
//!
//! Invariant: nothing moves the cursor unless standard error is a terminal that supports it.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use crate::case_log::ObjectiveValue;
use crate::escapes::printable;
use crate::outcome::Outcome;
use crate::print;
use crate::report::objective_name;
use crate::settings::{Settings, Verbosity};
use crate::strings;
use crate::threads::lock;

/// The progress of one property. Dropping it removes the line.
#[derive(Debug)]
pub(crate) struct Progress(Arc<ProgressCounters>);

/// The state of a running property. Only its worker changes the numbers.
#[derive(Debug)]
pub(crate) struct ProgressCounters {
    property: String,
    wanted: u64,
    since: Instant,
    cases: AtomicU64,
    rejected: AtomicU64,
    failures: AtomicU64,
    /// The number of permanent lines written.
    lines: AtomicU64,
    /// The number of executions since shrinking began.
    shrinking: AtomicU64,
    is_shrinking: AtomicBool,
    /// The best value of each objective.
    bests: Mutex<Vec<ObjectiveValue>>,
}

/// The progress line.
#[derive(Debug)]
struct Line {
    running: Vec<Arc<ProgressCounters>>,
    is_drawn: bool,
    /// When it was shown or removed.
    changed: Option<Instant>,
}

/// The number of running properties that show progress. It lets [`tick`] return early.
static SHOWN: AtomicU64 = AtomicU64::new(0);

static LINE: Mutex<Line> = Mutex::new(Line { running: Vec::new(), is_drawn: false, changed: None });

/// The minimum duration of a run with a progress line. A product decision.
const PATIENCE: Duration = Duration::from_secs(1);
/// The time between two updates of the line; fast enough to look alive. A product decision.
const PERIOD: Duration = Duration::from_millis(100);
/// The time between two permanent lines. They only have to distinguish a slow test from a hanging
/// one. A product decision.
const PERMANENT_PERIOD: Duration = Duration::from_secs(10);
/// The maximum length of a line; few terminals are wider. A longer line is truncated.
const LENGTH_MAX: usize = 160;

impl Progress {
    /// Begins a property. Returns `None` if its progress is not shown: `trace` already prints
    /// every case.
    pub(crate) fn begin(property: &str, settings: &Settings) -> Option<Progress> {
        if matches!(settings.verbosity, Verbosity::Quiet | Verbosity::Trace) {
            return None;
        }
        let running = Arc::new(ProgressCounters::new(property, settings.cases_or_default()));
        lock(&LINE).running.push(Arc::clone(&running));
        SHOWN.fetch_add(1, Ordering::Relaxed);
        Some(Progress(running))
    }

    pub(crate) fn counters(&self) -> Arc<ProgressCounters> {
        Arc::clone(&self.0)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        SHOWN.fetch_sub(1, Ordering::Relaxed);
        lock(&LINE).running.retain(|running| !Arc::ptr_eq(running, &self.0));
        clear();
    }
}

/// Removes the line for a while, because other output follows.
pub(crate) fn clear() {
    let mut line = lock(&LINE);
    if line.is_drawn {
        line.is_drawn = false;
        line.changed = Some(Instant::now());
        print::control(CLEAR);
    }
}

impl ProgressCounters {
    fn new(property: &str, wanted: u64) -> ProgressCounters {
        ProgressCounters {
            property: property.to_owned(),
            wanted,
            since: Instant::now(),
            cases: AtomicU64::new(0),
            rejected: AtomicU64::new(0),
            failures: AtomicU64::new(0),
            lines: AtomicU64::new(0),
            shrinking: AtomicU64::new(0),
            is_shrinking: AtomicBool::new(false),
            bests: Mutex::default(),
        }
    }

    /// Counts a case that has ended.
    #[inline]
    pub(crate) fn count_case(&self, outcome: &Outcome) {
        match outcome {
            Outcome::Passed | Outcome::Failed(_) => add_one(&self.cases),
            Outcome::Rejected(_) | Outcome::TooLarge => add_one(&self.rejected),
            Outcome::Misuse(_) | Outcome::Internal(_) => {}
        }
    }

    /// Counts an execution of the shrinker.
    #[inline]
    pub(crate) fn count_execution(&self) {
        if self.is_shrinking.load(Ordering::Relaxed) {
            add_one(&self.shrinking);
        }
    }

    pub(crate) fn count_failure(&self) {
        add_one(&self.failures);
    }

    pub(crate) fn begin_shrinking(&self) {
        self.is_shrinking.store(true, Ordering::Relaxed);
    }

    /// Records the scores that a case reported.
    pub(crate) fn update_bests(&self, reported: &[ObjectiveValue]) {
        let mut bests = lock(&self.bests);
        for reported in reported.iter().filter(|reported| !reported.value.is_nan()) {
            match bests.iter_mut().find(|best| best.objective == reported.objective) {
                Some(best) if reported.utility() > best.utility() => *best = reported.clone(),
                Some(_) => {}
                None => bests.push(reported.clone()),
            }
        }
    }

    /// Returns the line of this property. `others` is the number of other long-running
    /// properties.
    #[inline(never)]
    fn text(&self, elapsed: Duration, others: usize) -> String {
        let cases = self.cases.load(Ordering::Relaxed);
        let mut text = self.property.clone();
        // Writing to a string cannot fail.
        let _ = if self.is_shrinking.load(Ordering::Relaxed) {
            let executions = self.shrinking.load(Ordering::Relaxed);
            write!(text, ": shrinking, {}", strings::counted(executions, "run"))
        } else {
            let rate = cases as f64 / elapsed.as_secs_f64().max(1e-3);
            let of = match self.wanted {
                // Programs have more cases than are wanted at least.
                wanted if cases > wanted => String::new(),
                wanted => format!(" of {wanted}"),
            };
            write!(text, ": {cases}{of} cases, {rate:.0}/s")
        };
        let _ = match self.rejected.load(Ordering::Relaxed) {
            0 => Ok(()),
            rejected => write!(text, ", {rejected} rejected"),
        };
        for best in lock(&self.bests).iter() {
            let _ = write!(
                text,
                ", {} {}",
                objective_name(&best.objective),
                strings::float(best.value)
            );
            if let Some(needed) = best.needed {
                let _ = write!(text, " of {needed}");
            }
        }
        let _ = match self.failures.load(Ordering::Relaxed) {
            0 => Ok(()),
            1 => write!(text, ", 1 failure"),
            failures => write!(text, ", {failures} failures"),
        };
        if others > 0 {
            let _ = write!(text, ", +{others} more");
        }
        let text = strings::replaced(&printable(&text), "\n", " ");
        text.chars().take(LENGTH_MAX).collect()
    }
}

/// Increments a number that only one thread changes.
fn add_one(number: &AtomicU64) {
    number.store(number.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
}

/// Draws the line if it is due. Threads that call it often need no other timer.
#[inline]
pub(crate) fn tick() {
    if SHOWN.load(Ordering::Relaxed) > 0 {
        show();
    }
}

#[inline(never)]
fn show() {
    let Ok(mut line) = LINE.try_lock() else { return };
    let now = Instant::now();
    if !is_terminal() {
        for text in line.permanent_lines(now) {
            print::control(&format!("{text}\n"));
        }
    } else if let Some(text) = line.next(now) {
        line.is_drawn = true;
        print::control(&format!("{BELOW}{text}{BACK}"));
    }
}

/// Returns whether a property that has run this long is due for another permanent line.
fn is_due(elapsed: Duration, lines: u64) -> bool {
    elapsed.as_secs() / PERMANENT_PERIOD.as_secs() > lines
}

impl Line {
    /// Returns the line to show now, if it is due.
    fn next(&mut self, now: Instant) -> Option<String> {
        if self.changed.is_some_and(|then| now.saturating_duration_since(then) < PERIOD) {
            return None;
        }
        let age = |running: &Arc<ProgressCounters>| now.saturating_duration_since(running.since);
        let is_long = |running: &&Arc<ProgressCounters>| age(running) >= PATIENCE;
        // They are ordered by their start.
        let first = self.running.iter().find(is_long)?;
        let others = self.running.iter().filter(is_long).count() - 1;
        self.changed = Some(now);
        Some(first.text(age(first), others))
    }

    /// Returns the permanent lines to write now: one for each property that is due.
    fn permanent_lines(&self, now: Instant) -> Vec<String> {
        let mut texts = Vec::new();
        for running in &self.running {
            let elapsed = now.saturating_duration_since(running.since);
            if is_due(elapsed, running.lines.load(Ordering::Relaxed)) {
                // A process that was suspended does not catch up.
                let lines = elapsed.as_secs() / PERMANENT_PERIOD.as_secs();
                running.lines.store(lines, Ordering::Relaxed);
                texts.push(format!("{} ({} s)", running.text(elapsed, 0), elapsed.as_secs()));
            }
        }
        texts
    }
}

/// Control sequences: creates a row below if necessary, without leaving the column; moves there,
/// clears the row and disables wrapping.
const BELOW: &str = "\x1bD\x1b[A\x1b7\x1b[B\r\x1b[2K\x1b[?7l";
/// Moves the cursor back.
const BACK: &str = "\x1b[?7h\x1b8";
/// Clears the row below.
const CLEAR: &str = "\x1b7\x1b[B\r\x1b[2K\x1b8";

/// Returns whether standard error is a terminal that can move its cursor, outside of CI.
fn is_terminal() -> bool {
    static IS_TERMINAL: OnceLock<bool> = OnceLock::new();
    *IS_TERMINAL.get_or_init(|| {
        let value_of = |name: &str| std::env::var(name).unwrap_or_default();
        std::io::stderr().is_terminal()
            && !matches!(value_of("TERM").as_str(), "" | "dumb")
            && matches!(value_of("CI").as_str(), "" | "false" | "0")
    })
}

#[cfg(test)]
mod tests {
    use rebut_search::{Direction, Objective};

    use super::*;

    fn reported(
        label: &str,
        direction: Direction,
        value: f64,
        needed: Option<f64>,
    ) -> ObjectiveValue {
        ObjectiveValue {
            objective: Objective { label: label.to_owned(), direction },
            value,
            needed,
        }
    }

    #[test]
    fn lines_show_the_progress_of_a_run() {
        let running = ProgressCounters::new("a::b", 1000);
        for _ in 0..300 {
            running.count_case(&Outcome::Passed);
        }
        let second = Duration::from_secs(2);
        assert_eq!(running.text(second, 0), "a::b: 300 of 1000 cases, 150/s");
        for value in [3.0, f64::NAN, 19.5, 4.0] {
            running.update_bests(&[
                reported("", Direction::Maximize, value, Some(21.0)),
                reported("cost", Direction::Minimize, value, None),
            ]);
        }
        running.count_failure();
        running.count_case(&Outcome::Rejected("too long".into()));
        running.count_case(&Outcome::TooLarge);
        let expected = "a::b: 300 of 1000 cases, 150/s, 2 rejected, highest score 19.5 of 21, lowest cost 3, 1 failure, +2 more";
        assert_eq!(running.text(second, 2), expected);
        running.begin_shrinking();
        running.count_execution();
        running.count_failure();
        let expected = "a::b: shrinking, 1 run, 2 rejected, highest score 19.5 of 21, lowest cost 3, 2 failures";
        assert_eq!(running.text(second, 0), expected);
    }

    #[test]
    fn control_characters_are_escaped_and_long_lines_are_truncated() {
        let running = ProgressCounters::new(&format!("a\x1b[2J\n{}", "b".repeat(1000)), 1000);
        let text = running.text(PATIENCE, 0);
        assert!(text.starts_with("a\\u{1b}[2J bbb"), "{text}");
        assert_eq!(text.chars().count(), LENGTH_MAX);
    }

    #[test]
    fn the_longest_run_is_shown_at_a_limited_rate() {
        let start = Instant::now();
        let mut line = Line { running: Vec::new(), is_drawn: false, changed: None };
        for name in ["first", "second", "third"] {
            line.running.push(Arc::new(ProgressCounters {
                since: start,
                ..ProgressCounters::new(name, 10)
            }));
        }
        let late =
            ProgressCounters { since: start + PATIENCE, ..ProgressCounters::new("late", 10) };
        line.running.push(Arc::new(late));
        assert_eq!(line.next(start + PATIENCE / 2), None, "it has not run long");
        let drawn = line.next(start + PATIENCE).expect("a line");
        assert!(
            drawn.starts_with("first: 0 of 10 cases") && drawn.ends_with(", +2 more"),
            "{drawn}"
        );
        assert_eq!(line.next(start + PATIENCE + PERIOD / 2), None, "it was just drawn");
        line.running.remove(0);
        let drawn = line.next(start + PATIENCE + PERIOD).expect("a line");
        assert!(drawn.starts_with("second: "), "{drawn}");
    }
    #[test]
    fn permanent_lines_are_due_every_ten_seconds() {
        let seconds = Duration::from_secs;
        assert!(!is_due(seconds(9), 0) && is_due(seconds(10), 0), "after ten seconds");
        assert!(!is_due(seconds(19), 1) && is_due(seconds(20), 1), "after ten more");
        assert!(is_due(seconds(55), 1) && !is_due(seconds(55), 5), "late lines do not add up");
    }

    #[test]
    fn long_runs_have_permanent_lines_of_their_own() {
        let start = Instant::now();
        let (seconds, line) =
            (Duration::from_secs, |running| Line { running, is_drawn: false, changed: None });
        let running = |name: &str, after: Duration| {
            Arc::new(ProgressCounters { since: start + after, ..ProgressCounters::new(name, 1000) })
        };
        let first = running("first", seconds(0));
        for _ in 0..200 {
            first.count_case(&Outcome::Passed);
        }
        let line = line(vec![first, running("late", seconds(5))]);
        assert_eq!(line.permanent_lines(start + seconds(9)), [""; 0]);
        let expected = ["first: 200 of 1000 cases, 20/s (10 s)"];
        assert_eq!(line.permanent_lines(start + seconds(10)), expected);
        assert_eq!(line.permanent_lines(start + seconds(11)), [""; 0], "it was just written");
        let expected = ["late: 0 of 1000 cases, 0/s (10 s)"];
        assert_eq!(line.permanent_lines(start + seconds(15)), expected);
        let texts = line.permanent_lines(start + seconds(65));
        assert_eq!(
            texts,
            ["first: 200 of 1000 cases, 3/s (65 s)", "late: 0 of 1000 cases, 0/s (60 s)"]
        );
        assert_eq!(line.permanent_lines(start + seconds(66)), [""; 0], "late lines do not add up");
    }
}
