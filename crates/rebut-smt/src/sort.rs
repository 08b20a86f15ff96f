//! The sorts (types) of terms.

use std::fmt;

/// The sort of a term, as in SMT-LIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// `true` or `false`.
    Bool,
    /// A bit-vector of the given width, from 1 to [`Sort::WIDTH_MAX`].
    BitVec(u32),
    /// An integer.
    Int,
    /// A rational number.
    Real,
    /// A string of Unicode characters.
    String,
    /// A regular expression.
    RegLan,
    /// A constant [`Table`](crate::Table).
    Table {
        /// The width of an index.
        index: u32,
        /// The width of a value.
        value: u32,
    },
}

impl Sort {
    /// The maximum width of a bit-vector. No integer type of Rust is wider, and every value fits a
    /// `u128`. Constructors reject wider ones.
    pub const WIDTH_MAX: u32 = 128;

    /// Returns the width of a bit-vector sort.
    pub fn width(self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(width),
            _ => None,
        }
    }

    /// Whether this is `Int` or `Real`.
    pub fn is_number(self) -> bool {
        matches!(self, Sort::Int | Sort::Real)
    }
}

/// Writes the sort in SMT-LIB syntax.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Int => f.write_str("Int"),
            Sort::Real => f.write_str("Real"),
            Sort::String => f.write_str("String"),
            Sort::RegLan => f.write_str("RegLan"),
            Sort::Table { index, value } => {
                write!(f, "(Array (_ BitVec {index}) (_ BitVec {value}))")
            }
        }
    }
}
