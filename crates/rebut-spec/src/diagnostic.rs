//! Diagnostics: what is wrong with a file, where, and what to write instead.
//!
//! Readers go on after an error, so that one run reports all errors. Diagnostics are data;
//! `cargo-rebut` renders them with the source line and a caret.

use std::fmt;

/// A byte range in one of the files of a [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The index of the file.
    pub file: u32,
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// Creates a span.
    #[must_use]
    pub fn new(file: u32, start: usize, end: usize) -> Self {
        let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { file, start: narrow(start), end: narrow(end) }
    }

    /// Extends the span to the end of another one.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { end: other.end.max(self.end), ..self }
    }
}

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The program cannot be used.
    Error,
    /// The program works, but perhaps not as intended.
    Warning,
}

/// An error or a warning about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The location.
    pub span: Span,
    /// The message, in lower case and without a period.
    pub message: String,
    /// A remark about the location, if the message does not suffice.
    pub label: Option<String>,
    /// What to write instead.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Creates an error.
    #[must_use]
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        let severity = Severity::Error;
        Self { severity, span, message: message.into(), label: None, help: None }
    }

    /// Creates a warning.
    #[must_use]
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(span, message) }
    }

    /// Adds what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds what to write instead, if it is known.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Whether this is an error and not a warning.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, " ({help})"),
            None => Ok(()),
        }
    }
}

/// The files that were read. Resolves a [`Span`] to its line and column.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

/// A file and its content.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path that the caller gave.
    pub path: String,
    /// The content.
    pub text: String,
}

impl Sources {
    /// Adds a file and returns its index.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) -> u32 {
        self.files.push(SourceFile { path: path.into(), text: text.into() });
        u32::try_from(self.files.len() - 1).unwrap_or(u32::MAX)
    }

    /// Returns the file at an index.
    #[must_use]
    pub fn file(&self, number: u32) -> Option<&SourceFile> {
        self.files.get(number as usize)
    }

    /// All files, by index.
    #[must_use]
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The line and the column of the start of a span. Both count from 1; columns count
    /// characters.
    #[must_use]
    pub fn line_and_column(&self, span: Span) -> (usize, usize) {
        let Some(file) = self.file(span.file) else { return (1, 1) };
        let mut at = (span.start as usize).min(file.text.len());
        while !file.text.is_char_boundary(at) {
            at -= 1;
        }
        let before = &file.text[..at];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    /// Prints a diagnostic as `path:line:column: error: message (help)`.
    #[must_use]
    pub fn in_one_line(&self, diagnostic: &Diagnostic) -> String {
        let (line, column) = self.line_and_column(diagnostic.span);
        let path = self.file(diagnostic.span.file).map_or("?", |file| file.path.as_str());
        let word = if diagnostic.is_error() { "error" } else { "warning" };
        format!("{path}:{line}:{column}: {word}: {diagnostic}")
    }
}

/// Returns the known word that is most similar to a misspelled one, for "did you mean". At most a
/// third of the characters may differ, and no more than three; both limits are arbitrary.
///
/// The names of settings have a rule of their own (`rebut_protocol::near_miss`), because users'
/// tests do not build `rebut-text`.
#[must_use]
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = word.chars().count().div_ceil(3).clamp(1, 3);
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        let distance = rebut_text::edit_distance(&word.to_lowercase(), &candidate.to_lowercase());
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_returns_only_similar_words() {
        let known = ["specify", "declare", "generate"];
        assert_eq!(nearest("specfy", known), Some("specify"));
        assert_eq!(nearest("GENERATE", known), Some("generate"));
        assert_eq!(nearest("with", known), None);
    }

    #[test]
    fn columns_count_characters() {
        let mut sources = Sources::default();
        let file = sources.add("a", "ä\nöx");
        assert_eq!(sources.line_and_column(Span::new(file, 5, 6)), (2, 2));
    }
}
