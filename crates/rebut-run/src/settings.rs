//! What a user can set about a run.

mod known;
mod load;
mod toml;

use std::time::Duration;

use rebut_search::Strategy;

use crate::verdict::Found;

/// The settings of one run, after defaults, `rebut.toml`, the test's attribute and `REBUT_*`
/// variables were applied, in this order.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// How many cases are run.
    pub cases: u64,
    /// How many cases `exists` and `not_exists` try; as many as `cases` if not given.
    pub steps: Option<u64>,
    /// Where random choices start; drawn anew for each run if not given.
    pub seed: Option<u64>,
    /// Stop drawing new cases after this time.
    pub time_budget: Option<Duration>,
    /// A case that takes longer than this hangs.
    pub deadline: Duration,
    /// Where cases run.
    pub isolate: Isolate,
    /// The most memory, in bytes, that a process which runs isolated cases may take.
    pub memory_max: u64,
    /// How many executions shrinking may take for each failure.
    pub shrink_max: u64,
    /// How many distinct failures are looked for.
    pub failures_max: usize,
    /// Whether to find out which parts of the minimal example matter.
    pub explain: bool,
    /// How much is said.
    pub verbosity: Verbosity,
    /// Whether failures are kept in `.rebut/` and tried first in the next run.
    pub database: bool,
    /// A replay string: run just this case.
    pub replay: Option<String>,
    /// What found the case of `replay`, for its report.
    pub(crate) replay_from: Found,
    /// How cases are searched for that are good for what a property aims at.
    pub search: Search,
    /// Which events are written to `target/rebut/`.
    pub events: Events,
    /// How many cases may be rejected for each one that is not.
    pub rejections_max: u64,
}

/// Where cases run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolate {
    /// In the test's own process; a case that kills or hangs it is found and shrunk in
    /// child processes.
    Auto,
    /// In child processes from the start.
    Always,
    /// In the test's own process, whatever happens: for debuggers.
    Never,
}

/// How a property that calls `maximize` or `minimize` is searched.
#[derive(Clone, Copy, Debug)]
pub enum Search {
    /// By the strategy that is best on average.
    Auto,
    /// Not at all: cases stay random.
    Off,
    /// By hill climbing.
    Climbing,
    /// By simulated annealing.
    Annealing,
    /// By a strategy of the user's, made for the number of cases that it has.
    Own(fn(u64) -> Box<dyn Strategy>),
}

/// Strategies of the user's are equal if they are made by the same function.
impl PartialEq for Search {
    fn eq(&self, other: &Search) -> bool {
        match (self, other) {
            (Search::Own(this), Search::Own(that)) => std::ptr::fn_addr_eq(*this, *that),
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

impl Eq for Search {}

/// Of which properties it is written down what happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Events {
    /// Of none.
    Off,
    /// Of those that call `maximize` or `minimize`: the steps of their search.
    Search,
    /// Of all, without their cases.
    Summary,
    /// Of all, with every case.
    All,
}

/// How much a run says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Failures only, without advice.
    Quiet,
    /// Failures with all that is known about them.
    Normal,
    /// Also a summary of each run that passed.
    Verbose,
    /// Also every case with its values, before it is shrunk.
    Trace,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            cases: 1000,
            steps: None,
            seed: None,
            time_budget: None,
            deadline: Duration::from_secs(10),
            isolate: Isolate::Auto,
            memory_max: 4 << 30,
            shrink_max: 20_000,
            failures_max: 5,
            explain: true,
            verbosity: Verbosity::Normal,
            database: true,
            replay: None,
            replay_from: Found::Replay,
            search: Search::Auto,
            events: Events::Summary,
            rejections_max: 20,
        }
    }
}
