//! Formats generated code.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// Formats a file with `rustfmt`. Returns `None` if there is no `rustfmt`, or it refuses the text.
#[must_use]
pub fn formatted(text: &str) -> Option<String> {
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().filter(|text| !text.is_empty())
}
