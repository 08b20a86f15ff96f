//! Regular expressions as they are written.
//!
//! The tree keeps what the author said: alternatives, optional parts, the ranges of a class,
//! the bounds of a repetition. The simplified form of the regex engines would describe the
//! same language, but no longer the choices, and the cover is about the choices.
//!
//! A regex matches a text **as a whole**: `ab` is what elsewhere is written `^ab$`, and the
//! anchors may be written or left out. That is what is meant where inputs are described, and
//! it is what the operations on languages need. Where a pattern comes from a format in which
//! it may match anywhere (JSON Schema), [`RegexParser::anywhere`] reads it so.

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

/// A regular expression as it is written. Cheap to clone.
///
/// # Example
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

/// What a regex is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    /// The empty text.
    Empty,
    /// One character of a class.
    Class(Class),
    /// One after the other.
    Concat(Vec<Regex>),
    /// One of these.
    Union(Vec<Regex>),
    /// So many times; without a maximum, any number from the minimum on.
    Repeat { inner: Regex, min: u32, max: Option<u32> },
}

/// A class of characters, in the parts in which it is written. The parts share no character;
/// none of them is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    pub(crate) parts: Vec<Symbols>,
}

impl Class {
    /// What a later part has in common with an earlier one belongs to the earlier.
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
    /// Reads a pattern in the syntax of the crate `regex`, which matches the whole of a text.
    ///
    /// # Errors
    /// If it is not a pattern, or uses what no language of strings can honor: look-around,
    /// back-references, word boundaries, anchors in the middle.
    ///
    /// # Example
    /// ```
    /// use rebut_text::Regex;
    /// let error = Regex::parse(r"(\w+)(?=;)").unwrap_err();
    /// assert_eq!(error.span(), 5..8);
    /// assert_eq!(error.feature(), Some("look-around"));
    /// ```
    pub fn parse(pattern: &str) -> Result<Regex, RegexError> {
        Regex::parser().parse(pattern)
    }

    /// Reads patterns with other flags, or with names of other regexes in them.
    #[must_use]
    pub fn parser() -> RegexParser {
        RegexParser::default()
    }

    /// The empty text and nothing else.
    #[must_use]
    pub fn empty() -> Regex {
        Regex::of(Node::Empty)
    }

    /// A text as it stands.
    ///
    /// # Example
    /// ```
    /// use rebut_text::Regex;
    /// assert!(Regex::literal("a+b").is_match("a+b"));
    /// ```
    #[must_use]
    pub fn literal(text: &str) -> Regex {
        Regex::concat(text.chars().map(|char| Regex::class([(char, char)])))
    }

    /// One character of these ranges, each of which is a part of its own.
    ///
    /// # Example
    /// ```
    /// use rebut_text::Regex;
    /// let letter = Regex::class([('a', 'z'), ('_', '_')]);
    /// assert_eq!(letter.to_string(), "[a-z_]");
    /// ```
    #[must_use]
    pub fn class(ranges: impl IntoIterator<Item = (char, char)>) -> Regex {
        let parts = ranges.into_iter().map(|(first, last)| order::symbols_between(first, last));
        Regex::of(Node::Class(Class::new(parts)))
    }

    /// Any one character, line breaks included.
    #[must_use]
    pub fn any_char() -> Regex {
        Regex::of(Node::Class(Class::new([order::all()])))
    }

    /// One of these.
    #[must_use]
    pub fn union(alternatives: impl IntoIterator<Item = Regex>) -> Regex {
        let mut alternatives: Vec<Regex> = alternatives.into_iter().collect();
        match alternatives.len() {
            1 => alternatives.remove(0),
            _ => Regex::of(Node::Union(alternatives)),
        }
    }

    /// One after the other.
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
            _ => Regex::of(Node::Concat(flat)),
        }
    }

    /// This or nothing: `?`.
    #[must_use]
    pub fn optional(self) -> Regex {
        self.repeat(0, Some(1))
    }

    /// Any number of times: `*`.
    #[must_use]
    pub fn star(self) -> Regex {
        self.repeat(0, None)
    }

    /// At least once: `+`.
    #[must_use]
    pub fn plus(self) -> Regex {
        self.repeat(1, None)
    }

    /// From `min` to `max` times; without a maximum, any number of times from `min` on. If
    /// the maximum is less than the minimum, nothing matches.
    #[must_use]
    pub fn repeat(self, min: u32, max: Option<u32>) -> Regex {
        Regex::of(Node::Repeat { inner: self, min, max })
    }

    /// The set of the texts that match.
    #[must_use]
    pub fn language(&self) -> Language {
        Language::from_regex(self)
    }

    pub(crate) fn node(&self) -> &Node {
        &self.node
    }

    pub(crate) fn of(node: Node) -> Regex {
        Regex { node: Arc::new(node) }
    }
}

impl std::str::FromStr for Regex {
    type Err = RegexError;

    fn from_str(pattern: &str) -> Result<Regex, RegexError> {
        Regex::parse(pattern)
    }
}
