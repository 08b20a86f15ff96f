//! Errors in patterns.

use std::fmt;
use std::ops::Range;

/// The error of a pattern that is not accepted: what is wrong, where, and what to write instead.
///
/// # Examples
/// ```
/// use rebut_text::Regex;
/// let error = Regex::parse(r"(\w+) \1").unwrap_err();
/// assert_eq!(error.feature(), Some("a back-reference"));
/// assert_eq!(error.span(), 6..8);
/// assert!(error.help().is_some());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexError {
    message: String,
    feature: Option<&'static str>,
    help: Option<&'static str>,
    pattern: String,
    span: Range<usize>,
}

impl RegexError {
    pub(super) fn syntax(message: String, pattern: &str, span: Range<usize>) -> RegexError {
        let pattern = pattern.to_owned();
        RegexError { message, feature: None, help: None, pattern, span }
    }

    /// Creates the error of a valid pattern that no regular language can express.
    pub(super) fn unsupported(
        feature: &'static str,
        help: &'static str,
        pattern: &str,
        span: Range<usize>,
    ) -> RegexError {
        let message = format!("{feature} is not supported");
        let (feature, help) = (Some(feature), Some(help));
        RegexError { message, feature, help, pattern: pattern.to_owned(), span }
    }

    pub(super) fn with_help(mut self, help: &'static str) -> RegexError {
        self.help = Some(help);
        self
    }

    /// Returns the same error at a span of another pattern.
    pub(super) fn moved(mut self, pattern: &str, span: Range<usize>) -> RegexError {
        self.pattern = pattern.to_owned();
        self.span = span;
        self
    }

    /// Returns a short message, without location and suggestion.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the name of the unsupported feature, if the pattern is otherwise valid.
    #[must_use]
    pub fn feature(&self) -> Option<&'static str> {
        self.feature
    }

    /// Returns a suggestion, if there is one.
    #[must_use]
    pub fn help(&self) -> Option<&'static str> {
        self.help
    }

    /// Returns the byte range of the pattern that is at fault.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Returns the pattern.
    #[must_use]
    pub fn pattern(&self) -> &str {
        &self.pattern
    }
}

/// Prints the message, the line of the pattern, carets under the span, and the suggestion.
impl fmt::Display for RegexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.pattern.get(..self.span.start).unwrap_or(&self.pattern);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = self.pattern[line_start..].lines().next().unwrap_or_default();
        let column = before[line_start..].chars().count();
        let faulty = self.pattern.get(self.span.clone()).unwrap_or_default();
        let width = faulty.lines().next().unwrap_or_default().chars().count().max(1);
        writeln!(f, "{}", self.message)?;
        writeln!(f, "    {line}")?;
        write!(f, "    {:column$}{:^<width$}", "", "")?;
        match self.help {
            Some(help) => write!(f, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for RegexError {}
