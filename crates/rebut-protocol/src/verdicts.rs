//! Names the verdicts of a run in events, reports and exit codes.

/// The code of a verdict.
///
/// Events and reports contain it as a string. `cargo rebut explain` prints what each code means.
///
/// # Examples
/// ```
/// use rebut_protocol::verdicts::VerdictCode;
///
/// assert_eq!(VerdictCode::parse("R003"), Some(VerdictCode::Vacuous));
/// assert_eq!(VerdictCode::Vacuous.as_str(), "R003");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum VerdictCode {
    /// The property is true for all inputs.
    Proved,
    /// No case failed.
    Passed,
    /// A matching input was found.
    Exists,
    /// An input fails, and the test has `#[should_panic]`.
    Panicked,
    /// An input fails.
    Failed,
    /// An input fails in some executions only.
    Flaky,
    /// Every input was rejected.
    Vacuous,
    /// Too many inputs were rejected.
    TooManyRejected,
    /// Too few cases ran within the time budget.
    TooSlow,
    /// The test uses Rebut incorrectly.
    Misuse,
    /// A `cover!` target was not reached.
    NotCovered,
    /// No matching input was found.
    NotFound,
    /// No input fails, but the test has `#[should_panic]`.
    NotPanicked,
    /// Rebut has a bug.
    InternalError,
    /// The run did not end. No run reports this itself; readers conclude it from a missing end.
    Unfinished,
}

impl VerdictCode {
    /// Every code, in the order of `docs/guide/codes.md`.
    pub const ALL: &'static [VerdictCode] = &[
        VerdictCode::Proved,
        VerdictCode::Passed,
        VerdictCode::Exists,
        VerdictCode::Panicked,
        VerdictCode::Failed,
        VerdictCode::Flaky,
        VerdictCode::Vacuous,
        VerdictCode::TooManyRejected,
        VerdictCode::TooSlow,
        VerdictCode::Misuse,
        VerdictCode::NotCovered,
        VerdictCode::NotFound,
        VerdictCode::NotPanicked,
        VerdictCode::InternalError,
        VerdictCode::Unfinished,
    ];

    /// Returns the code as it is written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            VerdictCode::Proved => "proved",
            VerdictCode::Passed => "passed",
            VerdictCode::Exists => "exists",
            VerdictCode::Panicked => "panicked",
            VerdictCode::Failed => "R001",
            VerdictCode::Flaky => "R002",
            VerdictCode::Vacuous => "R003",
            VerdictCode::TooManyRejected => "R004",
            VerdictCode::TooSlow => "R005",
            VerdictCode::Misuse => "R006",
            VerdictCode::NotCovered => "R007",
            VerdictCode::NotFound => "R008",
            VerdictCode::NotPanicked => "R009",
            VerdictCode::InternalError => "R999",
            VerdictCode::Unfinished => "unfinished",
        }
    }

    /// Parses a code. Returns `None` for a code of a newer version.
    #[must_use]
    pub fn parse(text: &str) -> Option<VerdictCode> {
        VerdictCode::ALL.iter().copied().find(|code| code.as_str() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_round_trips() {
        for &code in VerdictCode::ALL {
            assert_eq!(VerdictCode::parse(code.as_str()), Some(code));
        }
        assert_eq!(VerdictCode::parse("R042"), None);
    }
}
