//! Values of types that implement `Arbitrary` of the crate `arbitrary`.
//!
//! [`layout`] draws the bytes that an implementation reads; this file hands them over.

mod layout;

use std::any::TypeId;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;

use arbitrary::{Arbitrary, Unstructured};
use rebut_choice::Source;

use self::layout::Plans;
use crate::Generator;

/// Generates values of a type that implements `Arbitrary` of the crate `arbitrary`.
///
/// Rebut runs the implementation on bytes that it draws as choices. It observes how much the
/// implementation reads, so strings are drawn as strings, lists as lists and numbers as numbers.
/// They shrink accordingly. Several numbers in a row look like one: a struct of an `i32` and an
/// `i32` reads the same bytes as an `i64`. For your own types, `#[derive(rebut::Generate)]` shrinks
/// better.
///
/// The type must own its values: `T: for<'a> Arbitrary<'a>`. For `&str` and `&[u8]`, generate a
/// `String` or a `Vec<u8>`, and borrow it. A case is rejected if the implementation returns an
/// error for every attempt.
///
/// # Examples
/// ```
/// use rebut::{arbitraries, find, simplest};
///
/// assert_eq!(simplest(&arbitraries::<(bool, Vec<u8>)>()), (false, vec![]));
/// let found = find(arbitraries::<Vec<String>>(), |list| list.concat().chars().count() > 2);
/// assert_eq!(found, Some(vec!["aaa".to_string()]));
/// ```
#[must_use]
pub fn arbitraries<T: for<'a> Arbitrary<'a> + 'static>() -> Arbitraries<T> {
    Arbitraries { value: PhantomData }
}

/// The generator that [`arbitraries`] returns.
///
/// # Examples
/// ```
/// use rebut::generators::Arbitraries;
/// use rebut::{arbitraries, simplest};
///
/// fn ports() -> Arbitraries<Option<u16>> {
///     arbitraries()
/// }
/// assert_eq!(simplest(&ports()), None);
/// ```
pub struct Arbitraries<T> {
    value: PhantomData<fn() -> T>,
}

thread_local! {
    /// The plans of each type, so that most draws need not run the implementation to plan.
    static PLANS: RefCell<HashMap<TypeId, Plans>> = RefCell::default();
}

impl<T: for<'a> Arbitrary<'a> + 'static> Generator for Arbitraries<T> {
    type Value = T;

    fn draw(&self, source: &mut Source) -> T {
        let read = |data: &[u8]| {
            let mut unstructured = Unstructured::new(data);
            let is_ok = T::arbitrary(&mut unstructured).is_ok();
            (is_ok, unstructured.len())
        };
        source.attempt("`Arbitrary::arbitrary` returns an error", |source| {
            let mut plans = PLANS.with_borrow_mut(|plans| plans.remove(&TypeId::of::<T>()));
            let data = layout::draw(source, &read, plans.get_or_insert_default());
            PLANS.with_borrow_mut(|all| all.insert(TypeId::of::<T>(), plans.unwrap_or_default()));
            T::arbitrary(&mut Unstructured::new(&data)).ok()
        })
    }
}

impl<T> Clone for Arbitraries<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Arbitraries<T> {}

impl<T> fmt::Debug for Arbitraries<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "arbitraries::<{}>()", std::any::type_name::<T>())
    }
}
