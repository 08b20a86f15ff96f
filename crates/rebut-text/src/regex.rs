//! Regular expressions as written.
//!
//! The tree keeps what the author wrote: alternatives, optional parts, the ranges of a character
//! class, the bounds of a repetition. The simplified form that regex engines use (`Hir` of
//! `regex-syntax`) describes the same language but loses the choices, and the cover is about the
//! choices.
//!
//! A regex matches a **whole** string: `ab` means `^ab$`, and the anchors are optional. That is
//! what people mean when they describe inputs, and what the operations on languages need. For
//! formats in which a pattern may match anywhere (JSON Schema), use [`RegexParser::anywhere`].

mod classes;
mod error;
mod interpolate;
mod matching;
mod parse;
mod show;

use std::sync::Arc;

pub use error::RegexError;
pub use parse::RegexParser;

use crate::language::Language;
use crate::order;
use crate::symbols::Symbols;

/// A regular expression as written. Cheap to clone.
///
/// # Examples
/// ```
/// use rebut_text::Regex;
/// let hours = Regex::parse("0[1-9]|1[0-2]")?;
/// let suffix = Regex::parse("am|pm")?;
/// let time = Regex::concat([hours, Regex::literal(" ").optional(), suffix]);
/// assert!(time.is_match("11 pm"));
/// assert!(!time.is_match("11 pm."));
/// assert_eq!(time.to_string(), "(?:0[1-9]|1[0-2]) ?(?:am|pm)");
/// # Ok::<(), rebut_text::RegexError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regex {
    node: Arc<Node>,
}

/// The root of a regex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    /// The empty string.
    Empty,
    /// One character of a character class.
    Class(Class),
    /// The parts one after the other.
    Concat(Vec<Regex>),
    /// One of the alternatives.
    Union(Vec<Regex>),
    /// `inner` from `min` to `max` times; without a maximum, any number from `min` on.
    Repeat { inner: Regex, min: u32, max: Option<u32> },
}

/// A character class in the parts in which it is written.
///
/// Invariant: the parts are disjoint, and none of them is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) parts: Vec<Symbols>,
}

impl Class {
    /// Creates a class. Characters of several parts belong to the first of these parts.
    pub(crate) fn new(parts: impl IntoIterator<Item = Symbols>) -> Class {
        let (mut kept, mut seen) = (Vec::new(), Symbols::none());
        for part in parts {
            let new = part.difference(&seen);
            if !new.is_empty() {
                seen = seen.union(&new);
                kept.push(new);
            }
        }
        Class { parts: kept }
    }

    pub(crate) fn symbols(&self) -> Symbols {
        match &*self.parts {
            [part] => part.clone(),
            parts => {
                Symbols::new(parts.iter().flat_map(|part| part.intervals().to_vec()).collect())
            }
        }
    }
}

impl Regex {
    /// Parses a pattern in the syntax of the crate `regex`. The pattern matches whole strings.
    ///
    /// # Errors
    /// If the pattern is invalid or uses a feature that no regular language can express:
    /// look-around, back-references, word boundaries, anchors in the middle.
    ///
    /// # Examples
    /// ```
    /// use rebut_text::Regex;
    /// let error = Regex::parse(r"(\w+)(?=;)").unwrap_err();
    /// assert_eq!(error.span(), 5..8);
    /// assert_eq!(error.feature(), Some("look-around"));
    /// ```
    pub fn parse(pattern: &str) -> Result<Regex, RegexError> {
        Regex::parser().parse(pattern)
    }

    /// Returns a parser, to set flags or to use named regexes in patterns.
    #[must_use]
    pub fn parser() -> RegexParser {
        RegexParser::default()
    }

    /// Returns a regex that matches only the empty string.
    #[must_use]
    pub fn empty() -> Regex {
        Regex::from_node(Node::Empty)
    }

    /// Returns a regex that matches only the given string.
    ///
    /// # Examples
    /// ```
    /// use rebut_text::Regex;
    /// assert!(Regex::literal("a+b").is_match("a+b"));
    /// ```
    #[must_use]
    pub fn literal(text: &str) -> Regex {
        Regex::concat(text.chars().map(|char| Regex::class([(char, char)])))
    }

    /// Returns a regex that matches one character of the given ranges. Each range is a part of its
    /// own.
    ///
    /// # Examples
    /// ```
    /// use rebut_text::Regex;
    /// let letter = Regex::class([('a', 'z'), ('_', '_')]);
    /// assert_eq!(letter.to_string(), "[a-z_]");
    /// ```
    #[must_use]
    pub fn class(ranges: impl IntoIterator<Item = (char, char)>) -> Regex {
        let parts = ranges.into_iter().map(|(first, last)| order::symbols_between(first, last));
        Regex::from_node(Node::Class(Class::new(parts)))
    }

    /// Returns a regex that matches any one character, line breaks included.
    #[must_use]
    pub fn any_char() -> Regex {
        Regex::from_node(Node::Class(Class::new([order::all()])))
    }

    /// Returns a regex that matches one of the alternatives.
    #[must_use]
    pub fn union(alternatives: impl IntoIterator<Item = Regex>) -> Regex {
        let mut alternatives: Vec<Regex> = alternatives.into_iter().collect();
        match alternatives.len() {
            1 => alternatives.remove(0),
            _ => Regex::from_node(Node::Union(alternatives)),
        }
    }

    /// Returns a regex that matches the parts one after the other.
    #[must_use]
    pub fn concat(parts: impl IntoIterator<Item = Regex>) -> Regex {
        let mut flat: Vec<Regex> = Vec::new();
        for part in parts {
            match &*part.node {
                Node::Empty => {}
                Node::Concat(inner) => flat.extend(inner.iter().cloned()),
                _ => flat.push(part),
            }
        }
        match flat.len() {
            0 => Regex::empty(),
            1 => flat.remove(0),
            _ => Regex::from_node(Node::Concat(flat)),
        }
    }

    /// Makes the regex optional: `?`.
    #[must_use]
    pub fn optional(self) -> Regex {
        self.repeat(0, Some(1))
    }

    /// Repeats the regex any number of times: `*`.
    #[must_use]
    pub fn star(self) -> Regex {
        self.repeat(0, None)
    }

    /// Repeats the regex at least once: `+`.
    #[must_use]
    pub fn plus(self) -> Regex {
        self.repeat(1, None)
    }

    /// Repeats the regex `min` to `max` times; without a maximum, any number of times from `min`
    /// on. If the maximum is less than the minimum, nothing matches.
    #[must_use]
    pub fn repeat(self, min: u32, max: Option<u32>) -> Regex {
        Regex::from_node(Node::Repeat { inner: self, min, max })
    }

    /// Returns the set of strings that match.
    #[must_use]
    pub fn language(&self) -> Language {
        Language::from_regex(self)
    }

    pub(crate) fn node(&self) -> &Node {
        &self.node
    }

    pub(crate) fn from_node(node: Node) -> Regex {
        Regex { node: Arc::new(node) }
    }
}

impl std::str::FromStr for Regex {
    type Err = RegexError;

    fn from_str(pattern: &str) -> Result<Regex, RegexError> {
        Regex::parse(pattern)
    }
}
