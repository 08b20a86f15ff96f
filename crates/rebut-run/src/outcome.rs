//! What one execution of a property can come to.

use std::borrow::Cow;
use std::fmt;

use crate::explore;
use crate::words;

/// How one case ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The property held.
    Passed,
    /// An assumption or a filter was not met; the case says nothing.
    Rejected(Cow<'static, str>),
    /// The case grew beyond what is allowed; it says nothing.
    TooLarge,
    /// The property does not hold.
    Failed(Failure),
    /// Rebut was called in a way it does not accept.
    Misuse(String),
    /// A fault of Rebut itself.
    Internal(String),
}

/// How a property failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// In which way.
    pub kind: FailureKind,
    /// What was said about it: the panic's message, the error.
    pub message: String,
    /// Where, if that is known.
    pub location: Option<Location>,
}

/// The ways in which a property can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureKind {
    /// It panicked.
    Panic,
    /// It returned `false` or an error.
    WrongResult,
    /// It returned `true` for an input of those that `exists` and `not_exists` seek.
    Witness,
    /// It aborted the process, or died of a signal other than those below.
    Abort,
    /// It overflowed its stack.
    StackOverflow,
    /// It ran out of memory.
    OutOfMemory,
    /// It did not end within its deadline.
    Hang,
    /// It ended the process by exiting.
    Exit,
}

impl FailureKind {
    /// Whether the process that ran the case is lost.
    #[must_use]
    pub fn kills_process(self) -> bool {
        !matches!(self, FailureKind::Panic | FailureKind::WrongResult | FailureKind::Witness)
    }

    /// The name used in files and between processes.
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

    /// The kind of a [`name`](FailureKind::name).
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

/// A place in source code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Location {
    /// The file as the compiler names it.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl Location {
    /// Where the caller of a `#[track_caller]` function is.
    pub(crate) fn of(caller: &std::panic::Location<'_>) -> Location {
        let (line, column) = (caller.line(), caller.column());
        Location { file: caller.file().to_owned(), line, column }
    }

    /// File and line, which stay the same where columns change.
    pub(crate) fn line_of_file(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// What tells two failures apart: messages hold values and change from input to input, the
/// place does not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    kind: FailureKind,
    place: String,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind.name(), self.place)
    }
}

impl Failure {
    /// See [`Origin`]. An error has no place; the words before its first value stand for it.
    #[must_use]
    pub fn origin(&self) -> Origin {
        // Stored failures are committed on one system and read on another.
        let portable = |location: &Location| words::replaced(&location.to_string(), "\\", "/");
        let place = match &self.location {
            // Several operators of one expression share its place.
            Some(location) if self.message.starts_with("attempt to ") => {
                format!("{} {}", portable(location), self.message)
            }
            Some(location) => portable(location),
            None => {
                let is_part = |c: char| c.is_alphabetic() || c == '_';
                let end = self.message.find(|c| !is_part(c)).unwrap_or(self.message.len());
                self.message[..end].to_owned()
            }
        };
        Origin { kind: self.kind, place }
    }
}

/// What a property may return.
#[diagnostic::on_unimplemented(
    message = "a property cannot return `{Self}`",
    label = "return `()`, `bool` or a `Result` whose error is `Debug`",
    note = "panic (`assert!`) or return `false` or `Err(..)` to say that the property does not hold"
)]
pub trait Answer {
    /// The failure, if it is one.
    fn into_failure(self) -> Option<String>;
}

impl Answer for () {
    fn into_failure(self) -> Option<String> {
        None
    }
}

impl Answer for bool {
    fn into_failure(self) -> Option<String> {
        (!self).then(|| "returned false".to_owned())
    }
}

impl<T: Answer, E: fmt::Debug> Answer for Result<T, E> {
    fn into_failure(self) -> Option<String> {
        match self {
            Ok(answer) => answer.into_failure(),
            Err(error) => Some(explore::worded(&error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_has_the_same_origin_on_every_system() {
        let origin = |file: &str, message: &str| {
            let location = Some(Location { file: file.to_owned(), line: 3, column: 9 });
            let failure = Failure { kind: FailureKind::Panic, message: message.into(), location };
            failure.origin().to_string()
        };
        for message in ["boom", "attempt to add with overflow"] {
            assert_eq!(origin("src\\a\\b.rs", message), origin("src/a/b.rs", message));
        }
        assert_eq!(origin("src\\b.rs", "boom"), "panic src/b.rs:3:9");
    }
}
