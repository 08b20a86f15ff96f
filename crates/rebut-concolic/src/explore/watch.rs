//! The progress of an exploration, and how it is ended from outside.

/// Watches an exploration from outside.
///
/// Budgets count work, so that a verdict is the same on every machine. People count time: a watcher
/// may end an exploration at any moment, and the verdict then says so ([`Limit::Stopped`]).
///
/// [`Limit::Stopped`]: crate::Limit::Stopped
pub trait Watcher {
    /// Is called before each run. Returns the reason to end the exploration, if there is one.
    fn watch(&self, progress: Progress) -> Option<Stop>;
}

/// The progress of an exploration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The number of runs.
    pub runs: usize,
    /// The number of different paths.
    pub paths: usize,
    /// The number of paths that fail.
    pub failures: usize,
    /// The work so far, as in [`Budget::work`](crate::Budget::work).
    pub work: u64,
}

/// Why an exploration was ended from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stop {
    /// The time of the command is over.
    Time,
    /// The user does not want to wait any longer.
    Interrupt,
}

/// Watches nothing.
impl Watcher for () {
    fn watch(&self, _: Progress) -> Option<Stop> {
        None
    }
}
