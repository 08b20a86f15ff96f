//! Sorts and values. Engines see only four kinds of values: Booleans, integers, Reals and
//! strings. Dates, locations and enumerations are integers with a meaning.

use crate::number::Real;
use std::fmt;
use std::sync::Arc;

/// The index of a variable in its environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

impl VarId {
    /// The index into a model.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The sort of an expression: its type, and the meaning of its integers.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// A Boolean.
    Bool,
    /// An integer.
    Int,
    /// An exact fraction.
    Real,
    /// A string.
    Str,
    /// A point in time: seconds since 1970-01-01T00:00:00Z.
    Date,
    /// A day of the calendar: days since 1970-01-01.
    Day,
    /// A location with an IANA time zone: an index into [`crate::zones::locations`].
    Location,
    /// One of several names: an index into the list.
    Enum(Arc<Choices>),
}

/// The names of an enumeration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Choices {
    /// The names in the language.
    pub names: Vec<Arc<str>>,
    /// The JSON value of each name.
    pub json: Vec<String>,
}

impl Sort {
    /// Whether values are represented as integers.
    #[must_use]
    pub fn is_int_like(&self) -> bool {
        matches!(self, Self::Int | Self::Date | Self::Day | Self::Location | Self::Enum(_))
    }

    /// Whether values can be ordered and subtracted.
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
    /// The Boolean, if it is one.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The integer, if it is one.
    #[must_use]
    pub fn as_int(&self) -> Option<i128> {
        match self {
            Self::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The number as a fraction, if it is one.
    #[must_use]
    pub fn as_real(&self) -> Option<Real> {
        match self {
            Self::Int(value) => Some(Real::from_int(*value)),
            Self::Real(value) => Some(*value),
            _ => None,
        }
    }

    /// The string, if it is one.
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
