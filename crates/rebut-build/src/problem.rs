//! The error type of this crate.

use std::fmt;
use std::io;
use std::path::Path;

use rebut_protocol::terminal::path_on_one_line;

/// An error of a build, with a message for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    kind: Kind,
    message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// No compiler can build for WebAssembly.
    Toolchain,
    /// The request names a package, a file or a target that does not exist.
    Request,
    /// Cargo failed.
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
        let path = path_on_one_line(path);
        Problem { kind: Kind::File, message: format!("cannot {what} {path}: {error}") }
    }

    /// Whether there is no compiler for WebAssembly; the message names the command that installs
    /// one.
    #[must_use]
    pub fn is_toolchain(&self) -> bool {
        self.kind == Kind::Toolchain
    }

    /// Whether the request cannot be met, such as for a package that does not depend on Rebut.
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
