//! The settings of a run.

mod apply;
mod load;
mod toml;

pub(crate) use load::{LoadedSettings, SettingsError};

use std::time::Duration;

use rebut_search::Strategy;

use crate::verdict::FoundBy;

/// The settings of a run.
///
/// The sources, in order: defaults, `rebut.toml`, the attribute of the test, `REBUT_*`
/// environment variables. Later ones override earlier ones.
///
/// # Examples
/// ```
/// use std::time::Duration;
///
/// use rebut::{Check, integers};
///
/// let check = Check::new("bytes fit").configure(|settings| {
///     settings.cases = Some(5000);
///     settings.time_budget = Some(Duration::from_secs(1));
/// });
/// assert!(check.run(|case| case.draw(integers::<u8>()) <= 255).verdict.is_success());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// The number of cases to run. If not set, 1,000, and more of generated programs: for a second, up
    /// to 50,000.
    pub cases: Option<u64>,
    /// The number of cases that `exists` and `not_exists` try; `cases` if not set.
    pub steps: Option<u64>,
    /// The seed of the random cases; a new one for each run if not set.
    pub seed: Option<u64>,
    /// The time after which Rebut starts no new cases.
    pub time_budget: Option<Duration>,
    /// The time after which a case counts as a hang.
    pub deadline: Duration,
    /// The process that runs the cases.
    pub isolate: Isolation,
    /// The memory limit, in bytes, of a process that runs isolated cases.
    pub memory_max: u64,
    /// The maximum number of executions to shrink one failure.
    pub shrink_max: u64,
    /// The maximum number of distinct failures to find.
    pub failures_max: usize,
    /// Whether to find out which parts of the minimal input matter.
    pub explain: bool,
    /// How much to print.
    pub verbosity: Verbosity,
    /// Whether to save failures in `.rebut/` and try them first in the next run.
    pub database: bool,
    /// The replay string of the only case to run.
    pub replay: Option<String>,
    /// How the case of `replay` was found, for its report.
    pub(crate) replay_from: FoundBy,
    /// The strategy of the search for better scores.
    pub search: SearchMode,
    /// The events to write to `target/rebut/`.
    pub events: EventLevel,
    /// The maximum number of rejected cases for each accepted case.
    pub rejections_max: u64,
    /// The number of inputs up to which a command wants all of them tried.
    pub(crate) inputs_max: u64,
}

/// The process that runs the cases of a test.
///
/// # Examples
/// ```
/// use rebut::settings::{Isolation, Settings};
/// assert_eq!(Settings::default().isolate, Isolation::Auto);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Isolation {
    /// Runs cases in the process of the test. If a case kills it or hangs, child processes find
    /// and shrink that case.
    Auto,
    /// Runs all cases in child processes.
    Always,
    /// Runs all cases in the process of the test, even if one crashes. Use it with a debugger.
    Never,
}

/// The strategy for properties that call `maximize` or `minimize`.
///
/// # Examples
/// ```
/// use rebut::settings::SearchMode;
/// use rebut::{Check, integers, maximize};
///
/// let check = Check::new("large").seed(1).configure(|settings| {
///     settings.search = SearchMode::Climbing;
/// });
/// let report = check.run(|case| {
///     let n = case.draw(integers::<u64>());
///     maximize(n);
///     n < u64::MAX
/// });
/// assert!(report.has_failed());
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum SearchMode {
    /// The strategy that is best on average.
    Auto,
    /// No search: all cases are random.
    Off,
    /// Hill climbing.
    Climbing,
    /// Simulated annealing.
    Annealing,
    /// A strategy of your own. The function creates it for the given number of cases.
    Own(fn(u64) -> Box<dyn Strategy>),
}

/// User-defined strategies are equal if the same function creates them.
impl PartialEq for SearchMode {
    fn eq(&self, other: &SearchMode) -> bool {
        match (self, other) {
            (SearchMode::Own(this), SearchMode::Own(that)) => std::ptr::fn_addr_eq(*this, *that),
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

impl Eq for SearchMode {}

/// The properties that write events.
///
/// # Examples
/// ```
/// use rebut::settings::{EventLevel, Settings};
/// assert_eq!(Settings::default().events, EventLevel::Summary);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EventLevel {
    /// No property writes events.
    Off,
    /// Properties that call `maximize` or `minimize` write the steps of their search.
    Search,
    /// All properties write events, without their cases.
    Summary,
    /// All properties write events, with every case.
    All,
}

/// How much a run prints.
///
/// # Examples
/// ```
/// use rebut::settings::Verbosity;
/// assert!(Verbosity::Trace > Verbosity::Verbose);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Verbosity {
    /// Prints failures only, without advice.
    Quiet,
    /// Prints failures with all details.
    Normal,
    /// Also prints a summary of each run that passed.
    Verbose,
    /// Also prints every case with its values, before shrinking.
    Trace,
}

/// The default number of cases. A product decision: most properties take less than 0.1 seconds.
pub(crate) const CASES: u64 = 1000;

impl Settings {
    /// Returns the number of cases to run, without the further ones of generated programs.
    pub(crate) fn cases_or_default(&self) -> u64 {
        self.cases.unwrap_or(CASES)
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            cases: None,
            steps: None,
            seed: None,
            time_budget: None,
            deadline: Duration::from_secs(10),
            isolate: Isolation::Auto,
            memory_max: 4 << 30,
            shrink_max: 20_000,
            failures_max: 5,
            explain: true,
            verbosity: Verbosity::Normal,
            database: true,
            replay: None,
            replay_from: FoundBy::Replay,
            search: SearchMode::Auto,
            events: EventLevel::Summary,
            rejections_max: 20,
            inputs_max: 0,
        }
    }
}
