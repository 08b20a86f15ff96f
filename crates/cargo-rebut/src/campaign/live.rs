//! What a campaign shows while it runs: a line for each property that does, and one for all.
//!
//! Off a terminal nothing is drawn, and what is said goes to the standard error as it comes.

use super::watch::{Properties, Seen, Watch};
use crate::words;
use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often events are read.
const PERIOD: Duration = Duration::from_millis(200);
/// No more properties than this have a line.
const LINES_MAX: usize = 12;

/// A campaign that runs; what was drawn is taken away when it is dropped.
#[derive(Debug)]
pub(super) struct Live {
    shared: Arc<Shared>,
    reader: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    watch: Mutex<Watch>,
    /// None if nobody looks.
    drawn: Option<Mutex<Drawn>>,
    is_over: AtomicBool,
    begun: Instant,
    time: Duration,
}

#[derive(Debug)]
struct Drawn {
    all: MultiProgress,
    total: ProgressBar,
    lines: BTreeMap<(String, String), ProgressBar>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Live {
    pub(super) fn begin(home: &Path, group: &str, time: Duration) -> Live {
        let shared = Arc::new(Shared {
            watch: Mutex::new(Watch::new(home, group)),
            drawn: is_wanted().then(|| Mutex::new(Drawn::new())),
            is_over: AtomicBool::new(false),
            begun: Instant::now(),
            time,
        });
        let reader = {
            let shared = Arc::clone(&shared);
            shared.drawn.is_some().then(|| std::thread::spawn(move || shared.read_on()))
        };
        Live { shared, reader }
    }

    /// Says something above what is drawn.
    pub(super) fn say(&self, line: &str) {
        match &self.shared.drawn {
            // That the terminal is gone is no reason to stop.
            Some(drawn) => drop(lock(drawn).all.println(line)),
            None => words::say(line),
        }
    }

    /// Reads what was written so far.
    pub(super) fn catch_up(&self) {
        lock(&self.shared.watch).poll();
    }

    /// What is known of a property of a program by now.
    pub(super) fn seen(&self, property: &str, program: &Path) -> Seen {
        let mut watch = lock(&self.shared.watch);
        watch.poll();
        let key = (property.to_owned(), program.to_string_lossy().into_owned());
        watch.properties.get(&key).cloned().unwrap_or_default()
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
        if let Some(drawn) = &self.shared.drawn {
            let _ = lock(drawn).all.clear();
        }
    }
}

impl Shared {
    fn read_on(&self) {
        while !self.is_over.load(Ordering::Relaxed) {
            let mut watch = lock(&self.watch);
            watch.poll();
            if let Some(drawn) = &self.drawn {
                lock(drawn).draw(&watch.properties, self.begun.elapsed(), self.time);
            }
            drop(watch);
            std::thread::sleep(PERIOD);
        }
    }
}

impl Drawn {
    fn new() -> Drawn {
        let all = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
        let total = all.add(line());
        Drawn { all, total, lines: BTreeMap::new() }
    }

    fn draw(&mut self, properties: &Properties, elapsed: Duration, time: Duration) {
        self.lines.retain(|key, line| {
            let is_running = properties.get(key).is_some_and(|seen| seen.is_running);
            if !is_running {
                line.finish_and_clear();
                self.all.remove(line);
            }
            is_running
        });
        for (key, seen) in properties.iter().filter(|(_, seen)| seen.is_running) {
            if !self.lines.contains_key(key) && self.lines.len() < LINES_MAX {
                let line = self.all.insert_before(&self.total, line());
                self.lines.insert(key.clone(), line);
            }
            if let Some(line) = self.lines.get(key) {
                line.set_message(of_property(&key.0, seen));
            }
        }
        self.total.set_message(of_all(properties, elapsed, time));
        self.total.tick();
    }
}

fn line() -> ProgressBar {
    let style = ProgressStyle::with_template("{wide_msg}");
    let line = ProgressBar::new_spinner();
    line.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    line
}

/// How far a property is.
fn of_property(name: &str, seen: &Seen) -> String {
    let mut text = format!("{}: {} cases", rebut_report::printable(name), thousands(seen.cases()));
    if seen.is_shrinking {
        text += ", shrinking";
    } else if seen.rate() > 0.0 {
        text += &format!(", {}/s", thousands(seen.rate() as u64));
    }
    for (label, is_maximum, best) in seen.best.iter().filter(|(_, _, best)| !best.is_nan()) {
        let which = if *is_maximum { "highest" } else { "lowest" };
        text += &format!(", {which} {} {best}", rebut_report::printable(label));
    }
    let mut labels: Vec<&(String, u64)> = seen.labels.iter().collect();
    labels.sort_by(|(a, of_a), (b, of_b)| of_b.cmp(of_a).then_with(|| a.cmp(b)));
    for (label, cases) in labels.into_iter().take(LABELS_MAX) {
        text += &format!(", {} {:.0}%", rebut_report::printable(label), seen.share(*cases));
    }
    match seen.failures {
        0 => {}
        1 => text += ", 1 failure",
        failures => text += &format!(", {failures} failures"),
    }
    text.replace('\n', " ")
}

/// More labels do not fit into a line.
const LABELS_MAX: usize = 4;

/// How far the campaign is.
fn of_all(properties: &Properties, elapsed: Duration, time: Duration) -> String {
    let running = properties.values().filter(|seen| seen.is_running).count();
    let failed = properties.values().filter(|seen| seen.failures > 0).count();
    let cases: u64 = properties.values().map(Seen::cases).sum();
    let rate: f64 = properties.values().map(Seen::rate).sum();
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

/// Whether somebody may be looking.
fn is_wanted() -> bool {
    let value_of = |name: &str| std::env::var(name).unwrap_or_default();
    std::io::stderr().is_terminal()
        && !matches!(value_of("TERM").as_str(), "" | "dumb")
        && matches!(value_of("CI").as_str(), "" | "false" | "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let texts = [0, 12, 999, 1000, 12_345, 1_234_567].map(thousands);
        assert_eq!(texts, ["0", "12", "999", "1,000", "12,345", "1,234,567"]);
    }

    #[test]
    fn a_line_has_labels_and_what_was_reached_and_nothing_that_a_terminal_acts_on() {
        let mut seen = Seen::default();
        (seen.is_running, seen.failures) = (true, 2);
        seen.best =
            vec![("depth\u{1b}[2J".to_owned(), true, 17.0), ("cost".to_owned(), false, f64::NAN)];
        seen.labels = vec![("small".to_owned(), 0), ("a\nb".to_owned(), 1)];
        let expected = "a::b: 0 cases, highest depth\\u{1b}[2J 17, a b 100%, small 0%, 2 failures";
        assert_eq!(of_property("a::b", &seen), expected);
        let properties = BTreeMap::from([(("a::b".to_owned(), "/t/a-1".to_owned()), seen)]);
        assert_eq!(
            of_all(&properties, Duration::from_millis(1500), Duration::from_secs(30)),
            "2 of 30 s: 1 property, 1 running, 1 failed, 0 cases, 0/s"
        );
    }
}
