//! The reader's result: atoms and lists, each with its span.

use crate::diagnostic::Span;
use crate::number::Real;
use std::fmt;
use std::sync::Arc;

/// An atom or a list, with its span.
#[derive(Clone, Debug, PartialEq)]
pub struct Datum {
    /// Its location in the file.
    pub span: Span,
    /// The atom or the list.
    pub kind: DatumKind,
}

/// The content of a [`Datum`].
#[derive(Clone, Debug, PartialEq)]
pub enum DatumKind {
    /// A name: `declare`, `re-?`, `12hr`, `≠`.
    Symbol(Arc<str>),
    /// An integer.
    Int(i128),
    /// A decimal number or a fraction.
    Real(Real),
    /// `#t`, `#f`, `true`, `false`.
    Bool(bool),
    /// A string in double quotes. Unknown escapes are kept, so that `"\d"` can be a regular
    /// expression.
    Str(Arc<str>),
    /// `#rx".."`: a regular expression.
    Regex(Arc<str>),
    /// `?Type` or `?(Type ..)`: an input that is left blank.
    Blank(Arc<Datum>),
    /// `'data`: data that is not evaluated.
    Quote(Arc<Datum>),
    /// `(..)` or `[..]`.
    List(Arc<[Datum]>),
    /// A syntax error that was reported. Later passes ignore it.
    Broken,
}

impl Datum {
    /// The name, if this is one.
    #[must_use]
    pub fn symbol(&self) -> Option<&str> {
        match &self.kind {
            DatumKind::Symbol(name) => Some(name),
            _ => None,
        }
    }

    /// The items, if this is a list.
    #[must_use]
    pub fn list(&self) -> Option<&[Datum]> {
        match &self.kind {
            DatumKind::List(items) => Some(items),
            _ => None,
        }
    }

    /// The first item of a list, if that is a name.
    #[must_use]
    pub fn head(&self) -> Option<&str> {
        self.list()?.first()?.symbol()
    }
}

impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            DatumKind::Symbol(name) => f.write_str(name),
            DatumKind::Int(number) => write!(f, "{number}"),
            DatumKind::Real(number) => write!(f, "{number}"),
            DatumKind::Bool(value) => write!(f, "{value}"),
            DatumKind::Str(text) => write!(f, "{text:?}"),
            DatumKind::Regex(text) => write!(f, "#rx{text:?}"),
            DatumKind::Blank(inner) => write!(f, "?{inner}"),
            DatumKind::Quote(inner) => write!(f, "'{inner}"),
            DatumKind::Broken => f.write_str("<broken>"),
            DatumKind::List(items) => {
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
