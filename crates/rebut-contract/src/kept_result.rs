//! Owned copies of borrowed results.
//!
//! A program keeps the result of a call for later statements, and its values own what they contain.
//! So it keeps a copy: `String` for `&str`, `Option<T>` for `Option<&T>`, `Vec<T>` for the first
//! elements of an iterator. [`Keep`] defines the copy. A result that has none, such as `&T` without
//! `T: Clone`, is dropped after the call. The generated code finds out which with [`Borrowed`], as
//! in [`trait_detection`](crate::trait_detection).
//!
//! # Examples
//! ```
//! use rebut_contract::kept_result::*;
//!
//! struct Plain;
//!
//! let kept = (&&Borrowed::new(Some("a"))).kept().unwrap();
//! assert_eq!(kept.downcast_ref::<Option<String>>(), Some(&Some("a".to_owned())));
//! assert!((&&Borrowed::new(&Plain)).kept().is_none());
//! ```

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use crate::call_argument::Value;

/// The traits of this module without their names, for generated code: types of the user with these
/// names stay visible there.
pub mod methods {
    pub use super::{IsDropped as _, IsKept as _};
}

/// A result with an owned copy.
pub trait Keep {
    /// The type of the copy.
    type OwnedCopy;

    /// Returns the copy.
    fn keep(self) -> Self::OwnedCopy;
}

impl<T: ToOwned + ?Sized> Keep for &T {
    type OwnedCopy = T::Owned;

    fn keep(self) -> T::Owned {
        self.to_owned()
    }
}

impl<T: ToOwned + ?Sized> Keep for &mut T {
    type OwnedCopy = T::Owned;

    fn keep(self) -> T::Owned {
        (*self).to_owned()
    }
}

impl<T: ToOwned + ?Sized> Keep for Cow<'_, T> {
    type OwnedCopy = T::Owned;

    fn keep(self) -> T::Owned {
        self.into_owned()
    }
}

impl<R: Keep> Keep for Option<R> {
    type OwnedCopy = Option<R::OwnedCopy>;

    fn keep(self) -> Option<R::OwnedCopy> {
        self.map(R::keep)
    }
}

impl<R: Keep, E> Keep for Result<R, E> {
    type OwnedCopy = Result<R::OwnedCopy, E>;

    fn keep(self) -> Result<R::OwnedCopy, E> {
        self.map(R::keep)
    }
}

impl<R: Keep> Keep for Vec<R> {
    type OwnedCopy = Vec<R::OwnedCopy>;

    fn keep(self) -> Vec<R::OwnedCopy> {
        self.into_iter().map(R::keep).collect()
    }
}

macro_rules! tuples {
    ($($name:ident)+) => {
        impl<$($name: Keep),+> Keep for ($($name,)+) {
            type OwnedCopy = ($($name::OwnedCopy,)+);

            #[expect(non_snake_case, reason = "the variables are named after their types")]
            fn keep(self) -> Self::OwnedCopy {
                let ($($name,)+) = self;
                ($($name.keep(),)+)
            }
        }
    };
}
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);

macro_rules! owned {
    ($($name:ty)+) => {
        $(impl Keep for $name {
            type OwnedCopy = $name;

            fn keep(self) -> $name {
                self
            }
        })+
    };
}
owned!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char String);

/// A result of a call.
pub struct Borrowed<R>(Cell<Option<R>>);

impl<R> Borrowed<R> {
    /// Holds the result until `kept` takes it.
    pub fn new(result: R) -> Borrowed<R> {
        Borrowed(Cell::new(Some(result)))
    }
}

impl<R> fmt::Debug for Borrowed<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Borrowed")
    }
}

/// Detects results with an owned copy.
pub trait IsKept {
    /// Returns the copy.
    fn kept(&self) -> Option<Value>;
}

impl<R: Keep<OwnedCopy: 'static>> IsKept for &Borrowed<R> {
    fn kept(&self) -> Option<Value> {
        Some(Box::new(self.0.take()?.keep()))
    }
}

/// Applies to all other results.
pub trait IsDropped {
    /// Drops the result.
    fn kept(&self) -> Option<Value>;
}

impl<R> IsDropped for Borrowed<R> {
    fn kept(&self) -> Option<Value> {
        drop(self.0.take());
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_as_deep_as_the_references() {
        let text = String::from("a");
        let kept = (&&Borrowed::new(Ok::<_, u8>((3_usize, &*text)))).kept();
        let expected: Result<(usize, String), u8> = Ok((3, text.clone()));
        assert_eq!(kept.and_then(|kept| kept.downcast().ok()), Some(Box::new(expected)));
    }

    #[test]
    #[expect(clippy::needless_borrow, reason = "the number of references chooses the trait")]
    fn a_result_that_is_not_kept_is_dropped_at_once() {
        struct Guard<'a>(&'a Cell<u8>);
        impl Drop for Guard<'_> {
            fn drop(&mut self) {
                self.0.set(self.0.get() + 1);
            }
        }
        let dropped = Cell::new(0);
        let borrowed = Borrowed::new(Guard(&dropped));
        assert!((&&borrowed).kept().is_none());
        assert_eq!(dropped.get(), 1);
    }
}
