//! Where what was asked for goes.

use crate::exit::{Exit, Failure};
use crate::store::write_whole;
use crate::words::{self, say};
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes to a file, or to the standard output if there is none.
pub(crate) fn print(path: Option<&Path>, text: &str) -> Result<(), Failure> {
    let Some(path) = path else { return to_stdout(text) };
    write_whole(path, text)
        .map_err(|error| Failure::new(Exit::File, words::file_failed(path, "written", error)))
}

pub(crate) fn to_stdout(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        // Whoever reads has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::new(Exit::File, words::error(error))),
        Ok(()) => Ok(()),
    }
}

/// Opens a page in a browser. That there is none is said and is no failure: the page is written.
pub(crate) fn open(path: &Path) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        Command::new("explorer")
    } else {
        Command::new("xdg-open")
    };
    command.arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if let Err(error) = command.spawn() {
        say(&words::not_opened(path, error));
    }
}
