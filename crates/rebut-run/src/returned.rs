//! Chooses how to read the result of a property, by the traits of its type.
//!
//! A test of the standard harness can return any type with `Termination`. A property also returns
//! types without it, such as `bool`, so no trait covers both. The macro calls
//! `(&&&&&Returned::new(result)).failure()`, and the compiler takes the first of these traits that
//! applies, from the most references to the fewest.

use std::cell::Cell;
use std::fmt;
use std::process::{ExitCode, Termination};

use crate::outcome::PropertyResult;
use crate::wasm_guest;

/// The result of a property.
#[doc(hidden)]
pub struct Returned<T>(Cell<Option<T>>);

impl<T> Returned<T> {
    /// Stores the result until a method reads it.
    pub const fn new(result: T) -> Returned<T> {
        Returned(Cell::new(Some(result)))
    }
}

impl<T> fmt::Debug for Returned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Returned")
    }
}

/// Reads a type that a property may return.
#[doc(hidden)]
pub trait ReturnedProperty {
    /// Returns the message of the failure, or `None` for a pass.
    fn failure(&self) -> Option<String>;
}

impl<T: PropertyResult> ReturnedProperty for &&&&Returned<T> {
    fn failure(&self) -> Option<String> {
        self.0.take()?.into_failure()
    }
}

/// Reads a result with a value that ends a process.
#[doc(hidden)]
pub trait ReturnedResultOfTermination {
    /// Returns the message of the failure, or `None` for a pass.
    fn failure(&self) -> Option<String>;
}

impl<T: Termination, E: fmt::Debug> ReturnedResultOfTermination for &&&Returned<Result<T, E>> {
    fn failure(&self) -> Option<String> {
        self.0.take()?.map(Termination::report).into_failure()
    }
}

/// Reads a type that ends a process.
#[doc(hidden)]
pub trait ReturnedTermination {
    /// Returns the message of the failure, or `None` for a pass.
    fn failure(&self) -> Option<String>;
}

impl<T: Termination> ReturnedTermination for &&Returned<T> {
    fn failure(&self) -> Option<String> {
        let code: ExitCode = self.0.take()?.report();
        code.into_failure()
    }
}

/// Reads a result with any value.
#[doc(hidden)]
pub trait ReturnedResult {
    /// Returns the message of the failure, or `None` for a pass.
    fn failure(&self) -> Option<String>;
}

impl<T, E: fmt::Debug> ReturnedResult for &Returned<Result<T, E>> {
    fn failure(&self) -> Option<String> {
        let error = self.0.take()?.err()?;
        Some(wasm_guest::error_message(&error))
    }
}

/// Refuses other types, with the message of [`PropertyResult`].
#[doc(hidden)]
pub trait ReturnedOther {
    /// The result.
    type Result;

    /// Returns the message of the failure, or `None` for a pass.
    fn failure(&self) -> Option<String>
    where
        Self::Result: PropertyResult;
}

impl<T> ReturnedOther for Returned<T> {
    type Result = T;

    fn failure(&self) -> Option<String>
    where
        T: PropertyResult,
    {
        self.0.take()?.into_failure()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Ending(u8);

    impl Termination for Ending {
        fn report(self) -> ExitCode {
            ExitCode::from(self.0)
        }
    }

    macro_rules! failure {
        ($result:expr) => {
            (&&&&&Returned::new($result)).failure()
        };
    }

    #[test]
    fn types_are_read_by_the_first_trait_that_they_have() {
        assert_eq!(failure!(()), None);
        assert_eq!(failure!(false).as_deref(), Some("returned false"));
        assert_eq!(failure!(Ok::<bool, u8>(false)).as_deref(), Some("returned false"));
        assert_eq!(failure!(ExitCode::SUCCESS), None);
        assert!(failure!(ExitCode::from(3)).is_some_and(|message| message.contains('3')));
        assert_eq!(failure!(Ending(0)), None);
        assert!(failure!(Ending(4)).is_some_and(|message| message.contains('4')));
        assert!(failure!(Ok::<Ending, u8>(Ending(5))).is_some_and(|message| message.contains('5')));
        assert_eq!(failure!(Ok::<Vec<bool>, u8>(vec![false])), None);
        assert_eq!(failure!(Err::<Vec<u8>, u8>(6)).as_deref(), Some("6"));
    }
}
