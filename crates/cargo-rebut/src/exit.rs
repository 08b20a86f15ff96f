//! The codes with which the command ends.

use std::process::ExitCode;

/// Why the command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// All is well: as many models as were asked for, or provably all.
    Success = 0,
    /// An error of Rebut itself.
    Internal = 1,
    /// The command line is wrong. (Also what `clap` ends with.)
    Usage = 2,
    /// The specification has errors.
    Specification = 3,
    /// There is no model.
    Unsatisfiable = 4,
    /// There are fewer models than were asked for, and it is not proved that there are no
    /// more.
    Unproved = 5,
    /// Something is missing: a solver.
    Missing = 6,
    /// A file cannot be read or written.
    File = 7,
    /// A property does not hold, or a test fails.
    Refuted = 8,
    /// There are no events to report.
    NoEvents = 9,
    /// Cargo cannot be run, or the tests do not build.
    Cargo = 10,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// An end with something to say.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(exit: Exit, message: String) -> Self {
        Self { exit, message }
    }
}
