//! The colors of a report.
//!
//! They are the colors of rustc, so that a failure looks like any other error. The environment
//! variables are those of cargo and most other tools: `NO_COLOR`, `CLICOLOR_FORCE`,
//! `CARGO_TERM_COLOR`.

use std::io::IsTerminal as _;

use crate::escapes;

/// The style of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Plain text.
    Plain,
    /// Text with escape sequences for terminals.
    Colored,
}

impl Style {
    /// Returns the style of output that a test harness may capture. It shows captured output on
    /// standard output and leaves other output on standard error.
    pub(crate) fn for_captured_output() -> Style {
        let is_terminal = || std::io::stdout().is_terminal() && std::io::stderr().is_terminal();
        chosen(&value_of, &is_terminal)
    }

    /// Returns the style of output that bypasses any capture.
    pub(crate) fn for_stderr() -> Style {
        chosen(&value_of, &|| std::io::stderr().is_terminal())
    }

    /// Styles `error[R001]`.
    pub(crate) fn error(self, text: &str) -> String {
        self.painted("1;91", text)
    }

    /// Styles `warning`.
    pub(crate) fn warning(self, text: &str) -> String {
        self.painted("1;93", text)
    }

    /// Styles the text after the code of an error.
    pub(crate) fn title(self, text: &str) -> String {
        self.painted("1", text)
    }

    /// Styles `-->`, the labels of lines, and marks under values.
    pub(crate) fn label(self, text: &str) -> String {
        self.painted("1;94", text)
    }

    /// Styles `help:`.
    pub(crate) fn help(self, text: &str) -> String {
        self.painted("1;96", text)
    }

    /// Returns text as a terminal may show it: what comes from values, names and files may contain
    /// anything.
    pub(crate) fn shown(self, text: &str) -> String {
        match self {
            Style::Plain => escapes::printable(text),
            Style::Colored => escapes::only_colors(text),
        }
    }

    fn painted(self, color: &str, text: &str) -> String {
        match self {
            Style::Plain => text.to_owned(),
            Style::Colored => format!("\x1b[{color}m{text}\x1b[0m"),
        }
    }
}

fn value_of(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

/// Chooses the style: by the environment variables if set, otherwise by whether the output is a
/// terminal.
fn chosen(value_of: &dyn Fn(&str) -> String, is_terminal: &dyn Fn() -> bool) -> Style {
    let is_colored = if !value_of("NO_COLOR").is_empty() {
        false
    } else if !matches!(value_of("CLICOLOR_FORCE").as_str(), "" | "0") {
        true
    } else {
        match value_of("CARGO_TERM_COLOR").as_str() {
            "always" => true,
            "never" => false,
            _ => value_of("TERM") != "dumb" && is_terminal(),
        }
    };
    if is_colored { Style::Colored } else { Style::Plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_override_the_terminal() {
        let style = |variables: &[(&str, &str)], is_terminal: bool| {
            let value_of = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map_or(String::new(), |(_, value)| (*value).to_owned())
            };
            chosen(&value_of, &|| is_terminal) == Style::Colored
        };
        assert!(style(&[], true));
        assert!(!style(&[], false));
        assert!(!style(&[("NO_COLOR", "1")], true));
        assert!(style(&[("NO_COLOR", "")], true), "an empty value is none");
        assert!(style(&[("CLICOLOR_FORCE", "1")], false));
        assert!(!style(&[("CLICOLOR_FORCE", "0")], false));
        assert!(!style(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], true));
        assert!(style(&[("CARGO_TERM_COLOR", "always")], false));
        assert!(!style(&[("CARGO_TERM_COLOR", "never")], true));
        assert!(style(&[("CARGO_TERM_COLOR", "auto")], true));
        assert!(!style(&[("TERM", "dumb")], true));
    }

    #[test]
    fn plain_text_has_no_escapes() {
        assert_eq!(Style::Plain.error("error[R001]"), "error[R001]");
        assert_eq!(Style::Colored.error("error[R001]"), "\x1b[1;91merror[R001]\x1b[0m");
    }
}
