//! Why a pattern is not accepted.

use std::fmt;
use std::ops::Range;

/// Why a pattern is not accepted, where, and what to write instead.
///
/// # Example
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

    /// Something that is right as a pattern and that a set of strings cannot honor.
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

    /// The same error in terms of another text.
    pub(super) fn moved(mut self, pattern: &str, span: Range<usize>) -> RegexError {
        self.pattern = pattern.to_owned();
        self.span = span;
        self
    }

    /// What is wrong, in a few words, without place and suggestion.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The name of the feature, if the pattern is right but cannot be honored.
    #[must_use]
    pub fn feature(&self) -> Option<&'static str> {
        self.feature
    }

    /// What to write instead, if that is known.
    #[must_use]
    pub fn help(&self) -> Option<&'static str> {
        self.help
    }

    /// Which bytes of the pattern are at fault.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The pattern that was read.
    #[must_use]
    pub fn pattern(&self) -> &str {
        &self.pattern
    }
}

/// The message, the line of the pattern, carets under the place, and the suggestion.
impl fmt::Display for RegexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.pattern.get(..self.span.start).unwrap_or(&self.pattern);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = self.pattern[line_start..].lines().next().unwrap_or_default();
        let column = before[line_start..].chars().count();
        let place = self.pattern.get(self.span.clone()).unwrap_or_default();
        let width = place.lines().next().unwrap_or_default().chars().count().max(1);
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
