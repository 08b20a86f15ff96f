//! The values of terms.

use std::fmt;
use std::sync::Arc;

use crate::{Rational, Sort, Table};

/// The value of a term. Regular expressions have none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A value of sort `Bool`.
    Bool(bool),
    /// A value of sort `BitVec`.
    Bits(Bits),
    /// A value of sort `Int`, limited to 128 bits.
    Int(i128),
    /// A value of sort `Real`.
    Real(Rational),
    /// A value of sort `String`. SMT-LIB also allows surrogates; this type does not.
    String(Arc<str>),
    /// A table, the second argument of `select`.
    Table(Table),
}

/// A bit-vector: a width and a number. The bits above the width are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    width: u32,
    number: u128,
}

impl Bits {
    /// Takes the low `width` bits of a number. Clamps the width to 1..=[`Sort::WIDTH_MAX`].
    pub fn new(width: u32, number: u128) -> Bits {
        let width = width.clamp(1, Sort::WIDTH_MAX);
        Bits { width, number: number & mask(width) }
    }

    /// Takes the low `width` bits of a number in two's complement.
    pub fn of_i128(width: u32, number: i128) -> Bits {
        Bits::new(width, number as u128)
    }

    /// Returns the number of bits.
    pub fn width(self) -> u32 {
        self.width
    }

    /// Returns the unsigned number.
    pub fn unsigned(self) -> u128 {
        self.number
    }

    /// Returns the signed number, in two's complement.
    pub fn signed(self) -> i128 {
        let unused = 128 - self.width;
        ((self.number << unused) as i128) >> unused
    }
}

/// Returns a number with the low `width` bits set.
pub(crate) fn mask(width: u32) -> u128 {
    match width {
        0 => 0,
        width => u128::MAX >> (128 - width),
    }
}

impl Value {
    /// Returns the sort of the value.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bits(bits) => Sort::BitVec(bits.width),
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
            Value::String(_) => Sort::String,
            Value::Table(table) => {
                Sort::Table { index: table.index_width(), value: table.value_width() }
            }
        }
    }

    /// Returns the simplest value of a sort: false, zero or empty. `None` for `RegLan` and tables.
    pub fn simplest(sort: Sort) -> Option<Value> {
        match sort {
            Sort::Bool => Some(Value::Bool(false)),
            Sort::BitVec(width) => Some(Value::Bits(Bits::new(width, 0))),
            Sort::Int => Some(Value::Int(0)),
            Sort::Real => Some(Value::Real(Rational::ZERO)),
            Sort::String => Some(Value::String(Arc::from(""))),
            Sort::RegLan | Sort::Table { .. } => None,
        }
    }

    /// Returns the boolean, if this is a `Bool`.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// Returns the bit-vector, if this is a `BitVec`.
    pub fn as_bits(&self) -> Option<Bits> {
        match self {
            Value::Bits(bits) => Some(*bits),
            _ => None,
        }
    }

    /// Returns the integer, if this is an `Int`.
    pub fn as_int(&self) -> Option<i128> {
        match self {
            Value::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the fraction, if this is a `Real`.
    pub fn as_real(&self) -> Option<Rational> {
        match self {
            Value::Real(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns the string, if this is a `String`.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<Bits> for Value {
    fn from(bits: Bits) -> Value {
        Value::Bits(bits)
    }
}

impl From<i128> for Value {
    fn from(number: i128) -> Value {
        Value::Int(number)
    }
}

impl From<Rational> for Value {
    fn from(number: Rational) -> Value {
        Value::Real(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::String(Arc::from(text))
    }
}

/// Writes the value for people. [`smtlib::print_value`](crate::smtlib::print_value) writes SMT-LIB
/// syntax.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Bits(bits) => write!(f, "{}", bits.number),
            Value::Int(number) => write!(f, "{number}"),
            Value::Real(number) => write!(f, "{number}"),
            Value::String(text) => write!(f, "{text:?}"),
            Value::Table(table) => write!(f, "a table of {} values", table.runs().len()),
        }
    }
}
