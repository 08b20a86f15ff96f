//! Parses a pattern into the tree.
//!
//! `regex-syntax` parses the syntax; this module translates its syntax tree and evaluates anchors
//! and flags. A regex matches whole strings, so an anchor at an end of the pattern is redundant
//! and an anchor anywhere else is an error: the walk keeps track of which parts touch an end.

use regex_syntax::ast::{
    self, AssertionKind, Ast, ErrorKind, Flag, Flags, FlagsItemKind, GroupKind, RepetitionKind,
    RepetitionRange,
};

use super::classes::{ClassFlags, ClassReader, range};
use super::error::RegexError;
use super::interpolate::{Interpolated, interpolate};
use super::{Class, Node, Regex};

/// Parses patterns, with flags and named regexes.
///
/// # Examples
/// ```
/// use rebut_text::Regex;
/// let hour = Regex::parse("[01][0-9]|2[0-3]")?;
/// let minute = Regex::parse("[0-5][0-9]")?;
/// let parser = Regex::parser().name("hour", &hour).name("minute", &minute);
/// let time = parser.parse("$hour(:$minute)?$")?;
/// assert!(time.is_match("23:59") && time.is_match("08") && !time.is_match("24:00"));
/// # Ok::<(), rebut_text::RegexError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RegexParser {
    names: Vec<(String, Regex)>,
    flags: ClassFlags,
    ignore_whitespace: bool,
    anywhere: bool,
}

impl Default for RegexParser {
    fn default() -> RegexParser {
        let flags = ClassFlags { ignore_case: false, dot_all: false, crlf: false, unicode: true };
        RegexParser { names: Vec::new(), flags, ignore_whitespace: false, anywhere: false }
    }
}

impl RegexParser {
    /// Defines a named regex, which patterns refer to as `$name`. If several names fit, the longest
    /// one is used. Any other `$` is an anchor.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>, regex: &Regex) -> RegexParser {
        self.names.push((name.into(), regex.clone()));
        self
    }

    /// Sets the flag `i`: letters match in either case.
    #[must_use]
    pub fn ignore_case(mut self, yes: bool) -> RegexParser {
        self.flags.ignore_case = yes;
        self
    }

    /// Sets the flag `s`: `.` matches line breaks.
    #[must_use]
    pub fn dot_all(mut self, yes: bool) -> RegexParser {
        self.flags.dot_all = yes;
        self
    }

    /// Sets the flag `x`: whitespace in the pattern is ignored.
    #[must_use]
    pub fn ignore_whitespace(mut self, yes: bool) -> RegexParser {
        self.ignore_whitespace = yes;
        self
    }

    /// Sets the flag `u`, which is on by default: `\d`, `\w`, `\s` and the flag `i` follow Unicode.
    /// If it is off, they follow ASCII; literals are Unicode characters anyway.
    #[must_use]
    pub fn unicode(mut self, yes: bool) -> RegexParser {
        self.flags.unicode = yes;
        self
    }

    /// Sets whether a pattern without anchors may match anywhere in a string, as in JSON Schema.
    ///
    /// # Examples
    /// ```
    /// use rebut_text::Regex;
    /// let parser = Regex::parser().anywhere(true);
    /// assert!(parser.parse("b")?.is_match("abc"));
    /// assert!(!parser.parse("^b")?.is_match("abc"));
    /// # Ok::<(), rebut_text::RegexError>(())
    /// ```
    #[must_use]
    pub fn anywhere(mut self, yes: bool) -> RegexParser {
        self.anywhere = yes;
        self
    }

    /// Parses a pattern.
    ///
    /// # Errors
    /// As for [`Regex::parse`].
    pub fn parse(&self, pattern: &str) -> Result<Regex, RegexError> {
        let interpolated = interpolate(pattern, &self.names)?;
        let result = self.parse_interpolated(&interpolated);
        result.map_err(|error| in_terms_of_written(error, &interpolated))
    }

    fn parse_interpolated(&self, interpolated: &Interpolated<'_>) -> Result<Regex, RegexError> {
        let text = &interpolated.text;
        let mut parser =
            ast::parse::ParserBuilder::new().ignore_whitespace(self.ignore_whitespace).build();
        let ast = parser.parse(text).map_err(|error| syntax_error(&error, text))?;
        let mut walk = TreeWalk { interpolated, flags: self.flags };
        if self.anywhere { walk.anywhere(&ast) } else { walk.node(&ast, Ends::BOTH) }
    }
}

fn in_terms_of_written(error: RegexError, interpolated: &Interpolated<'_>) -> RegexError {
    let span = interpolated.written_span(error.span());
    error.moved(interpolated.written, span)
}

const LOOK_AROUND: &str = "state the condition separately: a pattern that must also match is an \
    intersection of two languages, one that must not match a difference";
const BACKREFERENCE: &str = "no regular language repeats a string of any length; write the strings \
    that can be repeated as alternatives, or state the equality separately";
const BOUNDARY: &str = "write the characters that are allowed on either side";
const ANCHOR: &str = "a pattern matches a whole string; anchors are allowed only at its two ends";

fn syntax_error(error: &ast::Error, text: &str) -> RegexError {
    let span = range(error.span());
    match error.kind() {
        ErrorKind::UnsupportedBackreference => {
            RegexError::unsupported("a back-reference", BACKREFERENCE, text, span)
        }
        ErrorKind::UnsupportedLookAround => {
            RegexError::unsupported("look-around", LOOK_AROUND, text, span)
        }
        kind => {
            let error = RegexError::syntax(kind.to_string(), text, span);
            match help(kind) {
                Some(help) => error.with_help(help),
                None => error,
            }
        }
    }
}

fn help(kind: &ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::ClassUnclosed => "close the class with `]`, or write `\\[`",
        ErrorKind::GroupUnclosed => "close the group with `)`, or write `\\(`",
        ErrorKind::GroupUnopened => "open the group with `(`, or write `\\)`",
        ErrorKind::RepetitionMissing => "write what is repeated before it, or escape it with `\\`",
        ErrorKind::RepetitionCountUnclosed => "close the count with `}`, or write `\\{`",
        ErrorKind::ClassRangeInvalid => "write the lesser character first",
        ErrorKind::RepetitionCountInvalid => "write the lesser count first",
        ErrorKind::EscapeUnrecognized => "write the character without `\\`",
        ErrorKind::EscapeUnexpectedEof => "write `\\\\` for a backslash",
        _ => return None,
    })
}

/// Whether a part of the pattern touches the start and the end of the string, so that an anchor
/// there is redundant.
#[derive(Clone, Copy, Debug)]
struct Ends {
    start: bool,
    end: bool,
}

impl Ends {
    const BOTH: Ends = Ends { start: true, end: true };
    const NONE: Ends = Ends { start: false, end: false };
}

/// Translates the syntax tree.
struct TreeWalk<'a> {
    interpolated: &'a Interpolated<'a>,
    flags: ClassFlags,
}

type Parsed = Result<Regex, RegexError>;

impl TreeWalk<'_> {
    fn node(&mut self, ast: &Ast, ends: Ends) -> Parsed {
        match ast {
            Ast::Empty(_) => Ok(Regex::empty()),
            Ast::Flags(set) => {
                self.set(&set.flags);
                Ok(Regex::empty())
            }
            Ast::Literal(literal) => match self.interpolated.named(literal.c) {
                Some(regex) => Ok(regex.clone()),
                None => self.classes().literal(literal),
            },
            Ast::Dot(_) => Ok(self.classes().dot()),
            Ast::ClassUnicode(class) => self.classes().unicode(class).map(class_of),
            Ast::ClassPerl(class) => self.classes().perl(class).map(class_of),
            Ast::ClassBracketed(class) => self.classes().bracketed(class).map(class_of),
            Ast::Assertion(assertion) => self.assertion(assertion, ends),
            Ast::Repetition(repetition) => {
                let inner = self.node(&repetition.ast, Ends::NONE)?;
                let (min, max) = bounds(&repetition.op.kind);
                Ok(inner.repeat(min, max))
            }
            Ast::Group(group) => self.group(group, |walk, inner| walk.node(inner, ends)),
            Ast::Alternation(alternation) => {
                let alternatives: Result<Vec<Regex>, RegexError> =
                    alternation.asts.iter().map(|ast| self.node(ast, ends)).collect();
                alternatives.map(Regex::union)
            }
            Ast::Concat(concat) => self.concat(&concat.asts, ends).map(Regex::concat),
        }
    }

    fn concat(&mut self, asts: &[Ast], ends: Ends) -> Result<Vec<Regex>, RegexError> {
        let first = asts.iter().position(is_wide).unwrap_or(asts.len());
        let last = asts.iter().rposition(is_wide);
        let mut parts = Vec::with_capacity(asts.len());
        for (at, ast) in asts.iter().enumerate() {
            let start = ends.start && at <= first;
            let end = ends.end && last.is_none_or(|last| at >= last);
            parts.push(self.node(ast, Ends { start, end })?);
        }
        Ok(parts)
    }

    /// Translates a group. Flags that are set in a group apply only there.
    fn group(
        &mut self,
        group: &ast::Group,
        walk: impl FnOnce(&mut Self, &Ast) -> Parsed,
    ) -> Parsed {
        let around = self.flags;
        if let GroupKind::NonCapturing(flags) = &group.kind {
            self.set(flags);
        }
        let node = walk(self, &group.ast);
        self.flags = around;
        node
    }

    /// Translates a pattern that may match anywhere, except where an alternative has anchors.
    fn anywhere(&mut self, ast: &Ast) -> Parsed {
        match ast {
            Ast::Alternation(alternation) => {
                let alternatives: Result<Vec<Regex>, RegexError> =
                    alternation.asts.iter().map(|ast| self.anywhere(ast)).collect();
                alternatives.map(Regex::union)
            }
            Ast::Group(group) => self.group(group, Self::anywhere),
            Ast::Concat(concat) => {
                let first = concat.asts.iter().find(|ast| !matches!(ast, Ast::Flags(_)));
                let start = first.is_some_and(is_start);
                let end = concat.asts.last().is_some_and(is_end);
                let inner = self.concat(&concat.asts, Ends { start, end })?;
                Ok(around(Regex::concat(inner), start, end))
            }
            ast => {
                let (start, end) = (is_start(ast), is_end(ast));
                Ok(around(self.node(ast, Ends { start, end })?, start, end))
            }
        }
    }

    fn assertion(&self, assertion: &ast::Assertion, ends: Ends) -> Parsed {
        let holds = match assertion.kind {
            AssertionKind::StartLine | AssertionKind::StartText => ends.start,
            AssertionKind::EndLine | AssertionKind::EndText => ends.end,
            _ => {
                return Err(self.unsupported("a word boundary", BOUNDARY, &assertion.span));
            }
        };
        if holds {
            return Ok(Regex::empty());
        }
        Err(self.unsupported("an anchor in the middle", ANCHOR, &assertion.span))
    }

    fn unsupported(
        &self,
        feature: &'static str,
        help: &'static str,
        span: &ast::Span,
    ) -> RegexError {
        RegexError::unsupported(feature, help, &self.interpolated.text, range(span))
    }

    fn classes(&self) -> ClassReader<'_> {
        ClassReader { flags: self.flags, pattern: &self.interpolated.text }
    }

    fn set(&mut self, flags: &Flags) {
        let mut value = true;
        for item in &flags.items {
            match item.kind {
                FlagsItemKind::Negation => value = false,
                FlagsItemKind::Flag(Flag::CaseInsensitive) => self.flags.ignore_case = value,
                FlagsItemKind::Flag(Flag::DotMatchesNewLine) => self.flags.dot_all = value,
                FlagsItemKind::Flag(Flag::CRLF) => self.flags.crlf = value,
                FlagsItemKind::Flag(Flag::Unicode) => self.flags.unicode = value,
                // Greediness does not change the language, the parser has removed the
                // whitespace, and anchors at the ends match in any mode.
                FlagsItemKind::Flag(Flag::SwapGreed | Flag::IgnoreWhitespace | Flag::MultiLine) => {
                }
            }
        }
    }
}

fn class_of(parts: Vec<crate::symbols::Symbols>) -> Regex {
    Regex::from_node(Node::Class(Class::new(parts)))
}

/// Allows any characters before and after, except at an anchored end.
fn around(inner: Regex, start: bool, end: bool) -> Regex {
    let anything = || Regex::any_char().star();
    let before = if start { Regex::empty() } else { anything() };
    let after = if end { Regex::empty() } else { anything() };
    Regex::concat([before, inner, after])
}

/// Returns whether a part can match characters, so that an anchor after it is in the middle.
fn is_wide(ast: &Ast) -> bool {
    !matches!(ast, Ast::Empty(_) | Ast::Flags(_) | Ast::Assertion(_))
}

fn is_start(ast: &Ast) -> bool {
    let start =
        |kind: &AssertionKind| matches!(kind, AssertionKind::StartLine | AssertionKind::StartText);
    matches!(ast, Ast::Assertion(assertion) if start(&assertion.kind))
}

fn is_end(ast: &Ast) -> bool {
    let end =
        |kind: &AssertionKind| matches!(kind, AssertionKind::EndLine | AssertionKind::EndText);
    matches!(ast, Ast::Assertion(assertion) if end(&assertion.kind))
}

fn bounds(kind: &RepetitionKind) -> (u32, Option<u32>) {
    match kind {
        RepetitionKind::ZeroOrOne => (0, Some(1)),
        RepetitionKind::ZeroOrMore => (0, None),
        RepetitionKind::OneOrMore => (1, None),
        RepetitionKind::Range(RepetitionRange::Exactly(count)) => (*count, Some(*count)),
        RepetitionKind::Range(RepetitionRange::AtLeast(count)) => (*count, None),
        RepetitionKind::Range(RepetitionRange::Bounded(min, max)) => (*min, Some(*max)),
    }
}
