//! Writes results to files, to the standard output, and to a browser.

use crate::color::{Color, colored_stdout};
use crate::exit::{Exit, Failure};
use crate::status::{shown, status};
use crate::words::{self, say};
use rebut_protocol::terminal;
use rebut_report::Report;
use std::io::{ErrorKind, IsTerminal as _, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes to a file, or to the standard output if there is none.
///
/// # Errors
/// If it cannot be written.
pub fn print(path: Option<&Path>, text: &str) -> Result<(), Failure> {
    let Some(path) = path else { return to_stdout(text) };
    write_whole(path, text)
        .map_err(|error| Failure::new(Exit::File, words::file_failed(path, "write", error)))
}

/// Writes to the standard output. A reader that closes its end early is not an error.
///
/// # Errors
/// If it cannot be written.
pub fn to_stdout(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    let shown = stdout.is_terminal().then(|| words::shown(text, colored_stdout(Color::Auto)));
    // A program that reads it gets it unchanged.
    let text = shown.as_deref().unwrap_or(text);
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        // The reader has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::new(Exit::File, words::error(error))),
        Ok(()) => Ok(()),
    }
}

/// Opens a page in a browser. A missing browser is only a warning, because the page is written.
pub fn open(path: &Path) {
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

/// Writes a file under another name first, so that no reader ever sees half of it.
///
/// # Errors
/// If it cannot be written.
pub fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let beside = path.with_extension("part");
    std::fs::write(&beside, text)?;
    std::fs::rename(&beside, path)
}

/// Writes the HTML report and prints where it is.
///
/// # Errors
/// If it cannot be written.
pub fn write_to(path: &Path, report: &Report, before: Option<&Report>) -> Result<(), Failure> {
    print(Some(path), &report.to_html(before))?;
    status("Generated", shown(path));
    Ok(())
}

/// Formats JSON for people and machines: indented, without characters that a terminal would act on,
/// and with a line break at the end.
#[must_use]
pub fn pretty(json: &serde_json::Value) -> String {
    terminal::printable_json(&format!("{json:#}\n"))
}
