//! Values on their way from the environment of a program into a call and back.
//!
//! One statement is one set of loans: what it uses is taken out of the environment, lent to the
//! call, and put back. So no value is lent twice, which the compiler would refuse in the printed
//! program.

use std::any::Any;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use crate::table::Called;

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
    /// A trait object that was lent to a callback: it does not live for ever, so all that can be
    /// done with it is to call its methods.
    Object(Box<dyn Object + 'a>),
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
            Held::Ref(_) | Held::Object(_) | Held::Nothing => None,
        }
    }

    /// Lends the trait object behind a pointer, to be changed.
    pub fn object_mut<T: ?Sized + 'static>(&mut self) -> Option<&mut T> {
        self.by_mut::<Box<T>>().map(|object| &mut **object)
    }

    /// Lends the trait object behind a pointer, to be read.
    #[must_use]
    pub fn object_ref<T: ?Sized + 'static>(&self) -> Option<&T> {
        let value = self.any()?;
        match value.downcast_ref::<Box<T>>() {
            Some(object) => Some(&**object),
            None => match value.downcast_ref::<Rc<T>>() {
                Some(object) => Some(&**object),
                None => value.downcast_ref::<Arc<T>>().map(|object| &**object),
            },
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
            Held::Object(_) | Held::Nothing => None,
        }
    }

    /// Whether there is something.
    #[must_use]
    pub fn is_there(&self) -> bool {
        !matches!(self, Held::Nothing)
    }
}

/// A trait object that was lent. `#[rebut::contract]` before a trait writes who implements it.
pub trait Object {
    /// Calls a method, by its number among those that programs call.
    fn call(&mut self, method: usize, arguments: &mut [Held<'_>]) -> Called;
}

impl<O: Object + ?Sized> Object for &mut O {
    fn call(&mut self, method: usize, arguments: &mut [Held<'_>]) -> Called {
        (**self).call(method, arguments)
    }
}

impl fmt::Debug for dyn Object + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a trait object that was lent")
    }
}
