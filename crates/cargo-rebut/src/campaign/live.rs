//! The progress display of a campaign: a line for each running property, and one for all.
//!
//! Without a terminal there is no display, and messages go directly to the standard error.

use super::watch::{EventWatcher, Properties, PropertyProgress};
use crate::words;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use rebut_cli::color::{Color, colored};
use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The time between two updates of the display. Arbitrary: fast enough to look live. An update
/// that takes longer delays the next.
const PERIOD: Duration = Duration::from_millis(200);
/// The maximum number of properties with a line. Arbitrary: the display must fit on a terminal. The
/// others still count in the total.
const LINES_MAX: usize = 12;

/// The display of a running campaign. Dropping it clears the terminal.
#[derive(Debug)]
pub(super) struct LiveDisplay {
    shared: Arc<DisplayState>,
    reader: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct DisplayState {
    watcher: Mutex<EventWatcher>,
    /// `None` without a terminal.
    bars: Option<Mutex<ProgressBars>>,
    is_over: AtomicBool,
    begun: Instant,
    time: Duration,
}

#[derive(Debug)]
struct ProgressBars {
    all: MultiProgress,
    total: ProgressBar,
    lines: BTreeMap<(String, String), ProgressBar>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LiveDisplay {
    pub(super) fn start(home: &Path, group: &str, time: Duration) -> LiveDisplay {
        let shared = Arc::new(DisplayState {
            watcher: Mutex::new(EventWatcher::new(home, group)),
            bars: is_interactive().then(|| Mutex::new(ProgressBars::new())),
            is_over: AtomicBool::new(false),
            begun: Instant::now(),
            time,
        });
        let reader = {
            let shared = Arc::clone(&shared);
            shared.bars.is_some().then(|| std::thread::spawn(move || shared.update_until_over()))
        };
        LiveDisplay { shared, reader }
    }

    /// Prints a line above the progress bars.
    pub(super) fn print(&self, line: &str) {
        match &self.shared.bars {
            // The campaign continues even if the terminal is gone.
            Some(bars) => drop(lock(bars).all.println(words::shown(line, colored(Color::Auto)))),
            None => words::say(line),
        }
    }

    /// Reads the events that were written so far.
    pub(super) fn catch_up(&self) {
        lock(&self.shared.watcher).poll();
    }

    /// The current progress of a property.
    pub(super) fn progress(&self, property: &str, program: &Path) -> PropertyProgress {
        let mut watcher = lock(&self.shared.watcher);
        watcher.poll();
        let key = (property.to_owned(), program.to_string_lossy().into_owned());
        watcher.properties.get(&key).cloned().unwrap_or_default()
    }
}

impl Drop for LiveDisplay {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
        if let Some(bars) = &self.shared.bars {
            let _ = lock(bars).all.clear();
        }
    }
}

impl DisplayState {
    fn update_until_over(&self) {
        while !self.is_over.load(Ordering::Relaxed) {
            let mut watcher = lock(&self.watcher);
            watcher.poll();
            if let Some(bars) = &self.bars {
                lock(bars).update(&watcher.properties, self.begun.elapsed(), self.time);
            }
            drop(watcher);
            std::thread::sleep(PERIOD);
        }
    }
}

impl ProgressBars {
    fn new() -> ProgressBars {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
        let total = all.add(line());
        ProgressBars { all, total, lines: BTreeMap::new() }
    }

    fn update(&mut self, properties: &Properties, elapsed: Duration, time: Duration) {
        self.lines.retain(|key, line| {
            let is_running = properties.get(key).is_some_and(|progress| progress.is_running);
            if !is_running {
                line.finish_and_clear();
                self.all.remove(line);
            }
            is_running
        });
        for (key, progress) in properties.iter().filter(|(_, progress)| progress.is_running) {
            if !self.lines.contains_key(key) && self.lines.len() < LINES_MAX {
                let line = self.all.insert_before(&self.total, line());
                self.lines.insert(key.clone(), line);
            }
            if let Some(line) = self.lines.get(key) {
                line.set_message(property_line(&key.0, progress));
            }
        }
        self.total.set_message(total_line(properties, elapsed, time));
        self.total.tick();
    }
}

fn line() -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_msg}");
    let line = ProgressBar::new_spinner();
    line.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    line
}

/// The line of one property.
fn property_line(name: &str, progress: &PropertyProgress) -> String {
    let mut text =
        format!("{}: {} cases", rebut_report::one_line(name), thousands(progress.cases()));
    if progress.is_shrinking {
        text += ", shrinking";
    } else if progress.rate() > 0.0 {
        text += &format!(", {}/s", thousands(progress.rate() as u64));
    }
    for (label, is_maximum, best) in progress.best.iter().filter(|(_, _, best)| !best.is_nan()) {
        let which = if *is_maximum { "highest" } else { "lowest" };
        text += &format!(", {which} {} {best}", rebut_report::one_line(label));
    }
    let mut labels: Vec<&(String, u64)> = progress.labels.iter().collect();
    labels.sort_by(|(a, cases_a), (b, cases_b)| cases_b.cmp(cases_a).then_with(|| a.cmp(b)));
    for (label, cases) in labels.into_iter().take(LABELS_MAX) {
        text += &format!(
            ", {} {:.0}%",
            rebut_report::one_line(label),
            progress.label_percentage(*cases)
        );
    }
    match progress.failures {
        0 => {}
        1 => text += ", 1 failure",
        failures => text += &format!(", {failures} failures"),
    }
    text.replace('\n', " ")
}

/// The maximum number of labels in a line, the most frequent first. Arbitrary: a terminal cuts
/// longer lines.
const LABELS_MAX: usize = 4;

/// The line of the whole campaign.
fn total_line(properties: &Properties, elapsed: Duration, time: Duration) -> String {
    let running = properties.values().filter(|progress| progress.is_running).count();
    let failed = properties.values().filter(|progress| progress.failures > 0).count();
    let cases: u64 = properties.values().map(PropertyProgress::cases).sum();
    let rate: f64 = properties.values().map(PropertyProgress::rate).sum();
    let count = properties.len();
    let noun = if count == 1 { "property" } else { "properties" };
    format!(
        "{:.0} of {:.0} s: {count} {noun}, {running} running, {failed} failed, {} cases, {}/s",
        elapsed.as_secs_f64(),
        time.as_secs_f64(),
        thousands(cases),
        thousands(rate as u64)
    )
}

/// `12345` as `12,345`.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Whether the standard error is a terminal that can show progress, outside of CI.
fn is_interactive() -> bool {
    let value_of = |name: &str| std::env::var(name).unwrap_or_default();
    std::io::stderr().is_terminal()
        && !matches!(value_of("TERM").as_str(), "" | "dumb")
        && matches!(value_of("CI").as_str(), "" | "false" | "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let texts = [0, 12, 999, 1000, 12_345, 1_234_567].map(thousands);
        assert_eq!(texts, ["0", "12", "999", "1,000", "12,345", "1,234,567"]);
    }

    #[test]
    fn lines_contain_labels_and_best_values_without_control_characters() {
        let mut progress = PropertyProgress::default();
        (progress.is_running, progress.failures) = (true, 2);
        progress.best =
            vec![("depth\u{1b}[2J".to_owned(), true, 17.0), ("cost".to_owned(), false, f64::NAN)];
        progress.labels = vec![("small".to_owned(), 0), ("a\nb".to_owned(), 1)];
        let expected =
            "a::b: 0 cases, highest depth\\u{1b}[2J 17, a\\u{a}b 100%, small 0%, 2 failures";
        assert_eq!(property_line("a::b", &progress), expected);
        let properties = BTreeMap::from([(("a::b".to_owned(), "/t/a-1".to_owned()), progress)]);
        assert_eq!(
            total_line(&properties, Duration::from_millis(1500), Duration::from_secs(30)),
            "2 of 30 s: 1 property, 1 running, 1 failed, 0 cases, 0/s"
        );
    }
}
