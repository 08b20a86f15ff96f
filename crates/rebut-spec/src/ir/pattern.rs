//! A regular expression as it is written.
//!
//! All of a text has to match, `^` and `$` at the ends change nothing. `\d`, `\s` and `\w` are
//! those of ASCII, so that a digit is one that people type.
//!
//! Who looks for texts uses the automata of `rebut-text`; who judges them, the matcher of the
//! `regex` crate.

use super::constraint::CoverMode;
use rebut_text::{Classifier, Cover, Language, Regex, Repeats, StructuralClass};
use regex_syntax::ast::{self, Ast};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A regular expression: its text, and what decides about matches.
#[derive(Clone)]
pub struct Pattern {
    source: String,
    ast: Ast,
    regex: Regex,
    /// What was computed of it serves all blanks that must match.
    language: Language,
    judge: Arc<Judge>,
}

/// What is only needed to judge texts.
#[derive(Default)]
struct Judge {
    matcher: OnceLock<Option<regex::Regex>>,
    classifiers: [OnceLock<Option<Classifier>>; 2],
}

/// What a pattern consists of, outermost.
#[derive(Clone, Debug, PartialEq)]
pub enum View {
    /// Just these characters.
    Literal(String),
    /// `[..]`, `\d`.
    Class(Pattern),
    /// `.`
    AnyChar,
    /// `a|b`; unions of more are nested to the right.
    Union(Pattern, Pattern),
    /// One after the other; of more than two nested to the right.
    Concat(Pattern, Pattern),
    /// `r?`
    Optional(Pattern),
    /// `r*`
    Star(Pattern),
    /// `r+`
    Plus(Pattern),
    /// `r{min,max}`
    Repeat(Pattern, u32, Option<u32>),
    /// No characters.
    Empty,
}

/// Why a pattern is none, and where in its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    /// What is wrong.
    pub message: String,
    /// The range of bytes in the pattern.
    pub range: (usize, usize),
    /// What to write instead, if that is known.
    pub help: Option<String>,
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// What is wrong with it and where.
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
        Ok(Self { source: source.to_owned(), ast, regex, language, judge: Arc::default() })
    }

    /// The pattern as automata know it.
    #[must_use]
    pub fn regex(&self) -> &Regex {
        &self.regex
    }

    /// The texts that match.
    #[must_use]
    pub fn language(&self) -> &Language {
        &self.language
    }

    /// The text of the pattern.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Does all of the text match?
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        let matcher = self.judge.matcher.get_or_init(|| {
            // As `rebut-text` shows it, classes are spelled out: `\d` is `[0-9]`.
            regex::Regex::new(&format!("^(?:{})$", self.regex)).ok()
        });
        match matcher {
            Some(matcher) => matcher.is_match(text),
            None => self.regex.is_match(text),
        }
    }

    /// The kind of a text: which way through the pattern leads to it. None if it does not
    /// match, or if the pattern is too complex to tell.
    #[must_use]
    pub fn kind_of(&self, text: &str, mode: CoverMode) -> Option<StructuralClass> {
        let (at, repeats) = match mode {
            CoverMode::Structure => (0, Repeats::Few),
            CoverMode::Unrolled => (1, Repeats::Concatenation),
        };
        let classifier = self.judge.classifiers[at]
            .get_or_init(|| Cover::new(&self.regex).repeats(repeats).classifier().ok());
        classifier.as_ref()?.class_of(text)
    }

    /// Its text as a part of a larger one.
    #[must_use]
    pub fn as_part(&self) -> String {
        format!("(?:{})", self.source)
    }

    /// What it consists of, outermost.
    #[must_use]
    pub fn view(&self) -> View {
        self.view_of(&self.ast).unwrap_or_else(|| View::Class(self.clone()))
    }

    fn part(&self, span: &ast::Span) -> Option<Self> {
        Self::parse(self.source.get(span.start.offset..span.end.offset)?).ok()
    }

    fn between(&self, first: &ast::Span, last: &ast::Span) -> Option<Self> {
        Self::parse(self.source.get(first.start.offset..last.end.offset)?).ok()
    }

    fn view_of(&self, ast: &Ast) -> Option<View> {
        Some(match ast {
            Ast::Empty(_) | Ast::Flags(_) | Ast::Assertion(_) => View::Empty,
            Ast::Literal(literal) => View::Literal(literal.c.to_string()),
            Ast::Dot(_) => View::AnyChar,
            Ast::ClassUnicode(_) | Ast::ClassPerl(_) | Ast::ClassBracketed(_) => {
                View::Class(self.part(ast.span())?)
            }
            Ast::Group(group) => return self.view_of(&group.ast),
            Ast::Alternation(union) => self.pair(&union.asts, View::Union)?,
            Ast::Concat(concat) => match text_of(&concat.asts) {
                Some(text) => View::Literal(text),
                None => self.pair(&concat.asts, View::Concat)?,
            },
            Ast::Repetition(repetition) => self.repetition(repetition)?,
        })
    }

    fn pair(&self, asts: &[Ast], wrap: fn(Self, Self) -> View) -> Option<View> {
        match asts {
            [] => Some(View::Empty),
            [only] => self.view_of(only),
            [first, .., last] => {
                let rest = self.between(asts[1].span(), last.span())?;
                Some(wrap(self.part(first.span())?, rest))
            }
        }
    }

    fn repetition(&self, repetition: &ast::Repetition) -> Option<View> {
        use ast::{RepetitionKind as Kind, RepetitionRange as Range};
        let inner = self.part(repetition.ast.span())?;
        Some(match &repetition.op.kind {
            Kind::ZeroOrOne => View::Optional(inner),
            Kind::ZeroOrMore => View::Star(inner),
            Kind::OneOrMore => View::Plus(inner),
            Kind::Range(Range::Exactly(n)) => View::Repeat(inner, *n, Some(*n)),
            Kind::Range(Range::AtLeast(n)) => View::Repeat(inner, *n, None),
            Kind::Range(Range::Bounded(min, max)) => View::Repeat(inner, *min, Some(*max)),
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

    fn view(source: &str) -> View {
        Pattern::parse(source).map_or(View::Empty, |pattern| pattern.view())
    }

    fn pattern(source: &str) -> Pattern {
        match Pattern::parse(source) {
            Ok(pattern) => pattern,
            Err(error) => panic!("{source}: {}", error.message),
        }
    }

    #[test]
    fn shows_what_it_is_written_of() {
        assert_eq!(view("(a|b|c)"), View::Union(pattern("a"), pattern("b|c")));
        assert_eq!(view("[a-z]+"), View::Plus(pattern("[a-z]")));
        assert_eq!(view("ab?"), View::Concat(pattern("a"), pattern("b?")));
        assert_eq!(view("abc"), View::Literal("abc".into()));
        assert_eq!(view("."), View::AnyChar);
        assert_eq!(view("(\\d)"), View::Class(pattern("\\d")));
    }

    #[test]
    fn names_what_it_cannot_honor() {
        for (source, words) in [("(?=a)", "look-around"), ("(a)\\1", "back-reference")] {
            let error = Pattern::parse(source).map(|_| ()).map_err(|error| error.message);
            assert!(error.is_err_and(|message| message.contains(words)), "{source}");
        }
    }
}
