//! Writes the report for a terminal, which `cargo rebut list` prints.

use std::fmt::Write as _;

use rebut_protocol::terminal;

use crate::model::Report;
use crate::words::{self, Tone};

impl Report {
    /// Returns a line for each property, followed by its inputs.
    #[must_use]
    pub fn to_text(&self, is_colored: bool) -> String {
        let width = self.properties.iter().map(|one| words::verdict(one.code()).len()).max();
        let width = width.unwrap_or_default();
        let mut text = String::new();
        let packages = self.properties.iter().map(|one| one_line(&one.package).chars().count());
        let packages = packages.max().filter(|_| self.has_packages());
        for property in &self.properties {
            let word = format!("{:>width$}", words::verdict(property.code()));
            let word = if is_colored { colored(&word, words::tone(property)) } else { word };
            let mut name = one_line(&property.name);
            if let Some(width) = packages {
                name = format!("{:width$}  {name}", one_line(&property.package));
            }
            let cases = words::counted(property.cases(), "case", "cases");
            let _ = writeln!(text, "{word}  {name} ({})  {cases}", one_line(&property.location));
            for input in property.inputs() {
                let broke = printable(&words::describe_failure(input));
                let first = broke.lines().next().unwrap_or_default();
                let _ = writeln!(text, "{:width$}  {}: {first}", "", input.number);
            }
            if property.inputs().next().is_none()
                && let Some(reason) = property.end.as_ref().and_then(|end| end.reason.as_ref())
            {
                let reason = printable(reason).replace('\n', "; ");
                let complaint = words::complaint(property.code());
                let _ = match complaint {
                    Some(what) => {
                        let code = property.verdict();
                        writeln!(text, "{:width$}  {code}: {what}: {reason}", "")
                    }
                    None => writeln!(text, "{:width$}  {reason}", ""),
                };
            }
        }
        text
    }
}

fn colored(word: &str, tone: Tone) -> String {
    let color = match tone {
        Tone::Good => "32",
        Tone::Bad => "31",
        Tone::Doubtful => "33",
    };
    format!("\u{1b}[1;{color}m{word}\u{1b}[0m")
}

/// Escapes the characters that a terminal would interpret or not show, and cuts long strings.
#[must_use]
pub fn printable(text: &str) -> String {
    let (shown, is_cut) = crate::markup::cut(text, crate::markup::SHOWN_MAX);
    let mut printable = terminal::printable(shown);
    if is_cut {
        let _ = write!(printable, " .. ({} bytes in total)", text.len());
    }
    printable
}

/// Like [`printable`], but for a name or a path, which is on one line.
#[must_use]
pub fn one_line(text: &str) -> String {
    terminal::one_line(&printable(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(printable("a\u{1b}[2J\u{202E}b\nc"), "a\\u{1b}[2J\\u{202e}b\nc");
        assert!(printable(&"x".repeat(1 << 20)).ends_with("(1048576 bytes in total)"));
    }
}
