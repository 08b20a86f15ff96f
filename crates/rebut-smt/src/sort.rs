//! What kind of value a term has.

use std::fmt;

/// The sort of a term, as in SMT-LIB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// `true` or `false`.
    Bool,
    /// A bit-vector of so many bits: 1 up to [`Sort::WIDTH_MAX`].
    BitVec(u32),
    /// A whole number.
    Int,
    /// A rational number.
    Real,
    /// A text of Unicode characters.
    String,
    /// A set of texts, written as a regular expression.
    RegLan,
}

impl Sort {
    /// The widest bit-vector. No machine number that Rebut draws is wider, and every value of
    /// one fits a `u128`.
    pub const WIDTH_MAX: u32 = 128;

    /// The number of bits, if this is a bit-vector.
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

/// As SMT-LIB writes it.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Int => f.write_str("Int"),
            Sort::Real => f.write_str("Real"),
            Sort::String => f.write_str("String"),
            Sort::RegLan => f.write_str("RegLan"),
        }
    }
}
