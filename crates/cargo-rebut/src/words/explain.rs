//! Messages of `cargo rebut explain`.

use super::error;
use rebut_report::Code;

/// The code is unknown.
pub(crate) fn no_code(asked: &str, known: &[&str]) -> String {
    error(format!(
        "unknown code `{}`; expected one of {}",
        rebut_report::one_line(asked),
        known.join(", ")
    ))
}

/// The meaning of a code.
pub(crate) fn explanation(code: &Code) -> String {
    let Code { code, title, meaning, advice, .. } = code;
    format!("{code}: {title}\n\n{}\n\nWhat to do:\n\n{}\n", wrapped(meaning), wrapped(advice))
}

/// Wraps text to the width of a terminal.
fn wrapped(text: &str) -> String {
    /// The usual width of a terminal.
    const WIDTH: usize = 80;
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last().map_or(0, |line| line.chars().count());
        if line > 0 && line + 1 + word.chars().count() > WIDTH {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            let gap = if line.is_empty() { "" } else { " " };
            *line += &format!("{gap}{word}");
        }
    }
    lines.join("\n")
}
