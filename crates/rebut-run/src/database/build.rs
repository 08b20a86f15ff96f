//! The build that runs, as far as failures may depend on it.
//!
//! A release build checks neither `debug_assert!` nor overflows. A failure that only a debug build
//! shows passes there, and must not be taken for fixed. The facts identify the build better than
//! the name of its profile: a profile `ci` that checks the same shows the same failures.

use std::sync::OnceLock;

/// The name of a build that checks everything.
pub(super) const DEBUG: &str = "debug";

/// Whether overflows panic, once a test has reported it. Only a panic could show it here, and that
/// would call the hook of the user, which may end or block the process.
static CHECKS_OVERFLOWS: OnceLock<bool> = OnceLock::new();

/// Records whether the code under test checks overflows. All tests of a process have one build.
pub(crate) fn note_overflow_checks(checks_overflows: Option<bool>) {
    if let Some(checks_overflows) = checks_overflows {
        let _ = CHECKS_OVERFLOWS.set(checks_overflows);
    }
}

/// Returns the name of the running build.
pub(super) fn running() -> &'static str {
    let asserts = cfg!(debug_assertions);
    // Both are the same unless a profile separates them.
    name(asserts, CHECKS_OVERFLOWS.get().copied().unwrap_or(asserts))
}

fn name(asserts: bool, checks_overflows: bool) -> &'static str {
    match (asserts, checks_overflows) {
        (true, true) => DEBUG,
        (false, false) => "release",
        (true, false) => "debug-assertions",
        (false, true) => "overflow-checks",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_of_tests_are_debug_builds() {
        let expected = if cfg!(debug_assertions) { "debug" } else { "release" };
        assert_eq!(running(), expected);
    }

    #[test]
    fn names_differ() {
        let all = [(true, true), (false, false), (true, false), (false, true)];
        let names: std::collections::BTreeSet<&str> =
            all.iter().map(|(asserts, checks)| name(*asserts, *checks)).collect();
        assert_eq!(names.len(), 4);
    }
}
