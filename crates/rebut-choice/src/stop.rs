//! The reasons to end a case before its property returns.

use std::borrow::Cow;
use std::fmt;

/// The reason why a case cannot go on; the payload of the panic that unwinds it.
///
/// The runner catches this payload. It never counts as a failure of the code under test, and
/// reaches a panic hook only where a panic aborts the process.
///
/// # Examples
/// ```
/// use rebut_choice::Stop;
/// let stop = Stop::Rejected("the list is empty".into());
/// assert_eq!(stop.to_string(), "rejected: the list is empty");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// An assumption or a filter rejected the input. The case counts neither as a pass nor as a
    /// failure.
    Rejected(Cow<'static, str>),
    /// The case drew too many choices or nested its spans too deeply.
    TooLarge,
    /// A caller passed something invalid to Rebut. The message explains what to write instead.
    Misuse(String),
    /// A bug in Rebut.
    Internal(String),
}

impl Stop {
    /// Ends the running case by unwinding it with this payload.
    ///
    /// # Examples
    /// ```
    /// use rebut_choice::Stop;
    /// let payload = std::panic::catch_unwind(|| Stop::TooLarge.raise()).unwrap_err();
    /// assert_eq!(*payload.downcast::<Stop>().unwrap(), Stop::TooLarge);
    /// ```
    pub fn raise(self) -> ! {
        #[cfg(all(target_family = "wasm", target_os = "unknown"))]
        crate::host::stop(&self);
        // Nothing can catch it there, but the hook can report it.
        #[cfg(all(panic = "abort", not(all(target_family = "wasm", target_os = "unknown"))))]
        std::panic::panic_any(self);
        #[cfg(all(not(panic = "abort"), not(all(target_family = "wasm", target_os = "unknown"))))]
        std::panic::resume_unwind(Box::new(self))
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Rejected(why) => write!(f, "rejected: {why}"),
            Stop::TooLarge => f.write_str("the test case grew too large"),
            Stop::Misuse(what) => f.write_str(what),
            Stop::Internal(what) => {
                write!(f, "internal error in Rebut, please report it: {what}")
            }
        }
    }
}

/// Asserts a condition that only a bug in Rebut can violate.
///
/// If the condition is false, the run ends with an internal error. It is never reported as a
/// counterexample. Use it instead of `assert!` in code that can run while a property runs: the
/// runner would take a plain panic for a failure of the code under test.
///
/// Do not use it in a destructor. It unwinds, and the process aborts if it already unwinds.
///
/// Exploration skips the check. A condition that depends on a choice would be a branch there, and
/// add a path to explore.
///
/// # Examples
/// ```
/// let sizes = [1, 2, 3];
/// rebut_choice::internal_assert!(sizes.is_sorted(), "sizes are not sorted: {sizes:?}");
/// ```
#[macro_export]
macro_rules! internal_assert {
    ($condition:expr, $($message:tt)+) => {
        if cfg!(not(all(target_family = "wasm", target_os = "unknown"))) && !$condition {
            $crate::internal_error!($($message)+)
        }
    };
}

/// Ends the run with an internal error, where only a bug in Rebut can lead.
///
/// Use it instead of `unreachable!` and `expect`; see [`internal_assert!`].
///
/// # Examples
/// ```
/// let digit = '7'.to_digit(10);
/// let digit = digit.unwrap_or_else(|| rebut_choice::internal_error!("'7' is not a digit"));
/// assert_eq!(digit, 7);
/// ```
#[macro_export]
macro_rules! internal_error {
    ($($message:tt)+) => {
        $crate::raise_internal_error(format_args!($($message)+), file!(), line!())
    };
}

/// Raises [`Stop::Internal`] with a message and the location of the check. It is a function, so
/// that a check adds little code to its caller.
#[doc(hidden)]
#[cold]
#[inline(never)]
pub fn raise_internal_error(message: fmt::Arguments<'_>, file: &str, line: u32) -> ! {
    Stop::Internal(format!("{message} ({file}:{line})")).raise()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_violated_invariant_is_an_internal_error_with_its_location() {
        let sizes = [2, 1];
        let violate = || internal_assert!(sizes.is_sorted(), "sizes are not sorted: {sizes:?}");
        let payload = std::panic::catch_unwind(violate).expect_err("it is violated");
        let stop = payload.downcast::<Stop>().expect("a reason");
        let Stop::Internal(message) = *stop else { panic!("{stop:?}") };
        assert!(message.starts_with("sizes are not sorted: [2, 1] ("), "{message}");
        assert!(message.contains("stop.rs:"), "{message}");
    }
}
