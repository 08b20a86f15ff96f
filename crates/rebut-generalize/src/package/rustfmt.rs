//! Formats new tests like the rest of the file.

use rebut_build::TestFile;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Formats a file with the package's settings, if `rustfmt` would not change the original file.
/// Returns the text unchanged otherwise, or without `rustfmt`.
pub(crate) fn format_file(home: &TestFile, original: &str, text: &str) -> String {
    match rustfmt(home, original) {
        Some(formatted) if formatted == original => {
            rustfmt(home, text).unwrap_or_else(|| text.to_owned())
        }
        _ => text.to_owned(),
    }
}

/// Formats a function that is indented by `indent`. The file around it may have another format.
pub(crate) fn format_item(home: &TestFile, text: &str, indent: &str) -> String {
    let depth = indent.chars().count() / 4;
    let (open, close) = ("mod m {\n".repeat(depth), "}\n".repeat(depth));
    let Some(formatted) = rustfmt(home, &format!("{open}{text}\n{close}")) else {
        return text.to_owned();
    };
    let lines: Vec<&str> = formatted.lines().collect();
    let inner = lines.get(depth..lines.len().saturating_sub(depth)).unwrap_or_default();
    let inner = inner.join("\n");
    inner.strip_prefix(indent).unwrap_or(&inner).to_owned()
}

fn rustfmt(home: &TestFile, text: &str) -> Option<String> {
    let mut child = Command::new("rustfmt")
        .args(["--edition", &home.edition, "--emit", "stdout"])
        // `rustfmt` looks for its settings here and in the parents.
        .current_dir(home.folder.join(home.file.parent()?))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take()?;
    let text = text.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().ok().filter(|output| output.status.success())?;
    writer.join().ok()?.ok()?;
    String::from_utf8(output.stdout).ok().filter(|text| !text.is_empty())
}
