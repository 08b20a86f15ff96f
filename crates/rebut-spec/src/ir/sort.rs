//! The sorts of values. A solver sees only four kinds of them: dates, places and
//! enumerations are whole numbers with a meaning.

use crate::number::Real;
use std::fmt;
use std::sync::Arc;

/// The number of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

impl VarId {
    /// As an index into a model.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What kind of value an expression has, and how its number is read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// True or false.
    Bool,
    /// A whole number.
    Int,
    /// An exact number with a point.
    Real,
    /// Text.
    Str,
    /// A point in time: seconds since the start of 1970, UTC.
    Date,
    /// A day of the calendar: days since the start of 1970.
    Day,
    /// A place, given by its IANA time zone: a number in the list of [`crate::zones`].
    Location,
    /// One of several: its number in the list.
    Enum(Arc<Choices>),
}

/// The names of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Choices {
    /// How each is called.
    pub names: Vec<Arc<str>>,
    /// How each is written in JSON.
    pub json: Vec<String>,
}

impl Sort {
    /// Is the value a whole number underneath?
    #[must_use]
    pub fn is_int_like(&self) -> bool {
        matches!(self, Self::Int | Self::Date | Self::Day | Self::Location | Self::Enum(_))
    }

    /// Can values be ordered and subtracted?
    #[must_use]
    pub fn is_numeric(&self) -> bool {
        matches!(self, Self::Int | Self::Real | Self::Date | Self::Day)
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bool => "a Boolean",
            Self::Int => "an Integer",
            Self::Real => "a Real",
            Self::Str => "a String",
            Self::Date => "a Date",
            Self::Day => "a Day",
            Self::Location => "a Location",
            Self::Enum(_) => "an Enum",
        })
    }
}

/// A concrete value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// Of sort Bool.
    Bool(bool),
    /// Of sort Int, Date, Day, Location or Enum.
    Int(i128),
    /// Of sort Real.
    Real(Real),
    /// Of sort Str.
    Str(Arc<str>),
}

impl Value {
    /// The truth value, if it is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The whole number, if it is one.
    #[must_use]
    pub fn as_int(&self) -> Option<i128> {
        match self {
            Self::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The number as an exact fraction, if it is one.
    #[must_use]
    pub fn as_real(&self) -> Option<Real> {
        match self {
            Self::Int(value) => Some(Real::from_int(*value)),
            Self::Real(value) => Some(*value),
            _ => None,
        }
    }

    /// The text, if it is one.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(value) => Some(value),
            _ => None,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i128> for Value {
    fn from(value: i128) -> Self {
        Self::Int(value)
    }
}

impl From<Real> for Value {
    fn from(value: Real) -> Self {
        Self::Real(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Str(value.into())
    }
}
