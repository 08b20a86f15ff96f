//! Finds the object that a function constructs in its result.
//!
//! A function that returns an object of the type with the contract must return one that keeps the
//! invariants, whether its type is written as `Self` or by name, and also inside of an `Option`, a
//! `Result` or a `Box`. The compiler knows the types, the macro only their names. So generated code
//! calls `object()` on a [`MadeObject`]: the compiler takes an inherent method if there is one for
//! the type of the result, and that of [`NoMadeObject`] otherwise.

use std::marker::PhantomData;

/// The traits of this module without their names, for generated code: types of the user with these
/// names stay visible there.
pub mod methods {
    pub use super::NoMadeObject as _;
}

/// The result of a function, which may contain an object of type `S`.
#[derive(Debug)]
pub struct MadeObject<'a, S: ?Sized, R> {
    result: &'a R,
    object: PhantomData<fn(&S)>,
}

impl<'a, S: ?Sized, R> MadeObject<'a, S, R> {
    /// Wraps a result.
    pub fn new(result: &'a R) -> MadeObject<'a, S, R> {
        MadeObject { result, object: PhantomData }
    }
}

impl<'a, S> MadeObject<'a, S, S> {
    /// Returns the object.
    #[must_use]
    pub fn object(&self) -> Option<&'a S> {
        Some(self.result)
    }
}

impl<'a, S> MadeObject<'a, S, Option<S>> {
    /// Returns the object, if there is one.
    #[must_use]
    pub fn object(&self) -> Option<&'a S> {
        self.result.as_ref()
    }
}

impl<'a, S, E> MadeObject<'a, S, Result<S, E>> {
    /// Returns the object, if there is one.
    #[must_use]
    pub fn object(&self) -> Option<&'a S> {
        self.result.as_ref().ok()
    }
}

impl<'a, S> MadeObject<'a, S, Box<S>> {
    /// Returns the object.
    #[must_use]
    pub fn object(&self) -> Option<&'a S> {
        Some(self.result.as_ref())
    }
}

/// The fallback for results of other types.
pub trait NoMadeObject<'a, S: ?Sized> {
    /// Returns no object.
    fn object(&self) -> Option<&'a S>;
}

impl<'a, S: ?Sized, R> NoMadeObject<'a, S> for MadeObject<'a, S, R> {
    fn object(&self) -> Option<&'a S> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_found_in_results() {
        let object = String::from("it");
        assert_eq!(MadeObject::<String, _>::new(&object).object(), Some(&object));
        let some = Some(object.clone());
        assert_eq!(MadeObject::<String, _>::new(&some).object(), Some(&object));
        let ok: Result<String, u8> = Ok(object.clone());
        assert_eq!(MadeObject::<String, _>::new(&ok).object(), Some(&object));
        let err: Result<String, u8> = Err(1);
        assert_eq!(MadeObject::<String, _>::new(&err).object(), None);
        assert_eq!(MadeObject::<String, _>::new(&Box::new(object.clone())).object(), Some(&object));
        assert_eq!(MadeObject::<String, _>::new(&7_u8).object(), None);
        assert_eq!(MadeObject::<str, _>::new(&object).object(), None);
    }
}
