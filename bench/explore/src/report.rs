//! What is printed and written.

use std::fmt::Write as _;

/// Text, and the goals that were missed.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) text: String,
    pub(crate) missed: Vec<String>,
}

impl Report {
    /// A line, or a paragraph and an empty line behind it.
    pub(crate) fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    /// The head of a table: names to the left, figures to the right.
    pub(crate) fn head(&mut self, columns: &[&str]) {
        self.line(&format!("| {} |", columns.join(" | ")));
        let rule = columns.iter().enumerate();
        let rule: Vec<&str> = rule.map(|(n, _)| if n == 0 { "---" } else { "---:" }).collect();
        self.line(&format!("| {} |", rule.join(" | ")));
    }

    /// A row of a table.
    pub(crate) fn row(&mut self, cells: &[String]) {
        self.line(&format!("| {} |", cells.join(" | ")));
    }

    /// Notes a goal that is missed.
    pub(crate) fn goal(&mut self, is_met: bool, what: String) {
        if !is_met {
            self.missed.push(what);
        }
    }
}
