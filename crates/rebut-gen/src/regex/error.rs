//! The error for an invalid pattern.

use std::fmt;
use std::ops::Range;

/// The error for an invalid regular expression, with its position in the pattern.
///
/// # Examples
/// ```
/// use rebut::try_strings_matching;
///
/// let error = try_strings_matching(r"(\w+) \1").unwrap_err();
/// assert!(error.is_unsupported());
/// assert_eq!(
///     error.to_string(),
///     "backreferences are not supported\n    (\\w+) \\1\n          ^^"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexError {
    kind: Kind,
    message: String,
    pattern: String,
    span: Range<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Syntax,
    Unsupported,
    Empty,
}

impl RegexError {
    pub(super) fn new(
        kind: Kind,
        message: String,
        pattern: &str,
        span: Range<usize>,
    ) -> RegexError {
        RegexError { kind, message, pattern: pattern.to_owned(), span }
    }

    /// Returns whether the pattern uses a construct that regular languages lack, such as
    /// look-around.
    ///
    /// # Examples
    /// ```
    /// use rebut::try_strings_matching;
    ///
    /// assert!(try_strings_matching("a(?=b)").unwrap_err().is_unsupported());
    /// ```
    #[must_use]
    pub fn is_unsupported(&self) -> bool {
        self.kind == Kind::Unsupported
    }

    /// Returns whether the pattern has a syntax error.
    ///
    /// # Examples
    /// ```
    /// use rebut::try_strings_matching;
    ///
    /// assert!(try_strings_matching("(a").unwrap_err().is_syntax());
    /// ```
    #[must_use]
    pub fn is_syntax(&self) -> bool {
        self.kind == Kind::Syntax
    }

    /// Returns whether the pattern is valid but matches nothing.
    ///
    /// # Examples
    /// ```
    /// use rebut::try_strings_matching;
    ///
    /// assert!(try_strings_matching("[a&&b]").unwrap_err().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kind == Kind::Empty
    }

    /// Returns the range of bytes in the pattern that causes the error.
    ///
    /// # Examples
    /// ```
    /// use rebut::try_strings_matching;
    ///
    /// assert_eq!(try_strings_matching("ab(c").unwrap_err().span(), 2..3);
    /// ```
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }
}

/// Prints the message, the line of the pattern, and carets under the position.
impl fmt::Display for RegexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.pattern.get(..self.span.start).unwrap_or(&self.pattern);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = self.pattern[line_start..].lines().next().unwrap_or_default();
        let column = before[line_start..].chars().count();
        let marked = self.pattern.get(self.span.clone()).unwrap_or_default();
        let width = marked.lines().next().unwrap_or_default().chars().count().max(1);
        writeln!(f, "{}", self.message)?;
        writeln!(f, "    {line}")?;
        write!(f, "    {:column$}{:^<width$}", "", "")
    }
}

impl std::error::Error for RegexError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_marks_the_error_on_its_line() {
        let error =
            RegexError::new(Kind::Syntax, "wrong".into(), "(?x)\n é [ b", "(?x)\n é ".len()..9);
        assert_eq!(error.to_string(), "wrong\n     é [ b\n       ^");
        let end = RegexError::new(Kind::Syntax, "cut off".into(), "ab", 2..2);
        assert_eq!(end.to_string(), "cut off\n    ab\n      ^");
    }
}
