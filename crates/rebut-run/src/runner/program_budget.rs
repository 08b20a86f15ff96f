//! How many cases a property with generated programs runs.
//!
//! A program takes microseconds, and its input space is far larger than that of a few parameters: 1,000
//! programs take less than a tenth of a second and miss bugs that 3,000 find. So, unless `cases` is set,
//! such a property runs programs for a while. On a fast machine the number of programs ends the run,
//! so that two runs with one seed are the same. On a slow machine the time ends it.

use std::time::{Duration, Instant};

use crate::Settings;

/// The number of programs that end a run. In six libraries with planted and real bugs, the rarest bug
/// was found by one program in 15,000. Three times as many find such a bug with a chance of 95%.
const PROGRAMS_MAX: u64 = 50_000;

/// The time that ends a run once it has the default number of cases. A product decision: a suite has
/// few properties with programs, and someone may be waiting for each.
const TIME: Duration = Duration::from_secs(1);

/// Decides when a property with programs has run enough cases.
#[derive(Debug)]
pub(super) struct ProgramBudget {
    started: Instant,
    /// The time that ends the run; `None` if `time_budget` does.
    time: Option<Duration>,
    /// Whether more than the default number of cases may run.
    is_open: bool,
}

impl ProgramBudget {
    pub(super) fn new(settings: &Settings) -> ProgramBudget {
        ProgramBudget {
            started: Instant::now(),
            time: settings.time_budget.is_none().then_some(TIME),
            is_open: settings.cases.is_none(),
        }
    }

    /// Returns whether to run another case after the default number of cases, of which `valid` count.
    pub(super) fn has_more(&self, valid: u64) -> bool {
        self.has_more_after(valid, || self.started.elapsed())
    }

    /// Returns whether the time ended the run, and not the number of cases.
    pub(super) fn is_time_up(&self, valid: u64) -> bool {
        self.is_open && self.time.is_some() && valid < PROGRAMS_MAX
    }

    fn has_more_after(&self, valid: u64, elapsed: impl Fn() -> Duration) -> bool {
        self.is_open && valid < PROGRAMS_MAX && self.time.is_none_or(|time| elapsed() < time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_more(settings: &Settings, valid: u64, elapsed_ms: u64) -> bool {
        ProgramBudget::new(settings).has_more_after(valid, || Duration::from_millis(elapsed_ms))
    }

    #[test]
    fn the_number_or_the_time_ends_a_run() {
        let settings = Settings::default();
        assert!(has_more(&settings, 1000, 999));
        assert!(!has_more(&settings, 1000, 1000));
        assert!(has_more(&settings, PROGRAMS_MAX - 1, 0));
        assert!(!has_more(&settings, PROGRAMS_MAX, 0));
    }

    #[test]
    fn a_number_of_cases_that_is_set_is_the_number_that_runs() {
        for cases in [10, 1000, 60_000] {
            let settings = Settings { cases: Some(cases), ..Settings::default() };
            assert!(!has_more(&settings, cases, 0));
        }
    }

    #[test]
    fn a_time_budget_replaces_the_default_time() {
        let budget = Some(Duration::from_secs(60));
        let settings = Settings { time_budget: budget, ..Settings::default() };
        assert!(has_more(&settings, 1000, 59_000));
        assert!(!has_more(&settings, PROGRAMS_MAX, 0));
    }
}
