//! Regular expressions, as the file writes them.
//!
//! The whole string has to match; `^` and `$` at the ends change nothing. `\d`, `\s` and `\w` are
//! ASCII classes, so that a digit is one that people type.
//!
//! Invariant: the engine uses the automata of `rebut-text`, the evaluator the matcher of the
//! `regex` crate, so one checks the other.

use super::constraint::CoverMode;
use rebut_text::{Classifier, Cover, Language, Regex, Repeats, StructuralClass};
use regex_syntax::ast::{self, Ast};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A regular expression: its source, its automaton and its matchers.
#[derive(Clone)]
pub struct Pattern {
    source: String,
    ast: Ast,
    regex: Regex,
    /// Shared by all blanks that must match, together with what was computed of it.
    language: Language,
    matchers: Arc<Matchers>,
}

/// The parts that only the evaluator needs, built on first use. There is a classifier for each
/// [`CoverMode`].
#[derive(Default)]
struct Matchers {
    matcher: OnceLock<Option<regex::Regex>>,
    classifiers: [OnceLock<Option<Classifier>>; 2],
}

/// The outermost construct of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum PatternView {
    /// A sequence of characters.
    Literal(String),
    /// `[..]`, `\d`.
    Class(Pattern),
    /// `.`
    AnyChar,
    /// `a|b`. Unions of more parts are nested to the right.
    Union(Pattern, Pattern),
    /// `ab`. Concatenations of more parts are nested to the right.
    Concat(Pattern, Pattern),
    /// `r?`
    Optional(Pattern),
    /// `r*`
    Star(Pattern),
    /// `r+`
    Plus(Pattern),
    /// `r{min,max}`
    Repeat(Pattern, u32, Option<u32>),
    /// The empty string.
    Empty,
}

/// A syntax error in a pattern, and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// The error.
    pub message: String,
    /// The range of bytes in the pattern.
    pub range: (usize, usize),
    /// What to write instead, if known.
    pub help: Option<String>,
}

impl Pattern {
    /// Parses a pattern.
    ///
    /// # Errors
    /// If the pattern is not a regular expression, or uses a construct that automata do not
    /// support.
    pub fn parse(source: &str) -> Result<Self, PatternError> {
        let regex = Regex::parser().unicode(false).parse(source).map_err(|error| PatternError {
            message: error.message().to_owned(),
            range: (error.span().start, error.span().end),
            help: error.help().map(str::to_owned),
        })?;
        let whole =
            |message: String| PatternError { message, range: (0, source.len()), help: None };
        let ast =
            ast::parse::Parser::new().parse(source).map_err(|error| whole(error.to_string()))?;
        let language = regex.language();
        Ok(Self { source: source.to_owned(), ast, regex, language, matchers: Arc::default() })
    }

    /// The pattern as `rebut-text` parses it.
    #[must_use]
    pub fn regex(&self) -> &Regex {
        &self.regex
    }

    /// The strings that match.
    #[must_use]
    pub fn language(&self) -> &Language {
        &self.language
    }

    /// The source of the pattern.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the whole string matches.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        let matcher = self.matchers.matcher.get_or_init(|| {
            // `rebut-text` prints classes as ranges, so `\d` is `[0-9]` for this parser, too.
            regex::Regex::new(&format!("^(?:{})$", self.regex)).ok()
        });
        match matcher {
            Some(matcher) => matcher.is_match(text),
            None => self.regex.is_match(text),
        }
    }

    /// Returns the structural class of a string: the way through the pattern that leads to it.
    /// Returns `None` if it does not match, or if the pattern is too complex.
    #[must_use]
    pub fn class_of(&self, text: &str, mode: CoverMode) -> Option<StructuralClass> {
        let (at, repeats) = match mode {
            CoverMode::Structure => (0, Repeats::Few),
            CoverMode::Unrolled => (1, Repeats::Concatenation),
        };
        let classifier = self.matchers.classifiers[at]
            .get_or_init(|| Cover::new(&self.regex).repeats(repeats).classifier().ok());
        classifier.as_ref()?.class_of(text)
    }

    /// The source as a part of a larger pattern.
    #[must_use]
    pub fn as_part(&self) -> String {
        format!("(?:{})", self.source)
    }

    /// The outermost construct.
    #[must_use]
    pub fn view(&self) -> PatternView {
        self.view_of(&self.ast).unwrap_or_else(|| PatternView::Class(self.clone()))
    }

    fn part(&self, span: &ast::Span) -> Option<Self> {
        Self::parse(self.source.get(span.start.offset..span.end.offset)?).ok()
    }

    fn between(&self, first: &ast::Span, last: &ast::Span) -> Option<Self> {
        Self::parse(self.source.get(first.start.offset..last.end.offset)?).ok()
    }

    fn view_of(&self, ast: &Ast) -> Option<PatternView> {
        Some(match ast {
            Ast::Empty(_) | Ast::Flags(_) | Ast::Assertion(_) => PatternView::Empty,
            Ast::Literal(literal) => PatternView::Literal(literal.c.to_string()),
            Ast::Dot(_) => PatternView::AnyChar,
            Ast::ClassUnicode(_) | Ast::ClassPerl(_) | Ast::ClassBracketed(_) => {
                PatternView::Class(self.part(ast.span())?)
            }
            Ast::Group(group) => return self.view_of(&group.ast),
            Ast::Alternation(union) => self.pair(&union.asts, PatternView::Union)?,
            Ast::Concat(concat) => match text_of(&concat.asts) {
                Some(text) => PatternView::Literal(text),
                None => self.pair(&concat.asts, PatternView::Concat)?,
            },
            Ast::Repetition(repetition) => self.repetition(repetition)?,
        })
    }

    fn pair(&self, asts: &[Ast], wrap: fn(Self, Self) -> PatternView) -> Option<PatternView> {
        match asts {
            [] => Some(PatternView::Empty),
            [only] => self.view_of(only),
            [first, .., last] => {
                let rest = self.between(asts[1].span(), last.span())?;
                Some(wrap(self.part(first.span())?, rest))
            }
        }
    }

    fn repetition(&self, repetition: &ast::Repetition) -> Option<PatternView> {
        use ast::{RepetitionKind as Kind, RepetitionRange as Range};
        let inner = self.part(repetition.ast.span())?;
        Some(match &repetition.op.kind {
            Kind::ZeroOrOne => PatternView::Optional(inner),
            Kind::ZeroOrMore => PatternView::Star(inner),
            Kind::OneOrMore => PatternView::Plus(inner),
            Kind::Range(Range::Exactly(n)) => PatternView::Repeat(inner, *n, Some(*n)),
            Kind::Range(Range::AtLeast(n)) => PatternView::Repeat(inner, *n, None),
            Kind::Range(Range::Bounded(min, max)) => PatternView::Repeat(inner, *min, Some(*max)),
        })
    }
}

fn text_of(asts: &[Ast]) -> Option<String> {
    asts.iter()
        .map(|ast| match ast {
            Ast::Literal(literal) => Some(literal.c),
            _ => None,
        })
        .collect()
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({:?})", self.source)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(source: &str) -> PatternView {
        Pattern::parse(source).map_or(PatternView::Empty, |pattern| pattern.view())
    }

    fn pattern(source: &str) -> Pattern {
        match Pattern::parse(source) {
            Ok(pattern) => pattern,
            Err(error) => panic!("{source}: {}", error.message),
        }
    }

    #[test]
    fn view_returns_the_outermost_construct() {
        assert_eq!(view("(a|b|c)"), PatternView::Union(pattern("a"), pattern("b|c")));
        assert_eq!(view("[a-z]+"), PatternView::Plus(pattern("[a-z]")));
        assert_eq!(view("ab?"), PatternView::Concat(pattern("a"), pattern("b?")));
        assert_eq!(view("abc"), PatternView::Literal("abc".into()));
        assert_eq!(view("."), PatternView::AnyChar);
        assert_eq!(view("(\\d)"), PatternView::Class(pattern("\\d")));
    }

    #[test]
    fn unsupported_constructs_are_named() {
        for (source, words) in [("(?=a)", "look-around"), ("(a)\\1", "back-reference")] {
            let error = Pattern::parse(source).map(|_| ()).map_err(|error| error.message);
            assert!(error.is_err_and(|message| message.contains(words)), "{source}");
        }
    }
}
