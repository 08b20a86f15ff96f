//! What is wrong with a file, as data: where, what, and what to write instead.
//!
//! Reading goes on after an error, so that one run tells all of them. Whoever shows
//! diagnostics to people decides how; `cargo-rebut` prints the line with a caret.

use std::fmt;

/// A range of bytes in one of the files of a [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The number of the file.
    pub file: u32,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// A range of bytes of a file.
    #[must_use]
    pub fn new(file: u32, start: usize, end: usize) -> Self {
        let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { file, start: narrow(start), end: narrow(end) }
    }

    /// From the start of this one to the end of the other.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { end: other.end.max(self.end), ..self }
    }
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// Nothing can be generated.
    Error,
    /// It works, but perhaps not as meant.
    Warning,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// Where.
    pub span: Span,
    /// What, in lower case and without a full stop.
    pub message: String,
    /// What stands at the place, if there is more to say than the message does.
    pub label: Option<String>,
    /// What to write instead.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    #[must_use]
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        let severity = Severity::Error;
        Self { severity, span, message: message.into(), label: None, help: None }
    }

    /// A warning at a place.
    #[must_use]
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(span, message) }
    }

    /// Says what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says what to write instead, if that is known.
    #[must_use]
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Is it an error, and not only a warning?
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

/// The files that were read, to find lines and columns of a [`Span`].
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

/// One file and its text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path, as it was asked for.
    pub path: String,
    /// All of its text.
    pub text: String,
}

impl Sources {
    /// Keeps a file and gives it a number.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) -> u32 {
        self.files.push(SourceFile { path: path.into(), text: text.into() });
        u32::try_from(self.files.len() - 1).unwrap_or(u32::MAX)
    }

    /// The file with a number.
    #[must_use]
    pub fn file(&self, number: u32) -> Option<&SourceFile> {
        self.files.get(number as usize)
    }

    /// All files, in the order of their numbers.
    #[must_use]
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// The line and the column (in characters) of the start of a span, both from 1.
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

    /// A diagnostic in one line: `path:line:column: error: message (help)`.
    #[must_use]
    pub fn in_one_line(&self, diagnostic: &Diagnostic) -> String {
        let (line, column) = self.line_and_column(diagnostic.span);
        let path = self.file(diagnostic.span.file).map_or("?", |file| file.path.as_str());
        let word = if diagnostic.is_error() { "error" } else { "warning" };
        format!("{path}:{line}:{column}: {word}: {diagnostic}")
    }
}

/// The known word that is nearest to a misspelled one, if one is near.
#[must_use]
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = word.chars().count().div_ceil(3).clamp(1, 3);
    let mut best: Option<(usize, &str)> = None;
    for candidate in known {
        let distance = edit_distance(&word.to_lowercase(), &candidate.to_lowercase());
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// The number of characters to insert, delete or replace to get from one text to the other.
pub(crate) fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, l) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, r) in right.iter().enumerate() {
            let replaced = diagonal + usize::from(l != *r);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_insertions_deletions_and_replacements() {
        assert_eq!(edit_distance("kitten", "sitting"), 3);
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("äöü", "äü"), 1);
    }

    #[test]
    fn suggests_only_what_is_near() {
        let known = ["specify", "declare", "generate"];
        assert_eq!(nearest("specfy", known), Some("specify"));
        assert_eq!(nearest("GENERATE", known), Some("generate"));
        assert_eq!(nearest("with", known), None);
    }

    #[test]
    fn finds_lines_and_columns_in_characters() {
        let mut sources = Sources::default();
        let file = sources.add("a", "ä\nöx");
        assert_eq!(sources.line_and_column(Span::new(file, 5, 6)), (2, 2));
    }
}
