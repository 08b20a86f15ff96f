//! Builds statements of the language.

use crate::diagnostic::Span;
use crate::syntax::{Datum, DatumKind};

/// Creates data with one span: `At(span).form("declare", ..)`.
#[derive(Clone, Copy, Debug)]
pub(super) struct At(pub(super) Span);

impl At {
    pub(super) fn datum(self, kind: DatumKind) -> Datum {
        Datum { span: self.0, kind }
    }

    pub(super) fn name(self, name: &str) -> Datum {
        self.datum(DatumKind::Symbol(name.into()))
    }

    pub(super) fn text(self, text: &str) -> Datum {
        self.datum(DatumKind::Str(text.into()))
    }

    pub(super) fn regex(self, text: &str) -> Datum {
        self.datum(DatumKind::Regex(text.into()))
    }

    pub(super) fn int(self, number: i128) -> Datum {
        self.datum(DatumKind::Int(number))
    }

    pub(super) fn blank(self, inner: Datum) -> Datum {
        self.datum(DatumKind::Blank(inner.into()))
    }

    pub(super) fn list(self, items: impl IntoIterator<Item = Datum>) -> Datum {
        self.datum(DatumKind::List(items.into_iter().collect()))
    }

    /// Creates `(word items ..)`.
    pub(super) fn form(self, word: &str, items: impl IntoIterator<Item = Datum>) -> Datum {
        self.list([self.name(word)].into_iter().chain(items))
    }
}
