//! Why a pattern is not accepted.

use std::fmt;
use std::ops::Range;

/// Why a pattern is not accepted, and where.
///
/// # Examples
/// ```
/// use rebut::try_strings_matching;
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

    /// Whether the pattern uses something that no regular language has, such as look-around.
    #[must_use]
    pub fn is_unsupported(&self) -> bool {
        self.kind == Kind::Unsupported
    }

    /// Whether the pattern is not a regular expression at all.
    #[must_use]
    pub fn is_syntax(&self) -> bool {
        self.kind == Kind::Syntax
    }

    /// Whether the pattern is right but nothing matches it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kind == Kind::Empty
    }

    /// Which bytes of the pattern are at fault.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }
}

/// The message, the line of the pattern, and carets under the place.
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
        write!(f, "    {:column$}{:^<width$}", "", "")
    }
}

impl std::error::Error for RegexError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_caret_stands_under_the_place_on_its_line() {
        let error =
            RegexError::new(Kind::Syntax, "wrong".into(), "(?x)\n é [ b", "(?x)\n é ".len()..9);
        assert_eq!(error.to_string(), "wrong\n     é [ b\n       ^");
        let end = RegexError::new(Kind::Syntax, "cut off".into(), "ab", 2..2);
        assert_eq!(end.to_string(), "cut off\n    ab\n      ^");
    }
}
