//! The values that terms take.

use std::fmt;
use std::sync::Arc;

use crate::{Rational, Sort};

/// A value of a term. Regular expressions are never values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Of sort `Bool`.
    Bool(bool),
    /// Of sort `BitVec`.
    Bits(Bits),
    /// Of sort `Int`, within 128 bits.
    Int(i128),
    /// Of sort `Real`.
    Real(Rational),
    /// Of sort `String`. SMT-LIB's strings may also hold surrogates; ours cannot.
    String(Arc<str>),
}

/// A bit-vector: a number and how many bits it has. The bits above the width are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    width: u32,
    number: u128,
}

impl Bits {
    /// The low `width` bits of a number; the width is brought into 1 to
    /// [`Sort::WIDTH_MAX`].
    pub fn new(width: u32, number: u128) -> Bits {
        let width = width.clamp(1, Sort::WIDTH_MAX);
        Bits { width, number: number & mask(width) }
    }

    /// How many bits there are.
    pub fn width(self) -> u32 {
        self.width
    }

    /// The number, read as unsigned.
    pub fn unsigned(self) -> u128 {
        self.number
    }

    /// The number, read as two's complement.
    pub fn signed(self) -> i128 {
        let unused = 128 - self.width;
        ((self.number << unused) as i128) >> unused
    }
}

/// A number with the low `width` bits set.
pub(crate) fn mask(width: u32) -> u128 {
    match width {
        0 => 0,
        width => u128::MAX >> (128 - width),
    }
}

impl Value {
    /// The sort that this is a value of.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bits(bits) => Sort::BitVec(bits.width),
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
            Value::String(_) => Sort::String,
        }
    }

    /// The simplest value of a sort: false, zero, nothing. None for `RegLan`.
    pub fn simplest(sort: Sort) -> Option<Value> {
        match sort {
            Sort::Bool => Some(Value::Bool(false)),
            Sort::BitVec(width) => Some(Value::Bits(Bits::new(width, 0))),
            Sort::Int => Some(Value::Int(0)),
            Sort::Real => Some(Value::Real(Rational::ZERO)),
            Sort::String => Some(Value::String(Arc::from(""))),
            Sort::RegLan => None,
        }
    }

    /// The truth value, if this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The bit-vector, if this is one.
    pub fn as_bits(&self) -> Option<Bits> {
        match self {
            Value::Bits(bits) => Some(*bits),
            _ => None,
        }
    }

    /// The whole number, if this is an `Int`.
    pub fn as_int(&self) -> Option<i128> {
        match self {
            Value::Int(number) => Some(*number),
            _ => None,
        }
    }

    /// The fraction, if this is a `Real`.
    pub fn as_real(&self) -> Option<Rational> {
        match self {
            Value::Real(number) => Some(*number),
            _ => None,
        }
    }

    /// The text, if this is a `String`.
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

/// For people; [`smtlib::print_value`](crate::smtlib::print_value) writes it for solvers.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Bits(bits) => write!(f, "{}", bits.number),
            Value::Int(number) => write!(f, "{number}"),
            Value::Real(number) => write!(f, "{number}"),
            Value::String(text) => write!(f, "{text:?}"),
        }
    }
}
