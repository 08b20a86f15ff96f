//! Arguments on their way from the environment of a program into a call and back.
//!
//! A statement takes its arguments out of the environment, passes them to the call by value or by
//! reference, and puts the borrowed ones back. So no value is borrowed twice, which the compiler
//! would reject in the printed program.
//!
//! # Examples
//! ```
//! use rebut_contract::call_argument::CallArgument;
//!
//! let mut argument = CallArgument::Owned(Box::new(7u8));
//! assert_eq!(argument.by_ref::<u8>(), Some(&7));
//! assert_eq!(argument.take::<u8>(), Some(7));
//! assert!(!argument.has_value());
//! ```

use std::any::Any;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use crate::table::CallOutcome;

/// A value of any type.
pub type Value = Box<dyn Any>;

/// One argument of a call, owned or borrowed.
#[derive(Debug, Default)]
pub enum CallArgument<'a> {
    /// A value that the program owns.
    Owned(Value),
    /// A mutable reference that a callback received.
    Mut(&'a mut (dyn Any + 'static)),
    /// A shared reference that a callback received.
    Ref(&'a (dyn Any + 'static)),
    /// A reference to a trait object that a callback received. The object is not `'static`, so the
    /// only use of it is to call its methods.
    Object(Box<dyn Object + 'a>),
    /// A value that was moved out, or is in use.
    #[default]
    Nothing,
}

impl CallArgument<'_> {
    /// Borrows the value mutably, if it has this type.
    pub fn by_mut<T: 'static>(&mut self) -> Option<&mut T> {
        match self {
            CallArgument::Owned(value) => value.downcast_mut(),
            CallArgument::Mut(value) => value.downcast_mut(),
            CallArgument::Ref(_) | CallArgument::Object(_) | CallArgument::Nothing => None,
        }
    }

    /// Borrows the trait object behind a `Box` mutably.
    pub fn object_mut<T: ?Sized + 'static>(&mut self) -> Option<&mut T> {
        self.by_mut::<Box<T>>().map(|object| &mut **object)
    }

    /// Borrows the trait object behind a `Box`, `Rc` or `Arc`.
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

    /// Borrows the value, if it has this type.
    pub fn by_ref<T: 'static>(&self) -> Option<&T> {
        self.any().and_then(|value| value.downcast_ref())
    }

    /// Moves the value out, if it is owned and has this type.
    pub fn take<T: 'static>(&mut self) -> Option<T> {
        match std::mem::take(self) {
            CallArgument::Owned(value) => value.downcast().ok().map(|value| *value),
            _ => None,
        }
    }

    /// Borrows the value without its type.
    #[must_use]
    pub fn any(&self) -> Option<&(dyn Any + 'static)> {
        match self {
            CallArgument::Owned(value) => Some(&**value),
            CallArgument::Mut(value) => Some(&**value),
            CallArgument::Ref(value) => Some(*value),
            CallArgument::Object(_) | CallArgument::Nothing => None,
        }
    }

    /// Returns whether there is a value.
    #[must_use]
    pub fn has_value(&self) -> bool {
        !matches!(self, CallArgument::Nothing)
    }
}

/// A borrowed trait object. `#[rebut::contract]` on a trait generates the implementations.
pub trait Object {
    /// Calls a method, by its number among the methods that programs call.
    fn call(&mut self, method: usize, arguments: &mut [CallArgument<'_>]) -> CallOutcome;
}

impl<O: Object + ?Sized> Object for &mut O {
    fn call(&mut self, method: usize, arguments: &mut [CallArgument<'_>]) -> CallOutcome {
        (**self).call(method, arguments)
    }
}

impl fmt::Debug for dyn Object + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a borrowed trait object")
    }
}
