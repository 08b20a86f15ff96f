//! Why something could not be built.

use std::fmt;
use std::io;
use std::path::Path;

/// Why something could not be built, in plain words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    kind: Kind,
    message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// No compiler can build for WebAssembly.
    Toolchain,
    /// What was asked for is not there.
    Request,
    /// Cargo did not do it.
    Cargo,
    /// A file could not be read or written.
    File,
}

impl Problem {
    pub(crate) fn toolchain(message: impl Into<String>) -> Problem {
        Problem { kind: Kind::Toolchain, message: message.into() }
    }

    pub(crate) fn request(message: impl Into<String>) -> Problem {
        Problem { kind: Kind::Request, message: message.into() }
    }

    pub(crate) fn cargo(message: impl Into<String>) -> Problem {
        Problem { kind: Kind::Cargo, message: message.into() }
    }

    pub(crate) fn file(what: &str, path: &Path, error: &io::Error) -> Problem {
        Problem { kind: Kind::File, message: format!("cannot {what} {}: {error}", path.display()) }
    }

    /// Whether there is no compiler for WebAssembly; the message says what to run.
    #[must_use]
    pub fn is_toolchain(&self) -> bool {
        self.kind == Kind::Toolchain
    }

    /// Whether what was asked for is not there, such as a package that has no tests of Rebut.
    #[must_use]
    pub fn is_request(&self) -> bool {
        self.kind == Kind::Request
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}
