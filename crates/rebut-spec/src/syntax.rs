//! The text of a file as nested lists with places.

mod datum;
mod reader;

pub use datum::{Datum, Kind};
pub use reader::read;
