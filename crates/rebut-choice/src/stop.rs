//! Why a case ends before its property has an answer.

use std::borrow::Cow;
use std::fmt;

/// The payload with which a case is unwound when it cannot go on. The runner catches it; it
/// never reaches a panic hook and is never taken for a failure of the code under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// An assumption or a filter did not hold; the case says nothing.
    Rejected(Cow<'static, str>),
    /// The case drew more choices, or nested deeper, than is allowed.
    TooLarge,
    /// The library was called in a way it does not accept; says what to write instead.
    Misuse(String),
    /// A fault of Rebut itself.
    Internal(String),
}

impl Stop {
    /// Ends the running case.
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
                write!(f, "internal error of rebut, please report it: {what}")
            }
        }
    }
}

/// Asserts something that only a fault of Rebut can break. A broken one ends the run with an
/// internal error and is never shown as a counterexample.
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
