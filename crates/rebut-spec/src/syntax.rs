//! The syntax of the language: s-expressions, as nested lists with spans.

mod datum;
mod reader;

pub use datum::{Datum, DatumKind};
pub use reader::read;
