//! The outcome of one execution of a property.

use std::borrow::Cow;
use std::fmt;
use std::process::ExitCode;

use crate::strings;
use crate::wasm_guest;

/// How one case ended.
///
/// # Examples
/// ```
/// use rebut::report::Outcome;
/// let outcome = Outcome::Rejected("the list is empty".into());
/// assert_ne!(outcome, Outcome::Passed);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The property passed.
    Passed,
    /// An assumption or a filter rejected the input. The case counts neither as a pass nor as a
    /// failure.
    Rejected(Cow<'static, str>),
    /// The case grew too large. It counts neither as a pass nor as a failure.
    TooLarge,
    /// The property failed.
    Failed(Failure),
    /// A caller passed something invalid to Rebut.
    Misuse(String),
    /// A bug in Rebut.
    Internal(String),
}

/// The failure of a property.
///
/// # Examples
/// ```
/// use rebut::report::FailureKind;
/// use rebut::{Check, integers};
///
/// let report = Check::new("small").run(|case| assert!(case.draw(integers::<u16>()) < 500));
/// let failure = &report.verdict.counterexamples()[0].failure;
/// assert_eq!(failure.kind, FailureKind::Panic);
/// assert!(failure.message.contains("< 500"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The kind of failure.
    pub kind: FailureKind,
    /// The message: that of the panic, or the error.
    pub message: String,
    /// The location, if known.
    pub location: Option<Location>,
}

/// A kind of failure.
///
/// # Examples
/// ```
/// use rebut::report::FailureKind;
/// assert_eq!(FailureKind::StackOverflow.to_string(), "overflowed its stack");
/// assert!(FailureKind::StackOverflow.kills_process());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureKind {
    /// The property panicked.
    Panic,
    /// The property returned `false` or an error.
    WrongResult,
    /// The body of `exists` or `not_exists` returned `true`.
    Witness,
    /// The property aborted the process, or died from a signal that no other kind covers.
    Abort,
    /// The property overflowed its stack.
    StackOverflow,
    /// The property ran out of memory.
    OutOfMemory,
    /// The property did not end within its deadline.
    Hang,
    /// The property exited the process.
    Exit,
}

impl FailureKind {
    /// Returns whether the failure ends the process that runs the case.
    ///
    /// # Examples
    /// ```
    /// use rebut::report::FailureKind;
    /// assert!(FailureKind::Abort.kills_process());
    /// assert!(!FailureKind::Panic.kills_process());
    /// ```
    #[must_use]
    pub fn kills_process(self) -> bool {
        !matches!(self, FailureKind::Panic | FailureKind::WrongResult | FailureKind::Witness)
    }

    /// Returns the name used in files and between processes.
    ///
    /// # Examples
    /// ```
    /// use rebut::report::FailureKind;
    /// assert_eq!(FailureKind::OutOfMemory.name(), "out-of-memory");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FailureKind::Panic => "panic",
            FailureKind::WrongResult => "wrong-result",
            FailureKind::Witness => "witness",
            FailureKind::Abort => "abort",
            FailureKind::StackOverflow => "stack-overflow",
            FailureKind::OutOfMemory => "out-of-memory",
            FailureKind::Hang => "hang",
            FailureKind::Exit => "exit",
        }
    }

    /// Returns the kind with this [`name`](FailureKind::name).
    ///
    /// # Examples
    /// ```
    /// use rebut::report::FailureKind;
    /// assert_eq!(FailureKind::from_name("hang"), Some(FailureKind::Hang));
    /// assert_eq!(FailureKind::from_name("other"), None);
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<FailureKind> {
        [
            FailureKind::Panic,
            FailureKind::WrongResult,
            FailureKind::Witness,
            FailureKind::Abort,
            FailureKind::StackOverflow,
            FailureKind::OutOfMemory,
            FailureKind::Hang,
            FailureKind::Exit,
        ]
        .into_iter()
        .find(|kind| kind.name() == name)
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FailureKind::Panic => "panicked",
            FailureKind::WrongResult => "returned a failure",
            FailureKind::Witness => "returned true",
            FailureKind::Abort => "aborted the process",
            FailureKind::StackOverflow => "overflowed its stack",
            FailureKind::OutOfMemory => "ran out of memory",
            FailureKind::Hang => "did not end within its deadline",
            FailureKind::Exit => "exited the process",
        })
    }
}

/// A location in source code.
///
/// # Examples
/// ```
/// use rebut::report::Location;
/// let location = Location { file: "src/lib.rs".to_owned(), line: 3, column: 9 };
/// assert_eq!(location.to_string(), "src/lib.rs:3:9");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Location {
    /// The path of the file, as the compiler prints it.
    pub file: String,
    /// The line, from 1; 0 if it is unknown.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl Location {
    /// Converts the location of the caller of a `#[track_caller]` function.
    pub(crate) fn from_caller(caller: &std::panic::Location<'_>) -> Location {
        let (line, column) = (caller.line(), caller.column());
        Location { file: caller.file().to_owned(), line, column }
    }

    /// Returns the file and the line, which stay the same when columns change.
    pub(crate) fn line_of_file(&self) -> String {
        match self.line {
            0 => self.file.clone(),
            line => format!("{}:{line}", self.file),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => f.write_str(&self.file),
            line => write!(f, "{}:{line}:{}", self.file, self.column),
        }
    }
}

/// The identity of a failure: its kind and location.
///
/// Rebut uses it to recognize a failure in other inputs and in later runs. Messages contain
/// values and differ from input to input.
///
/// # Examples
/// ```
/// use rebut::report::{Failure, FailureKind, Location};
/// let failure = |message: &str| {
///     let location = Location { file: "src/lib.rs".to_owned(), line: 3, column: 9 };
///     Failure::new(FailureKind::Panic, message, Some(location))
/// };
/// assert_eq!(failure("index is 7").key(), failure("index is 8").key());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FailureKey {
    kind: FailureKind,
    location: String,
}

impl fmt::Display for FailureKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind.name(), self.location)
    }
}

impl Failure {
    /// Creates a failure.
    ///
    /// # Examples
    /// ```
    /// use rebut::report::{Failure, FailureKind};
    ///
    /// let failure = Failure::new(FailureKind::WrongResult, "returned false", None);
    /// assert_eq!(failure.message, "returned false");
    /// ```
    #[must_use]
    pub fn new(kind: FailureKind, message: &str, location: Option<Location>) -> Failure {
        Failure { kind, message: message.to_owned(), location }
    }

    /// Returns the identity of the failure. An error has no location; the words before its first
    /// value identify it, or the location at the end of its message, as in those of proptest.
    ///
    /// # Examples
    /// ```
    /// use rebut::report::{Failure, FailureKind};
    /// let failure = |message: &str| Failure::new(FailureKind::WrongResult, message, None);
    /// assert_eq!(failure("Overflow(7)").key(), failure("Overflow(8)").key());
    /// assert_ne!(failure("Overflow(7)").key(), failure("Empty").key());
    /// ```
    #[must_use]
    pub fn key(&self) -> FailureKey {
        // Failures may be committed on one system and read on another.
        let portable = |location: &Location| strings::replaced(&location.to_string(), "\\", "/");
        let location = match &self.location {
            // Several operators in one expression share its location.
            Some(location) if self.message.starts_with("attempt to ") => {
                format!("{} {}", portable(location), self.message)
            }
            Some(location) => portable(location),
            None => match location_at_end(&self.message) {
                Some(location) => strings::replaced(location, "\\", "/"),
                None => {
                    let is_part = |c: char| c.is_alphabetic() || c == '_';
                    let end = self.message.find(|c| !is_part(c)).unwrap_or(self.message.len());
                    self.message[..end].to_owned()
                }
            },
        };
        FailureKey { kind: self.kind, location }
    }
}

/// Returns the file and the line at the end of a message: `src/lib.rs:7` in `too long at
/// src/lib.rs:7`.
fn location_at_end(message: &str) -> Option<&str> {
    let (_, location) = message.rsplit_once(" at ")?;
    let (file, line) = location.rsplit_once(':')?;
    let is_line = !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    (is_line && file.ends_with(".rs")).then_some(location)
}

/// A type that a property may return: `()`, `bool`, an `ExitCode`, or a `Result` of one of these
/// whose error is `Debug`. A function with `#[rebut::test]` can also return other results, and
/// other types that implement `Termination`.
///
/// # Examples
/// ```
/// use rebut::{Check, integers};
///
/// let report = Check::new("i64_round_trips_through_text").run(|case| {
///     let n = case.draw(integers::<i64>());
///     n.to_string().parse::<i64>().map(|parsed| parsed == n)
/// });
/// assert!(report.verdict.is_success());
/// ```
#[diagnostic::on_unimplemented(
    message = "a property cannot return `{Self}`",
    label = "return `()`, `bool`, `ExitCode` or a `Result` whose error is `Debug`",
    note = "to fail, panic (`assert!`) or return `false` or `Err(..)`"
)]
pub trait PropertyResult {
    /// Returns the message of the failure, or `None` for a pass.
    fn into_failure(self) -> Option<String>;
}

impl PropertyResult for () {
    fn into_failure(self) -> Option<String> {
        None
    }
}

impl PropertyResult for bool {
    fn into_failure(self) -> Option<String> {
        (!self).then(|| "returned false".to_owned())
    }
}

impl PropertyResult for ExitCode {
    fn into_failure(self) -> Option<String> {
        // There is no other way to compare them.
        let (returned, success) = (format!("{self:?}"), format!("{:?}", ExitCode::SUCCESS));
        // The report puts "returned an error:" in front of it.
        (returned != success).then_some(returned)
    }
}

impl<T: PropertyResult, E: fmt::Debug> PropertyResult for Result<T, E> {
    fn into_failure(self) -> Option<String> {
        match self {
            Ok(answer) => answer.into_failure(),
            Err(error) => Some(wasm_guest::error_message(&error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_keys_are_the_same_on_every_system() {
        let key = |file: &str, message: &str| {
            let location = Some(Location { file: file.to_owned(), line: 3, column: 9 });
            let failure = Failure { kind: FailureKind::Panic, message: message.into(), location };
            failure.key().to_string()
        };
        for message in ["boom", "attempt to add with overflow"] {
            assert_eq!(key("src\\a\\b.rs", message), key("src/a/b.rs", message));
        }
        assert_eq!(key("src\\b.rs", "boom"), "panic src/b.rs:3:9");
    }

    #[test]
    fn locations_at_the_end_of_errors_identify_them() {
        let key = |message: &str| Failure::new(FailureKind::WrongResult, message, None).key();
        let failed = "assertion failed: 7 < 5 at src\\a b.rs:12";
        assert_eq!(key(failed).to_string(), "wrong-result src/a b.rs:12");
        assert_eq!(key(failed), key("assertion failed: 9 < 5 at src/a b.rs:12"));
        for message in ["look at x:1", "arrived at src/lib.rs", "src/lib.rs:7"] {
            assert!(key(message).to_string().len() < "wrong-result arrived_".len(), "{message}");
        }
    }
}
