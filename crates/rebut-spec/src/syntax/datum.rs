//! What the reader makes of a text: atoms and lists, each with its place.

use crate::diagnostic::Span;
use crate::number::Real;
use std::fmt;
use std::sync::Arc;

/// An atom or a list, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Datum {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub kind: Kind,
}

/// What a [`Datum`] is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A name: `declare`, `re-?`, `12hr`, `≠`.
    Symbol(Arc<str>),
    /// A whole number.
    Int(i128),
    /// A number with a point or a fraction.
    Real(Real),
    /// `#t`, `#f`, `true`, `false`.
    Bool(bool),
    /// Text in double quotes. Escapes that mean nothing to the reader are kept as written,
    /// so that `"\d"` is a regular expression.
    Str(Arc<str>),
    /// `#rx".."`: text that is a regular expression.
    Regex(Arc<str>),
    /// `?Type` or `?(Type ..)`: an input that is left blank.
    Blank(Arc<Datum>),
    /// `'data`: a list that is no call.
    Quote(Arc<Datum>),
    /// `(..)` or `[..]`.
    List(Arc<[Datum]>),
    /// Something that was reported and is passed over in silence from there on.
    Broken,
}

impl Datum {
    /// The name, if it is one.
    #[must_use]
    pub fn symbol(&self) -> Option<&str> {
        match &self.kind {
            Kind::Symbol(name) => Some(name),
            _ => None,
        }
    }

    /// The items, if it is a list.
    #[must_use]
    pub fn list(&self) -> Option<&[Datum]> {
        match &self.kind {
            Kind::List(items) => Some(items),
            _ => None,
        }
    }

    /// The name in front, if it is a list that starts with one.
    #[must_use]
    pub fn head(&self) -> Option<&str> {
        self.list()?.first()?.symbol()
    }
}

impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Symbol(name) => f.write_str(name),
            Kind::Int(number) => write!(f, "{number}"),
            Kind::Real(number) => write!(f, "{number}"),
            Kind::Bool(value) => write!(f, "{value}"),
            Kind::Str(text) => write!(f, "{text:?}"),
            Kind::Regex(text) => write!(f, "#rx{text:?}"),
            Kind::Blank(inner) => write!(f, "?{inner}"),
            Kind::Quote(inner) => write!(f, "'{inner}"),
            Kind::Broken => f.write_str("<broken>"),
            Kind::List(items) => {
                f.write_str("(")?;
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        f.write_str(" ")?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_str(")")
            }
        }
    }
}
