//! Values on their way from the environment of a program into a call and back.
//!
//! One statement is one set of loans: what it uses is taken out of the environment, lent to the
//! call, and put back. So no value is lent twice, which the compiler would refuse in the printed
//! program.

use std::any::Any;

/// A value of any type.
pub type Value = Box<dyn Any>;

/// One argument of a call: given away or lent.
#[derive(Debug, Default)]
pub enum Held<'a> {
    /// The program's own.
    Owned(Value),
    /// Lent to a callback, to be changed.
    Mut(&'a mut (dyn Any + 'static)),
    /// Lent to a callback, to be read.
    Ref(&'a (dyn Any + 'static)),
    /// Given away, or in use.
    #[default]
    Nothing,
}

impl Held<'_> {
    /// Lends it to be changed.
    pub fn by_mut<T: 'static>(&mut self) -> Option<&mut T> {
        match self {
            Held::Owned(value) => value.downcast_mut(),
            Held::Mut(value) => value.downcast_mut(),
            Held::Ref(_) | Held::Nothing => None,
        }
    }

    /// Lends it to be read.
    pub fn by_ref<T: 'static>(&self) -> Option<&T> {
        self.any().and_then(|value| value.downcast_ref())
    }

    /// Gives it away.
    pub fn take<T: 'static>(&mut self) -> Option<T> {
        match std::mem::take(self) {
            Held::Owned(value) => value.downcast().ok().map(|value| *value),
            _ => None,
        }
    }

    /// The value, to be read.
    #[must_use]
    pub fn any(&self) -> Option<&(dyn Any + 'static)> {
        match self {
            Held::Owned(value) => Some(&**value),
            Held::Mut(value) => Some(&**value),
            Held::Ref(value) => Some(*value),
            Held::Nothing => None,
        }
    }

    /// Whether there is something.
    #[must_use]
    pub fn is_there(&self) -> bool {
        !matches!(self, Held::Nothing)
    }
}
