//! A regular expression as it is written.
//!
//! All of a text has to match, `^` and `$` at the ends change nothing. `\d`, `\s`, `\w` and
//! `.` are those of the `regex` crate with ASCII classes, so that a digit is one that people
//! type.

use regex_syntax::ast::{self, Ast};
use std::fmt;

/// A regular expression: its text, and what decides about matches.
#[derive(Clone)]
pub struct Pattern {
    source: String,
    ast: Ast,
    compiled: regex::Regex,
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
        let ast = ast::parse::ParserBuilder::new()
            .nest_limit(150)
            .build()
            .parse(source)
            .map_err(|error| explain(&error))?;
        let compiled = regex::RegexBuilder::new(&format!("^(?:{source})$"))
            .size_limit(1 << 24)
            .build()
            .map_err(|error| PatternError {
                message: last_line(&error.to_string()),
                range: (0, source.len()),
                help: None,
            })?;
        Ok(Self { source: source.to_owned(), ast, compiled })
    }

    /// The text of the pattern.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Does all of the text match?
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        self.compiled.is_match(text)
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

fn last_line(text: &str) -> String {
    text.lines().last().unwrap_or(text).trim_start_matches("error: ").to_owned()
}

fn explain(error: &ast::Error) -> PatternError {
    use ast::ErrorKind;
    let (message, help) = match error.kind() {
        ErrorKind::UnsupportedLookAround => (
            "look-around (`(?=..)`, `(?!..)`, `(?<=..)`, `(?<!..)`) cannot be honoured".to_owned(),
            Some(
                "say it with further assertions: `(not (matches ..))`, `(contains ..)`".to_owned(),
            ),
        ),
        ErrorKind::UnsupportedBackreference => (
            "back-references (`\\1`) cannot be honoured".to_owned(),
            Some(
                "declare the repeated part as a String of its own and join it with `concat`"
                    .to_owned(),
            ),
        ),
        kind => (kind.to_string(), None),
    };
    let range = (error.span().start.offset, error.span().end.offset);
    PatternError { message, range, help }
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
    fn names_what_it_cannot_honour() {
        for (source, words) in [("(?=a)", "look-around"), ("(a)\\1", "back-references")] {
            let error = Pattern::parse(source).map(|_| ()).map_err(|error| error.message);
            assert!(error.is_err_and(|message| message.contains(words)), "{source}");
        }
    }
}
