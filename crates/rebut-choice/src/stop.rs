//! The reasons to end a case before its property returns.

use std::borrow::Cow;
use std::fmt;

/// The reason why a case cannot go on; the payload of the panic that unwinds it.
///
/// The runner catches this payload. It never reaches a panic hook and never counts as a failure
/// of the code under test.
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
        #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
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
/// counterexample.
///
/// # Examples
/// ```
/// let sizes = [1, 2, 3];
/// rebut_choice::internal_assert!(sizes.is_sorted(), "sizes are not sorted: {sizes:?}");
/// ```
#[macro_export]
macro_rules! internal_assert {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            $crate::Stop::Internal(format!(
                "{} ({}:{})", format_args!($($message)+), file!(), line!()
            )).raise()
        }
    };
}
